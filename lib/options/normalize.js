'use strict'

// Owns the way from what a user gave to typed values: numbers from strings, seconds from timestrings, the forms of
// headers, files. It looks at one option at a time; rules across options are in validate.js.

const { readFileSync } = require('node:fs')
const { parseSeconds } = require('../units')
const { parseTarget } = require('../request/target')
const { isToken, isFieldValue } = require('../request/serialize')
const { TABLE } = require('./table')

/** Names that fetch and undici write in upper case, too; all other methods are sent as given. */
const COMMON_METHODS = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'])

/**
 * @typedef {Record<string, any>} Values typed values by option name, defaults filled in; `url` is an array of URLs and
 *   `headers` an array of pairs
 */

/**
 * @param {Record<string, unknown>} raw
 * @param {(option: import('./table').Option) => string} label how the user calls an option
 * @returns {{ values: Values, problems: string[] }}
 */
function normalize (raw, label) {
  /** @type {Values} */
  const values = {}
  /** @type {string[]} */
  const problems = []
  for (const option of TABLE) {
    const given = raw[option.name]
    if (given === undefined || given === null) {
      values[option.name] = option.default
      continue
    }
    try {
      values[option.name] = PARSERS[option.type](given, option)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      problems.push(`${label(option)}: ${error.message}`)
    }
  }
  return { values, problems }
}

/**
 * Each takes a raw value and returns a typed one, or throws a TypeError that says what was expected.
 * @type {Record<import('./table').Option['type'], (given: unknown, option: import('./table').Option) => unknown>}
 */
const PARSERS = {
  integer (given, option) {
    return bounded(toNumber(given), given, option, 'a whole number', Number.isInteger)
  },
  number (given, option) {
    return bounded(toNumber(given), given, option, 'a number', Number.isFinite)
  },
  seconds (given, option) {
    return bounded(parseSeconds(given), given, option, 'seconds or a time such as 1m30s', Number.isFinite)
  },
  flag (given) {
    if (typeof given === 'boolean') return given
    if (given === 'true') return true
    if (given === 'false') return false
    throw new TypeError(`expected true or false, got ${show(given)}`)
  },
  text (given) {
    if (typeof given !== 'string' || given === '') throw new TypeError(`expected a text, got ${show(given)}`)
    return given
  },
  body (given) {
    if (typeof given === 'string') return Buffer.from(given)
    if (given instanceof Uint8Array) return Buffer.from(given.buffer, given.byteOffset, given.byteLength)
    throw new TypeError(`expected a string or a Buffer, got ${show(given)}`)
  },
  file (given) {
    try {
      return readFileSync(String(given))
    } catch (error) {
      throw new TypeError(`could not read the file '${given}': ${/** @type {Error} */ (error).message}`)
    }
  },
  method (given) {
    if (typeof given !== 'string' || !isToken(given)) {
      throw new TypeError(`expected an HTTP method such as GET or POST, got ${show(given)}`)
    }
    const upper = given.toUpperCase()
    return COMMON_METHODS.has(upper) ? upper : given
  },
  url (given) {
    const urls = Array.isArray(given) ? given : [given]
    if (urls.length === 0) throw new TypeError('expected a URL, got an empty array')
    return urls.map(url => {
      if (typeof url !== 'string' || url === '') throw new TypeError(`expected a URL such as http://localhost:3000, got ${show(url)}`)
      return parseTarget(url).url
    })
  },
  headers: given => parseHeaders(given)
}

/**
 * @param {unknown} given an object of names and values (a value may be an array), or a `K=V` or `K: V` string, or an
 *   array of those
 * @returns {Array<[string, string]>}
 */
function parseHeaders (given) {
  /** @type {Array<[string, unknown]>} */
  const pairs = []
  if (typeof given === 'string' || Array.isArray(given)) {
    for (const line of [given].flat()) {
      const separator = typeof line === 'string' ? line.search(/[=:]/) : -1
      if (separator < 1) throw new TypeError(`expected name=value or "name: value", got ${show(line)}`)
      pairs.push([line.slice(0, separator).trim(), line.slice(separator + 1).trim()])
    }
  } else if (typeof given === 'object') {
    for (const [name, value] of Object.entries(/** @type {object} */ (given))) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one !== undefined && one !== null) pairs.push([name, one])
      }
    }
  } else {
    throw new TypeError(`expected an object of names and values, got ${show(given)}`)
  }
  return pairs.map(([name, value]) => {
    if (!isToken(name)) throw new TypeError(`${show(name)} is not a header name: letters, digits and !#$%&'*+-.^_\`|~ are allowed`)
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      throw new TypeError(`the value of ${name} has to be a string, got ${show(value)}`)
    }
    if (!isFieldValue(String(value))) throw new TypeError(`the value of ${name} has a line break or a NUL in it`)
    return [name, String(value)]
  })
}

/** @param {unknown} given */
function toNumber (given) {
  if (typeof given === 'number') return given
  return typeof given === 'string' && given.trim() !== '' ? Number(given) : NaN
}

/**
 * @param {number} number
 * @param {unknown} given
 * @param {import('./table').Option} option
 * @param {string} kind
 * @param {(number: number) => boolean} isKind
 */
function bounded (number, given, { min, above, max }, kind, isKind) {
  const inside = isKind(number) && !(min !== undefined && number < min) && !(above !== undefined && number <= above) &&
    !(max !== undefined && number > max)
  if (inside) return number
  const bounds = [
    ...min !== undefined ? [`at least ${min.toLocaleString('en-US')}`] : [],
    ...above !== undefined ? [`more than ${above}`] : [],
    ...max !== undefined ? [`at most ${max.toLocaleString('en-US')}`] : []
  ]
  throw new TypeError(`expected ${kind}, ${bounds.join(' and ')}, got ${show(given)}`)
}

/** @param {unknown} given */
function show (given) {
  if (typeof given === 'string') return given.length > 60 ? `'${given.slice(0, 57)}…'` : `'${given}'`
  if (typeof given === 'function') return 'a function'
  if (Array.isArray(given)) return 'an array'
  return typeof given === 'object' && given !== null ? 'an object' : String(given)
}

module.exports = { normalize }
