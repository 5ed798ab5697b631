'use strict'

// A threshold passes when the whole interval of its figure keeps to it, fails when none of it does, and is inconclusive between.

const t = require('tap')
const { Histogram } = require('../../lib/record/histogram')
const { Batches } = require('../../lib/judge/batches')
const { settle } = require('../../lib/judge/inconclusive')
const { judge } = require('../../lib/judge/judge')
const { parseThreshold } = require('../../lib/judge/threshold')
const { simulated } = require('../helpers/effort')
const { SERVERS, runOf } = require('../helpers/simulated/varying-servers')
const { judgedRuns } = require('../../bench/accuracy/thresholds')

/** @param {number[]} latencies ms */
function latencyOf (latencies) {
  const histogram = new Histogram()
  for (const ms of latencies) histogram.record(ms)
  return { ...histogram.summary(), histogram: histogram.toBase64() }
}

/**
 * @param {number[]} latencies ms
 * @param {Record<string, any>} [changes]
 * @returns {Record<string, any>} a result of too short a run to have batches
 */
const result = (latencies, changes) => ({
  duration: 2,
  latency: latencyOf(latencies),
  requests: { total: latencies.length, average: latencies.length / 2 },
  throughput: { average: 1000 },
  errors: 0,
  failures: 0,
  unexpected: 0,
  unfinished: 0,
  generator: { verdict: 'healthy' },
  interrupted: false,
  ...changes
})

/**
 * @param {string} expression
 * @param {Record<string, any>} of
 * @param {Batches | null} [course]
 */
const judged = (expression, of, course) => judge([parseThreshold(expression)], of, course)[0]

/** @param {string} name */
const server = name => /** @type {import('../helpers/simulated/varying-servers').Server} */ (SERVERS.find(server => server.name === name))

t.test('a limit that a figure is 10 % beyond passes in few runs, and one that it is within fails in few', async t => {
  // Few runs, so wide bounds: npm run bench:accuracy -- --only thresholds makes 1,000 of each and allows 5 %.
  for (const name of ['exponential', 'Pareto 1.5', 'bimodal, 1.2 %', 'AR(1), τ 2 s, ±10 %', 'bursts of 200 ms every 2.2 s', 'bursts of 1000 ms every 11 s', 'stalls of 100 ms every 2 s', 'M/M/1 at 80 %, 5 ms each']) {
    for (const [metric, { passes, fails }] of judgedRuns(server(name), simulated(60, 20), 10)) {
      t.ok(passes <= 10, `${name}, ${metric}: ${passes} % pass`)
      t.ok(fails <= 10, `${name}, ${metric}: ${fails} % fail`)
    }
  }
})

t.test('who looks at handshakes again and again is as careful as with the latency', async t => {
  const times = Array.from({ length: 1000 }, (_, i) => 1 + i / 100)
  const of = result(times, { handshakes: { latency: latencyOf(times), count: 1000, resumed: 0, perSecond: 500 } })
  for (const expression of ['handshake p50 < 6.3ms', 'handshake avg < 6.3ms']) {
    const [once, often] = [null, new Batches(0.998)].map(course => judged(expression, of, course))
    t.ok(often.high > once.high && often.low < once.low, `${expression}: ${often.low} – ${often.high}, at one look ${once.low} – ${once.high}`)
  }
})

t.test('what is far from its limit is decided, also in a short run', async t => {
  for (const name of ['exponential', 'log-normal', 'bimodal, 2 %', 'M/M/1 at 80 %, 1 ms each']) {
    const { figures } = server(name)
    let undecided = 0
    for (let seed = 1; seed <= 20; seed++) {
      const { result, course } = runOf(server(name), seed, 2)
      for (const metric of ['p50', 'p95', 'p99', 'avg']) {
        const [below, above] = [figures[metric] / 3, figures[metric] * 5].map(limit => judged(`${metric} < ${limit}ms`, result, course).passed)
        if (below === true || above === false) t.fail(`${name}, ${metric}: wrong`)
        undecided += Number(below === null) + Number(above === null)
      }
    }
    t.ok(undecided <= 16, `${name}: ${undecided} of 160 are inconclusive`)
  }
  const { result, course } = runOf(server('exponential'), 1, 2, 20)
  t.equal(judged('rps > 500', result, course).passed, true)
  t.equal(judged('rps > 1500', result, course).passed, false)
})

