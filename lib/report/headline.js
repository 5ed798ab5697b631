'use strict'

// The headline of a report: the main sentence, its level, its notes, and whether thresholds and checks failed or were
// inconclusive.

const { sumOf } = require('../core/statistics')
const { countedIn } = require('../core/counted')
const { formatInteger, plural } = require('../core/units')
const { endedInSkipped } = require('../findings/no-response')
const { troubleWords } = require('../words/load-generator')
const { troubleOf } = require('../instruments/generator/verdict')
const { isListening, hasNoResponse, namedRequests, stagesOf } = require('../figures/parts')
const { isOfRedirects, refusedRedirects } = require('../findings/redirects')
const { isRefusedByProxy } = require('../instruments/proxies/refused')
const { unfollowed } = require('../findings/responses')
const { capital, inSentence } = require('../words/sentence')
const { hints, notesOf, plainNotes, textsBeside, warnings } = require('./findings')
const { REFUSED } = require('../words/instruments')
const { refusedWords } = require('../words/responses')
const { clockSentence } = require('./clock')
const { hasInterval, knownSentence, whyUnknown } = require('./until')
const { formatActual } = require('./verdicts')

/** The number of failed thresholds, checks or limits that are named. */
const MOST_NAMED = 3

/** Characters of a name. The table has the whole name. */
const LONGEST_NAME = 60

/**
 * Findings whose first sentence can be the main sentence, the most important first. `about`: what a threshold has to
 * limit to cover it; `isAfterAgents`: whether lost agents take precedence; `counts`: whether it is bad enough.
 * @type {Record<string, { about: Parameters<typeof isLimited>[1], isAfterAgents?: boolean,
 *   counts?: (finding: import('./findings').Noted) => boolean }>}
 */
const LEADS = {
  bailout: { about: 'failures' },
  failures: { about: 'failures' },
  errors: { about: 'failures' },
  'mismatched-bodies': { about: 'failures' },
  'other-than-2xx': { about: 'failures' },
  interrupted: { about: 'failures' },
  'idle-urls': { about: 'urls', isAfterAgents: true },
  'no-ages': { about: 'ages', isAfterAgents: true },
  'rate-missed': { about: 'load', isAfterAgents: true },
  // With a rate, the percentiles show gaps.
  gaps: { about: 'longest', isAfterAgents: true, counts: ({ facts }) => facts.closed },
  'resent-requests': { about: 'resent', isAfterAgents: true, counts: ({ severity }) => severity === 'warning' }
}

/** The reason if a run was interrupted. */
const NOT_JUDGED = 'no threshold was judged'

/**
 * @typedef {object} Headline
 * @property {'good' | 'warning' | 'bad'} level
 * @property {string} sentence
 * @property {string[]} notes one sentence each
 * @property {unknown[]} [explained] thresholds and limits whose reasons are in the sentence, and codes of findings with
 *   the same content
 * @property {string} [reason] the sentence without what the first line of the report says (result-line.js); may be
 *   empty
 */

/**
 * @param {Record<string, any>} result
 * @returns {Array<{ name: string, all: unknown[], failed: unknown[], unsure: unknown[] }>} the judgements by kind;
 *   `unsure`: inconclusive ones
 */
function judgedOf ({ thresholds = [], checks = [], comparison, until }) {
  const limits = comparison?.limits ?? []
  // A threshold on checks allows some of them to fail.
  const strict = thresholds.length === 0
    ? checks
    : checks.filter((/** @type {any} */ check) => !require('../judge/threshold').tolerates(thresholds, check))
  const shown = strict.filter((/** @type {any} */ check) => !isOfRedirects(check))
  const refused = refusedRedirects(strict)
  const which = (/** @type {any[]} */ all, /** @type {boolean | null} */ verdict) =>
    all.filter(({ passed }) => passed === verdict)
  return [
    { name: 'threshold', all: thresholds, failed: which(thresholds, false), unsure: which(thresholds, null) },
    { name: 'check', all: shown, failed: shown.filter((/** @type {any} */ { failed }) => failed > 0), unsure: [] },
    // Redirects are counted as a check that no option configures, so it is shown only if it failed.
    ...refused.redirects > 0 ? [{ name: 'redirects', all: [refused], failed: [refused], unsure: [] }] : [],
    { name: 'limit', all: limits, failed: which(limits, false), unsure: which(limits, null) },
    // A precision that was reached is no verdict on the server.
    ...until === undefined || until.reached || until.expression === 'decided'
      ? []
      : [{ name: 'figure', all: [until], failed: [], unsure: [until] }]
  ].filter(({ all }) => all.length > 0)
}

/** @param {Record<string, any>} result */
function hasFailed (result) {
  return judgedOf(result).some(({ failed }) => failed.length > 0)
}

