'use strict'

// The regression guard of the tests: what a request of a warm client costs beside one that only reads and writes
// (peers/floor.js). Exits with 1 when it costs too much.
//
//   node bench/guard.js [--rounds 8]
//
// Other programs and a host that takes the core away only ever raise what a request seems to cost. So each client says the
// median of what it cost in windows of 20 ms, both run in turns, the lowest of each counts, and rounds end as soon as the
// bound is met. With arguments of its own (ours|floor URL CONNECTIONS PIPELINING) this file is one of those clients.

const { start, readFlags, Problem } = require('./program')
const { CASES } = require('./peers/cases')
const { onClientCore, onServerCore } = require('./peers/cores')
const { measure } = require('./peers/cost')
const { startFloor } = require('./peers/floor')
const { startOwn, ANSWER } = require('./peers/server')
const { Recorder } = require('../lib/record/recorder')

/**
 * What ours may cost as a multiple of the floor, and how many requests a client has answered before it is warm. 1.12 and 1.26 are
 * measured on a machine that does nothing else; how the bounds were found stands in bench/README.md.
 */
const BOUNDS = {
  p1: { atMost: 1.4, warm: 20_000 },
  p10: { atMost: 1.6, warm: 100_000 }
}
const ROUNDS = 8
const CLIENTS = ['ours', 'floor']

const WINDOW_MS = 20
/** A warm client runs for so many windows more. */
const WINDOWS = 25
/** A window with fewer answers is one in which the client hardly ran. */
const LEAST = 20

async function main () {
  const { rounds = ROUNDS } = readFlags({ rounds: 'count' })
  const server = await startOwn(onServerCore())
  const url = `http://127.0.0.1:${server.plain}`
  try {
    for (const [name, { atMost }] of Object.entries(BOUNDS)) {
      const { connections, pipelining = 1 } = CASES[name].options
      const least = { ours: Infinity, floor: Infinity }
      let passed = false
      for (let round = 1; round <= rounds && !passed; round++) {
        for (const client of CLIENTS) {
          const command = [process.execPath, __filename, client, name, url, String(connections), String(pipelining)]
          least[client] = Math.min(least[client], Number((await measure([...onClientCore(), ...command])).stdout))
        }
        const ratio = least.ours / least.floor
        passed = ratio <= atMost
        console.log(`${passed ? '✓' : '✗'} ${name}: ${least.ours.toFixed(2)} µs, ${ratio.toFixed(2)} × the floor, at most ${atMost}`)
      }
      if (!passed) process.exitCode = 1
    }
  } finally {
    server.stop()
  }
}

/** Runs one client, and prints µs of CPU time per request. */
function runClient ([client, name, url, connections, pipelining]) {
  const load = { url, connections: Number(connections), pipelining: Number(pipelining) }
  const { warm } = BOUNDS[name]
  /** @type {number[]} µs per request in each window */
  const costs = []
  let count = 0
  let cpu = process.cpuUsage()
  /** @param {number} now answers so far */
  const look = now => {
    const { user, system } = process.cpuUsage(cpu)
    cpu = process.cpuUsage()
    if (count >= warm && now - count >= LEAST) costs.push((user + system) / (now - count))
    count = now
    if (costs.length < WINDOWS) return
    clearInterval(timer)
    stop()
    console.log(costs.sort((a, b) => a - b)[WINDOWS >> 1])
  }
  const { count: answers, stop } = client === 'floor' ? startFloor(load) : startOurs(load)
  const timer = setInterval(() => look(answers()), WINDOW_MS)
}

/** Ours as it is: what has been read tells how many answers there were, for a listener would cost something for each. */
function startOurs (load) {
  let bytes = 0
  const { read } = Recorder.prototype
  Recorder.prototype.read = function (size) {
    bytes += size
    read.call(this, size)
  }
  const instance = require('..')({ ...load, duration: 60 })
  instance.then(({ errors }) => { process.exitCode = errors > 0 ? 1 : 0 })
  return { count: () => bytes / ANSWER, stop: () => instance.stop() }
}

if (process.argv[2] === undefined || process.argv[2].startsWith('-')) start(main)
else if (CLIENTS.includes(process.argv[2])) runClient(process.argv.slice(2))
else throw new Problem(`There is no client ${process.argv[2]}`)
