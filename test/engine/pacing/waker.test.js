'use strict'

// Which pace is kept, by what was asked for and by how much of the machine there is.

const t = require('tap')
const { conserves } = require('../../helpers/results/conservation')
const { generatorOf, begin, after, nobody } = require('../helpers/fake-load')

/** @param {{ pace?: string, cores: number, seconds?: number, delay?: (ms: number) => number | null }} world and how long the thread has waited for a core */
function runIn (t, { pace, cores, seconds = 1, delay = () => null }) {
  const world = { time: { ms: 0 } }
  const log = generatorOf({ rate: 1000, connections: 10, duration: seconds, pace }, nobody, { cores, runDelayMs: () => delay(world.time.ms) })
  world.time = log.time
  begin(log, after(3))
  log.time.pass(1000 * seconds)
  const result = log.result()
  conserves(t, result)
  t.match(result.rate, { sent: 1000 * seconds, late: 0, unsent: 0 })
  return { log, rate: result.rate, result }
}

const lags = ({ log }) => log.totals.distributions.lag

t.test('a pace that was asked for is kept, whatever there is', async t => {
  for (const cores of [1, 2, 64]) {
    const even = runIn(t, { pace: 'even', cores, delay: ms => ms })
    t.strictSame([even.rate.pace, 'paceReason' in even.rate], ['even', false])
    t.ok(lags(even).max <= 3, `${lags(even).max} µs`)
    const batched = runIn(t, { pace: 'batched', cores })
    t.strictSame([batched.rate.pace, 'paceReason' in batched.rate], ['batched', false])
    t.equal(batched.log.time.turns < 100, true)
  }
})

t.test('without one it is even where there is a core for it beside the server', async t => {
  const { rate } = runIn(t, { cores: 2 })
  t.strictSame([rate.pace, 'paceReason' in rate], ['even', false])
})

t.test('and in batches where there is one core, with the reason', async t => {
  const run = runIn(t, { cores: 1 })
  t.equal(run.rate.pace, 'batched')
  t.equal(run.rate.paceReason, 'The load was sent in batches, one per ms: an even pace takes a core for itself, and this process may use one.')
  t.strictSame(run.rate.paceCause, { code: 'few-cores', threads: 1, cores: 1 })
  t.ok(run.log.time.turns < 100)
})

t.test('it becomes batched, once, when the thread has to wait for its core', async t => {
  const run = runIn(t, { cores: 2, seconds: 5, delay: ms => ms < 2000 ? 0.03 * ms : 60 + 0.4 * (ms - 2000) })
  t.equal(run.rate.pace, 'batched')
  t.equal(run.rate.paceReason, 'From 3.0 s on, the load was sent in batches, one per ms: the CPU wait was too high for an even pace.')
  t.strictSame(run.rate.paceCause, { code: 'cpu-wait', from: 3 })
  const { time } = run.log
  t.ok(time.turns > 730_000 && time.turns < 770_000, `${time.turns} turns`)
})

t.test('but not when it has to for a moment, now and then, or that is unknown', async t => {
  for (const delay of [ms => Math.floor(ms / 1000) * 300, ms => 0.19 * ms, () => null]) {
    t.equal(runIn(t, { cores: 2, seconds: 4, delay }).rate.pace, 'even')
  }
})

t.test('a closed loop has no pace, and nothing turns', async t => {
  const log = generatorOf({ connections: 10, duration: 1 })
  begin(log, after(3))
  log.time.pass(1000)
  t.ok(log.time.turns < 100)
  const { rate } = log.result()
  t.equal(rate, undefined)
})

t.test('nothing of it stays behind the end of a run', async t => {
  for (const pace of ['even', 'batched', undefined]) {
    const log = generatorOf({ rate: 1000, connections: 10, duration: 5, pace })
    begin(log, after(3))
    log.time.pass(1000)
    log.generator.stop()
    log.generator.stop()
    t.equal(log.ends, 1)
    log.time.pass(100)
    t.strictSame([log.time.timers.size, log.time.immediates.size], [0, 0])
  }
})
