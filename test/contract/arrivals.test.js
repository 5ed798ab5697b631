'use strict'

// Users that arrive at a rate, end to end.

const t = require('tap')
const { conserves } = require('../helpers/conservation')
const { serve } = require('../helpers/http-server')
const { inAllModes } = require('./modes')

inAllModes(t, 'rounds begin at a rate, whatever the server does', async (t, mode) => {
  const server = await serve(t, (request, response) => setTimeout(() => response.end('hi'), 20))
  const result = await mode.run({ url: server.url, connections: 20, rate: '100 rounds/s', duration: 1, scenarios: [{ name: 'visit', requests: [{ path: '/a' }, { path: '/b' }] }] })
  const { rounds, byScenario, requests, rate } = result
  t.equal(rate, undefined, 'requests come as fast as they are answered')
  t.equal(rounds.started + rounds.neverStarted, 100)
  t.equal(rounds.target, 100)
  t.equal(byScenario.visit.started, rounds.started)
  t.ok(requests.total > rounds.completed)
  t.equal(rounds.started, rounds.completed + rounds.cut + rounds.unfinished)
  t.ok(result.latency.min >= 15)
  conserves(t, result)
})

inAllModes(t, 'a round that waits for a connection counts from when it was due', async (t, mode) => {
  const server = await serve(t, (request, response) => setTimeout(() => response.end('hi'), 100))
  const result = await mode.run({ url: server.url, connections: 2, rate: '40 rounds/s', duration: 1 })
  const { rounds, latency } = result
  t.equal(rounds.started + rounds.neverStarted, 40)
  t.ok(rounds.neverStarted >= 10, 'two connections make 20 rounds/s at the most')
  t.ok(rounds.waited > 5)
  t.equal(rounds.wait.totalCount, rounds.waited)
  t.ok(rounds.duration.max > latency.max, 'the wait is in the duration of the round, and not in the latency of its request')
  conserves(t, result)
})

inAllModes(t, 'the command line has them as well, and says so', async (t, mode) => {
  const server = await serve(t, (request, response) => setTimeout(() => response.end('hi'), 100))
  const { code, stderr } = await mode.cli(['-c', '2', '-d', '1', '--rate', '60rounds/s', ...mode.workers === undefined ? [] : ['-w', String(mode.workers)], '--no-progress', server.url])
  t.equal(code, 0)
  t.match(stderr, /60 ?rounds\/s in all: users who arrive/)
  t.match(stderr, /rounds? waited until a connection was free/)
})
