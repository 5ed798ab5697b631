'use strict'

// How much can it take? Searches for the highest rate at which nothing fails, against a server that answers 429 to what is more than
// 300 requests/s. Run it with
//
//   node samples/checks/find-limit.js

const http = require('node:http')
const { once } = require('node:events')
const autocannon = require('../..')

/** A bucket of tokens, which 300 are put into every second. */
let tokens = 40
let filledAt = Date.now()

const server = http.createServer((request, response) => {
  tokens = Math.min(40, tokens + (Date.now() - filledAt) * 0.3)
  filledAt = Date.now()
  if (tokens < 1) response.statusCode = 429
  else tokens--
  response.end()
})

async function main () {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const search = autocannon.find({
    url: `http://127.0.0.1:${server.address().port}`,
    thresholds: 'failures == 0',
    from: '100/s',
    to: '2000/s',
    // Short and coarse, so that it ends soon: omit both to get 3 % in a few minutes.
    step: 1,
    precision: '50%'
  })
  search.on('step', ({ value, outcome, failures }) => console.log(`${value}/s: ${outcome}, ${failures} failed`))
  const { search: { best, above, limit } } = await search
  console.log(limit === 'inconclusive' ? limit : best === null ? `not even ${above}/s are held` : `the limit of the ${limit} lies between ${best}/s and ${above}/s`)
  server.close()
}

main()
