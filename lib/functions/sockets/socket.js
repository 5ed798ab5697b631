'use strict'

// A WebSocket as a user function sees it.

const { NEVER } = require('../ends')
const { OF_SOCKET } = require('../habits')
const { misuse } = require('../misuse')

class Socket {
  #lane

  /** @param {import('./socket-lane').SocketLane} lane */
  constructor (lane) {
    this.#lane = lane
  }

  get url () {
    return this.#lane.url
  }

  /** The subprotocol that the server has chosen; null for none. */
  get protocol () {
    return this.#lane.protocol
  }

  /** How it was closed; null while it is open, and where the connection has ended without a close frame. */
  get closed () {
    return this.#lane.closed
  }

  /** @type {(message: unknown, options?: unknown) => Promise<import('./message').Message>} */
  request (message, options) {
    return this.#guard(() => this.#lane.send(message, options), this.request)
  }

  /** @type {(message: unknown) => Promise<void>} */
  send (message) {
    return this.#guard(() => this.#lane.post(message), this.send)
  }

  /** @returns {Promise<number>} the round trip, ms */
  ping () {
    return this.#guard(() => this.#lane.ping(), this.ping)
  }

  /** @type {(code?: number, reason?: string) => Promise<void>} */
  close (code, reason) {
    return this.#guard(() => this.#lane.close(code, reason), this.close)
  }

  /** @type {(name: string, caller: Function) => Promise<never>} */
  unknown (name, caller) {
    const { user: { iteration } } = this.#lane
    return iteration === null
      ? Promise.reject(new TypeError(OF_SOCKET[name]))
      : iteration.unknown(`socket.${name}`, OF_SOCKET[name], caller)
  }

  /** @type {(name: string) => never} */
  refuse (name) {
    throw this.#lane.user.misused(new TypeError(`there is no socket.${name} here: ${OF_SOCKET[name]}`))
  }

  [Symbol.asyncIterator] () {
    return this.#lane.iterator()
  }

  /** @type {<T>(ask: () => Promise<T>, caller: Function) => Promise<T>} */
  #guard (ask, caller) {
    const { user } = this.#lane
    // The run is over for this user.
    if (user.closed) return NEVER
    try {
      return ask()
    } catch (error) {
      if (error instanceof TypeError) misuse(error).message = `socket.${caller.name}: ${error.message}`
      Error.captureStackTrace(/** @type {Error} */ (error), caller)
      return user.refuse(error)
    }
  }
}

for (const name of Object.keys(OF_SOCKET)) {
  const isAssigned = /^on(?!ce)./.test(name)
  Object.defineProperty(Socket.prototype, name, isAssigned
    ? { set () { this.refuse(name) }, configurable: true }
    : { value: function unknown () { return this.unknown(name, unknown) }, configurable: true, writable: true })
}

module.exports = { Socket }
