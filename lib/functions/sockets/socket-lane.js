'use strict'

// One WebSocket of a user function: its connection sends messages, matches responses to them, and settles all waiting
// calls at its end. Several messages may be in flight.

const { codeOf, CODES } = require('../../core/errors')
const { NOT_YET, IDLE } = require('../../users/sequence')
const { RequestError } = require('../call')
const { ends } = require('../ends')
const { Events } = require('../events')
const { FunctionSource } = require('../function-source')
const { Message } = require('./message')
const { MessageCall, Post } = require('./message-call')
const { readMessageOptions } = require('./socket-options')
const { Socket } = require('./socket')
const { Waiting } = require('../waiting')

const NORMAL = 1000

/** For receivers that do not read the bytes. @type {Buffer} */
const NO_BYTES = Buffer.alloc(0)

/**
 * @typedef {import('../iteration').Iteration} Iteration
 *
 * @typedef {object} SocketConnection
 * @property {import('../../users/sequence').Source} source
 * @property {{ left: number }} budget
 * @property {boolean} ended
 * @property {boolean} isOpen
 * @property {{ count: number, oldest: number, started: ArrayLike<number> }} exchanges
 * @property {(at: number) => void} checkDeadline
 * @property {() => void} conclude
 * @property {() => void} finish
 * @property {() => void} quit it is not opened any more
 * @property {() => void} open
 * @property {(frame: Buffer) => void} post
 * @property {() => void} ping
 * @property {(code: number, reason: string) => void} depart
 * @property {(row: number, message: Buffer) => void} deliver what a row waits for
 *
 * @typedef {object} SocketNeeds shared by the WebSockets of a generator
 * @property {import('../events').Backlog} backlog
 * @property {(given: unknown) => { frame: Buffer, payload: Buffer }} messageOf
 * @property {(given: unknown) => any} readMatch
 * @property {(reading: any, payload: Buffer, threw: (error: unknown) => void) => any} ruleFor
 * @property {(given: ReadonlyArray<readonly [string, string]>) => void} checkHeaders
 * @property {(code: unknown, reason: unknown) => void} checkClose
 * @property {() => any} events where messages are timed that respond to nothing
 * @property {(lane: SocketLane) => SocketConnection} connect that it is the source of
 */

/** @extends {FunctionSource<SocketConnection>} */
class SocketLane extends FunctionSource {
  /**
   * @param {import('../function-user').FunctionUser} user
   * @param {Iteration} iteration
   * @param {import('../requests/requests').PreparedSocket} prepared
   * @param {ReturnType<typeof import('./socket-options').readSocketOptions>} options
   * @param {SocketNeeds} needs
   */
  constructor (user, iteration, prepared, options, needs) {
    const { own, onRetry, findings } = user.home
    // It connects when it begins.
    super(user, /** @type {any} */ (null), { random: user.draw, own, onRetry, findings, session: null })
    const { target, request, url } = prepared
    this.iteration = iteration
    this.needs = needs
    this.prepared = prepared
    this.target = target
    this.url = url
    this.request = request
    this.protocols = options.protocols
    this.compressed = options.compressed === true
    this.name = options.name
    this.match = needs.readMatch(options.match ?? 'next')
    this.timeout = options.timeoutMs
    /** Own timeouts of messages, by row. @type {Array<number | null>} */
    this.timeouts = []
    /** Whether it lasts as long as the user. */
    this.keeps = options.keep ?? (user.iteration === iteration && user.isSettingUp)
    /** Messages that are not written yet. */
    this.queue = new Waiting()
    /** Messages in flight, by row. @type {Array<MessageCall | null>} */
    this.calls = []
    /**
     * The message with the response that is judged.
     * @type {MessageCall | import('./planned-message').PlannedMessage | null}
     */
    this.judged = null
    /** Whether the message that is read is text. */
    this.isText = true
    this.events = new Events(needs.backlog, () => user.closed, () => user.runtime.later(() => this.look()))
    this.isOpening = true
    /** Whether the function has closed it. @type {{ code: number, reason: string } | null} */
    this.leaving = null
    /** @type {{ code: number, reason: string } | null} */
    this.closed = null
    /** Why it can't be used any more. @type {RequestError | null} */
    this.error = null
    /** @type {Array<() => void>} */
    this.leavers = []
    /** @type {Array<{ resolve: (ms: number) => void, reject: (error: Error) => void, iteration: Iteration }>} */
    this.pings = []
    this.protocol = null
    this.bytes = NO_BYTES
    this.askedAt = user.runtime.now()
    this.socket = new Socket(this)
    /** @type {Promise<Socket>} */
    this.promise = new Promise(ends.keep)
    /** @type {(socket: Socket) => void} */
    this.resolve = ends.resolve
    /** @type {(error: Error) => void} */
    this.refuse = ends.reject
    ends.forget()
    this.promise.catch(() => {})
  }

