'use strict'

// The precision of a figure during a run, and whether it suffices to end it.
//
// The course of the run is cut into batches, because requests of one second wait for the same pause (batch means: Law
// and Carson, "A Sequential Procedure for Determining the Length of a Steady-State Simulation", 1979). There are at
// most 64: from then on neighbours are joined, so that batches get longer with the run, without which no such rule is
// valid (Glynn and Whitt, "The Asymptotic Validity of Sequential Stopping Rules for Stochastic Simulations", 1992). A
// figure is a sum over a sum, requests by seconds or time by requests, and its error comes from the residual of each
// batch. Of a percentile, the share of requests above it is such a figure: the ends of the share's interval are ranks,
// whose values are the ends of the percentile's (Woodruff, "Confidence Intervals for Medians and Other Position
// Measures", 1952).
//
// Repeated looks end a run when the error is estimated too low, not too high. So not the estimate has to be small
// enough, but the upper end of its own interval (95 %, one-sided), from the distribution of a variance of n batches: of
// fewer when neighbours are alike (likeness.js), and of fewer when a few batches make most of it (their kurtosis). The
// first look is at the end of the shortest run, each further one when 5 % more has been measured. `node
// bench/accuracy.js --only until` proves it on queues with known answers: of the runs that ended, the true value was in
// the interval in 95 % or more. Swings that are slower than the shortest run are not covered. settled.js may keep a run
// from ending although its interval is narrow.

const { sum, sumOf } = require('../core/statistics')
const { figureOf } = require('../figures/figures')
const { bucketOf } = require('../record/buckets')
const { isMaximum } = require('../record/percentiles')
const { round } = require('../core/units')
const { Batches, countAbove } = require('./batches')
const { errorOfLevels } = require('./interval')
const { alikeOf, mostOf, residualsOf } = require('./likeness')
const { hindranceOf, swingOf } = require('./settled')

const CONFIDENCE = 0.95
/** The quantiles of the normal distribution for that, on both sides and on one. */
const TWO_SIDED = 1.96
const ONE_SIDED = 1.645

/** Fewer batches do not show enough of their variance. */
const LEAST_BATCHES = 10

/** The hidden part of the variance is limited: an interval that is this part of its target ends the run in any case. */
const CLEAR = 0.25

/** How much longer a run is at the next look. */
const GROWTH = 1.05

/** The kurtosis of the normal distribution, which nothing counts as less than. */
const NORMAL_KURTOSIS = 3

/**
 * @typedef {import('./until').Until & { metric: import('../figures/metric').Metric }} Until of a figure
 *
 * @typedef {object} Interval
 * @property {number} value in the unit of the metric
 * @property {number} low
 * @property {number} high
 * @property {number} width the farther end, relative to the value
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
    /** @type {import('./settled').Hindrance | null} why it is less precise than its interval */
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
    // A run whose time is over has one more look.
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

  /** @returns {Interval | null} null when unknown: an interval as wide as the figure is useless */
  estimate () {
    const interval = this.guess()
    return interval !== null && interval.width < 1 ? interval : null
  }

  /** @returns {Interval | null} */
  guess () {
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
   * @returns {Interval | null} null when the interval ends beyond the last value, which is nowhere
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
    // A speed that wanders shows in the mean, where chance hides less of it than in the few requests above a
    // percentile.
    const means = batches.map(({ latency }) => latency.sum)
    const { error } = known(of, per, alikeOf(residualsOf(means, per)))
    this.hindrance = hindranceOf(of, per, null) ?? swingOf(means, per)
    // Few values may have none above, in any batch: chance alone is the least variance.
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
 * @param {number} [least] how alike neighbours are at least
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
 * @param {number} [least] how alike neighbours are at least, as another figure of the same batches shows
 * @returns {{ ratio: number, error: number }} the sum of the one by the sum of the other, and how far the true one may
 *   be from it
 */
function ratioOf (of, per, least = 0) {
  const n = of.length
  const all = sum(per)
  const ratio = sum(of) / all
  const rest = residualsOf(of, per)
  const variance = sumOf(rest, one => one ** 2) / n
  if (variance === 0) return { ratio, error: 0 }
  const alike = mostOf(Math.max(least, alikeOf(rest)), n)
  const independent = n * (1 - alike) / (1 + alike)
  const kurtosis = Math.max(NORMAL_KURTOSIS, sumOf(rest, one => one ** 4) / n / variance ** 2)
  const freedom = Math.max(1, 2 * (independent - 1) / (kurtosis - 1))
  const error = n * Math.sqrt(variance * n / (n - 1) / independent) / all
  return { ratio, error: TWO_SIDED * error * Math.sqrt(freedom / lowChiSquare(freedom)) }
}

/**
 * @param {number} freedom
 * @returns {number} the value that such a chi-square exceeds in 95 % of all cases (Wilson and Hilferty, 1931)
 */
function lowChiSquare (freedom) {
  return freedom * (1 - 2 / (9 * freedom) - ONE_SIDED * Math.sqrt(2 / (9 * freedom))) ** 3
}

module.exports = { Precision, ratioOf }
