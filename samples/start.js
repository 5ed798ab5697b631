'use strict'

// Starts a small server, benchmarks it for five seconds and prints the report: what `npm start` does. Ctrl-C ends it
// early, with the report of what was measured until then. Run it with
//
//   node samples/start.js

const autocannon = require('..')
const { withServer } = require('./helpers/server')

withServer(async ({ url }) => {
  const instance = autocannon({ url, connections: 100, duration: 5 })
  process.once('SIGINT', () => instance.stop())
  autocannon.track(instance, { renderLatencyChart: true })
  await instance
})