  /** Opens its connection. */
  begin () {
    const { needs, timeout, user: { runtime } } = this
    this.connection = needs.connect(this)
    this.connection.open()
    if (timeout !== null) this.watch(runtime.now() + timeout)
  }

  // Calls of the function.

  /** @type {(given: unknown, options: unknown) => Promise<Message>} */
  send (given, options) {
    const { user, needs } = this
    const { runtime } = user
    const { match, name = this.name, timeoutMs, expect, check, capture } = readMessageOptions(options)
    const message = needs.messageOf(given)
    const prepared = runtime.requests.message(this.target, this.request, { name, expect, capture, check })
    const iteration = this.usable()
    const at = runtime.now()
    const call = new MessageCall(iteration, { ...prepared, timeout: timeoutMs }, this, message, at)
    call.rule = needs.ruleFor(match === undefined ? this.match : needs.readMatch(match), message.payload, error => {
      call.failure = /** @type {Error} */ (error)
    })
    const promise = this.ask(call, at)
    return user.grouped === null ? promise : user.grouped.add(promise)
  }

  /** @type {(call: MessageCall | import('./planned-message').PlannedMessage, at: number) => Promise<any>} */
  ask (call, at) {
    call.iteration.change(at, 1, 0)
    this.put(call)
    return call.promise
  }

  /** @type {(given: unknown) => Promise<void>} */
  post (given) {
    const { frame } = this.needs.messageOf(given)
    this.usable()
    const post = new Post(frame)
    this.put(post)
    return post.promise
  }

  /** @returns {Promise<number>} */
  ping () {
    const iteration = this.usable()
    const { runtime } = this.user
    iteration.change(runtime.now(), 1, 0)
    const promise = new Promise((resolve, reject) => { this.pings.push({ resolve, reject, iteration }) })
    promise.catch(() => {})
    // Earlier messages are written first.
    if (this.pings.length === 1) runtime.later(() => { if (this.connection.isOpen) this.connection.ping() })
    return promise
  }

  /** @type {(code?: unknown, reason?: unknown) => Promise<void>} */
  close (code = NORMAL, reason = '') {
    this.needs.checkClose(code, reason)
    if (this.error !== null || this.connection.ended) return Promise.resolve()
    this.leaving ??= { code: /** @type {number} */ (code), reason: /** @type {string} */ (reason) }
    const promise = /** @type {Promise<void>} */ (new Promise(resolve => { this.leavers.push(() => resolve()) }))
    // Earlier messages are written first.
    this.user.runtime.later(() => this.depart())
    return promise
  }

  /** Iterates over messages that respond to nothing. */
  iterator () {
    const { events, user } = this
    return {
      next: async () => {
        const oldest = await events.next()
        user.iteration?.change(user.runtime.now(), 0, 0)
        return oldest === null ? { done: true, value: undefined } : { done: false, value: oldest.message }
      },
      [Symbol.asyncIterator] () { return this }
    }
  }

  /**
   * @returns {Iteration} that calls it
   * @throws {RequestError}
   */
  usable () {
    const { user, error, keeps } = this
    const iteration = keeps ? user.iteration ?? this.iteration : this.iteration
    if (iteration !== user.iteration || iteration.over) {
      const over = this.errorOf('AC_ITERATION_OVER')
      over.isMistake = !iteration.isCut
      throw over
    }
    iteration.hasAsked = true
    if (error !== null) throw this.errorOf(error.code, error.message)
    if (this.leaving !== null) throw this.errorOf('AC_WS_CLOSED')
    return iteration
  }

  /** @param {MessageCall | Post} item */
  put (item) {
    this.queue.push(/** @type {any} */ (item))
    this.user.runtime.wake(/** @type {any} */ (this.connection))
  }

  /** It is closed once nothing is in flight. */
  depart () {
    const { connection, leaving } = this
    if (leaving === null || connection.ended || !connection.isOpen || !this.isIdle) return
    this.error ??= this.errorOf('AC_WS_CLOSED')
    connection.depart(leaving.code, leaving.reason)
  }

