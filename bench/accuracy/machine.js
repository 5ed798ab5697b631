'use strict'

// The line that says where and when figures were measured: without it they say nothing.

const os = require('node:os')

function machine () {
  const cores = os.availableParallelism()
  const load = os.loadavg()[0].toFixed(1)
  return `${new Date().toISOString().slice(0, 10)}, ${cores} cores (${os.cpus()[0].model.trim()}), load ${load} before the run, Node.js ${process.versions.node}, ${os.type()} ${os.release()}`
}

module.exports = { machine }
