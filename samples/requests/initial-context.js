'use strict'

// Shows what each iteration of the requests starts with: a copy of the initial context, so that nothing of one iteration is left
// in the next. Run it with
//
//   node samples/requests/initial-context.js

const autocannon = require('../..')
const { withServer } = require('../helpers/server')

const initialContext = { token: 'for this run', page: 0 }

function nextPage (request, context) {
  request.headers.authorization = `Bearer ${context.token}`
  request.path = `/pages/${++context.page}`
  return request
}

withServer(async ({ url, seen }) => {
  await autocannon({
    url,
    connections: 2,
    amount: 60,
    initialContext,
    requests: [{ setupRequest: nextPage }, { setupRequest: nextPage }, { setupRequest: nextPage }]
  })

  // Without the copy the pages would go on to 4, 5, 6.
  const got = (await seen()).map(({ path, headers }) => `${path} with '${headers.authorization}'`)
  for (const line of [...new Set(got)].sort()) console.log(`${got.filter(one => one === line).length} requests of ${line}`)
  console.log(`the initial context is as it was: page ${initialContext.page}`)
})
