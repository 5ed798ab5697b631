'use strict'

// The modes in which a contract is proven. A mode is a place and a protocol: in one thread, with two workers that are threads or with two agents that meet at a
// Redis; over HTTP/1.1, over HTTP/2 or through undici. What is particular about workers has either those, or two that are processes and talk JSON lines. All modes have two
// connections, so that each connection sends the same in each.
//
// Each test runs in one thread and at one of the other places, over two protocols. The test after it has the other place or other protocols, so that a few tests have all
// pairs. CONTRACT_MODES=all gives each test all pairs (npm run test:all). With CONTRACT_MODES=1 and 2, which .ci/test.js has on other versions of Node.js, tests begin
// further on: after these three passes each test had each place and each protocol.

const path = require('node:path')
const autocannon = require('../..')
const { Instance } = require('../../lib/run/instance')
const { noAgents, withAgents } = require('../helpers/agents/agents')
const { cli } = require('../helpers/processes/cli')
const { startLastingThread, startProcess } = require('../helpers/processes/hosts')
require('../helpers/without-code-profile')

const { CONTRACT_MODES: CHOSEN = '0' } = process.env

/** A request that hangs fails long before the test does, and long after a busy machine has answered. */
const TIMEOUT = 20

/** @param {string} name */
const fixture = name => path.join(__dirname, '../fixtures/contract', name)

/**
 * @typedef {object} Place
 * @property {string} name
 * @property {number} [workers]
 * @property {typeof startProcess} [startWorker] starts a worker that has run before, and will run again
 * @property {boolean} [onAgents] whether there are two agents, each of which has that many workers
 */

/**
 * @typedef {object} Protocol
 * @property {string} [name]
 * @property {{ http: '2' } | { client: 'undici' }} [opts]
 * @property {boolean} [shares] whether users share a connection, as streams of it
 */

class Mode {
  /**
   * @param {Place} place
   * @param {Protocol} protocol
   */
  constructor (place, protocol) {
    this.name = protocol.name === undefined ? place.name : `${place.name}, ${protocol.name}`
    this.workers = place.workers
    this.startWorker = place.startWorker
    this.onAgents = place.onAgents ?? false
    this.protocol = protocol.opts
    this.shares = protocol.shares ?? false
    /** How many generators what holds for each worker holds for. */
    this.parts = (this.workers ?? 1) * (this.onAgents ? 2 : 1)
  }

  /** @returns {Record<string, any>} options of each run */
  get opts () {
    return { workers: this.workers, ...this.protocol, ...this.onAgents && withAgents() }
  }

  /**
   * @param {Record<string, any>} opts
   * @param {(error: Error | null, result?: Record<string, any>) => void} [callback]
   * @returns {any} an instance, which is a promise of the result when there is no callback
   */
  run (opts, callback) {
    const given = { connections: 2, timeout: TIMEOUT, ...this.opts, ...opts }
    return new Instance(this.shares ? { ...given, connections: 1, pipelining: given.connections } : given, callback, this.startWorker)
  }

  /**
   * The command line.
   * @param {string[]} argv
   * @param {Parameters<typeof cli>[1]} [options]
   */
  cli (argv, options) {
    return cli([...argv, ...Object.entries({ ...this.protocol, ...this.onAgents && withAgents() }).flatMap(([name, value]) => [`--${name}`, String(value)])], { ...options, preload: this.startWorker === startProcess ? require.resolve('../helpers/processes/workers-are-processes') : undefined })
  }

  /**
   * @param {string} name of a module in test/fixtures/contract
   * @returns {any} the form in which this mode takes a hook: a function, or the path of its module
   */
  hook (name) {
    return this.workers === undefined ? require(fixture(name)) : fixture(name)
  }

  /**
   * @param {string} start a regular expression
   * @returns {RegExp} for the message of an error that begins so: that of an agent begins with its name
   */
  failure (start) {
    return new RegExp(`^${this.onAgents ? 'agent [a-f]: ' : ''}${start}`)
  }
}

/** @type {Place} */
const THREADS = { name: 'with 2 workers', workers: 2, startWorker: startLastingThread }
/** @type {Place} */
const PROCESSES = { name: 'with 2 processes', workers: 2, startWorker: startProcess }
/** @type {Place[]} */
const PLACES = [{ name: 'in one thread' }, THREADS, { name: 'with 2 agents', workers: 1, onAgents: true }]

/** @type {Protocol} */
const HTTP1 = {}
/** @type {Protocol} */
const HTTP2 = { name: 'over HTTP/2', opts: { http: '2' } }
/** @type {Protocol} */
const UNDICI = { name: 'through undici', opts: { client: 'undici' } }

