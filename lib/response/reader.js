'use strict'

// The response reader: one response for hooks, checks and listeners. It exists only if responses are read, and stores
// only the used parts.

const { failureIn, isAssertion } = require('../checks/failure')
const { charsetOf, decodeText } = require('../requests/charset')
const { headersObject } = require('../requests/headers')
const { isPromise, promised, watch } = require('../requests/hook-result')
const { HookError, ProtocolError } = require('../core/errors')
const { SAMPLE_BODY, sampleOf } = require('./inspector')

/**
 * @typedef {object} ResponseHooks
 * @property {((body: string, context: Record<string, any>) => unknown) | undefined} verifyBody
 * @property {Buffer | undefined} expectBody
 * @property {import('./decoder').Decoder | null} [decoder] of bodies; null if they are not decoded
 * @property {import('./streaming').Streaming | null} [streams] null without streams
 * @property {(error: Error) => void} fail an exception of an async hook ends the run
 * @property {ResponseReader[]} free unused readers
 *
 * @typedef {object} Head of a response, independent of the wire format
 * @property {number} status
 * @property {() => string[]} rawHeaders names and values alternate; read-only, and the same array for a repeated head
 * @property {{ statusMessage: string, versionMajor: number, versionMinor: number }} statusLine
 * @property {() => void} keep copies the head before the buffer of the read is reused
 */

// Outcomes of a response.
const FINE = 0
/** A check or a hook rejected it. */
const FAILED = 1
/** Its body differs from the expected one. */
const MISMATCHED = 2

/**
 * The longest body for checks and captures, bytes. It bounds the memory for an endless body. Hooks receive the whole
 * body in any case.
 */
const LONGEST_BODY = 16 * 1024 * 1024

const NO_BYTES = Buffer.alloc(0)
/** @type {string[]} */
const NO_HEADERS = []
/** @type {ReadonlyArray<string>} */
const NO_TEXTS = []

const noChance = () => 0

/** @typedef {import('../checks/response').Source} Source */

/** @implements {Source} */
class ResponseReader {
  /** @param {import('./readers').Readers} readers of its first connection */
  constructor (readers) {
    this.readers = readers
    this.verifyBody = readers.hooks.verifyBody
    this.expectBody = readers.hooks.expectBody
    /** The messages of the response; null without streams. */
    this.stream = readers.hooks.streams?.make(readers.hooks.fail) ?? null
    // State of the current response. The request is kept, because a listener may change the requests and the row is
    // reused.
    /** @type {import('../users/compiled-scenario').CompiledStep | null} */
    this.step = null
    /** @type {import('../templates/context').Context} */
    this.context = {}
    /** @type {import('./inspector').Inspector | null} */
    this.inspector = null
    /** @type {import('../requests/request').Request | null} */
    this.request = null
    /** @type {ReadonlyArray<string>} */
    this.expected = NO_TEXTS
    this.status = 0
    // Latency and time to first byte of a complete response, ms.
    this.ms = -0
    this.ttfb = -0
    /** @type {string | null} the body, null until its first use */
    this.decoded = null
    /**
     * The decoded body; null without a Content-Encoding or without decoding.
     * @type {ReturnType<import('./decoder').Decoder['decode']> | null}
     */
    this.unpacked = null
    /** @type {Head | null} */
    this.head = null
    // A repeated head is converted into objects once, and the objects are copied.
    /** @type {string[]} */
    this.raw = NO_HEADERS
    /** @type {Record<string, string | string[]> | null} */
    this.asReceived = null
    /** @type {Readonly<Record<string, string | string[]>> | null} */
    this.inLowerCase = null
    /** @type {string[]} */
    this.rawTrailers = NO_HEADERS
    // The body so far: copied parts, then a part that is still in the buffer of the read.
    /** @type {Buffer[]} */
    this.copied = []
    /** @type {Buffer} */
    this.buffer = NO_BYTES
    this.start = 0
    this.end = 0
    /** Bytes of the body, kept or not. */
    this.bodySize = 0
    /** The number of further bytes to keep. */
    this.left = 0
    /** Whether the whole body is inspected. */
    this.whole = false
    /** The user that receives the response. */
    this.random = noChance
    /** The name of a value that could not be captured. @type {string | null} */
    this.missing = null
    /** See `Source`. @type {Promise<boolean> | null} */
    this.late = null
  }

