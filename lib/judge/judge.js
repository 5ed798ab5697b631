'use strict'

// Owns whether a result keeps to its thresholds.

const { formatInteger, plural } = require('../core/units')
const { answersOf, countOf, figureOf, serverIn } = require('../figures/figures')
const { LONG_ENOUGH, rankOf } = require('../instruments/generator/verdict')
const { findRounds, findStage } = require('../figures/parts')
const { OF_LOOPS } = require('../instruments/server/result')
const { isMaximum, maximumNote } = require('../record/percentiles')
const { LOOKS_AT_ANSWERS, MOSTLY_COMPLETED, MOSTLY_SENT, MOSTLY_STARTED, NOT_STUCK, PREMISE, UNTIL_THE_END, findBroken, findCutShort, findHanging, findSilence, findStuck, findUnsent, findUnstarted } = require('./premise')
const { certaintyOf } = require('./certainty')
const { isKept } = require('./threshold')

/**
 * @typedef {import('./threshold').Threshold} Threshold
 *
 * @typedef {import('./inconclusive').Inconclusive} Inconclusive
 *
 * @typedef {import('./batches').Batches | null} Course of a run: how much its figures varied
 *
 * @typedef {object} Judgement
 * @property {string} expression
 * @property {string} [metric] its name; none of what no threshold asked for
 * @property {string} [request] the name of the request that it is about; the whole run when left out
 * @property {number} [stage] the stage that it is about, counted from 1; likewise
 * @property {string | null} [scenario] the name of the scenario whose rounds it is about; null for the rounds of all; likewise
 * @property {number | string | null} actual a verdict is a word; null when nothing was measured, or nothing was judged
 * @property {boolean | null} passed null when nothing was judged, or it is not certain
 * @property {number} [low] the interval in which the true figure is, in the unit of the metric; none of what is counted
 * @property {number} [high]
 * @property {boolean} [exact] where it is not certain: whether the figure alone keeps to it
 * @property {import('../figures/metric').Unit} unit of `actual`
 * @property {string} [note] what a reader has to know beside it
 * @property {true} [implied] nobody asked for it: it is what every threshold takes for granted, and is there when that is not so
 */

/**
 * @param {Record<string, any>} result
 * @param {Threshold[]} [thresholds]
 * @param {Threshold | null} [lost] the one that ended the run because it could not be met any more
 * @param {Course} [course] null of a result that was read from a file
 * @param {Inconclusive} [inconclusive]
 * @returns {Record<string, any>} the result with its verdicts
 */
function judged (result, thresholds = [], lost = null, course = null, inconclusive = undefined) {
  return { ...result, thresholds: judge(thresholds, result, course, inconclusive).map((one, i) => lost !== null && thresholds[i] === lost ? failed(one) : one) }
}

/**
 * @param {Judgement} judgement of a threshold that could not be met any more
 * @returns {Judgement & { aborted: true }}
 */
function failed ({ exact, note, ...judgement }) {
  return { ...judgement, passed: false, ...exact === undefined && note !== undefined && { note }, aborted: true }
}

/**
 * @param {Record<string, any>} result of a run that goes on, until now
 * @param {Threshold[]} [thresholds]
 * @param {Course} [course]
 * @param {Inconclusive} [inconclusive]
 * @returns {Record<string, any>} the same: what was not measured yet has not failed
 */
function judgedSoFar (result, thresholds, course, inconclusive) {
  const judgements = judged(result, thresholds, null, course, inconclusive).thresholds
  return { ...result, thresholds: judgements.map((/** @type {Judgement} */ one) => one.actual === null && one.passed === false ? { ...one, passed: null, note: one.note ?? 'nothing was measured yet' } : one) }
}

/**
 * @param {Threshold[]} given
 * @param {Record<string, any>} result
 * @param {Course} [course] null of a result that was read from a file
 * @param {Inconclusive} [inconclusive] what is to become of an inconclusive one: settle() makes it so
 * @returns {Judgement[]} one for each, and more when most requests failed or were never sent; a figure of which nothing was measured has not
 *   passed; of an interrupted run nothing is judged; of one that bailout ended, none passes, and none that rounds which hung could turn over
 */
