'use strict'

// The `data` of Server-Sent Events as bytes: an event of one line, which nearly all are, is handed over where it lies.
// It takes the place of sse/fields, which makes texts of all fields.

const COLON = 58
const SPACE = 32
const LF = Buffer.from('\n')
const DATA = Buffer.from('data')
const EVENT = Buffer.from('event')
const ERROR = Buffer.from('error')
/** What a line that reads cut grows to is kept for the next one, unless it is larger than that. */
const KEPT = 65_536

const NO_BYTES = Buffer.alloc(0)

class DataLines {
  /**
   * @param {import('./completion').Completion} completion
   * @param {import('../sse/fields').SseFields | null} texts null where nothing looks at the text of events
   */
  constructor (completion, texts = null) {
    this.completion = completion
    this.texts = texts
    /** The beginning of a line that a read has cut. @type {Buffer} */
    this.cut = NO_BYTES
    this.cutLength = 0
    /** The first line of data; it is valid until the read ends. @type {Buffer} */
    this.bytes = NO_BYTES
    this.start = 0
    this.end = 0
    this.lines = 0
    /** All lines of data, where there are several, or a read has ended. @type {Buffer[]} */
    this.copied = []
    this.isError = false
  }

  reset () {
    if (this.cut.length > KEPT) this.cut = NO_BYTES
    this.cutLength = 0
    this.texts?.reset()
    this.next()
  }

  /** Another event begins. */
  next () {
    this.bytes = NO_BYTES
    this.start = this.end = this.lines = 0
    if (this.copied.length > 0) this.copied = []
    this.isError = false
  }

  /** The read ends: its buffer is used again. */
  endRead () {
    if (this.lines === 1 && this.copied.length === 0) this.copyFirst()
  }

  copyFirst () {
    this.copied.push(Buffer.from(this.bytes.subarray(this.start, this.end)))
    this.bytes = NO_BYTES
  }

  /**
   * The line goes on in another read.
   * @param {Buffer} bytes of the line, or the beginning of its rest
   * @param {number} start
   * @param {number} end
   */
  keep (bytes, start, end) {
    this.texts?.keep(bytes, start, end)
    this.grow(bytes, start, end)
  }

  /** @type {(bytes: Buffer, start: number, end: number) => void} */
  grow (bytes, start, end) {
    const length = this.cutLength + end - start
    if (length > this.cut.length) {
      // Twice as large each time: a server may send byte by byte.
      const grown = Buffer.allocUnsafeSlow(Math.max(1024, 2 * length))
      this.cut.copy(grown, 0, 0, this.cutLength)
      this.cut = grown
    }
    bytes.copy(this.cut, this.cutLength, start, end)
    this.cutLength = length
  }

  /**
   * @param {Buffer} bytes the rest of a line that is not empty
   * @param {number} start
   * @param {number} end
   */
  endLine (bytes, start, end) {
    this.texts?.endLine(bytes, start, end)
    if (this.cutLength > 0) {
      this.grow(bytes, start, end)
      const length = this.cutLength
      this.cutLength = 0
      return this.add(Buffer.from(this.cut.subarray(0, length)), 0, length)
    }
    this.add(bytes, start, end)
  }

  /** @type {(bytes: Buffer, start: number, end: number) => void} */
  add (bytes, start, end) {
    if (isField(DATA, bytes, start, end)) {
      start = valueOf(DATA, bytes, start, end)
      if (this.lines === 1 && this.copied.length === 0) this.copyFirst()
      if (this.lines++ > 0) this.copied.push(LF, Buffer.from(bytes.subarray(start, end)))
      else {
        this.bytes = bytes
        this.start = start
        this.end = end
      }
    } else if (isField(EVENT, bytes, start, end)) {
      this.isError = ERROR.equals(bytes.subarray(valueOf(EVENT, bytes, start, end), end))
    }
  }

  /** A line was empty. */
  dispatch () {
    const { lines, copied, completion, isError } = this
    if (lines > 0) {
      if (copied.length === 0) completion.read(this.bytes, this.start, this.end, isError)
      else {
        const data = copied.length === 1 ? copied[0] : Buffer.concat(copied)
        completion.read(data, 0, data.length, isError)
      }
    }
    this.next()
    this.texts?.dispatch()
  }
}

/** @type {(name: Buffer, bytes: Buffer, start: number, end: number) => boolean} whether the line has that field */
function isField (name, bytes, start, end) {
  const { length } = name
  if (end - start < length || (end - start > length && bytes[start + length] !== COLON)) return false
  for (let i = 0; i < length; i++) if (bytes[start + i] !== name[i]) return false
  return true
}

/** @type {(name: Buffer, bytes: Buffer, start: number, end: number) => number} where the value of its field begins */
function valueOf ({ length }, bytes, start, end) {
  const value = Math.min(end, start + length + 1)
  return value < end && bytes[value] === SPACE ? value + 1 : value
}

module.exports = { DataLines }
