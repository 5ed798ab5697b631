'use strict'

const t = require('tap')
const { Distributions } = require('../../lib/record/distributions')
const { toRaw, merge } = require('../../lib/figures/aggregate')
const { Samples } = require('../../lib/record/samples')
const { Totals } = require('../../lib/record/totals')

const START = +new Date('2024-05-06T07:08:09.000Z')
const USAGE = { cpuMs: 300, activeMs: 250, gcMs: 10, wallMs: 1000, stalledMs: 0, delay: { p50: 0.1, p99: 1, max: 4 } }

/**
 * A raw result.
 * @param {{ at?: number, elapsed?: number, sampleInt?: number, targetRate?: number | null, usages?: object[], latencies?: number[],
 *   counted?: Array<[requests: number, bytes: number, length: number]> } & Record<string, any>} run `at`: ms after START
 */
function raw ({ at = 0, elapsed = 1000, sampleInt = 1000, targetRate = null, usages = [USAGE], latencies = [], counted = [], series = [], ...counts } = {}) {
  const totals = new Totals()
  Object.assign(totals, counts)
  for (const ms of latencies) totals.distributions.latency.record(ms)
  const samples = new Samples(sampleInt, 1)
  samples.list = counted.map(([requests, bytes, length]) => ({ requests, bytes, length }))
  return toRaw({ title: 'raw', url: 'http://localhost', connections: 1, pipelining: 1, sampleInt }, { totals, samples, series, elapsed, start: new Date(START + at), finish: new Date(START + at + elapsed), targetRate, usages })
}

const series = samples => samples.list.map(({ requests, bytes, length }) => [requests, bytes, length])

t.test('counts are added, by kind, status and code', async t => {
  const raws = [
    raw({ sent: 10, completed: 8, failed: 1, abandoned: 1, bytes: 800, late: 2, unsent: 3, resets: 1, statuses: { 200: 7, 404: 1 }, errorCodes: { EPIPE: 1 }, latencies: [1, 2] }),
    raw({ sent: 5, completed: 3, timedOut: 2, neverSent: 4, mismatches: 1, bytes: 300, late: 1, statuses: { 200: 2, 503: 1 }, errorCodes: { AC_TIMEOUT: 2, ECONNREFUSED: 4 }, latencies: [30] })
  ]
  for (const order of [raws, [...raws].reverse(), JSON.parse(JSON.stringify(raws)), structuredClone(raws)]) {
    const { totals } = merge(order)
    const { distributions, statuses, errorCodes, ...counts } = totals
    t.match(counts, { sent: 15, completed: 11, timedOut: 2, failed: 1, abandoned: 1, neverSent: 4, mismatches: 1, resets: 1, late: 3, unsent: 3, bytes: 1100 })
    t.strictSame(statuses, { 200: 9, 404: 1, 503: 1 })
    t.strictSame(errorCodes, { EPIPE: 1, AC_TIMEOUT: 2, ECONNREFUSED: 4 })
    t.match(distributions.latency.summary(), { totalCount: 3, min: 1, max: 30, mean: 11 })
  }
})

t.test('since when a server was silent is told by the last of all signs; a raw result of an older version does not know of any silence', async t => {
  const silent = raw({ elapsed: 9000, silentFrom: 2000 })
  const later = raw({ at: 1000, elapsed: 9000, silentFrom: 4000 })
  t.equal(merge([silent, later]).totals.silentFrom, 5000)
  const { silentFrom, ...older } = raw({ elapsed: 9000 }).totals
  t.equal(merge([silent, { ...raw({ elapsed: 9000 }), totals: older }]).totals.silentFrom, 9000)
})

