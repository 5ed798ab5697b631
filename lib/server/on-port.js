'use strict'

// The server of --on-port: starts the command, finds its port, reports its end, and stops all of its processes. Node.js
// programs report their ports (preload/); on Linux other programs are observed (listening-sockets.js). A port counts
// when it speaks HTTP (readiness.js).

const { spawn } = require('node:child_process')
const { existsSync, statSync } = require('node:fs')
const { delimiter, join } = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')
const { now } = require('../core/clock')
const { AutocannonError } = require('../core/errors')
const { readCommand, formatCommand } = require('./command')
const { readFamily, readListeners, Sightings } = require('./listening-sockets')
const { Journal } = require('./preload/journal')
const { ProcessGroup } = require('./process-group')
const { Readiness } = require('./readiness')
const { inherited } = require('../core/secrets')

/**
 * @typedef {import('./listening-sockets').Address} Address
 * @typedef {import('./process-group').End} End
 *
 * @typedef {object} Server
 * @property {Address[]} addresses that a client of this machine can connect to: one for each of the ports
 * @property {number} pid of the command
 * @property {string} folder for reports of its Node.js programs; it exists until the server is stopped
 * @property {Promise<End>} exited when no process of the command is left; how the first one ended
 * @property {(remark: string) => Promise<AutocannonError>} explainEnd says how it ended, once it has exited by itself;
 *   remark: what that means for the run
 * @property {() => Promise<void>} stop ends all of its processes; it may be called more than once
 *
 * @typedef {object} Context
 * @property {NodeJS.WritableStream} stdout where the command's output goes; stays open
 * @property {NodeJS.WritableStream} stderr
 * @property {boolean} [quiet] whether its output goes nowhere; errors have the last lines of it then
 * @property {NodeJS.ProcessEnv} [env]
 * @property {string} [cwd]
 * @property {Array<number | null>} [ports] where it has to listen, all of them; null is any port of its server
 * @property {number} [waitMs] how long it may take to listen
 * @property {(sentence: string) => void} [say] shows a notice once, after a long wait
 * @property {AbortSignal} [signal] ends the wait and the command; the promise rejects with the signal's reason
 */

const LINUX = process.platform === 'linux'
const WINDOWS = process.platform === 'win32'

/** How often processes are looked at until one listens, ms; nothing is polled during a run. */
const POLL = 50
/** How long a wait may be without a word, ms. */
const SILENCE = 5000

/**
 * @param {string[]} command variables of the environment may come before the program
 * @param {Context} context
 * @returns {Promise<Server>} when it listens
 */
async function startServer (command, {
  stdout, stderr, quiet = false, env = process.env, cwd = process.cwd(), ports = [null], waitMs = 30_000,
  say = () => {}, signal
}) {
  signal?.throwIfAborted()
  const journal = openJournal(command)
  try {
    const running = await launch(
      command,
      { env: journal.extend({ ...inherited(env), ...readCommand(command).env }), cwd },
      quiet,
      journal.folder
    )
    relay(running.child.stdout, quiet ? null : stdout)
    relay(running.child.stderr, quiet ? null : stderr)
    const readiness = new Readiness()
    try {
      const addresses = await listening(running, journal, readiness, ports, { startedAt: now(), waitMs, say }, signal)
      if (!addresses.every(address => address !== null)) {
        throw timeoutError(running, ports, addresses, waitMs, readiness.silent(), look(running, journal))
      }
      journal.close()
      running.exited.then(journal.remove)
      return {
        addresses,
        pid: running.pid,
        folder: journal.folder,
        exited: running.exited,
        explainEnd: async remark => endError(running, 'AC_ON_PORT_ENDED', 'during the run', remark),
        stop: () => running.stop()
      }
    } catch (error) {
      await running.stop()
      throw error
    } finally {
      readiness.close()
    }
  } catch (error) {
    journal.remove()
    throw error
  }
}

/** @type {(command: string[]) => Journal} */
function openJournal (command) {
  try {
    return new Journal()
  } catch (error) {
    throw new AutocannonError('AC_ON_PORT_SPAWN', `Could not start the command: ${formatCommand(command)}: no ` +
      'temporary folder can be made ' +
      `(${/** @type {Error} */ (error).message}); set TMPDIR to a folder that can be written to`, { cause: error })
  }
}

