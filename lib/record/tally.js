'use strict'

// The common counts of named requests, stages and other parts of a run: responses and failures.

const { Counts } = require('./counts')
const { Histogram } = require('./histogram')
const { countErrors } = require('./statuses')

/**
 * @typedef {{ allowed: number, faulty: number, statuses: Record<string, number>, latency: import('./histogram').Encoded
 *   }} TallyReport the counts of a part as a plain object
 */

/** @abstract @template [Report=any] @extends {Counts<Report>} */
class Tally extends Counts {
  static FIELDS = /** @type {ReadonlyArray<string>} */ (['allowed', 'faulty', 'statuses', 'latency'])

  /** @param {Histogram} [latency] an empty one */
  constructor (latency = new Histogram()) {
    super()
    this.allowed = 0
    this.faulty = 0
    /** @type {Record<string, number>} */
    this.statuses = {}
    this.latency = latency
  }

  /**
   * @abstract
   * @returns {number} requests without a response
   */
  get errors () {
    return 0
  }

  /** @returns {number} responses with an unexpected 4xx or 5xx */
  get unexpected () {
    return countErrors(this.statuses) - this.allowed
  }

  /** @returns {number} failed requests, each once */
  get failures () {
    return this.errors + this.unexpected + this.faulty
  }

  /**
   * Counts a response in the figures.
   * @abstract
   * @param {number} ms latency
   * @param {number} ttfb ms
   * @param {number} size bytes
   */
  record (ms, ttfb, size) {}

  /** @abstract @param {string} code of the error */
  timeOut (code) {}

  /** @abstract @param {string} code of the error */
  fail (code) {}

  /** @param {number} status @param {number} [n] */
  count (status, n = 1) {
    this.statuses[status] = (this.statuses[status] ?? 0) + n
  }

  /** @param {number} status of a response */
  complete (status) {
    this.count(status)
  }
}

module.exports = { Tally }
