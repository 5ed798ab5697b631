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

  /** @param {number | null} scenario counted from 0; null for several that share a rate */
  constructor (scenario) {
    super()
    this.scenario = scenario
    /** Due iterations that started. */
    this.arrived = 0
    /** Due iterations that had not started when the run ended. */
    this.neverStarted = 0
    /** The delays of those that were due while every connection was busy, ms. */
    this.wait = new Histogram()
  }

  /** @returns {boolean} whether anything was counted since the last report */
  get hasCounted () {
    return this.arrived > 0 || this.neverStarted > 0
  }

  /** @returns {ArrivalCounts} */
  encode () {
    return { scenario: this.scenario, ...super.encode() }
  }
}

module.exports = { ArrivalTally }
