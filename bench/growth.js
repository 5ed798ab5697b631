'use strict'

// How the cost of a request grows with connections and depth.
//
//   node bench/growth.js [--seconds 3] [--rounds 2]

const path = require('node:path')
const { start, readFlags } = require('./program')
const { onClientCore, onServerCore } = require('./peers/cores')
const { measure, perRequest, whyNotCounted } = require('./peers/cost')
const { startOwn } = require('./peers/server')

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
        const load = { ...step, url: `http://127.0.0.1:${server.plain}`, duration: seconds }
        const script = `require(${JSON.stringify(path.join(__dirname, '..'))})(${JSON.stringify(load)})
          .then(({ requests, errors }) => console.log(JSON.stringify({ count: requests.total, errors })))`
        const run = await measure([...onClientCore(), process.execPath, '-e', script], { counted })
        const { count, errors } = JSON.parse(run.stdout)
        if (errors > 0) throw new Error(`${errors} errors with ${JSON.stringify(step)}`)
        const cost = perRequest(run, count)
        if (cost < best.cost) best = { cost, rate: count / load.duration, rss: run.rss }
      }
      console.log(`| ${step.connections.toLocaleString('en')} | ${step.pipelining} | ${best.cost.toFixed(2)} | ${Math.round(best.rate).toLocaleString('en')} | ${(best.rss / 2 ** 20).toFixed(0)} MiB |`)
    }
  } finally {
    server.stop()
  }
}

start(main)
