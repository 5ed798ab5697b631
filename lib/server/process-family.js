'use strict'

// CPU time, memory, threads and open files of processes and their children on Linux (man 5 proc). One file per process
// stays open: reading it again takes 10 µs, with opening 50 (2026-11-23), and it never refers to a later process with
// the same PID.

const { closeSync, openSync, readFileSync, readSync, readdirSync, statSync } = require('node:fs')
const { now } = require('../core/clock')
const { tryOr } = require('../core/try-or')
const { parseStat } = require('./listening-sockets')

/**
 * How many processes are watched at most: a look at one takes 0.3 ms, the list of all processes included, at 100 some
 * ms.
 */
const MOST = 100
/** How many processes that are new on the machine are looked at in one go, but for the first time. */
const MOST_NEW = 100
/** A list of thousands of processes, or of thousands of open files, may take 1/500 of the time, */
const SHARE = 500
/** but a pause is limited, ms: what unknown processes do meanwhile is missed. */
const LONGEST_PAUSE = 1000
/** USER_HZ is 100 on every machine that Node.js runs on. */
const TICK = 10
/** The longest line of /proc/PID/stat has 52 numbers and a name of 64 bytes. */
const LONGEST = 2048

/**
 * @typedef {object} Usage of one process
 * @property {boolean} ended
 * @property {number} parent its PID
 * @property {number} ownMs CPU time since its start
 * @property {number} reapedMs CPU time of those that it had started, and that have ended
 * @property {number} rss bytes
 * @property {number} threads
 *
 * @typedef {object} FamilyUsage
 * @property {number} processes
 * @property {number} cpuMs of all of them since the last time, and of those that have ended meanwhile
 * @property {number} rss bytes; pages that several have in common count for each
 * @property {number} threads
 * @property {number | null} files open ones; null where those of one can't be seen
 *
 * @typedef {object} Member
 * @property {number} pid
 * @property {number} fd of its /proc/PID/stat
 * @property {string} name
 * @property {number} parent its PID, as it was last
 * @property {number} ownMs as it was last
 * @property {number} reapedMs
 * @property {number} claimedMs counted for its children while they ran, and not in `reapedMs`
 * @property {{ count: number | null, until: number }} files how many there were, and until when they are not counted
 *   again
 *
 * @typedef {object} Root
 * @property {number} pid
 * @property {boolean} [leads] whether its group and its session are of the family as well
 *
 * @typedef {object} Edge
 * @property {string} [proc] where /proc is
 * @property {number} [own] never part of a family: its children are the load
 * @property {import('../core/clock').Clock} [clock]
 */

/**
 * @param {string} text of /proc/PID/stat
 * @param {number} pageSize bytes
 * @returns {Usage | null} null of a process that is gone
 */
function parseUsage (text, pageSize) {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  if (fields.length < 22) return null
  const [state, parent] = fields
  const [user, system, reapedUser, reapedSystem] = fields.slice(11, 15).map(Number)
  const threads = Number(fields[17])
  return {
    // A main thread may end before others do.
    ended: state === 'X' || (state === 'Z' && threads <= 1),
    parent: Number(parent),
    ownMs: (user + system) * TICK,
    reapedMs: (reapedUser + reapedSystem) * TICK,
    threads,
    rss: Number(fields[21]) * pageSize
  }
}

class ProcessFamily {
  /** @param {Root[]} roots @param {Edge} [edge] */
  constructor (roots, { proc = '/proc', own = process.pid, clock = now } = {}) {
    this.roots = roots
    this.proc = proc
    this.own = own
    this.clock = clock
    this.buffer = Buffer.alloc(LONGEST)
    this.pageSize = pageSizeOf(proc)
    // Since Linux 6.2 the size of this folder is the number of its files.
    this.countsFiles = (statSync(`${proc}/self/fd`, { throwIfNoEntry: false })?.size ?? 0) > 0
    /** @type {Map<number, Member>} */
    this.members = new Map()
    /** Processes of the machine of which it is known whether they are of the family. @type {Set<number>} */
    this.known = new Set()
    /** When the list of processes may be read again. */
    this.listsAt = -Infinity
    /** Those that have ended since the last look. @type {Member[]} */
    this.ended = []
    /** Whether there are more than are watched. */
    this.hasMore = false
    for (const { pid } of roots) this.add(pid)
    this.discover(Infinity)
    for (const member of this.members.values()) this.spend(member, this.usageOf(member))
  }

  read () {
    this.discover(MOST_NEW)
    /** @type {FamilyUsage} */
    const all = { processes: 0, cpuMs: 0, rss: 0, threads: 0, files: 0 }
    const usages = Array.from(this.members.values(), member => /** @type {const} */ ([member, this.usageOf(member)]))
    for (const [member, usage] of usages) {
      if (usage?.ended === false) continue
      all.cpuMs += this.spend(member, usage)
      this.forget(member)
    }
    for (const [member, usage] of usages) {
      if (usage === null || usage.ended) continue
      all.processes++
      all.cpuMs += this.spend(member, usage)
      all.rss += usage.rss
      all.threads += usage.threads
      const files = this.filesOf(member)
      all.files = files === null || all.files === null ? null : all.files + files
    }
    return all
  }

