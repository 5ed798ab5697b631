'use strict'

// Finds the message in flight that a received one responds to. Each sent message has its own rule.

const { NONE } = require('./in-flight')

/** The limit of remembered messages that timed out, to recognize late responses. */
const MOST_LATE = 1000

/**
 * @typedef {object} ResponseRule of a sent message
 * @property {'next' | 'key' | 'function'} kind
 * @property {import('./matchers').Matcher['keyOf']} keyOf
 * @property {import('./matchers').Key | undefined} key of the message
 * @property {(received: any) => boolean} matches never throws
 * @property {string} id equal for messages that match the same responses
 */

/**
 * @typedef {import('./in-flight').InFlightMessages} InFlightMessages
 * @implements {InFlightMessages}
 */
class ByRequest {
  /**
   * @param {import('../peer').InFlight} inFlight
   * @param {(row: number) => ResponseRule} ruleOf
   * @param {(bytes: Buffer) => unknown} received creates the argument of the function
   */
  constructor (inFlight, ruleOf, received) {
    this.inFlight = inFlight
    this.ruleOf = ruleOf
    this.received = received
    /** The rules of messages that timed out, by id. @type {Map<string, ResponseRule>} */
    this.late = new Map()
    /** The id of a sent message that repeats one that timed out. */
    this.mixedId = null
  }

  get mixed () {
    return this.mixedId !== null
  }

  /** @type {(frame: Buffer, row: number) => void} */
  sent (frame, row) {
    const { kind, id } = this.ruleOf(row)
    if (kind !== 'next' && this.late.has(id)) this.mixedId = id
  }

  /** Specific rules take precedence over `next`, which matches any message. @type {InFlightMessages['rowOf']} */
  rowOf (bytes, start, end) {
    const { inFlight: { count, oldest, newer }, mixedId } = this
    if (count === 0) return NONE
    const fits = this.fitting(bytes, start, end)
    let first = NONE
    for (let row = oldest; row !== NONE; row = newer[row]) {
      const rule = this.ruleOf(row)
      if (rule.kind === 'next') {
        if (first === NONE) first = row
      } else if (rule.id !== mixedId && fits(rule)) return row
    }
    return first
  }

  /** @type {(row: number) => boolean} */
  forget (row) {
    const rule = this.ruleOf(row)
    if (rule.kind === 'next') return false
    this.late.set(rule.id, rule)
    if (this.late.size > MOST_LATE) this.late.delete(/** @type {string} */ (this.late.keys().next().value))
    return true
  }

  /** @type {(bytes: Buffer, start: number, end: number) => boolean} */
  isLate (bytes, start, end) {
    if (this.late.size === 0) return false
    const fits = this.fitting(bytes, start, end)
    for (const [id, rule] of this.late) if (fits(rule)) return this.late.delete(id)
    return false
  }

  /** @type {(bytes: Buffer, start: number, end: number) => (rule: ResponseRule) => boolean} */
  fitting (bytes, start, end) {
    /** @type {unknown} */
    let received
    return ({ kind, keyOf, key, matches }) => {
      if (kind === 'key') return keyOf(bytes, start, end) === key
      received ??= this.received(Buffer.from(bytes.subarray(start, end)))
      return matches(received)
    }
  }

  reset () {}
}

module.exports = { ByRequest }
