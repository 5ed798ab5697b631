'use strict'

// A run that ends when a figure is known well enough.

const t = require('tap')
const { cli } = require('../../helpers/processes/cli')
const { conserves } = require('../../helpers/results/conservation')
const { serve } = require('../../helpers/servers/http-server')
const { overHttp1, run } = require('../modes')

/** A rate is the same in each sample, whatever else the machine does. */
const EVEN = { rate: 200, duration: 0.5, until: 'rps ±50%' }

overHttp1(t, 'a run ends as soon as its figure is known so well, and says how well', async (t, mode) => {
  const server = await serve(t)
  const instance = mode.run({ url: server.url, ...EVEN })
  /** @type {any[]} */
  const ticks = []
  instance.on('tick', (/** @type {any} */ { until }) => { ticks.push(until) })
  const result = await instance
  const { until, duration, requests } = result
  t.match(until, { expression: 'rps ±50%', metric: 'rps', unit: 'requests/s', target: 0.5, confidence: 0.95 })
  // The value is that of the whole run, and has the rest behind the last sample, too.
  // A busy machine may keep no rate that is so even, and the result says what kept it from that.
  t.ok(until.reached ? until.width <= 0.5 : until.width > 0.5 || until.hindrance !== undefined, JSON.stringify(until))
  t.ok(until.width === null || (until.low < 1.05 * until.value && 0.95 * until.value < until.high), JSON.stringify(until))
  t.equal(until.value, requests.total / duration > 0 ? requests.average : NaN)
  t.ok(duration >= 0.9 && duration < 6, `ten samples of 100 ms at the least: ${duration}`)
  t.notOk(result.interrupted)
  t.equal(result.sampleInt, 100, 'a tenth of the duration would be less')
  t.strictSame(ticks[0], { metric: 'rps', width: null, target: 0.5 })
  conserves(t, result)
})

overHttp1(t, 'a run that never comes to it lasts ten times its duration, and says so', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, rate: 100, duration: 0.12, until: 'p99 ±0.1%', warmup: { connections: 1, duration: 0.05 } })
  t.match(result.until, { reached: false, target: 0.001, metric: 'p99', value: result.latency.p99 })
  t.ok(result.duration >= 1.1 && result.duration < 4, `${result.duration}`)
  t.ok(result.warmup.duration < 0.12 * 5, 'the warm-up knows nothing of it')
  t.equal(result.warmup.until, undefined)
  conserves(t, result)
})

t.test('a run that is stopped says how well its figure is known', async t => {
  const server = await serve(t)
  const instance = run({ url: server.url, duration: 10, until: 'p99 ±0.1%' })
  instance.on('tick', () => instance.stop())
  const { until, interrupted } = await instance
  t.match({ until, interrupted }, { interrupted: true, until: { reached: false, width: null, low: null, high: null } })
})

t.test('what is left out of the figures is in the duration, and each run ends by itself', async t => {
  const server = await serve(t)
  const instance = run({ url: server.url, ...EVEN, skipFirst: 0.3, forever: true })
  /** @type {any[]} */
  const runs = []
  instance.on('done', (/** @type {any} */ result) => {
    runs.push(result)
    if (runs.length === 2) instance.stop()
  })
  await instance
  for (const result of runs) {
    t.ok(result.duration + result.skipped.seconds <= 5.5, `${result.duration}, ${result.skipped.seconds}`)
    t.ok(Math.abs(result.until.after - result.duration) < 0.5, `${result.until.after}, ${result.duration}`)
    conserves(t, result)
  }
})

t.test('what is not known well enough is a gate that can not judge', async t => {
  const server = await serve(t)
  const argv = ['-j', '--rate', '100', '-c', '1', '-d', '0.12', '--until', 'p99 +-0.1%', server.url]
  const [unsure, passes, fails] = await Promise.all([argv, ['--inconclusive', 'pass', ...argv], ['--threshold', 'failures > 0', ...argv]].map(argv => cli(argv)))
  t.equal(unsure.code, 4)
  t.match(unsure.stderr, /^autocannon: p99 \+-0\.1% is inconclusive: /)
  const { reached: isReached, finding } = JSON.parse(unsure.stdout).until
  t.equal(isReached, false)
  t.match(finding, { code: /^(imprecise|short-run)$/, severity: 'warning', facts: { after: Number } }, 'the reason as data')
  t.equal(passes.code, 0)
  t.equal(fails.code, 3)
  // A rate that a busy machine can send, too: what it sends of a higher one varies by more.
  const reached = await cli(['-c', '1', '-n', '--rate', '20', '-d', '1', '--until', 'rps ±50%', server.url])
  t.equal(reached.code, 0, reached.stderr)
  t.match(reached.stderr, /Running test until rps ±50%, at least 1 s, at most 10 s @ /)
  t.match(reached.stderr, /\nrps [\d.,]+ req\/s ±[\d.]+ % \(95 %, if nothing is slower than [\d.]+ s\) after [\d.]+ s\n/)
})

t.test('a run ends as soon as its thresholds are decided, and not before', async t => {
  const server = await serve(t)
  // A loop: a busy machine may keep a rate from being sent, which decides nothing.
  const far = await run({ url: server.url, connections: 1, duration: 0.6, until: 'decided', thresholds: ['p99 < 60s', 'p50 < 60s', 'failures == 0'] })
  t.match(far.until, { expression: 'decided', metric: 'thresholds', unit: 'count', reached: true, value: 3, target: 3 })
  t.ok(far.duration >= 0.6 && far.duration < 5, `${far.duration}`)
  t.equal(far.passed, true)
  const near = await run({ url: server.url, rate: 100, duration: 0.12, until: 'decided', thresholds: ['rps > 0', `p50 < ${far.latency.p50}ms`, 'p50 > 0'], warmup: { connections: 1, duration: 0.1 } })
  t.ok(near.duration >= 0.12 && near.duration < 4, `${near.duration}`)
  t.equal(near.until.reached, near.thresholds.every((/** @type {any} */ { passed }) => passed !== null))
  conserves(t, near)
})

t.test('what makes no sense with it is refused in one line', async t => {
  for (const [options, message] of /** @type {Array<[Record<string, any>, string]>} */ ([
    [{ amount: 5 }, 'until and amount each set the end of the run: use one of them'],
    [{ stages: ['1s:5/s'] }, 'until and stages each set the end of the run: use one of them'],
    [{ skipAggregateResult: true }, 'until and skipAggregateResult: a raw result has no figures yet that could be judged; use one of them'],
    [{ until: 'decided' }, 'until decided: expected thresholds as well, got none: there is nothing to decide'],
    [{ until: 'max ±2%' }, "until: expected something like 'p99 ±2%', or decided, got 'max ±2%': how precise max is a run can't tell; there are avg, rps, bytes/s and percentiles below 100"]
  ])) await t.rejects(run({ url: 'http://127.0.0.1:1', until: 'p99 ±2%', ...options }), { code: 'AC_OPTIONS', message })
  const { code, stderr } = await cli(['versus', '--until', 'p99 ±2%', '127.0.0.1:1', '127.0.0.1:2'])
  t.equal(code, 2)
  t.match(stderr, "autocannon: --until: runs of different lengths can't be compared")
})
