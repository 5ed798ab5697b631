'use strict'

// Whether a run may end because all its thresholds are decided (`--until decided`).
//
// The first interim look that decides ends the run, and repeated looks are wrong more often than a single one. So there
// are eleven at most, each after a quarter more has been measured, and each end of an interval has 99.8 %: together
// they bound the error (Bonferroni). Intervals that hold at all times (Howard and Ramdas, "Sequential Estimation of
// Quantiles with Applications to A/B Testing and Best-Arm Identification", 2022) need independent requests, which these
// are not. `node bench/accuracy.js --only decided` checks it on servers with known figures.

const { round } = require('../core/units')
const { Batches } = require('./batches')

/** Of each end of an interval at each look. */
const CONFIDENCE = 0.998
/** How much longer a run is at the next look. */
const GROWTH = 1.25

class Decided extends Batches {
  /**
   * @param {number} least ms of figures before the first look
   * @param {() => Array<{ passed: boolean | null }>} judge the thresholds so far
   */
  constructor (least, judge) {
    super(CONFIDENCE)
    this.nextLook = least
    this.judge = judge
  }

  /** @returns {boolean} whether the run may end, because every threshold is decided */
  look () {
    if (this.elapsed < this.nextLook) return false
    this.nextLook = this.elapsed * GROWTH
    return this.judge().every(({ passed }) => passed !== null)
  }

  /**
   * @param {import('./until').Until} until
   * @param {{ thresholds: Array<{ passed: boolean | null }> }} result
   * @returns {Record<string, any>} its part of the result
   */
  outcome ({ expression }, { thresholds }) {
    const value = thresholds.filter(({ passed }) => passed !== null).length
    return {
      expression,
      metric: 'thresholds',
      unit: 'count',
      target: thresholds.length,
      reached: value === thresholds.length,
      value,
      low: null,
      high: null,
      width: null,
      confidence: CONFIDENCE,
      after: round(this.elapsed / 1000)
    }
  }
}

module.exports = { Decided }
