'use strict'

// Owns the statistics of the rounds of one scenario: how many started, how each ended, and how long those took that were completed. When
// a round ends, and why it is cut short, is known to who walks it.

const { Histogram } = require('./histogram')

/**
 * @typedef {object} RoundCounts a plain object
 * @property {number} scenario counted from 0
 * @property {number} started
 * @property {number} completed
 * @property {Record<string, number>} cutBy rounds that were cut short, by the reason
 * @property {import('./histogram').Encoded} duration of those that were completed, from when each was due or began, with its pauses
 * @property {import('./histogram').Encoded} active the same without pauses
 */

class RoundTally {
  /** @param {number} scenario counted from 0 */
  constructor (scenario) {
    this.scenario = scenario
    this.started = 0
    this.completed = 0
    /** Reasons may be any text. @type {Map<string, number>} */
    this.cutBy = new Map()
    this.duration = new Histogram()
    this.active = new Histogram()
  }

  /** @returns {number} rounds that were cut short */
  get cuts () {
    let sum = 0
    for (const n of this.cutBy.values()) sum += n
    return sum
  }

  /** @returns {number} rounds that go on, or went on when the run ended */
  get unfinished () {
    return this.started - this.completed - this.cuts
  }

  start () {
    this.started++
  }

  /**
   * @param {number} duration ms
   * @param {number} active ms
   */
  complete (duration, active) {
    this.completed++
    this.duration.record(duration)
    this.active.record(active)
  }

  /**
   * @param {string} reason
   * @param {number} [n]
   */
  cut (reason, n = 1) {
    this.cutBy.set(reason, (this.cutBy.get(reason) ?? 0) + n)
  }

  /** @param {RoundCounts} counts */
  add ({ started, completed, cutBy, duration, active }) {
    this.started += started
    this.completed += completed
    for (const [reason, n] of Object.entries(cutBy)) this.cut(reason, n)
    this.duration.addEncoded(duration)
    this.active.addEncoded(active)
  }

  /** Counts from 0, but for the rounds that go on: their end is still to come, so they count as started. */
  reset () {
    this.started = this.unfinished
    this.completed = 0
    this.cutBy.clear()
    this.duration.reset()
    this.active.reset()
  }

  /** @returns {RoundCounts} */
  encode () {
    const { scenario, started, completed, cutBy, duration, active } = this
    return { scenario, started, completed, cutBy: Object.fromEntries(cutBy), duration: duration.encode(), active: active.encode() }
  }
}

module.exports = { RoundTally }