t.test('one burst at the start does not put the upper bound of a percentile far above the longest of many', async t => {
  /** @param {number} perSecond @param {number} ms @param {number} slow how many were slow @param {number} burst ms */
  const burstOf = (perSecond, ms, slow, burst) => {
    const course = new Batches()
    const all = new Histogram()
    for (let i = 0; i < 5; i++) {
      const latency = new Histogram()
      for (let n = 0; n < perSecond; n++) latency.record(i === 0 && n < slow ? burst : ms)
      course.add({ time: i * 1000, length: 1000, requests: perSecond, bytes: 0 }, latency)
      all.add(latency)
    }
    return { course, of: { ...result([], { duration: 5, requests: { total: all.count } }), latency: { ...all.summary(), histogram: all.toBase64() } } }
  }
  const many = burstOf(4000, 0.27, 900, 86)
  t.match(judged('p95 < 100ms', many.of, many.course), { passed: true, high: 86 })
  const few = burstOf(65, 3.75, 14, 49.5)
  t.match(judged('p95 < 101ms', few.of, few.course), { passed: true })
})

t.test('the reason of what is between has the interval, and what would decide it', async t => {
  const { result, course } = runOf(server('M/M/1 at 80 %, 1 ms each'), 1, 10)
  const limit = result.latency.p99 * 1.05
  const { passed, exact, low, high, note, actual } = judged(`p99 < ${limit}ms`, result, course)
  t.strictSame([passed, exact, actual], [null, true, result.latency.p99])
  t.ok(low < actual && actual < limit && limit <= high, `${low} ${actual} ${high}`)
  t.match(note, /^[\d.]+ ms \(95 % interval: [\d.]+ – [\d.]+ ms\), (about .* more would decide( \(or --inconclusive exact\))?|so near to the limit that 100 times as long a run would not decide)$/)
  t.match(judged(`p99 < ${limit}ms`, { ...result, options: { amount: 8000 } }, course).note, /requests more would decide|so near/)
  t.match(judged(`p50 < ${result.latency.p50}ms`, result, course), { passed: null, exact: false, note: /so near to the limit that 100 times as long a run would not decide$/ })
})

t.test('10 requests decide what is far away only, and name what else decides', async t => {
  const ten = result([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], { duration: 0.02 })
  t.match(judged('p99 < 20ms', ten), { passed: null, exact: true, note: /^10\.0 ms \(.* – .*\), about .* requests more would decide \(or --inconclusive exact\)$/ })
  t.match(judged('p50 < 6ms', ten), { passed: null, exact: true, note: /requests more would decide \(or --inconclusive exact\)$/ })
  t.equal(judged('p99 < 10s', ten).passed, true)
  t.equal(judged('p99 < 1ms', ten).passed, false)
  t.equal(judged('p50 < 1us', ten).passed, false)
  t.equal(judged('avg < 60s', ten).passed, true)
  t.equal(judged('rps > 0', ten).passed, true, 'what came is more than nothing')
})

