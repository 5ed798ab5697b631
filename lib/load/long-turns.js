'use strict'

// Owns how long single turns of the event loop keep everything else waiting: a timer is due every 10 ms, and how late it comes
// tells. It costs nothing per request.

const { Histogram } = require('../record/histogram')
const { lagOf } = require('../record/usage')

/** How often the timer is due, ms. */
const INTERVAL = 10
/**
 * A timer that is late by less, ms, is what the clock of the event loop, in whole ms, makes of one in time; and for each answer that
 * may come at once, because all of them make one turn, which blocks nothing.
 */
const LATE = { least: 1.5, answer: 0.02 }
/** A turn that makes the timer late by more has blocked the event loop, ms. In the first second an answer takes five times as long. */
const LONG = { least: 10, answer: 0.1 }

class LongTurns {
  /**
   * @param {import('./running-clock').RunningClock} clock
   * @param {import('./thread-times').ThreadTimes} thread
   * @param {number} answers at most at once
   * @param {import('./timers').Timers} timers whose stop ends it
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
    this.blockedMs = 0
    this.lateMs = 0
  }

  start () {
    this.due = this.clock.now() + INTERVAL
    this.waited = this.thread.read().runDelayMs ?? 0
    this.timers.every(() => INTERVAL, () => this.look())
  }

  look () {
    const at = this.clock.now()
    const waited = this.thread.read().runDelayMs ?? 0
    this.add(Math.max(0, at - this.due), waited - this.waited)
    this.due = at + INTERVAL
    this.waited = waited
  }

  /**
   * @param {number} late ms
   * @param {number} waited for a core since the look before, ms
   */
  add (late, waited) {
    this.delay.record(late)
    if (late >= this.late) this.lateMs += INTERVAL
    // A turn begins anywhere between two looks, so half an interval of it is not seen.
    if (late >= this.long) this.blockedMs += Math.max(0, late + INTERVAL / 2 - waited)
  }

  /** @returns {{ blockedMs: number, lateMs: number }} since the last time */
  take () {
    const { blockedMs, lateMs } = this
    this.blockedMs = 0
    this.lateMs = 0
    return { blockedMs, lateMs }
  }

  /** @returns {import('../record/usage').Lag} since the start */
  lag () {
    return lagOf(this.delay)
  }
}

module.exports = { LongTurns }
