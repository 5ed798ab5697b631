'use strict'

// A search for the limit as text: one sentence, the steps, and a plot by load. Its input is printable
// (core/foreign-text.js).

const { troubleOf } = require('../instruments/generator/verdict')
const { troubleWords } = require('../words/load-generator')
const { MESSAGES, REQUESTS, countedIn } = require('../core/counted')
const {
  formatDuration, formatInteger, formatLatencies, formatLatency, formatPercent, formatRate, plural
} = require('../core/units')
const { bestStep, firstSilent, isStuck, unsureStep, unknownBetween } = require('../experiments/find/search-steps')
const { parseThreshold } = require('../judge/threshold')
const { clockSentence } = require('./clock')
const { CPU, cpuCell, hasCpu } = require('../instruments/server/report')
const { laidOut, markCell } = require('./authored')
const { drawnTable } = require('./terminal/drawn')
const { formatActual, formatFigure } = require('./verdicts')

/**
 * @typedef {import('./table').Screen} Screen
 * @typedef {Record<string, any>} Search as `result.search`
 * @typedef {Record<string, any>} Step one of its steps
 */

/** The width of a plot, in characters. */
const NARROWEST = 20
const WIDEST = 60

/** @param {Search} search @param {number} value @param {boolean} [full] with its unit */
function formatLoad ({ unit, counted = REQUESTS }, value, full = true) {
  const shown = unit === 'connections' ? formatInteger(value) : formatRate(value)
  return !full ? shown : unit === 'connections' ? plural(value, 'connection') : `${shown} ${counted.rate}`
}

/** @param {Search} search @returns {string} the unit of its load */
function loadUnit ({ unit, counted = REQUESTS }) {
  return unit === 'connections' ? unit : counted.rate
}

/** @type {(result: Record<string, any>) => Search} with what its loads count */
const searchOf = result => ({ ...result.search, counted: countedIn(result) })

/**
 * @param {Step} step whose load was not held
 * @param {Search} search
 * @returns {string} why
 */
function reasonOf ({
  outcome, reason, achieved, completed, thresholds, growth, connections, widened, generator, seconds
}, { counted = REQUESTS }) {
  if (outcome === 'unsure') {
    const figure = completed === 0 ? 'no response' : figureOf(unsureThreshold(thresholds))
    return `${figure}, which is not certain after ${formatDuration(seconds)}`
  }
  if (reason === 'connections') {
    const what = widened === undefined
      ? 'more connections (-c) are needed'
      : `it is tried again with ${plural(widened, 'connection')}`
    return `all ${plural(connections, 'connection')} were in use, and responses were as fast as at low load, so ${what}`
  }
  if (reason === 'unsent') return `only ${formatRate(achieved)} ${counted.rate} were sent`
  if (reason === 'generator') {
    const trouble = troubleOf(generator)
    return trouble === null ? 'the load generator was late' : troubleWords(trouble)
  }
  if (reason === 'growing') return `responses took ${formatLatency(growth)} longer every second`
  if (completed === 0) return 'no response'
  const failed = failedOf(thresholds)
  if (failed === undefined) return 'it was inconclusive'
  return figureOf(failed)
}

/** @param {any[]} thresholds of a step @returns {any} the first that failed; undefined for none */
const failedOf = thresholds => thresholds.find(({ passed }) => passed === false)

/** @param {Step} step @returns {boolean} whether responses had no value for a threshold, as at any load */
function isUnmeasured ({ completed, thresholds }) {
  return completed !== 0 && failedOf(thresholds)?.actual === null
}

/**
 * @param {Step} step
 * @param {Search} search
 * @returns {string} its outcome without intervals, for a line beside its figures
 */
function briefly (step, search) {
  const { outcome, reason, growth, widened, seconds, thresholds } = step
  if (outcome === 'held') return OUTCOMES.held
  if (outcome === 'unsure') return `inconclusive after ${formatDuration(seconds)}`
  if (reason === 'connections' && widened !== undefined) {
    return `too few connections: once more with ${formatInteger(widened)}`
  }
  if (reason === 'growing') return `failed: latency grew by ${formatLatency(growth)}/s`
  return OUTCOMES[outcome] +
    reasonOf({ ...step, thresholds: thresholds.map((/** @type {any} */ { low, high, ...one }) => one) }, search)
}

