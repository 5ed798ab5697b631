'use strict'

const t = require('tap')
const hdr = require('hdr-histogram-js')
const { Recorder } = require('../../lib/record/recorder')
const { PERCENTILES, percentileKey } = require('../../lib/record/percentiles')
const { Samples } = require('../../lib/record/samples')
const { Series } = require('../../lib/figures/series')
const { Totals } = require('../../lib/record/totals')
const { buildResult, identityOf } = require('../../lib/figures/result')

const DOCUMENTED = [
  'title', 'url', 'socketPath', 'connections', 'pipelining', 'sampleInt', 'samples', 'start', 'finish', 'duration',
  'errors', 'timeouts', 'mismatches', 'resets', 'resent', 'non2xx', '1xx', '2xx', '3xx', '4xx', '5xx', 'statusCodeStats', 'errorCodes',
  'fates', 'unfinished', 'latency', 'serviceTime', 'ttfb', 'connect', 'generator', 'requests', 'throughput', 'series'
]
const SUMMARY = ['average', 'mean', 'stddev', 'min', 'max', ...PERCENTILES.map(percentileKey)]

/** A generator that did nothing. */
const IDLE = { cpuMs: 0, activeMs: 0, gcMs: 0, wallMs: 1000, stalledMs: 0, delay: { p50: 0, p99: 0, max: 0 } }

/**
 * The result of one generator.
 * @param {{ elapsed: number, sampleInt?: number, values?: object, latencies?: number[], distributions?: Record<string, number[]>,
 *   targetRate?: number | null, usages?: object[], snapshots?: object[] }} run
 */
function resultOf ({ elapsed, sampleInt = 1000, values = {}, latencies = [], distributions = {}, targetRate = null, usages = [IDLE], snapshots = [{ from: 0, to: elapsed }] }) {
  const recorder = new Recorder()
  for (const [name, list] of Object.entries({ latency: latencies, serviceTime: latencies, ...distributions })) for (const ms of list) recorder.distributions.current[name].record(ms)
  const totals = new Totals()
  const samples = new Samples(sampleInt, 1)
  const series = new Series(sampleInt, 1)
  for (const [i, counts] of snapshots.entries()) {
    const snapshot = { ...recorder.take(0, 0, i, IDLE), ...counts }
    totals.add(snapshot)
    samples.add(0, snapshot)
    series.add(0, snapshot)
  }
  samples.end(0)
  series.end(0)
  const start = new Date('2024-05-06T07:08:09.000Z')
  const finish = new Date(start.getTime() + elapsed)
  const identity = identityOf({ url: ['http://localhost:3000'], connections: 10, pipelining: 1, sampleInt, ...values })
  return buildResult(identity, { totals, samples, series: series.points, elapsed, start, finish, targetRate, usages })
}

const example = {
  elapsed: 2100,
  values: { title: 'example', connections: 5, pipelining: 2 },
  latencies: [0.5, 1, 1.5, 2],
  snapshots: [
    { from: 0, to: 1000, sent: 110, completed: 100, failed: 4, bytes: 10_000, statuses: { 200: 90, 404: 10 }, errorCodes: { ECONNRESET: 4 } },
    { from: 1000, to: 2000, sent: 300, completed: 300, bytes: 30_000, statuses: { 200: 295, 101: 1, 302: 2, 500: 1, 503: 1 } },
    { from: 2000, to: 2100, sent: 20, completed: 20, timedOut: 3, abandoned: 3, neverSent: 5, bytes: 2000, statuses: { 200: 20 }, errorCodes: { AC_TIMEOUT: 3, ECONNREFUSED: 4, ECONNRESET: 1 } }
  ]
}

t.test('has every documented key', async t => {
  const result = resultOf(example)
  for (const key of DOCUMENTED) t.ok(key in result, key)
  for (const name of ['latency', 'serviceTime', 'ttfb', 'connect']) {
    for (const key of [...SUMMARY, 'totalCount', 'histogram']) t.ok(key in result[name], `${name}.${key}`)
  }
  for (const key of [...SUMMARY, 'total', 'sent']) t.ok(key in result.requests, `requests.${key}`)
  for (const key of [...SUMMARY, 'total']) t.ok(key in result.throughput, `throughput.${key}`)
})

