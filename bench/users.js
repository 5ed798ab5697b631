'use strict'

// What users cost that pause, beside connections without pauses that send as many requests per second; those who share HTTP/2 connections beside
// those of HTTP/1.1; and whether memory stays as it is while rounds go on. Exits with 1 when a figure is above its bound.
//
//   node bench/users.js [--rounds 5] [--seconds 60]

const { start, readFlags } = require('./program')
const { onServerCore } = require('./peers/cores')
const { startNginx } = require('./peers/server')
const { bestOfSides, runOf, withBounds } = require('./run')

/** Users are woken in any order, and connections with a rate in turn: of 10,000 what a user needs is in no cache. */
const BOUNDS = [{ connections: 1000, bound: 1.15 }, { connections: 10_000, bound: 1.5 }]
/** Requests per second, of all users together. */
const RATE = 10_000
/** s: the cost is that of the last half, when all connections are there. */
const LONG = 10

async function main () {
  const { rounds = 5, seconds = 60 } = readFlags({ rounds: 'count', seconds: 'positive' })
  console.log(`Cost in CPU time, the best of ${rounds} rounds\n`)
  await withBounds(async (url, bounds) => {
    for (const { connections, bound } of BOUNDS) {
      const mean = connections / RATE
      const sides = { users: { url, connections, pause: [mean / 2, mean * 3 / 2] }, connections: { url, connections, rate: RATE, pace: 'batched' } }
      const costs = await bestOfSides(rounds, sides, costOf)
      bounds.row(`a request of ${connections.toLocaleString('en')} users that pause, beside one at the same rate without pauses`, costs.users / costs.connections, 3, '×', bound)
    }
    const streams = await ofStreams(rounds)
    if (streams !== null) bounds.row('a request of 1,000 users on 10 HTTP/2 connections over TLS, beside one of as many HTTP/1.1 connections', streams, 3, '×', 0.5)
    const { perSecond, grown } = await runOf({ url, connections: 500, duration: seconds, pause: '90ms', scenarios: SCENARIOS }, { look: GROWTH })
    bounds.row(`heap that is left after ${seconds} s of ${Math.round(perSecond).toLocaleString('en')} rounds/s, beyond that after a third of it`, grown / 2 ** 20, 3, 'MiB', 1)
  })
}

/** @returns {Promise<number | null>} null without nginx, which speaks both */
async function ofStreams (rounds) {
  let server
  try {
    server = await startNginx(onServerCore())
  } catch (error) {
    console.log(`| users who share HTTP/2 connections: nginx ${/** @type {Error} */ (error).message} | – | |`)
    return null
  }
  try {
    const load = { url: `https://127.0.0.1:${server.h2}`, scenarios: SCENARIOS }
    const sides = { streams: { ...load, http: '2', connections: 10, pipelining: 100 }, connections: { ...load, connections: 1000 } }
    const { streams, connections } = await bestOfSides(rounds, sides, costOf)
    return streams / connections
  } finally {
    server.stop()
  }
}

/** @returns {Promise<number>} what a request costs */
async function costOf (options) {
  const { cost } = await runOf({ duration: LONG, ...options }, { look: COST })
  if (!(cost > 0)) throw new Error(`no answer in the last half of ${LONG} s: the machine is too busy`)
  return cost
}

/** Rounds of one request and of two, with a context and values of their own. */
const SCENARIOS = [
  { name: 'browse', weight: 9, requests: [{ path: '/' }] },
  { name: 'buy', weight: 1, requests: [{ path: '/{{counter}}', capture: { status: 'status' } }, { path: '/{{status}}' }] }
]

/** Says what a request costs, µs. */
const COST = `
  let answers = 0
  let used
  running.on('response', () => { answers++ })
  setTimeout(() => { used = process.cpuUsage(); answers = 0 }, load.duration * 500)
  setTimeout(() => { used = process.cpuUsage(used); told.cost = (used.user + used.system) / answers }, load.duration * 1000 - 200)`

/** Says how the heap grows, from a third of the run on to its end. */
const GROWTH = `
  require('node:v8').setFlagsFromString('--expose-gc')
  const gc = require('node:vm').runInNewContext('gc')
  let before
  setTimeout(() => { gc(); before = process.memoryUsage().heapUsed }, load.duration * 1000 / 3)
  setTimeout(() => { gc(); told.grown = process.memoryUsage().heapUsed - before }, load.duration * 1000 - 200)`

start(main)
