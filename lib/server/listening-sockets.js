'use strict'

// Finds the listening sockets of a command's processes in /proc of Linux (man 5 proc), and decides which is the
// server's.

const { readdirSync, readFileSync, readlinkSync } = require('node:fs')
const { endianness } = require('node:os')
const path = require('node:path')
const { tryOr } = require('../core/try-or')

/** State 0A of /proc/net/tcp. */
const TCP_LISTEN = '0A'
/** __SO_ACCEPTCON in the flags of /proc/net/unix. */
const ACCEPTS = 0x10000
const SOCK_STREAM = '0001'
/** sizeof(sockaddr_un.sun_path) */
const ABSTRACT_LENGTH = 108

/**
 * @typedef {object} Process
 * @property {number} pid
 * @property {number} parent
 * @property {number} group
 * @property {number} session
 * @property {boolean} zombie has ended, and its parent has not collected the exit status
 * @property {string} startedAt identifies the process together with the pid, which may be reused
 *
 * @typedef {import('./preload/journal').Reports} Reports
 * @typedef {{ port: number, host: string } | { socketPath: string }} Address
 *
 * @typedef {object} Listener
 * @property {number} pid
 * @property {boolean} node whether the process runs Node.js
 * @property {Address} address
 *
 * @typedef {object} Candidate socket of the server
 * @property {Address} address
 * @property {boolean} http whether its program reports an HTTP server
 */

/** @param {string} text of /proc/PID/stat @returns {Process} */
function parseStat (text) {
  // The name is in parentheses, and may contain parentheses and spaces.
  const [state, parent, group, session, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return {
    pid: parseInt(text),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    zombie: state === 'Z' || state === 'X',
    startedAt: rest[15]
  }
}

/**
 * @param {string} text of /proc/net/tcp or /proc/net/tcp6
 * @param {'LE' | 'BE'} [order] of the bytes in each 32-bit word of an address: the kernel uses that of the machine
 * @returns {Map<string, Address>} inode → address, for listening sockets
 */
function parseTcp (text, order = endianness()) {
  /** @type {Map<string, Address>} */
  const listening = new Map()
  for (const line of text.split('\n').slice(1)) {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/)
    if (state !== TCP_LISTEN) continue
    const [host, port] = local.split(':')
    listening.set(inode, { port: parseInt(port, 16), host: formatHost(host, order) })
  }
  return listening
}

