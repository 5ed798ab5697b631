'use strict'

// What a source may answer: these, not yet, no more. The clock is in the hands of the test.

const t = require('tap')
const { NOT_YET, NO_MORE } = require('../../lib/users/sequence')
const { conserves } = require('../helpers/results/conservation')
const { generatorOf, begin, after, ANSWER } = require('./helpers/fake-load')

/** Goes a way that pauses before some of its steps, and may have an end. */
class Pausing {
  /**
   * @param {import('../../lib/users/sequence').Sequence} source
   * @param {number[]} pauses ms before each step, over and over
   * @param {number} end requests
   */
  constructor (source, pauses, end = Infinity) {
    Object.assign(this, { source, pauses, end, sent: 0, readyAt: -Infinity, asked: 0 })
  }

  get maxRun () { return this.source.maxRun }
  get target () { return this.source.target }
  get bytes () { return this.source.bytes }

  next (n, rows, now) {
    this.asked++
    let ready = 0
    for (; ready < n && this.sent + ready < this.end && !this.waits(ready === 0 ? now() : null, this.sent + ready); ready++);
    if (ready === 0) return this.sent < this.end ? NOT_YET : NO_MORE
    this.readyAt = -Infinity
    this.sent += ready
    return this.source.next(ready, rows)
  }

  /** Whether the step has to wait: a pause begins when its step is the next. */
  waits (at, step) {
    const pause = this.pauses[step % this.pauses.length]
    if (pause === 0) return false
    if (at === null) return true
    if (this.readyAt === -Infinity) this.readyAt = at + pause
    return at < this.readyAt
  }
}

/** A run whose connections go such ways. */
function play (opts, pauses, end, serve = after(10)) {
  const log = generatorOf(opts)
  for (const connection of log.generator.connections.list) connection.source = new Pausing(connection.source, pauses, end)
  begin(log, serve)
  return log
}

t.test('a pause begins when its step is the next, and the request is sent when it is over', async t => {
  const log = play({ duration: 0.5 }, [0, 100, 0])
  log.time.pass(500)
  t.strictSame(log.sockets[0].times, [0, 110, 120, 130, 240, 250, 260, 370, 380, 390])
  t.match(log.total, { sent: 10, completed: 10 })
  t.ok(log.generator.connections.list[0].source.asked < 20, 'it is asked when it said, not over and over')
  conserves(t, log.result())
})

t.test('a write ends in front of a step that pauses', async t => {
  const log = play({ duration: 0.3, pipelining: 4 }, [50, 0, 0, 0, 0])
  log.time.pass(300)
  t.strictSame(log.sockets[0].writes.slice(0, 3), [4, 1, 4])
  t.strictSame(log.sockets[0].times.slice(0, 10), [50, 50, 50, 50, 60, 110, 110, 110, 110, 120])
  conserves(t, log.result())
})

t.test('a run ends as ever while connections pause: by duration, by amount', async t => {
  for (const [opts, total, ends] of [
    [{ duration: 0.3 }, { sent: 1, completed: 1, abandoned: 0 }, 300],
    [{ amount: 2 }, { sent: 2, completed: 2 }, 1020]
  ]) {
    const log = play(opts, [0, 1000])
    log.time.pass(ends - 1)
    t.equal(log.ends, 0)
    log.time.pass(1)
    t.equal(log.ends, 1)
    t.match(log.total, total)
    conserves(t, log.result())
  }
})

t.test('with a rate, what is due goes by a connection that does not pause; when all do, it is not late because of the server', async t => {
  const log = play({ rate: 100, connections: 2, duration: 1 }, [0, 0, 200, ...Array(100).fill(0)], Infinity, after(1))
  log.time.pass(1000)
  const times = log.sockets.flatMap(({ times }) => times).sort((a, b) => a - b)
  t.strictSame(times.slice(0, 5), [0, 10, 20, 30, 240], 'each is asked for its third request when one is due')
  const result = log.result()
  t.equal(result.rate.late, 0)
  t.equal(result.latency.max, 1)
  t.equal(result.rate.unsent, 0)
  conserves(t, result)
})

t.test('connections that take turns pause, too', async t => {
  const log = play({ overallRate: 100, connections: 2, duration: 1 }, [0, 200, ...Array(100).fill(0)], Infinity, after(1))
  log.time.pass(1000)
  t.strictSame(log.sockets[0].times.slice(0, 4), [1, 220, 221, 222])
  t.match(log.result().rate, { late: 0, unsent: 0 })
  conserves(t, log.result())
})

t.test('a connection that the server closes during a pause is made anew when that is over', async t => {
  const log = play({ duration: 0.5 }, [0, 100])
  log.time.pass(50)
  log.sockets[0].emit('end')
  log.time.pass(59.9)
  t.strictSame(log.attempts, [0])
  t.equal(log.generator.connections.list[0].waitingSince, Infinity, 'it does not wait for the server')
  log.time.pass(0.1)
  t.strictSame(log.attempts, [0, 110])
  log.sockets[1].ready(after(10))
  t.strictSame(log.sockets[1].times, [110])
  t.equal(log.generator.connections.list[0].exchanges.count, 1)
  log.generator.stop()
  conserves(t, log.result())
})

t.test('a connection that pauses does not wait for the server', async t => {
  const log = play({ duration: 10 }, [5000])
  log.time.pass(10_000)
  t.equal(log.snapshots.at(-1).silentFrom, 10_000)
  t.match(log.total, { sent: 1, completed: 1 })
})

t.test('a connection whose source has no more ends when all is answered, and the run with the last', async t => {
  for (const opts of [{}, { rate: 1000 }, { connectionRate: 1000 }, { pipelining: 4 }]) {
    const log = play({ connections: 2, duration: 10, ...opts }, [0], 3)
    log.time.pass(9_000)
    t.equal(log.ends, 1)
    t.match(log.total, { sent: 6, completed: 6 })
    t.strictSame(log.generator.connections.list.map(({ queue }) => queue?.free ?? 0), [0, 0])
    conserves(t, log.result())
  }
})

t.test('a connection that the server refuses tries again as ever, whether a pause ends meanwhile or not', async t => {
  const log = play({ duration: 0.5 }, [0, 100])
  log.time.pass(50)
  log.sockets[0].emit('end')
  log.time.pass(60)
  log.sockets[1].emit('error', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
  log.time.pass(15)
  t.strictSame(log.attempts, [0, 110, 120])
  log.sockets[2].ready(after(10))
  log.time.pass(300)
  t.strictSame(log.attempts, [0, 110, 120], 'one at a time')
  log.generator.stop()
  conserves(t, log.result(), { neverSent: 1 })
})

t.test('thousands of connections that pause have one timer', async t => {
  const answer = socket => socket.time.at(socket.time.ms + 10, () => socket.read(ANSWER))
  const log = play({ duration: 1, connections: 3000 }, [0, 100, 333, 7], Infinity, answer)
  const before = log.time.timers.size
  for (let i = 0; i < 9; i++) {
    log.time.pass(101)
    t.ok(log.time.timers.size <= before + 1)
  }
  log.generator.stop()
  t.equal(log.total.sent % 3000, 0)
  conserves(t, log.result())
})

t.test('answers without an end are read by a connection that pauses', async t => {
  const log = play({ duration: 1, pipelining: 2 }, [0, 500], Infinity, null)
  log.time.pass(100)
  log.sockets[0].read(ANSWER)
  log.time.pass(450)
  t.strictSame(log.sockets[0].times, [0, 500, 500])
  log.generator.stop()
  conserves(t, log.result())
})
