'use strict'

// Converts requests to bytes, which templates can fill, and the bytes to the argument of `dispatch`. The bytes are
// HTTP/1.1 (RFC 9112 §3) without the headers that undici writes itself: Host, Connection, Content-Length.

const { escapePath } = require('../serialize')

/**
 * @typedef {object} Dispatch the argument of undici's `dispatch`
 * @property {string} method
 * @property {string} path
 * @property {string[]} headers names and values alternate
 * @property {Buffer | null} body
 */

const NO_BYTES = Buffer.alloc(0)

/**
 * The methods with which undici sends a body over HTTP/2. For others undici 7 ends the stream before the body: the
 * request fails, and the connection with it.
 */
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH'])

/** @type {import('../../templates/template').Encode} */
function encode ({ method, path, headers, body }, { authorization, path: ownPath }) {
  const lines = [`${method} ${escapePath(path ?? ownPath)} HTTP/1.1`]
  if (authorization !== undefined && !headers.some(([name]) => name.toLowerCase() === 'authorization')) {
    lines.push(`Authorization: ${authorization}`)
  }
  for (const [name, value] of headers) lines.push(`${name}: ${value}`)
  return Buffer.concat([Buffer.from(lines.join('\r\n') + '\r\n\r\n'), body === null ? NO_BYTES : Buffer.from(body)])
}

/** @param {Buffer} bytes encoded by `encode`, with values instead of marks @returns {Dispatch} */
function parse (bytes) {
  const end = bytes.indexOf('\r\n\r\n')
  // undici writes heads as Latin-1, so UTF-8 has to be decoded as Latin-1 here.
  const [line, ...fields] = bytes.toString('latin1', 0, end).split('\r\n')
  const first = line.indexOf(' ')
  /** @type {string[]} */
  const headers = []
  for (const field of fields) {
    const colon = field.indexOf(':')
    headers.push(field.slice(0, colon), field.slice(colon + 2))
  }
  const body = bytes.subarray(end + 4)
  return {
    method: line.slice(0, first), path: line.slice(first + 1, line.lastIndexOf(' ')), headers,
    body: body.length === 0 ? null : body
  }
}

module.exports = { WITH_BODY, encode, parse }
