'use strict'

// Limits how often costly work is done in a thread that may send requests: it may take only a fixed share of the time.
// It has no clock.

class Throttle {
  /**
   * @param {number} least gap between two times, ms
   * @param {number} most gap, however long the work takes, ms
   */
  constructor (least, most) {
    this.least = least
    this.most = most
    /** Time until the work may be done again, ms. */
    this.gap = least
    this.last = 0
  }

  /**
   * The first run of code is slow, and one may wait for a core: the cost is the lower one of two runs in a row.
   * @param {number} ms that the work took
   * @param {number} parts of the time, of which the work may take one
   */
  took (ms, parts) {
    const cost = Math.min(this.last, ms)
    this.last = ms
    this.gap = Math.min(this.most, Math.max(this.least, cost * parts))
  }
}

module.exports = { Throttle }
