'use strict'

// The header `traceparent` of W3C Trace Context (https://www.w3.org/TR/trace-context/). It has a fixed size, so a
// request is not laid out again for it. The last seven bytes of the trace id decide whether a trace is sampled, as
// ratio samplers do: a server with the same ratio samples the same traces.

const { randomFillSync } = require('node:crypto')

/** `00-`, the trace id, `-`, the span id, `-01`. */
const SIZE = 55
const TRACE = 16
const SPAN = 8

/** Random bytes per call: enough for 170 requests. */
const DRAWN = 170 * (TRACE + SPAN)

const HEX = Buffer.from('0123456789abcdef')
const DASH = 0x2d
const ZERO = 0x30

class TraceParent {
  /**
   * @param {number} share of sampled traces, 0 to 1
   * @param {(bytes: Buffer) => unknown} [draw] fills the buffer with random bytes
   */
  constructor (share, draw = randomFillSync) {
    this.size = SIZE
    this.share = share
    this.draw = draw
    this.random = Buffer.alloc(DRAWN)
    this.at = DRAWN
  }

  /**
   * @param {ReadonlyArray<readonly [name: string, value: string]>} headers of a request
   * @returns {boolean} false where the request has its own traceparent, which is kept
   */
  isFor (headers) {
    return !headers.some(([name]) => name.length === 11 && name.toLowerCase() === 'traceparent')
  }

  /**
   * An id of zeros only is invalid. It is as unlikely as a duplicate, and is not checked.
   * @type {(own: unknown, bytes: Buffer, at: number) => void}
   */
  write (own, bytes, at) {
    if (this.at === DRAWN) {
      this.draw(this.random)
      this.at = 0
    }
    const { random, at: id } = this
    this.at += TRACE + SPAN
    bytes[at] = bytes[at + 1] = ZERO
    bytes[at + 2] = DASH
    at = writeHex(random, id, id + TRACE, bytes, at + 3)
    bytes[at++] = DASH
    at = writeHex(random, id + TRACE, id + TRACE + SPAN, bytes, at)
    bytes[at] = DASH
    bytes[at + 1] = ZERO
    // Six of the seven bytes are precise enough for a ratio.
    bytes[at + 2] = random.readUIntBE(id + 9, 6) / 2 ** 48 >= 1 - this.share ? ZERO + 1 : ZERO
  }
}

/**
 * Returns the offset after the last digit.
 * @type {(from: Buffer, start: number, end: number, to: Buffer, at: number) => number}
 */
function writeHex (from, start, end, to, at) {
  for (let i = start; i < end; i++) {
    const byte = from[i]
    to[at++] = HEX[byte >> 4]
    to[at++] = HEX[byte & 15]
  }
  return at
}

module.exports = { TraceParent }
