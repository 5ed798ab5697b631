'use strict'

// Finds lines in the bytes of a stream. Blank lines are ignored, and the last line may lack its line break. Lines
// become text only if `onMessage` is given.

const { Bytes } = require('./bytes')

const LF = 10
const SPACE = 32

/**
 * @typedef {import('./stream').Scanner} Scanner
 * @implements {Scanner}
 */
class LineScanner {
  /** @param {import('./stream').OnMessage | null} [onMessage] null to count only */
  constructor (onMessage = null) {
    this.onMessage = onMessage
    /** The beginning of an incomplete line, if texts are needed. */
    this.cut = new Bytes()
    this.isInside = false
    this.size = 0
  }

  reset () {
    this.cut.clear()
    this.isInside = false
    this.size = 0
  }

  /** @type {Scanner['scan']} */
  scan (bytes, start, end) {
    let { isInside } = this
    let lines = 0
    let begun = start
    for (let pos = start; pos < end; pos++) {
      const byte = bytes[pos]
      if (byte === LF) {
        if (this.onMessage !== null) this.report(bytes, begun, pos, isInside)
        if (isInside) lines++
        isInside = false
        this.size = 0
        begun = pos + 1
      } else if (byte > SPACE) {
        isInside = true
        while (pos + 1 < end && bytes[pos + 1] !== LF) pos++
      }
    }
    this.isInside = isInside
    this.size += end - begun
    if (this.onMessage !== null && begun < end) this.cut.add(bytes, begun, end)
    return lines
  }

  /**
   * @param {Buffer} bytes the rest of a line
   * @param {number} start
   * @param {number} end
   * @param {boolean} isMessage whether it is not blank
   */
  report (bytes, start, end, isMessage) {
    const line = this.cut.complete(bytes, start, end)
    if (!isMessage) return
    const onMessage = /** @type {import('./stream').OnMessage} */ (this.onMessage)
    onMessage({ type: 'line', data: line.toString().trim(), lastEventId: '' })
  }

  endRead () {
    return 0
  }

  /** @returns {number} the number of lines: 1 for a last line without a line break */
  finish () {
    const lines = this.isInside ? 1 : 0
    if (this.onMessage !== null && lines > 0) this.report(NO_BYTES, 0, 0, true)
    this.reset()
    return lines
  }
}

const NO_BYTES = Buffer.alloc(0)

/** @type {import('./stream').Kind} */
module.exports = {
  // Its servers send many media types.
  types: [],
  message: 'line',
  scanner: onMessage => new LineScanner(onMessage)
}
