'use strict'

// The statistics of the iterations of one scenario: how many started, how they ended, and how long completed ones took.

const { Counts, CountsByKey } = require('../../record/counts')
const { Histogram } = require('../../record/histogram')

/**
 * @typedef {import('../../record/counts').ReportOf<typeof IterationTally>} Report
 * @typedef {Report & { scenario: number, longestActive: number, waiting: import('../../record/histogram').Encoded |
 *   null }} IterationCounts a plain object
 */

/** An iteration hangs only if it has waited for a response for at least this time, ms. */
const LEAST_WAIT = 1000

/** It also has to have taken more than this multiple of the longest completed iteration. */
const BEYOND = 2

/** Further reasons are counted together. */
const MAX_REASONS = 100
const OTHER_REASONS = 'other reasons'

/** @extends {Counts<Report>} */
class IterationTally extends Counts {
  static FIELDS = /** @type {const} */ (['started', 'completed', 'cutBy', 'duration', 'active'])

  /** @param {number} scenario counted from 0 */
  constructor (scenario) {
    super()
    this.scenario = scenario
    /** Iterations that are running. A report does not reset it. */
    this.running = 0
    /** The longest duration of a completed iteration, ms. A report does not reset it. */
    this.longest = 0
    this.started = 0
    this.completed = 0
    /** Aborted iterations by their reason, which may be any text. */
    this.cutBy = new CountsByKey(MAX_REASONS, OTHER_REASONS)
    /**
     * Of completed iterations, with pauses, since they were due or started. At the end of the run, the durations so far
     * of iterations that took longer than any completed one are added (`abandon`).
     */
    this.duration = new Histogram()
    /** The same without pauses. */
    this.active = new Histogram()
    /** The longest of completed iterations without pauses, ms; 0 for none. A report does not reset it. */
    this.longestActive = 0
    /**
     * The durations so far, without pauses, of iterations that had waited for a response for LEAST_WAIT when the run
     * ended; null for none.
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

  /** @returns {number} of a whole run: iterations that had not ended when the run ended, or their generator died */
  get unfinished () {
    return this.started - this.completed - this.cuts
  }

  /**
   * @returns {number} of a whole run: unfinished iterations that hung when the run ended, so that their duration is
   *   unknown
   */
  get hanging () {
    return this.waiting === null || this.longestActive === 0 ? 0 : this.waiting.countAbove(BEYOND * this.longestActive)
  }

  /** @returns {boolean} whether anything was counted since the last report */
  get hasCounted () {
    return this.started > 0 || this.completed > 0 || this.cutBy.size > 0 || this.duration.count > 0 ||
      this.waiting !== null
  }

  start () {
    this.started++
    this.running++
  }

  /**
   * @param {number} duration ms
   * @param {number} active ms
   */
  complete (duration, active) {
    this.completed++
    this.running--
    if (duration > this.longest) this.longest = duration
    if (active > this.longestActive) this.longestActive = active
    this.duration.record(duration)
    this.active.record(active)
  }

  /**
   * The run ends while the iteration waits for a response. If it has taken longer than any completed one, its duration
   * so far is recorded: without it, the slowest iterations would be missing. A shorter one is excluded.
   * @param {number} duration ms so far
   * @param {number} active ms
   * @param {number} waited for that response, ms
   */
  abandon (duration, active, waited) {
    if (waited >= LEAST_WAIT) (this.waiting ??= new Histogram()).record(active)
    if (this.longest === 0 || duration <= this.longest) return
    this.duration.record(duration)
    this.active.record(active)
  }

  /** @param {string} reason */
  cut (reason) {
    this.running--
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
