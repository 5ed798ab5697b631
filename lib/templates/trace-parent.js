'use strict'

// The header `traceparent` of W3C Trace Context (https://www.w3.org/TR/trace-context/). It is a filler of fixed size,
// so the request is not rebuilt for it. A share of the traces is marked as sampled by the last seven bytes of the trace
// id, as ratio samplers do: a server with the same ratio samples the same traces.

const { randomFillSync } = require('node:crypto')

/** `00-`, the id of the trace, `-`, that of the span, `-01`. */
const SIZE = 55
const TRACE = 16
const SPAN = 8

/** How many ids are drawn at once: one call for 170 requests, instead of one each. */
const DRAWN = 170 * (TRACE + SPAN)

const HEX = Buffer.from('0123456789abcdef')
const DASH = 0x2d
const ZERO = 0x30

class TraceParent {
  /**
   * @param {number} share of the traces that are sampled, 0 to 1
   * @param {(bytes: Buffer) => unknown} [draw] fills them with random bytes
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
   * @returns {boolean} false where they have one of their own, which stays as it is
   */
  isFor (headers) {
    return !headers.some(([name]) => name.length === 11 && name.toLowerCase() === 'traceparent')
  }

  /**
   * That an id is all zeros, which means none, is as unlikely as that two are the same.
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
    // The seventh byte makes no difference to a share.
    bytes[at + 2] = random.readUIntBE(id + 9, 6) / 2 ** 48 >= 1 - this.share ? ZERO + 1 : ZERO
  }
}

/** Returns where it ends there. @type {(from: Buffer, start: number, end: number, to: Buffer, at: number) => number} */
function writeHex (from, start, end, to, at) {
  for (let i = start; i < end; i++) {
    const byte = from[i]
    to[at++] = HEX[byte >> 4]
    to[at++] = HEX[byte & 15]
  }
  return at
}

module.exports = { TraceParent }
