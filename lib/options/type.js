'use strict'

// A type of options, declared once: its parser, the forms in a config, its name in index.d.ts and the help, and the
// form in which a value is shown again. Here are the plain ones (numbers, texts, switches, files, and lists of them),
// and those that keys inside of options have as well (fields.js).

const { show } = require('../core/foreign-text')
const { parseSeconds, toNumber } = require('../core/numbers')
const { redacted } = require('../core/secrets')
const { suggest } = require('../core/suggest')
const { readFile } = require('../requests/file')
const { headersObject, parseHeaders } = require('../requests/headers')
const { parseBody, parseMethod } = require('../requests/request')
const { formatInteger } = require('../core/units')
const { parseRate } = require('../shapes/rate')

/**
 * @typedef {import('./table').Option} Option
 * @typedef {import('./config-schema').Schema} Schema
 * @typedef {typeof import('./config-schema').SCHEMAS} Schemas what schemas are made of
 *
 * @typedef {object} Type
 * @property {(given: any, option: Option) => unknown} parse a raw value → a typed one; throws a TypeError with the
 *   expected form
 * @property {(schemas: Schemas, option: Option) => Schema} schema of a value in a config
 * @property {string | ((option: Option) => string)} [ts] its type in index.d.ts; none for options of the command line
 *   only
 * @property {string} [noun] a value in the help
 * @property {true} [isSwitch] the flag has no value
 * @property {(word: string) => boolean} [takes] the value may be left out: whether the word after the flag is one
 * @property {true} [repeats] every value counts, not just the last
 * @property {true} [isContent] it holds contents of requests or responses: a result has its size only
 * @property {(typed: any, given?: any) => unknown} [shown] the form in which it can be given again; else as it was
 *   given
 * @property {(typed: any, values: import('./normalize').Values) => unknown} [described] its form in a result; that of
 *   `shown` by default
 * @property {(typed: any, shown: any) => unknown} [printed] its form in --print-config, without secrets
 */

const A_FILE = 'path of a file'

/**
 * @param {string} kind for messages
 * @param {(given: unknown, option: Option) => number} read
 * @param {(number: number) => boolean} isKind
 * @param {{ ts: string, noun: string, schema?: Type['schema'] }} how
 * @returns {Type} a number within the bounds of its option
 */
function quantity (
  kind, read, isKind, { ts, noun, schema = ({ number, boundsOf }, option) => number(boundsOf(option)) }
) {
  return { ts, noun, schema, parse: (given, option) => bounded(read(given, option), given, option, kind, isKind) }
}

/** @param {Type} one @param {Partial<Type>} [more] @returns {Type} one of them or an array */
function listOf (one, more) {
  /** @type {Type['schema']} */
  const schema = (schemas, option) => schemas.orList(one.schema(schemas, option))
  return {
    noun: one.noun, repeats: true, schema,
    parse: (given, option) => [given].flat().map(each => one.parse(each, option)), ...more
  }
}

const INTEGER = quantity('a whole number', toNumber, Number.isInteger, {
  ts: 'number', noun: 'whole number', schema: ({ number, boundsOf }, option) => number(boundsOf(option), 'integer')
})

const SECONDS = quantity('seconds or a time such as 1m30s', parseSeconds, Number.isFinite, {
  ts: 'number | string', noun: 'seconds, or a time such as 500ms or 1m30s'
})

/** @type {Type} */
const TEXT = {
  ts: 'string',
  schema: ({ FILLED }) => FILLED,
  parse (given) {
    if (typeof given !== 'string' || given === '') throw new TypeError(`expected a text, got ${show(given)}`)
    // eslint-disable-next-line no-control-regex
    if (/[\0-\x1f\x7f]/.test(given)) {
      throw new TypeError(`expected a text without line breaks and other control characters, got ${show(given)}`)
    }
    return given
  }
}

/** @type {Type} */
const FLAG = {
  ts: 'boolean',
  noun: 'switch',
  isSwitch: true,
  schema: ({ FLAG }) => FLAG,
  parse (given) {
    if (typeof given === 'boolean') return given
    if (given === 'true') return true
    if (given === 'false') return false
    throw new TypeError(`expected true or false, got ${show(given)}`)
  }
}

