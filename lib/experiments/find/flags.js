'use strict'

// The options of `autocannon find` and `autocannon.find` that a run does not have.

/** @type {ReadonlyArray<Readonly<import('../../options/table').Option>>} */
const FIND = Object.freeze([
  {
    name: 'from',
    type: 'load',
    arg: 'LOAD',
    help: 'The first load, such as 100/s. Default: 100/s, or 1 connection.'
  },
  {
    name: 'to',
    type: 'load',
    arg: 'LOAD',
    help: 'The highest load. Default: 1000000/s, or 10000 connections.'
  },
  {
    name: 'precision',
    type: 'precision',
    default: '3%',
    arg: 'PERCENT',
    help: 'How close the reported load must be to the limit, from 0.5% to 50%.'
  },
  {
    name: 'step',
    type: 'seconds',
    min: 0.5,
    max: 3600,
    default: 10,
    arg: 'SEC',
    help: 'The length of a step: seconds, or a time such as 1m. Its first fifth is a warm-up. ' +
      'An inconclusive step is extended to up to four times its length.'
  },
  {
    name: 'over',
    type: 'choice',
    choices: ['rate', 'connections'],
    default: 'rate',
    arg: 'rate|connections',
    help: 'The load that the search varies: requests per second (open model) or connections, ' +
      'each of which sends the next request after the response (closed model).'
  },
  {
    name: 'failBelow',
    aliases: ['fail-below'],
    type: 'load',
    arg: 'LOAD',
    help: 'Exit with code 3 when less than this holds, such as 4000/s, and with 4 when that is inconclusive.'
  }
])

module.exports = { FIND }
