'use strict'

// Finds Server-Sent Events in the bytes of a stream, by the rules of the HTML standard (§9.2.6 "Interpreting an event
// stream"): a byte order mark at the start is skipped; lines end with LF, CR or CRLF; an empty line dispatches an event
// if one of the lines before it had the field `data`; an incomplete event at the end of the stream is not dispatched.
//
// To count events, the first five bytes of each line are enough. Fields become text only if a check or a hook reads
// them.

const { SseFields } = require('./fields')
const { lineEnd, wordsOf } = require('../words')

const LF = 10
const CR = 13
const COLON = 58

/** The field that makes an event. */
const DATA = Buffer.from('data')
/** Its four bytes as a word. */
const DATA_WORD = DATA.readInt32LE()
const BOM = Buffer.from([0xef, 0xbb, 0xbf])

// States of the current line. 1 to 4: the line so far is this number of bytes of `data`.
const EMPTY = 0
const NAME = DATA.length
/** Another field, or the value of a field. */
const FIELD = 5
const COMMENT = 6
/** Empty, after a line that ended with CR: an LF belongs to that line. */
const AFTER_CR = 7

/**
 * @typedef {import('../stream').Scanner} Scanner
 * @implements {Scanner}
 */
class SseScanner {
  /**
   * @param {import('../stream').OnMessage | null} [onEvent] null when no texts of events are needed
   * @param {boolean} [isContinued] whether `id` and `retry` are read in any case
   */
  constructor (onEvent = null, isContinued = false) {
    this.fields = onEvent === null && !isContinued ? null : new SseFields(onEvent)
    this.line = EMPTY
    /** The number of received bytes of the byte order mark; its length after any other byte. */
    this.mark = 0
    this.hasData = false
    this.size = 0
  }

  reset () {
    this.line = EMPTY
    this.mark = 0
    this.hasData = false
    this.size = 0
    this.fields?.reset()
  }

  /** @returns {boolean} whether an event is incomplete */
  get isInside () {
    return this.hasData || (this.line !== EMPTY && this.line !== COMMENT && this.line !== AFTER_CR)
  }

  /** @returns {boolean} whether the next byte begins an event, other than the first one */
  get isBetween () {
    return this.size === 0 && this.line === EMPTY && this.mark === BOM.length
  }

  /** @type {Scanner['scan']} */
  scan (bytes, start, end) {
    if (this.mark < BOM.length) start = this.skipMark(bytes, start, end)
    const { fields } = this
    const words = wordsOf(bytes)
    let { line } = this
    let events = 0
    // Offsets of the current line and event.
    let from = start
    let begun = start
    for (let pos = start; pos < end;) {
      if (line === FIELD || line === COMMENT) {
        pos = lineEnd(words, pos, end)
        if (pos === end) break
      }
      if (line === EMPTY && pos + NAME < end && bytes[pos + NAME] === COLON &&
        words.getInt32(pos, true) === DATA_WORD) {
        this.hasData = true
        line = FIELD
        pos += NAME + 1
        continue
      }
      const byte = bytes[pos++]
      if (byte === LF || byte === CR) {
        if (line === AFTER_CR && byte === LF) {
          line = EMPTY
          from = pos
          continue
        }
        if (line === EMPTY || line === AFTER_CR) {
          if (this.hasData) events++
          this.hasData = false
          this.size = 0
          begun = pos
          fields?.dispatch()
        } else {
          if (line === NAME) this.hasData = true
          fields?.endLine(bytes, from, pos - 1)
        }
        line = byte === CR ? AFTER_CR : EMPTY
        from = pos
      } else if (line === EMPTY || line === AFTER_CR) {
        line = byte === DATA[0] ? 1 : byte === COLON ? COMMENT : FIELD
      } else if (line < NAME) {
        line = byte === DATA[line] ? line + 1 : FIELD
      } else if (line === NAME) {
        if (byte === COLON) this.hasData = true
        line = FIELD
      }
    }
    if (fields !== null && from < end) fields.keep(bytes, from, end)
    this.line = line
    this.size += end - begun
    return events
  }

  /**
   * Skips a byte order mark at the start of the stream.
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   * @returns {number} the offset of the text
   */
  skipMark (bytes, start, end) {
    let pos = start
    while (pos < end && this.mark < BOM.length && bytes[pos] === BOM[this.mark]) {
      this.mark++
      pos++
    }
    if (pos === end) return pos
    if (this.mark > 0 && this.mark < BOM.length) {
      // It was not a byte order mark, but the start of a field.
      this.line = FIELD
      this.fields?.keep(BOM, 0, this.mark)
    }
    this.mark = BOM.length
    return pos
  }

  endRead () {
    return 0
  }

  /** @returns {number} 0: an event without an empty line after it is not dispatched */
  finish () {
    return 0
  }
}

/** @type {import('../stream').Kind & { SseScanner: typeof SseScanner }} */
module.exports = {
  SseScanner,
  types: ['text/event-stream'],
  message: 'event',
  scanner: (onMessage, isContinued) => new SseScanner(onMessage, isContinued)
}
