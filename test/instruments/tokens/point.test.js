'use strict'

// The tokens in points of the series.

const t = require('tap')
const { Course, together } = require('../../../lib/instruments/tokens/point')
const { Tokens } = require('../../../lib/instruments/tokens/record')

/** @param {number} deltas @param {number} usageDeltas @param {number} usageTokens */
function reportOf (deltas, usageDeltas = 0, usageTokens = 0) {
  const tokens = Object.assign(new Tokens(), { deltas, usageDeltas, usageTokens })
  return { tokens: tokens.take() }
}

t.test('deltas count as the tokens that they had in the completions until then', async t => {
  const course = new Course()
  course.add(0, reportOf(10))
  course.add(0, reportOf(20))
  t.strictSame(course.next(null, null, 0), { tokens: 30 }, 'as tokens, while no completion has ended')
  course.add(1, reportOf(10, 20, 50))
  t.strictSame(course.next(null, null, 1), { tokens: 25 })
  t.strictSame(course.next(null, null, 2), { tokens: 0 })
  t.strictSame(new Course().next(null, null, 0), {}, 'nothing of a run that does not measure them')
})

t.test('several points have the tokens of all', async t => {
  t.strictSame(together([{ point: { tokens: 10 }, part: 1 }, { point: { tokens: 10 }, part: 0.5 }, { point: {}, part: 1 }]), { tokens: 15 })
  t.strictSame(together([{ point: {}, part: 1 }]), {})
})
