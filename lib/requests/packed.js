'use strict'

// Packs entries of values into memory that threads share. A value is its length as a varint, and its bytes. The start
// of each entry is a 32-bit number.

/** Offsets are 32 bits. */
const MOST_BYTES = 2 ** 32 - 1

/** The largest size of a varint, bytes. */
const VARINT = 5

/** Up to this size a loop is faster than a call, bytes. */
const SHORT = 40

class PackedWriter {
  /**
   * @param {number} size expected bytes: unused memory costs nothing
   * @param {string} what the noun of the entries, for the error message
   */
  constructor (size, what) {
    this.what = what
    this.bytes = Buffer.from(new SharedArrayBuffer(size))
    this.at = 0
    this.starts = new Uint32Array(1024)
    this.count = 0
  }

  /** Begins an entry; its values follow. */
  entry () {
    if (this.count === this.starts.length) {
      const { starts } = this
      this.starts = new Uint32Array(2 * starts.length)
      this.starts.set(starts)
    }
    this.starts[this.count++] = this.at
  }

  /** @param {number} number to write; the caller has reserved room */
  number (number) {
    for (; number > 127; number >>>= 7) this.bytes[this.at++] = 128 | (number & 127)
    this.bytes[this.at++] = number
  }

  /** Begins a value. Returns the offset at which its bytes have to be written. @type {(length: number) => number} */
  room (length) {
    this.reserve(length + 2 * VARINT)
    this.number(length)
    this.at += length
    return this.at - length
  }

  /** Writes a value from a buffer. @type {(from: Uint8Array, start: number, end: number) => void} */
  copy (from, start, end) {
    let at = this.room(end - start)
    const { bytes } = this
    if (end - start > SHORT) bytes.set(from.subarray(start, end), at)
    else for (let i = start; i < end; i++) bytes[at++] = from[i]
  }

  /** @param {string | Uint8Array} value */
  value (value) {
    if (typeof value !== 'string') return this.copy(value, 0, value.length)
    // `room` may replace the buffer.
    const at = this.room(Buffer.byteLength(value))
    this.bytes.write(value, at)
  }

  /** @param {number} more bytes that will be written */
  reserve (more) {
    const { bytes, at, what } = this
    if (at + more <= bytes.length) return
    if (at + more > MOST_BYTES) throw new TypeError(`the ${what} have more than 4 GB together: split them up`)
    this.bytes = Buffer.from(new SharedArrayBuffer(Math.min(
      MOST_BYTES, Math.max(at + more, Math.ceil(bytes.length * 1.5))
    )))
    this.bytes.set(bytes.subarray(0, at))
  }

  /** @returns {{ bytes: Uint8Array, starts: Uint32Array }} in memory that threads can share */
  packed () {
    return { bytes: new Uint8Array(this.bytes.buffer, 0, this.at), starts: shared(this.starts.subarray(0, this.count)) }
  }
}

/** @type {(numbers: Uint32Array) => Uint32Array} */
function shared (numbers) {
  const copy = new Uint32Array(new SharedArrayBuffer(numbers.byteLength))
  copy.set(numbers)
  return copy
}

class PackedReader {
  /** @param {Uint8Array} bytes */
  constructor (bytes) {
    this.bytes = bytes
    this.at = 0
  }

  number () {
    const { bytes } = this
    let byte = bytes[this.at++]
    if (byte < 128) return byte
    let number = byte & 127
    for (let factor = 128; byte > 127; factor *= 128) {
      byte = bytes[this.at++]
      number += (byte & 127) * factor
    }
    return number
  }
}

module.exports = { PackedReader, PackedWriter, VARINT, shared }
