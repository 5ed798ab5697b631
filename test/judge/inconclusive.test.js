'use strict'

// What becomes of judgements that could not be made.

const t = require('tap')
const { settle } = require('../../lib/judge/inconclusive')

const passed = { expression: 'rps -5%', passed: true, reason: 'within the limit' }
const failed = { expression: 'rps -5%', passed: false, reason: 'beyond the limit' }
const unsure = { expression: 'p99 +10%', passed: null, reason: 'between −75 % and +214 %' }
/** @type {{ passed: null, reason: string, indication: 'beyond' }} */
const beyond = { passed: null, reason: 'between +20 % and +30 %', indication: 'beyond' }
/** @type {{ passed: null, reason: string, indication: 'within' }} */
const within = { passed: null, reason: 'between −2 % and +3 %', indication: 'within' }
const all = [passed, failed, unsure, beyond, within]

t.test('without a choice all stays as it is', async t => {
  t.strictSame(settle(all, undefined), all)
})

t.test('fail makes a failure of what can\'t be told, and says so', async t => {
  t.strictSame(settle(all, 'fail').map(({ passed }) => passed), [true, false, false, false, false])
  t.equal(settle([unsure], 'fail')[0].reason, 'inconclusive, which --inconclusive fail counts as failed: between −75 % and +214 %')
  t.strictSame(settle([{ expression: 'p99 < 1ms', passed: null }], 'fail'),
    [{ expression: 'p99 < 1ms', passed: false, note: 'it was not judged, which --inconclusive fail counts as failed' }])
})

t.test('pass calls nothing passed or failed that was not shown: the indication of single runs is no verdict', async t => {
  t.strictSame(settle(all, 'pass').map(({ passed }) => passed), [true, false, null, null, null])
})