/** @type {Type} */
const CHOICE = {
  ts: ({ choices = [] }) => [...choices.map(choice => `'${choice}'`), ...numbersIn(choices)].join(' | '),
  noun: 'one of the allowed values',
  schema: ({ orTexts }, { choices = [] }) => orTexts({ enum: [...choices, ...numbersIn(choices)] }),
  parse (given, { choices = [] }) {
    // YAML has http: 2 for a number.
    const text = typeof given === 'number' ? String(given) : given
    if (typeof text !== 'string' || !choices.includes(text)) {
      throw new TypeError(`expected ${choices.join(' or ')}, got ${show(given)}` +
        (typeof text === 'string' ? suggest(text, choices.map(String)) : ''))
    }
    return text
  }
}

/** @param {string[]} choices */
const numbersIn = choices => choices.map(Number).filter(choice => !isNaN(choice))

/** @type {Type} */
const RATE = {
  ts: 'number | string',
  noun: 'number of requests or iterations per second',
  schema: ({ rate, boundsOf }, option) => rate(boundsOf(option)),
  parse: parseRate,
  shown: rate => rate.toJSON()
}

/** @type {Type} */
const METHOD = { ts: 'string', schema: ({ TEXT }) => TEXT, parse: parseMethod }

/** @type {Type} */
const HEADERS = {
  ts: 'Headers',
  repeats: true,
  schema: ({ ref }) => ref('headers'),
  parse: parseHeaders,
  printed: typed => redacted(headersObject(typed), 'headers')
}

/** @type {Type} */
const BODY = {
  ts: 'string | Uint8Array', isContent: true, schema: ({ TEXT }) => TEXT, parse: given => parseBody(given)
}

/** @type {Type} */
const HOOK = {
  ts: ({ name }) => `${name[0].toUpperCase()}${name.slice(1)} | string`,
  schema: ({ HOOK }) => HOOK,
  parse (given) {
    if (typeof given === 'function' || (typeof given === 'string' && given !== '')) return given
    throw new TypeError(`expected a function or the path of a module that exports one, got ${show(given)}`)
  }
}

/** @type {Type} */
const PAUSE = {
  ts: 'Pause',
  schema: ({ ref }) => ref('pause'),
  parse: given => require('./users/pauses').parsePause(given)
}

/** @type {Type} */
const RETRIES = {
  ts: 'number | Retries',
  schema: ({ ref }) => ref('retries'),
  parse: given => require('./users/retries').parseRetries(given)
}

/** @type {Type} */
const EXPECT = {
  ts: 'Expectation',
  schema: ({ ref }) => ref('expect'),
  parse: given => require('../checks/expectation').parseExpectation(given)
}

/** @type {Type} */
const NAME = {
  ts: 'string', schema: ({ NAME }) => NAME, parse: given => require('../checks/rule').parseName(given)
}

/** @type {Type} */
const FILE = { noun: A_FILE, schema: ({ PATH }) => PATH, parse: given => readFile(given) }

/**
 * @type {(number: number, given: unknown, option: Option, kind: string, isKind: (number: number) => boolean) => number}
 */
function bounded (number, given, { min, above, max }, kind, isKind) {
  const inside = isKind(number) && !(min !== undefined && number < min) && !(above !== undefined && number <= above) &&
    !(max !== undefined && number > max)
  if (inside) return number
  const bounds = [
    ...min !== undefined ? [`at least ${Number.isInteger(min) ? formatInteger(min) : min}`] : [],
    ...above !== undefined ? [`more than ${above}`] : [],
    ...max !== undefined ? [`at most ${formatInteger(max)}`] : []
  ]
  throw new TypeError(`expected ${kind}, ${bounds.join(' and ')}, got ${show(given)}`)
}

module.exports = {
  A_FILE, BODY, CHOICE, EXPECT, FILE, FLAG, HEADERS, HOOK, INTEGER, METHOD, NAME, PAUSE, RATE, RETRIES, SECONDS, TEXT,
  bounded, listOf, quantity
}
