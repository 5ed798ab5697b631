'use strict'

// One connection that several users share, each with at most one request in flight. Responses in a read are distributed
// to their users, and the next requests are sent in one write. The peer owns the wire format, and each user's
// Connection handles its responses.

const { ConnectionError } = require('../core/errors')

// CONNECTING: no requests yet. RETIRED: no new requests, and it ends when those in flight complete. GONE: its socket is
// closed.
const CONNECTING = 0
const OPEN = 1
const RETIRED = 2
const GONE = 3

// Sort keys after all users that wait for a response: users that have just joined, and users without a request.
const COMES = Number.MAX_VALUE / 2
const IDLE = Number.MAX_VALUE

/** No row. */
const NONE = -1

/**
 * @typedef {import('./stream-handle').StreamHandle} StreamHandle
 * @typedef {import('../protocols/peer').InFlight} InFlight
 * @typedef {import('../protocols/peer').Owner} Owner
 * @typedef {import('../protocols/peer').Receiver} Receiver
 */

/**
 * Acts for its peer as owner, receiver and table of requests; each row is a handle.
 * @implements {Owner}
 * @implements {Receiver}
 * @implements {InFlight}
 */
class MultiplexedConnection {
  /**
   * @param {import('./multiplexed-connections').MultiplexedConnections} connections
   * @param {string} key of its server
   */
  constructor (connections, key) {
    const { size, shared } = connections
    this.connections = connections
    this.shared = shared
    this.key = key
    this.state = CONNECTING
    this.capacity = size
    // Only HTTP/1.1 requires an order of responses.
    this.count = 0
    this.oldest = NONE
    this.newer = new Int32Array(size)
    this.readAt = 0
    this.arrival = -1
    this.looks = true
    /** @type {Array<StreamHandle | null>} */
    this.handles = new Array(size).fill(null)
    /** Whether a request is in flight, by row. */
    this.busy = new Uint8Array(size)
    /** Rows with requests that wait until the socket accepts writes. @type {number[]} */
    this.held = []
    /** Free rows, the first one last. */
    this.free = Array.from({ length: size }, (_, i) => size - 1 - i)
    this.taken = 0
    /** The number of responses. */
    this.completed = 0
    this.left = shared.perSocket
    /** Handles with events in the current read. @type {StreamHandle[]} */
    this.touched = []
    /** Whether several users write in sequence: bytes are flushed after the last one. */
    this.batching = false
    /** Whether the next turn notifies users that have joined the open connection. */
    this.admits = false
    this.connectingSince = shared.now()
    /** Whether its failed connect has been counted as an error. */
    this.isCounted = false
    this.peer = shared.protocol.peer(this, this, this, shared)
  }

  /** @returns {boolean} whether it accepts requests, or has reached its limit of requests */
  get isOpen () {
    return this.state === OPEN || this.state === RETIRED
  }

  /** @returns {boolean} whether another user may join. An overdue connection accepts none */
  get takes () {
    if (this.free.length === 0) return false
    return this.state === OPEN ||
      (this.state === CONNECTING && this.shared.now() - this.connectingSince < this.shared.connectTimeout)
  }

  /** @param {StreamHandle} handle of a joining user */
  take (handle) {
    const row = /** @type {number} */ (this.free.pop())
    this.handles[row] = handle
    this.taken++
    handle.connection = this
    handle.row = row
    if (this.state !== OPEN || this.admits) return
    this.admits = true
    this.connections.soon(() => {
      this.admits = false
      if (this.state === OPEN) this.admit()
    })
  }

  /**
   * @param {StreamHandle} handle
   * @returns {boolean} whether its user is still on this connection: the failure of one request may end the run, which
   *   removes all users
   */
  has (handle) {
    return this.handles[handle.row] === handle
  }

  /** @param {StreamHandle} handle of a user that leaves */
  leave (handle) {
    const { row } = handle
    if (!this.has(handle)) return
    this.handles[row] = null
    this.taken--
    // Requests in flight at the end of the run may still get a response.
    if (this.busy[row] === 0) this.free.push(row)
    if (this.state === GONE) return
    if (this.taken === 0) this.close()
    else this.connections.offer(this)
  }

  /** The connection is open for requests. */
  opened () {
    this.state = OPEN
    this.shared.onConnected(this.shared.now() - this.connectingSince)
    this.admit()
  }

  /** Lets waiting users send. */
  admit () {
    this.batching = true
    for (const handle of this.handles) if (handle !== null && !handle.isReady) handle.admit()
    this.batching = false
    this.peer.flush()
  }

