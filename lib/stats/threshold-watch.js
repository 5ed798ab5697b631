'use strict'

// Owns the decision that a threshold with abortOn can't be met any more. It compares the limit with the best that the run
// can still come to: every request that is left answered at once and without a failure. How many are left is known for a
// run by amount, and bounded by the schedule with a rate. Only a closed loop that ends with its duration has to be
// guessed: twice as fast as its fastest sample, from a quarter of the duration on.

/** How much faster than in its fastest sample a server may still get. */
const FASTER = 2
/** The part of a closed loop's duration after which that is asked. */
const GRACE = 0.25

/**
 * @typedef {object} Bounds of the run
 * @property {number} amount requests at the most; Infinity when the duration ends the run
 * @property {number} duration ms
 * @property {number | null} rate requests per second that are due; null for a closed loop
 */

class ThresholdWatch {
  /**
   * @param {import('./threshold').Threshold[]} thresholds
   * @param {Bounds} bounds
   */
  constructor (thresholds, { amount, duration, rate }) {
    this.thresholds = thresholds.filter(({ abortOn }) => abortOn)
    this.duration = duration
    this.isLimited = amount !== Infinity
    this.most = rate === null || this.isLimited ? amount : Math.ceil(rate * duration / 1000)
    // Of the fastest sample, per ms.
    this.fastest = 0
    this.fastestBytes = 0
    this.before = { ended: 0, bytes: 0, elapsed: 0 }
  }

  /**
   * Called at the end of each sample.
   * @param {import('./totals').Totals} totals
   * @param {number} elapsed ms
   * @returns {import('./threshold').Threshold | null} one that can't be met any more
   */
  findLost (totals, elapsed) {
    const errors = totals.timedOut + totals.failed + totals.neverSent
    const ended = totals.completed + errors
    const { before } = this
    const span = elapsed - before.elapsed
    if (span > 0) {
      this.fastest = Math.max(this.fastest, (ended - before.ended) / span)
      this.fastestBytes = Math.max(this.fastestBytes, (totals.bytes - before.bytes) / span)
      this.before = { ended, bytes: totals.bytes, elapsed }
    }
    // The end of the run judges all of them.
    if (this.isLimited ? ended >= this.most : elapsed >= this.duration) return null
    const state = { totals, elapsed, errors, ended, most: this.mostRequests(ended, elapsed) }
    return this.thresholds.find(threshold => isBeyond(threshold, this.best(threshold, state))) ?? null
  }

  /**
   * @param {number} ended
   * @param {number} elapsed
   * @returns {number} how many requests can have ended when the run is over
   */
  mostRequests (ended, elapsed) {
    if (this.most !== Infinity) return Math.max(this.most, ended)
    return elapsed < GRACE * this.duration ? Infinity : ended + this.left(elapsed) * this.fastest * FASTER
  }

  /**
   * @param {number} elapsed
   * @returns {number} ms
   */
  left (elapsed) {
    return Math.max(0, this.duration - elapsed)
  }

  /**
   * @param {import('./threshold').Threshold} threshold
   * @param {{ totals: import('./totals').Totals, elapsed: number, errors: number, ended: number, most: number }} state
   * @returns {number} the best figure that the result can have, in the unit of the metric
   */
  best ({ metric }, { totals, elapsed, errors, ended, most }) {
    const { latency } = totals.distributions
    const non2xx = Object.entries(totals.statuses).reduce((sum, [status, count]) => status.startsWith('2') ? sum : sum + count, 0)
    if (metric.percentile !== null) return bestPercentile(latency, metric.percentile, most)
    switch (metric.key) {
      case 'avg': return latency.sum / 1000 / most
      case 'max': return latency.max / 1000
      case 'min': return latency.min / 1000
      case 'requests': return totals.completed
      case 'errors': return errors
      case 'error rate': return errors / most
      case 'non2xx': return non2xx
      case 'non2xx share': return non2xx / most
      case 'timeouts': return totals.timedOut
      case 'timeouts share': return totals.timedOut / most
      case 'mismatches': return totals.mismatches
      case 'mismatches share': return totals.mismatches / most
      case 'rps': return (most - errors) / (this.isLimited ? elapsed : this.duration) * 1000
      case 'bytes/s': return this.isLimited
        ? totals.bytes / ended * most * FASTER / elapsed * 1000
        : elapsed < GRACE * this.duration ? Infinity : (totals.bytes + this.left(elapsed) * this.fastestBytes * FASTER) / this.duration * 1000
      default: throw new Error(`abortOn does not watch ${metric.key}`)
    }
  }
}

/**
 * @param {import('./histogram').Histogram} latency
 * @param {number} percentile
 * @param {number} most
 * @returns {number} ms, if all that is still to come takes no time
 */
function bestPercentile (latency, percentile, most) {
  const rank = Math.ceil(percentile / 100 * most) - (most - latency.count)
  // A share of an unknown number is unknown.
  return rank > 0 && most !== Infinity ? latency.percentile(100 * (rank - 0.5) / latency.count) : 0
}

/**
 * @param {import('./threshold').Threshold} threshold
 * @param {number} best
 */
function isBeyond ({ operator, limit }, best) {
  switch (operator) {
    case '<': return best >= limit
    case '>': return best <= limit
    case '>=': return best < limit
    default: return best > limit
  }
}

module.exports = { ThresholdWatch }
