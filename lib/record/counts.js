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

  /** @returns {Report} the counts since the last call */
  take () {
    const report = this.encode()
    this.reset()
    return report
  }

  skip () {
    this.reset()
  }
}

module.exports = { Counts }