  /** @param {Buffer} bytes of one request @param {StreamHandle} handle */
  send (bytes, handle) {
    const { row } = handle
    this.busy[row] = 1
    if (this.peer.blocked) {
      this.held.push(row)
      this.onWait(row)
    } else {
      this.peer.send(bytes, row)
    }
    if (--this.left === 0) this.retire()
  }

  stalled () {}

  /** Sends waiting requests in order, after a read of the peer. */
  drained () {
    const { held, handles } = this
    this.held = []
    this.batching = true
    for (const row of held) {
      // The user has left together with its request.
      if (handles[row] === null) continue
      this.peer.send(this.bytesOf(row), row)
      if (!this.peer.untouched(row)) this.onRepeat(row)
    }
    this.batching = false
    this.peer.flush()
  }

  /** @type {Owner['received']} */
  received (size, buffer, start, arrival, seen) {
    const { peer, shared, touched } = this
    const { arrived } = shared.recorder
    this.arrival = arrival
    this.readAt = arrival === -1 ? shared.now() : arrival
    shared.recorder.read(size)
    this.batching = true
    peer.read(buffer, start + size, start)
    if (arrival !== -1) shared.recorder.readLate(shared.recorder.arrived - arrived, seen - arrival)
    if (this.state === CONNECTING) {
      this.batching = false
      return peer.greet()
    }
    if (peer.stopped) this.closed(peer.error)
    // The peer accepts no more requests.
    else if (peer.capacity === 0) this.retire()
    for (let i = 0; i < touched.length; i++) this.notify(touched[i])
    touched.length = 0
    this.batching = false
    this.peer.flush()
  }

  goOn () {}

  /** @param {StreamHandle} handle of a user with events in this read */
  notify (handle) {
    const { owner, receiver, row, isTouched } = handle
    handle.isTouched = false
    // A hook may have ended the run, or another user may have sent the last request that the connection may carry.
    if (!isTouched || !this.has(handle)) return
    if (this.state === RETIRED && this.busy[row] === 0) return owner.closed(null)
    receiver.readAt = this.readAt
    receiver.arrival = -1
    owner.goOn()
  }

  /** Stops new requests. Users without a request in flight leave, and also users with a request without a stream. */
  retire () {
    if (this.state !== OPEN) return
    this.state = RETIRED
    this.connections.forget(this)
    const { peer, busy } = this
    const refuses = peer.capacity === 0
    for (const handle of this.inTurn()) {
      if (!this.has(handle)) continue
      if (!handle.isReady) this.handOver(handle)
      else if (busy[handle.row] === 0) handle.owner.closed(null)
      else if (refuses && peer.untouched(handle.row)) this.endBusy(handle, null)
    }
  }

  /**
   * @returns {StreamHandle[]} all handles in the order for the next connection, the longest wait for a response first.
   *   Otherwise connections that end after a few requests would always serve the same users
   */
  inTurn () {
    const since = (/** @type {StreamHandle} */ { isReady, row, inFlight }) =>
      !isReady ? COMES : this.busy[row] === 0 ? IDLE : inFlight.started[0]
    return this.handles.filter(handle => handle !== null).sort((a, b) => since(a) - since(b))
  }

  /** @param {StreamHandle} handle of a user without a request here */
  handOver (handle) {
    this.handles[handle.row] = null
    this.taken--
    this.connections.place(handle)
  }

  /**
   * @param {StreamHandle} handle of a user with a request in flight
   * @param {Error & { code?: string } | null} error
   */
  endBusy (handle, error) {
    const { owner, receiver } = handle
    // A connection with completed responses of any user may be opened again.
    if (receiver.completed < this.completed) receiver.completed = this.completed
    owner.closed(error)
  }

  /**
   * @param {StreamHandle} handle of the user that cancels its request
   * @returns {boolean} false if the connection must end to cancel it
   */
  cancel (handle) {
    const { owner, receiver, row } = handle
    if (this.peer.isStalled(this.shared.now())) {
      // No further user may join, not even one that fails below.
      this.retire()
      this.connections.soon(() => this.closed(new ConnectionError('AC_BEHIND_TIMEOUT')))
      return false
    }
    if (!this.peer.cancel(row)) return false
    this.busy[row] = 0
    if (this.peer.blocked) this.held = this.held.filter(one => one !== row)
    if (this.state !== RETIRED) return true
    handle.capacity = 0
    receiver.onLimit()
    this.connections.soon(() => { if (this.has(handle)) owner.closed(null) })
    return true
  }

