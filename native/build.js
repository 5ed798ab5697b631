'use strict'

// Builds the add-on for this platform, once per `npm ci` in a clone. Without a C compiler autocannon works on the sockets of Node.js: one
// line says so, and the exit code is 0. `--sanitize` builds one that reports reads and writes beyond a buffer (AddressSanitizer).

const { spawnSync } = require('node:child_process')
const { mkdirSync, renameSync, rmSync } = require('node:fs')
const path = require('node:path')
const { FILE } = require('../lib/wire/sockets/binding')

const SOURCE = path.join(__dirname, 'sockets.c')
const FLAGS = ['-std=gnu11', '-O2', '-Wall', '-Wextra', '-Werror', '-fvisibility=hidden', '-fstack-protector-strong', '-shared', '-fPIC']
const SANITIZED = ['-fsanitize=address,undefined', '-fno-omit-frame-pointer', '-g']

/** @returns {string | null} where the headers of Node-API are */
function headers () {
  try {
    return require('node-api-headers').include_dir
  } catch {
    return null
  }
}

/**
 * @param {boolean} sanitized
 * @returns {string | null} why there is no add-on
 */
function build (sanitized) {
  const include = headers()
  if (include === null) return 'the package node-api-headers is not installed'
  const compiler = process.env.CC ?? 'cc'
  // A process that runs keeps the file that it has loaded.
  const draft = `${FILE}.${process.pid}`
  mkdirSync(path.dirname(FILE), { recursive: true })
  const { error, status, stderr } = spawnSync(compiler, [...FLAGS, ...sanitized ? SANITIZED : [], '-I', include, SOURCE, '-o', draft, '-lm'], { encoding: 'utf8' })
  if (error === undefined && status === 0) {
    renameSync(draft, FILE)
    return null
  }
  rmSync(draft, { force: true })
  return error === undefined ? `${compiler} failed: ${stderr.split('\n').find(line => line.includes('error')) ?? `exit code ${status}`}` : `there is no C compiler (${compiler})`
}

if (process.platform === 'linux') {
  const reason = build(process.argv.includes('--sanitize'))
  if (reason !== null) console.log(`autocannon uses the sockets of Node.js: ${reason}`)
}