/** @param {string} hex 8 digits for IPv4, 32 for IPv6 @param {'LE' | 'BE'} order */
function formatHost (hex, order) {
  const bytes = Buffer.from(hex, 'hex')
  if (order === 'LE') bytes.swap32()
  if (bytes.length === 4) return bytes.join('.')
  const groups = /** @type {string[]} */ (bytes.toString('hex').match(/.{4}/g))
  // The URL parser shortens the IPv6 address.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

/**
 * @param {string} text of /proc/net/unix
 * @returns {Map<string, Address>} inode → path, for listening stream sockets; the path is as it was bound, an abstract
 *   name as `@name`
 */
function parseUnix (text) {
  /** @type {Map<string, Address>} */
  const listening = new Map()
  for (const line of text.split('\n').slice(1)) {
    const match = /^\S+ \S+ \S+ (\S+) (\S+) \S+ +(\d+) (.+)$/.exec(line)
    if (match === null) continue
    const [, flags, type, inode, name] = match
    if (type !== SOCK_STREAM || !(parseInt(flags, 16) & ACCEPTS)) continue
    // The kernel writes the zero bytes of an abstract name as @. Some programs pad the name with zero bytes.
    listening.set(inode, {
      socketPath: name.startsWith('@') && name.length === ABSTRACT_LENGTH ? name.replace(/@+$/, '') : name
    })
  }
  return listening
}

/**
 * The processes of a command: its session, and all descendants, even in another session.
 * @param {Iterable<Process>} processes
 * @param {number} root the command's pid, and also its group and session
 */
function familyOf (processes, root) {
  const all = [...processes]
  const family = new Set(all.filter(({ pid, group, session }) => pid === root || group === root || session === root))
  const pids = new Set([...family].map(({ pid }) => pid))
  for (let before = -1; before !== pids.size;) {
    before = pids.size
    for (const process of all) {
      if (!pids.has(process.parent)) continue
      family.add(process)
      pids.add(process.pid)
    }
  }
  return [...family]
}

/** Returns null if the process does not exist. @type {(pid: number) => Process | null} */
function readProcess (pid) {
  return tryOr(null, () => parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1')))
}

/**
 * @param {number} root a command's pid
 * @returns {Process[]} the running processes of the command
 */
function readFamily (root) {
  const processes = readdirSync('/proc').filter(name => /^\d+$/.test(name)).flatMap(pid =>
    readProcess(Number(pid)) ?? [])
  return familyOf(processes, root).filter(({ zombie }) => !zombie)
}

/** Returns the listening sockets of these processes. @type {(family: Process[]) => Listener[]} */
function readListeners (family) {
  const listening = new Map([
    ...parseTcp(tryOr('', () => readFileSync('/proc/net/tcp', 'latin1'))),
    ...parseTcp(tryOr('', () => readFileSync('/proc/net/tcp6', 'latin1'))),
    ...parseUnix(tryOr('', () => readFileSync('/proc/net/unix', 'utf8')))
  ])
  return family.flatMap(({ pid }) => {
    const inodes = readInodes(pid)
    const addresses = [...listening].filter(([inode]) => inodes.has(inode)).map(([, address]) => address)
    if (addresses.length === 0) return []
    const node = /^node(js)?\b/.test(path.basename(tryOr('', () => readlinkSync(`/proc/${pid}/exe`))))
    return addresses.map(address => ({ pid, node, address: absolute(address, pid) }))
  })
}

/** Returns the inodes of the open sockets of a process. @type {(pid: number) => Set<string>} */
function readInodes (pid) {
  const folder = `/proc/${pid}/fd`
  return new Set(tryOr([], () => readdirSync(folder)).flatMap(fd =>
    /^socket:\[(\d+)\]$/.exec(tryOr('', () => readlinkSync(`${folder}/${fd}`)))?.[1] ?? []))
}

/** @param {Address} address @param {number} pid a relative path is in the working directory of this process */
function absolute (address, pid) {
  if (!('socketPath' in address) || address.socketPath.startsWith('@')) return address
  return { socketPath: path.resolve(tryOr('/', () => readlinkSync(`/proc/${pid}/cwd`)), address.socketPath) }
}

/** Decides which of the listening sockets may be the server's. A pure function of the observations. */
class CandidateFilter {
  constructor () {
    /**
     * @type {Map<string, number>} socket → time of the first observation; a socket that closed and reopened starts
     *   again
     */
    this.since = new Map()
  }

  /**
   * @param {number} at ms
   * @param {Reports} reports
   * @param {Listener[]} listeners
   * @param {number | null} [port] the required port; null for any port of the server
   * @returns {Candidate[]} the most likely first
   */
  candidates (at, { watched, known, servers }, listeners, port = null) {
    if (port !== null) {
      const seen = [...listeners.map(({ address }) => address), ...known.has(port) ? [{ port, host: 'localhost' }] : []]
      const [likeliest] = [...servers, ...seen.map(unreported)].filter(({ address }) =>
        'port' in address && address.port === port)
      return likeliest === undefined ? [] : [likeliest]
    }
    const before = this.since
    this.since = new Map()
    const patiently = listeners.filter(listener => {
      const { pid, address } = listener
      if (known.has('port' in address ? address.port : address.socketPath)) return false
      const key = JSON.stringify([pid, address])
      const since = before.get(key) ?? at
      this.since.set(key, since)
      return at - since >= requiredAge(listener, watched)
    })
    return [...servers, ...patiently.map(({ address }) => unreported(address))]
  }
}

/** @type {(address: Address) => Candidate} */
function unreported (address) {
  return { address, http: false }
}

/**
 * How long a socket must stay open to be a candidate. Node.js programs report their servers, so another socket of
 * theirs is most likely something else, such as the inspector during start-up. It still becomes a candidate later:
 * servers in native code, such as uWebSockets.js, and programs without our NODE_OPTIONS do not report. For other
 * programs a port waits until a search for a free port would have closed it. A Unix socket waits longer, because most
 * are private channels.
 * @param {Listener} listener
 * @param {Set<number>} watched
 * @returns {number} ms
 */
function requiredAge ({ pid, node, address }, watched) {
  const port = 'port' in address
  if (node || watched.has(pid)) return port ? 1000 : 2000
  return port ? 100 : 1000
}

module.exports = { parseStat, parseTcp, parseUnix, familyOf, readProcess, readFamily, readListeners, CandidateFilter }
