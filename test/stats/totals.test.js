'use strict'

const t = require('tap')
const { Totals } = require('../../lib/stats/totals')

t.test('what a generator that died had in flight is abandoned', async t => {
  const totals = new Totals()
  Object.assign(totals, { sent: 100, completed: 80, timedOut: 4, failed: 5, abandoned: 3 })
  totals.abandonRest()
  t.equal(totals.abandoned, 11)
  totals.abandonRest()
  t.equal(totals.abandoned, 11, 'once')
})
