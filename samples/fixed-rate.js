'use strict'

// Shows what users of a server feel who come at a fixed rate, whether it keeps up or not. This one stalls for 250 ms in the
// middle. Latency counts from the time at which a request was due, so that those who wait are counted; the second run
// leaves that out and looks much better than it was. Run it with
//
//   node samples/fixed-rate.js

const autocannon = require('..')
const { withServer } = require('./helpers/server')

async function run (name, ignoreCoordinatedOmission) {
  await withServer(async ({ url }) => {
    const { requests, latency } = await autocannon({
      url: `${url}/stalling`, connections: 4, amount: 100, overallRate: 200, ignoreCoordinatedOmission
    })
    console.log(`${name}: ${requests.total} requests, p50 ${latency.p50} ms, p75 ${latency.p75} ms, p99 ${latency.p99} ms`)
  })
}

run('from when a request was due', false).then(() => run('from when it was written   ', true))
