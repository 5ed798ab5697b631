'use strict'

// Counts of WebSocket connections beside messages with a response: handshakes, messages in both directions, pings and
// closes.

const { Histogram } = require('../../record/histogram')

const COUNTERS = /** @type {const} */ (['opened', 'compressed', 'sent', 'received', 'unmatched', 'late'])
/** Counts by a number: the status of a handshake, the code of a close. */
const NUMBERED = /** @type {const} */ (['refused', 'closed'])

/**
 * @typedef {Record<typeof COUNTERS[number], number> & Record<typeof NUMBERED[number], Record<string, number>> &
 *   Record<'ping' | 'age', import('../../record/histogram').Encoded>} MessagesReport a plain object
 */

class Messages {
  constructor () {
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
    /** Handshakes that were not accepted, by the status of the response. @type {Map<string, number>} */
    this.refused = new Map()
    /** Connections that the server has closed, by the code. @type {Map<string, number>} */
    this.closed = new Map()
    /** Round trips of pings, and the ages of those that timed out, ms. */
    this.pings = new Histogram()
    // The longest round trip so far, also of those handed over. −0: see Recorder.
    this.longestPing = -0
    /** How old messages were that respond to nothing, ms. */
    this.ages = new Histogram()
  }

  /** @param {number} status */
  refuse (status) {
    countIn(this.refused, String(status), 1)
  }

  /** @param {number} code */
  close (code) {
    countIn(this.closed, String(code), 1)
  }

  /** @param {number} ms */
  ping (ms) {
    this.pings.record(ms)
    if (ms > this.longestPing) this.longestPing = ms
  }

  /**
   * A ping has had no response when its connection or the run ended. As with the latency, one that has waited for
   * longer than others took is in the figures with that time.
   * @param {number} ms
   */
  pendingPing (ms) {
    if (this.longestPing > 0 && ms > this.longestPing) this.pings.record(ms)
  }

  /** @param {number} ms */
  aged (ms) {
    this.ages.record(ms)
  }

  /** @param {MessagesReport} report */
  add (report) {
    for (const counter of COUNTERS) this[counter] += report[counter]
    for (const name of NUMBERED) for (const [key, n] of Object.entries(report[name])) countIn(this[name], key, n)
    this.pings.addEncoded(report.ping)
    this.ages.addEncoded(report.age)
  }

  reset () {
    for (const counter of COUNTERS) this[counter] = 0
    for (const name of NUMBERED) this[name].clear()
    this.pings.reset()
    this.ages.reset()
  }

  skip () {
    this.reset()
    this.longestPing = 0
  }

  /** @returns {MessagesReport} the counts since the last call */
  take () {
    const report = this.encode()
    this.reset()
    return report
  }

  /** @returns {MessagesReport} */
  encode () {
    const { opened, compressed, sent, received, unmatched, late, refused, closed, pings, ages } = this
    return {
      opened, compressed, sent, received, unmatched, late, refused: Object.fromEntries(refused),
      closed: Object.fromEntries(closed), ping: pings.encode(), age: ages.encode()
    }
  }
}

/** @type {(counts: Map<string, number>, key: string, n: number) => void} */
function countIn (counts, key, n) {
  counts.set(key, (counts.get(key) ?? 0) + n)
}

module.exports = { Messages, Total: Messages }
