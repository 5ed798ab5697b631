'use strict'

// Shows how the runs of several processes become one result, as if it had been one run. The raw results may come from
// other machines, too: they are plain data and survive JSON. Run it with
//
//   node samples/scale/aggregate.js

const { fork } = require('node:child_process')
const { once } = require('node:events')
const autocannon = require('../..')
const { withServer } = require('../helpers/server')

const [url] = process.argv.slice(2)

/** One of the processes: benchmarks, and hands over what was recorded instead of averages, which can't be added up. */
async function generate () {
  process.send(await autocannon({ url, connections: 5, amount: 500, skipAggregateResult: true }))
}

async function coordinate ({ url }) {
  const processes = [1, 2].map(() => fork(__filename, [url]))
  const messages = await Promise.all(processes.map(one => once(one, 'message')))

  const result = autocannon.aggregateResult(messages.map(([raw]) => raw), { title: 'two processes' })
  const { title, connections, requests, latency } = result
  console.log(`${title}: ${connections} connections, ${requests.total} responses`)
  console.log(`p50 ${latency.p50} ms, p99 ${latency.p99} ms, of all ${latency.totalCount} latencies`)
}

if (url === undefined) withServer(coordinate)
else generate()
