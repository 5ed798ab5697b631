'use strict'

// Owns how busy the thread of a generator is: its share of a core, of its event loop, the delay of its timers, and the time
// that garbage collection took.

const { readFileSync } = require('node:fs')
const { monitorEventLoopDelay, performance, PerformanceObserver } = require('node:perf_hooks')

/** The event loop is looked at that often, ms. */
const RESOLUTION = 10

/** @typedef {import('../stats/generator-health').Load} Load */

class Health {
  constructor () {
    this.delay = monitorEventLoopDelay({ resolution: RESOLUTION })
    this.gcMs = 0
    this.collections = new PerformanceObserver(list => { for (const { duration } of list.getEntries()) this.gcMs += duration })
    /** @type {ReturnType<Health['look']> | null} null before the start */
    this.last = null
  }

  look () {
    return { cpuMs: threadCpuMs(), active: performance.eventLoopUtilization().active, wall: performance.now() }
  }

  start () {
    this.delay.enable()
    this.collections.observe({ entryTypes: ['gc'] })
    this.last = this.look()
  }

  /** @returns {Load} since the last time */
  take () {
    for (const { duration } of this.collections.takeRecords()) this.gcMs += duration
    const at = this.look()
    const before = this.last ?? at
    const load = {
      cpuMs: at.cpuMs - before.cpuMs,
      activeMs: at.active - before.active,
      gcMs: this.gcMs,
      wallMs: at.wall - before.wall,
      delay: { p50: this.delayAt(50), p99: this.delayAt(99), max: this.delayAt(100) }
    }
    this.gcMs = 0
    this.last = at
    return load
  }

  /** @param {number} percentile */
  delayAt (percentile) {
    // The monitor counts the interval of its timer, too.
    return Math.max(0, this.delay.percentile(percentile) / 1e6 - RESOLUTION)
  }

  stop () {
    this.delay.disable()
    this.collections.disconnect()
  }
}

/**
 * @returns {number} CPU time of this thread; where only the whole process can be measured, of that
 */
function threadCpuMs () {
  const { threadCpuUsage } = /** @type {{ threadCpuUsage?: () => { user: number, system: number } }} */ (/** @type {unknown} */ (process))
  if (threadCpuUsage !== undefined) return sum(threadCpuUsage.call(process))
  return threadCpuOfLinux() ?? sum(process.cpuUsage())
}

/** @param {{ user: number, system: number }} usage µs */
function sum ({ user, system }) {
  return (user + system) / 1000
}

/** Node.js before 24 can't say it of a thread; Linux can. */
function threadCpuOfLinux () {
  if (process.platform !== 'linux') return null
  try {
    // ns on the processor, proc_pid_schedstat(5); a read at once is made by the thread that asks.
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6
  } catch {
    return null
  }
}

module.exports = { Health }
