'use strict'

// Servers that are slow, silent or deaf, to the millisecond where a fake clock can tell.
//
// Which requests of a pipeline time out and which fail behind them, and answers that trickle in real time, are in
// test/engine/connection.test.js › timeouts and test/engine/generator.test.js › timeouts. A time-out of an idle connection that
// races with a write is in resend.test.js.

const t = require('tap')
const autocannon = require('../..')
const { rawServer, answer } = require('../helpers/servers/raw-server')
const { conserves } = require('../helpers/results/conservation')
const { generatorOf, begin, after, ANSWER } = require('../engine/helpers/fake-load')

/** One snapshot, so that its figures are those of the run. */
const WHOLE = { sampleInt: 3_600_000 }

/** Sends its answers one after another, one byte every 200 ms. */
function dripping () {
  let owed = 0
  let at = 0
  return socket => {
    if (owed++ > 0) return
    const drip = () => {
      if (socket.destroyed) return
      socket.read(ANSWER.subarray(at, at + 1))
      at = (at + 1) % ANSWER.length
      if (at === 0) owed--
      if (owed > 0) socket.time.loop.setTimeout(drip, 200)
    }
    socket.time.loop.setTimeout(drip, 200)
  }
}

t.test('one byte every 200 ms', async t => {
  const whole = 200 * ANSWER.length

  t.test('is an answer after as long as that takes', async t => {
    const log = generatorOf({ pipelining: 2, amount: 2, timeout: 20, ...WHOLE })
    begin(log, dripping())
    log.time.pass(2 * whole)
    const result = log.result()
    t.match(result.latency, { min: whole, max: 2 * whole })
    t.match(result.ttfb, { min: 200, max: whole + 200 })
    t.equal(result.throughput.total, 2 * ANSWER.length)
    t.equal(result.errors, 0)
    conserves(t, result, { arrived: 2 })
  })

  t.test('is a time-out when that takes longer than the timeout, however busy the connection is', async t => {
    const log = generatorOf({ pipelining: 2, amount: 2, timeout: 5, ...WHOLE })
    begin(log, dripping())
    log.time.pass(4999)
    t.equal(log.ends, 0)
    log.time.pass(1)
    t.equal(log.ends, 1)
    const result = log.result()
    t.strictSame(result.errorCodes, { AC_TIMEOUT: 2 })
    t.match(result.latency, { min: 5000, max: 5000, totalCount: 2 })
    conserves(t, result, { arrived: 2 })
  })
})

t.test('nothing at all', async t => {
  t.test('times out each request at its age, and backs off between connections', async t => {
    const log = generatorOf({ amount: 4, timeout: 1, ...WHOLE })
    log.generator.start()
    for (let i = 0; i < 4; i++) {
      log.sockets[i].ready()
      log.time.pass(1100)
    }
    // Each is ready at the next whole 1100 ms and times out 1000 ms later; the pauses are 10, 20 and 40 ms.
    t.strictSame(log.attempts, [0, 1010, 2120, 3240])
    const result = log.result()
    t.strictSame(result.errorCodes, { AC_TIMEOUT: 4 })
    t.match(result.latency, { min: 1000, max: 1000, totalCount: 4 })
    t.ok(log.sockets.every(({ destroyed }) => destroyed))
    conserves(t, result, { arrived: 4 })
  })

  t.test('never ends later than the duration', async t => {
    const server = await rawServer(t, () => {})
    const result = await autocannon({ url: server.url, connections: 10, pipelining: 3, duration: 0.5, timeout: 20 })
    t.strictSame(result.fates, { sent: 30, completed: 0, timedOut: 0, failed: 0, abandoned: 30 })
    conserves(t, result, { arrived: 30 })
  })
})

t.test('a server that accepts and never reads', async t => {
  const deaf = t => rawServer(t, () => {}, { onConnection: ({ socket }) => socket.pause() })

  t.test('times out a request whose body is not taken', async t => {
    const server = await deaf(t)
    const result = await autocannon({ url: server.url, connections: 2, method: 'PUT', body: Buffer.alloc(16 * 1024 * 1024), amount: 4, timeout: 0.2 })
    t.equal(server.connections.length, 4)
    t.equal(server.requests.length, 0)
    t.strictSame(result.fates, { sent: 4, completed: 0, timedOut: 4, failed: 0, abandoned: 0 })
    t.strictSame(result.errorCodes, { AC_TIMEOUT: 4 })
    conserves(t, result)
  })

  t.test('is sent no more requests than the kernel takes', async t => {
    const log = generatorOf({ pipelining: 10, requests: Array(10).fill({ method: 'PUT', body: 'x'.repeat(200_000) }), amount: 10, timeout: 1, ...WHOLE })
    log.generator.start()
    log.sockets[0].room = 1
    log.sockets[0].ready()
    const [taken] = log.sockets[0].writes
    t.strictSame(log.sockets[0].writes, [taken])
    t.ok(taken < 10)
    log.time.pass(1000)
    log.generator.stop()
    t.match(log.total, { sent: taken, timedOut: taken }, 'what waits for room has not been sent')
    conserves(t, log.result(), { arrived: taken })
  })
})

