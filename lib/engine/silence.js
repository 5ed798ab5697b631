'use strict'

// Since when the server has sent nothing although requests wait for it. Time in which the generator did not read is
// excluded: data may have arrived then.

/**
 * @typedef {object} Connection
 * @property {number} readAt when it was read last
 * @property {number} waitingSince since when a request of it has waited; Infinity when none does
 */

class Silence {
  /** @param {number} interval ms between two looks */
  constructor (interval) {
    this.interval = interval
    this.checkedAt = 0
    this.receivedAt = 0
    /** How long it did not look since then, ms. */
    this.unreadMs = 0
  }

  /** @param {number} at */
  start (at) {
    this.checkedAt = this.receivedAt = at
  }

  /** @param {number} at last sign of life of a connection that is gone */
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
   * Returns since when something has waited in vain; `at` when nothing does.
   * @type {(at: number, connections: ReadonlyArray<Connection>) => number}
   */
  since (at, connections) {
    this.check(at, connections)
    const waiting = connections.reduce((first, connection) => Math.min(first, connection.waitingSince), Infinity)
    return Math.min(at, Math.max(waiting, this.receivedAt) + this.unreadMs)
  }
}

module.exports = { Silence }
