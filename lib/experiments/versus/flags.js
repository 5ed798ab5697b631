'use strict'

// The options of `autocannon versus` and `autocannon.versus` that a run does not have.

/** @type {ReadonlyArray<Readonly<import('../../options/table').Option>>} */
const VERSUS = Object.freeze([
  {
    name: 'runs',
    aliases: ['rounds'],
    type: 'integer',
    min: 3,
    max: 1000,
    default: 5,
    arg: 'NUM',
    help: 'The maximum number of runs of each server. Base and new alternate. ' +
      'With --fail-if they end early, after 3 runs of each at the earliest, ' +
      'if at 99.7 % confidence one limit has failed or all have passed.'
  },
  {
    name: 'saveBase',
    aliases: ['save-base'],
    type: 'text',
    where: 'cli',
    default: 'versus-base.json',
    arg: 'FILE',
    help: 'Write the runs of base to this file, a line of JSON each. It is replaced.'
  },
  {
    name: 'saveNew',
    aliases: ['save-new'],
    type: 'text',
    where: 'cli',
    default: 'versus-new.json',
    arg: 'FILE',
    help: 'Write the runs of new to this file, a line of JSON each. It is replaced.'
  },
  { name: 'save', type: 'flag', where: 'cli', default: true, negated: true, help: 'Write neither of these files.' },
  {
    name: 'markdown',
    type: 'flag',
    where: 'cli',
    default: false,
    help: 'Print the comparison as Markdown, for a pull request.'
  }
])

module.exports = { VERSUS }
