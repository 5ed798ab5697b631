'use strict'

// Measures the unsolicited messages of one connection: the gaps between them, and their age.

/** The form of a time that is text. JavaScript would also convert other texts, such as an empty one. */
const DECIMAL = /^\d+(?:\.\d*)?$/

/** @param {import('./matchers').Key | undefined} value @returns {number} ms since 1970; NaN for anything else */
function timeOf (value) {
  return typeof value === 'string' && !DECIMAL.test(value) ? NaN : Number(value)
}

class Pushed {
  /** @param {import('../peer').Net} net @param {Pick<import('./peer').Common, 'ageOf' | 'stallMs'>} common */
  constructor ({ now, wallNow, pushed, messages }, { ageOf, stallMs }) {
    this.now = now
    this.wallNow = wallNow
    this.counts = /** @type {import('../peer').EventCounts} */ (pushed)
    this.messages = /** @type {import('../peer').MessageCounts} */ (messages)
    this.ageOf = ageOf
    this.stallMs = stallMs
    this.openedAt = -0
    this.lastAt = -0
    this.events = 0
    this.isOpen = false
  }

  /** @param {number} at */
  open (at) {
    this.openedAt = this.lastAt = at
    this.events = 0
    this.isOpen = true
    this.counts.begin()
  }

  /** Counts an unsolicited message. @type {(bytes: Buffer, start: number, end: number, at: number) => void} */
  add (bytes, start, end, at) {
    const { counts, ageOf, events, lastAt } = this
    counts.events++
    if (events === 0) {
      counts.first(at - this.openedAt)
      counts.reads++
    } else {
      counts.gap.record(at - lastAt)
      if (at !== lastAt) counts.reads++
      if (at - lastAt > this.stallMs) counts.stalls++
    }
    this.events++
    this.lastAt = at
    if (ageOf === null) return
    const sentAt = timeOf(ageOf(bytes, start, end))
    // The age ends at the arrival, which was before now. It is at least 0, because the clock of the sender may be
    // ahead.
    if (!Number.isNaN(sentAt)) this.messages.aged(Math.max(0, this.wallNow() - (this.now() - at) - sentAt))
  }

  /**
   * The connection has ended.
   * @param {number} at
   * @param {boolean} [isClosed] whether this side has closed it
   */
  end (at, isClosed = false) {
    if (isClosed) this.leave()
    else this.abandon(at)
    this.counts.close(at - this.openedAt, this.events, isClosed)
  }

  /**
   * This side closes the connection: a pending wait counts, as at the end of the run.
   * @param {number} at
   */
  retire (at) {
    this.abandon(at)
    this.counts.close(at - this.openedAt, this.events, true)
  }

  /**
   * Ends the connection, or the run. A pending wait counts with its time so far, as for streams of responses.
   * @param {number} at
   */
  abandon (at) {
    if (!this.isOpen) return
    this.leave()
    const { counts } = this
    const ms = at - this.lastAt
    if (this.events === 0) {
      counts.pending(ms, false)
    } else if (ms > this.stallMs) {
      counts.gap.record(ms)
      counts.stalls++
    }
  }

  leave () {
    if (this.isOpen) this.counts.leave()
    this.isOpen = false
  }
}

module.exports = { Pushed }
