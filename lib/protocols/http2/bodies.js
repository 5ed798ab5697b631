'use strict'

// Sends the bodies of requests on one connection within the flow-control windows of the peer (RFC 9113 §5.2): a first
// part goes with its request, the rest when the window grows.

const { DATA, DEFAULT_WINDOW, END_STREAM, FRAME_HEAD, MAX_WINDOW, payloadLength } = require('./frames')

/** The limit of waiting bodies with a complete response on a connection, bytes, and their number. */
const MOST_REST = 4 * 1024 * 1024
const MOST_RESTS = 100

/**
 * @typedef {object} Body that is not sent in full
 * @property {Buffer} bytes its DATA frames
 * @property {number} at where the frame begins that goes on
 * @property {number} end
 * @property {number} sent of that frame
 * @property {number} id its stream
 */

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
    /**
     * Where each body that is not sent in full goes on, by row, in the order of their requests.
     * @type {Map<number, Body>}
     */
    this.waiting = new Map()
    /**
     * Those with a complete response, by stream, each with its window.
     * @type {Map<number, { body: Body, window: number }>}
     */
    this.rests = new Map()
  }

  reset () {
    this.window = this.initialWindow = DEFAULT_WINDOW
    this.waiting.clear()
    this.rests.clear()
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
    if (this.waiting.size === 0 && this.rests.size === 0 && size <= this.window && size <= windows[row]) {
      this.window -= size
      windows[row] -= size
      this.writer.putFrames(bytes, start, end, id)
      return
    }
    // The buffer of the list is reused later.
    this.waiting.set(row, { bytes: Buffer.from(bytes.subarray(start, end)), at: 0, end: end - start, sent: 0, id })
    this.pump()
  }

  /** Returns whether a part of its body is not sent. @type {(row: number) => boolean} */
  has (row) {
    return this.waiting.size > 0 && this.waiting.has(row)
  }

  /** @param {number} row */
  drop (row) {
    if (this.waiting.size > 0) this.waiting.delete(row)
  }

  /**
   * The response to a request is complete before its body is sent in full: the rest is sent on its own, and the row is
   * free. Resetting the stream would be shorter (§8.1), but servers end a connection on which many streams are reset
   * (CVE-2023-44487; nghttp2: more than 33 per second). It is open until then.
   * @param {number} row
   * @param {number} capacity how many streams the peer allows
   * @returns {boolean} false when too much waits already
   */
  leave (row, capacity) {
    if (this.rests.size >= mostRests(capacity)) return false
    const body = /** @type {Body} */ (this.waiting.get(row))
    let left = body.end - body.at
    for (const { body: { at, end } } of this.rests.values()) left += end - at
    if (left > MOST_REST) return false
    this.waiting.delete(row)
    this.rests.set(body.id, { body, window: this.streams.windows[row] })
    this.streams.active++
    return true
  }

  /**
   * @param {number} id of a stream
   * @returns {boolean} whether a body went on there; it does no more
   */
  endRest (id) {
    const isThere = this.rests.delete(id)
    if (isThere) this.streams.active--
    return isThere
  }

  /** No more of any of them is sent. */
  endRests () {
    for (const id of this.rests.keys()) this.endRest(id)
  }

  /**
   * @param {number} capacity how many streams the peer allows from now on
   * @returns {number[]} streams of too many bodies with a complete response, the oldest first
   */
  excess (capacity) {
    return [...this.rests.keys()].slice(0, Math.max(0, this.rests.size - mostRests(capacity)))
  }

  pump () {
    for (const [id, rest] of this.rests) {
      if (this.window <= 0) return
      rest.window = this.push(rest.body, rest.window)
      if (rest.body.at === rest.body.end) this.endRest(id)
    }
    if (this.waiting.size === 0) return
    const { windows } = this.streams
    for (const [row, body] of this.waiting) {
      if (this.window <= 0) return
      windows[row] = this.push(body, windows[row])
      if (body.at === body.end) this.waiting.delete(row)
    }
  }

  /**
   * @param {Body} body
   * @param {number} window of its stream
   * @returns {number} the rest of that
   */
  push (body, window) {
    const { writer } = this
    while (body.at < body.end) {
      const left = payloadLength(body.bytes, body.at) - body.sent
      const size = Math.min(left, this.window, window)
      if (size <= 0) break
      const isLast = size === left && (body.bytes[body.at + 4] & END_STREAM) !== 0
      const from = body.at + FRAME_HEAD + body.sent
      writer.putPart(DATA, isLast ? END_STREAM : 0, body.id, body.bytes, from, from + size)
      this.window -= size
      window -= size
      this.onProgress()
      body.sent += size
      if (size < left) continue
      body.at += FRAME_HEAD + payloadLength(body.bytes, body.at)
      body.sent = 0
    }
    return window
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
    for (const rest of this.rests.values()) {
      rest.window += value - this.initialWindow
      if (rest.window > MAX_WINDOW) return false
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

  /**
   * @param {number} id of a stream with a complete response
   * @param {number} increment of its window
   * @returns {boolean} false when it becomes larger than one may be
   */
  widenRest (id, increment) {
    const rest = this.rests.get(id)
    if (rest === undefined) return true
    rest.window += increment
    return rest.window <= MAX_WINDOW
  }
}

/**
 * A peer that responds early without a window keeps a stream for each of them: half of its streams stay for requests.
 * @param {number} capacity how many streams the peer allows
 */
function mostRests (capacity) {
  return Math.min(MOST_RESTS, Math.floor(capacity / 2))
}

module.exports = { Bodies }
