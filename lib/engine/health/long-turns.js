'use strict'

// Measures long turns of the event loop by the delay of a timer that is due every 10 ms. It costs nothing per request.
// At each tick it also reads the CPU wait of the thread, because the system reports only the sum of all waits.

const { Histogram } = require('../../record/histogram')
const { lagOf } = require('../../record/usage')

/** The interval of the timer, ms. */
const INTERVAL = 10
/**
 * A timer that is late by less than `least` ms counts as on time, because the clock of the event loop has whole ms.
 * `answer` is added per simultaneous response, because one turn handles all of them.
 */
const LATE = { least: 1.5, answer: 0.02 }
/**
 * A turn that delays the timer by more has blocked the event loop, ms. In the first second a response takes five times
 * as long.
 */
const LONG = { least: 10, answer: 0.1 }

/** The time of a context switch, ms: each wake-up of a thread includes such a wait without contention for a core. */
const CHANGE = 0.03

class LongTurns {
  /**
   * @param {import('../pacing/running-clock').RunningClock} clock
   * @param {import('./thread-times').ThreadTimes} thread
   * @param {number} answers limit of simultaneous responses
   * @param {import('../../core/timers').Timers} timers stop it at the end of the run
   */
  constructor (clock, thread, answers, timers) {
    this.clock = clock
    this.thread = thread
    this.timers = timers
    this.late = LATE.least + LATE.answer * answers
    this.long = LONG.least + LONG.answer * answers
    /** The delay of the timer since the start. */
    this.delay = new Histogram()
    this.due = 0
    this.waited = 0
    this.slices = 0
    /** @type {{ ms: number, squares: number } | null} null if the system does not report them */
    this.waits = null
    this.blockedMs = 0
    this.lateMs = 0
  }

  start () {
    this.due = this.clock.now() + INTERVAL
    const { runDelayMs, slices } = this.thread.read()
    this.waited = runDelayMs ?? 0
    this.slices = slices
    this.waits = runDelayMs === null ? null : { ms: 0, squares: 0 }
    this.timers.every(() => INTERVAL, () => this.look())
  }

  look () {
    const at = this.clock.now()
    const { runDelayMs, slices } = this.thread.read()
    const waited = runDelayMs ?? 0
    const late = Math.max(0, at - this.due)
    this.add(late, waited - this.waited)
    this.addWaits(late + INTERVAL, waited - this.waited, slices - this.slices)
    this.due = at + INTERVAL
    this.waited = waited
    this.slices = slices
  }

  /**
   * @param {number} late ms
   * @param {number} waited CPU wait since the previous tick, ms
   */
  add (late, waited) {
    this.delay.record(late)
    if (late >= this.late) this.lateMs += INTERVAL
    // A turn begins anywhere between two ticks, so half an interval is added on average. CPU wait is not part of the
    // turn.
    const own = late - waited
    if (own >= this.long) this.blockedMs += own + INTERVAL / 2
  }

  /**
   * Counts the wait of one interval as a single wait, because a thread that loses its core loses it for some ms. The
   * system's mean per time slice would include all immediate wake-ups.
   * @param {number} elapsed ms since the previous tick
   * @param {number} waited
   * @param {number} slices
   */
  addWaits (elapsed, waited, slices) {
    const long = Math.max(0, waited - CHANGE * slices)
    if (this.waits === null || long === 0) return
    this.waits.ms += long
    this.waits.squares += long * long / Math.max(1, elapsed / INTERVAL)
  }

  /**
   * @returns {{ blockedMs: number, lateMs: number, waits: { ms: number, squares: number } | null }} since the last call
   */
  take () {
    const { blockedMs, lateMs, waits } = this
    if (waits !== null) this.waits = { ms: 0, squares: 0 }
    this.blockedMs = 0
    this.lateMs = 0
    return { blockedMs, lateMs, waits }
  }

  /** @returns {import('../../record/usage').Lag} since the start */
  lag () {
    return lagOf(this.delay)
  }
}

module.exports = { LongTurns }
