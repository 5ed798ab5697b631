'use strict'

// One response that delivers its messages to a user function. Its head may determine the kind of messages.

const { ProtocolError } = require('../core/errors')
const { kindOf } = require('../streams/stream')
const { ResponseStream } = require('./response-stream')
const { Streaming } = require('./streaming')

/** Kinds by Content-Type. For other types, each read counts as a message. @type {Readonly<Record<string, string>>} */
const KIND_OF_TYPE = Object.freeze({
  'text/event-stream': 'sse',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'application/x-jsonlines': 'ndjson'
})
const ANY = 'chunks'

/**
 * @typedef {import('../streams/stream').Message} Message
 *
 * @typedef {object} Sink
 * @property {(reader: import('./reader').ResponseReader, kind: string, ms: number) => void} opened called after a head,
 *   with the time to it
 * @property {(message: import('../streams/stream').Message) => void} take
 * @property {boolean} isDone whether it needs no more messages
 */

class ReadStream extends ResponseStream {
  /**
   * @param {import('../options/plan').StreamPlan} plan
   * @param {string | null} kind one of STREAMS; null for the kind of its Content-Type
   * @param {string | null} scenario of its user: users of several scenarios share the step
   * @param {import('../instruments/streams/record').Streams} counts
   * @param {import('../instruments/checks/record').Checks} checks
   * @param {import('../instruments/tokens/record').Tokens | null} tokens null unless messages are parts of completions
   * @param {(error: Error) => void} fail
   * @param {Sink} sink
   */
  constructor (plan, kind, scenario, counts, checks, tokens, fail, sink) {
    super(new Streaming({ ...plan, kind: kind ?? ANY }, counts, checks, tokens), fail)
    this.given = kind
    this.ofUser = scenario
    this.sink = sink
    /** @type {import('../streams/stream').OnMessage} */
    this.take = message => sink.take(message)
  }

  /** @type {ResponseStream['open']} */
  open (reader, origin, at, stage) {
    const { given, streaming, sink } = this
    const name = given ?? kindIn(reader.lowerCaseHeaders())
    streaming.kind = kindOf(name)
    // The default type is not checked.
    streaming.expectsType = given !== null && streaming.kind.types.length > 0
    this.counter = streaming.kind.scanner(this.take)
    if (!super.open(reader, origin, at, stage)) return false
    reader.keepSample()
    sink.opened(reader, name, at - origin)
    this.isOver = sink.isDone
    return true
  }

  /** @type {ResponseStream['scenarioOf']} */
  scenarioOf () {
    return this.ofUser
  }

  /** Ends the stream: more messages wait than the limit allows. */
  overflow () {
    this.error = new ProtocolError('AC_UNREAD_EVENTS')
    this.isOver = true
  }
}

/** @param {Readonly<Record<string, string | string[]>>} headers */
function kindIn ({ 'content-type': type = '' }) {
  const given = String(type).split(';', 1)[0].trim().toLowerCase()
  return Object.hasOwn(KIND_OF_TYPE, given) ? KIND_OF_TYPE[given] : ANY
}

/**
 * Loads the scanners before the load, because a head selects one during the run.
 * @param {string[]} more kinds that functions may request
 */
function loadKinds (more) {
  for (const kind of [ANY, ...Object.values(KIND_OF_TYPE), ...more]) kindOf(kind).scanner()
}

module.exports = { ReadStream, loadKinds }
