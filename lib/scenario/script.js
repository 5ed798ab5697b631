'use strict'

// Owns one connection's way through its requests when hooks or ids have a say in them: builds each request when it is
// due, keeps the context of the round, and knows which hook the next answer belongs to.

const { HookError } = require('../errors')
const { show } = require('../foreign-text')
const { headersObject, parseHeaders } = require('./headers')
const { isPromise, promised } = require('./hook-answer')
const { withPlaces, findPlaces, Ids } = require('./ids')
const { isIdempotent, parseMethod, parsePath, parseBody } = require('./request')
const { serialize } = require('./serialize')

/** How often in a row a sequence may restart without a request before that is taken for a mistake. */
const MAX_RESTARTS = 1000

/**
 * @typedef {import('./sequence').Requests} Requests
 * @typedef {Record<string, any>} Context
 * @typedef {(request: Record<string, any>, context: Context) => Record<string, any> | null | undefined | false} SetupRequest
 * @typedef {(status: number, body: string, context: Context, headers: Record<string, string | string[]>) => void} OnResponse
 * @typedef {{ setupRequest?: SetupRequest, onResponse?: OnResponse }} RequestHooks
 */

/**
 * @typedef {object} Step one request of the sequence
 * @property {import('./request').Request} request
 * @property {Buffer | null} bytes null when a hook makes the request
 * @property {number[]} places of ids in the bytes
 * @property {SetupRequest | undefined} setupRequest
 * @property {OnResponse | undefined} onResponse
 * @property {import('../response/examiner').Examiner | null} examiner null when nobody looks at answers
 * @property {number} index
 */

/**
 * @typedef {object} ScriptOptions
 * @property {ReadonlyArray<import('./request').Request>} requests
 * @property {ReadonlyArray<RequestHooks>} hooks of each request
 * @property {ReadonlyArray<import('../response/examiner').Examiner> | null} examiners of each request; null when nobody looks at answers
 * @property {import('./target').Target} target
 * @property {number} pipelining
 * @property {boolean} idReplacement
 * @property {Context} initialContext
 * @property {() => void} onReset the sequence starts over because setupRequest returned nothing
 */

/** @implements {Requests} */
class Script {
  /** @param {ScriptOptions} options */
  constructor (options) {
    this.options = options
    this.ids = new Ids()
    this.makeContext = contextMaker(options.initialContext)
    /** @type {ReadonlyArray<RequestHooks>} */
    this.hooks = []
    /** @type {ReadonlyArray<import('../response/examiner').Examiner> | null} */
    this.examiners = null
    /** @type {Step[]} */
    this.steps = []
    this.sending = 0
    /** @type {Context} */
    this.context = {}
    this.replace(options.requests, options.hooks, options.examiners)
    this.maxRun = options.pipelining
    // The requests in flight, oldest first, in a ring.
    /** @type {Array<Step | null>} */
    this.sentSteps = new Array(options.pipelining).fill(null)
    /** @type {Array<import('./request').Request | null>} */
    this.sentRequests = new Array(options.pipelining).fill(null)
    /** @type {Array<Context | null>} */
    this.sentContexts = new Array(options.pipelining).fill(null)
    /** @type {Array<Buffer | null>} */
    this.sentBytes = new Array(options.pipelining).fill(null)
    this.head = 0
    this.count = 0
  }

  /**
   * Starts with other requests from now on. What is in flight keeps its own.
   * @param {ReadonlyArray<import('./request').Request>} requests
   * @param {ReadonlyArray<RequestHooks>} hooks of each
   * @param {ReadonlyArray<import('../response/examiner').Examiner> | null} examiners of each
   */
  replace (requests, hooks, examiners) {
    this.hooks = hooks
    this.examiners = examiners
    this.steps = requests.map((request, index) => this.makeStep(request, index))
    this.restart()
  }

  /** The next request is the first one, of a new round. */
  restart () {
    this.sending = 0
    this.context = this.makeContext()
  }

  /**
   * @param {import('./request').Request} request
   * @param {number} index
   * @returns {Step}
   */
  makeStep (request, index) {
    const { target, idReplacement } = this.options
    const { setupRequest, onResponse } = this.hooks[index] ?? {}
    const examiner = this.examiners === null ? null : this.examiners[index]
    if (setupRequest !== undefined) return { request, bytes: null, places: [], setupRequest, onResponse, examiner, index }
    const bytes = this.serialize(request, target)
    return { request, bytes, places: idReplacement ? findPlaces(bytes) : [], setupRequest, onResponse, examiner, index }
  }

  /**
   * @param {import('./request').Request} request
   * @param {import('./target').Target} target
   */
  serialize (request, target) {
    if (!this.options.idReplacement) return serialize(request, target)
    return serialize(withPlaces(request.path === null ? { ...request, path: decodeTags(target.path) } : request), target)
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
      const step = this.steps[this.sending]
      const { context } = this
      last = step.index
      // Before the hook, which may change what follows this request.
      if (this.sending + 1 === this.steps.length) this.restart()
      else this.sending++
      if (step.setupRequest === undefined) {
        return this.push(step, step.request, context, this.withIds(/** @type {Buffer} */ (step.bytes), step.places))
      }
      const request = this.setUp(step, step.setupRequest, context)
      if (request !== null) {
        const bytes = this.serialize(request, this.options.target)
        return this.push(step, request, context, this.options.idReplacement ? this.withIds(bytes, findPlaces(bytes)) : bytes)
      }
      this.restart()
      this.options.onReset()
    }
    throw new HookError(`setupRequest of request ${last} returned nothing ${MAX_RESTARTS} times in a row: no request is left to send`)
  }

  /**
   * @param {Step} step
   * @param {SetupRequest} setupRequest
   * @param {Context} context
   * @returns {import('./request').Request | null} null when the sequence is to start over
   */
  setUp ({ request, index }, setupRequest, context) {
    const { method, path, headers, body } = request
    const fresh = {
      method,
      path: path ?? this.options.target.path,
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
    return this.steps[this.sending].request
  }

  /**
   * Changes the request that is sent next, and from then on at each round. What is in flight keeps its step.
   * @param {import('./request').Request} request
   */
  edit (request) {
    this.steps[this.sending] = this.makeStep(request, this.sending)
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

/**
 * `[<id>]` in the path of a URL has been percent-encoded with it.
 * @param {string} path
 */
function decodeTags (path) {
  return path.replace(/(?:\[|%5B)(?:<|%3C)id(?:>|%3E)(?:\]|%5D)/gi, '[<id>]')
}

/**
 * @param {Context} initial
 * @returns {() => Context} makes a context that shares nothing with the one before, where that can be
 */
function contextMaker (initial) {
  if (Object.values(initial).every(value => typeof value !== 'object' || value === null)) return () => ({ ...initial })
  try {
    structuredClone(initial)
    return () => structuredClone(initial)
  } catch {
    // Functions and the like can't be cloned: they are shared.
    return () => ({ ...initial })
  }
}

module.exports = { Script }
