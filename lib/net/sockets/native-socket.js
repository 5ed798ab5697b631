'use strict'

// One socket of NativeSockets: its state, its listener, and the bytes that the kernel has not accepted yet.

const { getSystemErrorName } = require('node:util')

/** The rest of a write up to this size is copied, because the buffer may be reused. Larger buffers are not reused. */
const COPIED = 64 * 1024

/**
 * The listener of a socket. A peer implements it itself: closures for 10,000 peers would take 2.5 MiB.
 * @typedef {object} Listener
 * @property {(socket: any, size: number, buffer: Buffer, start: number, arrival?: number, seen?: number) => void}
 *   received
 * @property {(socket: any) => void} drained
 * @property {(socket: any) => void} filled the kernel has not accepted all bytes of a turn
 * @property {(socket: any, error: Error | null) => void} lost null after FIN
 */

/**
 * @typedef {object} Connecting
 * @property {string} address
 * @property {number} port −1 for a Unix socket
 * @property {import('./attempts').Attempts | null} attempts null for a single address
 * @property {(socket: any) => void} onReady
 */

class NativeSocket {
  /** @param {import('./native-sockets').NativeSockets} sockets @param {number} number @param {Listener} listener */
  constructor (sockets, number, listener) {
    this.sockets = sockets
    this.number = number
    this.listener = listener
    /** While it is connecting. @type {Connecting | null} */
    this.connecting = null
    /** Bytes that the kernel has not accepted. @type {Buffer[] | null} */
    this.rest = null
    this.writableLength = 0
    this.destroyed = false
  }

  /**
   * @param {string} address
   * @param {number} port −1 for a Unix socket
   * @param {string} [localAddress]
   * @returns {number} -errno for an immediate error
   */
  connectTo (address, port, localAddress) {
    const number = this.sockets.begin(this, address, port, localAddress)
    if (number >= 0 && this.connecting !== null) {
      this.connecting.address = address
      this.connecting.port = port
    }
    return number
  }

  connected () {
    const { connecting } = this
    if (connecting === null) return
    this.connecting = null
    connecting.attempts?.stop()
    connecting.onReady(this)
  }

  /** Drops its pending connect. */
  giveUpNumber () {
    this.sockets.end(this)
  }

  /** Returns whether it accepts more. @type {(bytes: Buffer) => boolean} */
  write (bytes) {
    if (this.rest === null) return this.sockets.write(this, bytes)
    this.keep(bytes)
    return false
  }

  /** The buffer in which `reserve` reserves room. */
  get output () {
    return this.sockets.output
  }

  /**
   * Returns the offset in `output` for bytes that `commit` sends; −1 when `write` has to be used.
   * @param {number} length
   */
  reserve (length) {
    return this.rest === null ? this.sockets.reserve(length) : -1
  }

  /** @param {number} length */
  commit (length) {
    this.sockets.commit(this, length)
  }

  /** @param {Buffer} bytes to send when the kernel accepts more */
  keep (bytes) {
    this.rest ??= []
    this.rest.push(bytes.length > COPIED ? bytes : Buffer.from(bytes))
    this.writableLength += bytes.length
  }

  /** Continues sending when the kernel accepts more. */
  resume () {
    const { rest, sockets } = this
    if (rest === null) return
    while (rest.length > 0) {
      const taken = sockets.send(this, rest[0])
      if (taken < 0) return this.fail(taken)
      this.writableLength -= taken
      if (taken < rest[0].length) {
        rest[0] = rest[0].subarray(taken)
        return
      }
      rest.shift()
    }
    this.rest = null
    this.listener.drained(this)
  }

  /** @param {number} code -errno */
  fail (code, call = 'write') {
    if (this.destroyed) return
    const { connecting } = this
    if (connecting !== null) {
      if (connecting.attempts !== null) return connecting.attempts.fail(code)
      return this.listener.lost(this, connectError(code, connecting.address, connecting.port))
    }
    const name = getSystemErrorName(code)
    this.listener.lost(this, Object.assign(new Error(`${call} ${name}`), { errno: code, code: name, syscall: call }))
  }

  destroy () {
    if (this.destroyed) return
    this.destroyed = true
    this.connecting?.attempts?.stop()
    this.connecting = null
    this.rest = null
    this.writableLength = 0
    this.sockets.end(this)
  }
}

/**
 * @param {number} errno negative
 * @param {string} address with port −1 the path of a Unix socket
 * @param {number} port
 * @returns {NodeJS.ErrnoException} equal to that of node:net
 */
function connectError (errno, address, port) {
  const code = getSystemErrorName(errno)
  const place = port < 0 ? address : `${address}:${port}`
  return Object.assign(new Error(`connect ${code} ${place}`), {
    errno, code, syscall: 'connect', address, ...port >= 0 && { port }
  })
}

module.exports = { NativeSocket, connectError }
