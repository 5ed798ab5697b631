'use strict'

// What --trace costs: CPU time of the client for each request, with and without, in turns; the lowest of several rounds counts. Exits with 1 when
// a request over one that waits for its answer (pipelining 1) costs more than 1.1 times as much.
//
//   node bench/trace.js [--seconds 0.5] [--rounds 15]

const http = require('node:http')
const http2 = require('node:http2')
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads')
const autocannon = require('..')
const { start, readFlags } = require('./program')

const BOUND = 1.1

const CASES = {
  'pipelining 1': { connections: 100 },
  'pipelining 10': { connections: 100, pipelining: 10 },
  'HTTP/2, 10 streams': { connections: 10, pipelining: 10, http: '2' },
  undici: { connections: 10, client: 'undici' }
}

async function main () {
  const { seconds = 0.5, rounds = 15 } = readFlags({ seconds: 'positive', rounds: 'count' })
  let isOver = false
  console.log('case                without  --trace  ratio   (µs of CPU time per request)')
  for (const [name, options] of Object.entries(CASES)) {
    const server = new Worker(__filename, { workerData: { isHttp2: options.http === '2' } })
    const port = await new Promise(resolve => server.once('message', resolve))
    const best = { without: Infinity, traced: Infinity }
    for (let round = 0; round < rounds; round++) {
      for (const [kind, trace] of /** @type {const} */ ([['without', undefined], ['traced', true]])) {
        const { requests, generator } = await autocannon({ url: `http://127.0.0.1:${port}`, duration: seconds, trace, ...options })
        best[kind] = Math.min(best[kind], generator.cpu / requests.average * 1e6)
      }
    }
    const ratio = best.traced / best.without
    if (name === 'pipelining 1' && ratio > BOUND) isOver = true
    console.log(`${name.padEnd(18)}  ${best.without.toFixed(2).padStart(7)}  ${best.traced.toFixed(2).padStart(7)}  ${ratio.toFixed(2).padStart(5)}`)
    await server.terminate()
  }
  if (isOver) {
    console.log(`\nAt pipelining 1 it costs more than ${BOUND} times as much.`)
    process.exitCode = 1
  }
}

if (isMainThread) {
  start(main)
} else {
  const create = workerData.isHttp2 ? http2.createServer : http.createServer
  create((request, response) => response.end('hello world')).listen(0, '127.0.0.1', function () {
    parentPort.postMessage(this.address().port)
  })
}
