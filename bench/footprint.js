'use strict'

// Memory and start-up: what a run holds, and what it costs before the first request. Exits with 1 when a figure is above
// its bound or could not be measured.
//
//   node bench/footprint.js [--long 60] [--short 10]

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const path = require('node:path')
const { start, readFlags } = require('./program')
const { onClientCore, onServerCore } = require('./peers/cores')
const { measure } = require('./peers/cost')
const { startOwn } = require('./peers/server')
const { findTools, NINE } = require('./peers/tools')
const { Bounds, best, runOf } = require('./run')

const OURS = path.join(__dirname, '..')
const MIB = 2 ** 20
/** A user function that sends a request and pauses for a second. */
const PAUSING = path.join(__dirname, 'peers/pausing.mjs')

async function main () {
  const { long = 60, short = 10 } = readFlags({ long: 'positive', short: 'positive' })
  const { missing } = findTools(['autocannon 9'])
  if (missing.length > 0) console.log('Missing here: autocannon 9\n')
  const server = await startOwn(onServerCore())
  const url = `http://127.0.0.1:${server.plain}`
  const bounds = new Bounds()
  const row = (name, figure, bound, unit, beside = '') => bounds.row(name, figure, unit === '×' ? 2 : 0, unit, bound, beside)
  try {
    console.log('| figure | ours | bound | autocannon 9 |\n|---|---|---|---|')
    const [shortRun, longRun] = [await run(OURS, { url, connections: 100, duration: short }), await run(OURS, { url, connections: 100, duration: long })]
    row(`RSS at the end of ${long} s beyond that of ${short} s`, (longRun.rss - shortRun.rss) / MIB, 5, 'MiB')

    const many = { url, connections: 1000, duration: 5 }
    row('highest RSS, 1,000 connections', (await run(OURS, many)).highest / MIB, 110, 'MiB', await beside(many, ({ highest }) => `${(highest / MIB).toFixed(0)} MiB`))

    // Of the command: it keeps the young generation of V8 small, which a library has no right to.
    const most = await command(['-c', '10000', '-d', '5', url])
    row('highest RSS, 10,000 connections', most.rss / MIB, 90, 'MiB')

    const idle = await command(['-c', '10000', '-d', '8', '--pause', '1s', url])
    const functions = await command(['-c', '10000', '-d', '8', '-u', PAUSING, url])
    row('10,000 user functions that pause, highest RSS beyond that of 10,000 connections that do', (functions.rss - idle.rss) / MIB, 60, 'MiB')

    const quiet = spawn(...split([...onServerCore(), process.execPath, path.join(__dirname, 'peers/websocket-idle.js')]), { stdio: ['ignore', 'pipe', 'inherit'] })
    const port = String((await once(quiet.stdout, 'data'))[0]).trim()
    const pinged = await command(['-c', '10000', '-d', '35', '--receive', '--ping', '30s', `ws://127.0.0.1:${port}/`])
    quiet.kill()
    row('highest RSS, 10,000 idle WebSocket connections with a ping every 30 s', pinged.rss / MIB, 120, 'MiB')

    const sequences = { url, connections: 200, duration: 1, requests: Array.from({ length: 2000 }, (_, i) => ({ path: `/${i}` })) }
    const started = await run(OURS, sequences)
    const other = await beside(sequences, ({ firstAfter, highest }) => `${firstAfter.toFixed(0)} ms, ${(highest / MIB).toFixed(0)} MiB`)
    row('200 connections with 2,000 requests each: until the first response', started.firstAfter, 300, 'ms', other)
    row('200 connections with 2,000 requests each: highest RSS', started.highest / MIB, 150, 'MiB')

    const empty = await cheapest([process.execPath, '-e', '0'])
    row('`autocannon --help`, CPU time beside `node -e 0`', await cheapest([process.execPath, path.join(OURS, 'bin/autocannon.js'), '--help']) / empty, 2.5, '×',
      missing.length > 0 ? '' : `${(await cheapest([process.execPath, path.join(NINE, 'autocannon.js'), '--help']) / empty).toFixed(2)} ×`)
  } finally {
    server.stop()
  }
  async function beside (options, show) {
    return missing.length > 0 ? '' : show(await run(NINE, options))
  }
  bounds.end()
}

/** Returns as `spawn` takes it. */
const split = ([command, ...rest]) => [command, rest]

const run = (folder, options) => runOf(options, { first: true, folder })

/** @param {string[]} argv of the command line */
function command (argv) {
  return measure([...onClientCore(), process.execPath, path.join(OURS, 'bin/autocannon.js'), '--json', ...argv])
}

const cheapest = command => best(15, async () => (await measure([...onClientCore(), ...command])).cpu)

start(main)
