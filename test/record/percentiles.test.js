'use strict'

const t = require('tap')
const { Histogram } = require('../../lib/record/histogram')
const { PERCENTILES, percentileKey, percentileIn, valuesFor, isMaximum } = require('../../lib/record/percentiles')
const { maximumNote } = require('../../lib/words/percentiles')

t.test('a percentile takes as many values as make it another one than their maximum', async t => {
  for (const [percentile, expected] of [[50, 2], [75, 4], [90, 10], [95, 20], [97.5, 40], [99, 100], [99.9, 1000], [99.99, 10_000], [99.999, 100_000], [100, 1]]) {
    t.equal(valuesFor(percentile), expected, `p${percentile}`)
  }
  const histogram = new Histogram()
  for (let count = 1; count <= 2500; count++) {
    histogram.record(count / 1000)
    for (const percentile of [...PERCENTILES, 33.3, 66.6]) {
      // Up to 2 ms each value has a bucket of its own, and above it the highest one is the maximum all the same.
      if (isMaximum(percentile, count) && histogram.percentile(percentile) !== count / 1000) t.fail(`p${percentile} of ${count}`)
      if (count < 2000 && !isMaximum(percentile, count) && histogram.percentile(percentile) === count / 1000) t.fail(`p${percentile} of ${count}`)
    }
  }
  t.notOk(isMaximum(99, 0), 'of no values there is none')
  t.notOk(isMaximum(99, undefined), 'nor of a number that is not known')
})

t.test('a note says what it is, and what it takes', async t => {
  t.equal(maximumNote([99.9], [100]), 'p99.9 of 100 values is the maximum: it needs 1,000 values')
  t.equal(maximumNote([97.5, 99], [30]), 'p97.5 and p99 of 30 values are the maximum: they need 40 and 100 values')
  t.equal(maximumNote([90, 97.5, 99], [1]), 'p90, p97.5 and p99 of 1 value are that value: p99 needs 100 values')
  t.equal(maximumNote([99], [30, 40]), 'p99 of so few values is the maximum: it needs 100 values')
})

t.test('keys are read', async t => {
  for (const percentile of PERCENTILES) t.equal(percentileIn(percentileKey(percentile)), percentile)
  for (const key of ['average', 'p', 'px', 'max', 'p5_', 'pp5']) t.equal(percentileIn(key), null, key)
})
