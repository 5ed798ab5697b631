'use strict'

// The premises of every threshold: most requests succeed, and most of the load was sent. Without them, a server would
// pass that responds with 500 only, as its percentiles are good and it has no errors; a server that resets most
// connections, by its few responses; and any server, by the few requests of a load that was never sent.

const { metricsCovering } = require('../figures/metric')
const { findPart, findIterations, findStage, successesOf } = require('../figures/parts')
const { silence } = require('../findings/start-and-end')
const { lostOf, missingOf } = require('../instruments/agents/findings')

/** @typedef {{ actual: number, reason: import('./reason').Reason } | null} Broken null if the premise holds */

/** @typedef {{ metric: string, part: string | null }} Limit the metric of a threshold, and the part of the run */

/** Fails when most requests failed. */
const PREMISE = 'not mostly errors, 4xx or 5xx'
/** Fails when the server stopped responding before the end. */
const UNTIL_THE_END = 'responds until the end'
/** Inconclusive when most of the load was never sent. */
const MOSTLY_SENT = 'most of the load is sent'
/** Inconclusive when more than a small part of the load is missing, because agents were lost. */
const ALL_AGENTS = 'no agent is lost'
/** The share of the load that lost agents may leave out. Above it, p95 may be that of the rest alone. */
const MISSING = 0.05
/** Fails when most iterations of a scenario were aborted. */
const MOSTLY_COMPLETED = 'most iterations are completed'
/** Inconclusive when most iterations are stuck. */
const NOT_STUCK = 'iterations end'
/** Inconclusive when most due iterations never started. */
const MOSTLY_STARTED = 'most due iterations start'

/** Of a comparison: fails when a server gave no response in one of its runs. */
const BOTH_RESPOND = 'both servers respond'
/** Of a comparison: fails when a run could not be made for a reason other than its server. */
const EACH_RUN = 'each run can be made'

/** Metrics whose thresholds limit requests without a response, and failed responses. */
const COVERING_ERRORS = metricsCovering('errors')
const COVERING_RESPONSES = metricsCovering('responses')
/** Metrics whose thresholds limit aborted iterations. */
const COVERING_CUTS = metricsCovering('cuts')
/** Metrics whose thresholds require a minimal load. */
const COVERING_LOAD = metricsCovering('load')

/**
 * If a threshold limits errors, they are excluded here. Only an expectation allows 4xx and 5xx in the whole run; in a
 * part of it, so does a threshold that limits failed responses.
 * @param {Record<string, any>} result also of an older version, or of autocannon 9
 * @param {string | null} [part] the name of a request or a stage; null for the whole run
 * @param {Array<{ metric?: string, part?: string | null, request?: string, stage?: number }>} [limits] the thresholds
 * @returns {Broken} the share of the requests that failed, if more than half did
 */
function findBroken (result, part = null, limits = result.thresholds ?? []) {
  const covers = (/** @type {Set<string>} */ metrics) =>
    limits.some(one => (one.part ?? one.request ?? one.stage ?? null) === part && metrics.has(one.metric ?? ''))
  if (part !== null && covers(COVERING_RESPONSES)) return null
  const counted = part === null ? ofRun(result) : ofPart(result, part)
  const { responses, unexpected } = counted
  const errors = covers(COVERING_ERRORS) ? 0 : counted.errors
  const ended = responses + errors
  if (!(errors + unexpected > ended / 2)) return null
  const { timeouts, errorCodes } = counted
  return {
    actual: (errors + unexpected) / ended,
    reason: {
      code: 'mostly-failed',
      facts: {
        responses,
        errors,
        unexpected,
        ...errors > 0 && { timeouts, errorCodes },
        ...part !== null && { part, isStage: findStage(result, part) !== null }
      }
    }
  }
}

/** @param {Record<string, any>} result */
function ofRun (result) {
  const { errors = 0, timeouts, errorCodes, unexpected, '4xx': client = 0, '5xx': server = 0, checks = [] } = result
  // A result without its expectations may have been made with some.
  const expects = checks.some((/** @type {any} */ { name }) => name === 'expect')
  return {
    responses: successesOf(result),
    errors,
    timeouts,
    errorCodes,
    unexpected: unexpected ?? (expects ? 0 : client + server)
  }
}

/** @param {Record<string, any>} result @param {string} part */
function ofPart (result, part) {
  /** @type {any} */
  const figures = findPart(result, part) ?? {}
  const { count = 0, errors = 0, unexpected = 0, timeouts, errorCodes } = figures
  return { responses: count, errors, unexpected, timeouts, errorCodes }
}

/**
 * @param {Record<string, any>} result as above
 * @returns {Broken} how long before the end the last response came, ms, if the server stopped responding; null for an
 *   interrupted run
 */
function findSilence (result) {
  const [found] = silence(result)
  return found === undefined || result.interrupted
    ? null
    : { actual: found.facts.seconds * 1000, reason: { code: found.code, facts: found.facts } }
}

