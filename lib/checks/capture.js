'use strict'

// The typed form of the option `capture` (`{ token: 'json auth.token' }`) and its parser. capturing.js extracts the
// values.

const { types } = require('node:util')
const { isRecord, printable, show } = require('../core/foreign-text')
const { BUILT_IN } = require('../requests/expression')
const { isToken } = require('../requests/headers')
const { stringify, withBigInts } = require('../requests/json-numbers')
const { isJsonPath } = require('../requests/json-path')
const { patternOf } = require('../requests/pattern')
const { within } = require('../requests/place')
const { refuseUnknownKeys, suggest } = require('../core/suggest')

/**
 * It can be cloned for other threads unless it has a function.
 * @typedef {object} Capture
 * @property {'json' | 'header' | 'cookie' | 'html' | 'pattern' | 'status' | 'body' | 'function' | 'id' | 'type'} kind
 * @property {string} key the path into JSON, the name of the header or cookie, or the CSS selector; empty for other
 *   kinds
 * @property {string | null} attribute of the HTML element; null for its text, and for other kinds
 * @property {string | null} beside a file next to which the HTML parser may be installed; null for none
 * @property {RegExp | null} pattern
 * @property {Function | string | null} hook a function of the response; before hooks are loaded, the path of its module
 * @property {boolean} all whether the value is the list of all matches, or of all elements
 * @property {boolean} picks whether the value is a random element of the list
 * @property {number | null} event the event of a stream that has the value, from 1; −1 for the last one, null for the
 *   response
 * @property {{ value: unknown } | null} fallback used when the value is missing; null for none
 */

const FORMS = "'json user.id', 'json [*]' of a body that is a list, 'header location', 'cookie sid', " +
  "\"html 'input[name=csrf]' attr value\", 'status', " +
  "'body', a regular expression such as '/id=(\\d+)/', 'event last json id' of a stream, a function of the " +
  'response or the path of its module, or ' +
  '{ from, default, all, pick }'

const WORDS = ['json', 'header', 'cookie', 'html', 'status', 'body', 'event']

/** @satisfies {import('../requests/fields').Fields} */
const FIELDS = Object.freeze({
  from: { ts: 'Capture', schema: ({ CAPTURE }) => CAPTURE, required: true, help: 'The source of the value.' },
  default: { ts: 'unknown', schema: () => ({}), help: 'The value if there is none in the response.' },
  all: {
    ts: 'boolean', schema: ({ FLAG }) => FLAG, default: false,
    help: 'Whether the value is a list: of all matches of a pattern, or of all elements of html.'
  },
  pick: {
    ts: "'random'", schema: ({ orTexts }) => orTexts({ enum: ['random'] }),
    help: 'The value is a random one of the list.'
  }
})

const KEYS = Object.keys(FIELDS)

const LONGEST_NAME = 100

/**
 * @param {unknown} given
 * @param {boolean} [hasTemplates] whether templates can use the values by name
 * @returns {Record<string, Capture>} by the name of the value in the context
 * @throws {TypeError} with the place and the problem
 */
function parseCaptures (given, hasTemplates = true) {
  if (!isRecord(given)) {
    throw new TypeError(
      `expected an object of names and captures, such as { token: 'json auth.token' }, got ${show(given)}`
    )
  }
  return Object.fromEntries(Object.entries(given).map(([name, one]) => {
    checkName(name, hasTemplates)
    return [name, within(`.${name}`, () => parseCapture(one))]
  }))
}

/**
 * @param {string} name
 * @param {boolean} [hasTemplates] as above
 * @throws {TypeError}
 */
function checkName (name, hasTemplates = true) {
  if (!/^[a-z_$][\w$-]*$/i.test(name) || name.length > LONGEST_NAME) {
    throw new TypeError(`expected names of letters, digits, _ and -, such as token, got ${show(name)}`)
  }
  if (name in {}) throw new TypeError(`expected another name than ${show(name)}, which every object has`)
  if (hasTemplates && BUILT_IN.some(one => one === name)) {
    throw new TypeError(`expected another name than ${show(name)}, such as ${show(`order_${name}`)}: ` +
      `{{${name}}} is a built-in value`)
  }
}

/**
 * @throws {TypeError}
 * @type {(given: unknown) => Capture}
 */
function parseCapture (given) {
  if (!isRecord(given)) return captureOf(given, { fallback: null, all: false, picks: false })
  refuseUnknownKeys(given, KEYS)
  const { from, default: fallback, all = false, pick } = given
  if (pick !== undefined && pick !== 'random') throw new TypeError(`pick: expected random, got ${show(pick)}`)
  if (!['true', 'false'].includes(String(all))) throw new TypeError(`all: expected true or false, got ${show(all)}`)
  const rest = {
    fallback: fallback === undefined ? null : { value: within('.default', () => fallbackOf(fallback)) },
    all: String(all) === 'true',
    picks: pick !== undefined
  }
  return within('.from', () => captureOf(from, rest))
}

/** Kinds that can return all matches. */
const WITH_MATCHES = ['pattern', 'html']
/** Kinds that can return a list. */
const WITH_LISTS = ['json', 'function', ...WITH_MATCHES]

/**
 * @typedef {Pick<Capture, 'fallback' | 'all' | 'picks'>} Rest
 * @type {(given: unknown, rest: Rest) => Capture}
 */
