'use strict'

// Shows a benchmark with a verdict in a suite of tap: the same as in-node-test.js. Run it with
//
//   node samples/checks/in-tap.js

const t = require('tap')
const autocannon = require('../..')
const { withServer } = require('../helpers/server')

t.test('answers 99 % of the requests within 250 ms', async t => {
  await withServer(async ({ url }) => {
    const { requests, latency, failures } = await autocannon({ url, connections: 10, amount: 1000 })
    t.comment(`${requests.total} requests, p50 ${latency.p50} ms, p99 ${latency.p99} ms`)
    t.equal(failures, 0)
    t.ok(latency.p99 <= 250, `p99 is ${latency.p99} ms`)
  })
})
