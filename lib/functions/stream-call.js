'use strict'

// One stream of a user function, from the call of `http.stream()` to its end: the promise settles with its head, and
// events are read in a loop.

const { ProtocolError } = require('../core/errors')
const { valueAt } = require('../requests/json-path')
const { FunctionResponse, knownPath } = require('./function-response')
const { Call } = require('./call')
const { NEVER } = require('./ends')
const { Events, notJson } = require('./events')

/**
 * @typedef {import('../response/reader').ResponseReader} ResponseReader
 * @typedef {import('../response/read-stream').ReadStream} ReadStream
 * @typedef {import('../response/read-stream').Sink} Sink
 *
 * @typedef {object} StreamNeeds shared by all streams of a generator
 * @property {(kind: string | null, idleMs: number | null, scenario: string | null, sink: Sink) => ReadStream} open
 * @property {import('./events').Backlog} backlog
 */

/** The kind of stream that has tokens. */
const COMPLETION = 'openai'

/** An event of a stream of Server-Sent Events. */
class ServerSentEvent {
  #request

  /** @param {{ type: string, data: string, lastEventId: string }} event @param {string} request */
  constructor ({ type, data, lastEventId }, request) {
    this.type = type
    this.data = data
    this.id = lastEventId
    this.#request = request
  }

  /**
   * @param {string} [path] of a value in its data
   * @returns {any} its data, or that value; undefined where there is none
   * @throws {ProtocolError} when its data is no JSON: not caught, it aborts the iteration
   */
  json (path) {
    const value = parsed(this.data, 'an event', this.#request)
    return path === undefined ? value : valueAt(value, knownPath(path))
  }
}

/** The head of a stream, or a response that is not a stream. */
class StreamResponse extends FunctionResponse {
  #call
  #isOpen

  /**
   * @param {ResponseReader} reader
   * @param {StreamCall} call
   * @param {number | null} ms to its head; null where it is no stream
   */
  constructor (reader, call, ms) {
    super(reader, call)
    this.#call = call
    this.#isOpen = ms !== null
    if (ms !== null) this.timings = { duration: ms, firstByte: ms }
  }

  get body () {
    if (!this.#isOpen) return super.body
    throw new TypeError('the body of a stream is read event by event: for await (const event of stream) { … }')
  }

  /** @returns {Promise<void>} resolves when it is closed */
  close () {
    return this.#call.close()
  }

  [Symbol.asyncIterator] () {
    return this.#call.iterator()
  }
}

/** @implements {Sink} */
class StreamCall extends Call {
  /**
   * @param {import('./iteration').Iteration} iteration
   * @param {import('./requests/requests').PreparedRequest} prepared
   * @param {import('./stream-options').StreamOptions} options
   * @param {StreamNeeds} needs
   * @param {number} at the time now
   */
  constructor (iteration, prepared, { kind, idleMs }, { open, backlog }, at) {
    super(iteration, prepared, at)
    const { functionUser: user } = iteration
    this.events = new Events(backlog, () => user.closed, () => user.runtime.later(() => this.look()))
    this.idleMs = idleMs
    /** That carries it; null before it is sent. @type {import('./lane').Lane | null} */
    this.lane = null
    this.kind = null
    /** Whether no event is wanted any more. */
    this.isDone = false
    /** Whether more events came at once than are kept. */
    this.isFlooded = false
    /** Whether it has its outcome. */
    this.isSettled = false
    /** Resolve promises of its end. @type {Array<() => void>} */
    this.leavers = []
    this.stream = open(kind, idleMs, user.user.kind.name, this)
    iterable(this.promise, () => this.iterator())
  }

  get hasBegun () {
    return this.kind !== null
  }

  get isUnread () {
    return this.hasBegun && !this.isDone && !this.events.areAwaited
  }

  /** @type {Sink['opened']} */
  opened (reader, kind, ms) {
    this.kind = kind
    this.landed = this.lane?.session.hop ?? null
    this.lane?.watchIdle()
    this.resolve(this.response = new StreamResponse(reader, this, ms))
  }

  /** @type {Sink['take']} */
  take (message) {
    const { type, data, lastEventId, bytes } = message
    // Of a completion, it is the end, and no JSON.
    if (this.isFlooded || (this.kind === COMPLETION && data.trim() === '[DONE]')) return
    if (this.events.areFar) return this.flood()
    this.events.push(message, bytes?.length ?? data.length + type.length + lastEventId.length)
  }

  /** One read brings more than may wait: a few compressed bytes may be millions of events. */
  flood () {
    this.isFlooded = true
    this.stream.overflow()
  }

  /** @type {Call['receive']} */
  receive (reader) {
    if (!this.hasBegun) this.response = new StreamResponse(/** @type {any} */ (reader), this, null)
    return true
  }

