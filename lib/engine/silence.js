'use strict'

// Measures the time without data from the server while requests wait. Time in which the generator did not read is
// excluded, because data may have arrived then.

/**
 * @typedef {object} Connection
 * @property {number} readAt time of the last read
 * @property {number} waitingSince start of the wait of its oldest request; Infinity without any
 */

class Silence {
  /** @param {number} interval ms between two checks */
  constructor (interval) {
    this.interval = interval
    this.checkedAt = 0
    this.receivedAt = 0
    /** The time without checks since then, ms. */
    this.unreadMs = 0
  }

  /** @param {number} at */
  start (at) {
    this.checkedAt = this.receivedAt = at
  }

  /** @param {number} at time of the last read of a closed connection */
  received (at) {
    if (at <= this.receivedAt) return
    this.receivedAt = at
    this.unreadMs = 0
  }

  /** @type {(at: number, connections: ReadonlyArray<Connection>) => void} */
  check (at, connections) {
    for (const { readAt } of connections) this.received(readAt)
    if (at - this.checkedAt > 2 * this.interval) this.unreadMs += at - this.checkedAt
    this.checkedAt = at
  }

  /**
   * Returns the start of the wait without data; `at` if no request waits.
   * @type {(at: number, connections: ReadonlyArray<Connection>) => number}
   */
  since (at, connections) {
    this.check(at, connections)
    const waiting = connections.reduce((first, connection) => Math.min(first, connection.waitingSince), Infinity)
    return Math.min(at, Math.max(waiting, this.receivedAt) + this.unreadMs)
  }
}

module.exports = { Silence }
