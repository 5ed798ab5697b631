'use strict'

// What a list of requests has besides them: blocks (conditions, loops and parallel requests), and steps of a WebSocket.
// blocks.js and socket-steps.js have their further keys and read them, and are loaded on demand.

const { isRecord } = require('../../core/foreign-text')

/** The key of each block. */
const KINDS = Object.freeze(/** @type {const} */ (['if', 'repeat', 'while', 'forEach', 'parallel']))

/** @param {unknown} entry @returns {string | undefined} undefined for a request or a pause */
function kindOf (entry) {
  return isRecord(entry) ? KINDS.find(kind => Object.hasOwn(entry, kind) && entry[kind] !== undefined) : undefined
}

/** The key of each step of a WebSocket. */
const SOCKET_KINDS = Object.freeze(/** @type {const} */ (['ws', 'send', 'receive', 'close']))

/** @param {unknown} entry @returns {string | undefined} undefined for other entries */
function socketKindOf (entry) {
  return isRecord(entry) ? SOCKET_KINDS.find(kind => (entry[kind] ?? null) !== null) : undefined
}

/** @type {(entry: any) => string} the name of the WebSocket of an entry; empty for the one without a name */
function socketIn ({ as, on, close = 'ws' }) {
  return as ?? on ?? (close === 'ws' ? '' : close)
}

/** The keys for the path and the body in these steps. @type {Readonly<Record<string, string>>} */
const WRITTEN_AS = Object.freeze({ path: 'ws', body: 'send' })

/** Returns the key that the user has written. @type {(entry: any, key: string) => string} */
function writtenAs (entry, key) {
  const own = WRITTEN_AS[key]
  return entry[own] === undefined ? key : own
}

module.exports = { KINDS, SOCKET_KINDS, kindOf, socketIn, socketKindOf, writtenAs }