/** A connection is of one load generator. */
const STREAMS = new Mode(PLACES[0], { name: 'as streams of one connection', opts: { http: '2' }, shares: true })
const WITH_WORKERS = [THREADS, PROCESSES].map(place => new Mode(place, HTTP1))

/**
 * @template A, B
 * @param {A[]} places
 * @param {B[]} protocols
 * @param {number} pairing a number for each test, counted up
 * @returns {Array<[A, B]>} the first place and another one, over protocols that differ
 */
function pairsOf ([first, ...others], protocols, pairing) {
  const at = Math.floor(pairing / others.length) + pairing % others.length
  const protocol = (/** @type {number} */ i) => protocols[i % protocols.length]
  return [[first, protocol(at)], [others[pairing % others.length], protocol(at + 1)]]
}

/**
 * @param {Protocol[]} protocols
 * @param {Mode[]} [more]
 * @returns {(t: any, name: string, prove: (t: any, mode: Mode) => Promise<unknown>) => any}
 */
function inModes (protocols, more = []) {
  const all = PLACES.flatMap(place => protocols.map(protocol => new Mode(place, protocol)))
  let pairing = Number(CHOSEN)
  return (t, name, prove) => {
    if (CHOSEN === 'all') return inEach([...all, ...more], t, name, prove, 0)
    const modes = pairsOf(PLACES, protocols, pairing).map(pair => new Mode(...pair))
    // Every other test has the others, too.
    if (pairing++ % 2 === 0) modes.push(...more)
    return inEach(modes, t, name, prove, all.length + more.length - modes.length)
  }
}

const inAllModes = inModes([HTTP1, HTTP2, UNDICI])

/** What undici does not tell, or does in another way: docs/second-client.md. */
const byOurClient = inModes([HTTP1, HTTP2])

/** What users do, whose connection it is. */
const inModesOfUsers = inModes([HTTP1, HTTP2, UNDICI], [STREAMS])

/** What is particular about HTTP/1.1, or takes its time and has nothing to do with the protocol. */
const overHttp1 = inModes([HTTP1])

/** Which workers the next test has. */
let kind = Number(CHOSEN)

/**
 * What is particular about workers.
 * @type {typeof inAllModes}
 */
const withWorkers = (t, name, prove) => {
  const modes = CHOSEN === 'all' ? WITH_WORKERS : [WITH_WORKERS[kind++ % WITH_WORKERS.length]]
  return inEach(modes, t, name, prove, WITH_WORKERS.length - modes.length)
}

/**
 * @param {Mode[]} modes
 * @param {any} t
 * @param {string} name
 * @param {(t: any, mode: Mode) => Promise<unknown>} prove
 * @param {number} left modes that are not run, which the last line of `npm test` counts
 */
function inEach (modes, t, name, prove, left) {
  return t.test(name, async (/** @type {any} */ t) => {
    for (const mode of modes) await t.test(mode.name, { skip: mode.onAgents && noAgents() }, (/** @type {any} */ t) => prove(t, mode))
    if (left > 0) t.comment(`${left} more modes: npm run test:all`)
  })
}

/**
 * A run in this thread.
 * @param {Record<string, any>} opts
 * @returns {any}
 */
const run = opts => autocannon({ connections: 1, timeout: TIMEOUT, ...opts })

/**
 * @template {{ socket: unknown }} T
 * @param {T[]} requests
 * @returns {T[][]} the requests of each connection, in the order in which they came
 */
function byConnection (requests) {
  const sockets = [...new Set(requests.map(({ socket }) => socket))]
  return sockets.map(socket => requests.filter(request => request.socket === socket))
}

/**
 * Holds answers back until so many connections have asked: runs go on at the same time then, however long one takes to start.
 * @param {number} connections of all runs
 * @returns {(connection: unknown, answer: () => void) => void}
 */
function whenAllAsk (connections) {
  const asked = new Set()
  /** @type {Array<() => void>} */
  const held = []
  return (connection, answer) => {
    asked.add(connection)
    held.push(answer)
    if (asked.size >= connections) for (const answer of held.splice(0)) answer()
  }
}

/**
 * @param {{ rawHeaders: string[] }} request
 * @param {string} name of a header
 * @returns {any} what a hook has told in it, by encodeURIComponent(JSON.stringify(…)); undefined when it has not
 */
function told ({ rawHeaders }, name) {
  const at = rawHeaders.findIndex((header, i) => i % 2 === 0 && header.toLowerCase() === name)
  return at === -1 ? undefined : JSON.parse(decodeURIComponent(rawHeaders[at + 1]))
}

module.exports = { WITH_WORKERS, byOurClient, pairsOf, inAllModes, inModesOfUsers, overHttp1, withWorkers, run, fixture, byConnection, told, whenAllAsk }
