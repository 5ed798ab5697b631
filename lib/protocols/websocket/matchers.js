'use strict'

// Parses the option `match`, which determines the sent message that a received one responds to. It has pure functions
// of texts.

const { HookError } = require('../../core/errors')
const { show } = require('../../core/foreign-text')
const { isPromise, promised } = require('../../requests/hook-result')
const { largeIntegerOf, withTexts } = require('../../requests/json-numbers')
const { JsonSpan, NONE, QUOTE, UNKNOWN, beginsNumber } = require('./json-span')
const { isJsonPath, numberTextAt, parseJsonPath, valueAt } = require('../../requests/json-path')

/** @typedef {string | number | bigint} Key for a Map: strings and numbers by value, `1` and `"1"` apart */

/**
 * @typedef {object} Matcher
 * @property {'next' | 'key' | 'function'} kind `next`: in order. `key`: by `keyOf`. `function`: by `matches`, which is
 *   called for each message in flight, the oldest first
 * @property {(bytes: Buffer, start: number, end: number) => Key | undefined} keyOf returns the key of a sent or
 *   received text; undefined for none
 * @property {(sent: string, received: string) => boolean} matches throws a HookError
 */

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/

const ZERO = 48
/** Integers with this number of digits are safe. */
const MOST_DIGITS = 15

const none = () => undefined
const always = () => true

/**
 * @param {unknown} match `next`, `json PATH`, or a function `(sent, received) => boolean`
 * @returns {Matcher}
 * @throws {TypeError} with what was expected
 */
function parseMatch (match) {
  if (match === 'next') return { kind: 'next', keyOf: none, matches: always }
  if (typeof match === 'function') {
    return { kind: 'function', keyOf: none, matches: matchesBy(/** @type {any} */ (match)) }
  }
  const path = typeof match === 'string' ? /^json\s+(\S.*)$/.exec(match)?.[1].trim() : undefined
  if (path === undefined || !isJsonPath(path) || path.includes('[*]')) {
    throw new TypeError(`expected next, json and a path such as 'json id', or a function, got ${show(match)}`)
  }
  return { kind: 'key', keyOf: keyAt(path), matches: always }
}

/** @param {(sent: string, received: string) => unknown} match of the user @returns {Matcher['matches']} */
function matchesBy (match) {
  return (sent, received) => {
    let matched
    try {
      matched = match(sent, received)
    } catch (error) {
      throw HookError.failed('match', error)
    }
    // A promise is truthy, and would match everything.
    if (isPromise(matched)) throw promised('match', matched)
    return Boolean(matched)
  }
}

/** @param {string} path into JSON @returns {Matcher['keyOf']} */
function keyAt (path) {
  const steps = parseJsonPath(path)
  // JSON.parse handles indexes from the end, and lengths.
  if (!steps.every(step => typeof step === 'string' && step !== 'length')) return keyByParser(steps)
  const span = new JsonSpan(/** @type {string[]} */ (steps))
  const parse = keyByParser(steps)
  return (bytes, start, end) => {
    const at = span.find(bytes, start, end)
    if (at === NONE) return undefined
    if (at === UNKNOWN) return parse(bytes, start, end)
    if (bytes[at] === QUOTE) return textIn(bytes, at, span.end)
    const integer = integerIn(bytes, at, span.end)
    if (integer !== NONE) return integer
    return beginsNumber(bytes[at]) ? numberOf(bytes.toString('latin1', at, span.end)) : undefined
  }
}

/** @param {Buffer} bytes @param {number} start of a JSON string @param {number} end */
function textIn (bytes, start, end) {
  const text = bytes.toString('utf8', start, end)
  try {
    return text.includes('\\') ? JSON.parse(text) : text.slice(1, -1)
  } catch {
    return undefined
  }
}

/**
 * Most ids are integers. `numberOf` takes 0.15 µs for one.
 * @param {Buffer} bytes
 * @param {number} start of a JSON value
 * @param {number} end
 * @returns {number} NONE for anything but an integer of up to 15 digits
 */
function integerIn (bytes, start, end) {
  const length = end - start
  // A number must not begin with a zero, except for 0 itself.
  if (length === 0 || length > MOST_DIGITS || (bytes[start] === ZERO && length > 1)) return NONE
  let value = 0
  for (let i = start; i < end; i++) {
    const digit = bytes[i] - ZERO
    if (digit < 0 || digit > 9) return NONE
    value = value * 10 + digit
  }
  return value
}

/**
 * @param {string} text of a number
 * @returns {Key | undefined} a BigInt above 2^53, where two ids may be the same number in JavaScript
 */
function numberOf (text) {
  if (!NUMBER.test(text)) return undefined
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : largeIntegerOf(text) ?? value
}

/** @param {ReadonlyArray<import('../../requests/json-path').Step>} steps @returns {Matcher['keyOf']} */
function keyByParser (steps) {
  return (bytes, start, end) => {
    const text = bytes.toString('utf8', start, end)
    let json
    try {
      json = JSON.parse(text)
    } catch {
      return undefined
    }
    const value = valueAt(json, steps)
    if (typeof value === 'string') return value
    if (typeof value !== 'number') return undefined
    return Number.isSafeInteger(value) ? value : numberOf(numberTextAt(withTexts(text, json), steps, value))
  }
}

module.exports = { parseMatch }