function judge (given, result, course = null, inconclusive = undefined) {
  if (given.length === 0) return []
  const thresholds = callingAlike(given, result)
  const judgements = thresholds.map(threshold => {
    const { expression, metric, part } = threshold
    const about = { expression, metric: metric.name, ...aboutPart(part, result) }
    if (result.interrupted) return { ...about, actual: null, passed: null, unit: metric.unit }
    if (metric.unit === 'verdict') return { ...about, ...judgeGenerator(threshold, result), unit: metric.unit }
    const actual = figureOf(metric, result, part)
    const certainty = actual === null ? { passed: false } : certaintyOf(threshold, actual, result, course, inconclusive)
    const { passed } = certainty
    // Bailout hides what the rest of the run would have been: it may even be what keeps the failures below their limit.
    if (passed !== false && result.bailedOut) return { ...about, actual, passed: null, unit: metric.unit, note: 'bailout ended the run, and the rest of it is not known' }
    const hanging = passed ? findHanging(metric, result, part) : null
    if (hanging !== null && !isKept(threshold, hanging.worst)) return { ...about, actual, passed: null, unit: metric.unit, note: hanging.sentence }
    if (passed === null || certainty.note !== undefined) return { ...about, actual, ...certainty, unit: metric.unit }
    const note = actual === null ? unmeasured(metric, result, part) : maximumIn(metric, result, part) ?? (passed ? overlookedBy(threshold, thresholds, result) : null)
    return { ...about, actual, ...certainty, unit: metric.unit, ...note !== null && { note } }
  })
  return result.interrupted ? judgements : [...judgements, ...judgePremise(thresholds, result), ...judgeRounds(thresholds, result), ...judgeSilence(result), ...judgeLoad(thresholds, result)]
}

/**
 * A stage or a scenario may be addressed in several ways, and what is asked of it in one holds for all.
 * @param {Threshold[]} thresholds
 * @param {Record<string, any>} result
 * @returns {Threshold[]} that call it what the first of them calls it
 */
function callingAlike (thresholds, result) {
  /** @type {Map<number | string | null, string>} by the number of a stage, or the name of a scenario */
  const names = new Map()
  return thresholds.map(threshold => {
    const { part } = threshold
    if (part === null) return threshold
    const { stage, scenario = stage } = aboutPart(part, result)
    if (scenario === undefined) return threshold
    const name = names.get(scenario) ?? part
    names.set(scenario, name)
    return { ...threshold, part: name }
  })
}

/**
 * @param {string | null} part
 * @param {Record<string, any>} result
 * @returns {Pick<Judgement, 'request' | 'stage' | 'scenario'>} what a judgement is about; nothing for the whole run
 */
function aboutPart (part, result) {
  if (part === null) return {}
  const rounds = findRounds(result, part)
  if (rounds !== null) return { scenario: rounds.scenario }
  const stage = findStage(result, part)
  return stage === null ? { request: part } : { stage: stage.number }
}

/**
 * @param {Threshold} threshold
 * @param {Record<string, any>} result
 * @returns {Pick<Judgement, 'actual' | 'passed' | 'note'>}
 */
function judgeGenerator (threshold, { duration, generator: { verdict = null, cause = null } = {} }) {
  if (verdict === null) {
    const why = duration * 1000 < LONG_ENOUGH ? 'a run of less than half a second says' : 'raw results of an older version, or of runs of less than half a second, say'
    return { actual: null, passed: null, note: `${why} too little of the generator` }
  }
  const passed = isKept(threshold, rankOf(verdict))
  return { actual: verdict, passed, ...!passed && cause !== null && { note: cause.replace(/\.$/, '') } }
}

/**
 * @param {Threshold[]} thresholds
 * @param {Record<string, any>} result
 * @returns {Judgement[]} one when most requests failed; else one for each part of which that is so, and which thresholds are about
 */
function judgePremise (thresholds, result) {
  const held = thresholds.map(({ metric, part }) => ({ metric: metric.name, part }))
  /** @param {string | null} part */
  const failed = part => {
    const broken = findBroken(result, part, held)
    if (broken === null) return []
    const about = { expression: part === null ? PREMISE : `${part}: ${PREMISE}`, ...aboutPart(part, result) }
    return [{ ...about, actual: broken.actual, passed: false, unit: /** @type {const} */ ('share'), note: broken.sentence, implied: /** @type {const} */ (true) }]
  }
  const ofRun = failed(null)
  if (ofRun.length > 0) return ofRun
  return [...new Set(thresholds.map(({ part }) => part).filter(part => part !== null))].flatMap(failed)
}

/**
 * @param {Threshold[]} thresholds
 * @param {Record<string, any>} result
 * @returns {Judgement[]} one for each scenario that thresholds are about, of which most rounds were cut short: nothing is known of how long
 *   those would have taken; one for each of which most were stuck when the run ended; and one when most rounds that were due never started, which nobody
 *   can tell anything of: in all, or else of each scenario and stage that thresholds are about
 */
