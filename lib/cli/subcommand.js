'use strict'

// Owns what `compare`, `merge` and `versus` have in common: what they are given and give back, and how few flags are read.

const { parseArgs } = require('node:util')
const { OptionsError } = require('../errors')
const { show } = require('../foreign-text')
const { suggest } = require('../options/validate')

/**
 * @typedef {object} Surroundings
 * @property {NodeJS.WriteStream} stdout decides how the text looks; main.js writes it
 * @property {NodeJS.WriteStream} stderr
 * @property {NodeJS.ProcessEnv} env
 * @property {import('./interrupt').Interrupt} interrupt
 * @property {(error: Error) => void} onUnwritten
 *
 * @typedef {object} Outcome
 * @property {string} text what goes to stdout
 * @property {number} code the exit code
 * @property {string} [summary] what goes to the summary of the step
 * @property {string | null} [complaint] what the log has to say beside JSON
 * @property {string} [hint] what leads on from here, for stderr
 * @property {{ file: string, text: string }} [junit] a file that is still to be written
 */

/**
 * @param {string[]} argv
 * @param {Record<string, { type: 'boolean' | 'string', multiple?: boolean, short?: string }>} options
 * @returns {{ values: Record<string, any>, files: string[], problems: string[] }}
 */
function readCommand (argv, options) {
  const { values, positionals, tokens } = parseArgs({ args: argv, options, strict: false, allowPositionals: true, tokens: true })
  const problems = tokens.flatMap(token => {
    if (token.kind !== 'option') return []
    const option = options[token.name]
    if (option === undefined) return [`unknown flag ${token.rawName}${suggest(token.name, Object.keys(options)).replace(/'(.+)'/, '--$1')}`]
    if (option.type === 'string' && token.value === undefined) return [`${token.rawName} needs a value`]
    return option.type === 'boolean' && token.value !== undefined ? [`${token.rawName} takes no value, got ${token.value}`] : []
  })
  return { values, files: positionals, problems }
}

/**
 * @template T
 * @param {string} what is read, for the message
 * @param {string[]} problems gets what is wrong
 * @param {() => T} read
 * @returns {T | undefined}
 */
function collect (what, problems, read) {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    problems.push(what === '' ? error.message : `${what}: ${error.message}`)
    return undefined
  }
}

/**
 * @param {Record<string, any>} values of flags
 * @param {boolean} hasGate
 * @param {string} gate the flag that gives one
 * @param {string[]} problems gets what is wrong
 * @returns {import('../verdict/inconclusive').Inconclusive}
 */
function readInconclusive ({ inconclusive }, hasGate, gate, problems) {
  // A flag without its value has been told of.
  if (typeof inconclusive !== 'string') return undefined
  if (inconclusive !== 'pass' && inconclusive !== 'fail') problems.push(`--inconclusive: expected pass or fail, got ${show(inconclusive)}`)
  else if (!hasGate) problems.push(`--inconclusive: expected a gate as well, which is ${gate}, got none: nothing is judged`)
  else return inconclusive
}

/** @param {string[]} problems */
function throwAll (problems) {
  if (problems.length > 0) throw new OptionsError(problems)
}

module.exports = { readCommand, collect, readInconclusive, throwAll }