/**
 * The responses to a few requests prove nothing about the full load, for better or worse.
 * @param {Record<string, any>} result as above
 * @param {string | null} part the name of a request or a stage; null for the whole run
 * @param {Limit[]} limits
 * @returns {Broken} the share of due requests that was sent, if less than half was; null without due times, and if a
 *   threshold requires a minimal load
 */
function findUnsent (result, part, limits) {
  const stage = part === null ? null : findStage(result, part)
  if (part !== null && stage === null) return null
  if (limits.some(one => one.part === part && COVERING_LOAD.has(one.metric))) return null
  const { sent = 0, unsent = 0 } = /** @type {any} */ (stage ?? result).rate ?? {}
  if (!(unsent > sent)) return null
  return {
    actual: sent / (sent + unsent), reason: { code: 'mostly-unsent', facts: { sent, due: sent + unsent, part } }
  }
}

/**
 * @param {Record<string, any>} result as above
 * @param {Limit[]} limits
 * @returns {Broken} the share of the load that was sent, if lost agents had too much of the rest; null if a threshold
 *   requires a minimal load
 */
function findMissing (result, limits) {
  const lost = lostOf(result)
  const { share } = missingOf(lost)
  if (!(share > MISSING) || limits.some(({ part, metric }) => part === null && COVERING_LOAD.has(metric))) return null
  return {
    actual: 1 - share,
    reason: { code: 'missing-load', facts: { lost: lost.length, agents: result.agents.length, share } }
  }
}

/**
 * @param {Record<string, any>} result
 * @param {string} part the name of a part
 * @returns {Broken} the share of stuck iterations, if they are more than half of those that ended. They still waited
 *   for a response when the run ended, and had lasted longer than any completed one
 */
function findStuck (result, part) {
  const iterations = findIterations(result, part)
  if (iterations === null) return null
  const { completed, cut, unfinished, duration, scenario } = iterations
  const [ended, stuck] = [completed + cut, Math.min(unfinished, duration.totalCount - completed)]
  if (!(stuck > ended / 2)) return null
  return { actual: stuck / (ended + stuck), reason: { code: 'mostly-stuck', facts: { stuck, completed, scenario } } }
}

/**
 * @param {import('../figures/metric').Metric} metric
 * @param {Record<string, any>} result
 * @param {string | null} part the name of a part
 * @returns {{ worst: number, reason: import('./reason').Reason } | null} the figure as if all iterations that hung when
 *   the run ended had been aborted; null if none hung
 */
function findHanging ({ row: { of }, unit }, result, part) {
  const iterations = of === 'cut' || (of === 'completed' && unit !== 'iterations/s')
    ? findIterations(result, /** @type {string} */ (part))
    : null
  if (iterations === null) return null
  const { completed, cut, hanging = 0, scenario } = iterations
  if (hanging === 0) return null
  const worst = of === 'cut' ? cut + hanging : completed
  return {
    worst: unit === 'share' ? worst / (completed + cut + hanging) : worst,
    reason: { code: 'undecided-iterations', facts: { hanging, scenario } }
  }
}

/**
 * @param {Record<string, any>} result
 * @param {string} part the name of a part
 * @param {Limit[]} limits
 * @returns {Broken} the share of aborted iterations, if more than half of those that ended were, and no threshold
 *   limits them
 */
function findCutShort (result, part, limits) {
  const iterations = findIterations(result, part)
  if (iterations === null || limits.some(one => one.part === part && COVERING_CUTS.has(one.metric))) return null
  const { completed, cut, cutBy, scenario } = iterations
  const ended = completed + cut
  if (!(cut > ended / 2)) return null
  return { actual: cut / ended, reason: { code: 'mostly-aborted', facts: { aborted: cut, ended, cutBy, scenario } } }
}

/**
 * @param {Record<string, any>} result
 * @param {string | null} part the name of a scenario or a stage; null for the whole run
 * @param {Limit[]} limits
 * @returns {Broken} with a rate of iterations, the share of due ones that started, if less than half did, and no
 *   threshold requires a minimum
 */
function findUnstarted (result, part, limits) {
  const iterations = part === null
    ? result.iterations
    : findIterations(result, part) ?? findStage(result, part)?.iterations
  const { due = 0, neverStarted = 0, scenario = null } = iterations ?? {}
  const started = due - neverStarted
  if (!(neverStarted > started) ||
      limits.some(one => (part === null || one.part === part) && COVERING_LOAD.has(one.metric))) {
    return null
  }
  return {
    actual: started / due,
    reason: {
      code: 'mostly-unstarted',
      facts: { started, due, scenario, part: part !== null && findIterations(result, part) === null ? part : null }
    }
  }
}

module.exports = {
  ALL_AGENTS, BOTH_RESPOND, EACH_RUN, PREMISE, COVERING_RESPONSES, COVERING_ERRORS, COVERING_LOAD, UNTIL_THE_END,
  MOSTLY_COMPLETED, MOSTLY_SENT, MOSTLY_STARTED, NOT_STUCK, findBroken, findCutShort, findHanging, findMissing,
  findSilence, findStuck, findUnsent, findUnstarted
}
