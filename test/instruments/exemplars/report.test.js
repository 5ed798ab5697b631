'use strict'

// The slowest requests and the first failures in the page, in Markdown and in the terminal.

const t = require('tap')
const { exampleResult } = require('../../helpers/results/example-result')
const { printableData } = require('../../../lib/core/foreign-text')
const { toHtml } = require('../../../lib/report/html/page')
const { toMarkdown } = require('../../../lib/report/markdown/result')
const { tables, traceSentence } = require('../../../lib/instruments/exemplars/report')
const { printResult } = require('../../../lib/report/text')

const START = '2026-11-23T01:00:00.000Z'
const ID = '0af7651916cd43dd8448eb211c80319c'

/** One request of a result. @param {Record<string, any>} [own] */
const single = own => ({ time: '2026-11-23T01:00:12.300Z', name: null, request: 'GET /a', connection: 7, connect: null, waited: 0, firstByte: 30.25, total: 31.6, status: 200, size: 1240, error: null, ...own })
const traced = (sampled = true) => ({ trace: { id: ID, parent: 'b7ad6b7169203331', sampled } })

/** @param {Record<string, any>} result */
const shown = result => tables({ start: START, ...result }, 'md', { verbose: false }).map(({ title, heads, rows }) => [title, heads, ...rows.map(row => row.map(cell => cell.text ?? cell))])

t.test('columns that say nothing are left out', async t => {
  t.strictSame(shown({ slowest: [single()] }), [['Slowest requests', ['Request', '>After 01:00:00.000 UTC', '>Connection', 'Response', '>First byte', '>Total', '>Size'], ['GET /a', '12.300 s', '7', '200', '30.3 ms', '31.6 ms', '1.24 kB']]])
  t.strictSame(shown({ firstFailures: [single({ ...traced(false), name: 'buy', connect: 2, waited: 500, error: 'check' }), single({ status: null, error: 'AC_TIMEOUT', firstByte: null, size: 0 }), single({ status: null, firstByte: null, time: '2026-11-23T00:59:59.000Z' })] }), [[
    'First failures', ['Request', '>After 01:00:00.000 UTC', '>Connection', 'Response', '>Connect', '>Waited', '>First byte', '>Total', '>Size', 'Trace', 'Sampled'],
    ['buy: GET /a', '12.300 s', '7', '200, check', '2.00 ms', '500 ms', '30.3 ms', '31.6 ms', '1.24 kB', ID, 'no'],
    ['GET /a', '12.300 s', '7', 'AC_TIMEOUT', '', '', '', '31.6 ms', '0 B', '', ''],
    ['GET /a', '0.000 s', '7', 'none at the end', '', '', '', '31.6 ms', '1.24 kB', '', '']
  ]])
  t.strictSame(shown({}), [], 'a result of others has none')
})

t.test('they are in the page and in Markdown, and what servers and files said is text there', async t => {
  const request = 'GET /<script>alert(1)</script>|`x`'
  const result = printableData({ ...exampleResult(), start: START, slowest: [single({ request, ...traced() })], firstFailures: [single({ request, status: 503 })] })
  const page = toHtml(result)
  t.match(page, '<h2 id="slowest-requests">Slowest requests</h2>')
  t.match(page, '<h2 id="first-failures">First failures</h2>')
  t.match(page, `<code>${ID}</code>`)
  t.match(page, 'GET /&lt;script&gt;alert(1)&lt;/script&gt;|`x`')
  t.notMatch(page, '<script>alert')
  const markdown = toMarkdown(result)
  t.match(markdown, '<details><summary>Slowest requests</summary>\n\n| Request |')
  t.match(markdown, '<details><summary>First failures</summary>')
  t.match(markdown, ID)
  t.notMatch(markdown, '<script>')
  for (const row of markdown.split('\n').filter(line => line.includes('alert(1)'))) t.equal(row.replaceAll('\\|', '').split('|').length - 2, row.includes(ID) ? 8 : 7, 'a bar is no end of a cell')
})

/** @param {any} result */
const text = result => printResult(result, { outputStream: { isTTY: false, columns: 80, write () {} } })

t.test('the terminal says which trace to look at where traces were sent', async t => {
  const slowest = [single({ ...traced(false), total: 50 }), single({ ...traced(), request: 'GET /' + 'a'.repeat(100), total: 31_600 })]
  const sentence = `Slowest trace: ${ID}, GET /aaaaaaaaaaaaaa…, 31.6 s`
  t.equal(traceSentence({ slowest }), sentence)
  t.ok(sentence.length <= 80, 'it fits a line')
  t.equal(traceSentence({ slowest: [slowest[0]] }), null, 'one that is not sampled is nowhere')
  t.equal(traceSentence({}), null)
  t.notMatch(text({ ...exampleResult(), slowest }), 'Slowest trace')
  t.match(text({ ...exampleResult(), slowest, options: { trace: '1%' } }), 'Slowest trace')
})
