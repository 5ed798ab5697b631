'use strict'

// The percentiles of a result: their names, and the number of values that each requires.

const { percentiles: documented } = require('hdr-histogram-percentiles-obj')

/** The documented percentiles and p95. */
const PERCENTILES = Object.freeze([...documented, 95].sort((a, b) => a - b))

/** @param {number} percentile such as 97.5, which is `p97_5` */
const percentileKey = percentile => 'p' + String(percentile).replace('.', '_')

/**
 * @param {string} key such as `p97_5`
 * @returns {number | null} the percentile; null when it is no such key
 */
function percentileIn (key) {
  const [, digits] = /^p(\d+(?:_\d+)?)$/.exec(key) ?? []
  return digits === undefined ? null : Number(digits.replace('_', '.'))
}

/**
 * @param {number} percentile
 * @returns {number} of how many values at least it is another one than their maximum: 1 ÷ the part that lies above it
 */
function valuesFor (percentile) {
  // The rounding error of the quotient may lift it above a whole number.
  return percentile === 100 ? 1 : Math.ceil(100 / (100 - percentile) * (1 - 1e-9))
}

/**
 * @param {number} percentile
 * @param {number} values how many there are
 * @returns {boolean} whether there are too few for it: their maximum is shown
 */
function isMaximum (percentile, values) {
  return values > 0 && values < valuesFor(percentile)
}

/**
 * @template {object} T
 * @param {T} summary gets the percentiles
 * @param {(percentile: number) => number} valueAt
 * @param {number[]} [more] percentiles beside the documented ones
 * @returns {T & { [percentile: `p${string}`]: number }}
 */
function addPercentiles (summary, valueAt, more = []) {
  const result = /** @type {any} */ (summary)
  for (const percentile of [...PERCENTILES, ...more]) result[percentileKey(percentile)] = valueAt(percentile)
  return result
}

module.exports = { PERCENTILES, percentileKey, percentileIn, valuesFor, isMaximum, addPercentiles }
