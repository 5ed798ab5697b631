'use strict'

// The typed form of the option `capture` (`{ token: 'json auth.token' }`) and its parser. capturing.js extracts the
// values.

const { types } = require('node:util')
const { isRecord, show } = require('../core/foreign-text')
const { BUILT_IN } = require('../requests/expression')
const { isToken } = require('../requests/headers')
const { stringify, withBigInts } = require('../requests/json-numbers')
const { patternOf } = require('../requests/pattern')
const { within } = require('../requests/place')
const { suggest } = require('../core/suggest')
const { parseJsonPath } = require('../requests/json-path')

/**
 * It can be structured-cloned unless it is a function.
 * @typedef {object} Capture
 * @property {'json' | 'header' | 'cookie' | 'pattern' | 'status' | 'body' | 'function'} kind
 * @property {string} key the path into JSON, or the name of the header or cookie; '' for other kinds
 * @property {RegExp | null} pattern
 * @property {Function | string | null} hook a function of the response, or the path of its module until it is loaded
 * @property {{ value: unknown } | null} fallback what stands for a value that is not there; null for nothing
 */

const FORMS = "'json user.id', 'header location', 'cookie sid', 'status', 'body', a regular expression such as " +
  "'/id=(\\d+)/', a function of the response or the path of its module, or { from, default }"

const WORDS = ['json', 'header', 'cookie', 'status', 'body']

const LONGEST_NAME = 100

/**
 * @param {unknown} given
 * @returns {Record<string, Capture>} by the name that the value gets in the context
 * @throws {TypeError} that says where what is wrong
 */
function parseCaptures (given) {
  if (!isRecord(given)) {
    throw new TypeError(
      `expected an object of names and captures, such as { token: 'json auth.token' }, got ${show(given)}`
    )
  }
  return Object.fromEntries(Object.entries(given).map(([name, one]) => {
    checkName(name)
    return [name, within(`.${name}`, () => parseCapture(one))]
  }))
}

/**
 * @param {string} name
 * @throws {TypeError}
 */
function checkName (name) {
  if (!/^[a-z_$][\w$-]*$/i.test(name) || name.length > LONGEST_NAME) {
    throw new TypeError(`expected names of letters, digits, _ and -, such as token, got ${show(name)}`)
  }
  if (name in {}) throw new TypeError(`expected another name than ${show(name)}, which every object has`)
  if (BUILT_IN.some(one => one === name)) {
    throw new TypeError(`expected another name than ${show(name)}: {{${name}}} is a built-in value`)
  }
}

/**
 * @throws {TypeError}
 * @type {(given: unknown) => Capture}
 */
function parseCapture (given) {
  if (!isRecord(given)) return captureOf(given, null)
  const strange = Object.keys(given).find(key => key !== 'from' && key !== 'default')
  if (strange !== undefined) throw new TypeError(`unknown key ${show(strange)}; there are from and default`)
  const fallback = given.default === undefined ? null : { value: within('.default', () => fallbackOf(given.default)) }
  return within('.from', () => captureOf(given.from, fallback))
}

/** @type {(given: unknown, fallback: Capture['fallback']) => Capture} */
function captureOf (given, fallback) {
  /** @param {Partial<Capture> & { kind: Capture['kind'] }} what */
  const made = what => Object.freeze({ key: '', pattern: null, hook: null, ...what, fallback })
  if (typeof given === 'function') return made({ kind: 'function', hook: given })
  if (types.isRegExp(given)) return made({ kind: 'pattern', pattern: new RegExp(given) })
  if (typeof given !== 'string') throw new TypeError(`expected ${FORMS}, got ${show(given)}`)
  const text = given.trim()
  const pattern = patternOf(text)
  if (pattern !== null) return made({ kind: 'pattern', pattern })
  const [word, key = ''] = text.split(/\s+(.*)/s)
  if ((word === 'status' || word === 'body') && key === '') return made({ kind: word })
  if (word === 'json' && key !== '') {
    return made({ kind: 'json', key: placeIn(key) })
  }
  if ((word === 'header' || word === 'cookie') && isToken(key)) {
    return made({ kind: word, key: word === 'header' ? key.toLowerCase() : key })
  }
  if (/[/\\]|\.[cm]?[jt]s$/.test(word)) return made({ kind: 'function', hook: text })
  throw new TypeError(`expected ${FORMS}, got ${show(given)}${WORDS.includes(word) ? '' : suggest(word, WORDS)}`)
}

/**
 * @param {string} path into JSON, which may begin with the $ of JSONPath
 * @returns {string} without it
 * @throws {TypeError} also for what JSONPath has besides: it would be taken for a name that no answer has
 */
function placeIn (path) {
  const plain = path.replace(/^\$\.?(?=.)/, '')
  if (path.startsWith('$..') || /[*?[\]]/.test(plain.replace(/\[\d+\]/g, ''))) {
    throw new TypeError(`expected a path into JSON such as user.id or items[0].name, got ${show(path)}: for anything ` +
      'else give a function of the response')
  }
  parseJsonPath(plain)
  return plain
}

/**
 * @param {unknown} given
 * @returns {unknown} a copy
 * @throws {TypeError}
 */
function fallbackOf (given) {
  const text = typeof given === 'function' ? undefined : stringify(given)
  if (text === undefined) {
    throw new TypeError(
      `expected a text, a number, true, false, null or what JSON can hold of them, got ${show(given)}`
    )
  }
  return withBigInts(text, JSON.parse(text))
}

module.exports = { parseCaptures }
