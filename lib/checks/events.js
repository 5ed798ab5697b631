'use strict'

// Expectations for the events of a stream (`expect.events`): their typed form, parser, and tests.

const { types } = require('node:util')
const { show, isRecord } = require('../core/foreign-text')
const { parseJsonPath } = require('../requests/json-path')
const { linearWherePossible } = require('../requests/linear-pattern')
const { toNumber } = require('../core/numbers')
const { readObject } = require('../requests/fields')

/**
 * The expected data of an event: a text that it includes, a pattern, or JSON values by path.
 * @typedef {string | RegExp | Array<[path: string, expected: unknown]>} ExpectedData
 *
 * Null: not checked.
 * @typedef {object} ExpectedEvents
 * @property {number | null} min events of a stream
 * @property {number | null} max
 * @property {ExpectedData | null} each
 * @property {ExpectedData | null} some
 * @property {ExpectedData | null} first
 * @property {ExpectedData | null} last
 */

const COUNT = {
  ts: 'number',
  schema: (/** @type {import('../options/type').Schemas} */ { number }) => number({ minimum: 0 }, 'integer'),
  parse: (/** @type {unknown} */ given) => countOf(given, 'a number of events')
}

/** A text that the data includes, a pattern, or values of its JSON by path. */
const WANTED = {
  ts: 'WantedOfEvent',
  schema: () => ({
    anyOf: [{ type: 'string', isPattern: true, minLength: 1 }, { type: 'object', additionalProperties: true }]
  }),
  parse: wantedOf
}

/** @satisfies {import('../requests/fields').Fields} */
const FIELDS = Object.freeze({
  min: { ...COUNT, help: 'Minimum number of events.' },
  max: { ...COUNT, help: 'Maximum number of events.' },
  each: { ...WANTED, help: 'What each event has.' },
  some: { ...WANTED, help: 'What at least one event has.' },
  first: { ...WANTED, help: 'What the first event has.' },
  last: { ...WANTED, help: 'What the last event has.' }
})

const KEYS = /** @type {Array<keyof typeof FIELDS>} */ (Object.keys(FIELDS))

/** @type {ExpectedEvents} */
const NOTHING = Object.freeze({ min: null, max: null, each: null, some: null, first: null, last: null })

/**
 * @param {unknown} given a number of events, or an object
 * @returns {ExpectedEvents}
 * @throws {TypeError}
 */
function parseEvents (given) {
  if (!isRecord(given)) {
    const count = countOf(given, `a number of events or an object with ${KEYS.join(', ')}`)
    return { ...NOTHING, min: count, max: count }
  }
  /** @type {ExpectedEvents} */
  const parsed = { ...NOTHING, ...readObject(given, FIELDS) }
  const { min, max } = parsed
  if (min !== null && max !== null && min > max) {
    throw new TypeError(`expected a min up to max, got ${min} and ${max}`)
  }
  if (KEYS.every(key => parsed[key] === null)) {
    throw new TypeError(`expected one of ${KEYS.join(', ')}, got none`)
  }
  return parsed
}

/** @type {(given: unknown, what: string) => number} */
function countOf (given, what) {
  const number = toNumber(given)
  if (Number.isSafeInteger(number) && number >= 0) return number
  throw new TypeError(`expected ${what}, got ${show(given)}`)
}

/** @type {(given: unknown) => ExpectedData} */
function wantedOf (given) {
  if (typeof given === 'string' && given !== '') return given
  if (types.isRegExp(given)) return new RegExp(given)
  if (isRecord(given) && Object.keys(given).length > 0) {
    for (const path of Object.keys(given)) parseJsonPath(path)
    return Object.entries(given).map(([path, expected]) => [path, jsonValue(expected)])
  }
  throw new TypeError('expected a text, a regular expression or an object of paths into JSON and values, got ' +
    show(given))
}

/**
 * @param {unknown} expected the expected value in JSON
 * @returns {unknown} the value; a BigInt in the safe range becomes a number, as JSON.parse returns it
 */
