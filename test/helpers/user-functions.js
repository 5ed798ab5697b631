'use strict'

// Runs of user functions against a server that says exactly the bytes that a test wants, on each kind of socket.

const autocannon = require('../..')
const { conserves } = require('./results/conservation')
const { answer, rawServer } = require('./servers/raw-server')
const { load } = require('../../lib/net/sockets/binding')
require('./without-code-profile')

/** @type {Array<{ name: string, opts: Record<string, any>, skip?: string | false }>} */
const WIRES = [
  { name: 'on native sockets', opts: { sockets: 'native' }, skip: load().binding === null && 'there is no add-on' },
  { name: 'on sockets of Node.js', opts: { sockets: 'node' } },
  { name: 'through undici', opts: { client: 'undici' } }
]

/** A run that hangs fails long before the test does. */
const HANGS = 20_000

/**
 * @param {any} t
 * @param {string} name
 * @param {(t: any, wire: (typeof WIRES)[number]) => Promise<unknown>} prove
 * @param {number} [jobs] runs at the same time: they wait most of the time
 */
const onWires = (t, name, prove, jobs = WIRES.length) => t.test(name, async (/** @type {any} */ t) => {
  t.jobs = jobs
  for (const wire of WIRES) await t.test(wire.name, { skip: wire.skip }, (/** @type {any} */ t) => prove(t, wire))
})

/**
 * Otherwise each case is of one wire, and the wires share them: npm run test:all has each case on each wire.
 * @template T
 * @param {any} t
 * @param {(typeof WIRES)[number]} wire
 * @param {T[]} cases that do not depend on it
 * @returns {T[]} those of this wire
 */
function casesOf (t, wire, cases) {
  if (process.env.CONTRACT_MODES === 'all') return cases
  const present = WIRES.filter(({ skip = false }) => skip === false)
  const some = cases.filter((one, i) => present[i % present.length] === wire)
  t.comment(`${cases.length - some.length} more combinations: npm run test:all`)
  return some
}

/** @param {import('./servers/raw-server').RawRequest} request */
const pathOf = ({ head }) => head.split(' ')[1]

/** @type {(request: import('./servers/raw-server').RawRequest, name: string) => string | undefined} */
const headerOf = ({ head }, name) => new RegExp(`^${name}: (.*)\r$`, 'im').exec(head)?.[1]

/**
 * @param {Record<string, string | ((connection: any, request: any) => void)>} answers by path; `*` for any other
 * @returns {import('./servers/raw-server').Script}
 */
const byPath = answers => (connection, request) => {
  const found = answers[pathOf(request)] ?? answers['*'] ?? answer('{}')
  if (typeof found === 'function') found(connection, request)
  else connection.send(found)
}

/** @type {(ms: number, bytes?: string) => (connection: any) => void} */
const after = (ms, bytes = answer('{}')) => connection => { setTimeout(() => connection.send(bytes), ms) }

/**
 * Each request has one fate, and each iteration one end.
 * @param {any} t
 * @param {import('./servers/raw-server').Script | import('./servers/raw-server').Script[]} script
 * @param {Record<string, any>} opts
 * @param {{ neverSent?: (result: any) => number, stopAt?: number, losesRequests?: boolean }} [expected] how many errors are no fate of a request;
 *   after how many requests the run is stopped; whether the server may not read what is sent while it resets a connection
 * @returns {Promise<{ result: any, server: any, paths: string[], iterations: any }>}
 */
async function runUsers (t, script, opts, expected = {}) {
  const server = await rawServer(t, script)
  const instance = autocannon({ url: server.url, connections: 1, timeout: 5, ...opts })
  // Some turns later: what it has seen is on its way back.
  if (expected.stopAt !== undefined) server.seen(expected.stopAt).then(() => setTimeout(() => instance.stop(), 50))
  const result = await endOf(t, instance)
  // What was written at the very end may not have been read.
  const late = new Promise(resolve => setTimeout(resolve, 1000).unref())
  if (opts.url === undefined) await Promise.race([server.seen(result.requests.sent + result.resent), late])
  conserves(t, result, { ...opts.url === undefined && expected.losesRequests !== true && { arrived: server.requestCount }, neverSent: expected.neverSent?.(result) ?? 0 })
  return { result, server, paths: server.requests.map(pathOf), iterations: result.iterations }
}

/**
 * @param {any} t
 * @param {Promise<any>} run
 */
async function endOf (t, run) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const hangs = new Promise((resolve, reject) => { timer = setTimeout(() => reject(new Error('the run hangs')), HANGS) })
  try {
    return await Promise.race([run, hangs])
  } finally {
    clearTimeout(timer)
  }
}

module.exports = { after, byPath, casesOf, endOf, headerOf, onWires, pathOf, runUsers }
