'use strict'

// Owns the distribution of many values: HdrHistogram in WebAssembly (16 ns a value, constant memory), in whole µs inside
// and ms outside, 1 µs to 1 hour with three significant digits. Count, mean, deviation, minimum and maximum are kept
// beside it exactly. Equal values in a row, as the answers of a pipeline that came in one read have, are recorded at once.

const hdr = require('hdr-histogram-js')
const { addPercentiles } = require('./percentiles')

const HIGHEST_US = 3.6e9

/** @typedef {{ count: number, sum: number, sumOfSquares: number, min: number, max: number, hdr: string }} Encoded */

class Histogram {
  constructor () {
    // Once per thread. The asynchronous way takes 26 ms as well, and two runs that start at once would each set up a
    // memory of their own, where the histograms of the first are not to be found.
    hdr.initWebAssemblySync()
    this.hdr = hdr.build({
      useWebAssembly: true,
      bitBucketSize: 64,
      autoResize: false,
      lowestDiscernibleValue: 1,
      highestTrackableValue: HIGHEST_US,
      numberOfSignificantValueDigits: 3
    })
    // Without what is pending.
    this.count = 0
    this.sum = 0
    this.sumOfSquares = 0
    this.min = Infinity
    this.max = 0
    /** The value that came last, ms, and how often in a row: not recorded yet. */
    this.last = NaN
    this.pending = 0
  }

  /**
   * @param {number} ms what took less than 1 µs counts as 1 µs
   * @param {number} [n] how often
   */
  record (ms, n = 1) {
    if (ms !== this.last) {
      this.flush()
      this.last = ms
    }
    this.pending += n
  }

  /** Records what is pending; whoever reads the histogram or its sums calls it first. */
  flush () {
    const n = this.pending
    if (n === 0) return
    let us = Math.round(this.last * 1000)
    if (us < 1) us = 1
    else if (us > HIGHEST_US) us = HIGHEST_US
    if (n === 1) this.hdr.recordValue(us)
    else this.hdr.recordValueWithCount(us, n)
    this.last = NaN
    this.pending = 0
    this.count += n
    this.sum += us * n
    this.sumOfSquares += us * us * n
    if (us < this.min) this.min = us
    if (us > this.max) this.max = us
  }

  /** @param {Histogram} other */
  add (other) {
    this.flush()
    other.flush()
    if (other.count === 0) return
    this.hdr.add(/** @type {any} */ (other.hdr))
    this.count += other.count
    this.sum += other.sum
    this.sumOfSquares += other.sumOfSquares
    if (other.min < this.min) this.min = other.min
    if (other.max > this.max) this.max = other.max
  }

  /** @returns {Encoded} a plain object; `hdr` is the compressed form that every HdrHistogram reads, in base64 */
  encode () {
    this.flush()
    const { count, sum, sumOfSquares, max } = this
    return { count, sum, sumOfSquares, min: count === 0 ? 0 : this.min, max, hdr: this.toBase64() }
  }

  /** @returns {string} the compressed form that every HdrHistogram reads, in base64; its values are µs */
  toBase64 () {
    this.flush()
    return hdr.encodeIntoCompressedBase64(this.hdr)
  }

  /** @param {Encoded} encoded */
  static decode ({ count, sum, sumOfSquares, min, max, hdr: base64 }) {
    const histogram = new Histogram()
    const decoded = /** @type {any} */ (hdr.decodeFromCompressedBase64(base64, 64, true))
    histogram.hdr.add(decoded)
    decoded.destroy()
    return Object.assign(histogram, { count, sum, sumOfSquares, min: count === 0 ? Infinity : min, max })
  }

  /** @param {Encoded} encoded */
  addEncoded (encoded) {
    if (encoded.count === 0) return
    const histogram = Histogram.decode(encoded)
    this.add(histogram)
    histogram.destroy()
  }

  reset () {
    this.flush()
    if (this.count === 0) return
    this.hdr.reset()
    this.count = 0
    this.sum = 0
    this.sumOfSquares = 0
    this.min = Infinity
    this.max = 0
  }

  /** Gives the memory back; the histogram can't be used after it. */
  destroy () {
    this.hdr.destroy()
  }

  /**
   * @param {number} percentile 0 to 100
   * @returns {number} ms
   */
  percentile (percentile) {
    this.flush()
    if (this.count === 0) return 0
    // A bucket is read as its highest value, which no recorded value may be above.
    return Math.min(this.hdr.getValueAtPercentile(percentile), this.max) / 1000
  }

  /**
   * @param {number[]} [percentiles] beside the documented ones
   * @returns {Distribution} in ms
   */
  summary (percentiles = []) {
    this.flush()
    const { count } = this
    const mean = count === 0 ? 0 : this.sum / count
    const variance = count === 0 ? 0 : Math.max(0, this.sumOfSquares / count - mean * mean)
    const summary = {
      average: mean / 1000,
      mean: mean / 1000,
      stddev: Math.sqrt(variance) / 1000,
      min: count === 0 ? 0 : this.min / 1000,
      max: this.max / 1000,
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
