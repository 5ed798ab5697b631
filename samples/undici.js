'use strict'

// Shows what a Node.js service sees of a server through undici, beside our own client: the same load by both, and by a dispatcher of
// undici with an interceptor that tries again. Run it with
//
//   node samples/undici.js

const { Agent, interceptors } = require('undici')
const autocannon = require('..')
const { withServer } = require('./helpers/server')

withServer(async ({ url }) => {
  const dispatcher = new Agent({ connections: 2 }).compose(interceptors.retry({ maxRetries: 2 }))
  for (const [name, client] of Object.entries({ 'our own client': {}, undici: { client: 'undici' }, 'a dispatcher': { dispatcher } })) {
    const { latency, requests, throughput } = await autocannon({ url, connections: 2, amount: 400, ...client })
    // undici does not report how many bytes it reads.
    console.log(`${name}: ${requests.total} responses, p99 ${latency.p99} ms, ${throughput === null ? 'bytes unknown' : `${throughput.total} bytes read`}`)
  }
  await dispatcher.close()
})
