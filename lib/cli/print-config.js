'use strict'

// Owns --print-config: the options of a run as JSON that a config may be made of, without its secrets.

const { harmlessJson } = require('../foreign-text')
const { visible } = require('../options/describe')
const { TABLE } = require('../options/table')
const { typeOf } = require('../options/types')
const { stringifyExactly } = require('../scenario/json-numbers')
const { redacted } = require('../secrets')

/**
 * @param {Record<string, any>} values typed
 * @param {Record<string, any>} raw as they were given
 * @param {string[]} [command] that --on-port starts; in a config it is the value of that option
 * @returns {string} JSON, ends with a line break
 */
function printedConfig (values, raw, command = []) {
  /** @type {Record<string, unknown>} */
  const shown = {}
  for (const option of TABLE) {
    const { name, flagOnly } = option
    const typed = values[name]
    const value = name === 'onPort' && typed ? command : visible(option, typed, raw[name])
    // Stages of connections begin at none unless it is said.
    if (value === undefined || flagOnly || (name === 'connections' && value === 0)) continue
    shown[name] = typeOf(option).printed?.(typed, value) ?? redacted(value, name)
  }
  return harmlessJson(stringifyExactly(shown)) + '\n'
}

module.exports = { printedConfig }
