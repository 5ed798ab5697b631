'use strict'

// Shows a check for CI: one line of JSON on stdout for the machine, and exit code 1 when the p99 is over the limit or an
// answer was not what it should be. The limit is the argument, 250 ms if there is none. Run it with
//
//   node samples/checks/json-for-ci.js 250

const autocannon = require('../..')
const { withServer } = require('../helpers/server')

const limit = Number(process.argv[2] ?? 250)

withServer(async ({ url }) => {
  const result = await autocannon({ url, connections: 10, amount: 2000, warmup: { connections: 10, duration: 0.1 } })

  const { latency: { p50, p99 }, requests, failures, start } = result
  const passed = failures === 0 && p99 <= limit
  console.log(JSON.stringify({ passed, limit, p50, p99, requests: requests.total, failures, start }))
  if (!passed) process.exitCode = 1
})
