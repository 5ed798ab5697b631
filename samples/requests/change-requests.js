'use strict'

// Shows how to change what a connection sends from now on, in the light of an answer: who is asked for a token shows one.
// With workers the response event has no client: use setupClient there. Run it with
//
//   node samples/requests/change-requests.js

const autocannon = require('../..')
const { withServer } = require('../helpers/server')

withServer(async ({ url }) => {
  const instance = autocannon({ url: `${url}/private`, connections: 3, amount: 30 })

  instance.on('response', (client, statusCode) => {
    // setBody, setHeadersAndBody, setRequest and setRequests change the other parts. They need pipelining 1.
    if (statusCode === 401) client.setHeaders({ authorization: 'Bearer 12345' })
  })

  const { statusCodeStats } = await instance
  console.log(`${statusCodeStats[401].count} responses with 401, one per connection`)
  console.log(`${statusCodeStats[200].count} responses with 200 after that`)
})
