'use strict'

// Shows how to replay what a browser has recorded (developer tools, network, "save all as HAR") against another server:
// its origin takes the place of the recorded one. Requests to third parties are left out, with a warning. Run it with
//
//   node samples/har-replay.js

const fs = require('node:fs')
const path = require('node:path')
const autocannon = require('..')
const { withServer } = require('./helpers/server')

// The library warns by process.emitWarning(). This shows the sentence alone, without what Node.js writes around it.
process.removeAllListeners('warning').on('warning', ({ message }) => console.error(message))

withServer(async ({ url, seen }) => {
  const recorded = fs.readFileSync(path.join(__dirname, 'helpers/shop.har'), 'utf8')
  const har = JSON.parse(recorded.replaceAll('https://shop.example', url))

  const result = await autocannon({ url, har, connections: 2, amount: 30 })

  console.log(`${result['2xx']} answers`)
  const got = (await seen()).map(({ method, path, body }) => `${method} ${path} ${body}`.trim())
  for (const request of new Set(got)) console.log(`${got.filter(one => one === request).length} × ${request}`)
})
