'use strict'

// A load that changes over time, with exact times: what is sent when, and on which connections.

const t = require('tap')
const { conserves } = require('../helpers/conservation')
const { StagedPace } = require('../../lib/load/staged-pace')
const { generatorOf, begin, after } = require('./fake-load')

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
  for (const rate of [{ rate: 200 }, { connectionRate: 50, connections: 4 }, { overallRate: 200, connections: 4 }, { stages: ['1s:200/s', '1s:200/s'] }]) {
    const run = seed => {
      const log = generatorOf({ ...rate, ...rate.stages ? {} : { duration: 2 }, arrivals: 'poisson', seed, connections: rate.connections ?? 40, pace: 'even' })
      begin(log, after(1))
      log.time.pass(2000)
      conserves(t, log.result())
      return sends(log)
    }
    const times = run(5)
    t.strictSame(times, run(5))
    t.notOk(times.join() === run(6).join())
    const mean = rate.stages ? 300 : 400
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
