'use strict'

// The load of one thread with a clock, timers and sockets that the test holds in its hands: times are exact here.

const t = require('tap')
const { conserves } = require('../helpers/results/conservation')
const { generatorOf, begin, responses, ANSWER, nobody } = require('./helpers/fake-load')

t.test('opens a connection for each that has something to do', async t => {
  const { generator, sockets } = generatorOf({ connections: 5, amount: 3 })
  generator.start()
  t.equal(sockets.length, 3)
  generator.stop()
})

t.test('ends once, when the last connection has nothing left to do', async t => {
  const { generator, sockets, time, ...log } = generatorOf({ connections: 2, amount: 3 })
  generator.start()
  for (const socket of sockets) socket.ready()
  sockets[0].read(ANSWER)
  t.equal(sockets[0].requests, 2)
  sockets[0].read(ANSWER)
  t.ok(sockets[0].destroyed, 'a connection with nothing left to do is closed')
  t.notOk(generator.ended)
  sockets[1].read(ANSWER)
  t.ok(generator.ended)
  t.ok(sockets[1].destroyed)
  t.equal(time.timers.size, 0, 'no timer is left')
  t.match(log.total, { sent: 3, completed: 3 })
  generator.stop()
  t.equal(log.snapshots.length, 1)
})

t.test('stops once, abandons what is in flight, and closes every connection', async t => {
  const log = generatorOf({ connections: 3, pipelining: 2 })
  log.generator.start()
  log.sockets[0].ready()
  log.sockets[1].ready()
  log.generator.stop()
  log.generator.stop()
  t.equal(log.ends, 1)
  t.match(log.total, { sent: 4, abandoned: 4, completed: 0 })
  t.ok(log.sockets.every(({ destroyed }) => destroyed))
  t.equal(log.time.timers.size, 0)
  for (const socket of log.sockets) {
    socket.ready()
    socket.emit('drain')
    socket.emit('close')
    t.equal(socket.requests, socket === log.sockets[2] ? 0 : 2, 'nothing is sent after the end')
  }
})

t.test('ends with the duration', async t => {
  const log = generatorOf({ duration: '2.5s' })
  log.generator.start()
  log.sockets[0].ready()
  log.time.pass(2499)
  t.notOk(log.generator.ended)
  log.time.pass(1)
  t.ok(log.generator.ended)
  t.strictSame(log.snapshots.map(({ sample, from, to }) => [sample, from, to]), [[0, 0, 1000], [1, 1000, 2000], [2, 2000, 2500]])
})

t.test('samples', async t => {
  t.test('end at multiples of the interval, and hold what happened in them', async t => {
    const log = generatorOf({ sampleInt: 100, duration: 100 })
    log.generator.start()
    log.sockets[0].ready()
    for (const n of [1, 0, 3]) {
      log.time.pass(50)
      for (let i = 0; i < n; i++) log.sockets[0].read(ANSWER)
      log.time.pass(50)
    }
    t.strictSame(log.snapshots.map(({ sample, from, to, completed, bytes }) => [sample, from, to, completed, bytes]), [
      [0, 0, 100, 1, ANSWER.length], [1, 100, 200, 0, 0], [2, 200, 300, 3, 3 * ANSWER.length]
    ])
    log.generator.stop()
  })

  t.test('that a busy thread missed are ended together by the next', async t => {
    const log = generatorOf({ sampleInt: 100, duration: 100 })
    log.generator.start()
    log.time.block(350)
    log.time.pass(50)
    t.strictSame(log.snapshots.map(({ sample, from, to }) => [sample, from, to]), [[2, 0, 350], [3, 350, 400]])
    log.generator.stop()
  })

  t.test('end where they should when a timer fires a little early', async t => {
    const log = generatorOf({ sampleInt: 100, duration: 100 })
    log.generator.start()
    log.time.ms = 99.5
    log.generator.samples.sample()
    log.generator.samples.sample()
    t.strictSame(log.snapshots.map(({ sample, to }) => [sample, to]), [[0, 99.5]])
    log.generator.stop()
  })
})

