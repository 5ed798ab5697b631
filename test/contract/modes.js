'use strict'

// Owns the two ways in which a contract is proven: the same test in one thread and with two workers. Both have two
// connections, so that what one connection sends is the same in both.

const path = require('node:path')
const threads = require('node:worker_threads')

// tap makes every thread load its own instrumentation, which takes 600 ms instead of 35 ms. Users have none of it. This
// has to stand before lib/ takes Worker, which it does when it first needs one.
const { NODE_OPTIONS, ...env } = process.env
threads.Worker = class extends threads.Worker {
  /** @param {ConstructorParameters<typeof import('node:worker_threads').Worker>} args */
  constructor (...[file, options]) {
    super(file, { execArgv: [], env, ...options })
  }
}

const autocannon = require('../..')

/** A request that hangs fails long before the test does, and long after a busy machine has answered. */
const TIMEOUT = 20

/** @param {string} name */
const fixture = name => path.join(__dirname, '../fixtures/contract', name)

class Mode {
  /**
   * @param {string} name
   * @param {number | undefined} workers
   */
  constructor (name, workers) {
    this.name = name
    this.workers = workers
    /** How many threads what holds for each worker holds for. */
    this.parts = workers ?? 1
  }

  /**
   * @param {Record<string, any>} opts
   * @returns {any} an instance, which is a promise of the result
   */
  run (opts) {
    return autocannon({ connections: 2, timeout: TIMEOUT, workers: this.workers, ...opts })
  }

  /**
   * @param {string} name of a module in test/fixtures/contract
   * @returns {any} the form in which this mode takes a hook: a function, or the path of its module
   */
  hook (name) {
    return this.workers === undefined ? require(fixture(name)) : fixture(name)
  }
}

const MODES = [new Mode('in one thread', undefined), new Mode('with 2 workers', 2)]

/**
 * @param {any} t
 * @param {string} name
 * @param {(t: any, mode: Mode) => Promise<unknown>} prove
 */
function inBothModes (t, name, prove) {
  return t.test(name, async (/** @type {any} */ t) => {
    for (const mode of MODES) await t.test(mode.name, (/** @type {any} */ t) => prove(t, mode))
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
 * @param {{ rawHeaders: string[] }} request
 * @param {string} name of a header
 * @returns {any} what a hook has told in it, by encodeURIComponent(JSON.stringify(…)); undefined when it has not
 */
function told ({ rawHeaders }, name) {
  const at = rawHeaders.findIndex((header, i) => i % 2 === 0 && header.toLowerCase() === name)
  return at === -1 ? undefined : JSON.parse(decodeURIComponent(rawHeaders[at + 1]))
}

module.exports = { inBothModes, run, fixture, byConnection, told }
