'use strict'

// Loads the add-on that reads and writes many sockets per call (native/sockets.c), or reports why it cannot be used.

const { closeSync, existsSync, fstatSync, openSync, readSync } = require('node:fs')
const path = require('node:path')
const { getSystemErrorName } = require('node:util')

/** native/build.js builds it in a clone; the package contains it for some platforms. */
const FILE = path.join(__dirname, '..', '..', '..', 'prebuilds', `${process.platform}-${process.arch}`, 'sockets.node')

/** The functions that it must have. */
const FUNCTIONS = ['open', 'close', 'adopt', 'connect', 'flush', 'send', 'end']

/** The smallest read buffer of a group, bytes. */
const LEAST_INPUT = 128 * 1024

/** The beginning of an ELF file (elf(5)). */
const ELF = 0x7f454c46
const BITS_64 = 2
const LITTLE_ENDIAN = 1

/**
 * A group of sockets is a number, and so is a socket. A negative result is -errno.
 * @typedef {object} Binding
 * @property {(onTurn: (events: number) => void, input: Uint8Array, output: Uint8Array, events: Int32Array,
 *   arrivals: Float64Array, sends: Int32Array, sentAt: Float64Array, clock: Float64Array, now: number, gap: number) =>
 *   number} open
 * @property {(group: number) => void} close
 * @property {(group: number, descriptor: number) => number} adopt
 * @property {(group: number, address: string, port: number, localAddress: string | undefined) => number} connect for
 *   port −1 the address is the path of a Unix socket
 * @property {(group: number, sends: number) => number} flush
 * @property {(group: number, socket: number, bytes: Uint8Array, offset: number) => number} send
 * @property {(group: number, socket: number) => void} end
 *
 * @typedef {{ binding: Binding, reason: null } | { binding: null, reason: string }} Loaded
 */

/** @type {Loaded | null} */
let loaded = null

/** @returns {Loaded} the add-on, or a sentence with the reason why it cannot be used */
function load () {
  loaded ??= attempt()
  return loaded
}

/** @returns {Loaded} likewise, after an attempt to open a group of sockets */
function usable () {
  const found = module.exports.load()
  if (found.binding === null) return found
  const { open, close } = found.binding
  const group = open(
    () => {}, new Uint8Array(LEAST_INPUT), new Uint8Array(1), new Int32Array(3), new Float64Array(1), new Int32Array(4),
    new Float64Array(1), new Float64Array(2), 0, Infinity
  )
  if (group < 0) return { binding: null, reason: whyRefused(group) }
  close(group)
  return found
}

/** @param {number} errno negative: the error of opening a group of sockets */
function whyRefused (errno) {
  return `a group of them can't be opened: ${getSystemErrorName(errno)}`
}

/**
 * @param {import('../../options/plan').Plan} plan
 * @returns {string | null} the reason why its load uses the sockets of Node.js although native ones are more precise;
 *   null when it uses native ones, by choice of the user, and for TLS
 */
function whyNode ({ sockets, targets }) {
  if (sockets === 'node' || targets.every(({ tls }) => tls)) return null
  return usable().reason
}

/**
 * @param {import('../../options/plan').Plan} plan
 * @param {string | null} reason the result of `whyNode`
 * @returns {'native' | 'node'} the kind of its sockets without TLS
 */
function socketsOf ({ sockets, targets }, reason) {
  return sockets === 'node' || targets.every(({ tls }) => tls) || reason !== null ? 'node' : 'native'
}

/** @returns {Loaded} */
function attempt () {
  if (process.platform !== 'linux') {
    return { binding: null, reason: `native sockets need Linux, and this is ${process.platform}` }
  }
  if (!existsSync(FILE)) {
    return { binding: null, reason: 'the add-on is not built: npm ci builds it where a C compiler is' }
  }
  return loadFile(FILE)
}

/** @type {(file: string) => Loaded} */
function loadFile (file) {
  try {
    if (!isWhole(file)) return { binding: null, reason: "the add-on can't be loaded: its file is truncated" }
    const binding = require(file)
    const missing = FUNCTIONS.find(name => typeof binding[name] !== 'function')
    if (missing === undefined) return { binding, reason: null }
    return { binding: null, reason: `the add-on is of another version of autocannon: it has no function '${missing}'` }
  } catch (error) {
    // Messages of the loader may have several lines.
    return {
      binding: null, reason: `the add-on can't be loaded: ${/** @type {Error} */ (error).message.replace(/\s+/g, ' ')}`
    }
  }
}

/**
 * The loader maps the file into memory: a missing page of a truncated file ends the process (SIGBUS). The section
 * headers are at the end of the file.
 * @param {string} file
 * @returns {boolean} false for a truncated ELF file (64 bits, little endian)
 */
function isWhole (file) {
  const head = Buffer.alloc(64)
  const descriptor = openSync(file, 'r')
  try {
    const length = readSync(descriptor, head, 0, 64, 0)
    if (head.readUInt32BE(0) !== ELF || head[4] !== BITS_64 || head[5] !== LITTLE_ENDIAN) return true
    const end = head.readBigUInt64LE(40) + BigInt(head.readUInt16LE(58) * head.readUInt16LE(60))
    return length === 64 && end <= BigInt(fstatSync(descriptor).size)
  } finally {
    closeSync(descriptor)
  }
}

module.exports = { load, loadFile, usable, socketsOf, whyNode, whyRefused, FILE }