t.test('a server that stops reading for half of the run is to blame for what waits, however much room the pipeline has', async t => {
  for (const rate of [{ rate: 40 }, { overallRate: 40 }]) {
    /** Reads nothing from the tenth request on, for 1 s. */
    const measure = async pipelining => {
      const server = await rawServer(t, (connection, { index }) => {
        connection.send(answer())
        if (index !== 9) return
        connection.socket.pause()
        setTimeout(() => connection.socket.resume(), 1000)
      })
      const result = await autocannon({ url: server.url, ...rate, connections: 1, pipelining, method: 'PUT', body: Buffer.alloc(1_000_000), duration: 2, timeout: 20 })
      conserves(t, result)
      return result
    }
    t.test(Object.keys(rate)[0], async t => {
      const [one, ten] = await Promise.all([measure(1), measure(10)])
      t.ok(one.latency.p75 > 250, `${one.latency.p75} ms with pipelining 1`)
      t.ok(ten.latency.p75 > one.latency.p75 / 2 && ten.latency.p75 < one.latency.p75 * 2, `${ten.latency.p75} ms with pipelining 10, ${one.latency.p75} with 1`)
      // Some megabytes are taken by the kernel before the socket is full. On a slow machine the pause comes late, and the end of the run into it.
      const waited = ({ rate: { late, unsent } }) => late + unsent
      t.ok(waited(ten) > waited(one) / 3, `${waited(ten)} late or unsent with pipelining 10, ${waited(one)} with 1`)
      // What a busy machine adds, both have at the same time.
      const lags = [ten, one].map(({ generator: { lag } }) => lag.p99)
      t.ok(lags[0] < lags[1] + ten.latency.p75 / 2, `the generator was ready: its lag is ${lags.join(' ms, with pipelining 1 ')} ms`)
    })
  }
})

t.test('a server that closes connections while nothing is in flight', async t => {
  t.test('costs nothing but the connection', async t => {
    const log = generatorOf({ rate: 10, duration: 1 })
    begin(log, after(1))
    for (let i = 0; i < 9; i++) {
      log.time.pass(50)
      log.sockets[i].emit('end')
      log.sockets[i].emit('close')
      log.sockets[i + 1].ready(after(1))
      log.time.pass(50)
    }
    log.time.pass(100)
    const result = log.result()
    t.equal(log.sockets.length, 10)
    t.strictSame(result.fates, { sent: 10, completed: 10, timedOut: 0, failed: 0, abandoned: 0 })
    t.equal(result.errors, 0)
    t.match(result.rate, { late: 0, unsent: 0 })
    t.equal(result.resent, 0)
    conserves(t, result, { arrived: 10 })
  })

  t.test('backs off when it does so before the first request, and nothing is lost but the time', async t => {
    const log = generatorOf({ rate: 2, duration: 1 })
    begin(log, after(1))
    log.time.pass(100)
    log.sockets[0].emit('end')
    t.equal(log.attempts.at(-1), 100, 'at once behind an answer')
    log.sockets[1].ready()
    log.sockets[1].emit('end')
    log.time.pass(9)
    t.equal(log.sockets.length, 2)
    log.time.pass(1)
    t.equal(log.sockets.length, 3)
    log.sockets[2].ready(after(1))
    log.time.pass(890)
    const result = log.result()
    t.strictSame(result.fates, { sent: 2, completed: 2, timedOut: 0, failed: 0, abandoned: 0 })
    t.equal(result.errors, 0)
    conserves(t, result, { arrived: 2 })
  })

  t.test('as often as it answers ends no run before its amount', async t => {
    const server = await rawServer(t, connection => connection.send(answer()).end())
    const result = await autocannon({ url: server.url, connections: 4, amount: 100, timeout: 20 })
    t.strictSame(result.fates, { sent: 100, completed: 100, timedOut: 0, failed: 0, abandoned: 0 })
    t.equal(result.errors, 0)
    conserves(t, result, { arrived: server.requests.length })
  })
})
