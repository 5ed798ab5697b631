'use strict'

// Converts the values of a config to options: paths start at its folder, texts may be regular expressions, and an
// unknown key is reported with its place. Each option's parser interprets the value.

const { resolve } = require('node:path')
const { isRecord } = require('../core/foreign-text')
const { isStandardInput } = require('../requests/file')
const { patternOf } = require('../requests/pattern')
const { placeOf, within } = require('../requests/place')

/** No system has longer ones; of a longer text, which aliases may repeat, no copies are made. */
const LONGEST_PATH = 32_767

/**
 * @typedef {import('./config-schema').Schema} Schema
 * @typedef {{ place: string, key: string, known: string[] }} Strange an unknown key, and the known ones
 *
 * @param {unknown} value
 * @param {Schema} schema
 * @param {{ folder: string, hasPatterns: boolean }} from where relative paths start, and whether it is a file that has
 *   no regular expressions but texts
 * @returns {{ value: any, strange: Strange[] }} a copy
 * @throws {import('../requests/place').PlacedError} for an invalid regular expression
 */
function configValues (value, schema, { folder, hasPatterns }) {
  /** @type {Strange[]} */
  const strange = []
  /** @type {(value: unknown, schema: Schema | undefined, place: string) => unknown} */
  const walk = (value, schema, place) => {
    const { items, properties = {}, additionalProperties, isPath, isPattern } = fitting(schema, value) ?? {}
    if (typeof value === 'string') {
      if (hasPatterns && isPattern) return within(place, () => patternOf(value)) ?? value
      return value !== '' && value.length <= LONGEST_PATH && !isStandardInput(value) &&
        (isPath === true || isPath?.(value))
        ? resolve(folder, value)
        : value
    }
    if (Array.isArray(value)) {
      return items === undefined ? value : value.map((one, i) => walk(one, items, place + placeOf(i)))
    }
    if (!isRecord(value) || additionalProperties === undefined) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => {
      if (additionalProperties === false && !Object.hasOwn(properties, key)) {
        strange.push({ place, key, known: Object.keys(properties) })
      }
      return [key, walk(
        one,
        Object.hasOwn(properties, key) ? properties[key] : additionalProperties || undefined,
        place + placeOf(key)
      )]
    }))
  }
  return { value: walk(value, schema, ''), strange }
}

/**
 * Returns the one of the forms that it describes which the value has; undefined when it has none.
 * @type {(schema: Schema | undefined, value: unknown) => Schema | undefined}
 */
function fitting (schema, value) {
  if (schema === undefined) return undefined
  const forms = formsOf(schema).filter(({ type }) =>
    [type].flat().includes(typeof value === 'string' ? 'string' : Array.isArray(value) ? 'array' : 'object'))
  return forms.find(({ isPath, isPattern, isFor }) => isPath ?? isPattern ?? isFor?.(value)) ??
    forms.find(({ isFor }) => isFor === undefined)
}

/** @type {(schema: Schema) => Schema[]} */
function formsOf (schema) {
  const { anyOf, allOf } = schema
  return (anyOf ?? allOf)?.flatMap(formsOf) ?? [schema]
}

module.exports = { configValues }