function judgeRounds (thresholds, result) {
  if (result.rounds === undefined) return []
  const held = thresholds.map(({ metric, part }) => ({ metric: metric.name, part }))
  const parts = [...new Set(thresholds.map(({ part }) => part).filter(part => part !== null))]
  const cut = parts.flatMap(part => {
    const broken = findCutShort(result, part, held)
    return broken === null ? [] : [{ expression: `${part}: ${MOSTLY_COMPLETED}`, ...aboutPart(part, result), actual: broken.actual, passed: false, unit: /** @type {const} */ ('share'), note: broken.sentence, implied: /** @type {const} */ (true) }]
  })
  const stuck = parts.flatMap(part => {
    const found = findStuck(result, part)
    return found === null ? [] : [{ expression: `${part}: ${NOT_STUCK}`, ...aboutPart(part, result), actual: found.actual, passed: null, unit: /** @type {const} */ ('share'), note: found.sentence, implied: /** @type {const} */ (true) }]
  })
  /** @param {string | null} part */
  const unstarted = part => {
    const found = findUnstarted(result, part, held)
    if (found === null) return []
    const about = part === null ? { expression: MOSTLY_STARTED, scenario: null } : { expression: `${part}: ${MOSTLY_STARTED}`, ...aboutPart(part, result) }
    return [{ ...about, actual: found.actual, passed: null, unit: /** @type {const} */ ('share'), note: found.sentence, implied: /** @type {const} */ (true) }]
  }
  const ofRun = unstarted(null)
  return [...cut, ...stuck, ...ofRun.length > 0 ? ofRun : parts.flatMap(unstarted)]
}

/**
 * @param {Record<string, any>} result
 * @returns {Judgement[]} one when the server fell silent: what it did before says nothing of the rest
 */
function judgeSilence (result) {
  const silence = findSilence(result)
  return silence === null ? [] : [{ expression: UNTIL_THE_END, actual: silence.actual, passed: false, unit: 'ms', note: silence.sentence, implied: true }]
}

/**
 * @param {Threshold[]} thresholds
 * @param {Record<string, any>} result
 * @returns {Judgement[]} one for the run and each stage that thresholds are about, where most of what was due was never sent. That has not
 *   failed: the generator may be the reason, and what the rest would have been is not known
 */
function judgeLoad (thresholds, result) {
  const held = thresholds.map(({ metric, part }) => ({ metric: metric.name, part: part === null || findStage(result, part) === null ? null : part }))
  return [...new Set(held.map(({ part }) => part))].flatMap(part => {
    const short = findUnsent(result, part, held)
    if (short === null) return []
    const expression = part === null ? MOSTLY_SENT : `${part}: ${MOSTLY_SENT}`
    return [{ expression, ...aboutPart(part, result), actual: short.actual, passed: null, unit: /** @type {const} */ ('share'), note: short.sentence, implied: /** @type {const} */ (true) }]
  })
}

/**
 * @param {import('../instruments/server/result').ServerKey} key
 * @param {Record<string, any>} result
 * @param {string | null} part the name of a stage
 * @returns {string} why it has no such figure of the server
 */
function untold (key, result, part) {
  if (result.server === undefined) return 'no server was watched'
  if (part !== null && serverIn(result, part) === undefined) return 'the server was not looked at in it: it was too short'
  return OF_LOOPS.has(key) ? 'that is told by Node.js programs that --on-port starts, and by no others' : 'this system does not tell it, or the run was too short'
}

/**
 * @param {import('../figures/metric').Metric} metric
 * @param {Record<string, any>} result
 * @param {string | null} part the name of a part
 * @returns {string | null} why it has no such figure, where that is known
 */
function unmeasured ({ row: { server, time } }, result, part) {
  if (server !== undefined) return untold(server, result, part)
  return time === 'read late' ? 'no response has a known arrival: that takes native sockets, which need Linux and are not used for TLS' : null
}

/**
 * A server that answers 500 makes no errors.
 * @param {Threshold} threshold that has passed
 * @param {Threshold[]} all
 * @param {Record<string, any>} result
 * @returns {string | null} what a threshold on errors does not see, if it would not have passed with it; null when another one
 *   looks at that
 */
function overlookedBy (threshold, all, result) {
  const { metric, part } = threshold
  if (metric.row.of !== 'errors') return null
  if (all.some(other => LOOKS_AT_ANSWERS.has(other.metric.name) && (other.part ?? part) === part)) return null
  const { answers, others, errors, unexpected } = answersOf(result, part)
  const seen = metric.unit === 'count' ? errors + others : (errors + others) / (errors + answers)
  if (others === 0 || isKept(threshold, seen)) return null
  return `errors are requests without a response: ${formatInteger(others)} of ${plural(answers, 'response')} were other than 2xx, which ${unexpected > 0 ? 'failures' : 'non2xx'} counts`
}

/**
 * @param {import('../figures/metric').Metric} metric
 * @param {Record<string, any>} result
 * @param {string | null} part the name of a part
 * @returns {string | null} that a percentile is of so few values that it is their maximum; null when not
 */
function maximumIn (metric, result, part) {
  const { percentile } = metric
  if (percentile === null) return null
  const count = countOf(metric, result, part)
  return isMaximum(percentile, count) ? maximumNote([percentile], [count]) : null
}

module.exports = { judge, judged, judgedSoFar }
