'use strict'

// Finds lines that have more than white space in the bytes of a stream. The last one may lack its line break. Lines
// become text only where something looks at them.

const LF = 10
const SPACE = 32

/**
 * @typedef {import('../stream').Scanner} Scanner
 * @implements {Scanner}
 */
class LineScanner {
  /** @param {import('../stream').OnMessage | null} [onMessage] null to count only */
  constructor (onMessage = null) {
    this.onMessage = onMessage
    /** Parts of the line that is read, where something looks at it. @type {Buffer[]} */
    this.parts = []
    this.isInside = false
    this.size = 0
  }

  reset () {
    this.parts.length = 0
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
    if (this.onMessage !== null && begun < end) this.parts.push(Buffer.from(bytes.subarray(begun, end)))
    return lines
  }

  /**
   * @param {Buffer} bytes the rest of a line
   * @param {number} start
   * @param {number} end
   * @param {boolean} isMessage whether it has more than white space
   */
  tell (bytes, start, end, isMessage) {
    const rest = bytes.subarray(start, end)
    const line = this.parts.length === 0 ? rest : Buffer.concat([...this.parts, rest])
    this.parts.length = 0
    if (!isMessage) return
    const onMessage = /** @type {import('../stream').OnMessage} */ (this.onMessage)
    onMessage({ type: 'line', data: line.toString().trim(), lastEventId: '' })
  }

  endRead () {
    return 0
  }

  /** @returns {number} the line that has no line break behind it */
  finish () {
    const lines = this.isInside ? 1 : 0
    if (this.onMessage !== null && lines > 0) this.tell(NO_BYTES, 0, 0, true)
    this.reset()
    return lines
  }
}

const NO_BYTES = Buffer.alloc(0)

module.exports = { LineScanner }