t.test('derives what it says from what was counted', async t => {
  t.match(resultOf(example), {
    title: 'example',
    url: 'http://localhost:3000',
    connections: 5,
    pipelining: 2,
    sampleInt: 1000,
    samples: 2,
    start: new Date('2024-05-06T07:08:09.000Z'),
    finish: new Date('2024-05-06T07:08:11.100Z'),
    duration: 2.1,
    errors: 12,
    timeouts: 3,
    mismatches: 0,
    resets: 0,
    resent: 0,
    non2xx: 15,
    '1xx': 1,
    '2xx': 405,
    '3xx': 2,
    '4xx': 10,
    '5xx': 2,
    statusCodeStats: { 101: { count: 1 }, 200: { count: 405 }, 302: { count: 2 }, 404: { count: 10 }, 500: { count: 1 }, 503: { count: 1 } },
    errorCodes: { ECONNRESET: 5, AC_TIMEOUT: 3, ECONNREFUSED: 4 },
    fates: { sent: 430, completed: 420, timedOut: 3, failed: 4, abandoned: 3 },
    latency: { average: 1.25, mean: 1.25, stddev: 0.559, min: 0.5, max: 2, p50: 1, p75: 1.5, p99: 2, totalCount: 4 },
    // 100 in the first second, and 320 in 1.1 s: the last 0.1 s are too short to be a sample of their own.
    requests: { average: 200, mean: 200, stddev: 95.455, min: 100, max: 290.909, p50: 100, p75: 290.909, total: 420, sent: 430 },
    throughput: { average: 20_000, mean: 20_000, stddev: 9545.455, min: 10_000, max: 29_090.909, p2_5: 10_000, total: 42_000 }
  })
})

t.test('has an average that gives the total when it is multiplied with the duration', async t => {
  for (const elapsed of [100, 999, 1234, 2100, 60_000]) {
    const { requests, throughput, duration } = resultOf({ ...example, elapsed })
    t.ok(Math.abs(requests.average * duration - requests.total) <= 0.001 * duration + 1e-6, `${requests.average} × ${duration} = ${requests.total}`)
    t.ok(Math.abs(throughput.average * duration - throughput.total) <= 0.001 * duration + 1e-6)
  }
})

t.test('the average is that of the only sample, however short the rest behind it is', async t => {
  const { requests, samples } = resultOf({ elapsed: 1003, snapshots: [{ from: 0, to: 1000.5, completed: 1000 }, { from: 1000.5, to: 1003, completed: 0 }] })
  t.equal(samples, 1)
  t.strictSame([requests.min, requests.max, requests.stddev], [requests.average, requests.average, 0])
})

t.test('says what requests per second were once all connections were there', async t => {
  const snapshots = [{ from: 0, to: 1000, completed: 100, connectingMs: 1000 }, { from: 1000, to: 2000, completed: 200, connectingMs: 1400 }, { from: 2000, to: 3000, completed: 400, connectingMs: 1400 }, { from: 3000, to: 3100, completed: 40 }]
  t.strictSame(resultOf({ elapsed: 3100, snapshots }).connecting, { ms: 1400, requestsPerSecond: 400 }, 'in the samples that began later')
  t.strictSame(resultOf({ elapsed: 2000, snapshots: snapshots.slice(0, 2) }).connecting, { ms: 1400, requestsPerSecond: null }, 'none did')
  t.strictSame(resultOf({ elapsed: 3100, snapshots, targetRate: 500 }).connecting, { ms: 1400, requestsPerSecond: null }, 'a rate waits for them')
})

t.test('is per second whatever the sample interval is, and however long a sample really was', async t => {
  const { requests, throughput, samples } = resultOf({
    elapsed: 1000,
    sampleInt: 250,
    snapshots: [
      { from: 0, to: 250, completed: 100, bytes: 5000 },
      { from: 250, to: 500, completed: 150, bytes: 7500 },
      { from: 500, to: 1000, completed: 100, bytes: 5000 }
    ]
  })
  t.equal(samples, 3)
  t.match(requests, { average: 350, min: 200, max: 600, p50: 400, total: 350 })
  t.match(throughput, { average: 17_500, min: 10_000, max: 30_000, p50: 20_000, total: 17_500 })
})

t.test('keeps the only sample of a run that was shorter than one', async t => {
  const { requests, samples } = resultOf({ elapsed: 40, snapshots: [{ from: 0, to: 40, completed: 10, sent: 10 }] })
  t.equal(samples, 1)
  t.match(requests, { average: 250, min: 250, max: 250, stddev: 0, total: 10 })
})

