'use strict'

// Watches the server during a run: its processes from outside, and Node.js programs from inside. Figures are read once
// per sample; between samples it only checks that given processes still run.

const { readFileSync } = require('node:fs')
const { now } = require('../core/clock')
const { AutocannonError } = require('../core/errors')
const { printable } = require('../core/foreign-text')
const { round } = require('../core/units')
const { NodeLoops, UNKNOWN } = require('./node-loops')
const { MOST, ProcessFamily } = require('./process-family')

/** The shortest interval: CPU time has a resolution of 10 ms. */
const SHORTEST = 50
/** The limit of reported ended processes. */
const MOST_REPORTED = 3
/** The interval of checks of processes without an exit event, ms. */
const POLL = 100

/**
 * @typedef {object} Started the server of --on-port
 * @property {number} pid the leader of its group and session
 * @property {string} folder for reports of its Node.js programs
 *
 * @typedef {import('../instruments/server/result').ServerPoint} ServerPoint
 */

/** The figures on systems without /proc. */
const UNSEEN = Object.freeze({ processes: null, cpu: null, rss: null, threads: null, files: null })

class Watch {
  /**
   * @param {number[]} pids the run ends when one of these processes ends
   * @param {ProcessFamily | null} family null on systems without /proc
   * @param {NodeLoops | null} loops null without reports of Node.js programs
   * @param {(sentence: string) => void} notify
   * @param {import('../core/clock').Clock} [clock]
   */
  constructor (pids, family, loops, notify, clock = now) {
    this.pids = pids
    this.notify = notify
    /** Processes from before the load. Later ones may come and go. @type {Set<number>} */
    this.standing = new Set()
    this.reported = 0
    this.family = family
    this.loops = loops
    this.clock = clock
    this.readAt = -Infinity
    /** @type {NodeJS.Timeout | undefined} */
    this.skipping = undefined
    /** @type {NodeJS.Timeout | undefined} */
    this.polling = undefined
  }

  /**
   * The load begins.
   * @param {number} skipMs the excluded start of the load
   * @param {(error: AutocannonError) => void} onEnd receives an error about the first process that has ended
   */
  begin (skipMs, onEnd) {
    this.restart()
    this.family?.takeEnded()
    this.standing = new Set(this.family?.members.keys())
    if (skipMs > 0) this.skipping = setTimeout(() => this.restart(), skipMs).unref()
    if (this.pids.length > 0) this.polling = setInterval(() => this.poll(onEnd), POLL).unref()
  }

  restart () {
    this.readAt = this.clock()
    this.family?.read()
    this.loops?.read()
  }

  /** @param {(error: AutocannonError) => void} onEnd */
  poll (onEnd) {
    const ended = this.pids.find(pid => this.family?.lives(pid) === false)
    if (ended === undefined) return
    this.pause()
    onEnd(new AutocannonError(
      'AC_WATCH_ENDED',
      `the watched process ${ended} ended during the run. The result is of the time until then.`
    ))
  }

  /**
   * @returns {ServerPoint | null} for the time since the last call; null if it is too short, or every process has ended
   */
  look () {
    const at = this.clock()
    const ms = at - this.readAt
    if (ms < SHORTEST) return null
    this.readAt = at
    const seen = this.family === null ? UNSEEN : this.seen(ms, this.family.read())
    this.reportEnded()
    const inside = this.loops?.read(ms) ?? UNKNOWN
    return (seen.processes ?? 0) === 0 && inside.heapUsed === null ? null : { ...seen, ...inside }
  }

  /**
   * @param {number} ms
   * @param {import('./process-family').FamilyUsage} usage in this interval
   * @returns {Pick<ServerPoint, keyof typeof UNSEEN>}
   */
  seen (ms, { processes, cpuMs, rss, threads, files }) {
    return processes === 0 ? UNSEEN : { processes, cpu: round(cpuMs / ms), rss, threads, files }
  }

  /**
   * Counts ended processes. The crash of one of several does not end the run, because others may replace or restart it.
   */
  reportEnded () {
    for (const { pid, name } of this.family?.takeEnded() ?? []) {
      if (!this.standing.delete(pid) || this.family?.isRoot(pid) || this.reported++ >= MOST_REPORTED) continue
      this.notify(`process ${pid} of the server (${printable(name)}) ended during the ` +
        `run${this.reported === MOST_REPORTED ? '; others are not reported' : ''}`)
    }
  }

  /** The load has ended. */
  pause () {
    clearTimeout(this.skipping)
    clearInterval(this.polling)
  }

  close () {
    this.pause()
    this.family?.close()
    this.loops?.close()
  }
}

/**
 * @param {number[]} pids
 * @param {Started | null} started
 * @param {(sentence: string) => void} notify
 * @param {import('./process-family').Edge & { platform?: string }} [edge]
 * @throws {AutocannonError} if a process cannot be watched
 */
function openWatch (pids, started, notify, { platform = process.platform, ...edge } = {}) {
  const isLinux = platform === 'linux'
  if (!isLinux && pids.length > 0) {
    throw new AutocannonError('AC_WATCH', 'a process can be watched only on Linux, which has /proc: omit watch')
  }
  for (const pid of pids) refuse(pid, edge)
  const roots = [...pids.map(pid => ({ pid })), ...started === null ? [] : [{ pid: started.pid, leads: true }]]
  const family = isLinux ? new ProcessFamily(roots, edge) : null
  if (family?.hasMore) notify(`more than ${MOST} processes of the server: the first ${MOST} are watched`)
  return new Watch(
    pids,
    family,
    started === null ? null : new NodeLoops(started.folder, pid => family?.mainMsOf(pid) ?? null),
    notify,
    edge.clock
  )
}

/**
 * @throws {AutocannonError} if the process cannot be watched
 * @type {(pid: number, edge: import('./process-family').Edge) => void}
 */
function refuse (pid, { proc = '/proc', own = process.pid }) {
  const say = (/** @type {string} */ why) =>
    new AutocannonError('AC_WATCH', `process ${pid} cannot be watched: ${why}`)
  if (pid === own) {
    throw say('that is autocannon itself, and its figures are those of the load; give the PID of the server')
  }
  let status
  try {
    status = readFileSync(`${proc}/${pid}/status`, 'utf8')
  } catch {
    throw say(
      isHidden(pid)
        ? 'it belongs to another user, and this system hides those (hidepid)'
        : 'there is none here; a container sees its own alone. pgrep -f NAME finds those that run'
    )
  }
  const [, name = ''] = /^Name:\t(.*)$/m.exec(status) ?? []
  const [, leader] = /^Tgid:\t(\d+)$/m.exec(status) ?? []
  if (/^State:\t[ZX]/m.test(status) && !/^Threads:\t(?:[2-9]|\d\d)/m.test(status)) {
    throw say(`it has ended (${printable(name)}), and waits for its parent to take notice`)
  }
  if (Number(leader) !== pid) throw say(`it is a thread of process ${leader} (${printable(name)}); give that`)
}

/** @param {number} pid that /proc does not show */
function isHidden (pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

module.exports = { Watch, openWatch }
