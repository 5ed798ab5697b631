'use strict'

// Finds lines that have more than white space in the bytes of a stream. The last one may lack its line break.

const LF = 10
const SPACE = 32

/**
 * @typedef {import('../stream').Scanner} Scanner
 * @implements {Scanner}
 */
class LineScanner {
  constructor () {
    this.isInside = false
    this.size = 0
  }

  reset () {
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
    return lines
  }

  endRead () {
    return 0
  }

  /** @returns {number} the line that has no line break behind it */
  finish () {
    const lines = this.isInside ? 1 : 0
    this.reset()
    return lines
  }
}

module.exports = { LineScanner }
