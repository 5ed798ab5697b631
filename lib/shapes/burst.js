'use strict'

// Owns when requests are due that come many at once.

/** As that of a constant pace. */
const TOLERANCE = 1e-9

/** @typedef {import('./pace').Pace} Pace */

/** @implements {Pace} */
class BurstPace {
  /**
   * @param {{ requests: number, every: number }} burst so many at once, every so many ms
   * @param {number} [end] ms; what would be due then or later is not part of the run
   */
  constructor ({ requests, every }, end = Infinity) {
    this.requests = requests
    this.every = every
    this.total = Math.ceil(end / every - TOLERANCE) * requests
  }

  /** @param {number} n */
  dueAt (n) {
    return Math.floor(n / this.requests) * this.every
  }

  /** @param {number} at */
  dueBy (at) {
    return Math.max(0, Math.min(this.total, (Math.floor(at / this.every + TOLERANCE) + 1) * this.requests))
  }
}

module.exports = { BurstPace }
