'use strict'

// The beginning of a line or event that several reads deliver, in one buffer. With a buffer for each read, a server
// that sends single bytes would use a hundred times as much memory.

/** A larger buffer is not kept for the next line or event, bytes. */
const KEPT = 65_536

const NO_BYTES = Buffer.alloc(0)

class Bytes {
  constructor () {
    /** @type {Buffer} */
    this.buffer = NO_BYTES
    this.length = 0
  }

  /** @type {(bytes: Buffer, start: number, end: number) => void} */
  add (bytes, start, end) {
    const length = this.length + end - start
    if (length > this.buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(1024, 2 * length))
      this.buffer.copy(grown, 0, 0, this.length)
      this.buffer = grown
    }
    bytes.copy(this.buffer, this.length, start, end)
    this.length = length
  }

  clear () {
    if (this.buffer.length > KEPT) this.buffer = NO_BYTES
    this.length = 0
  }

  /**
   * Adds the rest.
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   * @returns {Buffer} all bytes, valid until the next call; the stored ones are cleared
   */
  complete (bytes, start, end) {
    if (this.length === 0) return bytes.subarray(start, end)
    this.add(bytes, start, end)
    const whole = this.buffer.subarray(0, this.length)
    this.clear()
    return whole
  }
}

module.exports = { Bytes }
