'use strict'

// A load that changes over time, with exact times: what is sent when, and on which connections.
//
// Run alone: it compares CPU times.

const t = require('tap')
const fc = require('fast-check')
const { conserves } = require('../helpers/results/conservation')
const { StagedPace } = require('../../lib/shapes/staged/pace')
const { FakeTime, generatorOf, planOf, threadsOf, play, begin, after, ANSWER, nobody } = require('../engine/helpers/fake-load')

const sends = ({ sockets }) => sockets.flatMap(({ times }) => times).sort((a, b) => a - b)
const dueOf = stages => {
  const pace = new StagedPace(stages)
  return Array.from({ length: pace.total }, (_, n) => pace.dueAt(n))
}
const differs = (times, due, slack) => times.length !== due.length ? `${times.length} and ${due.length}` : due.findIndex((at, n) => !(times[n] >= at - 1e-6 && times[n] <= at + slack))

t.test('a rate that changes', async t => {
  const stages = ['1s:100/s', '500ms:100/s', '0s:20/s', '500ms:20/s', '1s:0/s', '500ms:0/s', '500ms:50/s']
  t.test('each request leaves at its time: in batches once per ms, evenly within a turn', async t => {
    for (const [pace, slack] of [['batched', 1.001], ['even', 0.01]]) {
      const log = generatorOf({ stages, pace, connections: 10 })
      begin(log, after(2))
      log.time.pass(5000)
      t.ok(log.generator.ended, 'the run lasts as long as its stages')
      t.equal(log.result().duration, 4)
      t.equal(differs(sends(log), dueOf(log.generator.plan.stages), slack), -1, pace)
      t.equal(sends(log).length, 50 + 50 + 10 + 10 + 13)
      conserves(t, log.result())
    }
  })

  t.test('a pause keeps the connections, and costs no turns of the event loop', async t => {
    const log = generatorOf({ stages: ['0s:10/s', '1s:10/s', '0s:0/s', '10s:0/s', '0s:10/s', '1s:10/s'], pace: 'even' })
    begin(log, after(2))
    log.time.pass(2000)
    const { turns } = log.time
    log.time.pass(8000)
    t.ok(log.time.turns - turns < 10, `${log.time.turns - turns} turns`)
    log.time.pass(2000)
    t.equal(log.sockets.length, 1)
    t.equal(sends(log).length, 20)
    t.ok(sends(log)[10] >= 11_000)
    conserves(t, log.result())
  })

  t.test('what a stage leaves behind stays due in the next, and counts from its time', async t => {
    // The server takes 100 ms for each: 10/s of 20/s in the first second, the rest in the pause behind it.
    const log = generatorOf({ stages: ['0s:20/s', '1s:20/s', '0s:0/s', '2s:0/s'], connections: 1 })
    begin(log, after(100))
    log.time.pass(3000)
    t.equal(sends(log).length, 20)
    t.equal(log.totals.unsent, 0)
    t.ok(log.result().latency.max > 900, 'the last one waited for the server')
    conserves(t, log.result())
  })

  t.test('what is due and not sent at the end is told', async t => {
    const log = generatorOf({ stages: ['1s:100/s'], connections: 1 })
    begin(log, after(100))
    log.time.pass(1000)
    t.equal(log.total.sent + log.totals.unsent, 50)
    conserves(t, log.result())
  })

  t.test('it can be stopped in the middle, and the result has the mean rate of the whole run as its target', async t => {
    const log = generatorOf({ stages: ['1s:100/s', '1s:100/s'], connections: 5 })
    begin(log, after(2))
    log.time.pass(500)
    log.generator.stop()
    t.equal(sends(log).length, 13)
    t.equal(log.result().rate.target, 75)
    conserves(t, log.result())
  })
})

