'use strict'

// The requests that are due but not sent, for connections that share a pace, and whether they waited because of the
// server. It has no clock and no timer.

const { NEVER, Sequel } = require('../../shapes/pace')

class Queue {
  /** @param {import('../../shapes/pace').Pace} [pace] */
  constructor (pace = NEVER) {
    this.pace = pace
    /** How many of its requests have been sent. */
    this.taken = 0
    /**
     * How many more requests its connections have room for: in pipelines of open sockets that take more, where a budget
     * is not used up.
     */
    this.free = 0
    /** Until when there was none, on the clock of the connections; −Infinity while there always was. */
    this.fullUntil = -Infinity
    /** By how much the generator was late with a request that had room, ms, and when that was: see `waited`. */
    this.debt = 0
    this.owedAt = -Infinity
    /** By how much requests that are written now are late because of the generator, ms. @type {number[]} */
    this.lags = []
  }

  /**
   * @param {number} at ms since the start of the load
   * @returns {number} how many requests are due by then and wait
   */
  due (at) {
    return Math.max(0, this.pace.dueBy(at) - this.taken)
  }

  /** @returns {number} when the next request is due, ms since the start of the load */
  next () {
    return this.pace.dueAt(this.taken)
  }

  /** @returns {number} when the next request was due, which leaves the queue */
  take () {
    return this.pace.dueAt(this.taken++)
  }

  /**
   * Another pace decides from now on. Due requests still wait.
   * @param {import('../../shapes/pace').Pace} pace
   * @param {number} at ms since the start of the load
   */
  follow (pace, at) {
    if (this.due(at) > 0) {
      this.pace = new Sequel(this.pace, at, pace)
    } else {
      this.pace = pace
      this.taken = pace.dueBy(at)
    }
  }

  /**
   * Drops the due requests: no connection is left to send them.
   * @param {number} at ms since the start of the load
   * @returns {number} how many requests that are
   */
  drop (at) {
    const due = this.due(at)
    this.taken += due
    return due
  }

  /**
   * A request is written now: did it wait for the server? With room when it was due, it waited for the generator. So
   * did requests that are late by no more than that after it: had the generator been in time, every response had come
   * earlier by up to as much, and so had the room. The debt holds while due requests find no room, for at most its own
   * length. A request waited for the server only until there was room, which may be earlier than now: a response that
   * makes room has its arrival time.
   * @param {number} intended when it was due
   * @param {number} at the time now
   * @returns {number} how long it waited for the server, ms; 0 when it did not
   */
  waited (intended, at) {
    const { fullUntil } = this
    const lag = at - intended
    if (intended > fullUntil && (lag > this.debt || at > this.owedAt + this.debt)) {
      this.debt = lag
      this.owedAt = at
    }
    const wait = (fullUntil < at ? fullUntil : at) - intended - this.debt
    return wait > 0 ? wait : 0
  }

  /** @type {(n: number, at: number) => void} */
  add (n, at) {
    if (this.free === 0) this.fullUntil = at
    this.free += n
  }
}

module.exports = { Queue }
