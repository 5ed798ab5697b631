'use strict'

// Shows how one response shapes the next request: onResponse stores what the server said in the context of the iteration, and
// setupRequest uses it. Each connection has a context of its own. Run it with
//
//   node samples/requests/request-context.js

const autocannon = require('../..')
const { withServer } = require('../helpers/server')

const requests = [
  {
    method: 'POST',
    path: '/items',
    body: 'tea',
    onResponse (status, body, context) { context.id = JSON.parse(body).id }
  },
  {
    setupRequest (request, context) {
      request.path = `/items/${context.id}`
      return request
    }
  }
]

withServer(async ({ url, seen }) => {
  const { statusCodeStats } = await autocannon({ url, connections: 5, amount: 100, requests })

  for (const [status, { count }] of Object.entries(statusCodeStats)) console.log(`${count} responses with ${status}`)
  const asked = (await seen()).filter(({ method }) => method === 'GET').map(({ path }) => path)
  console.log(`${new Set(asked).size} items were created, and each was asked for by the connection that had created it`)
})
