'use strict'

// The argument of a user function: one iteration of one user. Lazy: an unused part costs nothing.

const { types } = require('node:util')
const { reasonOf } = require('../checks/failure')
const { isRecord, show } = require('../core/foreign-text')
const { redactedText } = require('../core/secrets')
const { parseSeconds } = require('../core/numbers')
const { follow, isPromise } = require('../requests/hook-result')
const { Sampled } = require('./function-response')
const { runGroup } = require('./group-calls')
const { FORM, METHODS, OF_ALL, OF_HTTP } = require('./habits')
const { misuse } = require('./misuse')

/**
 * @typedef {import('./function-response').FunctionResponse} FunctionResponse
 * @typedef {import('./stream-call').StreamCall} StreamCall
 */

/** The limit of a pause, s: a longer one is a mistake. */
const LONGEST_PAUSE = 2_000_000

/** Seconds by text, of a limited number of texts. @type {Map<string, number>} */
const TIMES = new Map()
const MOST_TIMES = 100

/** Other tools have the body before the options. */
const ONE_MORE = 'expected no further argument after the options: the body is a key of the options, as in ' +
  'http.post(path, { body, headers })'

class Http {
  #iteration

  /** @param {Iteration} iteration */
  constructor (iteration) {
    this.#iteration = iteration
  }

