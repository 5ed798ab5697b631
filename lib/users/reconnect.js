'use strict'

// Continues an event stream that has ended, as EventSource does in browsers (HTML standard §9.2.3): the same request is
// sent again after a wait, with the id of the last event. It counts as another request.

const { asSent, hopOf } = require('./session')
const { mergeHeaders } = require('../requests/headers')

/**
 * @typedef {import('./compiled-scenario').CompiledStep} CompiledStep
 * @typedef {import('../requests/request').Request} Request
 *
 * @typedef {{ outage: { record: (ms: number) => void } }} Tally
 *
 * @typedef {object} Place the position in a stream
 * @property {string} lastEventId
 * @property {number | null} retry ms; null if the stream does not set it
 */

class Reconnect {
  /**
   * @param {number} waitMs before a reconnect, unless the stream has set another time
   * @param {NonNullable<import('./session').Means['decode']>} decode
   * @param {(step: CompiledStep) => void} onReconnect
   */
  constructor (waitMs, decode, onReconnect) {
    this.defaultMs = waitMs
    this.decode = decode
    this.onReconnect = onReconnect
    this.waitMs = waitMs
    /** Empty for none. */
    this.lastEventId = ''
    /** Whether the last response was a stream that the server has ended. */
    this.hasEnded = false
    /** When the stream to be continued ended; NaN while a stream is open, and before the first one. */
    this.endedAt = NaN
    /** The tallies of that stream. @type {ReadonlyArray<Tally>} */
    this.tallies = []
    /** Whether the next request continues the stream. */
    this.isDue = false
    // The first request: its bytes, their source, and its cookies.
    /** @type {Buffer} */
    this.bytes = NO_BYTES
    /** @type {Request | null} */
    this.request = null
    this.cookies = ''
  }

  /** The user continues with another request. */
  reset () {
    this.waitMs = this.defaultMs
    this.lastEventId = ''
    this.endedAt = NaN
    this.hasEnded = this.isDue = false
  }

  /** @type {(request: Request, bytes: Buffer, cookies: string) => void} */
  sentFirst (request, bytes, cookies) {
    this.request = request
    this.bytes = bytes
    this.cookies = cookies
  }

  /**
   * Handles the end of a stream.
   * @param {Place} place
   * @param {boolean} isLeft whether this side has closed it
   * @param {number} at
   * @param {ReadonlyArray<Tally>} tallies the tallies of the stream
   * @returns {boolean} whether the server has requested more than the longest wait
   */
  ended ({ lastEventId, retry }, isLeft, at, tallies) {
    this.endedAt = isLeft ? NaN : at
    this.tallies = tallies
    this.lastEventId = Buffer.byteLength(lastEventId) > LONGEST_ID ? '' : lastEventId
    if (retry !== null) this.waitMs = Math.min(retry, LONGEST_WAIT)
    this.hasEnded = !isLeft
    return !isLeft && retry !== null && retry > LONGEST_WAIT
  }

  /** Ends the outage: a stream is open again. @param {number} at */
  opened (at) {
    for (const { outage } of this.tallies) if (!Number.isNaN(this.endedAt)) outage.record(at - this.endedAt)
    this.endedAt = NaN
  }

  /**
   * Records an outage at the end of the run, if it is longer than the wait.
   * @param {number} at
   */
  abandon (at) {
    if (at - this.endedAt > this.waitMs) this.opened(at)
  }

  /**
   * @param {CompiledStep} step
   * @param {Pick<import('./session').Means, 'encode' | 'finish' | 'trace'>} means
   * @returns {import('./session').Hop} the next request
   */
  next (step, means) {
    const { lastEventId, bytes, request, cookies, decode } = this
    this.hasEnded = this.isDue = false
    const sent = step.bytes === null
      ? asSent(decode, bytes, /** @type {Request} */ (request), cookies)
      : step.request
    const headers = lastEventId === '' || NO_FIELD_VALUE.test(lastEventId)
      ? sent.headers
      : mergeHeaders(sent.headers, [['Last-Event-ID', lastEventId]])
    return hopOf({ request: { ...sent, headers }, target: step.target }, means)
  }
}

const NO_BYTES = Buffer.alloc(0)

/** The longest wait that a server can set, ms: a mistyped `retry` would keep a run from ending. */
const LONGEST_WAIT = 60_000

/** The longest id that is sent, bytes. An id may be as long as an event, and servers reject heads above 8 to 16 KiB. */
const LONGEST_ID = 4096

/** Characters that a field value must not contain (RFC 9110 §5.5): servers respond with 400. */
// eslint-disable-next-line no-control-regex
const NO_FIELD_VALUE = /[\0-\x08\x0a-\x1f\x7f]/

module.exports = { Reconnect }
