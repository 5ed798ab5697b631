'use strict'

// An undici client with one connection: the transport opens its socket. It keeps the reason for the end of the
// connection.

const { Client } = require('undici')
const { ConnectionError, ProtocolError } = require('../../core/errors')
const { originOf } = require('../../requests/target')
const { Exchange } = require('./exchange')
const { SessionWatch, isOver, keepNative, sessionOf } = require('./session-watch')

/** The maximum of undici for idle connections, ms; a server may set another time. */
const KEEP_ALIVE = 600_000

/** @typedef {import('node:net').Socket} Socket */

class Link {
  /** @param {import('./peer').UndiciPeer} peer @param {import('../../requests/target').Target} target */
  constructor (peer, target) {
    this.peer = peer
    this.target = target
    /** The connection attempt, and later the socket. @type {import('../peer').Opening | null} */
    this.opening = null
    /** @type {Socket | null} */
    this.socket = null
    /** Whether undici has received the socket. */
    this.handedOver = false
    /** @type {Client | null} null before the connection is open */
    this.client = null
    this.ended = false
    /** Whether the connection is kept when a request is cancelled. */
    this.keeps = false
    this.isHttp2 = false
    /** The HTTP/2 session; null before undici has created it. @type {import('./session-watch').Session | null} */
    this.session = null
    this.watch = new SessionWatch()
    /**
     * The error that ended an HTTP/2 connection, for all requests in flight. @type {Error & { code?: string } | null}
     */
    this.failure = null
    this.mayRespondSynchronously = false
    this.Exchange = Exchange
  }

  /** @type {(connect: import('../../net/transport').Connect, plan: { pipelining: number, http: string }) => void} */
  connect (connect, { pipelining, http }) {
    this.opening = connect(this.target, undefined, ready => {
      if (this.ended) return
      if (ready !== this.opening) this.listen(this.opening = ready)
      // undici reads this property to select HTTP/2 without TLS.
      if (http === '2' && !this.target.tls) Object.assign(ready, { alpnProtocol: 'h2' })
      this.open(/** @type {Socket} */ (ready), pipelining)
      this.peer.opened()
    })
    this.listen(this.opening)
  }

  /** @param {import('../peer').Opening} opening before undici has received it */
  listen (opening) {
    for (const event of /** @type {const} */ (['error', 'end', 'close'])) {
      opening.on?.(event, error => { if (!this.handedOver) this.end(error ?? null) })
    }
  }

  /** The connection is open. @type {(socket: Socket, pipelining: number) => void} */
  open (socket, pipelining) {
    this.socket = socket
    this.keeps = this.isHttp2 = /** @type {import('../peer').Socket} */ (socket).alpnProtocol === 'h2'
    this.client = new Client(originOf(this.target), {
      pipelining,
      keepAliveTimeout: KEEP_ALIVE,
      // The run has its own timeouts.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: this.keeps,
      connect: (_, callback) => this.handOver(callback)
    })
    this.client.on('disconnect', () => this.end(null)).on('connectionError', (_, __, error) => this.end(error))
    // undici emits it after an internal error. Without a listener it would end the process.
    const emitter = /** @type {import('node:events').EventEmitter} */ (this.client)
    emitter.on('error', error => this.break(error))
  }

  /**
   * Passes the connection to undici at its first request. When undici has lost the connection it requests another one,
   * but receives no callback: after an error, undici would retry in microtasks, which block the event loop. `end`
   * destroys the client.
   * @param {import('undici').buildConnector.Callback} callback
   */
  handOver (callback) {
    const { socket, handedOver } = this
    this.handedOver = true
    if (socket === null || handedOver) this.retire()
    else queueMicrotask(() => callback(null, socket))
  }

  /** @type {(request: import('./requests').Dispatch, exchange: import('./exchange').Exchange) => void} */
  dispatch (request, exchange) {
    const { servername, host } = this.target
    const client = /** @type {any} */ (this.client)
    // Without this, undici reconnects for a request with its own Host header.
    client.dispatch({ ...request, blocking: false, servername: servername ?? host }, exchange)
  }

  /** Handles the end of the connection. @param {Error & { code?: string } | null} error */
  end (error) {
    if (this.ended) return
    this.ended = true
    if (this.socket === null) this.peer.owner.closed(error ?? new ConnectionError('AC_CLOSED'))
    else this.peer.end()
  }

  /** @param {Error & { code?: string }} error after which undici fails all requests of this connection */
  fail (error) {
    this.failure ??= error
    this.ended = true
  }

  /** @param {Error & { code?: string }} error likewise, for no specific request */
  break (error) {
    if (this.ended) return
    this.fail(error)
    this.peer.end()
  }

  /**
   * Ends the link in the next turn: undici cannot use the connection any more, but may still report errors of requests
   * in this turn.
   */
  retire () {
    setImmediate(() => this.end(null))
  }

  /** @returns {boolean} whether its HTTP/2 session accepts no further request */
  get isOver () {
    if (!this.isHttp2 || this.socket === null) return false
    if (this.session === null) {
      this.session = sessionOf(this.socket)
      if (this.session !== null) keepNative(this.session)
    }
    return this.session !== null && isOver(this.session)
  }

  /**
   * @param {number} at the time now
   * @param {number} readAt the time of the latest response; −1 when no request is in flight
   */
  look (at, readAt) {
    const { socket, session } = this
    if (this.isHttp2 && socket !== null && this.watch.look(socket, session, at, readAt)) {
      this.break(new ProtocolError('AC_UNDICI_SESSION'))
    }
  }

  /** @returns {boolean} whether undici has closed the connection after a response, before it reports the end */
  get isClosed () {
    const { ended, socket } = this
    return ended || socket === null ||
      (socket.destroyed && /** @type {NodeJS.ErrnoException | null} */ (socket.errored)?.code === 'UND_ERR_INFO')
  }

  destroy () {
    this.ended = true
    if (!this.handedOver) this.opening?.destroy()
    this.client?.destroy()
  }
}

module.exports = { Link }
