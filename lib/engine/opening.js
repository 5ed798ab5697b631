'use strict'

// Limits how many connections are opened per turn of the event loop. A connecting system call takes 20 µs, and more
// than 1 ms while the kernel searches for one of a few free ports: 20,000 of them in one turn blocked signals, timers
// and all responses for 27 s.

/**
 * How long connections may be opened in one turn, ms: for as long as everything else took since the last one, within
 * these bounds. On a busy machine a turn of responses takes 100 ms, and 5 ms beside that would open 20 connections.
 */
const LEAST = 5
const MOST = 50

/** @typedef {{ readonly ended: boolean, open: () => void }} Connection */

class Opening {
  /** @param {import('../core/clock').Clock} now @param {import('../core/timers').Timers} timers whose stop ends it */
  constructor (now, timers) {
    this.now = now
    this.timers = timers
    /** @type {Connection[]} */
    this.waiting = []
    /** How many of them have been opened. */
    this.opened = 0
    /** Until when connections are opened in this turn; 0 when none has been. */
    this.until = 0
    /** When the last of a turn was opened. */
    this.lastAt = 0
  }

  /** @param {ReadonlyArray<Connection>} connections that are opened in this order, now or in one of the next turns */
  add (connections) {
    for (const connection of connections) this.waiting.push(connection)
    this.open(LEAST)
  }

  /** @param {number} slice ms, unless this turn has begun to open some */
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
