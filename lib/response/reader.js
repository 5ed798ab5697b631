'use strict'

// Owns what hooks, checks and listeners get to see of a response: its headers and its body. A connection has one only when
// there is somebody to serve; each response is then read as far as somebody asked.

const { failureIn, isAssertion } = require('../checks/failure')
const { headersObject, parseRawHeaders } = require('../scenario/headers')
const { isPromise, promised, watch } = require('../scenario/hook-answer')
const { HookError } = require('../errors')
const { SAMPLE_BODY } = require('./examiner')

/**
 * @typedef {object} ResponseHooks
 * @property {((body: string, context: Record<string, any>) => unknown) | undefined} verifyBody
 * @property {Buffer | undefined} expectBody
 * @property {import('../wire/http1/head-memo').HeadMemo} memo of the parser
 * @property {(error: Error) => void} fail what an async hook throws ends the run
 */

// What a response turned out to be.
const FINE = 0
/** A check or a hook says that it is wrong. */
const FAILED = 1
/** It has not the body that was expected. */
const MISMATCHED = 2

const NO_BYTES = Buffer.alloc(0)
/** @type {string[]} */
const NO_HEADERS = []

/** @typedef {import('../checks/response').Source} Source */

/** @implements {Source} */
class ResponseReader {
  /** @param {ResponseHooks} hooks */
  constructor ({ verifyBody, expectBody, memo, fail }) {
    this.memo = memo
    this.fail = fail
    this.verifyBody = verifyBody
    this.expectBody = expectBody
    this.judgesBody = verifyBody !== undefined || expectBody !== undefined
    /** @type {import('./client').Client | null} */
    this.client = null
    // Of the response that is read.
    /** @type {import('../scenario/compiled-scenario').CompiledStep | null} */
    this.step = null
    /** @type {import('../scenario/context').Context} */
    this.context = {}
    /** @type {import('./examiner').Examiner | null} */
    this.examiner = null
    /** @type {import('../scenario/request').Request | null} */
    this.request = null
    this.status = 0
    /** @type {string | null} the body, null until it is asked for */
    this.decoded = null
    /** Of the head in the memo of the parser, -1 when it is not in there. */
    this.version = -1
    // A head that comes again is parsed once, and its objects copied. They are those of the version `parsed`; -2 for none.
    this.parsed = -2
    this.parsedHeaders = NO_HEADERS
    /** @type {Record<string, string | string[]> | null} */
    this.asReceived = null
    /** @type {Readonly<Record<string, string | string[]>> | null} */
    this.inLowerCase = null
    // The head: where it lies in the buffer of the read, or a copy.
    /** @type {Buffer} */
    this.head = NO_BYTES
    this.headStart = 0
    this.headEnd = 0
    /** Whether the response is not complete. */
    this.reading = false
    // The body so far: whole spans that were copied, then one that still lies in the buffer of the read.
    /** @type {Buffer[]} */
    this.copied = []
    /** @type {Buffer} */
    this.buffer = NO_BYTES
    this.start = 0
    this.end = 0
    /** Bytes of the body, kept or not. */
    this.bodySize = 0
    /** How many more of them are kept. */
    this.left = 0
  }

  /**
   * A head has come.
   * @param {number} status
   * @param {Buffer} buf
   * @param {number} start
   * @param {number} end
   * @param {import('../scenario/sequence').Requests} requests whose oldest one in flight is answered
   * @returns {boolean} whether somebody wants the body
   */
  begin (status, buf, start, end, requests) {
    const { client, memo } = this
    // A listener may change the requests while this response is read.
    this.step = requests.answeringStep()
    this.context = requests.answeringContext()
    this.examiner = requests.answeringExaminer()
    this.request = requests.answeringRequest()
    const examines = this.examiner !== null && this.examiner.examines
    const hooked = this.step !== null && this.step.onResponse !== undefined
    this.status = status
    this.version = memo.length === end - start ? memo.version : -1
    if (this.version === -1 || this.version !== this.parsed) this.parsed = -2
    this.decoded = null
    this.head = buf
    this.headStart = start
    this.headEnd = end
    this.reading = true
    this.copied.length = 0
    this.start = this.end = this.bodySize = 0
    if (client !== null && client.listenerCount('headers') > 0) client.tell('headers', headOf(status, [...this.rawHeaders()], buf, start))
    const whole = hooked || this.judgesBody || (examines && this.examiner?.readsBody) || (client !== null && client.listenerCount('body') > 0)
    this.left = whole ? Infinity : examines ? SAMPLE_BODY : 0
    return this.left > 0
  }

  /**
   * @param {Buffer} buf
   * @param {number} start
   * @param {number} end
   */
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

