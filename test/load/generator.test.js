'use strict'

// The load of one thread with a clock, timers and sockets that the test holds in its hands: times are exact here.

const t = require('tap')
const { EventEmitter } = require('node:events')
const { Generator } = require('../../lib/load/generator')
const { buildPlan } = require('../../lib/options/plan')
const { validate } = require('../../lib/options/validate')

const ANSWER = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi')
const nobody = { response: null, requestError: null }

/** Time that passes when it is told to, in place of the timers of the process until the test ends. */
class FakeTime {
  constructor (t) {
    this.ms = 0
    this.timers = new Set()
    const { setTimeout, clearTimeout } = globalThis
    globalThis.setTimeout = (action, delay) => {
      const timer = { at: this.ms + Math.max(1, delay), action }
      this.timers.add(timer)
      return timer
    }
    globalThis.clearTimeout = timer => { this.timers.delete(timer) }
    t.teardown(() => Object.assign(globalThis, { setTimeout, clearTimeout }))
  }

  /** Every timer fires on time. */
  pass (ms) {
    const end = this.ms + ms
    for (let next = this.next(); next !== undefined && next.at <= end; next = this.next()) {
      this.ms = next.at
      this.fire(next)
    }
    this.ms = end
  }

  /** The thread is busy meanwhile: timers that are due fire at the end. */
  block (ms) {
    this.ms += ms
    for (const timer of [...this.timers].filter(({ at }) => at <= this.ms)) this.fire(timer)
  }

  next () {
    return [...this.timers].sort((a, b) => a.at - b.at)[0]
  }

  fire (timer) {
    if (this.timers.delete(timer)) timer.action()
  }
}

/** A socket that keeps what is written, and takes `room` writes before it asks to wait. */
class FakeSocket extends EventEmitter {
  constructor (onread, onReady) {
    super()
    this.onread = onread
    this.onReady = onReady
    this.room = Infinity
    this.destroyed = false
    this.writes = []
  }

  write (bytes) {
    this.writes.push(bytes.toString().match(/ HTTP\/1\.1\r\n/g).length)
    return --this.room > 0
  }

  destroy () {
    this.destroyed = true
  }

  ready () {
    this.onReady(this)
  }

  drain () {
    this.room = Infinity
    this.emit('drain')
  }

  read (bytes) {
    bytes.copy(this.onread.buffer)
    this.onread.callback(bytes.length, this.onread.buffer)
  }

  /** Requests that were written. */
  get requests () {
    return this.writes.reduce((sum, n) => sum + n, 0)
  }
}

/** A generator of the options with all that a test needs to play with it. */
function generatorOf (t, opts, observer = nobody) {
  const time = new FakeTime(t)
  const sockets = []
  const log = { snapshots: [], latencies: [], ends: 0, attempts: [], sockets, time, total: {} }
  const plan = buildPlan(validate({ url: 'http://localhost/', connections: 1, ...opts }).values)
  const hooks = { setupClient: undefined, verifyBody: undefined, requests: [] }
  const sinks = {
    snapshot (snapshot) {
      if (log.ends > 0) throw new Error('a snapshot after the end')
      log.snapshots.push(snapshot)
      log.latencies.push(snapshot.distributions === null ? {} : snapshot.distributions.latency.summary())
      for (const fate of ['sent', 'completed', 'timedOut', 'failed', 'abandoned', 'neverSent']) log.total[fate] = (log.total[fate] ?? 0) + snapshot[fate]
      for (const [code, n] of Object.entries(snapshot.errorCodes)) log.total[code] = (log.total[code] ?? 0) + n
    },
    end () { log.ends++ }
  }
  const connect = (target, onread, onReady) => {
    const socket = new FakeSocket(onread, onReady)
    sockets.push(socket)
    log.attempts.push(time.ms)
    return socket
  }
  return Object.assign(log, { generator: new Generator(plan, hooks, sinks, observer, { now: () => time.ms, connect }) })
}

const answers = n => Buffer.concat(Array(n).fill(ANSWER))

t.test('opens a connection for each that has something to do', async t => {
  const { generator, sockets } = generatorOf(t, { connections: 5, amount: 3 })
  generator.start()
  t.equal(sockets.length, 3)
  generator.stop()
})

t.test('ends once, when the last connection has nothing left to do', async t => {
  const { generator, sockets, time, ...log } = generatorOf(t, { connections: 2, amount: 3 })
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
  const log = generatorOf(t, { connections: 3, pipelining: 2 })
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
  const log = generatorOf(t, { duration: '2.5s' })
  log.generator.start()
  log.sockets[0].ready()
  log.time.pass(2499)
  t.notOk(log.generator.ended)
  log.time.pass(1)
  t.ok(log.generator.ended)
  t.strictSame(log.snapshots.map(({ slot, from, to }) => [slot, from, to]), [[0, 0, 1000], [1, 1000, 2000], [2, 2000, 2500]])
})

