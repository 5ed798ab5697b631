'use strict'

// What a list of a million URLs costs: until the first response, in memory beside the size of its file, and for each request beside the
// same run with one URL; and a million lines of JSON with header and body. Exits with 1 when a figure is above its bound.
//
//   node bench/targets.js [--lines 1000000] [--amount 300000] [--rounds 5]

const fs = require('node:fs')
const path = require('node:path')
const { start, readFlags } = require('./program')
const { whyNotCounted } = require('./peers/cost')
const { FIRST, best, bestOfSides, runOf, withBounds } = require('./run')

const CASES = { 'pipelining 1': 1, 'pipelining 10': 10 }

async function main () {
  const { lines = 1_000_000, amount = 300_000, rounds = 5 } = readFlags({ lines: 'count', amount: 'count', rounds: 'count' })
  const counted = whyNotCounted() === ''
  await withBounds(async (url, bounds, folder) => {
    const [targets, objects] = ['targets.txt', 'targets.json'].map(name => path.join(folder, name))
    fs.writeFileSync(targets, Array.from({ length: lines }, (_, i) => `${url}/items/${i}\n`).join(''))
    const { size } = fs.statSync(targets)
    console.log(`${lines.toLocaleString('en')} URLs, ${(size / 1e6).toFixed(1)} MB; cost in ${counted ? 'instructions' : 'CPU time'}, the best of ${rounds} rounds\n`)
    const first = targets => best(rounds, async () => (await runOf({ targets, amount: 1000 }, { look: FIRST })).firstAt)
    const lowest = options => best(rounds, async () => (await runOf({ ...options, duration: 1 })).highest)
    bounds.row('until the first response', await first(targets), 0, 'ms', 2000)
    for (const workers of [undefined, 4]) {
      const beyond = await lowest({ targets, pick: 'random', workers }) - await lowest({ url, workers })
      bounds.row(`highest memory beyond that of a run of one URL${workers === undefined ? '' : `, ${workers} workers`}`, beyond / size, 2, '× the file', 3)
    }
    fs.writeFileSync(objects, Array.from({ length: lines }, (_, i) => JSON.stringify({ method: 'POST', url: `${url}/items/${i}`, body: btoa(`{"id":${i}}`), header: { 'Content-Type': ['application/json'] } }) + '\n').join(''))
    const { size: ofObjects } = fs.statSync(objects)
    const alone = parsing(objects)
    bounds.row(`lines of JSON with header and body, ${(ofObjects / 1e6).toFixed(1)} MB: until the first response, beside the ${alone.toFixed(0)} ms of JSON.parse alone`, await first(objects) / alone, 2, '×', 2.5)
    bounds.row('lines of JSON: highest memory beyond that of a run of one URL', (await lowest({ targets: objects, pick: 'random' }) - await lowest({ url })) / ofObjects, 2, '× the file', 3)
    bounds.row('a request of the list becomes bytes', await best(rounds, () => encoding(targets)), 0, 'ns', 1000)
    // The start is in none of them.
    const costOf = async (options, amount) => (await runOf({ ...options, amount }, { counted })).cost
    for (const [name, pipelining] of Object.entries(CASES)) {
      const costs = await bestOfSides(rounds, { one: { url: `${url}/items/1`, pipelining }, list: { targets, pipelining } }, async options => await costOf(options, amount + 1000) - await costOf(options, 1000))
      bounds.row(`a request in order beside the same one again and again, ${name}`, costs.list / costs.one, 3, '×', 1.1)
    }
  })
}

/** @returns {number} ns of CPU time for each of its requests */
function encoding (file) {
  const { readTargets } = require('../lib/target-files/target-file')
  const { ListReader } = require('../lib/target-files/target-list')
  const { Layout } = require('../lib/target-files/layout')
  const { serialize } = require('../lib/protocols/serialize')
  const { parseTarget } = require('../lib/requests/target')
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

/** @returns {number} ms until a parser has read each of its lines */
function parsing (file) {
  const bytes = fs.readFileSync(file)
  const before = performance.now()
  for (let at = 0, end; at < bytes.length; at = end + 1) {
    end = bytes.indexOf('\n', at)
    JSON.parse(bytes.toString('utf8', at, end))
  }
  return performance.now() - before
}

start(main)
