'use strict'

// The head of one response, for code that reads responses: the same interface for every protocol.

class Head {
  /** @param {import('./head-memo').HeadMemo} memo of the parser */
  constructor (memo) {
    this.memo = memo
    this.status = 0
    // Where it lies: in the buffer of the read, or in a copy.
    /** @type {Buffer} */
    this.buf = memo.head
    this.copied = false
    this.start = 0
    this.end = 0
    // Of the head in the memo, -1 when it is not in there.
    this.version = -1
    /** @type {string[] | null} names and values alternate */
    this.raw = null
  }

  /**
   * Another head has come.
   * @param {number} status
   * @param {Buffer} buf
   * @param {number} start
   * @param {number} end
   */
  read (status, buf, start, end) {
    const { memo } = this
    this.status = status
    this.buf = buf
    this.copied = false
    this.start = start
    this.end = end
    this.version = memo.length === end - start ? memo.version : -1
    this.raw = null
    return this
  }

  /** The buffer of the read is about to be reused: copies the head. */
  keep () {
    if (this.copied) return
    this.copied = true
    this.buf = Buffer.from(this.buf.subarray(this.start, this.end))
    this.end -= this.start
    this.start = 0
  }

  /**
   * @returns {string[]} names and values alternate, not to be changed; the same array for a repeated head, so that
   *   derived values can be kept
   */
  rawHeaders () {
    const { memo } = this
    this.raw ??= this.version === memo.version
      ? memo.rawHeaders()
      : memo.format.rawHeaders(this.buf, this.start, this.end)
    return this.raw
  }

  /** The status line without the status. */
  get statusLine () {
    return this.memo.format.statusLine(this.buf, this.start, this.end)
  }
}

module.exports = { Head }
