'use strict'

// Shows how the requests of a file are sent, in the form that vegeta has for them: each once, which ends the run, or at random by a
// seed, which gives the same requests again. Run it with
//
//   node samples/requests/targets.js

const path = require('node:path')
const autocannon = require('../..')
const { withServer } = require('../helpers/server')

const targets = path.join(__dirname, '../helpers/targets.txt')

withServer(async ({ url, seen }) => {
  const got = async () => (await seen()).map(({ method, path, body }) => `${method} ${path} ${body}`.trim())

  await autocannon({ url, targets, pick: 'once', connections: 2 })
  const once = await got()
  console.log(`once: ${[...new Set(once)].sort().map(request => `${once.filter(one => one === request).length} × ${request}`).join(', ')}`)

  const sent = []
  for (let run = 0; run < 2; run++) {
    const before = (await got()).length
    const result = await autocannon({ url, targets, pick: 'random', seed: 7, amount: 100, connections: 2 })
    sent.push({ answers: result.requests.total, requests: (await got()).slice(before).sort().join() })
  }
  const same = sent[0].requests === sent[1].requests
  console.log(`at random: ${sent[0].answers + sent[1].answers} responses, ${same ? 'the same' : 'other'} requests for the same seed`)
})
