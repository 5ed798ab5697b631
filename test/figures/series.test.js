'use strict'

const t = require('tap')
const fc = require('fast-check')
const { Distributions } = require('../../lib/record/distributions')
const { Histogram } = require('../../lib/record/histogram')
const { Series, mergeSeries, LIMIT } = require('../../lib/figures/series')
const { samplesPerPoint } = require('../../lib/record/timeline')

const IDLE = { cpuMs: 0, activeMs: 0, idleMs: 0, gcMs: 0, wallMs: 1000, stalledMs: 0, runDelayMs: 10, blockedMs: 0, lateMs: 0, delay: { p50: 0, p99: 0, max: 0 } }

/**
 * @param {number} sample
 * @param {number} from
 * @param {number} to
 * @param {Record<string, any>} [counts] `latencies` in ms; null when they are not handed over yet
 */
function snapshot (sample, from, to, { latencies = [], ...counts } = {}) {
  let distributions = null
  if (latencies !== null) {
    distributions = new Distributions()
    for (const ms of latencies) distributions.latency.record(ms)
  }
  return /** @type {any} */ ({ sample, from, to, completed: 0, bytes: 0, allowed: 0, faulty: 0, resent: 0, statuses: {}, errorCodes: {}, usage: IDLE, ...counts, distributions })
}

/**
 * @param {number} interval
 * @param {number} [generators]
 * @param {(point: any) => void} [onPoint]
 */
function seriesOf (interval, generators = 1, onPoint) {
  const series = new Series(interval, generators, onPoint)
  return series
}

/** @param {Record<string, any>} given */
const point = given => ({ time: 0, length: 1000, requests: 0, bytes: 0, non2xx: 0, failures: 0, errors: 0, errorCodes: {}, resent: 0, average: null, p50: null, p95: null, p99: null, max: null, cpu: 0, eventLoopUtilization: 0, runDelay: 0.01, blocked: 0, verdict: 'healthy', ...given })

t.test('a point says what happened in its sample', async t => {
  const series = seriesOf(1000)
  const latencies = Array.from({ length: 100 }, (_, i) => i + 1)
  series.add(0, snapshot(0, 0, 1002, { completed: 98, bytes: 5000, statuses: { 200: 90, 204: 1, 404: 5, 503: 2 }, allowed: 3, faulty: 4, errorCodes: { AC_TIMEOUT: 2, ECONNRESET: 1 }, resent: 6, latencies, usage: { ...IDLE, cpuMs: 500, activeMs: 350, idleMs: 100, blockedMs: 8 } }))
  series.add(0, snapshot(1, 1002, 2000, { completed: 1, latencies: [7.5] }))
  series.add(0, snapshot(2, 2000, 2500))
  series.end(0)
  t.strictSame(series.points, [
    { time: 0, length: 1002, requests: 98, bytes: 5000, non2xx: 7, failures: 11, errors: 3, errorCodes: { AC_TIMEOUT: 2, ECONNRESET: 1 }, resent: 6, average: 50.5, p50: 50.015, p95: 95.039, p99: 99.007, max: 100, cpu: 0.5, eventLoopUtilization: 0.25, runDelay: 0.01, blocked: 0.008, verdict: 'healthy' },
    point({ time: 1000, length: 998, requests: 1, average: 7.5, p50: 7.5, p95: 7.5, p99: 7.5, max: 7.5 }),
    point({ time: 2000, length: 500 })
  ])
})

t.test('a point has the events of streams that arrived in it, and several points those of all', async t => {
  const { Streams } = require('../../lib/instruments/streams/record')
  /** @param {number} gap ms @param {number} n */
  const report = (gap, n, first = NaN) => {
    const streams = new Streams()
    for (let i = 0; i < n; i++) streams.gap.record(gap)
    if (!Number.isNaN(first)) streams.first(first)
    streams.events = n
    streams.stalls = gap > 1000 ? n : 0
    return streams.take()
  }
  const series = seriesOf(1000, 2)
  for (const generator of [0, 1]) {
    series.add(generator, snapshot(0, 0, 1000, { streams: report(20, 50, 30 + 10 * generator) }))
    series.add(generator, snapshot(1, 1000, 2000, { streams: report(1500, generator) }))
    series.add(generator, snapshot(2, 2000, 3000, { streams: null }))
    series.end(generator)
  }
  const quantiles = (/** @type {number} */ ms) => ({ p50: ms, p95: ms, p99: ms, max: ms })
  t.match(series.points.map(({ streams }) => streams), [
    { events: 100, stalls: 0, firstEvent: { max: 40 }, gap: quantiles(20) },
    { events: 1, stalls: 1, firstEvent: null, gap: quantiles(1500) },
    { events: 0, stalls: 0, firstEvent: null, gap: null }
  ].map(one => ({ ...one, gap: one.gap && { max: one.gap.max } })))
  t.ok(Math.abs(series.points[0].streams.gap.p99 - 20) < 0.1)
  const [both] = mergeSeries([{ points: series.points, offset: 0 }, { points: series.points, offset: 0 }])
  t.match(both.streams, { events: 200, stalls: 0, gap: { max: 20, buckets: [[20, 200]] }, firstEvent: { buckets: [[30, 4]] } })
  const { joined } = require('../../lib/figures/point')
  const one = joined(series.points[0], series.points[1])
  t.match(one.streams, { events: 101, stalls: 1, gap: { max: 1500, buckets: [[20, 100], [1500, 1]] }, firstEvent: { max: 40, buckets: [[30, 2]] } })
  t.ok(one.streams.gap.p50 > 20 && one.streams.gap.p50 < 40, 'most of them were short')
  t.notOk('streams' in joined(point({}), point({})), 'nothing of it in other runs')
})

