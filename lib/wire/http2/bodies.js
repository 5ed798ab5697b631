'use strict'

// Owns the bodies of requests on one connection, and the windows that the peer gives them (RFC 9113 §5.2): what fits is sent with its
// request, the rest when there is room again.

const { DATA, DEFAULT_WINDOW, END_STREAM, FRAME_HEAD, MAX_WINDOW, payloadLength } = require('./frames')

class Bodies {
  /**
   * @param {import('./streams').Streams} streams
   * @param {import('./frame-writer').FrameWriter} writer
   * @param {() => void} onProgress a part of a body that had to wait is sent
   */
  constructor (streams, writer, onProgress) {
    this.streams = streams
    this.writer = writer
    this.onProgress = onProgress
    /** How much of all bodies may be sent, and of that of a stream at its beginning. */
    this.window = DEFAULT_WINDOW
    this.initialWindow = DEFAULT_WINDOW
    /** Where each body that is not sent in full goes on, in the order of their requests. @type {Map<number, { bytes: Buffer, at: number, end: number, sent: number, id: number }>} */
    this.waiting = new Map()
  }

  reset () {
    this.window = this.initialWindow = DEFAULT_WINDOW
    this.waiting.clear()
  }

  /**
   * @param {Buffer} bytes
   * @param {number} start where the first DATA frame of the body begins
   * @param {number} end where the last one ends
   * @param {number} row
   * @param {number} id
   */
  send (bytes, start, end, row, id) {
    const { windows } = this.streams
    let size = 0
    for (let at = start; at < end; at += FRAME_HEAD + payloadLength(bytes, at)) size += payloadLength(bytes, at)
    if (this.waiting.size === 0 && size <= this.window && size <= windows[row]) {
      this.window -= size
      windows[row] -= size
      this.writer.putFrames(bytes, start, end, id)
      return
    }
    // The bytes of a list lie where others come to lie later.
    this.waiting.set(row, { bytes: Buffer.from(bytes.subarray(start, end)), at: 0, end: end - start, sent: 0, id })
    this.pump()
  }

  /**
   * @param {number} row
   * @returns {boolean} whether a part of its body is not sent
   */
  has (row) {
    return this.waiting.size > 0 && this.waiting.has(row)
  }

  /** @param {number} row */
  drop (row) {
    if (this.waiting.size > 0) this.waiting.delete(row)
  }

  /** Sends what the windows have room for. */
  pump () {
    if (this.waiting.size === 0 || this.window <= 0) return
    for (const row of this.waiting.keys()) {
      if (this.window <= 0) return
      this.pumpOne(row)
    }
  }

  /** @param {number} row */
  pumpOne (row) {
    const { streams: { windows }, writer } = this
    const body = this.waiting.get(row)
    if (body === undefined) return
    while (body.at < body.end) {
      const left = payloadLength(body.bytes, body.at) - body.sent
      const size = Math.min(left, this.window, windows[row])
      if (size <= 0) return
      const isLast = size === left && (body.bytes[body.at + 4] & END_STREAM) !== 0
      const from = body.at + FRAME_HEAD + body.sent
      writer.putPart(DATA, isLast ? END_STREAM : 0, body.id, body.bytes, from, from + size)
      this.window -= size
      windows[row] -= size
      this.onProgress()
      body.sent += size
      if (size < left) continue
      body.at += FRAME_HEAD + payloadLength(body.bytes, body.at)
      body.sent = 0
    }
    this.waiting.delete(row)
  }

  /**
   * The peer has changed the window with which streams begin (§6.9.2).
   * @param {number} value
   * @returns {boolean} false when a window becomes larger than one may be
   */
  setInitialWindow (value) {
    if (value > MAX_WINDOW) return false
    const { ids, windows } = this.streams
    for (let row = 0; row < ids.length; row++) {
      if (ids[row] === 0) continue
      windows[row] += value - this.initialWindow
      if (windows[row] > MAX_WINDOW) return false
    }
    this.initialWindow = value
    return true
  }

  /**
   * @param {number} increment of the window of all bodies
   * @returns {boolean} false when it becomes larger than one may be
   */
  widen (increment) {
    this.window += increment
    return this.window <= MAX_WINDOW
  }

  /**
   * @param {number} row
   * @param {number} increment of the window of its stream
   * @returns {boolean} false when it becomes larger than one may be
   */
  widenStream (row, increment) {
    const { windows } = this.streams
    windows[row] += increment
    return windows[row] <= MAX_WINDOW
  }
}

module.exports = { Bodies }
