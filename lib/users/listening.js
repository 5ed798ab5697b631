'use strict'

// A connection that sends nothing: it is opened, and receives messages.

const { NOT_YET } = require('./sequence')

/** @typedef {import('./sequence').Source} Source */

const NO_BYTES = Buffer.alloc(0)

/** @implements {Source} */
class Listening {
  /** @param {import('../requests/target').Target} target */
  constructor (target) {
    this.target = target
    this.maxRun = 1
    this.bytes = NO_BYTES
    // Never in a pause, in which a connection that was closed would not be opened again.
    this.readyAt = -Infinity
  }

  next () {
    return NOT_YET
  }
}

module.exports = { Listening }
