'use strict'

// The first line of a report: what it has of each kind of run, and how a terminal breaks it.

const t = require('tap')
const { resultFacts, resultLine, resultLines } = require('../../lib/report/result-line')
const { exampleResult, exampleIterations } = require('../helpers/results/example-result')

const latency = { totalCount: 97_634, p50: 4.95, p90: 7.2, p95: 8.1, p99: 12.1, p99_9: 24, max: 34.9 }
const good = {
  requests: { average: 19_520.4, total: 97_634, sent: 97_700 },
  latency,
  duration: 5.01,
  failures: 0,
  errors: 0,
  '3xx': 0,
  '4xx': 0,
  '5xx': 0,
  interrupted: false,
  options: { duration: 5 },
  generator: { verdict: 'healthy' }
}
const times = 'p50 4.95 ms · p90 7.20 · p95 8.10 · p99 12.1 · p99.9 24.0 · max 34.9'
const none = { ...good, requests: { average: 0, total: 0, sent: 0 }, latency: { totalCount: 0, p50: 0, max: 0 } }
const unsent = { timedOut: 0, failed: 0 }
const rate = { target: 500, achieved: 500, ratio: 1, sent: 2500, late: 0, unsent: 0 }
const iterations = { completed: 124, cut: 1, unfinished: 2, perSecond: 24.8 }

/** @type {Array<[title: string, result: Record<string, any>, line: string]>} */
const CASES = [
  ['a closed loop', good, `19,520 req/s · ${times} · 0 failures of 97,634`],
  ['random arrivals', { ...good, rate: { ...rate, target: 89, achieved: 88.5, sent: 890 }, options: { duration: 5, arrivals: 'poisson', rate: 100 } }, `88.5 of 89 req/s due by a Poisson draw · ${times} · 0 failures of 97,634`],
  ['failures, and their share', { ...good, failures: 1204, errors: 4 }, `19,520 req/s · ${times} · 1,204 failures of 97,638 (1.2 %)`],
  ['nearly all failed, which is not all', { ...good, failures: 97_633 }, `97,633 failures of 97,634 (99.9 %) · 19,520 req/s · ${times}`],
  ['all failed', { ...good, failures: 97_634 }, `97,634 failures of 97,634 · 19,520 req/s · ${times}`],
  ['one failed', { ...good, failures: 1 }, `19,520 req/s · ${times} · 1 failure of 97,634 (<0.01 %)`],
  ['redirects that are not followed', { ...good, '3xx': 1200 }, `19,520 req/s · ${times} · 0 failures of 97,634 · 1,200 × 3xx`],
  ['redirects that are followed', { ...good, '3xx': 1200, redirects: 1200 }, `19,520 req/s · ${times} · 0 failures of 97,634`],
  ['no connection', { ...none, failures: 90, errors: 90, fates: unsent }, 'no requests sent · 90 connection errors'],
  ['no connection for some requests', { ...good, failures: 94, errors: 90, fates: { ...unsent, failed: 20, timedOut: 10 } }, `19,520 req/s · ${times} · 94 failures of 97,724 (0.096 %), 60 of them connection errors`],
  ['no response, and errors', { ...none, requests: { ...none.requests, sent: 90 }, failures: 90, errors: 90, fates: { ...unsent, failed: 90 } }, 'no responses · 90 failures of 90'],
  ['no response, and no error', none, 'no responses'],
  ['only timeouts, whose age is in the latency', { ...none, requests: { ...none.requests, sent: 10 }, failures: 10, errors: 10, timeouts: 10, latency: { ...latency, totalCount: 10 } }, 'no responses · 10 failures of 10'],
  ['a rate that was kept', { ...good, rate }, `500 of 500 req/s · ${times} · 0 failures of 97,634`],
  ['a rate that was not kept', { ...good, rate: { ...rate, achieved: 482.3, ratio: 0.965, unsent: 90 } }, `482 of 500 req/s · ${times} · 0 failures of 97,634`],
  ['stages of a rate', { ...good, rate, byStage: [{}, {}, {}] }, `500 of 500 req/s in 3 stages · ${times} · 0 failures of 97,634`],
  ['stages of connections', { ...good, byStage: [{}, {}] }, `19,520 req/s in 2 stages · ${times} · 0 failures of 97,634`],
  ['users', { ...good, iterations }, `24.8 iterations/s · 19,520 req/s · ${times} · 0 failures of 97,634`],
  ['users whose iterations are one request', { ...good, iterations: { ...iterations, perSecond: 19_520.1 } }, `19,520 req/s · ${times} · 0 failures of 97,634`],
  ['users who arrive at a rate', { ...good, iterations: { ...iterations, target: 30, achieved: 25.1, waited: 3, neverStarted: 22 } }, `25.1 of 30 iterations/s started · 19,520 req/s · ${times} · 0 failures of 97,634`],
  ['interrupted', { ...good, interrupted: true, duration: 3.2, options: { duration: 10 } }, `19,520 req/s · ${times} · 0 failures of 97,634 · ended after 3.2 s of 10 s`],
  ['interrupted before an amount was sent', { ...good, interrupted: true, options: { amount: 1e6 } }, `19,520 req/s · ${times} · 0 failures of 97,634 · ended after 97,700 of 1,000,000 requests`],
  ['ended by bailout', { ...good, bailedOut: true, duration: 1.5, failures: 10 }, `19,520 req/s · ${times} · 10 failures of 97,634 (0.01 %) · bailout after 1.5 s`],
  ['lost agents', { ...good, agents: [{ lost: null }, { lost: {} }] }, `19,520 req/s · ${times} · 0 failures of 97,634 · 1 of 2 agents was lost`],
  ['a load generator that got too little CPU', { ...good, generator: { verdict: 'starved' } }, `19,520 req/s · ${times} · 0 failures of 97,634 · load generator: high CPU wait`],
  ['a load generator whose event loop was blocked', { ...good, generator: { verdict: 'starved', runDelayMs: 20, blockedMs: 900 } }, `19,520 req/s · ${times} · 0 failures of 97,634 · load generator: blocked event loop`],
  ['a load generator that was the limit', { ...good, generator: { verdict: 'saturated' } }, `19,520 req/s · ${times} · 0 failures of 97,634 · load generator: at its limit`],
  ['percentiles that too few requests determine', { ...good, latency: { ...latency, totalCount: 50 } }, '19,520 req/s · p50 4.95 ms · p90 7.20 · p95 8.10 · max 34.9 · 0 failures of 97,634'],
  ['one request', { ...good, requests: { average: 12.5, total: 1 }, latency: { ...latency, totalCount: 1 } }, '12.5 req/s · max 34.9 ms · 0 failures of 1'],
  ['milliseconds and seconds, each with its unit', { ...good, latency: { ...latency, p50: 0.021, p99: 9800.4, max: 12_000 } }, '19,520 req/s · p50 0.021 ms · p90 7.20 ms · p95 8.10 ms · p99 9.80 s · p99.9 24.0 ms · max 12.0 s · 0 failures of 97,634'],
  ['without latencies', { ...good, latency: { totalCount: 0 } }, '19,520 req/s · 0 failures of 97,634'],
  ['a result of autocannon 9, which counts no failures', { requests: { average: 10, total: 100 }, latency: { p50: 1, p99: 2, max: 3, totalCount: 100 }, errors: 2, mismatches: 1, '3xx': 0, '4xx': 3, '5xx': 4 }, '10 req/s · p50 1.00 ms · p99 2.00 · max 3.00 · 10 failures of 102 (9.8 %)'],
  ['failed checks without a count of failures', { ...good, failures: undefined, checks: [{ failed: 3 }] }, `19,520 req/s · ${times}`],
  ['parts of a result', { requests: { average: 10 } }, '10 req/s'],
  ['nothing of a result', {}, '']
]

