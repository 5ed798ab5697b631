'use strict'

// Delays the refill of pipelines until more responses have arrived, for a limited time.

/** The longest delay of a refill, ms. */
const LONGEST = 1

/** @typedef {{ held: boolean, fill: () => void }} Connection */

class Refills {
  /** @param {import('../../core/timers').Timers} timers */
  constructor (timers) {
    this.timers = timers
    /** @type {Connection[]} */
    this.waiting = []
  }

  /** @param {Connection} connection with a pipeline to refill later */
  add (connection) {
    if (connection.held) return
    connection.held = true
    // One timer serves all pipelines.
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
