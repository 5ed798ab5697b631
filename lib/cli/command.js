'use strict'

// Owns the words behind `--`: which of them are variables of the environment, as a shell reads them, and which the program.

const { redacted } = require('../secrets')

const ASSIGNMENT = /^([A-Za-z_]\w*)=([^]*)$/

/**
 * @param {string[]} command such as PORT=3000 node server.js
 * @returns {{ env: Record<string, string>, words: string[] }} its variables, and the program with its arguments
 */
function readCommand (command) {
  const program = command.findIndex(word => !ASSIGNMENT.test(word))
  const count = program === -1 ? command.length : program
  const env = Object.fromEntries(command.slice(0, count).map(word => /** @type {string[]} */ (ASSIGNMENT.exec(word)).slice(1)))
  return { env, words: command.slice(count) }
}

/**
 * @param {string[]} command
 * @returns {boolean} whether its program is Node.js, also behind `env`
 */
function startsNode (command) {
  const [program = '', ...rest] = readCommand(command).words
  const name = program.replace(/^.*[\\/]/, '')
  return name === 'env' ? startsNode(rest) : /^node(\.exe)?$/.test(name)
}

/**
 * @param {string[]} command
 * @returns {string} as it may be typed, or nearly so: without secrets, as it gets into logs
 */
function formatCommand (command) {
  return /** @type {string[]} */ (redacted(command, 'command')).map(word => /^[\w./:=@%+,\\-]+$/.test(word) ? word : JSON.stringify(word)).join(' ')
}

module.exports = { readCommand, startsNode, formatCommand }
