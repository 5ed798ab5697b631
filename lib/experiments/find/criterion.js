'use strict'

// How certain it is that a threshold was met, by the requests of one trial.
//
// Requests are not independent of each other: those of one second wait in the same queue. So the certainty of a figure
// follows from the variance between parts of the trial (batch means: Law and Kelton, "Simulation Modeling and
// Analysis", ch. 9; of a ratio: Cochran, "Sampling Techniques", ch. 6). A percentile is judged as the share of requests
// that took longer: `p99 < 50ms` is kept while not more than 1 % of them took 50 ms or more. The interval of a share is
// Wilson's, which is right near 0, for as many independent requests as the parts are worth.

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
 * @typedef {object} Criterion
 * @property {(part: Part) => number} of the dividend
 * @property {(part: Part) => number} per the divisor
 * @property {number} allowed the greatest quotient that keeps to it
 * @property {boolean} isShare
 * @property {(quotient: number) => boolean} keeps
 * @property {(parts: Part[], quotient: number) => number | null} actual the figure as it is shown; null when nothing
 *   was measured
 *
 * @typedef {object} Interval
 * @property {number | null} actual null when nothing was measured
 * @property {boolean} passed
 * @property {number} low
 * @property {number} high
 * @property {number} allowed
 */

/** None of this number of independent requests failing, each of which may, is seldom chance: e^-3 is 5 %. */
const LEAST = 3
/** Neighbours that have more in common than this are one part for all that can be known. */
const MOST_IN_COMMON = 0.8

/** A request has several of these times, in a number that is not known beforehand. */
const MANY_EACH = new Set(['gap', 'inter token'])

const COUNTS = ['failures', 'errors', 'non2xx', 'timeouts']

/** @param {Threshold} threshold @returns {string | null} why a trial cannot judge it, and what can be used */
function problemOf (threshold) {
  const { metric, operator, limit, part } = threshold
  const { row, name, percentile, unit } = metric
  if (part !== null) return 'it is about a part of the run, and a step is judged as a whole: leave the name out'
  if (row.time !== undefined && !Object.hasOwn(STAGE_TIMES, row.time)) {
    return `a step tells the latency, ${Object.keys(STAGE_TIMES).join(', ')}, and no other time: ` +
      `run the load that find reports with --threshold ${show(`${name} ${operator} ${limit}ms`)} instead`
  }
  if (row.goodput !== undefined) return problemOfGoodput(threshold)
  const isTime = percentile !== null || row.latency === 'average' || row.latency === 'max'
  if (!isTime && !COUNTS.includes(/** @type {string} */ (row.of))) {
    return `${name} is not what a load makes worse step by step: give a percentile, avg, max, ` +
      `${COUNTS.join(', ')} or a share of these, such as p99 < 50ms or failure rate < 1%`
  }
  if (OPERATORS[operator].better !== '<') {
    return `${name} has to stay below something, such as ${isTime ? `${name} < 50ms` : `${name} == 0`}: ` +
      'more load makes it greater'
  }
  const isZero = isKept({ operator, limit }, 0) && !isKept({ operator, limit }, 1)
  if (unit === 'count' && !isZero) {
    return `how many there are depends on how long a step is: give a share, such as ${name} < 1%, or ${name} == 0`
  }
  if (isTime && OPERATORS[operator].isExact) return `give ${name} < ${limit}ms: a latency is never exactly something`
  return null
}

/** @type {typeof problemOf} */
function problemOfGoodput ({ metric: { name }, operator, limit }) {
  const wantsAll = !isKept({ operator, limit }, 0) || OPERATORS[operator].better === '>'
  if (wantsAll && isKept({ operator, limit }, 1)) return null
  return `${name} has to stay above a share below 100 %, such as ${name} > 95%: more load makes it lower`
}

/** @param {Threshold} threshold of a share @returns {number} the share of requests that may fail it */
function worstShare ({ metric, limit }) {
  return metric.row.goodput === undefined ? limit : 1 - limit
}

/**
 * @param {Threshold} threshold
 * @returns {number} how many requests it takes to be certain that it is kept, when none of them does not keep to it
 */
function leastFor (threshold) {
  const { percentile, unit, row } = threshold.metric
  if (MANY_EACH.has(row.time ?? '')) return 1
  const allowed = percentile !== null ? 100 - percentile : unit === 'share' ? worstShare(threshold) * 100 : 0
  // Without the rounding error of the quotient.
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
      // Without the rounding error of the difference.
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
  const held = ({ counted }) => counted[per] ?? 0
  // Without the rounding error of the difference.
  const rest = (/** @type {number} */ share) => Number((1 - share).toPrecision(12))
  const needed = neededTimes(expression)
  /** @param {Part[]} parts */
  const isMeasured = parts => sumOf(parts, good) === 0 ||
    needed.every(time => parts.some(part => histogramOf(time, part).count > 0))
  return {
    of: part => held(part) - good(part),
    per: held,
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
  // A limit of none is decided by the first one, and without one there is no interval.
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
 * @returns {number} of their sum. A part that is worse than the mean is often followed by another one: this correlation
 *   makes the sum vary more, as that of a process of the first order does (Law and Kelton, ch. 4). Estimates of it from
 *   few parts are too low by 1 ÷ their number.
 */
function varianceOf (differences) {
  const k = differences.length
  const squares = sumOf(differences, difference => difference ** 2)
  if (squares === 0) return 0
  const products = sumOf(differences, (difference, i) => difference * (differences[i - 1] ?? 0))
  const inCommon = Math.min(MOST_IN_COMMON, Math.max(0, products / squares + 1 / k))
  return k / (k - 1) * squares * (1 + inCommon) / (1 - inCommon)
}

/** Of a part without any. */
const NONE = new Histogram()

/**
 * @param {Threshold['metric']} metric
 * @param {Part} part
 * @returns {Histogram} the times of the figure; the latency if it is no time
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
 * @returns {number} how many values do not keep to it
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
