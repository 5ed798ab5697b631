'use strict'

const t = require('tap')
const { studentQuantile } = require('../../lib/judge/student')

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
