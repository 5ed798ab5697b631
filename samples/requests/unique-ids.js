'use strict'

// Shows how each request gets ids that no other has: wherever [<id>] stands in its body, path and headers. For servers
// that refuse what they have already, and past caches. Run it with
//
//   node samples/requests/unique-ids.js

const autocannon = require('../..')
const { withServer } = require('../helpers/server')

withServer(async ({ url, seen }) => {
  await autocannon({
    url,
    connections: 10,
    amount: 200,
    idReplacement: true,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': '[<id>]' },
    requests: [{ path: '/items?at=[<id>]', body: '{"email":"[<id>]@example.com"}' }]
  })

  const got = await seen()
  console.log(`such as: POST ${got[0].path} ${got[0].body}`)
  console.log(`${got.length} requests: ${new Set(got.map(({ body }) => body)).size} bodies, ` +
    `${new Set(got.map(({ path }) => path)).size} paths, ${new Set(got.map(({ headers }) => headers['x-request-id'])).size} request ids`)
})
