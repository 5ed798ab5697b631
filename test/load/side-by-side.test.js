'use strict'

// Scenarios that run side by side: each with its own connections and its own pace, and all of one run.

const t = require('tap')
const { conserves } = require('../helpers/conservation')
const { begin, after, generatorOf, threadsOf } = require('./fake-load')

const visit = (name, own) => ({ name, requests: [{ path: `/${name}` }], ...own })
const even = opts => ({ pace: 'even', connections: undefined, ...opts })

/** When requests of each scenario were written. */
const sentOf = (logs, names) => Object.fromEntries(names.map((name, group) => [name, [logs].flat().flatMap(({ generator, sockets }) =>
  sockets.flatMap(({ times }, i) => generator.connections.all[i].group === group ? times.map(Math.round) : [])).sort((a, b) => a - b)]))

t.test('each scenario has its own connections and rounds at its own rate', async t => {
  const log = generatorOf(even({ duration: 1, scenarios: [visit('browse', { rate: '10 rounds/s', connections: 3 }), visit('buy', { rate: '4 rounds/s', connections: 2 })] }))
  begin(log, after(20))
  log.time.pass(1000)
  t.equal(log.sockets.length, 5)
  t.strictSame(sentOf(log, ['browse', 'buy']), { browse: [0, 100, 200, 300, 400, 500, 600, 700, 800, 900], buy: [0, 250, 500, 750] })
  const result = log.result()
  t.match(result.byScenario, { browse: { started: 10, completed: 10 }, buy: { started: 4, completed: 4 } })
  t.equal(result.rate, undefined)
  conserves(t, result)
})

t.test('users who send as soon as they have their answers begin when the load does', async t => {
  const log = generatorOf(even({ duration: 1, scenarios: [visit('crowd', { connections: 2 }), visit('buy', { rate: '4 rounds/s', connections: 1 })] }))
  log.generator.start()
  for (const socket of log.sockets.slice(0, 2)) socket.ready(after(100))
  log.time.pass(500)
  t.strictSame(sentOf(log, ['crowd', 'buy']), { crowd: [], buy: [] }, 'one connection is still to come')
  log.sockets[2].ready(after(100))
  log.time.pass(1000)
  const { crowd, buy } = sentOf(log, ['crowd', 'buy'])
  t.strictSame([crowd[0], crowd.length, buy], [500, 20, [500, 750, 1000, 1250]])
  conserves(t, log.result())
})

t.test('those without a load of their own share the rest of the connections, and the rate', async t => {
  const log = generatorOf(even({ duration: 1, connections: 5, rate: '8 rounds/s', scenarios: [visit('a', { weight: 3 }), visit('b'), visit('c', { connections: 1, stages: ['1s:4rounds/s'] })] }))
  begin(log, after(10))
  log.time.pass(1000)
  t.equal(log.sockets.length, 5)
  const { byScenario, rounds } = log.result()
  t.strictSame([byScenario.a.started + byScenario.b.started, byScenario.c.started], [8, 2])
  t.ok(byScenario.a.started > byScenario.b.started)
  t.equal(rounds.neverStarted, 0)
  conserves(t, log.result())
})

t.test('a server that stalls: what never started is of those that arrive', async t => {
  const log = generatorOf({ connections: undefined, duration: 1, scenarios: [visit('browse', { rate: '10 rounds/s', connections: 3 }), visit('buy', { rate: '4 rounds/s', connections: 2 }), visit('crowd', { connections: 2 })] })
  begin(log)
  log.time.pass(1000)
  const result = log.result()
  t.match(result.rounds, { started: 7, neverStarted: 7 + 2 })
  t.equal(result.requests.sent, 7)
  conserves(t, result)
})

t.test('rates of requests side by side are the rate of the run', async t => {
  const log = generatorOf(even({ duration: 1, scenarios: [visit('a', { rate: 10, connections: 2 }), visit('b', { rate: 20, connections: 1 })] }))
  begin(log, after(200))
  log.time.pass(1000)
  const result = log.result()
  t.equal(result.byScenario.a.started, 10)
  t.equal(result.rate.sent + result.rate.unsent, 30)
  conserves(t, result)
})

for (const threads of [2, 3]) {
  t.test(`the same over ${threads} generators, each with its share`, async t => {
    const opts = even({ duration: 1, scenarios: [visit('browse', { rate: '30 rounds/s', connections: 7 }), visit('buy', { rate: '4 rounds/s', connections: 1 }), visit('crowd', { connections: 4 })] })
    const logs = threadsOf(opts, threads)
    for (const log of logs) begin(log, after(25))
    for (const { generator } of logs) generator.beginAt(0)
    logs[0].time.pass(1000)
    const { browse, buy, crowd } = sentOf(logs, ['browse', 'buy', 'crowd'])
    t.strictSame(browse, Array.from({ length: 30 }, (_, i) => Math.round(i * 1000 / 30)))
    t.strictSame(buy, [0, 250, 500, 750], 'by the one generator that has its connection')
    t.equal(crowd.length, 160)
    t.strictSame(logs.map(({ sockets }) => sockets.length), threads === 2 ? [6, 6] : [4, 4, 4])
    for (const log of logs) conserves(t, log.result())
  })
}
