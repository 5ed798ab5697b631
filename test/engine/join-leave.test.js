'use strict'

// Connections that join and leave while the load goes on, with exact times: every count is kept.

const t = require('tap')
const fc = require('fast-check')
const { conserves } = require('../helpers/results/conservation')
const { RisingPace } = require('./helpers/rising-pace')
const { TURN, generatorOf, begin, after, ANSWER, nobody } = require('./helpers/fake-load')

const refused = () => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
const short = () => Object.assign(new Error('connect EMFILE'), { code: 'EMFILE', syscall: 'connect' })

/** One more connection, which is there at once unless `serve` is null. */
function join (log, serve) {
  const before = log.sockets.length
  const connection = log.generator.join()
  if (connection !== null && serve !== null) log.sockets[before].ready(serve)
  return connection
}

/** One of those that have not been asked yet. */
const leave = (log, i) => log.generator.leave([...log.generator.connections.members][i])
const sends = ({ sockets }) => sockets.flatMap(({ times }) => times).sort((a, b) => a - b)
const counts = ({ sockets }) => sockets.map(({ requests }) => requests)

t.test('in a closed loop', async t => {
  t.test('who joins sends as soon as it is there, and who leaves finishes what it has in flight and is closed', async t => {
    const log = generatorOf({ connections: 1, pipelining: 2, duration: 1 })
    begin(log)
    log.time.pass(10)
    join(log)
    t.strictSame(counts(log), [2, 2])
    leave(log, 0)
    t.notOk(log.sockets[0].destroyed)
    log.sockets[0].read(ANSWER)
    t.equal(log.sockets[0].requests, 2, 'it sends no more')
    log.time.pass(5)
    log.sockets[0].read(ANSWER)
    t.ok(log.sockets[0].destroyed)
    t.equal(log.generator.connections.list.length, 1)
    log.sockets[1].read(ANSWER)
    log.time.pass(985)
    t.ok(log.generator.ended)
    t.match(log.total, { sent: 5, completed: 3, abandoned: 2 })
    t.equal(log.result().connecting?.ms ?? 0, 0, 'the time until the first connections were there is not that of who came later')
    conserves(t, log.result())
  })

  t.test('who leaves with nothing in flight is gone at once, wherever it is', async t => {
    const log = generatorOf({ connections: 4, duration: 1, timeout: 10 })
    log.generator.start()
    const [connecting, paused, waiting] = log.generator.connections.list
    log.sockets[3].ready(after(5))
    log.sockets[1].emit('error', refused())
    log.sockets[2].emit('error', short())
    // The one that waits first: it might connect when another gives a descriptor back.
    for (const connection of [waiting, connecting, paused]) {
      log.generator.leave(connection)
      t.ok(connection.ended)
    }
    t.ok(log.sockets[0].destroyed)
    log.sockets[0].ready()
    log.time.pass(1000)
    t.equal(log.sockets.length, 4, 'none of them connects again')
    t.strictSame(counts(log), [0, 0, 0, 200])
    conserves(t, log.result(), { neverSent: 2 })
  })

  t.test('a request of its own that the server has closed on is sent again before it is gone', async t => {
    const log = generatorOf({ connections: 1, pipelining: 2, duration: 1 })
    begin(log)
    log.sockets[0].read(ANSWER)
    log.generator.leave(log.generator.connections.list[0])
    log.sockets[0].emit('end')
    t.equal(log.sockets.length, 2)
    log.sockets[1].ready()
    t.equal(log.sockets[1].requests, log.total.resent ?? log.sockets[1].requests)
    while (!log.sockets[1].destroyed) log.sockets[1].read(ANSWER)
    log.generator.stop()
    t.match(log.total, { abandoned: 0, failed: 0 })
    conserves(t, log.result())
  })

  t.test('one that is asked twice, has ended, or is asked after the end, leaves once', async t => {
    const log = generatorOf({ connections: 2, duration: 1 })
    begin(log, after(5))
    const [one] = log.generator.connections.list
    for (let i = 0; i < 3; i++) {
      log.generator.leave(one)
      log.time.pass(3)
    }
    log.generator.leave(one)
    log.generator.stop()
    log.generator.leave(one)
    t.equal(log.generator.join(), null)
    t.equal(log.ends, 1)
    conserves(t, log.result())
  })

  t.test('its timeouts are watched until the last', async t => {
    const log = generatorOf({ connections: 1, duration: 5, timeout: 1 })
    begin(log)
    leave(log, 0)
    log.time.pass(5000)
    t.match(log.total, { sent: 1, timedOut: 1 })
    t.equal(log.sockets.length, 1, 'it does not connect again')
    conserves(t, log.result())
  })

  t.test('the hook that sets up clients is asked by who joins as well, with its number', async t => {
    const seen = []
    const log = generatorOf({ connections: 2, duration: 1, setupClient: client => { seen.push(client) } })
    begin(log, after(5))
    join(log, after(5))
    t.equal(new Set(seen).size, 3)
    log.generator.stop()
    conserves(t, log.result())
    let calls = 0
    const failing = generatorOf({ connections: 2, duration: 1, setupClient: () => { if (calls++ === 2) throw new Error('no') } })
    begin(failing, after(5))
    t.equal(failing.generator.join(), null)
    t.match(failing.generator.failure, { message: /setupClient of connection 2/ })
    conserves(t, failing.result())
  })
})

