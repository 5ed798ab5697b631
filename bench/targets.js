'use strict'

// What a list of a million URLs costs: until the first answer, in memory beside the size of its file, and for each request beside the
// same run with one URL; and a million lines of JSON with header and body. Exits with 1 when a figure is above its bound.
//
//   node bench/targets.js [--lines 1000000] [--amount 300000] [--rounds 5]

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { start, readFlags } = require('./program')
const { onClientCore, onServerCore } = require('./peers/cores')
const { measure, perRequest, whyNotCounted } = require('./peers/cost')
const { startOwn } = require('./peers/server')

const OURS = path.join(__dirname, '..')
const CASES = { 'pipelining 1': 1, 'pipelining 10': 10 }

async function main () {
  const { lines = 1_000_000, amount = 300_000, rounds = 5 } = readFlags({ lines: 'count', amount: 'count', rounds: 'count' })
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-targets-'))
  const server = await startOwn(onServerCore())
  const url = `http://127.0.0.1:${server.plain}`
  const targets = path.join(folder, 'targets.txt')
  const objects = path.join(folder, 'targets.json')
  const misses = []
  /** @type {(name: string, figure: number, digits: number, unit: string, bound: number) => void} */
  const row = (name, figure, digits, unit, bound) => {
    if (!(figure <= bound)) misses.push(name)
    console.log(`| ${name} | ${figure.toFixed(digits)} ${unit} | ≤ ${bound} ${unit} |`)
  }
  try {
    fs.writeFileSync(targets, Array.from({ length: lines }, (_, i) => `${url}/items/${i}\n`).join(''))
    const { size } = fs.statSync(targets)
    console.log(`${lines.toLocaleString('en')} URLs, ${(size / 1e6).toFixed(1)} MB\n\n| figure | ours | bound |\n|---|---|---|`)
    const first = async targets => Math.min(...await times(rounds, async () => (await run({ targets, amount: 1000 })).firstAt))
    const lowest = async options => Math.min(...await times(rounds, async () => (await run({ ...options, duration: 1 })).highest))
    row('until the first answer', await first(targets), 0, 'ms', 2000)
    for (const workers of [undefined, 4]) {
      const beyond = await lowest({ targets, pick: 'random', workers }) - await lowest({ url, workers })
      row(`highest memory beyond that of a run of one URL${workers === undefined ? '' : `, ${workers} workers`}`, beyond / size, 2, '× the file', 3)
    }
    fs.writeFileSync(objects, Array.from({ length: lines }, (_, i) => JSON.stringify({ method: 'POST', url: `${url}/items/${i}`, body: btoa(`{"id":${i}}`), header: { 'Content-Type': ['application/json'] } }) + '\n').join(''))
    const { size: ofObjects } = fs.statSync(objects)
    const alone = parsing(objects)
    row(`lines of JSON with header and body, ${(ofObjects / 1e6).toFixed(1)} MB: until the first answer, beside the ${alone.toFixed(0)} ms of JSON.parse alone`, await first(objects) / alone, 2, '×', 2.5)
    row('lines of JSON: highest memory beyond that of a run of one URL', (await lowest({ targets: objects, pick: 'random' }) - await lowest({ url })) / ofObjects, 2, '× the file', 3)
    row('a request of the list becomes bytes', Math.min(...await times(rounds, () => encoding(targets))), 0, 'ns', 1000)
    const counted = whyNotCounted() === ''
    for (const [name, pipelining] of Object.entries(CASES)) {
      const costs = { one: Infinity, list: Infinity }
      for (let i = 0; i < rounds; i++) {
        // The start is in neither: the list costs some 300 ms of it.
        for (const [side, options] of Object.entries({ one: { url: `${url}/items/1` }, list: { targets } })) {
          const at = async amount => (await run({ ...options, pipelining, amount }, counted)).cost
          costs[side] = Math.min(costs[side], await at(amount + 1000) - await at(1000))
        }
      }
      row(`a request in order beside the same one again and again, ${name}`, costs.list / costs.one, 3, '×', 1.1)
    }
    console.log(`\nCost in ${counted ? 'instructions' : 'CPU time'}, the best of ${rounds} rounds.`)
  } finally {
    server.stop()
    fs.rmSync(folder, { recursive: true })
  }
  if (misses.length > 0) console.log(`\nOut of bounds: ${misses.join('; ')}`)
  process.exitCode = misses.length > 0 ? 1 : 0
}

/**
 * @param {string} file
 * @returns {number} ns of CPU time for each of its requests
 */
function encoding (file) {
  const { readTargets } = require('../lib/scenario/target-file')
  const { ListReader } = require('../lib/scenario/target-list')
  const { Layout } = require('../lib/scenario/layout')
  const { serialize } = require('../lib/wire/http1/serialize')
  const { parseTarget } = require('../lib/scenario/target')
  const list = readTargets(file).end()
  const reader = new ListReader(list)
  const layout = new Layout(list.shapes[0], { method: 'GET', path: null, headers: [], body: null }, parseTarget(list.origins[0].url), serialize)
  const bytes = Buffer.alloc(1024)
  const before = process.cpuUsage()
  for (let i = 0; i < list.starts.length; i++) {
    reader.read(i)
    if (layout.sizeOf(reader) > bytes.length) throw new Error('a request is larger than its room')
    layout.write(reader, bytes, 0)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) * 1000 / list.starts.length
}

/**
 * @param {string} file
 * @returns {number} ms until a parser has read each of its lines
 */
function parsing (file) {
  const bytes = fs.readFileSync(file)
  const before = performance.now()
  for (let at = 0, end; at < bytes.length; at = end + 1) {
    end = bytes.indexOf('\n', at)
    JSON.parse(bytes.toString('utf8', at, end))
  }
  return performance.now() - before
}

/**
 * @template T
 * @param {number} n
 * @param {() => Promise<T>} action
 * @returns {Promise<T[]>}
 */
async function times (n, action) {
  const all = []
  for (let i = 0; i < n; i++) all.push(await action())
  return all
}

/**
 * @param {Record<string, unknown>} options
 * @param {boolean} [counted] in instructions
 * @returns {Promise<{ firstAt: number, highest: number, cost: number }>} ms from the start of the process to the first answer; bytes; of the whole process
 */
async function run (options, counted = false) {
  const script = `
    const instance = require(${JSON.stringify(OURS)})(${JSON.stringify({ connections: 20, ...options })})
    let firstAt = NaN
    const first = () => { firstAt = performance.now(); instance.removeListener('response', first) }
    if (${options.amount === 1000}) instance.on('response', first)
    instance.then(() => console.log(JSON.stringify({ firstAt })))`
  const cost = await measure([...onClientCore(), process.execPath, '-e', script], { counted })
  return { ...JSON.parse(cost.stdout.replace('null', '0')), highest: cost.rss, cost: perRequest(cost, 1) }
}

start(main)