/** @param {Record<string, any>} result */
function isUnsure (result) {
  return judgedOf(result).some(({ unsure }) => unsure.length > 0)
}

/**
 * @param {Record<string, any>} result or just its comparison
 * @returns {{ level: 'warning' | 'bad', sentence: string, reason?: string, explained: unknown[] } | null} the sentence
 *   on failed and inconclusive judgements; null if all passed. `explained`: see Headline
 */
function badNewsOf (result) {
  const implied = [...result.thresholds ?? [], ...result.comparison?.limits ?? []].filter(({ implied }) => implied)
  const broken = implied.find(({ passed }) => passed === false)
  if (broken !== undefined) return { level: 'bad', sentence: broken.note ?? broken.reason, explained: [broken] }
  const judged = judgedOf(result)
  const counted = countedIn(result)
  if (implied.length > 0 && !hasFailed(result)) {
    return { level: 'warning', sentence: implied[0].note, explained: [implied[0]] }
  }
  const failed = judged.filter(({ failed }) => failed.length > 0).map((one, i) => failedOf(one, i === 0, counted))
  const unsure = judged.filter(({ unsure }) => unsure.length > 0)
    .map((one, i) => unsureOf(one, failed.length + i === 0))
  if (failed.length + unsure.length === 0) return null
  const level = failed.length > 0 ? 'bad' : 'warning'
  const sentence = [...failed, ...unsure].join('; ')
  /** The sentence has the figure of a measured one, and no reason. @param {any} one */
  const isUnmeasured = one => one.actual === null
  const explained = judged.flatMap(({ name, failed, unsure }) =>
    name === 'redirects'
      ? [name]
      : [...failed.slice(0, MOST_NAMED).filter(isUnmeasured), ...unsure.slice(0, MOST_NAMED)])
  return isUnjudged(result.thresholds ?? [])
    ? { level, sentence, explained, reason: failed.length > 0 ? sentence : [NOT_JUDGED, ...unsure.slice(1)].join('; ') }
    : { level, sentence, explained }
}

/**
 * @param {Record<string, any>} result
 * @param {string[]} [shown] codes of findings that are shown elsewhere
 * @returns {Headline}
 */
function headlineOf (result, shown = []) {
  if (result.endedBy !== undefined) {
    const [sentence, ...more] = result.endedBy
    const { endedBy, ...rest } = result
    const other = headlineOf(rest, shown)
    return {
      level: 'bad',
      sentence,
      notes: [...more.filter((/** @type {string} */ line) => line !== ''), `${other.sentence}.`, ...other.notes]
    }
  }
  const isRefused = isRefusedByProxy(result)
  if (result.search !== undefined && !hasNoResponse(result) && !isRefused) {
    const { levelOf, searchNotes, searchOf, searchReason, sentenceOf } = require('./search')
    const search = searchOf(result)
    return {
      level: levelOf(search),
      sentence: sentenceOf(search),
      notes: searchNotes(result),
      reason: searchReason(search)
    }
  }
  const { thresholds = [], errors, requests } = result
  const lost = thresholds.find((/** @type {any} */ { aborted }) => aborted)
  const known = knownSentence(result)
  const timed = clockSentence(result)
  const tried = hints(result)
  const notes = [
    ...plainNotes(known === null || !hasInterval(result.until) ? [] : [`${known}.`], 'precision'),
    ...notesOf(result, ['outcome']),
    ...plainNotes(lost === undefined ? [] : [`The run ended early: ${lost.expression} could not be met any more.`]),
    ...notesOf(result, ['resending']),
    ...plainNotes(timed === null ? [] : [`${timed}.`]),
    ...notesOf(result, ['urls']), ...tried, ...warnings(result)
  ].filter(({ code }) => code === null || !shown.includes(code))
  const texts = textsBeside(notes, null)
  if (hasNoResponse(result)) {
    const sentence = errors > 0
      ? requests.sent === 0 ? `No ${countedIn(result).one} was sent` : 'No response'
      : `The run ended before ${endedInSkipped(result) ? 'its figures began' : 'the first response'}`
    return { level: 'bad', sentence, notes: texts, reason: tried[0].text }
  }
  if (isRefused) return { level: 'bad', sentence: REFUSED, notes: textsBeside(notes, 'proxy-refused') }
  const verdict = badNewsOf(result)
  if (verdict !== null) {
    return { ...verdict, notes: textsBeside(notes.filter(({ code }) => !verdict.explained.includes(code)), null) }
  }
  const judged = judgedOf(result)
  const loss = result.agents === undefined ? null : require('../instruments/agents/report').lossSentence(result)
  const spoiled = troubleOf(result.generator)
  const trouble = spoiled === null ? undefined : capital(troubleWords(spoiled))
  const worst = worstOf(notes)
  if (judged.length > 0) {
    // Thresholds may have passed although something else is wrong.
    const isLoss = loss !== null && (worst === null || LEADS[String(worst.code)].isAfterAgents)
    const besides = isLoss ? loss : worst?.lead ?? trouble
    const ofClient = trouble === undefined ? null : 'generator'
    const about = isLoss ? 'load' : worst === null ? ofClient : LEADS[String(worst.code)].about
    const passed = `${judged.map((one, i) => allOf(one, i === 0)).join(' and ')} passed`
    return {
      level: isLimited(result, about) ? 'good' : 'warning',
      sentence: besides === undefined ? passed : `${passed}; ${inSentence(besides)}`,
      notes: textsBeside(notes, isLoss ? null : worst?.code ?? null)
    }
  }
  const first = notes.find(({ code }) => code === 'silence') ?? worst
  if (loss !== null && (first === null || LEADS[String(first.code)]?.isAfterAgents)) {
    return { level: 'warning', sentence: loss, notes: texts }
  }
  if (first !== null) {
    const isAll = first.code === 'interrupted'
    return {
      level: 'warning', sentence: String(first.lead), notes: textsBeside(notes, first.code), ...isAll && { reason: '' }
    }
  }
  if (Number.isNaN(requests.total)) {
    return { level: 'warning', sentence: 'The result has no number of responses', notes: texts }
  }
  const completed = isListening(result)
    ? `${plural(result.streams.events, 'message')} received, no failures`
    : `${plural(requests.total, countedIn(result).one)} completed, no failures`
  if (trouble !== undefined) {
    return {
      level: 'warning', sentence: `${completed}; ${inSentence(trouble)}`, notes: texts, reason: inSentence(trouble)
    }
  }
  return { level: 'good', sentence: completed, notes: texts, reason: 'no failures' }
}

