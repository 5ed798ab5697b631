'use strict'

const t = require('tap')
const { Totals } = require('../../lib/record/totals')

t.test('what a generator that died had in flight is abandoned', async t => {
  const totals = new Totals()
  Object.assign(totals, { sent: 100, completed: 80, timedOut: 4, failed: 5, abandoned: 3 })
  totals.abandonRest()
  t.equal(totals.abandoned, 11)
  totals.abandonRest()
  t.equal(totals.abandoned, 11, 'once')
})

t.test('the pace of several generators is batched when that of one was, with its reason', async t => {
  const { Recorder } = require('../../lib/record/recorder')
  /** @type {any} */
  const usage = {}
  /** @param {Array<any>} paces */
  const sumOf = paces => {
    const totals = new Totals()
    for (const keptPace of paces) totals.add({ ...new Recorder().take(0, 1, 0, usage), keptPace })
    return totals.keptPace
  }
  const even = { pace: 'even', reason: null }
  const batched = { pace: 'batched', reason: 'why' }
  t.strictSame(sumOf([even, even]), even)
  for (const order of [[even, batched, even], [batched, even], [even, batched, { pace: 'batched', reason: 'another' }]]) t.strictSame(sumOf(order), batched)
  t.equal(sumOf([null, null]), null, 'a closed loop')
  t.strictSame(sumOf([undefined, even]), even, 'raw results of older versions do not say')
})