  /** @param {StreamHandle} handle that needs no more of its response */
  end (handle) {
    const { peer } = this
    const { receiver, row } = handle
    this.readAt = receiver.readAt
    this.arrival = -1
    peer.leave?.(row)
    if (!this.batching) peer.flush()
    if (peer.stopped) return this.connections.soon(() => this.closed(peer.error))
    if (this.state !== RETIRED) return
    handle.capacity = 0
    receiver.onLimit()
    this.connections.soon(() => { if (this.has(handle)) handle.owner.closed(null) })
  }

  /** Handles the end of the connection, or a failed connect. @type {Owner['closed']} */
  closed (error) {
    const { state, peer, busy } = this
    if (state === GONE) return
    this.state = GONE
    this.connections.forget(this)
    this.arrival = -1
    let isReported = state === CONNECTING
    for (const handle of this.inTurn()) {
      if (!this.has(handle)) continue
      if (state === CONNECTING) handle.owner.closed(error)
      else if (!handle.isReady) this.handOver(handle)
      else if (busy[handle.row] === 0) handle.owner.closed(null)
      else {
        // Requests to send again have no error.
        isReported ||= this.completed === 0 || !peer.untouched(handle.row)
        this.endBusy(handle, error)
      }
    }
    const { recorder, observer } = this.shared
    // A response without a request is an error, but no fate of a request.
    if (!isReported && error !== null && error === peer.error) recorder.failUnsent(error, 1, observer)
    peer.close()
  }

  /** The last user has left. */
  close () {
    this.state = GONE
    this.connections.forget(this)
    this.peer.close()
  }

  /** @returns {boolean} whether the failed connect has not been counted yet: several users may have waited for it */
  countFailure () {
    const isNew = !this.isCounted
    this.isCounted = true
    return isNew
  }

  // Events of the peer about requests.

  /**
   * @param {number} row
   * @returns {StreamHandle | null} the handle of the request's user; null if the request was dropped
   */
  touch (row) {
    const handle = this.handles[row]
    if (handle !== null && !handle.isTouched) {
      handle.isTouched = true
      this.touched.push(handle)
    }
    return handle
  }

  /** @type {Receiver['onHead']} */
  onHead (row, head) {
    const handle = this.touch(row)
    if (handle === null) return false
    const { receiver } = handle
    receiver.readAt = this.readAt
    return receiver.looks && receiver.onHead(0, head)
  }

  /** @type {Receiver['onBody']} */
  onBody (row, buf, start, end) {
    const handle = this.touch(row)
    if (handle === null) return
    const { receiver } = handle
    receiver.readAt = this.readAt
    receiver.onBody(0, buf, start, end)
  }

  /** @type {Receiver['onTrailers']} */
  onTrailers (row, raw) {
    this.touch(row)?.receiver.onTrailers(0, raw)
  }

  /** @type {Receiver['onComplete']} */
  onComplete (row, status, size, begunAt) {
    this.busy[row] = 0
    this.completed++
    const handle = this.touch(row)
    if (handle === null) return
    const { receiver } = handle
    receiver.readAt = this.readAt
    receiver.arrival = this.arrival
    receiver.onComplete(0, status, size, begunAt)
  }

  /** @type {Receiver['onLost']} */
  onLost (row, error) {
    this.busy[row] = 0
    const handle = this.touch(row)
    if (handle === null) return
    handle.receiver.readAt = this.readAt
    handle.receiver.onLost(0, error)
  }

  /** @param {number} row of a request that waits for a stream */
  onWait (row) {
    this.handles[row]?.receiver.onWait(0)
  }

  /** @param {number} row of a request that waited for a stream, or that the peer refused */
  onRepeat (row) {
    this.handles[row]?.receiver.onRepeat(0)
  }

  /** The peer has changed its limit of streams. */
  onLimit () {
    const { peer, capacity, shared: { recorder } } = this
    if (peer.capacity < capacity && peer.capacity > 0) recorder.limitStreams(peer.capacity)
  }

  /** @param {number} row of a request in flight */
  bytesOf (row) {
    return /** @type {StreamHandle} */ (this.handles[row]).inFlight.bytesOf(0)
  }

  /** @param {number} row of a request in flight */
  methodOf (row) {
    return this.handles[row]?.inFlight.methodOf(0) ?? 'GET'
  }
}

module.exports = { MultiplexedConnection }
