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
    this.lookedAt = 0
    this.heardAt = 0
    /** How long it did not look since then, ms. */
    this.absent = 0
  }

  /** @param {number} at */
  start (at) {
    this.lookedAt = this.heardAt = at
  }

  /** @param {number} at last sign of life of a connection that is gone */
  hear (at) {
    if (at <= this.heardAt) return
    this.heardAt = at
    this.absent = 0
  }

  /** @type {(at: number, connections: ReadonlyArray<Connection>) => void} */
  look (at, connections) {
    for (const { readAt } of connections) this.hear(readAt)
    if (at - this.lookedAt > 2 * this.interval) this.absent += at - this.lookedAt
    this.lookedAt = at
  }

  /**
   * Returns since when something has waited in vain; `at` when nothing does.
   * @type {(at: number, connections: ReadonlyArray<Connection>) => number}
   */
  since (at, connections) {
    this.look(at, connections)
    const waiting = connections.reduce((first, connection) => Math.min(first, connection.waitingSince), Infinity)
    return Math.min(at, Math.max(waiting, this.heardAt) + this.absent)
  }
}

module.exports = { Silence }
