'use strict'

// One attempt to connect through a proxy: the connection to it, the tunnel, and TLS with the server. Its errors name
// the proxy if the proxy caused them.

const { EventEmitter } = require('node:events')
const { ConnectionError, meaningOf } = require('../../core/errors')
const { shortageOf } = require('../shortage')

const REACHING = 0
const ASKING = 1
const SECURING = 2
const OVER = 3

/**
 * @typedef {object} Handshake requests a tunnel from a proxy
 * @property {boolean} done
 * @property {Error | null} error
 * @property {(write: (bytes: string | Buffer) => void, fail: (error: Error) => void) => void} begin
 * @property {(bytes: Buffer) => number} read reads bytes, and returns how many of them are from the proxy
 *
 * @typedef {object} Means
 * @property {import('../route').Proxy} proxy
 * @property {import('../route').Place} place the destination of the tunnel
 * @property {Handshake | null} handshake null without a tunnel
 * @property {import('../transport').ReadInto | undefined} onread undefined when the socket is read as a stream
 * @property {(onread: import('../transport').ReadInto | undefined) => import('node:net').Socket} reach opens a socket
 *   to the proxy, encrypted if the proxy's URL requires it
 * @property {((socket: import('node:net').Socket, onReady: (socket: import('node:net').Socket) => void) =>
 *   import('node:net').Socket) | null} secure TLS with the server on a socket; null for none
 * @property {import('../../core/clock').Clock} now
 * @property {(socket: import('node:net').Socket, proxyMs: number) => void} onReady called with the socket, and the time
 *   until the tunnel was open
 */

/**
 * @typedef {import('../../protocols/peer').Opening} Opening
 * @implements {Opening}
 */
class Attempt extends EventEmitter {
  /** @param {Means} means */
  constructor (means) {
    super()
    this.means = means
    this.state = REACHING
    this.since = means.now()
    this.proxyMs = 0
    /** Bytes of the server in the same read as the response of the proxy. @type {Buffer | null} */
    this.rest = null
    const { onread, proxy, reach } = means
    this.socket = reach(onread && {
      buffer: onread.buffer,
      callback: (size, buffer) => this.isAsking ? this.read(buffer.subarray(0, size)) : onread.callback(size, buffer)
    })
    this.read = this.read.bind(this)
    if (onread === undefined) this.socket.on('data', this.read)
    this.socket.once(proxy.tls ? 'secureConnect' : 'connect', () => this.request())
    this.watch(this.socket)
  }

  get isAsking () {
    return this.state === ASKING
  }

  /** @returns {Error} the error for a timeout in the current state */
  get late () {
    const { proxy: { shown }, place: { host, port } } = this.means
    if (this.state === SECURING) return new ConnectionError('AC_CONNECT_TIMEOUT')
    return new ConnectionError(
      'AC_PROXY_TIMEOUT',
      this.state === REACHING
        ? `the proxy ${shown} did not take the connection within the timeout`
        : `the proxy ${shown} did not respond to the request for ${host}:${port} within the timeout`
    )
  }

  /** @param {import('node:net').Socket} socket */
  watch (socket) {
    socket.on('error', error => this.fail(this.explained(error)))
    socket.on('end', () => this.fail(this.explained(null)))
    socket.on('close', () => this.fail(this.explained(null)))
  }

  request () {
    const { handshake } = this.means
    if (this.state !== REACHING) return
    this.state = ASKING
    if (handshake === null) return this.enter()
    handshake.begin(bytes => { if (!this.socket.destroyed) this.socket.write(bytes) }, error => this.fail(error))
  }

  /**
   * @param {Buffer} bytes from the proxy, in a shared buffer
   * @returns {boolean} true: to continue reading
   */
  read (bytes) {
    const handshake = /** @type {Handshake} */ (this.means.handshake)
    const taken = handshake.read(bytes)
    if (handshake.error !== null) this.fail(handshake.error)
    else if (handshake.done) {
      if (taken < bytes.length) this.rest = Buffer.from(bytes.subarray(taken))
      this.enter()
    }
    return true
  }

  /** The tunnel is open: further bytes are those of the server. */
  enter () {
    const { now, onread, secure } = this.means
    const { socket, rest } = this
    this.proxyMs = now() - this.since
    if (onread === undefined) socket.off('data', this.read).pause()
    if (rest !== null && (secure !== null || onread === undefined)) socket.unshift(rest)
    if (secure === null) {
      this.leave(socket)
      if (rest === null || onread === undefined) return
      rest.copy(onread.buffer)
      onread.callback(rest.length, onread.buffer)
      return
    }
    this.state = SECURING
    const inner = secure(socket, () => {
      if (this.state !== SECURING) return
      // TLS on an existing socket cannot read into a given buffer, so its chunks are copied.
      if (onread !== undefined) {
        inner.on('data', (/** @type {Buffer} */ bytes) => {
          for (let at = 0; at < bytes.length && !inner.destroyed; at += onread.buffer.length) {
            onread.callback(bytes.copy(onread.buffer, 0, at), onread.buffer)
          }
        })
      }
      this.leave(inner)
    })
    this.socket = inner
    this.watch(inner)
  }

  /** @param {import('node:net').Socket} socket to use from now on */
  leave (socket) {
    this.state = OVER
    this.means.onReady(socket, this.proxyMs)
  }

  /** @param {Error} error */
  fail (error) {
    if (this.state === OVER) return
    this.destroy()
    this.emit('error', error)
  }

  /** Ends the attempt. */
  destroy () {
    this.state = OVER
    this.socket.destroy()
  }

  /**
   * @param {Error & { code?: string } | null} error null after FIN
   * @returns {Error} with an explanation, and its cause
   */
  explained (error) {
    const { state, means: { proxy: { shown }, place: { host, port } } } = this
    // A shortage on this machine is caused by neither the proxy nor the server.
    if (error !== null && shortageOf(error, false) !== null) return error
    if (state === SECURING) {
      if (error !== null && error.code !== 'ECONNRESET' && error.code !== 'EPIPE') return error
      return new ConnectionError(
        'AC_TUNNEL_CLOSED',
        `the tunnel through the proxy ${shown} to ${host}:${port} ended in the TLS handshake: the proxy or the ` +
          'server closed it',
        { cause: error }
      )
    }
    const cause = error === null ? '' : `: ${wordsOf(error)}`
    if (state === REACHING) {
      return new ConnectionError(
        error === null ? 'AC_PROXY_CLOSED' : 'AC_PROXY_CONNECT',
        error === null
          ? `the proxy ${shown} closed the connection at once`
          : `no connection to the proxy ${shown}${cause}`,
        { cause: error }
      )
    }
    return new ConnectionError(
      'AC_PROXY_CLOSED',
      `the proxy ${shown} closed the connection before it responded to the request for ${host}:${port}${cause}`,
      { cause: error }
    )
  }
}

/**
 * @param {Error & { code?: string, reason?: string }} error
 * @returns {string} its message, without the files and lines that messages of OpenSSL contain
 */
function wordsOf (error) {
  const { code = '', reason, message } = error
  if (code.startsWith('ERR_SSL_')) return `${meaningOf(code) ?? reason ?? code} (${code})`
  return message ||
  /** @type {AggregateError} */ (/** @type {Error} */ (error)).errors?.map(({ message }) => message).join(', ')
}

module.exports = { Attempt }
