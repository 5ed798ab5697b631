'use strict'

// The last line: what it says for each exit code, and that it is never another one than the code.

const t = require('tap')
const { exitCodeOf, unwritten } = require('../../lib/cli/exit-code')
const { comparisonConclusion, conclusion } = require('../../lib/report/conclusion')
const { exampleResult, VERDICTS } = require('../helpers/results/example-result')

const color = /** @type {any} */ ({ green: String, yellow: String, red: String })
const good = exampleResult({ seconds: 1, bad: 0 })
const bad = exampleResult({ seconds: 1, bad: 0.5 })
// Half of its rate, and not for want of a core.
const behind = { ...good, rate: { target: 100, achieved: 50, ratio: 0.5, sent: 410, late: 400, unsent: 410 }, fates: { ...good.fates, abandoned: 10 } }
const point = (/** @type {number} */ time, /** @type {Record<string, any>} */ more) => ({ ...good.series[0], time, length: 1000, ...more })
const stalled = { ...good, series: [point(0, {}), point(1000, { requests: 0, errors: 0, runDelay: 0 }), point(2000, { requests: 0, errors: 0, runDelay: 0 }), point(3000, { max: 2500 })] }
const [failed, passed] = VERDICTS.thresholds
const unsure = { expression: 'p99.9 < 1s', metric: 'p99.9', actual: null, passed: null, unit: 'ms', note: 'nothing tells' }
const silent = { ...good, requests: { ...good.requests, total: 0 }, errors: 3, errorCodes: { ECONNREFUSED: 3 } }

/** @type {Array<[line: string, result: any, end?: Record<string, any>]>} */
const LINES = [
  ['✓ Done, exit code 0: no failures', good],
  ['✓ Done, exit code 0: no failures', { ...good, requests: { ...good.requests, total: 1 } }],
  ['! Done, exit code 0: no threshold was given. 210 of 410 requests failed', bad],
  ['✓ Passed, exit code 0: the threshold passed', { ...good, thresholds: [passed] }],
  ['! Passed, exit code 0: the threshold passed; 210 of 410 requests failed', { ...bad, thresholds: [passed] }],
  ['✓ Passed, exit code 0: the threshold passed; 210 of 410 requests failed', { ...bad, thresholds: [{ ...passed, metric: 'failures' }] }],
  ['! Passed, exit code 0: the threshold passed; 210 of 410 requests failed', { ...bad, thresholds: [{ ...passed, metric: 'errors' }] }],
  ...[{ stage: 1 }, { request: 'login' }, { scenario: 'buy' }, { group: 'buy' }].map(part => /** @type {[string, any]} */ (['! Passed, exit code 0: the threshold passed; 210 of 410 requests failed', { ...bad, thresholds: [{ ...passed, metric: 'failures', ...part }] }])),
  ['! Passed, exit code 0: the threshold passed; 210 of 410 requests failed', { ...bad, thresholds: [{ ...passed, metric: 'non2xx' }] }],
  ['✓ Passed, exit code 0: all 2 thresholds passed; 210 of 410 requests failed', { ...bad, thresholds: [{ ...passed, metric: 'errors' }, { ...passed, metric: 'non2xx' }] }],
  ['! Done, exit code 0: no threshold was given. The rate was 50 of 100 req/s: the server held all connections', behind],
  ['! Passed, exit code 0: the threshold passed; the rate was 50 of 100 req/s: the server held all connections', { ...behind, thresholds: [passed] }],
  ['✓ Passed, exit code 0: the threshold passed; the rate was 50 of 100 req/s: the server held all connections', { ...behind, thresholds: [{ ...passed, metric: 'rate ratio' }] }],
  ['! Done, exit code 0: no threshold was given. The rate was 50 of 100 req/s: there was no connection', { ...behind, rate: { ...behind.rate, late: 0 }, fates: { abandoned: 0 } }],
  ['! Done, exit code 0: no threshold was given. The load generator had a high CPU wait', { ...good, generator: { ...good.generator, verdict: 'starved' } }],
  ['! Passed, exit code 0: the threshold passed; the load generator had a high CPU wait', { ...good, thresholds: [{ ...passed, metric: 'checks' }], generator: { ...good.generator, verdict: 'starved' } }],
  ['! Done, exit code 0: no threshold was given. No response came from 1 s to 3 s', stalled],
  ['! Passed, exit code 0: the threshold passed; no response came from 1 s to 3 s', { ...stalled, thresholds: [passed] }],
  ['✓ Passed, exit code 0: the threshold passed; no response came from 1 s to 3 s', { ...stalled, thresholds: [{ ...passed, metric: 'max' }] }],
  ['✓ Done, exit code 0: no failures', { ...stalled, rate: { target: 100, achieved: 100, ratio: 1, sent: 410, late: 0, unsent: 0 } }],
  ['✗ Failed, exit code 3: p99 < 50ms failed: it was 61.3 ms', { ...good, thresholds: [failed, passed] }],
  ['? Inconclusive, exit code 4: p99.9 < 1s is inconclusive: nothing tells', { ...good, thresholds: [passed, unsure] }],
  ['? Inconclusive, exit code 0 by --inconclusive pass: p99.9 < 1s is inconclusive: nothing tells', { ...good, thresholds: [unsure] }, { inconclusive: 'pass' }],
  ['? Inconclusive, exit code 3 by --inconclusive fail: p99.9 < 1s is inconclusive: nothing tells', { ...good, thresholds: [unsure] }, { inconclusive: 'fail' }],
  ['✗ Failed, exit code 1: no response from http://localhost:3000/items: is the server running there?', silent],
  ...[undefined, 'fail', 'pass'].map(inconclusive => /** @type {[string, any, any]} */ (['✗ Failed, exit code 1: no response from http://localhost:3000/items: is the server running there?', { ...silent, thresholds: [unsure] }, { inconclusive }])),
  ['✗ Failed, exit code 1: an output could not be written. 410 requests completed, no failures', good, { written: false }],
  ['✗ Failed, exit code 3: p99 < 50ms failed: it was 61.3 ms', { ...good, thresholds: [failed] }, { written: false }],
  ['! Ended by SIGINT, exit code 130: no threshold was judged', { ...good, interrupted: true, options: { duration: 10 }, thresholds: [{ ...passed, actual: null, passed: null }] }, { signal: 'SIGINT' }],
  ['! Ended by SIGINT, exit code 130: 210 of 410 requests failed', { ...bad, interrupted: true, options: { duration: 10 } }, { signal: 'SIGINT' }],
  ['! Ended by SIGINT, exit code 130', { ...good, interrupted: true, options: { duration: 10 } }, { signal: 'SIGINT' }],
  ['✓ Done, exit code 0: no failures', good, { signal: 'SIGINT' }]
]