t.test('says how far a rate was kept', async t => {
  /** @type {Array<[title: string, targetRate: number, elapsed: number, counts: Record<string, number>, expected: Record<string, number>]>} */
  const cases = [
    ['kept', 1000, 2000, { sent: 2000, sentUntil: 1999 }, { target: 1000, achieved: 1000, ratio: 1, sent: 2000, late: 0, unsent: 0 }],
    ['half', 1000, 2000, { sent: 1000, late: 999, unsent: 1000, sentUntil: 1999 }, { target: 1000, achieved: 500, ratio: 0.5, sent: 1000, late: 999, unsent: 1000 }],
    ['a fraction', 0.5, 10_000, { sent: 5, sentUntil: 8000 }, { target: 0.5, achieved: 0.5, ratio: 1, sent: 5, late: 0, unsent: 0 }],
    ['a pause', 0, 1000, {}, { target: 0, achieved: 0, ratio: 1, sent: 0, late: 0, unsent: 0 }],
    ['nothing', 100, 100, { unsent: 10 }, { target: 100, achieved: 0, ratio: 0, sent: 0, late: 0, unsent: 10 }],
    ['no time at all', 100, 0, {}, { target: 100, achieved: 0, ratio: 0, sent: 0, late: 0, unsent: 0 }],
    ['all, with a last answer that took long', 100, 5000, { sent: 100, sentUntil: 990 }, { target: 100, achieved: 100, ratio: 1, sent: 100, late: 0, unsent: 0 }],
    ['all, but later than asked for', 100, 2000, { sent: 100, late: 50, sentUntil: 2000 }, { target: 100, achieved: 50, ratio: 0.5, sent: 100, late: 50, unsent: 0 }]
  ]
  for (const [title, targetRate, elapsed, counts, expected] of cases) {
    t.strictSame(resultOf({ elapsed, targetRate, snapshots: [{ from: 0, to: elapsed, ...counts }] }).rate, expected, title)
  }
  t.notOk('rate' in resultOf(example), 'a closed loop has none')
})

t.test('what a run that leaves its start out had to catch up with is in the rate of its figures', async t => {
  /** @type {Array<[title: string, counts: Record<string, number>, inFlight: number, rate: Record<string, number>]>} */
  const cases = [
    ['kept', { sent: 205, sentUntil: 997 }, 5, { achieved: 200, ratio: 1, sent: 205 }],
    ['kept, and begun just before a request was due', { sent: 200, sentUntil: 999.9 }, 0, { achieved: 200, ratio: 1, sent: 200 }],
    ['what was due in 0.9 s before is sent, too', { sent: 385, sentUntil: 995 }, 5, { achieved: 380, ratio: 1.9, sent: 385 }],
    ['a part of it', { sent: 305, unsent: 75, sentUntil: 999 }, 5, { achieved: 300, ratio: 1.5, sent: 305, unsent: 75 }],
    ['nothing in flight, and nothing sent', { unsent: 200 }, 0, { achieved: 0, ratio: 0, sent: 0 }]
  ]
  for (const [title, counts, inFlight, expected] of cases) {
    const { rate } = resultOf({ elapsed: 1000, targetRate: 200, snapshots: [{ from: 0, to: 1000, ...counts, skipped: { ms: 900, requests: 0, inFlight, forgone: 0 } }] })
    t.match(rate, expected, title)
  }
})

t.test('counts as unfinished what was in flight or due when the run ended', async t => {
  t.equal(resultOf(example).unfinished, 3)
  t.equal(resultOf({ elapsed: 1000, targetRate: 100, snapshots: [{ from: 0, to: 1000, sent: 51, completed: 50, abandoned: 1, unsent: 49 }] }).unfinished, 50)
})

t.test('has the distribution of each thing that is measured', async t => {
  const distributions = { latency: [10, 20, 30], serviceTime: [1, 2], ttfb: [0.5], connect: [4, 6] }
  t.match(resultOf({ elapsed: 1000, targetRate: 10, distributions }), {
    latency: { mean: 20, totalCount: 3 },
    serviceTime: { mean: 1.5, min: 1, max: 2, totalCount: 2 },
    ttfb: { mean: 0.5, totalCount: 1 },
    connect: { mean: 5, min: 4, max: 6, totalCount: 2 }
  })
})