t.test('latency is from the write to the read that brings the end of the answer', async t => {
  const told = []
  const log = generatorOf({ pipelining: 2, amount: 3 }, { ...nobody, response: (connection, status, size, ms) => told.push([status, size, ms]) })
  log.generator.start()
  log.time.ms = 5
  log.sockets[0].ready()
  log.time.ms = 12.5
  log.sockets[0].read(Buffer.concat([ANSWER, ANSWER.subarray(0, -1)]))
  log.time.ms = 20
  log.sockets[0].read(ANSWER.subarray(-1))
  log.time.ms = 21
  log.sockets[0].read(ANSWER)
  t.strictSame(told, [[200, ANSWER.length, 7.5], [200, ANSWER.length, 15], [200, ANSWER.length, 8.5]])
  t.match(log.latencies[0], { min: 7.5, max: 15, totalCount: 3 })
  conserves(t, log.result())
})

t.test('the time to the first byte is from the write to the read that brings the first byte of the answer', async t => {
  const log = generatorOf({ pipelining: 2, amount: 3 })
  begin(log)
  log.time.ms = 7
  log.sockets[0].read(Buffer.concat([ANSWER, ANSWER.subarray(0, 1)]))
  log.time.ms = 20
  log.sockets[0].read(ANSWER.subarray(1))
  log.time.ms = 25
  log.sockets[0].read(ANSWER.subarray(0, 10))
  log.time.ms = 30
  log.sockets[0].read(ANSWER.subarray(10))
  const { ttfb, latency } = log.totals.distributions
  // The third was written at 7 ms: first bytes after 7, 7 and 18 ms, last bytes after 7, 20 and 23 ms.
  t.strictSame([ttfb.count, ttfb.sum, ttfb.min, ttfb.max], [3, 32_000, 7000, 18_000])
  t.strictSame([latency.count, latency.sum, latency.min, latency.max], [3, 50_000, 7000, 23_000])
  conserves(t, log.result())
})

t.test('the first byte of an answer may come with the end of the one before', async t => {
  const log = generatorOf({ pipelining: 2, amount: 2 })
  begin(log)
  log.time.ms = 7
  log.sockets[0].read(ANSWER.subarray(0, 10))
  log.time.ms = 20
  log.sockets[0].read(Buffer.concat([ANSWER.subarray(10), ANSWER]))
  const { ttfb } = log.totals.distributions
  t.strictSame([ttfb.count, ttfb.min, ttfb.max], [2, 7000, 20_000])
  conserves(t, log.result())
})