/**
 * @param {string[]} command
 * @param {{ env: NodeJS.ProcessEnv, cwd: string }} options
 * @param {boolean} quiet
 * @param {string} folder
 */
async function launch (command, options, quiet, folder) {
  const { words } = readCommand(command)
  try {
    const [file, ...args] = words
    const child = spawn(file, args, {
      ...options,
      // A group and a session of its own make all of its processes one thing that can be signalled and found. On
      // Windows `detached` would open a console window instead.
      detached: !WINDOWS,
      windowsHide: true,
      // An input that stays open: some development servers end with their input.
      stdio: 'pipe'
    })
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
    return new ProcessGroup(command, child, quiet, folder)
  } catch (error) {
    throw spawnError(command, words, options, /** @type {NodeJS.ErrnoException} */ (error))
  }
}

/**
 * @param {ProcessGroup} running
 * @param {Journal} journal
 * @param {Readiness} readiness
 * @param {Array<number | null>} ports
 * @param {{ startedAt: number, waitMs: number, say: (sentence: string) => void }} wait
 * @param {AbortSignal} [signal]
 * @returns {Promise<Array<Address | null>>} null for those without an HTTP server when the time was over
 */
async function listening (running, journal, readiness, ports, { startedAt, waitMs, say }, signal) {
  const sightings = new Sightings()
  const deadline = startedAt + waitMs
  let isReported = false
  for (;;) {
    signal?.throwIfAborted()
    if (running.end !== null) {
      throw await endError(running, 'AC_ON_PORT_EXITED', 'before it listened', adviceOn(await running.exited))
    }
    const at = now()
    const { reports, listeners } = look(running, journal)
    const addresses = ports.map(port => sightings.candidates(at, reports, listeners, port)
      .map(({ address, http }) => ({ address: reachable(address), http }))
      // All are probed, and the likeliest one that is ready counts.
      .filter(candidate => readiness.of(candidate))[0]?.address ?? null)
    if (addresses.every(address => address !== null)) return addresses
    if (!isReported && at - startedAt >= Math.min(SILENCE, waitMs / 2)) {
      isReported = true
      say(waitingFor(running.command, ports, addresses, waitMs))
    }
    if (at >= deadline) return addresses
    // A look at thousands of processes takes longer; it may cost the starting server no more than a tenth of a core.
    await Promise.race([sleep(Math.min(Math.max(POLL, 9 * (now() - at)), deadline - at)), readiness.next()])
  }
}

/** @param {ProcessGroup} running @param {Journal} journal */
function look (running, journal) {
  return { reports: journal.read(), listeners: LINUX ? readListeners(readFamily(running.pid)) : [] }
}

/**
 * A wildcard is an address to listen on, not to connect to. For 0.0.0.0 127.0.0.1 is sure to work and, unlike
 * localhost, needs no look-up for each connection. `::` of another program may or may not take IPv4: localhost means
 * both, and Node.js tries both. (`::` of a Node.js program takes IPv4, unless ipv6Only, which the preload reports.)
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
 * Passes on the output of the command if there is a destination, and goes on reading when that has closed: a full pipe
 * would stop the server.
 * @param {import('node:stream').Readable} source
 * @param {NodeJS.WritableStream | null} destination
 */