/** @param {any} judgement @returns {boolean} whether the limit is in the interval; an unknown end is infinitely far */
function isOpen ({ expression, low, high }) {
  if (low === undefined && high === undefined) return false
  const { limit } = parseThreshold(expression)
  return (low ?? -Infinity) <= limit && limit <= (high ?? Infinity)
}

/** @param {Step} step that is inconclusive @returns {string} why */
function whyUnsure ({ thresholds, value, ...step }) {
  const { low, high, ...one } = unsureThreshold(thresholds)
  // The distance of the limit is known only with both ends.
  if (one.passed === false || (low !== undefined && high !== undefined && isOpen({ ...one, low, high }))) {
    return 'The figures next to the limit are too close to it for a certain verdict'
  }
  return `${formatDuration(step.seconds)} were too short for a certain verdict, or latencies swung too slowly`
}

/**
 * @param {any[]} thresholds of a step that is inconclusive
 * @returns {any} the cause: it failed, or its limit is in its interval
 */
function unsureThreshold (thresholds) {
  return thresholds.find(({ passed }) => passed === false) ?? thresholds.find(isOpen) ?? thresholds[0]
}

/** @param {any} judgement @returns {string} the interval in parentheses; empty if an end is unknown */
function intervalOf ({ unit, low, high }) {
  if (low === undefined || high === undefined) return ''
  const ends = unit === 'ms'
    ? formatLatencies(low, high)
    : `${formatFigure(unit, low)} – ${formatFigure(unit, high)}`
  return ` (95 %: ${ends})`
}

/** @param {any} judgement of a step */
function figureOf (judgement) {
  const { metric, actual, unit } = judgement
  if (actual === null) return `no response had a value for ${metric}`
  return unit === 'count'
    ? `there were ${formatInteger(Number(actual))} ${metric}`
    : `the ${metric} was ${formatActual(judgement)}${intervalOf(judgement)}`
}

/** @param {Search} search @returns {string} the outcome in one sentence */
function sentenceOf (search) {
  const { best, limit, above, thresholds, steps, to, from, failBelow, silentSince, expired } = search
  if (silentSince !== undefined) {
    return `the server has not responded since ${formatDuration(silentSince)} after the start, ` +
      `at ${formatLoad(search, firstSilent(steps).value)}; ${formatLoad(search, above)} were held before`
  }
  const kept = thresholds.join(' and ')
  if (isStuck(search)) return stuckSentence(search, kept)
  if (expired) return rangeSoFar(search, kept)
  const unsure = unsureStep(search)
  const failing = above === null
    ? steps.at(-1)
    : steps.findLast((/** @type {Step} */ { value, outcome }) => value === above && outcome !== 'held')
  const at = failing === undefined || failing.outcome === 'held'
    ? ''
    : `; at ${formatLoad(search, failing.value, false)} ${reasonOf(failing, search)}`
  const short = failBelow !== undefined && best !== null && best < failBelow
    ? `, which is less than ${formatLoad(search, failBelow)}`
    : ''
  if (limit === null) {
    return best === null
      ? `interrupted before any load was held${at}`
      : `interrupted: holds ${formatLoad(search, best)} with ${kept} so far${short}${at}`
  }
  if (best === null) {
    if (unsure !== undefined) {
      return `Inconclusive: at ${formatLoad(search, unsure.value)} ${reasonOf(unsure, search)}` +
        (above === null ? '' : at)
    }
    if (limit === 'generator') {
      const why = failing === undefined ? '' : `: at ${formatLoad(search, failing.value)} ${reasonOf(failing, search)}`
      return `Inconclusive${why}; nothing is known of the server with ${kept}`
    }
    const lower = search.over === 'rate' ? `${formatRate(Math.max(1, Math.floor(from / 10)))}/s` : '1'
    const verdict = `does not hold ${formatLoad(search, from)} with ${kept}${at}`
    if (failing !== undefined && isUnmeasured(failing)) return verdict
    return `${verdict}; the limit lies below: try less with --from ${lower}`
  }
  const held = `holds ${formatLoad(search, best)} with ${kept}${short}`
  if (limit === 'range') {
    return `${held}, the most that was tried: the limit lies above ${formatLoad(search, to, false)} (--to)`
  }
  if (limit === 'inconclusive' && unsure !== undefined) {
    return `${held}; above it is inconclusive: ` +
      `at ${formatLoad(search, unsure.value, false)} ${reasonOf(unsure, search)}`
  }
  const between = unknownBetween(search)
  if (between !== undefined) {
    return `${held}${at}; the range between is inconclusive: ` +
      `at ${formatLoad(search, between.value, false)} ${reasonOf(between, search)}`
  }
  return limit === 'generator'
    ? `${held}${at}. This is the limit of the load generator; the server may have a higher one`
    : held + at
}

