'use strict'

// Add-ons that a test builds. Loaded before the command line (`node --require`), it has the binary that the environment names (ADD_ON)
// take the place of the one that is installed.

const { spawnSync } = require('node:child_process')
const path = require('node:path')
const binding = require('../../lib/net/sockets/binding')
const { build } = require('../../native/build')
const { missing } = require('./missing')
const { shortFolder } = require('./short-folder')

const FAULTS = path.join(__dirname, '../fixtures/add-on/faults.c')

/** As in test/fixtures/add-on/faults.c: the calls that fail on demand. */
const CALLS = ['recv', 'recvmsg', 'send', 'setsockopt', 'epoll_wait', 'epoll_ctl', 'fcntl', 'memory', 'wall', 'socket', 'connect', 'getsockopt', 'epoll_create', 'stamps']
const FIELDS = 4
const HOW = { errno: 1, limit: 2, result: 3, control: 4, preempted: 5 }
const CONTROL = { tooLong: 0, shortHeader: 1, longHeader: 2, otherType: 3, noStamp: 4, zeroStamp: 5, oldStamp: 6, futureStamp: 7 }

/** @returns {string | false} for the `skip` of a test that builds one */
function noCompiler () {
  if (process.platform !== 'linux') return `native sockets need Linux, and this is ${process.platform}`
  return spawnSync(process.env.CC || 'cc', ['--version']).error !== undefined && missing('there is no C compiler: install it (Debian: apt-get install gcc libc6-dev)')
}

/**
 * The add-on over a kernel that fails on demand. With SANITIZED=1 it is one that reports reads and writes beyond a buffer.
 * @param {any} t
 */
function buildFaulty (t) {
  const file = path.join(shortFolder(t), 'faulty.node')
  const reason = build({ file, source: FAULTS, sanitized: process.env.SANITIZED === '1' })
  if (reason !== null) throw new Error(reason)
  return file
}

/** What the kernel does to each call of an add-on over one that fails on demand. */
class Faults {
  /** @param {any} binding that was built with `buildFaulty` */
  constructor (binding) {
    this.binding = binding
    this.table = new Int32Array(CALLS.length * FIELDS)
    binding.faults(this.table)
  }

  /**
   * @param {string} call
   * @param {keyof typeof HOW} how
   * @param {number} value
   * @param {{ after?: number, times?: number }} [when] after: how many calls before it are as always; times: to how many it happens
   */
  set (call, how, value, { after = 0, times = -1 } = {}) {
    this.table.set([HOW[how], value, after, times], FIELDS * CALLS.indexOf(call))
  }

  clear () {
    this.table.fill(0)
  }

  /** @param {string} call */
  calls (call) {
    return this.binding.calls(CALLS.indexOf(call))
  }
}

if (process.env.ADD_ON !== undefined) {
  const loaded = binding.loadFile(process.env.ADD_ON)
  binding.load = () => loaded
}

module.exports = { Faults, CONTROL, buildFaulty, noCompiler }