t.test('samples', async t => {
  t.test('end at multiples of the interval, and hold what happened in them', async t => {
    const log = generatorOf(t, { sampleInt: 100, duration: 100 })
    log.generator.start()
    log.sockets[0].ready()
    for (const n of [1, 0, 3]) {
      log.time.pass(50)
      for (let i = 0; i < n; i++) log.sockets[0].read(ANSWER)
      log.time.pass(50)
    }
    t.strictSame(log.snapshots.map(({ slot, from, to, completed, bytes }) => [slot, from, to, completed, bytes]), [
      [0, 0, 100, 1, ANSWER.length], [1, 100, 200, 0, 0], [2, 200, 300, 3, 3 * ANSWER.length]
    ])
    log.generator.stop()
  })

  t.test('that a busy thread missed are ended together by the next', async t => {
    const log = generatorOf(t, { sampleInt: 100, duration: 100 })
    log.generator.start()
    log.time.block(350)
    log.time.pass(50)
    t.strictSame(log.snapshots.map(({ slot, from, to }) => [slot, from, to]), [[2, 0, 350], [3, 350, 400]])
    log.generator.stop()
  })

  t.test('end where they should when a timer fires a little early', async t => {
    const log = generatorOf(t, { sampleInt: 100, duration: 100 })
    log.generator.start()
    log.time.ms = 99.5
    log.generator.sample()
    log.generator.sample()
    t.strictSame(log.snapshots.map(({ slot, to }) => [slot, to]), [[0, 99.5]])
    log.generator.stop()
  })
})

t.test('latency is from the write to the read that brings the end of the answer', async t => {
  const told = []
  const log = generatorOf(t, { pipelining: 2, amount: 3 }, { ...nobody, response: (connection, status, size, ms) => told.push([status, size, ms]) })
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
})

t.test('a full socket is not written to until it drains', async t => {
  const { generator, sockets } = generatorOf(t, { pipelining: 4, method: 'POST', body: Buffer.alloc(600_000) })
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
  const log = generatorOf(t, { pipelining: 2, amount: 5 })
  log.generator.start()
  log.sockets[0].ready()
  log.sockets[0].room = 1
  log.sockets[0].read(ANSWER)
  log.sockets[0].emit('end')
  log.sockets[1].ready()
  t.strictSame(log.sockets[1].writes, [2])
  log.sockets[1].read(answers(2))
  t.match(log.total, { sent: 5, completed: 3, failed: 2 })
})

t.test('one write holds all that a read made due', async t => {
  const log = generatorOf(t, { pipelining: 10 })
  log.generator.start()
  log.sockets[0].ready()
  log.sockets[0].read(answers(3))
  log.sockets[0].read(answers(7))
  t.strictSame(log.sockets[0].writes, [10, 10], 'more than half were in flight after the first read')
  log.generator.stop()
})

t.test('timeouts', async t => {
  t.test('are by request: the head of the line is watched', async t => {
    const log = generatorOf(t, { timeout: 1, pipelining: 2, amount: 3, sampleInt: 100_000 })
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
    const log = generatorOf(t, { timeout: 1, amount: 1 })
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
    const log = generatorOf(t, { timeout: 1, pipelining: 2, amount: 4, sampleInt: 100_000 })
    log.generator.start()
    log.time.pass(1000)
    t.ok(log.sockets[0].destroyed)
    log.time.pass(10)
    t.equal(log.sockets.length, 2)
    log.sockets[1].ready()
    log.sockets[1].read(answers(2))
    t.match(log.total, { sent: 2, completed: 2, neverSent: 2, AC_CONNECT_TIMEOUT: 2 })
  })

  t.test('do not outlive the connection', async t => {
    const log = generatorOf(t, { timeout: 1, amount: 2 })
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
    const log = generatorOf(t, { duration: 100 })
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
    const log = generatorOf(t, { duration: 100 })
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
    const log = generatorOf(t, { duration: 100 })
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
    const log = generatorOf(t, { duration: 100 })
    log.generator.start()
    log.sockets[0].emit('error', refused)
    log.generator.stop()
    log.time.pass(1000)
    t.equal(log.sockets.length, 1)
  })

  t.test('leaves the old socket behind: its late events reach nobody', async t => {
    const log = generatorOf(t, { duration: 100 })
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
    t.match(log.total, { sent: 3, completed: 1, failed: 1, abandoned: 1, AC_CLOSED: 1 })
    t.equal(log.total.ECONNREFUSED, undefined)
  })
})