t.test('arrivals at random leave at their times, on any kind of rate, the same for the same seed', async t => {
  for (const rate of [{ rate: 200 }, { connectionRate: 50, connections: 4 }, { overallRate: 200, connections: 4 }, { stages: ['300ms:200/s', '300ms:200/s'] }]) {
    const run = seed => {
      const log = generatorOf({ ...rate, ...rate.stages ? {} : { duration: 0.6 }, arrivals: 'poisson', seed, connections: rate.connections ?? 40, pace: 'even' })
      begin(log, after(1))
      log.time.pass(600)
      conserves(t, log.result())
      return sends(log)
    }
    const times = run(5)
    t.strictSame(times, run(5))
    t.notOk(times.join() === run(6).join())
    const mean = rate.stages ? 90 : 120
    t.ok(Math.abs(times.length - mean) < 6 * Math.sqrt(mean), `${times.length} requests`)
    const gaps = times.slice(1).map((at, i) => at - times[i])
    t.ok(gaps.some(gap => gap < 0.5) && gaps.some(gap => gap > 15), 'at uneven distances')
  }
})

t.test('a burst leaves at once, as far as there is room; the rest waits for the server', async t => {
  const log = generatorOf({ burst: '10/s', duration: 2, connections: 4 })
  begin(log, after(20))
  log.time.pass(2000)
  const of = from => sends(log).filter(at => at >= from && at < from + 1000).map(at => Math.floor((at - from) / 20))
  t.strictSame(of(0), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2])
  t.strictSame(of(1000), of(0))
  t.ok(Math.abs(log.result().latency.max - 60) < 2, 'the queue is in the latency')
  t.equal(log.result().rate.target, 10)
  conserves(t, log.result())
})

/** Time passes; a connection that was added meanwhile is open within 1 ms. */
function pass (log, ms, serve) {
  for (let i = 0; i < ms; i++) {
    for (const socket of log.sockets) {
      if (!socket.came) socket.ready(serve)
      socket.came = true
    }
    log.time.pass(1)
  }
}
const open = ({ sockets }) => sockets.filter(({ destroyed }) => !destroyed).length