for (const [i, [line, result, { written = true, ...run } = {}]] of LINES.entries()) {
  t.test(`${i + 1}. ${line}`, async t => {
    const planned = exitCodeOf(result, run)
    const code = written ? planned : unwritten(planned)
    t.equal(conclusion(result, { code, written, ...run }, color), line)
  })
}

const limitOf = (/** @type {boolean | null} */ passed) => ({ expression: 'rps -5%', actual: 0.1, passed, reason: 'between −12 % and −8 %' })

/** @type {Array<[line: string, limits: any[], end: any]>} */
const COMPARED = [
  ['✓ Done, exit code 0: no limit was given (--fail-if)', [], { code: 0 }],
  ['✓ Passed, exit code 0: the limit is kept', [limitOf(true)], { code: 0 }],
  ['✓ Passed, exit code 0: all 2 limits are kept', [limitOf(true), limitOf(true)], { code: 0 }],
  ['✗ Failed, exit code 3: rps -5% failed: between −12 % and −8 %', [limitOf(false)], { code: 3 }],
  ['? Inconclusive, exit code 4: rps -5% is inconclusive: between −12 % and −8 %', [limitOf(null)], { code: 4 }],
  ['? Inconclusive, exit code 0 by --inconclusive pass: rps -5% is inconclusive: between −12 % and −8 %', [limitOf(null)], { code: 0, inconclusive: 'pass' }],
  ['! Ended by SIGINT, exit code 130: interrupted after 2 runs of base and 1 of new', [limitOf(true)], { code: 130, signal: 'SIGINT', reason: 'interrupted after 2 runs of base and 1 of new' }],
  ['✗ Failed, exit code 1: new: nothing answered', [limitOf(true)], { code: 1, reason: 'new: nothing answered' }],
  ['✗ Failed, exit code 1: new: no response', [limitOf(null)], { code: 1, reason: 'new: no response' }]
]

for (const [line, limits, end] of COMPARED) {
  t.test(`of a comparison: ${line}`, async t => {
    t.equal(comparisonConclusion({ comparison: { limits } }, end, color), line)
  })
}

t.test('of a comparison without limits, in which something was worse', async t => {
  const metrics = [{ metric: 'p99', unit: 'ms', difference: 0.5, verdict: 'worse' }, { metric: 'rps', unit: 'rate', difference: 0, verdict: 'same' }]
  t.equal(comparisonConclusion({ comparison: { basis: 'runs', limits: [], metrics } }, { code: 0 }, color), '! Done, exit code 0, because no limit was given (--fail-if): worse: p99 +50 %')
  const equal = [{ metric: 'p50', unit: 'ms', difference: 0, low: -0.02, high: 0.02, verdict: 'no difference' }]
  t.equal(comparisonConclusion({ comparison: { basis: 'runs', limits: [], metrics: equal } }, { code: 0 }, color), '✓ Done, exit code 0: no limit was given (--fail-if)')
  t.equal(comparisonConclusion({ comparison: { basis: 'runs', limits: [], metrics: [{ ...equal[0], verdict: 'unknown' }], inconclusive: 'the load generator had a high CPU wait in 6 of 6 runs' } }, { code: 0 }, color),
    '! Done, exit code 0, because no limit was given (--fail-if): inconclusive')
  t.match(comparisonConclusion({ comparison: { basis: 'runs', limits: [{ ...limitOf(true) }], metrics } }, { code: 0 }, color), /^✓ Passed/)
})