/**
 * @param {Search} search whose time was over before the limit was certain
 * @param {string} kept its thresholds
 * @returns {string} the highest load that was held, the lowest that was not, and whether each is certain
 */
function rangeSoFar (search, kept) {
  const { best, above, steps } = search
  const certainty = (/** @type {Step | undefined} */ step) => step?.certain ? 'certain' : 'not certain'
  const failing = steps.findLast((/** @type {Step} */ { value, outcome }) => value === above && outcome !== 'held')
  const held = best === null
    ? `no load was held with ${kept}`
    : `holds ${formatLoad(search, best)} with ${kept} (${certainty(bestStep(steps, best))})`
  const unsure = failing === undefined
    ? steps.findLast((/** @type {Step} */ { value, outcome }) => value > (best ?? 0) && outcome !== 'held')
    : undefined
  return [
    `Inconclusive after ${formatDuration(steps.at(-1).to)}: ${held}`,
    ...failing !== undefined
      ? [`does not hold ${formatLoad(search, failing.value, false)} (${certainty(failing)}): ` +
          reasonOf(failing, search)]
      : [],
    ...unsure !== undefined ? [`at ${formatLoad(search, unsure.value, false)} ${reasonOf(unsure, search)}`] : []
  ].join('; ')
}

/**
 * @param {Search} search that ended because requests of a step did not end
 * @param {string} kept its thresholds
 * @returns {string} the load that was held before
 */
function stuckSentence (search, kept) {
  const { best } = search
  const held = best === null ? `no load was held with ${kept}` : `holds ${formatLoad(search, best)} with ${kept}`
  return `Inconclusive: ${endlessOf(search)} did not end; ${held}`
}

/** @param {Search} search */
const endlessOf = ({ steps }) => `streams of step ${formatInteger(steps.length + 1)}`

/** @param {Search} search @returns {string} the reason of the exit code, without the figures of the sentence */
function searchReason (search) {
  const { best, limit, above, failBelow, silentSince, expired } = search
  const isRange = unknownBetween(search) !== undefined
  const least = failBelow === undefined ? null : formatLoad(search, failBelow)
  if (silentSince !== undefined) return 'the server stopped responding'
  if (limit === null) return 'interrupted'
  if (isStuck(search)) return `${endlessOf(search)} did not end`
  if (expired) return 'the time of the search was over before the limit was certain'
  if (least !== null && best !== null && best >= failBelow) return `at least ${least} hold`
  // Or there were too few connections.
  if (limit === 'generator') return 'the limit of the server was not reached'
  if (limit === 'inconclusive') {
    return least === null ? 'the limit is inconclusive' : `whether ${least} hold is inconclusive`
  }
  if (best === null) return 'the lowest load does not hold'
  if (least !== null && isRange && failBelow < Number(above)) return `${least} lie in the range that is inconclusive`
  if (least !== null) return `less than ${least} hold`
  if (limit === 'range') return 'the limit lies above --to'
  return isRange ? 'the limit is only known as a range' : 'the limit is known'
}

/**
 * @param {Search} search in progress
 * @returns {string} the result so far
 */
function heldSentence (search) {
  const { best, thresholds } = search
  return best === null
    ? 'No load was held so far'
    : `${formatLoad(search, best)} are held so far with ${thresholds.join(' and ')}`
}

/** @param {Search} search @returns {'good' | 'warning' | 'bad'} */
function levelOf (search) {
  const { best, limit, failBelow, above } = search
  if (best === null) return limit === 'generator' || limit === 'inconclusive' || limit === null ? 'warning' : 'bad'
  const isRange = unknownBetween(search) !== undefined
  if (failBelow !== undefined && best < failBelow && (limit === 'server' || limit === 'range') &&
      !(isRange && failBelow < Number(above))) {
    return 'bad'
  }
  return limit === 'server' && !isRange ? 'good' : 'warning'
}

