'use strict'

// The list of commands, for dispatch, help and suggestions. A command is loaded when it runs.

const { AGENT } = require('./agent-flags')
const { EXPERIMENTS } = require('../../parts')

/**
 * @typedef {(argv: string[], context: import('./subcommand').Context) =>
 *   import('./subcommand').Outcome | Promise<import('./subcommand').Outcome>} Run
 *
 * @typedef {object} Command
 * @property {string} name
 * @property {string[]} aliases
 * @property {string} summary one line of the help
 * @property {() => Run} load
 * @property {() => ReadonlyArray<Readonly<import('../../options/table').Option>>} [flags] that no other command has
 * @property {string} [page] of the docs about these flags
 */

/** @type {ReadonlyArray<Readonly<Command>>} */
const COMMANDS = Object.freeze([
  {
    name: 'run',
    aliases: [],
    summary: 'run a module of user functions: run FILE.mjs URL',
    load: () => require('./run').runRun
  },
  ...Object.entries(EXPERIMENTS).map(([name, { doc, aliases = [], page, flags, command }]) =>
    ({ name, aliases, summary: doc, page, flags, load: command })),
  {
    name: 'compare',
    aliases: [],
    summary: 'compare results that are in files',
    load: () => require('./compare').runCompare
  },
  {
    name: 'merge',
    aliases: [],
    summary: 'merge raw results (--raw) into one result',
    load: () => require('./merge').runMerge
  },
  {
    name: 'agent', aliases: [], summary: 'send load from this machine for runs with --agents',
    page: 'docs/scale-out.md', flags: () => AGENT, load: () => require('./agent').runAgent
  },
  {
    name: 'help',
    aliases: [],
    summary: 'show a topic, an option or a command',
    load: () => require('../help').runHelp(COMMANDS)
  }
])

const WORDS = Object.freeze(COMMANDS.flatMap(({ name, aliases }) => [name, ...aliases]))

/** @type {(word: string | undefined) => Readonly<Command> | undefined} */
function commandOf (word) {
  return word === undefined ? undefined : COMMANDS.find(({ name, aliases }) => name === word || aliases.includes(word))
}

module.exports = { COMMANDS, WORDS, commandOf }
