'use strict'

const t = require('tap')
const { randomFrom } = require('../../lib/core/random')
const { Histogram } = require('../../lib/record/histogram')
const { parseUntil } = require('../../lib/judge/until')
const { Precision } = require('../../lib/judge/precision')
const { ONE, closedLoop, openQueue, coverageOf } = require('../helpers/simulated/known-queues')

/**
 * A run of one point per second.
 * @param {string} expression
 * @param {Array<number[]>} seconds latencies in each, ms
 * @param {number} [least]
 */
function after (expression, seconds, least = 0) {
  const precision = new Precision(parseUntil(expression), least)
  seconds.forEach((latencies, i) => {
    const latency = new Histogram()
    for (const ms of latencies) latency.record(ms)
    precision.add({ time: i * 1000, length: 1000, requests: latencies.length, bytes: latencies.length * 10 }, latencies.length === 0 ? null : latency)
  })
  return precision
}

/** @param {number[]} counts of answers in each second */
const seconds = counts => counts.map(n => new Array(n).fill(1))

t.test('of the runs that ended, the true value is in the interval of 95 % and more', async t => {
  for (const [known, expression, runs] of /** @type {Array<[any, string, number]>} */ ([
    [ONE, 'rps ±2%', 100],
    [ONE, 'p99 ±5%', 60],
    [closedLoop(10), 'p99 ±4%', 60],
    [openQueue(0.5), 'avg ±3%', 40],
    [openQueue(0.8), 'p99 ±20%', 20]
  ])) {
    const { reached, covered, seconds } = coverageOf(known, expression, runs)
    t.ok(reached > 0.9 * runs, `${known.name}, ${expression}: ${reached} of ${runs} ended, after ${seconds.toFixed(0)} s`)
    t.ok(covered >= 0.95 * reached, `${known.name}, ${expression}: ${covered} of ${reached}`)
  }
})

t.test('a rate that never changes is known at once, but not before there are ten batches', async t => {
  t.equal(after('rps ±0.1%', seconds(new Array(9).fill(100))).look(), false)
  const precision = after('rps ±0.1%', seconds(new Array(10).fill(100)))
  t.equal(precision.look(), true)
  t.strictSame(precision.interval, { value: 100, low: 100, high: 100, width: 0 })
})

t.test('the interval is that of batches: of a mean, the upper end of what its error may be', async t => {
  const counts = [100, 104, 96, 101, 99, 103, 97, 102, 98, 100]
  const { value, low, high } = after('rps ±10%', seconds(counts)).estimate()
  t.equal(value, 100)
  t.ok(Math.abs(100 - low - (high - 100)) < 1e-9)
  // Neighbours are less alike than chance has it, which counts as not alike; the squares are 60, the lower end of chi-square of 9 is 3.31.
  const error = Math.sqrt(60 / 9 / 10)
  t.ok(Math.abs(high - 100 - 1.96 * error * Math.sqrt(9 / 3.315)) < 0.005, `${high}`)
})

t.test('neighbours that are alike, and a few batches that make most of the error, make the interval wider', async t => {
  const width = (/** @type {number[]} */ counts) => after('rps ±10%', seconds(counts)).estimate()?.width ?? Infinity
  const mixed = Array.from({ length: 30 }, (_, i) => [96, 104, 100][i % 3])
  const alike = [...mixed].sort((a, b) => a - b)
  t.ok(width(alike) > 2 * width(mixed), `${width(alike)}, ${width(mixed)}`)
  const rare = new Array(30).fill(100)
  rare[11] = rare[12] = 100 - Math.sqrt(160)
  const even = Array.from({ length: 30 }, (_, i) => 100 + (i % 2 === 0 ? 1 : -1) * Math.sqrt(320 / 30))
  t.ok(width(rare.map(Math.round)) > 1.2 * width(even.map(Math.round)))
})

t.test('a percentile has an interval of ranks, which is none beyond the last value', async t => {
  const random = randomFrom(1)
  const spread = Array.from({ length: 20 }, () => Array.from({ length: 100 }, () => 1 + 10 * random()))
  const { value, low, high, width } = after('p50 ±10%', spread).estimate()
  t.ok(low < value && value < high)
  t.equal(width, Math.max(value - low, high - value) / value)
  t.equal(after('p99.9 ±10%', spread).estimate(), null, 'two of 2,000 values are above p99.9')
  t.equal(after('p99.99 ±10%', spread).estimate(), null, 'p99.99 of 2,000 values is their maximum')
  t.equal(after('p99 ±10%', spread.map(() => [])).estimate(), null, 'nothing was measured')
})

t.test('a percentile with nothing above it is not known better than by chance', async t => {
  const seconds = Array.from({ length: 10 }, (_, i) => [...new Array(11).fill(1), i > 7 ? 50 : 2])
  const precision = after('p99 ±0.1%', seconds)
  t.equal(precision.whole.percentile(99), 50)
  t.equal(precision.estimate(), null)
  t.strictSame(after('p99 ±0.1%', new Array(20).fill(new Array(100).fill(3))).estimate(), { value: 3, low: 3, high: 3, width: 0 }, 'what is always the same is known')
})

t.test('an interval as wide as the figure tells nothing', async t => {
  t.equal(after('rps ±10%', seconds([0, 0, 0, 0, 0, 500, 500, 500, 500, 500])).estimate(), null)
})

t.test('a long run has few batches, which together are all of it', async t => {
  const precision = after('rps ±10%', seconds(Array.from({ length: 1000 }, (_, i) => i % 7)))
  t.ok(precision.batches.length >= 32 && precision.batches.length < 64)
  t.equal(precision.batches.reduce((sum, { ms }) => sum + ms, 0), 1_000_000)
  t.equal(precision.batches.reduce((sum, { responses }) => sum + responses, 0), precision.whole.count)
  t.equal(precision.batches.reduce((sum, { latency }) => sum + latency.count, 0), precision.whole.count)
})

t.test('it looks at the end of the shortest run, and each time when 5 % more has been measured', async t => {
  const precision = new Precision(parseUntil('rps ±0.1%'), 20_000)
  /** @type {number[]} */
  const looks = []
  const { estimate } = precision
  precision.estimate = () => {
    looks.push(precision.elapsed)
    return estimate.call(precision)
  }
  for (let i = 0; i < 40; i++) {
    precision.add({ time: i * 1000, length: 1010, requests: i % 3, bytes: 0 }, null)
    precision.look()
  }
  t.equal(Math.floor(looks[0] / 1000), 20)
  t.ok(looks.every((ms, i) => i === 0 || ms >= 1.05 * looks[i - 1]))
})
