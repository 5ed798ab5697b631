'use strict'

// The precision of a figure during a run, and whether it suffices to end the run.
//
// The run is cut into batches (batches.js), which get longer with it: otherwise no such stopping rule is valid (Glynn
// and Whitt, "The Asymptotic Validity of Sequential Stopping Rules for Stochastic Simulations", 1992). A figure is a
// ratio of two sums: requests by seconds, or time by requests. Its error follows from the residuals of the batches. Of
// a percentile, the share of requests above it is such a ratio: the ends of that interval are ranks, and the values at
// these ranks are the ends for the percentile (Woodruff, "Confidence Intervals for Medians and Other Position
// Measures", 1952).
//
// With repeated looks, a run ends when the error is underestimated. So not the estimated error has to be small enough,
// but its upper bound (95 %, one-sided): that of a variance of n batches. Correlated neighbours count as fewer batches
// (correlation.js), and so do batches of which a few have most of the variance (kurtosis). The first look is at the end
// of the shortest run, and each further one after 5 % more has been measured. `node bench/accuracy.js --only until`
// checks it on queues with known answers: the interval contained the true value in at least 95 % of the runs that
// ended. Swings that are slower than the shortest run are not covered. If hindrance.js finds one of its problems, a run
// continues although its interval is narrow.

const { sum, sumOf } = require('../core/statistics')
const { figureOf } = require('../figures/figures')
const { bucketOf } = require('../record/buckets')
const { isMaximum } = require('../record/percentiles')
const { round } = require('../core/units')
const { Batches, countAbove } = require('./batches')
const { errorOfLevels } = require('./interval')
const { correlationOf, upperBoundOf, residualsOf } = require('./correlation')
const { hindranceOf, slowSwingOf } = require('./hindrance')

const CONFIDENCE = 0.95
/** Quantiles of the normal distribution for it, two-sided and one-sided. */
const TWO_SIDED = 1.96
const ONE_SIDED = 1.645

/** The variance of fewer batches is too uncertain. */
const LEAST_BATCHES = 10

/** An interval of this share of its target ends the run in any case: the hidden part of the variance is limited. */
const CLEAR = 0.25

/** By which factor the run is longer at the next look. */
const GROWTH = 1.05

/** The kurtosis of the normal distribution, and the least that is assumed. */
const NORMAL_KURTOSIS = 3

/**
 * @typedef {import('./until').Until & { metric: import('../figures/metric').Metric }} Until of a figure
 *
 * @typedef {object} Interval
 * @property {number} value in the unit of the metric
 * @property {number} low
 * @property {number} high
 * @property {number} width distance of the farther end, relative to the value
 */

class Precision extends Batches {
  /** @param {Until} until @param {number} least ms of figures before the first look */
  constructor ({ metric, target }, least) {
    super()
    this.metric = metric
    this.target = target
    this.nextLook = least
    /** @type {Interval | null} of the last look with one */
    this.interval = null
    /** @type {import('./hindrance').Hindrance | null} why it is less precise than its interval */
    this.hindrance = null
  }

  /** @returns {boolean} whether the run may end, because the figure is precise enough */
  look () {
    if (this.elapsed < this.nextLook) return false
    this.nextLook = this.elapsed * GROWTH
    this.interval = this.estimate() ?? this.interval
    return this.isReached
  }

  get known () {
    const { metric, interval, target } = this
    return { until: { metric: metric.name, width: interval?.width ?? null, target } }
  }

  /** @returns {boolean} as of the last look */
  get isReached () {
    const { interval, target, hindrance } = this
    return interval !== null && interval.width <= (hindrance === null ? target : target * CLEAR)
  }

  /** @param {Until} until @param {Record<string, any>} result @returns {Record<string, any>} its part of the result */
  outcome ({ expression, metric, target }, result) {
    // At the end of a run there is one more look.
    if (!this.isReached) this.interval = this.estimate() ?? this.interval
    const { low = null, high = null, width = null } = this.interval ?? {}
    return {
      expression,
      metric: metric.name,
      unit: metric.unit,
      target,
      reached: this.isReached,
      value: figureOf(metric, result, null),
      low: low && round(low),
      high: high && round(high),
      width: width && Math.round(width * 1e5) / 1e5,
      confidence: CONFIDENCE,
      after: round(this.elapsed / 1000),
      ...!this.isReached && this.hindrance !== null && { hindrance: this.hindrance }
    }
  }

