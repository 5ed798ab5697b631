'use strict'

// How certain it is that a threshold was met, from the requests of one trial.
//
// Requests are not independent: those of one second wait in the same queue. So the certainty of a figure follows from
// the variance between parts of the trial (batch means: Law and Kelton, "Simulation Modeling and Analysis", ch. 9; of a
// ratio: Cochran, "Sampling Techniques", ch. 6). A percentile is judged as a share of requests: `p99 < 50ms` is met if
// at most 1 % of them took 50 ms or more. The interval of a share is Wilson's, which is right near 0, for the number of
// independent requests that follows from the variance between parts.

const { show } = require('../../core/foreign-text')
const { sumOf } = require('../../core/statistics')
const { neededTimes } = require('../../figures/goodput')
const { highestOf } = require('../../record/buckets')
const { Histogram } = require('../../record/histogram')
const { STAGE_TIMES } = require('../../instruments/stages/stage-times')
const { studentQuantile } = require('../../judge/student')
const { OPERATORS, isKept } = require('../../judge/operators')

/**
 * @typedef {import('../../judge/threshold').Threshold} Threshold
 * @typedef {import('./trial').Part} Part
 *
 * @typedef {object} Criterion a threshold on a quotient
 * @property {(part: Part) => number} of the dividend
 * @property {(part: Part) => number} per the divisor
 * @property {number} allowed the greatest quotient that meets the threshold
 * @property {boolean} isShare
 * @property {(quotient: number) => boolean} keeps whether a quotient meets the threshold
 * @property {(parts: Part[], quotient: number) => number | null} actual the figure of the metric; null if nothing was
 *   measured
 *
 * @typedef {object} Interval
 * @property {number | null} actual null if nothing was measured
 * @property {boolean} passed
 * @property {number} low
 * @property {number} high
 * @property {number} allowed
 */

/** With failure probability p, 3 ÷ p independent requests have no failure with a probability of e^-3, 5 %. */
const LEAST = 3
/** The highest assumed correlation of neighbouring parts. As it nears 1, the variance would grow without bound. */
const MOST_CORRELATED = 0.8

/** Times that occur several times per request, so that a number of requests does not limit their number. */
const REPEATED = new Set(['gap', 'inter token'])

const COUNTS = ['failures', 'errors', 'non2xx', 'timeouts']

/** @param {Threshold} threshold @returns {string | null} why a step cannot be judged by it, and what to use instead */
function problemOf (threshold) {
  const { metric, operator, limit, part } = threshold
  const { row, name, percentile, unit } = metric
  if (part !== null) return 'it limits a part of the run, but each step is judged as a whole: omit the name of the part'
  if (row.time !== undefined && !Object.hasOwn(STAGE_TIMES, row.time)) {
    return `the times of a step are the latency, ${Object.keys(STAGE_TIMES).join(', ')}, and no others: ` +
      `run the load that find reports with --threshold ${show(`${name} ${operator} ${limit}ms`)} instead`
  }
  if (row.goodput !== undefined) return problemOfGoodput(threshold)
  const isTime = percentile !== null || row.latency === 'average' || row.latency === 'max'
  if (!isTime && !COUNTS.includes(/** @type {string} */ (row.of))) {
    return 'use a metric that gets worse with more load: a percentile, avg, max, ' +
      `${COUNTS.join(', ')} or a share of these, such as p99 < 50ms or failure rate < 1%`
  }
  if (OPERATORS[operator].better !== '<') {
    return `${name} needs an upper limit, such as ${isTime ? `${name} < 50ms` : `${name} == 0`}: ` +
      'it grows with the load'
  }
  const isZero = isKept({ operator, limit }, 0) && !isKept({ operator, limit }, 1)
  if (unit === 'count' && !isZero) {
    return `the number grows with the length of a step: use a share, such as ${name} < 1%, or ${name} == 0`
  }
  if (isTime && OPERATORS[operator].isExact) return `use ${name} < ${limit}ms: a latency never equals a limit exactly`
  return null
}

