'use strict'

// Shows a benchmark with a verdict in a suite of node:test. Amounts make its length known, and limits leave room for a busy
// machine: what a shared runner can hold is "not ten times slower", not "2 ms". Run it with
//
//   node --test samples/checks/in-node-test.js

const assert = require('node:assert/strict')
const { test } = require('node:test')
const autocannon = require('../..')
const { withServer } = require('../helpers/server')

test('answers 99 % of the requests within 250 ms', async t => {
  await withServer(async ({ url }) => {
    const { requests, latency, failures } = await autocannon({ url, connections: 10, amount: 1000 })
    t.diagnostic(`${requests.total} requests, p50 ${latency.p50} ms, p99 ${latency.p99} ms`)
    assert.equal(failures, 0)
    assert.ok(latency.p99 <= 250, `p99 is ${latency.p99} ms`)
  })
})
