'use strict'

// Reads scenarios: the iteration of a user, and the number of users. requests.js reads their requests.

const { parseName } = require('../../checks/rule')
const { isRecord, show } = require('../../core/foreign-text')
const { PlacedError, eachWithin, together, within } = require('../../requests/place')
const { REQUEST_KEYS } = require('../../requests/request')
const { parseSeconds, toNumber } = require('../../core/numbers')
const { refuseUnknownKeys } = require('../../core/suggest')
const { formatInteger } = require('../../core/units')
const { SHAPES } = require('../../parts')
const { parseRate } = require('../../shapes/rate')
const { parsePause } = require('./pauses')
const { isBlock, isSocketStep, readRequests } = require('../requests/requests')
const { parseExport, parseFunction } = require('./functions')

/**
 * @typedef {object} GivenScenario as a user gives it, read
 * @property {string} [name] absent values are left out
 * @property {number} weight how many of the iterations are its own, beside those of the others
 * @property {Array<Record<string, any>>} requests see requests.js; none where the user is a function
 * @property {unknown} [user] a function, its module or its export
 * @property {string} [exec] the export of the module that is the function, where it is not the default
 * @property {Array<Record<string, any>>} [setup] requests that are sent once, before the load
 * @property {Array<Record<string, any>>} [teardown] and after it
 * @property {import('./pauses').Pause} [pause] between its iterations
 * @property {number} [every] seconds
 * @property {number} [connections] of its own
 * @property {import('../../shapes/rate').Rate} [rate] of its own
 * @property {import('../../shapes/stages').GivenStage[]} [stages] of its own, over a rate or over connections, which
 *   begin at `connections` or at none
 */

const KEYS = [
  'name', 'weight', 'requests', 'user', 'exec', 'setup', 'teardown', 'pause', 'every', 'connections', 'rate', 'stages'
]

const MAX_SCENARIOS = 1000
const MAX_WEIGHT = 1_000_000
const MAX_CONNECTIONS = 100_000
const MAX_SECONDS = 2_000_000

/**
 * @throws {TypeError} with the place and the problem
 * @type {(given: unknown) => GivenScenario[]}
 */
function parseScenarios (given) {
  if (!Array.isArray(given) || given.length === 0) {
    throw new TypeError('expected an array with at least one scenario, such as { name, requests }, got ' +
      `${Array.isArray(given) ? 'an empty one' : show(given)}`)
  }
  if (given.length > MAX_SCENARIOS) {
    throw new TypeError(
      `expected at most ${formatInteger(MAX_SCENARIOS)} scenarios, got ${formatInteger(given.length)}`
    )
  }
  const isOnly = given.length === 1
  /** @type {Map<string, number>} */
  const names = new Map()
  return eachWithin(given, (entry, i) => {
    const scenario = parseScenario(entry, isOnly)
    const { name } = scenario
    if (name === undefined) return scenario
    if (names.has(name)) {
      throw new TypeError(
        `the name ${show(name)} is that of scenarios[${names.get(name)}], too: expected one of its own`
      )
    }
    names.set(name, i)
    return scenario
  })
}

/**
 * @param {unknown} entry
 * @param {boolean} isOnly whether it is the only one, and needs no name
 * @returns {GivenScenario}
 */
function parseScenario (entry, isOnly) {
  if (!isRecord(entry)) throw new TypeError(`expected an object with ${KEYS.join(', ')}, got ${show(entry)}`)
  refuseUnknownKeys(entry, KEYS)
  if (!isOnly && !isGiven(entry.name)) {
    throw new PlacedError('.name', 'expected a name, as there are several scenarios, got none')
  }
  if (isGiven(entry.user) && isGiven(entry.requests)) {
    throw new TypeError('requests and user each say what a user does: use one of them')
  }
  if (isGiven(entry.exec) && !isGiven(entry.user)) {
    throw new PlacedError('.exec', 'expected user as well, the path of the module that exports it, got none')
  }
  const aside = ['setup', 'teardown'].find(key => isGiven(entry[key]))
  if (isGiven(entry.user) && aside !== undefined) {
    throw new TypeError(`user and ${aside} in one scenario: expected ${aside} as an export of the module of the user`)
  }
  /** @type {Array<() => Record<string, any>>} */
  const parts = Object.keys(READERS).filter(key => isGiven(entry[key])).map(key => () =>
    ({ [key]: within(`.${key}`, () => READERS[key](entry[key], entry)) }))
  const ofRequests = () =>
    ({ requests: isGiven(entry.user) ? [] : within('.requests', () => requestsOf(entry.requests)) })
  return Object.assign({ weight: 1 }, ...together([...parts, ofRequests]))
}

/** @type {Readonly<Record<string, (given: unknown, entry: Record<string, unknown>) => unknown>>} */
const READERS = Object.freeze({
  name: nameOf,
  user: (given, { exec }) => parseFunction(given, exec),
  exec: parseExport,
  setup: asideOf,
  teardown: asideOf,
  weight: given => wholeNumber(given, MAX_WEIGHT),
  pause: parsePause,
  every: secondsOf,
  connections: given => wholeNumber(given, MAX_CONNECTIONS),
  rate: parseRate,
  stages: stagesOf
})

/** @param {unknown} given */
function stagesOf (given) {
  const { option } = SHAPES.staged.load()
  return /** @type {import('../type').Type} */ (option.type).parse(given, option)
}

/** @type {(given: unknown) => Array<Record<string, any>>} */
function requestsOf (given) {
  const requests = readRequests(given)
  for (const [i, entry] of requests.entries()) {
    if (!isBlock(entry) && !isSocketStep(entry)) within(`[${i}]`, () => refuseUnknownKeys(entry, REQUEST_KEYS))
  }
  return requests
}

/** @param {unknown} given requests that are sent once */
function asideOf (given) {
  const requests = requestsOf(given)
  if (!requests.some(({ once }) => once)) return requests
  throw new TypeError('expected requests without once, because each of them is sent once, got one with it')
}

/** @param {unknown} given */
function nameOf (given) {
  const name = parseName(given)
  // A threshold is addressed to it by that: `scenario checkout: p95 < 5s`.
  if (name.includes(':')) throw new TypeError(`expected a name without a colon, got ${show(name)}`)
  return name
}

/** @type {(given: unknown) => number} */
function secondsOf (given) {
  const seconds = parseSeconds(given)
  if (!(seconds > 0 && seconds <= MAX_SECONDS)) {
    throw new TypeError(
      `expected seconds or a time such as 5s, more than 0 and at most ${formatInteger(MAX_SECONDS)}, got ${show(given)}`
    )
  }
  return seconds
}

/** @type {(given: unknown, max: number) => number} */
function wholeNumber (given, max) {
  const number = toNumber(given)
  if (!Number.isInteger(number) || number < 1 || number > max) {
    throw new TypeError(`expected a whole number, at least 1 and at most ${formatInteger(max)}, got ${show(given)}`)
  }
  return number
}

/** @param {unknown} value */
function isGiven (value) {
  return value !== undefined && value !== null
}

module.exports = { KEYS, parseScenarios }
