'use strict'

// How the cost of a request grows with connections and depth.
//
//   node bench/growth.js [--seconds 3] [--rounds 2]

const { start, readFlags } = require('./program')
const { onServerCore } = require('./peers/cores')
const { whyNotCounted } = require('./peers/cost')
const { startOwn } = require('./peers/server')
const { runOf } = require('./run')

const STEPS = [
  ...[10, 100, 1000, 5000].map(connections => ({ connections, pipelining: 1 })),
  ...[2, 3, 5, 10, 20, 50, 100].map(pipelining => ({ connections: 100, pipelining }))
]

async function main () {
  const { seconds = 3, rounds = 2 } = readFlags({ seconds: 'positive', rounds: 'count' })
  const counted = whyNotCounted() === ''
  const server = await startOwn(onServerCore())
  console.log(`Node.js ${process.version}; ${counted ? '1,000 instructions' : 'µs of CPU time'}, per request\n`)
  console.log('| connections | pipelining | cost | requests/s | highest RSS |\n|---|---|---|---|---|')
  try {
    for (const step of STEPS) {
      let best = { cost: Infinity, rate: 0, rss: 0 }
      for (let round = 0; round < rounds; round++) {
        const { cost, count, highest } = await runOf({ ...step, url: `http://127.0.0.1:${server.plain}`, duration: seconds }, { counted })
        if (cost / count < best.cost) best = { cost: cost / count, rate: count / seconds, rss: highest }
      }
      console.log(`| ${step.connections.toLocaleString('en')} | ${step.pipelining} | ${best.cost.toFixed(2)} | ${Math.round(best.rate).toLocaleString('en')} | ${(best.rss / 2 ** 20).toFixed(0)} MiB |`)
    }
  } finally {
    server.stop()
  }
}

start(main)
