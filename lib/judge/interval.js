'use strict'

// The interval that contains the true value of a figure: the value that the server would show if the run continued as
// before.
//
// A figure is a ratio of two sums: requests by seconds, or time by requests. Its error follows from how much the
// batches of the run differ (batches.js; of a ratio: Cochran, "Sampling Techniques", 1977, ch. 6). Correlated
// neighbours count as fewer batches (correlation.js). A swing that is slower than a batch shows only when neighbours
// are joined, so batches of two, four and eight are used as well, and the widest interval counts (Flyvbjerg and
// Petersen, "Error estimates on averages of correlated data", 1989). Of a percentile, the share of requests above it is
// such a ratio: the ends of that interval are ranks, and the values at these ranks are the ends for the percentile
// (Woodruff, 1952). `node bench/accuracy.js --only thresholds` checks it on servers with known figures.
//
// Rarer events, and swings that are slower than the length of the run, are not covered.

const { sum, sumOf } = require('../core/statistics')
const { figureOf, histogramOf } = require('../figures/figures')
const { findGroup, findIterations, findStage } = require('../figures/parts')
const { bucketOf } = require('../record/buckets')
const { Histogram } = require('../record/histogram')
const { countAbove } = require('./batches')
const { correlationIfKnown, residualsOf } = require('./correlation')
const { studentQuantile } = require('./student')

/** Of each end: both are wrong in less than 5 %, even if requests depend on each other for a tenth of the run. */
const CONFIDENCE = 0.985

/** The variance of fewer batches is unknown. */
const LEAST_BATCHES = 5
/** With fewer batches, this number of requests counts as one independent request. */
const ASSUMED = 10

/** An event with probability p is missing in 3 ÷ p independent requests with a probability of e^-3, 5 %. */
const NEVER_SEEN = 3
/** The assumed tail beyond the highest value: that of Pareto(1.5). */
const HEAVIEST = 1.5
/** The mean of that tail is three times its start: twice as much is added. */
const UNSEEN = NEVER_SEEN / (HEAVIEST - 1)

/**
 * A percentile with ENOUGH values above it, even in one burst, is at most LONGER times the maximum, and with MANY at
 * most the maximum. Without this bound, a limit of ten times p99 was inconclusive beside a busy neighbour.
 */
const ENOUGH = 10
const LONGER = 1.5
const MANY = 300

/** Units with an interval. All other metrics are counts, which are exact. */
const UNITS = new Set(['ms', 'requests/s', 'bytes/s'])

/**
 * @typedef {import('./batches').Batch} Batch
 *
 * @typedef {object} Interval
 * @property {number} low in the unit of the metric
 * @property {number} high
 * @property {number} needs how many times as much has to be measured for both ends to be known; 1 when they are
 *
 * @typedef {object} Course of a part of a run
 * @property {Batch[] | null} batches null for iterations, groups and handshakes, which count as independent
 * @property {boolean} changes whether the load changes from batch to batch: only neighbours are compared then
 * @property {number} confidence of each end
 */

/**
 * @param {import('../figures/metric').Metric} metric
 * @param {Record<string, any>} result
 * @param {string | null} part the name of a part of the run
 * @param {import('./batches').Batches | null} course of the run; null of a result that was read from a file
 * @returns {Interval | null} null for an exact figure, and without a histogram, as in a result of another tool
 */
function intervalOf (metric, result, part, course) {
  const { percentile, unit, row } = metric
  const isExtreme = percentile === 100 || row.latency === 'min' || row.latency === 'max'
  // The delay of reads is a fact of this run, and no property of the server.
  if (!UNITS.has(unit) || isExtreme || row.server !== undefined || row.time === 'read late') return null
  const value = figureOf(metric, result, part)
  if (value === null) return null
  const known = courseOf(metric, result, part, course)
  if (unit !== 'ms') return rateInterval(value, unit, known, result)
  const latency = histogramOf(metric, result, part)
  if (latency === null || latency.count === 0) return null
  const { low, high, needs } = percentile === null
    ? meanInterval(value, latency, known)
    : percentileInterval(percentile, latency, known)
  // A bucket of the histogram is wider than the precision of a result.
  return { low: Math.min(low, value), high: Math.max(high, value), needs }
}

