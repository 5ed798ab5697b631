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
 * Each further PING in the same silence waits this many times longer: a slow server receives few, and gRPC servers
 * close after the third.
 */
const BACK_OFF = 4

/** Node.js writes a PING in the same turn of the event loop. The verdict is some turns later, in ms. */
const VERDICT = 50

/** @typedef {import('node:http2').ClientHttp2Session} Session */

class SessionWatch {
  constructor () {
    /** The latest response when the watch last looked. */
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
   * @param {number} readAt the time of the latest response; -1 when no request is in flight
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
    // A session that ends reports that itself, and one without a handshake writes nothing yet.
    if (session === null || isOver(session) || session.connecting) return
    const { bytesWritten } = socket
    // False when too many PINGs are pending: then Node.js writes no further one.
    if (!session.ping(() => {})) return this.restart(at, this.wait * BACK_OFF)
    this.writtenBefore = bytesWritten
    this.pingedAt = at
  }
}

/**
 * @param {import('node:net').Socket} socket
 * @param {number} before how many bytes had been written
 * @returns {boolean} true also when bytes wait for a peer that does not read
 */
function hasWritten (socket, before) {
  const { writeQueueSize = 0 } = /** @type {any} */ (socket)._handle ?? {}
  return socket.bytesWritten !== before || writeQueueSize > 0
}

/**
 * undici keeps the session under a symbol of its own, and has no other access to it.
 * @param {import('node:net').Socket} socket
 * @returns {Session | null} null before undici has made one
 */
function sessionOf (socket) {
  const symbol = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'http2Session')
  return symbol === undefined ? null : /** @type {any} */ (socket)[symbol] ?? null
}

/**
 * Keeps the native part of the session until its streams are gone. A session lets go of it when it ends. Its streams
 * end in the next turn, and hold memory of the session when a header block has not ended. Node.js aborts the process if
 * garbage collection takes the session first.
 * @param {Session} session
 */
function keepNative (session) {
  const symbol = Object.getOwnPropertySymbols(session).find(({ description }) => description === 'kHandle')
  const native = symbol === undefined ? null : /** @type {any} */ (session)[symbol]
  session.once('close', () => { setImmediate(() => native) })
}

/** Returns whether it takes no further request: `session.request` would throw. @type {(session: Session) => boolean} */
const isOver = session => session.destroyed || session.closed

module.exports = { SessionWatch, isOver, keepNative, sessionOf }
