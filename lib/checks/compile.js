'use strict'

// Compiles an expectation into a short list of tests, once per request. The first test that fails is the reason. Equal
// reasons are counted together, so they contain nothing that differs between responses, such as a time.

const { isDeepStrictEqual } = require('node:util')
const { isPromise, follow } = require('../requests/hook-result')
const { isSameNumber, stringify } = require('../requests/json-numbers')
const { numberTextAt, parseJsonPath, valueAt } = require('../requests/json-path')
const { linearWherePossible } = require('../requests/linear-pattern')
const { statusesOf } = require('../requests/statuses')
const { cut, printable, show } = require('../core/foreign-text')
const { isSecretName, redactedText } = require('../core/secrets')
const { EventTests } = require('./events')
const { ExpectedText, ExpectedTexts } = require('./expected-texts')
const { Response } = require('./response')

/**
 * @typedef {import('./expectation').Expectation} Expectation
 * @typedef {(response: Response, values: import('./expected-texts').Values) => string | null} Test returns the reason
 *   when a response fails; null when it passes. `values` are the values of expected texts that are templates
 * @typedef {(expected: NonNullable<Expectation['json']>, texts: ExpectedTexts) => Test} JsonTest
 */

/**
 * @param {Expectation} expectation
 * @param {import('../templates/shared-values').SharedValues | null} [sharedValues] the values for templates; null when
 *   no text is a template
 * @returns {{ readsBody: boolean, statuses: Uint8Array | null, test: Test, expectedTexts:
 *   ReturnType<ExpectedTexts['filler']>, events: EventTests | null }} whether the whole body is needed; 1 at the index
 *   of each expected status, null for any status; fills expected texts when a request is sent; the tests of stream
 *   events
 */
function compile ({ status, headers, body, json, maxBytes, maxMs, events }, sharedValues = null) {
  const texts = new ExpectedTexts(sharedValues)
  /** @type {Test[]} */
  const tests = []
  const statuses = status === null ? null : statusesOf(status)
  if (status !== null && statuses !== null) tests.push(statusTest(status, statuses))
  for (const [name, expected] of headers ?? []) tests.push(headerTest(name, texts.read(expected)))
  if (maxBytes !== null) tests.push(({ size }) => size > maxBytes ? `the body has more than ${maxBytes} bytes` : null)
  if (maxMs !== null) tests.push(({ ms }) => ms > maxMs ? `took more than ${maxMs} ms` : null)
  if (body !== null) tests.push(bodyTest(body, texts))
  if (json !== null) tests.push(jsonTest(json, texts))
  const eventTests = events === null ? null : new EventTests(events, texts, jsonTest)
  if (eventTests !== null) {
    tests.push(response => {
      const stream = Response.eventsOf(response)
      return stream === null ? 'no stream of events' : stream.unexpected(eventTests)
    })
  }
  return {
    readsBody: body !== null || json !== null,
    statuses,
    test (response, values) {
      for (const test of tests) {
        const reason = test(response, values)
        if (reason !== null) return reason
      }
      return null
    },
    expectedTexts: texts.filler(),
    events: eventTests
  }
}

/** @param {string[]} expected @param {Uint8Array} fine 1 at the index of each expected status @returns {Test} */
function statusTest (expected, fine) {
  const words = expected.join(' or ')
  return ({ status }) => fine[status] === 1 ? null : `status ${status}, expected ${words}`
}

/**
 * @param {string} name lower-case
 * @param {string | RegExp | boolean | ExpectedText} expected required of at least one header with this name
 * @returns {Test}
 */
function headerTest (name, expected) {
  if (expected instanceof ExpectedText) {
    const { index, template } = expected
    return ({ headers }, values) => {
      const value = Object.hasOwn(headers, name) ? headers[name] : undefined
      if (value === undefined) return `no header ${name}`
      return [value].flat().includes(values[index]) ? null : `header ${name}: another value than ${template}`
    }
  }
  const matches = typeof expected === 'boolean'
    ? null
    : expected instanceof RegExp ? matcher(expected) : (/** @type {string} */ value) => value === expected
  return ({ headers }) => {
    const value = Object.hasOwn(headers, name) ? headers[name] : undefined
    if (value === undefined) return expected === false ? null : `no header ${name}`
    if (expected === false) return `header ${name}: expected none`
    if (matches === null || (Array.isArray(value) ? value.some(matches) : matches(value))) return null
    return isSecretName(name)
      ? `header ${name}: another value than expected`
      : `header ${name}: ${describe([value].flat().join(', '))}, expected ${describe(expected)}`
  }
}

