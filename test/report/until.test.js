'use strict'

const t = require('tap')
const { exampleResult } = require('../helpers/results/example-result')
const { exitCodeOf } = require('../../lib/cli/exit-code')
const { headlineOf } = require('../../lib/report/headline')
const { withReason } = require('../../lib/judge/until')
const { whyUnknown } = require('../../lib/report/until')
const { toHtml } = require('../../lib/report/html/page')
const { toJunit } = require('../../lib/report/formats/junit')
const { toMarkdown, toSummary } = require('../../lib/report/markdown/result')
const { printResult } = require('../../lib/report/text')

const KNOWN = { expression: 'p99 ±2%', metric: 'p99', unit: 'ms', target: 0.02, reached: true, value: 12.345, low: 12.15, high: 12.58, width: 0.01904, confidence: 0.95, after: 41 }

/** @param {Record<string, any>} until */
const resultOf = until => exampleResult({ until: { ...KNOWN, ...until } })

t.test('every report says how well the figure is known, and after how long', async t => {
  const result = resultOf({})
  const sentence = 'p99 12.3 ms ±1.9 % (95 %, if nothing is slower than 8.2 s) after 41 s'
  for (const [name, report] of Object.entries({ text: printResult(result), markdown: toMarkdown(result), page: toHtml(result), summary: toSummary(result), junit: toJunit(result) })) t.ok(report.includes(sentence), name)
  t.equal(exitCodeOf(result), exitCodeOf(exampleResult()))
})

t.test('of thresholds that are decided every report says after how long, and how many are not', async t => {
  const decided = { expression: 'decided', metric: 'thresholds', unit: 'count', target: 2, value: 2, low: null, high: null, width: null }
  t.match(printResult(resultOf(decided)), 'All 2 thresholds were decided after 41 s')
  t.match(toJunit(resultOf({ ...decided, target: 1, value: 1 })), 'The threshold was decided after 41 s')
  t.match(printResult(resultOf({ ...decided, reached: false, value: 1 })), 'Not decided: 1 of 2 thresholds was still inconclusive after 41 s')
  t.match(toJunit(resultOf({ ...decided, reached: false, value: 0 })), '<skipped message="2 of 2 thresholds were still inconclusive after 41 s"/>')
})

t.test('a figure that is not known well enough is a warning, with the reason', async t => {
  for (const [until, sentence] of /** @type {Array<[Record<string, any>, string]>} */ ([
    [{ width: 0.0312, after: 100 }, 'p99 ±2% is inconclusive: it was known to ±3.1 % after 100 s'],
    [{ after: 100, hindrance: 'burst' }, 'p99 ±2% is inconclusive: it was known to ±1.9 % after 100 s, but one burst made most of how it varied'],
    [{ width: null, low: null, high: null, after: 30.01 }, 'p99 ±2% is inconclusive: 30 s are too short to estimate the precision: use a longer -d, or --skip-first'],
    [{ value: null, width: null, low: null, high: null }, 'p99 ±2% is inconclusive: nothing was measured']
  ])) {
    const result = resultOf({ reached: false, ...until })
    t.match(headlineOf(result), { level: 'warning', sentence })
    const reason = /too short to estimate the precision|nothing was measured|±3.1 %|one burst made most of how it varied/.exec(sentence)?.[0] ?? ''
    for (const [name, report] of Object.entries({ text: printResult(result), markdown: toMarkdown(result), page: toHtml(result) })) t.ok(report.includes(reason), `${name}: ${reason}`)
    t.match(toSummary(result), reason)
    t.equal(exitCodeOf(result), 4)
    t.equal(exitCodeOf(result, { inconclusive: 'pass' }), 0)
  }
  t.match(toJunit(resultOf({ reached: false, width: 0.0312 })), '<skipped message="it was known to ±3.1 % after 41 s"/>')
  t.match(printResult(resultOf({ reached: false, width: 0.0312 })), 'p99 12.3 ms ±3.1 % (95 %, if nothing is slower than 8.2 s) after 41 s: not as precise as p99 ±2%')
})

t.test('the reason why it was not reached is data, and a result of an older version has the same sentence', async t => {
  for (const [until, reason] of /** @type {Array<[Record<string, any>, Record<string, any>]>} */ ([
    [{ expression: 'decided', target: 3, value: 1, after: 41 }, { code: 'undecided-thresholds', facts: { undecided: 2, thresholds: 3, after: 41 } }],
    [{ expression: 'p99 ±2%', value: null, width: null, after: 3 }, { code: 'nothing-measured', facts: {} }],
    [{ expression: 'p99 ±2%', value: 12, width: null, after: 3 }, { code: 'short-run', facts: { after: 3 } }],
    [{ expression: 'p99 ±2%', value: 12, width: 0.019, target: 0.02, after: 100, hindrance: 'burst' }, { code: 'imprecise', facts: { width: 0.019, target: 0.02, after: 100, hindrance: 'burst' } }]
  ])) {
    const told = withReason({ ...until, reached: false })
    t.strictSame(told.finding, { ...reason, severity: 'warning' })
    t.equal(whyUnknown(told), whyUnknown(until))
  }
  t.notOk('finding' in withReason({ reached: true }))
})
