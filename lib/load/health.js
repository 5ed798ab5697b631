'use strict'

// Owns how busy the thread of a generator is: its share of a core, of its event loop, the delay of its timers, and the
// time that garbage collection took, in which it waited for a core, was blocked, or stood still.

const { monitorEventLoopDelay, performance } = require('node:perf_hooks')
const { Collections } = require('./collections')
const { ThreadTimes } = require('./thread-times')

/** The event loop is looked at that often, ms. */
const RESOLUTION = 10

/** @typedef {import('../stats/generator-health').Load} Load */

class Health {
  /** @param {import('./running-clock').RunningClock} clock */
  constructor (clock) {
    this.clock = clock
    this.thread = new ThreadTimes()
    this.delay = monitorEventLoopDelay({ resolution: RESOLUTION })
    this.collections = new Collections(clock.now)
    /** @type {ReturnType<Health['look']> | null} null before the start */
    this.last = null
  }

  look () {
    return { ...this.thread.read(), active: performance.eventLoopUtilization().active, wall: performance.now() }
  }

  start () {
    this.thread.open()
    this.delay.enable()
    this.collections.start()
    this.last = this.look()
  }

  /**
   * @param {number} [idleMs] how much of its time went into turns that only waited for the clock
   * @returns {Load} since the last time
   */
  take (idleMs = 0) {
    const at = this.look()
    const before = this.last ?? at
    const standstillMs = this.clock.takeStandstill()
    const wallMs = Math.max(0, at.wall - before.wall - standstillMs)
    const active = at.active - before.active
    const load = {
      cpuMs: at.cpuMs - before.cpuMs,
      // A standstill counts as active time unless it came while the event loop was waiting.
      activeMs: active > wallMs ? Math.max(0, active - standstillMs) : active,
      idleMs,
      gcMs: this.collections.take(),
      wallMs,
      standstillMs,
      runDelayMs: at.runDelayMs === null || before.runDelayMs === null ? null : at.runDelayMs - before.runDelayMs,
      blockedMs: 0,
      delay: { p50: this.delayAt(50), p99: this.delayAt(99), max: this.delayAt(100) }
    }
    this.last = at
    return load
  }

  /** What was measured before is forgotten, the delay of the event loop, too. */
  restart () {
    this.take()
    this.delay.reset()
  }

  /** @param {number} percentile */
  delayAt (percentile) {
    // The monitor counts the interval of its timer, too.
    return Math.max(0, this.delay.percentile(percentile) / 1e6 - RESOLUTION)
  }

  stop () {
    this.thread.close()
    this.delay.disable()
    this.collections.stop()
  }
}

module.exports = { Health }
