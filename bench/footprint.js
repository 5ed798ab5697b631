'use strict'

// Memory and start-up: what a run holds, and what it costs before the first request. Exits with 1 when a figure is above
// its bound or could not be measured.
//
//   node bench/footprint.js [--long 60] [--short 10]

const path = require('node:path')
const { start, readFlags } = require('./program')
const { onClientCore, onServerCore } = require('./peers/cores')
const { measure } = require('./peers/cost')
const { startOwn } = require('./peers/server')
const { findTools, NINE } = require('./peers/tools')

const OURS = path.join(__dirname, '..')
const MIB = 2 ** 20

async function main () {
  const { long = 60, short = 10 } = readFlags({ long: 'positive', short: 'positive' })
  const { missing } = findTools(['autocannon 9'])
  if (missing.length > 0) console.log('Missing here: autocannon 9\n')
  const server = await startOwn(onServerCore())
  const url = `http://127.0.0.1:${server.plain}`
  const misses = []
  /**
   * @param {string} name
   * @param {number} figure
   * @param {number} bound
   * @param {string} unit
   * @param {string} [beside]
   */
  const row = (name, figure, bound, unit, beside = '') => {
    // Also when it could not be measured: NaN is within no bound.
    if (!(figure <= bound)) misses.push(name)
    console.log(`| ${name} | ${Number.isNaN(figure) ? 'not measured here' : `${figure.toFixed(unit === '×' ? 2 : 0)} ${unit}`} | ≤ ${bound} ${unit} | ${beside} |`)
  }
  try {
    console.log('| figure | ours | bound | autocannon 9 |\n|---|---|---|---|')
    const [shortRun, longRun] = [await run(OURS, { url, connections: 100, duration: short }), await run(OURS, { url, connections: 100, duration: long })]
    row(`RSS at the end of ${long} s beyond that of ${short} s`, (longRun.rss - shortRun.rss) / MIB, 5, 'MiB')

    const many = { url, connections: 1000, duration: 5 }
    row('highest RSS, 1,000 connections', (await run(OURS, many)).highest / MIB, 110, 'MiB', await beside(many, ({ highest }) => `${(highest / MIB).toFixed(0)} MiB`))

    // Of the command: it keeps the young generation of V8 small, which a library has no right to.
    const most = await command(['-c', '10000', '-d', '5', url])
    row('highest RSS, 10,000 connections', most.rss / MIB, 90, 'MiB')

    const sequences = { url, connections: 200, duration: 1, requests: Array.from({ length: 2000 }, (_, i) => ({ path: `/${i}` })) }
    const started = await run(OURS, sequences)
    const other = await beside(sequences, ({ firstAt, highest }) => `${firstAt.toFixed(0)} ms, ${(highest / MIB).toFixed(0)} MiB`)
    row('200 connections with 2,000 requests each: until the first response', started.firstAt, 300, 'ms', other)
    row('200 connections with 2,000 requests each: highest RSS', started.highest / MIB, 150, 'MiB')

    const empty = await cheapest([process.execPath, '-e', '0'])
    row('`autocannon --help`, CPU time beside `node -e 0`', await cheapest([process.execPath, path.join(OURS, 'bin/autocannon.js'), '--help']) / empty, 2.5, '×',
      missing.length > 0 ? '' : `${(await cheapest([process.execPath, path.join(NINE, 'autocannon.js'), '--help']) / empty).toFixed(2)} ×`)
  } finally {
    server.stop()
  }
  /**
   * @param {Record<string, unknown>} options
   * @param {(figures: Awaited<ReturnType<typeof run>>) => string} show
   */
  async function beside (options, show) {
    return missing.length > 0 ? '' : show(await run(NINE, options))
  }
  if (misses.length > 0) console.log(`\nOut of bounds: ${misses.join('; ')}`)
  process.exitCode = misses.length > 0 ? 1 : 0
}

/**
 * @param {string} folder of an autocannon
 * @param {Record<string, unknown>} options
 * @returns {Promise<{ rss: number, highest: number, firstAt: number }>} bytes at the end and at most; ms from the call to the first answer
 */
async function run (folder, options) {
  const script = `
    const autocannon = require(${JSON.stringify(folder)})
    const at = performance.now()
    let firstAt = 0
    const instance = autocannon(${JSON.stringify(options)})
    const first = () => { firstAt = performance.now() - at; instance.removeListener('response', first) }
    instance.on('response', first)
    instance.then(() => console.log(JSON.stringify({ rss: process.memoryUsage.rss(), firstAt })))`
  const { stdout, rss: highest } = await measure([...onClientCore(), process.execPath, '-e', script])
  return { ...JSON.parse(stdout), highest }
}

/** @param {string[]} argv of the command line */
function command (argv) {
  return measure([...onClientCore(), process.execPath, path.join(OURS, 'bin/autocannon.js'), '--json', ...argv])
}

/** @param {string[]} command */
async function cheapest (command) {
  let least = Infinity
  for (let i = 0; i < 15; i++) least = Math.min(least, (await measure([...onClientCore(), ...command])).cpu)
  return least
}

start(main)
