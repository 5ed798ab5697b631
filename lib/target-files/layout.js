'use strict'

// The byte layout of requests with one shape: their common bytes, and values between them. It is independent of the
// protocol: a request of that shape is encoded with marks instead of values, and the bytes between marks are common.

const { requestOf } = require('./target-list')
const { INSIDE, LENGTH, MARK_LENGTH, OUTSIDE, markOf, radixIn, splitAtMarks } = require('../templates/template')

/**
 * Up to this size a loop is faster than a call, bytes: with 64, a request takes 230 ns instead of 115 (`node
 * bench/targets.js`).
 */
const SHORT = 32

/** The entry of `values` for the length of the body. */
const BODY_LENGTH = -1

class Layout {
  /**
   * @param {import('./target-list').Shape} shape
   * @param {import('../requests/request').Request} defaults
   * @param {import('../requests/target').Target} target
   * @param {import('../templates/template').Encode} encode
   */
  constructor (shape, defaults, target, encode) {
    const hasBody = shape.body === 'own' || shape.body === 'file'
    this.body = shape.names.length + 1
    const request = requestOf(shape, defaults, {
      path: markOf(OUTSIDE, 0),
      values: shape.names.map((_, i) => markOf(OUTSIDE, i + 1)),
      body: hasBody ? Buffer.from(markOf(INSIDE, this.body)) : null
    })
    this.method = request.method
    let bodySize = 0
    const bytes = encode(request, target, hasBody
      ? (length, radix) => {
          bodySize = length
          return markOf(LENGTH, radix)
        }
      : undefined)
    const { segments, marks } = splitAtMarks(bytes)
    this.segments = segments
    /** The index of the value after each segment but the last. */
    this.values = marks.map(({ kind, number }) => kind === LENGTH ? BODY_LENGTH : number)
    this.radix = radixIn(marks)
    /** Size of the body without its value: of the framing of a chunk. */
    this.bodySize = bodySize === 0 ? 0 : bodySize - MARK_LENGTH
    // A length has at most 16 digits.
    this.size = segments.reduce((sum, { length }) => sum + length, 0) +
      16 * marks.filter(({ kind }) => kind === LENGTH).length
  }

  /**
   * @param {import('./target-list').ListReader} reader that has read an entry of this shape
   * @returns {number} the largest size of its request in bytes
   */
  sizeOf ({ from, to }) {
    let { size } = this
    for (const value of this.values) if (value !== BODY_LENGTH) size += to[value] - from[value]
    return size
  }

  /**
   * @param {import('./target-list').ListReader} reader that has read an entry of this shape
   * @param {Buffer} out
   * @param {number} at
   * @returns {number} the offset after the request
   */
  write ({ bytes, from, to }, out, at) {
    const { segments, values } = this
    at = copy(segments[0], 0, segments[0].length, out, at)
    for (let i = 0; i < values.length; i++) {
      const value = values[i]
      if (value === BODY_LENGTH) {
        at += out.write((to[this.body] - from[this.body] + this.bodySize).toString(this.radix), at, 'latin1')
      } else at = copy(bytes, from[value], to[value], out, at)
      at = copy(segments[i + 1], 0, segments[i + 1].length, out, at)
    }
    return at
  }
}

/**
 * Returns the offset after the last byte.
 * @type {(bytes: Uint8Array, start: number, end: number, out: Buffer, at: number) => number}
 */
function copy (bytes, start, end, out, at) {
  const length = end - start
  if (length > SHORT) out.set(length === bytes.length ? bytes : bytes.subarray(start, end), at)
  else for (let i = 0; i < length; i++) out[at + i] = bytes[start + i]
  return at + length
}

module.exports = { Layout }