/**
 * @param {import('./findings').Noted[]} notes
 * @returns {import('./findings').Noted | null} the most important one, whether a threshold covers it or not
 */
function worstOf (notes) {
  for (const [code, { counts = () => true }] of Object.entries(LEADS)) {
    const found = notes.find(note => note.code === code && counts(note))
    if (found !== undefined) return found
  }
  return null
}

/**
 * @param {Record<string, any>} result
 * @param {'failures' | 'urls' | 'ages' | 'load' | 'longest' | 'resent' | 'generator' | null} what a problem; null for
 *   none
 * @returns {boolean} whether thresholds limit it
 */
function isLimited (result, what) {
  const { thresholds = [], failures, errors, mismatches } = result
  /** @param {(threshold: any) => boolean} isAbout */
  const metricsOf = isAbout => new Set(thresholds.filter(isAbout).map((/** @type {any} */ { metric }) => metric))
  const metrics = metricsOf(({ request, stage, scenario, group }) =>
    [request, stage, scenario, group].every(part => part === undefined))
  if (what === 'urls' || what === 'ages') return false
  if (what === 'generator') return metrics.has('generator')
  if (what === 'longest') return metrics.has('max')
  if (what === 'resent') return metrics.has('resent') || metrics.has('resent rate')
  if (what === 'load') return covers('COVERING_LOAD', metrics)
  const badResponses = failures > errors || mismatches > 0 || unfollowed(result) > 0
  if (what === null || coverFailures(metrics, { errors, badResponses })) return true
  const requests = namedRequests(result).filter(({ name, errors, failures = 0 }) =>
    coverFailures(metricsOf(({ request }) => request === name), { errors, badResponses: failures > errors }))
  const stages = stagesOf(result).filter(({ number, errors, failures = 0 }) =>
    coverFailures(metricsOf(({ stage }) => stage === number), { errors, badResponses: failures > errors }))
  const inParts = (/** @type {Array<{ failures?: number }>} */ parts) => sumOf(parts, ({ failures = 0 }) => failures)
  return failures > 0 && (inParts(requests) >= failures || inParts(stages) >= failures)
}

/**
 * Thresholds on errors do not limit 503, and those on responses do not limit resets.
 * @param {Set<string>} metrics
 * @param {{ errors: number, badResponses: boolean }} wrong
 */
function coverFailures (metrics, { errors, badResponses }) {
  return metrics.has('checks') || metrics.has('passed checks') ||
    ((errors === 0 || covers('COVERING_ERRORS', metrics)) && (!badResponses || covers('COVERING_RESPONSES', metrics)))
}

/**
 * @param {'COVERING_RESPONSES' | 'COVERING_ERRORS' | 'COVERING_LOAD'} which the set of metrics
 * @param {Set<string>} metrics
 * @returns {boolean} whether one of the metrics is in that set
 */
