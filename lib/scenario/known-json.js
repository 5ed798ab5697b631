'use strict'

// Owns lines of JSON that are like one before but for their values: the path, the values of headers, and the body. They are read byte by byte, without a
// parser, and their values are copied. What differs in anything else, or has an escape or a byte beyond ASCII in a value, is left to the parser.

const { base64End, decodeBase64, decodedLength } = require('./base64')
const { startsWith } = require('./known-head')
const { pathStart, plainEnd } = require('./plain-path')

/** How many kinds of lines are known at a time. */
const KINDS = 16

/** To learn a kind takes as long as two or three lines of the parser: with 200 servers at random, all lines together took three times as long. So it is done
 *  some times, and then when so many lines have been copied for each time. */
const TRIES = 64
const COPIES = 4

/** Bytes that stand for themselves in a string. */
const TEXT = new Uint8Array(256).fill(1, 0x20, 0x7f)
for (const char of '"\\') TEXT[char.charCodeAt(0)] = 0

/** What stands between the strings of an object that has nothing but strings in it. */
const BETWEEN = /^(?:[\s{}[\],:]|null)*$/

/**
 * @typedef {object} Kind
 * @property {Uint8Array[]} between the bytes before each value, and behind the last one
 * @property {number[]} values which one stands there: 0 for the path, then those of headers, then the body
 * @property {number} names how many headers there are
 * @property {number} shape
 * @property {boolean} hasBody
 *
 * @typedef {{ key: string, name: string, text: string, at: number }} Value a string of the object, in a header of that name; where it begins in the line
 */

class KnownJson {
  /** @param {import('./target-collector').TargetCollector} collector */
  constructor (collector) {
    this.collector = collector
    /** @type {Kind[]} */
    this.kinds = []
    /** Which one is forgotten next. */
    this.oldest = 0
    this.tries = 0
    this.copies = 0
    /** That of the line that matched last. */
    this.current = 0
    /** Where the values of that line begin and end. */
    this.from = new Uint32Array(2)
    this.to = new Uint32Array(2)
  }

  /**
   * @param {Buffer} line that is a request
   * @param {import('./target-collector').Parts} parts of it, as the parser has read them
   * @param {number} shape
   */
  learn (line, parts, shape) {
    if (this.tries >= TRIES && this.copies < this.tries * COPIES) return
    this.tries++
    const kind = kindOf(line, parts, shape, this.collector)
    if (kind === null) return
    const { kinds, oldest, from } = this
    kinds[oldest] = kind
    this.current = oldest
    this.oldest = (oldest + 1) % KINDS
    const most = kind.names + 2
    if (from.length < most) [this.from, this.to] = [new Uint32Array(most), new Uint32Array(most)]
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} start of a line
   * @returns {number} behind the object, when it is of a kind that is known; else −1
   */
  match (bytes, start) {
    const { kinds } = this
    for (let i = 0; i < kinds.length; i++) {
      const end = this.matchKind(kinds[this.current], bytes, start)
      if (end !== -1) return end
      this.current = (this.current + 1) % kinds.length
    }
    return -1
  }

  /**
   * @param {Kind} kind
   * @param {Uint8Array} bytes
   * @param {number} start
   * @returns {number}
   */
  matchKind ({ between, values, names }, bytes, start) {
    const { from, to } = this
    let at = start
    for (let i = 0; i < values.length; i++) {
      if (!startsWith(bytes, at, between[i], between[i].length)) return -1
      at += between[i].length
      const value = values[i]
      from[value] = at
      at = value === 0 ? plainEnd(bytes, at) : value > names ? base64End(bytes, at) : textEnd(bytes, at)
      if (at === -1) return -1
      to[value] = at
    }
    const last = between[values.length]
    return startsWith(bytes, at, last, last.length) ? at + last.length : -1
  }

  /**
   * Adds the request of the line that matched last.
   * @param {Uint8Array} bytes
   */
  copy (bytes) {
    this.copies++
    const { from, to, collector: { writer } } = this
    const { shape, names, hasBody } = this.kinds[this.current]
    writer.begin(shape)
    for (let value = 0; value <= names; value++) writer.copy(bytes, from[value], to[value])
    if (!hasBody) return
    const start = from[names + 1]
    const length = decodedLength(bytes, start, to[names + 1])
    const at = writer.room(length)
    decodeBase64(bytes, start, writer.bytes, at, length)
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @returns {number} behind the string whose text begins there; an escape ends it as well
 */
function textEnd (bytes, start) {
  let at = start
  while (TEXT[bytes[at]] === 1) at++
  return at
}

/**
 * A kind is known when the strings of the line, one after the other, are just the values that the parser has found. A name that comes twice, or one of
 * digits, which the parser puts first, makes them differ.
 * @param {Buffer} line
 * @param {import('./target-collector').Parts} parts
 * @param {number} shape
 * @param {import('./target-collector').TargetCollector} collector
 * @returns {Kind | null} null when lines like this one could have to be read in another way
 */
function kindOf (line, { url, headers = [], body }, shape, { hosts, writer: { shapes } }) {
  const found = stringsOf(line.toString('latin1'))
  const path = pathStart(url)
  const hasBody = shapes[shape].body === 'own'
  // Credentials in the URL are one more value.
  if (found === null || path === -1 || !hosts.has(url.slice(0, path)) || shapes[shape].names.length !== headers.length) return null
  const urls = found.filter(({ key }) => key === 'url')
  const values = found.filter(({ key }) => key === 'header' || key === 'headers')
  const bodies = hasBody ? found.filter(({ key }) => key === 'body') : []
  if (urls.length !== 1 || urls[0].text !== url) return null
  if (values.length !== headers.length || !values.every(({ name, text }, i) => name === headers[i][0] && text === headers[i][1])) return null
  if (hasBody && (bodies.length !== 1 || !Buffer.from(bodies[0].text, 'base64').equals(/** @type {Uint8Array} */ (body)))) return null
  const places = [...[urls[0], ...values, ...bodies].entries()]
    .map(([value, { at, text }]) => ({ value, from: value === 0 ? at + path : at, to: at + text.length }))
    .sort((a, b) => a.from - b.from)
  const ends = [0, ...places.map(({ to }) => to)]
  return {
    between: ends.map((end, i) => line.subarray(end, places[i]?.from)),
    values: places.map(({ value }) => value),
    names: headers.length,
    shape,
    hasBody
  }
}

/**
 * Every other piece between quotes is a string when there are no escapes.
 * @param {string} text of an object that the parser has read
 * @returns {Value[] | null} null when there is more in it than strings
 */
function stringsOf (text) {
  if (text.includes('\\')) return null
  const pieces = text.split('"')
  if (!BETWEEN.test(pieces.filter((_, i) => i % 2 === 0).join(''))) return null
  /** @type {Value[]} */
  const values = []
  let [key, name, depth, at] = ['', '', 0, 0]
  pieces.forEach((piece, i) => {
    if (i % 2 === 0) depth += count(piece, '{') - count(piece, '}')
    else if (!pieces[i + 1].trimStart().startsWith(':')) values.push({ key, name, text: piece, at })
    else if (depth === 1) key = piece
    else name = piece
    at += piece.length + 1
  })
  return values
}

/**
 * @param {string} text
 * @param {string} char
 */
const count = (text, char) => text.split(char).length - 1

module.exports = { KnownJson }
