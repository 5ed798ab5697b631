'use strict'

// Pipelines that wait for more responses before they are refilled, and how long.

/** How long a pipeline waits at most, ms. */
const LONGEST = 1

/** @typedef {{ held: boolean, fill: () => void }} Connection */

class Refills {
  /** @param {import('../../core/timers').Timers} timers */
  constructor (timers) {
    this.timers = timers
    /** @type {Connection[]} */
    this.waiting = []
  }

  /** @param {Connection} connection whose pipeline is filled a little later */
  add (connection) {
    if (connection.held) return
    connection.held = true
    // One timer is for all.
    if (this.waiting.push(connection) === 1) this.timers.after(LONGEST, () => this.fill())
  }

  fill () {
    const { waiting } = this
    this.waiting = []
    for (const connection of waiting) {
      connection.held = false
      connection.fill()
    }
  }
}

module.exports = { Refills }
