'use strict'

// Load generators and connections that use sockets of Node.js instead of native ones, which would time responses
// better.

const { Counts } = require('../../record/counts')

/** The number of different reasons. They may come from other machines. */
const MOST_REASONS = 20

/**
 * @typedef {object} Reason
 * @property {string} reason
 * @property {number} generators without native sockets because of it
 * @property {number} connections of other generators without a native socket because of it
 */

/** @extends {Counts<Reason[]>} */
class NodeSockets extends Counts {
  constructor () {
    super()
    /** @type {Map<string, Reason>} */
    this.reasons = new Map()
  }

  /** @param {string} reason @param {number} generators @param {number} connections */
  count (reason, generators, connections) {
    const known = this.reasons.get(reason)
    if (known !== undefined) {
      known.generators += generators
      known.connections += connections
    } else if (this.reasons.size < MOST_REASONS) this.reasons.set(reason, { reason, generators, connections })
  }

  /** @param {Reason[]} reasons */
  add (reasons) {
    for (const { reason, generators, connections } of reasons) this.count(reason, generators, connections)
  }

  /** Keeps the counts: sockets of the excluded start are still in use. */
  skip () {}

  reset () {
    this.reasons.clear()
  }

  encode () {
    return Array.from(this.reasons.values(), one => ({ ...one }))
  }
}

module.exports = { NodeSockets, Total: NodeSockets }
