'use strict'

const t = require('tap')
const { Pace, paces } = require('../../lib/load/schedule')

t.test('a pace makes its n-th request due at phase + n · interval', async t => {
  const pace = new Pace(10, 3)
  for (const [at, due] of [[0, 0], [2.999, 0], [3, 1], [12.9, 1], [13, 2], [103, 11]]) t.equal(pace.due(at), due, `at ${at} ms`)
})

t.test('what has been taken is not due again', async t => {
  const pace = new Pace(10, 0)
  t.equal(pace.next(), 0)
  pace.taken += 3
  t.equal(pace.next(), 30)
  t.equal(pace.due(29), 0)
  t.equal(pace.due(30), 1)
  t.equal(pace.due(55), 3)
})

t.test('a rate is shared out evenly: all connections together are due at equal distances', async t => {
  for (const [rate, connections] of [[1000, 10], [17, 10], [0.5, 3], [200_000, 7]]) {
    const times = paces(rate, connections).flatMap(pace => Array.from({ length: 20 }, (_, n) => pace.phase + n * pace.interval)).sort((a, b) => a - b)
    times.forEach((time, n) => { if (Math.abs(time - n * 1000 / rate) > 1e-6 * time) t.fail(`request ${n} of ${rate}/s is due at ${time}`) })
    t.equal(times.length, 20 * connections)
  }
})

t.test('rounding never drops a request: as many are due as the rate says, at every whole interval', async t => {
  for (const rate of [3, 7, 30, 333, 1000 / 7, 9999]) {
    const [pace] = paces(rate, 1)
    for (let n = 0; n < 10_000; n++) {
      if (pace.due(n * pace.interval) !== n + 1) return t.fail(`rate ${rate}: ${pace.due(n * pace.interval)} instead of ${n + 1}`)
    }
  }
})
