'use strict'

// Measures long turns of the event loop by the delay of a timer that is due every 10 ms. It costs nothing per request.
// Each time it also reads the CPU wait of the thread, because the system reports only a sum and not the length of each
// wait.

const { Histogram } = require('../../record/histogram')
const { lagOf } = require('../../record/usage')

/** How often the timer is due, ms. */
const INTERVAL = 10
/**
 * A timer that is late by less than `least` ms is in time, as the clock of the event loop has whole ms. `answer` is
 * added per simultaneous response, because all of them are handled in one turn.
 */
const LATE = { least: 1.5, answer: 0.02 }
/**
 * A turn that makes the timer late by more has blocked the event loop, ms. In the first second a response takes five
 * times as long.
 */
const LONG = { least: 10, answer: 0.1 }

/** The time of a context switch, ms: each wake-up of a thread is a wait without the loss of a core. */
const CHANGE = 0.03

class LongTurns {
  /**
   * @param {import('../pacing/running-clock').RunningClock} clock
   * @param {import('./thread-times').ThreadTimes} thread
   * @param {number} answers at most at once
   * @param {import('../../core/timers').Timers} timers whose stop ends it
   */
  constructor (clock, thread, answers, timers) {
    this.clock = clock
    this.thread = thread
    this.timers = timers
    this.late = LATE.least + LATE.answer * answers
    this.long = LONG.least + LONG.answer * answers
    /** How late the timer came, since the start. */
    this.delay = new Histogram()
    this.due = 0
    this.waited = 0
    this.slices = 0
    /** @type {{ ms: number, squares: number } | null} null where the system has no figures */
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
   * @param {number} waited for a core since the look before, ms
   */
  add (late, waited) {
    this.delay.record(late)
    if (late >= this.late) this.lateMs += INTERVAL
    // A turn begins anywhere between two looks, so half an interval of it is not seen. CPU wait was no turn.
    const own = late - waited
    if (own >= this.long) this.blockedMs += own + INTERVAL / 2
  }

  /**
   * The wait of one interval is one wait, because a thread that loses its core loses it for some ms. Means of the
   * system, per time slice, would mix that with all the times when it woke up at once.
   * @param {number} elapsed ms since the look before
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
   * @returns {{ blockedMs: number, lateMs: number, waits: { ms: number, squares: number } | null }} since the last time
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
