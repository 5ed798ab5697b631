'use strict'

// One connection of a user whose scenario is a function: it carries one request at a time. Parallel requests have a
// lane each.

const { codeOf } = require('../core/errors')
const { ELSEWHERE, NOT_YET, IDLE } = require('../users/sequence')
const { NO_STEP } = require('../users/user')
const { FunctionSource } = require('./function-source')

/**
 * @typedef {import('./call').Call} Call
 * @typedef {import('./stream-call').StreamCall} StreamCall
 * @typedef {import('./function-user').FunctionUser} FunctionUser
 * @typedef {import('../users/compiled-scenario').CompiledStep} CompiledStep
 * @typedef {import('../users/sequence').Rows} Rows
 */

/** @extends {FunctionSource<import('./function-user').UserConnection>} */
class Lane extends FunctionSource {
  /**
   * @param {FunctionUser} user
   * @param {import('./function-user').UserConnection} connection that it is the source of
   * @param {import('../users/sender').SenderNeeds & { session: import('../users/session').Session }} needs
   */
  constructor (user, connection, needs) {
    super(user, connection, needs)
    this.session = needs.session
    /** The call that it sends, or has in flight. @type {Call | null} */
    this.call = null
    /** The number of async checks of its responses without a verdict. */
    this.judging = 0
  }

  /** @returns {CompiledStep} */
  get step () {
    return /** @type {Call} */ (this.call).step
  }

  /** Not the step, which all requests with its name share: it may have the path and headers of another request. */
  get first () {
    const call = /** @type {Call} */ (this.call)
    return call.sent ?? call
  }

  get target () {
    return this.session.target
  }

  /** @param {Call} call which it sends as soon as its connection is open */
  take (call) {
    this.call = call
    this.isNews = false
    this.readyAt = -Infinity
    this.countNext = null
    this.timeout = call.timeout
    this.session.start(call.target, call.redirects)
    this.own.context = call.iteration.context
    if (call.stream !== null) this.expect(/** @type {StreamCall} */ (call))
  }

  /** @param {StreamCall} call that it is about to send */
  expect (call) {
    call.lane = this
    this.connection.responses.readers?.expect(call.stream)
  }

  /** @type {import('../users/sequence').Source['next']} */
  next (n, rows, now) {
    const at = now()
    if (this.call === null && !this.user.assign(this)) {
      this.readyAt = IDLE
      return NOT_YET
    }
    if (this.readyAt > at) return NOT_YET
    if (this.session.target !== this.connectedTo) return ELSEWHERE
    const call = /** @type {Call} */ (this.call)
    if (this.timeout !== null) this.watch(at + this.timeout)
    if (this.goesOnWith(call.step, rows, at)) return 1
    const bytes = call.bytesFor(this, at)
    if (bytes !== null) return this.write(call.step, call.request, bytes, rows)
    this.release().miss('value', at)
    this.readyAt = IDLE
    return NOT_YET
  }

  /** Its stream has begun. */
  watchIdle () {
    if (this.isWatched) this.watch(this.deadline)
  }

  /** Whether its request has its own timeout. */
  get isWatched () {
    const { call, timeout, connection } = this
    if (call === null || connection.ended) return false
    return call.hasBegun ? /** @type {StreamCall} */ (call).idleMs !== null : timeout !== null
  }

  /** After the time of the timer if the request was sent later than written, sent again, or replaced by another one. */
  nextDeadline () {
    return this.connection.exchanges.count > 0 ? this.deadline : Infinity
  }

  /** When its request or stream times out, with its own timeout. */
  get deadline () {
    const { call, timeout, connection: { exchanges: { started, oldest } } } = this
    return call?.hasBegun
      ? /** @type {StreamCall} */ (call).stream.lastAt + Number(/** @type {StreamCall} */ (call).idleMs)
      : started[oldest] + Number(timeout)
  }

  /** @type {import('../users/sender').Sender['goesOn']} */
  goesOn (response, at) {
    const call = /** @type {Call} */ (this.call)
    return call.hasBegun ? this.session.goesOn(response, this.first, this, at) : super.goesOn(response, at)
  }

  /** @type {import('../users/sender').Sender['accepts']} */
  accepts (response, row) {
    const call = /** @type {Call} */ (this.call)
    call.landed = this.session.hop
    const isFine = super.accepts(response, row)
    return call.receive(response) && isFine
  }

  /** @type {import('../users/sender').Sender['judgesLater']} */
  judgesLater (stage, isUnexpected) {
    /** @type {Call} */ (this.call).judgesLater(stage, isUnexpected)
  }

  /** The request has its response. @param {number} at */
  responseEnded (at) {
    this.release().complete(at, this)
  }

  /** An async check of a response has its verdict. */
  judged () {
    const { connection } = this
    this.judging--
    this.isNews = true
    if (connection.budget.left === 0 && !connection.ended) connection.conclude()
  }

  /** Its response lacks a value that was to be captured. @param {string} reason @param {number} at */
  cut (reason, at) {
    this.release().miss(reason, at)
  }

  /** @type {(error: Error & { code?: string }, at: number) => boolean} whether it is tried again */
  lost (error, at) {
    if (this.call?.hasBegun !== true && this.triesAgain(codeOf(error), at)) return true
    this.session.end()
    this.release().fail(codeOf(error), error.message, at)
    return false
  }

  /**
   * There is no connection for its next request, which fails for the function. A request of a flow waits for one,
   * unless the run ends after a number of iterations, which it would prevent.
   * @param {Error & { code?: string }} error
   * @param {number} at
   * @returns {CompiledStep | typeof NO_STEP | null}
   */
  stranded (error, at) {
    const { call, session, user: { user } } = this
    if (call === null) return null
    const isHome = call.waits && session.target === user.home
    if (isHome && user.iterations === null) return null
    // A request that was never sent does not count as failed.
    const step = isHome && this.countNext === null && session.hop === null ? NO_STEP : this.step
    this.countNext = null
    session.end()
    this.release().fail(codeOf(error), error.message, at)
    return step
  }

  /** @returns {Call} that it has carried */
  release () {
    const call = /** @type {Call} */ (this.call)
    this.call = null
    this.isNews = true
    if (call.stream !== null) this.connection.responses.readers?.expect(null)
    return call
  }

  /** @type {FunctionSource<any>['lingers']} */
  lingers () {
    return this.judging > 0 || super.lingers()
  }

  /** The run ends without a connection for its request. @type {(since: number, at: number) => void} */
  leftWaiting (since, at) {
    if (this.call !== null) this.user.abandoned(Math.max(since, this.call.askedAt), at)
  }

  /** Its connection has nothing left to do. */
  ended () {
    this.user.laneEnded(this)
  }
}

module.exports = { Lane }
