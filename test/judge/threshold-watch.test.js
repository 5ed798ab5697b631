'use strict'

// No threshold is given up that could still be met: a run that goes on as well as it can proves it.

const t = require('tap')
const fc = require('fast-check')
const { paceOf } = require('../../lib/shapes/pace')
const { makePacer } = require('../../lib/engine/pacing/pacer')
const { normalize } = require('../../lib/options/normalize')
const { buildPlan } = require('../../lib/options/plan')
const { split } = require('../../lib/options/split')
const { boundsOf } = require('../../lib/run/coordinator')
const { figureOf } = require('../../lib/figures/figures')
const { parseMetric } = require('../../lib/figures/metric')
const { randomFrom } = require('../../lib/core/random')
const { buildResult } = require('../../lib/figures/result')
const { Samples } = require('../../lib/record/samples')
const { settle } = require('../../lib/judge/inconclusive')
const { judge } = require('../../lib/judge/judge')
const { parseThreshold } = require('../../lib/judge/threshold')
const { ThresholdWatch } = require('../../lib/judge/threshold-watch')
const { Totals } = require('../../lib/record/totals')

/**
 * @param {string} threshold
 * @param {Partial<import('../../lib/judge/threshold-watch').Bounds>} bounds
 */
const watch = (threshold, bounds) => new ThresholdWatch([parseThreshold({ threshold, abortOn: true })], { amount: Infinity, duration: Infinity, due: Infinity, ...bounds })

/**
 * @param {any} t
 * @param {{ latencies?: number[], statuses?: Record<string, number>, [counter: string]: any }} counts
 */
function totalsOf ({ latencies = [], ...counts }) {
  const totals = new Totals()
  for (const ms of latencies) totals.distributions.latency.record(ms)
  return Object.assign(totals, { completed: latencies.length }, counts)
}

/**
 * @param {number} n
 * @param {number} ms
 */
const times = (n, ms) => Array(n).fill(ms)

t.test('with an amount it is lost exactly when even the best rest can not save it', async t => {
  const amount = { amount: 100 }
  for (const [threshold, counts, elapsed, lost] of [
    // 99 of 100 have to be below: the second slow one is too many.
    ['p99 < 1ms', { latencies: [...times(9, 0.5), 2] }, 100, false],
    ['p99 < 1ms', { latencies: [...times(8, 0.5), 2, 2] }, 100, true],
    ['p99 < 2ms', { latencies: [...times(8, 0.5), 2, 2] }, 100, true],
    ['p99 <= 2ms', { latencies: [...times(8, 0.5), 2, 2] }, 100, false],
    ['p50 < 1ms', { latencies: times(50, 2) }, 100, false],
    ['p50 < 1ms', { latencies: times(51, 2) }, 100, true],
    ['p100 < 1ms', { latencies: [0.5, 1] }, 100, true],
    ['avg < 1ms', { latencies: times(10, 9.9) }, 100, false],
    ['avg < 1ms', { latencies: times(10, 10) }, 100, true],
    ['max < 1ms', { latencies: [1] }, 100, true],
    ['max <= 1ms', { latencies: [1] }, 100, false],
    ['min > 1ms', { latencies: [1, 2] }, 100, true],
    ['min > 1ms', { latencies: [2] }, 100, false],
    ['min > 1ms', {}, 100, false],
    ['errors < 3', { timedOut: 1, failed: 1 }, 100, false],
    ['errors < 3', { timedOut: 1, failed: 1, neverSent: 1 }, 100, true],
    ['errors == 0', { failed: 1 }, 100, true],
    ['error rate < 5%', { failed: 4 }, 100, false],
    ['error rate < 5%', { failed: 5 }, 100, true],
    ['timeouts < 1', { timedOut: 1 }, 100, true],
    ['timeouts <= 1%', { timedOut: 2 }, 100, true],
    ['non2xx < 2', { completed: 9, statuses: { 200: 7, 302: 1, 500: 1 } }, 100, true],
    ['non2xx < 3%', { completed: 9, statuses: { 200: 7, 302: 1, 500: 1 } }, 100, false],
    ['mismatches < 1%', { completed: 9, mismatches: 1 }, 100, true],
    ['mismatches < 2', { completed: 9, mismatches: 1 }, 100, false],
    ['requests < 50', { completed: 50 }, 100, true],
    ['rps > 100', { completed: 10 }, 900, false],
    ['rps > 100', { completed: 10 }, 1001, true]
  ]) {
    const found = watch(threshold, amount).findLost(totalsOf(counts), elapsed)
    t.equal(found?.expression, lost ? threshold : undefined, `${threshold} ${JSON.stringify(counts)}`)
  }
})

