'use strict'

// The statistics of each named request.

const { OTHER_REQUESTS } = require('../checks/record')
const { Histogram } = require('../../record/histogram')
const { Tally } = require('../../record/tally')

/** A name has two histograms of 190 KB in each thread. Further names are counted together. */
const MAX_NAMES = 100

/**
 * Nothing is sent while the latencies of a name are handed over, for 0.03 to 0.4 ms by the number of filled buckets. A
 * sample hands over names up to this number of buckets, a third of a millisecond; the next sample continues.
 */
const BUCKETS_IN_TURN = 2000

/** The time for a name is at least that of this number of buckets. */
const BUCKETS_OF_NAME = 400

const NOTHING = Object.freeze({ count: 0, sum: 0, shift: 0, squares: 0, min: 0, max: 0, buckets: [] })

/**
 * @typedef {import('../../record/tally').TallyReport & RequestCount} RequestCounts a plain object
 *
 * @typedef {object} RequestCount
 * @property {string} name
 * @property {number} errors requests that failed or timed out
 * @property {import('../../record/histogram').Encoded} ttfb
 */

/** @extends {Tally<RequestCounts>} */
class RequestTally extends Tally {
  static FIELDS = [...Tally.FIELDS, 'ttfb']

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
   * A response is in the figures.
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
  }

  reset () {
    super.reset()
    this.lost = 0
  }

  /** @returns {RequestCounts} */
  encode () {
    return { ...super.encode(), name: this.name, errors: this.errors }
  }

  /** @returns {boolean} whether there are counts to hand over */
  get hasCounted () {
    return this.lost > 0 || this.allowed > 0 || this.faulty > 0 || Object.keys(this.statuses).length > 0
  }

  /** @returns {Pick<RequestCounts, 'latency' | 'ttfb'>} the latencies since the last call */
  takeLatencies () {
    const taken = { latency: this.latency.encode(), ttfb: this.ttfb.encode() }
    this.latency.reset()
    this.ttfb.reset()
    return taken
  }

  /** @returns {Omit<RequestCounts, 'latency' | 'ttfb'>} the counts since the last call */
  takeCounts () {
    const { name, lost, allowed, faulty, statuses } = this
    this.lost = this.allowed = this.faulty = 0
    this.statuses = {}
    return { name, errors: lost, allowed, faulty, statuses }
  }
}

/** All names of a run, in the order of their first use. */
class NamedRequests {
  constructor () {
    /** @type {Map<string, RequestTally>} */
    this.tallies = new Map()
    /** The number of names that were handed over before. */
    this.handedOver = 0
    /** The index of the name whose latencies are handed over next. */
    this.turn = 0
  }

  /** @param {string} name @returns {RequestTally} */
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

  /** Starts from 0. References to a tally stay valid. */
  skip () {
    for (const tally of this.tallies.values()) tally.reset()
    this.handedOver = 0
  }

  /**
   * Hands over the counts of all names, and the latencies of some: those of the others follow later.
   * @param {boolean} [isLast] whether it is the last call, which hands over all latencies
   * @returns {RequestCounts[]} the counts since the last call; each name at least once, so that their order is known
   */
  take (isLast = false) {
    const tallies = [...this.tallies.values()]
    /** @type {Map<RequestTally, ReturnType<RequestTally['takeLatencies']>>} */
    const latencies = new Map()
    for (let [room, left] = [isLast ? Infinity : BUCKETS_IN_TURN, tallies.length]; room > 0 && left > 0; left--) {
      const tally = tallies[this.turn]
      this.turn = (this.turn + 1) % tallies.length
      if (tally.latency.count === 0) continue
      const taken = tally.takeLatencies()
      latencies.set(tally, taken)
      room -= BUCKETS_OF_NAME + (taken.latency.buckets.length + taken.ttfb.buckets.length) / 2
    }
    const reported = tallies.length === this.handedOver
      ? tallies.filter(tally => tally.hasCounted || latencies.has(tally))
      : tallies
    this.handedOver = tallies.length
    return reported.map(tally => ({
      ...tally.takeCounts(), ...latencies.get(tally) ?? { latency: NOTHING, ttfb: NOTHING }
    }))
  }

  /** @returns {RequestCounts[]} */
  encode () {
    return Array.from(this.tallies.values(), tally => tally.encode())
  }
}

module.exports = { NamedRequests, Live: NamedRequests, Total: NamedRequests, RequestTally, MAX_NAMES }
