'use strict'

// Finds the fields of a header block (RFC 7541 §5 and §6) one by one, without decoding them. We announce a dynamic
// table of 0 bytes, so a block depends on nothing before it: a reference to the dynamic table or a larger table is an
// error, and a literal with indexing is not stored.

const { decode, encode, TOO_LONG } = require('./huffman')
const { NAMES, valueAt } = require('./static-table')

// Return values of `next`.
const END = 0
const FIELD = 1
/** The block cannot be decoded. */
const BROKEN = 2

const PLAIN = 0
const STATUS = 1
const CONTENT_LENGTH = 2
/**
 * Not allowed in a response: a pseudo-header that is unknown or of requests (RFC 9113 §8.3), or one about the
 * connection (§8.2.2).
 */
const FORBIDDEN = 3

/** A dynamic table of 0 bytes, in a byte (RFC 7541 §6.3). */
const NO_TABLE = 0x20
/** The size of a field beside its name and value (RFC 9113 §6.5.2). */
const OVERHEAD = 32

/** Names that are more than plain. */
const KINDS = new Map([
  [':status', STATUS],
  ['content-length', CONTENT_LENGTH],
  ...['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade'].map(
    name => /** @type {const} */ ([name, FORBIDDEN])
  )
])

/** @param {string} name */
const kindOf = name => KINDS.get(name) ?? (name[0] === ':' ? FORBIDDEN : PLAIN)

const KIND_AT = Uint8Array.from(NAMES, kindOf)
const SIZE_AT = Uint8Array.from(NAMES, (name, index) => name.length + valueAt(index).length + OVERHEAD)
const NAME_SIZE_AT = Uint8Array.from(NAMES, name => name.length)

/**
 * The names of KINDS as bytes, by how many they are, as they are and in Huffman code, where one string has just one
 * form.
 * @typedef {Array<Array<{ bytes: Uint8Array, kind: number }>>} Names
 */
/** @type {Names} */
const RAW = Array.from({ length: 32 }, () => [])
/** @type {Names} */
const HUFFMAN = Array.from({ length: 32 }, () => [])
for (const [name, kind] of KINDS) {
  const raw = Buffer.from(name)
  /** @type {number[]} */
  const encoded = []
  encode(raw, encoded)
  RAW[raw.length].push({ bytes: raw, kind })
  HUFFMAN[encoded.length].push({ bytes: Uint8Array.from(encoded), kind })
}

const COLON = 58
/** The seven bits of a colon in Huffman code. */
const HUFFMAN_COLON = 0x5c

const EMPTY = Buffer.alloc(0)

class FieldReader {
  constructor () {
    /** @type {Buffer} */
    this.buf = EMPTY
    this.pos = 0
    this.end = 0
    // The field that was read last: its entry in the static table, 0 when its name is written out, and whether that has
    // its value, too.
    this.index = 0
    this.indexed = false
    this.kind = PLAIN
    // How much it is at most of a header list: a Huffman string counts as if all its codes were the shortest.
    this.size = 0
    // Where its name and its value lie, when they are written out.
    this.nameStart = 0
    this.nameEnd = 0
    this.nameHuffman = false
    this.valueStart = 0
    this.valueEnd = 0
    this.valueHuffman = false
  }

  /**
   * Begins a block. Its start acknowledges our table size (RFC 7541 §4.2).
   * @type {(buf: Buffer, start: number, end: number) => void}
   */
  open (buf, start, end) {
    while (start < end && buf[start] === NO_TABLE) start++
    this.buf = buf
    this.pos = start
    this.end = end
  }

