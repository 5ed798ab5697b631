'use strict'

// Limits how many connections are opened per turn of the event loop. A connecting system call takes 20 µs, and more
// than 1 ms while the kernel searches for one of a few free ports: 20,000 of them in one turn blocked signals, timers
// and all responses for 27 s.

/**
 * The bounds of the time for opening connections in one turn, ms. Within them it equals the time of all other work
 * since the last connection: on a busy machine a turn of responses takes 100 ms, and a fixed 5 ms would open only 20
 * connections.
 */
const LEAST = 5
const MOST = 50

/** @typedef {{ readonly ended: boolean, open: () => void }} Connection */

class Opening {
  /**
   * @param {import('../core/clock').Clock} now
   * @param {import('../core/timers').Timers} timers stop it at the end of the run
   */
  constructor (now, timers) {
    this.now = now
    this.timers = timers
    /** @type {Connection[]} */
    this.waiting = []
    /** The number of opened connections of the list. */
    this.opened = 0
    /** The deadline for opening connections in this turn; 0 before the first. */
    this.until = 0
    /** The time of the last opened connection of a turn. */
    this.lastAt = 0
  }

  /** @param {ReadonlyArray<Connection>} connections to open in this order, now or in later turns */
  add (connections) {
    for (const connection of connections) this.waiting.push(connection)
    this.open(LEAST)
  }

  /** @param {number} slice ms for this turn, unless it has already opened some */
  open (slice) {
    const { waiting, now, timers } = this
    if (this.until === 0) {
      this.until = now() + slice
      timers.soon(() => this.turn())
    }
    while (this.opened < waiting.length && !timers.stopped && now() < this.until) {
      const connection = waiting[this.opened++]
      if (!connection.ended) connection.open()
    }
    this.lastAt = now()
  }

  turn () {
    this.until = 0
    if (this.timers.stopped) return
    if (this.opened < this.waiting.length) return this.open(Math.min(MOST, Math.max(LEAST, this.now() - this.lastAt)))
    this.waiting = []
    this.opened = 0
  }
}

module.exports = { Opening }
