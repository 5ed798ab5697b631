'use strict'

const { ARRIVALS } = require('../../parts')
const { ALL } = require('../../shapes/shape')

const ARRIVING = ['even', ...Object.keys(ARRIVALS)]

/** @type {import('../table').Topic} */
module.exports = {
  topic: 'rates',
  title: 'Request rates (open model)',
  page: 'docs/load.md',
  options: [
    ...ALL.map(({ option }) => option),
    {
      name: 'arrivals', type: 'choice', choices: ARRIVING, arg: ARRIVING.join('|'),
      help: 'With a rate: requests are evenly spaced, or random as from independent users (a Poisson process). ' +
        'Default: even.',
      example: '--arrivals poisson --rate 500 http://localhost:3000'
    },
    {
      name: 'seed', type: 'integer', min: 1, max: 4_294_967_295, arg: 'NUM',
      help: 'Seed of all random choices: the same seed gives the same choices, with any number of workers. Default: ' +
        '1; with --arrivals poisson, each run prints a random one.',
      example: '--seed 7 --arrivals poisson --rate 500 http://localhost:3000'
    },
    {
      name: 'sockets', type: 'choice', choices: ['native', 'node'], arg: 'native|node',
      help: 'Sockets: native ones serve many connections per call and time responses by their arrival in the kernel ' +
        '(Linux, without TLS); node uses those of Node.js. Default: native if available.',
      example: '--sockets native -c 100 http://localhost:3000'
    },
    {
      name: 'clock', type: 'choice', choices: ['arrival', 'read'], arg: 'arrival|read',
      help: 'End of a response: arrival, when the kernel received its last bytes (native sockets); read, when it was ' +
        'read. Default: arrival.',
      example: '--sockets native --clock read -c 100 http://localhost:3000'
    },
    {
      name: 'pace', type: 'choice', choices: ['even', 'batched'], arg: 'even|batched',
      help: 'With a rate: even sends each request within microseconds of its time and uses up to one core; batched ' +
        'sends once per millisecond and uses little CPU time. Default: even if a core is free.',
      example: '--pace batched --rate 500 http://localhost:3000'
    },
    {
      name: 'connectionRate', short: 'r', type: 'number', perSecond: true, above: 0, max: 1e6,
      arg: 'NUM', help: 'Send this number of requests per second on each connection, evenly spaced.',
      example: '-r 10 -c 50 http://localhost:3000'
    },
    {
      name: 'overallRate', short: 'R', type: 'number', perSecond: true, above: 0, max: 1e7, arg: 'NUM',
      help: 'Send this number of requests per second over all connections, evenly spaced. With workers the rate ' +
        'holds for each worker, with agents for all agents together. connectionRate takes precedence. Latency counts ' +
        'from the time at which a request was due.',
      example: '-R 500 -c 50 http://localhost:3000'
    },
    {
      name: 'ignoreCoordinatedOmission', short: 'C', type: 'flag', default: false,
      help: 'With a rate: count latency from the time of sending, not from the time at which a request was due. This ' +
        'hides the waiting that a slow server causes.',
      example: '-C --rate 500 http://localhost:3000'
    }
  ]
}
