'use strict'

// The counts that named requests, stages and other parts of a run have in common: responses and failures.

const { Histogram } = require('./histogram')
const { countErrors } = require('./statuses')

/**
 * @typedef {object} Counts of a part, a plain object
 * @property {number} allowed as in a Snapshot
 * @property {number} faulty as in a Snapshot
 * @property {Record<string, number>} statuses completed requests by status code
 * @property {import('./histogram').Encoded} latency
 */

/** @abstract */
class Tally {
  /** @param {Histogram} [latency] an empty one */
  constructor (latency = new Histogram()) {
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
   * A response is in the figures.
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

  /** @param {Counts} counts */
  add ({ allowed, faulty, statuses, latency }) {
    this.allowed += allowed
    this.faulty += faulty
    for (const [status, n] of Object.entries(statuses)) this.count(Number(status), n)
    this.latency.addEncoded(latency)
  }

  reset () {
    this.allowed = 0
    this.faulty = 0
    this.statuses = {}
    this.latency.reset()
  }

  /** @returns {Counts} */
  encode () {
    const { allowed, faulty, statuses, latency } = this
    return { allowed, faulty, statuses: { ...statuses }, latency: latency.encode() }
  }
}

module.exports = { Tally }
