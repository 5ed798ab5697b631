'use strict'

// Reads steps of a WebSocket in a list of requests: `ws` opens one, `send` sends a message over it, `receive` waits for
// one, and `close` closes it.

const { checkName } = require('../../checks/capture')
const { hasExpression } = require('../../requests/expression')
const { isRecord, show } = require('../../core/foreign-text')
const { suggestOf } = require('../../core/suggest')
const { parseMessageFormula } = require('../../flows/formula')
const { parseHeaders } = require('../../requests/headers')
const { PlacedError } = require('../../requests/place')
const { parseBody, parsePath } = require('../../requests/request')
const { meantPath, parseMatch, parseSubprotocols } = require('../message-texts')
const { readObject } = require('../../requests/fields')
const { FLAG, HEADERS, INTEGER, NAME, SECONDS, TEXT } = require('../type')
const { SOCKET_KINDS, kindOf, socketIn, socketKindOf } = require('./block-kinds')
const { listsIn, placed } = require('./blocks')
const { withForms } = require('./forms')
const { BESIDE } = require('./request-fields')

/** @typedef {Record<string, any>} Entry */

/** Headers that the handshake sets. */
const OF_HANDSHAKE = /^(?:upgrade|connection|sec-websocket-(?:key|version|protocol|extensions))$/i

/** Expectations that no message has. */
const OF_HEADS = ['status', 'headers', 'events']

/** Keys that need a response. */
const OF_RESPONSES = ['timeout', 'name', 'expect', 'check', 'capture']

/** @type {import('../type').Type} */
const ON = { ...NAME, parse: nameOf }

const TIMEOUT = { ...SECONDS, above: 0, max: 86_400 }

/** @type {import('../type').Type} */
const MATCH = {
  ts: 'string',
  schema: ({ FROM_ENVIRONMENT }) => ({ type: 'string', pattern: `^(next|none|json\\s.*)$|${FROM_ENVIRONMENT}` }),
  parse: matchOf
}

/** Keys of messages. */
const OF_MESSAGE = {
  timeout: { ...TIMEOUT, help: 'Overrides the timeout of the WebSocket.' },
  name: BESIDE.name,
  expect: BESIDE.expect,
  check: BESIDE.check,
  capture: BESIDE.capture,
  pause: BESIDE.pause
}

const WHICH = { ...ON, help: 'The name of its WebSocket; without it, that without a name.' }

/** The keys of each step; the first one is read as a part of the request that the step is. */
const FIELDS = Object.freeze(/** @satisfies {Record<string, import('../../requests/fields').Fields>} */ ({
  ws: {
    ws: {
      ...TEXT, parse: placeOf, required: true,
      help: 'Opens a WebSocket: a path, or a URL of an origin that url or origins have.'
    },
    as: {
      ...ON, help: 'Its name, for on and close, where there are several. One before of that name is closed.'
    },
    headers: {
      ...HEADERS, parse: withoutHandshake, help: 'Headers of the handshake, merged with those of the options.'
    },
    subprotocols: {
      ts: 'string | string[]', schema: ({ FILLED, orList }) => orList(FILLED), parse: parseSubprotocols,
      help: 'Subprotocols that are offered, the preferred one first.'
    },
    name: { ...BESIDE.name, help: 'Name of its messages that have no other.' },
    timeout: { ...TIMEOUT, help: 'Overrides the timeout of the run: of the handshake, and of messages.' },
    match: {
      ...MATCH, default: 'next', help: "Default for messages: which one is the response, next, 'json id', or none."
    },
    compressed: { ...FLAG, default: false, help: 'Whether compression is offered (permessage-deflate).' }
  },
  send: {
    send: {
      ts: 'string | Uint8Array | object', schema: () => ({ type: ['string', 'object', 'array'] }), parse: messageOf,
      required: true,
      help: 'The message: a text, or an object that is sent as JSON.'
    },
    on: WHICH,
    match: {
      ...MATCH,
      help: "Which message is its response: next, or the one with the same value at a path, as in 'json id'; with " +
        'none it has no response. Default: that of ws.'
    },
    ...OF_MESSAGE
  },
  receive: {
    receive: {
      ...TEXT, parse: receiveOf, required: true,
      help: 'Waits for a message that responds to nothing: next for any, or an expression such as ' +
        '"json type == \'price\'".'
    },
    on: WHICH,
    count: {
      ...INTEGER, min: 1, max: 1_000_000, default: 1,
      help: 'Number of messages: it is complete with the last one, which is checked and captured.'
    },
    ...OF_MESSAGE
  },
  close: {
    close: {
      ...NAME, parse: closeOf, required: true,
      help: 'Closes a WebSocket in the middle of an iteration: ws, or its name.'
    }
  }
}))

/**
 * @param {Entry} entry that is a step of a WebSocket
 * @returns {Entry}
 * @throws {TypeError} with the place and the problem
 */
function readSocketStep (entry) {
  const kind = /** @type {keyof typeof FIELDS} */ (socketKindOf(entry))
  const other = SOCKET_KINDS.find(one => one !== kind && (entry[one] ?? null) !== null)
  if (other !== undefined) throw new TypeError(`${kind} and ${other} in one entry: expected an entry for each`)
  const { [kind]: request, ...read } = readObject(entry, FIELDS[kind])
  const head = OF_HEADS.find(key => (read.expect?.[key] ?? null) !== null)
  if (head !== undefined) throw new PlacedError(`.expect.${head}`, `a message has no ${head}`)
  return { [kind]: entry[kind], ...request, ...read }
}

