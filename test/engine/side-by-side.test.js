'use strict'

// Scenarios that run side by side: each with its own connections and its own pace, and all of one run.

const t = require('tap')
const { conserves } = require('../helpers/results/conservation')
const { begin, after, generatorOf, threadsOf } = require('./helpers/fake-load')

const visit = (name, own) => ({ name, requests: [{ path: `/${name}` }], ...own })
const even = opts => ({ pace: 'even', connections: undefined, ...opts })

/** When requests of each scenario were written. */
const sentOf = (logs, names) => Object.fromEntries(names.map((name, group) => [name, [logs].flat().flatMap(({ generator, sockets }) =>
  sockets.flatMap(({ times }, i) => generator.connections.all[i].group === group ? times.map(Math.round) : [])).sort((a, b) => a - b)]))

t.test('each scenario has its own connections and iterations at its own rate', async t => {
  const log = generatorOf(even({ duration: 1, scenarios: [visit('browse', { rate: '10 iterations/s', connections: 3 }), visit('buy', { rate: '4 iterations/s', connections: 2 })] }))
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
  const log = generatorOf(even({ duration: 1, scenarios: [visit('crowd', { connections: 2 }), visit('buy', { rate: '4 iterations/s', connections: 1 })] }))
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
  const log = generatorOf(even({ duration: 1, connections: 5, rate: '8 iterations/s', scenarios: [visit('a', { weight: 3 }), visit('b'), visit('c', { connections: 1, stages: ['1s:4iterations/s'] })] }))
  begin(log, after(10))
  log.time.pass(1000)
  t.equal(log.sockets.length, 5)
  const { byScenario, iterations } = log.result()
  t.strictSame([byScenario.a.started + byScenario.b.started, byScenario.c.started], [8, 2])
  t.ok(byScenario.a.started > byScenario.b.started)
  t.equal(iterations.neverStarted, 0)
  conserves(t, log.result())
})

t.test('a server that stalls: what never started is of those that arrive', async t => {
  const log = generatorOf({ connections: undefined, duration: 1, scenarios: [visit('browse', { rate: '10 iterations/s', connections: 3 }), visit('buy', { rate: '4 iterations/s', connections: 2 }), visit('crowd', { connections: 2 })] })
  begin(log)
  log.time.pass(1000)
  const result = log.result()
  t.match(result.iterations, { started: 7, due: 14, neverStarted: 7 + 2, waited: 0, target: 14, achieved: 5 })
  t.match(result.byScenario, { browse: { due: 10, neverStarted: 7, waited: 0, target: 10, achieved: 3 }, buy: { due: 4, neverStarted: 2, target: 4, achieved: 2 } })
  for (const key of ['due', 'target', 'wait']) t.notOk(key in result.byScenario.crowd, 'who sends all the time has no rate')
  t.equal(result.requests.sent, 7)
  conserves(t, result)
})

