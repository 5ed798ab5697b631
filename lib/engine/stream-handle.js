'use strict'

// A user's stream handle on a shared connection, for one request at a time: the peer of its Connection. The shared
// connection reads and writes the bytes.

/**
 * @typedef {import('./multiplexed-connection').MultiplexedConnection} MultiplexedConnection
 * @typedef {import('../protocols/peer').Owner} Owner
 * @typedef {import('../protocols/peer').Peer} Peer
 * @typedef {import('../protocols/peer').Receiver} Receiver
 * @typedef {import('../requests/target').Target} Target
 */

/** @implements {Peer} */
class StreamHandle {
  /**
   * @param {Owner & { number: number }} owner
   * @param {Receiver} receiver
   * @param {import('./exchanges').Exchanges} inFlight one row
   * @param {(handle: StreamHandle) => void} place assigns it a stream of a connection to its target
   */
  constructor (owner, receiver, inFlight, place) {
    /** @type {Owner} */
    this.owner = owner
    /** The number of its user in the whole run. */
    this.number = owner.number
    this.receiver = receiver
    this.inFlight = inFlight
    this.place = place
    /** @type {Target | null} */
    this.target = null
    /** The current or last connection. @type {MultiplexedConnection | null} */
    this.connection = null
    this.row = 0
    this.closed = true
    this.isReady = false
    /** Whether it has events in the current read. */
    this.isTouched = false
    this.capacity = Infinity
    /** Always false, because the shared connection buffers writes. */
    this.blocked = false
    /** Always false, because the shared connection reports its end. */
    this.stopped = false
    /** @type {Error | null} */
    this.error = null
  }

  /** @param {Target} target */
  open (target) {
    this.closed = this.isReady = this.isTouched = false
    this.target = target
    this.place(this)
  }

  /** The connection is open for requests. */
  admit () {
    this.isReady = true
    this.capacity = Infinity
    this.owner.opened()
  }

  /** The reason why the connection is not open yet, if there is a more specific one than a timeout. */
  get late () {
    return this.shared.peer.late
  }

  get shared () {
    return /** @type {MultiplexedConnection} */ (this.connection)
  }

  /** @param {Buffer} bytes of one request */
  send (bytes) {
    /** @type {MultiplexedConnection} */ (this.connection).send(bytes, this)
  }

  flush () {
    const { connection } = this
    if (connection !== null && !connection.batching) connection.peer.flush()
  }

  /** The shared connection reads for all handles. */
  read () {}
  greet () {}

  readIdle () {
    return true
  }

  hasBegun () {
    return this.shared.peer.hasBegun(this.row)
  }

  untouched () {
    return this.shared.peer.untouched(this.row)
  }

  cancel () {
    return this.shared.cancel(this)
  }

  leave () {
    this.shared.end(this)
  }

  isStalled () {
    return false
  }

  finish () {}

  countFailure () {
    return this.shared.countFailure()
  }

  close () {
    if (this.closed) return
    this.closed = true
    this.shared.leave(this)
  }
}

module.exports = { StreamHandle }
