'use strict'

/** @type {import('../table').Topic} */
module.exports = {
  topic: 'load',
  title: 'Load and length of the run',
  page: 'docs/load.md',
  options: [
    {
      name: 'connections', short: 'c', type: 'integer', min: 1, max: 100_000, default: 10, arg: 'NUM',
      inResult: true, implied: ({ connections }) => connections === 0,
      help: 'Number of connections. A connection is a virtual user: it sends its next request when the response has ' +
        'arrived (closed model), unless a rate is given. With a rate of iterations the default is one connection per ' +
        'iteration/s: 30 for 30 iterations/s, at least 10, at most 1,000.',
      example: '-c 100 http://localhost:3000'
    },
    {
      name: 'pipelining', short: 'p', type: 'integer', min: 1, max: 10_000, default: 1, arg: 'NUM',
      inResult: true,
      help: 'Requests in flight per connection: HTTP/1.1 pipelining, streams over HTTP/2, or messages of a ' +
        'WebSocket. Over HTTP/2 virtual users and WebSockets share a connection, each with one in flight.',
      example: '-p 10 http://localhost:3000'
    },
    {
      name: 'duration', short: 'd', type: 'seconds', above: 0, max: 2_000_000, default: 10, arg: 'SEC',
      inResult: true, implied: ({ amount }) => amount !== undefined,
      help: 'Length of the run: seconds, or a time such as 1m30s. With --until, the shortest length.',
      example: '-d 1m30s http://localhost:3000'
    },
    {
      name: 'amount', short: 'a', type: 'amount', min: 1, max: 1e12, arg: 'NUM',
      implied: ({ pick }) => pick === 'once',
      help: 'Send this number of requests, or start this number of iterations of virtual users ("1000 iterations"), ' +
        'and end when they are completed. The duration is ignored.',
      example: '-a \'1000 iterations\' http://localhost:3000'
    },
    {
      name: 'until', type: 'until', arg: 'EXPR',
      help: 'End the run as soon as a figure is precise enough, such as "p99 ±2%" (or +-2%), at 95 % confidence, or ' +
        'as soon as all thresholds are decided ("decided"). The run lasts between 1 and 10 times the duration. If ' +
        'that is not reached, the exit code is 4.',
      example: '--until "p99 ±2%" http://localhost:3000'
    },
    {
      name: 'wait', type: 'seconds', min: 0, max: 86_400, arg: 'SEC',
      help: 'Wait up to this time for a server that is still starting, before the run, such as 60s. Without it, the ' +
        'command ends after 3 s without any connection; 0 continues the run.',
      example: '--wait 60s http://localhost:3000'
    },
    {
      name: 'skipFirst', aliases: ['skip-first'], type: 'seconds', above: 0, max: 2_000_000, arg: 'SEC',
      help: 'Exclude the start of the run from all results, such as 2s. The load is the same during that time.',
      example: '--skip-first 5s -d 60 http://localhost:3000'
    },
    {
      name: 'warmup', short: 'W', type: 'warmup', arg: '[ … ]',
      help:
        'Run a warm-up first, with its own result: --warmup [ -c 1 -d 3 ], or an object with connections and duration.',
      example: '--warmup [ -c 1 -d 3 ] http://localhost:3000'
    },
    {
      name: 'workers', short: 'w', type: 'integer', min: 1, max: 1024, arg: 'NUM',
      help: 'Spread the load over this number of worker threads. Connections and amount are divided among them; ' +
        'other options apply to each. Functions must be given as module paths.',
      example: '-w 4 -c 100 http://localhost:3000'
    },
    {
      name: 'timeout', short: 't', type: 'seconds', above: 0, max: 2_000_000, default: 10, arg: 'SEC',
      inResult: true,
      help: 'Time limit of a request, and of an attempt to connect. On timeout, the connection is closed; over ' +
        'HTTP/2, only the stream is reset.',
      example: '-t 2 http://localhost:3000'
    },
    {
      name: 'bailout', short: 'B', type: 'integer', min: 1, max: 1e12, arg: 'NUM',
      help: 'End the run after this number of errors, mismatches and failed checks. The report shows the results ' +
        'until then.',
      example: '-B 100 http://localhost:3000'
    },
    {
      name: 'forever', short: 'f', type: 'flag', default: false,
      help: 'Repeat the run until it is interrupted or stopped. Each run has its own result.',
      example: '-f -d 10 http://localhost:3000'
    },
    {
      name: 'maxConnectionRequests', short: 'M', type: 'integer', min: 1, max: 1e12, arg: 'NUM',
      help: 'Send at most this many requests on each connection. The amount takes precedence.',
      example: '-M 1000 http://localhost:3000'
    },
    {
      name: 'maxOverallRequests', short: 'O', type: 'integer', min: 1, max: 1e12, arg: 'NUM',
      help: 'Send at most this number of requests in total, but at least one per connection. With workers the limit ' +
        'holds for each worker, with agents for all agents together. maxConnectionRequests takes precedence.',
      example: '-O 10000 http://localhost:3000'
    }
  ]
}
