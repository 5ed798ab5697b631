'use strict'

// Checks the headers with which a server finds the end of a request (RFC 9112 §6). With a wrong length, it reads the
// rest of the body as another request, or waits for bytes that never come.

const { show } = require('../core/foreign-text')

const LENGTH = 'content-length'
const CODING = 'transfer-encoding'

/** Returns whether the header marks the end of a request. @type {(name: string) => boolean} */
function isFraming (name) {
  // The lengths differ for most names, which makes this fast.
  return (name.length === LENGTH.length && name.toLowerCase() === LENGTH) ||
    (name.length === CODING.length && name.toLowerCase() === CODING)
}

/** @type {(headers: import('./headers').Pairs) => boolean} */
function hasFraming (headers) {
  for (const [name] of headers) if (isFraming(name)) return true
  return false
}

/**
 * @typedef {{ headers: import('./headers').Pairs, body: string | { length: number } | null }} Framed
 *
 * @param {Framed} request
 * @returns {string | null} the problem of its framing headers; null for none
 */
function framingProblem ({ headers, body }) {
  if (!hasFraming(headers)) return null
  const valuesOf = (/** @type {string} */ of) =>
    headers.filter(([name]) => name.toLowerCase() === of).map(([, value]) => value.trim())
  const lengths = valuesOf(LENGTH)
  const codings = valuesOf(CODING)
  if (codings.length > 0) {
    if (lengths.length > 0) return 'Content-Length and Transfer-Encoding each set where the body ends: omit both'
    const names = codings.join().toLowerCase().split(',').map(name => name.trim())
    if (names.indexOf('chunked') !== names.length - 1) {
      return `Transfer-Encoding: expected chunked as its last coding, got ${show(codings.join(', '))}`
    }
    return null
  }
  if (lengths.length > 1) return 'expected one Content-Length, got several: omit them, it is computed'
  const size = body === null ? 0 : typeof body === 'string' ? Buffer.byteLength(body) : body.length
  return /^\d+$/.test(lengths[0]) && Number(lengths[0]) === size
    ? null
    : `the body has ${size === 1 ? '1 byte' : `${size} bytes`}, and Content-Length is ${show(lengths[0])}: omit it, ` +
      'it is computed'
}

/**
 * @template {Framed} T
 * @param {T} request
 * @returns {T} the request itself
 * @throws {TypeError} with the framing problem
 */
function framed (request) {
  const problem = framingProblem(request)
  if (problem !== null) throw new TypeError(`headers: ${problem}`)
  return request
}

module.exports = { framed, framingProblem, hasFraming, isFraming }