t.test('connections that come and go', async t => {
  t.test('as many as the line says at any time, up, level, down and in a jump', async t => {
    const log = generatorOf({ stages: ['1s:10', '500ms:10', '0s:4', '500ms:4', '1s:0', '0s:2', '500ms:2'] })
    log.generator.start()
    const at = []
    for (let ms = 0; ms < 3500; ms += 50) {
      at.push(open(log))
      pass(log, 50, after(1))
    }
    t.ok(log.generator.ended)
    t.strictSame(at.slice(0, 20), Array.from({ length: 20 }, (_, i) => Math.min(10, Math.floor(i / 2) + 1)), 'the n-th comes when the line reaches n')
    t.strictSame([at[20], at[29], at[30], at[39], at[40], at[44], at[46], at[54], at[56], at[59], at[61]], [10, 10, 4, 4, 4, 4, 3, 2, 1, 1, 2])
    t.equal(log.sockets.length, 11, 'the first stays where a line ends at 0 and the next begins above it')
    t.equal(log.result().duration, 3.5)
    conserves(t, log.result())
  })

  t.test('who leaves finishes what is in flight, and who came last leaves first', async t => {
    const log = generatorOf({ stages: ['1s:4', '0s:1', '1s:1'], pipelining: 3 })
    log.generator.start()
    pass(log, 1100, null)
    t.strictSame(log.sockets.map(({ destroyed }) => destroyed), [false, false, false, false], 'they wait for their answers')
    t.strictSame(log.sockets.map(({ requests }) => requests), [3, 3, 3, 3])
    for (let i = 0; i < 3; i++) for (const socket of log.sockets) socket.read(ANSWER)
    t.strictSame(log.sockets.map(({ destroyed }) => destroyed), [false, true, true, true])
    t.strictSame(log.sockets.slice(1).map(({ requests }) => requests), [3, 3, 3])
    log.time.pass(1000)
    t.match(log.total, { completed: 12, failed: 0 })
    conserves(t, log.result())
  })

  t.test('they begin at -c, and a run may go through no connection at all', async t => {
    const log = generatorOf({ stages: ['1s:0', '500ms:0', '1s:2'], connections: 3 })
    log.generator.start()
    t.equal(open(log), 3)
    pass(log, 1100, after(1))
    t.equal(open(log), 0)
    const { sent } = log.totals
    pass(log, 300, after(1))
    t.equal(log.totals.sent, sent)
    t.notOk(log.generator.ended)
    pass(log, 1100, after(1))
    t.ok(log.generator.ended)
    t.ok(log.total.sent > sent)
    t.equal(log.result().connecting, undefined, 'how long the first ones took is nothing of those that came later')
    conserves(t, log.result())
  })

  t.test('limits hold: each connection makes its requests and the others still come, and all together make no more', async t => {
    const each = generatorOf({ stages: ['1s:5'], maxConnectionRequests: 7 })
    each.generator.start()
    pass(each, 1001, after(1))
    t.strictSame(each.sockets.map(({ requests }) => requests), [7, 7, 7, 7, 7])
    t.equal(each.result().duration, 1)
    conserves(t, each.result())
    const all = generatorOf({ stages: ['1s:5', '5s:5'], maxOverallRequests: 1000 })
    all.generator.start()
    pass(all, 2000, after(1))
    t.equal(all.total.sent, 1000)
    t.ok(all.generator.ended, 'there is nothing left for anybody to do')
    conserves(t, all.result())
  })

  t.test('a hook is called for each that comes; one that fails ends the run', async t => {
    const clients = []
    const log = generatorOf({ stages: ['1s:4'], setupClient: client => { clients.push(client); if (clients.length === 3) throw new Error('no third') } })
    log.generator.start()
    pass(log, 1000, after(1))
    t.equal(clients.length, 3)
    t.match(log.generator.failure, { code: 'AC_HOOK', message: 'setupClient of connection 2 failed: no third' })
    conserves(t, log.result())
  })

  t.test('it can be stopped in the middle', async t => {
    const log = generatorOf({ stages: ['10s:100'] })
    log.generator.start()
    pass(log, 490, after(3))
    log.generator.stop()
    t.equal(log.sockets.length, 5)
    log.time.pass(10_000)
    t.equal(log.sockets.length, 5, 'no connection is added any more')
    t.strictSame(log.time.timers.size, 0)
    conserves(t, log.result())
  })

  t.test('what one that comes or leaves costs does not grow with their number', async t => {
    /** CPU time of so many that come, and leave with an answer in flight, µs. */
    const cost = (/** @type {number} */ n, limits = {}) => {
      const log = generatorOf({ stages: [`0s:${n}`, '1s:' + n, '0s:0', '1s:0'], ...limits })
      const before = process.cpuUsage()
      log.generator.start()
      for (const socket of log.sockets) socket.ready(null)
      for (const connection of [...log.generator.connections.members].reverse()) log.generator.leave(connection)
      t.equal(log.generator.connections.list.length, n)
      for (const socket of log.sockets) if (!socket.destroyed) socket.read(ANSWER)
      t.equal(log.generator.connections.list.length, 0)
      const { user } = process.cpuUsage(before)
      log.generator.stop()
      conserves(t, log.result())
      return user
    }
    for (const limits of [{}, { maxOverallRequests: 1e6 }]) {
      /** As many connections in all: the kernel counts CPU time by ticks, of which a short time may have none. */
      const of16000 = (/** @type {number} */ n) => Array.from({ length: 16_000 / n }, () => cost(n, limits)).reduce((sum, one) => sum + one)
      const least = (/** @type {number} */ n) => Math.min(...Array.from({ length: 3 }, () => of16000(n)))
      const [few, many] = [least(1000), least(16_000)]
      t.ok(many < 4 * few, `${many} and ${few} µs`)
    }
  })

  t.test('who comes back for one that has left goes on with its work: no server of the targets is left without a connection', async t => {
    const targets = Array.from({ length: 10 }, (_, i) => `http://${i < 9 ? 'a' : 'b'}/${i}`)
    const log = generatorOf({ url: undefined, targets, stages: Array.from({ length: 6 }, () => ['0s:2', '10ms:2', '0s:1', '10ms:1']).flat() })
    log.generator.start()
    for (let peak = 0; peak < 6; peak++) {
      log.time.pass(5)
      t.strictSame([...log.generator.connections.members].map(({ source }) => source.target.authority), ['a', 'b'])
      log.time.pass(15)
    }
    log.generator.stop()
    conserves(t, log.result())
  })

  t.test('thousands of them', async t => {
    const log = generatorOf({ stages: ['1s:3000', '1s:0'] })
    log.generator.start()
    log.time.pass(2000)
    t.equal(log.sockets.length, 3000)
    t.equal(open(log), 0)
    conserves(t, log.result())
  })
})

