'use strict'

// Owns the statistics of requests that have a name: as those of the whole run, each by itself.

const { OTHER_REQUESTS } = require('./checks')
const { Histogram } = require('./histogram')
const { Tally } = require('./tally')

/** A name has two histograms of 190 KB in each thread. Those beyond this many are counted as one. */
const MAX_NAMES = 100

/**
 * @typedef {import('./tally').Counts & RequestCount} RequestCounts a plain object
 *
 * @typedef {object} RequestCount
 * @property {string} name
 * @property {number} errors requests that failed or timed out
 * @property {import('./histogram').Encoded} ttfb
 */

/** One name. */
class RequestTally extends Tally {
  /** @param {string} name */
  constructor (name) {
    super()
    this.name = name
    this.lost = 0
    this.ttfb = new Histogram()
  }

  /** @returns {number} requests that failed or timed out */
  get errors () {
    return this.lost
  }

  /**
   * An answer is in the figures.
   * @param {number} ms latency
   * @param {number} ttfb ms
   */
  record (ms, ttfb) {
    this.latency.record(ms)
    this.ttfb.record(ttfb)
  }

  timeOut () {
    this.lost++
  }

  fail () {
    this.lost++
  }

  /** @param {RequestCounts} counts */
  add (counts) {
    super.add(counts)
    this.lost += counts.errors
    this.ttfb.addEncoded(counts.ttfb)
  }

  reset () {
    super.reset()
    this.lost = 0
    this.ttfb.reset()
  }

  /** @returns {RequestCounts} */
  encode () {
    const { name, errors, ttfb } = this
    return { name, errors, ...super.encode(), ttfb: ttfb.encode() }
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
