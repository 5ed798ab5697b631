'use strict'

// A started command and all of its processes: their end, their last output, and stopping them.

const { spawn, spawnSync } = require('node:child_process')
const { setTimeout: sleep } = require('node:timers/promises')
const { now } = require('../core/clock')
const { readFamily, readProcess } = require('./listening-sockets')
const { inherited } = require('../core/secrets')
const { tryOr } = require('../core/try-or')

/**
 * @typedef {import('./listening-sockets').Process} Process
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null }} End
 */

const LINUX = process.platform === 'linux'
const WINDOWS = process.platform === 'win32'

/** The interval of checks until all processes have ended, ms. */
const POLL = 50
const TERM_TIMEOUT = 2000
const KILL_TIMEOUT = 1000
const TAIL_BYTES = 8192
/** The lines of output that are kept: a crash of a Node.js program prints about 20, with the reason in the first. */
const TAIL_LINES = 30
/** The wait for the last output from a pipe that stays open, ms. */
const CLOSE_TIMEOUT = 200

class ProcessGroup {
  /**
   * @param {string[]} command
   * @param {import('node:child_process').ChildProcessWithoutNullStreams} child
   * @param {boolean} quiet whether its output is discarded
   * @param {string} folder that is removed with it
   */
  constructor (command, child, quiet, folder) {
    this.command = command
    this.child = child
    this.pid = /** @type {number} */ (child.pid)
    this.tail = new Tail(child.stderr, quiet)
    /** @type {End | null} */
    this.end = null
    this.givenUp = false
    /** @type {Promise<void> | null} */
    this.stopping = null
    for (const emitter of [child, child.stdin]) emitter.on('error', () => {})
    this.closed = new Promise(resolve => child.once('close', resolve))
    this.watchdog = WINDOWS ? null : startWatchdog(this.pid, folder)
    /** Kills the command when autocannon exits without stop(), such as by process.exit(). */
    this.abandon = () => this.kill('SIGKILL', this.outsiders())
    process.once('exit', this.abandon)
    this.exited = new Promise(resolve => child.once('exit', (code, signal) => resolve({ code, signal })))
      .then(end => this.settle(end))
  }

  /** Handles the end of the first process. A shell may have left its server in the background. @param {End} end */
  async settle (end) {
    while (this.alive() && !this.givenUp) await sleep(POLL)
    this.end = end
    process.off('exit', this.abandon)
    this.watchdog?.stdin.end('stand down\n')
    return end
  }

  stop () {
    this.stopping ??= this.terminate()
    return this.stopping
  }

  async terminate () {
    const outsiders = this.outsiders()
    for (const [signal, timeout] of /** @type {const} */ ([['SIGTERM', TERM_TIMEOUT], ['SIGKILL', KILL_TIMEOUT]])) {
      // Processes in other sessions may outlive the first process.
      if (!this.alive(outsiders)) break
      this.kill(signal, outsiders)
      const deadline = now() + timeout
      while (this.alive(outsiders) && now() < deadline) await sleep(POLL / 5)
    }
    this.givenUp = this.alive()
    if (!this.givenUp) await this.exited
    // A process that was not found may keep the pipes open, and would delay our exit.
    await Promise.race([this.closed, sleep(CLOSE_TIMEOUT)])
    for (const stream of this.child.stdio) stream?.destroy()
  }

  /** @returns {Process[]} visible processes of the command outside of its group */
  outsiders () {
    return LINUX ? readFamily(this.pid).filter(({ group }) => group !== this.pid) : []
  }

  /** @type {(signal: NodeJS.Signals, outsiders: Process[]) => void} */
  kill (signal, outsiders) {
    if (WINDOWS) {
      spawnSync('taskkill', ['/pid', String(this.pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true })
      return
    }
    send(-this.pid, signal)
    for (const outsider of outsiders) if (lives(outsider)) send(outsider.pid, signal)
  }

  /** @type {(outsiders?: Process[]) => boolean} */
  alive (outsiders = []) {
    if (WINDOWS) return this.child.exitCode === null && this.child.signalCode === null
    if (outsiders.some(lives)) return true
    if (!send(-this.pid, 0)) return false
    // In a container, ended processes stay in their group for ever if the first process does not collect orphans.
    return !LINUX || readFamily(this.pid).some(({ group }) => group === this.pid)
  }
}

/** Returns false if another process has the pid now. @type {(outsider: Process) => boolean} */
function lives ({ pid, startedAt }) {
  const process = readProcess(pid)
  return process !== null && !process.zombie && process.startedAt === startedAt
}

/**
 * @param {number} target a pid, or the negative number of a group
 * @param {NodeJS.Signals | 0} signal
 * @returns {boolean} whether the process existed
 */
const send = (target, signal) => tryOr(false, () => process.kill(target, signal))

/**
 * Stops the command if autocannon is killed or crashes: a shell waits for the end of its input, and then stops the
 * command.
 * @param {number} group
 * @param {string} folder
 */
function startWatchdog (group, folder) {
  const script = 'read -r _ || { kill -TERM "-$1" && sleep 2 && kill -KILL "-$1"; rm -rf "$2"; }'
  const watchdog = spawn('/bin/sh', ['-c', script, 'autocannon-watchdog', String(group), folder], {
    cwd: '/',
    env: inherited(process.env),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore']
  })
  for (const emitter of [watchdog, watchdog.stdin]) emitter.on('error', () => {})
  watchdog.unref()
  return watchdog
}

class Tail {
  /** @param {NodeJS.ReadableStream} stream @param {boolean} quiet */
  constructor (stream, quiet) {
    this.quiet = quiet
    this.bytes = Buffer.alloc(0)
    stream.on('data', chunk => { this.bytes = Buffer.concat([this.bytes, chunk]).subarray(-TAIL_BYTES) })
  }

  toString () {
    return this.quiet || this.bytes.length === 0 ? this.last() : 'What it wrote to stderr is above.'
  }

  /** @returns {string} the last lines, including lines that were shown but may have scrolled away */
  last () {
    const lines = this.bytes.toString().trimEnd().split('\n')
    if (lines.length === 1 && lines[0] === '') return 'It wrote nothing to stderr.'
    return ['The last lines of its stderr:', ...lines.slice(-TAIL_LINES).map(line => '  ' + line)].join('\n')
  }
}

module.exports = { ProcessGroup }
