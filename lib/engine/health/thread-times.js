'use strict'

// Reads from the system how long this thread ran, and how long it was ready to run but waited for a core.

const { closeSync, openSync, readSync } = require('node:fs')

/**
 * @typedef {object} ThreadTime since the thread began
 * @property {number} cpuMs on a core; of the whole process if threads cannot be measured
 * @property {number | null} runDelayMs CPU wait; null if the system does not report it
 * @property {number} slices number of time slices; 0 if the system does not report it
 */

class ThreadTimes {
  constructor () {
    this.file = null
    this.text = Buffer.alloc(64)
  }

  /** Stays open, so that it can be read when no file descriptor is free. */
  open () {
    if (process.platform !== 'linux') return
    try {
      this.file = openSync('/proc/thread-self/schedstat', 'r')
    } catch {
      this.close()
    }
  }

  read () {
    if (this.file !== null) return this.fromFile(this.file)
    // Node.js 24 and later reports the CPU time of a thread, but not its CPU wait.
    return {
      cpuMs: sum(threadCpuUsage === undefined ? process.cpuUsage() : threadCpuUsage.call(process)), runDelayMs: null,
      slices: 0
    }
  }

  /** @type {(file: number) => ThreadTime} */
  fromFile (file) {
    // ns on the processor, ns waiting for it, and how often it ran, proc_pid_schedstat(5)
    const [onCore, waiting, slices] = this.text.toString('latin1', 0, readSync(file, this.text, 0, this.text.length, 0))
      .split(' ')
    return { cpuMs: Number(onCore) / 1e6, runDelayMs: Number(waiting) / 1e6, slices: Number(slices) }
  }

  close () {
    if (this.file !== null) closeSync(this.file)
    this.file = null
  }
}

const { threadCpuUsage } =
  /** @type {{ threadCpuUsage?: () => { user: number, system: number } }} */ (/** @type {unknown} */ (process))

/** @param {{ user: number, system: number }} usage µs */
function sum ({ user, system }) {
  return (user + system) / 1000
}

module.exports = { ThreadTimes }
