'use strict'

// One request of a user function, from the call of `http.get()` to its promise.

const { ends } = require('./ends')
const { FunctionResponse } = require('./function-response')
const { AutocannonError, CODES } = require('../core/errors')
const { urlOf } = require('../requests/target')
const { Template } = require('../templates/template')

/** A request failed: its promise rejects with this. `code` is one of docs/errors.md, or of the system. */
class RequestError extends AutocannonError {
  /**
   * @param {string} code
   * @param {string} message
   * @param {{ method: string, url: string, name: string | undefined }} request
   */
  constructor (code, message, request) {
    super(code, message)
    this.request = request
    /** Whether the function caused it, not the server. */
    this.isMistake = false
  }
}

/** @typedef {import('../response/read-stream').ReadStream} ReadStream */

const noop = () => {}

class Call {
  /**
   * @param {import('./iteration').Iteration} iteration
   * @param {import('./requests/requests').PreparedRequest} prepared
   * @param {number} at the time now
   */
  constructor (iteration, prepared, at) {
    const { target, request, step, sent, redirects, timeout, name, check, compressed } = prepared
    this.iteration = iteration
    this.target = target
    this.request = request
    this.step = step
    /** The request with its known bytes; null where the bytes are made for this call. */
    this.sent = sent
    /** Not known before it is sent. @type {Buffer | null} */
    this.bytes = null
    this.isLiteral = false
    /** The last redirect that was followed. @type {import('../users/session').Hop | null} */
    this.landed = null
    this.redirects = redirects
    this.timeout = timeout
    this.name = name
    this.check = check
    this.compressed = compressed
    this.askedAt = at
    /** The next one in the queue (Waiting). @type {Call | null} */
    this.next = null
    /** The messages of its response; null where it is taken as a whole. @type {ReadStream | null} */
    this.stream = null
    /** @type {FunctionResponse | null} */
    this.response = null
    /** The exception of a check, which is no verdict. @type {Error | null} */
    this.failure = null
    /** @type {Promise<FunctionResponse>} */
    this.promise = new Promise(ends.keep)
    this.resolve = ends.resolve
    this.refuse = ends.reject
    ends.forget()
  }

  /** @param {any} error */
  reject (error) {
    // It may never be awaited, and an unhandled rejection would end the process.
    this.promise.catch(noop)
    this.refuse(error)
  }

  /** @returns {boolean} whether it is an open stream, and nothing waits for its next event */
  get isUnread () {
    return false
  }

  /** @returns {boolean} whether a part of its response has been delivered, so that nothing of it can be sent again */
  get hasBegun () {
    return false
  }

  /** @returns {boolean} whether it waits until its server can be reached */
  get waits () {
    return false
  }

  /**
   * @param {import('./lane').Lane} lane that is about to send it
   * @param {number} at the time now
   * @param {import('../requests/request').Request | null} [literal] that it was made of, with its values; null where it
   *   had none
   * @returns {Buffer | null} null when it can't be sent
   */
  bytesFor ({ session, own }, at, literal = null) {
    const { request, sent } = this
    const known = sent === null ? null : session.bytesOf(sent, own, at)
    if (known !== null) return known
    const made = session.compile(request, session.target, literal, own, at)
    if (made instanceof Template) return made.fill(own)
    this.isLiteral = literal === null
    return made
  }

  /**
   * The response is complete. Its buffer is reused after this call.
   * @param {import('../users/sender').FunctionResponse} reader
   * @returns {boolean} whether its checks have passed
   */
  receive (reader) {
    const response = this.response = this.responseOf(reader)
    if (this.check === undefined) return true
    try {
      return this.iteration.judge(response, { check: this.check }, true)
    } catch (error) {
      this.failure = /** @type {Error} */ (error)
      return false
    }
  }

  /** @type {(reader: import('../users/sender').FunctionResponse) => FunctionResponse} */
  responseOf (reader) {
    return new FunctionResponse(/** @type {any} */ (reader), this)
  }

  /** @type {import('../users/sender').Sender['judgesLater']} */
  judgesLater (stage, isUnexpected) {}

  /** @param {number} at @param {import('./lane').Lane} [lane] that has carried it */
  complete (at, lane) {
    const { functionUser: user } = this.iteration
    if (this.failure === null) this.resolve(this.response)
    else this.reject(this.failure)
    user.settled(this.iteration, at)
  }

  /** @param {string} code @param {string} message @param {number} at */
  fail (code, message, at) {
    this.reject(this.errorOf(code, message))
    this.iteration.functionUser.settled(this.iteration, at)
  }

  /** Its response lacks a value that was to be captured. @param {string} reason @param {number} at */
  miss (reason, at) {
    this.fail('AC_CAPTURE', `${reason}: the response does not have it`, at)
  }

  /** @type {(code: string, message?: string) => RequestError} */
  errorOf (code, message = CODES[code]) {
    const { target, request: { method, path }, name } = this
    return new RequestError(code, message, { method, url: urlOf(target, path), name })
  }
}

module.exports = { Call, RequestError }
