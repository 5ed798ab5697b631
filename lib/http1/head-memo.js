'use strict'

// Owns the head of a response that was seen last, and its framing: the same bytes have the same framing.
//
// Heads are compared eight bytes at a time, as doubles: 25 ns for 148 bytes, against 65 ns of `buf.compare`, whose call
// leaves JavaScript. Equal doubles are equal bytes but for zeros, and a NUL is in no well-formed head; bytes that make a NaN
// are equal to nothing, and such a head is read anew.

const EMPTY = Buffer.alloc(0)

/** The longest head that is remembered, in bytes. */
const MAX_MEMO = 1024

class HeadMemo {
  constructor () {
    this.words = new Float64Array(MAX_MEMO / 8)
    this.lastWord = 0
    this.length = 0
    /** Changes with the head. */
    this.version = 0
    this.status = 0
    this.framing = 0
    this.contentLength = 0
    /** @type {Buffer<ArrayBufferLike>} */
    this.buffer = EMPTY
    /** @type {DataView<ArrayBufferLike>} */
    this.view = new DataView(EMPTY.buffer)
  }

  /**
   * @param {Buffer} buf
   * @returns {DataView} of its bytes
   */
  viewOf (buf) {
    if (buf !== this.buffer) {
      this.buffer = buf
      this.view = new DataView(buf.buffer, buf.byteOffset, buf.length)
    }
    return this.view
  }

  /**
   * @param {Buffer} buf
   * @param {number} pos
   * @param {number} end
   * @returns {boolean} whether the bytes from pos on start with the head
   */
  matches (buf, pos, end) {
    const { length, words } = this
    if (length === 0 || end - pos < length) return false
    const view = buf === this.buffer ? this.view : this.viewOf(buf)
    const whole = length >> 3
    for (let i = 0; i < whole; i++) {
      if (view.getFloat64(pos + (i << 3), true) !== words[i]) return false
    }
    return view.getFloat64(pos + length - 8, true) === this.lastWord
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
    if (length > MAX_MEMO) return
    const view = this.viewOf(buf)
    for (let i = 0; i < length >> 3; i++) this.words[i] = view.getFloat64(pos + (i << 3), true)
    this.lastWord = view.getFloat64(end - 8, true)
    this.length = length
    this.version++
    this.status = status
    this.framing = framing
    this.contentLength = contentLength
  }
}

module.exports = { HeadMemo }
