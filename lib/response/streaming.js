'use strict'

// The shared state of a load generator's streams: options, counts, and the check whether a response is a readable
// stream.

const { show } = require('../core/foreign-text')
const { kindOf } = require('../streams/stream')
const { ResponseStream } = require('./response-stream')
const { canDecode } = require('./stream-decoder')

class Streaming {
  /**
   * @param {import('../options/plan').StreamPlan} plan
   * @param {import('../instruments/streams/record').Streams} counts
   * @param {import('../instruments/checks/record').Checks} checks
   * @param {import('../instruments/tokens/record').Tokens | null} [tokens] null unless messages are parts of
   *   completions
   * @param {import('../instruments/goodput/record').Goodputs | null} [goodput] null without bounds
   */
  constructor (
    { kind, openMs, messages, stallMs, idleMs, reconnectMs }, counts, checks, tokens = null, goodput = null
  ) {
    this.kind = kindOf(/** @type {string} */ (kind))
    /** Whether an unexpected Content-Type fails a check. */
    this.expectsType = this.kind.types.length > 0
    this.openMs = openMs ?? Infinity
    this.messages = messages ?? Infinity
    this.stallMs = stallMs
    this.idleMs = idleMs
    /** Whether an ended stream is resumed from the id of its last event. */
    this.isContinued = reconnectMs !== null
    this.counts = counts
    this.checks = checks
    this.tokens = tokens
    this.goodput = goodput
    // Caches the last head: most heads are equal to it, and then the same array.
    /** @type {string[] | null} */
    this.raw = null
    /** The Content-Encoding of the cached head; empty for none. */
    this.coding = ''
    /** @type {{ check: string, reason: string } | null} */
    this.fault = null
  }

  /**
   * @param {(error: Error) => void} fail ends the run after the failure of a hook
   * @returns {ResponseStream} the stream for one reader
   */
  make (fail) {
    return new ResponseStream(this, fail)
  }

  /**
   * @param {import('./reader').ResponseReader} reader of a 2xx response
   * @returns {{ check: string, reason: string } | null} the reason why its messages cannot be read; null if they can
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
