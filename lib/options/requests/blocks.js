'use strict'

// Reads blocks in a list of requests: conditions, loops and parallel requests. A block has lists of requests and
// further blocks.

const { checkName } = require('../../checks/capture')
const { isRecord, show } = require('../../core/foreign-text')
const { toNumber } = require('../../core/numbers')
const { refuseUnknownKeys } = require('../../core/suggest')
const { formatInteger } = require('../../core/units')
const { parseFormula } = require('../../flows/formula')
const { eachWithin } = require('../../requests/place')
const { readFields, readObject } = require('../../requests/fields')
const { INTEGER } = require('../type')
const { KINDS, kindOf } = require('./block-kinds')
const { REQUEST_KEYS } = require('./request-fields')

/**
 * @typedef {Record<string, any>} Entry of a list: a request, a pause or a block
 * @typedef {object} Readers of the content of a block
 * @property {(given: unknown, depth: number) => Entry[]} list
 * @property {(given: unknown, depth: number) => Entry} one
 */

const EXAMPLES = Object.freeze(/** @type {Record<string, string>} */ ({
  if: "{ if: 'status == 200', requests: […] }",
  repeat: '{ repeat: 3, requests: […] }',
  while: "{ while: \"state != 'done'\", max: 20, requests: […] }",
  forEach: "{ forEach: 'items as item', requests: […] }",
  parallel: "{ parallel: [{ path: '/cart' }, { path: '/offers' }] }"
}))

/** A plan is copied by recursion, and deeper nesting is not readable. */
const DEEPEST = 8

const MOST_PASSES = 1_000_000

/** @typedef {{ readers: Readers, depth: number }} Content of a block */

/** @type {import('../../requests/fields').Field} */
const FORMULA = { schema: () => ({ type: ['string', 'boolean'], minLength: 1 }), parse: expression, required: true }

/** @type {import('../../requests/fields').Field} */
const LIST = {
  schema: ({ ref }) => ref('requests'), parse: (given, field, { readers, depth }) => readers.list(given, depth)
}

/** @type {import('../../requests/fields').Field} */
const EACH_PASS = { ...LIST, required: true, help: 'Sent in each pass.' }

/** The keys of each block. */
const FIELDS = Object.freeze(/** @type {Record<string, import('../../requests/fields').Fields>} */ ({
  if: {
    if: { ...FORMULA, help: "An expression, such as 'status == 200'." },
    requests: { ...LIST, required: true, help: 'Sent when it is true.' },
    else: { ...LIST, help: 'Sent when it is false.' }
  },
  repeat: {
    repeat: {
      schema: ({ FILLED }) => ({ anyOf: [{ type: 'integer', minimum: 0, maximum: MOST_PASSES }, FILLED] }),
      parse: repeats,
      required: true,
      help: 'How often, a number or an expression.'
    },
    requests: EACH_PASS
  },
  while: {
    while: { ...FORMULA, help: 'An expression that is evaluated before each pass.' },
    max: {
      ...INTEGER, parse: passesOf, min: 1, max: MOST_PASSES, required: true,
      help: 'The maximum number of passes. If the expression is still true then, the iteration is aborted.'
    },
    requests: EACH_PASS
  },
  forEach: {
    forEach: {
      schema: ({ FROM_ENVIRONMENT }) => ({ type: 'string', pattern: `\\sas\\s|${FROM_ENVIRONMENT}` }),
      parse: eachOf,
      required: true,
      help: "A list and the name of its element in templates: 'items as item'."
    },
    requests: EACH_PASS
  },
  parallel: {
    parallel: {
      schema: ({ DEFINITIONS }) => ({ type: 'array', items: DEFINITIONS.parallelEntry, minItems: 1 }),
      parse: readBranches,
      required: true,
      help: 'Requests that are sent at the same time, or lists of them: { requests: […] }.'
    }
  }
}))

/** The keys of a list inside of `parallel`. @type {import('../../requests/fields').Fields} */
const BRANCH = Object.freeze({ requests: { ...LIST, required: true, help: 'Sent one after the other.' } })

/**
 * @param {Entry} entry that is a block
 * @param {Readers} readers
 * @param {number} depth the number of blocks around it
 * @returns {Entry}
 * @throws {TypeError} with the place and the problem
 */
function readBlock (entry, readers, depth) {
  const kind = /** @type {string} */ (kindOf(entry))
  if (depth >= DEEPEST) throw new TypeError(`expected blocks nested up to ${DEEPEST} deep, got more`)
  const other = KINDS.find(one => one !== kind && (entry[one] ?? null) !== null)
  if (other !== undefined) {
    throw new TypeError(`${kind} and ${other} in one entry: expected one of them, with the other in its requests`)
  }
  const ofRequest = Object.keys(entry).find(key => REQUEST_KEYS.includes(key))
  if (ofRequest !== undefined) {
    throw new TypeError(`${show(ofRequest)} beside ${kind}: expected requests with it inside, as in ${EXAMPLES[kind]}`)
  }
  refuseUnknownKeys(entry, Object.keys(FIELDS[kind]))
  if (kind !== 'parallel' && (entry.requests ?? null) === null) {
    throw new TypeError(`expected requests as well, as in ${EXAMPLES[kind]}`)
  }
  return readFields(entry, FIELDS[kind], /** @type {Content} */ ({ readers, depth: depth + 1 }))
}

