'use strict'

// Whole users: visitors of a shop log in, keep cookies, pause, read their accounts from a file, mostly look around and sometimes buy,
// and come at a rate that climbs to a peak. What they do stands in shop/shop.config.js, and as YAML in shop/shop.yaml. Run it with
//
//   node samples/shop.js

const path = require('node:path')
const { once } = require('node:events')
const { spawn } = require('node:child_process')
const autocannon = require('..')

async function main () {
  const shop = spawn(process.execPath, [path.join(__dirname, 'shop/server.js')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [address] = await once(shop.stdout, 'data')
  const config = require('./shop/shop.config.js')

  const result = await autocannon({
    ...config,
    url: String(address).trim(),
    data: { users: path.join(__dirname, 'shop/users.csv') }
  })
  shop.kill()

  for (const [name, { started, completed, duration, active }] of Object.entries(result.byScenario)) {
    console.log(`${name}: ${completed} of ${started} iterations completed; half of them within ${Math.round(duration.p50)} ms, ${active.p50.toFixed(1)} ms of it without pauses`)
  }
  for (const { expression, passed } of result.thresholds) console.log(`${passed ? '✓' : '✗'} ${expression}`)
}

main()
