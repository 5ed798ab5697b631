'use strict'

// Judges whether the server held a load, from parts of the measured time: whether the thresholds were met, whether that
// is certain and would last, and whether the load generator kept up.

const { explains } = require('../../instruments/generator/cause')
const { mean, sumOf } = require('../../core/statistics')
const { studentQuantile } = require('../../judge/student')
const { CONFIDENCE, PARTS, isLong, judgeThreshold } = require('./trial-certainty')

/**
 * @typedef {object} Part a part of a trial: the outcome of the requests due in it (in a closed loop: sent in it)
 * @property {number} ms its length
 * @property {number} due
 * @property {Partial<import('../../figures/metric').Counted>} counted
 * @property {import('../../record/histogram').Histogram} latency including the wait of requests that were never sent
 * @property {Partial<Record<import('../../instruments/stages/stage-times').StageTime,
 *   import('../../record/histogram').Histogram>>} [times] of streams that thresholds need
 *
 * @typedef {object} Measured
 * @property {Part[]} parts of about equal length, one after the other
 * @property {number} achieved requests per second
 * @property {number} from ms since the start of the load
 * @property {number} to
 * @property {number} connections
 * @property {number} slots the greatest number of requests in flight on them
 * @property {number | null} rested the response time at the start, while connections were free, ms; null if unknown
 * @property {import('../../instruments/generator/verdict').Verdict | null} generator
 * @property {string | null} cause of that
 * @property {boolean} [byArrival] whether latencies end when the kernel receives the response, so that the generator
 *   makes none longer
 * @property {number | null} lost the share of the time in which the generator had no core, or was blocked; null if
 *   unknown
 * @property {number} cpu share of a core
 * @property {Record<string, import('../../instruments/server/result').ServerFigure | null>} [server] if one is watched
 *
 * @typedef {object} Criteria
 * @property {import('../../judge/threshold').Threshold[]} thresholds
 * @property {number} precision
 * @property {boolean} isOpen whether the load is a rate (open model) and not connections (closed loop)
 * @property {number | null} unloaded the response time of the first trial that was held, ms; null before it
 *
 * @typedef {object} Judged
 * @property {'held' | 'failed' | 'generator'} outcome
 * @property {'threshold' | 'growing' | 'unsent' | 'generator' | 'connections' | null} reason null if the load was held
 * @property {boolean} clear whether it suffices to choose the next load (trial-certainty.js)
 * @property {boolean} certain whether the result may depend on it; false if more time could change it
 * @property {import('../../judge/judge').Judgement[]} thresholds
 * @property {number} growth of the latency, ms per ms: the share of the load that is queued
 */

/** The share of a step for the server to settle, which is not judged. */
const SETTLING = 0.2
/** A trial without a certain verdict is extended, up to this multiple of its length. */
const MOST_LENGTHS = 4
/** The least requests for an estimate of the growth. */
const LEAST_GROWING = 50
/** Above this share of rejected requests, the server is the cause, and not a late load generator. */
const MOST = 0.5
/** If responses take this factor longer than with little load, the server is the cause, and not the connections. */
const SLOWER = 1.5

/** @param {Measured} measured @param {Criteria} criteria @returns {Judged} */
function judgeTrial (measured, criteria) {
  const { parts, generator, lost, cpu, achieved, byArrival = false } = measured
  const { thresholds, precision, isOpen } = criteria
  const unsent = isOpen ? neverSentShare(parts) : 0
  // Unsent requests are dropped after some time. The latency then stops to grow, and might meet a loose threshold.
  const isUnsent = unsent > precision
  const judged = thresholds.map(threshold => judgeOne(threshold, parts))
  const certain = isLong(parts)
  // Without a request, a metric has no figure, and no response missed it.
  const missed = thresholds.filter((_, i) => {
    const { passed, actual } = judged[i].judgement
    return !passed && !(isUnsent && actual === null)
  })
  const kept = missed.length === 0
  // In a closed loop, no queue can grow.
  const { slope, error } = isOpen && sumOf(parts, ({ due }) => due) >= LEAST_GROWING
    ? slopeOf(parts)
    : { slope: 0, error: 0 }
  const margin = parts.length < 3 ? Infinity : studentQuantile(CONFIDENCE, parts.length - 2) * error
  // With a load of 1 % above the capacity, each request waits 10 ms longer than one a second before.
  const isGrowing = slope >= precision / 2 && slope - margin > 0
  const found = { thresholds: judged.map(({ judgement }) => judgement), growth: slope, clear: true, certain }
  const isLate = isOpen && achieved < (1 - precision) * dueRate(parts)
  // A late load generator sends due requests in a burst, which a rate limiter rejects.
  const surely = parts.length < 3 ? 0 : Math.max(0, slope - margin)
  const refused = refusedShare(parts)
  const wrong = Math.max(refused, unsent, isLate ? 1 - achieved / dueRate(parts) : 0, surely / (1 + surely))
  const isSpoiled = byArrival ? isLate || !missed.every(isOfTimes) : !kept || isLate || isGrowing
  if (isSpoiled && refused <= MOST && explains({ verdict: generator, lost, cpu }, wrong)) {
    return { ...found, certain: true, outcome: 'generator', reason: 'generator' }
  }
  if (kept && !isGrowing && !isUnsent) {
    return {
      ...found,
      outcome: 'held',
      reason: null,
      clear: judged.every(({ clear }) => clear),
      certain: judged.every(({ certain }) => certain)
    }
  }
  if (isOpen && missed.every(isOfTimes) && areInUse(measured, criteria)) {
    return { ...found, certain: true, outcome: 'generator', reason: 'connections' }
  }
  if (kept) return { ...found, outcome: 'failed', reason: isGrowing ? 'growing' : 'unsent' }
  const failed = judged.filter(({ judgement }) => !judgement.passed)
  return {
    ...found,
    outcome: 'failed',
    reason: 'threshold',
    clear: failed.some(({ clear }) => clear),
    certain: failed.some(({ certain }) => certain)
  }
}

