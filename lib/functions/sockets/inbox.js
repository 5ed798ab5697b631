'use strict'

// Messages of one WebSocket that respond to nothing and that no `receive` entry has taken yet. A server may send them
// without end: the oldest are dropped.

const { MOST_IN_ALL, OVERHEAD } = require('../events')
const { ReceivedMessage } = require('./received-message')

const MOST = 1000
/** Of what one WebSocket keeps, bytes. */
const MOST_BYTES = 1024 * 1024

class Inbox {
  /** @param {import('../events').Backlog} backlog of all WebSockets of a thread */
  constructor (backlog) {
    this.backlog = backlog
    /** Not as JSON, which takes several times the memory. @type {Buffer[]} */
    this.list = []
    this.bytes = 0
    /** Whether no more are kept. */
    this.isClosed = false
  }

  /** @param {Buffer} message */
  put (message) {
    if (this.isClosed) return
    const { backlog, list } = this
    list.push(message)
    this.count(message, 1)
    // A single one may be larger than what is kept together.
    while (list.length > 1 &&
      (list.length > MOST || this.bytes > MOST_BYTES || backlog.bytes > MOST_IN_ALL)) {
      this.count(/** @type {Buffer} */ (list.shift()), -1)
    }
  }

  /**
   * @param {(message: ReceivedMessage) => boolean} takes asked of each, the oldest first
   * @param {number} most how many of them are taken
   * @returns {Buffer | null} the last one, where there were as many; those that were taken are gone
   */
  take (takes, most) {
    /** @type {Buffer | null} */
    let last = null
    let left = most
    this.list = this.list.filter(message => {
      if (left === 0 || !takes(new ReceivedMessage(message))) return true
      left--
      last = message
      this.count(message, -1)
      return false
    })
    return left === 0 ? last : null
  }

  /** The WebSocket is not used any more. */
  close () {
    this.isClosed = true
    this.backlog.bytes -= this.bytes
    this.bytes = 0
    this.list = []
  }

  /** @type {(message: Buffer, sign: 1 | -1) => void} */
  count (message, sign) {
    const size = sign * (message.length + OVERHEAD)
    this.bytes += size
    this.backlog.bytes += size
  }
}

module.exports = { Inbox }