/** Number words are rejected here, because unknown names are reported only when all else is valid. */
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** @param {unknown} given */
function repeats (given) {
  const passes = toNumber(given)
  if (typeof given === 'number' || !Number.isNaN(passes)) {
    if (Number.isInteger(passes) && passes >= 0 && passes <= MOST_PASSES) return passes
    throw new TypeError(`expected a whole number from 0 to ${formatInteger(MOST_PASSES)}, or an expression of one, ` +
      `got ${show(given)}`)
  }
  const number = NUMBERS.indexOf(/** @type {string} */ (given))
  if (number !== -1) {
    throw new TypeError(`expected a number, or an expression of one, got ${show(given)}: write ${number}`)
  }
  return expression(given)
}

/** @param {unknown} given */
function expression (given) {
  parseFormula(given)
  return given
}

/**
 * @param {unknown} given such as 'items as item'
 * @returns {{ list: import('../../flows/formula').Formula, name: string }}
 * @throws {TypeError}
 */
function partsOfEach (given) {
  const [, list, name] = typeof given === 'string' ? /^(.*\S)\s+as\s+(\S+)\s*$/s.exec(given) ?? [] : []
  if (name === undefined) throw new TypeError(`expected a list and a name, such as 'items as item', got ${show(given)}`)
  checkName(name, true)
  return { list: parseFormula(list), name }
}

/** @param {unknown} given */
function eachOf (given) {
  partsOfEach(given)
  return given
}

/** @param {unknown} given */
function passesOf (given) {
  if ((given ?? null) === null) {
    throw new TypeError(`expected the maximum number of passes, as in ${EXAMPLES.while}, got none`)
  }
  const passes = toNumber(given)
  if (Number.isInteger(passes) && passes >= 1 && passes <= MOST_PASSES) return passes
  throw new TypeError(`expected a whole number from 1 to ${formatInteger(MOST_PASSES)}, got ${show(given)}`)
}

/** @type {(given: unknown, field: unknown, content: Content) => Entry[]} */
function readBranches (given, _, { readers, depth }) {
  if (!Array.isArray(given) || given.length === 0) {
    throw new TypeError(`expected an array of requests, or of { requests: […] }, got ${
      Array.isArray(given) ? 'an empty one' : show(given)}`)
  }
  return eachWithin(given, entry => {
    if (!isRecord(entry) || (entry.requests ?? null) === null || kindOf(entry) !== undefined) {
      return readers.one(entry, depth)
    }
    return readObject(entry, BRANCH, { readers, depth })
  })
}

/** Returns whether it is a list inside of `parallel`. @param {Entry} entry */
function isBranch (entry) {
  return kindOf(entry) === undefined && entry.requests !== undefined
}

/** @typedef {[place: string, entry: Entry]} Placed */

/** @type {(list: ReadonlyArray<Entry>, place: string) => Placed[]} */
function placed (list, place) {
  return list.map((entry, i) => [`${place}[${i}]`, entry])
}

/**
 * @param {Entry} entry that is a block
 * @param {string} place of the entry
 * @returns {Placed[][]} the lists in it: for `parallel` one per branch, also for a single request
 */
function listsIn (entry, place) {
  if (entry.parallel !== undefined) {
    return placed(entry.parallel, `${place}.parallel`).map(([at, one]) =>
      isBranch(one) ? placed(one.requests, `${at}.requests`) : [[at, one]])
  }
  return ['requests', 'else'].filter(key => entry[key] !== undefined).map(key => placed(entry[key], `${place}.${key}`))
}

/**
 * @param {ReadonlyArray<Placed>} list
 * @returns {Placed[]} the requests and pauses in it, and in its blocks, in written order
 */
function leavesIn (list) {
  return list.flatMap(([place, entry]) => kindOf(entry) === undefined
    ? [([place, entry])]
    : listsIn(entry, place).flatMap(leavesIn))
}

/** @type {(list: ReadonlyArray<Entry>) => string[]} */
function namesIn (list) {
  return leavesIn(placed(list, '')).flatMap(([, { capture }]) => Object.keys(capture ?? {}))
}

const LOOPS = ['repeat', 'while', 'forEach']

/**
 * @param {ReadonlyArray<Placed>} list
 * @param {ReadonlySet<string>} context initial names of the context
 * @returns {Generator<import('./templates').Walked>} each entry, and those in blocks
 */
function * walk (list, context) {
  const known = new Set(context)
  for (const [place, entry] of list) {
    const kind = kindOf(entry)
    const names = namesIn([entry])
    if (kind === undefined) yield { place, entry, known: new Set(known) }
    else yield * walkBlock(kind, place, entry, new Set(known), names)
    // Captures are available to later requests.
    for (const name of names) known.add(name)
  }
}

/**
 * @type {(kind: string, place: string, entry: Entry, known: Set<string>, names: string[]) =>
 *   Generator<import('./templates').Walked>}
 */
function * walkBlock (kind, place, entry, known, names) {
  // A pass of a loop has the captures of the previous pass.
  const inner = LOOPS.includes(kind) ? new Set([...known, ...names, 'index']) : known
  yield { place, entry, known: kind === 'while' ? inner : known }
  const body = kind === 'forEach' ? new Set([...inner, partsOfEach(entry.forEach).name]) : inner
  for (const inside of listsIn(entry, place)) yield * walk(inside, body)
}

module.exports = { BRANCH, FIELDS, leavesIn, listsIn, namesIn, partsOfEach, placed, readBlock, walk }
