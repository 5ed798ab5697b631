'use strict'

// The interval in which the true value of a figure is: what a server would show if the run went on as it did.
//
// A figure is a sum over a sum, requests by seconds or time by requests, and its error comes from how much batches of
// the run differ (batches.js; of a ratio: Cochran, "Sampling Techniques", 1977, ch. 6). Neighbours that are alike count
// as fewer (Bayley and Hammersley, "The Effective Number of Independent Observations", 1946; the bias of the
// correlation: Kendall, 1954). Swings that are slower than a batch show when neighbours are joined, so batches of two,
// four and eight are used as well, and the widest interval is taken (Flyvbjerg and Petersen, "Error estimates on
// averages of correlated data", 1989). Of a percentile, the share of requests above it is such a figure: the ends of
// the share's interval are ranks, whose values are the ends of the percentile's (Woodruff, 1952). `node
// bench/accuracy.js --only thresholds` checks it on servers with known figures.
//
// Events that are rarer, and swings that are slower than the length of the run, are not covered.

const { sum, sumOf } = require('../core/statistics')
const { figureOf, histogramOf } = require('../figures/figures')
const { findGroup, findRounds, findStage } = require('../figures/parts')
const { bucketOf } = require('../record/buckets')
const { Histogram } = require('../record/histogram')
const { countAbove } = require('./batches')
const { knownAlikeOf, residualsOf } = require('./likeness')
const { studentQuantile } = require('./student')

/**
 * Each end is wrong in so few cases that less than 5 % are left on servers whose requests depend on each other for a
 * tenth of the run.
 */
const CONFIDENCE = 0.985

/** Fewer batches do not show their variance. */
const LEAST_BATCHES = 5
/** With fewer, one of this number of requests counts as independent. */
const ASSUMED = 10

/**
 * No occurrence in this number of independent requests, divided by the allowed share, is seldom chance: e^-3 is 5 %.
 */
const NEVER_SEEN = 3
/** The heaviest tail that is taken into account beyond the highest value: that of Pareto(1.5). */
const HEAVIEST = 1.5
/** The mean of a tail is three times its start, which is twice as much more than it was counted with. */
const UNSEEN = NEVER_SEEN / (HEAVIEST - 1)

/**
 * A percentile with this number of values above it, even in one burst, is less than this multiple of the longest:
 * without that, a limit of ten times p99 was inconclusive beside a busy neighbour. With many above it, it is at most
 * the longest itself.
 */
const ENOUGH = 10
const LONGER = 1.5
const MANY = 300

/** Units with an interval; other metrics are counts, and exact. */
const UNITS = new Set(['ms', 'requests/s', 'bytes/s'])

/**
 * @typedef {import('./batches').Batch} Batch
 *
 * @typedef {object} Interval
 * @property {number} low in the unit of the metric
 * @property {number} high
 * @property {number} needs how many times as much has to be measured before there is an end on both sides; 1 when there
 *   is
 *
 * @typedef {object} Course of a part of a run
 * @property {Batch[] | null} batches null of counts apart from the requests of the run: iterations, groups and
 *   handshakes count as independent
 * @property {boolean} changes whether the load changes from batch to batch: then only neighbours are compared
 * @property {number} confidence of each end
 */

/**
 * @param {import('../figures/metric').Metric} metric
 * @param {Record<string, any>} result
 * @param {string | null} part the name of a part of the run
 * @param {import('./batches').Batches | null} course of the run; null of a result that was read from a file
 * @returns {Interval | null} null for a figure that is exact, or of which too little is known: a result of another tool
 *   has no histogram
 */
function intervalOf (metric, result, part, course) {
  const { percentile, unit, row } = metric
  const isExtreme = percentile === 100 || row.latency === 'min' || row.latency === 'max'
  // How late the generator read is a fact of this run.
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
  // Buckets are wider than the digits of a result.
  return { low: Math.min(low, value), high: Math.max(high, value), needs }
}

