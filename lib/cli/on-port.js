'use strict'

// Owns the server of --on-port: it starts the command, finds out where it listens, and stops all of its processes. Node.js
// programs say where they listen (preload/); on Linux other programs are looked at from outside (listening-sockets.js).

const { spawn, spawnSync } = require('node:child_process')
const { existsSync } = require('node:fs')
const { setTimeout: sleep } = require('node:timers/promises')
const { now } = require('../clock')
const { AutocannonError } = require('../errors')
const { readFamily, readListeners, readProcess, Sightings } = require('./listening-sockets')
const { Journal } = require('./preload/journal')

/**
 * @typedef {import('./listening-sockets').Address} Address
 * @typedef {import('./listening-sockets').Process} Process
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null }} End
 *
 * @typedef {object} Server
 * @property {Address} address that a client of this machine can connect to
 * @property {number} pid of the command
 * @property {Promise<End>} exited when no process of the command is left; how the first one ended
 * @property {() => Promise<void>} stop ends all of its processes; it may be called more than once
 *
 * @typedef {object} Surroundings
 * @property {NodeJS.WritableStream} stdout where the command's output goes; stays open
 * @property {NodeJS.WritableStream} stderr
 * @property {NodeJS.ProcessEnv} [env]
 * @property {string} [cwd]
 * @property {number} [waitMs] how long it may take to listen
 * @property {AbortSignal} [signal] ends the wait and the command; the promise rejects with the signal's reason
 */

const LINUX = process.platform === 'linux'
const WINDOWS = process.platform === 'win32'

/** How often processes are looked at while something is awaited; nothing is polled during a run. */
const POLL = 50
const TERM_PATIENCE = 2000
const KILL_PATIENCE = 1000
const TAIL_BYTES = 8192
const TAIL_LINES = 12

/**
 * @param {string[]} command
 * @param {Surroundings} surroundings
 * @returns {Promise<Server>} when it listens
 */
async function startServer (command, { stdout, stderr, env = process.env, cwd = process.cwd(), waitMs = 30_000, signal }) {
  signal?.throwIfAborted()
  const journal = new Journal()
  try {
    const running = await launch(command, { env: journal.extend(env), cwd })
    relay(running.child.stdout, stdout)
    relay(running.child.stderr, stderr)
    try {
      const address = await firstServer(running, journal, now() + waitMs, signal)
      if (address === null) throw timeoutError(command, waitMs, running)
      return { address, pid: running.pid, exited: running.exited, stop: () => running.stop() }
    } catch (error) {
      await running.stop()
      throw error
    } finally {
      running.tail.close()
    }
  } finally {
    journal.remove()
  }
}

/**
 * @param {string[]} command
 * @param {{ env: NodeJS.ProcessEnv, cwd: string }} options
 * @returns {Promise<Running>}
 */
async function launch (command, options) {
  try {
    const [file, ...args] = command
    const child = spawn(file, args, {
      ...options,
      // A group and a session of its own make all of its processes one thing that can be signalled and found. On Windows
      // `detached` would open a console window instead.
      detached: !WINDOWS,
      windowsHide: true,
      // An input that stays open: some development servers end with their input.
      stdio: 'pipe'
    })
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
    return new Running(command, child)
  } catch (error) {
    throw spawnError(command, options.cwd, /** @type {NodeJS.ErrnoException} */ (error))
  }
}

/**
 * @param {Running} running
 * @param {Journal} journal
 * @param {number} deadline
 * @param {AbortSignal} [signal]
 * @returns {Promise<Address | null>} null when the time is over
 */
async function firstServer (running, journal, deadline, signal) {
  const sightings = new Sightings()
  for (;;) {
    signal?.throwIfAborted()
    if (running.end !== null) throw await exitedError(running, running.end)
    const at = now()
    const address = sightings.decide(at, journal.read(), LINUX ? readListeners(readFamily(running.pid)) : [])
    if (address !== null) return reachable(address)
    if (at >= deadline) return null
    // A look at thousands of processes takes longer; it may cost the starting server no more than a tenth of a core.
    await sleep(Math.min(Math.max(POLL, 9 * (now() - at)), deadline - at))
  }
}