t.test('with a rate the schedule bounds the requests', async t => {
  const bounds = { duration: 10_000, due: 100 }
  t.equal(watch('p99 < 1ms', bounds).findLost(totalsOf({ latencies: [2] }), 1000), null)
  t.match(watch('p99 < 1ms', bounds).findLost(totalsOf({ latencies: [2, 2] }), 1000), { expression: 'p99 < 1ms' })
  t.match(watch('rps > 9.5', bounds).findLost(totalsOf({ failed: 5 }), 1000), { expression: 'rps > 9.5' })
  t.equal(watch('rps > 9.5', bounds).findLost(totalsOf({ failed: 4 }), 1000), null)
})

/**
 * What a watch says at the end of each sample of a run that goes on as it began.
 * @param {ThresholdWatch} watch
 * @param {(i: number) => Record<string, any>} countsAfter the i-th sample, from 1 on
 * @param {number[]} ends of the samples, ms
 */
const course = (watch, countsAfter, ends) => ends.map((end, i) => watch.findLost(totalsOf(countsAfter(i + 1)), end) !== null)

t.test('a closed loop is given a quarter of its time, and twice its best speed', async t => {
  const ends = [800, 1600, 2400, 3200]
  // 20 requests in 0.8 s are at most 50 per second.
  const slow = (/** @type {number} */ i) => ({ latencies: times(20 * i, 2), bytes: 20 * i })
  t.strictSame(course(watch('p99 < 1ms', { duration: 10_000 }), slow, ends), [false, false, false, true], 'a quarter is 2.5 s')
  // 80 in 3.2 s, and 340 in the 6.8 s that are left.
  for (const metric of ['rps', 'bytes/s']) {
    t.strictSame(course(watch(`${metric} > 41.9`, { duration: 10_000 }), slow, ends), [false, false, false, false], metric)
    t.strictSame(course(watch(`${metric} > 42`, { duration: 10_000 }), slow, ends), [false, false, false, true], metric)
    const slower = (/** @type {number} */ i) => ({ completed: i === 1 ? 20 : 20 + i, bytes: i === 1 ? 20 : 20 + i })
    t.strictSame(course(watch(`${metric} > 36`, { duration: 10_000 }), slower, ends), [false, false, false, false], 'the fastest sample counts')
  }
})

t.test('nothing is guessed before three samples had answers', async t => {
  const slow = (/** @type {number} */ i) => ({ latencies: times(i, 2), bytes: i })
  for (const threshold of ['p99 < 1ms', 'rps > 1000', 'bytes/s > 1 MB/s', 'avg < 1us']) {
    t.strictSame(course(watch(threshold, { duration: 4000 }), slow, [1000, 2000, 3000]), [false, false, true], threshold)
    t.strictSame(course(watch(threshold, { duration: 4000, steady: false }), slow, [1000, 2000, 3000]), [false, false, false], `${threshold}, of connections that come and go`)
    const silent = (/** @type {number} */ i) => i < 4 ? { completed: 0 } : slow(i - 3)
    t.strictSame(course(watch(threshold, { duration: 7000 }), silent, [1000, 2000, 3000, 4000, 5000, 6000]), [false, false, false, false, false, true], `${threshold}, of a server that answers late`)
  }
  t.strictSame(course(watch('bytes/s >= 1 KB/s', { amount: 100 }), i => ({ completed: i, bytes: 10 * i }), [1000, 2001, 3000]), [false, false, true], 'how large answers get')
  t.strictSame(course(watch('rps >= 1000', { amount: 100 }), slow, [1000]), [true], 'with an amount, requests per second are no guess')
  t.match(watch('errors < 1', { duration: 10_000 }).findLost(totalsOf({ failed: 1 }), 1), { expression: 'errors < 1' }, 'nor is a count')
})

t.test('a run that is over is judged, not ended', async t => {
  t.equal(watch('max < 1ms', { amount: 2 }).findLost(totalsOf({ latencies: [2, 2] }), 1000), null)
  t.equal(watch('max < 1ms', { duration: 1000 }).findLost(totalsOf({ latencies: [2, 2] }), 1000), null)
})

t.test('only thresholds with abortOn are watched', async t => {
  t.equal(new ThresholdWatch([parseThreshold('max < 1ms')], { amount: 9, duration: Infinity, due: Infinity }).findLost(totalsOf({ latencies: [2] }), 10), null)
})

t.test('a percentile that was given up is missed whatever the rest is, and one that was not can be met', async t => {
  const latency = fc.integer({ min: 1, max: 2000 })
  fc.assert(fc.property(fc.array(latency, { minLength: 1, maxLength: 60 }), fc.nat(60), fc.constantFrom(50, 90, 97.5, 99, 100), latency, (seen, left, percentile, limit) => {
    fc.pre(left > 0)
    const totals = new Totals()
    for (const us of seen) totals.distributions.latency.record(us / 1000)
    totals.completed = seen.length
    const lost = watch(`p${percentile} < ${limit}us`, { amount: seen.length + left }).findLost(totals, 1) !== null
    // The best rest takes no time.
    const best = [...seen, ...times(left, 0)].sort((a, b) => a - b)
    return lost === (best[Math.ceil(percentile / 100 * best.length - 1e-9) - 1] >= limit)
  }), { seed: 11, numRuns: 300 })
})

