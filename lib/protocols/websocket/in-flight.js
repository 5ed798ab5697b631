'use strict'

// Finds the message in flight that a received one responds to, by the rule of the option `match`.

const { payloadStart } = require('./frame-writer')
const { textOf } = require('./requests')

/** No row. */
const NONE = -1

/** How many messages that timed out are remembered, so that a late response is known as one. */
const MOST_LATE = 1000

/**
 * @typedef {import('./matchers').Key} Key
 *
 * @typedef {object} InFlightMessages
 * @property {(frame: Buffer, row: number) => void} sent
 * @property {(bytes: Buffer, start: number, end: number) => number} rowOf of the message that a received one responds
 *   to; NONE for none
 * @property {(row: number) => boolean} forget it timed out; false when the responses after it can't be told apart
 * @property {(bytes: Buffer, start: number, end: number) => boolean} isLate asked of one without a row: whether it
 *   responds to a message that timed out
 * @property {() => void} reset
 */

/** Messages are answered in order. @implements {InFlightMessages} */
class InOrder {
  /** @param {import('../peer').InFlight} inFlight */
  constructor (inFlight) {
    this.inFlight = inFlight
  }

  sent () {}

  rowOf () {
    const { count, oldest } = this.inFlight
    return count === 0 ? NONE : oldest
  }

  forget () {
    return false
  }

  isLate () {
    return false
  }

  reset () {}
}

/** A received message has the same value at a path as the sent one. @implements {InFlightMessages} */
class ByKey {
  /**
   * @param {import('../peer').InFlight} inFlight
   * @param {import('./matchers').Matcher} matcher
   */
  constructor (inFlight, { keyOf }) {
    this.inFlight = inFlight
    this.keyOf = keyOf
    /** @type {Array<Key | undefined>} by row */
    this.keys = []
    /** @type {Set<Key>} */
    this.late = new Set()
    // Of the message that was looked at last. A key that is read takes longer than all else that is done with it.
    /** @type {Key | undefined} */
    this.last = undefined
  }

  /** @type {InFlightMessages['sent']} */
  sent (frame, row) {
    this.keys[row] = this.keyOf(frame, payloadStart(frame), frame.length)
  }

  /** @type {InFlightMessages['rowOf']} */
  rowOf (bytes, start, end) {
    const key = this.last = this.keyOf(bytes, start, end)
    const { keys, inFlight: { count, oldest, newer } } = this
    if (key === undefined || count === 0) return NONE
    // Responses mostly come in order, so it is the oldest or near to it.
    for (let row = oldest; row !== NONE; row = newer[row]) if (keys[row] === key) return row
    return NONE
  }

  /** @type {InFlightMessages['forget']} */
  forget (row) {
    const key = this.keys[row]
    this.keys[row] = undefined
    if (key !== undefined) remember(this.late, key)
    return true
  }

  isLate () {
    return this.last !== undefined && this.late.delete(this.last)
  }

  reset () {
    this.late.clear()
    this.keys.length = 0
  }
}

/** A function of the user decides. @implements {InFlightMessages} */
class ByFunction {
  /**
   * @param {import('../peer').InFlight} inFlight
   * @param {import('./matchers').Matcher} matcher
   */
  constructor (inFlight, { matches }) {
    this.inFlight = inFlight
    this.matches = matches
    /** @type {string[]} by row */
    this.texts = []
    /** @type {Set<string>} */
    this.late = new Set()
  }

  /** @type {InFlightMessages['sent']} */
  sent (frame, row) {
    this.texts[row] = textOf(frame)
  }

  /** @type {InFlightMessages['rowOf']} */
  rowOf (bytes, start, end) {
    const { texts, matches, inFlight: { count, oldest, newer } } = this
    if (count === 0) return NONE
    const received = bytes.toString('utf8', start, end)
    for (let row = oldest; row !== NONE; row = newer[row]) if (matches(texts[row], received)) return row
    return NONE
  }

  /** @type {InFlightMessages['forget']} */
  forget (row) {
    remember(this.late, this.texts[row])
    this.texts[row] = ''
    return true
  }

  /** @type {InFlightMessages['isLate']} */
  isLate (bytes, start, end) {
    const { late, matches } = this
    if (late.size === 0) return false
    const received = bytes.toString('utf8', start, end)
    for (const sent of late) if (matches(sent, received)) return late.delete(sent)
    return false
  }

  reset () {
    this.late.clear()
    this.texts.length = 0
  }
}

/**
 * @template T
 * @param {Set<T>} late
 * @param {T} one
 */
function remember (late, one) {
  late.add(one)
  if (late.size > MOST_LATE) late.delete(/** @type {T} */ (late.values().next().value))
}

/**
 * @param {import('../peer').InFlight} inFlight
 * @param {import('./matchers').Matcher} matcher
 * @returns {InFlightMessages}
 */
function messagesIn (inFlight, matcher) {
  if (matcher.kind === 'next') return new InOrder(inFlight)
  return matcher.kind === 'key' ? new ByKey(inFlight, matcher) : new ByFunction(inFlight, matcher)
}

module.exports = { NONE, messagesIn }
