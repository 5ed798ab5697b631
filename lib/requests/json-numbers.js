'use strict'

// JSON numbers that a JavaScript number cannot hold exactly: 9007199254740993 becomes …992, 1.10 becomes 1.1, and 1e400
// Infinity. Hooks receive the JavaScript number. Templates receive the original text, which is kept beside the object
// or array. A config holds large integers as BigInt instead, because they are sent to other threads.

/**
 * @typedef {Record<string, any> | any[]} Holder an object or array with a number in it
 * @typedef {(holder: Holder, key: string, text: string) => unknown} Revive returns the value for the text of a number
 */

/** The texts of numbers by their keys. @type {WeakMap<Holder, Map<string, string>>} */
const TEXTS = new WeakMap()

/** Whether any text is kept. Most runs keep none, and skip all look-ups. */
let keepsTexts = false

// The mark of a string that was a number. It is random, so no server can send it.
const MARK = Array.from({ length: 4 }, () => Math.floor(Math.random() * 2 ** 32).toString(36)).join('-')
const MARKED = new RegExp(`"${MARK}([^"]*)"`, 'g')

/** Every integer with this number of digits is exact. */
const SAFE_DIGITS = 15

const [QUOTE, BACKSLASH, MINUS, ZERO, NINE] = Buffer.from('"\\-09')
const [PLUS, POINT, SMALL_E, LARGE_E] = Buffer.from('+.eE')

/**
 * @param {string} json valid JSON
 * @param {(text: string) => boolean} isLost returns whether a number loses information when it is parsed
 * @returns {string | null} the JSON with marked strings instead of these numbers; null when there are none
 */
function withMarks (json, isLost) {
  let marked = ''
  let from = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfString(json, at)
    else if (code === MINUS || isDigit(code)) {
      const start = at
      let isInteger = true
      for (; at + 1 < json.length && isInNumber(json.charCodeAt(at + 1)); at++) {
        isInteger &&= isDigit(json.charCodeAt(at + 1))
      }
      if (isInteger && at - start < SAFE_DIGITS && code !== MINUS) continue
      const text = json.slice(start, at + 1)
      if (!isLost(text)) continue
      marked += `${json.slice(from, start)}"${MARK}${text}"`
      from = at + 1
    }
  }
  return from === 0 ? null : marked + json.slice(from)
}

/** @param {number} code */
const isDigit = code => code >= ZERO && code <= NINE

/** @param {number} code */
const isInNumber = code => isDigit(code) || code === POINT || code === SMALL_E || code === LARGE_E || code === MINUS ||
  code === PLUS

/**
 * @param {string} json
 * @param {number} at where a string begins
 * @returns {number} the index of its closing quotation mark
 */
function endOfString (json, at) {
  for (;;) {
    at = json.indexOf('"', at + 1)
    let first = at
    while (json.charCodeAt(first - 1) === BACKSLASH) first--
    if ((at - first) % 2 === 0) return at
  }
}

/**
 * @param {string} json valid JSON
 * @param {unknown} plain the result of JSON.parse
 * @param {(text: string) => boolean} isLost
 * @param {Revive} revive
 * @returns {any} the revived value; `plain` itself when no number loses information, or when the JSON is nested too
 *   deep
 */
function revived (json, plain, isLost, revive) {
  const marked = withMarks(json, isLost)
  if (marked === null) return plain
  try {
    return JSON.parse(marked.replace(/^\ufeff/, ''), /** @this {Holder} */ function (key, value) {
      return typeof value === 'string' && value.startsWith(MARK) ? revive(this, key, value.slice(MARK.length)) : value
    })
  } catch (error) {
    // JSON.parse with a reviver is recursive: some thousand levels overflow the stack.
    if (error instanceof RangeError) return plain
    throw error
  }
}

/**
 * @param {string} json valid JSON
 * @param {unknown} plain the result of JSON.parse
 * @returns {any} the value, with the texts of its numbers kept; `plain` itself when no number needs its text. A
 *   top-level number has no holder, so its text is not kept
 */
function withTexts (json, plain) {
  return revived(json, plain, losesText, (holder, key, text) => {
    keepText(holder, key, text)
    return Number(text)
  })
}

/**
 * @param {string} json valid JSON
 * @param {unknown} plain the result of JSON.parse
 * @returns {any} the value, with a BigInt for each integer beyond the safe range
 */
function withBigInts (json, plain) {
  return revived(json, plain, text => largeIntegerOf(text) !== null, (_, __, text) => largeIntegerOf(text))
}

/** @param {string} text of a number */
const losesText = text => String(Number(text)) !== text

/** The limit of zeros that an exponent adds: a response must not create integers of any size. */
const MOST_ZEROS = 500

/**
 * @param {string} text of a number, in any spelling: 9007199254740993, 9007199254740993.0 or 1e400
 * @returns {bigint | null} null for a safe integer or a fraction: 9007199254740993 would be parsed as …992
 */
