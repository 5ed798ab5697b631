'use strict'

// What a million rows of data cost: CPU time until the first response, memory beside the size of their file, and what a request with two columns in it costs
// beside the same one without. Exits with 1 when a figure is above its bound.
//
//   node bench/data.js [--rows 1000000] [--amount 200000] [--rounds 5]

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { start, readFlags } = require('./program')
const { onServerCore } = require('./peers/cores')
const { whyNotCounted } = require('./peers/cost')
const { startOwn } = require('./peers/server')
const { Bounds, best, requestCosts, runOf } = require('./run')

async function main () {
  const { rows = 1_000_000, amount = 200_000, rounds = 5 } = readFlags({ rows: 'count', amount: 'count', rounds: 'count' })
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-data-'))
  const server = await startOwn(onServerCore())
  const url = `http://127.0.0.1:${server.plain}`
  const bounds = new Bounds()
  try {
    const file = path.join(folder, 'users.csv')
    fs.writeFileSync(file, 'email,password\n' + Array.from({ length: rows }, (_, i) => `user${i}@example.com,secret${i}\n`).join(''))
    const { size } = fs.statSync(file)
    const counted = whyNotCounted() === ''
    const template = { url, data: { users: file }, requests: [{ path: '/{{users.email}}', headers: { 'x-password': '{{users.password}}' } }] }
    const plain = { url, requests: [{ path: '/user12345%40example.com', headers: { 'x-password': 'secret12345' } }] }
    console.log(`${rows.toLocaleString('en')} rows, ${(size / 1e6).toFixed(1)} MB\n\n| figure | ours | bound |\n|---|---|---|`)
    const firstCpu = await best(rounds, async () => (await runOf({ ...template, amount: 1000 }, { first: true })).firstCpu)
    bounds.row('CPU time until the first response', firstCpu, 0, 'ms', 2000)
    for (const workers of [undefined, 4]) {
      const highest = options => best(rounds, async () => (await runOf({ ...options, workers, duration: 1 })).highest)
      const beyond = await highest(template) - await highest({ url, requests: [{ path: '/{{counter}}' }] })
      bounds.row(`highest memory beyond that of a run without data${workers === undefined ? '' : `, ${workers} workers`}`, beyond / size, 2, '× the file', 3)
    }
    // A small file: reading the large one is in neither.
    const few = { ...template, data: { users: { rows: Array.from({ length: 1000 }, (_, i) => ({ email: `user${i}@example.com`, password: `secret${i}` })) } } }
    const costs = await requestCosts(rounds, amount, { plain, few }, counted)
    bounds.row('a request with two columns beside the same one without, pipelining 1', costs.few / costs.plain, 3, '×', 1.25)
    console.log(`\nCost in ${counted ? 'instructions' : 'CPU time'}, the best of ${rounds} rounds.`)
  } finally {
    server.stop()
    fs.rmSync(folder, { recursive: true })
  }
  bounds.end()
}

start(main)