t.test('generators of one run', async t => {
  /** All of them begin at the same time, as a coordinator has it. */
  const together = (opts, threads, serve) => {
    const logs = threadsOf({ pace: opts.stages[0].includes('/s') ? 'batched' : undefined, ...opts }, threads)
    for (const log of logs) begin(log, serve)
    for (const log of logs) log.generator.beginAt(logs[0].time.ms + 20)
    return logs
  }

  t.test('wait until they are told to begin, and what they send together is due by then', async t => {
    const stages = ['1s:100/s', '1s:100/s', '500ms:0/s']
    const [first, second, third] = threadsOf({ stages, connections: 6, pace: 'batched' }, 3)
    const told = []
    for (const log of [first, second, third]) {
      log.generator.sinks.waiting = () => told.push(log)
      begin(log, after(1))
    }
    t.strictSame(told.length, 3)
    first.time.pass(500)
    t.strictSame(sends(first), [])
    for (const { generator } of [first, second, third]) generator.beginAt(520)
    first.time.pass(3000)
    const due = dueOf(first.generator.plan.stages)
    t.equal(differs([first, second, third].flatMap(sends).map(at => at - 520).sort((a, b) => a - b), due, 1.001), -1)
    t.equal(differs(sends(second).map(at => at - 520), due.filter((_, n) => n % 3 === 1), 1.001), -1, 'each has every third')
    for (const log of [first, second, third]) conserves(t, log.result())
  })

  t.test('one that hears late of the start catches up', async t => {
    const logs = threadsOf({ stages: ['0s:100/s', '1s:100/s'], connections: 2, pace: 'batched' }, 2)
    for (const log of logs) begin(log, after(1))
    logs[0].generator.beginAt(10)
    logs[0].time.pass(60)
    logs[1].generator.beginAt(10)
    logs[0].time.pass(1000)
    t.strictSame(logs.map(log => log.total.sent), [50, 50])
    t.ok(logs[0].generator.ended && logs[1].generator.ended)
    for (const log of logs) conserves(t, log.result())
  })

  t.test('have every so many-th connection, however many there are', async t => {
    for (const [opts, counts] of [[{ stages: ['1s:10', '1s:10'] }, [4, 3, 3]], [{ stages: ['1s:2', '1s:2'] }, [1, 1, 0]], [{ stages: ['1s:2', '1s:2'], connections: 7 }, [1, 1, 0]]]) {
      const logs = together(opts, 3, after(1))
      const { time } = logs[0]
      t.strictSame(logs.map(open), [0, 0, 0], 'none before the start')
      for (let ms = 0; ms < 1100; ms++) {
        for (const log of logs) for (const socket of log.sockets) if (!socket.came) { socket.came = true; socket.ready(after(1)) }
        time.pass(1)
      }
      t.strictSame(logs.map(open), counts)
      time.pass(1000)
      for (const log of logs) conserves(t, log.result())
    }
  })
})

