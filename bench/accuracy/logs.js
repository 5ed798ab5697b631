'use strict'

// What is read from the log of a server whose behaviour is known.

/**
 * @typedef {object} Log ms on the clock of the machine, by order of arrival; NaN for what did not happen
 * @property {Float64Array} arrived
 * @property {Float64Array} answered
 * @property {Float64Array} closed
 * @property {{ from: number, to: number } | null} stall
 * @property {import('./core-waits').Wait[]} waits of the server
 */

/** @returns {number[]} how long the server really took for each answer, sorted */
function delaysOf ({ arrived, answered }) {
  return spans(arrived, answered)
}

/** @returns {number[]} how long those waited that never got an answer, until the client gave up, sorted */
function givenUpOf ({ arrived, closed }) {
  return spans(arrived, closed)
}

function spans (from, to) {
  return Array.from(to, (end, i) => end - from[i]).filter(span => !Number.isNaN(span)).sort((a, b) => a - b)
}

/** @returns {number} the smallest value that this share of all is not above, as HdrHistogram has it */
function quantile (sorted, percentile) {
  return sorted[Math.max(0, Math.ceil(percentile / 100 * sorted.length - 1e-9) - 1)]
}

function mean (values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/**
 * @param {number} length ms
 * @param {number} interval ms between two arrivals
 * @param {import('./core-waits').Wait[]} waits that make what was late no fault of the client
 * @returns {{ counts: number[], judged: number[] }} how many arrived in each window that is whole, from the first arrival
 *   on; and those in windows that no wait touches
 */
function windows (arrived, length, interval, waits) {
  const counts = new Array(Math.round(arrived.length * interval / length)).fill(0)
  // Half an interval before the first arrival, so that what is due on a border is in no doubt.
  const origin = arrived[0] - interval / 2
  for (const at of arrived) {
    const window = Math.floor((at - origin) / length)
    if (window < counts.length) counts[window]++
  }
  // What was late comes as soon as the wait is over, and may fall into the next window.
  const touched = (/** @type {number} */ from) => waits.some(wait => wait.from < from + length && wait.to + 20 > from)
  return { counts, judged: counts.filter((_, i) => !touched(origin + i * length)) }
}

module.exports = { delaysOf, givenUpOf, quantile, mean, windows }
