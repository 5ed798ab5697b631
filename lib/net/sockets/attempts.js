'use strict'

// Connects a native socket to a name: it tries the addresses one after another, as node:net does (RFC 8305 without
// overlapping attempts).

const { ADDRCONFIG } = require('node:dns')
const { connectError } = require('./native-socket')

/**
 * @typedef {object} Where as for net.connect
 * @property {string} host a name
 * @property {number} port
 * @property {string} [localAddress]
 * @property {import('node:net').LookupFunction} lookup
 *
 * @typedef {{ address: string, family: number }} Address
 */

class Attempts {
  /**
   * @param {import('./native-socket').NativeSocket} socket without a number yet
   * @param {Where} where
   * @param {number} attemptMs timeout for each address but the last, ms
   */
  constructor (socket, where, attemptMs) {
    this.socket = socket
    this.where = where
    this.attemptMs = attemptMs
    /** @type {Address[]} the remaining ones */
    this.addresses = []
    /** @type {Address | null} that is tried */
    this.address = null
    /** @type {Error[]} */
    this.errors = []
    /** @type {NodeJS.Timeout | null} */
    this.timer = null
  }

  begin () {
    const { where, socket } = this
    // The same options that node:net passes.
    where.lookup(where.host, { family: 0, hints: ADDRCONFIG, all: true }, (error, found) => {
      if (socket.destroyed) return
      if (error !== null) return this.end(error)
      this.addresses = alternating(/** @type {Address[]} */ (/** @type {unknown} */ (found)))
      this.next()
    })
  }

  next () {
    const { socket, where, addresses, attemptMs } = this
    for (let address = addresses.shift(); address !== undefined; address = addresses.shift()) {
      this.address = address
      const code = socket.connectTo(address.address, where.port, where.localAddress)
      if (code >= 0) {
        if (addresses.length > 0) this.timer = setTimeout(() => this.fail(ETIMEDOUT), attemptMs)
        return
      }
      this.note(code)
    }
    const { errors } = this
    // As in node:net, an AggregateError has the code of the first error.
    const [first] = /** @type {NodeJS.ErrnoException[]} */ (errors)
    this.end(errors.length === 1 ? first : Object.assign(new AggregateError(errors), { code: first?.code }))
  }

  /** @param {Error} error reported in the next tick, when the caller has added its listeners */
  end (error) {
    const { socket } = this
    process.nextTick(() => { if (!socket.destroyed) socket.listener.lost(socket, error) })
  }

  /** @param {number} code -errno */
  note (code) {
    const { address, where } = this
    this.errors.push(connectError(code, /** @type {Address} */ (address).address, where.port))
  }

  /** @param {number} code -errno of the current address */
  fail (code) {
    this.stop()
    this.note(code)
    this.socket.giveUpNumber()
    this.next()
  }

  stop () {
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = null
  }
}

const ETIMEDOUT = -110

/**
 * Alternates between both families, beginning with that of the first address.
 * @type {(addresses: Address[]) => Address[]}
 */
function alternating (addresses) {
  const first = addresses.filter(({ family }) => family === addresses[0].family)
  const second = addresses.filter(({ family }) => family !== addresses[0].family)
  const pairs = Array.from({ length: Math.max(first.length, second.length) }, (_, i) => [first[i], second[i]])
  return pairs.flat().filter(address => address !== undefined)
}

module.exports = { Attempts }
