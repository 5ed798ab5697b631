'use strict'

// The figures of a run begin later than its load. The clock and the server are the test's.

const t = require('tap')
const { conserves } = require('../helpers/results/conservation')
const { randomFrom } = require('../../lib/core/random')
const { generatorOf, begin, after, ANSWER } = require('./helpers/fake-load')

t.test('what was sent and answered before is in no figure, and what is in flight then counts as sent', async t => {
  const log = generatorOf({ connections: 2, duration: 3, skipFirst: 1 })
  begin(log, after(300))
  log.time.pass(3000)
  t.ok(log.generator.ended)
  // Each answers at 300, 600, 900 ms, …: two requests of 900 ms are in flight after 1 s.
  const result = log.result()
  t.strictSame(result.skipped, { seconds: 1, requests: 6, inFlight: 2, resent: 0 })
  t.match(result, { duration: 2, requests: { total: 12, sent: 14, average: 6 }, fates: { abandoned: 2 }, latency: { totalCount: 12, min: 300, max: 300 } })
  t.strictSame(log.snapshots.map(({ sample, from, to, completed }) => [sample, from, to, completed]), [[0, 0, 1000, 6], [1, 1000, 2000, 6], [2, 2000, 2000, 0]].slice(0, log.snapshots.length), 'times are those of the figures')
  conserves(t, result, { arrived: log.sockets.reduce((sum, { requests }) => sum + requests, 0) - 6 })
})

t.test('errors, bytes, statuses, connections and latencies of the start are left out, too', async t => {
  const log = generatorOf({ connections: 2, duration: 3, skipFirst: 1, timeout: 0.5 })
  log.generator.start()
  log.sockets[0].ready()
  log.sockets[1].emit('error', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
  log.time.pass(900)
  t.equal(log.snapshots.length, 0, 'no sample ends before')
  for (const socket of log.sockets.slice(2)) if (!socket.destroyed) socket.ready(after(100))
  log.time.pass(2100)
  const result = log.result()
  t.match(result, { errors: 0, timeouts: 0, errorCodes: {}, connect: { totalCount: 0 }, latency: { max: 100 } })
  t.equal(result.skipped.requests, 1, 'the one that timed out')
  conserves(t, result, { arrived: result.requests.sent })
})

t.test('with a rate, what is due goes on, and its ratio is that of the figures', async t => {
  const log = generatorOf({ rate: 100, connections: 5, duration: 3, skipFirst: 1 })
  begin(log, after(25))
  log.time.pass(3000)
  const result = log.result()
  t.strictSame(result.skipped, { seconds: 1, requests: 98, inFlight: 2, resent: 0 }, 'that of 1,000 ms is part of the figures')
  t.match(result.rate, { target: 100, achieved: 100, ratio: 1, sent: 202, late: 0, unsent: 0 })
  conserves(t, result, { arrived: 202 })
})

t.test('with a rate that the server does not keep up with, what was due before and is sent later is late', async t => {
  const log = generatorOf({ rate: 100, connections: 1, duration: 3, skipFirst: 1 })
  begin(log, after(20))
  log.time.pass(3000)
  const result = log.result()
  t.match(result.rate, { achieved: 50, ratio: 0.5 })
  t.equal(result.rate.sent + result.rate.unsent + result.skipped.requests, 300, 'each that was due is somewhere, once')
  conserves(t, result, { arrived: result.requests.sent })
})

t.test('an amount is that of the whole run', async t => {
  const log = generatorOf({ amount: 50, connections: 2, skipFirst: 1 })
  begin(log, after(100))
  log.time.pass(5000)
  t.ok(log.generator.ended)
  const result = log.result()
  t.match(result, { skipped: { seconds: 1, requests: 18, inFlight: 2 }, requests: { total: 32, sent: 32 } }, 'answers that come at 1 s come after the timer of the figures')
  conserves(t, result, { arrived: 32 })
})

t.test('a run that ends before its figures begin has none', async t => {
  for (const [name, opts, end] of [['stopped', { duration: 3 }, log => log.generator.stop()], ['out of requests', { amount: 4 }, () => {}]]) {
    const log = generatorOf({ connections: 2, skipFirst: 2, ...opts })
    begin(log, after(100))
    log.time.pass(450)
    end(log)
    t.ok(log.generator.ended, name)
    t.equal(log.snapshots.length, 1)
    const result = log.result()
    t.match(result, { duration: 0, requests: { total: 0 }, latency: { totalCount: 0 } })
    t.equal(result.skipped.requests + result.fates.abandoned, log.sockets.reduce((sum, { requests }) => sum + requests, 0), 'every request is told of')
    conserves(t, result, { arrived: result.requests.sent })
  }
})

t.test('bailout counts from the start of the load', async t => {
  const log = generatorOf({ connections: 1, duration: 3, skipFirst: 1, bailout: 3, timeout: 0.1 })
  begin(log)
  for (let i = 0; i < 40 && !log.generator.ended; i++) {
    log.time.pass(50)
    log.sockets.at(-1).ready()
  }
  t.ok(log.generator.ended)
  t.equal(log.result().skipped.requests, 3)
})

t.test('whatever happens when, each request has one fate and is in the figures or before them', async t => {
  const random = randomFrom(3)
  for (let run = 0; run < 60; run++) {
    const opts = [{ duration: 2 }, { amount: 40 }, { duration: 2, rate: 50 }, { duration: 2, connectionRate: 20 }][run % 4]
    const log = generatorOf({ connections: 3, pipelining: 1 + run % 3, timeout: 0.3, sampleInt: 200, skipFirst: 0.05 + 1.8 * random(), ...opts })
    log.generator.start()
    for (let step = 0; step < 120 && !log.generator.ended; step++) {
      log.time.pass(40 * random())
      const socket = log.sockets[Math.floor(random() * log.sockets.length)]
      if (socket.destroyed) continue
      if (socket.requests === 0 && random() < 0.5) socket.ready()
      else if (random() < 0.05) socket.emit('end')
      else if ((socket.completed ?? 0) < socket.requests) {
        socket.completed = (socket.completed ?? 0) + 1
        socket.read(ANSWER)
      }
    }
    log.generator.stop()
    const result = log.result()
    const { sent, completed, timedOut, failed, abandoned } = result.fates
    t.equal(sent, completed + timedOut + failed + abandoned)
    t.equal(sent + result.resent + result.skipped.requests <= log.sockets.reduce((sum, { requests }) => sum + requests, 0), true)
    t.ok(result.skipped.inFlight <= sent)
    t.equal(log.snapshots.filter(({ skipped }) => skipped !== null).length, 1, 'it is told once')
  }
})
