'use strict'

// What a million rows of data cost: CPU time until the first answer, memory beside the size of their file, and what a request with two columns in it costs
// beside the same one without. Exits with 1 when a figure is above its bound.
//
//   node bench/data.js [--rows 1000000] [--amount 200000] [--rounds 5]

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { start, readFlags } = require('./program')
const { onClientCore, onServerCore } = require('./peers/cores')
const { measure, perRequest, whyNotCounted } = require('./peers/cost')
const { startOwn } = require('./peers/server')

const OURS = path.join(__dirname, '..')

async function main () {
  const { rows = 1_000_000, amount = 200_000, rounds = 5 } = readFlags({ rows: 'count', amount: 'count', rounds: 'count' })
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-data-'))
  const server = await startOwn(onServerCore())
  const url = `http://127.0.0.1:${server.plain}`
  const misses = []
  /** @type {(name: string, figure: number, digits: number, unit: string, bound: number) => void} */
  const row = (name, figure, digits, unit, bound) => {
    if (!(figure <= bound)) misses.push(name)
    console.log(`| ${name} | ${figure.toFixed(digits)} ${unit} | ≤ ${bound} ${unit} |`)
  }
  try {
    const file = path.join(folder, 'users.csv')
    fs.writeFileSync(file, 'email,password\n' + Array.from({ length: rows }, (_, i) => `user${i}@example.com,secret${i}\n`).join(''))
    const { size } = fs.statSync(file)
    const counted = whyNotCounted() === ''
    const data = { users: file }
    const template = { data, requests: [{ path: '/{{users.email}}', headers: { 'x-password': '{{users.password}}' } }] }
    const plain = { requests: [{ path: '/user12345%40example.com', headers: { 'x-password': 'secret12345' } }] }
    console.log(`${rows.toLocaleString('en')} rows, ${(size / 1e6).toFixed(1)} MB\n\n| figure | ours | bound |\n|---|---|---|`)
    row('CPU time until the first answer', await best(rounds, async () => (await run({ url, ...template, amount: 1000 })).cpuMs), 0, 'ms', 2000)
    for (const workers of [undefined, 4]) {
      const highest = async options => best(rounds, async () => (await run({ url, ...options, workers, duration: 1 })).highest)
      const beyond = await highest(template) - await highest({ ...plain, requests: [{ path: '/{{counter}}' }] })
      row(`highest memory beyond that of a run without data${workers === undefined ? '' : `, ${workers} workers`}`, beyond / size, 2, '× the file', 3)
    }
    const costs = { plain: Infinity, template: Infinity }
    // A small file: reading the large one is in neither.
    const few = { ...template, data: { users: { rows: Array.from({ length: 1000 }, (_, i) => ({ email: `user${i}@example.com`, password: `secret${i}` })) } } }
    for (let i = 0; i < rounds; i++) {
      for (const [side, options] of Object.entries({ plain, template: few })) {
        const at = async amount => (await run({ url, ...options, amount }, counted)).cost
        costs[side] = Math.min(costs[side], await at(amount + 1000) - await at(1000))
      }
    }
    row('a request with two columns beside the same one without, pipelining 1', costs.template / costs.plain, 3, '×', 1.25)
    console.log(`\nCost in ${counted ? 'instructions' : 'CPU time'}, the best of ${rounds} rounds.`)
  } finally {
    server.stop()
    fs.rmSync(folder, { recursive: true })
  }
  if (misses.length > 0) console.log(`\nOut of bounds: ${misses.join('; ')}`)
  process.exitCode = misses.length > 0 ? 1 : 0
}

/**
 * @param {number} n
 * @param {() => Promise<number>} figure
 * @returns {Promise<number>} the lowest of n
 */
async function best (n, figure) {
  let lowest = Infinity
  for (let i = 0; i < n; i++) lowest = Math.min(lowest, await figure())
  return lowest
}

/**
 * @param {Record<string, unknown>} options
 * @param {boolean} [counted] in instructions
 * @returns {Promise<{ cpuMs: number, highest: number, cost: number }>} CPU time from the start of the process to the first answer; bytes; of the whole process
 */
async function run (options, counted = false) {
  const script = `
    const instance = require(${JSON.stringify(OURS)})(${JSON.stringify({ connections: 20, ...options })})
    let cpuMs = NaN
    const first = () => { const { user, system } = process.cpuUsage(); cpuMs = (user + system) / 1000; instance.removeListener('response', first) }
    if (${options.amount === 1000}) instance.on('response', first)
    instance.then(() => console.log(JSON.stringify({ cpuMs })))`
  const cost = await measure([...onClientCore(), process.execPath, '-e', script], { counted })
  return { ...JSON.parse(cost.stdout.replace('null', '0')), highest: cost.rss, cost: perRequest(cost, 1) }
}

start(main)
