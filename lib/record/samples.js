'use strict'

// Owns the series of samples: how many requests and bytes each slot of the sample interval saw, over all generators.
// Slots are matched by index, never by the order of arrival. A slot remembers how long it really was, because a timer is
// never on time: rates are counts over that.

const { addPercentiles } = require('./percentiles')

/**
 * @typedef {object} Sample
 * @property {number} requests completed
 * @property {number} bytes
 * @property {number} length ms
 */

class Samples {
  /**
   * @param {number} interval ms
   * @param {number} generators
   */
  constructor (interval, generators) {
    this.interval = interval
    /** @type {Sample[]} */
    this.slots = []
    /** The last slot that each generator has finished; Infinity once it has ended. */
    this.passed = new Array(generators).fill(-1)
    this.final = -1
  }

  /**
   * @param {number} generator
   * @param {import('./recorder').Snapshot} snapshot
   */
  add (generator, snapshot) {
    const first = this.passed[generator] + 1
    const spread = snapshot.slot - first + 1
    for (let i = first; i <= snapshot.slot; i++) {
      const slot = this.slots[i] ??= { requests: 0, bytes: 0, length: 0 }
      // A generator that was too busy to end a sample in time ends several at once: they share what it counted.
      slot.requests += share(snapshot.completed, spread, i - first)
      slot.bytes += share(snapshot.bytes, spread, i - first)
      slot.length = Math.max(slot.length, (snapshot.to - snapshot.from) / spread)
    }
    this.passed[generator] = snapshot.slot
  }

  /**
   * Adds the series of another run by time: what lies in two slots is shared out between them.
   * @param {Sample[]} series
   * @param {number} offset how many ms later than this one it started
   */
  addAll (series, offset) {
    let from = offset
    for (const { requests, bytes, length } of series) {
      const to = from + length
      for (let i = Math.floor(from / this.interval); i * this.interval < to; i++) {
        while (this.slots.length <= i) this.slots.push({ requests: 0, bytes: 0, length: 0 })
        const slot = this.slots[i]
        const start = i * this.interval
        const part = length === 0 ? 1 : (Math.min(to, start + this.interval) - Math.max(from, start)) / length
        slot.requests += requests * part
        slot.bytes += bytes * part
        slot.length = Math.max(slot.length, Math.min(to - start, this.interval))
      }
      from = to
    }
    // A time in which nobody ran is as long as any.
    for (const slot of this.slots.slice(0, -1)) slot.length = this.interval
  }

  /**
   * The generator adds nothing more.
   * @param {number} generator
   */
  end (generator) {
    this.passed[generator] = Infinity
  }

  /**
   * @returns {Sample[]} the samples that every live generator has passed, each once
   */
  takeFinal () {
    const last = Math.min(...this.passed, this.slots.length - 1)
    const taken = this.slots.slice(this.final + 1, last + 1)
    this.final = Math.max(this.final, last)
    return taken
  }

  /**
   * @returns {Sample[]} those that can be compared with each other: a rest that is too short for that belongs to the one before, as in
   *   a series, so that their mean over time is that of the run
   */
  comparable () {
    const { slots } = this
    const [before, rest] = slots.slice(-2)
    if (rest === undefined || rest.length >= this.interval / 2) return slots
    return [...slots.slice(0, -2), { requests: before.requests + rest.requests, bytes: before.bytes + rest.bytes, length: before.length + rest.length }]
  }

  /**
   * @param {number} ms
   * @returns {number | null} requests per second in the samples that began then or later; null when these last less than half of one
   */
  rateFrom (ms) {
    let [from, requests, length] = [0, 0, 0]
    for (const slot of this.slots) {
      if (from >= ms) {
        requests += slot.requests
        length += slot.length
      }
      from += slot.length
    }
    return length < this.interval / 2 ? null : requests / length * 1000
  }
}

/**
 * @param {number} total a whole number
 * @param {number} parts
 * @param {number} i which part
 */
function share (total, parts, i) {
  return Math.floor(total * (i + 1) / parts) - Math.floor(total * i / parts)
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
  return addPercentiles(summary, percentile => sorted[Math.max(0, Math.ceil(percentile / 100 * sorted.length) - 1)] ?? 0)
}

module.exports = { Samples, seriesSummary, share }
