'use strict'

// The rule of a request: the name for its statistics, and its expectations.

const { cut, printable, show } = require('../core/foreign-text')
const { within } = require('../requests/place')
const { pathWithoutUserinfo } = require('../core/secrets')

const LONGEST_NAME = 100

/**
 * @typedef {import('./expectation').Expectation} Expectation
 *
 * @typedef {object} Rule for the responses to one request
 * @property {string | null} name the name of its own statistics; null for none
 * @property {string | null} title the default name; null when there is only one request
 * @property {Expectation | null} expect
 * @property {boolean} ownExpect whether the request has its own expectations
 *
 * @typedef {object} RuleBase
 * @property {Expectation | null} expect
 * @property {boolean} byRequest whether requests without a name have statistics by method and path
 * @property {boolean} origins whether there is more than one origin, so that a path is ambiguous
 * @property {boolean} several whether other scenarios have requests, too
 */

/**
 * @param {Record<string, any>} entry with the given `name`, `expect` and `stream`
 * @param {RuleBase} base
 * @param {import('../requests/request').Request} request of the entry
 * @param {import('../requests/target').Target} target
 * @param {boolean} isOnly whether it is the only request, which needs no name
 * @returns {Rule}
 * @throws {TypeError}
 */
function makeRule ({ name, expect, stream }, base, { method, path }, target, isOnly) {
  const origin = base.origins ? new URL(target.url).origin : ''
  const where = pathWithoutUserinfo(path ?? target.path).replace(/[?#].*/s, '')
  const title = cut(printable(`${method} ${origin}${where}`), LONGEST_NAME)
  const own = expect !== undefined && expect !== null
  return Object.freeze({
    name: name === undefined || name === null
      ? (base.byRequest ? title : null)
      : within('.name', () => parseName(name)),
    title: isOnly && !base.several ? null : title,
    expect: own || base.expect !== null
      ? within('.expect', () => expectationOf(baseOf(base, stream), expect))
      : null,
    ownExpect: own
  })
}

/** Removes expectations that do not apply to messages. @type {(base: RuleBase) => RuleBase} */
const ofMessages = base => base.expect === null
  ? base
  : { ...base, expect: { ...base.expect, status: null, headers: null, events: null } }

/**
 * Returns the expectations for all requests, without those for events where a request has no stream.
 * @type {(base: RuleBase, stream: unknown) => Expectation | null}
 */
function baseOf ({ expect }, stream) {
  return stream === false && expect !== null ? { ...expect, events: null } : expect
}

/**
 * @throws {TypeError}
 * @type {(base: Expectation | null, given: unknown) => Expectation | null}
 */
function expectationOf (base, given) {
  // Lazy, for the start-up time.
  const { parseExpectation, mergeExpectations } = require('./expectation')
  return mergeExpectations(base, given === undefined || given === null ? null : parseExpectation(given))
}

/**
 * @throws {TypeError}
 * @type {(given: unknown) => string}
 */
function parseName (given) {
  if (typeof given === 'string' && given.trim() !== '' && given.length <= LONGEST_NAME && printable(given) === given) {
    return given.trim()
  }
  throw new TypeError(`expected a text of up to ${LONGEST_NAME} printable characters, got ${show(given)}`)
}

module.exports = { makeRule, ofMessages, parseName }
