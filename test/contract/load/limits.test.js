'use strict'

// How much is sent, over how many connections, and what ends a run.

const t = require('tap')
const { serve, closedPort } = require('../../helpers/servers/http-server')
const { rawServer, answer } = require('../../helpers/servers/raw-server')
const { conserves } = require('../../helpers/results/conservation')
const { inAllModes, overHttp1, withWorkers, run, byConnection } = require('../modes')

/**
 * @param {any} t
 * @param {Record<string, any>} opts
 * @param {RegExp} message
 */
const refuses = (t, opts, message) =>
  t.rejects(run({ url: 'http://127.0.0.1:1', amount: 1, ...opts }), { code: 'AC_OPTIONS', message })

/**
 * @param {Record<string, any>} opts
 * @returns {Promise<Record<string, any>>} the options of a run with their defaults
 */
async function optionsOf (opts) {
  const instance = run({ url: 'http://127.0.0.1:1', connections: undefined, timeout: undefined, ...opts })
  instance.stop()
  await instance
  return instance.opts
}

inAllModes(t, 'opens as many connections as asked for', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, connections: 6, amount: 60 })
  t.equal(server.connections, 6)
  t.strictSame(byConnection(server.requests).map(({ length }) => length), [10, 10, 10, 10, 10, 10])
  t.equal(result.connections, 6)
  conserves(t, result)
})

t.test('10 connections, no pipelining, 10 s, GET, and a timeout of 10 s when nothing is said', async t => {
  t.match(await optionsOf({}), { connections: 10, pipelining: 1, duration: 10, method: 'GET', timeout: 10 })
  const server = await serve(t)
  const result = await run({ url: server.url, connections: undefined, amount: 20 })
  t.equal(server.connections, 10)
  t.equal(result.connections, 10)
  t.equal(result.pipelining, 1)
})

t.test('undefined and null mean the default', async t => {
  t.match(await optionsOf({ connections: null, pipelining: null, duration: undefined, workers: null, amount: null }), { connections: 10, pipelining: 1, duration: 10 })
})

t.test('numbers may be given as text', async t => {
  t.match(await optionsOf({ connections: '3', pipelining: '2', timeout: '5' }), { connections: 3, pipelining: 2, timeout: 5 })
})

overHttp1(t, 'keeps as many requests in flight as pipelining says', async (t, mode) => {
  // It answers only when five wait for it.
  const server = await rawServer(t, (connection, { index }) => { if (index % 5 === 4) connection.send(answer().repeat(5)) })
  const result = await mode.run({ url: server.url, amount: 40, pipelining: 5 })
  t.equal(server.connections.length, 2)
  for (const { reads } of server.connections) t.equal(reads.reduce((a, b) => a + b), 20)
  t.equal(result.pipelining, 5)
  conserves(t, result)
})

inAllModes(t, 'without pipelining a connection waits for each answer', async (t, mode) => {
  let waiting = 0
  let most = 0
  const server = await serve(t, (request, response) => {
    most = Math.max(most, ++waiting)
    setImmediate(() => {
      waiting--
      response.end()
    })
  })
  const result = await mode.run({ url: server.url, amount: 40 })
  t.ok(most <= 2, 'one for each of the two connections')
  conserves(t, result)
})

inAllModes(t, 'ends when the duration is over', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, duration: 0.4, sampleInt: 60_000 })
  t.ok(result.duration >= 0.399, `${result.duration} s`)
  t.ok(result.duration < 60, 'not at the end of a sample')
  t.ok(result.fates.abandoned <= 2, 'what was in flight then is neither an answer nor an error')
  t.equal(result.errors, 0)
  conserves(t, result)
})

t.test('a duration may be a timestring', async t => {
  for (const [duration, seconds] of [['5', 5], ['1m30s', 90], ['2h', 7200], ['250ms', 0.25], [0.5, 0.5]]) {
    t.equal((await optionsOf({ duration })).duration, seconds)
  }
  for (const duration of ['soon', '', -1, 0, NaN, true]) await refuses(t, { duration }, /^duration: expected seconds or a time such as 1m30s/)
})

