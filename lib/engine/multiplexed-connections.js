'use strict'

// Assigns users to shared connections: a stream on one to their server, or a new connection if all are full.

const { serverOf } = require('../requests/target')
const { MultiplexedConnection } = require('./multiplexed-connection')
const { StreamHandle } = require('./stream-handle')

/** @typedef {import('./connection').Shared} Shared */

class MultiplexedConnections {
  /**
   * @param {Shared} shared of the connections that are made
   * @param {object} places
   * @param {number} places.size how many streams one has room for
   * @param {number | null} places.users how many users share one, each with all of its streams; null where each has one
   *   stream, of any connection
   * @param {(action: () => void) => void} soon in the next turn
   */
  constructor (shared, { size, users }, soon) {
    this.shared = shared
    this.size = size
    this.users = users
    this.soon = soon
    /**
     * @type {Set<MultiplexedConnection>} those that take users, and those that will not any more but still have some
     *   that are
     */
    this.all = new Set()
    /**
     * Those that may have a place left, by server; the last one is asked first.
     * @type {Map<string, MultiplexedConnection[]>}
     */
    this.vacant = new Map()
  }

  /** @returns {number} how many connections are open */
  get open () {
    let count = 0
    for (const { isOpen } of this.all) if (isOpen) count++
    return count
  }

  /** @returns {Shared} what users need in place of it: their peers are streams */
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
    const vacant = this.vacant.get(key) ?? []
    if (vacant.length === 0) this.vacant.set(key, vacant)
    while (vacant.length > 0 && !vacant[vacant.length - 1].takes) vacant.pop()
    if (vacant.length > 0) return vacant[vacant.length - 1].take(handle)
    const connection = new MultiplexedConnection(this, key)
    this.all.add(connection)
    vacant.push(connection)
    connection.take(handle)
    connection.peer.open(target)
  }

  /** @param {MultiplexedConnection} connection that has a place left */
  offer (connection) {
    if (!connection.takes) return
    const vacant = this.vacant.get(connection.key)
    if (vacant === undefined) this.vacant.set(connection.key, [connection])
    else if (!vacant.includes(connection)) vacant.push(connection)
  }

  /** @param {MultiplexedConnection} connection that takes no users any more */
  forget (connection) {
    if (!connection.isOpen) this.all.delete(connection)
    const vacant = this.vacant.get(connection.key) ?? []
    const i = vacant.indexOf(connection)
    if (i !== -1) vacant.splice(i, 1)
    if (vacant.length === 0) this.vacant.delete(connection.key)
  }
}

module.exports = { MultiplexedConnections }
