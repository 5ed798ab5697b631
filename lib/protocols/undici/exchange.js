'use strict'

// One request in undici, and its events until the peer processes them. undici calls back inside of its parser, where
// hooks and checks must not run.

const { ProtocolError } = require('../../core/errors')
const { explain } = require('./failures')

const GIVEN_UP = new Error('aborted')

/** undici would write the request to an HTTP/2 session that has ended. */
const SESSION_OVER = new Error('the HTTP/2 session has ended')

/** @typedef {import('./link').Link} Link */

/** The head of a response, for hooks and checks. */
class UndiciHead {
  /**
   * @param {number} status
   * @param {ReadonlyArray<Buffer | Buffer[] | string>} fields names and values alternate
   * @param {string} statusMessage
   */
  constructor (status, fields, statusMessage) {
    this.status = status
    this.fields = fields
    this.statusMessage = statusMessage
    /** @type {string[] | null} */
    this.raw = null
  }

  keep () {}

  rawHeaders () {
    this.raw ??= rawOf(this.fields)
    return this.raw
  }

  get statusLine () {
    return { statusMessage: this.statusMessage, versionMajor: 1, versionMinor: 1 }
  }
}

/** @param {UndiciHead['fields']} fields an interceptor may have joined several values in an array */
function rawOf (fields) {
  const raw = []
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i].toString('latin1')
    for (const value of [fields[i + 1]].flat()) raw.push(name, value.toString('latin1'))
  }
  return raw
}

class Exchange {
  /** @param {import('./peer').UndiciPeer} peer @param {number} row */
  constructor (peer, row) {
    /** @type {import('./peer').UndiciPeer | null} null when the request was dropped */
    this.peer = peer
    this.row = row
    /** @type {(() => void) | null} null before undici has written it */
    this.abort = null
    this.begunAt = 0
    /** @type {UndiciHead | null} */
    this.head = null
    this.status = 0
    this.hasReportedHead = false
    this.wanted = false
    /** @type {string[]} names and values alternate */
    this.trailers = []
    /** @type {Buffer[]} of the body, not processed yet */
    this.chunks = []
    this.size = 0
    /** When the response was complete or failed; 0 before. */
    this.endedAt = 0
    /** @type {Error & { code?: string } | null} */
    this.error = null
    /** Whether the peer has to process it. */
    this.noted = false
  }

  /** Drops the request: its response is ignored. */
  drop () {
    this.peer = null
    this.chunks.length = 0
    this.abort?.()
  }

  // The interface of a handler of undici.

  /** @param {() => void} abort */
  onConnect (abort) {
    if (this.peer === null) throw GIVEN_UP
    // Otherwise Node.js throws an exception in an event of another stream, and undici does not catch it.
    if (this.peer.link?.isOver) throw SESSION_OVER
    this.abort = abort
  }

  onResponseStarted () {
    if (this.peer !== null && this.begunAt === 0) this.begunAt = this.peer.now()
  }

  /**
   * @param {number} status
   * @param {UndiciHead['fields']} fields
   * @param {() => void} resume
   * @param {string} [statusMessage]
   */
  onHeaders (status, fields, resume, statusMessage = '') {
    if (this.peer === null) return true
    // For such a status undici fails with an assertion over HTTP/1.1, and completes the request over HTTP/2.
    if (status < 100) this.error ??= new ProtocolError(this.peer.link?.isHttp2 ? 'AC_H2_MALFORMED' : 'AC_STATUS_LINE')
    if (status < 200) return true
    this.onResponseStarted()
    this.status = status
    this.head = this.peer.receiver.looks ? new UndiciHead(status, fields, statusMessage) : null
    this.peer.note(this)
    return true
  }

  /** @type {(chunk: Buffer) => boolean} */
  onData (chunk) {
    if (this.peer === null) return true
    this.size += chunk.length
    if (this.head !== null) this.chunks.push(chunk)
    this.peer.note(this)
    return true
  }

  /**
   * @param {UndiciHead['fields'] | Record<string, string | string[]> | null} [trailers] an array over HTTP/1.1, an
   *   object by name over HTTP/2
   */
  onComplete (trailers) {
    if (this.peer === null) return
    if (this.head !== null && trailers) {
      this.trailers = rawOf(Array.isArray(trailers) ? trailers : Object.entries(trailers).flat(1))
    }
    this.endedAt = this.peer.now()
    this.peer.note(this)
  }

  /**
   * Ends the connection, which is no longer HTTP.
   * @type {(status: number, fields: UndiciHead['fields'], socket: import('node:stream').Duplex) => void}
   */
  onUpgrade (status, fields, socket) {
    socket.on('error', () => {}).destroy()
    this.onHeaders(Math.max(200, status), fields, () => {})
    this.onComplete()
  }

  /** @param {unknown} error an Error; a dispatcher of the user may report anything */
  onError (error) {
    if (this.peer === null) return
    // The unwritten request stays in flight until the end of the connection.
    if (error === SESSION_OVER) return /** @type {Link} */ (this.peer.link).retire()
    this.error ??= explain(error)
    this.endedAt = this.peer.now()
    this.peer.note(this)
  }
}

module.exports = { Exchange }
