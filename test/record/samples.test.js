'use strict'

const t = require('tap')
const fc = require('fast-check')
const { Samples, seriesSummary } = require('../../lib/record/samples')
const { PERCENTILES, percentileKey } = require('../../lib/record/percentiles')

/**
 * @param {number} sample
 * @param {number} from
 * @param {number} to
 * @param {number} completed
 * @param {number} [bytes]
 */
const snapshot = (sample, from, to, completed, bytes = completed * 100) => ({ sample, from, to, completed, bytes })

/** @param {Array<[number, ReturnType<typeof snapshot>]>} arrivals generator and snapshot */
function samplesOf (generators, arrivals) {
  const samples = new Samples(1000, generators)
  for (const [generator, one] of arrivals) samples.add(generator, one)
  return samples
}

const requests = samples => samples.map(({ requests }) => requests)

t.test('samples', async t => {
  for (const [name, generators, arrivals, expected] of [
    ['hold what one generator counted, and how long they really were', 1,
      [[0, snapshot(0, 0, 1002, 10)], [0, snapshot(1, 1002, 2000, 20)]],
      [[10, 1000, 1002], [20, 2000, 998]]],
    ['that were ended together share what was counted', 1,
      [[0, snapshot(0, 0, 1000, 10)], [0, snapshot(3, 1000, 4300, 10)]],
      [[10, 1000, 1000], [3, 333, 1100], [3, 333, 1100], [4, 334, 1100]]],
    ['that were ended together at the start share, too', 1,
      [[0, snapshot(1, 0, 2500, 7)]],
      [[3, 350, 1250], [4, 350, 1250]]],
    ['add up what several generators counted, and are as long as the longest', 2,
      [[0, snapshot(0, 0, 1000, 10)], [1, snapshot(0, 0, 1010, 5)], [0, snapshot(1, 1000, 2000, 1)], [1, snapshot(1, 1010, 2001, 2)]],
      [[15, 1500, 1010], [3, 300, 1000]]],
    ['are matched by index when one generator is ahead', 2,
      [[0, snapshot(0, 0, 1000, 1)], [0, snapshot(1, 1000, 2000, 2)], [0, snapshot(2, 2000, 3000, 4)], [1, snapshot(0, 0, 1000, 8)], [1, snapshot(2, 1000, 3000, 32)]],
      [[9, 900, 1000], [18, 1800, 1000], [20, 2000, 1000]]],
    ['may be empty', 1,
      [[0, snapshot(0, 0, 1000, 0)], [0, snapshot(1, 1000, 2000, 3)]],
      [[0, 0, 1000], [3, 300, 1000]]]
  ]) {
    t.test(name, async t => {
      const { list } = samplesOf(generators, arrivals)
      t.strictSame(list.map(({ requests, bytes, length }) => [requests, bytes, length]), expected)
    })
  }
})

t.test('neither the order of arrival nor the sharing changes a sum', async t => {
  const one = fc.record({ skip: fc.integer({ min: 0, max: 3 }), completed: fc.nat(1000), length: fc.integer({ min: 1, max: 2000 }) })
  const generators = fc.array(fc.array(one, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 })
  fc.assert(fc.property(generators, fc.infiniteStream(fc.nat()), (all, choices) => {
    const queues = all.map((counts, generator) => {
      let sample = -1
      let to = 0
      return counts.map(({ skip, completed, length }) => {
        const from = to
        sample += 1 + skip
        to += length
        return [generator, snapshot(sample, from, to, completed)]
      })
    })
    const inTurn = queues.flat()
    const shuffled = []
    const left = queues.map(queue => [...queue])
    while (left.some(queue => queue.length > 0)) {
      const live = left.filter(queue => queue.length > 0)
      shuffled.push(live[choices.next().value % live.length].shift())
    }
    const [a, b] = [samplesOf(all.length, inTurn), samplesOf(all.length, shuffled)]
    t.strictSame(a.list, b.list)
    const sum = (/** @type {number[]} */ numbers) => numbers.reduce((x, y) => x + y, 0)
    if (sum(requests(a.list)) !== sum(inTurn.map(([, { completed }]) => completed))) throw new Error('requests were lost')
    if (sum(a.list.map(({ bytes }) => bytes)) !== sum(inTurn.map(([, { bytes }]) => bytes))) throw new Error('bytes were lost')
  }), { seed: 7, numRuns: 100 })
})

