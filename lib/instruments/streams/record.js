'use strict'

// What is counted of the streams of a run: when their events came, and how the streams ended.

const { Histogram } = require('../../record/histogram')

/** To hand over a name takes up to 0.4 ms, in which nothing is read. A sample has so many, and the next one goes on. */
const NAMES_IN_TURN = 3

/** Histograms. */
const TIMES = /** @type {const} */ (['firstEvent', 'gap', 'duration', 'perStream'])
const COUNTERS = /** @type {const} */ (['opened', 'completed', 'closed', 'truncated', 'events', 'reads', 'stalls'])

/**
 * @typedef {Record<typeof TIMES[number], import('../../record/histogram').Encoded> &
 *   Record<typeof COUNTERS[number], number>} TallyReport
 * @typedef {TallyReport & { named: Array<TallyReport & { name: string }> }} StreamsReport a plain object
 */

/** What is counted of some streams. */
class StreamTally {
  constructor () {
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
   * @returns {boolean} whether they are in the figures
   */
  unanswered (ms, paced, n = 1) {
    if (this.answered === 0 || !(paced ? ms >= this.sum / this.answered : ms > this.longest)) return false
    this.firstEvent.record(ms, n)
    return true
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

  /** @param {TallyReport} report */
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

  /** @returns {boolean} whether anything has been counted: without a stream there may be a request that timed out */
  get hasCounted () {
    return this.opened + this.events + this.completed > 0 || this.firstEvent.count + this.gap.count > 0
  }

  /** @returns {TallyReport} */
  encode () {
    const { firstEvent, gap, duration, perStream } = this
    const { opened, completed, closed, truncated, events, reads, stalls } = this
    return {
      firstEvent: firstEvent.encode(), gap: gap.encode(), duration: duration.encode(), perStream: perStream.encode(),
      opened, completed, closed, truncated, events, reads, stalls
    }
  }
}

/** The streams of a run, and those of each named request. */
class Streams extends StreamTally {
  constructor () {
    super()
    /** @type {Map<string, StreamTally>} */
    this.named = new Map()
    /** The index of the name that is handed over next. */
    this.turn = 0
  }

  /** @param {string} name of a request, whose names are bounded (instruments/requests) */
  of (name) {
    let tally = this.named.get(name)
    if (tally === undefined) this.named.set(name, tally = new StreamTally())
    return tally
  }

  /**
   * @param {{ name: string } | null} request null for one without a name
   * @returns {StreamTally[]} where its streams are counted
   */
  talliesOf (request) {
    return request === null ? [this] : [this, this.of(request.name)]
  }

  /** @param {StreamsReport} report */
  add ({ named, ...report }) {
    super.add(report)
    for (const { name, ...one } of named) this.of(name).add(one)
  }

  skip () {
    super.skip()
    for (const tally of this.named.values()) tally.skip()
  }

  /**
   * @param {boolean} [isLast] whether there is no later: all names, else a few of them in turn
   * @returns {StreamsReport} what was counted since the last time
   */
  take (isLast = false) {
    const all = [...this.named]
    const count = isLast ? all.length : Math.min(NAMES_IN_TURN, all.length)
    const taken = Array.from({ length: count }, (_, i) => all[(this.turn + i) % all.length])
      .filter(([, tally]) => tally.hasCounted)
    this.turn = all.length === 0 ? 0 : (this.turn + count) % all.length
    const report = { ...super.encode(), named: taken.map(([name, tally]) => ({ name, ...tally.encode() })) }
    this.reset()
    for (const [, tally] of taken) tally.reset()
    return report
  }

  /** @returns {StreamsReport} */
  encode () {
    return { ...super.encode(), named: Array.from(this.named, ([name, tally]) => ({ name, ...tally.encode() })) }
  }
}

module.exports = { Streams, StreamTally, Total: Streams }
