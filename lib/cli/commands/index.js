'use strict'

// The list of commands, for dispatch, help and suggestions. A command is loaded when it runs.

/**
 * @typedef {(argv: string[], surroundings: import('./subcommand').Surroundings) =>
 *   import('./subcommand').Outcome | Promise<import('./subcommand').Outcome>} Run
 *
 * @typedef {object} Command
 * @property {string} name
 * @property {string[]} aliases
 * @property {string} summary one line of the help
 * @property {() => Run} load
 */

/** @type {ReadonlyArray<Readonly<Command>>} */
const COMMANDS = Object.freeze([
  {
    name: 'find', aliases: [], summary: 'find the highest load that the server sustains', load: () =>
      require('./find').runFind
  },
  {
    name: 'versus', aliases: ['vs'], summary: 'measure two servers in alternating runs, compare them', load: () =>
      require('./versus').runVersus
  },
  {
    name: 'compare', aliases: [], summary: 'compare results that are in files', load: () =>
      require('./compare').runCompare
  },
  {
    name: 'merge', aliases: [], summary: 'merge raw results (--raw) into one result', load: () =>
      require('./merge').runMerge
  },
  {
    name: 'agent', aliases: [], summary: 'send load from this machine for runs with --agents', load: () =>
      require('./agent').runAgent
  },
  {
    name: 'help', aliases: [], summary: 'show a topic, an option or a command', load: () =>
      require('../help').runHelp(COMMANDS)
  }
])

/** Every word that runs a command. */
const WORDS = Object.freeze(COMMANDS.flatMap(({ name, aliases }) => [name, ...aliases]))

/** @type {(word: string | undefined) => Readonly<Command> | undefined} */
function commandOf (word) {
  return word === undefined ? undefined : COMMANDS.find(({ name, aliases }) => name === word || aliases.includes(word))
}

module.exports = { COMMANDS, WORDS, commandOf }
