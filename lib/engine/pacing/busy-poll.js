'use strict'

// An even pace: shortly before a request is due it polls the clock in each turn of the event loop, which also reads
// responses. Until then a timer sleeps.
//
// A timer alone is late by up to 1 ms. Busy polling takes a whole core from 250 requests/s on (`node
// bench/pace-cost.js`; docs/measuring.md has the cost). Each turn allocates some 100 bytes, an Immediate and the clock
// value: a million turns per second cost a collection of 0.25 ms every 10 ms. So a turn also waits by itself, and
// longer while there is no response to read.

/**
 * A time further away is slept for, ms. A thread that has slept is late by 0.5 ms now and then, because an idle core
 * has to wake up, too.
 */
const NEAR = 4

/**
 * How much earlier a timer is set, ms: Node.js counts whole ms from the start of one, and the system wakes a thread up
 * to 0.1 ms late.
 */
const EARLY = 1.25

/** A member that is overdue by more has no room, and waits for a stalled server: one look per ms suffices. */
const OVERDUE = 10

/** How long a turn itself waits: a response that arrives meanwhile is read later by that, ms. */
const BUSY = 0.003
/** And while nothing is in flight: other work of the loop is later by that. */
const QUIET = 0.1

/**
 * A turn that takes longer has done something, for others of the thread perhaps, or had no core, ms. Most take 0.001.
 */
const IDLE = 0.02

class BusyPoll {
  /**
   * @param {import('./running-clock').RunningClock} clock
   * @param {import('../../core/timers').Timers} timers
   * @param {(ms: number) => void} spin waits
   * @param {() => boolean} isQuiet whether nothing is in flight
   */
  constructor (clock, timers, spin, isQuiet) {
    this.clock = clock
    this.timers = timers
    this.spin = spin
    this.isQuiet = isQuiet
    /** @type {() => number} */
    this.left = () => 0
    this.wake = () => {}
    this.stopped = false
    /** @type {NodeJS.Immediate | undefined} */
    this.immediate = undefined
    /** @type {NodeJS.Timeout | undefined} */
    this.timer = undefined
    // When the last turn read the clock; other code may have read it since.
    this.seen = -Infinity
    this.idleMs = 0
    this.onTurn = () => this.turn()
  }

  /**
   * Restarts a running timer, too: the next due time may have changed.
   * @param {() => number} left ms until something is due; less than 0 when it is overdue
   * @param {() => void} wake sends due requests, as far as possible
   */
  start (left, wake) {
    this.stop()
    this.stopped = false
    this.left = left
    this.wake = wake
    // Not at once: the caller may be in the middle of its own work.
    this.immediate = this.timers.soon(this.onTurn)
  }

  turn () {
    if (this.stopped) return
    this.immediate = undefined
    const { clock, seen } = this
    const undisturbed = clock.last === seen
    let left = this.left()
    const spent = clock.last - seen
    if (undisturbed && spent <= IDLE) this.idleMs += spent
    if (left > 0 && left <= NEAR) left = this.linger(left)
    if (left <= 0) {
      this.wake()
      // A hook may have ended the run, or started this again.
      if (this.stopped || this.immediate !== undefined) return
      left = this.left()
    }
    this.seen = clock.last
    if (left > NEAR) this.timer = this.timers.after(left - EARLY, this.onTurn)
    else if (left < -OVERDUE) this.timer = this.timers.after(1, this.onTurn)
    else this.immediate = this.timers.soon(this.onTurn)
  }

  /**
   * Waits within the turn.
   * @param {number} left ms until something is due
   * @returns {number} the same afterwards
   */
  linger (left) {
    const { clock, spin } = this
    const before = clock.last
    const wait = Math.min(left, left > BUSY && this.isQuiet() ? QUIET : BUSY)
    spin(wait)
    const after = this.left()
    const spent = clock.last - before
    if (spent <= wait + IDLE) this.idleMs += spent
    return after
  }

  /** @returns {number} ms since the last call in turns that only waited */
  takeIdleMs () {
    const { idleMs } = this
    this.idleMs = 0
    return idleMs
  }

  stop () {
    this.stopped = true
    this.timers.cancel(this.timer)
    this.timers.cancelSoon(this.immediate)
  }
}

module.exports = { BusyPoll }
