'use strict'

// What --trace costs: CPU time of the client for each request, with and without, in alternating runs; the lowest of several rounds counts. Exits with 1
// if a request without pipelining costs more than 1.1 times as much.
//
//   node bench/trace.js [--seconds 0.5] [--rounds 15]

const autocannon = require('..')
const { onServerCore } = require('./peers/cores')
const { startOwn } = require('./peers/server')
const { start, readFlags } = require('./program')
const { Bounds } = require('./run')

const CASES = {
  'pipelining 1': { connections: 100 },
  'pipelining 10': { connections: 100, pipelining: 10 },
  'HTTP/2, 10 streams': { connections: 10, pipelining: 10, http: '2' },
  undici: { connections: 10, client: 'undici' }
}
const MOST = { 'pipelining 1': 1.1 }

async function main () {
  const { seconds = 0.5, rounds = 15 } = readFlags({ seconds: 'positive', rounds: 'count' })
  const server = await startOwn(onServerCore())
  const bounds = new Bounds()
  console.log('| case | with --trace beside without | bound | µs of CPU time per request, without and with |\n|---|---|---|---|')
  try {
    for (const [name, options] of Object.entries(CASES)) {
      const url = `http://127.0.0.1:${options.http === '2' ? server.h2c : server.node}`
      const best = [Infinity, Infinity]
      for (let round = 0; round < rounds; round++) {
        for (const [i, trace] of [undefined, true].entries()) {
          const { requests, generator } = await autocannon({ url, duration: seconds, trace, ...options })
          best[i] = Math.min(best[i], generator.cpu / requests.average * 1e6)
        }
      }
      bounds.row(name, best[1] / best[0], 2, '×', MOST[name] ?? Infinity, best.map(us => us.toFixed(2)).join(', '))
    }
  } finally {
    server.stop()
  }
  bounds.end()
}

start(main)