  /** Whether it has a message in flight. */
  get isBusy () {
    return this.connection.exchanges.count > 0
  }

  /** Whether the function waits for a message that responds to nothing, for its end, or until a message is written. */
  get isAwaited () {
    return this.events.areAwaited || this.leavers.length > 0 || this.queue.length > 0
  }

  /** Whether nothing of it waits for the server. */
  get isIdle () {
    return this.queue.length === 0 && this.pings.length === 0 && this.connection.exchanges.count === 0
  }

  /** Its iteration has ended, or its user. */
  leave () {
    this.keeps = false
    const over = this.errorOf('AC_ITERATION_OVER', 'the iteration ended while a user function read a WebSocket')
    this.leaving ??= { code: NORMAL, reason: '' }
    this.events.drop(over)
    if (this.isOpening || !this.connection.isOpen) this.connection.quit()
    else this.depart()
  }

  /** @param {Iteration} iteration that is aborted */
  dropQueue (iteration) {
    this.refuseQueue(() => this.errorOf('AC_ITERATION_OVER'))
    if (this.isOpening && this.iteration === iteration) this.connection.quit()
  }

  /** Unwritten messages are dropped. @param {() => Error} errorOf each of them */
  refuseQueue (errorOf) {
    for (const item of /** @type {any[]} */ (this.queue.takeAll())) {
      if (item instanceof Post) item.refuse(errorOf())
      else {
        item.reject(errorOf())
        this.settle(item.iteration)
      }
    }
  }

  /** Nothing but the end of the socket comes any more. @param {() => Error} errorOf all that waits for more */
  refuseAll (errorOf) {
    if (this.isOpening) {
      this.isOpening = false
      this.refuse(errorOf())
      this.settle(this.iteration)
    }
    this.refuseQueue(errorOf)
    for (const { reject, iteration } of this.pings.splice(0)) {
      reject(errorOf())
      this.settle(iteration)
    }
    for (const leave of this.leavers.splice(0)) leave()
  }

  /** @param {Iteration} iteration one thing less goes on for it */
  settle (iteration) {
    const { user } = this
    user.settled(iteration, user.runtime.now())
  }

  /** @type {(code: string, message?: string, name?: string) => RequestError} */
  errorOf (code, message = /** @type {Record<string, string>} */ (CODES)[code], name = this.name) {
    return new RequestError(code, message, { method: 'GET', url: this.url, name })
  }

  /** The run is over. */
  drop () {
    const ended = () => this.errorOf('AC_RUN_ENDED')
    this.error ??= ended()
    for (const call of this.calls) call?.reject(ended())
    this.refuseAll(ended)
    this.events.drop(ended())
  }

  // Events of the peer.

  /** @param {number} row */
  ruleOf (row) {
    return /** @type {MessageCall} */ (this.calls[row]).rule
  }

  /** @type {(isText: boolean, bytes: Buffer) => unknown} */
  received (isText, bytes) {
    return new Message(isText, bytes, this.url)
  }

  /** @param {boolean} isText */
  begins (isText) {
    this.isText = isText
  }

  /** Nothing is sent for that row: it waits for a message. @param {number} row */
  waits (row) {}

  get isListening () {
    return false
  }

  /** @param {any} message that responds to nothing, as it was `received` */
  take (message) {
    const { events } = this
    if (events.areFar) this.flood()
    events.push(message, message.body.length)
  }

  look () {
    this.events.isLookedAt = false
    if (this.events.areMany) this.flood()
  }

  /** The socket stays, for messages that have responses. */
  flood () {
    this.events.drop(this.errorOf('AC_UNREAD_EVENTS',
      'a user function reads the messages of a WebSocket more slowly than they arrive: too many wait for it'))
  }

  /**
   * The server has responded to the handshake.
   * @type {(status: number, raw: string[], protocol: string | null) => void}
   */
  responded (status, raw, protocol) {
    this.protocol = protocol
    const { session } = this.user.home
    session?.takeCookies(raw, this.request, this.target, this.user.runtime.now())
  }

  /** @type {(code: number, reason: string, error: string) => void} */
  closing (code, reason, error) {
    this.closed = { code, reason }
    const closing = `the server closed the WebSocket ${code === 1005 ? 'without a code' : `with the code ${code}`}`
    this.error ??= this.errorOf(error, reason === '' ? closing : `${closing}: ${reason}`)
  }

