'use strict'

// Owns how certain the verdict of a trial on one threshold is. It is clear when the interval of criterion.js is on one side of the limit: enough to
// choose the next load by. It is certain when three more things are taken into account, which make an interval that looks narrow too narrow:
//
// - The variance is estimated from few parts. Its upper bound counts (verdict/precision.js).
// - How alike neighbouring parts are shows poorly in the few requests beyond the limit, and well in the latency of all: the more alike of both counts.
// - In a quiet time both the share and its variance are low, because bursts come as a whole. So a share that is below what is allowed varies as it would
//   if it were what is allowed, in proportion to its root: a score test, as Wilson's interval is one for independent requests (E. B. Wilson, 1927).
//
// Nor does one length of a step show how one length differs from the next. `node bench/accuracy.js --only steps` holds the error rate to 5 %.

const { criterionOf, intervalOf } = require('./criterion')
const { alikeOf } = require('./likeness')
const { ratioOf } = require('./precision')

/** Into so many parts one length of a step is divided. */
const PARTS = 10
/** So many lengths it takes. */
const LEAST_LENGTHS = 2
/** One-sided, as a threshold is. */
const CONFIDENCE = 0.95
/** What is left of a two-sided interval: quantiles of the normal distribution. */
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

/**
 * @param {import('./threshold').Threshold} threshold
 * @param {Part[]} parts
 * @returns {Found}
 */
function judgeThreshold (threshold, parts) {
  const criterion = criterionOf(threshold)
  const { actual, passed, low, high, allowed } = intervalOf(criterion, parts, CONFIDENCE)
  const clear = passed ? high <= allowed : low >= allowed
  // One that allows none has failed with the first one, however long it goes on.
  if (!clear || (allowed === 0 && !passed)) return { actual, passed, clear, certain: clear }
  if (!isLong(parts)) return { actual, passed, clear, certain: false }
  const { ratio, error: onBothSides } = ratioOf(parts.map(criterion.of), parts.map(criterion.per), alikeLatency(parts))
  const error = onBothSides * ONE_OF_TWO
  const score = criterion.isShare && ratio > 0 ? Math.max(1, Math.sqrt(allowed / ratio)) : 1
  return { actual, passed, clear, certain: passed ? ratio + error * score <= allowed : ratio - error >= allowed }
}

/**
 * @param {Part[]} parts
 * @returns {boolean} whether that is long enough for any certainty
 */
function isLong (parts) {
  return parts.length >= LEAST_LENGTHS * PARTS
}

/**
 * @param {Part[]} parts
 * @returns {number} how alike the usual latencies of neighbours are
 */
function alikeLatency (parts) {
  const logs = parts.filter(({ latency }) => latency.count > 0).map(({ latency }) => Math.log(latency.percentile(50) + Number.MIN_VALUE))
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length
  const rest = logs.map(log => log - mean)
  return rest.some(one => one !== 0) ? alikeOf(rest) : 0
}

module.exports = { CONFIDENCE, PARTS, isLong, judgeThreshold }
