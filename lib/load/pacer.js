'use strict'

// Owns which connection sends what is due next, when there is a rate: each its own share, in turn, or whichever has room.

const { Pace, Slots, paces } = require('./schedule')

/**
 * @typedef {import('./connection').Connection} Connection
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
   * @param {number} end ms
   * @param {number} [phase] ms
   */
  constructor (rate, connections, end, phase = 0) {
    this.shares = paces(rate, connections, end, phase)
    this.turns = new Pace(1000 / rate, phase)
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

/** How many connections are looked at for one that has nothing to do. */
const CHOICES = 16

/**
 * The open model: a request goes to any connection that has room, and waits only while none has.
 * @implements {Pacer}
 */
class OpenPacer {
  /**
   * @param {number} rate requests per second
   * @param {number} phase ms
   * @param {number} end ms
   */
  constructor (rate, phase, end) {
    this.pace = new Pace(1000 / rate, phase, end)
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
    // What falls due while a batch is written is the next one.
    for (let due; slots.free > 0 && (due = pace.due(elapsed())) > 0;) {
      for (; due > 0 && slots.free > 0; due--) {
        const connection = this.choose(connections)
        // A hook may end the run instead.
        if (connection === null || connection.send(1) === 0) return
      }
    }
  }

  /**
   * One of the connections in turn that has room, and the least to do of the first few that are looked at.
   * @param {Connection[]} connections
   * @returns {Connection | null}
   */
  choose (connections) {
    const { length } = connections
    let best = null
    for (let i = 0; i < length && (i < CHOICES || best === null); i++) {
      const connection = connections[this.turn]
      if (++this.turn === length) this.turn = 0
      if (!connection.takesMore) continue
      if (connection.inFlight.count === 0) return connection
      if (best === null || connection.inFlight.count < best.inFlight.count) best = connection
    }
    return best
  }

  /** @param {Connection[]} connections */
  groups (connections) {
    return [{ pace: this.pace, slots: this.slots, left: connections.reduce((left, { budget }) => left + budget.left, 0) }]
  }
}

module.exports = { TurnPacer, OpenPacer }
