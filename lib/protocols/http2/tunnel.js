'use strict'

// One stream that carries bytes both ways, as a separate socket would: the tunnel of an extended CONNECT (RFC 8441).
// Its connection has the frames and the windows.

class Tunnel {
  /**
   * @param {import('../../requests/target').Target} target
   * @param {Buffer} head of the CONNECT, in frames
   * @param {import('../../net/sockets/native-socket').Listener} listener
   * @param {(tunnel: Tunnel) => void} onReady the server has responded, with any status
   */
  constructor (target, head, listener, onReady) {
    this.target = target
    this.head = head
    this.listener = listener
    this.onReady = onReady
    /** @type {import('./tunnel-connection').TunnelConnection | null} */
    this.connection = null
    this.row = -1
    /** Whether its CONNECT is sent on that connection. */
    this.isSent = false
    // Of the response: 0 until there is one.
    this.status = 0
    /** @type {string[]} names and values alternate */
    this.rawHeaders = []
    this.readAt = 0
    /** Bytes that no window has room for yet. @type {Buffer[]} */
    this.held = []
    this.writableLength = 0
    /** Whether the server sends no more. */
    this.hasEnded = false
    this.destroyed = false
  }

  get shared () {
    return /** @type {import('./tunnel-connection').TunnelConnection} */ (this.connection)
  }

  /** Why the server has not responded to it, where more is known than that it takes too long. */
  get late () {
    return this.shared.lateOf(this) ?? undefined
  }

  /**
   * @param {Buffer} bytes not to be changed any more
   * @returns {boolean} whether it takes more
   */
  write (bytes) {
    return this.shared.write(this, bytes)
  }

  /** @param {Buffer} bytes that have to wait */
  hold (bytes) {
    this.held.push(bytes)
    this.writableLength += bytes.length
  }

  /** In order if all written bytes are sent. */
  destroy () {
    if (this.destroyed) return
    this.destroyed = true
    this.shared.leave(this)
  }

  /** @returns {boolean} whether its handshake has failed, or the failure of its connection is not counted yet */
  countFailure () {
    return this.isSent || this.shared.countFailure()
  }
}

module.exports = { Tunnel }
