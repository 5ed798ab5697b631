'use strict'

// Counts of iterations with a rate, of one scenario or of several that share a rate.

const { Histogram } = require('../../record/histogram')

/**
 * @typedef {object} ArrivalCounts a plain object
 * @property {number | null} scenario counted from 0; null for several that share a rate: an iteration that never
 *   started has none
 * @property {number} arrived iterations that were due at a time, and began
 * @property {number} neverStarted iterations that were due and had not started when the run ended
 * @property {import('../../record/histogram').Encoded} wait of the iterations that were due while every connection was
 *   busy
 */

class ArrivalTally {
  /** @param {number | null} scenario as in ArrivalCounts */
  constructor (scenario) {
    this.scenario = scenario
    this.arrived = 0
    this.neverStarted = 0
    this.wait = new Histogram()
  }

  /** @returns {boolean} whether anything was counted since the last time that it was handed over */
  get hasCounted () {
    return this.arrived > 0 || this.neverStarted > 0
  }

  /** @param {ArrivalCounts} counts */
  add ({ arrived, neverStarted, wait }) {
    this.arrived += arrived
    this.neverStarted += neverStarted
    this.wait.addEncoded(wait)
  }

  reset () {
    this.arrived = 0
    this.neverStarted = 0
    this.wait.reset()
  }

  /** @returns {ArrivalCounts} */
  encode () {
    const { scenario, arrived, neverStarted, wait } = this
    return { scenario, arrived, neverStarted, wait: wait.encode() }
  }
}

module.exports = { ArrivalTally }
