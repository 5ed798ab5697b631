'use strict'

// The syntax of {{…}} in a text. templates/fillers.js has the values.

const { show } = require('../core/foreign-text')

/**
 * @typedef {object} Expression
 * @property {string} text between the braces
 * @property {boolean} raw whether it is written {{{…}}}: its value is inserted without escaping
 * @property {'id' | 'uuid' | 'counter' | 'now' | 'random' | 'pick' | 'element' | 'env' | 'literal' | 'value'} kind
 *   value: from a data source or the context; element: a random element of such a value, which is a list
 * @property {ReadonlyArray<string>} args
 */

/** A literal: `{{'{{'}}` is replaced by `{{`. */
const LITERAL = "\\{\\{'(\\{\\{|\\}\\})'\\}\\}"
const TOKEN = new RegExp(`${LITERAL}|\\{\\{\\{([^{}]*)\\}\\}\\}|\\{\\{([^{}]*)\\}\\}`, 'g')

/** Built-in names, which no data source can have. */
const BUILT_IN = /** @type {const} */ (['id', 'uuid', 'counter', 'now', 'random', 'pick', 'env'])

const BY_ITSELF = new Set(['id', 'uuid', 'counter', 'now'])

/** Returns whether the text may have an expression. @type {(text: string) => boolean} */
function hasExpression (text) {
  return text.includes('{{')
}

/**
 * @param {unknown} value
 * @param {number} [deepest] the depth to search: enough for `scenarios[0].requests[0].expect.json`
 * @returns {boolean} whether a text in it may have an expression
 */
function hasExpressionWithin (value, deepest = 8) {
  if (typeof value === 'string') return hasExpression(value)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || deepest < 0) return false
  return Object.values(value).some(one => hasExpressionWithin(one, deepest - 1))
}

/**
 * @param {string} text
 * @returns {Array<string | Expression>} in their order in the text
 * @throws {TypeError} with what was expected
 */
function parseTemplate (text) {
  /** @type {Array<string | Expression>} */
  const parts = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const [token, literal, raw, value] = match
    if (match.index > end) parts.push(plain(text.slice(end, match.index)))
    end = match.index + token.length
    parts.push(literal === undefined
      ? parseExpression(raw ?? value, raw !== undefined)
      : {
          text: literal, raw: true, kind: 'literal', args: []
        })
  }
  if (end < text.length) parts.push(plain(text.slice(end)))
  return parts
}

/**
 * @param {string} text between expressions
 * @throws {TypeError}
 */
function plain (text) {
  const at = text.indexOf('{{')
  if (at !== -1) {
    throw new TypeError(`expected something like {{users.email}}, got ${show(text.slice(at, at + 40))} without its ` +
      '}}; write {{\'{{\'}} for {{ itself')
  }
  return text
}

/**
 * @throws {TypeError}
 * @type {(inner: string, raw: boolean) => Expression}
 */
function parseExpression (inner, raw) {
  const text = inner.trim()
  if (text === '') throw new TypeError("expected a name between {{ and }}, got none; write {{'{{'}} for {{ itself")
  const [name, ...args] = wordsOf(text)
  /** @param {Expression['kind']} kind */
  const made = (kind, given = args) => Object.freeze({ text, raw, kind, args: Object.freeze(given) })
  if (BY_ITSELF.has(name)) {
    if (args.length > 0) throw new TypeError(`{{${name}}} takes no arguments, got ${show(args.join(' '))}`)
    return made(/** @type {Expression['kind']} */ (name))
  }
  if (name === 'random') {
    const [from, to] = args.map(Number)
    if (args.length !== 2 || !Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from > to) {
      throw new TypeError(
        `expected two whole numbers, the smaller one first, such as {{random 1 100}}, got ${show(text)}`
      )
    }
    return made('random')
  }
  if (name === 'pick') {
    if (args.length === 0) throw new TypeError('expected what to pick from, such as {{pick red green blue}}, got none')
    // A single word is the name of a list to pick from, unless it has quotation marks.
    return made(args.length === 1 && text.endsWith(` ${args[0]}`) ? 'element' : 'pick')
  }
  if (name === 'env' || name.startsWith('env.')) {
    if (text === 'env' || args.length > 0) {
      throw new TypeError(
        `expected the name of a variable of the environment, such as {{env.TOKEN}}, got ${show(text)}`
      )
    }
    return made('env', [text.slice('env.'.length)])
  }
  return made('value', [text])
}

/** Returns the path of the value. @type {(expression: Expression) => string} */
function pathOf ({ kind, text, args }) {
  return kind === 'element' ? args[0] : text
}

/**
 * @param {string} path of a value
 * @returns {string} its first name: that of a data source, or of a value in the context
 */
function nameIn (path) {
  return path.split(/[.[\s]/, 1)[0]
}

/** Returns words; a word with spaces has quotation marks. @type {(text: string) => string[]} */
function wordsOf (text) {
  return Array.from(text.matchAll(/'([^']*)'|"([^"]*)"|\S+/g), ([word, single, double]) => single ?? double ?? word)
}

/** Returns a text of the same length, with a number instead of each expression. @type {(text: string) => string} */
function withoutExpressions (text) {
  return text.replace(TOKEN, token => '0'.padEnd(token.length))
}

/**
 * @param {string} text that may look like a template
 * @returns {string} a template that is filled to exactly that text
 */
function escapeTemplate (text) {
  return text.replace(/\{\{/g, "{{'{{'}}")
}

module.exports = {
  BUILT_IN, escapeTemplate, hasExpression, hasExpressionWithin, nameIn, parseTemplate, pathOf,
  withoutExpressions
}
