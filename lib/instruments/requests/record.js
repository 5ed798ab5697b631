'use strict'

// The statistics of each named request, which are like those of the whole run.

const { OTHER_REQUESTS } = require('../checks/record')
const { Histogram } = require('../../record/histogram')
const { Tally } = require('../../record/tally')

/** A name has two histograms of 190 KB in each thread. Those beyond this many are counted as one. */
const MAX_NAMES = 100

/**
 * Handing over the latencies of a name takes 0.03 to 0.4 ms without sends, by the number of filled buckets. A sample
 * has the names that fill this number, and the next one goes on: a third of a millisecond.
 */
const BUCKETS_IN_TURN = 2000

/** A name takes as long as this number of buckets, even with fewer. */
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

  /** @returns {boolean} whether there is anything but latencies to hand over */
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
    /** How many names were handed over at least once. */
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

  /** Counts from 0. Holders of a tally keep theirs. */
  skip () {
    for (const tally of this.tallies.values()) tally.reset()
    this.handedOver = 0
  }

  /**
   * Counts of all names, and latencies of as many as there is room for: the others keep theirs for later.
   * @param {boolean} [isLast] whether there is no later: latencies of all
   * @returns {RequestCounts[]} the additions since the last call; each name at least once, so that their order is known
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
