'use strict'

// Owns --print-config: the options of a run as JSON that a config may be made of, without its secrets.

const { toJson } = require('../foreign-text')
const { headersObject } = require('../scenario/headers')
const { TABLE } = require('../options/table')
const { redacted, redactedUrl } = require('../secrets')

const NOT_OF_THE_RUN = new Set(['config', 'printConfig', 'help', 'version'])

/**
 * @param {Record<string, any>} values typed
 * @param {Record<string, any>} raw as they were given
 * @param {string[]} [command] that --on-port starts; in a config it is the value of that option
 * @returns {string} JSON, ends with a line break
 */
function printedConfig (values, raw, command = []) {
  /** @type {Record<string, unknown>} */
  const shown = {}
  for (const { name } of TABLE) {
    if (name === 'url') {
      const urls = values.url.map(redactedUrl)
      shown.url = urls.length === 1 ? urls[0] : urls
      continue
    }
    const value = name === 'onPort' && values.onPort ? command : valueOf(name, values[name], raw[name])
    // -u has the password in it.
    if (value !== undefined && !NOT_OF_THE_RUN.has(name)) shown[name] = redacted(value, name === 'user' ? 'password' : name)
  }
  return toJson(shown, 2) + '\n'
}

/**
 * @param {string} name
 * @param {any} typed
 * @param {any} given
 * @returns {unknown} the one that says more
 */
function valueOf (name, typed, given) {
  if (name === 'headers') return typed === undefined ? undefined : headersObject(typed)
  return typeof typed === 'number' || typeof typed === 'boolean' || given === undefined || given === null ? typed : given
}

module.exports = { printedConfig }
