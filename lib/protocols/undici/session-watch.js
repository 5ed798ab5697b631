'use strict'

// Detects an HTTP/2 session that is dead although Node.js reports nothing. After some protocol errors of the server (a
// PING of 1 byte, DATA on an idle stream, a header block that HPACK cannot decode) nghttp2 ends the session: it reads
// and writes nothing more. Node.js 20 emits no event then, and accepts requests that it never writes. It also keeps the
// memory of a session alive as long as its streams need it.
//
// The watch sends a PING when requests are in flight and the server has been silent. A dead session does not write it.

/** The first PING, in ms of silence. */
const FIRST_PING = 200

/**
 * The factor by which the wait grows for each further PING in the same silence. A slow server receives few PINGs, and
 * gRPC servers close the connection after the third.
 */
const BACK_OFF = 4

/** Time between a PING and the decision, ms. Node.js writes the PING in the same turn of the event loop. */
const VERDICT = 50

/** @typedef {import('node:http2').ClientHttp2Session} Session */

class SessionWatch {
  constructor () {
    /** The time of the latest response at the last check. */
    this.readAt = -1
    this.silentFrom = 0
    this.wait = FIRST_PING
    /** When the open PING was sent; -1 when none is open. */
    this.pingedAt = -1
    this.writtenBefore = 0
  }

  /**
   * @param {import('node:net').Socket} socket
   * @param {Session | null} session null before undici has made one
   * @param {number} at the time now
   * @param {number} readAt the time of the latest response; −1 when no request is in flight
   * @returns {boolean} whether the session is dead
   */
  look (socket, session, at, readAt) {
    if (readAt === -1 || readAt !== this.readAt) {
      this.readAt = readAt
      this.restart(at)
    } else if (this.pingedAt !== -1) {
      if (at - this.pingedAt < VERDICT) return false
      this.restart(at, this.wait * BACK_OFF)
      return !hasWritten(socket, this.writtenBefore)
    } else if (at - this.silentFrom >= this.wait) {
      this.ping(socket, session, at)
    }
    return false
  }

  /**
   * @param {number} at the time now
   * @param {number} wait for the next PING, ms
   */
  restart (at, wait = FIRST_PING) {
    this.silentFrom = at
    this.wait = wait
    this.pingedAt = -1
  }

  /** @param {import('node:net').Socket} socket @param {Session | null} session @param {number} at the time now */
  ping (socket, session, at) {
    // A session that has ended reports that itself, and one without a handshake does not write yet.
    if (session === null || isOver(session) || session.connecting) return
    const { bytesWritten } = socket
    // `ping` returns false, and writes none, when too many are pending.
    if (!session.ping(() => {})) return this.restart(at, this.wait * BACK_OFF)
    this.writtenBefore = bytesWritten
    this.pingedAt = at
  }
}

/**
 * @param {import('node:net').Socket} socket
 * @param {number} before number of written bytes before the PING
 * @returns {boolean} also true when bytes wait for a server that does not read
 */
function hasWritten (socket, before) {
  const { writeQueueSize = 0 } = /** @type {any} */ (socket)._handle ?? {}
  return socket.bytesWritten !== before || writeQueueSize > 0
}

/**
 * undici keeps the session under a private symbol, which is the only access to it.
 * @param {import('node:net').Socket} socket
 * @returns {Session | null} null before undici has made one
 */
function sessionOf (socket) {
  const symbol = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'http2Session')
  return symbol === undefined ? null : /** @type {any} */ (socket)[symbol] ?? null
}

/**
 * Keeps the native part of the session alive until its streams have ended. A session drops it when it ends, but its
 * streams end in the next turn, and use memory of the session if a header block is incomplete. Node.js aborts the
 * process if the native part is garbage-collected first.
 * @param {Session} session
 */
function keepNative (session) {
  const symbol = Object.getOwnPropertySymbols(session).find(({ description }) => description === 'kHandle')
  const native = symbol === undefined ? null : /** @type {any} */ (session)[symbol]
  session.once('close', () => { setImmediate(() => native) })
}

/**
 * Returns whether it accepts no further request: `session.request` would throw.
 * @type {(session: Session) => boolean}
 */
const isOver = session => session.destroyed || session.closed

module.exports = { SessionWatch, isOver, keepNative, sessionOf }
