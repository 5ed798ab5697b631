'use strict'

// Thresholds and comparisons as text and as Markdown, byte by byte: test/golden has a file for each. After a change that is
// meant, UPDATE_GOLDEN=1 writes them anew; read the diff.

const t = require('tap')
const { createColors } = require('picocolors')
const { thresholdMarkdown, comparisonMarkdown } = require('../../lib/report/markdown/verdicts')
const { comparisonText, thresholdText } = require('../../lib/report/terminal/verdicts')
const { formatActual } = require('../../lib/report/verdicts')
const { golden } = require('../helpers/results/golden')

const plain = createColors(false)
const colourful = createColors(true)

const judged = {
  interrupted: false,
  thresholds: [
    { expression: 'p99 < 50ms', actual: 12.345, passed: true, unit: 'ms' },
    { expression: 'error rate < 1%', actual: 0.01234, passed: false, unit: 'share' },
    { expression: 'bytes/s > 1 MB/s', actual: 2_345_678, passed: true, unit: 'bytes/s' },
    { expression: 'rps > 12', actual: 11.987, passed: false, unit: 'requests/s' },
    { expression: 'errors < 5', actual: 1234, passed: false, unit: 'count', aborted: true },
    { expression: '<b>|x|</b> `y`: p95 < 1s', actual: null, passed: false, unit: 'ms' }
  ]
}
const interrupted = { interrupted: true, thresholds: [{ expression: 'p99 < 50ms', actual: null, passed: null, unit: 'ms' }] }
const passed = { interrupted: false, thresholds: [judged.thresholds[0]] }

t.test('thresholds', async t => {
  golden(t, 'thresholds/judged.txt', thresholdText(judged, { color: plain, columns: 80 }))
  golden(t, 'thresholds/colours.txt', thresholdText(judged, { color: colourful, columns: 80 }))
  golden(t, 'thresholds/interrupted.txt', thresholdText(interrupted, { color: plain, columns: 80 }))
  golden(t, 'thresholds/judged.md', thresholdMarkdown(judged).text)
  golden(t, 'thresholds/passed.md', thresholdMarkdown(passed).text)
  golden(t, 'thresholds/interrupted.md', thresholdMarkdown(interrupted).text)
})

const worse = {
  confidence: 0.95,
  basis: 'runs',
  runs: { base: 2, new: 3 },
  metrics: [
    { metric: 'rps', unit: 'requests/s', base: 51_234.5, new: 48_650.2, difference: -0.0504, low: -0.071, high: -0.03, verdict: 'worse' },
    { metric: 'avg', unit: 'ms', base: 1.9512, new: 2.0551, difference: 0.0532, low: 0.0312, high: 0.0763, verdict: 'worse' },
    { metric: 'p50', unit: 'ms', base: 1.8, new: 1.7, difference: -0.0555, low: -0.08, high: -0.0312, verdict: 'better' },
    { metric: 'p99', unit: 'ms', base: 12.3, new: 31.2, difference: 1.536, low: -0.2, high: 7.1, verdict: 'unknown' },
    { metric: 'error rate', unit: 'share', base: 0, new: 0.0123, difference: 0.0123, low: 0.01, high: 0.0146, verdict: 'worse' },
    { metric: 'non2xx', unit: 'share', base: 0, new: 0, difference: 0, low: 0, high: 0, verdict: 'no difference' },
    { metric: 'bytes/s', unit: 'bytes/s', base: 1e6, new: null, difference: null, low: null, high: null, verdict: 'unknown' }
  ],
  limits: [
    { expression: 'p99 +10%', actual: 1.536, passed: null, reason: 'between −20 % and +710 %: about 9 more runs on each side may decide', needs: { runs: 9 } },
    { expression: 'rps -5%', actual: -0.0504, passed: false, reason: '−5.0 % (between −7.1 % and −3.0 %) is beyond the limit, and a difference is certain' },
    { expression: 'avg +20%', actual: 0.0532, passed: true, reason: 'within the limit: between +3.1 % and +7.6 %' }
  ],
  notes: ['base and new were not measured alike: connections 10 and 20']
}
const same = {
  ...worse,
  metrics: [
    { metric: 'rps', unit: 'requests/s', base: 51.2345, new: 51.3, difference: 0.0013, low: -0.021, high: 0.0236, verdict: 'no difference' },
    { metric: 'p50', unit: 'ms', base: 0.041, new: 0.041, difference: 0, low: -0.02, high: 0.0204, verdict: 'no difference' }
  ],
  limits: [],
  notes: []
}
const unknown = { ...same, metrics: same.metrics.map(metric => ({ ...metric, low: null, high: null, verdict: 'unknown' })) }
const better = { ...same, metrics: [{ ...same.metrics[1], new: 0.03, difference: -0.27, low: -0.3, high: -0.24, verdict: 'better' }] }

