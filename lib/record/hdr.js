'use strict'

// The serialised form of a distribution, which every HdrHistogram reads compressed (V2: cookie, size, parameters, then
// counts as ZigZag LEB128, deflated), in base64, with values in µs.
//
// Every run writes and draws one. Loading hdr-histogram-js took a third of a run's start-up, so it only reads other
// parameters or older forms.

const { COUNT, HIGHEST, highestOf } = require('./buckets')

const COOKIE = 0x1c849313
const COMPRESSED_COOKIE = 0x1c849314
const HEAD = 40

/** @param {import('./histogram').Encoded} distribution */
function encode ({ buckets }) {
  const counts = Buffer.from(countsOf(buckets))
  const deflated = require('node:zlib').deflateSync(Buffer.concat([headOf(counts.length), counts]))
  const cookie = Buffer.alloc(8)
  cookie.writeUInt32BE(COMPRESSED_COOKIE, 0)
  cookie.writeUInt32BE(deflated.length, 4)
  return Buffer.concat([cookie, deflated]).toString('base64')
}

/** @param {number} size of the counts, bytes */
function headOf (size) {
  const head = Buffer.alloc(HEAD)
  head.writeUInt32BE(COOKIE, 0)
  head.writeUInt32BE(size, 4)
  // The header: an offset of 0, the significant digits, the lowest and the highest value, and a ratio of 1.
  head.writeUInt32BE(3, 12)
  head.writeBigUInt64BE(1n, 16)
  head.writeBigUInt64BE(BigInt(HIGHEST), 24)
  head.writeDoubleBE(1, 32)
  return head
}

/**
 * @param {number[]} buckets with their counts, alternating
 * @returns {number[]} bytes: the count of each bucket up to the last non-empty one; two or more consecutive zeros are
 *   encoded as their negative number
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

/** Appends a number with seven bits per byte, lowest first (LEB128). @param {number[]} bytes @param {number} n */
function addNumber (bytes, n) {
  for (; n >= 128; n = Math.floor(n / 128)) bytes.push(n % 128 + 128)
  bytes.push(n)
}

/**
 * @param {string} base64
 * @returns {Array<[number, number]>} the highest value of each non-empty bucket in µs, ascending, and its count
 * @throws if it is malformed
 */
function decode (base64) {
  const ours = valuesIn(base64)
  if (ours !== null) return ours
  const decoded = /** @type {import('hdr-histogram-js').JsHistogram} */ (
    require('hdr-histogram-js').decodeFromCompressedBase64(base64, 64, false)
  )
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

/** The maximum size of counts: each bucket takes up to nine bytes. */
const LARGEST = HEAD + 9 * COUNT

/**
 * Decodes without the library: 60 ms faster at the first call, which would load the library, and 20 times as fast
 * later. test/record/hdr.test.js compares both.
 * @param {string} base64
 * @returns {Array<[number, number]> | null} the result of decode(); null for any form that encode() does not write
 */
function valuesIn (base64) {
  const given = Buffer.from(base64, 'base64')
  if (given.length < 8 || given.readUInt32BE(0) !== COMPRESSED_COOKIE) return null
  let bytes
  try {
    bytes = require('node:zlib').inflateSync(given.subarray(8), { maxOutputLength: LARGEST })
  } catch {
    return null
  }
  if (!bytes.subarray(0, HEAD).equals(headOf(bytes.length - HEAD))) return null
  /** @type {Array<[number, number]>} */
  const values = []
  let bucket = 0
  for (let i = HEAD; i < bytes.length;) {
    let [n, factor] = [0, 1]
    for (;;) {
      const byte = bytes[i++]
      if (byte === undefined) return null
      n += (byte & 127) * factor
      if (byte < 128) break
      factor *= 128
    }
    if (n > 2 * Number.MAX_SAFE_INTEGER) return null
    if (n % 2 === 1) {
      bucket += (n + 1) / 2
      continue
    }
    if (bucket >= COUNT) return null
    if (n > 0) values.push([highestOf(bucket), n / 2])
    bucket++
  }
  return values
}

module.exports = { encode, decode }
