'use strict'

// How fast is sent when a rate is given. What is held: nothing is sent before it is due, and the connections take turns.
// How late a busy machine is, is not held.

const t = require('tap')
const { performance } = require('node:perf_hooks')
const { serve } = require('../../helpers/servers/http-server')
const { rawServer } = require('../../helpers/servers/raw-server')
const { conserves } = require('../../helpers/results/conservation')
const { run, byConnection } = require('../modes')

/** Timers may fire this much early, in ms. */
const EARLY = 3

/**
 * @param {any} t
 * @param {(response: import('node:http').ServerResponse) => void} [respond]
 */
async function clocked (t, respond = response => response.end()) {
  /** @type {number[]} */
  const times = []
  const server = await serve(t, (request, response) => {
    times.push(performance.now())
    respond(response)
  })
  return Object.assign(server, { times })
}

/**
 * @param {any} t
 * @param {number[]} times of requests
 * @param {number} start before the first was due
 * @param {number} rate per second
 */
function neverEarly (t, times, start, rate) {
  const early = times.map((time, i) => start + i / rate * 1000 - time)
  t.ok(Math.max(...early) <= EARLY, `no request comes before it is due: ${Math.max(...early)} ms early at most`)
}

/**
 * Over two seconds and more, in which a hiccup of the machine is little.
 * @param {any} t
 * @param {number[]} times
 */
function even (t, times) {
  const first = times[0]
  const middle = (times[times.length / 2 | 0] - first) / (times[times.length - 1] - first)
  t.ok(middle > 0.2 && middle < 0.8, `half of the requests take ${Math.round(middle * 100)} % of the time`)
}

t.test('overallRate is the rate of all connections together, evenly', async t => {
  const server = await clocked(t)
  const start = performance.now()
  const result = await run({ url: server.url, connections: 4, overallRate: 50, amount: 120 })
  t.equal(server.times.length, 120)
  neverEarly(t, server.times, start, 50)
  even(t, server.times)
  conserves(t, result)
})

t.test('connectionRate is the rate of each connection', async t => {
  const server = await clocked(t)
  const start = performance.now()
  const result = await run({ url: server.url, connections: 3, connectionRate: 20, amount: 135 })
  neverEarly(t, server.times, start, 60)
  even(t, server.times)
  t.ok(result.duration >= 134 / 60 - EARLY / 1000)
  conserves(t, result)
})

t.test('connectionRate takes precedence over overallRate', async t => {
  const server = await clocked(t)
  const start = performance.now()
  const result = await run({ url: server.url, connections: 2, connectionRate: 20, overallRate: 100_000, amount: 20 })
  neverEarly(t, server.times, start, 40)
  conserves(t, result)
})

t.test('the connections take turns', async t => {
  const server = await rawServer(t, connection => {
    const counts = server.connections.map(({ requests }) => requests.length)
    spread.push(Math.max(...counts) - Math.min(...counts))
    connection.send('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
  })
  /** @type {number[]} */
  const spread = []
  const result = await run({ url: server.url, connections: 5, overallRate: 100, amount: 50 })
  t.equal(spread.length, 50)
  t.ok(spread.filter(ahead => ahead <= 2).length >= 40, `no connection runs ahead: ${Math.max(...spread)} at most`)
  conserves(t, result)
})

t.test('an amount is divided over the connections and sent at the rate', async t => {
  const server = await clocked(t)
  const start = performance.now()
  const result = await run({ url: server.url, connections: 10, overallRate: 170, amount: 50 })
  t.equal(server.connections, 10)
  t.equal(server.requests.length, 50)
  t.strictSame(byConnection(server.requests).map(({ length }) => length), new Array(10).fill(5))
  neverEarly(t, server.times, start, 170)
  conserves(t, result)
})

t.test('a rate that can not be met sends as much as can be', async t => {
  const server = await clocked(t, response => setTimeout(() => response.end(), 5))
  const result = await run({ url: server.url, connections: 2, overallRate: 100_000, amount: 30 })
  t.equal(server.requests.length, 30)
  t.equal(result.errors, 0)
  conserves(t, result)
})

t.test('with a rate latency counts from when a request was due, with ignoreCoordinatedOmission from the write', async t => {
  const server = await clocked(t, response => setTimeout(() => response.end(), 20))
  const opts = { url: server.url, connections: 1, overallRate: 500, amount: 20 }
  const due = await run(opts)
  const written = await run({ ...opts, ignoreCoordinatedOmission: true })
  t.ok(due.latency.average > 3 * written.latency.average, `${due.latency.average} ms against ${written.latency.average} ms`)
  t.ok(due.latency.max > due.latency.min * 3, 'each waits for all before it')
  t.equal(due.latency.totalCount, 20, 'no latency is made up')
  conserves(t, due)
  conserves(t, written)
})

t.test('ignoreCoordinatedOmission makes no difference without a rate', async t => {
  const server = await clocked(t)
  const result = await run({ url: server.url, connections: 2, amount: 20, ignoreCoordinatedOmission: true })
  t.equal(result.requests.total, 20)
  conserves(t, result)
})

t.test('a rate may be a fraction', async t => {
  const server = await clocked(t)
  const start = performance.now()
  const result = await run({ url: server.url, connections: 1, overallRate: 12.5, amount: 4 })
  neverEarly(t, server.times, start, 12.5)
  conserves(t, result)
})
