'use strict'

// Owns which connection sends what is due next, when there is a rate: each its own share, in turn, or whichever has room.

const { Pace, Slots, paces } = require('./schedule')

/**
 * @typedef {import('../http1/connection').Connection} Connection
 *
 * @typedef {object} Group connections that share a pace
 * @property {Pace} pace
 * @property {Slots} slots
 * @property {number} left how many more requests they may send
 *
 * @typedef {object} Pacer
 * @property {(i: number) => { pace: Pace, slots: Slots }} join the pace of the i-th connection
 * @property {() => number} next when a connection has to be woken
 * @property {(connections: Connection[], elapsed: () => number) => void} wake lets connections send what is due
 * @property {(connections: Connection[]) => Group[]} groups
 */

/**
 * Each connection has its own share of the rate; the shares are phased, so that the connections take turns.
 * @implements {Pacer}
 */
class TurnPacer {
  /**
   * @param {number} rate requests per second
   * @param {number} connections
   */
  constructor (rate, connections) {
    this.shares = paces(rate, connections)
    this.turns = new Pace(1000 / rate, 0)
  }

  /** @param {number} i */
  join (i) {
    return { pace: this.shares[i], slots: new Slots() }
  }

  next () {
    return this.turns.next()
  }

  /**
   * @param {Connection[]} connections
   * @param {() => number} elapsed
   */
  wake (connections, elapsed) {
    const { turns } = this
    const due = turns.due(elapsed())
    const times = Math.min(due, connections.length)
    for (let i = 0; i < times; i++) connections[(turns.taken + i) % connections.length].fill()
    turns.taken += due
  }

  /** @param {Connection[]} connections */
  groups (connections) {
    return connections.map(({ pace, slots, budget }) =>
      ({ pace: /** @type {Pace} */ (pace), slots: /** @type {Slots} */ (slots), left: budget.left }))
  }
}

/**
 * The open model: a request goes to any connection that has room, and waits only while none has.
 * @implements {Pacer}
 */
class OpenPacer {
  /**
   * @param {number} rate requests per second
   * @param {number} phase ms
   */
  constructor (rate, phase) {
    this.pace = new Pace(1000 / rate, phase)
    this.slots = new Slots()
    this.turn = 0
  }

  join () {
    return { pace: this.pace, slots: this.slots }
  }

  next () {
    return this.pace.next()
  }

  /**
   * @param {Connection[]} connections
   * @param {() => number} elapsed
   */
  wake (connections, elapsed) {
    const { pace, slots } = this
    for (let i = 0; i < connections.length && slots.free > 0 && pace.due(elapsed()) > 0; i++) {
      connections[this.turn].fill()
      this.turn = (this.turn + 1) % connections.length
    }
  }

  /** @param {Connection[]} connections */
  groups (connections) {
    return [{ pace: this.pace, slots: this.slots, left: connections.reduce((left, { budget }) => left + budget.left, 0) }]
  }
}

module.exports = { TurnPacer, OpenPacer }
