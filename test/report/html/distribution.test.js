'use strict'

const t = require('tap')
const fc = require('fast-check')
const { Histogram } = require('../../../lib/record/histogram')
const { valuesOf, edgesOf, binsOf, percentilesFor, curveOf } = require('../../../lib/report/html/distribution')

/** @param {number[]} latencies ms */
function distribution (latencies) {
  const histogram = new Histogram()
  for (const ms of latencies) histogram.record(ms)
  return { ...histogram.summary(), histogram: histogram.toBase64() }
}

t.test('bins hold every value once, between their edges', async t => {
  const one = fc.integer({ min: 1, max: 5_000_000 }).map(us => us / 1000)
  fc.assert(fc.property(fc.array(one, { minLength: 1, maxLength: 300 }), fc.array(one, { maxLength: 50 }), (some, others) => {
    const [a, b] = [valuesOf(distribution(some)), valuesOf(distribution(others))]
    const edges = edgesOf([a, b])
    const bins = binsOf(a, edges)
    if (edges.some((edge, i) => i > 0 && edge <= edges[i - 1])) throw new Error('edges have to rise')
    if (bins.reduce((sum, count) => sum + count, 0) !== some.length) throw new Error('values were lost')
    if (binsOf(b, edges).reduce((sum, count) => sum + count, 0) !== others.length) throw new Error('values of the other were lost')
    // Three significant digits: a value may be read 0.1 % higher.
    return bins.every((count, i) => some.filter(ms => ms * 1000 >= edges[i] / 1.001 && ms * 1000 < edges[i + 1] * 1.001).length >= count)
  }), { seed: 3, numRuns: 60 })
})

t.test('the curve has the value below which that share of the values is', async t => {
  fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1, maxLength: 500 }), us => {
    const sorted = [...us].sort((a, b) => a - b)
    const percentiles = percentilesFor(us.length)
    return curveOf(valuesOf(distribution(us.map(one => one / 1000))), percentiles).every((ms, i) =>
      ms === sorted[Math.max(0, Math.ceil(us.length * percentiles[i] / 100 - 1e-6) - 1)] / 1000)
  }), { seed: 4, numRuns: 100 })
})

t.test('percentiles go as far as so many values can tell', async t => {
  t.strictSame(percentilesFor(1), [0])
  t.strictSame(percentilesFor(20), [0, 20, 40, 50, 60, 70, 75, 80, 85, 90, 92, 94, 95])
  t.equal(percentilesFor(1e6).at(-1), 99.9999)
  t.strictSame(curveOf(valuesOf(distribution([1, 2])), [0, 50, 90]), [1, 1, null])
})

t.test('a run without an answer has no values', async t => {
  t.equal(valuesOf(distribution([])).total, 0)
  t.equal(valuesOf({ totalCount: 5 }).total, 0, 'a result without a histogram')
})