t.test('a load without connections', async t => {
  t.test('goes on until its time is over: others may join', async t => {
    for (const rate of [{}, { rate: 100 }, { overallRate: 100 }, { connectionRate: 50 }]) {
      const log = generatorOf({ ...rate, connections: 2, duration: 1 })
      begin(log, after(5))
      log.time.pass(295)
      leave(log, 0)
      leave(log, 0)
      log.time.pass(204)
      t.strictSame([log.generator.ended, log.generator.connections.live], [false, 0])
      join(log, after(5))
      log.time.pass(500)
      t.notOk(log.generator.ended)
      log.time.pass(1)
      t.ok(log.generator.ended)
      const result = log.result()
      t.equal(result.duration, 1)
      // Requests that fell due while there was no connection are not sent: 20 of 100, and none of a rate for each connection.
      if (rate.rate || rate.overallRate) t.match(result.rate, { sent: 80, late: 0, unsent: 20 }, Object.keys(rate)[0])
      if (rate.connectionRate) t.match(result.rate, { sent: 30 + 25, late: 0, unsent: 0 })
      conserves(t, result)
    }
  })

  t.test('by amount waits for a connection that joins, and is sent whole', async t => {
    for (const rate of [{}, { rate: 100 }, { overallRate: 100 }]) {
      const log = generatorOf({ ...rate, connections: 3, amount: 100 })
      begin(log, after(5))
      log.time.pass(103)
      for (let i = 0; i < 3; i++) leave(log, 0)
      log.time.pass(997)
      t.notOk(log.generator.ended)
      t.equal(log.generator.connections.list.length, 0)
      join(log, after(5))
      log.time.pass(1500)
      t.ok(log.generator.ended)
      t.match(log.total, { sent: 100, completed: 100 })
      t.equal(log.result().rate?.unsent ?? 0, 0)
      conserves(t, log.result())
    }
  })

  t.test('by amount that is stopped meanwhile has not sent what was due', async t => {
    const log = generatorOf({ rate: 100, connections: 1, amount: 20 })
    begin(log, after(5))
    log.time.pass(103)
    leave(log, 0)
    log.time.pass(1000)
    log.generator.stop()
    t.match(log.result().rate, { sent: 11, unsent: 9 })
    conserves(t, log.result())
  })

  t.test('ends when the last of an amount was in flight with who left', async t => {
    const log = generatorOf({ connections: 1, amount: 2 })
    begin(log)
    log.sockets[0].read(ANSWER)
    leave(log, 0)
    t.notOk(log.generator.ended)
    log.sockets[0].read(ANSWER)
    t.ok(log.generator.ended)
    conserves(t, log.result())
  })
})

t.test('an amount', async t => {
  t.test('is made up for by those that stay, and shared with who joins', async t => {
    const log = generatorOf({ connections: 3, amount: 300 })
    begin(log, after(10))
    log.time.pass(100)
    leave(log, 0)
    t.strictSame(log.generator.connections.list.map(({ budget }) => budget.left).slice(1), [89 + 45, 89 + 44], 'of 100 each, 11 are sent')
    join(log, after(10))
    log.time.pass(5000)
    t.ok(log.generator.ended)
    t.match(log.total, { sent: 300, completed: 300 })
    conserves(t, log.result())
  })

  t.test('that is nearly sent has nothing for who joins', async t => {
    const log = generatorOf({ connections: 2, amount: 5, pipelining: 2 })
    begin(log)
    t.equal(join(log, null), null, 'one request is left, for two connections')
    t.equal(log.sockets.length, 2)
    log.generator.stop()
    conserves(t, log.result())
  })

  t.test('of maxOverallRequests is shared as well, and of maxConnectionRequests each has its own', async t => {
    for (const [opts, sent] of [[{ maxOverallRequests: 50 }, 50], [{ maxConnectionRequests: 20 }, 41]]) {
      const log = generatorOf({ ...opts, connections: 2, duration: 10 })
      begin(log)
      leave(log, 0)
      const [gone, stays] = log.sockets
      gone.read(ANSWER)
      join(log)
      for (let i = 0; i < 60; i++) for (const socket of [stays, log.sockets[2]]) if (!socket.destroyed) socket.read(ANSWER)
      log.time.pass(10_000)
      t.ok(log.generator.ended)
      t.match(log.total, { sent, completed: sent })
      conserves(t, log.result())
    }
  })
})

