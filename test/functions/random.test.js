'use strict'

const t = require('tap')
const { randomFrom } = require('../../lib/core/random')
const { randomWith } = require('../../lib/functions/random')

const seeded = seed => randomWith(randomFrom(seed))
const list = n => Array.from({ length: n }, (_, i) => i)

/** Draws each of n values as often: what is uniform has exact counts then. */
function inTurn (n) {
  let i = 0
  return randomWith(() => (i++ % n) / n)
}

t.test('the same seed draws the same, another one does not', async t => {
  const drawn = seed => {
    const random = seeded(seed)
    return [random(), random.int(1, 1000), random.pick(list(1000)), random.sample(list(1000), 5), random.shuffle(list(50))]
  }
  t.strictSame(drawn(1), drawn(1))
  t.notSame(drawn(1), drawn(2))
})

t.test('int has both bounds, and each number as often', async t => {
  const random = inTurn(12)
  const drawn = {}
  for (let i = 0; i < 12; i++) {
    const n = random.int(-1, 2)
    drawn[n] = (drawn[n] ?? 0) + 1
  }
  t.strictSame(drawn, { '-1': 3, 0: 3, 1: 3, 2: 3 })
  t.equal(random.int(7, 7), 7)
  const last = randomWith(() => 1 - 2 ** -32)
  t.equal(last.int(0, 9), 9)
  t.equal(last.int(0, 2 ** 31), 2 ** 31)
  for (const [from, to] of [[1, 0], [0.5, 2], [0, NaN], ['1', 2], [0, Infinity], [0, 2 ** 53], [undefined, undefined], [null, 1]]) t.throws(() => random.int(from, to), { name: 'TypeError', message: /^random\.int: expected two whole numbers, the lower one first/ })
})

t.test('pick draws each as often, of anything with a length, and copies nothing', async t => {
  const random = inTurn(9)
  const drawn = { a: 0, b: 0, c: 0 }
  for (let i = 0; i < 9; i++) drawn[random.pick(['a', 'b', 'c'])]++
  t.strictSame(drawn, { a: 3, b: 3, c: 3 })
  t.equal(random.pick(new Uint8Array([5])), 5)
  let read = 0
  const long = new Proxy(list(100_000), {
    get (target, key) {
      read++
      return target[key]
    }
  })
  random.pick(long)
  t.ok(read < 10, `${read} reads`)
  t.throws(() => random.pick([]), { name: 'TypeError', message: 'random.pick: the list is empty' })
  for (const given of [undefined, null, 5, 'text', {}, new Set([1])]) t.throws(() => random.pick(given), { name: 'TypeError', message: /^random\.pick: expected a list, got/ })
})

t.test('sample has no element twice, leaves the list as it is, and has no more than there are', async t => {
  const random = seeded(1)
  const given = Object.freeze(list(20))
  for (let n = 0; n <= 25; n++) {
    const drawn = random.sample(given, n)
    t.equal(drawn.length, Math.min(n, 20))
    t.equal(new Set(drawn).size, drawn.length)
    t.ok(drawn.every(one => given.includes(one)))
  }
  for (const n of [-1, 1.5, NaN, '2', undefined]) t.throws(() => random.sample(given, n), { name: 'TypeError', message: /^random\.sample: expected how many/ })
})

t.test('each sample and each order comes as often', async t => {
  // All pairs of draws, each once: 3 × 2 of them for the first two places.
  const orders = {}
  for (const a of list(6)) {
    for (const b of list(6)) {
      const draws = [a / 6, b / 6, 0]
      const key = randomWith(() => draws.shift()).shuffle(['x', 'y', 'z']).join('')
      orders[key] = (orders[key] ?? 0) + 1
    }
  }
  t.strictSame(orders, { xyz: 6, xzy: 6, yxz: 6, yzx: 6, zxy: 6, zyx: 6 })
})

t.test('it is a function itself: 0 to 1, without 1', async t => {
  const random = seeded(3)
  const drawn = list(1000).map(() => random())
  t.ok(drawn.every(n => n >= 0 && n < 1))
})
