'use strict'

// Users that arrive: when each iteration begins, from when it counts, and what is said of those that waited or never began.

const t = require('tap')
const { conserves } = require('../../helpers/results/conservation')
const { ANSWER, begin, after, generatorOf, threadsOf } = require('../helpers/fake-load')

/** When requests were written, over all connections. */
const sentBy = logs => [logs].flat().flatMap(({ sockets }) => sockets.flatMap(({ times }) => times)).sort((a, b) => a - b)

const even = opts => ({ pace: 'even', ...opts })

t.test('an iteration begins when it is due, on a connection that is free; its requests follow each other at once', async t => {
  const log = generatorOf(even({ connections: 2, rate: '10 iterations/s', duration: 1, requests: [{ path: '/a' }, { path: '/b' }] }))
  begin(log, after(30))
  log.time.pass(1000)
  const times = sentBy(log).map(time => Math.round(time))
  t.strictSame(times, Array.from({ length: 10 }, (_, i) => [i * 100, i * 100 + 30]).flat())
  t.strictSame(log.sockets.map(({ requests }) => requests), [10, 10], 'in turn')
  const result = log.result()
  t.equal(result.rate, undefined)
  t.match(result.iterations, { started: 10, completed: 10, target: 10, achieved: 10, waited: 0, neverStarted: 0, pace: 'even' })
  conserves(t, result)
})

t.test('an iteration that is due while every user is busy waits, and counts from when it was due', async t => {
  // Each user takes 250 ms for an iteration: two of them 8 iterations/s, where 10 arrive.
  const log = generatorOf(even({ connections: 2, rate: '10 iterations/s', duration: 1 }))
  begin(log, after(250))
  log.time.pass(1000)
  const times = sentBy(log)
  const expected = []
  const free = [0, 0]
  for (let n = 0; n < 10; n++) {
    const start = Math.max(n * 100, Math.min(...free))
    free[free.indexOf(Math.min(...free))] = start + 250
    if (start < 1000) expected.push(start)
  }
  t.strictSame(times.map(Math.round), expected)
  const result = log.result()
  const waits = expected.map((start, n) => start - n * 100).filter(wait => wait > 0)
  t.equal(result.iterations.waited, waits.length)
  t.equal(result.iterations.neverStarted, 10 - expected.length)
  t.ok(Math.abs(result.iterations.wait.max - Math.max(...waits)) <= 1)
  t.ok(Math.abs(result.latency.max - 250) <= 2, 'the server took no longer for that')
  // An iteration that is not over and older than all that are is in the durations with its age.
  const ages = expected.map((start, n) => Math.min(start + 250, 1000) - n * 100)
  t.ok(Math.abs(result.iterations.duration.max - Math.max(...ages)) <= 2)
  conserves(t, result)
})

for (const threads of [1, 2, 3]) {
  t.test(`the same iterations arrive at ${threads} generators`, async t => {
    for (const opts of [{ rate: '100 iterations/s', duration: 0.5 }, { rate: '100 iterations/s', duration: 0.5, arrivals: 'poisson', seed: 7 }, { stages: ['100ms:100iterations/s', '300ms:100iterations/s', '100ms:0iterations/s'] }, { burst: '5 iterations/100ms', duration: 0.5 }]) {
      const alone = generatorOf(even({ connections: 30, ...opts }))
      begin(alone, after(5))
      alone.time.pass(500)
      const logs = threadsOf(even({ connections: 30, ...opts }), threads)
      for (const log of logs) begin(log, after(5))
      // Generators that begin together are told when.
      for (const { generator } of logs) if (generator.plan.together) generator.beginAt(0)
      logs[0].time.pass(560)
      const expected = sentBy(alone)
      // Of a constant rate, generators begin in step, at most one distance later.
      const [first] = sentBy(logs)
      const got = sentBy(logs).map(time => time - first + expected[0])
      t.equal(got.length, expected.length, JSON.stringify(opts))
      t.ok(got.every((time, i) => Math.abs(time - expected[i]) < 0.1), JSON.stringify(opts))
    }
  })
}

t.test('stages of iterations are exact to one iteration in any of them', async t => {
  const log = generatorOf(even({ connections: 50, stages: ['1s:40iterations/s', '500ms:40iterations/s', '0s:10iterations/s', '500ms:10iterations/s'] }))
  begin(log, after(1))
  log.time.pass(2000)
  const times = sentBy(log)
  const within = (from, to) => times.filter(time => time >= from && time < to).length
  t.strictSame([within(0, 1000), within(1000, 1500), within(1500, 2000)], [20, 20, 5])
  const result = log.result()
  t.strictSame(result.byStage.map(({ target, rate, count }) => [target.unit, rate, count]), [['iterations/s', undefined, 20], ['iterations/s', undefined, 20], ['iterations/s', undefined, 5]])
  const kept = (rate, due) => ({ target: rate, achieved: rate, ratio: 1, due, waited: 0, neverStarted: 0 })
  t.strictSame(result.byStage.map(({ iterations }) => iterations), [kept(20, 20), kept(40, 20), kept(10, 5)])
  conserves(t, result)
})