/** @type {(result: Record<string, any>, part: string) => boolean} whether its times are not those of requests */
function isCountedApart (result, part) {
  return findIterations(result, part) !== null || findGroup(result, part) !== null
}

/**
 * @param {import('../figures/metric').Metric} metric
 * @param {Record<string, any>} result
 * @param {string | null} part
 * @param {import('./batches').Batches | null} course
 * @returns {Course}
 */
function courseOf ({ row }, result, part, course) {
  const how = { changes: result.byStage !== undefined, confidence: course?.confidence ?? CONFIDENCE }
  if (row.time !== undefined || (part !== null && isCountedApart(result, part))) return { batches: null, ...how }
  const batches = course?.complete ?? []
  const stage = part === null ? null : findStage(result, part)
  if (stage === null) return { batches, ...how }
  const [from, to] = [stage.from * 1000, stage.to * 1000]
  return {
    batches: batches.filter(batch => batch.from >= from - batch.ms / 2 && batch.from + batch.ms <= to + batch.ms / 2),
    ...how
  }
}

/**
 * @param {number} value
 * @param {string} unit
 * @param {Course} known
 * @param {Record<string, any>} result
 * @returns {Interval}
 */
function rateInterval (value, unit, known, { rate, requests }) {
  const batches = known.batches ?? []
  if (batches.length >= LEAST_BATCHES) {
    const { ratio, error } = ratioOf(
      batches.map(({ responses, bytes }) => unit === 'bytes/s' ? bytes : responses),
      batches.map(({ ms }) => ms / 1000),
      known
    )
    // The rate of a named request is assumed to vary as that of all requests.
    return around(value, ratio > 0 ? value * error / ratio : 0)
  }
  // A rate that is kept does not vary.
  const total = Math.max(1, requests.total)
  const error = rate === undefined
    ? studentQuantile(known.confidence, Infinity) * Math.sqrt(ASSUMED / total)
    : 1 / total
  return around(value, value * error)
}

/** @param {number} value @param {number} error @returns {Interval} */
function around (value, error) {
  // On a log scale, the lower end stays above 0.
  const factor = Math.exp(value > 0 ? error / value : 0)
  return { low: value / factor, high: value * factor, needs: 1 }
}

/** @param {number} mean @param {Histogram} latency @param {Course} known @returns {Interval} ms */
function meanInterval (mean, latency, known) {
  const { stddev } = latency.summary()
  const perIndependent = requestsPerIndependent(known, batches => {
    const times = batches.map(({ latency }) => latency.sum / 1000)
    const { error } = ratioOf(times, batches.map(({ latency }) => latency.count), known)
    const all = merged(batches)
    return { error, chance: all.summary().stddev / Math.sqrt(all.count) }
  })
  const error = studentQuantile(known.confidence, Infinity) * stddev * Math.sqrt(perIndependent / latency.count)
  const isAssumed = known.batches !== null && known.batches.length < LEAST_BATCHES
  const { low, high } = around(mean, error)
  return { low, high: high + UNSEEN * latency.max / 1000 / latency.count * (isAssumed ? ASSUMED : 1), needs: 1 }
}

