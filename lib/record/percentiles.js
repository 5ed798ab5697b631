'use strict'

// The percentiles of a result: their names, and the number of values that each requires.

const { percentiles: documented } = require('hdr-histogram-percentiles-obj')

/** The documented percentiles and p95. */
const PERCENTILES = Object.freeze([...documented, 95].sort((a, b) => a - b))

/** @param {number} percentile such as 97.5, with the key `p97_5` */
const percentileKey = percentile => 'p' + String(percentile).replace('.', '_')

/**
 * @param {string} key such as `p97_5`
 * @returns {number | null} the percentile; null for any other key
 */
function percentileIn (key) {
  const [, digits] = /^p(\d+(?:_\d+)?)$/.exec(key) ?? []
  return digits === undefined ? null : Number(digits.replace('_', '.'))
}

/**
 * @param {number} percentile
 * @returns {number} the minimum number of values for which the percentile differs from the maximum: 1 ÷ the share above
 *   it
 */
function valuesFor (percentile) {
  // A rounding error may raise the quotient above an integer.
  return percentile === 100 ? 1 : Math.ceil(100 / (100 - percentile) * (1 - 1e-9))
}

/**
 * @param {number} percentile
 * @param {number} values their number
 * @returns {boolean} whether there are too few values, so that the percentile is their maximum
 */
function isMaximum (percentile, values) {
  return values > 0 && values < valuesFor(percentile)
}

/**
 * @template {object} T
 * @param {T} summary receives the percentiles
 * @param {(percentile: number) => number} valueAt
 * @param {number[]} [more] percentiles in addition to the documented ones
 * @returns {T & { [percentile: `p${string}`]: number }}
 */
function addPercentiles (summary, valueAt, more = []) {
  const result = /** @type {any} */ (summary)
  for (const percentile of [...PERCENTILES, ...more]) result[percentileKey(percentile)] = valueAt(percentile)
  return result
}

module.exports = { PERCENTILES, percentileKey, percentileIn, valuesFor, isMaximum, addPercentiles }
