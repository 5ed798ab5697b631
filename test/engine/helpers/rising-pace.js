'use strict'

// A pace that is not even: requests per second grow with the time.

/** @implements {import('../../../lib/shapes/pace').Pace} */
class RisingPace {
  /**
   * @param {number} rate requests per second at the start
   * @param {number} rise by how many they grow each second
   * @param {number} [end] ms
   */
  constructor (rate, rise, end = Infinity) {
    this.rate = rate
    this.rise = rise
    this.total = end === Infinity ? Infinity : Math.ceil(this.count(end) - 1e-6)
  }

  /** How many requests the rate makes until then: the area below it. */
  count (at) {
    const s = at / 1000
    return at < 0 ? -1 : this.rate * s + this.rise * s * s / 2
  }

  dueAt (n) {
    const { rate, rise } = this
    return 1000 * (Math.sqrt(rate * rate + 2 * rise * n) - rate) / rise
  }

  dueBy (at) {
    return Math.min(this.total, Math.floor(this.count(at) + 1e-6) + 1)
  }
}

module.exports = { RisingPace }