/** @type {(result: Record<string, any>, part: string) => boolean} whether it has times other than those of requests */
function isCountedApart (result, part) {
  return findRounds(result, part) !== null || findGroup(result, part) !== null
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
    // That of a named request varies as all do.
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
  // A value that is certainly above 0 has no end at 0.
  const factor = Math.exp(value > 0 ? error / value : 0)
  return { low: value / factor, high: value * factor, needs: 1 }
}

/** @param {number} mean @param {Histogram} latency @param {Course} known @returns {Interval} ms */
function meanInterval (mean, latency, known) {
  const { stddev } = latency.summary()
  const alike = likenessOf(known, batches => {
    const times = batches.map(({ latency }) => latency.sum / 1000)
    const { error } = ratioOf(times, batches.map(({ latency }) => latency.count), known)
    const all = merged(batches)
    return { error, chance: all.summary().stddev / Math.sqrt(all.count) }
  })
  const error = studentQuantile(known.confidence, Infinity) * stddev * Math.sqrt(alike / latency.count)
  const isAssumed = known.batches !== null && known.batches.length < LEAST_BATCHES
  const { low, high } = around(mean, error)
  return { low, high: high + UNSEEN * latency.max / 1000 / latency.count * (isAssumed ? ASSUMED : 1), needs: 1 }
}

/** @param {number} percentile @param {Histogram} latency @param {Course} known @returns {Interval} ms */
function percentileInterval (percentile, latency, known) {
  const above = 1 - percentile / 100
  const chanceOf = (/** @type {number} */ count) => Math.sqrt(above * (1 - above) / count)
  const alike = likenessOf(known, batches => {
    const all = merged(batches)
    const bucket = bucketOf(Math.max(1, Math.round(all.percentile(percentile) * 1000)))
    const { error } = ratioOf(
      batches.map(({ latency }) => countAbove(bucket, latency)),
      batches.map(({ latency }) => latency.count),
      known
    )
    return { error, chance: chanceOf(all.count) }
  })
  const error = studentQuantile(known.confidence, Infinity) * chanceOf(latency.count) * Math.sqrt(alike)
  // Of so few independent values the end is beyond the last of them.
  const beyond = (/** @type {number} */ share) =>
    Math.max(1, NEVER_SEEN * alike / latency.count / share) ** (1 / HEAVIEST)
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
 * @param {(batches: Batch[]) => { error: number, chance: number }} measure the error that batches show, and the one
 *   that independent requests have
 * @returns {number} how many requests count as one that is independent of the others, at least 1
 */
function likenessOf (known, measure) {
  if (known.batches === null) return 1
  const batches = known.batches.filter(({ latency }) => latency.count > 0)
  if (batches.length < LEAST_BATCHES) return ASSUMED
  const { error, chance } = measure(known.batches)
  return chance === 0 ? 1 : Math.max(1, (error / studentQuantile(known.confidence, Infinity) / chance) ** 2)
}

/**
 * @param {number[]} of
 * @param {number[]} per
 * @param {Pick<Course, 'changes' | 'confidence'>} [how] where the load changes, only the difference between neighbours
 *   is chance
 * @returns {{ ratio: number, error: number }} the sum of the one by the sum of the other, and how far the true one may
 *   be from it
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
      : sumOf(rest, one => one ** 2) * likeness(rest)
    error = Math.max(error, studentQuantile(confidence, n - 1) * Math.sqrt(variance * n / (n - 1)) / all)
    rest = pairs(rest)
  }
  return { ratio, error }
}

/**
 * @param {number[]} of
 * @param {number[]} per
 * @returns {number} the error that batches show, and their pairs, fours and eights
 */
function errorOfLevels (of, per) {
  return ratioOf(of, per).error
}

/**
 * @param {number[]} rest of each batch
 * @returns {number} by how much the sum varies more than that of independent ones
 */
function likeness (rest) {
  const alike = knownAlikeOf(rest)
  return (1 + alike) / (1 - alike)
}

/**
 * @param {number[]} rest
 * @returns {number[]} sums of neighbours; the first of an odd number belongs to the first two
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
