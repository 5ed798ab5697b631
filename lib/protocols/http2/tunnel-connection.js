'use strict'

// One HTTP/2 connection whose streams are tunnels: the stream of each tunnel, bytes that wait for windows, and the end
// of streams and the connection.

const { ConnectionError } = require('../../core/errors')
const { TunnelPeer } = require('./tunnel-peer')

const CONNECTING = 0
const OPEN = 1
const GONE = 2

/** No row. */
const NONE = -1

/**
 * @typedef {import('./tunnel').Tunnel} Tunnel
 * @typedef {import('../peer').InFlight} InFlight
 * @typedef {import('../peer').Owner} Owner
 * @typedef {import('../peer').Receiver} Receiver
 */

/**
 * To its peer it is owner, receiver and table of requests, which are CONNECTs: a row is a tunnel.
 * @implements {Owner}
 * @implements {Receiver}
 * @implements {InFlight}
 */
class TunnelConnection {
  /**
   * @param {import('./tunnels').Tunnels} tunnels
   * @param {string} key which server it leads to
   * @param {import('../peer').Net} net
   */
  constructor (tunnels, key, net) {
    this.all = tunnels
    this.key = key
    this.net = net
    this.state = CONNECTING
    this.connectingSince = net.now()
    // Half of the rows are for tunnels that only the server has not ended yet.
    this.capacity = 2 * tunnels.size
    this.count = 0
    this.oldest = NONE
    this.newer = new Int32Array(this.capacity)
    this.readAt = 0
    this.arrival = -1
    this.seen = -1
    /** How many tunnels have had a response. */
    this.completed = 0
    this.looks = true
    /** @type {Array<Tunnel | null>} */
    this.tunnels = new Array(this.capacity).fill(null)
    /** Rows without a tunnel, the first one last. */
    this.free = Array.from({ length: this.capacity }, (_, i) => this.capacity - 1 - i)
    /** How many are not closed by us. */
    this.taken = 0
    /** Those with bytes that wait, in the order in which they began to. @type {Set<Tunnel>} */
    this.holding = new Set()
    /** Whether a read goes on: resulting frames go out in one write after it. */
    this.batching = false
    /** Whether it is an error already that it has failed. */
    this.isCounted = false
    this.peer = new TunnelPeer(this, net, tunnels.common)
  }

  get isOpen () {
    return this.state === OPEN
  }

  /**
   * @returns {boolean} whether one more tunnel may have a place. None waits for a connection that should be there
   *   by now
   */
  get takes () {
    if (this.taken >= this.all.size || this.taken >= this.peer.capacity) return false
    return this.state === OPEN ||
      (this.state === CONNECTING && this.net.now() - this.connectingSince < this.net.timeout)
  }

  /** @param {Tunnel} tunnel that has its place here from now on */
  take (tunnel) {
    const row = this.free.pop() ?? this.reclaim()
    this.tunnels[row] = tunnel
    this.taken++
    tunnel.connection = this
    tunnel.row = row
    tunnel.isSent = false
    if (this.state !== OPEN) return
    this.peer.connect(row)
    this.flush()
  }

  /** @returns {number} a row of a tunnel that we have closed, and the server has not */
  reclaim () {
    const row = this.tunnels.findIndex(tunnel => tunnel !== null && tunnel.destroyed)
    this.peer.abort(row)
    return row
  }

  flush () {
    if (!this.batching) this.peer.flush()
  }

  // Events of the peer about the connection.

  opened () {
    const { peer, net, all } = this
    this.state = OPEN
    if (!peer.takesTunnels) {
      const error = new ConnectionError('AC_WS_HTTP2')
      // The server may have others beside it, or be replaced in the middle of the run.
      if (!all.hasOpened) net.onFailure(error)
      return this.closed(error)
    }
    all.hasOpened = true
    if (peer.capacity < all.size) {
      net.onStreamLimit(peer.capacity)
      all.size = peer.capacity
    }
    this.batching = true
    for (const tunnel of this.tunnels) {
      if (tunnel === null || tunnel.destroyed) continue
      if (peer.streams.active < peer.capacity) peer.connect(tunnel.row)
      else this.handOver(tunnel)
    }
    this.batching = false
    peer.flush()
  }

  /** @param {Tunnel} tunnel that no stream carries here */
  handOver (tunnel) {
    this.tunnels[tunnel.row] = null
    this.free.push(tunnel.row)
    this.taken--
    this.all.place(tunnel)
  }

  /** @type {Owner['received']} */
  received (size, buffer, start, arrival, seen) {
    const { peer } = this
    this.arrival = arrival
    this.seen = seen
    this.readAt = arrival === -1 ? this.net.now() : arrival
    this.batching = true
    peer.read(buffer, start + size, start)
    this.batching = false
    if (this.state === GONE) return
    if (this.state === CONNECTING) return peer.greet()
    if (peer.stopped) return this.closed(peer.error)
    peer.flush()
  }

  goOn () {}
  stalled () {}

  /** The socket takes more. */
  drained () {
    this.batching = true
    this.pump()
    this.batching = false
    this.peer.flush()
  }

  /** @type {Owner['closed']} */
  closed (error) {
    if (this.state === GONE) return
    this.state = GONE
    this.all.forget(this)
    this.arrival = -1
    for (const tunnel of this.tunnels) if (tunnel !== null && !tunnel.destroyed) tunnel.listener.lost(tunnel, error)
    this.peer.close()
  }

