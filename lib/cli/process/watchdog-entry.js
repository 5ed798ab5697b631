'use strict'

// Ends the command when an endless loop blocks its main thread, which then handles neither timers nor signals. Runs in
// a separate thread and checks whether the counter of the main thread advances.

const { writeSync } = require('node:fs')
const { workerData } = require('node:worker_threads')

/** @type {{ beats: Int32Array, limit: number }} */
const { beats, limit } = workerData
Atomics.add(beats, 0, 1)
Atomics.notify(beats, 0)
let last = -1
let since = performance.now()

setInterval(() => {
  const beat = Atomics.load(beats, 0)
  const at = performance.now()
  if (beat !== last) {
    last = beat
    since = at
  } else if (at - since > limit) {
    writeSync(2, `\nautocannon: a user function has held the thread for ${Math.round(limit / 1000)} s: ` +
      'is there a loop without an await in it? The command is ended, without a result.\n')
    process.kill(process.pid, 'SIGKILL')
  }
}, 1000)
