'use strict'

// Decodes the bytes of a body to text by the charset of Content-Type (RFC 9110 §8.3.2), UTF-8 by default. The text may
// go into a later request, so an unknown charset is an error, and the decoder reports invalid bytes.

const { isUtf8 } = require('node:buffer')
const { ProtocolError } = require('../core/errors')
const { show } = require('../core/foreign-text')

const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i

/** Decoders of a thread: a server may send a new label with each response. */
const MOST_DECODERS = 50

/** Null for an unknown label. @type {Map<string, TextDecoder | null>} */
const DECODERS = new Map()

/**
 * @param {ReadonlyArray<string>} raw headers, names and values alternating
 * @returns {string} the charset of the Content-Type in lower case; empty for UTF-8, and where there is none
 */
function charsetOf (raw) {
  for (let i = 0; i < raw.length; i += 2) {
    if (raw[i].length !== 12 || raw[i].toLowerCase() !== 'content-type') continue
    const [, quoted = '', plain = quoted] = CHARSET.exec(raw[i + 1]) ?? []
    const charset = plain.trim().toLowerCase()
    return charset === 'utf-8' || charset === 'utf8' ? '' : charset
  }
  return ''
}

/**
 * @throws {ProtocolError} for an unknown charset
 * @type {(bytes: Buffer, charset: string) => string}
 */
function decodeText (bytes, charset) {
  if (charset === '') return bytes.toString()
  const decoder = decoderOf(labelOf(bytes, charset))
  if (decoder === null) {
    throw new ProtocolError('AC_CHARSET', `the charset ${show(charset)} of the Content-Type is unknown`)
  }
  return decoder.decode(bytes)
}

/**
 * @param {Buffer} bytes
 * @param {string} charset a supported one
 * @returns {boolean} whether all bytes are valid in the charset
 */
function isWellEncoded (bytes, charset) {
  if (charset === '') return isUtf8(bytes)
  try {
    new TextDecoder(labelOf(bytes, charset), { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the charset of a byte order mark, which takes precedence over a label (RFC 2781 §3.3).
 * @type {(bytes: Buffer, charset: string) => string}
 */
function labelOf (bytes, charset) {
  return charset === 'utf-16' && bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : charset
}

/** @type {(label: string) => TextDecoder | null} */
function decoderOf (label) {
  let decoder = DECODERS.get(label)
  if (decoder !== undefined) return decoder
  try {
    decoder = new TextDecoder(label)
  } catch {
    decoder = null
  }
  if (DECODERS.size === MOST_DECODERS) DECODERS.clear()
  DECODERS.set(label, decoder)
  return decoder
}

module.exports = { charsetOf, decodeText, isWellEncoded }
