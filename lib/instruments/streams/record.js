'use strict'

// Counts of streams: the times of their events, and their ends.

const { Histogram } = require('../../record/histogram')
const { WaitedTally, withWaits } = require('../../record/waited-tally')

/**
 * @typedef {import('../../record/counts').ReportOf<typeof StreamTally>} TallyReport
 * @typedef {TallyReport & Record<import('../../record/waited-tally').Family, Array<TallyReport & { name: string }>>}
 *   StreamsReport a plain object
 */

/** @extends {WaitedTally<TallyReport>} */
class StreamTally extends WaitedTally {
  static FIELDS = /** @type {const} */ ([
    'firstEvent', 'gap', 'duration', 'outage', 'perStream', 'opened', 'completed', 'closed', 'truncated', 'events',
    'reads', 'stalls', 'reconnects', 'shortenedWaits'
  ])

  constructor () {
    super()
    /** From the due time of a request (with a rate), or its write, to its first event, ms. */
    this.firstEvent = new Histogram()
    /** From one event of a stream to the next, ms. */
    this.gap = new Histogram()
    /** From the head of a response to its end, ms. */
    this.duration = new Histogram()
    /** From the end of a stream to the head of the response that continues it, ms. */
    this.outage = new Histogram()
    /** Events of each completed stream, plus 1, as if they were µs: a histogram has no 0. */
    this.perStream = new Histogram()
    /** Responses that became a stream. */
    this.opened = 0
    /** Streams that are still open. A reset keeps them. */
    this.open = 0
    /** Streams that ended in order. */
    this.completed = 0
    /** Of these, those that the load generator closed (--stream-for, --events). */
    this.closed = 0
    /** Streams that ended in the middle of an event. */
    this.truncated = 0
    this.events = 0
    /** Reads with an event in them. */
    this.reads = 0
    /** Gaps longer than --stall. */
    this.stalls = 0
    /** Requests that continue a stream. */
    this.reconnects = 0
    /** Streams whose `retry` exceeded the longest wait. */
    this.shortenedWaits = 0
  }

  get firsts () {
    return this.firstEvent
  }

  begin () {
    this.opened++
    this.open++
  }

  /** A stream has ended, in order or not. */
  leave () {
    this.open--
  }

  /** Excludes the counts so far, except for open streams, as the Recorder does with requests in flight. */
  skip () {
    super.skip()
    this.opened = this.open
  }

  /**
   * A stream has ended in order.
   * @param {number} ms
   * @param {number} events
   * @param {boolean} isClosed whether the load generator closed it
   */
  close (ms, events, isClosed) {
    this.completed++
    if (isClosed) this.closed++
    this.duration.record(ms)
    this.perStream.record((events + 1) / 1000)
  }

  /** @returns {boolean} whether anything was counted: a request that timed out has a time without a stream */
  get hasCounted () {
    const { opened, events, completed, firstEvent, gap, outage } = this
    return opened + events + completed > 0 || firstEvent.count + gap.count + outage.count > 0
  }
}

/** The streams of a run, and those of each named request and scenario. */
class Streams extends withWaits(StreamTally, 'firstEvent') {}

module.exports = { Streams, StreamTally, Total: Streams }
