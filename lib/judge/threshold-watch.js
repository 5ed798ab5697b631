'use strict'

// Decides during a run whether a threshold with abortOn can still be met. It compares the limit with the best possible
// rest of the run, in which every further request completes at once and without a failure.
//
// In a run by amount, the number of further requests is known. With a rate, the schedule bounds it. Failed attempts to
// connect are additional errors: they use up an amount, but no schedule. In a closed loop with a duration, the rest is
// estimated as twice as fast as the fastest sample. The estimate starts after a quarter of the duration, and after
// three samples with responses: the first sample includes the start of the server.

const { countNon2xx } = require('../record/statuses')
const { OPERATORS } = require('./operators')
const { round } = require('../core/units')

/** How much faster than its fastest sample a server may still become. */
const FASTER = 2
/** The part of a closed loop's duration after which the rest is estimated. */
const GRACE = 0.25
/** How many samples need responses before the rest is estimated. */
const SAMPLES = 3

/**
 * @typedef {object} Bounds of the run
 * @property {number} amount requests at most; Infinity when the duration ends the run
 * @property {number} duration ms of the figures
 * @property {number} due requests that the schedule has; Infinity for a closed loop
 * @property {boolean} [steady] whether the load is constant, so that the fastest sample bounds the others
 *
 * @typedef {object} Most possible rest of the run
 * @property {number} sent requests
 * @property {number} responses
 * @property {number} ended requests, with those that are never sent
 */

class ThresholdWatch {
  /** @param {import('./threshold').Threshold[]} thresholds @param {Bounds} bounds */
  constructor (thresholds, { amount, duration, due, steady = true }) {
    this.thresholds = thresholds.filter(({ abortOn }) => abortOn)
    this.amount = amount
    this.duration = duration
    this.due = due
    this.steady = steady
    // Of the fastest sample, per ms.
    this.fastest = 0
    this.fastestBytes = 0
    this.before = { completed: 0, bytes: 0, elapsed: 0 }
    /** In how many samples there were responses. */
    this.withResponses = 0
  }

  /**
   * Requests that ended before the figures began are excluded.
   * @param {import('../record/totals').Skipped} skipped of one generator
   */
  leaveOut ({ requests, forgone }) {
    this.amount -= requests + forgone
    this.due -= requests
  }

  /**
   * Called at the end of each sample.
   * @param {import('../record/totals').Totals} totals
   * @param {number} elapsed ms
   * @returns {import('./threshold').Threshold | null} one that can no longer be met
   */
  findLost (totals, elapsed) {
    const { completed, timedOut, failed, bytes } = totals
    const { before } = this
    const span = elapsed - before.elapsed
    if (span > 0) {
      this.fastest = Math.max(this.fastest, (completed - before.completed) / span)
      this.fastestBytes = Math.max(this.fastestBytes, (bytes - before.bytes) / span)
      if (completed > before.completed) this.withResponses++
      this.before = { completed, bytes, elapsed }
    }
    const most = this.mostOf(totals, elapsed)
    // The end of the run judges all of them.
    if (elapsed >= this.duration || completed + timedOut + failed >= most.sent) return null
    const lost = this.thresholds.find(threshold =>
      OPERATORS[threshold.operator].isLost(this.best(threshold, totals, elapsed, most), threshold.limit))
    return lost ?? null
  }

  /** @param {import('../record/totals').Totals} totals @param {number} elapsed @returns {Most} */
  mostOf (totals, elapsed) {
    const { completed, timedOut, failed, neverSent, forgone } = totals
    const bound = Math.min(this.amount - forgone, this.due)
    const sent = Math.max(totals.sent, completed + timedOut + failed)
    const most = bound === Infinity ? sent + this.estimate(this.fastest, elapsed) : Math.max(sent, bound)
    return { sent: most, responses: most - timedOut - failed, ended: most + neverSent }
  }

  /**
   * @param {number} fastest per ms
   * @param {number} elapsed
   * @returns {number} how much more is possible; Infinity while unknown
   */
  estimate (fastest, elapsed) {
    if (!this.steady || this.withResponses < SAMPLES || elapsed < GRACE * this.duration) return Infinity
    return Math.max(0, this.duration - elapsed) * fastest * FASTER
  }

  /**
   * @param {number} elapsed
   * @returns {number} ms that the run lasts at least: it ends early when its amount is used up
   */
  leastTime (elapsed) {
    return this.amount === Infinity ? this.duration : elapsed
  }

  /**
   * @param {import('./threshold').Threshold} threshold
   * @param {import('../record/totals').Totals} totals
   * @param {number} elapsed
   * @param {Most} most
   * @returns {number} the best figure that the result can have, in the unit of the metric
   */
  best ({ metric: { percentile, unit, row } }, totals, elapsed, most) {
    const { latency } = totals.distributions
    if (percentile !== null) return bestPercentile(latency, percentile, most.sent)
    // Rounded as in a result: a value just above the limit may meet it there.
    if (row.latency !== undefined) {
      return round({ average: latency.sum / most.sent, min: latency.min, max: latency.max }[row.latency] / 1000)
    }
    /** @type {Partial<import('../figures/metric').Counted>} the lower bounds */
    const least = {
      responses: totals.completed, failures: totals.failures, errors: totals.errors,
      non2xx: countNon2xx(totals.statuses),
      timeouts: totals.timedOut, mismatches: totals.mismatches, resent: totals.resent,
      seconds: this.leastTime(elapsed) / 1000
    }
    /** @type {Partial<import('../figures/metric').Counted>} the upper bounds */
    const greatest = {
      ...most, written: most.sent, compared: most.responses, bytes: this.mostBytes(totals, elapsed, most)
    }
    const [from, to] = row.abortOn === '>' ? [greatest, least] : [least, greatest]
    const [some, all] = [from[String(row.of)] ?? NaN, to[String(row.per)] ?? NaN]
    if (unit === 'count') return some
    return unit === 'share' ? some / all : round(some / all)
  }

  /**
   * @param {import('../record/totals').Totals} totals
   * @param {number} elapsed
   * @param {Most} most
   * @returns {number} bytes that can be read at most; the size of further responses is an estimate
   */
  mostBytes ({ bytes, completed }, elapsed, { responses }) {
    if (this.amount === Infinity && this.due === Infinity) return bytes + this.estimate(this.fastestBytes, elapsed)
    return this.withResponses < SAMPLES ? Infinity : bytes / completed * responses * FASTER
  }
}

/**
 * @param {import('../record/histogram').Histogram} latency
 * @param {number} percentile
 * @param {number} most
 * @returns {number} ms, if all further requests take no time
 */
function bestPercentile (latency, percentile, most) {
  const rank = Math.ceil(percentile / 100 * most) - (most - latency.count)
  // A share of an unknown number is unknown.
  return rank > 0 && most !== Infinity ? latency.percentile(100 * (rank - 0.5) / latency.count) : 0
}

module.exports = { ThresholdWatch }
