'use strict'

// Limits how often costly work is done in a thread that may send requests: it may take only a fixed share of the time.
// It has no clock.

class Sparing {
  /**
   * @param {number} least ms between two times
   * @param {number} most ms that somebody waits for the next time, whatever it costs
   */
  constructor (least, most) {
    this.least = least
    this.most = most
    /** How long it is left alone from now on, ms. */
    this.gap = least
    this.last = 0
  }

  /**
   * The first time is slow, as all code is, and one may have to wait for a core: what two in a row take is what it
   * costs.
   * @param {number} ms that it took
   * @param {number} parts of the time, of which it may take one
   */
  took (ms, parts) {
    const cost = Math.min(this.last, ms)
    this.last = ms
    this.gap = Math.min(this.most, Math.max(this.least, cost * parts))
  }
}

module.exports = { Sparing }