t.test('an iteration that waits, or never starts, is of the stage in which it was due; one that begins later was begun in that', async t => {
  // One connection makes 10 iterations/s: of 20 that are due in the first second 10 begin in it, and 10 in the second one, in which 5 are due.
  const stages = ['0s:20iterations/s', '1s:20iterations/s', '0s:5iterations/s', '1s:5iterations/s', '0s:2iterations/s', '500ms:2iterations/s']
  const log = generatorOf(even({ connections: 1, stages }))
  begin(log, after(100))
  log.time.pass(2500)
  const result = log.result()
  t.strictSame(result.byStage.map(({ iterations }) => iterations), [
    { target: 20, achieved: 10, ratio: 0.5, due: 20, waited: 19, neverStarted: 0 },
    { target: 5, achieved: 10, ratio: 2, due: 5, waited: 5, neverStarted: 0 },
    { target: 2, achieved: 10, ratio: 5, due: 1, waited: 0, neverStarted: 1 }
  ])
  conserves(t, result)

  const skipping = generatorOf(even({ connections: 1, stages, skipFirst: 0.5 }))
  begin(skipping, after(100))
  skipping.time.pass(2500)
  const { byStage } = skipping.result()
  t.match(byStage[0].iterations, { target: 20, achieved: 10 }, 'the part of it that is in the figures')
  conserves(t, skipping.result())
})

t.test('a dead server: no iteration begins', async t => {
  const log = generatorOf({ connections: 2, rate: '10 iterations/s', duration: 1 })
  log.generator.start()
  for (const socket of [...log.sockets]) socket.emit('error', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
  for (let i = 0; i < 20; i++) {
    log.time.pass(50)
    for (const socket of log.sockets) if (!socket.destroyed) socket.emit('error', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
  }
  const result = log.result()
  t.match(result.iterations, { started: 0, waited: 0, neverStarted: 10 })
  t.ok(result.errors > 0)
  conserves(t, result, { neverSent: result.errors })
})

t.test('a server that stalls: all users are busy, and what is due has never started', async t => {
  const log = generatorOf({ connections: 3, rate: '10 iterations/s', duration: 1 })
  begin(log)
  log.time.pass(1000)
  const result = log.result()
  t.match(result.iterations, { waited: 0, neverStarted: 7 })
  t.equal(result.requests.sent, 3)
  conserves(t, result)
})

t.test('a connection that is lost between iterations is no free user until it is there again', async t => {
  const log = generatorOf(even({ connections: 1, rate: '10 iterations/s', duration: 1 }))
  begin(log, after(10))
  log.time.pass(50)
  log.sockets[0].emit('end')
  t.equal(log.sockets.length, 2, 'it connects at once')
  log.time.pass(175)
  t.equal(sentBy(log).length, 1)
  log.sockets[1].ready(after(10))
  t.strictSame(sentBy(log), [0, 225], 'what waits begins as soon as it is there')
  log.time.pass(775)
  const result = log.result()
  t.match(result.iterations, { waited: 2, neverStarted: 0 })
  t.ok(Math.abs(result.iterations.wait.max - 125) < 1, 'since 100 ms')
  conserves(t, result)
})

t.test('what is late because of the generator is its lag, and no wait', async t => {
  const log = generatorOf(even({ connections: 5, rate: '100 iterations/s', duration: 1 }))
  begin(log, after(1))
  // Nothing is in flight meanwhile.
  log.time.pass(99.5)
  log.time.block(95)
  log.time.pass(805.5)
  const result = log.result()
  t.equal(result.iterations.waited, 0)
  t.ok(result.generator.lag.max > 80)
  t.ok(result.iterations.duration.max < 20)
  conserves(t, result)
})

t.test('by amount the run ends with the last request', async t => {
  const log = generatorOf({ connections: 2, rate: '10 iterations/s', amount: 7, requests: [{ path: '/a' }, { path: '/b' }] })
  begin(log, after(10))
  log.time.pass(3000)
  t.equal(log.ends, 1)
  const result = log.result()
  t.equal(result.requests.total, 7)
  t.equal(result.iterations.neverStarted, 0)
  conserves(t, result)
})

t.test('the start that is left out is in no figure of iterations', async t => {
  const log = generatorOf(even({ connections: 1, rate: '10 iterations/s', duration: 2, skipFirst: 1 }))
  // Busy for all of the first second.
  let served = 0
  begin(log, socket => log.time.at(served++ === 0 ? 990 : log.time.ms + 1, () => socket.read(ANSWER)))
  log.time.pass(2000)
  const result = log.result()
  t.match(result.iterations, { target: 10, neverStarted: 0 })
  conserves(t, result)
})

t.test('iterations may have pauses within', async t => {
  const log = generatorOf(even({ connections: 1, rate: '5 iterations/s', duration: 1, requests: [{ pause: '20ms' }, { path: '/a', pause: '50ms' }, { path: '/b' }] }))
  begin(log, after(10))
  log.time.pass(1000)
  t.strictSame(sentBy(log).map(Math.round), [20, 80, 220, 280, 420, 480, 620, 680, 820, 880])
  conserves(t, log.result())
})

t.test('who finds no row of data any more begins no iteration', async t => {
  const log = generatorOf(even({ connections: 2, rate: '10 iterations/s', duration: 2, data: { users: { rows: [{ id: 1 }, { id: 2 }, { id: 3 }], pick: 'once' } }, requests: [{ path: '/{{users.id}}' }] }))
  begin(log, after(20))
  log.time.pass(2000)
  t.equal(log.ends, 1)
  const { iterations, requests } = log.result()
  t.match([iterations.started, iterations.completed, requests.total], [3, 3, 3])
  conserves(t, log.result())
})

t.test('a run that is interrupted has told what was due until then', async t => {
  const log = generatorOf(even({ connections: 2, rate: '10 iterations/s', duration: 60 }))
  begin(log)
  log.time.pass(1050)
  log.generator.stop()
  const result = log.result()
  t.match(result.iterations, { started: 2, unfinished: 2, neverStarted: 9 })
  conserves(t, result)
})
