'use strict'

// Owns the bodies of requests on one connection, and the windows that the peer gives them (RFC 9113 §5.2): what fits is sent with its
// request, the rest when there is room again.

const { DATA, END_STREAM, FRAME_HEAD, payloadLength, writeFrameHead } = require('./frames')

const MAX_WINDOW = 2 ** 31 - 1

class Bodies {
  /** @param {import('./wire').Http2Wire} wire */
  constructor (wire) {
    this.wire = wire
    /** Where each body that is not sent in full goes on, in the order of their requests. @type {Map<number, { bytes: Buffer, at: number, end: number, sent: number, id: number }>} */
    this.waiting = new Map()
  }

  reset () {
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
    const { wire } = this
    const { windows } = wire.streams
    let size = 0
    for (let at = start; at < end; at += FRAME_HEAD + payloadLength(bytes, at)) size += payloadLength(bytes, at)
    if (this.waiting.size === 0 && size <= wire.window && size <= windows[row]) {
      wire.window -= size
      windows[row] -= size
      wire.putFrames(bytes, start, end, id)
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
    if (this.waiting.size === 0 || this.wire.window <= 0) return
    for (const row of this.waiting.keys()) {
      if (this.wire.window <= 0) return
      this.pumpOne(row)
    }
  }

  /** @param {number} row */
  pumpOne (row) {
    const { wire } = this
    const { outbox, streams: { windows } } = wire
    const body = this.waiting.get(row)
    if (body === undefined) return
    while (body.at < body.end) {
      const left = payloadLength(body.bytes, body.at) - body.sent
      const size = Math.min(left, wire.window, windows[row])
      if (size <= 0) return
      const isLast = size === left && (body.bytes[body.at + 4] & END_STREAM) !== 0
      outbox.reserve(wire, FRAME_HEAD + size)
      const from = body.at + FRAME_HEAD + body.sent
      const at = writeFrameHead(outbox.slab, outbox.used, size, DATA, isLast ? END_STREAM : 0, body.id)
      outbox.used = at + body.bytes.copy(outbox.slab, at, from, from + size)
      wire.window -= size
      windows[row] -= size
      wire.idleFrames = 0
      body.sent += size
      if (size < left) continue
      body.at += FRAME_HEAD + payloadLength(body.bytes, body.at)
      body.sent = 0
    }
    this.waiting.delete(row)
  }

  /**
   * The peer has changed the window with which streams begin (§6.9.2).
   * @param {number} by
   * @returns {boolean} false when a window becomes larger than one may be
   */
  widen (by) {
    const { ids, windows } = this.wire.streams
    for (let row = 0; row < ids.length; row++) {
      if (ids[row] === 0) continue
      windows[row] += by
      if (windows[row] > MAX_WINDOW) return false
    }
    return true
  }
}

module.exports = { Bodies }
