'use strict'

// Owns the way from raw options to valid ones, with every problem reported at once: those of single options, unknown
// names, and the rules across options.

const { distance } = require('fastest-levenshtein')
const { OptionsError } = require('../errors')
const { normalize } = require('./normalize')
const { TABLE, byName } = require('./table')

/**
 * @param {Record<string, unknown>} raw
 * @param {(option: import('./table').Option) => string} [label] how the user calls an option
 * @param {string[]} [found] problems that are known already
 * @returns {{ values: import('./normalize').Values, unknown: string[] }} `unknown` has one sentence for each name that
 *   no option has
 * @throws {OptionsError}
 */
function validate (raw, label = option => option.name, found = []) {
  if (typeof raw !== 'object' || raw === null) throw new OptionsError([`expected an object of options, got ${raw}`])
  const { values, problems } = normalize(raw, label)
  problems.unshift(...found)
  if (raw.url === undefined || raw.url === null) problems.push('a URL is required: give the address of the server, such as http://localhost:3000')
  if (raw.body !== undefined && raw.input !== undefined) problems.push(`${label(option('body'))} and ${label(option('input'))} both give a body: use one of them`)
  if (problems.length > 0) throw new OptionsError(problems)
  const known = TABLE.map(({ name }) => name)
  const unknown = Object.keys(raw)
    .filter(name => !byName.has(name))
    .map(name => `unknown option '${name}'${suggest(name, known)}`)
  return { values, unknown }
}

/** @param {string} name */
const option = name => /** @type {import('./table').Option} */ (byName.get(name))

/**
 * @param {string} name
 * @param {string[]} known
 * @returns {string} `, did you mean 'duration'?`, or nothing when no name is near
 */
function suggest (name, known) {
  const ranked = known
    .map(candidate => ({ candidate, far: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.far - b.far)
  const nearest = ranked[0]
  return nearest !== undefined && nearest.far <= Math.max(2, name.length / 3) ? `, did you mean '${nearest.candidate}'?` : ''
}

module.exports = { validate, suggest }