  /** The buffer of the read is about to be used again: copies what lies in it. */
  keep () {
    if (!this.reading) return
    this.keepBody()
    if (this.headEnd > this.headStart) {
      this.head = Buffer.from(this.head.subarray(this.headStart, this.headEnd))
      this.headEnd -= this.headStart
      this.headStart = 0
    }
  }

  keepBody () {
    if (this.end > this.start) this.copied.push(Buffer.from(this.buffer.subarray(this.start, this.end)))
    this.start = this.end = 0
  }

  /** @returns {Buffer} the body, valid until the next read; its beginning when nobody needs all of it */
  bytes () {
    if (this.copied.length === 0) return this.buffer.subarray(this.start, this.end)
    this.keepBody()
    if (this.copied.length > 1) this.copied = [Buffer.concat(this.copied)]
    return this.copied[0]
  }

  /** @returns {string} */
  text () {
    this.decoded ??= this.copied.length === 0 ? this.buffer.toString('utf8', this.start, this.end) : this.bytes().toString()
    return this.decoded
  }

  /** @returns {string[]} names and values in turn; not to be changed */
  rawHeaders () {
    if (this.parsed === -2) {
      this.parsed = this.version
      this.parsedHeaders = parseRawHeaders(this.head, this.headStart, this.headEnd)
      this.asReceived = null
      this.inLowerCase = null
    }
    return this.parsedHeaders
  }

  /** @returns {Record<string, string | string[]>} by name as received, for a hook that may change them */
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
    this.inLowerCase ??= Object.freeze(headersObject(Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i].toLowerCase(), raw[2 * i + 1]])))
    return this.inLowerCase
  }

  /** @returns {import('../scenario/request').Request} what the response answers */
  sent () {
    return /** @type {import('../scenario/request').Request} */ (this.request)
  }

  /**
   * The response is complete: runs checks and hooks.
   * @param {number} ms latency
   * @returns {number} FINE, FAILED or MISMATCHED
   * @throws {HookError}
   */
  judge (ms) {
    const { examiner, context, client } = this
    this.reading = false
    let verdict = this.verify()
    if (examiner !== null && examiner.examines && !examiner.examine(this, ms, context) && verdict === FINE) verdict = FAILED
    if (!this.respond() && verdict === FINE) verdict = FAILED
    if (client !== null && this.left === Infinity && this.bodySize > 0 && client.listenerCount('body') > 0) client.tell('body', Buffer.from(this.bytes()))
    return verdict
  }

  /**
   * Compares the body, by verifyBody or expectBody.
   * @returns {number} FINE or MISMATCHED
   * @throws {HookError}
   */
  verify () {
    const { verifyBody, expectBody, examiner, context } = this
    if (verifyBody === undefined) return expectBody === undefined || expectBody.equals(this.bytes()) ? FINE : MISMATCHED
    let answer
    try {
      answer = verifyBody(this.text(), context)
    } catch (error) {
      if (!isAssertion(error)) throw HookError.failed(`verifyBody of the answer to request ${examiner?.index}`, error)
      answer = error
    }
    if (isPromise(answer)) throw promised(`verifyBody of the answer to request ${examiner?.index}`, answer)
    const reason = failureIn(answer) ?? (answer ? null : 'the body was refused')
    examiner?.count(examiner.verified, reason, this)
    return reason === null ? FINE : MISMATCHED
  }

  /**
   * Calls onResponse.
   * @returns {boolean} false when it says that the response is wrong
   * @throws {HookError}
   */
  respond () {
    const { step, examiner } = this
    if (step === null || step.onResponse === undefined) return true
    let answer
    try {
      answer = step.onResponse(this.status, this.text(), this.context, this.headers())
    } catch (error) {
      if (!isAssertion(error)) throw HookError.failed(`onResponse of request ${step.index}`, error)
      answer = error
    }
    if (answer !== undefined) watch(`onResponse of request ${step.index}`, answer, this.fail)
    const reason = failureIn(answer)
    examiner?.count(examiner.responded, reason, this)
    return reason === null
  }
}

/**
 * What listeners to `headers` get.
 * @param {number} statusCode
 * @param {string[]} headers
 * @param {Buffer} buf
 * @param {number} start
 */
function headOf (statusCode, headers, buf, start) {
  const line = buf.toString('latin1', start, buf.indexOf('\r\n', start))
  return {
    headers,
    statusCode,
    statusMessage: line.slice(13),
    versionMajor: 1,
    versionMinor: Number(line[7])
  }
}

module.exports = { ResponseReader, FINE, FAILED, MISMATCHED }
