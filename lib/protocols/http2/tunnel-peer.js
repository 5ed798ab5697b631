'use strict'

// HTTP/2 on a connection whose streams are tunnels: the CONNECT does not end its stream, and both sides send DATA until
// they do (RFC 8441 §5).

const { ENABLE_CONNECT_PROTOCOL, ERRORS } = require('./codes')
const { DATA, END_STREAM, MAX_PAYLOAD } = require('./frames')
const { Http2Peer } = require('./peer')

const EMPTY = Buffer.alloc(0)

class TunnelPeer extends Http2Peer {
  /**
   * @param {import('./tunnel-connection').TunnelConnection} connection
   * @param {import('../peer').Net} net
   * @param {import('./peer').Common} common
   */
  constructor (connection, net, common) {
    super(connection, connection, connection, net, common)
    this.connection = connection
    /** Whether the server accepts an extended CONNECT. */
    this.takesTunnels = false
  }

  /** @type {import('./peer').Http2Peer['onSetting']} */
  onSetting (setting, value) {
    if (setting !== ENABLE_CONNECT_PROTOCOL) return super.onSetting(setting, value)
    // It may not be taken back (RFC 8441 §3).
    if (value > 1 || value < Number(this.takesTunnels)) this.failProtocol('AC_H2_PROTOCOL', ERRORS.PROTOCOL_ERROR)
    else this.takesTunnels = value === 1
  }

  /** @param {number} row of a tunnel that is opened, or waits for a stream */
  connect (row) {
    this.streams.refusals[row] = 0
    this.sendOne(this.inFlight.bytesOf(row), 0, row)
  }

  /** @type {import('./peer').Http2Peer['sendOne']} */
  sendOne (bytes, at, row) {
    if (this.streams.active >= this.capacity || this.draining) this.waiting.push(row)
    else {
      this.writer.putHead(bytes, at, bytes.length, null, this.streams.open(row, this.unsent.initialWindow))
      this.connection.sent(row)
    }
    return bytes.length
  }

  /** @param {number} row @param {Buffer} bytes @returns {number} how many of them the windows have had room for */
  put (row, bytes) {
    const { unsent, writer, streams: { ids, windows } } = this
    let at = 0
    while (at < bytes.length) {
      const size = Math.min(bytes.length - at, MAX_PAYLOAD, unsent.window, windows[row])
      if (size <= 0) break
      writer.putPart(DATA, 0, ids[row], bytes, at, at + size)
      unsent.window -= size
      windows[row] -= size
      at += size
    }
    return at
  }

  /** Nothing more is sent on it. @param {number} row */
  endStream (row) {
    this.writer.putPart(DATA, END_STREAM, this.streams.ids[row], EMPTY, 0, 0)
  }

  /** Both sides have ended it. @param {number} row */
  release (row) {
    this.streams.close(row)
    if (!this.stopped) this.goOn()
  }

  /** @param {number} row that may wait for a stream, or have lost it */
  abort (row) {
    const id = this.streams.ids[row]
    if (id === 0) this.waiting = this.waiting.filter(one => one !== row)
    else this.resetStream(row, id, ERRORS.CANCEL)
    if (!this.stopped) this.goOn()
  }

  /** The server sends no more on it. @type {import('./peer').Http2Peer['complete']} */
  complete (row) {
    this.idleFrames = 0
    this.connection.ended(row)
  }

  pump () {
    super.pump()
    this.connection.pump()
  }
}

module.exports = { TunnelPeer }
