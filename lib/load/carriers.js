'use strict'

// Owns which connections the users of a generator share: a user has a seat on one that leads to its server, and a connection is made when there is none
// with a seat left.

const { Carrier } = require('./carrier')
const { Seat, SeatWire } = require('./seat')

/** @typedef {import('./connection').Shared} Shared */

class Carriers {
  /**
   * @param {Shared} shared of the connections that are made
   * @param {number} size how many users share one
   * @param {(action: () => void) => void} soon in the next turn
   */
  constructor (shared, size, soon) {
    this.shared = shared
    this.size = size
    this.soon = soon
    /** @type {Set<Carrier>} those that take users, and those that will not any more but still have some that are */
    this.all = new Set()
    /** Those that may have a seat left, by server; the last one is asked first. @type {Map<string, Carrier[]>} */
    this.vacant = new Map()
  }

  /** @returns {number} how many connections are open */
  get open () {
    let count = 0
    for (const { isOpen } of this.all) if (isOpen) count++
    return count
  }

  /** @returns {Shared} what users need in place of it: connections and wires that are seats */
  forUsers () {
    const { shared } = this
    return {
      ...shared,
      protocol: { ...shared.protocol, open: (receiver, inFlight) => /** @type {any} */ (new SeatWire(receiver, inFlight)) },
      connect: (target, onread, onReady) => /** @type {any} */ (this.place(new Seat(target, /** @type {import('../wire/transport').ReadInto} */ (onread), onReady))),
      // These are counted where a connection is made.
      perSocket: Infinity,
      onConnected: () => {}
    }
  }

  /**
   * @param {Seat} seat
   * @returns {Seat} the same, on a connection that leads to its target
   */
  place (seat) {
    const { target } = seat
    const key = keyOf(target)
    const vacant = this.vacant.get(key) ?? []
    if (vacant.length === 0) this.vacant.set(key, vacant)
    let carrier = vacant.at(-1)
    for (; carrier !== undefined && !carrier.takes; carrier = vacant.at(-1)) vacant.pop()
    if (carrier === undefined) {
      carrier = new Carrier(this, key)
      this.all.add(carrier)
      vacant.push(carrier)
      carrier.take(seat)
      carrier.connect(target)
    } else {
      carrier.take(seat)
    }
    return seat
  }

  /** @param {Carrier} carrier that has a seat left */
  offer (carrier) {
    if (!carrier.takes) return
    const vacant = this.vacant.get(carrier.key)
    if (vacant === undefined) this.vacant.set(carrier.key, [carrier])
    else if (!vacant.includes(carrier)) vacant.push(carrier)
  }

  /** @param {Carrier} carrier that takes no users any more */
  forget (carrier) {
    if (!carrier.isOpen) this.all.delete(carrier)
    const vacant = this.vacant.get(carrier.key) ?? []
    const i = vacant.indexOf(carrier)
    if (i !== -1) vacant.splice(i, 1)
    if (vacant.length === 0) this.vacant.delete(carrier.key)
  }
}

/**
 * @param {import('../scenario/target').Target} target
 * @returns {string} what two targets have in common to which one connection leads
 */
function keyOf ({ tls, authority, socketPath, servername }) {
  return JSON.stringify([tls, authority, socketPath, servername])
}

module.exports = { Carriers }
