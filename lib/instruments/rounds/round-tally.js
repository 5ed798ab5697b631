'use strict'

// The statistics of the iterations of one scenario: how many started, how each ended, and the duration of completed
// ones. The user decides when an iteration ends, and why it is aborted.

const { Histogram } = require('../../record/histogram')

/**
 * @typedef {object} RoundCounts a plain object
 * @property {number} scenario counted from 0
 * @property {number} started
 * @property {number} completed
 * @property {Record<string, number>} cutBy iterations that were aborted, by the reason
 * @property {import('../../record/histogram').Encoded} duration of completed ones, from when each was due or began,
 *   with its pauses; and after them the age of those that were stuck when the run ended
 * @property {import('../../record/histogram').Encoded} active the same without pauses
 * @property {number} longestActive ms without pauses of the longest that was completed so far; 0 for none
 * @property {import('../../record/histogram').Encoded | null} waiting how old those were without pauses that had waited
 *   for a response for long when the run ended; null for none
 */

/** An iteration that waits for a response for less, ms, does not hang, however fast the others were. */
const LONG_WAIT = 1000

/** An iteration that has taken this multiple of any completed one, and waits for a response, hangs. */
const BEYOND = 2

/** Reasons beyond this many are counted as one. */
const MAX_REASONS = 100
const OTHER_REASONS = 'other reasons'

class RoundTally {
  /** @param {number} scenario counted from 0 */
  constructor (scenario) {
    this.scenario = scenario
    /** Running iterations, which `take` keeps. */
    this.going = 0
    /** The longest that was completed so far, ms; likewise. */
    this.longest = 0
    this.started = 0
    this.completed = 0
    /** Reasons may be any text. @type {Map<string, number>} */
    this.cutBy = new Map()
    this.duration = new Histogram()
    this.active = new Histogram()
    /** Of a completed one, without pauses. `take` keeps it. */
    this.longestActive = 0
    /** As in RoundCounts; made when there is one. @type {Histogram | null} */
    this.waiting = null
  }

  /** @returns {number} rounds that were aborted */
  get cuts () {
    let sum = 0
    for (const n of this.cutBy.values()) sum += n
    return sum
  }

  /**
   * @returns {number} of all that was handed over: iterations that went on when the run ended, or their generator died
   */
  get unfinished () {
    return this.started - this.completed - this.cuts
  }

  /**
   * @returns {number} unfinished ones that hung when the run ended, so that their duration is unknown; of all that was
   *   handed over
   */
  get hanging () {
    return this.waiting === null || this.longestActive === 0 ? 0 : this.waiting.countAbove(BEYOND * this.longestActive)
  }

  /** @returns {boolean} whether anything was counted since the last time that it was handed over */
  get hasCounted () {
    return this.started > 0 || this.completed > 0 || this.cutBy.size > 0 || this.duration.count > 0 ||
      this.waiting !== null
  }

  start () {
    this.started++
    this.going++
  }

  /**
   * @param {number} duration ms
   * @param {number} active ms
   */
  complete (duration, active) {
    this.completed++
    this.going--
    if (duration > this.longest) this.longest = duration
    if (active > this.longestActive) this.longestActive = active
    this.duration.record(duration)
    this.active.record(active)
  }

  /**
   * The run ends while the iteration waits for a response. One that has lasted longer than any that was completed would
   * have taken longer still, and is among the durations with its age; a younger one is excluded.
   * @param {number} duration ms so far
   * @param {number} active ms
   * @param {number} waited ms for that response
   */
  abandon (duration, active, waited) {
    if (waited >= LONG_WAIT) (this.waiting ??= new Histogram()).record(active)
    if (this.longest === 0 || duration <= this.longest) return
    this.duration.record(duration)
    this.active.record(active)
  }

  /** @param {string} reason */
  cut (reason) {
    this.going--
    this.count(reason, 1)
  }

  /** @param {string} reason @param {number} n */
  count (reason, n) {
    const counted = this.cutBy.has(reason) || this.cutBy.size < MAX_REASONS ? reason : OTHER_REASONS
    this.cutBy.set(counted, (this.cutBy.get(counted) ?? 0) + n)
  }

  /** @param {RoundCounts} counts */
  add ({ started, completed, cutBy, duration, active, longestActive, waiting }) {
    this.started += started
    this.completed += completed
    for (const [reason, n] of Object.entries(cutBy)) this.count(reason, n)
    this.duration.addEncoded(duration)
    this.active.addEncoded(active)
    if (longestActive > this.longestActive) this.longestActive = longestActive
    if (waiting !== null) (this.waiting ??= new Histogram()).addEncoded(waiting)
  }

  reset () {
    this.started = 0
    this.completed = 0
    this.cutBy.clear()
    this.duration.reset()
    this.active.reset()
    this.waiting = null
  }

  /** @returns {RoundCounts} */
  encode () {
    const { scenario, started, completed, cutBy, duration, active, longestActive, waiting } = this
    return {
      scenario, started, completed, cutBy: Object.fromEntries(cutBy), duration: duration.encode(),
      active: active.encode(), longestActive, waiting: waiting?.encode() ?? null
    }
  }
}

module.exports = { RoundTally }
