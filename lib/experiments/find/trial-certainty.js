'use strict'

// How certain the verdict of a trial on one threshold is. It is clear if the interval of criterion.js is on one side of
// the limit, which suffices to choose the next load. It is certain if it stays there with three corrections, without
// which the interval is too narrow:
//
// - The variance is estimated from few parts, so its upper bound counts (judge/precision.js).
// - The correlation of neighbouring parts is poorly known from the few requests beyond the limit, and well known from
//   the latency of all. The higher of both counts.
// - In a quiet time, both a share and its variance are low, as bursts come as a whole. So the variance of a share below
//   the limit is assumed to be that at the limit: a score test, as Wilson's interval is for independent requests (E. B.
//   Wilson, 1927).
//
// One length of a step does not show how much lengths differ. An event that comes once per length is missing in two of
// them with a probability of 14 % (e^-2), and in three with 5 %. So a threshold is certainly met after three lengths
// only. It is not while latencies swing slowly and might still reach the limit (judge/hindrance.js). `node
// bench/accuracy.js --only steps` checks that the error rate is at most 5 %.

const { mean, sumOf } = require('../../core/statistics')
const { round } = require('../../core/units')
const { criterionOf, intervalOf, merged, timesOf } = require('./criterion')
const { correlationOf } = require('../../judge/correlation')
const { ratioOf } = require('../../judge/precision')
const { OPERATORS } = require('../../judge/operators')
const { swingsSlowly } = require('../../judge/hindrance')

/** The parts of one length of a step. */
const PARTS = 10
/** The least number of lengths after which a failure is certain, and after which a pass is. */
const LEAST_TO_FAIL = 2
const LEAST_TO_PASS = 3
/** The least swing of the median latency that matters, relative: less is within the precision of a search. */
const LEAST_SWING = 0.03
/** The farthest that a slow swing may still rise, in its standard deviations. */
const RISE = 4
/** One-sided, as a threshold limits one side only. */
const CONFIDENCE = 0.95
/** The factor from a two-sided to a one-sided interval: quantiles of the normal distribution. */
const ONE_OF_TWO = 1.645 / 1.96

/**
 * @typedef {import('./trial').Part} Part
 *
 * @typedef {object} Found
 * @property {number | null} actual
 * @property {boolean} passed
 * @property {boolean} clear
 * @property {boolean} certain
 */

/** @param {import('../../judge/threshold').Threshold} threshold @param {Part[]} parts @returns {Found} */
function judgeThreshold (threshold, parts) {
  const criterion = criterionOf(threshold)
  const { actual, passed, low, high, allowed } = intervalOf(criterion, parts, CONFIDENCE)
  if (actual === null) {
    // More time would bring no value either, as for gaps of streams with one event each.
    const isNever = isLong(parts) && sumOf(parts, ({ counted }) => counted.responses ?? 0) > 0
    return { actual, passed, clear: isNever, certain: isNever }
  }
  const clear = passed ? high <= allowed : low >= allowed
  // A limit of 0 is certainly exceeded by the first failure.
  if (!clear || (allowed === 0 && !passed)) return { actual, passed, clear, certain: clear }
  const medians = medianLogs(parts.map(part => timesOf(threshold.metric, part)))
  const swing = threshold.metric.unit === 'ms' ? deviationOf(medians) : 0
  const isHidden = swing >= LEAST_SWING && Number(actual) * Math.exp(RISE * swing) > threshold.limit &&
    swingsSlowly(medians)
  if (!isLong(parts) || (passed && (parts.length < LEAST_TO_PASS * PARTS || isHidden))) {
    return { actual, passed, clear, certain: false }
  }
  const { ratio, error: onBothSides } = ratioOf(
    parts.map(criterion.of), parts.map(criterion.per), correlationOf(medians)
  )
  const error = onBothSides * ONE_OF_TWO
  const score = criterion.isShare && ratio > 0 ? Math.max(1, Math.sqrt(allowed / ratio)) : 1
  return { actual, passed, clear, certain: passed ? ratio + error * score <= allowed : ratio - error >= allowed }
}

/** Steps of the bisection for an end of an interval: to a thousandth of its range. */
const HALVINGS = 10

/**
 * The interval contains the limits that would have been inconclusive. A limit below it would certainly have been
 * missed, and one above it certainly met; for a goodput, the other way round.
 * @param {import('../../judge/threshold').Threshold} threshold
 * @param {Part[]} parts
 * @returns {{ low?: number, high?: number }} in the unit of the metric; an end is left out if the trial is too short
 *   for it, and both for counts
 */
function intervalIn (threshold, parts) {
  const { metric, metric: { unit } } = threshold
  const { actual } = judgeThreshold(threshold, parts)
  if (actual === null || unit === 'count' || !isLong(parts)) return {}
  /** @type {(limit: number) => Found} */
  const at = limit => judgeThreshold({ ...threshold, limit }, parts)
  const most = unit === 'ms' ? merged(parts.map(part => timesOf(metric, part))).max / 1000 : 1
  const wantsMore = OPERATORS[threshold.operator].better === '>'
  const low = endOf(actual, 0, limit => certainly(at(limit), wantsMore))
  const high = endOf(actual, most * (1 + 2 ** -HALVINGS), limit => certainly(at(limit), !wantsMore))
  return { ...low !== null && { low: round(low) }, ...high !== null && { high: round(high) } }
}

/** @param {Found} found @param {boolean} whether */
function certainly ({ passed, certain }, whether) {
  return certain && passed === whether
}

/**
 * @param {number} near
 * @param {number} far
 * @param {(limit: number) => boolean} isCertain
 * @returns {number | null} the nearest certain limit; null if even the farthest one is not certain
 */
function endOf (near, far, isCertain) {
  if (!isCertain(far)) return null
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (near + far) / 2
    if (isCertain(middle)) far = middle
    else near = middle
  }
  return far
}

/** @param {Part[]} parts @returns {boolean} whether they are long enough for any certainty */
function isLong (parts) {
  return parts.length >= LEAST_TO_FAIL * PARTS
}

/**
 * @param {import('../../record/histogram').Histogram[]} times of each part
 * @returns {number[]} the logarithms of their medians, minus the mean of these
 */
function medianLogs (times) {
  const logs = times.filter(({ count }) => count > 0)
    .map(one => Math.log(one.percentile(50) + Number.MIN_VALUE))
  const middle = mean(logs)
  return logs.map(log => log - middle)
}

/** @param {number[]} rest differences from their mean @returns {number} their standard deviation */
function deviationOf (rest) {
  return Math.sqrt(sumOf(rest, one => one ** 2) / rest.length)
}

module.exports = { CONFIDENCE, PARTS, intervalIn, isLong, judgeThreshold }
