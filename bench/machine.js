'use strict'

// Where and of which version figures were measured: without that they say nothing.

const { spawnSync } = require('node:child_process')
const os = require('node:os')

/** What is measured. */
const SOURCES = ['../lib', '../native', '../index.js']

const cores = () => `${os.availableParallelism()} cores (${os.cpus()[0].model.trim()})`

function machine () {
  const load = os.loadavg()[0].toFixed(1)
  return `${new Date().toISOString().slice(0, 10)}, ${cores()}, load ${load} before the run, Node.js ${process.versions.node}, ${os.type()} ${os.release()}`
}

/** @returns {string} the last commit that changed what is measured */
function commit () {
  const git = (...args) => spawnSync('git', [...args, '--', ...SOURCES], { cwd: __dirname, encoding: 'utf8' }).stdout?.trim() ?? ''
  return git('log', '-1', '--format=%h') + (git('status', '--porcelain') === '' ? '' : ' with changes')
}

module.exports = { commit, cores, machine }
