'use strict'

// Owns --print-config: the options of a run as JSON that a config may be made of, without its secrets.

const { harmlessJson } = require('../foreign-text')
const { visible } = require('../options/describe')
const { TABLE } = require('../options/table')
const { headersObject } = require('../scenario/headers')
const { stringifyExactly } = require('../scenario/json-numbers')
const { HIDDEN, redacted, redactedUrl, withoutUserinfo } = require('../secrets')

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
    const typed = name === 'headers' && values.headers !== undefined ? headersObject(values.headers) : values[name]
    const value = name === 'onPort' && values.onPort ? command : visible(name, typed, name === 'headers' ? typed : raw[name])
    // Stages of connections begin at none unless it is said.
    if (name === 'connections' && value === 0) continue
    if ((name === 'proxy' || name === 'redis') && value !== undefined) shown[name] = withoutUserinfo(String(value))
    else if (name === 'cookies' && value !== undefined) shown.cookies = withoutValues(value)
    // -u has the password in it.
    else if (value !== undefined && !NOT_OF_THE_RUN.has(name)) shown[name] = redacted(value, name === 'user' ? 'password' : name)
  }
  return harmlessJson(stringifyExactly(shown)) + '\n'
}

/**
 * @param {any} cookies as given
 * @returns {unknown} the same; what a cookie is worth nobody can see in its name
 */
function withoutValues (cookies) {
  const { start } = cookies
  if (start === undefined || start === null) return cookies
  const hidden = Array.isArray(start) ? start.map(line => line.replace(/=[^;]*/, `=${HIDDEN}`)) : Object.fromEntries(Object.keys(start).map(name => [name, HIDDEN]))
  return { ...cookies, start: hidden }
}

module.exports = { printedConfig }
