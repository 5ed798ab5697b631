'use strict'

const t = require('tap')
const fc = require('fast-check')
const hdr = require('hdr-histogram-js')
const { inflateSync } = require('node:zlib')
const { HIGHEST, bucketOf, highestOf } = require('../../lib/record/buckets')
const { Histogram } = require('../../lib/record/histogram')
const { PERCENTILES, percentileKey } = require('../../lib/record/percentiles')
const { randomFrom } = require('../../lib/core/random')

const SEED = 20240917
const HOUR_US = 3.6e9

/** Whole µs from 1 µs to 1 hour, as many of each magnitude as of the others. */
const latencyUs = fc.double({ min: 0, max: Math.log(HOUR_US), noNaN: true }).map(power => Math.min(HOUR_US, Math.round(Math.exp(power))))
const latencies = fc.array(latencyUs, { minLength: 1, maxLength: 2000, size: 'max' })

/** @param {number[]} us */
function histogramOf (us) {
  const histogram = new Histogram()
  for (const value of us) histogram.record(value / 1000)
  return histogram
}

/** Runs an assertion over generated cases, the same in each run. */
function holds (arbitrary, predicate, numRuns = 200) {
  fc.assert(fc.property(arbitrary, predicate), { seed: SEED, numRuns })
}

t.test('reads every documented percentile within 0.1 % of the exact one', async t => {
  holds(latencies, us => {
    const histogram = histogramOf(us)
    const summary = histogram.summary()
    const sorted = [...us].sort((a, b) => a - b)
    for (const percentile of PERCENTILES) {
      // The rank that a percentile asks for may be one off where its product with the count is not exact.
      const rank = percentile / 100 * sorted.length
      const low = sorted[Math.max(0, Math.ceil(rank - 1e-9) - 1)]
      const high = sorted[Math.min(sorted.length, Math.ceil(rank + 1e-9)) - 1]
      const read = summary[percentileKey(percentile)] * 1000
      if (read < low * 0.999 - 1e-6 || read > high * 1.001 + 1e-6) {
        throw new Error(`p${percentile} of ${us.length} values: ${read} is not in ${low}…${high}`)
      }
    }
  })
  t.pass()
})

/**
 * @param {number[]} us whole numbers
 * @returns {number} their deviation in ms, from integers of any size
 */
function exactDeviation (us) {
  const values = us.map(BigInt)
  const [count, sum] = [BigInt(us.length), values.reduce((sum, value) => sum + value, 0n)]
  const squares = values.reduce((sum, value) => sum + value * value, 0n)
  // 10^24 keeps twelve digits of the root.
  return Math.sqrt(Number((squares * count - sum * sum) * 10n ** 24n / (count * count))) / 1e12 / 1000
}

t.test('keeps count, mean, deviation, minimum and maximum exactly', async t => {
  holds(latencies, us => {
    const { totalCount, mean, average, min, max, stddev } = histogramOf(us).summary()
    const exactMean = us.reduce((sum, value) => sum + value, 0) / us.length
    return totalCount === us.length && mean === exactMean / 1000 && average === mean &&
      min === Math.min(...us) / 1000 && max === Math.max(...us) / 1000 && isNear(stddev, exactDeviation(us))
  })
  t.pass()
})

/**
 * @param {number} read
 * @param {number} exact
 * @param {number} [part] of it that may be lost
 */
const isNear = (read, exact, part = 1e-9) => Math.abs(read - exact) <= part * exact

