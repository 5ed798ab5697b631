'use strict'

// A load that changes over time is the same in one thread and in workers: what is due by its stages, by arrivals at random and in bursts is
// exact over all of them, and connections come and go. How late a busy machine is, is not held.

const fs = require('node:fs')
const path = require('node:path')
const { performance } = require('node:perf_hooks')
const t = require('tap')
const { Followers } = require('../../../lib/follow/followers')
const { StagedPace } = require('../../../lib/shapes/staged/pace')
const { buildPlan } = require('../../../lib/options/plan')
const { parseStages } = require('../../../lib/shapes/staged/parse')
const { planStages } = require('../../../lib/shapes/stages')
const { validate } = require('../../../lib/options/validate')
const { gatherFor } = require('../../../lib/run/agents/gather')
const { LocalChannel } = require('../../../lib/run/channel-local')
const { RemoteChannel } = require('../../../lib/run/channel-remote')
const { Coordinator } = require('../../../lib/run/coordinator')
const { startThread } = require('../../../lib/run/transport-thread')
const { cli } = require('../../helpers/processes/cli')
const { conserves } = require('../../helpers/results/conservation')
const { serve } = require('../../helpers/servers/http-server')
const { overHttp1, run } = require('../modes')

/** Timers may fire this much early, ms. */
const EARLY = 3

/** A server that knows when requests came, and how many connections it has. */
async function watching (t) {
  const seen = { times: [], open: 0, most: 0, ever: 0 }
  const known = new Set()
  const server = await serve(t, ({ socket }, response) => {
    seen.times.push(performance.now())
    response.end()
    if (known.has(socket)) return
    known.add(socket)
    seen.ever++
    seen.most = Math.max(seen.most, ++seen.open)
    socket.on('close', () => { seen.open-- })
  })
  return Object.assign(seen, { url: server.url })
}

overHttp1(t, 'a rate changes by stages: what is due is exact over all workers, and nothing is sent before', async (t, mode) => {
  const server = await watching(t)
  const stages = ['300ms:100/s', 'hold=200ms:100/s', '0s:40/s', '200ms:40/s', '100ms:0/s']
  const pace = new StagedPace(planStages(parseStages(stages), 0))
  const start = performance.now()
  const result = await mode.run({ url: server.url, stages })
  t.equal(pace.total, 45)
  t.equal(result.rate.sent + result.rate.unsent, 45)
  t.ok(result.rate.ratio <= 1.05, `what was due is the target, and not the mean of the interval: ${result.rate.ratio}`)
  const early = server.times.map((time, n) => start + pace.dueAt(n) - time)
  t.ok(Math.max(...early) <= EARLY, `${Math.max(...early)} ms early at most`)
  t.ok(Math.abs(result.rate.target - 45 / 0.8) < 1, `${result.rate.target}`)
  t.equal(result.options.duration, 0.8)
  conserves(t, result)
})

overHttp1(t, 'connections come and go by stages, and leave nothing unanswered', async (t, mode) => {
  const server = await watching(t)
  const result = await mode.run({ url: server.url, connections: undefined, stages: ['300ms:6', '200ms:6', '300ms:0'] })
  // A thread that gets no core for so long lets some of them never come.
  t.ok(server.most > 0 && server.ever <= 6, `${server.ever} came, up to ${server.most} at a time`)
  t.equal(result.connections, 6, 'when there were most')
  t.strictSame([result.errors, result.resets], [0, 0])
  t.ok(result.requests.total > 0)
  conserves(t, result)
})

overHttp1(t, 'more workers than connections are none, where stages begin at none', async (t, mode) => {
  const server = await watching(t)
  const result = await mode.run({ url: server.url, connections: undefined, workers: mode.workers && 3, stages: ['100ms:1', '200ms:1'] })
  t.ok(server.ever <= 1)
  conserves(t, result)
})

const arrivals = { rate: 300, duration: 0.5, arrivals: 'poisson', seed: 4 }
const drawn = new Set()
overHttp1(t, 'arrivals at random are the same with any number of workers, and of a ramp, too', async (t, mode) => {
  const server = await watching(t)
  const counts = []
  for (const opts of [arrivals, { stages: ['200ms:300/s', '200ms:300/s'], arrivals: 'poisson', seed: 4 }]) {
    const result = await mode.run({ url: server.url, ...opts })
    counts.push(result.rate.sent + result.rate.unsent)
    // A thread that gets no core for so long sends a part of them.
    t.ok(result.rate.sent > 0 && result.rate.ratio < 1.01, `${result.rate.ratio}`)
    conserves(t, result)
  }
  drawn.add(counts.join())
  t.equal(drawn.size, 1, [...drawn].join(' | '))
})