/** What a threshold with abortOn can be about, and the operators that it can have. */
const WATCHED = [
  ...['p50', 'p90', 'p99', 'avg', 'max', 'requests', 'failures', 'failures %', 'errors', 'errors %', 'non2xx', 'non2xx %', 'timeouts', 'timeouts %', 'mismatches', 'mismatches %', 'resent', 'resent %']
    .flatMap(metric => ['<', '<=', '=='].map(operator => [metric, operator])),
  ...['min', 'rps', 'bytes/s'].flatMap(metric => ['>', '>='].map(operator => [metric, operator]))
]

/** What ends a run, and what sends its requests. */
const KINDS = [
  { duration: 6, rate: 200, connections: 5 },
  { duration: 6, rate: 37, connections: 3, pipelining: 4 },
  { duration: 6, connectionRate: 11, connections: 7 },
  { duration: 6, overallRate: 33, connections: 4, workers: 3 },
  { duration: 6, rate: 100, connections: 4, workers: 3 },
  { amount: 300, connections: 10 },
  { amount: 300, connections: 7, pipelining: 3, workers: 2 },
  { amount: 200, rate: 50, connections: 3 },
  { maxOverallRequests: 150, duration: 6, rate: 40, connections: 3 },
  { duration: 6, connections: 10 }
]

t.test('how many requests there can be is not bounded by connections that are still to come, nor guessed where pauses are recorded', async t => {
  const of = (/** @type {Record<string, any>} */ opts) => boundsOf(split(buildPlan({ ...normalize({ url: 'http://localhost', ...opts }).values, ...opts.stages && { connections: 4, duration: 6 } }), opts.workers ?? 1))
  for (const workers of [undefined, 2]) {
    t.match(of({ stages: ['3s:4', '3s:0'], maxConnectionRequests: 5, workers }), { amount: Infinity, steady: false })
    t.match(of({ stages: ['3s:4', '3s:0'], maxConnectionRequests: 5, maxOverallRequests: 7, workers }), { amount: Infinity })
    t.match(of({ stages: ['3s:4/s', '3s:4/s'], maxConnectionRequests: 5, workers }), { amount: 20, due: 18 })
  }
  t.equal(of({ stages: ['3s:4', '3s:0'], maxOverallRequests: 7 }).amount, 7)
  const entries = [0, 5].map(second => ({ startedDateTime: `2026-01-01T00:00:0${second}Z`, request: { method: 'GET', url: 'http://localhost/', headers: [] } }))
  t.strictSame([true, false].map(harPauses => of({ har: { log: { entries } }, ...harPauses && { harPauses } }).steady), [false, true])
})

/**
 * A run in arithmetic against a server that goes away and comes back: what is counted in each of its samples. A failed attempt to
 * connect is an error that uses up a budget and no schedule, as in Connection.
 * @param {typeof KINDS[number] & Record<string, any>} opts
 * @param {() => number} random
 */
function simulate (opts, random) {
  const slices = split(buildPlan(normalize({ url: 'http://localhost', ...opts }).values), opts.workers ?? 1)
  const { amount, duration } = boundsOf(slices)
  const queues = slices.flatMap(plan => {
    if (plan.pacing === null) return []
    const pacer = makePacer(plan, paceOf, null)
    const members = Array.from({ length: plan.connections }, () => ({ queue: pacer.queue() }))
    pacer.join(members, -Infinity)
    return [...new Set(members.map(({ queue }) => queue))]
  })
  const { connections = 10, pipelining = 1 } = opts
  const [good, share] = [random() ** 2, random() ** 3]
  const away = Array.from({ length: 1 + Math.floor(3 * random()) }, () => ({ from: 7000 * random(), for: 3000 * random() ** 2 }))
  const totals = new Totals()
  const samples = []
  let left = amount
  let at = 0
  for (; at < duration && left > 0 && at < 60_000; at += 10) {
    const isAway = away.some(one => at >= one.from && at < one.from + one.for)
    if (isAway) {
      // Each connection tries about ten times a second.
      for (let i = 0; i < connections && left > 0; i++) {
        if (random() > 0.1) continue
        const forgone = Math.min(pipelining, left)
        left -= forgone
        totals.forgone += forgone
        totals.neverSent += forgone
      }
    } else {
      let due = queues.length === 0 ? Math.round(connections * (0.5 + random() / 2)) : 0
      for (const queue of queues) {
        const n = Math.min(queue.due(at), connections * pipelining)
        queue.taken += n
        due += n
      }
      for (due = Math.min(due, left); due > 0; due--) request()
    }
    // A response without a request.
    if (random() < 0.001) totals.neverSent++
    if (at % 500 === 490) samples.push({ totals: copyOf(totals), elapsed: at + 10 })
  }
  return { samples, totals, elapsed: at, bounds: boundsOf(slices) }

  function request () {
    left--
    totals.sent++
    const luck = random()
    const ms = 0.1 + 40 * random() ** 4
    if (luck < share / 4) {
      totals.timedOut++
      totals.distributions.latency.record(ms + 1000)
    } else if (luck < share / 2) {
      totals.failed++
    } else {
      const status = luck < share ? 503 : luck < share + 0.02 ? 302 : 200
      totals.completed++
      totals.compared++
      totals.bytes += 100 + Math.round(50 * random())
      totals.statuses[status] = (totals.statuses[status] ?? 0) + 1
      totals.distributions.latency.record(ms)
      if (random() < good / 10) {
        totals.mismatches++
        if (status < 400) totals.faulty++
      }
    }
  }
}

