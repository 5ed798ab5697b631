'use strict'

// One response that delivers messages: measures the time of each, and detects when there are enough. A scanner for its
// kind finds the messages (streams/stream).

const { ProtocolError } = require('../core/errors')
const { CompletionTimes } = require('./completion-times')
const { ResponseGoodput } = require('./goodput')
const { StreamDecoder } = require('./stream-decoder')

/**
 * The limit of one message, in bytes. It does not save memory, but reports a server that never ends a message, which
 * would otherwise look silent.
 */
const LONGEST_MIB = 16
const LONGEST = LONGEST_MIB * 1024 * 1024

/** @typedef {import('../streams/stream').Delivered} Delivered */

class ResponseStream {
  /** @param {import('./streaming').Streaming} streaming @param {(error: Error) => void} fail */
  constructor (streaming, fail) {
    this.streaming = streaming
    this.fail = fail
    this.counts = streaming.counts
    /** The tallies for this stream. @type {ReadonlyArray<import('../instruments/streams/record').StreamTally>} */
    this.tallies = []
    /** The times of its stage. @type {import('../instruments/stages/stage-times').StageTimes | null} */
    this.stage = null
    this.counter = streaming.kind.scanner(undefined, streaming.isContinued)
    /**
     * Reconnects it after an interruption; null without reconnects.
     * @type {import('../users/reconnect').Reconnect | null}
     */
    this.reconnect = null
    /**
     * A scanner that delivers texts of messages; null until a request needs them.
     * @type {import('../streams/stream').Scanner | null}
     */
    this.textScanner = null
    /** The current scanner. */
    this.scanner = this.counter
    /** @type {import('./event-inspector').EventInspector | null} */
    this.inspector = null
    /** Null unless messages have tokens. */
    this.times = streaming.tokens === null ? null : new CompletionTimes(streaming.tokens)
    this.goodput = streaming.goodput === null
      ? null
      : new ResponseGoodput(streaming.goodput.goodputs, streaming.goodput)
    /** Whether an ended completion must be checked. */
    this.isCompletion = false
    /** Its problem. @type {import('../streams/stream').Failure | null} */
    this.failure = null
    /** Whether the current response is a stream. */
    this.isOpen = false
    /** Whether the current or last response is a stream. */
    this.isRead = false
    /** @type {{ check: string, reason: string } | null} */
    this.fault = null
    /** Whether no more messages are needed, and the problem; null for none. */
    this.isOver = false
    /** @type {ProtocolError | null} */
    this.error = null
    /** The error of decoding the end of its body. @type {ProtocolError | null} */
    this.decodingError = null
    /** Whether this side closes it, before the server has ended it. */
    this.isLeft = false
    /** The name of its request. */
    this.name = null
    /** The scenario of its request, if named. */
    this.scenario = null
    /** The decoder of a compressed response. @type {StreamDecoder | null} */
    this.decoder = null
    this.messages = 0
    /** Counts of the current read. */
    this.inRead = 0
    // −0: see Recorder. The times of the request, of the head, of the last bytes and of the last message.
    this.origin = -0
    this.openedAt = -0
    this.readAt = -0
    this.lastAt = -0
  }

  /** Starts another response. */
  reset () {
    this.isOpen = this.isRead = this.isOver = this.isLeft = this.isCompletion = false
    this.error = this.fault = this.failure = this.decodingError = null
    this.release()
  }

  /** Ends the response. */
  leave () {
    this.isOpen = false
    for (const tally of this.tallies) tally.leave()
    this.release()
  }

  /** Stops decoding its body. */
  release () {
    this.decoder?.close()
    this.decoder = null
  }

  /**
   * Handles a head, after `reset`.
   * @param {import('./reader').ResponseReader} reader
   * @param {number} origin start of its latency
   * @param {number} at
   * @param {import('../instruments/stages/stage-times').StageTimes | null} [stage] the times of its stage
   * @returns {boolean} whether the body is needed
   */
  open (reader, origin, at, stage = null) {
    const { status } = reader
    // Other statuses are normal responses. 204 and 205 have no body that could have a wrong type.
    const mayBe = status >= 200 && status <= 299 && status !== 204 && status !== 205
    this.fault = mayBe ? this.streaming.faultOf(reader) : null
    this.isOpen = this.isRead = mayBe && this.fault === null
    if (!this.isOpen) return false
    this.scanner = reader.inspector !== null && reader.inspector.readsEvents
      ? this.readTexts(reader, origin)
      : this.counter
    this.scanner.reset()
    this.reconnect = reader.readers.reconnect
    if (this.reconnect !== null) {
      this.scanner.fields?.continueFrom(this.reconnect.lastEventId)
      this.reconnect.opened(at)
    }
    if (this.scanner.completion !== undefined) this.scanner.completion.left = this.streaming.messages
    this.messages = this.inRead = 0
    this.origin = origin
    this.openedAt = this.readAt = this.lastAt = at
    const { checks, coding, counts, expectsType } = this.streaming
    if (coding !== '') this.decoder = new StreamDecoder(coding)
    this.name = reader.inspector?.tally?.name ?? null
    this.scenario = this.scenarioOf(reader.step)
    this.tallies = counts.talliesOf(this.name, this.scenario)
    this.stage = stage
    for (const tally of this.tallies) tally.begin()
    this.times?.open(this.name, this.scenario, origin, stage)
    this.goodput?.open(origin)
    if (expectsType) checks.of('content-type', reader.inspector?.name ?? null).passed++
    return true
  }

