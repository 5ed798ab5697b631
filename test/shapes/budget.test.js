'use strict'

const t = require('tap')
const fc = require('fast-check')
const { Allowance, Budget, Pots, shareOut } = require('../../lib/shapes/budget')

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

t.test('an allowance', async t => {
  const NONE = { amount: null, maxConnectionRequests: null, maxOverallRequests: null }
  const holders = (...lefts) => lefts.map(left => {
    const budget = new Budget(left)
    return { budget, allow: limit => { budget.left = limit } }
  })
  const lefts = list => list.map(({ budget }) => budget.left)

  t.test('is shared by those that begin together', async t => {
    for (const [limits, connections, shares] of [
      [{}, 2, [Infinity, Infinity]],
      [{ amount: 5 }, 3, [2, 2, 1]],
      [{ amount: 2, maxConnectionRequests: 9 }, 3, [1, 1]],
      [{ maxConnectionRequests: 9, maxOverallRequests: 4 }, 2, [9, 9]],
      [{ maxOverallRequests: 4 }, 3, [2, 1, 1]]
    ]) t.strictSame(new Allowance({ ...NONE, ...limits }).share(connections), shares, JSON.stringify(limits))
  })

  t.test('has as much for who joins as for the others, of what is left', async t => {
    for (const [left, share, others] of [[[10, 2, 0], 3, [3, 3, 3]], [[3, 0, 0], 0, [3, 0, 0]], [[4, 0, 0], 1, [1, 1, 1]], [[], 0, []]]) {
      const list = holders(...left)
      t.equal(new Allowance({ ...NONE, amount: 100 }).join(() => list), share)
      t.strictSame(lefts(list), others)
    }
  })

  t.test('loses nothing when a connection leaves: others have it, or one that joins later', async t => {
    const allowance = new Allowance({ ...NONE, maxOverallRequests: 100 })
    const list = holders(5, 0, 1)
    allowance.leave(5, false, () => list)
    t.strictSame([lefts(list), allowance.spare], [[7, 2, 2], 0])
    allowance.leave(11, true, () => [])
    t.equal(allowance.spare, 11)
    t.equal(allowance.join(() => []), 11)
    t.equal(allowance.spare, 0)
  })

  t.test('of each its own is his alone', async t => {
    const allowance = new Allowance({ ...NONE, maxConnectionRequests: 7 })
    const list = holders(3)
    allowance.leave(5, false, () => list)
    t.strictSame([lefts(list), allowance.join(() => list), allowance.spare], [[3], 7, Infinity])
  })
})

t.test('connections that take from a pot are told once when it is empty, and who leaves takes nothing with him', async t => {
  const emptied = []
  const pots = new Pots([3, 0], i => i % 2, pot => emptied.push(pots.pots.indexOf(pot)))
  const [one, other, third] = [0, 1, 2].map(i => pots.budget(pots.share(3)[i], i))
  t.equal(one, third)
  t.strictSame([one.take(2), other.take(1), third.take(5), one.take(1)], [2, 0, 1, 0])
  t.strictSame(emptied, [0])
  const kept = new Pots([4], () => 0, () => {})
  kept.leave(4, false)
  t.equal(kept.spare, 0)
  kept.leave(4, true)
  t.strictSame([kept.spare, kept.join(), kept.spare], [4, 4, 0])
})