t.test('a point has the connections of all generators, also of one that was blocked, or has ended just before', async t => {
  const series = new Series(100, 2, () => {}, () => 20)
  const open = (/** @type {number} */ connections) => ({ connections })
  for (const sample of [0, 1]) series.add(0, snapshot(sample, sample * 100, (sample + 1) * 100, open(10)))
  series.add(1, snapshot(1, 0, 200, open(9)))
  series.add(1, snapshot(2, 200, 270, open(8)))
  series.end(1)
  for (const sample of [2, 3]) series.add(0, snapshot(sample, sample * 100, (sample + 1) * 100, open(10)))
  series.end(0)
  t.strictSame(series.points.map(({ target, connections }) => [target, connections]), [[20, 19], [20, 19], [20, 18], [20, 18]])
})

t.test('short samples share a point of at least 100 ms', async t => {
  t.strictSame([1, 20, 30, 99, 100, 1000].map(samplesPerPoint), [100, 5, 4, 2, 1, 1])
  const series = seriesOf(40)
  for (const sample of [0, 1, 2, 3]) {
    series.add(0, snapshot(sample, sample * 40, (sample + 1) * 40, { completed: 10, latencies: sample === 2 ? [1, 2, 3] : sample === 3 ? [9] : null }))
  }
  t.match(series.points, [{ time: 0, length: 120, requests: 30, p50: 2, max: 3 }])
  for (const sample of [4, 5]) series.add(0, snapshot(sample, sample * 40, (sample + 1) * 40, { completed: 10, latencies: sample === 5 ? [8] : null }))
  t.match(series.points, [{ time: 0 }, { time: 120, length: 120, requests: 30, p50: 8.003, max: 9 }])
})

t.test('a rest that is too short to be compared belongs to the point before it', async t => {
  const told = []
  const series = seriesOf(1000, 1, point => told.push(point.requests))
  series.add(0, snapshot(0, 0, 1000, { completed: 99, latencies: [1], usage: { ...IDLE, cpuMs: 500 } }))
  series.add(0, snapshot(1, 1000, 1010, { completed: 1, latencies: [9], errorCodes: { EPIPE: 1 }, usage: { ...IDLE, cpuMs: 20, wallMs: 10 } }))
  series.end(0)
  t.strictSame(told, [99, 1], 'who follows the run hears of it')
  t.match(series.points, [{ time: 0, length: 1010, requests: 100, errors: 1, max: 9, cpu: 0.515 }])
  t.equal(series.points.length, 1)
  const short = seriesOf(1000)
  short.add(0, snapshot(0, 0, 10, { completed: 1 }))
  short.end(0)
  t.match(short.points, [{ length: 10, requests: 1 }], 'unless it is all there is')
})

t.test('several generators add up, and the busiest one counts', async t => {
  const told = []
  const series = seriesOf(1000, 2, point => told.push(point.requests))
  series.add(0, snapshot(0, 0, 1000, { completed: 10, latencies: [1, 1, 1], usage: { ...IDLE, cpuMs: 900, activeMs: 100 } }))
  series.add(0, snapshot(1, 1000, 2000, { completed: 1 }))
  t.strictSame(told, [], 'the other may still add to it')
  series.add(1, snapshot(0, 0, 1010, { completed: 5, latencies: [5], errorCodes: { EPIPE: 2 }, usage: { ...IDLE, cpuMs: 100, activeMs: 800 } }))
  t.strictSame(told, [15])
  series.end(0)
  series.add(1, snapshot(1, 1010, 1500, { completed: 2 }))
  series.end(1)
  t.strictSame(told, [15, 3])
  t.match(series.points, [
    { length: 1010, requests: 15, errors: 2, p50: 1, max: 5, cpu: 0.9, eventLoopUtilization: 0.8 },
    { time: 1000, length: 1000, requests: 3 }
  ])
})

