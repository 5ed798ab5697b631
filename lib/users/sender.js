'use strict'

// Sends one request of a user, with retries and redirects, until its final response. A User sends the requests of its
// scenario one after another with it.

/**
 * @typedef {import('./sequence').Source} Source
 * @typedef {import('./sequence').Rows} Rows
 * @typedef {import('./compiled-scenario').CompiledStep} CompiledStep
 *
 * @typedef {object} FunctionResponse the response as users read it
 * @property {number} status
 * @property {() => string[]} rawHeaders names and values alternate; the same array for a repeated head
 * @property {() => Readonly<Record<string, string | string[]>>} lowerCaseHeaders by name
 * @property {() => string} text of its body
 * @property {Promise<boolean> | null} late the result of an asynchronous check: whether it has failed
 *
 * @typedef {object} Findings counts findings in responses
 * @property {{ redirects: number }} counters how many requests were sent because of a redirect
 * @property {(check: string, step: CompiledStep, reason: string | null, response: any) => void} count counts a check of
 *   a response to that step; the reason is null when it passed
 *
 * @typedef {object} SenderNeeds
 * @property {() => number} random from 0 up to, excluding, 1; for pauses
 * @property {import('../templates/own').Own} own the values for fillers
 * @property {() => void} onRetry called for each retry
 * @property {import('./session').Session | null} session cookies and redirects; null without them
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
    /** The target of the connection. @type {import('../requests/target').Target | null} */
    this.connectedTo = null
    this.maxRun = 1
    /** @type {Buffer} */
    this.bytes = NO_BYTES
    this.readyAt = -Infinity
    /** The last sent request. @type {import('../requests/request').Request | null} */
    this.sent = null
    /** The expected texts of its response, if the step has templates there. @type {ReadonlyArray<string>} */
    this.expected = NO_TEXTS
    /** Its number of retries so far. */
    this.retries = 0
    /**
     * Called when the next request repeats the last one; null when the next request is a step.
     * @type {(() => void) | null}
     */
    this.countNext = null
    /**
     * An exception of a pause function. It is thrown with the next request, or at the end of the connection.
     * @type {Error | null}
     */
    this.failure = null
    /** Null where streams are not continued. @type {import('./reconnect').Reconnect | null} */
    this.reconnect = null
    /** The timeout of its request, ms; null for that of the run. @type {number | null} */
    this.timeout = null
    /**
     * Timeouts by row, where requests in flight have different ones; null otherwise.
     * @type {Array<number | null> | null}
     */
    this.timeouts = null
  }

  /** @returns {CompiledStep} the step of the request in flight, or of the next request */
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

  /** Called when the user has no more requests for the connection. */
  ended () {}

  /** Pauses within an iteration. @type {(ms: number, at: number) => void} */
  pause (ms, at) {
    this.readyAt = at + ms
  }

  /**
   * @param {CompiledStep} step
   * @param {Rows} rows
   * @param {number} at the time now
   * @returns {boolean} whether the next request was a retry or a redirect of the last one
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
   * Sends the last request again, unchanged.
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
   * Handles a response before its checks.
   * @param {FunctionResponse} response
   * @param {number} at when it was received
   * @returns {boolean} whether it is not the final response: another request follows
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
   * Handles the final response of the last request, or of the row where several are in flight. Returns whether the
   * response is usable.
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
   * Called when an asynchronous check decides whether the response has failed.
   * @param {object | null} stage the stage in which the request is counted; null without stages
   * @param {boolean} isUnexpected whether its status is already a failure
   */
  judgesLater (stage, isUnexpected) {}

  /**
   * @param {string} code the error code of the last request
   * @param {number} at the time now
   * @returns {boolean} whether it is sent again
   */
  triesAgain (code, at) {
    const { retries } = this.step
    if (retries === null || !retries.codes.has(code) || this.retries === retries.times) return false
    this.tryAgain(retries.wait(null, this.random), at)
    return true
  }
}

module.exports = { Sender }