/** @type {typeof problemOf} */
function problemOfGoodput ({ metric: { name }, operator, limit }) {
  const wantsAll = !isKept({ operator, limit }, 0) || OPERATORS[operator].better === '>'
  if (wantsAll && isKept({ operator, limit }, 1)) return null
  return `${name} needs a lower limit under 100 %, such as ${name} > 95%: it falls with the load`
}

/** @param {Threshold} threshold of a share @returns {number} the share of requests that may fail */
function worstShare ({ metric, limit }) {
  return metric.row.goodput === undefined ? limit : 1 - limit
}

/**
 * @param {Threshold} threshold
 * @returns {number} the number of requests without a failure after which it is certainly met
 */
function leastFor (threshold) {
  const { percentile, unit, row } = threshold.metric
  if (REPEATED.has(row.time ?? '')) return 1
  const allowed = percentile !== null ? 100 - percentile : unit === 'share' ? worstShare(threshold) * 100 : 0
  // The factor removes the rounding error of the quotient.
  return allowed > 0 ? Math.ceil(LEAST * 100 / allowed * (1 - 1e-9)) : 1
}

/** @param {Threshold} threshold without a problem @returns {Criterion} */
function criterionOf (threshold) {
  const { metric, limit } = threshold
  const { percentile, row } = metric
  const timesIn = (/** @type {Part} */ part) => timesOf(metric, part)
  if (percentile !== null || row.latency === 'max') {
    const allowed = 1 - (percentile ?? 100) / 100
    return {
      of: part => countBeyond(timesIn(part), threshold),
      per: part => timesIn(part).count,
      allowed,
      isShare: true,
      // The summand allows for the rounding error of the difference.
      keeps: share => share <= allowed + 1e-12,
      actual: parts => merged(parts.map(timesIn)).percentile(percentile ?? 100)
    }
  }
  /** @param {number} value */
  const keeps = value => isKept(threshold, value)
  if (row.latency === 'average') {
    return {
      of: part => timesIn(part).sum / 1000,
      per: part => timesIn(part).count,
      allowed: limit,
      isShare: false,
      keeps,
      actual: (_, mean) => mean
    }
  }
  if (row.goodput !== undefined) return criterionOfGoodput(threshold, row.goodput)
  /** @typedef {keyof import('../../figures/metric').Counted} Count */
  const { of, per } = /** @type {{ of: Count, per: Count }} */ (row)
  /** @type {(part: Part) => number} */
  const bad = ({ counted }) => counted[of] ?? 0
  return {
    of: bad,
    per: ({ counted }) => counted[per] ?? 0,
    allowed: metric.unit === 'share' ? limit : 0,
    isShare: true,
    keeps: share => metric.unit === 'share' ? keeps(share) : share === 0,
    actual: (parts, share) => metric.unit === 'share' ? share : sumOf(parts, bad)
  }
}

/**
 * @param {Threshold} threshold
 * @param {import('../../figures/goodput').Goodput} goodput
 * @returns {Criterion} by the share of requests that broke a bound
 */
function criterionOfGoodput (threshold, { expression }) {
  const { of, per } = /** @type {{ of: string, per: string }} */ (threshold.metric.row)
  /** @type {(part: Part) => number} */
  const good = ({ counted }) => counted[of] ?? 0
  /** @type {(part: Part) => number} */
  const ended = ({ counted }) => counted[per] ?? 0
  // Rounded, as the difference has a rounding error.
  const rest = (/** @type {number} */ share) => Number((1 - share).toPrecision(12))
  const needed = neededTimes(expression)
  /** @param {Part[]} parts */
  const isMeasured = parts => sumOf(parts, good) === 0 ||
    needed.every(time => parts.some(part => histogramOf(time, part).count > 0))
  return {
    of: part => ended(part) - good(part),
    per: ended,
    allowed: rest(threshold.limit),
    isShare: true,
    keeps: share => isKept(threshold, rest(share)),
    actual: (parts, share) => isMeasured(parts) ? rest(share) : null
  }
}

