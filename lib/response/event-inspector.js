'use strict'

// Checks the events of one stream at a time by expectations and the hook `checkEvent`, and captures values. It exists
// only if one of these needs the text of events.

const { StreamEvent } = require('../checks/stream-event')
const { HookError } = require('../core/errors')

/** @type {ReadonlyArray<string>} */
const NO_TEXTS = []

class EventInspector {
  /** @param {(error: Error) => void} fail ends the run */
  constructor (fail) {
    this.fail = fail
    // State of the current response.
    /** @type {import('./reader').ResponseReader | null} */
    this.reader = null
    /** @type {import('./inspector').Inspector | null} */
    this.inspector = null
    this.values = NO_TEXTS
    this.origin = -0
    this.count = 0
    /** The reason of the first unexpected event. */
    this.reason = null
    /** Whether a required event has been found. */
    this.hasSome = false
    /** Whether `checkEvent` has refused one. */
    this.hasRefused = false
    this.hasFailed = false
    /** The last event. @type {StreamEvent | null} */
    this.last = null
    /** Other captured events, by number. @type {Map<number, StreamEvent>} */
    this.kept = new Map()
  }

  /**
   * Starts a stream.
   * @param {import('./reader').ResponseReader} reader
   * @param {number} origin start of its latency
   */
  begin (reader, origin) {
    this.reader = reader
    this.inspector = reader.inspector
    this.values = reader.expected
    this.origin = origin
    this.count = 0
    this.reason = this.last = null
    this.hasSome = this.hasRefused = this.hasFailed = false
    this.kept.clear()
  }

  /**
   * @param {{ type: string, data: string, lastEventId: string }} message
   * @param {number} at arrival time
   */
  hear (message, at) {
    const { inspector, reader } = this
    if (inspector === null || reader === null || this.hasFailed) return
    const event = new StreamEvent(message, ++this.count, at - this.origin)
    this.last = event
    if (inspector.keptEvents.has(event.index)) this.kept.set(event.index, event)
    if (inspector.events !== null) this.test(inspector.events, event)
    if (inspector.checkEvent === null) return
    try {
      if (!inspector.passesEvent(event, reader)) this.hasRefused = true
    } catch (error) {
      this.hasFailed = true
      this.fail(error instanceof HookError ? error : HookError.failed('checkEvent', error))
    }
  }

  /** @param {import('../checks/events').EventTests} tests @param {StreamEvent} event */
  test ({ each, some, first }, event) {
    const { values } = this
    if (this.reason === null && first !== null && event.index === 1) {
      this.reason = placed('the first event', first(event, values))
    }
    if (this.reason === null && each !== null) this.reason = placed('an event', each(event, values))
    if (some !== null && !this.hasSome) this.hasSome = some(event, values) === null
  }

  /**
   * Ends the stream.
   * @param {import('../checks/events').EventTests} tests
   * @returns {string | null} the reason why its events are not as expected; null if they are
   */
  unexpected ({ some, first, last, missing }) {
    if (this.reason !== null) return this.reason
    if (some !== null && !this.hasSome) return missing
    if (this.last === null) return (first ?? last) === null ? null : 'no event'
    return last === null ? null : placed('the last event', last(this.last, this.values))
  }

  /** @param {number} number from 1; -1 for the last one @returns {StreamEvent | null} null if it does not exist */
  at (number) {
    return number === -1 ? this.last : this.kept.get(number) ?? null
  }
}

/** @type {(event: string, reason: string | null) => string | null} */
function placed (event, reason) {
  return reason === null ? null : `${event}: ${reason}`
}

module.exports = { EventInspector }
