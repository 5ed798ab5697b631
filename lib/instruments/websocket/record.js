'use strict'

// Counts of WebSocket connections beside messages with a response: handshakes, messages in both directions, pings and
// closes.

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
    /** Of these, those that negotiated compression. */
    this.compressed = 0
    /** Messages, pushed ones among those that were received. */
    this.sent = 0
    this.received = 0
    /** Of these, those that respond to nothing in flight, */
    this.unmatched = 0
    /** or to a message that has timed out. */
    this.late = 0
    /** Handshakes that were not accepted, by the status of the response. */
    this.refused = new CountsByKey()
    /** Connections that the server has closed, by the code. */
    this.closed = new CountsByKey()
    /** Round trips of pings, and the ages of those that timed out, ms. */
    this.ping = new Histogram()
    // The longest round trip so far, also of those handed over. −0: see Recorder.
    this.longestPing = -0
    /** How old messages were that respond to nothing, ms. */
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
   * A ping has had no response when its connection or the run ended. As with the latency, one that has waited for
   * longer than others took is in the figures with that time.
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
