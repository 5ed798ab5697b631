'use strict'

// The statistics of one stage. A request belongs to the stage in which it was due, whenever its response comes. An
// error that is no request's fate belongs to the stage in which it happened.

const { sum } = require('../../core/statistics')
const { Tally } = require('../../record/tally')
const { GoodputTally } = require('../goodput/record')
const { StageTimes } = require('./stage-times')

/** Counts of a stage in addition to those of every part of a run. */
const STAGE_COUNTERS = Object.freeze(/** @type {const} */ ([
  'sent', 'written', 'late', 'timedOut', 'failed', 'abandoned', 'neverSent', 'unsent', 'bytes', 'arrived', 'begun',
  'waited', 'neverStarted', 'connections'
]))

/**
 * @typedef {Record<typeof STAGE_COUNTERS[number], number>} StageCounters
 *
 * @typedef {import('../../record/tally').TallyReport & StageCounters & { stage: number,
 *   errorCodes: Record<string, number>, times?: import('./stage-times').EncodedTimes,
 *   goodput?: import('../goodput/record').Report }} StageCounts a plain object
 */

/** @extends {Tally<StageCounts>} */
class StageTally extends Tally {
  static FIELDS = [...Tally.FIELDS, ...STAGE_COUNTERS, 'errorCodes']

  /**
   * @param {number} stage counted from 0
   * @param {import('../../record/histogram').Histogram} [latency] an empty one
   */
  constructor (stage, latency) {
    super(latency)
    this.stage = stage
    /** Requests that belong to it: due in it, or written in it if requests have no due times. */
    this.sent = 0
    /** Requests of any stage that were written during it. */
    this.written = 0
    // As in Counters.
    this.late = 0
    this.timedOut = 0
    this.failed = 0
    this.abandoned = 0
    this.neverSent = 0
    this.unsent = 0
    /** Bytes of responses that are in the figures. */
    this.bytes = 0
    /** Iterations that were due in it, and began. */
    this.arrived = 0
    /** Iterations due in any stage that began during it. */
    this.begun = 0
    /** Iterations due in it that had to wait for a free connection, and that never began. */
    this.waited = 0
    this.neverStarted = 0
    /** Connections that were open at its end. */
    this.connections = 0
    /** Its requests without a fate. A reset keeps them. */
    this.inFlight = 0
    /** @type {Record<string, number>} */
    this.errorCodes = {}
    /** Times of streams; null if no step of a search is judged by them. @type {StageTimes | null} */
    this.times = null
    /** Likewise by a goodput. @type {import('../goodput/record').GoodputTally | null} */
    this.goodput = null
  }

  /** @returns {number} responses */
  get completed () {
    return sum(Object.values(this.statuses))
  }

  get errors () {
    return this.timedOut + this.failed + this.neverSent
  }

  /** @returns {boolean} whether anything was counted since the last reset */
  get hasCounted () {
    return STAGE_COUNTERS.some(counter => this[counter] > 0) || this.latency.count > 0 || this.allowed > 0 ||
      this.faulty > 0 || Object.keys(this.statuses).length > 0 ||
      (this.times !== null && this.times.hasCounted) || (this.goodput !== null && this.goodput.hasCounted)
  }

  /** @param {number} n requests of the stage that are written */
  send (n) {
    this.sent += n
    this.inFlight += n
  }

  /** @param {number} status */
  complete (status) {
    this.inFlight--
    this.count(status)
  }

  /**
   * A response is in the figures.
   * @param {number} ms latency
   * @param {number} ttfb ms
   * @param {number} size bytes
   */
  record (ms, ttfb, size) {
    this.latency.record(ms)
    this.bytes += size
  }

  /** @param {string} code of the error */
  timeOut (code) {
    this.inFlight--
    this.timedOut++
    this.countError(code, 1)
  }

  /** @param {string} code of the error */
  fail (code) {
    this.inFlight--
    this.failed++
    this.countError(code, 1)
  }

  abandon () {
    this.inFlight--
    this.abandoned++
  }

  /** @param {string} code of errors that are no request's fate @param {number} n */
  failUnsent (code, n) {
    this.neverSent += n
    this.countError(code, n)
  }

  /** @param {string} code @param {number} n */
  countError (code, n) {
    this.errorCodes[code] = (this.errorCodes[code] ?? 0) + n
  }

  /** @param {StageCounts} counts */
  add (counts) {
    super.add(counts)
    if (counts.times !== undefined) (this.times ??= new StageTimes()).add(counts.times)
    if (counts.goodput !== undefined) (this.goodput ??= new GoodputTally()).add(counts.goodput)
  }

  reset () {
    super.reset()
    this.times?.reset()
    this.goodput?.reset()
  }

  /** @returns {StageCounts} */
  encode () {
    const { stage, times, goodput } = this
    return {
      ...super.encode(), stage, ...times !== null && { times: times.encode() },
      ...goodput !== null && { goodput: goodput.encode() }
    }
  }
}

module.exports = { StageTally }