t.test('how many waited is told of each scenario, and not of those that share a rate', async t => {
  const log = generatorOf(even({ duration: 1, connections: 3, rate: '8 iterations/s', scenarios: [visit('a', { weight: 3 }), visit('b'), visit('slow', { connections: 1, rate: '10 iterations/s' })] }))
  begin(log, after(150))
  log.time.pass(1000)
  const { byScenario, iterations } = log.result()
  // Every 150 ms one begins that was due every 100 ms.
  t.match(byScenario.slow, { started: 7, due: 10, neverStarted: 3, waited: 6, wait: { min: 50, max: 300 } })
  for (const name of ['a', 'b']) t.notOk('due' in byScenario[name])
  t.match(iterations, { due: 18, neverStarted: 3, waited: 6, wait: { totalCount: 6 } })
  conserves(t, log.result())
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
    const opts = even({ duration: 1, scenarios: [visit('browse', { rate: '30 iterations/s', connections: 7 }), visit('buy', { rate: '4 iterations/s', connections: 1 }), visit('crowd', { connections: 4 })] })
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

/** Time passes; a new connection is open within 1 ms, and keeps which scenario its first request is of. */
function pass (logs, ms, serve) {
  for (let i = 0; i < ms; i++) {
    for (const socket of [logs].flat().flatMap(({ sockets }) => sockets)) {
      if (socket.came) continue
      const { write } = socket
      socket.came = true
      socket.write = bytes => {
        socket.scenario ??= /(?<= \/)\w+/.exec(bytes.toString())[0]
        return write.call(socket, bytes)
      }
      socket.ready(serve)
    }
    [logs].flat()[0].time.pass(1)
  }
}
const socketsOf = (logs, name) => [logs].flat().flatMap(({ sockets, attempts }) => sockets.map((socket, i) => ({ socket, at: attempts[i] }))).filter(({ socket }) => socket.scenario === name)
/** When its users came, and when the first request of each was sent. */
const cameOf = (logs, name) => socketsOf(logs, name).map(({ at }) => Math.round(at)).sort((a, b) => a - b)
const openOf = (logs, name) => socketsOf(logs, name).filter(({ socket }) => !socket.destroyed).length

t.test('a scenario whose users come and go by stages of its own', async t => {
  for (const threads of [1, 2, 3]) {
    for (const others of [[visit('steady', { connections: 2 })], [visit('steady', { connections: 2 }), visit('buy', { rate: '10 iterations/s', connections: 3 })], [visit('buy', { rate: '10 iterations/s', connections: 1 })], [visit('late', { stages: ['300ms:0', '100ms:2'] })], []]) {
      const opts = { connections: undefined, duration: 0.8, scenarios: [visit('crowd', { stages: ['400ms:4', '100ms:4', '0s:1', '100ms:1', '100ms:0'] }), ...others] }
      const logs = threadsOf(opts, threads)
      for (const { generator } of logs) generator.start()
      pass(logs, 20, after(5))
      if (threads > 1) for (const { generator } of logs) generator.beginAt(20)
      const start = threads > 1 ? 20 : logs[0].generator.shared.startedAt
      pass(logs, 450, after(5))
      const name = `${threads} generators beside ${others.map(({ name }) => name).join(' and ') || 'nobody'}`
      t.strictSame(cameOf(logs, 'crowd'), [0, 100, 200, 300].map(at => start + at), `${name}: each comes when the line reaches it`)
      t.equal(openOf(logs, 'crowd'), 4)
      t.ok(cameOf(logs, 'steady').every(at => at <= start))
      if (others[0]?.stages !== undefined) t.strictSame(cameOf(logs, 'late'), [300, 350].map(at => start + at))
      if (others.at(-1)?.rate !== undefined) t.ok(cameOf(logs, 'buy').every(at => at === 0), 'the load begins when connections with a rate are open')
      pass(logs, 70, after(5))
      t.equal(openOf(logs, 'crowd'), 1, 'a jump: who came last has left')
      pass(logs, 190, after(5))
      t.equal(openOf(logs, 'crowd'), 0)
      pass(logs, 400, after(5))
      t.ok(logs.every(({ generator }) => generator.ended))
      const started = logs.reduce((sum, log) => sum + log.result().byScenario.crowd.started, 0)
      t.ok(started > 300 && started < 330, `${started} iterations of users who send all the time they are there`)
      for (const log of logs) conserves(t, log.result())
    }
  }
})

t.test('its users begin at its connections, and are the same ones on any generator', async t => {
  const opts = { connections: undefined, seed: 3, duration: 1, scenarios: [{ name: 'crowd', connections: 2, stages: ['1s:5'], every: '200ms', requests: [{ path: '/crowd' }] }, visit('steady', { connections: 3, every: '200ms' })] }
  const sent = []
  for (const threads of [1, 2, 3]) {
    const logs = threadsOf(opts, threads)
    for (const { generator } of logs) generator.start()
    if (threads > 1) for (const { generator } of logs) generator.beginAt(0)
    pass(logs, 1001, after(5))
    sent.push(socketsOf(logs, 'crowd').flatMap(({ socket }) => socket.times).sort((a, b) => a - b))
    // The last one comes at 666.7 ms; when each begins an iteration is its number's.
    t.equal(socketsOf(logs, 'crowd').length, 5)
    for (const log of logs) conserves(t, log.result())
  }
  t.strictSame(sent[1], sent[0])
  t.strictSame(sent[2], sent[0])
})