  /**
   * Starts a response after its head.
   * @param {Head} head
   * @param {import('../users/compiled-scenario').CompiledStep} step of the request
   * @param {import('../requests/request').Request} request
   * @param {import('../templates/context').Context} context
   * @param {ReadonlyArray<string> | undefined} expected texts of the response that depend on the request
   * @returns {boolean} whether the body is needed
   */
  begin (head, step, request, context, expected) {
    const { readers: { client, judgesBody } } = this
    this.step = step
    this.stream?.reset()
    this.context = context
    this.inspector = step.inspector
    this.request = request
    this.expected = expected ?? NO_TEXTS
    const inspects = this.inspector !== null && this.inspector.inspects
    this.head = head
    this.status = head.status
    this.rawTrailers = NO_HEADERS
    this.decoded = null
    this.unpacked = null
    this.missing = null
    this.late = null
    this.copied.length = 0
    this.start = this.end = this.bodySize = 0
    if (client !== null && client.listenerCount('headers') > 0) {
      client.report('headers', { headers: [...head.rawHeaders()], statusCode: head.status, ...head.statusLine })
    }
    const isWanted = step.onResponse !== undefined || step.keepsBody || judgesBody ||
      (client !== null && client.listenerCount('body') > 0)
    this.whole = isWanted || (this.inspector !== null && inspects && this.inspector.readsBody)
    this.left = isWanted ? Infinity : this.whole ? LONGEST_BODY : inspects ? SAMPLE_BODY : 0
    return this.left > 0
  }

  /**
   * @param {number} origin start of the response's latency
   * @param {number} at
   * @param {import('../instruments/stages/stage-times').StageTimes | null} stage
   * @returns {boolean} whether it is a stream, or a failed one with a body for the sample
   */
  openStream (origin, at, stage) {
    const stream = /** @type {import('./response-stream').ResponseStream} */ (this.stream)
    if (this.step?.isStream && stream.open(this, origin, at, stage)) return true
    if (stream.fault !== null && this.left === 0) this.left = SAMPLE_BODY
    return this.left > 0
  }

  /** Counts an incomplete response at the end of the run. */
  noteFault () {
    this.stream?.noteFault(this)
  }

  /** Keeps only the part of a stream's body that a failed check shows. */
  keepSample () {
    this.whole = false
    this.left = this.inspector !== null && this.inspector.inspects ? SAMPLE_BODY : 0
  }

  /** @type {(buf: Buffer, start: number, end: number) => void} */
  add (buf, start, end) {
    const size = end - start
    this.bodySize += size
    if (this.left === 0) return
    this.keepBody()
    const kept = size < this.left ? size : this.left
    this.left -= kept
    this.buffer = buf
    this.start = start
    this.end = start + kept
  }

  /** Copies the kept part before the buffer of the read is reused. */
  keep () {
    this.keepBody()
    if (this.stream !== null) {
      this.stream.endRead()
      if (this.stream.isOver) this.readers.hasOver = true
    }
    this.head?.keep()
  }

  keepBody () {
    if (this.end > this.start) this.copied.push(Buffer.from(this.buffer.subarray(this.start, this.end)))
    this.start = this.end = 0
  }

  /** @returns {Buffer} the kept body, perhaps only its beginning; valid until the next read */
  bytes () {
    if (this.unpacked !== null) return this.unpacked.bytes
    if (this.copied.length === 0) return this.buffer.subarray(this.start, this.end)
    this.keepBody()
    if (this.copied.length > 1) this.copied = [Buffer.concat(this.copied)]
    return this.copied[0]
  }

  /** @returns {string} charset of the Content-Type; empty for UTF-8 */
  charset () {
    return charsetOf(this.rawHeaders())
  }

  /**
   * @returns {string} the body decoded by its charset, for checks and captures
   * @throws {ProtocolError}
   */
  text () {
    const charset = this.charset()
    return charset === '' ? this.utf8() : decodeText(this.bytes(), charset)
  }

  /** @returns {string} the body decoded as UTF-8 for any charset, for hooks of autocannon 9 */
  utf8 () {
    if (this.unpacked !== null) return this.unpacked.text
    this.decoded ??= this.copied.length === 0
      ? this.buffer.toString('utf8', this.start, this.end)
      : this.bytes().toString()
    return this.decoded
  }

  /** @returns {import('./response-stream').ResponseStream | null} its messages; null if it is not a stream */
  get events () {
    return this.stream !== null && this.stream.isRead ? this.stream : null
  }

  /** @returns {string[]} names and values alternate; read-only */
  rawHeaders () {
    const raw = /** @type {Head} */ (this.head).rawHeaders()
    if (raw !== this.raw) {
      this.raw = raw
      this.asReceived = null
      this.inLowerCase = null
    }
    return raw
  }

