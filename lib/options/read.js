'use strict'

// The only entry for options of a program or of the command line: returns typed values. Later code reads and checks
// nothing again.

const { OptionsError } = require('../core/errors')
const { describeOptions, visible } = require('./describe')
const { strangeMethods } = require('./requests/methods')
const { extentOf } = require('./plan')
const { withSeed } = require('./load/seed')
const { TABLE } = require('./table')
const { longPauses } = require('./users/user-rules')
const { missingOrigins, skippedOrigins } = require('./requests/har-rules')
const { strayPaths, validate } = require('./validate')
const { repeatedIds } = require('./websocket')

/**
 * @typedef {object} Reading
 * @property {import('./normalize').Values} values typed, with the connections and workers that the run really has
 * @property {Record<string, unknown>} opts the options for the user: as given, numbers as numbers, with their defaults
 * @property {Record<string, unknown>} described the options in the result
 * @property {string[]} warnings a sentence for each ignored option
 * @property {string[]} notices a sentence for each ambiguous option
 */

/**
 * @param {Record<string, unknown>} opts of autocannon()
 * @param {Readonly<Record<string, string | undefined>>} [env] variables of the environment, which options may name
 * @returns {Reading}
 * @throws {OptionsError} with every problem at once
 */
function readOptions (opts, env = {}) {
  const { values, warnings } = validate(opts, undefined, undefined, env)
  if (values.dataBody !== undefined) {
    throw new OptionsError([
      "data: expected an object of sources by name, such as { users: 'users.csv' }, got a text: a body is given by body"
    ])
  }
  return readValues(values, opts, warnings)
}

/**
 * @param {import('./normalize').Values} values valid ones; a server that was started meanwhile may have given its
 *   address
 * @param {Record<string, any>} [given] as the user gave them
 * @param {string[]} [warnings]
 * @returns {Reading}
 * @throws {OptionsError}
 */
function readValues (values, given = values, warnings = []) {
  const problems = missingOrigins(values, String)
  if (problems.length > 0) throw new OptionsError(problems.map(({ text }) => text))
  if (values.targets !== undefined) values = require('./listing').withOrigins(values)
  /** @type {import('./normalize').Values} */
  const real = withSeed({ ...values, ...extentOf(values) })
  const rows = TABLE.filter(({ where }) => where !== 'cli')
  return {
    values: real,
    opts: {
      ...Object.fromEntries(rows.map(option => [option.name, visible(option, real[option.name], given[option.name])])),
      url: real.url
    },
    described: describeOptions(given, real),
    warnings: [...warnings, ...skippedOrigins(values), ...strayPaths(values), ...longPauses(values)],
    notices: [...strangeMethods(values), ...repeatedIds(values)]
  }
}

module.exports = { readOptions, readValues }