  /** No tunnel is left. Written bytes are sent before, also in the middle of a read. */
  close () {
    this.peer.flush()
    this.state = GONE
    this.all.forget(this)
    this.peer.close()
  }

  countFailure () {
    const isNew = !this.isCounted
    this.isCounted = true
    return isNew
  }

  // Calls of tunnels.

  /** @param {Tunnel} tunnel @param {Buffer} bytes @returns {boolean} whether it takes more */
  write (tunnel, bytes) {
    const { peer } = this
    // A WebSocket sends its close frame even if its stream is gone.
    if (tunnel.destroyed || this.state === GONE || peer.streams.ids[tunnel.row] === 0) return true
    let sent = 0
    if (tunnel.held.length === 0 && !peer.blocked) {
      sent = peer.put(tunnel.row, bytes)
      this.flush()
    }
    if (sent === bytes.length) return true
    tunnel.hold(bytes.subarray(sent))
    this.holding.add(tunnel)
    return false
  }

  pump () {
    const { peer, holding } = this
    for (const tunnel of holding) {
      if (peer.blocked || peer.unsent.window <= 0) return
      const { held, row } = tunnel
      while (held.length > 0) {
        const sent = peer.put(row, held[0])
        tunnel.writableLength -= sent
        if (sent < held[0].length) {
          held[0] = held[0].subarray(sent)
          break
        }
        held.shift()
      }
      if (held.length > 0) continue
      holding.delete(tunnel)
      tunnel.listener.drained(tunnel)
    }
  }

  /** @param {Tunnel} tunnel that we have closed */
  leave (tunnel) {
    const { peer } = this
    const { row, status, hasEnded, writableLength } = tunnel
    this.taken--
    this.holding.delete(tunnel)
    if (this.state === GONE) return
    if (peer.streams.ids[row] !== 0 && status > 0 && writableLength === 0) {
      peer.endStream(row)
      if (hasEnded) this.vacate(row)
    } else {
      this.drop(row)
    }
    if (this.taken === 0) return this.close()
    this.flush()
    this.all.offer(this)
  }

  /** @param {number} row whose CONNECT is sent */
  sent (row) {
    const tunnel = /** @type {Tunnel} */ (this.tunnels[row])
    tunnel.isSent = true
  }

  /** @param {number} row whose tunnel both sides have ended */
  vacate (row) {
    this.tunnels[row] = null
    this.free.push(row)
    this.peer.release(row)
  }

  /** @param {number} row whose tunnel ends before all is sent, or has no stream any more */
  drop (row) {
    this.tunnels[row] = null
    this.free.push(row)
    this.peer.abort(row)
  }

  /** @param {Tunnel} tunnel that has had no response */
  lateOf ({ row }) {
    const { peer } = this
    return this.state === OPEN && peer.streams.ids[row] !== 0 ? new ConnectionError('AC_WS_SILENT') : peer.late
  }

  // Events of the peer about streams.

  /** @type {Receiver['onHead']} */
  onHead (row, head) {
    const tunnel = this.tunnels[row]
    if (tunnel === null || tunnel.destroyed) return false
    this.completed++
    tunnel.status = head.status
    tunnel.rawHeaders = head.rawHeaders()
    tunnel.readAt = this.readAt
    tunnel.onReady(tunnel)
    return true
  }

  /** @type {Receiver['onBody']} */
  onBody (row, buf, start, end) {
    const tunnel = this.tunnels[row]
    if (tunnel === null || tunnel.destroyed) return
    tunnel.listener.received(tunnel, end - start, buf, start, this.arrival, this.seen)
  }

  /** @param {number} row whose tunnel the server has ended */
  ended (row) {
    const tunnel = this.tunnels[row]
    // It was reset when its response came.
    if (tunnel === null) return
    tunnel.hasEnded = true
    if (tunnel.destroyed) this.vacate(row)
    else tunnel.listener.lost(tunnel, null)
  }

  /** @type {Receiver['onLost']} */
  onLost (row, error) {
    const tunnel = this.tunnels[row]
    if (tunnel === null) return
    if (tunnel.destroyed) this.drop(row)
    else tunnel.listener.lost(tunnel, error)
  }

  /** The server allows another number of streams; with GOAWAY, no more. */
  onLimit () {
    const { peer } = this
    if (!peer.draining || this.state !== OPEN) return
    this.all.forget(this)
    for (const tunnel of this.tunnels) {
      if (tunnel === null || peer.streams.ids[tunnel.row] !== 0) continue
      if (tunnel.destroyed) this.drop(tunnel.row)
      // Streams that the server has not processed go to another connection (§6.8), unless all connections end so.
      else if (tunnel.status === 0 && this.completed > 0) this.handOver(tunnel)
      else {
        tunnel.isSent = tunnel.status > 0
        tunnel.listener.lost(tunnel, null)
      }
    }
  }

  onTrailers () {}
  onComplete () {}
  onWait () {}
  onRepeat () {}

  /** @param {number} row */
  bytesOf (row) {
    return /** @type {Tunnel} */ (this.tunnels[row]).head
  }

  methodOf () {
    return 'CONNECT'
  }
}

module.exports = { TunnelConnection }