t.test('with a rate', async t => {
  t.test('of all together, the times are those of its pace, with any connections', async t => {
    const pace = new RisingPace(200, 300, 1000)
    for (const rate of [{ rate: 1 }, { overallRate: 1 }]) {
      const log = generatorOf({ ...rate, pace: 'even', connections: 3, duration: 1 }, nobody, {}, { paceOf: () => pace })
      begin(log, after(2))
      for (const change of ['join', 'join', 'leave', 'leave', 'leave', 'join', 'leave', 'join', 'join', 'leave']) {
        log.time.pass(83)
        if (change === 'join') join(log, after(2))
        else leave(log, log.sockets.length % log.generator.connections.members.size)
      }
      log.time.pass(170)
      const times = sends(log)
      t.equal(times.length, pace.total)
      t.ok(times.every((at, n) => at >= pace.dueAt(n) && at < pace.dueAt(n) + 3 * TURN), Object.keys(rate)[0])
      t.match(log.result().rate, { sent: pace.total, late: 0, unsent: 0 })
      conserves(t, log.result())
    }
  })

  t.test('of each connection, it grows and falls with them', async t => {
    const log = generatorOf({ connectionRate: 100, pace: 'even', connections: 1, duration: 4 })
    begin(log, after(2))
    log.time.pass(1000)
    join(log, after(2))
    log.time.pass(1000)
    join(log, after(2))
    join(log, after(2))
    log.time.pass(1000)
    for (let i = 0; i < 3; i++) leave(log, 0)
    log.time.pass(1000)
    const inSecond = i => sends(log).filter(at => at >= 1000 * i && at < 1000 * (i + 1)).length
    t.strictSame([0, 1, 2, 3].map(inSecond), [100, 200, 400, 100])
    t.match(log.result().rate, { sent: 800, late: 0, unsent: 0 })
    conserves(t, log.result())
  })

  t.test('who takes turns is dealt in: each sends as many as the others', async t => {
    const log = generatorOf({ overallRate: 1000, pace: 'even', connections: 4, duration: 2 })
    begin(log, after(2))
    log.time.pass(999.5)
    join(log, after(2))
    log.time.pass(1000.5)
    t.strictSame(counts(log), [450, 450, 450, 450, 200])
    conserves(t, log.result())
  })

  t.test('a joining connection takes turns from when it is there', async t => {
    const log = generatorOf({ overallRate: 100, connections: 1, duration: 2 })
    begin(log, after(2))
    log.time.pass(500)
    join(log, null)
    log.time.pass(505)
    t.equal(counts(log)[0], 101)
    log.sockets[1].ready(after(2))
    log.time.pass(995)
    t.strictSame(counts(log), [101 + 50, 49])
    t.match(log.result().rate, { late: 0, unsent: 0 })
    conserves(t, log.result())
  })

  t.test('what waits for one that leaves in turn is unsent, and in the latency as far as it had suffered', async t => {
    const log = generatorOf({ overallRate: 100, connections: 2, duration: 1 })
    log.generator.start()
    log.sockets[0].ready()
    log.sockets[1].ready(after(5))
    log.time.pass(505)
    leave(log, 0)
    log.time.pass(495)
    const result = log.result()
    // 25 of those due until 500 ms were its own, besides the one that is in flight; all that come later are the other's.
    t.match(result.rate, { sent: 1 + 25 + 49, late: 0, unsent: 25 })
    t.strictSame(counts(log), [1, 74])
    t.ok(result.latency.totalCount > 74 + 20)
    conserves(t, result)
  })

  t.test('in the open model others send what is due', async t => {
    const log = generatorOf({ rate: 100, connections: 2, duration: 1 })
    log.generator.start()
    log.sockets[0].ready()
    log.sockets[1].ready(after(5))
    log.time.pass(505)
    leave(log, 0)
    log.time.pass(495)
    t.match(log.result().rate, { sent: 100, late: 0, unsent: 0 })
    conserves(t, log.result())
  })

  t.test('who joins before the schedule starts is waited for, and who leaves then is not', async t => {
    for (const rate of [{ rate: 100 }, { overallRate: 100 }]) {
      const log = generatorOf({ ...rate, connections: 2, duration: 1 })
      log.generator.start()
      log.sockets[0].ready(after(5))
      join(log, null)
      log.time.pass(100)
      leave(log, 1)
      t.equal(sends(log).length, 0)
      log.sockets[2].ready(after(5))
      log.time.pass(1000)
      t.ok(log.generator.ended)
      t.match(log.result().rate, { sent: 100, late: 0, unsent: 0 })
      conserves(t, log.result())
    }
  })

  t.test('a request that is due far ahead is due sooner when more connections come', async t => {
    const log = generatorOf({ connectionRate: 0.1, pace: 'even', connections: 1, duration: 20 })
    begin(log, after(2))
    log.time.pass(1000)
    for (let i = 0; i < 99; i++) join(log, after(2))
    log.time.pass(1000.1)
    t.equal(sends(log).length, 1 + 10, '100 of them send 10 a second')
    log.generator.stop()
    conserves(t, log.result())
  })
})

