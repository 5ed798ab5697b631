'use strict'

const t = require('tap')
const { randomFrom } = require('../../lib/core/random')
const { lengthOf, lengthOfAll } = require('../../lib/users/pause')

const never = () => { throw new Error('nothing is random here') }

t.test('a pause is as long as it says', async t => {
  t.equal(lengthOf({ from: 250, to: 250 }, never, {}), 250)
  t.equal(lengthOf({ from: 100, to: 300 }, () => 0.25, {}), 150)
  t.equal(lengthOf({ mean: 100 }, () => 0, {}), 0)
  t.equal(lengthOfAll([{ from: 1, to: 1 }, { from: 20, to: 20 }], never, {}), 21, 'those that follow each other add up')
})

t.test('any time between two is as likely, and the mean of exponential ones is as asked for', async t => {
  const random = randomFrom(7)
  const uniform = Array.from({ length: 20_000 }, () => lengthOf({ from: 500, to: 2000 }, random, {}))
  t.ok(Math.min(...uniform) >= 500 && Math.max(...uniform) < 2000)
  for (let i = 0; i < 10; i++) {
    const n = uniform.filter(ms => Math.floor((ms - 500) / 150) === i).length
    t.ok(Math.abs(n - 2000) < 5 * Math.sqrt(1800), `${n} in part ${i}`)
  }
  const exponential = Array.from({ length: 20_000 }, () => lengthOf({ mean: 1000 }, random, {}))
  const mean = exponential.reduce((sum, ms) => sum + ms) / exponential.length
  t.ok(Math.abs(mean - 1000) < 5 * 1000 / Math.sqrt(exponential.length), `mean ${mean}`)
  const longer = exponential.filter(ms => ms > 2000).length / exponential.length
  t.ok(Math.abs(longer - Math.exp(-2)) < 0.012, `P(more than twice the mean) ${longer}`)
})

t.test('a function is given the context of the iteration, and returns seconds or a time', async t => {
  const pause = hook => lengthOf({ hook, place: 'requests[2].pause' }, never, { reads: 3 })
  t.equal(pause(({ reads }) => reads / 2), 1500)
  t.equal(pause(() => '1m30s'), 90_000)
  t.equal(pause(() => '250ms'), 250)
  t.equal(pause(() => 0), 0)
  for (const wrong of [-1, NaN, Infinity, 'soon', null, undefined, {}, [1], true, 2_000_001, '100 years']) {
    t.throws(() => pause(() => wrong), { name: 'HookError', code: 'AC_HOOK', message: /^requests\[2\]\.pause has to return seconds or a time such as '1s', from 0 to 2,000,000 s, got / }, String(wrong))
  }
  t.throws(() => pause(async () => 1), { code: 'AC_HOOK', message: /^requests\[2\]\.pause returned a promise/ })
  t.throws(() => pause(() => { throw new Error('no clock') }), { code: 'AC_HOOK', message: /^requests\[2\]\.pause .*no clock/ })
  t.throws(() => pause(() => ({ [Symbol.toPrimitive] () { throw new Error('strange') } })), { code: 'AC_HOOK' })
})
