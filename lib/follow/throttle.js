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
    /** The time until the next work, ms. */
    this.gap = least
    this.last = 0
  }

  /**
   * Reports the duration of the work. The lower of two consecutive durations counts, because the first run of code is
   * slow, and any run may wait for a core.
   * @param {number} ms that the work took
   * @param {number} parts the work may take 1/parts of the time
   */
  took (ms, parts) {
    const cost = Math.min(this.last, ms)
    this.last = ms
    this.gap = Math.min(this.most, Math.max(this.least, cost * parts))
  }
}

module.exports = { Throttle }
