'use strict'

// Counts of instruments: they are handed over as a plain object, and start from 0 then.

/** @template Report */
class Counts {
  /** @abstract @returns {Report} */
  encode () {
    throw new Error('abstract')
  }

  /** @abstract */
  reset () {}

  /** @returns {Report} what was counted since the last time */
  take () {
    const report = this.encode()
    this.reset()
    return report
  }

  /** Leaves out of the figures what was counted so far. */
  skip () {
    this.reset()
  }
}

module.exports = { Counts }
