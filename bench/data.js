'use strict'

// What a million rows of data cost: CPU time until the first response, and memory beside the size of their file. Exits with 1 when a figure is above its bound. What a
// request with two columns costs: `npm run bench -- --only template`.
//
//   node bench/data.js [--rows 1000000] [--rounds 5]

const fs = require('node:fs')
const path = require('node:path')
const { start, readFlags } = require('./program')
const { FIRST, best, runOf, withBounds } = require('./run')

async function main () {
  const { rows = 1_000_000, rounds = 5 } = readFlags({ rows: 'count', rounds: 'count' })
  await withBounds(async (url, bounds, folder) => {
    const file = path.join(folder, 'users.csv')
    fs.writeFileSync(file, 'email,password\n' + Array.from({ length: rows }, (_, i) => `user${i}@example.com,secret${i}\n`).join(''))
    const { size } = fs.statSync(file)
    const template = { url, data: { users: file }, requests: [{ path: '/{{users.email}}', headers: { 'x-password': '{{users.password}}' } }] }
    console.log(`${rows.toLocaleString('en')} rows, ${(size / 1e6).toFixed(1)} MB\n`)
    bounds.row('CPU time until the first response', await best(rounds, async () => (await runOf({ ...template, amount: 1000 }, { look: FIRST })).firstCpu), 0, 'ms', 2000)
    for (const workers of [undefined, 4]) {
      const highest = options => best(rounds, async () => (await runOf({ ...options, workers, duration: 1 })).highest)
      const beyond = await highest(template) - await highest({ url, requests: [{ path: '/{{counter}}' }] })
      bounds.row(`highest memory beyond that of a run without data${workers === undefined ? '' : `, ${workers} workers`}`, beyond / size, 2, '× the file', 3)
    }
  })
}

start(main)
