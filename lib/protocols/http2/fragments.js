'use strict'

// Joins a header block that arrives in several frames (RFC 9113 §6.10). No other frame may come between them.

const { MAX_BLOCK } = require('./greeting')

const NONE = Buffer.alloc(0)

class Fragments {
  constructor () {
    /** The stream whose block continues, 0 when none does, and the flags of its first frame. */
    this.stream = 0
    this.flags = 0
    this.bytes = NONE
    this.size = 0
  }

  reset () {
    this.stream = this.flags = this.size = 0
  }

  /** @type {(stream: number, flags: number) => void} */
  begin (stream, flags) {
    this.stream = stream
    this.flags = flags
    this.size = 0
  }

  /** Returns whether there is room for it. @type {(buf: Buffer, start: number, end: number) => boolean} */
  add (buf, start, end) {
    const size = this.size + end - start
    if (size > MAX_BLOCK) return false
    if (size > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(MAX_BLOCK, 2 * size))
      this.bytes.copy(larger, 0, 0, this.size)
      this.bytes = larger
    }
    this.size += buf.copy(this.bytes, this.size, start, end)
    return true
  }
}

module.exports = { Fragments }