/** @param {Search} search */
const failuresOf = ({ counted }) =>
  counted === MESSAGES ? 'failures' : '4xx and 5xx responses and errors together'

/**
 * @param {Record<string, any>} result of a search
 * @returns {string[]} notes, a sentence each
 */
function searchNotes (result) {
  const { clock } = result
  const search = searchOf(result)
  const timed = clockSentence({ clock })
  const { knee, steps, implied, limit } = search
  const unsure = unsureStep(search)
  const spoiled = limit === 'generator' || unknownBetween(search) !== undefined
    ? steps.filter((/** @type {Step} */ { outcome }) => outcome === 'generator')
    : []
  const causes = [...new Set(spoiled.map((/** @type {Step} */ { generator }) => generator.cause))]
    .filter(cause => cause !== null)
  return [
    ...knee === null
      ? []
      : [`The knee is at ${formatLoad(search, knee.value)}: p99 is ${formatLatency(knee.p99)} there, ` +
          'and grows faster than the load beyond.'],
    ...isStuck(search)
      ? ['A step is judged when all that was due in it has ended: --stream-for or --events closes streams in order.']
      : search.expired ? [moreTime(search)] : [],
    ...search.expired || unsure === undefined
      ? []
      : [`${whyUnsure(unsure)}: use longer steps (--step ${search.step * 3}s).`],
    ...implied === undefined
      ? []
      : [`No threshold limits ${failuresOf(search)}, so the search also requires ${implied}.`],
    ...causes.slice(0, 1),
    ...timed === null ? [] : [`${timed}.`]
  ]
}

/**
 * @param {Search} search whose time was over
 * @returns {string} advice
 */
function moreTime ({ best, above, from, to, over, step, longest }) {
  const load = (/** @type {number} */ value) =>
    over === 'rate' ? `${formatRate(value).replaceAll(',', '')}/s` : String(value)
  return `A search takes at most ${formatDuration(longest)}, which follows from --from, --to, ` +
    `--precision and --step. Go on in this range with --from ${load(best ?? from)} --to ${load(above ?? to)}, ` +
    `use longer steps (--step ${step * 3}s), a wider --precision, or a quieter machine.`
}

/** The outcome of a step, in a word. @type {Record<string, string>} */
const OUTCOMES = { held: 'held', failed: 'failed: ', unsure: 'inconclusive: ', generator: '' }

/** @type {Record<string, boolean | null>} */
const PASSED = { held: true, failed: false, unsure: null, generator: null }

/** @param {Search} search @returns {import('./authored').Table} its steps */
function stepTable (search) {
  const { counted: { rate: rateUnit } = REQUESTS } = search
  const columns = laidOut([
    ['', ({ outcome }) => markCell(PASSED[outcome])],
    ['>Load', ({ value }) => formatLoad(search, value, false)],
    ['>Achieved', ({ achieved }) => `${formatRate(achieved)} ${rateUnit}`],
    ['>p50', ({ p50 }) => p50 === null ? '–' : formatLatency(p50)],
    ['>p99', ({ p99 }) => p99 === null ? '–' : formatLatency(p99)],
    ['>Failed', ({ failureRate }) => failureRate === null ? '–' : formatPercent(failureRate)],
    hasCpu(search.steps) && [`>${CPU}`, cpuCell],
    ['Verdict', step => OUTCOMES[step.outcome] + (step.outcome === 'held' ? '' : reasonOf(step, search))]
  ], search.steps)
  return { id: 'steps', title: 'Steps', ...columns, elastic: [columns.heads.length - 1] }
}

/** @param {Search} search @returns {Step[]} the last step of each load, rising */
function byLoad ({ steps }) {
  const last = new Map(steps.map((/** @type {Step} */ step) => [step.value, step]))
  return [...last.values()].sort((a, b) => a.value - b.value)
}

/**
 * @param {Search} search
 * @param {string} unit
 * @returns {Array<{ expression: string, limit: number }>} its thresholds on figures of that unit, without those on
 *   times other than the latency
 */
