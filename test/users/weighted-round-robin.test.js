'use strict'

const t = require('tap')
const { momentOf, phaseOf } = require('../../lib/users/choice')
const { WeightedRoundRobin } = require('../../lib/users/weighted-round-robin')

const WEIGHTS = [[70, 30], [60, 30, 9, 1], [1, 1, 1], [25], [3, 1], [1, 1, 2, 3, 5, 8, 13, 21, 34, 12], [33, 33, 34], [9999, 1], [1_000_000, 999_999, 1]]

/** @param {number[]} weights */
const sumOf = weights => weights.reduce((sum, weight) => sum + weight, 0)

/** How often each was taken, of the next so many turns of each. */
function count (weights, users, iterations) {
  const counts = weights.map(() => 0)
  for (const turns of users) for (let i = 0; i < iterations; i++) counts[turns.next()]++
  return counts
}

t.test('any iterations in a row, as many as the weights sum up to, are at the weights exactly', async t => {
  for (const weights of WEIGHTS) {
    const sum = sumOf(weights)
    if (sum > 10_000) continue
    const turns = new WeightedRoundRobin(weights, 0.3)
    const taken = Array.from({ length: 4 * sum }, () => turns.next())
    const counts = weights.map(() => 0)
    for (const scenario of taken.slice(0, sum)) counts[scenario]++
    t.strictSame(counts, weights)
    let same = true
    for (let i = sum; i < taken.length; i++) {
      counts[taken[i - sum]]--
      counts[taken[i]]++
      same &&= counts.every((n, scenario) => n === weights[scenario])
    }
    t.ok(same, `${weights}, wherever they begin`)
  }
})

t.test('turns of one scenario are spread out', async t => {
  const turns = new WeightedRoundRobin([3, 1], 0)
  t.strictSame(Array.from({ length: 8 }, () => turns.next()), [0, 0, 1, 0, 0, 0, 1, 0])
  const equal = new WeightedRoundRobin([2, 2, 2], 0)
  t.strictSame(Array.from({ length: 6 }, () => equal.next()), [0, 1, 2, 0, 1, 2])
})

t.test('a user that begins in the middle goes on as one that began there long ago', async t => {
  for (const weights of WEIGHTS) {
    const sum = sumOf(weights)
    if (sum > 10_000) continue
    const first = new WeightedRoundRobin(weights, 0)
    const all = Array.from({ length: 3 * sum }, () => first.next())
    for (const phase of [0.1, 0.25, 0.5, 0.618, 0.9, 0.9999]) {
      const turns = new WeightedRoundRobin(weights, phase)
      const over = Math.floor(phase * sum)
      t.strictSame(Array.from({ length: 2 * sum }, () => turns.next()), all.slice(over, over + 2 * sum), `${weights} from ${phase}`)
    }
  }
})

t.test('all users together are at the weights in their first iterations, also where a cycle takes longer than any run', async t => {
  for (const weights of WEIGHTS) {
    for (const [users, iterations] of [[1, 3], [10, 1], [100, 1], [1000, 1], [1000, 2], [1000, 7]]) {
      const all = Array.from({ length: users }, (_, i) => new WeightedRoundRobin(weights, phaseOf(i)))
      const far = count(weights, all, iterations).map((n, i) => Math.abs(n - users * iterations * weights[i] / sumOf(weights)))
      t.ok(Math.max(...far) <= Math.max(5, users * iterations / 100), `${weights}: ${users} users, ${iterations} iterations: ${far}`)
    }
  }
})

t.test('when users begin says nothing of what they begin with', async t => {
  const users = Array.from({ length: 1000 }, (_, i) => ({ moment: momentOf(i), turns: new WeightedRoundRobin([70, 30], phaseOf(i)) }))
  for (let part = 0; part < 10; part++) {
    const some = users.filter(({ moment }) => Math.floor(moment * 10) === part)
    t.ok(Math.abs(some.length - 100) <= 3, 'they are spread evenly')
    const [browse] = count([70, 30], some.map(({ turns }) => turns), 1)
    t.ok(Math.abs(browse - 70) <= 6, `${browse} of ${some.length}`)
  }
})

t.test('a scenario that is stopped has no turn any more, of anybody who shares the weights; those of the others are at theirs', async t => {
  const weights = [6, 3, 1]
  const [one, other] = [new WeightedRoundRobin(weights, 0), new WeightedRoundRobin(weights, 0.6)]
  for (let i = 0; i < 7; i++) one.next()
  t.equal(one.stop(0), true)
  for (const turns of [one, other]) {
    count(weights, [turns], 10)
    const [stopped, ...rest] = count(weights, [turns], 100)
    t.strictSame([stopped, ...rest], [0, 75, 25])
  }
  t.equal(one.stop(2), true)
  t.strictSame(count(weights, [one, other], 5), [0, 10, 0])
  t.equal(other.stop(1), false, 'none is left')
})
