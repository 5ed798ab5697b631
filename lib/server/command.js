'use strict'

// Splits the words after `--` into environment variables, as a shell reads them, and the program.

const { redacted } = require('../core/secrets')

const ASSIGNMENT = /^([A-Za-z_]\w*)=([^]*)$/

/** The options of `env` (GNU, BSD and macOS) with a value, in the same word or in the next. */
const WITH_VALUE = /^(?:-[a-zA-Z0-9]*?([uCSPa])([^]*)|--(unset|chdir|split-string|argv0)(?:=([^]*))?)$/

/**
 * @param {string[]} command such as PORT=3000 node server.js
 * @returns {{ env: Record<string, string>, words: string[] }} env: the variables; words: the program with its arguments
 */
function readCommand (command) {
  const program = command.findIndex(word => !ASSIGNMENT.test(word))
  const count = program === -1 ? command.length : program
  const env = Object.fromEntries(
    command.slice(0, count).map(word => /** @type {string[]} */ (ASSIGNMENT.exec(word)).slice(1))
  )
  return { env, words: command.slice(count) }
}

/** Returns whether the command runs Node.js, directly or after `env`. @type {(command: string[]) => boolean} */
function startsNode (command) {
  const [program = '', ...rest] = readCommand(command).words
  const name = program.replace(/^.*[\\/]/, '')
  return name === 'env' ? startsNode(behindEnv(rest)) : /^node(\.exe)?$/.test(name)
}

/**
 * @param {string[]} given the words after `env`: options, variables, and a program with its arguments
 * @returns {string[]} the program and its arguments, split by quotes as far as possible
 */
function behindEnv (given) {
  let words = given
  while (words.length > 0 && words[0].startsWith('-')) {
    const [option, ...rest] = words
    words = rest
    if (option === '--') break
    const [, short, shortValue, long, longValue] = WITH_VALUE.exec(option) ?? []
    if (short === undefined && long === undefined) continue
    const attached = short === undefined ? longValue : shortValue || undefined
    const value = attached ?? rest[0] ?? ''
    if (attached === undefined) words = rest.slice(1)
    if (short === 'S' || long === 'split-string') words = [...wordsIn(value), ...words]
  }
  const program = words.findIndex(word => !word.includes('='))
  return program === -1 ? [] : words.slice(program)
}

/** @param {string} text as in a shell */
function wordsIn (text) {
  return (text.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []).map(word => word.replace(/["']/g, ''))
}

/**
 * @param {string[]} command
 * @returns {string} the command for logs: nearly as typed, without secrets
 */
function formatCommand (command) {
  return /** @type {string[]} */ (redacted(command, 'command')).map(word =>
    /^[\w./:=@%+,\\-]+$/.test(word) ? word : JSON.stringify(word))
    .join(' ')
}

module.exports = { readCommand, startsNode, formatCommand }