t.test('the time to connect is counted for each connection, and for no attempt that failed', async t => {
  const log = generatorOf({ connections: 3, duration: 100 })
  log.generator.start()
  log.time.ms = 4
  log.sockets[0].ready()
  log.time.ms = 9
  log.sockets[1].ready()
  log.sockets[2].emit('error', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
  log.time.pass(10)
  log.time.ms = 21
  log.sockets[3].ready()
  log.generator.stop()
  const { connect } = log.totals.distributions
  t.strictSame([connect.count, connect.sum, connect.min, connect.max], [3, 15_000, 2000, 9000])
  conserves(t, log.result(), { neverSent: 1 })
})

t.test('a full socket is not written to until it drains', async t => {
  const { generator, sockets } = generatorOf({ pipelining: 4, method: 'POST', body: Buffer.alloc(600_000) })
  generator.start()
  const [socket] = sockets
  socket.room = 2
  socket.ready()
  t.strictSame(socket.writes, [1, 1])
  socket.read(ANSWER)
  t.strictSame(socket.writes, [1, 1], 'an answer makes no room in the socket')
  socket.drain()
  t.strictSame(socket.writes, [1, 1, 1, 1, 1])
  generator.stop()
})

t.test('a full socket that ends does not hold up the next connection', async t => {
  const log = generatorOf({ pipelining: 2, amount: 5 })
  log.generator.start()
  log.sockets[0].ready()
  log.sockets[0].room = 1
  log.sockets[0].read(ANSWER)
  log.sockets[0].emit('end')
  log.sockets[1].ready()
  t.strictSame(log.sockets[1].writes, [2])
  log.sockets[1].read(responses(2))
  log.sockets[1].read(responses(2))
  t.match(log.total, { sent: 5, completed: 5, resent: 2 })
})

t.test('one write holds all that a read made due', async t => {
  const log = generatorOf({ pipelining: 10 })
  begin(log)
  log.sockets[0].read(responses(5))
  log.sockets[0].read(responses(7))
  t.strictSame(log.sockets[0].writes, [10, 5, 7])
  log.generator.stop()
  conserves(t, log.result())
})

t.test('a pipeline that is more than half full', async t => {
  t.test('waits for more answers, and is refilled at once when half of them are there', async t => {
    const log = generatorOf({ pipelining: 10 })
    begin(log)
    const [socket] = log.sockets
    for (let i = 0; i < 4; i++) socket.read(ANSWER)
    t.strictSame(socket.writes, [10])
    socket.read(ANSWER)
    t.strictSame(socket.writes, [10, 5])
    log.time.pass(1)
    t.strictSame(socket.writes, [10, 5], 'there is nothing left to fill')
    socket.read(responses(3))
    socket.read(responses(7))
    t.strictSame(socket.writes, [10, 5, 10])
    log.generator.stop()
    conserves(t, log.result())
  })

  t.test('waits for 1 ms at the most', async t => {
    const log = generatorOf({ pipelining: 10, connections: 2 })
    begin(log)
    const [one, other] = log.sockets
    one.read(responses(3))
    log.time.pass(0.5)
    one.read(ANSWER)
    other.read(ANSWER)
    log.time.pass(0.4)
    t.strictSame([one.writes, other.writes], [[10], [10]])
    log.time.pass(0.1)
    t.strictSame([one.writes, other.writes], [[10, 4], [10, 1]], 'one timer is for all')
    one.read(responses(2))
    log.time.pass(1)
    t.strictSame([one.writes, other.writes], [[10, 4, 2], [10, 1]], 'it may wait again')
    log.generator.stop()
    conserves(t, log.result())
  })

  t.test('waits no longer than its connection or the run', async t => {
    const log = generatorOf({ pipelining: 10, connections: 2 })
    begin(log)
    log.sockets[0].read(ANSWER)
    log.sockets[0].emit('end')
    log.sockets[1].read(ANSWER)
    log.time.pass(0.5)
    log.sockets[2].ready()
    t.strictSame(log.sockets.map(({ writes }) => writes), [[10], [10], [9, 1]], 'those without an answer, then one more')
    log.generator.stop()
    log.time.pass(5)
    t.strictSame(log.sockets.map(({ writes }) => writes), [[10], [10], [9, 1]])
    conserves(t, log.result())
  })

  t.test('does not wait when there is a rate: what is due is sent', async t => {
    const log = generatorOf({ pipelining: 10, rate: 100_000, duration: 1 })
    begin(log)
    log.time.pass(1)
    t.equal(log.sockets[0].requests, 10)
    log.sockets[0].read(ANSWER)
    t.equal(log.sockets[0].requests, 11)
    log.generator.stop()
    conserves(t, log.result())
  })
})

t.test('timeouts', async t => {
  t.test('are by request: the head of the line is watched', async t => {
    const log = generatorOf({ timeout: 1, pipelining: 2, amount: 3, sampleInt: 100_000 })
    log.generator.start()
    log.sockets[0].ready()
    log.time.pass(650)
    log.sockets[0].read(ANSWER)
    log.time.pass(349)
    t.notOk(log.generator.ended)
    log.time.pass(1)
    t.ok(log.generator.ended, 'the amount is used up')
    t.match(log.total, { sent: 3, completed: 1, timedOut: 1, failed: 1, abandoned: 0, AC_TIMEOUT: 1, AC_BEHIND_TIMEOUT: 1 })
    t.match(log.latencies[0], { min: 650, max: 1000, totalCount: 2 })
  })

  t.test('are found by the next sweep at the latest', async t => {
    const log = generatorOf({ timeout: 1, amount: 1 })
    log.generator.start()
    log.time.pass(30)
    log.sockets[0].ready()
    log.time.pass(1069)
    t.notOk(log.generator.ended)
    log.time.pass(1)
    t.match(log.total, { timedOut: 1 })
    t.match(log.latencies.at(-1), { max: 1070 }, 'at its age')
  })

  t.test('count for a connection that is not made, too', async t => {
    const log = generatorOf({ timeout: 1, pipelining: 2, amount: 4, sampleInt: 100_000 })
    log.generator.start()
    log.time.pass(1000)
    t.ok(log.sockets[0].destroyed)
    log.time.pass(10)
    t.equal(log.sockets.length, 2)
    log.sockets[1].ready()
    log.sockets[1].read(responses(2))
    t.match(log.total, { sent: 2, completed: 2, neverSent: 2, AC_CONNECT_TIMEOUT: 2 })
  })

  t.test('do not outlive the connection', async t => {
    const log = generatorOf({ timeout: 1, amount: 2 })
    log.generator.start()
    log.sockets[0].ready()
    log.time.pass(900)
    log.sockets[0].emit('end')
    log.time.pass(10)
    log.sockets[1].ready()
    log.time.pass(900)
    log.sockets[1].read(ANSWER)
    t.match(log.total, { sent: 2, completed: 1, failed: 1, timedOut: 0, AC_CLOSED: 1 })
  })
})

t.test('reconnecting', async t => {
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })

  t.test('backs off when connecting fails, by 10 ms to 200 ms', async t => {
    const log = generatorOf({ duration: 100 })
    log.generator.start()
    for (let i = 0; i < 8; i++) {
      log.sockets[i].emit('error', refused)
      log.sockets[i].emit('close')
      while (log.sockets.length === i + 1) log.time.pass(1)
    }
    t.strictSame(log.attempts, [0, 10, 30, 70, 150, 310, 510, 710, 910])
    log.generator.stop()
    t.match(log.total, { sent: 0, neverSent: 8, ECONNREFUSED: 8 })
  })

  t.test('is immediate after a connection that brought an answer, which ends the back-off', async t => {
    const log = generatorOf({ duration: 100 })
    log.generator.start()
    log.sockets[0].emit('error', refused)
    log.time.pass(10)
    log.sockets[1].emit('error', refused)
    log.time.pass(20)
    log.sockets[2].ready()
    log.sockets[2].read(ANSWER)
    log.sockets[2].emit('end')
    t.equal(log.sockets.length, 4)
    log.sockets[3].ready()
    log.sockets[3].emit('end')
    log.time.pass(10)
    t.strictSame(log.attempts, [0, 10, 30, 30, 40])
    log.generator.stop()
  })

  t.test('backs off, too, when connections are made and bring nothing', async t => {
    const log = generatorOf({ duration: 100 })
    log.generator.start()
    for (let i = 0; i < 3; i++) {
      log.sockets[i].ready()
      log.sockets[i].emit('end')
      log.time.pass(200)
    }
    log.generator.stop()
    t.strictSame(log.attempts, [0, 10, 220, 440], 'the pauses are 10, 20 and 40 ms')
  })

  t.test('is not done after the end', async t => {
    const log = generatorOf({ duration: 100 })
    log.generator.start()
    log.sockets[0].emit('error', refused)
    log.generator.stop()
    log.time.pass(1000)
    t.equal(log.sockets.length, 1)
  })

  t.test('leaves the old socket behind: its late events have no listener', async t => {
    const log = generatorOf({ duration: 100 })
    log.generator.start()
    const [old] = log.sockets
    old.ready()
    old.read(ANSWER)
    old.emit('end')
    log.sockets[1].ready()
    old.emit('error', refused)
    old.emit('end')
    old.emit('close')
    old.emit('drain')
    old.ready()
    old.read(ANSWER)
    t.equal(log.sockets.length, 2)
    log.generator.stop()
    t.match(log.total, { sent: 2, completed: 1, resent: 1, failed: 0, abandoned: 1 })
    t.equal(log.total.ECONNREFUSED, undefined)
  })
})

t.test('tells how long it took until the first attempts to connect had all led to something', async t => {
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  for (const opts of [{}, { rate: 10 }]) {
    const log = generatorOf({ connections: 3, duration: 2, sampleInt: 500, ...opts })
    log.generator.start()
    log.sockets[0].ready()
    log.time.pass(400)
    log.sockets[1].emit('error', refused)
    log.time.pass(300)
    log.sockets[2].ready()
    log.time.pass(3000)
    t.ok(log.generator.ended)
    t.equal(log.result().connecting.ms, 700)
    t.strictSame(log.snapshots.map(({ connectingMs }) => connectingMs).slice(0, 3), opts.rate === undefined ? [500, 700, 700] : [700, 700, 700], 'so far, while it goes on')
  }
  const log = generatorOf({ connections: 2, duration: 1 })
  log.generator.start()
  log.sockets[0].ready()
  log.time.pass(1000)
  t.equal(log.result().connecting.ms, 1000, 'a connection that is not there when the run ends')
})
