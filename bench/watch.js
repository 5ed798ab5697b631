'use strict'

// What it costs to watch a server: the CPU time of the server per request with and without what its preload reports, in turns at the same rate, when it is
// busy and when it is idle; and how long the load stands still when the server is looked at, by the number of its processes. Linux.
//
//   node bench/watch.js [--seconds 4] [--rounds 5]

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { mkdtempSync, readFileSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const path = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')
const autocannon = require('..')
const { parseUsage } = require('../lib/server/process-family')
const { openWatch } = require('../lib/server/watch')
const { median } = require('./peers/paired')
const { start, readFlags } = require('./program')

const PRELOAD = require.resolve('../lib/server/preload/report-loop')
const SERVER = "require('http').createServer((request, response) => response.end('ok')).listen(0, '127.0.0.1', function () { console.log(this.address().port) })"

async function startServer (folder, isWatched, program) {
  const file = JSON.stringify(path.join(folder, 'server.loop'))
  const script = isWatched ? `require(${JSON.stringify(PRELOAD)}).reportLoop(${file}, action => action());${program}` : program
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  const [port] = await once(child.stdout, 'data')
  return { pid: child.pid, url: `http://127.0.0.1:${Number(port)}`, stop: () => process.kill(-child.pid, 'SIGKILL') }
}

const cpuMs = pid => parseUsage(readFileSync(`/proc/${pid}/stat`, 'latin1'), 1).ownMs

async function main () {
  const { seconds = 4, rounds = 5 } = readFlags({ seconds: 'positive', rounds: 'count' })
  const folder = mkdtempSync(path.join(tmpdir(), 'autocannon-watch-'))
  for (const [name, rate] of [['5,000 requests/s', 5000], ['idle', 0]]) {
    const shares = { false: [], true: [] }
    for (let round = 0; round < rounds; round++) {
      for (const isWatched of round % 2 === 0 ? [false, true] : [true, false]) {
        const { pid, url, stop } = await startServer(folder, isWatched, SERVER)
        if (rate > 0) await autocannon({ url, rate, duration: 1 })
        const before = cpuMs(pid)
        if (rate > 0) await autocannon({ url, rate, duration: seconds })
        else await sleep(seconds * 1000)
        shares[isWatched].push((cpuMs(pid) - before) / seconds / 10)
        stop()
      }
    }
    console.log(`server, ${name}: ${median(shares.false).toFixed(2)} % of a core, watched ${median(shares.true).toFixed(2)} % (${rounds} rounds each)`)
  }
  for (const processes of [1, 10, 100]) {
    const { pid, stop } = await startServer(folder, true, `for (let i = 1; i < ${processes}; i++) require('child_process').spawn('sleep', ['60']); ${SERVER}`)
    const watch = openWatch([], { pid, folder }, console.error)
    watch.begin(0, () => {})
    const took = []
    for (let i = 0; i < 30; i++) {
      await sleep(100)
      const from = performance.now()
      watch.look()
      took.push((performance.now() - from) * 1000)
    }
    watch.close()
    stop()
    console.log(`a look at ${processes} ${processes === 1 ? 'process' : 'processes'}: ${median(took).toFixed(0)} µs`)
  }
  rmSync(folder, { recursive: true })
}

start(main)