function jsonValue (expected) {
  if (types.isRegExp(expected)) return new RegExp(expected)
  return typeof expected === 'bigint' && Number.isSafeInteger(Number(expected)) ? Number(expected) : expected
}

/**
 * @param {ExpectedEvents | null} under
 * @param {ExpectedEvents | null} over takes precedence
 * @returns {ExpectedEvents | null}
 */
function mergeEvents (under, over) {
  if (under === null || over === null) return over ?? under
  const merged = { ...under }
  for (const key of KEYS) Object.assign(merged, over[key] === null ? {} : { [key]: over[key] })
  return merged
}

/**
 * Expected texts may be templates.
 * @param {ExpectedEvents} expected
 * @returns {Array<[place: string, text: string]>} all expected texts, each with its key, such as `first` or `each.id`
 */
function textsOfEvents (expected) {
  return KEYS.flatMap(key => {
    const wanted = expected[key]
    if (typeof wanted === 'string') return [([key, wanted])]
    return !Array.isArray(wanted)
      ? []
      : wanted.filter(([, value]) => typeof value === 'string')
        .map(([path, value]) => /** @type {[string, string]} */ ([`${key}.${path}`, value]))
  })
}

/**
 * @typedef {import('./stream-event').StreamEvent} StreamEvent
 * @typedef {import('./expected-texts').ExpectedTexts} ExpectedTexts
 * @typedef {(event: StreamEvent, values: import('./expected-texts').Values) => string | null} EventTest returns the
 *   reason when an event fails; null when it passes
 */

class EventTests {
  /** @param {ExpectedEvents} expected @param {ExpectedTexts} texts @param {import('./compile').JsonTest} jsonTest */
  constructor ({ min, max, each, some, first, last }, texts, jsonTest) {
    this.min = min ?? 0
    this.max = max ?? Infinity
    const [eachTest, someTest, firstTest, lastTest] = [each, some, first, last].map(wanted =>
      wanted === null ? null : testOf(wanted, texts, jsonTest))
    this.each = eachTest
    this.some = someTest
    this.first = firstTest
    this.last = lastTest
    this.missing = `no event ${some === null || Array.isArray(some) ? 'has the expected JSON' : nameOf(some)}`
    /** Whether the tests need the texts of events. */
    this.readsTexts = [each, some, first, last].some(wanted => wanted !== null)
  }

  /**
   * @param {number} count of events
   * @returns {string | null} the reason when the number fails. It does not contain the count, because equal reasons are
   *   counted together
   */
  unexpectedCount (count) {
    const { min, max } = this
    if (count < min) return min === 1 ? 'no event' : `fewer than ${min} events`
    return count > max ? `more than ${max} events` : null
  }
}

/** @param {string | RegExp} wanted @returns {string} a predicate for a sentence about the data */
function nameOf (wanted) {
  return typeof wanted === 'string' ? `includes ${show(wanted)}` : `matches ${wanted}`
}

/**
 * @param {ExpectedData} wanted
 * @param {ExpectedTexts} texts
 * @param {import('./compile').JsonTest} jsonTest
 * @returns {EventTest}
 */
function testOf (wanted, texts, jsonTest) {
  if (typeof wanted === 'string') {
    const text = texts.read(wanted)
    const reason = `the data does not include ${show(wanted)}`
    return ({ data }, values) => data.includes(typeof text === 'string' ? text : values[text.index]) ? null : reason
  }
  if (!Array.isArray(wanted)) {
    const pattern = linearWherePossible(wanted)
    const reason = `the data does not match ${wanted}`
    return ({ data }) => pattern.test(data) ? null : reason
  }
  const test = jsonTest(wanted, texts)
  const { StreamEvent } = require('./stream-event')
  return (event, values) => {
    try {
      event.json()
      return test(StreamEvent.asResponse(event), values)
    } catch (error) {
      return /** @type {Error} */ (error).message
    }
  }
}

module.exports = { EventTests, FIELDS, jsonValue, mergeEvents, parseEvents, textsOfEvents }
