'use strict'

// The frames of HTTP/2 (RFC 9113 §4 and §6): types, encoding of frame heads, and splitting of received bytes.
// Incremental: a read may end at any byte. The handler interprets the frames.

// The types of frames (§6).
const DATA = 0
const HEADERS = 1
const PRIORITY = 2
const RST_STREAM = 3
const SETTINGS = 4
const PUSH_PROMISE = 5
const PING = 6
const GOAWAY = 7
const WINDOW_UPDATE = 8
const CONTINUATION = 9

// Flags. END_STREAM and ACK are the same bit, of different frames.
const END_STREAM = 0x1
const ACK = 0x1
const END_HEADERS = 0x4
const PADDED = 0x8
const HAS_PRIORITY = 0x20

/** Bytes in front of the payload of each frame. */
const FRAME_HEAD = 9

/** The longest payload that may be sent to a peer that has not allowed more, and the longest that we allow (§4.2). */
const MAX_PAYLOAD = 16384

/** The default size of a window, and its limit (§6.9.2, §6.9.1). */
const DEFAULT_WINDOW = 65535
const MAX_WINDOW = 2 ** 31 - 1

const EMPTY = Buffer.alloc(0)

/**
 * @param {Buffer} out
 * @param {number} at
 * @param {number} length of the payload
 * @param {number} type
 * @param {number} flags
 * @param {number} stream
 * @returns {number} where the payload begins
 */
function writeFrameHead (out, at, length, type, flags, stream) {
  out[at] = length >>> 16
  out[at + 1] = length >>> 8
  out[at + 2] = length
  out[at + 3] = type
  out[at + 4] = flags
  return writeUint32(out, at + 5, stream)
}

/** Returns where it ends. @type {(out: Buffer, at: number, value: number) => number} */
function writeUint32 (out, at, value) {
  out[at] = value >>> 24
  out[at + 1] = value >>> 16
  out[at + 2] = value >>> 8
  out[at + 3] = value
  return at + 4
}

/** Returns 31 bits: the first one is reserved (§4.1). @type {(buf: Uint8Array, at: number) => number} */
function readUint31 (buf, at) {
  return (buf[at] & 0x7f) << 24 | buf[at + 1] << 16 | buf[at + 2] << 8 | buf[at + 3]
}

/**
 * @param {Uint8Array} buf
 * @param {number} at where a frame begins
 * @returns {number} the length of its payload
 */
function payloadLength (buf, at) {
  return buf[at] << 16 | buf[at + 1] << 8 | buf[at + 2]
}

/**
 * Receives frames. The payload of DATA is handed over span by span as it arrives, that of any other frame whole.
 * @typedef {object} FrameHandler
 * @property {boolean} stopped whether nothing more is to be read
 * @property {(type: number, flags: number, stream: number, buf: Buffer, start: number, end: number) => void} onFrame
 * @property {(stream: number, length: number, flags: number) => void} onDataStart
 * @property {(buf: Buffer, start: number, end: number) => void} onDataSpan
 * @property {() => void} onDataEnd
 * @property {(buf: Buffer, at: number) => void} onTooLarge the frame with this head is longer than allowed
 * @property {() => void} onBadPadding it is longer than its frame (§6.1)
 */

// States of reading DATA.
const NOTHING = 0
const PAD_LENGTH = 1
const BODY = 2

class FrameReader {
  /** @param {FrameHandler} handler */
  constructor (handler) {
    this.handler = handler
    // The beginning of a frame that has not arrived in full.
    this.partial = EMPTY
    this.partialLength = 0
    // Of the DATA frame that is being read.
    this.state = NOTHING
    this.left = 0
    this.padding = 0
  }

  /** @returns {boolean} whether a frame has begun and not ended */
  get inside () {
    return this.partialLength > 0 || this.state !== NOTHING
  }

  /**
   * @returns {number} the stream of a frame that has not arrived in full; 0 for none, or where the head of the frame is
   *   not there
   */
  get partialStream () {
    return this.partialLength < FRAME_HEAD ? 0 : readUint31(this.partial, 5)
  }

  reset () {
    this.partialLength = 0
    this.state = NOTHING
    this.left = 0
    this.padding = 0
  }

