'use strict'

// How a user continues an event stream that has ended, as the EventSource of a browser does (HTML standard §9.2.3): the
// same request again, after a wait, with the id of the last event. Each is a request of its own.

const { asSent, hopOf } = require('./session')
const { mergeHeaders } = require('../requests/headers')

/**
 * @typedef {import('./compiled-scenario').CompiledStep} CompiledStep
 * @typedef {import('../requests/request').Request} Request
 *
 * @typedef {{ outage: { record: (ms: number) => void } }} Tally
 *
 * @typedef {object} Place where a stream is
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
    /** Whether the response to the request in flight was a stream that was not closed here. */
    this.hasEnded = false
    /** When the stream ended that is continued; NaN while one goes on, and before the first. */
    this.endedAt = NaN
    /** Where it was counted. @type {ReadonlyArray<Tally>} */
    this.tallies = []
    /** Whether the next request of the user is the same once more. */
    this.isDue = false
    // As it was sent first: its bytes, their source, and the cookies in it.
    /** @type {Buffer} */
    this.bytes = NO_BYTES
    /** @type {Request | null} */
    this.request = null
    this.cookies = ''
  }

  /** The user goes on with something else. */
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
   * A stream has ended.
   * @param {Place} place
   * @param {boolean} isLeft whether it was closed here
   * @param {number} at
   * @param {ReadonlyArray<Tally>} tallies where it was counted
   * @returns {boolean} whether the server sets a longer wait than there will be
   */
  ended ({ lastEventId, retry }, isLeft, at, tallies) {
    this.endedAt = isLeft ? NaN : at
    this.tallies = tallies
    this.lastEventId = Buffer.byteLength(lastEventId) > LONGEST_ID ? '' : lastEventId
    if (retry !== null) this.waitMs = Math.min(retry, LONGEST_WAIT)
    this.hasEnded = !isLeft
    return !isLeft && retry !== null && retry > LONGEST_WAIT
  }

  /** There is a stream again. @param {number} at */
  opened (at) {
    for (const { outage } of this.tallies) if (!Number.isNaN(this.endedAt)) outage.record(at - this.endedAt)
    this.endedAt = NaN
  }

  /**
   * The run is over. A stream that is not there although its wait is over is known to be missing for longer than that.
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

/** The limit of a server's wait, ms: a mistyped `retry` would halt a run that ends with its last request. */
const LONGEST_WAIT = 60_000

/** Bytes. An id may be as long as an event, and servers refuse a head of more than 8 to 16 KiB. */
const LONGEST_ID = 4096

/**
 * Characters that no field value contains (RFC 9110 §5.5): servers respond 400 to them. Line breaks end an id before.
 */
// eslint-disable-next-line no-control-regex
const NO_FIELD_VALUE = /[\0-\x08\x0a-\x1f\x7f]/

module.exports = { Reconnect }