  /** @returns {Record<string, string | string[]>} by name as received; a copy that a hook may change */
  headers () {
    const raw = this.rawHeaders()
    if (this.asReceived !== null) return { ...this.asReceived }
    const headers = headersObject(Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i], raw[2 * i + 1]]))
    if (!Object.values(headers).some(Array.isArray)) this.asReceived = { ...headers }
    return headers
  }

  /** @returns {Readonly<Record<string, string | string[]>>} by lower-case name */
  lowerCaseHeaders () {
    const raw = this.rawHeaders()
    this.inLowerCase ??= byLowerCase(raw)
    return this.inLowerCase
  }

  /** @returns {Readonly<Record<string, string | string[]>>} by lower-case name */
  trailers () {
    return byLowerCase(this.rawTrailers)
  }

  /** @returns {string} the Content-Encoding of the body; empty for none */
  contentEncoding () {
    const coding = this.bodySize === 0 ? undefined : this.lowerCaseHeaders()['content-encoding']
    return coding === undefined ? '' : String(coding)
  }

  /** @param {number} size @returns {{ body: string, truncated: boolean }} up to `size` bytes of the body */
  sample (size) {
    const { decoder, areStreams } = this.readers
    const coding = (decoder === null && !areStreams) || this.unpacked !== null ? '' : this.contentEncoding()
    const bytes = coding === ''
      ? this.bytes()
      : require('../requests/content-coding').decodeBeginning(coding, this.bytes())
    const isWhole = this.unpacked !== null || this.left > 0
    return { body: sampleText(bytes.subarray(0, size), this.charset()), truncated: bytes.length > size || !isWhole }
  }

  /** @returns {import('../requests/request').Request} its request */
  sent () {
    return /** @type {import('../requests/request').Request} */ (this.request)
  }

  /**
   * Completes the response: runs checks and hooks.
   * @param {number} ms latency
   * @returns {number} FINE, FAILED or MISMATCHED
   * @throws {HookError}
   */
  judge (ms) {
    const { inspector, context, stream, readers: { client, decoder } } = this
    const isRead = stream === null || stream.judge(this, () => sampleOf(this))
    if (this.whole && this.left === 0 && this.bodySize > LONGEST_BODY) {
      this.missing = /** @type {import('./inspector').Inspector} */ (inspector).refuse(
        `the body has more than ${LONGEST_BODY / 1024 / 1024} MiB`, this
      )
      return FAILED
    }
    if (decoder !== null && this.whole && this.bodySize > 0 && !this.unpack(decoder)) return FAILED
    let verdict = this.verify()
    if (inspector !== null && inspector.inspects && !inspector.inspect(this, ms, context, this.expected) &&
      verdict === FINE) {
      verdict = FAILED
    }
    if (!this.respond() && verdict === FINE) verdict = FAILED
    if (!isRead && verdict === FINE) verdict = FAILED
    if (client !== null && this.whole && this.bodySize > 0 && client.listenerCount('body') > 0) {
      client.report('body', Buffer.from(this.bytes()))
    }
    return verdict
  }

  /**
   * Checks and captures are skipped for a body that cannot be decoded.
   * @param {import('./decoder').Decoder} decoder
   * @returns {boolean} whether the body is decoded
   */
  unpack (decoder) {
    const { inspector } = this
    const coding = this.contentEncoding()
    if (coding === '') return true
    const tally = decoder.tally(inspector?.name ?? null)
    try {
      this.unpacked = decoder.decode(/** @type {object} */ (this.step), coding, this.bytes())
      tally.passed++
      return true
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      tally.fail(`${error.code}: ${error.message}`, () => sampleOf(this))
      this.missing = inspector?.captured?.[0].capturing.name ?? null
      return false
    }
  }

  /**
   * Compares the body, by verifyBody or expectBody.
   * @returns {number} FINE or MISMATCHED
   * @throws {HookError}
   */
  verify () {
    const { verifyBody, expectBody, inspector, context } = this
    if (verifyBody === undefined) return expectBody === undefined || expectBody.equals(this.bytes()) ? FINE : MISMATCHED
    let response
    try {
      response = verifyBody(this.utf8(), context)
    } catch (error) {
      if (!isAssertion(error)) {
        throw HookError.failed(`verifyBody of the response to request ${inspector?.index}`, error)
      }
      response = error
    }
    if (isPromise(response)) throw promised(`verifyBody of the response to request ${inspector?.index}`, response)
    const reason = failureIn(response) ?? (response ? null : 'the body was refused')
    inspector?.count(inspector.verified, reason, this)
    return reason === null ? FINE : MISMATCHED
  }

  /**
   * Calls onResponse.
   * @returns {boolean} false if it rejects the response
   * @throws {HookError}
   */
  respond () {
    const { step, inspector } = this
    if (step === null || step.onResponse === undefined) return true
    let response
    try {
      response = step.onResponse(this.status, this.utf8(), this.context, this.headers())
    } catch (error) {
      if (!isAssertion(error)) throw HookError.failed(`onResponse of request ${step.index}`, error)
      response = error
    }
    if (response !== undefined) watch(`onResponse of request ${step.index}`, response, this.readers.hooks.fail)
    const reason = failureIn(response)
    inspector?.count(inspector.responded, reason, this)
    return reason === null
  }
}

/** @param {string[]} raw names and values alternate */
function byLowerCase (raw) {
  return Object.freeze(headersObject(Array.from(
    { length: raw.length / 2 }, (_, i) => [raw[2 * i].toLowerCase(), raw[2 * i + 1]]
  )))
}

/** Decodes by charset, or as UTF-8 if the charset is unknown. @type {(bytes: Buffer, charset: string) => string} */
function sampleText (bytes, charset) {
  try {
    return decodeText(bytes, charset)
  } catch {
    return bytes.toString()
  }
}

module.exports = { ResponseReader, FINE, FAILED, MISMATCHED, LONGEST_BODY }
