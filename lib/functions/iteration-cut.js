'use strict'

/** Ends an iteration of a flow early, for the reason that results have. It is no failure of the run. */
class IterationCut extends Error {
  /** @param {string} reason */
  constructor (reason) {
    super(reason)
    this.reason = reason
  }
}

module.exports = { IterationCut }
