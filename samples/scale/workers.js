'use strict'

// Shows one set of options that runs in this thread and over several workers alike: hooks are given as absolute paths of
// modules, because a function can't be sent to another thread. Run it with
//
//   node samples/scale/workers.js

const path = require('node:path')
const autocannon = require('../..')
const { withServer } = require('../helpers/server')

/** @param {string} name of a module that exports a function: CommonJS or ESM */
const hook = name => path.join(__dirname, '../helpers', name)

const opts = {
  connections: 4,
  amount: 200,
  setupClient: hook('set-user.js'),
  verifyBody: hook('is-json.js'),
  requests: [
    { method: 'POST', path: '/items', body: '{"name":"tea"}', onResponse: hook('remember-item.js') },
    { setupRequest: hook('ask-for-item.mjs') }
  ]
}

async function run (name, workers) {
  await withServer(async ({ url, seen }) => {
    const result = await autocannon({ ...opts, url, workers })
    // Each worker knows of its own connections only, and gets its share of the connections and of the amount.
    const users = new Set((await seen()).map(({ headers }) => headers['x-user']).filter(Boolean))
    console.log(`${name}: ${result['2xx']} responses, ${result.mismatches} mismatches, ${users.size} connections`)
    for (const user of [...users].sort()) console.log(`  ${user}`)
  })
}

run('this thread', undefined).then(() => run('two workers', 2))
