'use strict'

// Does it hold? Long and large loads against a server that counts, too; prints what was held and every figure with its
// bound, and exits with 1 when one is out of it.
//
//   node bench/soak.js [--minutes 10] [--only full,faults,waves,bodies,together,loop]

const { start, readFlags, choose } = require('./program')
const { machine } = require('./machine')
const { table } = require('./markdown')
const { conclude, format } = require('./accuracy/rows')
const { PARTS } = require('./soak/parts')

async function main () {
  const { minutes = 10, only } = readFlags({ minutes: 'positive', only: 'text' })
  const keys = choose(only, PARTS.map(({ key }) => key))
  const chosen = PARTS.filter(({ key }) => keys.includes(key))
  console.log(`${machine()}\n`)
  const done = []
  for (const { key, name, run } of chosen) {
    process.stderr.write(`${key} … `)
    const part = { name: name(minutes), ...await run(minutes) }
    process.stderr.write(part.rows.every(({ ok }) => ok) ? '✓\n' : '✗\n')
    done.push(part)
  }
  console.log(`${table(['load', 'requests', 'connections', 'faults injected', 'requests lost'], done.map(part => [part.name, ...part.load.map(format)]))}\n`)
  conclude(done)
}

start(main)