/** @param {Criterion} criterion @param {Part[]} parts @param {number} confidence one-sided @returns {Interval} */
function intervalOf ({ of, per, allowed, isShare, keeps, actual }, parts, confidence) {
  const pairs = parts.map(part => ({ of: of(part), per: per(part) }))
  const all = sumOf(pairs, ({ per }) => per)
  const quotient = sumOf(pairs, ({ of }) => of) / all
  const figure = all === 0 ? null : actual(parts, quotient)
  if (figure === null) return { actual: null, passed: false, low: 0, high: Infinity, allowed }
  const found = { actual: figure, passed: keeps(quotient), allowed }
  // With a limit of 0, the first failure decides.
  if (allowed === 0) return { ...found, low: quotient, high: quotient }
  const t = parts.length < 2 ? Infinity : studentQuantile(confidence, parts.length - 1)
  const variance = varianceOf(pairs.map(pair => pair.of - quotient * pair.per)) / all ** 2
  if (!isShare) return { ...found, low: quotient - t * Math.sqrt(variance), high: quotient + t * Math.sqrt(variance) }
  const independent = quotient * (1 - quotient) / all
  const n = independent > 0 ? all / Math.max(1, variance / independent) : all
  const scale = 1 + t * t / n
  const middle = (quotient + t * t / 2 / n) / scale
  const half = t / scale * Math.sqrt(quotient * (1 - quotient) / n + t * t / 4 / n / n)
  return { ...found, low: middle - half, high: middle + half }
}

/**
 * @param {number[]} differences of the parts from the mean part
 * @returns {number} the variance of their sum. Neighbouring parts are correlated, which increases it as in a process of
 *   the first order (Law and Kelton, ch. 4). With k parts, the estimated correlation is too low by 1 ÷ k.
 */
function varianceOf (differences) {
  const k = differences.length
  const squares = sumOf(differences, difference => difference ** 2)
  if (squares === 0) return 0
  const products = sumOf(differences, (difference, i) => difference * (differences[i - 1] ?? 0))
  const correlation = Math.min(MOST_CORRELATED, Math.max(0, products / squares + 1 / k))
  return k / (k - 1) * squares * (1 + correlation) / (1 - correlation)
}

/** The times of a part without any. */
const NONE = new Histogram()

/**
 * @param {Threshold['metric']} metric
 * @param {Part} part
 * @returns {Histogram} its time; the latency for other metrics
 */
function timesOf ({ row: { time } }, part) {
  return time === undefined ? part.latency : histogramOf(time, part)
}

/** @param {string} time of streams @param {Part} part @returns {Histogram} */
function histogramOf (time, { times = {} }) {
  return times[STAGE_TIMES[/** @type {keyof typeof STAGE_TIMES} */ (time)]] ?? NONE
}

/**
 * @param {Histogram} latency
 * @param {Pick<Threshold, 'operator' | 'limit'>} threshold
 * @returns {number} the number of values that miss it
 */
function countBeyond (latency, threshold) {
  if (latency.count === 0 || isKept(threshold, latency.max / 1000)) return 0
  const [from, to] = latency.span
  let count = 0
  const isBeyond = (/** @type {number} */ bucket) =>
    !isKept(threshold, Math.min(highestOf(bucket), latency.max) / 1000)
  for (let bucket = to - 1; bucket >= from && isBeyond(bucket); bucket--) count += latency.counts[bucket]
  return count
}

/** @param {Part[]} parts */
function mergedLatency (parts) {
  return merged(parts.map(({ latency }) => latency))
}

/** @param {Histogram[]} histograms */
function merged (histograms) {
  const all = new Histogram()
  for (const one of histograms) all.add(one)
  return all
}

module.exports = {
  problemOf, leastFor, criterionOf, intervalOf, merged, mergedLatency, timesOf, worstShare
}