/** @param {number} percentile @param {Histogram} latency @param {Course} known @returns {Interval} ms */
function percentileInterval (percentile, latency, known) {
  const above = 1 - percentile / 100
  const chanceOf = (/** @type {number} */ count) => Math.sqrt(above * (1 - above) / count)
  const perIndependent = requestsPerIndependent(known, batches => {
    const all = merged(batches)
    const bucket = bucketOf(Math.max(1, Math.round(all.percentile(percentile) * 1000)))
    const { error } = ratioOf(
      batches.map(({ latency }) => countAbove(bucket, latency)),
      batches.map(({ latency }) => latency.count),
      known
    )
    return { error, chance: chanceOf(all.count) }
  })
  const error = studentQuantile(known.confidence, Infinity) * chanceOf(latency.count) * Math.sqrt(perIndependent)
  // With so few independent values, the end is beyond the highest of them.
  const beyond = (/** @type {number} */ share) =>
    Math.max(1, NEVER_SEEN * perIndependent / latency.count / share) ** (1 / HEAVIEST)
  const low = above + error < 1 ? latency.percentile(100 * (1 - above - error)) : latency.min / 1000 / beyond(1 - above)
  const isBeyond = above - error <= 0
  const slower = latency.count * above
  const most = slower >= MANY ? 1 : slower >= ENOUGH ? LONGER : Infinity
  const high = isBeyond
    ? latency.max / 1000 * Math.min(most, beyond(above))
    : latency.percentile(100 * (1 - above + error))
  return { low, high, needs: isBeyond ? Math.max(1, (error / above) ** 2) : 1 }
}

/**
 * @param {Course} known
 * @param {(batches: Batch[]) => { error: number, chance: number }} measure the error that batches show, and that of
 *   independent requests
 * @returns {number} how many requests count as one independent request, at least 1
 */
function requestsPerIndependent (known, measure) {
  if (known.batches === null) return 1
  const batches = known.batches.filter(({ latency }) => latency.count > 0)
  if (batches.length < LEAST_BATCHES) return ASSUMED
  const { error, chance } = measure(known.batches)
  return chance === 0 ? 1 : Math.max(1, (error / studentQuantile(known.confidence, Infinity) / chance) ** 2)
}

/**
 * @param {number[]} of
 * @param {number[]} per
 * @param {Pick<Course, 'changes' | 'confidence'>} [how] if the load changes, only differences between neighbours count
 * @returns {{ ratio: number, error: number }} sum of `of` ÷ sum of `per`, and how far the true ratio may be from it
 */
function ratioOf (of, per, { changes, confidence } = { changes: false, confidence: CONFIDENCE }) {
  const all = sum(per)
  const ratio = sum(of) / all
  let rest = residualsOf(of, per)
  let error = 0
  for (let isFirst = true; isFirst || rest.length >= LEAST_BATCHES; isFirst = false) {
    const n = rest.length
    const variance = changes
      ? sumOf(rest.slice(1), (one, i) => (one - rest[i]) ** 2) / 2
      : sumOf(rest, one => one ** 2) * inflationOf(rest)
    error = Math.max(error, studentQuantile(confidence, n - 1) * Math.sqrt(variance * n / (n - 1)) / all)
    rest = pairs(rest)
  }
  return { ratio, error }
}

/**
 * @param {number[]} of
 * @param {number[]} per
 * @returns {number} the largest error that batches show, and pairs, fours and eights of them
 */
function errorOfLevels (of, per) {
  return ratioOf(of, per).error
}

/**
 * @param {number[]} rest the residual of each batch
 * @returns {number} by which factor correlation increases the variance of the sum
 */
function inflationOf (rest) {
  const correlation = correlationIfKnown(rest)
  return (1 + correlation) / (1 - correlation)
}

/**
 * @param {number[]} rest
 * @returns {number[]} sums of neighbours; of an odd number, the first sum has three
 */
function pairs (rest) {
  const odd = rest.length % 2
  const sums = []
  for (let i = odd; i < rest.length; i += 2) sums.push(rest[i] + rest[i + 1])
  if (odd === 1 && sums.length > 0) sums[0] += rest[0]
  return sums
}

/** @param {Batch[]} batches */
function merged (batches) {
  const all = new Histogram()
  for (const { latency } of batches) all.add(latency)
  return all
}

module.exports = { intervalOf, errorOfLevels }
