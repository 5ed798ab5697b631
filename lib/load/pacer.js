'use strict'

// Owns which connection sends what is due next, when there is a rate: each its own share, in turn, or whichever has room.

const { Slice } = require('./pace')
const { Queue } = require('./queue')

/**
 * @typedef {object} Connection
 * @property {Queue | null} queue of what is due
 * @property {{ left: number }} budget
 * @property {{ count: number }} exchanges in flight
 * @property {boolean} takesMore whether it has room, a socket that takes more, and something to send
 * @property {() => void} fill sends what is due, as far as it has room
 * @property {(n: number) => number} send how many of so many requests it has sent
 *
 * @typedef {object} Group connections that share a queue
 * @property {Queue} queue
 * @property {number} left how many more requests they may send
 *
 * @typedef {object} Pacer
 * @property {(i: number) => Queue} join the queue of the i-th connection
 * @property {() => number} next when a connection has to be woken
 * @property {(connections: Connection[], elapsed: () => number) => void} wake lets connections send what is due
 * @property {(connections: Connection[]) => Group[]} groups
 */

/**
 * The connections take turns: the n-th request is that of one of them, and waits for it.
 * @implements {Pacer}
 */
class TurnPacer {
  /**
   * @param {import('./pace').Pace} pace
   * @param {number} connections
   */
  constructor (pace, connections) {
    this.pace = pace
    this.connections = connections
    /** How many turns there were. */
    this.turns = 0
  }

  /** @param {number} i */
  join (i) {
    return new Queue(new Slice(this.pace, i, this.connections))
  }

  next () {
    return this.pace.dueAt(this.turns)
  }

  /**
   * @param {Connection[]} connections
   * @param {() => number} elapsed
   */
  wake (connections, elapsed) {
    const { turns } = this
    const due = this.pace.dueBy(elapsed())
    this.turns = due
    const last = Math.min(due, turns + connections.length)
    for (let turn = turns; turn < last; turn++) connections[turn % connections.length].fill()
  }

  /** @param {Connection[]} connections */
  groups (connections) {
    return connections.map(({ queue, budget }) => ({ queue: /** @type {Queue} */ (queue), left: budget.left }))
  }
}

/** How many connections are looked at for one that has nothing to do. */
const CHOICES = 16

/**
 * The open model: a request goes to any connection that has room, and waits only while none has.
 * @implements {Pacer}
 */
class OpenPacer {
  /** @param {import('./pace').Pace} pace */
  constructor (pace) {
    this.queue = new Queue(pace)
    this.turn = 0
  }

  join () {
    return this.queue
  }

  next () {
    return this.queue.next()
  }

  /**
   * @param {Connection[]} connections
   * @param {() => number} elapsed
   */
  wake (connections, elapsed) {
    const { queue } = this
    // What falls due while a batch is written is the next one.
    for (let due; queue.free > 0 && (due = queue.due(elapsed())) > 0;) {
      while (due > 0 && queue.free > 0) {
        const connection = this.choose(connections)
        if (connection === null) return
        if (connection.send(1) > 0) due--
        // What has nothing to send yet takes no more. If it does, its hook failed.
        else if (connection.takesMore) return
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
      if (connection.exchanges.count === 0) return connection
      if (best === null || connection.exchanges.count < best.exchanges.count) best = connection
    }
    return best
  }

  /** @param {Connection[]} connections */
  groups (connections) {
    return [{ queue: this.queue, left: connections.reduce((left, { budget }) => left + budget.left, 0) }]
  }
}

module.exports = { TurnPacer, OpenPacer }
