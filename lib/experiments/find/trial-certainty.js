'use strict'

// How certain the verdict of a trial on one threshold is. It is clear when the interval of criterion.js is on one side
// of the limit, which is enough to choose the next load. It is certain when it stays there with three corrections,
// without which the interval is too narrow:
//
// - The variance is estimated from few parts. Its upper bound counts (judge/precision.js).
// - How alike neighbouring parts are shows poorly in the few requests beyond the limit, and well in the latency of all:
//   the more alike of both counts.
// - In a quiet time both the share and its variance are low, because bursts come as a whole. So the variance of a share
// below the limit is taken as if it were at the limit, in proportion to its root: a score test, as Wilson's interval is
// one for independent requests (E. B. Wilson, 1927).
//
// Nor does one length of a step show how one length differs from the next, and an event that comes once per length is
// missing in two of them in 14 % of cases (e^-2), in three in 5 %: so a threshold is certainly met after three only,
// and not while latencies that may yet reach the limit swing so slowly that fewer than five periods were seen
// (hindrance.js). `node bench/accuracy.js --only steps` checks that the error rate is at most 5 %.

const { mean, sumOf } = require('../../core/statistics')
const { round } = require('../../core/units')
const { criterionOf, intervalOf, merged, timesOf } = require('./criterion')
const { correlationOf } = require('../../judge/correlation')
const { ratioOf } = require('../../judge/precision')
const { OPERATORS } = require('../../judge/operators')
const { swingsSlowly } = require('../../judge/hindrance')

/** One length of a step is divided into this number of parts. */
const PARTS = 10
/** The number of lengths that decide that a load was not held, and that it was. */
const LEAST_LENGTHS = 2
const LEAST_TO_HOLD = 3
/** A swing of the usual latency by less, relative, changes no figure by more than the precision of a search. */
const LEAST_SWING = 0.03
/** How many deviations, as a short time shows them, a slow swing may rise above the seen latency. */
const WORSE = 4
/** One-sided, as a threshold is. */
const CONFIDENCE = 0.95
/** One side of a two-sided interval: quantiles of the normal distribution. */
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
    // More time brings no such value, such as a gap of streams that have one event each.
    const isNever = isLong(parts) && sumOf(parts, ({ counted }) => counted.responses ?? 0) > 0
    return { actual, passed, clear: isNever, certain: isNever }
  }
  const clear = passed ? high <= allowed : low >= allowed
  // A limit of none is certainly exceeded by the first one, however long the trial goes on.
  if (!clear || (allowed === 0 && !passed)) return { actual, passed, clear, certain: clear }
  const usual = usualTimes(parts.map(part => timesOf(threshold.metric, part)))
  const swing = threshold.metric.unit === 'ms' ? deviationOf(usual) : 0
  const isHidden = swing >= LEAST_SWING && Number(actual) * Math.exp(WORSE * swing) > threshold.limit &&
    swingsSlowly(usual)
  if (!isLong(parts) || (passed && (parts.length < LEAST_TO_HOLD * PARTS || isHidden))) {
    return { actual, passed, clear, certain: false }
  }
  const { ratio, error: onBothSides } = ratioOf(
    parts.map(criterion.of), parts.map(criterion.per), correlationOf(usual)
  )
  const error = onBothSides * ONE_OF_TWO
  const score = criterion.isShare && ratio > 0 ? Math.max(1, Math.sqrt(allowed / ratio)) : 1
  return { actual, passed, clear, certain: passed ? ratio + error * score <= allowed : ratio - error >= allowed }
}

/** How often the range of an end of an interval is halved: to a thousandth. */
const HALVINGS = 10

/**
 * The interval holds the limits that would have been inconclusive: below it a limit had failed for certain, above it
 * one had been kept for certain; of a goodput, which has to stay above its limit, the other way round.
 * @param {import('../../judge/threshold').Threshold} threshold
 * @param {Part[]} parts
 * @returns {{ low?: number, high?: number }} in the unit of the metric; without ends for which the trial is too short,
 *   and none for counts
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
 * @returns {number | null} the nearest limit of which that is so; null when it is not even so of the farthest
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

/** @param {Part[]} parts @returns {boolean} whether that is long enough for any certainty */
function isLong (parts) {
  return parts.length >= LEAST_LENGTHS * PARTS
}

/**
 * @param {import('../../record/histogram').Histogram[]} times of each part
 * @returns {number[]} the logarithm of the usual one of each, without their mean
 */
function usualTimes (times) {
  const logs = times.filter(({ count }) => count > 0)
    .map(one => Math.log(one.percentile(50) + Number.MIN_VALUE))
  const middle = mean(logs)
  return logs.map(log => log - middle)
}

/** @param {number[]} rest */
function deviationOf (rest) {
  return Math.sqrt(sumOf(rest, one => one ** 2) / rest.length)
}

module.exports = { CONFIDENCE, PARTS, intervalIn, isLong, judgeThreshold }
