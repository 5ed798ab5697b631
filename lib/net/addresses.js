'use strict'

// Resolves the host of each connection. A name is looked up once, or for each connection. The connections of a thread
// use its addresses round-robin. If one is unreachable, Node.js tries the others.

const clock = require('../core/clock')
const { ConnectionError } = require('../core/errors')
const { addressesOf, familyOf } = require('./route')

/**
 * @typedef {{ address: string, family: number }} Address
 *
 * @typedef {(error: NodeJS.ErrnoException | null, ...answer: any[]) => void} Callback as for dns.lookup
 */

/** The default rules, as in curl. @type {import('./route').Names} */
const PLAIN = { family: 0, once: true, resolve: [] }

class Addresses {
  /**
   * @param {import('./route').Names | null} rules
   * @param {object} [needs]
   * @param {import('node:net').LookupFunction} [needs.lookup] instead of dns.lookup
   * @param {number} [needs.timeout] ms after which a pending look-up fails further connections
   * @param {import('../core/clock').Clock} [needs.now]
   */
  constructor (
    rules, { lookup = (...needs) => require('node:dns').lookup(...needs), timeout = Infinity, now = clock.now } = {}
  ) {
    this.rules = rules ?? PLAIN
    this.lookup = lookup
    this.timeout = timeout
    this.now = now
    /** When the look-up of a host began. @type {Map<string, number>} */
    this.pending = new Map()
    /** @type {Map<string, Address[]>} by host, in the order of DNS */
    this.known = new Map()
    /** The number of connections to each host so far. @type {Map<string, number>} */
    this.turns = new Map()
  }

  /**
   * @param {import('./route').Place} place
   * @returns {{ host: string, lookup: import('node:net').LookupFunction }} for net.connect
   */
  of (place) {
    const { host, port } = place
    const { family, resolve } = this.rules
    const given = resolve.length === 0 ? null : addressesOf(resolve, place)
    if (given === null) return { host, lookup: (name, options, callback) => this.find(name, options, callback) }
    const addresses = given.map(address => ({ address, family: familyOf(address) })).filter(one =>
      family === 0 || one.family === family)
    const turn = this.turn(`${host}:${port}`, addresses)
    // net.connect calls `lookup` for names only, so an address is replaced here.
    return {
      host: familyOf(host) === 0 ? host : turn[0].address,
      lookup: (name, options, callback) => pass(turn, options, callback)
    }
  }

  /** @type {(host: string, options: import('node:dns').LookupOptions, callback: Callback) => void} */
  find (host, options, callback) {
    const { family, once } = this.rules
    const known = this.known.get(host)
    if (known !== undefined) return pass(this.turn(host, known), options, callback)
    const since = this.pending.get(host) ?? this.now()
    if (this.now() - since >= this.timeout) {
      return callback(
        new ConnectionError('AC_LOOKUP_TIMEOUT', `no name server has responded for ${host} within the timeout`)
      )
    }
    this.pending.set(host, since)
    const wanted = options.family === 4 || options.family === 6 ? options.family : family
    this.lookup(host, { family: wanted, hints: options.hints, all: true }, (error, found) => {
      this.pending.delete(host)
      if (error !== null) return callback(error)
      const addresses = /** @type {Address[]} */ (/** @type {unknown} */ (found))
      if (once) this.known.set(host, addresses)
      pass(this.turn(host, addresses), options, callback)
    })
  }

  /**
   * Returns the addresses in round-robin order. For localhost the order is kept: both addresses are this machine, and
   * many servers listen on one of them only.
   * @type {(host: string, addresses: Address[]) => Address[]}
   */
  turn (host, addresses) {
    if (host === 'localhost' || addresses.length < 2) return addresses
    const turn = this.turns.get(host) ?? 0
    this.turns.set(host, turn + 1)
    const first = turn % addresses.length
    return [...addresses.slice(first), ...addresses.slice(0, first)]
  }
}

/** @type {(addresses: Address[], options: import('node:dns').LookupOptions, callback: Callback) => void} */
function pass (addresses, options, callback) {
  if (options.all) callback(null, addresses)
  else callback(null, addresses[0].address, addresses[0].family)
}

module.exports = { Addresses }