function captureOf (given, rest) {
  const [text, { all, picks }] = typeof given === 'string' ? withoutSuffix(given.trim(), rest) : [given, rest]
  const made = sourceOf(text, given)
  if (all && !WITH_MATCHES.includes(made.kind)) {
    throw new TypeError(`all is for a pattern or html, got ${show(given)}` +
      (made.kind === 'json' ? ': of JSON, items[*].id is a list of all' : ''))
  }
  if (picks && !WITH_LISTS.includes(made.kind)) {
    throw new TypeError(`pick is for a list, which json, a pattern, html or a function may give, got ${show(given)}`)
  }
  return Object.freeze({
    key: '',
    attribute: null,
    beside: null,
    pattern: null,
    hook: null,
    event: null,
    ...made,
    all: all || (picks && WITH_MATCHES.includes(made.kind)),
    picks,
    fallback: rest.fallback
  })
}

/** @type {(text: string, rest: Rest) => [text: string, rest: Rest]} */
function withoutSuffix (text, rest) {
  const [, before, suffix] = /^(.*\S)\s+(all|pick\s+random)$/s.exec(text) ?? []
  if (before === undefined) return [text, rest]
  if (suffix !== 'all') return [before, { ...rest, picks: true }]
  // A path into JSON may end with the word "all".
  return /^(?:event\s+\S+\s+)?(?:html\s|\/.+\/[dgimsuvy]*$)/s.test(before) ? [before, { ...rest, all: true }] : [text, rest]
}

/** @type {(text: unknown, given: unknown) => Partial<Capture> & { kind: Capture['kind'] }} */
function sourceOf (text, given) {
  if (typeof text === 'function') return { kind: 'function', hook: text }
  if (types.isRegExp(text)) return { kind: 'pattern', pattern: new RegExp(text) }
  if (typeof text !== 'string') throw new TypeError(`expected ${FORMS}, got ${show(given)}`)
  const pattern = patternOf(text)
  if (pattern !== null) return { kind: 'pattern', pattern }
  const [word, key = ''] = text.split(/\s+(.*)/s)
  if (word === 'event') return sourceInEvent(key, given)
  if ((word === 'status' || word === 'body') && key === '') return { kind: word }
  if (word === 'json' && key !== '') return { kind: 'json', key: placeIn(key) }
  if (word === 'html' && key !== '') return elementIn(key)
  if ((word === 'header' || word === 'cookie') && isToken(key)) {
    return { kind: word, key: word === 'header' ? key.toLowerCase() : key }
  }
  if (/[/\\]|\.[cm]?[jt]s$/.test(word)) return { kind: 'function', hook: text }
  throw new TypeError(`expected ${FORMS}, got ${show(given)}${WORDS.includes(word) ? '' : suggest(word, WORDS)}`)
}

const EVENT_FORMS = "'event 1', 'event last', 'event 2 json choices[0].text', 'event 1 /id=(\\d+)/', 'event last id' " +
  "or 'event last type'"

/**
 * @param {string} text after the word `event`
 * @param {unknown} given
 * @returns {Partial<Capture> & { kind: Capture['kind'] }}
 */
function sourceInEvent (text, given) {
  const [, number, rest = 'body'] = /^([1-9]\d{0,8}|first|last)(?:\s+(\S.*))?$/s.exec(text) ?? []
  if (number === undefined) throw new TypeError(`expected ${EVENT_FORMS}, got ${show(given)}`)
  const event = number === 'last' ? -1 : number === 'first' ? 1 : Number(number)
  if (rest === 'id' || rest === 'type') return { kind: rest, event }
  const isFine = rest === 'body' || /^(json|html)\s/.test(rest) || patternOf(rest) !== null
  if (!isFine) throw new TypeError(`expected ${EVENT_FORMS}, got ${show(given)}`)
  return { ...sourceOf(rest, given), event }
}

/**
 * @param {string} path into JSON
 * @returns {string} the path itself
 * @throws {TypeError} for other JSONPath syntax as well: it would be read as a name that no response has
 */
function placeIn (path) {
  if (isJsonPath(path)) return path
  throw new TypeError('expected a path into JSON such as user.id, items[0].name, items[-1].id, items[*].id, ' +
    `[*] or items.length, got ${show(path)}: for anything else give a function of the response`)
}

/**
 * @param {string} text after the word html
 * @returns {{ kind: 'html', key: string, attribute: string | null, beside: string | null }}
 * @throws {TypeError}
 */
function elementIn (text) {
  const [, single, double, bare, attribute = null] =
    /^(?:'([^']+)'|"([^"]+)"|([^'"\s]\S*))(?:\s+attr\s+([^\s"'<>/=]+))?$/.exec(text) ?? []
  const key = single ?? double ?? bare
  if (key === undefined) {
    throw new TypeError("expected a selector in quotation marks, as in html 'input[name=csrf]' attr value or " +
      `html 'h1', got ${show(`html ${text}`)}`)
  }
  const { fileBesideConfig, loadHtml, missingFor, problemOf } = require('./html')
  if (loadHtml() === null) throw new TypeError(missingFor('html'))
  const problem = key.trimStart().startsWith('<') ? 'it is HTML' : problemOf(key)
  if (problem !== null) throw new TypeError(`expected a CSS selector, got ${show(key)}: ${printable(problem)}`)
  return {
    kind: 'html', key, attribute: attribute === null ? null : attribute.toLowerCase(), beside: fileBesideConfig()
  }
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

module.exports = { FIELDS, checkName, parseCaptures }
