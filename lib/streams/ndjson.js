'use strict'

// Finds lines that have more than white space in the bytes of a stream. The last one may lack its line break. Lines
// become text only where something looks at them.

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
    /** The beginning of a line that a read has cut, where something looks at it. */
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
        if (this.onMessage !== null) this.tell(bytes, begun, pos, isInside)
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
   * @param {boolean} isMessage whether it has more than white space
   */
  tell (bytes, start, end, isMessage) {
    const line = this.cut.complete(bytes, start, end)
    if (!isMessage) return
    const onMessage = /** @type {import('./stream').OnMessage} */ (this.onMessage)
    onMessage({ type: 'line', data: line.toString().trim(), lastEventId: '' })
  }

  endRead () {
    return 0
  }

  /** @returns {number} a last line without a line break */
  finish () {
    const lines = this.isInside ? 1 : 0
    if (this.onMessage !== null && lines > 0) this.tell(NO_BYTES, 0, 0, true)
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
