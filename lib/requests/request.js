'use strict'

// The typed form of a request, and its parser for requests of users and hooks.

const { types } = require('node:util')
const { show, isRecord } = require('../core/foreign-text')
const { parseHeaders, mergeHeaders, isToken } = require('./headers')
const { within } = require('./place')

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {string | null} path null for the path of the target
 * @property {import('./headers').Pairs} headers
 * @property {string | Uint8Array | null} body
 */

/** Methods that fetch and undici also convert to upper case; all others are sent as given. */
const COMMON_METHODS = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'])

/** Idempotent methods (RFC 9110 §9.2.2). */
const IDEMPOTENT_METHODS = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT', 'TRACE'])

/** @param {string} method */
function isCommon (method) {
  return COMMON_METHODS.has(method.toUpperCase())
}

/** The method of a WebSocket message: it is not idempotent. */
const MESSAGE = 'MESSAGE'
/** The method of an entry that waits for an unsolicited message. */
const RECEIVE = 'RECEIVE'

/** @param {string} method */
function isIdempotent (method) {
  return IDEMPOTENT_METHODS.has(method)
}

/**
 * @throws {TypeError}
 * @type {(given: unknown) => string}
 */
function parseMethod (given) {
  if (COMMON_METHODS.has(/** @type {any} */ (given))) return /** @type {string} */ (given)
  if (typeof given !== 'string' || !isToken(given)) {
    throw new TypeError(`expected an HTTP method such as GET or POST, got ${show(given)}`)
  }
  const upper = given.toUpperCase()
  return COMMON_METHODS.has(upper) ? upper : given
}

/**
 * @throws {TypeError}
 * @type {(given: unknown) => string}
 */
function parsePath (given) {
  if (typeof given !== 'string' || given === '') {
    throw new TypeError(`expected a path such as /users?id=1, got ${show(given)}`)
  }
  return given.startsWith('/') || given === '*' || /^[a-z]+:\/\//i.test(given) ? given : '/' + given
}

/**
 * @param {unknown} given
 * @param {string} [advice] how JSON is given there
 * @returns {string | Uint8Array} a copy of bytes: the caller may change theirs later
 * @throws {TypeError}
 */
function parseBody (given, advice = "JSON is given as a text, such as '{\"a\":1}'") {
  if (typeof given === 'string') return given
  // Bytes of another realm, such as Jest or node:vm, fail `instanceof`.
  if (types.isUint8Array(given)) return Buffer.from(given)
  const isData = isRecord(given) || Array.isArray(given)
  throw new TypeError(`expected a string or a Buffer, got ${show(given)}${isData ? `; ${advice}` : ''}`)
}

/**
 * @param {Record<string, unknown>} given any of method, path, headers, body
 * @param {Request} defaults the given headers are added to its headers, and take precedence
 * @param {string} [advice] how JSON is given there
 * @returns {Request}
 * @throws {TypeError}
 */
function toRequest (given, defaults, advice) {
  if (!isRecord(given)) throw new TypeError(`expected an object with method, path, headers or body, got ${show(given)}`)
  const { method, path, headers, body } = given
  return {
    method: isGiven(method) ? within('.method', () => parseMethod(method)) : defaults.method,
    path: isGiven(path) ? within('.path', () => parsePath(path)) : defaults.path,
    headers: isGiven(headers)
      ? within('.headers', () => mergeHeaders(defaults.headers, parseHeaders(headers)))
      : defaults.headers,
    body: isGiven(body) ? within('.body', () => parseBody(body, advice)) : defaults.body
  }
}

/** @param {unknown} value */
function isGiven (value) {
  return value !== undefined && value !== null
}

/**
 * @param {Request} request
 * @param {object} change
 * @param {(path: string) => string} change.path
 * @param {(value: string, name: string) => string} change.header
 * @param {(body: string) => string} change.body
 * @returns {Request} with changed texts; a body of bytes is the same
 */
function mapTexts ({ method, path, headers, body }, change) {
  return {
    method,
    path: path === null ? null : change.path(path),
    headers: headers.map(([name, value]) => /** @type {const} */ ([name, change.header(value, name)])),
    body: typeof body === 'string' ? change.body(body) : body
  }
}

module.exports = {
  MESSAGE, RECEIVE, isCommon, isIdempotent, mapTexts, toRequest, parseMethod, parsePath, parseBody
}
