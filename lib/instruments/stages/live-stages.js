'use strict'

// The tallies of stages that a load generator fills, found by time. Few are in use at once: a tally is dropped when its
// stage is over, nothing of it is in flight, and its counts have been handed over.

const { GoodputTally } = require('../goodput/record')
const { StageTally } = require('./stage-tally')
const { StageTimes } = require('./stage-times')

/**
 * The stages of a plan, times in ms since the start of the load.
 * @typedef {object} Timetable
 * @property {ReadonlyArray<{ from: number, until: number }>} list in the order of time; it may grow
 * @property {(at: number) => number} indexAt the stage at that time; −1 for none
 * @property {(stage: any) => void} extend
 */

/** Finds the tally of a time, and remembers the last one. */
class Cursor {
  /** @param {LiveStages} stages */
  constructor (stages) {
    this.stages = stages
    // −0: see Recorder.
    this.from = -0
    this.until = -0
    this.tally = stages.outside
  }

  /** @param {number} at ms since the start of the load @returns {StageTally} */
  at (at) {
    if (!(at >= this.from && at < this.until)) this.moveTo(at)
    return this.tally
  }

  /** @param {number} at */
  moveTo (at) {
    const { stages } = this
    const stage = stages.indexAt(at)
    if (stage === -1) {
      // It is not remembered, as a stage may be added.
      this.from = this.until = at
      this.tally = stages.outside
      return
    }
    const { from, until } = stages.timetable.list[stage]
    this.from = from
    this.until = until
    this.tally = stages.of(stage)
  }
}

/**
 * @typedef {object} Load of a load generator
 * @property {() => number} elapsed ms since its start, -Infinity before
 * @property {() => number} settled as in a StageReport
 */

class LiveStages {
  /**
   * @param {Timetable} timetable
   * @param {Load} load
   * @param {boolean} closed whether the run ends with its last stage, in which later events are counted
   * @param {{ times?: ReadonlyArray<import('./stage-times').StageTime>, goodput?: boolean }} [wanted] figures of
   *   streams
   */
  constructor (timetable, load, closed, { times = [], goodput = false } = {}) {
    this.timetable = timetable
    this.load = load
    this.closed = closed
    this.wanted = times
    this.countsGoodput = goodput
    /** For events outside of stages, which are dropped. */
    this.outside = new StageTally(-1)
    /** @type {Map<number, StageTally>} */
    this.tallies = new Map()
    /** Histograms of dropped tallies, for reuse. @type {import('../../record/histogram').Histogram[]} */
    this.spare = []
    /** @type {StageTimes[]} */
    this.spareTimes = []
    this.due = new Cursor(this)
    this.now = new Cursor(this)
    /** The number of stages whose connections are known. */
    this.noted = 0
  }

  /** @returns {StageTally} of the current stage */
  get current () {
    return this.now.at(this.load.elapsed())
  }

  /**
   * @param {number} at ms since the start of the load
   * @returns {number} the stage at that time; −1 for none
   */
  indexAt (at) {
    const { list } = this.timetable
    if (list.length > 0 && at < list[0].from) return 0
    const stage = this.timetable.indexAt(at)
    return stage === -1 && this.closed ? list.length - 1 : stage
  }

  /** @param {number} stage @returns {StageTally} */
  of (stage) {
    let tally = this.tallies.get(stage)
    if (tally === undefined) {
      this.tallies.set(stage, tally = new StageTally(stage, this.spare.pop()))
      if (this.wanted.length > 0) tally.times = this.spareTimes.pop() ?? new StageTimes(this.wanted)
      if (this.countsGoodput) tally.goodput = new GoodputTally()
    }
    return tally
  }

  /**
   * Requests without a due time are written.
   * @param {number} n
   * @param {number} at ms since the start of the load
   * @returns {StageTally} to which they belong
   */
  write (n, at) {
    const tally = this.now.at(at)
    tally.send(n)
    tally.written += n
    return tally
  }

  /**
   * A request is written.
   * @param {number} due when it was due, ms since the start of the load
   * @param {boolean} late whether it waited for the server
   * @param {number} at the time now, likewise
   * @returns {StageTally} to which it belongs
   */
  writeDue (due, late, at) {
    const tally = this.due.at(due)
    tally.send(1)
    if (late) tally.late++
    this.now.at(at).written++
    return tally
  }

  /**
   * An iteration of a user begins.
   * @param {number} due when it was due, ms since the start of the load
   * @param {boolean} waited whether it waited for a connection
   * @param {number} at the time now, likewise
   */
  beginIteration (due, waited, at) {
    const tally = this.due.at(due)
    tally.arrived++
    if (waited) tally.waited++
    this.now.at(at).begun++
  }

  /**
   * Due requests or iterations are dropped.
   * @param {'unsent' | 'neverStarted'} counter of them
   * @param {number} n
   * @param {(i: number) => number} dueAt when each was due, in the order of time, ms since the start of the load
   */
  leave (counter, n, dueAt) {
    for (let i = 0; i < n;) {
      const tally = this.due.at(dueAt(i))
      const { until } = this.due
      // By bisection, as they may be millions.
      let next = i + 1
      for (let end = n; next < end;) {
        const middle = (next + end) >> 1
        if (dueAt(middle) < until) next = middle + 1
        else end = middle
      }
      tally[counter] += next - i
      i = next
    }
  }

  /**
   * Connections are about to be opened or closed, or the run ends. Sets the connections of the stages that are over.
   * @param {number} at ms since the start of the load
   * @param {number} connections that are open
   * @param {boolean} [ends] whether the run ends, and with it the current stage
   */
  note (at, connections, ends = false) {
    const { list } = this.timetable
    const isOver = (/** @type {{ from: number, until: number }} */ { from, until }) =>
      until <= at || (ends && from < at)
    for (; this.noted < list.length && isOver(list[this.noted]); this.noted++) {
      this.of(this.noted).connections = connections
    }
  }

  /** @param {any} stage a further one, which may begin before the end of the last one */
  extend (stage) {
    this.timetable.extend(stage)
    for (const cursor of [this.due, this.now]) cursor.until = -Infinity
  }

  /**
   * @param {string} code
   * @param {string} _message
   * @param {number} n
   * @param {boolean} isUnsent whether the errors are no request's fate
   */
  onError (code, _message, n, isUnsent) {
    if (isUnsent) this.current.failUnsent(code, n)
  }

  /** @returns {import('./record').StageReport} with the counts since the last call */
  take () {
    const { load } = this
    const counts = []
    for (const [stage, tally] of this.tallies) {
      if (tally.hasCounted) counts.push(tally.encode())
      tally.reset()
      if (tally.inFlight > 0 || tally === this.due.tally || tally === this.now.tally) continue
      this.tallies.delete(stage)
      this.spare.push(tally.latency)
      if (tally.times !== null) this.spareTimes.push(tally.times)
    }
    this.outside.reset()
    return { settled: Math.max(0, load.settled()), counts }
  }

  /** Excludes the counts so far, except for requests in flight, as the Recorder does. */
  skip () {
    for (const tally of this.tallies.values()) {
      tally.reset()
      tally.sent = tally.inFlight
    }
    this.outside.reset()
  }
}

module.exports = { LiveStages }
