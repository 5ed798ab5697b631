'use strict'

// Owns the server of --on-port: it starts the command, finds out where it listens, and stops all of its processes. Node.js
// programs say where they listen (preload/); on Linux other programs are looked at from outside (listening-sockets.js).

const { spawn } = require('node:child_process')
const { existsSync } = require('node:fs')
const { setTimeout: sleep } = require('node:timers/promises')
const { now } = require('../clock')
const { AutocannonError } = require('../errors')
const { readFamily, readListeners, Sightings } = require('./listening-sockets')
const { Journal } = require('./preload/journal')
const { ProcessGroup } = require('./process-group')

/**
 * @typedef {import('./listening-sockets').Address} Address
 * @typedef {import('./process-group').End} End
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

/** How often processes are looked at until one listens, ms; nothing is polled during a run. */
const POLL = 50

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
 * @returns {Promise<ProcessGroup>}
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
    return new ProcessGroup(command, child)
  } catch (error) {
    throw spawnError(command, options.cwd, /** @type {NodeJS.ErrnoException} */ (error))
  }
}

/**
 * @param {ProcessGroup} running
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
 * @param {ProcessGroup} running
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
 * @param {ProcessGroup} running
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
