'use strict'

// The typed form of the option `expect` and of its flags, and their parser. compile.js checks responses against it.

const { isDeepStrictEqual, types } = require('node:util')
const { firstWord, isToken } = require('../requests/headers')
const { patternOf } = require('../requests/pattern')
const { stringify, withBigInts } = require('../requests/json-numbers')
const { parseJsonPath, placeOf } = require('../requests/json-path')
const { within } = require('../requests/place')
const { show, isRecord } = require('../core/foreign-text')
const { readObject } = require('../requests/fields')
const { toNumber } = require('../core/numbers')
const { FIELDS: EVENTS, jsonValue, mergeEvents, parseEvents } = require('./events')

/**
 * Null: not checked. It can be cloned for other threads unless `json` is, or has, a function.
 * @typedef {object} Expectation
 * @property {string[] | null} status codes and classes such as 2xx: at least one matches
 * @property {Array<[name: string, expected: string | RegExp | boolean]> | null} headers lower-case names; true:
 *   present, false: absent; all entries for one name apply
 * @property {{ exact: string | Uint8Array } | { pattern: RegExp } | { includes: string[] } | null} body
 * @property {((value: any) => unknown) | Array<[path: string, expected: unknown]> | null} json
 * @property {number | null} maxBytes of the body
 * @property {number | null} maxMs latency
 * @property {import('./events').ExpectedEvents | null} events of a stream
 */

/** @satisfies {import('../requests/fields').Fields} */
const FIELDS = Object.freeze({
  status: {
    ts: 'number | string | ReadonlyArray<number | string>', schema: ({ STATUS }) => STATUS, parse: parseStatus,
    help: 'A code, a class such as 2xx, or several of them.'
  },
  headers: {
    ts: 'Record<string, string | number | RegExp | boolean | ReadonlyArray<string | number | RegExp | boolean>>',
    schema: ({ orList }) => ({
      type: 'object',
      additionalProperties: orList({ anyOf: [{ type: 'string', isPattern: true }, { type: ['number', 'boolean'] }] })
    }),
    parse: headersOf,
    help: 'By name: the value, a pattern such as /json/, or whether there is such a header at all.'
  },
  body: {
    ts: 'string | Uint8Array | RegExp | { includes: string | string[] }',
    schema: ({ FILLED, object, orList }) => ({
      anyOf: [
        { type: 'string', isPattern: true }, object({ includes: { schema: () => orList(FILLED), required: true } })
      ]
    }),
    parse: bodyOf,
    help: 'All of it, a pattern such as /ok/i, or texts that are in it.'
  },
  json: {
    ts: 'Record<string, unknown> | ((value: any) => boolean)',
    schema: () => ({ type: 'object', additionalProperties: true }),
    parse: jsonOf,
    help: "Values by path, such as 'items[0].id': 42."
  },
  maxBytes: {
    ts: 'number',
    schema: ({ number }) => number({ minimum: 0 }, 'integer'),
    parse: given => atLeastZero(given, Number.isInteger, 'a whole number of bytes'),
    help: 'Maximum size of the body in bytes.'
  },
  maxMs: {
    ts: 'number',
    schema: ({ number }) => number({ minimum: 0 }),
    parse: given => atLeastZero(given, number => !Number.isNaN(number), 'a number of milliseconds'),
    help: 'Maximum latency in ms.'
  },
  events: {
    ts: 'number | ExpectedEvents',
    schema: ({ number, object }) => ({ anyOf: [number({ minimum: 0 }, 'integer'), object(EVENTS)] }),
    parse: parseEvents,
    help: 'Of the events of a stream: how many there are, or an object.'
  }
})

const KEYS = /** @type {Array<keyof typeof FIELDS>} */ (Object.keys(FIELDS))

const NOTHING = Object.freeze(Object.fromEntries(KEYS.map(key => [key, null])))

/**
 * @throws {TypeError} with what was expected
 * @type {(given: unknown) => Expectation}
 */
function parseExpectation (given) {
  if (!isRecord(given)) throw new TypeError(`expected an object with ${KEYS.join(', ')}, got ${show(given)}`)
  return /** @type {Expectation} */ ({ ...NOTHING, ...readObject(given, FIELDS) })
}

/** @param {unknown} given */
function headersOf (given) {
  if (!isRecord(given)) throw new TypeError(`expected an object of names and values, got ${show(given)}`)
  return Object.entries(given).flatMap(([name, expected]) => {
    if (!isToken(name)) throw new TypeError(`${show(name)} is not a header name`)
    if (Array.isArray(expected) && expected.length === 0) {
      throw new TypeError(`expected something for ${name}, got an empty array`)
    }
    return [expected].flat().map(one => [name.toLowerCase(), headerValue(name, one)])
  })
}

/** @param {unknown} given */
function bodyOf (given) {
  if (typeof given === 'string' || types.isUint8Array(given)) return { exact: given }
  if (types.isRegExp(given)) return { pattern: new RegExp(given) }
  if (isRecord(given) && Object.keys(given).join() === 'includes') return { includes: parseTexts(given.includes) }
  throw new TypeError(`expected a text, a regular expression or { includes: 'text' }, got ${show(given)}`)
}

/** @param {unknown} given */
function jsonOf (given) {
  if (typeof given === 'function') return given
  if (!isRecord(given)) {
    throw new TypeError(`expected an object of paths and values or a function, got ${show(given)}`)
  }
  for (const path of Object.keys(given)) parseJsonPath(path)
  return Object.entries(given).map(([path, expected]) => [path, jsonValue(expected)])
}

