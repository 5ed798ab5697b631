'use strict'

// Owns when requests are intended to be sent, as pure arithmetic: no clock, no timer. Times are ms since the start of the
// load.

/**
 * The share of one connection in a constant rate: its n-th request is due at `phase + n · interval`. With the phases of
 * all connections spread over the interval, the whole rate is even.
 */
class Pace {
  /**
   * @param {number} interval ms between two requests of this connection
   * @param {number} phase ms until its first one
   * @param {number} [end] ms; what would be due then or later is not part of the run
   */
  constructor (interval, phase, end = Infinity) {
    this.interval = interval
    this.phase = phase
    this.total = Math.max(0, Math.ceil((end - phase) / interval - 1e-9))
    this.taken = 0
  }

  /**
   * @param {number} at
   * @returns {number} how many requests are due by then and have not been taken
   */
  due (at) {
    // The tolerance keeps a request that is due now from being put off by a rounding error.
    return Math.max(0, Math.min(this.total, Math.floor((at - this.phase) / this.interval + 1e-9) + 1) - this.taken)
  }

  /** @returns {number} when the next request to be taken is due */
  next () {
    return this.phase + this.taken * this.interval
  }
}

/** How much room the connections that share a pace have: in their pipelines, where the socket takes more and the budget is not used up. */
class Slots {
  constructor () {
    this.free = 0
    /** Until when there was none, on the clock of the connections; −Infinity while there always was. */
    this.fullUntil = -Infinity
    /** By how much the generator was late with a request that had room, ms, and when that was: see `waited`. */
    this.debt = 0
    this.owedAt = -Infinity
  }

  /**
   * A request is written now: did it wait for the server? What had room when it was due waited for the generator. So did
   * what is late by no more than that behind it: had the generator been in time, every answer had come earlier by up to as
   * much, and so had the room. The debt holds while what is due finds no room, and for as long as it is itself.
   * @param {number} intended when it was due
   * @param {number} at the time now
   * @returns {boolean}
   */
  waited (intended, at) {
    const lag = at - intended
    if (intended > this.fullUntil && (lag > this.debt || at > this.owedAt + this.debt)) {
      this.debt = lag
      this.owedAt = at
    }
    return lag > this.debt
  }

  /**
   * @param {number} n
   * @param {number} at
   */
  add (n, at) {
    if (this.free === 0) this.fullUntil = at
    this.free += n
  }
}

/**
 * @param {number} rate requests per second over all connections
 * @param {number} connections
 * @param {number} [end] ms
 * @param {number} [phase] ms until the first request
 * @returns {Pace[]} one each, phased against each other
 */
function paces (rate, connections, end, phase = 0) {
  const interval = 1000 / rate
  return Array.from({ length: connections }, (_, i) => new Pace(interval * connections, phase + interval * i, end))
}

module.exports = { Pace, Slots, paces }
