'use strict'

const t = require('tap')
const { Amount, amountText, isOfIterations, readAmount } = require('../../lib/core/amount')

t.test('an amount is of requests, or of iterations', async t => {
  for (const [given, number, unit] of /** @type {Array<[unknown, number, string]>} */ ([
    [5, 5, 'requests'], ['5', 5, 'requests'], ['5 requests', 5, 'requests'], ['1000 iterations', 1000, 'iterations'], ['1 iteration', 1, 'iterations'], [' 1e3  Rounds ', 1000, 'iterations'], ['7round', 7, 'iterations'], [new Amount(3), 3, 'iterations'], [Infinity, Infinity, 'requests']
  ])) t.strictSame(readAmount(given), { number, unit }, String(given))
  for (const given of ['iterations', '10 users', '', null, undefined, '5 iterations/s', {}]) t.ok(Number.isNaN(readAmount(given).number), String(given))
})

t.test('it is told and written as a user gives it', async t => {
  t.equal(JSON.stringify({ amount: new Amount(1000) }), '{"amount":"1000 iterations"}')
  t.equal(String(new Amount(1)), '1 iteration')
  t.strictSame([1000, 1, '1000 iterations', new Amount(1)].map(amount => amountText(amount)), ['1,000 requests', '1 request', '1,000 iterations', '1 iteration'])
  t.strictSame([5, '5 rounds', new Amount(5), undefined].map(isOfIterations), [false, true, true, false])
  t.equal(Math.min(10, /** @type {any} */ (new Amount(5))), 5)
})
