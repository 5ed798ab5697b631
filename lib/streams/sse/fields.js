'use strict'

// Reads the fields of Server-Sent Events as text, for checks of events and for continued streams (HTML standard,
// §9.2.6).

const { Bytes } = require('../bytes')

const COLON = 58
const SPACE = 32
const DIGITS = /^\d+$/
/** The first letters of `id` and `retry`. */
const I = 105
const R = 114

class SseFields {
  /** @param {import('../stream').OnMessage | null} onEvent null when only `id` and `retry` are read */
  constructor (onEvent) {
    this.onEvent = onEvent
    /** The beginning of an incomplete line. */
    this.cut = new Bytes()
    /** Whether the current line is ignored, and not kept. */
    this.isUnread = false
    this.type = ''
    /** @type {string[]} */
    this.data = []
    this.id = ''
    this.lastEventId = ''
    /** How long to wait before a reconnect, ms; null if the stream does not set it. */
    this.retry = null
  }

  reset () {
    this.cut.clear()
    this.isUnread = false
    this.data.length = 0
    this.type = this.id = this.lastEventId = ''
    this.retry = null
  }

  /** @param {string} lastEventId of the stream that this one continues */
  continueFrom (lastEventId) {
    this.id = this.lastEventId = lastEventId
  }

  /**
   * Keeps an incomplete line.
   * @param {Buffer} bytes of the line, or of a part of it
   * @param {number} start
   * @param {number} end
   */
  keep (bytes, start, end) {
    if (this.isUnread) return
    if (this.cut.length === 0) this.isUnread = !this.reads(bytes[start])
    if (!this.isUnread) this.cut.add(bytes, start, end)
  }

  /** @param {number} first byte of a line @returns {boolean} whether its field may be read */
  reads (first) {
    return this.onEvent !== null || first === I || first === R
  }

  /** @param {Buffer} bytes the rest of a line that is not empty @param {number} start @param {number} end */
  endLine (bytes, start, end) {
    if (this.isUnread || (this.cut.length === 0 && !this.reads(bytes[start]))) {
      this.isUnread = false
      return
    }
    const line = this.cut.complete(bytes, start, end)
    const colon = line.indexOf(COLON)
    if (colon === 0) return
    const name = line.toString('utf8', 0, colon === -1 ? line.length : colon)
    const value = colon === -1 ? '' : line.toString('utf8', colon + (line[colon + 1] === SPACE ? 2 : 1))
    if (name === 'data') this.data.push(value)
    else if (name === 'event') this.type = value
    else if (name === 'id' && !value.includes('\0')) this.id = value
    else if (name === 'retry' && DIGITS.test(value)) this.retry = Number(value)
  }

  /** Ends the event at an empty line. */
  dispatch () {
    this.lastEventId = this.id
    if (this.onEvent === null) return
    const { type, data } = this
    this.type = ''
    this.data = []
    if (data.length > 0) {
      this.onEvent({ type: type === '' ? 'message' : type, data: data.join('\n'), lastEventId: this.lastEventId })
    }
  }
}

module.exports = { SseFields }