t.test('samples are added by time', async t => {
  /** @type {Array<[title: string, runs: any[], expected: any]>} */
  const cases = [
    ['of runs that started together', [
      { counted: [[10, 1000, 1000], [20, 2000, 1000]], elapsed: 2000 },
      { counted: [[1, 100, 1000], [2, 200, 500]], elapsed: 1500 }
    ], [[11, 1100, 1000], [22, 2200, 1000]]],
    ['of a run that started a sample later', [
      { counted: [[10, 1000, 1000], [20, 2000, 1000]], elapsed: 2000 },
      { at: 1000, counted: [[1, 100, 1000], [2, 200, 1000]], elapsed: 2000 }
    ], [[10, 1000, 1000], [21, 2100, 1000], [2, 200, 1000]]],
    ['of a run that started within a sample: what lies in two is shared out', [
      { counted: [[100, 1000, 1000], [200, 2000, 1000]], elapsed: 2000 },
      { at: 250, counted: [[40, 400, 1000], [80, 800, 1000]], elapsed: 2000 }
    ], [[130, 1300, 1000], [270, 2700, 1000], [20, 200, 250]]],
    ['of a run that comes first in time, whatever its place', [
      { at: 500, counted: [[10, 100, 1000]] },
      { counted: [[1, 10, 1000]] }
    ], [[6, 60, 1000], [5, 50, 500]]],
    ['of a run that was over at once', [{ counted: [[5, 50, 0]], elapsed: 0 }], [[5, 50, 0]]],
    ['of one alone', [{ at: 700, counted: [[10, 100, 1000], [3, 30, 200]], elapsed: 1200 }], [[10, 100, 1000], [3, 30, 200]]],
    ['of runs too short for a whole one', [{ counted: [[7, 70, 80]], elapsed: 80 }, { at: 20, counted: [[3, 30, 80]], elapsed: 80 }], [[10, 100, 100]]],
    ['of intervals of 100 ms', [
      { sampleInt: 100, counted: [[10, 100, 100], [10, 100, 100]], elapsed: 200 },
      { sampleInt: 100, at: 150, counted: [[4, 40, 100]], elapsed: 100 }
    ], [[10, 100, 100], [12, 120, 100], [2, 20, 50]]],
    ['of none', [{}, { elapsed: 900 }], []]
  ]
  for (const [title, runs, expected] of cases) {
    const outcome = merge(runs.map(run => raw(run)))
    t.strictSame(series(outcome.samples), expected, title)
    t.equal(outcome.samples.interval, runs[0].sampleInt ?? 1000)
  }
})

t.test('no request is lost between samples, at whatever time the runs started', async t => {
  for (let at = 0; at <= 2000; at += 37) {
    const { samples } = merge([raw({ elapsed: 2001, counted: [[100, 1000, 1003], [200, 2000, 998]] }), raw({ at, counted: [[50, 500, 1000], [70, 700, 1010], [30, 300, 123], [0, 0, 0]] })])
    const sums = series(samples).reduce(([a, b], [requests, bytes]) => [a + requests, b + bytes], [0, 0])
    t.ok(Math.abs(sums[0] - 450) < 1e-6 && Math.abs(sums[1] - 4500) < 1e-6, `${at} ms later: ${sums}`)
  }
})

t.test('the whole runs from the first start to the last end', async t => {
  /** @type {Array<[runs: any[], start: number, elapsed: number]>} */
  const cases = [
    [[{ elapsed: 1000 }, { elapsed: 1500 }], 0, 1500],
    [[{ at: 300, elapsed: 1000 }, { at: 100, elapsed: 500 }], 100, 1200],
    [[{ at: 5000, elapsed: 1000 }, { elapsed: 5000 }], 0, 6000]
  ]
  for (const [runs, at, elapsed] of cases) {
    const raws = runs.map(run => raw(run))
    for (const some of [raws, JSON.parse(JSON.stringify(raws))]) {
      const outcome = merge(some)
      t.strictSame([+outcome.start, outcome.elapsed, +outcome.finish], [START + at, elapsed, START + at + elapsed])
    }
  }
})

t.test('target rates are added, and one closed loop makes the whole one', async t => {
  for (const [rates, expected] of [[[100], 100], [[100, 0.5, 250], 350.5], [[100, null], null], [[null, null], null]]) {
    t.equal(merge(rates.map((targetRate, i) => raw({ targetRate, elapsed: 1000 + i }))).targetRate, expected, String(rates))
  }
})

t.test('what each generator used is kept', async t => {
  const other = { ...USAGE, cpuMs: 1 }
  t.strictSame(merge([raw({ usages: [USAGE, other] }), raw({ usages: [other] })]).usages, [USAGE, other, other])
})

t.test('what is merged stays as it is', async t => {
  const raws = [raw({ sent: 1, abandoned: 1, counted: [[10, 100, 1000]], latencies: [1] }), raw({ at: 500, sent: 2, abandoned: 2, counted: [[10, 100, 1000]], latencies: [2] })]
  const before = JSON.stringify(raws)
  merge(raws)
  t.equal(JSON.stringify(raws), before)
})

t.test('the distributions of a raw result survive JSON and are added up', async t => {
  const { totals, format } = JSON.parse(JSON.stringify(raw({ latencies: [1, 2, 3] })))
  t.equal(format, 'autocannon-raw-4')
  const distributions = new Distributions()
  distributions.add(totals.distributions)
  t.match(distributions.latency.summary(), { totalCount: 3, min: 1, max: 3 })
})

