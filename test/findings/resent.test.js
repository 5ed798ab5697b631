'use strict'

// Which share of requests that were sent again makes the verdict a warning, and the sentence about them.

const t = require('tap')
const { isResentOften, resent } = require('../../lib/findings/responses')
const { noteOf } = require('../../lib/words/findings')
const { headlineOf } = require('../../lib/report/headline')
const { exampleResult } = require('../helpers/results/example-result')

/** @returns {string | null} */
const sentenceOf = result => resent(result).map(finding => noteOf(finding).lead)[0] ?? null
const of = (resent, sent) => ({ resent, requests: { sent } })
const WHY = 'because the server closed connections that were in use'

t.test('above 0.1 % of the requests it is often, at 0.1 % it is not', async t => {
  t.strictSame([[0, 0], [0, 1000], [1, 1000], [2, 1999], [2, 2001], [5, 1000], [225, 30]].map(([resent, sent]) => isResentOften(of(resent, sent))), [false, false, false, true, false, true, true])
  t.notOk(isResentOften({ requests: { sent: 10 } }), 'a result of autocannon 9 does not count them')
})

t.test('the sentence has the share, where it is often', async t => {
  const rows = [
    [0, 1000, null],
    [1, 1000, `1 request was sent again, ${WHY}`],
    [12, 100_000, `12 requests were sent again, ${WHY}`],
    [4000, 1_000_000, `0.4 % of the requests were sent again (4,000 of 1,000,000), ${WHY}`],
    [225, 30, `225 requests were sent again, ${WHY}`]
  ]
  for (const [resent, sent, sentence] of rows) t.equal(sentenceOf(of(resent, sent)), sentence)
  t.equal(sentenceOf({ requests: { sent: 10 } }), null)
})

t.test('the headline', async t => {
  const example = { ...exampleResult({ seconds: 1 }), errors: 0, failures: 0, unexpected: 0, timeouts: 0, non2xx: 0, errorCodes: {}, statusCodeStats: { 200: { count: 410 } }, mismatches: 0 }
  const result = { ...example, requests: { ...example.requests, total: 1000, sent: 1000 } }
  const note = `1 request was sent again, ${WHY}.`
  const often = `2 % of the requests were sent again (20 of 1,000), ${WHY}`
  const passed = (/** @type {string} */ metric) => ({ thresholds: [{ expression: `${metric} < 10%`, metric, actual: 0, passed: true, unit: 'share' }] })

  t.match(headlineOf({ ...result, resent: 1 }), { level: 'good', sentence: '1,000 requests completed, no failures', notes: [note] })
  t.match(headlineOf({ ...result, resent: 20 }), { level: 'warning', sentence: often })
  t.notOk(headlineOf({ ...result, resent: 20 }).notes.some(note => note.includes('sent again')), 'it is there once')
  t.match(headlineOf({ ...result, resent: 20, ...passed('failures') }), { level: 'warning', sentence: `The threshold passed; ${often}` })
  for (const metric of ['resent', 'resent rate']) t.match(headlineOf({ ...result, resent: 20, ...passed(metric) }), { level: 'good' }, 'the threshold allows that')
  t.match(headlineOf({ ...result, resent: 20, errors: 5, failures: 5, errorCodes: { AC_CLOSED: 5 } }), { level: 'warning', sentence: /^5 errors/ })
})
