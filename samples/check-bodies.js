'use strict'

// Shows how to count answers that are not what they should be although their status is 200. Every tenth answer of this
// server says "try later". Run it with
//
//   node samples/check-bodies.js

const autocannon = require('..')
const { withServer } = require('./helpers/server')

withServer(async ({ url }) => {
  const opts = { url: `${url}/unsteady`, connections: 5, amount: 100 }

  // The same text each time: one comparison.
  const expected = await autocannon({ ...opts, expectBody: 'hello world\n' })
  console.log(`expectBody: ${expected['2xx']} responses with 2xx, ${expected.mismatches} with another body`)

  // Whatever a function can tell. Parsing each body costs the client time that the server does not get: check what matters.
  const verified = await autocannon({ ...opts, verifyBody: body => body.startsWith('hello') })
  console.log(`verifyBody: ${verified['2xx']} responses with 2xx, ${verified.mismatches} that the function refused`)

  // Mismatches count as errors do towards the end of a run that has become pointless.
  const bailed = await autocannon({ ...opts, connections: 1, expectBody: 'hello world\n', bailout: 3 })
  console.log(`bailout: ended after ${bailed.requests.total} responses, ${bailed.mismatches} of them with another body`)
})
