'use strict'

// Connects a native socket to a name: tries its addresses one after another as node:net does (RFC 8305 without
// overlap).

const { ADDRCONFIG } = require('node:dns')
const { connectError } = require('./native-socket')

/**
 * @typedef {object} Where the options for node:net
 * @property {string} host a name
 * @property {number} port
 * @property {string} [localAddress]
 * @property {import('node:net').LookupFunction} lookup
 *
 * @typedef {{ address: string, family: number }} Address
 */

class Attempts {
  /**
   * @param {import('./native-socket').NativeSocket} socket that has no number yet
   * @param {Where} where
   * @param {number} patience ms for each address but the last
   */
  constructor (socket, where, patience) {
    this.socket = socket
    this.where = where
    this.patience = patience
    /** @type {Address[]} that are left */
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
    // In the form that node:net uses.
    where.lookup(where.host, { family: 0, hints: ADDRCONFIG, all: true }, (error, found) => {
      if (socket.destroyed) return
      if (error !== null) return this.end(error)
      this.addresses = alternating(/** @type {Address[]} */ (/** @type {unknown} */ (found)))
      this.next()
    })
  }

  next () {
    const { socket, where, addresses, patience } = this
    for (let address = addresses.shift(); address !== undefined; address = addresses.shift()) {
      this.address = address
      const code = socket.connectTo(address.address, where.port, where.localAddress)
      if (code >= 0) {
        if (addresses.length > 0) this.timer = setTimeout(() => this.fail(ETIMEDOUT), patience)
        return
      }
      this.note(code)
    }
    const { errors } = this
    // As node:net does: the code of several errors is that of the first.
    const [first] = /** @type {NodeJS.ErrnoException[]} */ (errors)
    this.end(errors.length === 1 ? first : Object.assign(new AggregateError(errors), { code: first?.code }))
  }

  /** @param {Error} error that may come before there is a listener */
  end (error) {
    const { socket } = this
    process.nextTick(() => { if (!socket.destroyed) socket.listener.lost(socket, error) })
  }

  /** @param {number} code -errno */
  note (code) {
    const { address, where } = this
    this.errors.push(connectError(code, /** @type {Address} */ (address).address, where.port))
  }

  /** @param {number} code -errno of the address that is tried */
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

/** Alternates both families, beginning with that of the first. @type {(addresses: Address[]) => Address[]} */
function alternating (addresses) {
  const first = addresses.filter(({ family }) => family === addresses[0].family)
  const second = addresses.filter(({ family }) => family !== addresses[0].family)
  const pairs = Array.from({ length: Math.max(first.length, second.length) }, (_, i) => [first[i], second[i]])
  return pairs.flat().filter(address => address !== undefined)
}

module.exports = { Attempts }
