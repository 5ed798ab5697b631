'use strict'

// Owns which percentiles a result has and what they are called.

const { percentiles: documented } = require('hdr-histogram-percentiles-obj')

/** The documented percentiles and p95. */
const PERCENTILES = Object.freeze([...documented, 95].sort((a, b) => a - b))

/** @param {number} percentile such as 97.5, which is `p97_5` */
const percentileKey = percentile => 'p' + String(percentile).replace('.', '_')

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

module.exports = { PERCENTILES, percentileKey, addPercentiles }