function largeIntegerOf (text) {
  if (/^[-+]?\d+$/.test(text)) return Number.isSafeInteger(Number(text)) ? null : BigInt(text)
  const decimal = /^(-?\d+)(?:e(-?\d+))?$/.exec(NUMBER.test(text) ? decimalOf(text) : '')
  if (decimal === null) return null
  const [, digits, zeros = 0] = decimal
  if (Number(zeros) < 0 || Number(zeros) > MOST_ZEROS) return null
  const integer = BigInt(digits + '0'.repeat(Number(zeros)))
  return Number.isSafeInteger(Number(integer)) ? null : integer
}

/**
 * @param {Holder} holder
 * @param {string} key
 * @param {string | null} text of the new number at that key; null for any other value
 */
function keepText (holder, key, text) {
  // The earlier text may be that of a different number with the same JavaScript value: 9007199254740993 and …992.
  if (text === null || !losesText(text)) {
    if (keepsTexts) TEXTS.get(holder)?.delete(key)
    return
  }
  keepsTexts = true
  const texts = TEXTS.get(holder)
  if (texts === undefined) TEXTS.set(holder, new Map([[key, text]]))
  else texts.set(key, text)
}

/**
 * @param {Holder} holder
 * @param {string} key
 * @param {number | bigint} value at that key
 * @returns {string} its text in the source; that of the value if a hook has changed it
 */
function textOf (holder, key, value) {
  const text = keepsTexts ? TEXTS.get(holder)?.get(key) : undefined
  return text !== undefined && Number(text) === value ? text : String(value)
}

/** @param {any} from @param {any} to its copy, which receives the texts @param {Set<unknown>} [seen] */
function copyTexts (from, to, seen = new Set()) {
  if (!keepsTexts || typeof from !== 'object' || from === null || typeof to !== 'object' || to === null ||
    seen.has(from)) {
    return
  }
  seen.add(from)
  const texts = TEXTS.get(from)
  if (texts !== undefined) TEXTS.set(to, new Map(texts))
  for (const key of Object.keys(from)) copyTexts(from[key], to[key], seen)
}

/**
 * @param {unknown} value
 * @returns {string | undefined} its JSON, with the source texts of its numbers; undefined for a value that JSON lacks
 * @throws {TypeError} for a cycle
 */
function stringify (value) {
  if (!keepsTexts) {
    try {
      return JSON.stringify(value)
    } catch {
      // The value has a BigInt, or a cycle.
    }
  }
  return withNumbers(value, (holder, key, number) => textOf(holder, key, number))
}

/**
 * @param {unknown} value
 * @returns {string} indented JSON that is parsed to the same value: JSON.stringify rejects a BigInt, and writes -0 as 0
 *   and Infinity as null
 */
function stringifyExactly (value) {
  return withNumbers(value, (_, __, number) => {
    if (number === Infinity || number === -Infinity) return number > 0 ? '1e9999' : '-1e9999'
    return Object.is(number, -0) ? '-0' : String(number)
  }, 2) ?? 'null'
}

/**
 * @param {unknown} value
 * @param {(holder: Holder, key: string, number: number | bigint) => string} write
 * @param {number} [indent]
 * @returns {string | undefined} its JSON, with the text from `write` for each number
 */
function withNumbers (value, write, indent) {
  return JSON.stringify(value, /** @this {Holder} */ function (key, value) {
    if (typeof value !== 'number' && typeof value !== 'bigint') return value
    const text = write(this, key, value)
    return typeof value === 'number' && text === String(value) ? value : MARK + text
  }, indent)?.replace(MARKED, '$1')
}

/**
 * @param {string} text of a template
 * @param {number} value of a response
 * @param {string} source its text in the response
 * @returns {boolean} whether both are the same number: 1.10 equals 1.1, and 9007199254740993 does not equal …992
 */
function isSameNumber (text, value, source) {
  if (text === source) return true
  return NUMBER.test(text) && Number(text) === value && decimalOf(text) === decimalOf(source)
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/

/**
 * @param {string} text of a number
 * @returns {string} a normal form: equal for all texts of one number
 */
function decimalOf (text) {
  const [, sign, whole, fraction = '', exponent = 0] =
    /** @type {RegExpExecArray} */ (/^(-?)(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/i.exec(text))
  const digits = whole + fraction
  let end = digits.length
  while (end > 0 && digits.charCodeAt(end - 1) === ZERO) end--
  const significant = digits.slice(0, end).replace(/^0+/, '')
  return significant === '' ? '0' : `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - end}`
}

module.exports = {
  copyTexts, endOfString, isSameNumber, keepText, largeIntegerOf, stringify, stringifyExactly, textOf, withBigInts,
  withTexts
}
