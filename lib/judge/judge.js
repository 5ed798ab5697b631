'use strict'

// Judges the thresholds of a result.

const { responsesOf, countOf, figureOf, serverIn } = require('../figures/figures')
const { LONG_ENOUGH, rankOf } = require('../instruments/generator/verdict')
const {
  ALL_ITERATIONS, findGroup, findPart, findStage, findIterations, groupKey, scenarioKey, stageNumber
} = require('../figures/parts')
const { OF_LOOPS } = require('../instruments/server/result')
const { isMaximum } = require('../record/percentiles')
const {
  ALL_AGENTS, COVERING_RESPONSES, MOSTLY_COMPLETED, MOSTLY_SENT, MOSTLY_STARTED, NOT_STUCK, PREMISE, UNTIL_THE_END,
  findBroken, findCutShort, findHanging, findMissing, findSilence, findStuck, findUnsent, findUnstarted
} = require('./premise')
const { certaintyOf } = require('./certainty')
const { countedIn } = require('../core/counted')
const { cut } = require('../core/foreign-text')
const { nearest } = require('../core/suggest')
const { explained } = require('./reason')
const { withoutStop } = require('../words/sentence')
const { isKept } = require('./operators')

/** The number of existing names that are shown for an unknown one. */
const MOST_NAMES = 10

/** Characters of each. */
const LONGEST_NAME = 40

/**
 * @typedef {import('./threshold').Threshold} Threshold
 *
 * @typedef {import('./inconclusive').Inconclusive} Inconclusive
 *
 * @typedef {import('./premise').Limit} Limit
 *
 * @typedef {import('./batches').Batches | null} Course of a run: how much its figures varied
 *
 * @typedef {object} Judgement
 * @property {string} expression
 * @property {string} [metric] its name; none for a premise
 * @property {string} [request] the name of the request that it is about; the whole run when left out
 * @property {number} [stage] the stage that it is about, counted from 1; likewise
 * @property {string | null} [scenario] the name of the scenario whose iterations it is about; null for the iterations
 *   of all; likewise
 * @property {string} [group] the name of the group that it is about; likewise
 * @property {number | string | null} actual a verdict is a word; null when nothing was measured or judged
 * @property {boolean | null} passed null when it was not judged, or is inconclusive
 * @property {number} [low] the interval of the true figure, in the unit of the metric; none for counts
 * @property {number} [high]
 * @property {boolean} [exact] whether the figure alone meets the threshold; only where it is inconclusive
 * @property {import('../figures/metric').Unit} unit of `actual`
 * @property {string} [note] beside the verdict
 * @property {import('./reason').Finding} [finding] the note as data
 * @property {true} [implied] a premise of every threshold, and no threshold of the user; listed when it is not met
 */

/**
 * @param {Record<string, any>} result
 * @param {Threshold[]} [thresholds]
 * @param {Threshold | null} [lost] the threshold that ended the run, as it could no longer be met
 * @param {Course} [course] null of a result that was read from a file
 * @param {Inconclusive} [inconclusive]
 * @returns {Record<string, any>} the result with its verdicts
 */
function judged (result, thresholds = [], lost = null, course = null, inconclusive = undefined) {
  return {
    ...result,
    thresholds: judge(thresholds, result, course, inconclusive).map((one, i) =>
      lost !== null && thresholds[i] === lost ? failed(one) : one)
  }
}

/**
 * @param {Judgement} judgement of a threshold that could no longer be met
 * @returns {Judgement & { aborted: true }}
 */
function failed ({ exact, note, finding, ...judgement }) {
  return {
    ...judgement, passed: false, ...exact === undefined && note !== undefined && { note, finding }, aborted: true
  }
}

/**
 * @param {Record<string, any>} result of a run that goes on, until now
 * @param {Threshold[]} [thresholds]
 * @param {Course} [course]
 * @param {Inconclusive} [inconclusive]
 * @returns {Record<string, any>} the result with its verdicts; metrics without data have not failed yet
 */
function judgedSoFar (result, thresholds, course, inconclusive) {
  const judgements = judge(thresholds ?? [], result, course, inconclusive, false)
  return {
    ...result,
    thresholds: judgements.map((/** @type {Judgement} */ one) => one.actual === null && one.passed === false
      ? { ...explained(null, { code: 'not-measured-yet', facts: {} }), ...one, passed: null }
      : one)
  }
}

/**
 * @param {Threshold[]} given
 * @param {Record<string, any>} result
 * @param {Course} [course] null of a result that was read from a file
 * @param {Inconclusive} [inconclusive] how inconclusive ones count (settle())
 * @param {boolean} [isOver] whether no more data follows
 * @returns {Judgement[]} one for each threshold, and one for each premise that is not met. A figure without data fails.
 *   Nothing is judged in an interrupted run. No threshold passes in a run that bailout ended, nor if hanging iterations
 *   could have failed it
 */
