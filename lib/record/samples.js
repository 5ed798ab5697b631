'use strict'

// The samples of a run: requests and bytes of each sample interval, over all generators. They are matched by index,
// never by the order of arrival. A sample has its real length, because timers are late: rates are counts over that.

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
    /** The last one that was handed out. */
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
   * @param {number} offset how many ms later than this one it started
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
    // All but the last one are whole, those in which no run went on, too.
    for (const sample of list.slice(0, -1)) sample.length = interval
  }

  /** The generator adds nothing more. @param {number} generator */
  end (generator) {
    this.progress.end(generator)
  }

  /** @returns {Sample[]} the samples that every live generator has passed, each once */
  takeFinal () {
    const last = Math.min(this.progress.complete, this.list.length - 1)
    const complete = this.list.slice(this.taken + 1, last + 1)
    this.taken = Math.max(this.taken, last)
    return complete
  }

  /**
   * @returns {Sample[]} those that can be compared with each other: a rest that is too short for that belongs to the
   *   one before, as in a series, so that their mean over time is that of the run
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
   * @returns {number | null} requests per second in the samples that began then or later; null when these last less
   *   than half of one
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
 * Statistics of a few values, exact: percentiles are nearest ranks.
 * @param {number[]} values
 * @param {number} average of the whole run, which short samples are part of, too
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
