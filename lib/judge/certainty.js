'use strict'

// Owns whether it is certain that a figure keeps to a threshold: the whole interval does (passed), or none of it (failed). What is between is inconclusive,
// with a reason that names what would decide it.

const { formatBeside, formatBytes, formatDuration, formatInteger, formatLatencies, formatLatency, formatRate } = require('../core/units')
const { countOf } = require('../figures/figures')
const { bentBy, isHeld } = require('./bent')
const { intervalOf } = require('./interval')
const { isKept } = require('./threshold')

/** Of more than this nobody makes a run, as a multiple of the one that was made. */
const MOST = 100
/** With so many times as many values as it takes for an end on both sides, both are near. */
const BOTH_ENDS = 2
/** What is missing to a run of less is said in requests, s. */
const SHORT = 1

/**
 * @typedef {object} Certainty
 * @property {boolean | null} passed
 * @property {number} [low] of the interval, in the unit of the metric
 * @property {number} [high]
 * @property {boolean} [exact] of one that is inconclusive: whether the figure alone keeps to it
 * @property {string} [note]
 */

/**
 * @param {import('./threshold').Threshold} threshold
 * @param {number} actual
 * @param {Record<string, any>} result
 * @param {import('./batches').Batches | null} course of the run; null of a result that was read from a file
 * @param {import('./inconclusive').Inconclusive} [inconclusive] with `exact` the figure alone decides: nothing else is advised
 * @returns {Certainty}
 */
function certaintyOf (threshold, actual, result, course, inconclusive) {
  const exact = isKept(threshold, actual)
  const bent = bentBy(threshold, actual, exact, result)
  // No figure is exactly something.
  const interval = threshold.operator === '==' ? null : intervalOf(threshold.metric, result, threshold.part, course)
  const ends = interval === null ? {} : { low: interval.low, high: interval.high }
  if (!exact && isHeld(threshold, result)) return { passed: true, ...ends, note: `the rate of ${formatRate(result.rate.target)} req/s was held; what is missing had no response yet when the run ended` }
  if (bent?.isOpen) return { passed: null, ...ends, exact, note: bent.note }
  const note = bent === null ? {} : { note: bent.note }
  if (interval === null) return { passed: exact, ...note }
  const [low, high] = [isKept(threshold, interval.low), isKept(threshold, interval.high)]
  if (low === high) return { passed: exact, ...ends, ...note }
  return { passed: null, ...ends, exact, note: inconclusive === 'exact' ? foundText(threshold, actual, interval) : reasonOf(threshold, actual, interval, result) }
}

/**
 * @param {import('./threshold').Threshold} threshold
 * @param {number} actual
 * @param {import('./interval').Interval} interval
 * @param {Record<string, any>} result
 * @returns {string} such as `96.0 ms (84.1 – 108 ms): about 20 s more would decide`
 */
function reasonOf (threshold, actual, interval, result) {
  const { metric, limit, part } = threshold
  const { low, high, needs } = interval
  const found = foundText(threshold, actual, interval)
  const count = metric.unit === 'ms' ? countOf(metric, result, part) : result.requests.total
  const width = limit > actual ? high - actual : actual - low
  const times = needs > 1 ? needs * BOTH_ENDS : (width / (limit - actual)) ** 2
  if (needs === 1 && !(times <= MOST)) return `${found}: so near to the limit that ${MOST} times as long a run would not decide`
  const byCount = result.options?.amount !== undefined || result.duration < SHORT
  const more = byCount ? `${formatInteger(roundedUp(count * (times - 1)))} requests` : formatDuration(Math.max(1, roundedUp(result.duration * (times - 1))))
  return `${found}: about ${more} more would decide${needs > 1 ? ', or --inconclusive exact' : ''}`
}

/**
 * @param {import('./threshold').Threshold} threshold
 * @param {number} actual
 * @param {import('./interval').Interval} interval
 * @returns {string} such as `96.0 ms (84.1 – 108 ms)`
 */
function foundText ({ metric, limit }, actual, { low, high }) {
  const { unit } = metric
  const format = (/** @type {number} */ value, /** @type {number} */ digits = 3) => formatIn(unit, value, digits)
  return `${formatBeside(format, actual, limit)} (${unit === 'ms' ? formatLatencies(low, high) : `${format(low)} – ${format(high)}`})`
}

/**
 * @param {number} value
 * @returns {number} with two digits: it is an estimate
 */
function roundedUp (value) {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1)
  return Math.ceil(value / step) * step
}

/**
 * @param {string} unit
 * @param {number} value
 * @param {number} digits significant ones
 * @returns {string}
 */
function formatIn (unit, value, digits) {
  if (unit === 'ms') return formatLatency(value, digits)
  return unit === 'bytes/s' ? `${formatBytes(value, digits)}/s` : `${formatRate(value, digits)} req/s`
}

module.exports = { certaintyOf }
