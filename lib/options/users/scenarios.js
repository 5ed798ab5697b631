'use strict'

// Reads scenarios: the iteration of a user, and the load. requests.js reads their requests.

const { parseName } = require('../../checks/rule')
const { isRecord, show } = require('../../core/foreign-text')
const { PlacedError, eachWithin, within } = require('../../requests/place')
const { refuseUnknownKeys } = require('../../core/suggest')
const { formatInteger } = require('../../core/units')
const { SHAPES } = require('../../parts')
const { isBlock, isSocketStep, readRequests } = require('../requests/requests')
const { ENTRIES, REQUEST_KEYS } = require('../requests/request-fields')
const { readFields } = require('../../requests/fields')
const { INTEGER, NAME, PAUSE, RATE, SECONDS, TEXT } = require('../type')
const { parseExport, parseFunction } = require('./functions')

/**
 * @typedef {object} GivenScenario a parsed scenario
 * @property {string} [name] absent values are left out
 * @property {number} weight its share of iterations, relative to the other weights
 * @property {Array<Record<string, any>>} requests see requests.js; empty with a user function
 * @property {unknown} [user] a function, its module or the path of the module
 * @property {string} [exec] the name of the export with the function; the default export if absent
 * @property {Array<Record<string, any>>} [setup] requests that are sent once, before the load
 * @property {Array<Record<string, any>>} [teardown] and after it
 * @property {import('./pauses').Pause} [pause] between its iterations
 * @property {number} [every] seconds
 * @property {number} [connections] its own connections
 * @property {import('../../shapes/rate').Rate} [rate] its own rate
 * @property {import('../../shapes/stages').GivenStage[]} [stages] its own stages, of a rate or of connections, which
 *   begin at `connections` or 0
 */

const MAX_SCENARIOS = 1000

const STAGES = /** @type {import('../type').Type} */ (SHAPES.staged.load().option.type)

/** @satisfies {import('../../requests/fields').Field} */
const LIST = { ts: ENTRIES, schema: ({ ref }) => ref('requests'), parse: asideOf }

const FIELDS = Object.freeze(/** @satisfies {import('../../requests/fields').Fields} */ ({
  name: { ...NAME, parse: nameOf, help: 'Name in results; required with several scenarios.' },
  weight: {
    ...INTEGER, min: 1, max: 1_000_000, default: 1,
    help: 'How many of the iterations are its own, beside those of the others.'
  },
  requests: {
    ...LIST,
    parse: (given, field, { user }) => isGiven(user) ? [] : requestsOf(given),
    required: ({ user }) => !isGiven(user),
    help: 'The requests of an iteration.'
  },
  user: {
    ts: 'UserFunction | UserModule | string',
    schema: ({ HOOK }) => HOOK,
    parse: (given, field, { exec }) => parseFunction(given, exec),
    help: 'The path of a module that exports one iteration of a user as a function, instead of requests.'
  },
  exec: {
    ...TEXT, parse: parseExport,
    help: 'The function that the module of user exports under this name, instead of its default.'
  },
  setup: {
    ...LIST, help: 'Requests that are sent once, before the load. Their captured values are in each iteration.'
  },
  teardown: { ...LIST, help: 'Requests that are sent once, after the load, also if it was interrupted.' },
  pause: { ...PAUSE, help: 'Between its iterations; overrides pause of the options.' },
  every: {
    ...SECONDS, above: 0, max: 2_000_000,
    help: 'The minimum interval between starts of iterations; overrides every of the options.'
  },
  connections: { ...INTEGER, min: 1, max: 100_000, help: 'Its own load: scenarios run side by side.' },
  rate: { ...RATE, above: 0, max: 1e7, help: "Of its own, such as '50 iterations/s'." },
  stages: {
    ...STAGES,
    help: "Of its own: over a rate, such as '30s:50iterations/s', or over connections, such as '30s:200'."
  }
}))

const KEYS = Object.keys(FIELDS)

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
        `scenarios[${names.get(name)}] has the name ${show(name)} as well: expected different names`
      )
    }
    names.set(name, i)
    return scenario
  })
}

/**
 * @param {unknown} entry
 * @param {boolean} isOnly whether it is the only one, which needs no name
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
  return /** @type {GivenScenario} */ ({ weight: FIELDS.weight.default, requests: [], ...readFields(entry, FIELDS) })
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
  // Thresholds use the name before a colon: `scenario checkout: p95 < 5s`.
  if (name.includes(':')) throw new TypeError(`expected a name without a colon, got ${show(name)}`)
  return name
}

/** @param {unknown} value */
function isGiven (value) {
  return value !== undefined && value !== null
}

module.exports = { FIELDS, parseScenarios }
