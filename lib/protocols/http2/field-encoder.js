'use strict'

// Encodes a header field (RFC 7541 §5 and §6) without a dynamic table: a caller that adds fields to the peer's table
// (WITH_INDEXING) tracks their indexes.
//
// A string is Huffman-encoded if that is shorter, as in nghttp2, curl and h2load, so that a server has the same work
// with each client. A request is encoded once, so this costs nothing here; a User-Agent of 70 bytes takes 53 on the
// wire, a cookie of 40 takes 28.

const huffman = require('./huffman')
const { findField, findName } = require('./static-table')

/** Representations of a field outside of tables (§6.2). */
const WITHOUT_INDEXING = 0x00
/** No hop may index it: a secret could be guessed from the size of later blocks (§7.1.3). */
const NEVER_INDEXED = 0x10
/** The peer adds it to its dynamic table. */
const WITH_INDEXING = 0x40

/** The first bit of a field that is an index, and of a string in Huffman code. */
const INDEXED = 0x80
const HUFFMAN = 0x80

/**
 * Writes an integer (§5.1).
 * @param {Uint8Array | number[]} out
 * @param {number} at
 * @param {number} prefixBits of the first byte that belong to it
 * @param {number} flags the bits before these
 * @param {number} value
 * @returns {number} where to go on
 */
function writeInteger (out, at, prefixBits, flags, value) {
  const full = 2 ** prefixBits - 1
  if (value < full) {
    out[at++] = flags | value
    return at
  }
  out[at++] = flags | full
  let rest = value - full
  for (; rest >= 128; rest = Math.floor(rest / 128)) out[at++] = rest % 128 | 128
  out[at++] = rest
  return at
}

/** @param {string} text @param {number[]} out its bytes are added to it */
function encodeString (text, out) {
  const bytes = Buffer.from(text)
  const shorter = huffman.encodedLength(bytes)
  if (shorter < bytes.length) {
    writeInteger(out, out.length, 7, HUFFMAN, shorter)
    huffman.encode(bytes, out)
  } else {
    writeInteger(out, out.length, 7, 0, bytes.length)
    for (const byte of bytes) out.push(byte)
  }
}

/**
 * @param {string} name in lower case
 * @param {string} value
 * @param {number[]} out its bytes are added to it
 * @param {number} [mode] WITHOUT_INDEXING, NEVER_INDEXED or WITH_INDEXING, unless the static table has it
 */
function encodeField (name, value, out, mode = WITHOUT_INDEXING) {
  const index = findField(name, value)
  if (index > 0) {
    writeInteger(out, out.length, 7, INDEXED, index)
    return
  }
  encodeName(name, out, mode)
  encodeString(value, out)
}

/**
 * Starts a field; a string has to follow: its value.
 * @param {string} name in lower case
 * @param {number[]} out its bytes are added to it
 * @param {number} [mode] as in encodeField
 */
function encodeName (name, out, mode = WITHOUT_INDEXING) {
  const index = findName(name)
  writeInteger(out, out.length, mode === WITH_INDEXING ? 6 : 4, mode, index)
  if (index === 0) encodeString(name, out)
}

module.exports = { encodeField, encodeName, writeInteger, WITHOUT_INDEXING, NEVER_INDEXED, WITH_INDEXING }