function judge (given, result, course = null, inconclusive = undefined, isOver = true) {
  if (given.length === 0) return []
  const thresholds = callingAlike(given, result)
  const counted = countedIn(result)
  const judgements = thresholds.map(threshold => {
    const { expression, metric, part } = threshold
    const about = { expression, metric: metric.name, ...aboutPart(part, result) }
    if (result.interrupted) return { ...about, actual: null, passed: null, unit: metric.unit }
    if (metric.unit === 'verdict') return { ...about, ...judgeGenerator(threshold, result), unit: metric.unit }
    const actual = figureOf(metric, result, part)
    const certainty = actual === null ? { passed: false } : certaintyOf(threshold, actual, result, course, inconclusive)
    const { passed } = certainty
    // The rest of the run, which bailout prevented, might have brought the failures above their limit.
    if (passed !== false && result.bailedOut) {
      return {
        ...about, actual, passed: null, unit: metric.unit, ...explained(null, { code: 'bailed-out', facts: {} })
      }
    }
    const hanging = passed ? findHanging(metric, result, part) : null
    if (hanging !== null && !isKept(threshold, hanging.worst)) {
      return { ...about, actual, passed: null, unit: metric.unit, ...explained(null, hanging.reason, counted) }
    }
    if (passed === null || certainty.note !== undefined) return { ...about, actual, ...certainty, unit: metric.unit }
    const reason = actual === null
      ? unmeasured(metric, result, part) ?? (isOver ? unused(result, part) : null)
      : maximumIn(metric, result, part) ?? (passed ? overlookedBy(threshold, thresholds, result) : null)
    return { ...about, actual, ...certainty, unit: metric.unit, ...explained(passed, reason, counted) }
  })
  if (result.interrupted) return judgements
  const limits = thresholds.map(({ metric, part }) => ({ metric: metric.name, part }))
  return [
    ...judgements,
    ...judgePremise(limits, result),
    ...judgeIterations(limits, result),
    // If the server stopped responding, its earlier responses prove nothing about the rest.
    ...implied(UNTIL_THE_END, findSilence(result), false, { result, unit: 'ms' }),
    // If lost agents left too much of the load out, it is unknown how the server handles all of it.
    ...result.agents === undefined ? [] : implied(ALL_AGENTS, findMissing(result, limits), null, { result }),
    ...judgeLoad(limits, result)
  ]
}

/**
 * A stage or scenario may have several names. Thresholds on any of them apply together.
 * @param {Threshold[]} thresholds
 * @param {Record<string, any>} result
 * @returns {Threshold[]} the same, all with the name that the first of them uses
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
 * @returns {Pick<Judgement, 'request' | 'stage' | 'scenario' | 'group'>} the part of a judgement; nothing for the whole
 *   run
 */
function aboutPart (part, result) {
  if (part === null) return {}
  const iterations = findIterations(result, part)
  if (iterations !== null) return { scenario: iterations.scenario }
  const stage = findStage(result, part)
  if (stage !== null) return { stage: stage.number }
  const group = groupKey(part)
  return group === null || findPart(result, part) !== null ? { request: part } : { group }
}

/**
 * @param {Threshold} threshold
 * @param {Record<string, any>} result
 * @returns {Pick<Judgement, 'actual' | 'passed' | 'note'>}
 */
function judgeGenerator (threshold, { duration, generator: { verdict = null, reason, cause = null } = {} }) {
  if (verdict === null) {
    return {
      actual: null,
      passed: null,
      ...explained(null, { code: 'no-verdict-on-generator', facts: { isShort: duration * 1000 < LONG_ENOUGH } })
    }
  }
  const passed = isKept(threshold, rankOf(verdict))
  if (passed || cause === null) return { actual: verdict, passed }
  const found = { code: 'load-generator', facts: { verdict, reason } }
  return { actual: verdict, passed, ...explained(passed, found, undefined, withoutStop(cause)) }
}

/**
 * @param {string} expression of an implied threshold
 * @param {import('./premise').Broken} broken
 * @param {boolean | null} passed
 * @param {{ part?: string | null, result: Record<string, any>, about?: Record<string, unknown>,
 *   unit?: Judgement['unit'] }} of
 * @returns {Judgement[]} one, or none where nothing is broken
 */
function implied (expression, broken, passed, {
  part = null, result, about = aboutPart(part, result), unit = 'share'
}) {
  if (broken === null) return []
  return [{
    expression: part === null ? expression : `${part}: ${expression}`,
    ...about,
    actual: broken.actual,
    passed,
    unit,
    ...explained(passed, broken.reason, countedIn(result)),
    implied: true
  }]
}

/** @param {Limit[]} limits @returns {string[]} each part once */
const partsOf = limits => [...new Set(limits.map(({ part }) => part).filter(part => part !== null))]

/**
 * @param {Limit[]} limits
 * @param {Record<string, any>} result
 * @returns {Judgement[]} one if most requests failed; else one for each part with a threshold in which most failed
 */
function judgePremise (limits, result) {
  /** @param {string | null} part */
  const failed = part => implied(PREMISE, findBroken(result, part, limits), false, { part, result })
  const ofRun = failed(null)
  return ofRun.length > 0 ? ofRun : partsOf(limits).flatMap(failed)
}