/** @type {(expected: NonNullable<Expectation['body']>, texts: ExpectedTexts) => Test} */
function bodyTest (expected, texts) {
  if ('exact' in expected) {
    const text = texts.read(expected.exact, true)
    if (text instanceof ExpectedText) {
      return (response, values) =>
        Buffer.from(values[text.index]).equals(response.bytes) ||
          Response.textOfOtherCharset(response) === values[text.index]
          ? null
          : 'another body'
    }
    const exact = Buffer.from(/** @type {string} */ (text))
    return response => exact.equals(response.bytes) ||
      (typeof text === 'string' && Response.textOfOtherCharset(response) === text)
      ? null
      : 'another body'
  }
  if ('pattern' in expected) {
    const matches = matcher(expected.pattern)
    return ({ body }) => matches(body) ? null : `the body does not match ${expected.pattern}`
  }
  const parts = expected.includes.map(given => {
    const text = texts.read(given)
    return { text, bytes: Buffer.from(given), reason: `the body does not include ${show(given)}` }
  })
  return (response, values) => {
    for (const { text, bytes, reason } of parts) {
      const isKnown = typeof text === 'string'
      if (response.bytes.includes(isKnown ? bytes : values[text.index])) continue
      if (Response.textOfOtherCharset(response)?.includes(isKnown ? text : values[text.index]) !== true) return reason
    }
    return null
  }
}

/** @type {JsonTest} */
function jsonTest (expected, texts) {
  if (typeof expected === 'function') return response => callCheck(expected, response.json(), 'json')
  const places = expected.map(([path, expected]) =>
    ({
      path, steps: parseJsonPath(path), expected: texts.read(expected),
      matches: expected instanceof RegExp ? matcher(expected) : null, isLarge: hasBigInt(expected)
    }))
  return (response, values) => {
    const json = response.json()
    for (const { path, steps, expected, matches, isLarge } of places) {
      const value = valueAt(isLarge ? Response.jsonWithBigInts(response) : json, steps)
      if (expected instanceof ExpectedText) {
        if (!isText(value, values[expected.index], steps, response)) {
          return `json ${path}: ${value === undefined ? 'missing' : 'another value'}, expected ${expected.template}`
        }
      } else if (typeof expected === 'function') {
        const reason = callCheck(/** @type {(value: unknown) => unknown} */ (expected), value, `json ${path}`)
        if (reason !== null) return reason
      } else if (matches === null
        ? !isDeepStrictEqual(value, expected)
        : typeof value !== 'string' || !matches(value)) {
        return isSecretName(path) && value !== undefined
          ? `json ${path}: another value than expected`
          : `json ${path}: ${value === undefined ? 'missing' : describe(value)}, expected ` +
            `${expected === undefined ? 'none' : describe(expected)}`
      }
    }
    return null
  }
}

/**
 * Template values are texts, but the response may have another type: '42' equals 42.
 * @param {unknown} value in the response
 * @param {string} text the expected text
 * @param {import('../requests/json-path').Step[]} steps that lead to the value
 * @param {Response} response
 */
function isText (value, text, steps, response) {
  if (typeof value !== 'number' && typeof value !== 'object') return value !== undefined && String(value) === text
  const json = Response.jsonWithTexts(response)
  if (typeof value === 'object') return stringify(valueAt(json, steps)) === text
  return isSameNumber(text, value, numberTextAt(json, steps, value))
}

/** Returns whether it contains a BigInt. @type {(expected: unknown) => boolean} */
function hasBigInt (expected) {
  return typeof expected === 'bigint' ||
    (typeof expected === 'object' && expected !== null && Object.values(expected).some(hasBigInt))
}

/** @type {(isFine: (value: unknown) => unknown, value: unknown, what: string) => string | null} */
function callCheck (isFine, value, what) {
  const response = isFine(value)
  // A promise is truthy: a check that returns one would always pass.
  if (isPromise(response)) {
    follow(response, () => {})
    return `${what}: the function returned a promise, expected true or false`
  }
  return response
    ? null
    : `${what}: ${value === undefined ? 'missing' : isSecretName(what) ? 'a value' : describe(value)}, which the ` +
      'function refused'
}

/** @type {(pattern: RegExp) => (text: string) => boolean} */
function matcher (pattern) {
  const linear = linearWherePossible(pattern)
  return text => linear.test(text)
}

/** Returns a text of the value without secrets. @type {(value: unknown) => string} */
function describe (value) {
  if (typeof value === 'string') return show(redactedText(value))
  if (typeof value !== 'object') return show(value)
  const text = value === null || value instanceof RegExp ? String(value) : redactedText(stringify(value) ?? '')
  return printable(cut(text, 60))
}

module.exports = { compile }