  /**
   * The system adds the CPU time of an ended process to that of its parent when that waits for it: the part that was
   * counted already is subtracted.
   * @param {Member} member
   * @param {Usage | null} usage null when it is gone
   * @returns {number} ms since the last time
   */
  spend (member, usage) {
    if (usage === null) return 0
    const reaped = usage.reapedMs - member.reapedMs
    const known = Math.min(reaped, member.claimedMs)
    const ms = usage.ownMs - member.ownMs + reaped - known
    member.claimedMs -= known
    member.ownMs = usage.ownMs
    member.reapedMs = usage.reapedMs
    member.parent = usage.parent
    return ms
  }

  /**
   * @param {number} pid of a root
   * @returns {boolean} whether it goes on
   */
  lives (pid) {
    const member = this.members.get(pid)
    return member !== undefined && this.usageOf(member)?.ended === false
  }

  /**
   * @param {number} pid
   * @returns {number | null} how long its main thread has had something to do since its start, on a core or waiting for
   *   one, ms (schedstat); null where that is not known, or it has ended
   */
  mainMsOf (pid) {
    if (!this.members.has(pid)) return null
    return tryOr(null, () => {
      const [ran, waited] = readFileSync(`${this.proc}/${pid}/task/${pid}/schedstat`, 'latin1').split(' ').map(Number)
      return (ran + waited) / 1e6
    })
  }

  /**
   * Looks for child processes of members. A child of an ended parent can't be found any more: known ones stay.
   * @param {number} most
   */
  discover (most) {
    const { proc, clock, known } = this
    const from = clock()
    if (from < this.listsAt) return
    const listed = tryOr([], () => readdirSync(proc)).map(Number).filter(pid => pid > 0)
    const fresh = listed.filter(pid => !known.has(pid)).slice(0, most)
    const left = new Set(listed.filter(pid => !known.has(pid)).slice(most))
    this.known = new Set(listed.filter(pid => !left.has(pid)))
    const found = fresh.flatMap(pid => tryOr([], () => [parseStat(readFileSync(`${proc}/${pid}/stat`, 'latin1'))]))
    // PIDs start again from 1: a child may come before its parent.
    for (let before = -1; before !== this.members.size;) {
      before = this.members.size
      for (const process of found) if (this.isMember(process)) this.add(process.pid)
    }
    this.listsAt = from + Math.min(LONGEST_PAUSE, (clock() - from) * SHARE)
  }

  /** @param {import('./listening-sockets').Process} process */
  isMember ({ pid, parent, group, session, zombie }) {
    if (zombie || pid === this.own) return false
    return this.members.has(parent) ||
      this.roots.some(root => root.leads === true && (root.pid === group || root.pid === session))
  }

  /** @param {number} pid */
  isRoot (pid) {
    return this.roots.some(root => root.pid === pid)
  }

  /** @param {number} pid */
  add (pid) {
    if (this.members.has(pid)) return
    if (this.members.size === MOST) {
      this.hasMore = true
      return
    }
    const fd = tryOr(null, () => openSync(`${this.proc}/${pid}/stat`, 'r'))
    if (fd === null) return
    const text = tryOr('', () => this.buffer.toString('utf8', 0, readSync(fd, this.buffer, 0, LONGEST, 0)))
    this.members.set(pid, {
      pid,
      fd,
      name: nameIn(text),
      parent: 0,
      ownMs: 0,
      reapedMs: 0,
      claimedMs: 0,
      files: {
        count: null, until: -Infinity
      }
    })
  }

  /** @param {Member} member that has ended */
  forget (member) {
    closeSync(member.fd)
    this.members.delete(member.pid)
    const parent = this.members.get(member.parent)
    if (parent !== undefined) parent.claimedMs += member.ownMs + member.reapedMs
    this.ended.push(member)
  }

  /** @returns {Member[]} that have ended since the last call */
  takeEnded () {
    const { ended } = this
    this.ended = []
    return ended
  }

  /** Returns null when it is gone. @type {(member: Member) => Usage | null} */
  usageOf ({ fd }) {
    const { buffer, pageSize } = this
    return tryOr(null, () => parseUsage(buffer.toString('latin1', 0, readSync(fd, buffer, 0, LONGEST, 0)), pageSize))
  }

  /** Returns null of a process of another user. @type {(member: Member) => number | null} */
  filesOf ({ pid, files }) {
    const { proc, clock } = this
    if (this.countsFiles) return tryOr(null, () => statSync(`${proc}/${pid}/fd`).size)
    const from = clock()
    if (from < files.until) return files.count
    files.count = tryOr(null, () => readdirSync(`${proc}/${pid}/fd`).length)
    files.until = from + (clock() - from) * SHARE
    return files.count
  }

  close () {
    for (const member of [...this.members.values()]) this.forget(member)
  }
}

/**
 * Node.js does not report the size of a page: 4 KiB, 16 KiB or 64 KiB. It is derived from Node.js's own memory and
 * pages.
 * @param {string} proc
 * @returns {number} bytes
 */
function pageSizeOf (proc) {
  return tryOr(4096, () => {
    const pages = parseUsage(readFileSync(`${proc}/self/stat`, 'latin1'), 1)?.rss ?? NaN
    const size = 2 ** Math.round(Math.log2(process.memoryUsage.rss() / pages))
    return size >= 4096 && size <= 65536 ? size : 4096
  })
}

/**
 * @param {string} stat of a process
 * @returns {string} the name of its program. The main thread of Node.js 24 has its own name
 */
function nameIn (stat) {
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
  return name === 'MainThread' ? 'node' : name
}

module.exports = { ProcessFamily, parseUsage, MOST }
