'use strict'

// An even pace: shortly before a request is due it polls the clock in each turn of the event loop, which also reads
// responses. Until then a timer sleeps.
//
// A timer alone is late by up to 1 ms. Busy polling takes a whole core above 250 requests/s (`node bench/pace-cost.js`;
// docs/measuring.md has the cost). Each turn allocates some 100 bytes, an Immediate and the clock value: a million
// turns per second cost a collection of 0.25 ms every 10 ms. So each turn also waits, and longer while no response is
// expected.

/**
 * Above this time until the next request the thread sleeps, ms. After a sleep it is sometimes late by 0.5 ms, because
 * an idle core has to wake up.
 */
const NEAR = 4

/** The safety margin of the timer, ms: Node.js counts whole ms, and the system wakes a thread up to 0.1 ms late. */
const EARLY = 1.25

/**
 * A member that is overdue by more than this, ms, has no room and waits for a stalled server: a check per ms suffices.
 */
const OVERDUE = 10

/** The wait per turn, ms. It delays the read of a response. */
const BUSY = 0.003
/** The wait per turn while nothing is in flight, ms. It delays other work of the event loop. */
const QUIET = 0.1

/** A longer turn has done other work or lost its core, ms. Most turns take 0.001. */
const IDLE = 0.02

class BusyPoll {
  /**
   * @param {import('./running-clock').RunningClock} clock
   * @param {import('../../core/timers').Timers} timers
   * @param {(ms: number) => void} spin waits
   * @param {() => boolean} isQuiet returns whether nothing is in flight
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
    // The clock of the last turn; other code may have read the clock since.
    this.seen = -Infinity
    this.idleMs = 0
    this.onTurn = () => this.turn()
  }

  /**
   * Also restarts a running timer, because the next due time may have changed.
   * @param {() => number} left ms until the next due time; negative if overdue
   * @param {() => void} wake sends due requests
   */
  start (left, wake) {
    this.stop()
    this.stopped = false
    this.left = left
    this.wake = wake
    // Not in this turn, because the caller may still be at work.
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
      // A hook may have ended the run, or restarted the poll.
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
   * @param {number} left ms until the next due time
   * @returns {number} the remaining ms after the wait
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

  /** @returns {number} ms of turns without work since the last call */
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