/**
 * A wildcard is an address to listen on, not to connect to. For 0.0.0.0 127.0.0.1 is sure to work and, unlike localhost,
 * needs no look-up for each connection. `::` of a program that is seen from outside may or may not take IPv4: localhost
 * stands for both, and Node.js tries both. (`::` of a Node.js program takes IPv4, unless ipv6Only: the preload says which.)
 * @param {Address} address
 * @returns {Address}
 */
function reachable (address) {
  if ('socketPath' in address) return address
  return { port: address.port, host: WILDCARDS[address.host] ?? address.host }
}

/** @type {Readonly<Record<string, string>>} */
const WILDCARDS = Object.freeze({ '0.0.0.0': '127.0.0.1', '::': 'localhost' })

/** A command that was started: all of its processes, until none of them is left. */
class Running {
  /**
   * @param {string[]} command
   * @param {import('node:child_process').ChildProcessWithoutNullStreams} child
   */
  constructor (command, child) {
    this.command = command
    this.child = child
    this.pid = /** @type {number} */ (child.pid)
    this.tail = new Tail(child.stderr)
    /** @type {End | null} */
    this.end = null
    this.givenUp = false
    /** @type {Promise<void> | null} */
    this.stopping = null
    for (const emitter of [child, child.stdin]) emitter.on('error', () => {})
    this.closed = new Promise(resolve => child.once('close', resolve))
    this.watchdog = WINDOWS ? null : startWatchdog(this.pid)
    /** For an end of ours that stop() does not come before, such as process.exit(). */
    this.abandon = () => this.kill('SIGKILL', this.strays())
    process.once('exit', this.abandon)
    this.exited = new Promise(resolve => child.once('exit', (code, signal) => resolve({ code, signal })))
      .then(end => this.settle(end))
  }

  /**
   * The first process has ended, but a shell may have left its server in the background.
   * @param {End} end
   */
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
    const strays = this.strays()
    for (const [signal, patience] of /** @type {const} */ ([['SIGTERM', TERM_PATIENCE], ['SIGKILL', KILL_PATIENCE]])) {
      if (this.end !== null) return
      this.kill(signal, strays)
      const deadline = now() + patience
      while (this.alive(strays) && now() < deadline) await sleep(POLL / 5)
      if (!this.alive(strays)) break
    }
    this.givenUp = this.alive()
    if (!this.givenUp) await this.exited
  }

  /** @returns {Process[]} what the command started outside of its group, as far as it can be seen */
  strays () {
    return LINUX ? readFamily(this.pid).filter(({ group }) => group !== this.pid) : []
  }

  /**
   * @param {NodeJS.Signals} signal
   * @param {Process[]} strays
   */
  kill (signal, strays) {
    if (WINDOWS) {
      spawnSync('taskkill', ['/pid', String(this.pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true })
      return
    }
    send(-this.pid, signal)
    for (const stray of strays) if (lives(stray)) send(stray.pid, signal)
  }

  /**
   * @param {Process[]} [strays]
   * @returns {boolean}
   */
  alive (strays = []) {
    if (WINDOWS) return this.child.exitCode === null && this.child.signalCode === null
    if (strays.some(lives)) return true
    if (!send(-this.pid, 0)) return false
    // In a container whose first process does not collect orphans, they stay in their group for ever after they ended.
    return !LINUX || readFamily(this.pid).some(({ group }) => group === this.pid)
  }
}

/**
 * @param {Process} stray
 * @returns {boolean} false when another process has its pid now
 */
function lives ({ pid, startedAt }) {
  const process = readProcess(pid)
  return process !== null && !process.zombie && process.startedAt === startedAt
}

/**
 * @param {number} target a pid, or a group's as a negative number
 * @param {NodeJS.Signals | 0} signal
 * @returns {boolean} whether there was somebody to signal
 */
function send (target, signal) {
  try {
    return process.kill(target, signal)
  } catch {
    return false
  }
}

