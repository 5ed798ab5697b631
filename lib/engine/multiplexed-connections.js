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
   * @param {Shared} shared for new connections
   * @param {object} places
   * @param {number} places.size limit of streams per connection
   * @param {number | null} places.users number of users per connection, each with all of its streams; null if each user
   *   has one stream of any connection
   * @param {(action: () => void) => void} soon runs an action in the next turn
   */
  constructor (shared, { size, users }, soon) {
    super()
    this.shared = shared
    this.size = size
    this.users = users
    this.soon = soon
  }

  /** @returns {Shared} the shared objects for users; their peers are streams */
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
      // Counted for each connection, not for each user.
      perSocket: Infinity,
      onConnected: () => {}
    }
  }

  /** @param {StreamHandle} handle that gets a stream of a connection to its target */
  place (handle) {
    const target = /** @type {import('../requests/target').Target} */ (handle.target)
    const key = `${serverOf(target)} ${this.users === null ? 0 : Math.floor(handle.number / this.users)}`
    this.assign(handle, key, () => new MultiplexedConnection(this, key))?.peer.open(target)
  }
}

module.exports = { MultiplexedConnections }
