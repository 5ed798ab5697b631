'use strict'

// A generator whose thread stands still for a while, with exact times. test/hostile/suspend.test.js does it to a process.

const t = require('tap')
const { generatorOf, begin, after, ANSWER } = require('./helpers/fake-load')
const { conserves } = require('../helpers/results/conservation')

t.test('a stall', async t => {
  t.test('is no latency: a request in flight goes on where it was', async t => {
    const log = generatorOf({ duration: 100 })
    begin(log)
    log.time.pass(40)
    // The event loop asks for the time at least as often as the sweep does.
    log.generator.now()
    log.time.ms += 3000
    log.sockets[0].read(ANSWER)
    log.generator.stop()
    const result = log.result()
    t.equal(result.latency.max, 40)
    t.equal(log.snapshots.at(-1).usage.stalledMs, 3000)
    conserves(t, result)
  })

  t.test('is no timeout, of a request or of a connection', async t => {
    for (const ready of [true, false]) {
      const log = generatorOf({ duration: 100, timeout: 2 })
      if (ready) begin(log)
      else log.generator.start()
      log.time.pass(1950)
      log.time.block(5000)
      log.time.turn()
      t.strictSame(log.sockets.map(({ destroyed }) => destroyed), [false])
      log.time.pass(200)
      log.time.turn()
      t.equal(log.sockets[0].destroyed, true, 'the rest of the time counts')
      log.generator.stop()
      t.match(log.total, ready ? { timedOut: 1 } : { AC_CONNECT_TIMEOUT: 1 })
    }
  })

  t.test('brings no burst: a rate goes on where it was', async t => {
    for (const rate of [{ rate: 100 }, { overallRate: 100 }]) {
      const log = generatorOf({ ...rate, connections: 2, duration: 100 })
      begin(log, after(1))
      log.time.pass(105)
      const before = log.sockets.flatMap(({ times }) => times).length
      log.time.block(3000)
      log.time.pass(105)
      const times = log.sockets.flatMap(({ times }) => times).sort((a, b) => a - b)
      t.ok(times.length - before <= 12, `${times.length - before} requests in 105 ms after it`)
      log.generator.stop()
      const result = log.result()
      t.match(result.rate, { late: 0, unsent: 0 })
      t.ok(result.generator.lag.max < 20)
      conserves(t, result)
    }
  })

  t.test('does not make a run longer', async t => {
    const log = generatorOf({ duration: 2 })
    begin(log, after(10))
    log.time.pass(500)
    log.time.block(1400)
    log.time.pass(100)
    t.equal(log.generator.ended, true)
    const { to } = log.snapshots.at(-1)
    t.ok(to <= 600, `${to} ms of running`)
    conserves(t, log.result())
  })
})

t.test('a thread that is late reads what has arrived before it gives up on anything', async t => {
  const log = generatorOf({ connections: 2, duration: 100, timeout: 0.1 })
  begin(log)
  log.time.pass(5)
  log.time.block(500)
  t.strictSame(log.sockets.map(({ destroyed }) => destroyed), [false, false], 'nothing is judged yet')
  log.sockets[0].read(ANSWER)
  log.time.turn()
  t.strictSame(log.sockets.map(({ destroyed }) => destroyed), [false, true])
  log.generator.stop()
  t.match(log.total, { completed: 1, timedOut: 1 })
  conserves(t, log.result())
})