  /** @param {import('../users/compiled-scenario').CompiledStep | null} step */
  scenarioOf (step) {
    return step === null ? null : step.scenario
  }

  /**
   * @param {import('./reader').ResponseReader} reader
   * @param {number} origin
   * @returns {import('../streams/stream').Scanner} that delivers the texts of events
   */
  readTexts (reader, origin) {
    this.inspector ??= new (require('./event-inspector').EventInspector)(this.fail)
    this.inspector.begin(reader, origin)
    this.textScanner ??= this.streaming.kind.scanner(message => {
      const inspector = /** @type {import('./event-inspector').EventInspector} */ (this.inspector)
      // Later events exceed the requested number.
      if (inspector.count < this.streaming.messages) inspector.hear(message, this.readAt)
    })
    return this.textScanner
  }

  /** @type {import('../checks/response').Events['at']} */
  at (number) {
    return this.scanner === this.textScanner && this.inspector !== null ? this.inspector.at(number) : null
  }

  /** @type {import('../checks/response').Events['unexpected']} */
  unexpected (tests) {
    const reason = tests.readsTexts && this.inspector !== null ? this.inspector.unexpected(tests) : null
    return reason ?? tests.unexpectedCount(this.messages)
  }

  /** @returns {boolean} whether the hook `checkEvent` has refused an event */
  get hasRefused () {
    return this.scanner === this.textScanner && this.inspector !== null && this.inspector.hasRefused
  }

  /** @param {Buffer} bytes @param {number} start @param {number} end @param {number} at arrival time */
  add (bytes, start, end, at) {
    if (!this.isOpen) return
    this.readAt = at
    if (this.decoder !== null) return this.decode(this.decoder, bytes, start, end)
    this.inRead += this.scanner.scan(bytes, start, end)
  }

  /** @param {StreamDecoder} decoder @param {Buffer} bytes @param {number} start @param {number} end */
  decode (decoder, bytes, start, end) {
    // The stream is being closed.
    if (this.error !== null) return
    try {
      decoder.decode(bytes, start, end, decoded => this.scanDecoded(decoded))
    } catch (error) {
      this.failDecoding(error)
    }
  }

  /** @param {Buffer} decoded @returns {boolean} whether to continue decoding: a few bytes may expand to gigabytes */
  scanDecoded (decoded) {
    this.inRead += this.scanner.scan(decoded, 0, decoded.length)
    if (this.scanner.size <= LONGEST) return this.error === null
    this.failDecoding(new ProtocolError('AC_EVENT_SIZE'))
    return false
  }

  /** @param {unknown} error */
  failDecoding (error) {
    if (!(error instanceof ProtocolError)) throw error
    this.error = error
    this.isOver = true
  }

  /** Counts the messages of one read, at its end. */
  endRead () {
    if (!this.isOpen || (this.isOver && this.error === null)) return
    const { scanner } = this
    const found = this.inRead + scanner.endRead()
    this.inRead = 0
    if (found > 0) this.deliver(found, this.readAt)
    if (this.goodput !== null && this.times !== null) {
      this.goodput.read(/** @type {Delivered} */ (this.scanner.completion), this.readAt)
    }
    if (this.times !== null) this.times.read(/** @type {Delivered} */ (this.scanner.completion), this.readAt)
    if (scanner.size > LONGEST && !this.isOver) {
      this.error = new ProtocolError('AC_EVENT_SIZE')
      this.isOver = true
    }
  }

  /** @param {number} found messages that arrived together @param {number} at */
  deliver (found, at) {
    const { stage, streaming } = this
    const wanted = streaming.messages - this.messages
    const n = found < wanted ? found : wanted
    if (n <= 0) return
    if (this.goodput !== null) this.goodput.deliver(n, at)
    for (const tally of this.tallies) this.record(tally, n, at)
    if (stage !== null) {
      const isFirst = this.messages === 0
      stage.deliver(isFirst, at - (isFirst ? this.origin : this.lastAt), n)
    }
    this.messages += n
    this.lastAt = at
    if (this.messages >= streaming.messages) this.isOver = true
  }

  /**
   * @param {import('../instruments/streams/record').StreamTally} tally
   * @param {number} n messages that arrived together
   * @param {number} at
   */
  record (tally, n, at) {
    tally.events += n
    tally.reads++
    if (this.messages === 0) tally.first(at - this.origin)
    else this.recordGap(tally, at)
    if (n > 1) tally.gap.record(0, n - 1)
  }

  /** @param {import('../instruments/streams/record').StreamTally} tally @param {number} at */
  recordGap (tally, at) {
    const ms = at - this.lastAt
    tally.gap.record(ms)
    if (ms > this.streaming.stallMs) tally.stalls++
  }