  /** @type {Call['complete']} */
  complete (at, lane) {
    const { response } = this
    this.settle()
    // Its status alone may be read, not the stream.
    if (!this.hasBegun && !isEmpty(response)) this.events.end(this.noStream(/** @type {FunctionResponse} */ (response)))
    else this.events.end(this.isFlooded ? new ProtocolError('AC_UNREAD_EVENTS') : this.faultAtEnd)
    super.complete(at, lane)
  }

  /** @returns {Error | null} why its last bytes or its completion are wrong, though the response is complete */
  get faultAtEnd () {
    const error = this.stream.decodingError ?? this.stream.failure
    return error === null ? null : this.errorOf(error.code, error.message)
  }

  /** @param {FunctionResponse} response */
  noStream (response) {
    const { fault } = this.stream
    const type = response.header('content-type')
    return new ProtocolError('AC_NO_STREAM', `the response to ${this.words} is not a stream: ` + (fault === null
      ? `it has status ${response.status}${type === undefined ? '' : ` and is ${type}`}`
      : fault.reason))
  }

  /** Its nouns in messages. */
  get words () {
    const { name, request: { method, path }, target } = this
    return name ?? `${method} ${path ?? target.path}`
  }

  /** @type {Call['reject']} */
  reject (error) {
    this.settle()
    super.reject(error)
    if (this.iteration.functionUser.closed) this.events.drop(error)
    else this.events.end(error)
  }

  settle () {
    this.isSettled = true
    // Until they are read or the iteration ends, events that wait count.
    if (this.events.length === 0) this.iteration.streams?.delete(this)
    for (const leave of this.leavers) leave()
    this.leavers.length = 0
  }

  /** Functions had their turn since many events wait. */
  look () {
    const { events, lane } = this
    events.isLookedAt = false
    if (!events.areMany || this.isDone || this.isSettled || lane === null) return
    this.stream.overflow()
    this.iteration.functionUser.runtime.settle(lane.connection)
  }

  /** Its iteration has ended. */
  abort () {
    this.events.drop(this.errorOf('AC_ITERATION_OVER', 'the iteration ended while a user function read a stream'))
    this.leave()
  }

  /**
   * No more is wanted of it. One whose head is not there yet is closed with that.
   * @returns {Promise<void>} resolves when it is closed
   */
  close () {
    if (!this.isDone) {
      this.events.drop(null)
      this.leave()
    }
    return this.isSettled || !this.hasBegun
      ? Promise.resolve()
      : new Promise(resolve => { this.leavers.push(resolve) })
  }

  leave () {
    this.isDone = true
    if (this.isSettled || !this.hasBegun || this.lane === null) return
    this.stream.isOver = true
    this.iteration.functionUser.runtime.settle(this.lane.connection)
  }

  iterator () {
    const { events } = this
    return {
      next: async () => {
        const oldest = await events.next()
        if (oldest === null && this.isSettled) this.iteration.streams?.delete(this)
        return oldest === null ? { done: true, value: undefined } : { done: false, value: this.read(oldest.message) }
      },
      return: async (/** @type {unknown} */ value) => {
        await this.close()
        return { done: true, value }
      },
      [Symbol.asyncIterator] () { return this }
    }
  }

  /** @param {import('../response/read-stream').Message} message */
  read (message) {
    if (this.kind === 'chunks') return message.bytes
    if (this.kind === 'sse' || this.kind === COMPLETION) return new ServerSentEvent(message, this.words)
    try {
      return parsed(message.data, 'a line', this.words)
    } catch (error) {
      // A loop that ends with an error of its stream does not close it.
      this.close()
      throw error
    }
  }
}

/** @param {FunctionResponse | null} response @returns {boolean} whether there can be no event, which is no failure */
const isEmpty = response => response !== null && (response.status === 204 || response.status === 205)

/** @type {(text: string, what: string, request: string) => any} */
function parsed (text, what, request) {
  try {
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text)
  } catch {
    throw notJson(what, request)
  }
}

/**
 * @template T
 * @param {Promise<T>} promise of a stream
 * @param {() => AsyncIterator<any>} iterate
 * @returns {Promise<T>} the same, for a loop without `await` as well
 */
function iterable (promise, iterate) {
  Object.defineProperty(promise, Symbol.asyncIterator, { value: iterate, configurable: true })
  return promise
}

/** @param {Promise<never>} promise of a stream that there is none of */
const refused = promise => iterable(promise, () => ({ next: () => promise }))

/** For a user with an ended run. */
const NEVER_STREAM = refused(NEVER)

module.exports = { NEVER_STREAM, StreamCall, refused }
