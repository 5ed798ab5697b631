'use strict'

// The tokens in points of the series.

const t = require('tap')
const { Course, together } = require('../../../lib/instruments/tokens/point')
const { Tokens } = require('../../../lib/instruments/tokens/record')

/**
 * @param {number} deltas
 * @param {object} [of]
 * @param {number} [of.usageDeltas]
 * @param {number} [of.usageTokens]
 * @param {number[]} [of.first] ms
 * @param {number[]} [of.between] ms
 */
function reportOf (deltas, { usageDeltas = 0, usageTokens = 0, first = [], between = [] } = {}) {
  const tokens = Object.assign(new Tokens(), { deltas, usageDeltas, usageTokens })
  for (const ms of first) tokens.first(ms)
  for (const ms of between) tokens.interToken.record(ms)
  return { tokens: tokens.take() }
}

t.test('deltas count as the tokens that they had in the completions until then', async t => {
  const course = new Course()
  course.add(0, reportOf(10))
  course.add(0, reportOf(20))
  t.match(course.next(0), { tokens: 30 }, 'as tokens, while no completion has ended')
  course.add(1, reportOf(10, { usageDeltas: 20, usageTokens: 50 }))
  t.match(course.next(1), { tokens: 25 })
  t.strictSame(course.next(2), { tokens: 0, firstToken: null, interToken: null })
  t.strictSame(new Course().next(0), {}, 'nothing of a run that does not measure them')
})

t.test('a point has the times of the tokens that arrived in it, of all generators', async t => {
  const course = new Course()
  course.add(0, reportOf(2, { first: [100], between: [10, 20] }))
  course.add(0, reportOf(1, { first: [300], between: [40] }))
  course.add(1, reportOf(1, { between: [80] }))
  t.match(course.next(0), {
    firstToken: { max: 300, buckets: [[100, 1], [300, 1]] }, interToken: { max: 40, buckets: [[10, 1], [20, 1], [30, 1]] }
  })
  t.match(course.next(1), { firstToken: null, interToken: { p50: 80, max: 80, buckets: [[70, 1]] } })
})

t.test('several points have the tokens of all, and their times by the number of values', async t => {
  const quantiles = (/** @type {number} */ ms, /** @type {number} */ n) => ({ p50: ms, p95: ms, p99: ms, max: ms, buckets: [[ms, n]] })
  const point = (/** @type {number} */ tokens, /** @type {any} */ interToken) => ({ tokens, firstToken: null, interToken })
  t.strictSame(
    together([{ streams: point(10, quantiles(10, 9)), part: 1 }, { streams: point(2, quantiles(20, 2)), part: 0.5 }, { streams: {}, part: 1 }]),
    { tokens: 11, firstToken: null, interToken: { p50: 11, p95: 11, p99: 11, max: 20, buckets: [[10, 9], [20, 1]] } }
  )
  t.strictSame(together([{ streams: {}, part: 1 }]), {})
})