/**
 * Nothing of us runs after SIGKILL or a crash. A shell that waits for the end of its input outlives us by the moment that
 * it takes to stop the command.
 * @param {number} group
 */
function startWatchdog (group) {
  const script = 'read -r _ || { kill -TERM "-$1" && sleep 2 && kill -KILL "-$1"; }'
  const watchdog = spawn('/bin/sh', ['-c', script, 'autocannon-watchdog', String(group)], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore']
  })
  for (const emitter of [watchdog, watchdog.stdin]) emitter.on('error', () => {})
  watchdog.unref()
  return watchdog
}

/** The last of what a stream said. */
class Tail {
  /** @param {NodeJS.ReadableStream} stream */
  constructor (stream) {
    this.stream = stream
    this.bytes = Buffer.alloc(0)
    /** @param {Buffer} chunk */
    this.add = chunk => { this.bytes = Buffer.concat([this.bytes, chunk]).subarray(-TAIL_BYTES) }
    stream.on('data', this.add)
  }

  close () {
    this.stream.off('data', this.add)
  }

  toString () {
    const lines = this.bytes.toString().trimEnd().split('\n')
    if (lines.length === 1 && lines[0] === '') return 'It wrote nothing to stderr.'
    return ['The last lines of its stderr:', ...lines.slice(-TAIL_LINES).map(line => '  ' + line)].join('\n')
  }
}

/**
 * Passes on what the command writes, and goes on reading when there is nobody left to pass it to: a full pipe would stop
 * the server.
 * @param {import('node:stream').Readable} source
 * @param {NodeJS.WritableStream} destination
 */
function relay (source, destination) {
  /** @param {unknown} stream */
  const unpiped = stream => {
    if (stream !== source) return
    destination.removeListener('unpipe', unpiped)
    source.resume()
  }
  destination.on('unpipe', unpiped)
  source.pipe(destination, { end: false })
}

/**
 * @param {string[]} command
 * @param {string} cwd
 * @param {NodeJS.ErrnoException} cause
 */
function spawnError (command, cwd, cause) {
  const advice = command.length === 0
    ? 'Give one after --, such as: -- node server.js'
    : !existsSync(cwd)
        ? `The folder ${cwd} does not exist.`
        : cause.code === 'ENOENT'
          ? `There is no program ${JSON.stringify(command[0])}: check the name, or give its path.` +
            (WINDOWS ? ' Scripts such as npm need a shell: cmd /c npm start' : '')
          : cause.code === 'EACCES'
            ? `${command[0]} is not executable: start it with its interpreter, such as: node ${command[0]}`
            : cause.message
  return new AutocannonError('AC_ON_PORT_SPAWN', `Could not start the command: ${format(command)}\n${advice}`, { cause })
}

/**
 * @param {Running} running
 * @param {End} end
 */
async function exitedError ({ command, closed, tail }, { code, signal }) {
  // The pipe may still hold what it wrote last, and a process outside of the group may hold the pipe.
  await Promise.race([closed, sleep(200)])
  const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`
  const advice = code === 0
    ? 'It has to stay in the foreground and listen on a TCP port or a Unix socket.'
    : 'Run it without autocannon to see what it needs.'
  return new AutocannonError('AC_ON_PORT_EXITED',
    `The command ${how} before it listened: ${format(command)}\n${tail}\n${advice}`)
}

/**
 * @param {string[]} command
 * @param {number} waitMs
 * @param {Running} running
 */
function timeoutError (command, waitMs, { tail }) {
  return new AutocannonError('AC_ON_PORT_TIMEOUT',
    `The command did not listen on a TCP port or a Unix socket within ${waitMs / 1000} s: ${format(command)}\n${tail}\n` +
    'On Linux every program of this user can be watched, on other platforms only Node.js programs. ' +
    'If it does listen, start it on its own and leave --on-port out.')
}

/** @param {string[]} command */
function format (command) {
  return command.map(word => /^[\w./:=@%+,\\-]+$/.test(word) ? word : JSON.stringify(word)).join(' ')
}

module.exports = { startServer }
