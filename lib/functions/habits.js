'use strict'

// Names of k6, Locust and other HTTP clients for functions that are different here, or arguments.

const { readFileSync, statSync } = require('node:fs')
const { fileURLToPath } = require('node:url')
const { types } = require('node:util')
const { printable } = require('../core/foreign-text')
const { HookError } = require('../core/errors')

/** How the argument of a function is written. */
const FORM = 'async ({ http }) => { await http.get(path) }'

/** Methods of http. @type {Readonly<Record<string, string>>} */
const OF_HTTP = Object.freeze({
  batch: "use await Promise.all([http.get('/a'), http.get('/b')])",
  del: 'use http.delete(path)',
  asyncRequest: 'use http.request(method, path), which returns a promise',
  options: "use http.request('OPTIONS', path)"
})

/** Names that are no variables here. @type {Readonly<Record<string, string>>} */
const OF_ALL = Object.freeze({
  sleep: "use await pause('1s'), which a user function is given, as in async ({ http, pause }) => { … }",
  __VU: 'use user.number, which a user function is given, as in async ({ http, user }) => { … }',
  __ITER: 'use iteration, which a user function is given, as in async ({ http, iteration }) => { … }',
  __ENV: 'use process.env',
  exec: 'use user.number and iteration, which a user function is given, as in async ({ user, iteration }) => { … }',
  fail: "use throw new Error('…'), which ends the run, or an assertion of node:assert, which aborts the iteration",
  assert: "import it, as in import assert from 'node:assert'",
  WebSocket: "use await ws('/chat'), which a user function is given, as in async ({ ws }) => { … }",
  open: 'read the file with node:fs, or give the run data (docs/user-functions.md)',
  SharedArray: 'give the run data (docs/user-functions.md), or read the file with node:fs at the top of the module',
  ...Object.fromEntries(['Counter', 'Gauge', 'Rate', 'Trend'].map(name =>
    [name, 'the run measures named requests, groups and checks, and has no further metrics']))
})

/** Members of a WebSocket. @type {Readonly<Record<string, string>>} */
const OF_SOCKET = Object.freeze({
  ...Object.fromEntries(['on', 'once', 'addListener', 'addEventListener', 'onmessage', 'onopen', 'onclose', 'onerror']
    .map(name => [name, 'use await socket.request(message) for a response, and for await (const message of socket) ' +
      'for messages that respond to nothing'])),
  setInterval: "send in a loop with await pause('1s')",
  setTimeout: "use await pause('1s')",
  sendBinary: 'use socket.send(bytes)'
})

const OPENED = "use const socket = await ws('/chat')"

const BODY = 'use text(), json() or body'
const REJECTED = 'a request without a response rejects, so use try and catch'

/** Of a response. @type {Readonly<Record<string, string>>} */
const OF_RESPONSE = Object.freeze({
  status_code: 'use status',
  statusCode: 'use status',
  statusText: 'use status, which is the code',
  status_text: 'use status, which is the code',
  cookies: "use cookie('sid'), which is the value that the response sets",
  data: BODY,
  content: BODY,
  error: REJECTED,
  error_code: REJECTED,
  raise_for_status: 'use check, or throw where ok is false',
  elapsed: 'use timings.duration, which is in ms'
})

/** Methods of http, which a function may call on its argument. */
const METHODS = Object.freeze(['get', 'head', 'post', 'put', 'patch', 'delete', 'request', ...Object.keys(OF_HTTP)])

/** Names in the argument of a function. */
const GIVEN = new Set([
  'http', 'ws', 'pause', 'check', 'group', 'data', 'random', 'context', 'setup', 'user', 'iteration', 'signal', 'log'
])

/** The last argument of functions of Artillery and of Node.js. */
const CALLBACKS = new Set(['done', 'next', 'callback', 'cb'])

/**
 * What to write where a value is missing, by the message of Node.js.
 * @type {Array<[RegExp, (name: string) => string | null]>}
 */
const OF_VALUES = [
  [/^([\w$]+) is not a function$/, name => {
    if (name === 'http') return 'a request is await http.get(path), or another method of http'
    if (CALLBACKS.has(name)) return `a user function has no callback, and ends when its promise resolves: ${FORM}`
    return GIVEN.has(name) ? `a user function is given one object, as in async ({ http, ${name} }) => { … }` : null
  }],
  [/^Cannot destructure property '([\w$]+)' of '(?:undefined|object null)'/, name => GIVEN.has(name)
    ? `a user function is given one object, as in async ({ http, ${name} }) => { … }`
    : null],
  [/^Class constructor [\w$]+ cannot be invoked without 'new'$/, () => `a user is a function: ${FORM}`],
  [/\.headers\.(get|has) is not a function$/, () => 'use header(name) of the response'],
  [/\bws\.connect is not a function$/, () => OPENED],
  [/^ws is not a constructor$/, () => OPENED],
  [/^(ws|socket)\b.* is not async iterable$/, () => 'is an await missing, as in await ws(path)?'],
  [/\.(json|text|html|header|cookie) is not a function$/, () => 'is an await missing, as in await http.get(path)?']
]

/**
 * @param {unknown} error that a function has thrown
 * @param {Record<string, unknown>} [data] the rows that it is given
 * @returns {string} what to write instead of a name or a value that there is not; empty for another error
 */
