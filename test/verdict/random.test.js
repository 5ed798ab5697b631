'use strict'

const t = require('tap')
const { randomFrom, studentQuantile } = require('../../lib/verdict/random')

t.test('the quantiles of Student\'s distribution are those of the tables', async t => {
  for (const [probability, degrees, quantile] of [
    [0.975, 1, 12.7062], [0.975, 2, 4.3027], [0.95, 3, 2.3534], [0.975, 4, 2.7764], [0.995, 8, 3.3554], [0.99, 12, 2.681],
    [0.975, 30, 2.0423], [0.9995, 60, 3.4602], [0.975, Infinity, 1.96], [0.995, Infinity, 2.5758], [0.5, 5, 0]
  ]) {
    const found = studentQuantile(probability, degrees)
    t.ok(Math.abs(found - quantile) < (degrees === Infinity ? 5e-3 : 1e-3), `${probability} with ${degrees}: ${found}, expected ${quantile}`)
  }
  t.ok(studentQuantile(0.975, 2.5) < studentQuantile(0.975, 2) && studentQuantile(0.975, 2.5) > studentQuantile(0.975, 3), 'degrees may be a fraction')
})

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
