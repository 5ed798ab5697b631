'use strict'

// The fields of Server-Sent Events as text, for those who look at events (HTML standard, §9.2.6).

const { Bytes } = require('../bytes')

const COLON = 58
const SPACE = 32
const DIGITS = /^\d+$/

class SseFields {
  /** @param {import('../stream').OnMessage} onEvent */
  constructor (onEvent) {
    this.onEvent = onEvent
    /** The beginning of a line that a read has cut. */
    this.cut = new Bytes()
    this.type = ''
    /** @type {string[]} */
    this.data = []
    this.id = ''
    this.lastEventId = ''
    /** How long to wait before a reconnect, ms; null where the stream does not say. @type {number | null} */
    this.retry = null
  }

  reset () {
    this.cut.clear()
    this.data.length = 0
    this.type = this.id = this.lastEventId = ''
    this.retry = null
  }

  /** @param {string} lastEventId of the stream that this one continues */
  continueFrom (lastEventId) {
    this.id = this.lastEventId = lastEventId
  }

  /**
   * The line goes on in another read.
   * @param {Buffer} bytes of the line, or the beginning of its rest
   * @param {number} start
   * @param {number} end
   */
  keep (bytes, start, end) {
    this.cut.add(bytes, start, end)
  }

  /**
   * @param {Buffer} bytes the rest of a line that is not empty
   * @param {number} start
   * @param {number} end
   */
  endLine (bytes, start, end) {
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

  /** A line was empty. */
  dispatch () {
    const { type, data } = this
    this.lastEventId = this.id
    this.type = ''
    this.data = []
    if (data.length > 0) {
      this.onEvent({ type: type === '' ? 'message' : type, data: data.join('\n'), lastEventId: this.lastEventId })
    }
  }
}

module.exports = { SseFields }