  /**
   * @param {Buffer} buf
   * @param {number} size the end of its arrived part
   * @param {number} [start] and begins
   */
  execute (buf, size, start = 0) {
    const { handler } = this
    let pos = start
    if (this.state !== NOTHING) pos = this.readData(buf, pos, size)
    if (this.partialLength > 0) pos = this.complete(buf, pos, size)
    while (!handler.stopped && size - pos >= FRAME_HEAD) {
      const length = payloadLength(buf, pos)
      if (length > MAX_PAYLOAD) return handler.onTooLarge(buf, pos)
      if (buf[pos + 3] === DATA) {
        this.startData(buf, pos, length)
        pos = this.readData(buf, pos + FRAME_HEAD, size)
        continue
      }
      const payload = pos + FRAME_HEAD
      if (size - payload < length) break
      pos = payload + length
      handler.onFrame(buf[payload - 6], buf[payload - 5], readUint31(buf, payload - 4), buf, payload, pos)
    }
    if (pos < size && !handler.stopped) this.keep(buf, pos, size)
  }

  /**
   * @param {Buffer} buf
   * @param {number} at where the frame begins
   * @param {number} length of its payload
   */
  startData (buf, at, length) {
    const flags = buf[at + 4]
    this.left = length
    this.padding = 0
    this.state = (flags & PADDED) === 0 ? BODY : PAD_LENGTH
    this.handler.onDataStart(readUint31(buf, at + 5), length, flags)
    if (this.state === PAD_LENGTH && length === 0) this.handler.onBadPadding()
  }

  /** Returns where to go on. @type {(buf: Buffer, pos: number, size: number) => number} */
  readData (buf, pos, size) {
    const { handler } = this
    if (handler.stopped) return size
    if (this.state === PAD_LENGTH) {
      if (pos === size) return pos
      this.padding = buf[pos++]
      this.left--
      if (this.padding > this.left) {
        handler.onBadPadding()
        return size
      }
      this.state = BODY
    }
    const came = size - pos < this.left ? size - pos : this.left
    const body = this.left - this.padding
    if (body > 0 && came > 0) handler.onDataSpan(buf, pos, pos + (came < body ? came : body))
    // Padding that has come is not looked at: a receiver may, but needs not (§6.1).
    if (came > body && this.padding > 0) this.padding -= came - (body > 0 ? body : 0)
    this.left -= came
    if (this.left === 0) {
      this.state = NOTHING
      handler.onDataEnd()
    }
    return pos + came
  }

  /**
   * More of a frame whose beginning is kept. Returns where to go on.
   * @type {(buf: Buffer, pos: number, size: number) => number}
   */
  complete (buf, pos, size) {
    const { handler } = this
    if (this.partialLength < FRAME_HEAD) {
      pos = this.take(buf, pos, size, FRAME_HEAD)
      if (this.partialLength < FRAME_HEAD) return pos
      const length = payloadLength(this.partial, 0)
      if (length > MAX_PAYLOAD) {
        handler.onTooLarge(this.partial, 0)
        return size
      }
      if (this.partial[3] === DATA) {
        this.partialLength = 0
        this.startData(this.partial, 0, length)
        return this.readData(buf, pos, size)
      }
    }
    const whole = FRAME_HEAD + payloadLength(this.partial, 0)
    pos = this.take(buf, pos, size, whole)
    if (this.partialLength === whole) {
      this.partialLength = 0
      const { partial } = this
      handler.onFrame(partial[3], partial[4], readUint31(partial, 5), partial, FRAME_HEAD, whole)
    }
    return pos
  }

  /**
   * @param {Buffer} buf
   * @param {number} pos
   * @param {number} size
   * @param {number} wanted bytes of the partial frame
   * @returns {number} where to go on
   */
  take (buf, pos, size, wanted) {
    const end = Math.min(size, pos + wanted - this.partialLength)
    this.reserve(wanted)
    this.partialLength += buf.copy(this.partial, this.partialLength, pos, end)
    return end
  }

  /** @type {(buf: Buffer, pos: number, size: number) => void} */
  keep (buf, pos, size) {
    this.reserve(size - pos)
    this.partialLength = buf.copy(this.partial, 0, pos, size)
  }

  /** @param {number} wanted bytes */
  reserve (wanted) {
    if (this.partial.length >= wanted) return
    const larger = Buffer.allocUnsafeSlow(Math.max(256, 2 * wanted))
    this.partial.copy(larger, 0, 0, this.partialLength)
    this.partial = larger
  }
}

module.exports = {
  DEFAULT_WINDOW,
  MAX_WINDOW,
  DATA,
  HEADERS,
  PRIORITY,
  RST_STREAM,
  SETTINGS,
  PUSH_PROMISE,
  PING,
  GOAWAY,
  WINDOW_UPDATE,
  CONTINUATION,
  END_STREAM,
  ACK,
  END_HEADERS,
  PADDED,
  HAS_PRIORITY,
  FRAME_HEAD,
  MAX_PAYLOAD,
  FrameReader,
  writeFrameHead,
  writeUint32,
  readUint31,
  payloadLength
}
