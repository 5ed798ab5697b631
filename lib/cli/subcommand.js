'use strict'

// Owns what `compare` and `merge` have in common: reading their few flags and their files.

const { parseArgs } = require('node:util')
const { OptionsError } = require('../errors')
const { suggest } = require('../options/validate')

/** @typedef {{ text: string, code: number, summary?: string }} Outcome what goes to stdout, the exit code, and what goes to the summary of the step */

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

/** @param {string[]} problems */
function throwAll (problems) {
  if (problems.length > 0) throw new OptionsError(problems)
}

module.exports = { readCommand, collect, throwAll }