function covers (which, metrics) {
  // Lazy, as only thresholds need it.
  return metrics.size > 0 && [...require('../judge/premise')[which]].some(metric => metrics.has(metric))
}

/** @param {Record<string, any>} result so far @returns {Headline} */
function headlineSoFar (result) {
  const { errors, search } = result
  const { level, sentence, notes } = headlineOf(result)
  if (hasNoResponse(result) && errors === 0) return { level: 'warning', sentence: 'No response so far', notes: [] }
  if (search?.limit === null) {
    const { heldSentence, searchOf } = require('./search')
    return { level: 'good', sentence: heldSentence(searchOf(result)), notes }
  }
  return { level, sentence: `So far: ${inSentence(sentence)}`, notes }
}

/**
 * The words on a failure, in a list and alone.
 * @type {Record<string, (one: any, isFirst: boolean, counted: import('../core/counted').Counted) =>
 *   { inList: string, alone: string }>}
 */
const FAILED = {
  threshold ({ expression, actual, unit, note = 'nothing was measured' }, isFirst, counted) {
    const [name, was] = [cut(expression), actual === null ? note : formatActual({ actual, unit }, counted)]
    return { inList: `${name} (${was})`, alone: `${name} failed: ${actual === null ? was : `it was ${was}`}` }
  },
  check ({ name, request, failed }, isFirst) {
    const [full, times] = [cut(request === undefined ? name : `${request}: ${name}`), plural(failed, 'time')]
    return { inList: `${full} (${times})`, alone: `${isFirst ? 'The' : 'the'} check ${full} failed ${times}` }
  },
  redirects (refused) {
    return { inList: '', alone: refusedWords(refused) }
  },
  limit ({ expression, reason }) {
    return { inList: `${cut(expression)} (${reason})`, alone: `${cut(expression)} failed: ${reason}` }
  }
}

/**
 * @param {ReturnType<typeof judgedOf>[number]} judged of which some failed
 * @param {boolean} isFirst whether a sentence begins with it
 * @param {import('../core/counted').Counted} counted
 */
function failedOf ({ name, all, failed }, isFirst, counted) {
  const named = failed.slice(0, MOST_NAMED).map(one => FAILED[name](one, isFirst, counted))
  if (failed.length === 1) return named[0].alone
  const more = failed.length > MOST_NAMED ? ` and ${formatInteger(failed.length - MOST_NAMED)} more` : ''
  return `${formatInteger(failed.length)} of ${plural(all.length, name)} failed: ` +
    `${named.map(({ inList }) => inList).join(', ')}${more}`
}

/**
 * @param {ReturnType<typeof judgedOf>[number]} judged of which some are inconclusive
 * @param {boolean} isFirst
 */
function unsureOf ({ name, all, unsure }, isFirst) {
  if (name === 'threshold' && isUnjudged(/** @type {any[]} */ (all))) {
    return `${isFirst ? 'Interrupted' : 'interrupted'}: ${NOT_JUDGED}`
  }
  const why = name === 'figure' ? whyUnknown : (/** @type {any} */ one) => one.reason ?? one.note ?? 'it was not judged'
  const reasons = /** @type {any[]} */ (unsure).slice(0, MOST_NAMED)
    .map(one => ({ name: cut(one.expression), reason: why(one) }))
  if (unsure.length === 1) return `${reasons[0].name} is inconclusive: ${reasons[0].reason}`
  const more = unsure.length > MOST_NAMED ? ` and ${formatInteger(unsure.length - MOST_NAMED)} more` : ''
  return `${formatInteger(unsure.length)} of ${plural(all.length, name)} are inconclusive: ` +
    `${reasons.map(({ name, reason }) => `${name} (${reason})`).join(', ')}${more}`
}

/**
 * @param {Array<{ passed: boolean | null, note?: string }>} thresholds
 * @returns {boolean} whether none was judged because the run was interrupted
 */
function isUnjudged (thresholds) {
  return thresholds.length > 0 && thresholds.every(({ passed, note }) => passed === null && note === undefined)
}

/** @param {string} name */
function cut (name) {
  return name.length > LONGEST_NAME ? name.slice(0, LONGEST_NAME - 1) + '…' : name
}

/** @param {ReturnType<typeof judgedOf>[number]} judged @param {boolean} isFirst */
function allOf ({ name, all }, isFirst) {
  return all.length === 1
    ? `${isFirst ? 'The' : 'the'} ${name}`
    : `${isFirst ? 'All' : 'all'} ${plural(all.length, name)}`
}

module.exports = { badNewsOf, headlineOf, headlineSoFar, hasFailed, isUnsure, judgedOf }
