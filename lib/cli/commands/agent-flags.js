'use strict'

// The options of `autocannon agent`.

/** @type {ReadonlyArray<Readonly<import('../../options/table').Option>>} */
const AGENT = Object.freeze([
  {
    name: 'name', type: 'text', where: 'cli', arg: 'NAME',
    help: 'The name of this agent in reports. Default: the name of the machine.'
  },
  {
    name: 'workers', short: 'w', type: 'integer', where: 'cli', min: 1, max: 1024, arg: 'NUM',
    help: 'Threads of this agent, for every run, and so its share of the load. Default: --workers of the run, or a ' +
      'thread per core.'
  },
  {
    name: 'allow',
    type: 'allowed',
    where: 'cli',
    arg: 'HOSTS',
    help: 'Allowed targets of the load, for every run: ' +
      'hosts, *.DOMAIN, addresses and networks such as 10.0.0.0/8, with or without :PORT, private, loopback, all and ' +
      'unix:PATH, separated by commas. Default: private,loopback.'
  },
  {
    name: 'modules',
    type: 'text',
    where: 'cli',
    arg: 'DIR',
    help: 'The folder with the modules of runs, such as ' +
      'hooks: the same files as in the folder of the run. Without it, runs with modules are refused.'
  },
  { name: 'once', type: 'flag', where: 'cli', default: false, help: 'End after one run.' },
  { name: 'help', short: 'h', type: 'flag', where: 'cli', default: false, help: 'Print this help.' }
])

module.exports = { AGENT }
