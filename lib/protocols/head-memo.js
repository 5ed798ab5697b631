'use strict'

// Remembers the last response head and its framing: the same bytes have the same framing. Each protocol parses its own
// heads.
//
// Heads are compared eight bytes at a time, as doubles at addresses that are multiples of eight, which a typed array
// reads by index. Eight copies of the head exist, one for each offset between such addresses. Eight bytes take 26
// instructions, compared with 36 for doubles at any address (DataView); `buf.compare`, a call out of JavaScript, takes
// twice the time. Equal doubles are equal bytes except for zeros, and eight NULs are in no well-formed head. Bytes that
// make a NaN equal nothing, and then `buf.compare` decides: in one of eight heads of HTTP/2 there are some, where
// strings in Huffman code end, and at one address in eight. Such a head takes 40 ns on average, 120 without that, and
// others 22.

const EMPTY = Buffer.alloc(0)

/** The longest head that is remembered, in bytes, and the shortest. */
const MAX_MEMO = 1024
const MIN_MEMO = 8

/**
 * How heads of a protocol are read.
 * @typedef {object} HeadFormat
 * @property {(buf: Buffer, start: number, end: number) => string[]} rawHeaders names and values alternate, as received
 * @property {(buf: Buffer, start: number, end: number) => { statusMessage: string, versionMajor: number, versionMinor:
 *   number }} statusLine
 */

class HeadMemo {
  /** @param {HeadFormat} format */
  constructor (format) {
    this.format = format
    this.head = Buffer.alloc(MAX_MEMO)
    this.length = 0
    // Its first and its last eight bytes, and those between from each offset on: copied when a head is first met there.
    this.first = 0
    this.last = 0
    this.words = Array.from({ length: 8 }, () => new Float64Array(MAX_MEMO / 8))
    /** Which of the copies are made, as bits. */
    this.copied = 0
    /** Changes with the head. */
    this.version = 0
    this.status = 0
    this.framing = 0
    this.contentLength = 0
    /** @type {string[] | null} its headers, names and values alternate; null until they are needed */
    this.raw = null
    // The buffer that was read last, at any address and at multiples of eight.
    /** @type {Buffer<ArrayBufferLike>} */
    this.buffer = EMPTY
    this.byteOffset = 0
    /** @type {DataView<ArrayBufferLike>} */
    this.bytes = new DataView(EMPTY.buffer)
    /** @type {Float64Array<ArrayBufferLike>} */
    this.doubles = new Float64Array(0)
  }

  /** @param {Buffer} buf */
  look (buf) {
    const { buffer, byteOffset, length } = buf
    this.buffer = buf
    this.byteOffset = byteOffset
    this.bytes = new DataView(buffer, byteOffset, length)
    this.doubles = new Float64Array(buffer, 0, buffer.byteLength >> 3)
  }

  /**
   * Returns whether the bytes from pos on start with the head.
   * @type {(buf: Buffer, pos: number, end: number) => boolean}
   */
  matches (buf, pos, end) {
    const { length } = this
    if (length === 0 || end - pos < length) return false
    if (buf !== this.buffer) this.look(buf)
    const { bytes, doubles } = this
    // The end of a head is compared first: different heads mostly have different lengths.
    const { first, last } = this
    if (bytes.getFloat64(pos + length - 8) !== last || bytes.getFloat64(pos) !== first) {
      return (Number.isNaN(last) || Number.isNaN(first)) && this.equals(buf, pos)
    }
    const at = this.byteOffset + pos
    const offset = -at & 7
    if ((this.copied >> offset & 1) === 0) this.copy(offset)
    const words = this.words[offset]
    const from = (at + offset) >> 3
    const count = (length - offset) >> 3
    for (let i = 0; i < count; i++) {
      if (doubles[from + i] !== words[i]) return Number.isNaN(words[i]) && this.equals(buf, pos)
    }
    return true
  }

  /** @type {(buf: Buffer, pos: number) => boolean} */
  equals (buf, pos) {
    return buf.compare(this.head, 0, this.length, pos, pos + this.length) === 0
  }

  /** @param {number} offset of the bytes in the head that lie at a multiple of eight */
  copy (offset) {
    const words = this.words[offset]
    this.head.copy(new Uint8Array(words.buffer), 0, offset, this.length)
    this.copied |= 1 << offset
  }

  /**
   * Remembers a well-formed head.
   * @param {Buffer} buf
   * @param {number} pos
   * @param {number} end
   * @param {{ status: number, framing: number, contentLength: number }} parsed
   */
  remember (buf, pos, end, { status, framing, contentLength }) {
    const length = end - pos
    if (length > MAX_MEMO || length < MIN_MEMO) return
    buf.copy(this.head, 0, pos, end)
    this.length = length
    this.first = this.head.readDoubleBE(0)
    this.last = this.head.readDoubleBE(length - 8)
    this.copied = 0
    this.version++
    this.raw = null
    this.status = status
    this.framing = framing
    this.contentLength = contentLength
  }

  /**
   * @returns {string[]} of the head, names and values alternating, as received; parsed once for all connections of the
   *   thread
   */
  rawHeaders () {
    this.raw ??= this.format.rawHeaders(this.head, 0, this.length)
    return this.raw
  }
}

module.exports = { HeadMemo }
