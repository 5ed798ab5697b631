'use strict'

// Owns the form in which a distribution leaves the program and comes back: the compressed one that every HdrHistogram
// reads, in base64, with values in µs.

const hdr = require('hdr-histogram-js')
const { HIGHEST, highestOf } = require('./buckets')

/**
 * @param {import('./histogram').Histogram} histogram
 * @returns {string}
 */
function encode (histogram) {
  const encoded = hdr.build({ bitBucketSize: 64, autoResize: false, lowestDiscernibleValue: 1, highestTrackableValue: HIGHEST, numberOfSignificantValueDigits: 3 })
  if (histogram.count > 0) {
    const [from, to] = histogram.span
    for (let i = from; i < to; i++) {
      if (histogram.counts[i] > 0) encoded.recordValueWithCount(Math.min(highestOf(i), HIGHEST), histogram.counts[i])
    }
  }
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