  /** @returns {number} END, FIELD or BROKEN */
  next () {
    const { buf, end } = this
    if (this.pos === end) return END
    const byte = buf[this.pos++]
    if (byte >= 0x80) {
      const index = byte & 127
      if (index === 0 || index >= NAMES.length) return BROKEN
      this.index = index
      this.indexed = true
      this.kind = KIND_AT[index]
      this.size = SIZE_AT[index]
      return FIELD
    }
    if (byte >= 0x20 && byte < 0x40) return BROKEN
    let index = byte < 0x40 ? byte & 15 : byte & 63
    if (index === 15 && byte < 0x40) {
      index = this.integer(15)
      if (index === -1) return BROKEN
    }
    if (index >= NAMES.length) return BROKEN
    this.index = index
    this.indexed = false
    if (index > 0) {
      this.kind = KIND_AT[index]
      this.size = NAME_SIZE_AT[index] + OVERHEAD
    } else {
      if (!this.string()) return BROKEN
      this.nameStart = this.valueStart
      this.nameEnd = this.valueEnd
      this.nameHuffman = this.valueHuffman
      this.kind = this.kindOfName()
      this.size = longest(this.nameEnd - this.nameStart, this.nameHuffman) + OVERHEAD
    }
    if (!this.string()) return BROKEN
    this.size += longest(this.valueEnd - this.valueStart, this.valueHuffman)
    return FIELD
  }

  /** @returns {boolean} whether there is a string */
  string () {
    const { buf, end } = this
    if (this.pos >= end) return false
    const byte = buf[this.pos++]
    let length = byte & 127
    if (length === 127) {
      length = this.integer(127)
      if (length === -1) return false
    }
    if (length > end - this.pos) return false
    this.valueHuffman = byte >= 0x80
    this.valueStart = this.pos
    this.pos += length
    this.valueEnd = this.pos
    return true
  }

  /**
   * Reads the rest of an integer that its first byte has no room for (RFC 7541 §5.1).
   * @param {number} value of the first byte
   * @returns {number} -1 when its end is missing, or it has more than 28 bits: nothing that long is read
   */
  integer (value) {
    for (let shift = 0; shift < 28 && this.pos < this.end; shift += 7) {
      const byte = this.buf[this.pos++]
      value += (byte & 127) << shift
      if (byte < 128) return value
    }
    return -1
  }

  kindOfName () {
    const { buf, nameStart, nameEnd, nameHuffman } = this
    const length = nameEnd - nameStart
    if (length === 0) return FORBIDDEN
    if (length < RAW.length) {
      const names = (nameHuffman ? HUFFMAN : RAW)[length]
      for (let i = 0; i < names.length; i++) {
        if (equals(buf, nameStart, names[i].bytes)) return names[i].kind
      }
    }
    return (nameHuffman ? buf[nameStart] >> 1 === HUFFMAN_COLON : buf[nameStart] === COLON) ? FORBIDDEN : PLAIN
  }

  /**
   * @param {Uint8Array} out where the name goes, when it is written out
   * @returns {number} how many bytes it has; below 0 as of huffman.decode
   */
  name (out) {
    return copy(this.buf, this.nameStart, this.nameEnd, this.nameHuffman, out)
  }

  /**
   * @param {Uint8Array} out where the value goes, when it is written out
   * @returns {number} how many bytes it has; below 0 as of huffman.decode
   */
  value (out) {
    return copy(this.buf, this.valueStart, this.valueEnd, this.valueHuffman, out)
  }
}

/**
 * @param {number} length of a string, as it is written
 * @param {boolean} huffman
 * @returns {number} how many bytes it can have: the shortest code has five bits
 */
function longest (length, huffman) {
  return huffman ? length * 8 / 5 | 0 : length
}

/** @type {(buf: Buffer, start: number, end: number, huffman: boolean, out: Uint8Array) => number} */
function copy (buf, start, end, huffman, out) {
  if (huffman) return decode(buf, start, end, out)
  if (end - start > out.length) return TOO_LONG
  for (let i = start; i < end; i++) out[i - start] = buf[i]
  return end - start
}

/** @type {(buf: Buffer, start: number, bytes: Uint8Array) => boolean} */
function equals (buf, start, bytes) {
  for (let i = 0; i < bytes.length; i++) {
    if (buf[start + i] !== bytes[i]) return false
  }
  return true
}

module.exports = { FieldReader, FIELD, BROKEN, PLAIN, STATUS, FORBIDDEN, OVERHEAD }