t.test('raw results of the format before this one are read', async t => {
  const older = JSON.parse(JSON.stringify({ ...raw({ latencies: [1, 2, 3] }), format: 'autocannon-raw-3' }))
  for (const distribution of Object.values(older.totals.distributions)) {
    delete distribution.shift
    delete distribution.squares
    distribution.sumOfSquares = 0
  }
  older.totals.distributions.latency.sumOfSquares = 14e6
  const { totals: { distributions: { latency } } } = merge([older, raw({ latencies: [4, 5] })])
  t.match(latency.summary(), { totalCount: 5, mean: 3, stddev: Math.SQRT2 })
})

t.test('refuses', async t => {
  const one = raw()
  const streaming = (/** @type {string} */ stream, at = 0) => ({ ...raw({ at }), options: { stream } })
  /** @type {Array<[title: string, raws: any, message: RegExp]>} */
  const cases = [
    ['no array', undefined, /at least one result/],
    ['nothing', [], /at least one result/],
    ['what is no result', [one, null], /^result 1 .*skipAggregateResult/],
    ['a result that is no raw one', [one, one, { url: 'http://localhost' }], /^result 2 .*skipAggregateResult: true$/],
    ['another format', [{ ...one, format: 'autocannon-raw-1' }], /^result 0 .*has the format 'autocannon-raw-1', expected autocannon-raw-4: make it again with this version$/],
    ['a run twice', [one, raw({ at: 1 }), JSON.parse(JSON.stringify({ ...one, title: 'other' }))], /^result 2 can't be aggregated: it is the same run as result 0, and every request would count twice\. Give each run once$/],
    ['streams of another kind', [raw(), streaming('sse'), streaming('openai', 1)], /^result 2 can't be aggregated: its streams are of the kind 'openai', those of result 1 of the kind 'sse': merge runs with streams of one kind$/],
    ['messages', [one, { ...raw({ at: 1 }), url: 'ws://localhost' }], /^result 1 can't be aggregated: it counts messages, result 0 counts requests: merge runs over WebSocket only with each other$/],
    ['another interval', [one, raw({ sampleInt: 100 })], /^result 1 .*samples last 100 ms, those of result 0 1000 ms$/]
  ]
  for (const [title, raws, message] of cases) t.throws(() => merge(raws), { code: 'AC_AGGREGATE', message }, title)
  t.ok(merge([one, streaming('sse', 1), streaming('sse', 2)]), 'streams beside requests')
})

t.test('runs that did not go on at the same time are refused', async t => {
  const at = (/** @type {number} */ at, elapsed = 1000) => raw({ at, elapsed, counted: [[1, 1, 1000]] })
  for (const raws of [[at(0), at(999)], [at(0), at(1249)], [at(0, 10_000), at(9_000)]]) t.ok(merge(raws), 'clocks differ a little')
  for (const [raws, message] of [
    [[at(0), { ...at(0), start: '1970-01-01T00:00:00.000Z' }], /^result 0 can't be aggregated with result 1: the runs did not go on at the same time; one started at 2024-05-06T07:08:09\.000Z, the other one had ended at 1970-01-01T00:00:01\.000Z\. Run them together/],
    [[at(0), at(1400)], /^result 1 can't be aggregated with result 0: /],
    [[at(0, 5000), at(4900, 5000), at(5251)], /^result 2 can't be aggregated with result 0: /],
    [[at(1e12), at(0)], /^result 0 can't be aggregated with result 1: /]
  ]) {
    t.throws(() => merge(raws), { code: 'AC_AGGREGATE', message })
    t.throws(() => merge(JSON.parse(JSON.stringify(raws))), { code: 'AC_AGGREGATE', message })
  }
})

t.test('a raw result from a file is foreign: whatever is wrong in it is named before anything is added up', async t => {
  const point = { time: 0, length: 1000, requests: 1, bytes: 1, non2xx: 0, failures: 0, errors: 0, errorCodes: {}, average: 1, p50: 1, p95: 1, p99: 1, max: 1, cpu: 0, eventLoopUtilization: 0 }
  const good = (at = 0) => JSON.parse(JSON.stringify(raw({ at, sent: 1, completed: 1, statuses: { 200: 1 }, latencies: [1], counted: [[1, 1, 1000]], series: [point] })))
  t.ok(merge([good(), good(1)]))
  t.ok(merge([{ ...good(), url: ['http://a', 'http://b'], percentiles: [50, 99.9], workers: 2, socketPath: '/s', options: {}, environment: {} }]))
  for (const [place, value, message] of [
    ['start', null, /: start is null, expected a date$/],
    ['start', 'soon', /: start is 'soon', expected a date$/],
    ['start', undefined, /: it has no start$/],
    ['finish', 'soon', /: finish is 'soon', expected a date$/],
    ['title', 5, /: title is 5, expected a text$/],
    ['url', null, /: url is null, expected a text$/],
    ['url', undefined, /: it has no url$/],
    ['url', [], /: url is an array, expected a text$/],
    ['url', ['http://a', 5], /: url\[1\] is 5, expected a text$/],
    ['socketPath', {}, /: socketPath is an object, expected a text$/],
    ['connections', '1', /: connections is '1', expected a number of at least 0$/],
    ['pipelining', undefined, /: it has no pipelining$/],
    ['workers', -1, /: workers is -1, /],
    ['percentiles', '50,99', /: percentiles is '50,99', expected an array$/],
    ['percentiles', [50, 101], /: percentiles\[1\] is 101, expected a number above 0 and up to 100$/],
    ['options', null, /: options is null, expected an object$/],
    ['environment', 'linux', /: environment is 'linux', expected an object$/],
    ['totals.sent', 5, /: totals\.sent is 5, and completed, timedOut, failed and abandoned are 1 together$/],
    ['elapsed', -1, /: elapsed is -1, expected a number of at least 0$/],
    ['elapsed', 1e15, /: elapsed is 1000000000000000 ms, and it has 1 samples of 1000 ms, which last 1000 ms$/],
    ['elapsed', '1000', /: elapsed is '1000', /],
    ['sampleInt', 0, /: sampleInt is 0, expected a whole number of ms$/],
    ['interrupted', undefined, /: it has no interrupted$/],
    ['targetRate', 'fast', /: targetRate is 'fast', /],
    ['samples', {}, /: samples is an object, expected an array$/],
    ['samples.0', 5, /: samples\[0\] is 5, expected an object$/],
    ['samples.0.length', -5, /: samples\[0\]\.length is -5, /],
    ['samples.0.length', 1e12, /, which last 1000000000000 ms$/],
    ['samples.0.requests', null, /: samples\[0\]\.requests is null, /],
    ['series', undefined, /: it has no series$/],
    ['series.0.time', 1e300, /: series\[0\] ends after 1e\+300 ms, and the run after 1000$/],
    ['series.0.length', -1, /: series\[0\]\.length is -1, /],
    ['series.0.p99', 'x', /: series\[0\]\.p99 is 'x', /],
    ['series.0.errorCodes', undefined, /: it has no series\[0\]\.errorCodes/],
    ['series.0.errorCodes', { A: 'x' }, /: series\[0\]\.errorCodes\.A is 'x', /],
    ['loads', [null], /: loads\[0\] is null, expected an object$/],
    ['loads.0.delay', undefined, /: it has no loads\[0\]\.delay$/],
    ['loads.0.cpuMs', -1, /: loads\[0\]\.cpuMs is -1, /],
    ['totals', undefined, /: it has no totals$/],
    ['totals.sent', 'x', /: totals\.sent is 'x', /],
    ['totals.faulty', undefined, /: it has no totals\.faulty$/],
    ['totals.statuses', [], /: totals\.statuses is an array, /],
    ['totals.statuses.200', -1, /: totals\.statuses\.200 is -1, /],
    ['totals.distributions.latency', undefined, /: it has no totals\.distributions\.latency$/],
    ['totals.distributions.latency.buckets', [1e9, 1], /: totals\.distributions\.latency\.buckets\[0\] is 1000000000, expected the number of a bucket/],
    ['totals.distributions.latency.buckets', [0.5, 1], /buckets\[0\] is 0\.5, /],
    ['totals.distributions.latency.buckets', [5, 1, 5, 0], /buckets\[2\] is 5, /],
    ['totals.distributions.latency.buckets', [5], /buckets\[1\] is undefined, expected a number of at least 0$/],
    ['totals.distributions.latency.squares', undefined, /: it has no totals\.distributions\.latency\.squares$/],
    ['totals.distributions.latency.shift', -1, /: totals\.distributions\.latency\.shift is -1, /],
    ['totals.distributions.latency.count', 7, /latency has 7 values, and 1 in its buckets$/],
    ['totals.checks', [{ name: 5 }], /: totals\.checks\[0\]\.name is 5, expected a text$/],
    ['totals.requests', [{ name: 'a' }], /: it has no totals\.requests\[0\]\.errors$/]
  ]) {
    const bad = good()
    const way = place.split('.')
    const last = way.pop()
    way.reduce((of, key) => of[key], bad)[last] = value
    t.throws(() => merge([good(), bad]), { code: 'AC_AGGREGATE', message }, `${place} ${JSON.stringify(value)}`)
  }
})
