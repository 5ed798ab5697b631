'use strict'

// Owns the form in which a distribution leaves the program and comes back: the compressed one that every HdrHistogram
// reads (V2: cookie, size, parameters, then counts as ZigZag LEB128, deflated), in base64, with values in µs.
//
// Every run writes one: that is done here, because loading a library for it took a third of a run's start. Reading is
// hdr-histogram-js's, which knows the older forms, too.

const { HIGHEST } = require('./buckets')

const COOKIE = 0x1c849313
const COMPRESSED_COOKIE = 0x1c849314
const HEAD = 40

/**
 * @param {import('./histogram').Encoded} distribution
 * @returns {string}
 */
function encode ({ buckets }) {
  const counts = Buffer.from(countsOf(buckets))
  const head = Buffer.alloc(HEAD)
  head.writeUInt32BE(COOKIE, 0)
  head.writeUInt32BE(counts.length, 4)
  // Behind an offset of 0: the significant digits, the lowest and the highest value, and one unit to a value.
  head.writeUInt32BE(3, 12)
  head.writeBigUInt64BE(1n, 16)
  head.writeBigUInt64BE(BigInt(HIGHEST), 24)
  head.writeDoubleBE(1, 32)
  const deflated = require('node:zlib').deflateSync(Buffer.concat([head, counts]))
  const cookie = Buffer.alloc(8)
  cookie.writeUInt32BE(COMPRESSED_COOKIE, 0)
  cookie.writeUInt32BE(deflated.length, 4)
  return Buffer.concat([cookie, deflated]).toString('base64')
}

/**
 * @param {number[]} buckets with their counts, in turn
 * @returns {number[]} bytes: the count of each bucket up to the last one; of two and more zeros in a row, minus their number
 */
function countsOf (buckets) {
  /** @type {number[]} */
  const bytes = []
  let next = 0
  for (let i = 0; i < buckets.length; i += 2) {
    const empty = buckets[i] - next
    if (empty > 0) addNumber(bytes, empty === 1 ? 0 : 2 * empty - 1)
    addNumber(bytes, 2 * buckets[i + 1])
    next = buckets[i] + 1
  }
  return bytes
}

/**
 * Seven bits a byte, the lowest first (LEB128).
 * @param {number[]} bytes
 * @param {number} n
 */
function addNumber (bytes, n) {
  for (; n >= 128; n = Math.floor(n / 128)) bytes.push(n % 128 + 128)
  bytes.push(n)
}

/**
 * @param {string} base64
 * @returns {Array<[number, number]>} values in µs, rising, each the highest of its bucket, and how often they occurred
 * @throws when it is malformed
 */
function decode (base64) {
  const decoded = /** @type {import('hdr-histogram-js').JsHistogram} */ (require('hdr-histogram-js').decodeFromCompressedBase64(base64, 64, false))
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
