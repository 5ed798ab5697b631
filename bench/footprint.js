'use strict'

// Memory and start-up: what a run holds, and what it costs before the first request. Exits with 1 when a figure is above
// its bound or could not be measured.
//
//   node bench/footprint.js [--long 60] [--short 10] [--only TEXT]
//
// --only runs only rows with a name that contains TEXT.

const path = require('node:path')
const { start, readFlags, Problem } = require('./program')
const { onClientCore } = require('./peers/cores')
const { measure } = require('./peers/cost')
const { findTools, NINE } = require('./peers/tools')
const { FIRST, best, runOf, withBounds } = require('./run')

const OURS = path.join(__dirname, '..')
const MIB = 2 ** 20
/** A user function that sends a request and pauses for a second. */
const PAUSING = path.join(__dirname, 'peers/pausing.mjs')

async function main () {
  const { long = 60, short = 10, only = '' } = readFlags({ long: 'positive', short: 'positive', only: 'text' })
  let missing = ['autocannon 9']
  const beside = async (options, show) => missing.length > 0 ? '' : show(await run(NINE, options))
  const many = { connections: 1000, duration: 5 }
  const sequences = { connections: 200, duration: 1, requests: Array.from({ length: 2000 }, (_, i) => ({ path: `/${i}` })) }
  let started
  const startedOnce = url => (started ??= run(OURS, { url, ...sequences }))
  /** Name, bound, unit, and what returns the figure and that of autocannon 9. */
  const rows = [
    [`RSS at the end of ${long} s beyond that of ${short} s`, 5, 'MiB', async url => {
      const [shortRun, longRun] = [await run(OURS, { url, connections: 100, duration: short }), await run(OURS, { url, connections: 100, duration: long })]
      return [(longRun.rss - shortRun.rss) / MIB]
    }],
    ['highest RSS, 1,000 connections', 110, 'MiB', async url =>
      [(await run(OURS, { url, ...many })).highest / MIB, await beside({ url, ...many }, ({ highest }) => `${(highest / MIB).toFixed(0)} MiB`)]],
    // Of the command: it keeps the young generation of V8 small, which a library has no right to.
    ['highest RSS, 10,000 connections', 90, 'MiB', async url => [(await command(['-c', '10000', '-d', '5', url])).rss / MIB]],
    ['highest RSS, 10,000 connections of 2 workers', 135, 'MiB', async url =>
      [(await command(['-w', '2', '-c', '10000', '-d', '5', url])).rss / MIB]],
    ['10,000 user functions that pause, highest RSS beyond that of 10,000 connections that do', 60, 'MiB', async url => {
      const idle = await command(['-c', '10000', '-d', '8', '--pause', '1s', url])
      const functions = await command(['-c', '10000', '-d', '8', '-u', PAUSING, url])
      return [(functions.rss - idle.rss) / MIB]
    }],
    ['highest RSS, 10,000 idle WebSocket connections with a ping every 30 s', 120, 'MiB', async (url, { echo }) =>
      [(await command(['-c', '10000', '-d', '35', '--receive', '--ping', '30s', `ws://127.0.0.1:${echo}/`])).rss / MIB]],
    ['200 connections with 2,000 requests each: until the first response', 300, 'ms', async url => [
      (await startedOnce(url)).firstAfter,
      await beside({ url, ...sequences }, ({ firstAfter, highest }) => `${firstAfter.toFixed(0)} ms, ${(highest / MIB).toFixed(0)} MiB`)
    ]],
    ['200 connections with 2,000 requests each: highest RSS', 150, 'MiB', async url => [(await startedOnce(url)).highest / MIB]],
    ['`autocannon --help`, CPU time beside `node -e 0`', 2.5, '×', async () => {
      const empty = await cheapest([process.execPath, '-e', '0'])
      return [
        await cheapest([process.execPath, path.join(OURS, 'bin/autocannon.js'), '--help']) / empty,
        missing.length > 0 ? '' : `${(await cheapest([process.execPath, path.join(NINE, 'autocannon.js'), '--help']) / empty).toFixed(2)} ×`
      ]
    }]
  ]
  const chosen = rows.filter(([name]) => name.includes(only))
  if (chosen.length === 0) throw new Problem(`no row has "${only}" in its name; there are: ${rows.map(([name]) => name).join('; ')}`)
  missing = findTools(['autocannon 9']).missing
  if (missing.length > 0) console.log('Missing here: autocannon 9\n')
  await withBounds(async (url, bounds, folder, ports) => {
    for (const [name, bound, unit, figures] of chosen) {
      const [figure, other = ''] = await figures(url, ports)
      bounds.row(name, figure, unit === '×' ? 2 : 0, unit, bound, other)
    }
  }, ['autocannon 9'])
}

const run = (folder, options) => runOf(options, { look: FIRST, folder })

/** @param {string[]} argv of the command line */
function command (argv) {
  return measure([...onClientCore(), process.execPath, path.join(OURS, 'bin/autocannon.js'), '--json', ...argv])
}

const cheapest = command => best(15, async () => (await measure([...onClientCore(), ...command])).cpu)

start(main)
