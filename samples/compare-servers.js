'use strict'

// Shows how two servers are compared, as `autocannon versus` does it: both in turn, several runs of each, because servers
// differ from one start to the next. Run it with
//
//   node samples/compare-servers.js

const autocannon = require('..')
const { withServer } = require('./helpers/server')

// A server of its own for each version: a stall of one would reach into the next run of the other.
withServer(old => withServer(async changed => {
  const base = []
  const next = []
  for (let i = 0; i < 5; i++) {
    base.push(await autocannon({ url: old.url, connections: 2, duration: 0.5, sampleInt: 100 }))
    // The other version: it stalls now and then. Both are asked for the same: other work has no verdict.
    next.push(await autocannon({ url: `${changed.url}/?stalling`, connections: 2, duration: 0.5, sampleInt: 100 }))
  }
  const { metrics, limits } = autocannon.compareResults(base, next, { failIf: 'rps -50%' })
  for (const { metric, verdict } of metrics) console.log(`${metric}: ${verdict}`)
  console.log(`rps -50%: ${limits[0].passed === null ? 'can\'t tell' : limits[0].passed ? 'passed' : 'failed'}`)
}))