inAllModes(t, 'sends exactly the amount, however short the duration', async (t, mode) => {
  const server = await serve(t, (request, response) => setTimeout(() => response.end(), 2))
  const result = await mode.run({ url: server.url, amount: 101, duration: 0.001, connections: 4 })
  t.equal(server.requests.length, 101)
  t.strictSame(result.fates, { sent: 101, completed: 101, timedOut: 0, failed: 0, abandoned: 0 })
  conserves(t, result)
})

inAllModes(t, 'a run by amount ends as soon as it is answered', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, amount: 10, sampleInt: 60_000 })
  t.equal(result.requests.total, 10)
  t.ok(result.duration < 60, 'not at the end of a sample')
  conserves(t, result)
})

t.test('an amount below the number of connections is sent all the same', async t => {
  const server = await serve(t)
  const result = await run({ url: server.url, connections: 10, amount: 3 })
  t.equal(server.requests.length, 3)
  t.equal(result.connections, 3, 'as many as were opened')
  conserves(t, result)
})

inAllModes(t, 'sends at most maxConnectionRequests on each connection', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, connections: 4, maxConnectionRequests: 7 })
  t.strictSame(byConnection(server.requests).map(({ length }) => length), [7, 7, 7, 7])
  t.equal(result.requests.total, 28)
  conserves(t, result)
})

inAllModes(t, 'the amount takes precedence over maxConnectionRequests', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, maxConnectionRequests: 3, amount: 20 })
  t.equal(server.requests.length, 20)
  conserves(t, result)
})

t.test('sends at most maxOverallRequests in all', async t => {
  const server = await serve(t)
  const result = await run({ url: server.url, connections: 3, maxOverallRequests: 10 })
  t.equal(server.requests.length, 10)
  t.strictSame(byConnection(server.requests).map(({ length }) => length).sort(), [3, 3, 4])
  conserves(t, result)
})

inAllModes(t, 'maxConnectionRequests takes precedence over maxOverallRequests', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, maxConnectionRequests: 4, maxOverallRequests: 100 })
  t.equal(server.requests.length, 8)
  conserves(t, result)
})

t.test('refuses a maxOverallRequests below the number of connections', async t => {
  await refuses(t, { connections: 10, maxOverallRequests: 9, amount: undefined }, /^maxOverallRequests: .*at least one request for each of the 10 connections, got 9/)
})

inAllModes(t, 'makes a connection anew after reconnectRate requests, and counts every answer', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, amount: 20, reconnectRate: 3 })
  t.equal(server.connections, 8)
  t.strictSame(byConnection(server.requests).map(({ length }) => length).sort(), [1, 1, 3, 3, 3, 3, 3, 3])
  t.strictSame(result.fates, { sent: 20, completed: 20, timedOut: 0, failed: 0, abandoned: 0 })
  t.equal(result.errors, 0)
  conserves(t, result)
})

t.test('reconnectRate counts every answer of a pipeline, too', async t => {
  const server = await rawServer(t, answer())
  const result = await run({ url: server.url, amount: 20, reconnectRate: 4, pipelining: 3 })
  t.strictSame(server.connections.map(({ requests }) => requests.length), [4, 4, 4, 4, 4])
  t.equal(result.fates.completed, 20)
  conserves(t, result)
})

overHttp1(t, 'a request that takes longer than the timeout is given up, and its connection is made anew', async (t, mode) => {
  const server = await rawServer(t, [() => {}, () => {}, answer()])
  const result = await mode.run({ url: server.url, amount: 8, timeout: 0.3 })
  t.equal(server.connections.length, 4)
  t.strictSame(result.fates, { sent: 8, completed: 6, timedOut: 2, failed: 0, abandoned: 0 })
  t.equal(result.timeouts, 2)
  t.equal(result.errors, 2)
  conserves(t, result)
})

overHttp1(t, 'ends after bailout errors, with the result so far', async (t, mode) => {
  const server = await rawServer(t, (connection, { index }) => index < 3 ? connection.send(answer()) : connection.reset())
  const result = await mode.run({ url: server.url, method: 'POST', connections: mode.parts, bailout: 4, duration: 60, sampleInt: 60_000 })
  // A generator that has seen so many ends the run at once, and others with it.
  t.ok(result.errors >= 4 && result.errors <= 4 * mode.parts, `${result.errors} errors`)
  if (mode.parts === 1) t.equal(result.requests.total, 12)
  conserves(t, result)
  t.equal(result.bailedOut, true, 'and says so')
})