function limitsOf ({ thresholds }, unit) {
  return /** @type {ReturnType<typeof parseThreshold>[]} */ (thresholds.map(parseThreshold))
    .filter(({ metric }) => metric.unit === unit && metric.row.time === undefined)
}

/**
 * A line for each load: p50 and p99 on a logarithmic scale, and the shares of the load that were achieved and that
 * failed.
 * @param {Search} search
 * @param {Screen} screen
 * @returns {string} empty when there is nothing to plot
 */
function plot (search, { color, columns }) {
  const rows = byLoad(search).filter(({ p50 }) => p50 !== null)
  if (rows.length < 2) return ''
  const limits = limitsOf(search, 'ms').map(({ limit }) => limit)
  const values = [...rows.flatMap(({ p50, p99 }) => [p50, p99]), ...limits].filter(value => value > 0)
  const [low, high] = [Math.min(...values) / 1.1, Math.max(...values) * 1.1]
  const head = loadUnit(search)
  const { counted: { rate: rateUnit } = REQUESTS } = search
  const labels = rows.map(({ value }) => formatLoad(search, value, false))
  const left = Math.max(head.length, ...labels.map(({ length }) => length))
  const right = rows.map(({ value, achieved, failureRate }) => [
    search.over === 'rate' ? formatPercent(achieved / value) : `${formatRate(achieved)} ${rateUnit}`,
    failureRate === null ? '–' : formatPercent(failureRate)
  ])
  const titles = ['achieved', 'failed']
  const widths = titles.map((title, i) => Math.max(title.length, ...right.map(cells => cells[i].length)))
  const width = Math.max(NARROWEST, Math.min(WIDEST, columns - left - widths[0] - widths[1] - 8))
  /** @param {number} value */
  const at = value =>
    Math.max(0, Math.min(width - 1, Math.round(Math.log(value / low) / Math.log(high / low) * (width - 1))))
  const axis = new Array(width).fill(' ')
  for (let decade = 10 ** Math.ceil(Math.log10(low)); decade <= high; decade *= 10) {
    const label = formatLatency(decade)
    const begin = Math.min(at(decade), width - label.length)
    if (axis.slice(Math.max(0, begin - 1), begin + label.length + 1).every(one => one === ' ')) {
      [...label].forEach((letter, i) => { axis[begin + i] = letter })
    }
  }
  const lines = rows.map(({ p50, p99 }, i) => {
    const cells = new Array(width).fill(' ')
    for (const limit of limits) cells[at(limit)] = color.dim('|')
    cells[at(p50)] = color.cyan('o')
    cells[at(p99)] = rows[i].outcome === 'held' ? color.green('x') : color.red('x')
    const figures = right[i].map((cell, j) => cell.padStart(widths[j]))
    return `${labels[i].padStart(left)}  ${cells.join('')}  ${figures.join('  ')}`
  })
  const explained = `o p50  x p99${limits.length > 0 ? '  | threshold' : ''}`
  return [
    `${head.padStart(left)}  ${axis.join('')}  ${titles.map((title, i) => title.padStart(widths[i])).join('  ')}`,
    ...lines,
    `${' '.repeat(left)}  ${color.dim(explained)}`
  ].join('\n')
}

/**
 * @param {Record<string, any>} result with a search, printable
 * @param {Screen} screen
 * @param {boolean} [hasTable] whether its steps are listed
 * @returns {string} without a line break at the end
 */
function searchText (result, screen, hasTable = true) {
  const search = searchOf(result)
  const paint = { good: screen.color.green, warning: screen.color.yellow, bad: screen.color.red }[levelOf(search)]
  const plotted = plot(search, screen)
  const notes = searchNotes(result)
  return [
    paint(sentenceOf(search)),
    ...search.steps.length === 0 || !hasTable ? [] : ['', drawnTable(stepTable(search), screen)],
    ...plotted === '' ? [] : ['', plotted],
    ...notes.length === 0 ? [] : ['', ...notes]
  ].join('\n')
}

module.exports = {
  briefly, byLoad, formatLoad, heldSentence, limitsOf, levelOf, loadUnit, plot, searchNotes, searchOf, searchReason,
  searchText, sentenceOf, stepTable
}
