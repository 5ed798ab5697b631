'use strict'

// Owns the ways in which a contract is proven: the same test in one thread, with two workers that are threads, with two agents that are met by a Redis, over
// HTTP/2, and through undici; what is particular about workers also with two that are processes and talk JSON lines. All have two connections, so that what
// one connection sends is the same in each.

const path = require('node:path')
const autocannon = require('../..')
const { Instance } = require('../../lib/run/instance')
const { noAgents, withAgents } = require('../helpers/agents')
const { cli } = require('../helpers/cli')
const { startLastingThread, startProcess } = require('../helpers/hosts')

/** A request that hangs fails long before the test does, and long after a busy machine has answered. */
const TIMEOUT = 20

/** @param {string} name */
const fixture = name => path.join(__dirname, '../fixtures/contract', name)

class Mode {
  /**
   * @param {string} name
   * @param {number | undefined} workers
   * @param {typeof startProcess} [startWorker] of one that has run before, and will run again
   * @param {{ http: '2' } | { client: 'undici' }} [wire]
   * @param {boolean} [shares] whether users share a connection, as streams of it
   * @param {boolean} [onAgents] whether there are two agents, each of which has that many workers
   */
  constructor (name, workers, startWorker, wire, shares = false, onAgents = false) {
    this.name = name
    this.workers = workers
    this.startWorker = startWorker
    this.wire = wire
    this.shares = shares
    this.onAgents = onAgents
    /** How many generators what holds for each worker holds for. */
    this.parts = (workers ?? 1) * (onAgents ? 2 : 1)
  }

  /** @returns {Record<string, any>} options of each run */
  get opts () {
    return { workers: this.workers, ...this.wire, ...this.onAgents && withAgents() }
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
    return cli([...argv, ...Object.entries({ ...this.wire, ...this.onAgents && withAgents() }).flatMap(([name, value]) => [`--${name}`, String(value)])], { ...options, preload: this.startWorker === startProcess ? require.resolve('../helpers/workers-are-processes') : undefined })
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

const WITH_WORKERS = [new Mode('with 2 workers', 2, startLastingThread), new Mode('with 2 processes', 2, startProcess)]
const OVER_HTTP1 = [new Mode('in one thread', undefined), WITH_WORKERS[0], new Mode('with 2 agents', 1, undefined, undefined, false, true)]
const BY_OUR_CLIENT = [...OVER_HTTP1, new Mode('over HTTP/2', undefined, undefined, { http: '2' })]
const ALL = [...BY_OUR_CLIENT, new Mode('through undici', undefined, undefined, { client: 'undici' })]
const OF_USERS = [...ALL, new Mode('as streams of one connection', undefined, undefined, { http: '2' }, true)]

/**
 * @param {any} t
 * @param {string} name
 * @param {(t: any, mode: Mode) => Promise<unknown>} prove
 */
const inAllModes = (t, name, prove) => inEach(ALL, t, name, prove)

/**
 * What undici does not tell, or does in another way: docs/second-client.md.
 * @type {typeof inAllModes}
 */
const byOurClient = (t, name, prove) => inEach(BY_OUR_CLIENT, t, name, prove)

/**
 * What users do, whose connection it is.
 * @type {typeof inAllModes}
 */
const inModesOfUsers = (t, name, prove) => inEach(OF_USERS, t, name, prove)

/**
 * What is particular about HTTP/1.1, or takes its time and has nothing to do with the wire.
 * @type {typeof inAllModes}
 */
const overHttp1 = (t, name, prove) => inEach(OVER_HTTP1, t, name, prove)

/**
 * What is particular about workers.
 * @type {typeof inAllModes}
 */
const withWorkers = (t, name, prove) => inEach(WITH_WORKERS, t, name, prove)

/**
 * @param {Mode[]} modes
 * @param {any} t
 * @param {string} name
 * @param {(t: any, mode: Mode) => Promise<unknown>} prove
 */
function inEach (modes, t, name, prove) {
  return t.test(name, async (/** @type {any} */ t) => {
    for (const mode of modes) await t.test(mode.name, { skip: mode.onAgents && noAgents() }, (/** @type {any} */ t) => prove(t, mode))
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

module.exports = { WITH_WORKERS, byOurClient, inAllModes, inModesOfUsers, overHttp1, withWorkers, run, fixture, byConnection, told, whenAllAsk }