/**
 * @param {Limit[]} limits
 * @param {Record<string, any>} result
 * @returns {Judgement[]} for the scenarios and stages with thresholds: one if most iterations were aborted, as their
 *   duration is unknown; one if most were stuck when the run ended; and one if most due iterations never started (one
 *   for the whole run, if that is so in total)
 */
function judgeIterations (limits, result) {
  if (result.iterations === undefined) return []
  const parts = partsOf(limits)
  /** @param {string | null} part */
  const unstarted = part => implied(MOSTLY_STARTED, findUnstarted(result, part, limits), null, {
    part, result, ...part === null && { about: { scenario: null } }
  })
  const ofRun = unstarted(null)
  return [
    ...parts.flatMap(part => implied(MOSTLY_COMPLETED, findCutShort(result, part, limits), false, { part, result })),
    ...parts.flatMap(part => implied(NOT_STUCK, findStuck(result, part), null, { part, result })),
    ...ofRun.length > 0 ? ofRun : parts.flatMap(unstarted)
  ]
}

/**
 * @param {Limit[]} limits
 * @param {Record<string, any>} result
 * @returns {Judgement[]} one for the run and each stage with a threshold, if most of its due requests were never sent.
 *   It is inconclusive: the load generator may be the reason
 */
function judgeLoad (limits, result) {
  const ofStages = limits.map(({ metric, part }) =>
    ({ metric, part: part === null || findStage(result, part) === null ? null : part }))
  return [...new Set(ofStages.map(({ part }) => part))].flatMap(part =>
    implied(MOSTLY_SENT, findUnsent(result, part, ofStages), null, { part, result }))
}

/**
 * @param {import('../instruments/server/result').ServerKey} key
 * @param {Record<string, any>} result
 * @param {string | null} part the name of a stage
 * @returns {string} the code of the reason why the figure of the server is missing
 */
function missingFigure (key, result, part) {
  if (result.server === undefined) return 'no-server'
  if (part !== null && serverIn(result, part) === undefined) return 'server-not-seen'
  return OF_LOOPS.has(key) ? 'only-of-node' : 'not-of-this-system'
}

/**
 * @param {import('../figures/metric').Metric} metric
 * @param {Record<string, any>} result
 * @param {string | null} part the name of a part
 * @returns {import('./reason').Reason | null} why the figure is missing; null if unknown
 */
function unmeasured ({ row: { server, time } }, result, part) {
  if (server !== undefined) return { code: missingFigure(server, result, part), facts: {} }
  return time === 'read late' ? { code: 'no-arrivals', facts: {} } : null
}

/**
 * User functions name their requests and groups during the run, so names cannot be checked before it.
 * @param {Record<string, any>} result
 * @param {string | null} part
 * @returns {import('./reason').Reason | null} that no request or group has that name, with the existing names; null if
 *   one has
 */
function unused (result, part) {
  if (part === null || [findIterations, findPart, findGroup].some(find => find(result, part) !== null)) return null
  if (ALL_ITERATIONS.includes(part) || scenarioKey(part) !== null || stageNumber(part) !== null) return null
  const { byRequest = {}, groups = {} } = result
  const group = groupKey(part)
  const names = Object.keys(group === null ? byRequest : groups)
  // The name of a group is written without the word before it.
  const isGroup = group === null && Object.hasOwn(groups, part)
  return {
    code: 'unused-name',
    facts: {
      ...group !== null && { isGroup: true },
      near: isGroup ? `group ${part}` : nearest(group ?? part, names),
      names: names.slice(0, MOST_NAMES).map(name => cut(name, LONGEST_NAME)),
      more: Math.max(0, names.length - MOST_NAMES)
    }
  }
}

/**
 * An error is a request without a response, so a response with status 500 is none.
 * @param {Threshold} threshold that has passed
 * @param {Threshold[]} all
 * @param {Record<string, any>} result
 * @returns {import('./reason').Reason | null} the failed responses that a threshold on errors ignores, if it would have
 *   failed with them; null if another threshold covers them
 */
function overlookedBy (threshold, all, result) {
  const { metric, part } = threshold
  if (metric.row.of !== 'errors') return null
  if (all.some(other => COVERING_RESPONSES.has(other.metric.name) && (other.part ?? part) === part)) return null
  const { responses, others, errors, unexpected } = responsesOf(result, part)
  const seen = metric.unit === 'count' ? errors + others : (errors + others) / (errors + responses)
  if (others === 0 || isKept(threshold, seen)) return null
  return { code: 'unwatched-responses', facts: { others, responses, metric: unexpected > 0 ? 'failures' : 'non2xx' } }
}

/**
 * @param {import('../figures/metric').Metric} metric
 * @param {Record<string, any>} result
 * @param {string | null} part the name of a part
 * @returns {import('./reason').Reason | null} that a percentile is the maximum of too few values; null if not
 */
function maximumIn (metric, result, part) {
  const { percentile } = metric
  if (percentile === null) return null
  const count = countOf(metric, result, part)
  return isMaximum(percentile, count)
    ? { code: 'few-values', facts: { percentiles: [percentile], counts: [count] } }
    : null
}

module.exports = { judge, judged, judgedSoFar }
