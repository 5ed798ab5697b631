'use strict'

// How the cost of a request grows with connections and depth.
//
//   node bench/growth.js [--seconds 3] [--rounds 2]

const { parseArgs } = require('node:util')
const { measure, findCounter, pinTo } = require('./peers/cost')
const { startOwn } = require('./peers/server')
const path = require('node:path')

const STEPS = [
  ...[10, 100, 1000, 5000].map(connections => ({ connections, pipelining: 1 })),
  ...[2, 3, 5, 10, 20, 50, 100].map(pipelining => ({ connections: 100, pipelining }))
]

async function main () {
  const { values } = parseArgs({ options: { seconds: { type: 'string', default: '3' }, rounds: { type: 'string', default: '2' } } })
  const counter = findCounter()
  const server = await startOwn(pinTo(1))
  console.log(`Node.js ${process.version}; ${counter !== null ? '1,000 instructions' : 'µs of CPU time'} per request\n`)
  console.log('| connections | pipelining | cost | requests/s | highest RSS |\n|---|---|---|---|---|')
  try {
    for (const step of STEPS) {
      let best = { cost: Infinity, rate: 0, rss: 0 }
      for (let round = 0; round < Number(values.rounds); round++) {
        const load = { ...step, url: `http://127.0.0.1:${server.plain}`, duration: Number(values.seconds) }
        const script = `require(${JSON.stringify(path.join(__dirname, '..'))})(${JSON.stringify(load)})
          .then(({ requests, errors }) => console.log(JSON.stringify({ count: requests.total, errors })))`
        const { stdout, cpu, instructions, rss } = await measure([...pinTo(0), process.execPath, '-e', script], { counter })
        const { count, errors } = JSON.parse(stdout)
        if (errors > 0) throw new Error(`${errors} errors with ${JSON.stringify(step)}`)
        const cost = (instructions === null ? cpu * 1e6 : instructions / 1000) / count
        if (cost < best.cost) best = { cost, rate: count / load.duration, rss }
      }
      console.log(`| ${step.connections.toLocaleString('en')} | ${step.pipelining} | ${best.cost.toFixed(2)} | ${Math.round(best.rate).toLocaleString('en')} | ${(best.rss / 2 ** 20).toFixed(0)} MiB |`)
    }
  } finally {
    server.stop()
  }
}

main()