  /** @param {number} ms */
  ponged (ms) {
    for (const { resolve, iteration } of this.pings.splice(0)) {
      resolve(ms)
      this.settle(iteration)
    }
    this.depart()
  }

  /** Where messages that respond to nothing are timed. @returns {any} */
  eventCounts () {
    return this.needs.events()
  }

  // The source of its connection.

  opened () {
    this.isOpening = false
    this.resolve(this.socket)
    this.settle(this.iteration)
  }

  /** @type {import('../../users/sequence').Source['next']} */
  next (n, rows, now) {
    for (let item = /** @type {any} */ (this.queue.take()); item !== undefined; item = this.queue.take()) {
      if (item instanceof Post) {
        this.connection.post(item.frame)
        item.resolve()
        continue
      }
      return this.writeCall(item, rows, now())
    }
    this.readyAt = IDLE
    return NOT_YET
  }

  /** @type {(call: MessageCall, rows: import('../../users/sequence').Rows, at: number) => 1} */
  writeCall (call, rows, at) {
    const { free: row } = rows
    const ms = call.timeout ?? this.timeout
    const timeouts = /** @type {Array<number | null>} */ (this.timeouts)
    this.calls[row] = call
    timeouts[row] = call.timeout
    // It is sent once, so its bytes are not needed again.
    if (call.step.expected !== null && call.expected !== null) rows.expected[row] = call.expected
    rows.write(row, call.step, call.iteration.context, call.request, /** @type {any} */ (null))
    this.bytes = call.frame
    this.isNews = false
    if (ms !== null) this.watch(at + ms)
    return 1
  }

  get isWatched () {
    return !this.connection.ended && !this.user.closed
  }

  nextDeadline () {
    const { connection: { exchanges: { started } }, calls, timeout } = this
    let next = Infinity
    for (let row = 0; row < calls.length; row++) {
      const ms = calls[row]?.timeout ?? timeout
      if (calls[row] && ms !== null) next = Math.min(next, started[row] + ms)
    }
    return next
  }

  goesOn () {
    return false
  }

  /** @type {(response: any, row: number) => boolean} */
  accepts (response, row) {
    const call = this.judged = /** @type {MessageCall} */ (this.calls[row])
    return call.receive(response)
  }

  /** @type {FunctionSource<any>['judgesLater']} */
  judgesLater (stage, isUnexpected) {
    this.judged?.judgesLater(stage, isUnexpected)
  }

  /** @type {(at: number, row: number) => void} */
  responseEnded (at, row) {
    this.release(row).complete(at)
    this.depart()
  }

  /** @type {(reason: string, at: number, row: number) => void} */
  cut (reason, at, row) {
    this.release(row).miss(reason, at)
    this.depart()
  }

  /** @type {(error: Error & { code?: string }, at: number, row: number) => boolean} */
  lost (error, at, row) {
    const call = this.release(row)
    // Rejecting may end the run, so the error is counted before.
    queueMicrotask(() => call.fail(codeOf(error), error.message, at))
    return false
  }

  /** @param {number} row */
  release (row) {
    const call = /** @type {MessageCall} */ (this.calls[row])
    this.calls[row] = null
    this.isNews = true
    return call
  }

  /** @param {Error & { code?: string } | null} error the connection has ended; null for an end without an error */
  brokeOff (error) {
    if (error !== null) this.error = this.errorOf(codeOf(error), error.message)
    else this.error ??= this.errorOf(this.isOpening ? 'AC_CLOSED' : 'AC_WS_ABNORMAL')
  }

  /** A message is not redirected. @returns {null} */
  stranded () {
    return null
  }

  /** @type {(since: number, at: number) => void} */
  leftWaiting (since, at) {
    this.user.abandoned(Math.max(since, this.askedAt), at)
  }

  /** Its connection has nothing left to do. */
  ended () {
    const { user, leaving, closed } = this
    // The amount of the run is used up: an error while other requests are in flight would abort the iteration.
    if (this.error === null && leaving === null && user.connection.budget.left === 0) return user.socketEnded()
    user.sockets?.open.delete(this)
    if (user.closed) return user.socketEnded()
    const error = this.error ??= this.errorOf('AC_WS_CLOSED')
    const again = () => this.errorOf(error.code, error.message)
    const isOrderly = leaving !== null || (closed !== null && [1000, 1001, 1005].includes(closed.code))
    this.closed ??= leaving
    this.events.end(isOrderly ? null : again())
    this.refuseAll(again)
    user.socketEnded()
  }
}

module.exports = { SocketLane }
