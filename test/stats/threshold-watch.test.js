'use strict'

// No threshold is given up that could still be met: a run that goes on as well as it can proves it.

const t = require('tap')
const fc = require('fast-check')
const { parseThreshold } = require('../../lib/stats/threshold')
const { ThresholdWatch } = require('../../lib/stats/threshold-watch')
const { Totals } = require('../../lib/stats/totals')

/**
 * @param {string} threshold
 * @param {Partial<import('../../lib/stats/threshold-watch').Bounds>} bounds
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
    ['rps > 100', { completed: 10 }, 1001, true],
    ['bytes/s >= 1 KB/s', { completed: 10, bytes: 100 }, 1000, false],
    ['bytes/s >= 1 KB/s', { completed: 10, bytes: 100 }, 2001, true]
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

t.test('a closed loop is given a quarter of its time, and twice its best speed', async t => {
  const slow = { latencies: times(20, 2) }
  const p99 = watch('p99 < 1ms', { duration: 10_000 })
  t.equal(p99.findLost(totalsOf(slow), 1000), null, 'too early')
  // 20 requests in 2.5 s are at most 8 per second: 16 more for each of the 7.5 seconds left.
  t.match(watch('p99 < 1ms', { duration: 10_000 }).findLost(totalsOf(slow), 2500), { expression: 'p99 < 1ms' })
  t.equal(watch('rps > 13.9', { duration: 10_000 }).findLost(totalsOf(slow), 2500), null)
  t.match(watch('rps > 14', { duration: 10_000 }).findLost(totalsOf(slow), 2500), { expression: 'rps > 14' })
  const risen = watch('rps > 14', { duration: 10_000 })
  t.equal(risen.findLost(totalsOf({ completed: 0 }), 1500), null)
  t.equal(risen.findLost(totalsOf(slow), 2500), null, 'the fastest sample counts')
  const bytes = watch('bytes/s > 14', { duration: 10_000 })
  t.equal(bytes.findLost(totalsOf({ bytes: 0 }), 1000), null)
  t.match(watch('bytes/s > 14', { duration: 10_000 }).findLost(totalsOf({ bytes: 20 }), 2500), { expression: 'bytes/s > 14' })
  t.match(watch('errors < 1', { duration: 10_000 }).findLost(totalsOf({ failed: 1 }), 1), { expression: 'errors < 1' }, 'a count needs no guess')
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
