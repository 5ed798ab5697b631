'use strict'

// Counts of iterations with a rate, of one scenario or of several that share a rate.

const { Counts } = require('../../record/counts')
const { Histogram } = require('../../record/histogram')

/**
 * @typedef {import('../../record/counts').ReportOf<typeof ArrivalTally>} Report
 * @typedef {Report & { scenario: number | null }} ArrivalCounts a plain object
 */

/** @extends {Counts<Report>} */
class ArrivalTally extends Counts {
  static FIELDS = /** @type {const} */ (['arrived', 'neverStarted', 'wait'])

  /** @param {number | null} scenario counted from 0; null for several: an iteration that never started has none */
  constructor (scenario) {
    super()
    this.scenario = scenario
    /** Iterations that were due at a time, and began. */
    this.arrived = 0
    /** Iterations that were due and had not started when the run ended. */
    this.neverStarted = 0
    /** Of those that were due while every connection was busy. */
    this.wait = new Histogram()
  }

  /** @returns {boolean} whether anything was counted since the last time that it was handed over */
  get hasCounted () {
    return this.arrived > 0 || this.neverStarted > 0
  }

  /** @returns {ArrivalCounts} */
  encode () {
    return { scenario: this.scenario, ...super.encode() }
  }
}

module.exports = { ArrivalTally }
