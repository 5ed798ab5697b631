'use strict'

// Parses JSON that users give. An error shows the line, the column and the character, and no other content: HAR files
// contain cookies.

const { show } = require('../core/foreign-text')
const { withoutExpressions } = require('./expression')
const { readFile } = require('./file')
const { duplicateKeyIn } = require('./json-keys')
const { stringify, withBigInts } = require('./json-numbers')

/**
 * @param {unknown} given JSON with {{…}} for values, or @ and the path of a file with such JSON; in a config any value
 *   that becomes JSON
 * @returns {string} the body
 * @throws {TypeError}
 */
function readJsonBody (given) {
  if (typeof given !== 'string') return jsonOf(given)
  if (given === '@') throw new TypeError('expected the path of a file after the @, or - for standard input, got none')
  const isFile = given.startsWith('@')
  // JSON is sent without a byte order mark (RFC 8259 §8.1).
  const text = (isFile ? readFile(given.slice(1)).toString() : given).replace(/^\ufeff/, '')
  parseJson(withoutExpressions(text), isFile ? `the file '${given.slice(1)}'` : 'the text')
  return text
}

/** @param {unknown} value */
function jsonOf (value) {
  /** @type {string | undefined} */
  let text
  try {
    text = stringify(value)
  } catch {}
  if (text === undefined) throw new TypeError(`expected JSON, or what can become JSON, got ${show(value)}`)
  return text
}

/**
 * @param {string} text
 * @param {string} what it is
 * @param {number} [line] of the file where the text begins
 * @throws {TypeError}
 */
function parseJson (text, what, line = 1) {
  // Some programs write a byte order mark at the start of files.
  const json = text.replace(/^\ufeff/, '')
  try {
    return JSON.parse(json)
  } catch (error) {
    const at = positionOf(json, /** @type {Error} */ (error).message)
    const found = at >= json.trimEnd().length ? 'it ends too early' : `unexpected ${JSON.stringify(json[at])}`
    throw new TypeError(`${what} is not valid JSON: ${found}, ${placeIn(json, at, line)}`)
  }
}

/** @param {string} text @param {number} at @param {number} [line] of the file where the text begins */
function placeIn (text, at, line = 1) {
  const before = text.slice(0, at).split('\n')
  return `line ${line + before.length - 1}, column ${before[before.length - 1].length + 1}`
}

/**
 * @param {string} text from a user
 * @param {string} what it is
 * @returns {any} the value, with a BigInt for each integer beyond the safe range
 * @throws {TypeError} also for a duplicate key
 */
function parseJsonWithBigInts (text, what) {
  const json = text.replace(/^\ufeff/, '')
  const value = parseJson(json, what)
  const duplicate = duplicateKeyIn(json)
  if (duplicate !== null) {
    throw new TypeError(`${what} has a duplicate key ${show(duplicate.key)}, ${placeIn(json, duplicate.at)}`)
  }
  return withBigInts(json, value)
}

/**
 * Returns the position of the mistake. Not all messages of V8 have it: then it is the end of the shortest invalid
 * beginning.
 * @type {(text: string, message: string) => number}
 */
function positionOf (text, message) {
  const [, position] = /at position (\d+)/.exec(message) ?? []
  if (position !== undefined) return Number(position)
  if (message.includes('end of JSON')) return text.length
  const [, token] = /^Unexpected token '?(.+?)'?(?:,| in )/s.exec(message) ?? []
  for (let at = token === undefined ? -1 : text.indexOf(token); at !== -1; at = text.indexOf(token, at + 1)) {
    if (isWrongAt(text, at)) return at
  }
  return 0
}

/** @type {(text: string, at: number) => boolean} */
function isWrongAt (text, at) {
  try {
    JSON.parse(text.slice(0, at + 1))
    return false
  } catch (error) {
    return !/end of JSON|Unterminated/.test(/** @type {Error} */ (error).message)
  }
}

module.exports = { parseJson, parseJsonWithBigInts, readJsonBody }
