'use strict'

// Builds the add-on for this platform, once per `npm ci` in a clone. Where it can't be built, autocannon works on the sockets of Node.js:
// one line says so, and the exit code is 0. `--sanitize` builds one that reports undefined behaviour, and reads and writes beyond a buffer
// (AddressSanitizer, UndefinedBehaviorSanitizer): the process that loads it needs LD_PRELOAD=$(cc -print-file-name=libasan.so).

const { spawnSync } = require('node:child_process')
const { existsSync, mkdirSync, renameSync, rmSync } = require('node:fs')
const path = require('node:path')
const { FILE } = require('../lib/net/sockets/binding')

const SOURCE = path.join(__dirname, 'sockets.c')
const FLAGS = ['-std=gnu11', '-O2', '-Wall', '-Wextra', '-Werror', '-fvisibility=hidden', '-fstack-protector-strong', '-shared', '-fPIC', '-Wl,-z,relro,-z,now']
const SANITIZED = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all', '-fno-omit-frame-pointer', '-g']

/** @returns {string | null} where the headers of Node-API are: in a development dependency, or those that came with Node.js */
function headers () {
  try {
    return require('node-api-headers').include_dir
  } catch {
    const own = path.join(path.dirname(process.execPath), '../include/node')
    return existsSync(path.join(own, 'node_api.h')) ? own : null
  }
}

/**
 * @param {object} [options]
 * @param {string} [options.file] that is made
 * @param {string} [options.source]
 * @param {boolean} [options.sanitized]
 * @returns {string | null} why there is no add-on
 */
function build ({ file = FILE, source = SOURCE, sanitized = false } = {}) {
  const include = headers()
  if (include === null) return 'the package node-api-headers is not installed, and Node.js came without its headers'
  // Such as `ccache gcc`.
  const [compiler, ...given] = (process.env.CC || 'cc').split(' ')
  // A process that runs keeps the file that it has loaded.
  const draft = `${file}.${process.pid}`
  try {
    mkdirSync(path.dirname(file), { recursive: true })
    const { error, status, stderr } = spawnSync(compiler, [...given, ...FLAGS, ...sanitized ? SANITIZED : [], '-I', include, source, '-o', draft, '-lm'], { encoding: 'utf8' })
    if (error !== undefined) return `there is no C compiler (${compiler})`
    if (status !== 0) return `${compiler} failed: ${stderr.split('\n').find(line => line.includes('error')) ?? `exit code ${status}`}`
    renameSync(draft, file)
    return null
  } catch (error) {
    return `${path.dirname(file)} can't be written to: ${/** @type {Error} */ (error).message}`
  } finally {
    if (existsSync(draft)) rmSync(draft)
  }
}

if (require.main === module && process.platform === 'linux') {
  const reason = build({ sanitized: process.argv.includes('--sanitize') })
  if (reason !== null) console.log(`autocannon uses the sockets of Node.js: ${reason}`)
}

module.exports = { build }
