'use strict'

// Ends a command whose thread is held by a loop without an end: neither a timer nor a signal reaches it then. It runs
// in a thread of its own, and looks whether the other one still counts.

const { writeSync } = require('node:fs')
const { workerData } = require('node:worker_threads')

/** @type {{ beats: Int32Array, patience: number }} */
const { beats, patience } = workerData
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
  } else if (at - since > patience) {
    writeSync(2, `\nautocannon: a user function has held the thread for ${Math.round(patience / 1000)} s: ` +
      'is there a loop without an await in it? The command is ended, without a result.\n')
    process.kill(process.pid, 'SIGKILL')
  }
}, 1000)
