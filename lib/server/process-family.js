'use strict'

// CPU time, memory, threads and open files of processes and their children on Linux (man 5 proc). One file per process
// stays open: a read takes 10 µs, and 50 µs with an open (2026-11-23). An open file never refers to a later process
// with the same PID.

const { closeSync, openSync, readFileSync, readSync, readdirSync, statSync } = require('node:fs')
const { now } = require('../core/clock')
const { tryOr } = require('../core/try-or')
const { parseStat } = require('./listening-sockets')

/** The limit of watched processes: a read of one takes 0.3 ms with the list of all processes, and of 100 several ms. */
const MOST = 100
/** The limit of new processes of the machine that are checked per read, except for the first read. */
const MOST_NEW = 100
/** Lists of processes and of open files take at most 1/500 of the time, */
const SHARE = 500
/** but the pause between them is limited, ms: usage of unknown processes is not counted in a pause. */
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
 * @property {number} reapedMs CPU time of ended child processes
 * @property {number} rss bytes
 * @property {number} threads
 *
 * @typedef {object} FamilyUsage
 * @property {number} processes
 * @property {number} cpuMs of all processes since the last read, including those that have ended
 * @property {number} rss bytes; a page that several processes share counts for each
 * @property {number} threads
 * @property {number | null} files open files; null if those of one process are not readable
 *
 * @typedef {object} Member
 * @property {number} pid
 * @property {number} fd of its /proc/PID/stat
 * @property {string} name
 * @property {number} parent its PID at the last read
 * @property {number} ownMs at the last read
 * @property {number} reapedMs
 * @property {number} claimedMs CPU time already counted for its running children, and not in `reapedMs`
 * @property {{ count: number | null, until: number }} files count: at the last count; until: time of the next count
 *
 * @typedef {object} Root
 * @property {number} pid
 * @property {boolean} [leads] whether its group and its session belong to the family
 *
 * @typedef {object} Edge
 * @property {string} [proc] the path of /proc
 * @property {number} [own] PID of the load generator, which is never part of a family
 * @property {import('../core/clock').Clock} [clock]
 */

/**
 * @param {string} text of /proc/PID/stat
 * @param {number} pageSize bytes
 * @returns {Usage | null} null if the process has ended
 */
function parseUsage (text, pageSize) {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  if (fields.length < 22) return null
  const [state, parent] = fields
  const [user, system, reapedUser, reapedSystem] = fields.slice(11, 15).map(Number)
  const threads = Number(fields[17])
  return {
    // A main thread may end before other threads.
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
    /** Processes of the machine that have been checked for membership. @type {Set<number>} */
    this.known = new Set()
    /** The time of the next read of the list of processes. */
    this.listsAt = -Infinity
    /** Members that have ended since the last read. @type {Member[]} */
    this.ended = []
    /** Whether the limit of watched processes has been reached. */
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
   * When a parent waits for an ended child, the system adds the child's CPU time to the parent's. The part that was
   * already counted is subtracted.
   * @param {Member} member
   * @param {Usage | null} usage null if the process has ended
   * @returns {number} ms since the last read
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
   * @returns {boolean} whether it still runs
   */
  lives (pid) {
    const member = this.members.get(pid)
    return member !== undefined && this.usageOf(member)?.ended === false
  }

  /**
   * @param {number} pid
   * @returns {number | null} the time that its main thread has been busy since its start, on a core or waiting for one,
   *   ms (schedstat); null if unknown or ended
   */
  mainMsOf (pid) {
    if (!this.members.has(pid)) return null
    return tryOr(null, () => {
      const [ran, waited] = readFileSync(`${this.proc}/${pid}/task/${pid}/schedstat`, 'latin1').split(' ').map(Number)
      return (ran + waited) / 1e6
    })
  }

  /**
   * Searches for child processes of members. A child of an ended parent is not found; known ones stay members.
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

  /** @returns {Member[]} members that have ended since the last call */
  takeEnded () {
    const { ended } = this
    this.ended = []
    return ended
  }

  /** Returns null if the process has ended. @type {(member: Member) => Usage | null} */
  usageOf ({ fd }) {
    const { buffer, pageSize } = this
    return tryOr(null, () => parseUsage(buffer.toString('latin1', 0, readSync(fd, buffer, 0, LONGEST, 0)), pageSize))
  }

  /** Returns the number of open files; null for a process of another user. @type {(member: Member) => number | null} */
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
 * Derives the page size (4, 16 or 64 KiB), which Node.js does not report, from the size of its own memory in bytes and
 * in pages.
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
 * @returns {string} the name of its program. The main thread of Node.js 24 has a different name
 */
function nameIn (stat) {
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
  return name === 'MainThread' ? 'node' : name
}

module.exports = { ProcessFamily, parseUsage, MOST }