t.test('comparable samples', async t => {
  for (const [name, arrivals, expected] of [
    ['have a last one that is too short to be compared in the one before', [snapshot(0, 0, 1000, 10), snapshot(1, 1000, 1499, 5)], [15]],
    ['keep a last one of half an interval', [snapshot(0, 0, 1000, 10), snapshot(1, 1000, 1500, 5)], [10, 5]],
    ['keep a short one when it is all there is', [snapshot(0, 0, 3, 10)], [10]],
    ['keep short ones that are not the last', [snapshot(0, 0, 10, 1), snapshot(1, 10, 20, 2), snapshot(2, 20, 1020, 3)], [1, 2, 3]],
    ['are none when nothing came', [], []]
  ]) {
    t.test(name, async t => {
      t.strictSame(requests(samplesOf(1, arrivals.map(one => [0, one])).comparable()), expected)
    })
  }
})

t.test('a sample is final', async t => {
  t.test('once every generator has passed it, and is handed out once', async t => {
    const samples = new Samples(1000, 2)
    t.strictSame(samples.takeFinal(), [])
    samples.add(0, snapshot(0, 0, 1000, 1))
    samples.add(0, snapshot(1, 1000, 2000, 2))
    t.strictSame(samples.takeFinal(), [], 'the other may still add to it')
    samples.add(1, snapshot(0, 0, 1000, 10))
    t.strictSame(requests(samples.takeFinal()), [11])
    t.strictSame(samples.takeFinal(), [])
    samples.add(1, snapshot(2, 1000, 3000, 20))
    t.strictSame(requests(samples.takeFinal()), [12])
    samples.add(0, snapshot(2, 2000, 3000, 4))
    t.strictSame(requests(samples.takeFinal()), [14])
  })

  t.test('when those that have not passed it have ended', async t => {
    const samples = new Samples(1000, 2)
    samples.add(0, snapshot(0, 0, 400, 1))
    samples.end(0)
    t.strictSame(samples.takeFinal(), [], 'a live generator is not held up, but waited for')
    samples.add(1, snapshot(0, 0, 1000, 10))
    samples.add(1, snapshot(1, 1000, 2000, 20))
    t.strictSame(requests(samples.takeFinal()), [11, 20])
    samples.add(1, snapshot(2, 2000, 2100, 3))
    samples.end(1)
    t.strictSame(requests(samples.takeFinal()), [3])
    t.strictSame(samples.takeFinal(), [])
  })
})

t.test('a series is summed up exactly, with nearest ranks for percentiles', async t => {
  t.match(seriesSummary([300, 100, 200, 400], 250), {
    average: 250, mean: 250, stddev: Math.sqrt(12500), min: 100, max: 400, p1: 100, p25: 100, p50: 200, p75: 300, p97_5: 400, p99: 400
  })
  t.match(seriesSummary([7], 7), { average: 7, stddev: 0, min: 7, max: 7, p0_001: 7, p50: 7, p99_999: 7 })
  t.strictSame(new Set(Object.values(seriesSummary([], 0))), new Set([0]))
  t.equal(seriesSummary([100, 200], 180).average, 180, 'the average is of the whole run, short samples included')
  fc.assert(fc.property(fc.array(fc.nat(), { minLength: 1 }), values => {
    const before = [...values]
    const summary = seriesSummary(values, 0)
    const sorted = [...values].sort((a, b) => a - b)
    return values.every((value, i) => value === before[i]) && PERCENTILES.every(percentile =>
      summary[percentileKey(percentile)] === sorted[Math.max(0, Math.ceil(percentile / 100 * sorted.length) - 1)])
  }), { seed: 8 })
})
