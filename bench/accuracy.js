'use strict'

// Do the figures agree with theory? Runs against servers whose behaviour is known, prints a table, and exits with 1 when a
// figure is out of its bound.
//
//   node bench/accuracy.js [--quick] [--only pacing,stall,…]
//   node bench/accuracy.js --only until,decided,verdicts --write   puts their tables into the documents that quote them
//   node bench/accuracy.js --peers [--in FOLDER]     the stall in other tools, those on the PATH or in the folder

const { start, readFlags, choose } = require('./program')
const { CASES, SIMULATED } = require('./accuracy/cases')
const { peers } = require('./accuracy/peers')
const { conclude, quoted } = require('./accuracy/rows')
const { commit, machine } = require('./machine')
const { rewrite, withBlock } = require('./markdown')

/** Bounds of times in a quick run: it has to pass on a machine that does other things, too. Counts stay exact. */
const QUICK_SLACK = 25

/** How often a case is run at the most, and how long all of that may take, ms. */
const RUNS = 3
const LONGEST = 120_000

async function main () {
  const { quick = false, only, write = false, ...values } = readFlags({ quick: 'boolean', only: 'text', write: 'boolean', peers: 'boolean', in: 'text' })
  const keys = choose(only, CASES.map(({ key }) => key))
  console.log(`${machine()}\n`)
  if (values.peers) return console.log(await peers(values.in))
  const chosen = CASES.filter(({ key, quick: cheap }) => keys.includes(key) && (cheap || !quick || only !== undefined))
  const conditions = { quick, slack: quick ? QUICK_SLACK : 1 }
  const done = []
  for (const { key, name, page, quoted, run } of chosen) {
    process.stderr.write(`${key} … `)
    const begun = performance.now()
    let rows = await run(conditions)
    let runs = 1
    // A core that somebody else took is not a fault of the figures: such a thing does not come each time, a fault does.
    while (rows.some(({ ok }) => !ok) && runs < RUNS && (performance.now() - begun) / runs * (runs + 1) < LONGEST) {
      for (const { figure, theory, measured, bound, ok } of rows) if (!ok) process.stderr.write(`${figure}: ${measured}, not ${theory} (${bound}); `)
      process.stderr.write('again … ')
      rows = await run(conditions)
      runs++
    }
    process.stderr.write(rows.every(({ ok }) => ok) ? '✓\n' : '✗\n')
    if (write && !quick && page !== undefined) quote(key, page, rows, quoted)
    done.push({ name: runs === 1 ? name : `${name} (run ${runs})`, rows })
  }
  conclude(done, `, after up to ${RUNS} runs`)
}

/**
 * @param {string} key of the case
 * @param {string} page
 * @param {import('./accuracy/rows').Row[]} rows
 * @param {typeof quoted} [render] of what is not simulated
 */
function quote (key, page, rows, render) {
  const command = `\`npm run bench:accuracy -- --only ${key} --write\``
  const block = render === undefined
    ? quoted(rows, `${new Date().toISOString().slice(0, 10)}, commit ${commit()}, ${SIMULATED.toLocaleString('en')} of each (${command}):`)
    : render(rows, `${machine()}, commit ${commit()} (${command}):`)
  rewrite(page, text => withBlock(text, `accuracy-${key}`, block))
}

start(main)