overHttp1(t, 'a burst is so many at once, over all workers', async (t, mode) => {
  const server = await watching(t)
  const start = performance.now()
  const result = await mode.run({ url: server.url, burst: '15/200ms', duration: 0.5 })
  t.equal(result.rate.sent + result.rate.unsent, 45)
  t.ok(server.times.every((time, n) => time >= start + Math.floor(n / 15) * 200 - EARLY))
  conserves(t, result)
})

overHttp1(t, 'a run with stages can be stopped in the middle, and begin again', async (t, mode) => {
  const server = await watching(t)
  const stopped = mode.run({ url: server.url, stages: ['5s:500/s', '5s:500/s'], sampleInt: 50 })
  stopped.once('tick', () => stopped.stop())
  const result = await stopped
  t.equal(result.interrupted, true)
  t.ok(result.rate.target < 250, 'the target is that of what was measured')
  conserves(t, result)
  const again = mode.run({ url: server.url, stages: ['100ms:50/s', '100ms:50/s'], forever: true })
  const sent = []
  again.on('done', ({ rate }) => {
    sent.push(rate.sent + rate.unsent)
    if (sent.length === 2) again.stop()
  })
  await again
  // It is stopped before the next has begun.
  t.strictSame(sent.slice(0, 2), [8, 8])
})

overHttp1(t, 'a running load is given further stages over every channel', async (t, mode) => {
  const server = await watching(t)
  const { values } = validate({ url: server.url, connections: 20, stages: ['300ms:100/s'], sampleInt: 50 })
  const first = { name: null, over: 'rate', from: 0, until: 300, start: 100, end: 100 }
  const plan = { ...buildPlan(values), stages: [first], steered: true }
  const start = mode.startWorker ?? startThread
  const here = (plan, sinks, observer) => mode.workers === undefined ? new LocalChannel(plan, sinks, observer) : new RemoteChannel(plan, sinks, observer, start)
  const fleet = mode.onAgents ? await gatherFor(validate({ url: server.url, ...mode.opts }).values, plan, () => {}, new AbortController().signal) : null
  t.teardown(() => fleet?.release())
  const makeChannel = fleet?.makeChannel ?? here
  const followers = new Followers()
  const coordinator = new Coordinator({ ...plan, pacing: { ...plan.pacing, form: [first] } }, mode.parts, makeChannel, followers, { response: null, requestError: null, mismatch: null }, [], null, fleet)
  let last = null
  followers.add({
    tick () {
      if (coordinator.elapsed() > 150 && last === null) coordinator.extend(last = { ...first, from: 300, until: 500, start: 50, end: 50 }, { drop: true })
      if (last !== null && coordinator.measurement.stage(1).complete) coordinator.halt()
    }
  })
  const { outcome } = await coordinator.run()
  t.equal(outcome.interrupted, false, 'it was told to end')
  t.equal(outcome.totals.sent + outcome.totals.unsent, 40)
  const { figures } = coordinator.measurement.stage(1)
  t.equal(figures.rate.sent + figures.rate.unsent, 10)
  t.ok(outcome.totals.sent > 0 && outcome.totals.completed === outcome.totals.sent)
})

t.test('the command line and a config say the same', async t => {
  const server = await watching(t)
  const dir = t.testdir({ 'load.json': JSON.stringify({ url: server.url, stages: ['200ms:100/s', { duration: 0.1, rate: 100, name: 'top' }], connections: 4 }) })
  for (const argv of [['--stage', '200ms:100/s', '--stage', 'top=100ms:100/s', '-c', '4', server.url], ['--config', path.join(dir, 'load.json')]]) {
    const { code, stdout } = await cli(['-j', ...argv])
    t.equal(code, 0)
    const result = JSON.parse(stdout)
    t.equal(result.rate.sent + result.rate.unsent, 20)
    t.match(result.options.stages, [{ duration: 0.2, rate: 100 }, { duration: 0.1, rate: 100, name: 'top' }])
    t.equal(result.byStage?.at(-1).name, 'top')
    conserves(t, result)
  }
  fs.writeFileSync(path.join(dir, 'bad.json'), JSON.stringify({ url: server.url, stages: [{ duration: 1, target: 5 }] }))
  const { code, stderr } = await cli(['--config', path.join(dir, 'bad.json')])
  t.equal(code, 2)
  t.match(stderr, /unknown key 'target' in stages\[0\]/)
})

t.test('the start of a run may be left out, also of one with stages', async t => {
  const server = await watching(t)
  const result = await run({ url: server.url, connections: 4, stages: ['200ms:100/s', '300ms:100/s'], skipFirst: 0.2, sampleInt: 100 })
  t.ok(result.rate.sent + result.rate.unsent + result.skipped.requests >= 40)
  t.ok(Math.abs(result.rate.target - 100) < 2, `${result.rate.target}`)
  conserves(t, result)
})