t.test('what is counted, and the highest and the lowest latency, are exact', async t => {
  const ten = result([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  for (const expression of ['max < 10.1ms', 'min > 0.9ms', 'p100 <= 10ms', 'requests == 10', 'errors < 1', 'failure rate < 1%']) {
    const one = judged(expression, ten)
    t.equal(one.passed, true, expression)
    t.notOk('low' in one, expression)
  }
})

t.test('a figure of a result without its histogram is all there is', async t => {
  t.match(judged('p99 < 6ms', result([], { latency: { totalCount: 10, p99: 5 } })), { passed: true, low: undefined })
})

t.test('with --inconclusive exact the figure alone decides, and what was not judged stays so', async t => {
  const ten = result([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  const judgements = settle(judge(['p99 < 20ms', 'p50 < 5ms', 'generator <= busy'].map(parseThreshold), { ...ten, generator: undefined }), 'exact')
  t.strictSame(judgements.map(({ passed }) => passed), [true, false, null])
  t.match(judgements[0].note, /; the figure alone decides \(--inconclusive exact\)$/)
})

t.test('with --inconclusive exact the note is the interval and what decided: it does not advise the option that was given', async t => {
  const ten = result([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  const long = runOf(server('M/M/1 at 80 %, 1 ms each'), 1, 10)
  for (const [expression, result, course] of /** @type {Array<[string, any, any]>} */ ([['p99 < 20ms', ten, null], [`p99 < ${long.result.latency.p99 * 1.05}ms`, long.result, long.course], [`p50 < ${long.result.latency.p50}ms`, long.result, long.course]])) {
    const [{ note }] = settle(judge([parseThreshold(expression)], result, course, 'exact'), 'exact')
    t.match(note, /^[\d.]+ ms \(95 % interval: [\d.]+ – [\d.]+ ms\); the figure alone decides \(--inconclusive exact\)$/)
  }
})

t.test('a stage is judged by its own batches, and a load that changes by its neighbours', async t => {
  const course = new Batches()
  const [first, second] = [new Histogram(), new Histogram()]
  for (let i = 0; i < 40; i++) {
    const latency = new Histogram()
    for (let k = 0; k < 500; k++) latency.record((i < 20 ? 10 : 100) + k % 50 / 10)
    ;(i < 20 ? first : second).add(latency)
    course.add({ time: i * 500, length: 500, requests: 500, bytes: 0 }, latency)
  }
  const stageOf = (/** @type {Histogram} */ histogram, /** @type {number} */ from) => ({ from, to: from + 10, target: { start: 1, end: 1, unit: 'requests/s' }, count: 10_000, errors: 0, statusCodeStats: { 200: { count: 10_000 } }, latency: { ...histogram.summary(), histogram: histogram.toBase64() }, generator: {} })
  const staged = { ...result([]), latency: { ...course.whole.summary(), histogram: course.whole.toBase64() }, duration: 20, requests: { total: 20_000, average: 1000 }, byStage: [stageOf(first, 0), stageOf(second, 10)] }
  for (const [expression, passed] of /** @type {Array<[string, boolean]>} */ ([['stage 1: p99 < 16ms', true], ['stage 1: p99 < 14ms', false], ['stage 2: p99 < 120ms', true], ['stage 2: avg < 100ms', false], ['p99 < 120ms', true], ['p99 < 90ms', false]])) {
    t.equal(judged(expression, staged, course).passed, passed, expression)
  }
})

t.test('a starved load generator neither fails nor passes what it could have bent', async t => {
  const many = Array.from({ length: 20_000 }, (_, i) => 1 + i % 100 / 10)
  const starved = { generator: { verdict: 'starved', runDelayMs: 900, blockedMs: 0 } }
  const why = /^the load generator had a high CPU wait, and /
  const slow = result(many, starved)
  t.match(judged('p99 < 5ms', slow), { passed: null, exact: false, note: /had a high CPU wait, and latencies are too high because of that$/ })
  t.match(judged('p99 < 500ms', slow), { passed: true, high: Number, note: /^at the [\d,]+ req\/s that were sent, the load generator had a high CPU wait, and latencies are too high/ }, 'too high, and low enough all the same')
  t.match(judged('p99 < 500ms', { ...slow, rate: { target: 20_000, ratio: 0.5, sent: 10_000, unsent: 0 } }), { passed: null, exact: true, note: /, or too low, as the load was less$/ })
  t.equal(judged('p99 < 500ms', { ...slow, rate: { target: 10_000, ratio: 0.999, sent: 20_000, unsent: 0 } }).passed, true, 'the load was all there')
  t.match(judged('p99 < 5ms', { ...slow, rate: { target: 10_000, ratio: 0.999, sent: 20_000, unsent: 0 } }), { passed: null })
  for (const [expression, passed] of /** @type {Array<[string, boolean]>} */ ([['p99 < 5ms', false], ['p99 < 500ms', true]])) {
    t.equal(judged(expression, { ...slow, clock: { arrival: 0.999 } }).passed, passed, 'the time of arrival decides')
  }
  t.match(judged('rps > 20000', slow), { passed: null, note: why })
  t.equal(judged('rps > 1000', slow).passed, true, 'more than that is not too little')
  t.equal(judged('errors == 0', slow).passed, true)
  const series = Array.from({ length: 20 }, (_, i) => ({ time: i * 100, length: 100, cpu: 0.5, runDelay: 0.2, blocked: 0 }))
  t.match(judged('rps > 11000', { ...slow, series }), { passed: null }, 'it had no CPU for so long')
  t.match(judged('rps > 30000', { ...slow, series }), { passed: false }, 'it was not that long')
})

t.test('a rate that was held is not called too low', async t => {
  const many = new Array(1996).fill(1)
  const held = result(many, { rate: { target: 1000, achieved: 1000, ratio: 1, sent: 2000, unsent: 0 }, unfinished: 4, requests: { total: 1996, average: 998 } })
  t.match(judged('rps >= 1000', held), { passed: true, actual: 998, note: 'the rate of 1,000 req/s was held; the missing requests had no response yet when the run ended' })
  t.equal(judged('rps > 1000', held).passed, false, 'it was not to be more')
  t.equal(judged('rps >= 1000', { ...held, errors: 4, unfinished: 0 }).passed, false)
  t.equal(judged('rps >= 1000', { ...held, rate: { ...held.rate, unsent: 100, ratio: 0.95 } }).passed, false)
  t.equal(judged('rps >= 1000', { ...held, unfinished: 400, requests: { total: 1600, average: 800 } }).passed, false, 'a server that lags behind')
})
