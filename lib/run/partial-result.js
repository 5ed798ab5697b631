'use strict'

// The result so far. It is made on demand, and cached until there is new data.

class PartialResult {
  /**
   * @param {(outcome: import('../figures/result').Outcome) => Record<string, any>} [make] makes the result; undefined
   *   before the measurement
   */
  constructor (make) {
    this.make = make
    this.revision = 0
    /** @type {Record<string, any> | null} */
    this.made = null
  }

  /** @param {import('./coordinator').Coordinator | null} coordinator */
  result (coordinator) {
    if (this.make === undefined || coordinator === null || coordinator.measurement.revision === this.revision) {
      return this.made
    }
    this.revision = coordinator.measurement.revision
    this.made = this.make(coordinator.outcome())
    return this.made
  }
}

module.exports = { PartialResult }
