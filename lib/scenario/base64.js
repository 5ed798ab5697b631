'use strict'

// Owns how bodies in base64 are read, from a text or from the bytes of one.

const { show } = require('../foreign-text')

/** What each character stands for; both alphabets of RFC 4648 are read. */
const NONE = 64
const SIX_BITS = new Uint8Array(256).fill(NONE)
for (const alphabet of ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', '-_']) {
  for (let i = 0; i < alphabet.length; i++) SIX_BITS[alphabet.charCodeAt(i)] = alphabet.length === 2 ? 62 + i : i
}

const EQUALS = 0x3d

/**
 * @param {unknown} body
 * @returns {Buffer}
 * @throws {TypeError}
 */
function parseBase64 (body) {
  if (typeof body !== 'string' || !/^[\w+/-]*={0,2}$/.test(body)) throw new TypeError(`body: expected base64, got ${typeof body === 'string' ? 'a text that is none; jq makes it by @base64' : show(body)}`)
  return Buffer.from(body, 'base64')
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @returns {number} behind the base64 that begins there, when it says one byte at least and is padded; else −1
 */
function base64End (bytes, start) {
  let at = start
  while (SIX_BITS[bytes[at]] < NONE) at++
  for (let i = 0; i < 2 && bytes[at] === EQUALS; i++) at++
  return at > start && (at - start) % 4 === 0 ? at : -1
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 * @returns {number} how many bytes the base64 between them says, which base64End has found
 */
function decodedLength (bytes, start, end) {
  const padding = bytes[end - 2] === EQUALS ? 2 : bytes[end - 1] === EQUALS ? 1 : 0
  return (end - start) / 4 * 3 - padding
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start of the base64
 * @param {Uint8Array} out
 * @param {number} at where it is decoded to
 * @param {number} length of what it says
 */
function decodeBase64 (bytes, start, out, at, length) {
  let i = start
  const end = at + length
  const whole = end - length % 3
  while (at < whole) {
    const bits = SIX_BITS[bytes[i]] << 18 | SIX_BITS[bytes[i + 1]] << 12 | SIX_BITS[bytes[i + 2]] << 6 | SIX_BITS[bytes[i + 3]]
    out[at++] = bits >> 16
    out[at++] = bits >> 8
    out[at++] = bits
    i += 4
  }
  if (at === end) return
  const bits = SIX_BITS[bytes[i]] << 10 | SIX_BITS[bytes[i + 1]] << 4 | SIX_BITS[bytes[i + 2]] >> 2
  out[at++] = bits >> 8
  if (at < end) out[at] = bits
}

module.exports = { base64End, decodeBase64, decodedLength, parseBase64 }