  /** @type {(where: unknown, options?: unknown, more?: unknown) => Promise<FunctionResponse>} */
  get (where, options, more) { return this.#iteration.send('GET', where, options, this.get, more) }
  /** @type {(where: unknown, options?: unknown, more?: unknown) => Promise<FunctionResponse>} */
  head (where, options, more) { return this.#iteration.send('HEAD', where, options, this.head, more) }
  /** @type {(where: unknown, options?: unknown, more?: unknown) => Promise<FunctionResponse>} */
  post (where, options, more) { return this.#iteration.send('POST', where, options, this.post, more) }
  /** @type {(where: unknown, options?: unknown, more?: unknown) => Promise<FunctionResponse>} */
  put (where, options, more) { return this.#iteration.send('PUT', where, options, this.put, more) }
  /** @type {(where: unknown, options?: unknown, more?: unknown) => Promise<FunctionResponse>} */
  patch (where, options, more) { return this.#iteration.send('PATCH', where, options, this.patch, more) }
  /** @type {(where: unknown, options?: unknown, more?: unknown) => Promise<FunctionResponse>} */
  delete (where, options, more) { return this.#iteration.send('DELETE', where, options, this.delete, more) }

  /** @param {string} method @param {unknown} where @param {unknown} [options] @param {unknown} [more] */
  request (method, where, options, more) {
    return this.#iteration.send(method, where, options, this.request, more)
  }

  /** @type {(where: unknown, options?: unknown) => Promise<FunctionResponse>} a loop takes it as well */
  stream (where, options) { return this.#iteration.stream(where, options, this.stream) }

  /** @type {(name: string, caller: Function) => Promise<never>} */
  unknown (name, caller) { return this.#iteration.unknown(`http.${name}`, OF_HTTP[name], caller) }
}

for (const name of Object.keys(OF_HTTP)) {
  Object.defineProperty(Http.prototype, name, {
    value: function unknown () { return this.unknown(name, unknown) }, configurable: true, writable: true
  })
}

/** A lower number is hardly in ms. */
const MOST_SECONDS = 10

class Iteration {
  /**
   * @param {import('./function-user').FunctionUser} user
   * @param {number} number from 0 on
   * @param {import('../templates/context').Context} context
   * @param {any} setup the return value of its module's `setup`
   */
  constructor (user, number, context, setup) {
    this.functionUser = user
    this.number = number
    this.context = context
    this.setup = setup
    /** Whether its function has ended, so that nothing is sent for it any more. */
    this.over = false
    /** Whether an error ended it: other branches of the function may go on. */
    this.isCut = false
    this.hasAsked = false
    /** The number of requests without an outcome. */
    this.requests = 0
    /** Streams without an outcome; null before the first. @type {Set<StreamCall> | null} */
    this.streams = null
    /** The number of pending pauses. */
    this.pauses = 0
    /** Since when only pauses are pending; NaN otherwise. */
    this.restsFrom = NaN
    /** The time with only pauses pending, ms: it is not the server's. */
    this.paused = 0
    /** The last time a request or pause began or ended, or a WebSocket message was read; at first, its begin. */
    this.changedAt = NaN
  }

  /**
   * @param {number} at the time now
   * @param {number} requests more that have no outcome
   * @param {number} pauses more that go on
   */
  change (at, requests, pauses) {
    if (!Number.isNaN(this.restsFrom)) this.paused += at - this.restsFrom
    this.changedAt = at
    this.requests += requests
    this.pauses += pauses
    this.restsFrom = this.pauses > 0 && this.requests === 0 ? at : NaN
  }

  get http () {
    return new Http(this)
  }

  get ws () {
    const ws = (/** @type {unknown} */ where, /** @type {unknown} */ options) => {
      try {
        return this.functionUser.webSockets.connect(this, where, options)
      } catch (error) {
        return this.refuse(error, where, ws, 'ws')
      }
    }
    return ws
  }

  /** @returns {number} how many iterations the user has had before */
  get iteration () {
    return this.number
  }

  /** @returns {Record<string, any>} rows of data by source */
  get data () {
    return this.context
  }

  /** @returns {{ number: number, state: any }} */
  get user () {
    const { number, state } = this.functionUser
    return { number, state }
  }

  get random () {
    return this.functionUser.random
  }

  get signal () {
    return this.functionUser.runtime.signal
  }

  /** @returns {(...details: unknown[]) => void} */
  get log () {
    return (...details) => this.functionUser.runtime.log(details)
  }

  get pause () {
    const pause = (/** @type {unknown} */ from, /** @type {unknown} */ to) => {
      try {
        return this.functionUser.pauses.beginCalled(this, this.lengthOf(from, to), from, pause)
      } catch (error) {
        return this.functionUser.refuse(misuse(/** @type {Error} */ (error), pause))
      }
    }
    return pause
  }

  get sleep () {
    const sleep = () => this.unknown('sleep', OF_ALL.sleep, sleep)
    return sleep
  }

  get check () {
    return (/** @type {unknown} */ value, /** @type {unknown} */ checks) => this.judge(value, checks)
  }

  get group () {
    return (/** @type {unknown} */ name, /** @type {unknown} */ run) => runGroup(this, name, run)
  }

  /**
   * @param {string} method
   * @param {unknown} where
   * @param {unknown} options
   * @param {Function} caller with stack frames that mean nothing to a user
   * @param {unknown} more that it was called with
   * @returns {Promise<FunctionResponse>}
   */
  send (method, where, options, caller, more) {
    try {
      if (more !== undefined) throw new TypeError(ONE_MORE)
      return this.functionUser.send(this, method, where, options)
    } catch (error) {
      return this.refuse(error, where, caller, `http.${caller.name}`)
    }
  }

  /**
   * @param {unknown} where
   * @param {unknown} options
   * @param {Function} caller with stack frames that mean nothing to a user
   * @returns {Promise<FunctionResponse>} a loop takes it as well
   */
  stream (where, options, caller) {
    try {
      return this.functionUser.stream(this, where, options)
    } catch (error) {
      return require('./stream-call').refused(this.refuse(error, where, caller, 'http.stream'))
    }
  }

  /** @type {(error: unknown, where: unknown, caller: Function, called: string) => Promise<never>} */
  refuse (error, where, caller, called) {
    if (!(error instanceof TypeError)) {
      Error.captureStackTrace(/** @type {Error} */ (error), caller)
      return this.functionUser.refuse(error)
    }
    const place = typeof where === 'string' || where instanceof URL ? redactedText(String(where)) : where
    return this.functionUser.refuse(misuse(new TypeError(`${called}(${show(place)}): ${error.message}`), caller))
  }

  /**
   * @param {string} what there is elsewhere
   * @param {string} instead of it
   * @param {Function} caller with stack frames that mean nothing to a user
   * @returns {never} It throws at once: elsewhere such calls block, so no await waits for a promise
   */
  unknown (what, instead, caller) {
    throw misuse(new TypeError(`there is no ${what} here: ${instead}`), caller)
  }

  /** @type {(from: unknown, to: unknown) => number} */
  lengthOf (from, to) {
    const [least, most] = to === undefined ? [secondsOf(from), null] : [secondsOf(from), secondsOf(to)]
    if (most !== null && most < least) {
      throw new TypeError(`pause: expected the shorter time first, got ${show(from)} and ${show(to)}`)
    }
    // With ms instead of seconds, the iteration would never end within the run, without an error.
    const { runtime } = this.functionUser
    if (typeof from === 'number' && least * 1000 >= runtime.longPause && from >= MOST_SECONDS) runtime.onLongPause(from)
    return (most === null ? least : least + this.functionUser.draw() * (most - least)) * 1000
  }

  /**
   * @param {unknown} value that the checks are about
   * @param {unknown} checks functions of it by name
   * @param {boolean} [hasReasons] whether a text is the reason of a failed check, as in a check of a request; otherwise
   *   it is a truthy value
   * @returns {boolean} whether all of them passed
   * @throws {TypeError}
   */
  judge (value, checks, hasReasons = false) {
    if (!isRecord(checks)) throw new TypeError(`check: expected an object of functions by name, got ${show(checks)}`)
    const response = value instanceof Sampled ? value : null
    let good = true
    for (const name in checks) {
      const reason = reasonFor(name, /** @type {any} */ (checks)[name], value, hasReasons)
      const tally = this.functionUser.runtime.checks.of(name, response?.name ?? null)
      if (reason === null) tally.passed++
      else {
        good = false
        tally.fail(reason, response === null ? null : () => response.sample())
        this.functionUser.runtime.onFailedCheck()
      }
    }
    return good
  }
}

/** The argument of a function is used as if it were http. */
function misplaced () {
  throw misuse(
    new TypeError(`a user function is given one object, and its requests are those of http: ${FORM}`), misplaced
  )
}

for (const name of METHODS) {
  Object.defineProperty(Iteration.prototype, name, { value: misplaced, configurable: true, writable: true })
}
// The name in Locust.
Object.defineProperty(Iteration.prototype, 'client', { get: misplaced, configurable: true })

/**
 * @param {string} name
 * @param {unknown} check
 * @param {unknown} value
 * @param {boolean} hasReasons
 * @returns {string | null} why it failed
 * @throws {TypeError}
 */
function reasonFor (name, check, value, hasReasons) {
  if (types.isPromise(value)) {
    throw notAwaited(value, `check ${show(name)}: expected a value, got a promise: is an await missing, as in ` +
      'check(await http.get(\'/\'), { … })?')
  }
  let returned = check
  if (typeof check === 'function') {
    try {
      returned = check(value)
    } catch (error) {
      return reasonOf(error)
    }
  }
  if (returned === true) return null
  if (isPromise(returned)) {
    throw notAwaited(returned, `check ${show(name)} returned a promise, expected true or false: await the value ` +
      'first, then check it, as in check(await …, { … })')
  }
  if (types.isNativeError(returned) || (hasReasons && typeof returned === 'string')) return reasonOf(returned)
  return returned ? null : `got ${show(returned)}`
}

/**
 * @param {PromiseLike<unknown>} promise may reject later, when the run has already failed
 * @param {string} message
 */
function notAwaited (promise, message) {
  follow(promise, () => {})
  const error = new TypeError(message)
  Error.captureStackTrace(error, Iteration.prototype.judge)
  return error
}

/** @param {unknown} given */
function secondsOf (given) {
  const seconds = typeof given === 'string' ? secondsIn(given) : parseSeconds(given)
  if (seconds >= 0 && seconds <= LONGEST_PAUSE) return seconds
  throw new TypeError(`pause: expected seconds or a time such as '1s', got ${show(given)}`)
}

/**
 * Functions repeat a few times, and parsing one takes as much memory as a request.
 * @param {string} text
 */
function secondsIn (text) {
  const known = TIMES.get(text)
  if (known !== undefined) return known
  const seconds = parseSeconds(text)
  if (TIMES.size < MOST_TIMES) TIMES.set(text, seconds)
  return seconds
}

module.exports = { Iteration }
