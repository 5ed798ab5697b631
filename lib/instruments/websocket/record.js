'use strict'

// Counts of WebSocket connections: handshakes, messages in both directions, pings and closes. Messages with a response
// are counted as requests.

const { Counts, CountsByKey } = require('../../record/counts')
const { Histogram } = require('../../record/histogram')

/** @typedef {import('../../record/counts').ReportOf<typeof Messages>} MessagesReport a plain object */

/** @extends {Counts<MessagesReport>} */
class Messages extends Counts {
  static FIELDS = /** @type {const} */ ([
    'opened', 'compressed', 'sent', 'received', 'unmatched', 'late', 'refused', 'closed', 'ping', 'age'
  ])

  constructor () {
    super()
    this.opened = 0
    /** Connections that negotiated compression. */
    this.compressed = 0
    /** Messages; `received` includes those that the server sent unasked. */
    this.sent = 0
    this.received = 0
    /** Received messages that matched no message in flight. */
    this.unmatched = 0
    /** Received messages that matched one that had timed out. */
    this.late = 0
    /** Refused handshakes, by the status of the response. */
    this.refused = new CountsByKey()
    /** Connections that the server closed, by the close code. */
    this.closed = new CountsByKey()
    /** Round trips of pings, and the ages of those that timed out, ms. */
    this.ping = new Histogram()
    // The longest round trip so far, also of earlier samples. −0: see Recorder.
    this.longestPing = -0
    /** Ages of unmatched messages, ms. */
    this.age = new Histogram()
  }

  /** @param {number} status */
  refuse (status) {
    this.refused.count(String(status))
  }

  /** @param {number} code */
  close (code) {
    this.closed.count(String(code))
  }

  /** @param {number} ms */
  ponged (ms) {
    this.ping.record(ms)
    if (ms > this.longestPing) this.longestPing = ms
  }

  /**
   * A ping had no response when its connection or the run ended. As in the latency, it counts with its age if that is
   * longer than any round trip.
   * @param {number} ms
   */
  pendingPing (ms) {
    if (this.longestPing > 0 && ms > this.longestPing) this.ping.record(ms)
  }

  /** @param {number} ms */
  aged (ms) {
    this.age.record(ms)
  }

  skip () {
    this.reset()
    this.longestPing = 0
  }
}

module.exports = { Messages, Total: Messages }
