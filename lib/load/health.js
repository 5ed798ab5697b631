'use strict'

// Owns how busy the thread of a generator is: its share of a core, of its event loop, the delay of its timers, the time that
// garbage collection took, and that in which it stood still.

const { closeSync, openSync, readSync } = require('node:fs')
const { monitorEventLoopDelay, performance } = require('node:perf_hooks')
const { Collections } = require('./collections')

/** The event loop is looked at that often, ms. */
const RESOLUTION = 10

/** @typedef {import('../stats/generator-health').Load} Load */

class Health {
  /** @param {import('./running-clock').RunningClock} clock */
  constructor (clock) {
    this.clock = clock
    this.cpu = new ThreadCpu()
    this.delay = monitorEventLoopDelay({ resolution: RESOLUTION })
    this.collections = new Collections(clock.now)
    /** @type {ReturnType<Health['look']> | null} null before the start */
    this.last = null
  }

  look () {
    return { cpuMs: this.cpu.ms(), active: performance.eventLoopUtilization().active, wall: performance.now() }
  }

  start () {
    this.cpu.open()
    this.delay.enable()
    this.collections.start()
    this.last = this.look()
  }

  /** @returns {Load} since the last time */
  take () {
    const at = this.look()
    const before = this.last ?? at
    const standstillMs = this.clock.takeStandstill()
    const wallMs = Math.max(0, at.wall - before.wall - standstillMs)
    const active = at.active - before.active
    const load = {
      cpuMs: at.cpuMs - before.cpuMs,
      // A standstill counts as active time unless it came while the event loop was waiting.
      activeMs: active > wallMs ? Math.max(0, active - standstillMs) : active,
      gcMs: this.collections.take(),
      wallMs,
      standstillMs,
      delay: { p50: this.delayAt(50), p99: this.delayAt(99), max: this.delayAt(100) }
    }
    this.last = at
    return load
  }

  /** @param {number} percentile */
  delayAt (percentile) {
    // The monitor counts the interval of its timer, too.
    return Math.max(0, this.delay.percentile(percentile) / 1e6 - RESOLUTION)
  }

  stop () {
    this.cpu.close()
    this.delay.disable()
    this.collections.stop()
  }
}

/** CPU time of this thread; where only the whole process can be measured, of that. */
class ThreadCpu {
  constructor () {
    /** @type {number | null} */
    this.file = null
    this.text = Buffer.alloc(64)
  }

  /** Held open, so that it can be read when no other file descriptor is free. */
  open () {
    // Node.js before 24 can't say it of a thread; Linux can.
    if (threadCpuUsage !== undefined || process.platform !== 'linux') return
    try {
      this.file = openSync('/proc/thread-self/schedstat', 'r')
    } catch {}
  }

  /** @returns {number} */
  ms () {
    if (threadCpuUsage !== undefined) return sum(threadCpuUsage.call(process))
    if (this.file === null) return sum(process.cpuUsage())
    // ns on the processor, proc_pid_schedstat(5)
    return parseInt(this.text.toString('latin1', 0, readSync(this.file, this.text, 0, this.text.length, 0))) / 1e6
  }

  close () {
    if (this.file !== null) closeSync(this.file)
    this.file = null
  }
}

const { threadCpuUsage } = /** @type {{ threadCpuUsage?: () => { user: number, system: number } }} */ (/** @type {unknown} */ (process))

/** @param {{ user: number, system: number }} usage µs */
function sum ({ user, system }) {
  return (user + system) / 1000
}

module.exports = { Health }
