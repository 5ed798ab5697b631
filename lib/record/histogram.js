'use strict'

// The distribution of many values from 1 µs to 1 hour with three significant digits, as an HdrHistogram. It stores µs,
// and its interface uses ms. Count, mean, deviation, minimum and maximum are exact.

const { HIGHEST, COUNT, bucketOf, highestOf, bucketAt, hasPairs, pairsOf, add } = require('./buckets')
const { addMoments, deviationOf } = require('./moments')
const { addPercentiles } = require('./percentiles')

/**
 * @typedef {import('./moments').Moments & { min: number, max: number }} Sums in µs
 * @typedef {Sums & { buckets: number[] }} Encoded with each non-empty bucket, followed by its count
 */

/** The shared buckets of empty histograms. Most histograms of a run stay empty, and the buckets take 186 KB. */
const NONE = new Float64Array(0)

class Histogram {
  constructor () {
    // Doubles, because a long run of many machines may have more than 2^32 equal values.
    this.counts = NONE
    this.count = 0
    // V8 optimizes for the types that a field has held. −0 is a double, so larger values need no recompilation.
    this.sum = -0
    // The first value, and the sum of squared distances from it: see moments.js.
    this.shift = -0
    this.squares = -0
    this.min = Infinity
    this.max = -0
  }

  /**
   * @param {number} ms times below 1 µs count as 1 µs
   * @param {number} [n] count, at least 1
   */
  record (ms, n = 1) {
    const rounded = ms * 1000 + 0.5
    const us = rounded >= 1 ? rounded > HIGHEST ? HIGHEST : rounded >>> 0 : 1
    // Also true for the first value.
    if (us < this.min) {
      this.min = us
      if (this.count === 0) {
        this.shift = us
        this.makeRoom()
      }
    }
    this.counts[bucketOf(us)] += n
    this.count += n
    this.sum += us * n
    // A double like the shift: the square of 47 ms exceeds V8's small integers, and would cause a recompilation.
    const distance = us - this.shift
    this.squares += distance * distance * n
    if (us > this.max) this.max = us
  }

  /** Allocates the buckets before the first value. */
  makeRoom () {
    if (this.counts === NONE) this.counts = new Float64Array(COUNT)
  }

  /** @returns {[number, number]} the range of non-empty buckets; valid while `count` > 0 */
  get span () {
    return [bucketOf(this.min >>> 0), bucketOf(this.max >>> 0) + 1]
  }

  /** @param {Histogram | Encoded} other */
  add (other) {
    if (other.count === 0) return
    if (!(other instanceof Histogram)) return this.addEncoded(other)
    const [from, to] = other.span
    this.makeRoom()
    add(this.counts, other.counts, from, to)
    this.addSums(other)
  }

  /** @param {Sums} sums of at least one value; the buckets have already been added */
  addSums (sums) {
    addMoments(this, sums)
    if (sums.min < this.min) this.min = sums.min
    if (sums.max > this.max) this.max = sums.max
  }

  /**
   * @param {Encoded} [like] a histogram that may be equal: both then share its buckets, which are sent once
   * @returns {Encoded} a plain object, for other threads and machines
   */
  encode (like) {
    const { count, counts, sum, shift, squares, min, max } = this
    if (count === 0) return { count, sum: 0, shift: 0, squares: 0, min: 0, max: 0, buckets: [] }
    const isLike = like !== undefined && like.count === count && like.min === min && like.max === max &&
      hasPairs(counts, like.buckets)
    return { count, sum, shift, squares, min, max, buckets: isLike ? like.buckets : pairsOf(counts, ...this.span) }
  }

  /**
   * @param {Encoded & { sumOfSquares?: number }} encoded `sumOfSquares` of the values themselves: in raw results of the
   *   previous format
   */
  addEncoded ({ buckets, sumOfSquares, ...sums }) {
    if (sums.count === 0) return
    this.makeRoom()
    for (let i = 0; i < buckets.length; i += 2) this.counts[buckets[i]] += buckets[i + 1]
    this.addSums(sumOfSquares === undefined ? sums : { ...sums, shift: 0, squares: sumOfSquares })
  }

  /** @returns {string} the compressed form that every HdrHistogram reads, in base64; its values are µs */
  toBase64 () {
    return require('./hdr').encode(this.encode())
  }

  /**
   * @param {string} base64 from `toBase64` or another HdrHistogram: each value is the highest of its bucket
   * @throws if it is malformed
   */
  static decode (base64) {
    const histogram = new Histogram()
    for (const [us, n] of require('./hdr').decode(base64)) histogram.record(us / 1000, n)
    return histogram
  }

  /**
   * @param {number} ms
   * @returns {number} the number of higher values, except for those in the same bucket
   */
  countAbove (ms) {
    if (this.count === 0) return 0
    const [from, to] = this.span
    let above = 0
    for (let i = Math.max(from, bucketOf(Math.min(HIGHEST, ms * 1000) >>> 0) + 1); i < to; i++) above += this.counts[i]
    return above
  }

  reset () {
    if (this.count === 0) return
    this.counts.fill(0, ...this.span)
    this.count = 0
    this.sum = 0
    this.shift = 0
    this.squares = 0
    this.min = Infinity
    this.max = 0
  }

  /**
   * @param {number} percentile 0 to 100
   * @returns {number} ms
   */
  percentile (percentile) {
    if (this.count === 0) return 0
    // A rounding error may raise the product above an integer.
    const rank = Math.max(1, Math.ceil(percentile / 100 * this.count * (1 - Number.EPSILON)))
    // The highest value of a bucket may exceed the recorded maximum.
    return Math.min(highestOf(bucketAt(this.counts, ...this.span, rank)), this.max) / 1000
  }

  /**
   * @param {number[]} [percentiles] in addition to the documented ones
   * @returns {Distribution} in ms
   */
  summary (percentiles = []) {
    const { count } = this
    const mean = count === 0 ? 0 : this.sum / count
    const summary = {
      average: mean / 1000,
      mean: mean / 1000,
      stddev: deviationOf(this) / 1000,
      min: count === 0 ? 0 : this.min / 1000,
      max: count === 0 ? 0 : this.max / 1000,
      totalCount: count
    }
    return addPercentiles(summary, percentile => this.percentile(percentile), percentiles)
  }
}

/**
 * @typedef {{ average: number, mean: number, stddev: number, min: number, max: number, totalCount: number } &
 *   { [percentile: `p${string}`]: number }} Distribution
 */

module.exports = { Histogram }
