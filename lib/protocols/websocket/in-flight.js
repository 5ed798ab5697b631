'use strict'

// Finds the message in flight that a received one responds to, as set by the option `match`.

const { PAYLOAD_START, textOf } = require('./frame-writer')

/** No row. */
const NONE = -1

/** The limit of remembered messages that timed out, to recognize late responses. */
const MOST_LATE = 1000

/** A key that no message has. */
const NO_KEY = Symbol('no key')

/**
 * @typedef {import('./matchers').Key} Key
 *
 * @typedef {object} InFlightMessages
 * @property {boolean} mixed whether a sent message has the key of one that timed out. Their responses are ambiguous, so
 *   the connection has to be closed
 * @property {(message: Buffer, row: number) => void} sent
 * @property {(bytes: Buffer, start: number, end: number) => number} rowOf returns the row of the message that a
 *   received one responds to; NONE for none
 * @property {(row: number) => boolean} forget called when a message timed out; false when later responses would be
 *   ambiguous
 * @property {(bytes: Buffer, start: number, end: number) => boolean} isLate for a message without a row: whether it
 *   responds to a message that timed out
 * @property {() => void} reset
 */

/** Responses have the order of the messages. @implements {InFlightMessages} */
class InOrder {
  /** @param {import('../peer').InFlight} inFlight */
  constructor (inFlight) {
    this.inFlight = inFlight
    this.mixed = false
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

/**
 * The base for messages with keys. Messages with the same key are ambiguous after a timeout.
 * @template T
 * @abstract
 */
class Distinct {
  /** @param {import('../peer').InFlight} inFlight */
  constructor (inFlight) {
    this.inFlight = inFlight
    /** The key of each message, by row. @type {Array<T | undefined>} */
    this.keys = []
    /** @type {Set<T>} */
    this.late = new Set()
    // The key of a sent message that equals that of one that timed out.
    /** @type {T | undefined | typeof NO_KEY} */
    this.mixedKey = NO_KEY
    // Whether that has happened before: from then on a timeout closes the connection at once.
    this.repeats = false
  }

  get mixed () {
    return this.mixedKey !== NO_KEY
  }

  /** @param {T | undefined} key @param {number} row */
  note (key, row) {
    this.keys[row] = key
    if (this.late.size === 0 || key === undefined || !this.late.has(key)) return
    this.mixedKey = key
    this.repeats = true
  }

  /** @type {InFlightMessages['forget']} */
  forget (row) {
    const { keys, late, inFlight: { oldest, newer } } = this
    const key = keys[row]
    keys[row] = undefined
    if (key === undefined) return true
    for (let other = oldest; other !== NONE; other = newer[other]) if (keys[other] === key) return false
    late.add(key)
    if (late.size > MOST_LATE) late.delete(/** @type {T} */ (late.values().next().value))
    return !this.repeats
  }

  reset () {
    this.late.clear()
    this.keys.length = 0
    this.mixedKey = NO_KEY
  }
}

/**
 * The keys of sent messages, for all connections of a thread. The key of the last message is cached: it is needed when
 * a message is built and when it is sent, and most runs send the same one repeatedly.
 */
class SentKeys {
  /** @param {import('./matchers').Matcher['keyOf']} keyOf */
  constructor (keyOf) {
    this.keyOf = keyOf
    /** @type {Buffer | null} */
    this.message = null
    /** @type {Key | undefined} */
    this.key = undefined
  }

  /** @param {Buffer} message */
  of (message) {
    if (message !== this.message) {
      this.key = this.keyOf(message, PAYLOAD_START, message.length)
      this.message = message
    }
    return this.key
  }
}

/**
 * A received message has the same value at a path as the sent one.
 * @extends {Distinct<Key>}
 * @implements {InFlightMessages}
 */
class ByKey extends Distinct {
  /** @param {import('../peer').InFlight} inFlight @param {SentKeys} keys */
  constructor (inFlight, keys) {
    super(inFlight)
    this.sentKeys = keys
    this.keyOf = keys.keyOf
    // The key of the last received message, cached because reading it takes longest.
    /** @type {Key | undefined} */
    this.last = undefined
  }

  /** @type {InFlightMessages['sent']} */
  sent (message, row) {
    this.note(this.sentKeys.of(message), row)
  }

  /** @type {InFlightMessages['rowOf']} */
  rowOf (bytes, start, end) {
    const key = this.last = this.keyOf(bytes, start, end)
    const { keys, mixedKey, inFlight: { count, oldest, newer } } = this
    if (key === undefined || count === 0 || key === mixedKey) return NONE
    // Most responses are in order, so the search begins at the oldest message.
    for (let row = oldest; row !== NONE; row = newer[row]) if (keys[row] === key) return row
    return NONE
  }

  isLate () {
    return this.last !== undefined && this.late.delete(this.last)
  }
}

/**
 * A function of the user decides which message a received one responds to.
 * @extends {Distinct<string>}
 * @implements {InFlightMessages}
 */
class ByFunction extends Distinct {
  /**
   * @param {import('../peer').InFlight} inFlight
   * @param {import('./matchers').Matcher} matcher
   * @param {(error: Error) => void} onFailure
   */
  constructor (inFlight, { matches }, onFailure) {
    super(inFlight)
    this.matches = matches
    this.onFailure = onFailure
    this.failed = false
  }

  /** @type {(sent: string, received: string) => boolean} */
  decides (sent, received) {
    if (this.failed) return false
    try {
      return this.matches(sent, received)
    } catch (error) {
      this.failed = true
      this.onFailure(/** @type {Error} */ (error))
      return false
    }
  }

  /** @type {InFlightMessages['sent']} */
  sent (message, row) {
    this.note(textOf(message), row)
  }

  /** @type {InFlightMessages['rowOf']} */
  rowOf (bytes, start, end) {
    const { keys, mixedKey, inFlight: { count, oldest, newer } } = this
    if (count === 0) return NONE
    const received = bytes.toString('utf8', start, end)
    for (let row = oldest; row !== NONE; row = newer[row]) {
      const sent = /** @type {string} */ (keys[row])
      if (this.decides(sent, received)) return sent === mixedKey ? NONE : row
      // The failure has ended the run, and freed the rows.
      if (this.failed) return NONE
    }
    return NONE
  }

  /** @type {InFlightMessages['isLate']} */
  isLate (bytes, start, end) {
    const { late } = this
    if (late.size === 0) return false
    const received = bytes.toString('utf8', start, end)
    for (const sent of late) if (this.decides(sent, received)) return late.delete(sent)
    return false
  }
}

/**
 * @param {import('../peer').InFlight} inFlight
 * @param {import('./matchers').Matcher} matcher
 * @param {(error: Error) => void} onFailure
 * @param {SentKeys} [keys] of the matcher
 * @returns {InFlightMessages}
 */
function messagesIn (inFlight, matcher, onFailure, keys = new SentKeys(matcher.keyOf)) {
  if (matcher.kind === 'next') return new InOrder(inFlight)
  return matcher.kind === 'key' ? new ByKey(inFlight, keys) : new ByFunction(inFlight, matcher, onFailure)
}

module.exports = { NONE, SentKeys, messagesIn }
