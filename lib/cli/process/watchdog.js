'use strict'

// Watches the thread of the command while user functions run in it.

const path = require('node:path')
const { Worker } = require('node:worker_threads')

/** The longest time that the main thread may be blocked, ms. */
const LONGEST_BLOCK = 30_000

/** The longest wait for the start of the thread, ms; it usually takes 50. */
const LONGEST_START = 1000

class Watchdog {
  /** @param {number} [limit] ms */
  constructor (limit = LONGEST_BLOCK) {
    const beats = this.beats = new Int32Array(new SharedArrayBuffer(4))
    this.worker = new Worker(path.join(__dirname, 'watchdog-entry.js'), { workerData: { beats, limit } })
    this.worker.unref()
    this.timer = setInterval(() => Atomics.add(beats, 0, 1), 500).unref()
  }

  /** Blocks until its thread runs. */
  waitForStart () {
    Atomics.wait(this.beats, 0, 0, LONGEST_START)
  }

  end () {
    clearInterval(this.timer)
    this.worker.terminate()
  }
}

/** @returns {boolean} whether a debugger is attached, which may stop the thread */
const isDebugged = () => require('node:inspector').url() !== undefined

module.exports = { Watchdog, isDebugged }
