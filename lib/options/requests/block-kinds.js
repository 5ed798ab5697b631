'use strict'

// The keys of blocks in a list of requests (conditions, loops and parallel requests), and of steps of a WebSocket.
// blocks.js and socket-steps.js read them, and are loaded on demand.

const { isRecord } = require('../../core/foreign-text')

/** The key of each block, and its further keys. @type {Readonly<Record<string, string[]>>} */
const BLOCKS = Object.freeze({
  if: ['requests', 'else'], repeat: ['requests'], while: ['max', 'requests'], forEach: ['requests'], parallel: []
})

const KINDS = Object.keys(BLOCKS)

/** @param {unknown} entry @returns {string | undefined} undefined for a request or a pause */
function kindOf (entry) {
  return isRecord(entry) ? KINDS.find(kind => Object.hasOwn(entry, kind) && entry[kind] !== undefined) : undefined
}

/** The key of each step of a WebSocket, and its further keys. @type {Readonly<Record<string, string[]>>} */
const SOCKET_STEPS = Object.freeze({
  ws: ['as', 'headers', 'subprotocols', 'name', 'timeout', 'match', 'compressed'],
  send: ['on', 'match', 'name', 'timeout', 'expect', 'check', 'capture', 'pause'],
  receive: ['on', 'count', 'name', 'timeout', 'expect', 'check', 'capture', 'pause'],
  close: []
})

const SOCKET_KINDS = Object.keys(SOCKET_STEPS)

/** @param {unknown} entry @returns {string | undefined} undefined for other entries */
function socketKindOf (entry) {
  return isRecord(entry) ? SOCKET_KINDS.find(kind => (entry[kind] ?? null) !== null) : undefined
}

/** @type {(entry: any) => string} the name of the WebSocket that an entry is about; '' for that without one */
function socketIn ({ as, on, close = 'ws' }) {
  return as ?? on ?? (close === 'ws' ? '' : close)
}

/** What these call the path and the body of a request. @type {Readonly<Record<string, string>>} */
const WRITTEN_AS = Object.freeze({ path: 'ws', body: 'send' })

/** Returns how the user has written that key of the entry. @type {(entry: any, key: string) => string} */
function writtenAs (entry, key) {
  const own = WRITTEN_AS[key]
  return entry[own] === undefined ? key : own
}

module.exports = { BLOCKS, KINDS, SOCKET_KINDS, SOCKET_STEPS, kindOf, socketIn, socketKindOf, writtenAs }
