'use strict'

// --print-config: the options of a run as JSON for a config file, without secrets.

const { harmlessJson } = require('../../core/foreign-text')
const { visible } = require('../../options/describe')
const { TABLE } = require('../../options/table')
const { typeOf } = require('../../options/types')
const { stringifyExactly } = require('../../requests/json-numbers')
const { isReference, redacted } = require('../../core/secrets')
const { SHOWN } = require('./config')

/**
 * @param {Record<string, any>} values typed
 * @param {Record<string, any>} raw as they were given
 * @param {string[]} [command] that --on-port starts; in a config it is the value of onPort
 * @returns {string} JSON, ends with a line break
 */
function printedConfig (values, raw, command = []) {
  /** @type {Record<string, unknown>} */
  const shown = {}
  for (const option of TABLE) {
    const { name, flagOnly, implied } = option
    const typed = values[name]
    // In these texts references to variables already replace secrets.
    const isShown = typeof typed === 'string' && typeOf(option).shown !== undefined
    const value = name === 'onPort' && typed
      ? command
      : visible(option, isShown ? escaped(typed, name) : typed, raw[name])
    // The default start of connection stages is 0.
    if (value === undefined || flagOnly || (name === 'connections' && value === 0)) continue
    // An overridden default, such as the duration beside an amount, would look like a value of the user.
    if ((raw[name] ?? null) === null && implied?.(values)) continue
    // Before secrets are hidden: a secret from the environment is printed as a reference to its variable.
    const text = isShown ? value : escaped(value, name)
    shown[name] = typeOf(option).printed?.(escaped(typed, name), text) ?? redacted(text, name)
  }
  return harmlessJson(stringifyExactly(shown)) + '\n'
}

/**
 * Escapes ${NAME}, which a config would replace. Names of keys are not changed.
 * @param {any} value of an option
 * @param {string} name of the option, or a key in its value
 * @returns {any} a copy that a config reads as that value
 */
function escaped (value, name) {
  const keeps = name === 'name' || SHOWN.includes(name)
  if (typeof value === 'string') {
    return value.replace(/\$\{\w*\}?/g, found => keeps && isReference(found) ? found : '$' + found)
  }
  if (value instanceof RegExp || value instanceof URL) return escaped(String(value), name)
  if (Array.isArray(value)) return value.map(one => escaped(one, name))
  return isPlain(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, escaped(one, key)]))
    : value
}

/** @param {any} value */
function isPlain (value) {
  return typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value))
}

module.exports = { printedConfig }