for (const [title, result, line] of CASES) t.test(title, async t => { t.equal(resultLine(result), line) })

t.test('each fact has a name, so that another report can pick some', async t => {
  t.strictSame(resultFacts({ ...good, iterations }).map(({ name }) => name), ['iterations', 'rate', 'p50', 'p90', 'p95', 'p99', 'p99.9', 'max', 'failures'])
})

t.test('a terminal breaks the line between two parts, and leaves none out', async t => {
  const on = (/** @type {number} */ columns, wraps = true) => resultLines(good, { columns, wraps })
  t.strictSame(on(120), [`19,520 req/s · ${times} · 0 failures of 97,634`])
  t.strictSame(on(80), [`19,520 req/s · ${times.replace(' · max 34.9', '')}`, 'max 34.9 · 0 failures of 97,634'])
  t.strictSame(on(45), ['19,520 req/s · p50 4.95 ms · p90 7.20', 'p95 8.10 · p99 12.1 · p99.9 24.0 · max 34.9', '0 failures of 97,634'])
  t.ok(on(20).every(line => line.length <= 20), 'more lines rather than wider ones')
  t.strictSame(on(60, false), [`19,520 req/s · ${times} · 0 failures of 97,634`], 'a pipe has one line')
  for (const result of [exampleResult(), { ...exampleResult(), ...exampleIterations() }]) {
    for (const columns of [40, 60, 80, 120]) t.ok(resultLines(result, { columns, wraps: true }).every(line => line.length <= columns))
  }
})

t.test('colours are those of the screen', async t => {
  const color = /** @type {any} */ ({ bold: (/** @type {string} */ text) => `<b>${text}</b>`, red: (/** @type {string} */ text) => `<r>${text}</r>`, yellow: (/** @type {string} */ text) => `<y>${text}</y>` })
  t.equal(resultLines({ ...good, failures: 97_634, interrupted: true, duration: 5, options: {} }, { color })[0],
    `<r>97,634 failures of 97,634</r> · <b>19,520 req/s</b> · ${times} · <y>ended after 5 s</y>`)
})
