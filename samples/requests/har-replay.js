'use strict'

// Shows how to replay what a browser has recorded (developer tools, network, "save all as HAR") against another server:
// its origin takes the place of the recorded one. Requests to third parties are left out, with a warning. The second run
// keeps the pauses of who was recorded, twenty times as fast. Run it with
//
//   node samples/requests/har-replay.js

const fs = require('node:fs')
const path = require('node:path')
const autocannon = require('../..')
const { withServer } = require('../helpers/server')

// The library warns by process.emitWarning(). This shows the sentence alone, without what Node.js writes around it.
process.removeAllListeners('warning').on('warning', ({ message }) => console.error(message))

withServer(async ({ url, seen }) => {
  const recorded = fs.readFileSync(path.join(__dirname, '../helpers/shop.har'), 'utf8')
  const har = JSON.parse(recorded.replaceAll('https://shop.example', url))

  const result = await autocannon({ url, har, connections: 2, amount: 30 })

  console.log(`${result['2xx']} responses`)
  const got = (await seen()).map(({ method, path, body }) => `${method} ${path} ${body}`.trim())
  for (const request of new Set(got)) console.log(`${got.filter(one => one === request).length} × ${request}`)

  const { byRequest, duration } = await autocannon({ url, har, harPauses: true, speed: 20, connections: 1, amount: 6 })

  console.log(`two visits of 9 s take ${duration < 0.9 ? 'too little' : 'at least 0.9 s'} at 20 times their speed`)
  for (const [page, { count }] of Object.entries(byRequest)) console.log(`${page}: ${count} responses`)
})