  /** Completes the response, or ends one that was closed in order. @param {number} at */
  finish (at) {
    if (!this.isOpen) return
    if (this.decoder !== null && !this.isLeft) this.finishDecoding(this.decoder)
    this.endRead()
    const { isLeft, scanner } = this
    const last = isLeft ? 0 : scanner.finish()
    if (last > 0) this.deliver(last, at)
    for (const tally of this.tallies) {
      if (!isLeft && scanner.isInside) tally.truncated++
      tally.close(at - this.openedAt, this.messages, isLeft)
    }
    this.goodput?.finish(at - this.openedAt, this.scanner.completion)
    if (this.times !== null) {
      this.isCompletion = true
      this.failure = this.times.finish(/** @type {Delivered} */ (this.scanner.completion), isLeft)
      if (this.failure !== null) {
        this.fault ??= { check: 'completion', reason: `${this.failure.code}: ${this.failure.message}` }
      }
    }
    this.continueLater(isLeft, at)
    this.leave()
  }

  /** @type {(isLeft: boolean, at: number) => void} `isLeft`: whether this side closed it */
  continueLater (isLeft, at) {
    const { reconnect, scanner: { fields }, tallies } = this
    if (reconnect === null || !fields || !reconnect.ended(fields, isLeft, at, tallies)) return
    for (const tally of this.tallies) tally.shortenedWaits++
  }

  /** Detects an incomplete compressed body in a complete response. @param {StreamDecoder} decoder */
  finishDecoding (decoder) {
    try {
      if (this.error === null) this.scanDecoded(decoder.finish())
    } catch (error) {
      this.failDecoding(error)
    }
    if (this.error === null) return
    this.fault = { check: 'content-encoding', reason: `${this.error.code}: ${this.error.message}` }
    this.decodingError = this.error
    // Decoded messages count although the body is incomplete.
    this.isOver = false
    this.error = null
  }

  /**
   * Counts a lost response.
   * @param {number} at
   * @param {boolean} waited whether it timed out
   */
  lose (at, waited) {
    if (!this.isOpen) return
    this.endRead()
    for (const tally of this.tallies) {
      if (this.scanner.isInside) tally.truncated++
      if (waited && this.messages === 0) tally.first(at - this.origin)
      else if (waited) this.recordGap(tally, at)
    }
    if (waited) {
      const isFirst = this.messages === 0
      this.stage?.deliver(isFirst, at - (isFirst ? this.origin : this.lastAt), 1)
      this.times?.lose(/** @type {Delivered} */ (this.scanner.completion), at)
    }
    this.continueLater(false, at)
    this.leave()
  }

  /**
   * Ends the stream at the end of the run. A pending wait counts with its time so far.
   * @param {number} at
   * @param {boolean} paced whether requests have an intended time
   */
  abandon (at, paced) {
    if (!this.isOpen) return
    const isStall = at - this.lastAt > this.streaming.stallMs
    for (const tally of this.tallies) {
      if (this.messages === 0) tally.pending(at - this.origin, paced)
      else if (isStall) this.recordGap(tally, at)
    }
    const { completion } = this.scanner
    if (this.times !== null) {
      this.times.abandon(/** @type {Delivered} */ (completion), at, paced, this.streaming.stallMs)
    }
    this.goodput?.abandon(this.name, this.scenario, at, completion)
    this.leave()
  }

  /**
   * Ends a response that is not a stream at the end of the run.
   * @param {import('./reader').ResponseReader} reader
   */
  noteFault ({ inspector }) {
    const { fault, streaming: { checks } } = this
    if (fault !== null) checks.of(fault.check, inspector?.name ?? null).fail(fault.reason, null)
  }

  /** Closes the stream at its time limit. @param {number} at the time now */
  look (at) {
    if (this.isOpen && at - this.openedAt >= this.streaming.openMs) this.isOver = true
  }

  /** @param {number} at the time now @returns {boolean} whether it has timed out */
  isIdle (at) {
    return at - this.lastAt >= this.streaming.idleMs
  }

  /**
   * Reports all results of the response.
   * @param {import('./reader').ResponseReader} reader
   * @param {boolean} isFine whether it has no failure
   * @param {number} ms latency
   * @param {import('../instruments/goodput/record').Stage | null} stage
   */
  conclude ({ step, inspector }, isFine, ms, stage) {
    if (!step?.isStream || this.goodput === null) return
    this.goodput.conclude(inspector?.tally?.name ?? null, this.scenarioOf(step), isFine && this.isRead, ms, stage)
  }

  /**
   * @param {import('./reader').ResponseReader} reader of a complete response
   * @param {() => import('../instruments/checks/record').FailedResponse} sample
   * @returns {boolean} whether it is a readable stream
   */
  judge ({ inspector }, sample) {
    const { fault, streaming: { checks } } = this
    if (fault === null) {
      if (this.isCompletion) checks.of('completion', inspector?.name ?? null).passed++
      return true
    }
    checks.of(fault.check, inspector?.name ?? null).fail(fault.reason, sample)
    return false
  }
}

module.exports = { ResponseStream }