/**
 * @param {Array<{ totals: Totals, elapsed: number }>} samples
 * @param {{ totals: Totals, elapsed: number }} lost
 * @param {import('../../lib/judge/threshold-watch').Bounds} bounds
 * @returns {boolean} whether a closed loop has done what is guessed not to happen: become more than twice as fast
 */
function becameFaster (samples, lost, { amount, due }) {
  if (Math.min(amount, due) !== Infinity) return false
  const speeds = samples.map(({ totals }, i) => totals.completed - (samples[i - 1]?.totals.completed ?? 0))
  const at = samples.indexOf(lost) + 1
  return Math.max(...speeds.slice(at), 0) > 2 * Math.max(...speeds.slice(0, at))
}

/** @param {Totals} totals */
function copyOf (totals) {
  const copy = new Totals()
  copy.add({ ...structuredClone({ ...totals, distributions: null, checks: [], requests: [] }) })
  copy.distributions.add(totals.distributions)
  return copy
}

t.test('a run whose final figures keep to a threshold is never aborted for it, whatever the server did meanwhile', async t => {
  const random = randomFrom(15)
  let aborted = 0
  for (let run = 0; run < 12; run++) {
    for (const kind of KINDS) {
      const { samples, totals, elapsed, bounds } = simulate(kind, random)
      const outcome = { totals, samples: new Samples(1000, 1), series: [], elapsed, start: new Date(0), finish: new Date(elapsed), targetRate: null, usages: [] }
      const result = buildResult(/** @type {any} */ ({ url: '' }), outcome)
      for (const [metric, operator] of WATCHED) {
        const isShare = metric.endsWith('%')
        const { metric: { key, unit } } = parseThreshold(`${metric.replace(' %', '')} < 1${isShare ? '%' : ''}`)
        // As close as it gets: exactly what the run ends with, and a little to both sides.
        const final = figureOf(parseMetric(metric.replace(' %', ''), isShare), result) ?? 0
        for (const limit of [final, final * 0.9, final * 1.1 + 1e-9]) {
          const threshold = { ...parseThreshold({ threshold: `${metric.replace(' %', '')} ${operator} 1${isShare ? '%' : ''}`, abortOn: true }), limit }
          const watch = new ThresholdWatch([threshold], bounds)
          const lost = samples.find(sample => watch.findLost(sample.totals, sample.elapsed) !== null)
          if (lost === undefined || becameFaster(samples, lost, bounds)) continue
          aborted++
          const [{ passed }] = settle(judge([threshold], result), 'exact')
          if (passed !== false) t.fail(`${key} ${operator} ${limit} (${unit}) of ${JSON.stringify(kind)} passes with ${final}, and was given up after ${lost.elapsed} ms`)
        }
      }
    }
  }
  t.ok(aborted > 400, `${aborted} were given up`)
})

t.test('failed connections use up an amount, and no schedule: the server is away for 2 of 6 s', async t => {
  const away = totalsOf({ completed: 0, neverSent: 400, forgone: 400 })
  t.equal(watch('error rate < 45%', { duration: 6000, due: 1200 }).findLost(away, 2000), null, 'of 1,600 in the end')
  t.match(watch('error rate < 20%', { duration: 6000, due: 1200 }).findLost(away, 2000), { expression: 'error rate < 20%' })
  t.match(watch('error rate < 30%', { amount: 1200 }).findLost(away, 2000), { expression: 'error rate < 30%' }, 'of 1,200')
  t.equal(watch('error rate < 34%', { amount: 1200 }).findLost(away, 2000), null)
  t.equal(watch('error rate < 30%', { duration: 6000 }).findLost(away, 5900), null, 'a closed loop that was never answered may be as fast as it likes')
})
