'use strict'

// The keys of an object inside an option. A key is declared once, as an option is: with its type, its help and its
// default. The object is read by that, the config schema is made of it, and index.d.ts is checked against it.

const { refuseUnknownKeys } = require('../core/suggest')
const { together, within } = require('./place')

/**
 * @typedef {object} Field
 * @property {string | ((field: any) => string)} [ts] its type in index.d.ts
 * @property {(schemas: import('../options/type').Schemas, field: any) => import('../options/type').Schema} schema of a
 *   value in a config
 * @property {(given: any, field: any, object: any) => unknown} [parse] a raw value → a typed one; by default it is
 *   kept
 * @property {string} [help] one or two sentences
 * @property {true | ((object: Record<string, any>) => boolean)} [required] a function where that depends on other keys
 * @property {unknown} [default]
 * @property {number} [min]
 * @property {number} [above] like min, but not the bound itself
 * @property {number} [max]
 * @property {string[]} [choices] of a choice
 *
 * @typedef {Readonly<Record<string, Field>>} Fields by key
 */

/** @param {unknown} given */
const kept = given => given

/**
 * @param {Record<string, any>} object as given
 * @param {Fields} fields
 * @param {any} [context] of the parsers: the object by default
 * @returns {Record<string, any>} the given keys, read
 * @throws {TypeError} with the place and the problem of each
 */
function readFields (object, fields, context = object) {
  const given = Object.entries(fields).filter(([key, { required }]) =>
    (object[key] ?? null) !== null || (typeof required === 'function' ? required(object) : required))
  return Object.assign({}, ...together(given.map(([key, field]) => () =>
    ({ [key]: within(`.${key}`, () => (field.parse ?? kept)(object[key], field, context)) }))))
}

/**
 * @param {Record<string, any>} object as given
 * @param {Fields} fields all of its keys
 * @param {any} [context] as above
 * @returns {Record<string, any>} the given keys, read
 * @throws {TypeError} also for an unknown key
 */
function readObject (object, fields, context) {
  refuseUnknownKeys(object, Object.keys(fields))
  return readFields(object, fields, context)
}

module.exports = { readFields, readObject }
