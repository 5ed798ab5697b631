'use strict'

// Interprets the header block of a response or its trailers (RFC 9113 §8.1 to §8.3) in two passes. `skim` validates the
// block and finds status and length; it decodes nothing else. `readFields` decodes names and values and checks their
// characters, for code that reads headers.

const { FieldReader, FIELD, BROKEN, PLAIN, STATUS, FORBIDDEN, OVERHEAD } = require('./field-reader')
const { MALFORMED } = require('./huffman')
const { NAMES, valueAt } = require('./static-table')

/** @typedef {import('../../core/errors').Code} Code */

/** The largest header list that is read, as RFC 9113 §6.5.2 counts: names, values, and 32 bytes for each field. */
const MAX_LIST = 64 * 1024

/** Characters that a name has none of (RFC 9113 §8.2.1), and a value nowhere or not at its ends. */
const NOT_IN_NAMES = /[\0- A-Z:\x7f-\xff]/
const NOT_IN_VALUES = /[\0\r\n]|^[ \t]|[ \t]$/

const ZERO = 48

const reader = new FieldReader()
/** Where a status or a length is read: room for all digits that an exact number has, and one more. */
const digits = new Uint8Array(17)
/** @type {Buffer | null} where text is decoded; null until the first use */
let room = null

/**
 * Framing of a response.
 * @typedef {object} Framing
 * @property {number} status 0 of trailers
 * @property {number} contentLength -1 if absent
 */

/**
 * @param {Buffer} buf
 * @param {number} start
 * @param {number} end of the whole block
 * @param {Framing} out the result; meaningless when the block is rejected
 * @param {boolean} [trailers] it follows a body: without any pseudo-header
 * @returns {Code | null} why it is refused, null when it is well-formed as far as was looked
 */
function skim (buf, start, end, out, trailers = false) {
  out.status = 0
  out.contentLength = -1
  if (end - start > MAX_LIST) return 'AC_HEAD_SIZE'
  // Pseudo-headers come first (§8.3).
  let first = !trailers
  let size = 0
  reader.open(buf, start, end)
  let next = reader.next()
  while (next === FIELD) {
    const { kind } = reader
    size += reader.size
    if (kind === FORBIDDEN) return 'AC_H2_MALFORMED'
    if (kind === STATUS) {
      if (!first || out.status !== 0) return 'AC_H2_MALFORMED'
      out.status = readStatus()
      // There is no switch of protocols (§8.6).
      if (out.status < 100 || out.status === 101) return 'AC_H2_MALFORMED'
    } else {
      first = false
      if (kind !== PLAIN) {
        if (out.contentLength !== -1) return 'AC_CONTENT_LENGTH'
        out.contentLength = readNumber(reader.value(digits))
        if (out.contentLength === -1) return 'AC_CONTENT_LENGTH'
      }
    }
    next = reader.next()
  }
  if (next === BROKEN) return 'AC_H2_COMPRESSION'
  if (out.status === 0 && !trailers) return 'AC_H2_MALFORMED'
  // The upper bound of a Huffman string is mostly more than its size.
  return size > MAX_LIST ? readFields(buf, start, end, []) : null
}

/** @returns {number} 0 when it is not three digits */
function readStatus () {
  if (reader.indexed) return Number(valueAt(reader.index))
  const count = reader.value(digits)
  return count === 3 ? readNumber(count) : 0
}

/**
 * @param {number} count of `digits`
 * @returns {number} -1 when they are none, or not an exact number
 */
function readNumber (count) {
  if (reader.indexed || count <= 0) return -1
  let number = 0
  for (let i = 0; i < count; i++) {
    const digit = digits[i] - ZERO
    if (!(digit >= 0 && digit <= 9)) return -1
    number = number * 10 + digit
  }
  return number <= Number.MAX_SAFE_INTEGER ? number : -1
}

/**
 * @param {Buffer} buf
 * @param {number} start
 * @param {number} end of a block that `skim` has not refused
 * @param {string[]} raw receives names and values alternating, as latin1 text, without pseudo-headers
 * @returns {Code | null} why the block is rejected all the same; `raw` has the fields before that
 */
function readFields (buf, start, end, raw) {
  room ??= Buffer.allocUnsafe(MAX_LIST)
  let size = 0
  reader.open(buf, start, end)
  for (let next = reader.next(); next === FIELD; next = reader.next()) {
    const { index, indexed, kind } = reader
    let name = NAMES[index]
    if (index === 0) {
      const count = reader.name(room)
      if (count < 0) return refusal(count)
      name = room.toString('latin1', 0, count)
    }
    let value = valueAt(index)
    if (!indexed) {
      const count = reader.value(room)
      if (count < 0) return refusal(count)
      value = room.toString('latin1', 0, count)
    }
    size += name.length + value.length + OVERHEAD
    if (size > MAX_LIST) return 'AC_HEAD_SIZE'
    if (kind === STATUS) continue
    if ((index === 0 && NOT_IN_NAMES.test(name)) || NOT_IN_VALUES.test(value)) return 'AC_H2_MALFORMED'
    raw.push(name, value)
  }
  return null
}

/** @param {number} count below 0, as of huffman.decode */
function refusal (count) {
  return count === MALFORMED ? 'AC_H2_COMPRESSION' : 'AC_HEAD_SIZE'
}

module.exports = { skim, readFields, MAX_LIST }