/** Nothing failed, and one can't be told. */
const unsure = { ...worse, basis: 'pairs', runs: { base: 5, new: 5 }, metrics: worse.metrics.slice(3, 4), limits: worse.limits.slice(0, 1), notes: [] }
/** One run on each side. */
const indication = { ...unsure, basis: 'samples', runs: { base: 1, new: 1 }, metrics: worse.metrics.slice(0, 3), limits: [{ ...worse.limits[1], passed: null, indication: 'beyond' }] }

t.test('what can\'t be told has a mark of its own, and one run on each side is called an indication', async t => {
  golden(t, 'comparison/unsure.txt', comparisonText(unsure, { color: plain, columns: 80 }))
  golden(t, 'comparison/unsure.md', comparisonMarkdown(unsure).text)
  golden(t, 'comparison/indication.txt', comparisonText(indication, { color: plain, columns: 80 }))
  golden(t, 'comparison/indication.md', comparisonMarkdown(indication).text)
})

t.test('comparisons', async t => {
  golden(t, 'comparison/worse.txt', comparisonText(worse, { color: plain, columns: 80 }))
  golden(t, 'comparison/colours.txt', comparisonText(worse, { color: colourful, columns: 80 }))
  golden(t, 'comparison/same.txt', comparisonText(same, { color: plain, columns: 80 }))
  golden(t, 'comparison/unknown.txt', comparisonText(unknown, { color: plain, columns: 80 }))
  golden(t, 'comparison/better.txt', comparisonText(better, { color: plain, columns: 80 }))
  golden(t, 'comparison/worse.md', comparisonMarkdown(worse).text)
  golden(t, 'comparison/same.md', comparisonMarkdown(same).text)
})

t.test('figures of thresholds have the separators of all others, and the digits that tell them from their limit', async t => {
  for (const [unit, actual, shown] of /** @type {const} */ ([['requests/s', 4437.5, '4,438 req/s'], ['requests/s', 999.96, '1,000 req/s'], ['ms', 1234.56, '1.23 s'], ['ms', 61.312, '61.3 ms'], ['requests/s', 44_437.5, '44,438 req/s']])) {
    t.equal(formatActual({ unit, actual }), shown)
  }
})

