'use strict'

// The samples of a run: requests and bytes of each sample interval, over all generators. They are matched by index,
// never by the order of arrival. A sample has its real length, because timers may be late: rates are counts divided by
// this length.

const { addPercentiles } = require('./percentiles')
const { Progress, shareByTime } = require('./timeline')

/**
 * @typedef {object} Sample
 * @property {number} requests completed
 * @property {number} bytes
 * @property {number} length ms
 */

class Samples {
  /** @param {number} interval ms @param {number} generators */
  constructor (interval, generators) {
    this.interval = interval
    /** @type {Sample[]} */
    this.list = []
    this.progress = new Progress(generators)
    /** The index of the last returned sample. */
    this.taken = -1
  }

  /** @param {number} generator @param {import('./recorder').Snapshot} snapshot */
  add (generator, snapshot) {
    for (const { index, requests, bytes, length } of this.progress.advance(generator, snapshot)) {
      const sample = this.list[index] ??= { requests: 0, bytes: 0, length: 0 }
      sample.requests += requests
      sample.bytes += bytes
      sample.length = Math.max(sample.length, length)
    }
  }

  /**
   * Adds the samples of another run by time.
   * @param {Sample[]} samples
   * @param {number} offset ms between the starts of both runs
   */
  addAll (samples, offset) {
    const { interval, list } = this
    let from = offset
    for (const { requests, bytes, length } of samples) {
      const to = from + length
      shareByTime(from, to, interval, (i, part) => {
        while (list.length <= i) list.push({ requests: 0, bytes: 0, length: 0 })
        list[i].requests += requests * part
        list[i].bytes += bytes * part
        list[i].length = Math.max(list[i].length, Math.min(to - i * interval, interval))
      })
      from = to
    }
    // All samples except the last are complete, including those in which no run was active.
    for (const sample of list.slice(0, -1)) sample.length = interval
  }

  /** Ends a generator, which adds no more samples. @param {number} generator */
  end (generator) {
    this.progress.end(generator)
  }

  /** @returns {Sample[]} the samples that every active generator has passed, each returned once */
  takeFinal () {
    const last = Math.min(this.progress.complete, this.list.length - 1)
    const complete = this.list.slice(this.taken + 1, last + 1)
    this.taken = Math.max(this.taken, last)
    return complete
  }

  /**
   * @returns {Sample[]} comparable samples: as in a series, a short rest is part of the sample before, so that their
   *   mean over time equals the mean of the run
   */
  comparable () {
    const { list } = this
    const [before, rest] = list.slice(-2)
    if (rest === undefined || rest.length >= this.interval / 2) return list
    return [
      ...list.slice(0, -2),
      {
        requests: before.requests + rest.requests, bytes: before.bytes + rest.bytes, length: before.length + rest.length
      }
    ]
  }

  /**
   * @param {number} ms
   * @returns {number | null} requests per second in samples that began then or later; null if they last less than half
   *   of an interval
   */
  rateFrom (ms) {
    let [from, requests, length] = [0, 0, 0]
    for (const sample of this.list) {
      if (from >= ms) {
        requests += sample.requests
        length += sample.length
      }
      from += sample.length
    }
    return length < this.interval / 2 ? null : requests / length * 1000
  }
}

/**
 * Exact statistics of a few values: percentiles are nearest ranks.
 * @param {number[]} values
 * @param {number} average of the whole run, including short samples
 */
function seriesSummary (values, average) {
  const sorted = [...values].sort((a, b) => a - b)
  const mean = sorted.reduce((sum, value) => sum + value, 0) / (sorted.length || 1)
  const variance = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (sorted.length || 1)
  const summary = {
    average,
    mean: average,
    stddev: Math.sqrt(variance),
    min: sorted[0] ?? 0,
    max: sorted[sorted.length - 1] ?? 0
  }
  return addPercentiles(summary, percentile =>
    sorted[Math.max(0, Math.ceil(percentile / 100 * sorted.length) - 1)] ?? 0)
}

module.exports = { Samples, seriesSummary }
