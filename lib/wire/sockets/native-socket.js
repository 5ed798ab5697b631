'use strict'

// Owns one connected socket of a NativeSockets: what the kernel has not taken yet, and who is told of its end. To a connection it is what a
// net.Socket is, as far as a connection uses one.

const { getSystemErrorName } = require('node:util')

/** Copies of so many bytes are made of what was not taken: their place may hold others by then. Larger ones are no part of a list. */
const COPIED = 64 * 1024

const nothing = () => {}

class NativeSocket {
  /**
   * @param {import('./native-sockets').NativeSockets} sockets
   * @param {number} number
   * @param {import('../transport').ReadInto['callback']} onRead
   */
  constructor (sockets, number, onRead) {
    this.sockets = sockets
    this.number = number
    this.onRead = onRead
    /** What the kernel has not taken. @type {Buffer[] | null} */
    this.rest = null
    this.writableLength = 0
    this.destroyed = false
    this.onEnd = nothing
    /** @type {(error: Error) => void} */
    this.onError = nothing
    this.onDrain = nothing
    /** The kernel has not taken all of what was written in a turn. */
    this.onFull = nothing
  }

  /**
   * @param {'end' | 'error' | 'drain' | 'full' | 'close'} event
   * @param {(...args: any[]) => void} listener
   */
  on (event, listener) {
    if (event === 'end') this.onEnd = listener
    else if (event === 'error') this.onError = listener
    else if (event === 'drain') this.onDrain = listener
    else if (event === 'full') this.onFull = listener
    return this
  }

  /**
   * @param {Buffer} bytes
   * @returns {boolean} whether it takes more
   */
  write (bytes) {
    if (this.rest === null) return this.sockets.write(this, bytes)
    this.keep(bytes)
    return false
  }

  /** @param {Buffer} bytes that wait until the kernel takes more */
  keep (bytes) {
    this.rest ??= []
    this.rest.push(bytes.length > COPIED ? bytes : Buffer.from(bytes))
    this.writableLength += bytes.length
  }

  /** The kernel takes more. */
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
    this.onDrain()
  }

  /** @param {number} code -errno */
  fail (code, call = 'write') {
    if (this.destroyed) return
    const name = getSystemErrorName(code)
    this.onError(Object.assign(new Error(`${call} ${name}`), { errno: code, code: name, syscall: call }))
  }

  destroy () {
    if (this.destroyed) return
    this.destroyed = true
    this.rest = null
    this.writableLength = 0
    this.sockets.end(this)
  }
}

module.exports = { NativeSocket }