/** @param {unknown} given */
function placeOf (given) {
  if (typeof given === 'string' && /^(?:ws|http)s?:\/\//i.test(given)) {
    const url = given.replace(/^ws/i, 'http')
    return { url, path: withForms({ url }).path }
  }
  if (typeof given === 'string' && given !== '') return { path: parsePath(given) }
  throw new TypeError(`expected a path such as /chat, or a URL, got ${show(given)}`)
}

/** @param {unknown} given */
function messageOf (given) {
  if (typeof given !== 'string' && !ArrayBuffer.isView(given) && !isRecord(given) && !Array.isArray(given)) {
    throw new TypeError(`expected a text, or an object that is sent as JSON, got ${show(given)}`)
  }
  const isData = typeof given !== 'string' && !ArrayBuffer.isView(given)
  return { body: isData ? JSON.stringify(given) : parseBody(given) }
}

/** @param {unknown} given */
function receiveOf (given) {
  parseMessageFormula(given)
  return {}
}

/** @param {unknown} given */
function closeOf (given) {
  if (typeof given === 'string') return {}
  throw new TypeError(`expected ws, as in close: ws, or the name of a ws, got ${show(given)}`)
}

/** @param {unknown} given */
function nameOf (given) {
  checkName(/** @type {string} */ (given), false)
  if (given === 'ws') throw new TypeError('expected another name: ws is that without a name, as in close: ws')
  return given
}

/** @param {unknown} given */
function withoutHandshake (given) {
  for (const [name] of parseHeaders(given)) {
    if (!OF_HANDSHAKE.test(name)) continue
    throw new TypeError(`${show(name)} belongs to the handshake: ` +
      (/protocol$/i.test(name) ? 'use subprotocols' : 'omit it'))
  }
  return given
}

/** @param {unknown} given */
function matchOf (given) {
  if (given === 'none') return given
  const isText = typeof given === 'string' && (given === 'next' || /^json\s/.test(given))
  if (isText) return parseMatch(given)
  throw new TypeError(
    `expected next, none, or json and a path such as 'json id', got ${show(given)}${meantPath(given)}`
  )
}

/**
 * Messages inherit keys from the last `ws` before them. Each parallel branch has its own.
 * @param {ReadonlyArray<Entry>} entries parsed entries, which are changed
 * @throws {PlacedError}
 */
function settleMessages (entries) {
  settle(placed(entries, ''), new Map())
}

/** @typedef {ReadonlyMap<string, Entry>} Sockets each `ws` by its name; empty for the one without a name */

/** @type {(list: import('./blocks').Placed[], before: Sockets) => Sockets} the open WebSockets after the list */
function settle (list, before) {
  let sockets = before
  for (const [place, entry] of list) {
    if (kindOf(entry) !== undefined) {
      const after = listsIn(entry, place).reduce((last, inside) =>
        settle(inside, entry.parallel === undefined ? last : sockets), sockets)
      if (entry.parallel === undefined) sockets = after
      continue
    }
    const kind = socketKindOf(entry)
    if (kind === 'ws') sockets = new Map([...sockets, [socketIn(entry), entry]])
    else if (kind !== undefined) settleStep(place, entry, kind, sockets)
  }
  return sockets
}

/** @type {(place: string, entry: Entry, kind: string, sockets: Sockets) => void} */
function settleStep (place, entry, kind, sockets) {
  const name = socketIn(entry)
  const socket = sockets.get(name)
  if (socket === undefined) {
    const known = [...sockets.keys()].filter(name => name !== '')
    const key = kind === 'close' ? kind : 'on'
    if (name !== '') {
      throw new PlacedError(`${place}.${key}`, 'expected the name of a ws before it, as in ' +
        `{ ws: /chat, as: ${name} }, got ${show(name)}${known.length === 0 ? '' : suggestOf(name, known)}`)
    }
    throw new PlacedError(place, `${kind} needs an open WebSocket: expected ` +
      (known.length === 0 ? 'ws: /chat before it, got none' : `${key}: ${known[0]}, or a ws without as before it`))
  }
  if (kind === 'send') settleMessage(place, entry, socket)
  else if (kind === 'receive') settlePath(entry, socket)
}

/** @type {(place: string, entry: Entry, socket: Entry) => void} */
function settleMessage (place, entry, socket) {
  const { match = 'next', name } = socket
  entry.match ??= match
  if (entry.match === 'none') {
    const key = OF_RESPONSES.find(key => entry[key] !== undefined)
    if (key === undefined) return
    throw new PlacedError(`${place}.${key}`,
      "a message with match: none has no response: give it match: next or 'json id'")
  }
  if (name !== undefined) entry.name ??= name
  settlePath(entry, socket)
}

/** Messages without a name are shown with the path of the WebSocket. @type {(entry: Entry, socket: Entry) => void} */
function settlePath (entry, { path }) {
  if (!hasExpression(path)) entry.over = path
}

module.exports = { FIELDS, readSocketStep, settleMessages }