t.test('what is unknown, such as what could hide a difference of more than a quarter, is called inconclusive', async t => {
  /** @param {Array<Partial<typeof same.metrics[number]>>} metrics */
  const told = metrics => comparisonText({ ...same, basis: 'runs', metrics: metrics.map(metric => ({ ...same.metrics[1], ...metric })) }, { color: plain, columns: 120 })
  const wild = told([{ metric: 'rps', unit: 'requests/s', difference: -0.47, low: -0.88, high: 1.34, verdict: 'unknown' }])
  t.match(wild, '│ inconclusive │')
  t.match(wild, '\nInconclusive: the runs vary too much (rps between −88 % and +134 %).\n')
  t.match(told([{ low: -0.9997, high: 1600, verdict: 'unknown' }]), /│ −100 … ×1,600 │ inconclusive │\n[^]*\nInconclusive: the runs vary too much \(p50 between −100 % and ×1,600\)\.\n/)
  t.match(told([{ low: -0.24, high: 0.25 }]), /│ no difference found │\n[^]*\nNo difference found: p50 would have to differ by about 24.5 % to be noticed\.\n/)
  t.match(told([{}, { metric: 'p99', low: -0.3, high: 0.2, verdict: 'unknown' }, { metric: 'error rate', unit: 'share', low: -0.06, high: 0.06, verdict: 'unknown' }, { metric: 'failure rate', unit: 'share', low: -0.02, high: 0.03 }]),
    '\nNo difference found: p50 would have to differ by about 2 % to be noticed; inconclusive for p99, error rate.\n')
  t.match(told([{ difference: 0.8, low: 0.2, high: 1.7, verdict: 'worse' }]), '│ slower  │', 'what is real is told, however wide')
})

t.test('no difference between runs of a starved generator is inconclusive, and no success; a real one is shown', async t => {
  const inconclusive = 'the load generator had a high CPU wait in 6 of 6 runs, which hides differences of the servers'
  const hidden = { ...same, metrics: same.metrics.map(metric => ({ ...metric, verdict: /** @type {const} */ ('unknown') })), inconclusive }
  t.match(comparisonText(hidden, { color: plain, columns: 120 }), `\nInconclusive: ${inconclusive}.\n`)
  t.match(comparisonMarkdown({ ...hidden, limits: [] }).text, `⚠️ **Inconclusive: ${inconclusive}.**\n`)
  t.notMatch(comparisonText(hidden, { color: plain, columns: 120 }), 'no difference found', 'the table does not say otherwise')
  t.match(comparisonText({ ...worse, inconclusive }, { color: plain, columns: 120 }), /\nWorse: /)
})

t.test('why there is no verdict stands once, and the intervals beside it', async t => {
  const inconclusive = 'the load generator had a high CPU wait in 5 of 5 runs of base and 1 of 5 of new, so the difference may be that of the machine'
  const because = { code: 'unlike-clients', facts: { state: 'starved', base: [5, 5], new: [1, 5] } }
  const limits = [{ expression: 'p99 +10%', actual: 0.9, passed: null, reason: `between +80 % and +100 %, but ${inconclusive}`, finding: { code: 'doubtful', severity: 'warning', facts: { unit: 'ms', absolute: false, low: 0.8, high: 1, because } } }]
  const findings = [{ ...because, severity: 'error' }, { code: 'incomplete-load', severity: 'warning', facts: {} }]
  const metrics = worse.metrics.map(metric => ({ ...metric, verdict: /** @type {const} */ ('unknown') }))
  const comparison = { ...worse, metrics, limits, inconclusive, notes: [inconclusive, 'another'], findings }
  const text = comparisonText(comparison, { color: plain, columns: 200 })
  for (const shown of [text, comparisonMarkdown(comparison).text]) {
    t.equal(shown.split('high CPU wait').length, 2)
    t.match(shown, 'between +80 % and +100 %')
    t.match(shown, 'another')
    t.match(shown, 'inconclusive')
    t.notMatch(shown, 'slower')
  }
  t.match(text, /\n\? p99 \+10%: between \+80 % and \+100 %\n/)
  t.match(comparisonText({ ...worse, limits, inconclusive, notes: [inconclusive], findings: findings.slice(0, 1) }, { color: plain, columns: 200 }), /^(?!.*Note: the load)[^]*, but the load generator/m)
})

t.test('where there are no intervals, nothing is said of them', async t => {
  t.match(comparisonText(unknown, { color: plain, columns: 80 }), /\nInconclusive: these runs do not show whether there is a difference\.\n2 runs against 3\.\n$/)
})
