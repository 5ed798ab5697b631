'use strict'

// The `data` of Server-Sent Events as bytes. An event with one line, as nearly all have, is passed without a copy. It
// replaces sse/fields, which converts all fields to text.

const { Bytes } = require('../bytes')

const COLON = 58
const SPACE = 32
const LF = 10
const DATA = Buffer.from('data')
const EVENT = Buffer.from('event')
const ERROR = Buffer.from('error')

const NO_BYTES = Buffer.alloc(0)
const LINE_BREAK = Buffer.from([LF])

class DataLines {
  /**
   * @param {import('./completion').Completion} completion
   * @param {import('../sse/fields').SseFields | null} texts null when no texts of events are needed
   */
  constructor (completion, texts = null) {
    this.completion = completion
    this.texts = texts
    /** The beginning of an incomplete line. */
    this.cut = new Bytes()
    /** The first line of data, valid until the end of the read. @type {Buffer} */
    this.bytes = NO_BYTES
    this.start = 0
    this.end = 0
    this.lines = 0
    /** All lines of data, if there are several, or a read has ended. */
    this.data = new Bytes()
    this.isCopied = false
    this.isError = false
  }

  reset () {
    this.cut.clear()
    this.texts?.reset()
    this.next()
  }

  /** Prepares for the next event. */
  next () {
    this.bytes = NO_BYTES
    this.start = this.end = this.lines = 0
    if (this.isCopied) this.data.clear()
    this.isCopied = this.isError = false
  }

  /** Copies data at the end of a read, because its buffer is reused. */
  endRead () {
    if (this.lines === 1 && !this.isCopied) this.copyFirst()
  }

  copyFirst () {
    this.data.add(this.bytes, this.start, this.end)
    this.isCopied = true
    this.bytes = NO_BYTES
  }

  /**
   * Keeps an incomplete line.
   * @param {Buffer} bytes of the line, or of a part of it
   * @param {number} start
   * @param {number} end
   */
  keep (bytes, start, end) {
    this.texts?.keep(bytes, start, end)
    this.cut.add(bytes, start, end)
  }

  /** @param {Buffer} bytes the rest of a line that is not empty @param {number} start @param {number} end */
  endLine (bytes, start, end) {
    this.texts?.endLine(bytes, start, end)
    if (this.cut.length === 0) return this.add(bytes, start, end)
    this.cut.add(bytes, start, end)
    this.add(this.cut.buffer, 0, this.cut.length)
    // The data must be copied before the buffer is used for the next line.
    this.endRead()
    this.cut.clear()
  }

  /** @type {(bytes: Buffer, start: number, end: number) => void} */
  add (bytes, start, end) {
    if (isField(DATA, bytes, start, end)) {
      start = valueOf(DATA, bytes, start, end)
      if (this.lines === 1 && !this.isCopied) this.copyFirst()
      if (this.lines++ > 0) {
        this.data.add(LINE_BREAK, 0, 1)
        this.data.add(bytes, start, end)
      } else {
        this.bytes = bytes
        this.start = start
        this.end = end
      }
    } else if (isField(EVENT, bytes, start, end)) {
      this.isError = ERROR.equals(bytes.subarray(valueOf(EVENT, bytes, start, end), end))
    }
  }

  /** Ends the event at an empty line. */
  dispatch () {
    const { lines, data, completion, isError } = this
    if (lines > 0 && this.isCopied) completion.read(data.buffer, 0, data.length, isError)
    else if (lines > 0) completion.read(this.bytes, this.start, this.end, isError)
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

/** @type {(name: Buffer, bytes: Buffer, start: number, end: number) => number} offset of the value */
function valueOf ({ length }, bytes, start, end) {
  const value = Math.min(end, start + length + 1)
  return value < end && bytes[value] === SPACE ? value + 1 : value
}

module.exports = { DataLines }
