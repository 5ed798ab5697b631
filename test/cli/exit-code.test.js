'use strict'

// Which exit code a run has when several would fit.

const t = require('tap')
const { exitCodeOf, unwritten } = require('../../lib/cli/exit-code')
const { headlineOf } = require('../../lib/report/headline')
const { printResult } = require('../../lib/report/text')
const { toJunit } = require('../../lib/report/formats/junit')
const { exampleResult } = require('../helpers/results/example-result')

/** @param {boolean | null} passed */
const limit = passed => ({ expression: 'p99 +10%', actual: 0.2, passed, reason: 'between −75 % and +214 %' })
/** @param {Array<boolean | null>} verdicts */
const compared = (...verdicts) => exampleResult({ seconds: 1, bad: 0, comparison: { limits: verdicts.map(limit) } })

t.test('the order is: signal, no answer, failed, can\'t tell, an output that was not written', async t => {
  const silent = { ...compared(false, null), requests: { total: 0 } }
  t.equal(exitCodeOf({ ...compared(false, null), interrupted: true }, { signal: 'SIGINT' }), 130)
  t.equal(exitCodeOf(silent), 1)
  t.equal(exitCodeOf(compared(true, false, null)), 3)
  t.equal(exitCodeOf(compared(true, null)), 4)
  t.equal(exitCodeOf(compared(true)), 0)
  t.strictSame([3, 4, 0, 130].map(unwritten), [3, 4, 1, 130])
})

t.test('a proxy that refuses every request is no server that answers', async t => {
  const result = { ...exampleResult({ seconds: 1 }), unexpected: 0 }
  const { total } = result.requests
  const refused = (n, more) => ({ ...result, unexpected: n, proxy: { errors: [], refused: n }, ...more })
  t.equal(exitCodeOf(refused(total)), 1)
  t.equal(exitCodeOf(refused(total - 1)), 0, 'a server has answered once')
  t.equal(exitCodeOf(refused(total, { unexpected: 0 })), 0, '407 was expected')
  const raw = (refused, allowed = 0) => ({ totals: { completed: 5, allowed, proxied: { refused } } })
  t.strictSame([raw(5), raw(4), raw(5, 5)].map(one => exitCodeOf(one)), [1, 0, 0])
  t.match(headlineOf(refused(total)), { level: 'bad', sentence: 'The proxy refused every request: no server was reached' })
  t.equal(headlineOf(refused(total, { search: {} })).level, 'bad', 'of a search as well')
  t.match(printResult(refused(total)), 'The proxy refused every request: no server was reached.')
  t.match(toJunit(refused(total)), /name="the server responds"[^]*<failure message="The proxy refused every request: no server was reached"/)
})

t.test('a threshold that was not judged can\'t tell', async t => {
  const thresholds = [{ expression: 'p99 < 50ms', actual: null, passed: null, unit: 'ms' }]
  t.equal(exitCodeOf(exampleResult({ seconds: 1, thresholds, interrupted: true })), 4)
})

t.test('--inconclusive says what can\'t tell counts as, and leaves failures and passes alone', async t => {
  for (const [verdicts, pass, fail] of /** @type {const} */ ([[[null, true], 0, 3], [[null, false], 3, 3], [[true], 0, 0]])) {
    t.equal(exitCodeOf(compared(...verdicts), { inconclusive: 'pass' }), pass)
    t.equal(exitCodeOf(compared(...verdicts), { inconclusive: 'fail' }), fail)
  }
})
