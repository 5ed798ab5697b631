'use strict'

// Shows how a connection goes through a sequence of requests, and how a setup hook that returns nothing starts it over:
// every third order is refused, so there is nothing to pay for. Run it with
//
//   node samples/requests/request-sequence.js

const autocannon = require('../..')
const { withServer } = require('../helpers/server')

const requests = [
  { path: '/menu' },
  {
    method: 'POST',
    path: '/orders',
    headers: { 'content-type': 'text/plain' },
    body: 'one tea',
    onResponse (status, body, context) { context.accepted = status === 201 }
  },
  {
    method: 'POST',
    path: '/payments',
    setupRequest: (request, context) => context.accepted ? request : null
  }
]

withServer(async ({ url, seen }) => {
  const result = await autocannon({ url, connections: 1, amount: 11, requests })

  console.log((await seen()).map(({ method, path }) => `${method} ${path}`).join('\n'))
  console.log(`${result.requests.total} responses, ${result.non2xx} refused, the sequence started over ${result.resets} time`)
})
