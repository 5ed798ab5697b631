'use strict'

// What `npm test` runs: tap, with the arguments that are given, and then, in the last lines, what was not run and why.

const { spawnSync } = require('node:child_process')
const { mkdtempSync, readFileSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const path = require('node:path')
const { notRun } = require('./helpers/not-run')

const folder = mkdtempSync(path.join(tmpdir(), 'autocannon-tests-'))
const output = path.join(folder, 'output.tap')
const { status, error } = spawnSync('tap', [`--output-file=${output}`, ...process.argv.slice(2)], { stdio: 'inherit', shell: process.platform === 'win32' })
if (error !== undefined) console.error(`tap could not be started: ${error.message}; run npm ci, and then npm test`)
let tap = ''
try {
  tap = readFileSync(output, 'utf8')
} catch {} // tap ran no test
rmSync(folder, { recursive: true, force: true })
console.log(notRun(tap))
process.exitCode = status ?? 1
