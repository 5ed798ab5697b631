'use strict'

// Shows how two versions of a server are compared: by alternating runs, because a machine is not always equally fast. Run it with
//
//   node samples/checks/compare-servers.js

const autocannon = require('../..')
const { withServer } = require('../helpers/server')

// A server of its own for each version: a stall of one would reach into the next run of the other.
withServer(old => withServer(async changed => {
  const versus = autocannon.versus({
    // The other version stalls now and then. The path is the same: there is no verdict on different work.
    url: [old.url, `${changed.url}/?stalling`],
    runs: 5,
    failIf: 'rps -50%',
    connections: 2,
    duration: 0.3,
    sampleInt: 50
  })
  versus.on('run', ({ side, run, result }) => console.log(`run ${run} of ${side}: ${result.requests.total} requests`))
  const { metrics, limits } = await versus
  for (const { metric, verdict } of metrics) console.log(`${metric}: ${verdict}`)
  console.log(`rps -50%: ${limits[0].passed === null ? 'inconclusive' : limits[0].passed ? 'passed' : 'failed'}`)
}))