function relay (source, destination) {
  if (destination === null) return source.resume()
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
 * @param {string[]} words of the program
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @param {NodeJS.ErrnoException} cause
 */
function spawnError (command, words, { cwd, env }, cause) {
  const [program] = words
  const advice = program === undefined
    ? 'Give one after --, such as: -- node server.js'
    : !existsSync(cwd)
        ? `The folder ${cwd} does not exist.`
        : cause.code === 'ENOENT' || (cause.code === 'EACCES' && !isFound(program, env.PATH))
          ? `There is no program ${JSON.stringify(program)}: check the name, or give its path.` +
            (WINDOWS ? ' Scripts such as npm need a shell: cmd /c npm start' : '')
          : cause.code === 'EACCES'
            ? `${program} is not executable: start it with its interpreter, such as: node ${program}`
            : cause.message
  return new AutocannonError('AC_ON_PORT_SPAWN', `Could not start the command: ${formatCommand(command)}\n${advice}`, {
    cause
  })
}

/**
 * The system reports EACCES also for a program that does not exist, if PATH has a folder that this user can't enter.
 * @param {string} program
 * @param {string} [places]
 * @returns {boolean} whether there is a file of this name
 */
function isFound (program, places = '') {
  return program.includes('/') || places.split(delimiter).map(folder => join(folder, program)).some(file =>
    existsSync(file) && statSync(file).isFile())
}

/**
 * @param {ProcessGroup} running that has ended by itself
 * @param {'AC_ON_PORT_EXITED' | 'AC_ON_PORT_ENDED'} errorCode
 * @param {string} when
 * @param {string} advice
 */
async function endError ({ command, closed, exited, tail }, errorCode, when, advice) {
  const { code, signal } = await exited
  // The pipe may still hold the last output, and a process outside of the group may hold the pipe.
  await Promise.race([closed, sleep(200)])
  const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`
  return new AutocannonError(errorCode, `The command ${how} ${when}: ` +
    `${formatCommand(command)}\n${errorCode === 'AC_ON_PORT_ENDED' ? tail.last() : tail}\n${advice}`)
}

/** @param {End} end before it listened */
function adviceOn ({ code }) {
  return code === 0
    ? 'It has to stay in the foreground and listen on a TCP port or a Unix socket.'
    : 'Run it without autocannon to see what it needs.'
}

/**
 * @param {ProcessGroup} running
 * @param {Array<number | null>} ports
 * @param {Array<Address | null>} addresses of each
 * @param {number} waitMs
 * @param {Address[]} silent listened, but did not speak HTTP
 * @param {ReturnType<typeof look>} last state at the end
 */
function timeoutError ({ command, tail }, ports, addresses, waitMs, silent, { reports, listeners }) {
  const missing = missingPorts(ports, addresses)
  const where = placeOf(missing)
  const within = `within ${waitMs / 1000} s: ${formatCommand(command)}`
  if (silent.length > 0) {
    return new AutocannonError('AC_ON_PORT_TIMEOUT',
      `The command listened on ${namesOf(silent)}, but did not respond over HTTP there ${within}\n${tail}\n` +
      'Load goes to servers that speak HTTP. If this one does, start it on its own and omit --on-port.')
  }
  const seen = [...reports.servers, ...listeners].map(({ address }) => address)
  const elsewhere = missing.includes(null) || seen.length === 0
    ? ''
    : `It listened on ${namesOf(seen)}: give that port, or a URL without a port.\n`
  return new AutocannonError('AC_ON_PORT_TIMEOUT',
    `The command did not listen on ${where} ${within}\n${elsewhere}${tail}\n` +
    'On Linux every program of this user can be watched, on other platforms only Node.js programs. ' +
    'If it does listen, start it on its own and omit --on-port.')
}

/** @type {(ports: Array<number | null>, addresses: Array<Address | null>) => Array<number | null>} */
function missingPorts (ports, addresses) {
  return [...new Set(ports.filter((port, i) => addresses[i] === null))]
}

/** @param {Array<number | null>} missing */
function placeOf (missing) {
  return missing.includes(null)
    ? 'a TCP port or a Unix socket'
    : `port ${missing.join(' and port ')}, which the URL names,`
}

/**
 * @type {(command: string[], ports: Array<number | null>, addresses: Array<Address | null>, waitMs: number) => string}
 */
function waitingFor (command, ports, addresses, waitMs) {
  return `waiting up to ${waitMs / 1000} s until the command responds over HTTP on ` +
    `${placeOf(missingPorts(ports, addresses)).replace(/,$/, '')}: ${formatCommand(command)} (Ctrl-C ends the wait; ` +
    'if the server takes longer, start it on its own and omit --on-port)'
}

/** @param {Address[]} addresses */
function namesOf (addresses) {
  const names = addresses.map(address => 'port' in address ? `port ${address.port}` : address.socketPath)
  return [...new Set(names)].join(', ')
}

module.exports = { startServer }
