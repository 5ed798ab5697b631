'use strict'

// Finds the reads that bring bytes of a body: each is a message, however the server has framed it.

/**
 * @typedef {import('../stream').Scanner} Scanner
 * @implements {Scanner}
 */
class ReadScanner {
  constructor () {
    this.hasBytes = false
    this.isInside = false
    this.size = 0
  }

  reset () {
    this.hasBytes = false
  }

  /** @type {Scanner['scan']} */
  scan (bytes, start, end) {
    if (end > start) this.hasBytes = true
    return 0
  }

  endRead () {
    const messages = this.hasBytes ? 1 : 0
    this.hasBytes = false
    return messages
  }

  finish () {
    return 0
  }
}

module.exports = { ReadScanner }
