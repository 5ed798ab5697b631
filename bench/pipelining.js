'use strict'

// What pipelining gains: requests per second of a node:http server, and what the client pays for each, by depth.
//
//   node bench/pipelining.js [--seconds 3]

const http = require('node:http')
const { Worker, isMainThread, parentPort } = require('node:worker_threads')
const autocannon = require('..')
const { start, readFlags } = require('./program')

const DEPTHS = [1, 2, 4, 10, 50]

async function main () {
  const { seconds = 3 } = readFlags({ seconds: 'positive' })
  const server = new Worker(__filename)
  const port = await new Promise(resolve => server.once('message', resolve))
  console.log('depth  requests/s  client CPU µs/request  latency p50 ms')
  for (const pipelining of DEPTHS) {
    const { requests, latency, generator } = await autocannon({
      url: `http://127.0.0.1:${port}`,
      connections: 100,
      pipelining,
      duration: seconds
    })
    const cost = generator.cpu / requests.average * 1e6
    console.log([pipelining, Math.round(requests.average), cost.toFixed(2), latency.p50].map((cell, i) => String(cell).padStart([5, 10, 21, 14][i])).join('  '))
  }
  await server.terminate()
}

if (isMainThread) {
  start(main)
} else {
  http.createServer((request, response) => response.end('hello world')).listen(0, '127.0.0.1', function () {
    parentPort.postMessage(this.address().port)
  })
}
