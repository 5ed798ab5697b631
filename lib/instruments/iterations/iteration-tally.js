'use strict'

// The statistics of the iterations of one scenario: how many started, how each ended, and the duration of completed
// ones. The user decides when an iteration ends, and why it is aborted.

const { Counts, CountsByKey } = require('../../record/counts')
const { Histogram } = require('../../record/histogram')

/**
 * @typedef {import('../../record/counts').ReportOf<typeof IterationTally>} Report
 * @typedef {Report & { scenario: number, longestActive: number, waiting: import('../../record/histogram').Encoded |
 *   null }} IterationCounts a plain object
 */

/** An iteration that waits for a response for less, ms, does not hang, however fast the others were. */
const LONG_WAIT = 1000

/** An iteration that has taken this multiple of any completed one, and waits for a response, hangs. */
const BEYOND = 2

/** Reasons beyond this many are counted as one. */
const MAX_REASONS = 100
const OTHER_REASONS = 'other reasons'

/** @extends {Counts<Report>} */
class IterationTally extends Counts {
  static FIELDS = /** @type {const} */ (['started', 'completed', 'cutBy', 'duration', 'active'])

  /** @param {number} scenario counted from 0 */
  constructor (scenario) {
    super()
    this.scenario = scenario
    /** Running iterations, which `take` keeps. */
    this.going = 0
    /** The longest that was completed so far, ms; likewise. */
    this.longest = 0
    this.started = 0
    this.completed = 0
    /** Aborted ones, by the reason, which may be any text. */
    this.cutBy = new CountsByKey(MAX_REASONS, OTHER_REASONS)
    /**
     * Of completed ones, from when each was due or began, with its pauses; and after them the age of those that were
     * stuck when the run ended.
     */
    this.duration = new Histogram()
    /** The same without pauses. */
    this.active = new Histogram()
    /** ms without pauses of the longest that was completed so far; 0 for none. `take` keeps it. */
    this.longestActive = 0
    /**
     * How old those were without pauses that had waited for a response for long when the run ended; null for none.
     * @type {Histogram | null}
     */
    this.waiting = null
  }

  /** @returns {number} iterations that were aborted */
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
    this.cutBy.count(reason)
  }

  /** @param {IterationCounts} counts */
  add (counts) {
    super.add(counts)
    const { longestActive, waiting } = counts
    if (longestActive > this.longestActive) this.longestActive = longestActive
    if (waiting !== null) (this.waiting ??= new Histogram()).addEncoded(waiting)
  }

  reset () {
    super.reset()
    this.waiting = null
  }

  /** @returns {IterationCounts} */
  encode () {
    const { scenario, longestActive, waiting } = this
    return { scenario, ...super.encode(), longestActive, waiting: waiting?.encode() ?? null }
  }
}

module.exports = { IterationTally }
