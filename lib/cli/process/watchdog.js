'use strict'

// Watches the thread of the command while user functions run in it.

const path = require('node:path')
const { Worker } = require('node:worker_threads')

/** How long a thread may be blocked, ms. */
const PATIENCE = 30_000

class Watchdog {
  /** @param {number} [patience] ms */
  constructor (patience = PATIENCE) {
    const beats = new Int32Array(new SharedArrayBuffer(4))
    this.worker = new Worker(path.join(__dirname, 'watchdog-entry.js'), { workerData: { beats, patience } })
    this.worker.unref()
    this.timer = setInterval(() => Atomics.add(beats, 0, 1), 500).unref()
  }

  end () {
    clearInterval(this.timer)
    this.worker.terminate()
  }
}

/** @returns {boolean} whether a debugger is attached, which may stop the thread */
const isDebugged = () => require('node:inspector').url() !== undefined

module.exports = { Watchdog, isDebugged }
