'use strict'

// Owns one connection's way through its requests when hooks or ids have a say in them: builds each request when it is
// due, keeps the context of the round, and knows which hook the next answer belongs to.

const { HookError } = require('../errors')
const { show } = require('../foreign-text')
const { encode } = require('./compiled-scenario')
const { headersObject, parseHeaders } = require('./headers')
const { isPromise, promised } = require('./hook-answer')
const { Ids } = require('./ids')
const { isIdempotent, parseMethod, parsePath, parseBody } = require('./request')

/** How often in a row a sequence may restart without a request before that is taken for a mistake. */
const MAX_RESTARTS = 1000

/**
 * @typedef {import('./sequence').Requests} Requests
 * @typedef {import('./context').Context} Context
 * @typedef {import('./compiled-scenario').CompiledStep} Step
 * @typedef {import('./compiled-scenario').CompiledScenario} CompiledScenario
 */

/** @implements {Requests} */
class Script {
  /**
   * @param {CompiledScenario} scenario
   * @param {() => void} onReset the scenario starts over because setupRequest returned nothing
   */
  constructor (scenario, onReset) {
    const { pipelining } = scenario.means
    this.scenario = scenario
    this.onReset = onReset
    this.ids = new Ids()
    this.sending = 0
    this.context = scenario.means.makeContext()
    this.maxRun = pipelining
    // The requests in flight, oldest first, in a ring.
    /** @type {Array<Step | null>} */
    this.sentSteps = new Array(pipelining).fill(null)
    /** @type {Array<import('./request').Request | null>} */
    this.sentRequests = new Array(pipelining).fill(null)
    /** @type {Array<Context | null>} */
    this.sentContexts = new Array(pipelining).fill(null)
    /** @type {Array<Buffer | null>} */
    this.sentBytes = new Array(pipelining).fill(null)
    this.head = 0
    this.count = 0
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
   * @throws {HookError}
   */
  next (n) {
    if (n === 1) return this.one()
    const all = new Array(n)
    for (let i = 0; i < n; i++) all[i] = this.one()
    return Buffer.concat(all)
  }

  /** @returns {Buffer} the bytes of the next request, which is in flight from now on */
  one () {
    let last = 0
    for (let restarts = 0; restarts < MAX_RESTARTS; restarts++) {
      const { context, scenario } = this
      const step = scenario.steps[this.sending]
      last = step.index
      // Before the hook, which may change what follows this request.
      if (this.sending + 1 === scenario.steps.length) this.restart()
      else this.sending++
      if (step.setupRequest === undefined) {
        return this.push(step, step.request, context, this.withIds(/** @type {Buffer} */ (step.bytes), step.places))
      }
      const request = this.setUp(step, step.setupRequest, context)
      if (request !== null) {
        const { bytes, places } = encode(request, step.target, scenario.means)
        return this.push(step, request, context, this.withIds(bytes, places))
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

  /**
   * @param {Buffer} bytes
   * @param {number[]} places
   */
  withIds (bytes, places) {
    if (places.length === 0) return bytes
    const own = Buffer.from(bytes)
    this.ids.write(own, places)
    return own
  }

  /**
   * @param {Step} step
   * @param {import('./request').Request} request
   * @param {Context} context
   * @param {Buffer} bytes
   */
  push (step, request, context, bytes) {
    let tail = this.head + this.count
    if (tail >= this.maxRun) tail -= this.maxRun
    this.sentSteps[tail] = step
    this.sentRequests[tail] = request
    this.sentContexts[tail] = context
    this.sentBytes[tail] = bytes
    this.count++
    return bytes
  }

  answeringMethod () {
    return this.answeringRequest().method
  }

  /** @returns {import('./request').Request} */
  answeringRequest () {
    return /** @type {import('./request').Request} */ (this.sentRequests[this.head])
  }

  answeringExaminer () {
    return this.answeringStep().examiner
  }

  /** @returns {Step} of the oldest request in flight */
  answeringStep () {
    return /** @type {Step} */ (this.sentSteps[this.head])
  }

  /** @returns {Context} of the oldest request in flight */
  answeringContext () {
    return /** @type {Context} */ (this.sentContexts[this.head])
  }

  answered () {
    this.sentSteps[this.head] = null
    this.sentRequests[this.head] = null
    this.sentContexts[this.head] = null
    this.sentBytes[this.head] = null
    if (++this.head === this.maxRun) this.head = 0
    this.count--
  }

  /** @param {number} n */
  repeatable (n) {
    let count = 0
    while (count < n && isIdempotent(this.sentRequests[(this.head + n - 1 - count) % this.maxRun]?.method ?? '')) count++
    return count
  }

  /**
   * As they were: no hook is called again, and no id is another one.
   * @param {number} left
   * @param {number} n
   */
  repeat (left, n) {
    const first = this.head + this.count - left
    return Buffer.concat(Array.from({ length: n }, (_, i) => /** @type {Buffer} */ (this.sentBytes[(first + i) % this.maxRun])))
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

module.exports = { Script }
