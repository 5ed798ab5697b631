'use strict'

// Shows how each connection is made a client of its own, with its own headers, and how to listen to it. Run it with
//
//   node samples/requests/setup-client.js

const autocannon = require('../..')
const { withServer } = require('../helpers/server')

withServer(async ({ url, seen }) => {
  let clients = 0
  let bytes = 0

  await autocannon({
    url,
    connections: 4,
    amount: 40,
    setupClient (client) {
      // Before the first request: later ones keep what is set here. setBody and setRequest work alike.
      client.setHeaders({ 'x-user': `user ${++clients}` })
      client.on('body', body => { bytes += body.length })
    }
  })

  const users = (await seen()).map(({ headers }) => headers['x-user'])
  for (const user of new Set(users)) console.log(`${user}: ${users.filter(one => one === user).length} requests`)
  console.log(`${bytes} bytes of bodies`)
})
