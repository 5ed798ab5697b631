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
const { readFamily, readListeners, CandidateFilter } = require('./listening-sockets')
const { Journal } = require('./preload/journal')
const { ProcessGroup } = require('./process-group')
const { Readiness } = require('./readiness')
const { inherited } = require('../core/secrets')

/**
 * @typedef {import('./listening-sockets').Address} Address
 * @typedef {import('./process-group').End} End
 *
 * @typedef {object} Server
 * @property {Address[]} addresses for clients on this machine, one for each of the ports
 * @property {number} pid of the command
 * @property {string} folder for reports of its Node.js programs; it exists until the server is stopped
 * @property {Promise<End>} exited resolves when every process of the command has ended, with the end of the first
 * @property {(remark: string) => Promise<AutocannonError>} explainEnd returns an error about an exit that stop() did
 *   not cause; remark: the consequence for the run
 * @property {() => Promise<void>} stop ends all processes of the command. Idempotent
 *
 * @typedef {object} Context
 * @property {NodeJS.WritableStream} stdout receives the command's output; stays open
 * @property {NodeJS.WritableStream} stderr
 * @property {boolean} [quiet] whether to discard its output; error messages then include its last lines
 * @property {NodeJS.ProcessEnv} [env]
 * @property {string} [cwd]
 * @property {Array<number | null>} [ports] on which the server must listen; null for any port
 * @property {number} [waitMs] the longest time until it listens
 * @property {(sentence: string) => void} [say] shows a notice once, after a long wait
 * @property {AbortSignal} [signal] ends the wait and the command; the promise rejects with the signal's reason
 */

const LINUX = process.platform === 'linux'
const WINDOWS = process.platform === 'win32'

/** The interval of checks until a process listens, ms; nothing is polled during a run. */
const POLL = 50
/** The wait before a notice, ms. */
const SILENCE = 5000

/**
 * @param {string[]} command the program, perhaps after environment variables
 * @param {Context} context
 * @returns {Promise<Server>} resolves when the server listens
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
      // With a separate group and session, all processes of the command can be found and signalled together. On Windows
      // `detached` would open a console window.
      detached: !WINDOWS,
      windowsHide: true,
      // The input stays open, because some development servers exit at the end of their input.
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
 * @returns {Promise<Array<Address | null>>} null for a port without an HTTP server when the time was over
 */
async function listening (running, journal, readiness, ports, { startedAt, waitMs, say }, signal) {
  const filter = new CandidateFilter()
  const deadline = startedAt + waitMs
  let isReported = false
  for (;;) {
    signal?.throwIfAborted()
    if (running.end !== null) {
      throw await endError(running, 'AC_ON_PORT_EXITED', 'before it listened', adviceOn(await running.exited))
    }
    const at = now()
    const { reports, listeners } = look(running, journal)
    const addresses = ports.map(port => filter.candidates(at, reports, listeners, port)
      .map(({ address, http }) => ({ address: reachable(address), http }))
      // Probes all candidates and takes the most likely one that is ready.
      .filter(candidate => readiness.of(candidate))[0]?.address ?? null)
    if (addresses.every(address => address !== null)) return addresses
    if (!isReported && at - startedAt >= Math.min(SILENCE, waitMs / 2)) {
      isReported = true
      say(waitingFor(running.command, ports, addresses, waitMs))
    }
    if (at >= deadline) return addresses
    // Checking thousands of processes takes longer. The pause limits it to a tenth of a core, which the starting server
    // may need.
    await Promise.race([sleep(Math.min(Math.max(POLL, 9 * (now() - at)), deadline - at)), readiness.next()])
  }
}

/** @param {ProcessGroup} running @param {Journal} journal */
function look (running, journal) {
  return { reports: journal.read(), listeners: LINUX ? readListeners(readFamily(running.pid)) : [] }
}

/**
 * Replaces a wildcard address, which clients cannot connect to. 127.0.0.1 always works for 0.0.0.0, and unlike
 * localhost it needs no look-up for each connection. `::` of a program may or may not accept IPv4: Node.js tries both
 * addresses of localhost. (`::` of a Node.js program accepts IPv4 unless ipv6Only is set, which the preload reports.)
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
 * Forwards the output of the command. Without a destination, or after it has closed, it still reads: a full pipe would
 * block the server.
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
 * For a program that does not exist, the system also reports EACCES if PATH has a folder without permission.
 * @param {string} program
 * @param {string} [places]
 * @returns {boolean} whether PATH has a file of this name
 */
function isFound (program, places = '') {
  return program.includes('/') || places.split(delimiter).map(folder => join(folder, program)).some(file =>
    existsSync(file) && statSync(file).isFile())
}

/**
 * @param {ProcessGroup} running that has exited without stop()
 * @param {'AC_ON_PORT_EXITED' | 'AC_ON_PORT_ENDED'} errorCode
 * @param {string} when
 * @param {string} advice
 */
async function endError ({ command, closed, exited, tail }, errorCode, when, advice) {
  const { code, signal } = await exited
  // The last output may still be in the pipe, and a process outside of the group may keep the pipe open.
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
 * @param {Address[]} silent addresses that listened, but did not speak HTTP
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
