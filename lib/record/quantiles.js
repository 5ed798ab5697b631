'use strict'

// The quantiles of times in a point of the series, and of several merged points.

const { round } = require('../core/units')
const { addedUp, coarse, weightOf } = require('./coarse')
const { Histogram } = require('./histogram')

/**
 * @typedef {object} Quantiles ms
 * @property {number} p50
 * @property {number} p95
 * @property {number} p99
 * @property {number} max
 * @property {import('./coarse').Coarse} [buckets] undefined in results of older versions
 */

const MEANS = /** @type {const} */ (['p50', 'p95', 'p99'])

/**
 * The times in each point of the series. A point is open until all generators have passed it.
 * @template {string} Time
 */
class TimesInPoints {
  /** @param {ReadonlyArray<Time>} times */
  constructor (times) {
    this.times = times
    /** @type {Map<number, Record<Time, Histogram>>} by index of the point */
    this.open = new Map()
    /** @type {Array<Record<Time, Histogram>>} */
    this.spare = []
  }

  /** @param {number} index of the point @param {Record<Time, Histogram | import('./histogram').Encoded>} report */
  add (index, report) {
    let open = this.open.get(index)
    if (open === undefined) {
      open = this.spare.pop() ?? this.each(() => new Histogram())
      this.open.set(index, open)
    }
    for (const time of this.times) open[time].add(report[time])
  }

  /** @param {number} index of a complete point @returns {Record<Time, Quantiles | null>} */
  close (index) {
    const open = this.open.get(index)
    if (open === undefined) return this.each(() => null)
    const quantiles = this.each(time => quantilesOf(open[time]))
    for (const time of this.times) open[time].reset()
    this.open.delete(index)
    this.spare.push(open)
    return quantiles
  }

  /**
   * @template T
   * @param {(time: Time) => T} of
   */
  each (of) {
    return /** @type {Record<Time, T>} */ (Object.fromEntries(this.times.map(time => [time, of(time)])))
  }
}

/** @type {(histogram: Histogram) => Quantiles | null} null without a value */
function quantilesOf (histogram) {
  if (histogram.count === 0) return null
  const [p50, p95, p99] = [50, 95, 99].map(p => round(histogram.percentile(p)))
  return { p50, p95, p99, max: round(histogram.max / 1000), buckets: coarse(histogram) }
}

/**
 * Merges quantiles. Percentiles cannot be added, so the result is the mean weighted by number of values: like the true
 * percentile, it is between the lowest and the highest.
 * @param {Array<{ one: Quantiles | null, part: number, otherwise: number }>} parts with the share of each; `otherwise`:
 *   the number of values without buckets
 * @returns {Quantiles | null} null without values
 */
function quantilesTogether (parts) {
  const timed = parts.flatMap(({ one, part, otherwise }) =>
    one === null ? [] : [{ one, part, weight: weightOf(one, otherwise) * part }])
  if (timed.length === 0) return null
  const weight = timed.reduce((sum, { weight }) => sum + weight, 0)
  const [p50, p95, p99] = MEANS.map(key =>
    round(timed.reduce((sum, { one, weight }) => sum + one[key] * weight, 0) / (weight || 1)))
  const buckets = addedUp(timed.map(({ one: { buckets = [] }, part }) => ({ buckets, part })))
    .map(([from, count]) => /** @type {[number, number]} */ ([from, round(count)]))
  return {
    p50, p95, p99, max: Math.max(...timed.map(({ one }) => one.max)), ...buckets.length > 0 && { buckets }
  }
}

module.exports = { TimesInPoints, quantilesTogether }
