'use strict'

// docs/config.schema.json: the schema of lib/options as a JSON schema that editors understand (draft-07).

const { TABLE } = require('../../../lib/options/table')
const { DEFINITIONS, schemaOf } = require('../../../lib/options/config-schema')
const { EXPERIMENTS } = require('../../../lib/parts')

/** The options of a run and of experiments. */
const ROWS = [...TABLE, ...Object.values(EXPERIMENTS).flatMap(({ flags }) => flags())]

/** Marks that only autocannon understands. */
const OURS = new Set(['isFor', 'isPath', 'isPattern'])

/** @type {Map<unknown, string>} */
const names = new Map(Object.entries(DEFINITIONS).map(([name, schema]) => [schema, name]))

/**
 * @param {unknown} schema
 * @returns {unknown} a copy in which what has a name is referred to by it
 */
function written (schema) {
  const name = names.get(schema)
  return name === undefined ? withoutMarks(schema) : { $ref: `#/definitions/${name}` }
}

/** @param {any} schema */
function withoutMarks (schema) {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(written)
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !OURS.has(key)).map(([key, one]) => [key, written(one)]))
}

function configSchema () {
  const { properties, ...rest } = withoutMarks(schemaOf(ROWS))
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A config of autocannon',
    description: 'Options for autocannon --config FILE, in YAML or JSON. Made from the option table.',
    ...rest,
    properties: { $schema: { description: 'Where this schema is, for editors.', type: 'string' }, ...properties },
    definitions: Object.fromEntries(Object.entries(DEFINITIONS).map(([name, schema]) => [name, withoutMarks(schema)]))
  }
}

module.exports = { ROWS, configSchema }