t.test('the deviation of much that is nearly the same is as exact as any', async t => {
  const next = randomFrom(SEED)
  const around = (us, noise, n) => Array.from({ length: n }, () => us + Math.round((2 * next() - 1) * noise))
  // An outlier in front is the worst to measure distances from: they add up to more than 2^53.
  for (const [title, us, part] of [
    ['60 s ± 10 µs', around(60e6, 10, 50_000)],
    ['an hour − 1 µs', around(HOUR_US - 1, 1, 10_000)],
    ['60 s ± 10 µs behind one of 1 µs', [1, ...around(60e6, 10, 50_000)], 1e-6],
    ['0.1 ms ± 1 µs behind one of 60 s', [60e6, ...around(100, 1, 50_000)], 1e-6],
    ['one value', [60e6]],
    ['one value many times', new Array(1000).fill(59_999_999)]
  ]) {
    const exact = exactDeviation(us)
    t.ok(isNear(histogramOf(us).summary().stddev, exact, part), `${title}: ${exact} ms`)
    // As samples, threads and raw results do: parts of any size, whose first values differ, merged in any order.
    const parts = []
    for (let left = us; left.length > 0;) {
      const size = 1 + Math.floor(next() ** 3 * left.length)
      parts.push(histogramOf(left.slice(0, size)))
      left = left.slice(size)
    }
    for (const order of [parts, [...parts].reverse(), [...parts].sort(() => next() - 0.5)]) {
      const [sum, encoded, tree] = [new Histogram(), new Histogram(), order.map(part => copyOf(part))]
      for (const part of order) {
        sum.add(part)
        encoded.addEncoded(JSON.parse(JSON.stringify(part.encode())))
      }
      while (tree.length > 1) tree.splice(0, 2, ...[copyOf(tree[0])].map(first => { first.add(tree[1]); return first }))
      for (const merged of [sum, encoded, tree[0]]) {
        if (!isNear(merged.summary().stddev, exact, part)) t.fail(`${title} in ${parts.length} parts: ${merged.summary().stddev}, not ${exact}`)
      }
    }
  }
  t.equal(new Histogram().summary().stddev, 0, 'of no values')
})

/** @param {Histogram} histogram */
function copyOf (histogram) {
  const copy = new Histogram()
  copy.add(histogram)
  return copy
}

t.test('never reads a percentile outside of what was recorded, and never a higher one lower', async t => {
  holds(latencies, us => {
    const histogram = histogramOf(us)
    const { min, max, ...summary } = histogram.summary()
    const series = [min, ...PERCENTILES.map(percentile => summary[percentileKey(percentile)]), max]
    return series.every((value, i) => i === 0 || value >= series[i - 1])
  })
  t.pass()
})

t.test('is the same whether values were recorded in one histogram or in parts that are added', async t => {
  holds(fc.array(fc.array(latencyUs, { maxLength: 300 }), { maxLength: 6 }), parts => {
    const whole = histogramOf(parts.flat())
    const sum = new Histogram()
    for (const part of parts) {
      const histogram = histogramOf(part)
      sum.add(histogram)
    }
    const [one, other] = [whole.summary(), sum.summary()]
    const { stddev: a, ...exact } = one
    const { stddev: b, ...added } = other
    return JSON.stringify(exact) === JSON.stringify(added) && Math.abs(a - b) <= 1e-9 * Math.max(1, a)
  }, 100)
  t.pass()
})

t.test('counts a value n times as it counts it n times', async t => {
  holds(fc.array(fc.tuple(latencyUs, fc.integer({ min: 1, max: 50 })), { maxLength: 100 }), pairs => {
    const [one, other] = [new Histogram(), new Histogram()]
    for (const [us, n] of pairs) {
      one.record(us / 1000, n)
      for (let i = 0; i < n; i++) other.record(us / 1000)
    }
    const [{ stddev: a, ...summed }, { stddev: b, ...single }] = [one.summary(), other.summary()]
    return JSON.stringify(summed) === JSON.stringify(single) && Math.abs(a - b) <= 1e-6 * Math.max(1, a)
  }, 50)
  t.pass()
})

t.test('is the same after it was encoded and decoded', async t => {
  holds(fc.array(latencyUs, { maxLength: 500 }), us => {
    const histogram = histogramOf(us)
    const encoded = JSON.parse(JSON.stringify(histogram.encode()))
    const added = new Histogram()
    added.addEncoded(encoded)
    const decoded = Histogram.decode(histogram.toBase64())
    return JSON.stringify(added.summary([99.5])) === JSON.stringify(histogram.summary([99.5])) && added.toBase64() === histogram.toBase64() &&
      decoded.count === us.length && decoded.toBase64() === histogram.toBase64()
  }, 100)
  t.pass()
})