/** @param {string} name @param {unknown} expected */
function headerValue (name, expected) {
  if (typeof expected === 'number' || typeof expected === 'bigint') return String(expected)
  if (typeof expected === 'string' || typeof expected === 'boolean') return expected
  if (types.isRegExp(expected)) return new RegExp(expected)
  throw new TypeError(`expected a text, a regular expression, true or false for ${name}, got ${show(expected)}`)
}

/**
 * @param {unknown} given a code, a class such as 2xx, or several of them
 * @throws {TypeError}
 */
function parseStatus (given) {
  const list = [given].flat().flatMap(one => typeof one === 'string' ? one.split(',').map(part => part.trim()) : [one])
  const strange = list.filter(one =>
    !/^[1-9](\d\d|xx)$/i.test(typeof one === 'number' ? String(one) : typeof one === 'string' ? one : ''))
  if (list.length === 0 || strange.length > 0) {
    throw new TypeError('expected a status code, a class such as 2xx, or several of them, got ' +
      `${list.length === 0 ? 'none' : show(strange[0])}`)
  }
  return list.map(one => String(one).toLowerCase())
}

/**
 * @throws {TypeError}
 * @type {(given: unknown) => string[]}
 */
function parseTexts (given) {
  const list = [given].flat()
  if (list.length === 0 || !list.every(one => typeof one === 'string' && one !== '')) {
    throw new TypeError('expected a text, got ' +
      `${list.length === 0 ? 'none' : show(list.find(one => typeof one !== 'string' || one === ''))}`)
  }
  return /** @type {string[]} */ (list)
}

/** @type {(given: unknown, isKind: (number: number) => boolean, kind: string) => number} */
function atLeastZero (given, isKind, kind) {
  const number = toNumber(given)
  if (isKind(number) && number >= 0) return number
  throw new TypeError(`expected ${kind}, at least 0, got ${show(given)}`)
}

/**
 * @param {Expectation | null} under
 * @param {Expectation | null} over takes precedence; headers and JSON paths are merged one by one
 * @returns {Expectation | null} null when nothing is expected
 */
function mergeExpectations (under, over) {
  const [first, second] = [under, over].filter(expectation => expectation !== null)
  if (first === undefined) return null
  /** @type {Record<string, unknown>} */
  const merged = { ...first }
  if (second !== undefined) {
    for (const key of KEYS) merged[key] = second[key] ?? first[key]
    const own = new Set(second.headers?.map(([name]) => name))
    if (first.headers !== null && second.headers !== null) {
      merged.headers = [...first.headers.filter(([name]) => !own.has(name)), ...second.headers]
    }
    merged.events = mergeEvents(first.events, second.events)
    const { json } = second
    if (Array.isArray(first.json) && Array.isArray(json)) {
      const places = new Set(json.map(([path]) => placeOf(path)))
      merged.json = [...first.json.filter(([path]) => !places.has(placeOf(path))), ...json]
    }
  }
  return KEYS.every(key => merged[key] === null) ? null : /** @type {any} */ (merged)
}

/**
 * Reads expected headers of the command line: `name=value`, `name=/pattern/`, or a name alone for a header that must be
 * present.
 * @param {unknown} given
 * @returns {Record<string, string | RegExp | true | Array<string | RegExp | true>>} an array for a repeated name
 * @throws {TypeError}
 */
function readHeaderLines (given) {
  /** @type {Map<string, Array<string | RegExp | true>>} */
  const expected = new Map()
  for (const line of [given].flat()) {
    const [name, value] = readHeaderLine(line)
    const all = expected.get(name)
    if (all === undefined) expected.set(name, [value])
    else all.push(value)
  }
  return Object.fromEntries(Array.from(expected, ([name, all]) => [name, all.length === 1 ? all[0] : all]))
}

/** @type {(line: unknown) => [name: string, expected: string | RegExp | true]} */
function readHeaderLine (line) {
  const [, name, value] = /^([^=:]+?)\s*(?:[=:]\s*(.*))?$/s.exec(typeof line === 'string' ? line : '') ?? []
  if (name === undefined || !isToken(name)) {
    throw new TypeError('expected name=value, name=/pattern/ or a name, got ' +
      `${typeof line === 'string' ? show(firstWord(line)) : show(line)}`)
  }
  return [name, value === undefined ? true : within(`.${name}`, () => patternOf(value)) ?? value]
}

/**
 * Reads expected JSON values of the command line: `path=value`. A value that is not JSON is a text.
 * @throws {TypeError} also for a path with two different values
 * @type {(given: unknown) => Record<string, unknown>}
 */
function readJsonLines (given) {
  /** @type {Map<string, [path: string, expected: unknown]>} by normalized path */
  const expected = new Map()
  for (const line of [given].flat()) {
    const [path, value] = readJsonLine(line)
    const place = placeOf(path)
    const before = expected.get(place)
    if (before === undefined) expected.set(place, [path, value])
    else if (!isDeepStrictEqual(before[1], value)) {
      throw new TypeError(
        `${path} can't be ${stringify(before[1])} and ${stringify(value)} at once: expect one of them`
      )
    }
  }
  return Object.fromEntries(expected.values())
}

/** @type {(line: unknown) => [path: string, expected: unknown]} */
function readJsonLine (line) {
  const [, path, value] = /^([^=]+)=(.*)$/s.exec(typeof line === 'string' ? line : '') ?? []
  if (path === undefined) {
    throw new TypeError(
      `expected path=value such as user.id=42, got ${typeof line === 'string' ? show(firstWord(line)) : show(line)}`
    )
  }
  parseJsonPath(path)
  try {
    return [path, withBigInts(value, JSON.parse(value))]
  } catch {
    return [path, value]
  }
}

module.exports = {
  FIELDS, parseExpectation, mergeExpectations, parseStatus, parseTexts, readHeaderLines, readJsonLines
}
