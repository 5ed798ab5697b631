'use strict'

// What the streams of a load generator share: their options, where they are counted, and whether a response is a stream
// that can be read.

const { show } = require('../core/foreign-text')
const { kindOf } = require('../streams/stream')
const { ResponseStream } = require('./response-stream')
const { canDecode } = require('./stream-decoder')

class Streaming {
  /**
   * @param {import('../options/plan').StreamPlan} plan
   * @param {import('../instruments/streams/record').Streams} counts
   * @param {import('../instruments/checks/record').Checks} checks
   * @param {import('../instruments/tokens/record').Tokens | null} [tokens] null where messages are no completions
   * @param {import('../instruments/goodput/record').Goodputs | null} [goodput] null where no bounds are to be met
   */
  constructor (
    { kind, openMs, messages, stallMs, idleMs, reconnectMs }, counts, checks, tokens = null, goodput = null
  ) {
    this.kind = kindOf(/** @type {string} */ (kind))
    /** Whether a Content-Type of another kind is a failed check. */
    this.expectsType = this.kind.types.length > 0
    this.openMs = openMs ?? Infinity
    this.messages = messages ?? Infinity
    this.stallMs = stallMs
    this.idleMs = idleMs
    /** Whether a stream that ends is continued from the id of its last event. */
    this.isContinued = reconnectMs !== null
    this.counts = counts
    this.checks = checks
    this.tokens = tokens
    this.goodput = goodput
    // Most heads are like the last one: the same array then.
    /** @type {string[] | null} */
    this.raw = null
    /** The Content-Encoding of a head like that; empty for none. */
    this.coding = ''
    /** @type {{ check: string, reason: string } | null} */
    this.fault = null
  }

  /**
   * @param {(error: Error) => void} fail a hook failed: the run can't go on
   * @returns {ResponseStream} for the responses that one reader reads
   */
  make (fail) {
    return new ResponseStream(this, fail)
  }

  /**
   * @param {import('./reader').ResponseReader} reader of a 2xx response
   * @returns {{ check: string, reason: string } | null} why its messages can't be read; null when they can
   */
  faultOf (reader) {
    const raw = reader.rawHeaders()
    if (raw === this.raw) return this.fault
    this.raw = raw
    this.fault = this.faultIn(reader.lowerCaseHeaders())
    return this.fault
  }

  /** @param {Readonly<Record<string, string | string[]>>} headers */
  faultIn ({ 'content-type': type = '', 'content-encoding': coding = 'identity' }) {
    const { types } = this.kind
    const given = String(type).split(';', 1)[0].trim().toLowerCase()
    if (this.expectsType && !types.includes(given)) {
      const got = given === '' ? 'none' : show(given)
      return { check: 'content-type', reason: `expected a Content-Type of ${types.join(' or ')}, got ${got}` }
    }
    const isPlain = ['', 'identity'].includes(String(coding).trim().toLowerCase())
    this.coding = isPlain ? '' : String(coding)
    return isPlain || canDecode(String(coding))
      ? null
      : {
          check: 'content-encoding',
          reason: `the Content-Encoding ${show(coding)} is not supported, so ${this.kind.message}s are not measured`
        }
  }
}

module.exports = { Streaming }