t.test('a point is handed over with what it takes to merge it with that of another machine', async t => {
  const counted = [
    { completed: 10, latencies: [1, 2, 3], errorCodes: { EPIPE: 2 }, statuses: { 200: 9, 500: 1 } },
    { completed: 5, latencies: [5, 70], errorCodes: { EPIPE: 1, ECONNRESET: 1 }, statuses: { 404: 5 } }
  ]
  const handed = counted.map(counts => {
    let all
    const series = seriesOf(1000, 1, (point, latency) => { all = { point, latency: latency.encode() } })
    series.add(0, snapshot(0, 0, 1000, counts))
    return all
  })
  const both = seriesOf(1000, 2)
  counted.forEach((counts, generator) => both.add(generator, snapshot(0, 0, 1000, counts)))
  const latency = new Histogram()
  for (const one of handed) latency.addEncoded(one.latency)
  const [{ requests, failures, non2xx, p50, p99, max }] = both.points
  const sum = key => handed.reduce((total, { point }) => total + point[key], 0)
  t.strictSame([sum('requests'), sum('failures'), sum('non2xx'), latency.percentile(50), latency.percentile(99), latency.max / 1000], [requests, failures, non2xx, p50, p99, max])
  const empty = seriesOf(1000, 1, (point, latency) => t.equal(latency, null))
  empty.add(0, snapshot(0, 0, 1000))
})

t.test('samples that were ended together share what was counted, and their latencies are known at their end', async t => {
  const series = seriesOf(1000)
  series.add(0, snapshot(2, 0, 3300, { completed: 10, latencies: [4] }))
  series.end(0)
  t.match(series.points, [{ time: 0, length: 1100, requests: 3, p50: null }, { time: 1000, requests: 3, p50: null }, { time: 2000, requests: 4, p50: 4 }])
})

t.test('a long run has no more points than the limit, and none of its counts is lost', async t => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 3 * LIMIT }), length => {
    const series = seriesOf(1000)
    for (let sample = 0; sample < length; sample++) {
      series.add(0, snapshot(sample, sample * 1000, (sample + 1) * 1000, { completed: sample % 7, errorCodes: { EPIPE: sample % 2 }, latencies: null }))
    }
    series.end(0)
    const { points } = series
    const total = Array.from({ length }, (_, sample) => sample % 7).reduce((a, b) => a + b, 0)
    return points.length <= LIMIT && points.length >= Math.min(length, LIMIT / 2) &&
      points.reduce((sum, { requests }) => sum + requests, 0) === total &&
      points.reduce((sum, { errorCodes }) => sum + (errorCodes.EPIPE ?? 0), 0) === Math.floor(length / 2) &&
      points.every(({ time }, i) => i === 0 ? time === 0 : time === points[i - 1].time + points[i - 1].length)
  }), { seed: 9, numRuns: 6 })
})

t.test('merged percentiles lie between the two', async t => {
  const series = seriesOf(1000)
  for (let sample = 0; sample < LIMIT; sample++) {
    const latencies = sample === 0 ? [2] : sample === 1 ? [8] : null
    series.add(0, snapshot(sample, sample * 1000, (sample + 1) * 1000, { completed: sample === 0 ? 2 : 1, latencies }))
  }
  t.equal(series.points.length, LIMIT / 2)
  t.match(series.points[0], { requests: 3, p50: 4, p99: 4, max: 8 })
  t.match(series.points[1], { requests: 2, p50: null, max: null })
})

t.test('series of several runs are added by time', async t => {
  const a = [point({ requests: 100, p50: 1, max: 3, cpu: 0.2 }), point({ time: 1000, requests: 200, errors: 4, errorCodes: { EPIPE: 4 } })]
  const b = [point({ requests: 40, p50: 5, max: 5, cpu: 0.6 }), point({ time: 1000, length: 500, requests: 80 })]
  t.equal(mergeSeries([{ points: a, offset: 0 }]), a, 'one alone stays as it is')
  t.match(mergeSeries([{ points: a, offset: 0 }, { points: b, offset: 0 }]), [
    { time: 0, length: 1000, requests: 140, p50: 2.143, max: 5, cpu: 0.6 },
    { time: 1000, length: 1000, requests: 280, errors: 4, errorCodes: { EPIPE: 4 } }
  ])
  t.match(mergeSeries([{ points: a, offset: 0 }, { points: b, offset: 1250 }]), [
    { time: 0, requests: 100, length: 1000 },
    { time: 1000, requests: 230, length: 1000 },
    { time: 2000, requests: 90, length: 750 }
  ], 'what lies in two is shared out')
  t.match(mergeSeries([{ points: a, offset: 0 }, { points: b, offset: 3000 }])[2], { time: 2000, length: 1000, requests: 0, p50: null }, 'a time without a generator')
  t.strictSame(mergeSeries([{ points: [], offset: 0 }, { points: [], offset: 5 }]), [])
})

t.test('a point says how late responses were read, where their arrival is known', async t => {
  const series = seriesOf(1000)
  const late = ms => {
    const one = snapshot(0, 0, 0)
    for (let i = 0; i < 10; i++) {
      one.distributions.latency.record(5)
      one.distributions.late.record(ms)
    }
    return one.distributions
  }
  for (const [i, ms] of [1, 3, null].entries()) series.add(0, { ...snapshot(i, i * 1000, (i + 1) * 1000, { completed: 10, latencies: [5] }), ...ms !== null && { distributions: late(ms) } })
  series.end(0)
  t.strictSame(series.points.map(({ readLate }) => readLate), [1, 3, undefined])
})
