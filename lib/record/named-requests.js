'use strict'

// Owns the statistics of requests that have a name: as those of the whole run, each by itself.

const { OTHER_REQUESTS } = require('./checks')
const { Histogram } = require('./histogram')
const { countErrors } = require('./statuses')

/** A name has two histograms of 190 KB in each thread. Those beyond this many are counted as one. */
const MAX_NAMES = 100

/**
 * @typedef {object} RequestCounts a plain object
 * @property {string} name
 * @property {number} errors requests that failed or timed out
 * @property {number} allowed as in a Snapshot
 * @property {number} faulty as in a Snapshot
 * @property {Record<string, number>} statuses completed requests by status code
 * @property {import('./histogram').Encoded} latency
 * @property {import('./histogram').Encoded} ttfb
 */

/** One name. */
class RequestTally {
  /** @param {string} name */
  constructor (name) {
    this.name = name
    this.errors = 0
    this.allowed = 0
    this.faulty = 0
    /** @type {Record<string, number>} */
    this.statuses = {}
    this.latency = new Histogram()
    this.ttfb = new Histogram()
  }

  /** @returns {number} requests that did not get what they should, each once */
  get failures () {
    return this.errors + this.unexpected + this.faulty
  }

  /** @returns {number} answers of 4xx and 5xx that nobody expected */
  get unexpected () {
    return countErrors(this.statuses) - this.allowed
  }

  /**
   * @param {number} status
   * @param {number} [n]
   */
  complete (status, n = 1) {
    this.statuses[status] = (this.statuses[status] ?? 0) + n
  }

  /** @param {RequestCounts} counts */
  add ({ errors, allowed, faulty, statuses, latency, ttfb }) {
    this.errors += errors
    this.allowed += allowed
    this.faulty += faulty
    for (const [status, n] of Object.entries(statuses)) this.complete(Number(status), n)
    this.latency.addEncoded(latency)
    this.ttfb.addEncoded(ttfb)
  }

  reset () {
    this.errors = 0
    this.allowed = 0
    this.faulty = 0
    this.statuses = {}
    this.latency.reset()
    this.ttfb.reset()
  }

  /** @returns {RequestCounts} */
  encode () {
    const { name, errors, allowed, faulty, statuses } = this
    return { name, errors, allowed, faulty, statuses: { ...statuses }, latency: this.latency.encode(), ttfb: this.ttfb.encode() }
  }
}

/** All names of a run, in the order in which they were first asked for. */
class NamedRequests {
  constructor () {
    /** @type {Map<string, RequestTally>} */
    this.tallies = new Map()
  }

  /**
   * @param {string} name
   * @returns {RequestTally}
   */
  of (name) {
    const counted = this.tallies.has(name) || this.tallies.size < MAX_NAMES ? name : OTHER_REQUESTS
    let tally = this.tallies.get(counted)
    if (tally === undefined) this.tallies.set(counted, tally = new RequestTally(counted))
    return tally
  }

  /** @param {RequestCounts[]} list */
  add (list) {
    for (const counts of list) this.of(counts.name).add(counts)
  }

  /** Counts from 0; whoever holds a tally goes on with it. */
  reset () {
    for (const tally of this.tallies.values()) tally.reset()
  }

  /** @returns {RequestCounts[]} */
  encode () {
    return Array.from(this.tallies.values(), tally => tally.encode())
  }
}

module.exports = { NamedRequests, RequestTally, MAX_NAMES }
