'use strict'

// Reports from the main thread of a watched Node.js program: load and delay of its event loop, heap size, and garbage
// collection. Ten times per second it writes eight numbers into a ring buffer in a file, which node-loops.js reads. No
// file stays open in the measured process: the program could close it and reuse the descriptor.
//
// A busy server shows no difference: 32 % of a core at 5,000 requests/s, compared with 34 % without. An idle one needs
// 0.7 % of a core for it (medians of five alternating runs, 2026-11-23).
//
// The server may run on another version of Node.js than autocannon. Versions before 12.19 report nothing.

/** The interval of reports, ms. */
const INTERVAL = 100
/** The period of the timers for the delay measurement, ms. It is subtracted. */
const RESOLUTION = 20
/** The size of the ring buffer in reports: 102 s. */
const SLOTS = 1024
/**
 * One report: its number, counted from 1. Since the start of the process, ms: idle, active, garbage collection. In this
 * interval: mean and maximum delay of timers, ms, NaN without timers. Heap in bytes. The last number is unused.
 */
const NUMBERS = 8

/** @param {string} file @param {(action: () => void) => void} attempt hides our exceptions from the program */
function reportLoop (file, attempt) {
  const { performance, monitorEventLoopDelay, PerformanceObserver } = require('perf_hooks')
  const { openSync, writeSync, closeSync, constants: { O_WRONLY, O_CREAT } } = require('fs')
  const { getHeapStatistics } = require('v8')
  if (typeof performance.eventLoopUtilization !== 'function' || !isMainThread()) return

  const delay = monitorEventLoopDelay({ resolution: RESOLUTION })
  delay.enable()
  let collected = 0
  const observer = new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) {
      collected += duration
    }
  })
  observer.observe({ entryTypes: ['gc'] })

  const numbers = new Float64Array(NUMBERS)
  const bytes = Buffer.from(numbers.buffer)
  /** @param {number} ns */
  const late = ns => Math.max(0, ns / 1e6 - RESOLUTION)
  const say = () => {
    const { idle, active } = performance.eventLoopUtilization()
    numbers[0]++
    numbers[1] = idle
    numbers[2] = active
    numbers[3] = collected
    numbers[4] = late(delay.mean)
    numbers[5] = Number.isNaN(delay.mean) ? NaN : late(delay.max)
    numbers[6] = getHeapStatistics().used_heap_size
    delay.reset()
    const fd = openSync(file, O_WRONLY | O_CREAT, 0o600)
    try {
      writeSync(fd, bytes, 0, bytes.length, (numbers[0] % SLOTS) * bytes.length)
    } finally {
      closeSync(fd)
    }
  }
  setInterval(() => attempt(say), INTERVAL).unref()
}

/** @returns {boolean} whether this is the main thread; Node.js before 11.7 has no others */
function isMainThread () {
  try {
    return require('worker_threads').isMainThread
  } catch (_) {
    return true
  }
}

module.exports = { reportLoop, SLOTS, NUMBERS }