t.test('has the percentiles that were chosen beside the documented ones', async t => {
  const latencies = Array.from({ length: 1000 }, (_, i) => (i + 1) / 1000)
  const { latency, serviceTime, percentiles } = resultOf({ elapsed: 1000, latencies, values: { percentiles: [50, 98, 99.95, 99.5] } })
  t.strictSame(percentiles, [50, 98, 99.95, 99.5])
  t.match(latency, { p50: 0.5, p97_5: 0.975, p98: 0.98, p99_5: 0.995, p99_95: 1 })
  t.strictSame(serviceTime, latency)
  t.notOk('p98' in resultOf({ elapsed: 1000, latencies }).latency)
})

t.test('has histograms that every HdrHistogram reads, in µs and without a loss', async t => {
  const latencies = [0.001, 0.5, 0.5, 2, 2.047, 100, 12_345.678, 3_600_000]
  const { latency, connect } = resultOf({ elapsed: 1000, latencies, distributions: { connect: [] } })
  hdr.initWebAssemblySync()
  for (const useWebAssembly of [false, true]) {
    const decoded = hdr.decodeFromCompressedBase64(latency.histogram, 64, useWebAssembly)
    t.equal(decoded.totalCount, latencies.length)
    const exact = hdr.build({ highestTrackableValue: 3.6e9, numberOfSignificantValueDigits: 3 })
    for (const ms of latencies) exact.recordValue(Math.round(ms * 1000))
    for (const percentile of [0.001, 12.5, 12.6, 37.5, 37.6, 50, 62.5, 75, 87.5, 87.6, 100]) {
      t.equal(decoded.getValueAtPercentile(percentile), exact.getValueAtPercentile(percentile), `p${percentile}`)
    }
    t.equal(decoded.getValueAtPercentile(12.5), 1, 'µs')
    t.equal(decoded.getValueAtPercentile(50), 2000)
    decoded.destroy?.()
  }
  t.equal(hdr.decodeFromCompressedBase64(connect.histogram).totalCount, 0)
})

t.test('says how busy the generators were', async t => {
  const usages = [
    { cpuMs: 1981.2345, activeMs: 1999, gcMs: 12.34567, wallMs: 2000, stalledMs: 0, runDelayMs: 10.0004, blockedMs: 0, delay: { p50: 0.12345, p99: 3, max: 20 } },
    { cpuMs: 600, activeMs: 500, gcMs: 1, wallMs: 2000, stalledMs: 0, runDelayMs: 40, blockedMs: 3.1, delay: { p50: 0.2, p99: 1, max: 30 } }
  ]
  t.strictSame(resultOf({ elapsed: 2000, usages }).generator, {
    cpu: 0.991, cpuTotal: 1.291, eventLoopUtilization: 1, lag: { p50: 0.2, p99: 3, max: 30 }, gcMs: 13.346, stalledMs: 0, blockedMs: 3.1, runDelayMs: 40, stolenMs: null, throttledMs: null, delayed: null, saturated: true, verdict: 'saturated', reason: 'full', cause: 'The load generator used 99.1 % of its core: these figures show the client, not the server; use more --workers or --agents.'
  })
  t.strictSame(resultOf({ elapsed: 2000, usages, targetRate: 100, distributions: { lag: [0.001, 0.25, 1.5] } }).generator.lag, { p50: 0.25, p99: 1.5, max: 1.5 },
    'with a rate the lag is how late requests were that had room')
})

t.test('is zeros, not NaN, when nothing was measured', async t => {
  const { latency: { histogram, ...latency }, requests, throughput } = resultOf({ elapsed: 1000, snapshots: [{ from: 0, to: 1000 }] })
  t.type(histogram, 'string')
  for (const summary of [latency, requests, throughput]) t.strictSame(new Set(Object.values(summary)), new Set([0]))
})

t.test('gives one URL as a string and several as an array', async t => {
  const url = ['http://localhost:1', 'http://localhost:2']
  t.strictSame(resultOf({ ...example, values: { url } }).url, url)
  t.equal(resultOf({ ...example, values: { url: [url[0]] } }).url, url[0])
})

t.test('can be copied as JSON without a loss', async t => {
  const result = resultOf(example)
  const copy = JSON.parse(JSON.stringify(result))
  const given = Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined))
  t.same({ ...copy, start: new Date(copy.start), finish: new Date(copy.finish) }, given)
})
