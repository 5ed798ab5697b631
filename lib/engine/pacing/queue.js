'use strict'

// Due but unsent requests of connections that share a pace, and the cause of their wait: the server or the generator.
// It has no clock and no timer.

const { NEVER, Sequel } = require('../../shapes/pace')

class Queue {
  /** @param {import('../../shapes/pace').Pace} [pace] */
  constructor (pace = NEVER) {
    this.pace = pace
    /** The number of sent requests. */
    this.taken = 0
    /** The room for requests: in pipelines of open sockets that accept writes, within budgets. */
    this.free = 0
    /** The end of the last time without room, on the clock of the connections; −Infinity if there always was room. */
    this.fullUntil = -Infinity
    /** The lag of the generator at the last late request with room, ms, and its time: see `waited`. */
    this.debt = 0
    this.owedAt = -Infinity
    /** Lags of requests in the current write that the generator caused, ms. @type {number[]} */
    this.lags = []
  }

  /**
   * @param {number} at ms since the start of the load
   * @returns {number} the number of due and unsent requests
   */
  due (at) {
    return Math.max(0, this.pace.dueBy(at) - this.taken)
  }

  /** @returns {number} due time of the next request, ms since the start of the load */
  next () {
    return this.pace.dueAt(this.taken)
  }

  /** @returns {number} due time of the next request, after removing it from the queue */
  take () {
    return this.pace.dueAt(this.taken++)
  }

  /**
   * Switches to another pace. Due requests stay in the queue.
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
   * Drops the due requests, because no connection is left to send them.
   * @param {number} at ms since the start of the load
   * @returns {number} the number of dropped requests
   */
  drop (at) {
    const due = this.due(at)
    this.taken += due
    return due
  }

  /**
   * Determines the wait of a request for the server, at its write. If there was room at its due time, the generator
   * caused the wait. The same holds for later requests that are late by up to this lag: an on-time generator would have
   * received all responses earlier by up to the lag, and so would have had room. This debt lasts while due requests
   * find no room, at most for its own length. A wait for the server ends as soon as there is room, which may be before
   * now: a response has made room at its arrival time.
   * @param {number} intended its due time
   * @param {number} at the time now
   * @returns {number} wait for the server, ms
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
