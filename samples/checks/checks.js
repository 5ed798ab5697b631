'use strict'

// Shows how to hold answers to what they should be, and to see the figures of each request by its name. Every third order
// is refused by this server. Run it with
//
//   node samples/checks/checks.js

const autocannon = require('../..')
const { withServer } = require('../helpers/server')

withServer(async ({ url }) => {
  const result = await autocannon({
    url,
    connections: 1,
    amount: 60,
    // Of all responses, unless a request expects something else.
    expect: { status: '2xx', headers: { 'content-type': /^text/ } },
    requests: [
      { name: 'new item', method: 'POST', path: '/items', body: 'green tea', expect: { status: 201, json: { id: id => id > 0 } } },
      { name: 'order', method: 'POST', path: '/orders' },
      // Whatever a function can tell: true, or why not.
      { name: 'greeting', path: '/unsteady', check: ({ body }) => body.startsWith('hello') || 'no greeting' }
    ]
  })

  for (const { request, name, passed, failed, reasons, samples } of result.checks) {
    console.log(`${name} of ${request}: ${passed} passed, ${failed} failed`)
    for (const [reason, count] of Object.entries(reasons)) console.log(`  ${count} × ${reason}; the first one said '${samples[reason].body}'`)
  }
  for (const [name, { count, latency }] of Object.entries(result.byRequest)) console.log(`${name}: ${count} responses, p99 ${latency.p99} ms`)
})