withWorkers(t, 'ends after bailout errors of all workers together', async (t, mode) => {
  // One connection has so many, and others have none.
  const server = await rawServer(t, (connection, { index }) => { if (connection.index > 0 || index < 3) connection.send(answer(connection.index > 0 ? 'right' : 'wrong')) })
  const alone = await mode.run({ url: server.url, connections: 2, bailout: 3, duration: 60, sampleInt: 60_000, expectBody: 'right' })
  t.equal(alone.mismatches, 3)
  t.equal(alone.bailedOut, true, 'those of one end all')
  conserves(t, alone)
  const both = await rawServer(t, (connection, { index }) => { if (index < 3) connection.send(answer('wrong')) })
  const together = await mode.run({ url: both.url, connections: 2, bailout: 6, duration: 60, sampleInt: 100, expectBody: 'right' })
  t.equal(together.mismatches, 6, 'three of each')
  t.equal(together.bailedOut, true)
  conserves(t, together)
})

inAllModes(t, 'mismatches count towards bailout', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, connections: mode.parts, bailout: 5, duration: 60, sampleInt: 60_000, expectBody: 'something else' })
  t.ok(result.mismatches >= 5 && result.mismatches <= 5 * mode.parts, `${result.mismatches} mismatches`)
  t.equal(result.errors, 0)
  t.equal(result.requests.total, result.mismatches)
  conserves(t, result)
})

t.test('mismatches and errors count towards bailout together', async t => {
  const server = await rawServer(t, (connection, { index }) => index < 2 ? connection.send(answer('wrong')) : connection.reset())
  const result = await run({ url: server.url, method: 'POST', bailout: 4, verifyBody: () => false })
  t.equal(result.errors + result.mismatches, 4)
  conserves(t, result)
})

overHttp1(t, 'without bailout no number of errors ends a run', async (t, mode) => {
  const server = await rawServer(t, connection => connection.reset())
  const result = await mode.run({ url: server.url, amount: 12 })
  t.strictSame(result.fates, { sent: 12, completed: 0, timedOut: 0, failed: 12, abandoned: 0 })
  t.equal(result.errors, 12)
  conserves(t, result)
})

inAllModes(t, 'an attempt to connect that fails is one error, and of an amount one for each request of the pipeline', async (t, mode) => {
  const url = `http://127.0.0.1:${await closedPort()}`
  const result = await mode.run({ url, amount: 12, pipelining: 3 })
  t.equal(result.errors, 12)
  t.strictSame(result.errorCodes, { ECONNREFUSED: 12 })
  t.equal(result.requests.sent, 0)
  conserves(t, result, { neverSent: 12 })
  const timed = await mode.run({ url, connections: 1, workers: undefined, duration: 0.15, pipelining: 100 })
  // At 0, 10, 30, 70 and 150 ms.
  t.ok(timed.errors >= 1 && timed.errors <= 5, `${timed.errors} errors`)
  conserves(t, timed, { neverSent: timed.errors })
})

t.test('refuses numbers that make no sense, and says what is allowed', async t => {
  for (const name of ['connections', 'pipelining', 'amount', 'bailout', 'maxConnectionRequests', 'maxOverallRequests', 'reconnectRate', 'workers', 'sampleInt']) {
    for (const value of [0, -1, 1.5, 'x', {}, NaN]) await refuses(t, { [name]: value }, new RegExp(`^${name}: expected a whole number, at least 1`))
  }
  for (const name of ['connectionRate', 'overallRate']) {
    for (const value of [0, -1, 'x', NaN]) await refuses(t, { [name]: value }, new RegExp(`^${name}: expected a number, more than 0`))
  }
  for (const value of [0, -1, 'x', NaN]) await refuses(t, { timeout: value }, /^timeout: expected seconds/)
})

t.test('reports every problem at once', async t => {
  await refuses(t, { connections: 0, amount: 'x', method: '' }, /^connections: .*\namount: .*\nmethod: /s)
})
