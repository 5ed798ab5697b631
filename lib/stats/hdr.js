'use strict'

// Owns the form in which a distribution leaves the program and comes back: the compressed one that every HdrHistogram
// reads, in base64, with values in µs.

const hdr = require('hdr-histogram-js')
const { HIGHEST, highestOf } = require('./buckets')

/**
 * @param {import('./histogram').Encoded} distribution
 * @returns {string}
 */
function encode ({ buckets }) {
  const encoded = hdr.build({ bitBucketSize: 64, autoResize: false, lowestDiscernibleValue: 1, highestTrackableValue: HIGHEST, numberOfSignificantValueDigits: 3 })
  for (let i = 0; i < buckets.length; i += 2) encoded.recordValueWithCount(Math.min(highestOf(buckets[i]), HIGHEST), buckets[i + 1])
  return hdr.encodeIntoCompressedBase64(encoded)
}

/**
 * @param {string} base64
 * @returns {Array<[number, number]>} values in µs, rising, each the highest of its bucket, and how often they occurred
 */
function decode (base64) {
  const decoded = /** @type {import('hdr-histogram-js').JsHistogram} */ (hdr.decodeFromCompressedBase64(base64, 64, false))
  const iterator = decoded.recordedValuesIterator
  /** @type {Array<[number, number]>} */
  const values = []
  iterator.reset()
  while (iterator.hasNext()) {
    const { valueIteratedTo, countAddedInThisIterationStep } = iterator.next()
    values.push([valueIteratedTo, countAddedInThisIterationStep])
  }
  return values
}

module.exports = { encode, decode }
