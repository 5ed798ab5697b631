'use strict'

// Finds the position of a value in JSON without parsing all of it: 50 bytes take 0.1 µs instead of 0.3 µs with
// JSON.parse, 7 KB take 10 µs instead of 60. Invalid JSON is not always detected.

const [QUOTE, BACKSLASH, COMMA, COLON, OPEN, CLOSE, LIST, LIST_END] = Buffer.from('"\\,:{}[]')
const SPACE = 32
const MINUS = 45
const NINE = 57

/** The result when there is no such value. */
const NONE = -1
/** The result when JSON.parse is needed, because a name has an escape. */
const UNKNOWN = -2

/** Whether a byte may be part of a number or of a word: true, false, null. */
const IN_SCALAR = new Uint8Array(256)
for (const byte of Buffer.from('0123456789+-.eEtrufalsn')) IN_SCALAR[byte] = 1

class JsonSpan {
  /** @param {ReadonlyArray<string>} names the path; a name of digits is an index into a list */
  constructor (names) {
    this.names = names.map(name => Buffer.from(name))
    this.indexes = names.map(name => /^\d+$/.test(name) ? Number(name) : NONE)
    /** The end of the last found value. */
    this.end = 0
  }

  /**
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   * @returns {number} the offset of the value; NONE or UNKNOWN
   */
  find (bytes, start, end) {
    const { names, indexes } = this
    let pos = skipSpace(bytes, start, end)
    for (let i = 0; i < names.length; i++) {
      if (bytes[pos] === OPEN) pos = memberOf(bytes, pos + 1, end, names[i])
      else if (bytes[pos] === LIST && indexes[i] !== NONE) pos = elementOf(bytes, pos + 1, end, indexes[i])
      else return NONE
      if (pos < 0) return pos
    }
    this.end = skipValue(bytes, pos, end)
    // This rejects invalid values such as {"id":7x}.
    const next = skipSpace(bytes, this.end, end)
    const byte = next < end ? bytes[next] : 0
    return byte === COMMA || byte === CLOSE || byte === LIST_END ? pos : NONE
  }
}

/**
 * @param {Buffer} bytes
 * @param {number} pos after the brace
 * @param {number} end
 * @param {Buffer} name
 * @returns {number} the offset of its value: the last one of duplicates, as in JSON.parse
 */
function memberOf (bytes, pos, end, name) {
  let found = NONE
  for (;;) {
    pos = skipSpace(bytes, pos, end)
    if (pos >= end || bytes[pos] !== QUOTE) return found
    const from = pos + 1
    pos = from
    while (pos < end && bytes[pos] !== QUOTE) {
      if (bytes[pos++] === BACKSLASH) return UNKNOWN
    }
    const isIt = pos - from === name.length && equals(bytes, from, name)
    pos = skipSpace(bytes, pos + 1, end)
    if (bytes[pos] !== COLON) return NONE
    pos = skipSpace(bytes, pos + 1, end)
    if (isIt) found = pos
    pos = skipSpace(bytes, skipValue(bytes, pos, end), end)
    if (bytes[pos++] !== COMMA) return found
  }
}

/** @param {Buffer} bytes @param {number} pos after the bracket @param {number} end @param {number} index */
function elementOf (bytes, pos, end, index) {
  for (let i = 0; ; i++) {
    pos = skipSpace(bytes, pos, end)
    if (pos >= end || bytes[pos] === LIST_END) return NONE
    if (i === index) return pos
    pos = skipSpace(bytes, skipValue(bytes, pos, end), end)
    if (bytes[pos++] !== COMMA) return NONE
  }
}

/** @type {(bytes: Buffer, pos: number, end: number) => number} */
function skipSpace (bytes, pos, end) {
  while (pos < end && bytes[pos] <= SPACE) pos++
  return pos
}

/** Returns the end of the value. @type {(bytes: Buffer, pos: number, end: number) => number} */
function skipValue (bytes, pos, end) {
  let depth = 0
  while (pos < end) {
    const byte = bytes[pos]
    if (byte === QUOTE) pos = skipString(bytes, pos + 1, end)
    else if (byte === OPEN || byte === LIST) {
      depth++
      pos++
      continue
    } else if (byte === CLOSE || byte === LIST_END) {
      depth--
      pos++
    } else if (depth === 0) {
      while (pos < end && IN_SCALAR[bytes[pos]] === 1) pos++
      return pos
    } else {
      pos++
      continue
    }
    if (depth <= 0) return pos
  }
  return end
}

/** Returns the end of the string. @type {(bytes: Buffer, pos: number, end: number) => number} */
function skipString (bytes, pos, end) {
  while (pos < end && bytes[pos] !== QUOTE) pos += bytes[pos] === BACKSLASH ? 2 : 1
  return pos + 1
}

/** @type {(bytes: Buffer, from: number, name: Buffer) => boolean} */
function equals (bytes, from, name) {
  for (let i = 0; i < name.length; i++) if (bytes[from + i] !== name[i]) return false
  return true
}

/** @param {number} byte */
const beginsNumber = byte => byte >= MINUS && byte <= NINE

module.exports = { JsonSpan, NONE, QUOTE, UNKNOWN, beginsNumber }
