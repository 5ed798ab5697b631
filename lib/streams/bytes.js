'use strict'

// Bytes of a line or an event that reads have cut, in one buffer: as many small ones they would take a hundred times as
// much memory, of a server that sends byte by byte.

/** A buffer is kept for the next line or event, unless it is larger than that. */
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
   * The rest is here.
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   * @returns {Buffer} all of them, valid until the next call; those that came before are forgotten
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
