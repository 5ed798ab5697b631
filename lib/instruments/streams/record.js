'use strict'

// What is counted of the streams of a run: when their events came, and how the streams ended.

const { Counts } = require('../../record/counts')
const { Histogram } = require('../../record/histogram')

/** Histograms. */
const TIMES = /** @type {const} */ (['firstEvent', 'gap', 'duration', 'perStream'])
const COUNTERS = /** @type {const} */ (['opened', 'completed', 'closed', 'truncated', 'events', 'reads', 'stalls'])

/**
 * @typedef {Record<typeof TIMES[number], import('../../record/histogram').Encoded> &
 *   Record<typeof COUNTERS[number], number>} StreamsReport a plain object
 */

/** @extends {Counts<StreamsReport>} */
class Streams extends Counts {
  constructor () {
    super()
    /** From when a request was due (with a rate) or written to its first event, ms. */
    this.firstEvent = new Histogram()
    /** From one event of a stream to the next, ms. */
    this.gap = new Histogram()
    /** From the head of a response to its end, ms. */
    this.duration = new Histogram()
    /** One more than the events of each completed stream, where a time has µs: a histogram has no 0. */
    this.perStream = new Histogram()
    /** Responses that began to deliver. */
    this.opened = 0
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
    // Of the first events so far, also those handed over. −0: see Recorder.
    this.answered = 0
    this.sum = -0
    this.longest = -0
  }

  /** @param {number} ms to the first event of a stream, or so far */
  first (ms) {
    this.firstEvent.record(ms)
    this.answered++
    this.sum += ms
    if (ms > this.longest) this.longest = ms
  }

  /**
   * A request has had no event when the run ended. As with the latency, one that has waited for longer than others took
   * is in the figures with that time; any other tells nothing.
   * @param {number} ms
   * @param {boolean} paced whether requests have an intended time
   * @param {number} [n] how many such requests
   */
  unanswered (ms, paced, n = 1) {
    if (this.answered === 0) return
    if (paced ? ms >= this.sum / this.answered : ms > this.longest) this.firstEvent.record(ms, n)
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

  /** @param {StreamsReport} report */
  add (report) {
    for (const time of TIMES) this[time].addEncoded(report[time])
    for (const counter of COUNTERS) this[counter] += report[counter]
  }

  reset () {
    for (const time of TIMES) this[time].reset()
    for (const counter of COUNTERS) this[counter] = 0
  }

  skip () {
    this.reset()
    this.answered = 0
    this.sum = 0
    this.longest = 0
  }

  /** @returns {StreamsReport} */
  encode () {
    const { firstEvent, gap, duration, perStream } = this
    const { opened, completed, closed, truncated, events, reads, stalls } = this
    return {
      firstEvent: firstEvent.encode(), gap: gap.encode(), duration: duration.encode(), perStream: perStream.encode(),
      opened, completed, closed, truncated, events, reads, stalls
    }
  }
}

module.exports = { Streams, Total: Streams }
