'use strict'

// Owns one connection's way through a scenario when hooks or ids have a say in its requests: builds each request when it is
// due, and keeps the context of the round. What is in flight stands in the connection's exchange table.

const { HookError } = require('../errors')
const { show } = require('../foreign-text')
const { headersObject, parseHeaders } = require('./headers')
const { isPromise, promised } = require('./hook-answer')
const { Ids } = require('./ids')
const { parseMethod, parsePath, parseBody } = require('./request')
const { Template, compileRequest } = require('./template')

/** How often in a row setupRequest may start the scenario over without a request being sent. The run fails then. */
const MAX_RESTARTS = 1000

/**
 * @typedef {import('./sequence').Source} Source
 * @typedef {import('./sequence').Rows} Rows
 * @typedef {import('./context').Context} Context
 * @typedef {import('./compiled-scenario').CompiledStep} Step
 * @typedef {import('./compiled-scenario').CompiledScenario} CompiledScenario
 */

/** @implements {Source} */
class Script {
  /**
   * @param {CompiledScenario} scenario
   * @param {() => void} onReset the scenario starts over because setupRequest returned nothing
   */
  constructor (scenario, onReset) {
    this.scenario = scenario
    this.onReset = onReset
    this.ids = new Ids()
    this.sending = 0
    this.context = scenario.means.makeContext()
    this.maxRun = scenario.means.pipelining
    /** @type {Buffer} */
    this.bytes = NO_BYTES
    this.readyAt = -Infinity
  }

  get target () {
    return this.scenario.steps[this.sending].target
  }

  /**
   * Starts with another scenario from now on. What is in flight keeps its own.
   * @param {CompiledScenario} scenario
   */
  replace (scenario) {
    this.scenario = scenario
    this.restart()
  }

  /** The next request is the first one, of a new round. */
  restart () {
    this.sending = 0
    this.context = this.scenario.means.makeContext()
  }

  /**
   * @param {number} n
   * @param {Rows} rows
   * @throws {HookError}
   */
  next (n, rows) {
    let row = rows.free
    if (n === 1) {
      this.bytes = this.one(row, rows)
      return 1
    }
    const all = new Array(n)
    for (let i = 0; i < n; i++) {
      all[i] = this.one(row, rows)
      row = rows.following(row)
    }
    this.bytes = Buffer.concat(all)
    return n
  }

  /**
   * @param {number} row
   * @param {Rows} rows
   * @returns {Buffer} the bytes of the next request, which stands in the row from now on
   */
  one (row, rows) {
    let last = 0
    for (let restarts = 0; restarts < MAX_RESTARTS; restarts++) {
      const { context, scenario } = this
      const step = scenario.steps[this.sending]
      last = step.index
      // Before the hook, which may change what follows this request.
      if (this.sending + 1 === scenario.steps.length) this.restart()
      else this.sending++
      if (step.setupRequest === undefined) {
        const bytes = step.bytes ?? /** @type {Template} */ (step.template).fill(this)
        rows.write(row, step, context, step.request, bytes)
        return bytes
      }
      const request = this.setUp(step, step.setupRequest, context)
      if (request !== null) {
        const made = compileRequest(request, step.target, scenario.means)
        const bytes = made instanceof Template ? made.fill(this) : made
        rows.write(row, step, context, request, bytes)
        return bytes
      }
      this.restart()
      this.onReset()
    }
    throw new HookError(`setupRequest of request ${last} returned nothing ${MAX_RESTARTS} times in a row: no request is left to send`)
  }

  /**
   * @param {Step} step
   * @param {import('./compiled-scenario').SetupRequest} setupRequest
   * @param {Context} context
   * @returns {import('./request').Request | null} null when the sequence is to start over
   */
  setUp ({ request, index, target }, setupRequest, context) {
    const { method, path, headers, body } = request
    const fresh = {
      method,
      path: path ?? target.path,
      headers: headersObject(headers),
      body: body === null ? undefined : typeof body === 'string' ? body : Buffer.from(body)
    }
    const hook = `setupRequest of request ${index}`
    let made
    try {
      made = setupRequest(fresh, context)
      if (!made) return null
      if (!isPromise(made)) return readMade(made, method)
    } catch (error) {
      throw HookError.failed(hook, error)
    }
    throw promised(hook, made)
  }

  /** The request that is sent next. */
  get current () {
    return this.scenario.steps[this.sending].request
  }

  /**
   * Changes the request that is sent next, and from then on at each round. What is in flight keeps its step.
   * @param {import('./request').Request} request
   */
  edit (request) {
    this.scenario = this.scenario.edit(this.sending, request)
    return this
  }
}

/**
 * @param {Record<string, any>} made by setupRequest
 * @param {string} method that it was given
 * @returns {import('./request').Request}
 * @throws {TypeError}
 */
function readMade (made, method) {
  if (typeof made !== 'object') throw new TypeError(`expected it to return the request, or nothing to start over, got ${show(made)}`)
  return {
    method: made.method === method ? method : parseMethod(made.method),
    path: parsePath(made.path),
    headers: parseHeaders(made.headers ?? {}),
    body: made.body === undefined || made.body === null ? null : parseBody(made.body)
  }
}

const NO_BYTES = Buffer.alloc(0)

module.exports = { Script }
