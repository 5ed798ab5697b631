'use strict'

// One request of a user: it is sent, sent again, and redirected, until there is a response that counts. A User sends
// the requests of its scenario with it, one after another.

/**
 * @typedef {import('./sequence').Source} Source
 * @typedef {import('./sequence').Rows} Rows
 * @typedef {import('./compiled-scenario').CompiledStep} CompiledStep
 *
 * @typedef {object} FunctionResponse as users see it
 * @property {number} status
 * @property {() => string[]} rawHeaders names and values alternate; the same array for a repeated head
 * @property {() => Readonly<Record<string, string | string[]>>} lowerCaseHeaders by name
 * @property {() => string} text of its body
 * @property {Promise<boolean> | null} late whether a check that takes its time has found a failure
 *
 * @typedef {object} Findings counters of findings in responses
 * @property {{ redirects: number }} counters requests that were sent because of a response
 * @property {(check: string, step: CompiledStep, reason: string | null, response: any) => void} count a check of a
 *   response to that step; no reason when it passed
 *
 * @typedef {object} SenderNeeds
 * @property {() => number} random 0 to 1, without 1; for pauses
 * @property {import('../templates/own').Own} own the values for fillers
 * @property {() => void} onRetry a request is sent again
 * @property {import('./session').Session | null} session its cookies, and the redirects that it follows; null without
 * @property {Findings} findings
 */

const NO_BYTES = Buffer.alloc(0)
/** @type {ReadonlyArray<string>} */
const NO_TEXTS = []

/** @abstract */
class Sender {
  /** @param {SenderNeeds} needs */
  constructor ({ random, own, onRetry, session, findings }) {
    this.random = random
    this.own = own
    this.onRetry = onRetry
    this.session = session
    this.findings = findings
    /** Where the connection leads. @type {import('../requests/target').Target | null} */
    this.connectedTo = null
    this.maxRun = 1
    /** @type {Buffer} */
    this.bytes = NO_BYTES
    this.readyAt = -Infinity
    /** The request that was sent last. @type {import('../requests/request').Request | null} */
    this.sent = null
    /** Expected texts of its response, where the step has some. @type {ReadonlyArray<string>} */
    this.expected = NO_TEXTS
    /** How often it was sent again so far. */
    this.retries = 0
    /** Counts the next request if it is a repetition; null for a step. @type {(() => void) | null} */
    this.countNext = null
    /**
     * An exception of a pause function: it is reported with the next request, or at the end of the connection.
     * @type {Error | null}
     */
    this.failure = null
    /** Null where streams that end are not continued. @type {import('./reconnect').Reconnect | null} */
    this.reconnect = null
    /** How long its request may take, ms; null for as long as all of the run. @type {number | null} */
    this.timeout = null
    /**
     * Of single ones by row, where several are in flight that differ in that; null elsewhere.
     * @type {Array<number | null> | null}
     */
    this.timeouts = null
  }

  /** @returns {CompiledStep} the one whose request is in flight, or is sent next */
  get step () {
    throw new Error('a sender has a step')
  }

  /** @returns {import('./session').Sent} the request that a redirect starts from */
  get first () {
    return this.step
  }

  /** @returns {import('../templates/context').Context} */
  get context () {
    return this.own.context
  }

  /** The connection has nothing left to do. */
  ended () {}

  /** Within an iteration. @type {(ms: number, at: number) => void} */
  pause (ms, at) {
    this.readyAt = at + ms
  }

  /**
   * @param {CompiledStep} step
   * @param {Rows} rows
   * @param {number} at the time now
   * @returns {boolean} whether the next request belongs to the one before: a repetition, or a redirect
   */
  goesOnWith (step, rows, at) {
    const { session } = this
    if (this.countNext !== null) return this.repeat(step, this.countNext, rows) === 1
    if (session === null || session.hop === null) return false
    this.findings.counters.redirects++
    return this.write(
      step, session.hop.request, /** @type {Buffer} */ (session.bytesOf(session.hop, this.own, at)), rows
    ) === 1
  }

  /**
   * @type {(step: CompiledStep, request: import('../requests/request').Request, bytes: Buffer, rows: Rows) => number}
   */
  write (step, request, bytes, rows) {
    if (step.expected !== null) rows.expected[rows.free] = this.expected
    rows.write(rows.free, step, this.context, request, bytes)
    this.bytes = bytes
    this.sent = request
    this.retries = 0
    return 1
  }

  /**
   * The request that was sent last is sent once more, as it was.
   * @type {(step: CompiledStep, count: () => void, rows: Rows) => number}
   */
  repeat (step, count, rows) {
    if (step.expected !== null) rows.expected[rows.free] = this.expected
    rows.write(
      rows.free, step, this.context, /** @type {import('../requests/request').Request} */ (this.sent), this.bytes
    )
    this.countNext = null
    count()
    return 1
  }

  /**
   * The last request has a response, which is not judged yet.
   * @param {FunctionResponse} response
   * @param {number} at when it came
   * @returns {boolean} whether another request follows before there is one that is judged
   */
  goesOn (response, at) {
    const { session, step } = this
    if (session !== null && session.goesOn(response, this.first, this, at)) return true
    const { retries } = step
    if (retries === null || retries.statuses[response.status] === 0 || this.retries === retries.times) return false
    this.tryAgain(retries.wait(response, this.random), at)
    return true
  }

  /**
   * @param {number} ms to wait
   * @param {number} at the time now
   */
  tryAgain (ms, at) {
    this.retries++
    this.countNext = this.onRetry
    if (ms > 0) this.pause(ms, at)
  }

  /**
   * The last request has its response, or that of the row where several are in flight. Returns whether the response is
   * usable.
   * @type {(response: FunctionResponse, row: number) => boolean}
   */
  accepts (response, row) {
    const { session, findings } = this
    if (session === null) return true
    const { refusal } = session
    if (session.end() || refusal !== null) findings.count('redirect', this.step, refusal, response)
    return refusal === null
  }

  /**
   * So far nothing was found in the response but maybe its status, and a check of it takes its time.
   * @param {object | null} stage of its request, where it is counted; null without stages
   * @param {boolean} isUnexpected whether its status has made it a failure
   */
  judgesLater (stage, isUnexpected) {}

  /**
   * @param {string} code of why the request that was sent last gets no response
   * @param {number} at the time now
   * @returns {boolean} whether it is tried again
   */
  triesAgain (code, at) {
    const { retries } = this.step
    if (retries === null || !retries.codes.has(code) || this.retries === retries.times) return false
    this.tryAgain(retries.wait(null, this.random), at)
    return true
  }
}

module.exports = { Sender }
