'use strict'

// Reads a list of requests, in `requests` and in scenarios: requests with their properties, and pauses between them.

const { show } = require('../../core/foreign-text')
const { refuseUnknownKeys } = require('../../core/suggest')
const { hasExpressionWithin } = require('../../requests/expression')
const { toRequest } = require('../../requests/request')
const { readFields } = require('../../requests/fields')
const { PlacedError, eachWithin } = require('../../requests/place')
const { HOOK } = require('../type')
const { kindOf, socketKindOf } = require('./block-kinds')
const { BESIDE, REQUEST_KEYS } = require('./request-fields')

/** Keys of a request that give its path or its body in another form. */
const FORMS = ['url', 'json', 'form', 'multipart']

/** The depth of texts in options: `scenarios[0].requests[0].expect.json`, and two levels for each block around it. */
const DEEPEST = 8 + 2 * 8

/** Keys of a request that make a scenario a flow. A multipart body without templates has already become `body`. */
const FOR_FLOWS = ['url', 'multipart']

const blocks = () => require('./blocks')
const socketSteps = () => require('./socket-steps')

/** Names of the functions that an entry may have. */
const HOOKS = Object.entries(BESIDE).filter(([, { parse }]) => parse === HOOK.parse).map(([name]) => name)

/** @type {import('../../requests/request').Request} */
const NO_REQUEST = { method: 'GET', path: null, headers: [], body: null }

/**
 * @param {unknown} given
 * @returns {Array<Record<string, any>>} copies with parsed values
 * @throws {TypeError} with the place and the problem
 */
function readRequests (given) {
  const entries = readEach(given, entry => isBlock(entry)
    ? blocks().readBlock(entry, NESTED, 0)
    : isSocketStep(entry) ? socketSteps().readSocketStep(entry) : readEntry(entry))
  if (allIn(entries, '').some(([, entry]) => isSocketStep(entry))) socketSteps().settleMessages(entries)
  if (allIn(entries, '').every(([, entry]) => isPause(entry))) {
    throw new TypeError('expected at least one request beside the pauses, got pauses alone')
  }
  const first = entries.findIndex(entry => !isPause(entry) && !entry.once)
  if (first === -1) {
    throw new TypeError('expected at least one request without once, which each iteration sends, got none')
  }
  const late = entries.findIndex((entry, i) => entry.once && i > first)
  if (late !== -1) {
    throw new PlacedError(
      `[${late}].once`,
      `expected requests with once before all others, got one after requests[${first}]`
    )
  }
  return entries
}

/** @type {(given: unknown, read: (entry: any) => Record<string, any>) => Array<Record<string, any>>} */
function readEach (given, read) {
  if (Array.isArray(given) && given.length > 0) return eachWithin(given, read)
  throw new TypeError(
    `expected an array with at least one request, got ${Array.isArray(given) ? 'an empty one' : show(given)}`
  )
}

/** @type {(entry: any, depth: number) => Record<string, any>} */
function readOne (entry, depth) {
  if (isBlock(entry)) return blocks().readBlock(entry, NESTED, depth)
  if (isSocketStep(entry)) return socketSteps().readSocketStep(entry)
  const read = readEntry(entry)
  // Unknown keys are errors here: unlike requests, blocks are newer than autocannon 9, so no existing config has them.
  refuseUnknownKeys(read, REQUEST_KEYS)
  if (!read.once) return read
  throw new PlacedError('.once', 'expected requests with once at the top, before all others, got one in a block')
}

/** Readers for blocks. @type {import('./blocks').Readers} */
const NESTED = { list: (given, depth) => readEach(given, entry => readOne(entry, depth)), one: readOne }

/** Returns whether it is a condition, a loop or parallel requests. @type {(entry: any) => boolean} */
function isBlock (entry) {
  return kindOf(entry) !== undefined
}

/** Returns whether it opens or uses a WebSocket. @type {(entry: any) => boolean} */
function isSocketStep (entry) {
  return socketKindOf(entry) !== undefined
}

/**
 * @param {ReadonlyArray<Record<string, any>>} list
 * @returns {boolean} whether it is more than a fixed sequence, and has to run as a flow
 */
function isFlow (list) {
  return list.some(entry =>
    isBlock(entry) || isSocketStep(entry) || FOR_FLOWS.some(key => (entry[key] ?? null) !== null))
}

/**
 * @param {ReadonlyArray<Record<string, any>>} list
 * @param {string} place
 * @returns {Array<[place: string, entry: Record<string, any>]>} the requests and pauses in it, and in its blocks
 */
function allIn (list, place) {
  const placed = list.map((entry, i) => /** @type {[string, Record<string, any>]} */ ([`${place}[${i}]`, entry]))
  return list.some(isBlock) ? blocks().leavesIn(placed) : placed
}

/** Returns whether it is a pause between requests. @type {(entry: Record<string, any>) => boolean} */
function isPause (entry) {
  return Object.keys(entry).join() === 'pause'
}

/** @param {Record<string, any>} entry as given; it may be anything @returns {Record<string, any>} */
function readEntry (entry) {
  toRequest(entry, NO_REQUEST, 'JSON is json, as in json: { id: 1 }, and fields of a form are form')
  const keys = Object.keys(entry).filter(key => (entry[key] ?? null) !== null)
  if (keys.length === 2 && keys.includes('pause') && keys.includes('name')) {
    throw new TypeError('expected a path as well, got a pause with a name: a pause is { pause } alone, and a request ' +
      'to the URL itself has path: /')
  }
  const copy = FORMS.some(key => (entry[key] ?? null) !== null)
    ? require('./forms').withForms({ ...entry })
    : { ...entry }
  for (const name of HOOKS) if (copy[name] === null) copy[name] = undefined
  return Object.assign(copy, readFields(copy, BESIDE))
}

/**
 * @param {ReadonlyArray<Record<string, any>>} [entries]
 * @returns {Array<Record<string, any>>} requests that a user sends only in its first iteration
 */
function onceIn (entries = []) {
  return entries.filter(({ once }) => once)
}

/**
 * @param {import('../normalize').Values} values
 * @returns {Array<[place: string, entry: Record<string, any>]>} the entries of all lists of requests
 */
function entriesIn ({ requests = [], scenarios = [] }) {
  return [...allIn(requests, 'requests'), ...scenarios.flatMap((
    /** @type {any} */ { setup = [], requests, teardown = [] }, /** @type {number} */ i
  ) => [
    ...allIn(setup, `scenarios[${i}].setup`), ...allIn(requests, `scenarios[${i}].requests`),
    ...allIn(teardown, `scenarios[${i}].teardown`)
  ])]
}

/**
 * @param {import('../normalize').Values} values
 * @returns {boolean} whether a text of a request or expectation may be a template, and the modules for templates are
 *   needed
 */
function hasTemplates ({ data, url, headers, body, input, dataBody, jsonBody, expect, requests, scenarios }) {
  // The outer array adds one level.
  return data !== undefined ||
    hasExpressionWithin([url, headers, body, input, dataBody, jsonBody, expect], DEEPEST) ||
    hasExpressionWithin([requests, scenarios], DEEPEST)
}

module.exports = {
  HOOKS, allIn, entriesIn, hasTemplates, isBlock, isFlow, isPause, isSocketStep, onceIn, readRequests
}
