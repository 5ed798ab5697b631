'use strict'

// Whether a figure certainly meets a threshold: the whole interval does (passed), or none of it does (failed).
// Otherwise it is inconclusive, and the reason names what would decide it.

const { countedIn } = require('../core/counted')
const { countOf } = require('../figures/figures')
const { biasOf, isHeld } = require('./generator-bias')
const { intervalOf } = require('./interval')
const { explained } = require('./reason')
const { OPERATORS, isKept } = require('./operators')

/** The longest run that is recommended, as a multiple of this one. */
const MOST = 100
/** With this multiple of the values that an interval needs for both ends, it is narrow enough. */
const BOTH_ENDS = 2
/** For a run shorter than this, s, the missing length is given in requests. */
const SHORT = 1

/**
 * @typedef {object} Certainty
 * @property {boolean | null} passed
 * @property {number} [low] of the interval, in the unit of the metric
 * @property {number} [high]
 * @property {boolean} [exact] whether the figure alone meets the threshold; only of an inconclusive one
 * @property {string} [note]
 * @property {import('./reason').Finding} [finding] the note as data
 */

/**
 * @param {import('./threshold').Threshold} threshold
 * @param {number} actual
 * @param {Record<string, any>} result
 * @param {import('./batches').Batches | null} course of the run; null of a result that was read from a file
 * @param {import('./inconclusive').Inconclusive} [inconclusive] with `exact` the figure alone decides: nothing else is
 *   advised
 * @returns {Certainty}
 */
function certaintyOf (threshold, actual, result, course, inconclusive) {
  const exact = isKept(threshold, actual)
  const bias = biasOf(threshold, actual, exact, result)
  // No figure is exactly something.
  const interval = OPERATORS[threshold.operator].isExact
    ? null
    : intervalOf(threshold.metric, result, threshold.part, course)
  const counted = countedIn(result)
  const ends = interval === null ? {} : { low: interval.low, high: interval.high }
  if (!exact && isHeld(threshold, result)) {
    return {
      passed: true, ...ends, ...explained(true, { code: 'rate-held', facts: { rate: result.rate.target } }, counted)
    }
  }
  if (bias?.isOpen) return { passed: null, ...ends, exact, ...explained(null, bias.reason, counted) }
  const note = explained(exact, bias?.reason, counted)
  if (interval === null) return { passed: exact, ...note }
  const [low, high] = [isKept(threshold, interval.low), isKept(threshold, interval.high)]
  if (low === high) return { passed: exact, ...ends, ...note }
  return {
    passed: null,
    ...ends,
    exact,
    ...explained(null, reasonOf(threshold, actual, interval, result, inconclusive), counted)
  }
}

/**
 * @param {import('./threshold').Threshold} threshold
 * @param {number} actual
 * @param {import('./interval').Interval} interval
 * @param {Record<string, any>} result
 * @param {import('./inconclusive').Inconclusive} inconclusive
 * @returns {import('./reason').Reason} what would decide
 */
function reasonOf ({ metric, limit, part }, actual, { low, high, needs }, result, inconclusive) {
  const facts = { unit: metric.unit, actual, limit, low, high }
  if (inconclusive === 'exact') return { code: 'uncertain-figure', facts }
  const count = metric.unit === 'ms' ? countOf(metric, result, part) : result.requests.total
  const width = limit > actual ? high - actual : actual - low
  const times = needs > 1 ? needs * BOTH_ENDS : (width / (limit - actual)) ** 2
  if (needs === 1 && !(times <= MOST)) return { code: 'near-limit', facts: { ...facts, times: MOST } }
  const byCount = result.options?.amount !== undefined || result.duration < SHORT
  const more = byCount
    ? { requests: roundedUp(count * (times - 1)) }
    : { seconds: Math.max(1, roundedUp(result.duration * (times - 1))) }
  return { code: 'longer-run', facts: { ...facts, ...more, ...needs > 1 && { orExact: true } } }
}

/** @param {number} value @returns {number} with two digits: it is an estimate */
function roundedUp (value) {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1)
  return Math.ceil(value / step) * step
}

module.exports = { certaintyOf }
