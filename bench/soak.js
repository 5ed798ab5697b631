'use strict'

// Does it hold? Long and large loads against a server that counts, too; prints what was held and every figure with its
// bound, and exits with 1 when one is out of it.
//
//   node bench/soak.js [--minutes 10] [--only full,faults,waves,bodies,together,loop]

const { start, readFlags, choose } = require('./program')
const { machine } = require('./machine')
const markdown = require('./markdown')
const { table, format } = require('./accuracy/rows')
const { PARTS } = require('./soak/parts')

async function main () {
  const { minutes = 10, only } = readFlags({ minutes: 'positive', only: 'text' })
  const keys = choose(only, PARTS.map(({ key }) => key))
  const chosen = PARTS.filter(({ key }) => keys.includes(key))
  console.log(`${machine()}\n`)
  const done = []
  for (const { key, name, run } of chosen) {
    process.stderr.write(`${key} … `)
    const { rows, load } = await run(minutes)
    process.stderr.write(rows.every(({ ok }) => ok) ? '✓\n' : '✗\n')
    done.push({ name: name(minutes), rows, load })
  }
  console.log(held(done))
  console.log(`\n${table(done)}`)
  const wrong = done.flatMap(({ rows }) => rows).filter(({ ok }) => !ok).length
  console.log(wrong === 0 ? '\nEvery figure is within its bound.' : `\n${wrong} ${wrong === 1 ? 'figure is' : 'figures are'} out of bounds.`)
  if (wrong > 0) process.exitCode = 1
}

/** @returns {string} a Markdown table */
function held (done) {
  return markdown.table(['load', 'requests', 'connections', 'faults injected', 'requests lost'],
    done.map(({ name, load: { requests, connections, faults, lost } }) => [name, ...[requests, connections, faults, lost].map(format)]))
}

start(main)
