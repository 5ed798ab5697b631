'use strict'

// Assigns users to shared connections: a stream on one to their server, or a new connection if all are full.

const { Vacancies } = require('../core/vacancies')
const { serverOf } = require('../requests/target')
const { MultiplexedConnection } = require('./multiplexed-connection')
const { StreamHandle } = require('./stream-handle')

/** @typedef {import('./shared').Shared} Shared */

/** @extends {Vacancies<MultiplexedConnection>} */
class MultiplexedConnections extends Vacancies {
  /**
   * @param {Shared} shared of the connections that are made
   * @param {object} places
   * @param {number} places.size how many streams one has room for
   * @param {number | null} places.users how many users share one, each with all of its streams; null where each has one
   *   stream, of any connection
   * @param {(action: () => void) => void} soon in the next turn
   */
  constructor (shared, { size, users }, soon) {
    super()
    this.shared = shared
    this.size = size
    this.users = users
    this.soon = soon
  }

  /** @returns {Shared} the same for users: their peers are streams */
  forUsers () {
    const { shared } = this
    const place = (/** @type {StreamHandle} */ handle) => this.place(handle)
    return {
      ...shared,
      protocol: {
        ...shared.protocol,
        peer: (owner, receiver, inFlight) =>
          new StreamHandle(
            /** @type {import('./connection').Connection} */ (owner), receiver,
            /** @type {import('./exchanges').Exchanges} */ (inFlight), place
          )
      },
      // These are counted where a connection is made.
      perSocket: Infinity,
      onConnected: () => {}
    }
  }

  /** @param {StreamHandle} handle which has a place on a connection to its target from now on */
  place (handle) {
    const target = /** @type {import('../requests/target').Target} */ (handle.target)
    const key = `${serverOf(target)} ${this.users === null ? 0 : Math.floor(handle.number / this.users)}`
    this.assign(handle, key, () => new MultiplexedConnection(this, key))?.peer.open(target)
  }
}

module.exports = { MultiplexedConnections }
