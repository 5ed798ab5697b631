'use strict'

// Owns what hooks and listeners get to see of a response: its headers and its body. A connection has one only when there
// is a hook or a listener to serve; each response is then read as far as somebody asked.

const { parseRawHeaders } = require('../request/headers')
const { isPromise, promised, watch } = require('../request/hook-answer')
const { HookError } = require('../errors')

/**
 * @typedef {object} ResponseHooks
 * @property {((body: string, context: Record<string, any>) => unknown) | undefined} verifyBody
 * @property {Buffer | undefined} expectBody
 * @property {import('./head-memo').HeadMemo} memo of the parser
 * @property {(error: Error) => void} fail what an async hook throws ends the run
 */

const NO_BYTES = Buffer.alloc(0)
/** @type {string[]} */
const NO_HEADERS = []

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
    /** @type {import('../request/script').Script | null} set when requests have hooks of their own */
    this.script = null
    // Of the response that is read.
    /** @type {import('../request/script').Step | null} */
    this.step = null
    /** @type {import('../request/script').Context} */
    this.context = {}
    this.status = 0
    this.rawHeaders = NO_HEADERS
    // A head that comes again is parsed once, and its object copied.
    this.version = -1
    this.parsedHeaders = NO_HEADERS
    /** @type {Record<string, string | string[]> | null} */
    this.headersObject = null
    // The body so far: whole spans that were copied, then one that still lies in the buffer of the read.
    /** @type {Buffer[]} */
    this.copied = []
    /** @type {Buffer} */
    this.buffer = NO_BYTES
    this.start = 0
    this.end = 0
  }

  /**
   * A head has come.
   * @param {number} status
   * @param {Buffer} buf
   * @param {number} start
   * @param {number} end
   * @returns {boolean} whether somebody wants the body
   */
  begin (status, buf, start, end) {
    const { client } = this
    // A listener may change the requests while this response is read.
    this.step = this.script === null ? null : this.script.answeringStep()
    this.context = this.script === null ? {} : this.script.answeringContext()
    const hooked = this.step !== null && this.step.onResponse !== undefined
    const announced = client !== null && client.listenerCount('headers') > 0
    this.status = status
    this.rawHeaders = hooked || announced ? this.parseHeaders(buf, start, end) : NO_HEADERS
    this.copied.length = 0
    this.start = this.end = 0
    if (announced) client.tell('headers', headOf(status, [...this.rawHeaders], buf, start))
    return hooked || this.judgesBody || (client !== null && client.listenerCount('body') > 0)
  }

  /**
   * @param {Buffer} buf
   * @param {number} start
   * @param {number} end
   * @returns {string[]} names and values in turn; not to be changed
   */
  parseHeaders (buf, start, end) {
    const { memo } = this
    const remembered = memo.length === end - start
    if (!remembered || memo.version !== this.version) {
      this.version = remembered ? memo.version : -1
      this.parsedHeaders = parseRawHeaders(buf, start, end)
      this.headersObject = null
    }
    return this.parsedHeaders
  }

  /** @returns {Record<string, string | string[]>} the headers of the response, for a hook that may change them */
  headers () {
    if (this.headersObject !== null) return { ...this.headersObject }
    const headers = rawToObject(this.rawHeaders)
    if (!Object.values(headers).some(Array.isArray)) this.headersObject = { ...headers }
    return headers
  }

  /**
   * @param {Buffer} buf
   * @param {number} start
   * @param {number} end
   */
  add (buf, start, end) {
    this.keep()
    this.buffer = buf
    this.start = start
    this.end = end
  }

  /** The buffer of the read is about to be used again: copies what lies in it. */
  keep () {
    if (this.end > this.start) this.copied.push(Buffer.from(this.buffer.subarray(this.start, this.end)))
    this.start = this.end = 0
  }

  /** @returns {string} the body */
  text () {
    if (this.copied.length === 0) return this.buffer.toString('utf8', this.start, this.end)
    return this.bytes().toString()
  }

  /** @returns {Buffer} the body, valid until the next read */
  bytes () {
    if (this.copied.length === 0) return this.buffer.subarray(this.start, this.end)
    this.keep()
    if (this.copied.length > 1) this.copied = [Buffer.concat(this.copied)]
    return this.copied[0]
  }

  /**
   * The response is complete: runs the hooks.
   * @param {import('../request/sequence').Requests} requests those it belongs to
   * @returns {boolean} whether the body is as expected
   * @throws {HookError}
   */
  judge (requests) {
    const { step, context, client } = this
    let matches = true
    /** @type {string | undefined} */
    let text
    if (this.verifyBody !== undefined) {
      text = this.text()
      matches = this.verify(this.verifyBody, text, requests)
    } else if (this.expectBody !== undefined) {
      matches = this.expectBody.equals(this.bytes())
    }
    if (step !== null && step.onResponse !== undefined) {
      try {
        const answer = /** @type {unknown} */ (step.onResponse(this.status, text ?? this.text(), context, this.headers()))
        if (answer !== undefined) watch(`onResponse of request ${step.index}`, answer, this.fail)
      } catch (error) {
        throw HookError.failed(`onResponse of request ${step.index}`, error)
      }
    }
    if (client !== null && client.listenerCount('body') > 0 && this.bytes().length > 0) client.tell('body', Buffer.from(this.bytes()))
    this.start = this.end = 0
    return matches
  }

  /**
   * @param {NonNullable<ResponseHooks['verifyBody']>} verifyBody
   * @param {string} text
   * @param {import('../request/sequence').Requests} requests
   * @returns {boolean}
   * @throws {HookError}
   */
  verify (verifyBody, text, requests) {
    let verdict
    try {
      verdict = verifyBody(text, this.context)
    } catch (error) {
      throw HookError.failed(`verifyBody of the answer to request ${requests.answeringIndex}`, error)
    }
    if (isPromise(verdict)) throw promised(`verifyBody of the answer to request ${requests.answeringIndex}`, verdict)
    return Boolean(verdict)
  }
}

/**
 * @param {string[]} raw
 * @returns {Record<string, string | string[]>} names as received; repeated ones as an array
 */
function rawToObject (raw) {
  /** @type {Record<string, any>} */
  const headers = {}
  for (let i = 0; i < raw.length; i += 2) {
    const before = Object.hasOwn(headers, raw[i]) ? headers[raw[i]] : undefined
    if (before === undefined) headers[raw[i]] = raw[i + 1]
    else if (Array.isArray(before)) before.push(raw[i + 1])
    else headers[raw[i]] = [before, raw[i + 1]]
  }
  return headers
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

module.exports = { ResponseReader }
