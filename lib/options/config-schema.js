'use strict'

// The keys of a config and their places: the options of the table, and the keys inside them. It is a JSON schema
// (draft-07), the source of docs/config.schema.json, with two further annotations: texts that are paths, and texts
// that may be regular expressions. Parsers interpret the values.

const { KINDS, SOCKET_KINDS } = require('./requests/block-kinds')
const { FIELDS: REQUEST } = require('./requests/request-fields')
const { isModule } = require('./users/pauses')
const { typeOf } = require('./types')

/**
 * @typedef {{ [keyword: string]: any }} Schema
 * - `isPath`: whether a text is a path, which starts at the folder of the config: true for every one, or a function of
 * the text
 * - `isFor`: returns whether an object has this form, and no other one that it might have
 * - `isPattern`: true where a text `/…/` is a regular expression
 */

/** A value that an environment variable gives is a text. */
const FROM_ENVIRONMENT = '\\$\\{'

/**
 * Each schema is made when it is read: of a config, only the parsers of what it has are loaded.
 * @param {Record<string, () => any>} makers
 * @returns {Record<string, Schema>}
 */
function lazily (makers) {
  /** @type {Record<string, Schema>} */
  const schemas = {}
  for (const [key, make] of Object.entries(makers)) {
    /** @type {Schema} */
    let made
    Object.defineProperty(schemas, key, { enumerable: true, get: () => (made ??= make()) })
  }
  return schemas
}

/** @param {Schema} schema */
const orTexts = schema => ({ anyOf: [schema, { type: 'string', pattern: FROM_ENVIRONMENT }] })

/** @param {Schema} schema */
const orList = schema => ({ anyOf: [schema, { type: 'array', items: schema }] })

/** @param {import('../requests/fields').Fields} fields @returns {Schema} of an object with these keys */
function object (fields) {
  const required = Object.keys(fields).filter(key => fields[key].required === true)
  return {
    type: 'object',
    properties: lazily(Object.fromEntries(Object.entries(fields).map(([key, field]) =>
      [key, () => schemaOfField(field)]))),
    ...required.length > 0 && { required },
    additionalProperties: false
  }
}

/** @param {import('../requests/fields').Field} field @returns {Schema} */
function schemaOfField (field) {
  const { help, default: fallback } = field
  return {
    ...help !== undefined && { description: help },
    ...fallback !== undefined && { default: fallback },
    ...field.schema(SCHEMAS, field)
  }
}

/**
 * Returns the schema of an entry with the key `kind`.
 * @type {(kind: string, fieldsOf: () => import('../requests/fields').Fields) => Schema}
 */
const entryOf = (kind, fieldsOf) => lazily({
  isFor: () => (/** @type {Record<string, unknown> | null} */ entry) => (entry ?? {})[kind] !== undefined,
  type: () => 'object',
  properties: () => object(fieldsOf()).properties,
  required: () => object(fieldsOf()).required,
  additionalProperties: () => false
})

/** @type {Schema} */
const TEXT = { type: 'string' }

/** @type {Schema} */
const FILLED = { type: 'string', minLength: 1 }

/** @type {Schema} */
const PATH = { type: 'string', isPath: true }

/** @type {Schema} a text that is a number, a time or a rate */
const QUANTITY_TEXT = { type: 'string', pattern: `^\\s*[\\d.]|${FROM_ENVIRONMENT}` }

/** @type {Schema} */
const RATE_TEXT = {
  type: 'string',
  pattern: '^\\s*[\\d.][\\d.eE+]*\\s*(([iI]teration|[rR]ound)s?\\s*/\\s*1?s|/1?s|[rR][pP][sS]|[rR]eq/s)?\\s*$' +
    `|${FROM_ENVIRONMENT}`
}

/** @param {Schema} bounds */
const rate = bounds => ({ anyOf: [{ type: 'number', ...bounds }, RATE_TEXT] })

/** @param {{ min?: number, above?: number, max?: number }} option */
const boundsOf = ({ min, above, max }) => ({
  ...min !== undefined && { minimum: min },
  ...above !== undefined && { exclusiveMinimum: above },
  ...max !== undefined && { maximum: max }
})

/** @param {Schema} bounds @param {string} type */
const number = (bounds, type = 'number') => ({ anyOf: [{ type, ...bounds }, QUANTITY_TEXT] })

/** Also as texts. */
const FLAG = { anyOf: [{ type: 'boolean' }, { type: 'string', pattern: `^(true|false)$|${FROM_ENVIRONMENT}` }] }

/** Seconds, or a text such as 500ms. */
const TIME = number({ minimum: 0, maximum: 2_000_000 })

const VALUES = { type: ['string', 'number', 'boolean', 'null'] }

const A_STATUS = '[1-9](\\d\\d|[xX][xX])'

