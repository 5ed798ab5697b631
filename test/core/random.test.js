'use strict'

const t = require('tap')
const { randomFrom } = require('../../lib/core/random')

t.test('a seed gives the same numbers again, evenly from 0 to 1', async t => {
  const take = seed => Array.from({ length: 10_000 }, randomFrom(seed))
  const numbers = take(7)
  // As text: tap takes 40 s to compare lists as long as these.
  const text = JSON.stringify(numbers)
  t.ok(text === JSON.stringify(take(7)))
  t.notOk(text === JSON.stringify(take(8)))
  t.ok(numbers.every(number => number >= 0 && number < 1))
  const tenths = Array(10).fill(0)
  for (const number of numbers) tenths[Math.floor(number * 10)]++
  t.ok(tenths.every(count => count > 850 && count < 1150), `${tenths}`)
})
