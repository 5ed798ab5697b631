'use strict'

const t = require('tap')
const fc = require('fast-check')
const { Budget, shareOut } = require('../../lib/load/budget')

t.test('a budget grants what is left and nothing more', async t => {
  for (const [limit, takes, granted, left] of [
    [10, [3, 3, 3, 3, 3], [3, 3, 3, 1, 0], 0],
    [10, [10, 1], [10, 0], 0],
    [1, [100], [1], 0],
    [0, [1, 0], [0, 0], 0],
    [5, [0, 2], [0, 2], 3],
    [undefined, [1, 1e9, 5], [1, 1e9, 5], Infinity]
  ]) {
    const budget = new Budget(limit)
    t.strictSame(takes.map(n => budget.take(n)), granted, `${limit}: ${takes}`)
    t.equal(budget.left, left)
  }
})

t.test('a total is shared out evenly, the remainder over the first', async t => {
  for (const [total, parts, expected] of [
    [10, 1, [10]],
    [10, 2, [5, 5]],
    [10, 3, [4, 3, 3]],
    [11, 3, [4, 4, 3]],
    [2, 4, [1, 1, 0, 0]],
    [0, 2, [0, 0]],
    [1e12, 3, [333333333334, 333333333333, 333333333333]]
  ]) {
    t.strictSame(shareOut(total, parts), expected, `${total} over ${parts}`)
  }
  fc.assert(fc.property(fc.nat(1e6), fc.integer({ min: 1, max: 1000 }), (total, parts) => {
    const shares = shareOut(total, parts)
    return shares.length === parts && shares.reduce((a, b) => a + b) === total && shares[0] - shares[parts - 1] <= 1
  }), { seed: 9 })
})