  /** @returns {Interval | null} null if it is unknown, or wider than the figure itself */
  estimate () {
    const interval = this.rawEstimate()
    return interval !== null && interval.width < 1 ? interval : null
  }

  /** @returns {Interval | null} */
  rawEstimate () {
    const batches = this.complete
    if (batches.length < LEAST_BATCHES || this.whole.count === 0) return null
    const { metric: { percentile, unit, row } } = this
    if (percentile !== null) return this.percentileInterval(percentile, batches)
    const [of, per] = row.latency === 'average'
      ? [batches.map(({ latency }) => latency.sum / 1000), batches.map(({ latency }) => latency.count)]
      : [batches.map(one => unit === 'bytes/s' ? one.bytes : one.responses), batches.map(({ ms }) => ms / 1000)]
    const { ratio, error } = known(of, per)
    this.hindrance = hindranceOf(of, per, row.latency === 'average' ? this.whole : null)
    return { value: ratio, low: ratio - error, high: ratio + error, width: error / ratio }
  }

  /**
   * @param {number} percentile
   * @param {import('./batches').Batch[]} batches
   * @returns {Interval | null} null if an end of the interval is beyond the measured values
   */
  percentileInterval (percentile, batches) {
    const { whole } = this
    if (isMaximum(percentile, whole.count)) return null
    const value = whole.percentile(percentile)
    const bucket = bucketOf(Math.max(1, Math.round(value * 1000)))
    const [of, per] = [
      batches.map(({ latency }) => countAbove(bucket, latency)),
      batches.map(({ latency }) => latency.count)
    ]
    // The mean shows a slowly changing speed better than the few requests above a percentile.
    const means = batches.map(({ latency }) => latency.sum)
    const { error } = known(of, per, correlationOf(residualsOf(means, per)))
    this.hindrance = hindranceOf(of, per, null) ?? slowSwingOf(means, per)
    // With few values, no batch may have one above the percentile. The variance by chance is the least.
    const chance = TWO_SIDED * Math.sqrt(percentile * (100 - percentile) / whole.count)
    const [below, above] = [percentile - Math.max(error * 100, chance), percentile + Math.max(error * 100, chance)]
    if (below <= 0 || above >= 100) return null
    const [low, high] = [whole.percentile(below), whole.percentile(above)]
    return { value, low, high, width: Math.max(value - low, high - value) / value }
  }
}

/**
 * @param {number[]} of
 * @param {number[]} per
 * @param {number} [least] lower bound of the correlation of neighbours
 * @returns {{ ratio: number, error: number }} as ratioOf(), also with pairs, fours and eights of batches: some swings
 *   are slower than a batch
 */
function known (of, per, least) {
  const { ratio, error } = ratioOf(of, per, least)
  return { ratio, error: Math.max(error, errorOfLevels(of, per)) }
}

/**
 * @param {number[]} of
 * @param {number[]} per
 * @param {number} [least] lower bound of the correlation of neighbours, from another figure of the same batches
 * @returns {{ ratio: number, error: number }} sum of `of` ÷ sum of `per`, and how far the true ratio may be from it
 */
function ratioOf (of, per, least = 0) {
  const n = of.length
  const all = sum(per)
  const ratio = sum(of) / all
  const rest = residualsOf(of, per)
  const variance = sumOf(rest, one => one ** 2) / n
  if (variance === 0) return { ratio, error: 0 }
  const correlation = upperBoundOf(Math.max(least, correlationOf(rest)), n)
  const independent = n * (1 - correlation) / (1 + correlation)
  const kurtosis = Math.max(NORMAL_KURTOSIS, sumOf(rest, one => one ** 4) / n / variance ** 2)
  const freedom = Math.max(1, 2 * (independent - 1) / (kurtosis - 1))
  const error = n * Math.sqrt(variance * n / (n - 1) / independent) / all
  return { ratio, error: TWO_SIDED * error * Math.sqrt(freedom / lowChiSquare(freedom)) }
}

/**
 * @param {number} freedom
 * @returns {number} the 5th percentile of the chi-square distribution (Wilson and Hilferty, 1931)
 */
function lowChiSquare (freedom) {
  return freedom * (1 - 2 / (9 * freedom) - ONE_SIDED * Math.sqrt(2 / (9 * freedom))) ** 3
}

module.exports = { Precision, ratioOf }