t.test('a run that is steered', async t => {
  const stage = (from, until, start, end = start, over = 'rate') => ({ name: null, over, from, until, start, end })
  /** A generator whose plan has no end. */
  const steered = (over, stages, connections) => {
    const log = generatorOf({ stages: over === 'rate' ? '1s:1/s' : '1s:1', connections })
    const plan = { ...log.generator.plan, stages, steered: true, together: true, connections: over === 'rate' ? connections : 0 }
    return play({ ...plan, pacing: plan.pacing && { ...plan.pacing, form: stages } }, new FakeTime(), nobody, {})
  }

  t.test('goes on stage by stage, each exact, until it is told to end', async t => {
    const log = steered('rate', [stage(0, 1000, 50)], 20)
    begin(log, after(2))
    log.generator.beginAt(0)
    log.time.pass(900)
    log.generator.extend(stage(1000, 2000, 100), false)
    log.time.pass(1000)
    // Shorter than it was to be.
    log.generator.extend(stage(1950, 2950, 0, 200), false)
    log.time.pass(2000)
    t.notOk(log.generator.ended)
    const count = (from, until) => sends(log).filter(at => at >= from && at < until).length
    t.strictSame([count(0, 1000), count(1000, 1950), count(1950, 2952), count(2952, 9000)], [50, 95, 100, 0])
    log.generator.extend(stage(5000, 6000, 10), false)
    log.time.pass(2500)
    t.equal(count(5000, 6001), 10, 'also after a pause')
    log.generator.stop()
    t.strictSame([log.totals.sent, log.totals.unsent], [255, 0])
    conserves(t, log.result())
  })

  t.test('may drop what a stage leaves behind, which counts as never sent', async t => {
    // Each connection makes 10/s: of 100/s most wait.
    const log = steered('rate', [stage(0, 1000, 100)], 2)
    begin(log, after(100))
    log.generator.beginAt(0)
    log.time.pass(950)
    log.generator.extend(stage(1000, 2000, 10), true)
    log.time.pass(1049)
    log.generator.stop()
    t.equal(log.totals.sent + log.totals.unsent, 110)
    t.equal(sends(log).filter(at => at >= 1001).length, 10, 'the next stage has a connection for each of its requests')
    conserves(t, log.result())
  })

  t.test('or changes the number of connections, and keeps those that there are', async t => {
    const log = steered('connections', [stage(0, 500, 4, 4, 'connections')])
    log.generator.start()
    log.generator.beginAt(0)
    pass(log, 400, after(1))
    t.equal(open(log), 4)
    log.generator.extend(stage(500, 2000, 9, 9, 'connections'), false)
    pass(log, 900, after(1))
    t.equal(open(log), 9)
    t.equal(log.sockets.length, 9)
    log.generator.extend(stage(1400, 2000, 3, 3, 'connections'), true)
    pass(log, 300, after(1))
    t.equal(open(log), 3)
    log.generator.stop()
    conserves(t, log.result())
  })
})

t.test('with any pacer, every request of every stage has its time', async t => {
  const rate = fc.integer({ min: 0, max: 400 })
  const length = fc.integer({ min: 1, max: 400 })
  fc.assert(fc.property(fc.array(fc.tuple(length, rate, rate), { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 3 }), fc.boolean(), (list, connections, parts, turns) => {
    let from = 0
    const stages = list.map(([ms, start, end]) => {
      from += ms
      return { name: null, over: 'rate', from: from - ms, until: from, start, end }
    })
    const due = dueOf(stages)
    const time = new FakeTime()
    const logs = Array.from({ length: parts }, (_, part) => {
      const plan = planOf({ ...turns ? { overallRate: 1 } : { rate: 1 }, duration: from / 1000, connections, pipelining: 3, pace: 'batched' })
      return play({ ...plan, together: true, pacing: { ...plan.pacing, shape: 'staged', form: stages, part, parts } }, time, nobody, {})
    })
    for (const log of logs) begin(log, after(1))
    for (const { generator } of logs) generator.beginAt(0)
    time.pass(from + 10)
    const times = logs.flatMap(sends).sort((a, b) => a - b)
    const unsent = logs.reduce((sum, { totals }) => sum + totals.unsent, 0)
    // What falls due in the last ms may be left when the load ends.
    return times.length + unsent === due.length && due.slice(0, times.length).every((at, n) => times[n] >= at - 1e-6 && times[n] <= at + 3) &&
      due.slice(times.length).every(at => at > from - 2)
  }), { seed: 31, numRuns: 60 })
})