t.test('whatever comes and goes, every request has one fate and every count is kept', async t => {
  const seed = Number(process.env.SEED ?? 17)
  t.comment(`SEED=${seed}`)
  const events = fc.constantFrom('join', 'join', 'leave', 'leave', 'answer', 'answer', 'answer', 'answer', 'end', 'error', 'ready', 'ready', 'ready', 'refuse', 'short', 'pass', 'pass', 'drain', 'fill')
  const steps = fc.sample(fc.tuple(fc.nat(), events), { seed, numRuns: 2500 })
  let joined = 0
  let left = 0
  for (const opts of [
    {}, { amount: 2000 }, { maxConnectionRequests: 30 }, { maxOverallRequests: 1500 }, { rate: 300 }, { overallRate: 300 }, { connectionRate: 80 }, { rate: 300, amount: 700 },
    { overallRate: 300, amount: 700 }, { connectionRate: 80, amount: 700 }, { rate: 300, reconnectRate: 3 }, { overallRate: 300, skipFirst: 5 }
  ]) {
    const paced = 'rate' in opts || 'overallRate' in opts || 'connectionRate' in opts
    const log = generatorOf({ ...opts, connections: 4, pipelining: 3, ...opts.amount === undefined && { duration: 1000 }, timeout: 1, sampleInt: 100_000 })
    const { generator, time } = log
    begin(log)
    const open = new Set(log.sockets)
    const react = (socket, event) => {
      if (!open.has(socket)) {
        if (event === 'refuse') socket.emit('error', refused())
        else if (event === 'short') socket.emit('error', short())
        else if (event === 'ready') {
          open.add(socket)
          socket.ready()
        }
      } else if (event === 'answer') {
        if (socket.requests > (socket.completed ??= 0)) {
          socket.completed++
          socket.read(ANSWER)
        }
      } else if (event === 'fill') socket.room = 1
      else if (event === 'drain') socket.drain()
      else if (event === 'end' || event === 'error') socket.emit(event, refused())
    }
    for (const [choice, event] of steps) {
      if (generator.ended) break
      const { list, members } = generator.connections
      const live = log.sockets.filter(({ destroyed }) => !destroyed)
      if (event === 'join') joined += members.size < 12 && generator.join() !== null ? 1 : 0
      else if (event === 'leave' && list.length > 0) {
        generator.leave(list[choice % list.length])
        left++
      } else if (live.length === 0 || event === 'pass') time.pass(choice % 100)
      else react(live[choice % live.length], event)
      if (!paced || generator.ended) continue
      const room = queue => generator.connections.list
        .filter(connection => connection.queue === queue && open.has(connection.peer.socket) && connection.peer.socket.writableLength === 0 && connection.budget.left > 0)
        .reduce((sum, { exchanges, leftOnSocket }) => sum + Math.min(exchanges.capacity - exchanges.count, leftOnSocket), 0)
      for (const { queue } of generator.pacer.groups()) if (queue.free !== room(queue)) return t.fail(`${queue.free} free instead of ${room(queue)} after ${event}: ${JSON.stringify(opts)}`)
    }
    if (opts.amount !== undefined) {
      // Answered from now on, what is left of the amount is sent.
      const serve = after(3)
      generator.join()
      for (let i = 0; i < 20_000 && !generator.ended; i++) {
        for (const socket of log.sockets) {
          if (socket.destroyed) continue
          if (!open.has(socket)) {
            open.add(socket)
            socket.ready(serve)
          } else if (socket.serve === null) {
            socket.serve = serve
            socket.room = Infinity
            for (let owed = socket.requests - (socket.completed ?? 0); owed > 0; owed--) serve(socket)
            socket.drain()
          }
        }
        time.pass(5)
      }
      t.ok(generator.ended, `the amount ends: ${JSON.stringify(opts)}`)
      t.equal((log.total.sent ?? 0) + log.totals.forgone, opts.amount)
    }
    generator.stop()
    t.equal(log.ends, 1)
    t.equal(time.timers.size, 0)
    const skipped = log.totals.skipped?.inFlight ?? 0
    t.equal(log.total.sent - skipped >= 0, true)
    conserves(t, log.result(), { neverSent: log.total.neverSent })
  }
  t.ok(joined > 1000 && left > 1000, `${joined} joined, ${left} left`)
})