t.test('has the buckets and percentiles of an HdrHistogram', async t => {
  holds(fc.tuple(latencies, fc.array(fc.double({ min: 1e-3, max: 100, noNaN: true }), { maxLength: 20 })), ([us, chosen]) => {
    const histogram = histogramOf(us)
    const theirs = hdr.build({ highestTrackableValue: HOUR_US, numberOfSignificantValueDigits: 3 })
    for (const value of us) theirs.recordValue(value)
    const [ours, expected] = [histogram.toBase64(), hdr.encodeIntoCompressedBase64(theirs)].map(base64 => inflateSync(Buffer.from(base64, 'base64').subarray(8)))
    // Theirs has an offset of 1 and a unit of 0 (5e-324), which are not what the histogram has; no reader minds.
    for (const bytes of [ours, expected]) {
      bytes.writeUInt32BE(0, 8)
      bytes.writeDoubleBE(1, 32)
    }
    if (!ours.equals(expected)) throw new Error('not the same bytes')
    for (const percentile of [...PERCENTILES, ...chosen, 100]) {
      const [read, expected] = [histogram.percentile(percentile), Math.min(theirs.getValueAtPercentile(percentile), Math.max(...us)) / 1000]
      if (read !== expected) throw new Error(`p${percentile} of ${us.length} values: ${read}, not ${expected}`)
    }
  })
  for (let power = 0; power < 32; power++) {
    for (const value of [2 ** power - 1, 2 ** power, 2 ** power + 1].filter(value => value >= 1 && value <= HIGHEST)) {
      t.ok(value <= highestOf(bucketOf(value)), `the bucket of ${value} holds it`)
      t.equal(bucketOf(highestOf(bucketOf(value)) + 1), bucketOf(value) + 1, 'and the next one what is above')
    }
  }
})

t.test('reads an HdrHistogram with other buckets', async t => {
  const theirs = hdr.build({ highestTrackableValue: 1e12, numberOfSignificantValueDigits: 2 })
  for (const value of [1, 100, 1000, 1e6, 1e11]) theirs.recordValue(value)
  const histogram = Histogram.decode(hdr.encodeIntoCompressedBase64(theirs))
  t.strictSame([20, 40, 60, 80, 100].map(percentile => Math.round(histogram.percentile(percentile) * 10) / 10), [0, 0.1, 1, 1003.5, HOUR_US / 1000])
})

t.test('is exact up to 2 ms, where a step is 1 µs', async t => {
  const histogram = histogramOf(Array.from({ length: 2000 }, (_, i) => i + 1))
  t.equal(histogram.percentile(50), 1)
  t.equal(histogram.percentile(99), 1.98)
  t.equal(histogram.percentile(100), 2)
})

t.test('counts what took less than 1 µs as 1 µs, and what took more than an hour as an hour', async t => {
  const histogram = new Histogram()
  histogram.record(0)
  histogram.record(0.0001)
  histogram.record(-1)
  t.match(histogram.summary(), { min: 0.001, max: 0.001, p99: 0.001, totalCount: 3 })
  histogram.record(1e9)
  t.match(histogram.summary(), { min: 0.001, max: HOUR_US / 1000, totalCount: 4 })
  t.equal(histogram.percentile(99), HOUR_US / 1000)
})

t.test('is all zeros when empty', async t => {
  const histogram = new Histogram()
  const other = new Histogram()
  histogram.add(other)
  const summary = histogram.summary()
  t.ok(Object.values(summary).every(value => Object.is(value, 0)), 'not −0')
  t.ok(Object.values({ ...histogram.encode(), buckets: 0 }).every(value => Object.is(value, 0)))
  t.strictSame(Object.keys(summary), ['average', 'mean', 'stddev', 'min', 'max', 'totalCount', ...PERCENTILES.map(percentileKey)])
})

t.test('starts anew after reset', async t => {
  const histogram = histogramOf([5, 1_000_000])
  histogram.reset()
  t.ok(Object.values(histogram.summary()).every(value => Object.is(value, 0)))
  histogram.record(3)
  t.match(histogram.summary(), { min: 3, max: 3, mean: 3, stddev: 0, p50: 3, p99_999: 3, totalCount: 1 })
  histogram.reset()
  histogram.reset()
  t.equal(histogram.count, 0)
})

t.test('has the documented percentiles and p95', async t => {
  t.strictSame(PERCENTILES.map(percentileKey), [
    'p0_001', 'p0_01', 'p0_1', 'p1', 'p2_5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95', 'p97_5', 'p99', 'p99_9', 'p99_99', 'p99_999'
  ])
})
