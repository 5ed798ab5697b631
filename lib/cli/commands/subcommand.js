'use strict'

// Shared by `compare`, `merge` and `versus`: inputs, outputs, and parsing of their few flags.

const { OptionsError } = require('../../core/errors')
const { show } = require('../../core/foreign-text')
const { VERSUS } = require('../../experiments/versus/flags')
const { TABLE } = require('../../options/table')
const { grammarOf, readArguments } = require('../args')

/**
 * @typedef {object} Context
 * @property {NodeJS.WriteStream} stdout determines colors and width of the text; main.js writes it
 * @property {NodeJS.WriteStream} stderr
 * @property {NodeJS.ProcessEnv} env
 * @property {import('../process/interrupt').Interrupt} interrupt
 * @property {(error: Error) => void} onUnwritten
 *
 * @typedef {object} Outcome
 * @property {string} text for stdout
 * @property {number} code the exit code
 * @property {string} [summary] for the summary of a CI step
 * @property {string | null} [complaint] for the log, beside JSON
 * @property {string} [hint] what to do next, for stderr
 * @property {string} [last] the last line, with the verdict, for stdout
 * @property {Array<{ file: string, text: string }>} [files] to write
 * @property {import('../../core/errors').AutocannonError} [failure] why the command ended early; main.js throws it
 *   after writing `text`
 */

/**
 * @param {string[]} argv
 * @param {string[]} names of the options that the command has
 * @returns {{ values: Record<string, any>, files: string[], problems: string[] }} values: as typed
 */
function readCommand (argv, names) {
  const rows = [...TABLE, ...VERSUS].filter(({ name }) => names.includes(name))
  const { raw, command, reader: { words, problems } } = readArguments(argv, grammarOf(rows, 'files'))
  return { values: raw, files: [...words, ...command], problems }
}

/**
 * @template T
 * @param {string} what is read, for the message
 * @param {string[]} problems receives the problems
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
 * @param {string[]} problems receives the problems
 * @param {string[]} [choices]
 * @returns {import('../../judge/inconclusive').Inconclusive}
 */
function readInconclusive ({ inconclusive }, hasGate, gate, problems, choices = ['pass', 'fail']) {
  if (inconclusive === undefined) return undefined
  if (!choices.includes(inconclusive)) {
    problems.push(`--inconclusive: expected ${choices.join(' or ')}, got ${show(inconclusive)}`)
  } else if (!hasGate) {
    problems.push(`--inconclusive: expected a gate as well, which is ${gate}, got none: nothing is judged`)
  } else return inconclusive
}

/** @param {string[]} problems */
function throwAll (problems) {
  if (problems.length > 0) throw new OptionsError(problems)
}

module.exports = { readCommand, collect, readInconclusive, throwAll }
