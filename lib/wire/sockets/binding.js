'use strict'

// Owns the add-on that moves bytes for many sockets per call (native/sockets.c): where its binary is, and why there is none.

const { existsSync } = require('node:fs')
const path = require('node:path')

/** Built by native/build.js in a clone, and part of a package that was made on the same platform. */
const FILE = path.join(__dirname, '..', '..', '..', 'prebuilds', `${process.platform}-${process.arch}`, 'sockets.node')

/**
 * Groups of sockets and sockets are numbers. A negative result is -errno.
 * @typedef {object} Binding
 * @property {(onTurn: (events: number) => void, input: Uint8Array, output: Uint8Array, events: Int32Array, arrivals: Float64Array, sends: Int32Array,
 *   sentAt: Float64Array, clock: Float64Array, now: number, gap: number) => number} open
 * @property {(group: number) => void} close
 * @property {(group: number, descriptor: number) => number} adopt
 * @property {(group: number, sends: number) => number} flush
 * @property {(group: number, socket: number, bytes: Uint8Array, offset: number) => number} send
 * @property {(group: number, socket: number) => void} end
 *
 * @typedef {{ binding: Binding, reason: null } | { binding: null, reason: string }} Loaded
 */

/** @type {Loaded | null} */
let loaded = null

/** @returns {Loaded} the add-on, or a sentence that says why it can't be used */
function load () {
  loaded ??= attempt()
  return loaded
}

/**
 * @param {import('../../options/plan').Plan} plan
 * @returns {string | null} why its load goes through the sockets of Node.js although native ones would time it better; null where they do, where the
 *   user chose or where they are not meant to (TLS, undici)
 */
function whyNode ({ sockets, client, targets }) {
  if (sockets === 'node' || client !== null || targets.every(({ tls }) => tls)) return null
  return module.exports.load().reason
}

/** @returns {Loaded} */
function attempt () {
  if (process.platform !== 'linux') return { binding: null, reason: `native sockets need Linux, and this is ${process.platform}` }
  if (!existsSync(FILE)) return { binding: null, reason: 'the add-on is not built: npm ci builds it where a C compiler is' }
  try {
    return { binding: require(FILE), reason: null }
  } catch (error) {
    return { binding: null, reason: `the add-on can't be loaded: ${/** @type {Error} */ (error).message}` }
  }
}

module.exports = { load, whyNode, FILE }
