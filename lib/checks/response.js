'use strict'

// The response that check functions receive. Headers, body and JSON are decoded on first access.

const { decodeText, isWellEncoded } = require('../requests/charset')
const { headersObject } = require('../requests/headers')
const { withBigInts, withTexts } = require('../requests/json-numbers')
const { oneLine } = require('../core/foreign-text')

/**
 * The data of a response. It is valid until the next response is read.
 * @typedef {object} Source
 * @property {number} status
 * @property {number} bodySize
 * @property {() => Buffer} bytes of the body
 * @property {() => string} text the body decoded by its charset; throws a ProtocolError for an unknown charset
 * @property {() => string} charset of the Content-Type; empty for UTF-8
 * @property {(size: number) => { body: string, truncated: boolean }} sample the beginning of the body
 * @property {() => string[]} rawHeaders names and values alternate
 * @property {() => Readonly<Record<string, string | string[]>>} lowerCaseHeaders by name
 * @property {() => Readonly<Record<string, string | string[]>>} trailers by lower-case name
 * @property {() => import('../requests/request').Request} sent the request
 * @property {() => number} random from 0 up to, excluding, 1; the random numbers of the user
 * @property {Events | null} events the events of a stream; null for other responses
 * @property {string | null} missing the name of a capture without a value; null for none
 * @property {Promise<boolean> | null} late the result of an asynchronous check: whether only that check has failed;
 *   null for none
 *
 * @typedef {object} Events
 * @property {(number: number) => import('./stream-event').StreamEvent | null} at by number from 1; −1 for the last one
 * @property {(tests: import('./events').EventTests) => string | null} unexpected returns the reason when they fail;
 *   null when they pass
 * @property {boolean} hasRefused whether the hook `checkEvent` has rejected an event
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
    /** Size of the body as it was received, bytes. */
    this.size = source.bodySize
    this.#source = source
    this.#defaults = defaults
  }

  /** The check is over: parts that were not read yet are no longer available. */
  close () {
    this.#source = null
  }

  #open () {
    if (this.#source === null) throw new Error('a response can be looked at only while its check runs')
    return this.#source
  }

  /** @returns {Readonly<Record<string, string | string[]>>} by lower-case name; an array for a repeated name */
  get headers () {
    this.#headers ??= this.#open().lowerCaseHeaders()
    return this.#headers
  }

  /**
   * @returns {Readonly<Record<string, string | string[]>>} the trailers (RFC 9110 §6.5), in the same form; empty for
   *   none
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

  /** @returns {string} an explanation for a body that is still compressed; empty otherwise */
  #coding () {
    const coding = this.headers['content-encoding']
    if (coding === undefined || coding === 'identity' || isWellEncoded(this.bytes, '')) return ''
    return `, its Content-Encoding is ${oneLine(String(coding), 40)}: use compressed (--compressed) to decompress it`
  }

  /**
   * Copies the source of a response before it is reused.
   * @param {Response} response
   * @returns {Source} the copy, which the response uses from now on
   */
  static keep (response) {
    response.#source = keptSource(response.#open())
    return response.#source
  }

  /**
   * @param {Response} response
   * @returns {string | null} its body; null for UTF-8, where bytes can be compared
   * @throws {import('../core/errors').ProtocolError} for an unknown charset
   */
  static textOfOtherCharset (response) {
    return response.#open().charset() === '' ? null : response.body
  }

  /**
   * @param {Response} response
   * @param {unknown} value extracted from it
   * @returns {boolean} whether it contains U+FFFD because a byte of the body is invalid in its charset
   */
  static isDamaged (response, value) {
    const text = typeof value === 'string' ? value : typeof value === 'object' && value !== null ? response.body : ''
    return text.includes('\ufffd') && !isWellEncoded(response.bytes, response.#open().charset())
  }

  /**
   * For captures and expectations. Functions of users receive JavaScript numbers, as from JSON.parse.
   * @param {Response} response
   * @returns {any} its JSON, with the texts of numbers kept (see json-numbers.js)
   * @throws {Error}
   */
  static jsonWithTexts (response) {
    const json = response.json()
    response.#withTexts ??= withTexts(response.body, json)
    return response.#withTexts
  }

  /** @param {Response} response @returns {Events | null} null for other responses than streams */
  static eventsOf (response) {
    return response.#open().events
  }

  /**
   * @param {Response} response
   * @returns {any} its JSON, with a BigInt for each integer beyond the safe range
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

/** @param {Source} source @returns {Source} a copy with its own body and headers */
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