function hintFor (error, data = {}) {
  if (!types.isNativeError(error)) return ''
  // Node.js has no other place for the name.
  const words = HookError.wordsOf(error)
  const name = undefinedName(words)
  if (Object.hasOwn(OF_ALL, name)) return `: ${OF_ALL[name]}`
  if (GIVEN.has(name)) return `: a user function is given it, as in async ({ ${name} }) => { … }`
  for (const [pattern, hintOf] of OF_VALUES) {
    const [whole, value = ''] = pattern.exec(words) ?? []
    const hint = whole === undefined ? null : hintOf(value)
    if (hint !== null) return `: ${hint}`
  }
  if (isOfSetup(words, error)) return ': setup is null, because the export setup returned nothing'
  const list = listOfRows(words, error, data)
  if (list !== null) return `: data.${list} is the row of this iteration, and not the list of all rows`
  const row = missingRow(words, error)
  if (row === undefined || row in data) return ''
  const known = Object.keys(data)
  const there = known.length === 0 ? '' : `; its sources are ${printable(known.join(', '))}`
  return `: data has no ${row}: give the run its rows, as in --data ${row}=${row}.csv${there}`
}

/** @param {unknown} error of a module that is loaded @returns {string} as `hintFor` */
function hintAtLoad (error) {
  const name = undefinedName(HookError.wordsOf(error))
  return GIVEN.has(name)
    ? ': functions are given it, not the module. For requests before the load, ' +
      'export async function setup ({ http }) { … }'
    : hintFor(error)
}

/** @param {string} words of an error @returns {string} the name that is not defined; empty for another error */
const undefinedName = words => /^([\w$]+) is not defined$/.exec(words)?.[1] ?? ''

/** @type {(what: string, error: unknown, data?: Record<string, unknown>) => HookError} with what to write instead */
function failureOf (what, error, data) {
  const failure = HookError.failed(what, error)
  const hint = hintFor(error, data)
  return hint === '' ? failure : new HookError(failure.message.replace(/\.$/, '') + hint, error)
}

/** @type {(words: string, error: Error) => boolean} whether a value of setup was read, which is null */
function isOfSetup (words, error) {
  if (/^Cannot destructure property .* of '(?:[\w$]+\.)?setup' as it is null/.test(words)) return true
  return /^Cannot read properties of null /.test(words) && /\bsetup\s*[.[]\s*$/.test(sourceOf(error).before)
}

const UNDEFINED_READ = /^Cannot read properties of undefined \(reading '[^']+'\)$/

/**
 * @param {string} words of an error
 * @param {Error} error
 * @returns {string | undefined} the name of the rows that were read and are not there
 */
function missingRow (words, error) {
  const [, taken] = /^Cannot destructure property .* of '(?:[\w$]+\.)?data\.([\w$]+)' as it is undefined/.exec(words) ?? []
  if (taken !== undefined) return taken
  // Node.js does not say what is undefined, but where it is read.
  if (!UNDEFINED_READ.test(words)) return undefined
  const { text, before } = sourceOf(error)
  const [, owner, row] = /(\bdata\s*(?:\.\s*|\[['"]))?\b([\w$]+)(?:['"]\])?\s*[.[]\s*$/.exec(before) ?? []
  if (owner !== undefined || row === undefined) return row
  for (const [, parameters, variables] of text.matchAll(/\bdata\s*:\s*\{([^{}]*)\}|\{([^{}]*)\}\s*=\s*data\b/g)) {
    if ((parameters ?? variables).split(/[^\w$]+/).includes(row)) return row
  }
  return undefined
}

/**
 * @param {string} words
 * @param {Error} error
 * @param {Record<string, unknown>} data
 * @returns {string | null} the source of which an element is read, as of a SharedArray of k6
 */
function listOfRows (words, error, data) {
  if (!UNDEFINED_READ.test(words)) return null
  const [, row] = /\bdata\s*\.\s*([\w$]+)\s*\[.*\]\s*\.\s*$/.exec(sourceOf(error).before) ?? []
  return row !== undefined && Object.hasOwn(data, row) ? row : null
}

/** A longer file is hardly written by hand. */
const LONGEST_FILE = 1024 * 1024
const NO_SOURCE = Object.freeze({ text: '', before: '' })

/** With --keep-going the same line may throw in each iteration. */
let lastRead = { path: '', text: '' }

/**
 * @param {Error} error
 * @returns {{ text: string, before: string }} the file in which it was thrown, and its line up to that place; empty
 *   where that is not known
 */
function sourceOf (error) {
  // A stack may be anything, and its file may be gone, or no more file can be opened.
  try {
    const [, file, line, column] = /^ +at (?:.*\()?((?:file:\/\/)?\/[^()]*|[A-Za-z]:\\[^()]*):(\d+):(\d+)\)?$/m
      .exec(String(error.stack)) ?? []
    const path = file.startsWith('file:') ? fileURLToPath(file) : file
    if (path !== lastRead.path) {
      lastRead = { path, text: statSync(path).size > LONGEST_FILE ? '' : readFileSync(path, 'utf8') }
    }
    const { text } = lastRead
    const source = text.split('\n')[Number(line) - 1]
    const at = Number(column) - 1
    return { text, before: source.slice(0, source[at] === '[' ? at + 1 : at) }
  } catch {
    return NO_SOURCE
  }
}

module.exports = { FORM, METHODS, OF_ALL, OF_HTTP, OF_RESPONSE, OF_SOCKET, failureOf, hintAtLoad, hintFor }