/** @param {string} more alternatives */
const statusOr = more => orList({
  anyOf: [{ type: 'integer', minimum: 100, maximum: 999 }, { type: 'string', pattern: `${more}${FROM_ENVIRONMENT}` }]
})

/** Whether a capture is a module: neither a regular expression nor the place of a value. */
const isCapturing = (/** @type {string} */ text) => isModule(text) &&
  !/^\s*(\/.+\/[a-z]*(\s+(all|pick\s+random))?\s*$|(json|header|cookie|html|event)\s)/s.test(text)

/** Parts of it, by name: `ref` gives them to types. @type {Readonly<Record<string, Schema>>} */
const DEFINITIONS = Object.freeze(lazily({
  request: () => object(REQUEST),
  // Requests, pauses, steps of WebSockets and blocks, which have such a list again.
  requests: () => ({
    type: 'array',
    items: lazily({ anyOf: () => [DEFINITIONS.block, DEFINITIONS.socketStep, DEFINITIONS.request] }),
    minItems: 1
  }),
  block: () => ({ anyOf: KINDS.map(kind => entryOf(kind, () => require('./requests/blocks').FIELDS[kind])) }),
  parallelEntry: () => ({
    anyOf: [
      DEFINITIONS.block,
      DEFINITIONS.socketStep,
      entryOf('requests', () => require('./requests/blocks').BRANCH),
      DEFINITIONS.request
    ]
  }),
  socketStep: () =>
    ({ anyOf: SOCKET_KINDS.map(kind => entryOf(kind, () => require('./requests/socket-steps').FIELDS[kind])) }),
  scenario: () => ({
    ...object(require('./users/scenarios').FIELDS), oneOf: [{ required: ['requests'] }, { required: ['user'] }]
  }),
  expect: () => object(require('../checks/expectation').FIELDS),
  pause: () => ({
    description: "A time such as 1s, or seconds; two of them for any time in between, as ['500ms', '2s'] or " +
      '500ms-2s; the mean of times that are distributed exponentially; or the path of a module that exports a ' +
      'function of the context.',
    anyOf: [
      { type: 'number', minimum: 0, maximum: 2_000_000 },
      { type: 'string', isPath: isModule, pattern: `^\\s*[\\d.]|[/\\\\]|\\.[cm]?[jt]s$|${FROM_ENVIRONMENT}` },
      { type: 'array', items: TIME, minItems: 2, maxItems: 2 },
      object({ exponential: { schema: () => TIME, required: true, help: 'The mean.' } })
    ]
  }),
  retries: () => {
    const { FIELDS } = require('./users/retries')
    return { anyOf: [FIELDS.times.schema(SCHEMAS, FIELDS.times), object(FIELDS)] }
  },
  source: () => ({
    anyOf: [
      { type: 'string', isPath: true, pattern: `\\.(csv|tsv|json|ndjson|jsonl)$|${FROM_ENVIRONMENT}` },
      object(require('./requests/data').FIELDS)
    ]
  }),
  formField: () => object({
    type: { schema: () => ({ enum: ['text', 'file'] }), required: true, help: 'A text, or a file to send.' },
    value: { schema: () => TEXT, help: 'Of a text.' },
    path: { schema: () => PATH, help: 'Of a file.' },
    options: { schema: () => ({ type: 'object' }) }
  }),
  headers: () => ({
    anyOf: [
      { type: 'object', additionalProperties: orList(VALUES) },
      orList({ type: 'string', pattern: `[=:]|${FROM_ENVIRONMENT}` })
    ]
  }),
  time: () => TIME
}))

/** What the schemas of types are made of. */
const SCHEMAS = Object.freeze({
  A_STATUS,
  DEFINITIONS,
  CAPTURE: { type: 'string', isPath: isCapturing, minLength: 1 },
  FILLED,
  FLAG,
  FROM_ENVIRONMENT,
  /** Longer ones are reported as too long. */
  NAME: { type: 'string', minLength: 1, maxLength: 100 },
  HOOK: { type: 'string', isPath: true, minLength: 1 },
  PATH,
  STATUS: statusOr(`^\\s*${A_STATUS}(\\s*,\\s*${A_STATUS})*\\s*$|`),
  TEXT,
  TIME,
  VALUES,
  boundsOf,
  number,
  object,
  orList,
  orTexts,
  rate,
  /** With the help of a field beside it. */
  ref: (/** @type {string} */ name) => ({ allOf: [DEFINITIONS[name]] }),
  statusOr
})

/** @param {ReadonlyArray<Readonly<import('./table').Option>>} rows @returns {Schema} of a config that may have those */
function schemaOf (rows) {
  return object(Object.fromEntries(rows.filter(({ flagOnly }) => !flagOnly).map(option =>
    [option.name, { ...typeOf(option), ...option }])))
}

module.exports = { DEFINITIONS, SCHEMAS, schemaOf }
