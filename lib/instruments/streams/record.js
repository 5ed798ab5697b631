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
    /** From when a request was due (with a rate) or written to its first event, ms. */
    this.firstEvent = new Histogram()
    /** From one event of a stream to the next, ms. */
    this.gap = new Histogram()
    /** From the head of a response to its end, ms. */
    this.duration = new Histogram()
    /** From the end of a stream to the head of the response that continues it, ms. */
    this.outage = new Histogram()
    /** One more than the events of each completed stream, where a time has µs: a histogram has no 0. */
    this.perStream = new Histogram()
    /** Responses that began to deliver. */
    this.opened = 0
    /** How many of them go on. `take` keeps it. */
    this.open = 0
    /** Those that were completed, */
    this.completed = 0
    /** and of these those that were closed here, as they had brought enough. */
    this.closed = 0
    /** Those that ended in the middle of an event. */
    this.truncated = 0
    this.events = 0
    /** Reads with an event in them. */
    this.reads = 0
    /** Gaps that were too long. */
    this.stalls = 0
    /** Requests that continue a stream. */
    this.reconnects = 0
    /** Streams that set a longer wait before that than there is. */
    this.shortenedWaits = 0
  }

  get firsts () {
    return this.firstEvent
  }

  begin () {
    this.opened++
    this.open++
  }

  /** A stream is over, in whatever way. */
  leave () {
    this.open--
  }

  /** Excludes the counts so far, except for streams that go on, as the Recorder does with requests in flight. */
  skip () {
    super.skip()
    this.opened = this.open
  }

  /**
   * A stream has ended in order.
   * @param {number} ms
   * @param {number} events
   * @param {boolean} isClosed whether it was closed here
   */
  close (ms, events, isClosed) {
    this.completed++
    if (isClosed) this.closed++
    this.duration.record(ms)
    this.perStream.record((events + 1) / 1000)
  }

  /** @returns {boolean} whether anything has been counted: without a stream there may be a request that timed out */
  get hasCounted () {
    const { opened, events, completed, firstEvent, gap, outage } = this
    return opened + events + completed > 0 || firstEvent.count + gap.count + outage.count > 0
  }
}

/** The streams of a run, and those of each named request and scenario. */
class Streams extends withWaits(StreamTally, 'firstEvent') {}

module.exports = { Streams, StreamTally, Total: Streams }
