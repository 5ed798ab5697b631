'use strict'

// One response that delivers messages: the time of each, and whether there are enough of them. The scanner of its kind
// finds them (streams/stream).

const { ProtocolError } = require('../core/errors')
const { CompletionTimes } = require('./completion-times')
const { ResponseGoodput } = require('./goodput')
const { StreamDecoder } = require('./stream-decoder')

/**
 * The limit of one message, in bytes. Messages are not kept, but a server that never ends one would be measured as
 * silent, without a finding.
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
    /** Where it is counted. @type {ReadonlyArray<import('../instruments/streams/record').StreamTally>} */
    this.tallies = []
    /** Likewise of its stage. @type {import('../instruments/stages/stage-times').StageTimes | null} */
    this.stage = null
    this.counter = streaming.kind.scanner(undefined, streaming.isContinued)
    /** Continues it; null otherwise. @type {import('../users/reconnect').Reconnect | null} */
    this.reconnect = null
    /** Hands over texts; null while no request needs them. @type {import('../streams/stream').Scanner | null} */
    this.textScanner = null
    /** One of them. */
    this.scanner = this.counter
    /** @type {import('./event-inspector').EventInspector | null} */
    this.inspector = null
    /** Null where messages are no tokens. */
    this.times = streaming.tokens === null ? null : new CompletionTimes(streaming.tokens)
    this.goodput = streaming.goodput === null
      ? null
      : new ResponseGoodput(streaming.goodput.goodputs, streaming.goodput)
    /** Whether a completion has ended, and is to be judged. */
    this.isCompletion = false
    /** Its problem. @type {import('../streams/stream').Failure | null} */
    this.failure = null
    /** Whether the response that is read is a stream. */
    this.isOpen = false
    /** Whether it is one, or was until it ended. */
    this.isRead = false
    /** @type {{ check: string, reason: string } | null} */
    this.fault = null
    /** Whether no more is needed, and the problem; null for none. */
    this.isOver = false
    /** @type {ProtocolError | null} */
    this.error = null
    /** Why the end of its body could not be decoded. @type {ProtocolError | null} */
    this.decodingError = null
    /** Whether it is closed here, before the server has ended it. */
    this.isLeft = false
    /** That of its request. */
    this.name = null
    /** That its request is part of, where it has a name. */
    this.scenario = null
    /** Of a compressed response. @type {StreamDecoder | null} */
    this.decoder = null
    this.messages = 0
    /** Of the read that goes on. */
    this.inRead = 0
    // −0: see Recorder. When it was requested, when its head came, when the last bytes came, and the last message.
    this.origin = -0
    this.openedAt = -0
    this.readAt = -0
    this.lastAt = -0
  }

  /** Another response begins. */
  reset () {
    this.isOpen = this.isRead = this.isOver = this.isLeft = this.isCompletion = false
    this.error = this.fault = this.failure = this.decodingError = null
    this.release()
  }

  /** It is over. */
  leave () {
    this.isOpen = false
    for (const tally of this.tallies) tally.leave()
    this.release()
  }

  /** Nothing more of its body is decoded. */
  release () {
    this.decoder?.close()
    this.decoder = null
  }

  /**
   * A head has come, after `reset`.
   * @param {import('./reader').ResponseReader} reader
   * @param {number} origin when its latency began
   * @param {number} at
   * @param {import('../instruments/stages/stage-times').StageTimes | null} [stage] where the times of its stage are
   *   counted
   * @returns {boolean} whether the body is wanted
   */
  open (reader, origin, at, stage = null) {
    const { status } = reader
    // Others are responses as always. 204 and 205 have no body, so there is nothing that could be of another type.
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
   * @returns {import('../streams/stream').Scanner} that hands over the texts of events
   */
  readTexts (reader, origin) {
    this.inspector ??= new (require('./event-inspector').EventInspector)(this.fail)
    this.inspector.begin(reader, origin)
    this.textScanner ??= this.streaming.kind.scanner(message => {
      const inspector = /** @type {import('./event-inspector').EventInspector} */ (this.inspector)
      // Others come after those that are wanted.
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

  /** @param {Buffer} bytes @param {number} start @param {number} end @param {number} at when they arrived */
  add (bytes, start, end, at) {
    if (!this.isOpen) return
    this.readAt = at
    if (this.decoder !== null) return this.decode(this.decoder, bytes, start, end)
    this.inRead += this.scanner.scan(bytes, start, end)
  }

  /** @param {StreamDecoder} decoder @param {Buffer} bytes @param {number} start @param {number} end */
  decode (decoder, bytes, start, end) {
    // It is about to be closed.
    if (this.error !== null) return
    try {
      decoder.decode(bytes, start, end, decoded => this.scanDecoded(decoded))
    } catch (error) {
      this.failDecoding(error)
    }
  }

  /** @param {Buffer} decoded @returns {boolean} whether more of it may follow: a few bytes may become gigabytes */
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

  /** All that one read has brought of it is here. */
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

  /** @param {number} found messages that came together @param {number} at */
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
   * @param {number} n messages that came together
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

  /** The response is complete, or has been closed in order. @param {number} at */
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

  /** @type {(isLeft: boolean, at: number) => void} `isLeft`: whether it was closed here */
  continueLater (isLeft, at) {
    const { reconnect, scanner: { fields }, tallies } = this
    if (reconnect === null || !fields || !reconnect.ended(fields, isLeft, at, tallies)) return
    for (const tally of this.tallies) tally.shortenedWaits++
  }

  /** A response is complete whose body may not be. @param {StreamDecoder} decoder */
  finishDecoding (decoder) {
    try {
      if (this.error === null) this.scanDecoded(decoder.finish())
    } catch (error) {
      this.failDecoding(error)
    }
    if (this.error === null) return
    this.fault = { check: 'content-encoding', reason: `${this.error.code}: ${this.error.message}` }
    this.decodingError = this.error
    // Messages that were decoded count.
    this.isOver = false
    this.error = null
  }

  /**
   * The response is lost.
   * @param {number} at
   * @param {boolean} waited whether that is because nothing came for too long
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
   * The run is over. A pending wait counts with its time so far.
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
   * The run is over before the end of a response that is no stream.
   * @param {import('./reader').ResponseReader} reader
   */
  noteFault ({ inspector }) {
    const { fault, streaming: { checks } } = this
    if (fault !== null) checks.of(fault.check, inspector?.name ?? null).fail(fault.reason, null)
  }

  /** Closes it when it has been open for long enough. @param {number} at the time now */
  look (at) {
    if (this.isOpen && at - this.openedAt >= this.streaming.openMs) this.isOver = true
  }

  /** @param {number} at the time now @returns {boolean} whether nothing has come for too long */
  isIdle (at) {
    return at - this.lastAt >= this.streaming.idleMs
  }

  /**
   * All results of the response are reported.
   * @param {import('./reader').ResponseReader} reader
   * @param {boolean} isFine whether nothing is wrong with it
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
   * @returns {boolean} whether it is a stream that could be read
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
