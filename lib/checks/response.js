'use strict'

// The view of a response that check functions receive. Headers, body and JSON are decoded on first access.

const { decodeText, isWellEncoded } = require('../requests/charset')
const { headersObject } = require('../requests/headers')
const { withBigInts, withTexts } = require('../requests/json-numbers')
const { oneLine } = require('../core/foreign-text')

/**
 * The source of a response. It is valid until the next response is read.
 * @typedef {object} Source
 * @property {number} status
 * @property {number} bodySize
 * @property {() => Buffer} bytes of the body
 * @property {() => string} text that they are, by their charset; throws a ProtocolError for an unknown one
 * @property {() => string} charset of the Content-Type; empty for UTF-8
 * @property {(size: number) => { body: string, truncated: boolean }} sample of its first bytes
 * @property {() => string[]} rawHeaders names and values alternate
 * @property {() => Readonly<Record<string, string | string[]>>} lowerCaseHeaders by name
 * @property {() => Readonly<Record<string, string | string[]>>} trailers by lower-case name
 * @property {() => import('../requests/request').Request} sent its request
 * @property {() => number} random 0 to 1, without 1: of the user who gets it
 * @property {Events | null} events of a stream; null for a response that is none
 * @property {string | null} missing the name of a value that was to be captured and is not there; null for none
 * @property {Promise<boolean> | null} late whether a check that takes its time has found a failure, and nothing else
 *   has; null for none
 *
 * @typedef {object} Events
 * @property {(number: number) => import('./stream-event').StreamEvent | null} at from 1; −1 for the last one
 * @property {(tests: import('./events').EventTests) => string | null} unexpected why they are not as expected
 * @property {boolean} hasRefused whether the hook `checkEvent` has refused one
 *
 * @typedef {object} SentRequest
 * @property {string | undefined} name
 * @property {string} method
 * @property {string} path
 * @property {Record<string, string | string[]>} headers
 * @property {string | Uint8Array | undefined} body
 */

const BYTE_ORDER_MARK = 0xfeff

class Response {
  /** @type {Source | null} */
  #source
  /** @type {{ name: string | null, path: string }} */
  #defaults
  /** @type {Readonly<Record<string, string | string[]>> | null} */
  #headers = null
  /** @type {string | null} */
  #body = null
  /** @type {unknown} undefined until it is parsed */
  #json
  /** @type {unknown} undefined until the texts of its numbers are needed */
  #withTexts

  /**
   * @param {Source} source
   * @param {number} ms latency
   * @param {{ name: string | null, path: string }} defaults of the request
   */
  constructor (source, ms, defaults) {
    this.status = source.status
    this.ms = ms
    /** Bytes of the body, as it came. */
    this.size = source.bodySize
    this.#source = source
    this.#defaults = defaults
  }

  /** The check is over: parts that were not read yet can't be read any more. */
  close () {
    this.#source = null
  }

  #open () {
    if (this.#source === null) throw new Error('a response can be looked at only while its check runs')
    return this.#source
  }

  /** @returns {Readonly<Record<string, string | string[]>>} by lower-case name; repeated ones as an array */
  get headers () {
    this.#headers ??= this.#open().lowerCaseHeaders()
    return this.#headers
  }

  /**
   * @returns {Readonly<Record<string, string | string[]>>} likewise, of the trailers (RFC 9110 §6.5); empty for none
   */
  get trailers () {
    return this.#open().trailers()
  }

  /** @returns {Buffer} the body, valid while the check runs */
  get bytes () {
    return this.#open().bytes()
  }

  get body () {
    this.#body ??= this.#open().text()
    return this.#body
  }

  /**
   * @returns {any} the body, parsed once for all readers
   * @throws {Error}
   */
  json () {
    if (this.#json !== undefined) return this.#json
    const { body } = this
    try {
      // Some servers begin their bodies with a byte order mark, which parsers may ignore (RFC 8259 §8.1).
      return (this.#json = JSON.parse(body.charCodeAt(0) === BYTE_ORDER_MARK ? body.slice(1) : body))
    } catch {
      throw new Error(`the body is not JSON${this.#coding()}`)
    }
  }

  /** @returns {string} why the body is no text, where it is compressed and nothing has decompressed it */
  #coding () {
    const coding = this.headers['content-encoding']
    if (coding === undefined || coding === 'identity' || isWellEncoded(this.bytes, '')) return ''
    return `, its Content-Encoding is ${oneLine(String(coding), 40)}: use compressed (--compressed) to decompress it`
  }

  /**
   * Its source is about to be reused.
   * @param {Response} response
   * @returns {Source} a copy of that, which it is read from now on
   */
  static keep (response) {
    response.#source = keptSource(response.#open())
    return response.#source
  }

  /**
   * @param {Response} response
   * @returns {string | null} its body; null for UTF-8, of which bytes can be compared
   * @throws {import('../core/errors').ProtocolError} for an unknown charset
   */
  static textOfOtherCharset (response) {
    return response.#open().charset() === '' ? null : response.body
  }

  /**
   * @param {Response} response
   * @param {unknown} value that was taken of it
   * @returns {boolean} whether U+FFFD is in it because a byte of the body means no character
   */
  static isDamaged (response, value) {
    const text = typeof value === 'string' ? value : typeof value === 'object' && value !== null ? response.body : ''
    return text.includes('\ufffd') && !isWellEncoded(response.bytes, response.#open().charset())
  }

  /**
   * For captures and expectations: functions of users get JavaScript numbers, as from JSON.parse.
   * @param {Response} response
   * @returns {any} its JSON, whose numbers keep their text (see json-numbers.js)
   * @throws {Error}
   */
  static jsonWithTexts (response) {
    const json = response.json()
    response.#withTexts ??= withTexts(response.body, json)
    return response.#withTexts
  }

  /** @param {Response} response @returns {Events | null} null for a response that is no stream */
  static eventsOf (response) {
    return response.#open().events
  }

  /**
   * @param {Response} response
   * @returns {any} its JSON, with a BigInt for each integer that a number may not hold
   * @throws {Error}
   */
  static jsonWithBigInts (response) {
    return withBigInts(response.body, response.json())
  }

  /** @returns {SentRequest} the request as sent, with ids as [<id>] */
  get request () {
    const { method, path, headers, body } = this.#open().sent()
    const { name, path: ownPath } = this.#defaults
    return {
      name: name ?? undefined, method, path: path ?? ownPath, headers: headersObject(headers),
      body: body instanceof Uint8Array ? Buffer.from(body) : body ?? undefined
    }
  }
}

/** @param {Source} source @returns {Source} the same, with a body and headers of its own */
function keptSource (source) {
  const { status, bodySize, events, missing } = source
  const bytes = Buffer.from(source.bytes())
  const [raw, lowerCase, trailers] = [[...source.rawHeaders()], source.lowerCaseHeaders(), source.trailers()]
  const [charset, sent] = [source.charset(), source.sent()]
  return {
    status,
    bodySize,
    events,
    missing,
    random: source.random,
    late: null,
    bytes: () => bytes,
    charset: () => charset,
    text: () => charset === '' ? bytes.toString() : decodeText(bytes, charset),
    sample: size => ({ body: bytes.toString('utf8', 0, size), truncated: bytes.length > size }),
    rawHeaders: () => raw,
    lowerCaseHeaders: () => lowerCase,
    trailers: () => trailers,
    sent: () => sent
  }
}

module.exports = { Response }