/**
 * @param {import('../../judge/threshold').Threshold} threshold
 * @param {Part[]} parts
 * @returns {{ judgement: import('../../judge/judge').Judgement, clear: boolean, certain: boolean }}
 */
function judgeOne (threshold, parts) {
  const { expression, metric } = threshold
  const { actual, passed, clear, certain } = judgeThreshold(threshold, parts)
  return { judgement: { expression, metric: metric.name, actual, passed, unit: metric.unit }, clear, certain }
}

/**
 * @param {import('../../judge/threshold').Threshold} threshold
 * @returns {boolean} whether a slow response can fail it
 */
function isOfTimes ({ metric: { unit, row } }) {
  return unit === 'ms' || row.goodput !== undefined
}

/**
 * @param {Measured} measured
 * @param {Criteria} criteria
 * @returns {boolean} whether all connections were in use although responses were nearly as fast as with little load
 */
function areInUse ({ slots, achieved, rested }, { thresholds, unloaded }) {
  const isAllowed = rested !== null && thresholds.every(({ metric, limit }) => !isLatency(metric) || rested <= limit)
  const alone = unloaded ?? (isAllowed ? rested : null)
  return alone !== null && responseTime({ slots, achieved }) < SLOWER * alone
}

/**
 * @param {import('../../figures/metric').Metric} metric
 * @returns {boolean} whether it is a figure of the latency
 */
function isLatency ({ unit, row }) {
  return unit === 'ms' && row.time === undefined
}

/**
 * By Little's law.
 * @param {Pick<Measured, 'slots' | 'achieved'>} measured
 * @returns {number} the response time if all connections were in use, and otherwise an upper bound, ms
 */
function responseTime ({ slots, achieved }) {
  return slots / achieved * 1000
}

/** @param {Part[]} parts */
function neverSentShare (parts) {
  const due = sumOf(parts, ({ due }) => due)
  return due === 0 ? 0 : 1 - sumOf(parts, ({ counted: { ended = 0 } }) => ended) / due
}

/** @param {Part[]} parts */
function refusedShare (parts) {
  const ended = sumOf(parts, ({ counted: { ended = 0 } }) => ended)
  return ended === 0 ? 0 : sumOf(parts, ({ counted: { failures = 0 } }) => failures) / ended
}

/** @param {Part[]} parts @returns {number} requests per second */
function dueRate (parts) {
  return sumOf(parts, ({ due }) => due) / sumOf(parts, ({ ms }) => ms) * 1000
}

/**
 * The queue settles between two lengths of a step, so each length has its own level.
 * @param {Part[]} parts
 * @returns {{ slope: number, error: number }} the slope of the mean latency over time, by least squares, ms per ms; and
 *   its standard error
 */
function slopeOf (parts) {
  let begin = 0
  const points = parts.map(({ ms, latency }, i) => {
    begin += ms
    return {
      x: begin - ms / 2,
      y: latency.count === 0 ? NaN : latency.sum / latency.count / 1000,
      length: Math.floor(i / PARTS)
    }
  }).filter(({ y }) => !Number.isNaN(y))
  const lengths = [...new Set(points.map(({ length }) => length))]
  const around = lengths.flatMap(length => centred(points.filter(point => point.length === length)))
  const freedom = around.length - lengths.length - 1
  if (freedom < 1) return { slope: 0, error: 0 }
  const spread = sumOf(around, ({ x }) => x * x)
  const slope = sumOf(around, ({ x, y }) => x * y) / spread
  const rest = sumOf(around, ({ x, y }) => (y - slope * x) ** 2)
  return { slope, error: Math.sqrt(rest / freedom / spread) }
}

/** @param {Array<{ x: number, y: number }>} points */
function centred (points) {
  const [x0, y0] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))]
  return points.map(({ x, y }) => ({ x: x - x0, y: y - y0 }))
}

module.exports = { MOST_LENGTHS, SETTLING, SLOWER, responseTime, isLatency, judgeTrial }
