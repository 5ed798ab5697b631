'use strict'

// Owns which percentiles a result has, what they are called, and how many values each of them takes.

const { percentiles: documented } = require('hdr-histogram-percentiles-obj')
const { formatInteger, plural } = require('../core/units')

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
  // Without the rounding error of the quotient, which may be what is above a whole number.
  return percentile === 100 ? 1 : Math.ceil(100 / (100 - percentile) * (1 - 1e-9))
}

/**
 * @param {number} percentile
 * @param {number} values how many there are
 * @returns {boolean} whether there are too few to tell it: what is shown for it is the highest of them
 */
function isMaximum (percentile, values) {
  return values > 0 && values < valuesFor(percentile)
}

/**
 * @param {number[]} percentiles for which `isMaximum` holds
 * @param {number[]} counts of how many values they are
 * @returns {string} `p99.9 of 100 values is the maximum: it needs 1,000 values`
 */
function maximumNote (percentiles, counts) {
  const names = listed(percentiles.map(percentile => `p${percentile}`))
  const needed = listed(percentiles.map(percentile => formatInteger(valuesFor(percentile))))
  const verb = percentiles.length === 1 ? 'is' : 'are'
  if (counts.length === 1 && counts[0] === 1) {
    return `${names} of 1 value ${verb} that value: p${percentiles.at(-1)} needs ` +
      `${formatInteger(valuesFor(Number(percentiles.at(-1))))} values`
  }
  const of = counts.length > 1 ? 'so few values' : plural(counts[0], 'value')
  return `${names} of ${of} ${verb} the maximum: ` +
    `${percentiles.length === 1 ? 'it needs' : 'they need'} ${needed} values`
}

/** @param {string[]} words */
function listed (words) {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`
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

module.exports = { PERCENTILES, percentileKey, percentileIn, valuesFor, isMaximum, maximumNote, addPercentiles }
