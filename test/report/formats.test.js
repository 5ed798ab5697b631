'use strict'

// The result in other forms, byte by byte: test/golden has a file of each. UPDATE_GOLDEN=1 writes them anew; read the diff.

const t = require('tap')
const { readFileSync } = require('node:fs')
const path = require('node:path')
const { formatResult } = require('../..')
const { RENDERERS } = require('../../lib/parts')
const { formatOf, ENDINGS } = require('../../lib/report/formats/format')
const { printable } = require('../../lib/core/foreign-text')
const { compareResults } = require('../..')
const { exampleResult, VERDICTS } = require('../helpers/results/example-result')
const { golden } = require('../helpers/results/golden')

const FORMATS = /** @type {import('../..').Format[]} */ (Object.keys(RENDERERS))

const HOSTILE = '</script><img src=x onerror=alert(1)> | `code` *bold* [link](http://evil) @someone ]]> "quoted" \u0000\u0007\n# head'

/** @param {Record<string, any>} [changes] */
const hostile = (changes = {}) => exampleResult({
  seconds: 1,
  title: HOSTILE,
  url: ['=HYPERLINK("http://evil")', HOSTILE],
  errorCodes: { [HOSTILE]: 3 },
  thresholds: [{ expression: HOSTILE, actual: 1, passed: false, unit: 'ms' }],
  checks: [{ name: HOSTILE, request: HOSTILE, passed: 1, failed: 2, reasons: { [HOSTILE]: 2 }, samples: { [HOSTILE]: { status: 200, headers: [[HOSTILE, HOSTILE]], body: HOSTILE, truncated: true } } }],
  ...changes
})

const COMPARISON = {
  confidence: 0.95,
  basis: 'runs',
  runs: { base: 3, new: 3 },
  metrics: [
    { metric: 'rps', unit: 'requests/s', base: 402.1, new: 393, difference: -0.023, low: -0.04, high: -0.01, verdict: 'worse' },
    { metric: 'error rate', unit: 'share', base: 0.0046, new: 0.0055, difference: 0.0009, low: null, high: null, verdict: 'unknown' }
  ],
  limits: [{ expression: 'p99 +10%', actual: 0.21, passed: false, reason: 'p99 is 21 % more' }, { expression: 'avg +5%', actual: 0.03, passed: null, reason: 'between −3.0 % and +9.0 %' }],
  notes: []
}

t.test('a threshold that failed in JUnit says why the figure may not be that of the server', async t => {
  const cause = 'The generator waited 46 % of the time for a core.'
  const thresholds = [{ expression: 'p99 < 5ms', actual: 48.415, passed: false, unit: 'ms' }, { expression: 'p50 < 5ms', actual: 1, passed: true, unit: 'ms' }]
  const { generator } = exampleResult()
  const xml = formatResult(exampleResult({ thresholds, generator: { ...generator, verdict: 'starved', cause } }), 'junit')
  t.match(xml, /<failure message="p99 &#60; 5ms: it was 48.4 ms">40 of 3,947 requests failed: [^<]*\nThe generator waited 46 % of the time for a core\.<\/failure>/, 'and what was wrong beside it')
  t.equal(xml.split(cause).length, 2, 'and what passed says nothing')
})

t.test('Markdown and the page say that requests were late, although the rate was reached', async t => {
  const rate = { target: 2000, achieved: 1999.9, ratio: 1, sent: 10_000, late: 2853, unsent: 0, pace: 'even' }
  const said = '28.5 % of the requests were sent late (2,853 of 10,000): the server held all connections. Latency counts from the time they were due.'
  for (const format of /** @type {const} */ (['md', 'html'])) t.match(formatResult(exampleResult({ rate }), format), said)
})

t.test('the page has no chart of errors when there were none', async t => {
  const result = exampleResult()
  const good = { ...result, series: result.series.map((/** @type {any} */ point) => ({ ...point, errors: 0, non2xx: 0 })) }
  const bad = { ...good, series: good.series.map((/** @type {any} */ point, /** @type {number} */ i) => i === 3 ? { ...point, non2xx: 1 } : point) }
  t.notMatch(formatResult(good, 'html'), 'data-chart="errors"')
  const followed = { ...good, series: good.series.map((/** @type {any} */ point) => ({ ...point, non2xx: 4, redirects: 4 })) }
  t.notMatch(formatResult(followed, 'html'), 'data-chart="errors"', 'redirects that were followed are none')
  t.match(formatResult({ ...followed, series: [{ ...followed.series[0], redirects: 3 }] }, 'html'), 'data-chart="errors"', 'one that was not followed is')
  t.match(formatResult(good, 'html'), 'data-chart="generator"')
  t.match(formatResult(bad, 'html'), 'data-chart="errors"')
  t.match(formatResult(good, 'html', { baseline: bad }), 'data-chart="errors"', 'also when only the baseline had some')
})

t.test('Markdown marks percentiles of too few values', async t => {
  const few = exampleResult({ seconds: 1, perSecond: 50 })
  const lines = formatResult(few, 'md').split('\n')
  const { totalCount } = few.latency
  t.match(lines.find(line => line.startsWith('| ') && line.includes(' ms')), /^(\| [^*|]+ ){3}\| [^*|]+ ms\\\* \| [^*]+$/)
  t.ok(lines.includes(`> &#42; p99 of ${totalCount} values is the maximum: it needs 100 values.`))
  t.match(formatResult(few, 'html'), new RegExp(`<p class="note">\\* p99 of ${totalCount} values is the maximum: it needs 100 values\\.</p>`))
  t.notMatch(formatResult(exampleResult({ seconds: 1 }), 'md'), / ms\\\*/)
})

t.test('Markdown', async t => {
  golden(t, 'formats/result.md', formatResult(exampleResult(VERDICTS), 'md'))
  golden(t, 'formats/baseline.md', formatResult(exampleResult({ bad: 0, comparison: COMPARISON }), 'md', { baseline: exampleResult({ seed: 2, ms: 4, bad: 0 }) }))
  // There was no latency, and no check has passed.
  const unanswered = { count: 0, errors: 4, failures: 4, unexpected: 0, latency: exampleResult({ perSecond: 0 }).latency, ttfb: exampleResult({ perSecond: 0 }).latency, statusCodeStats: {}, checks: [{ name: 'expect', passed: 0, failed: 0, reasons: {}, samples: {} }] }
  const nothing = formatResult({ ...exampleResult({ perSecond: 0, checks: unanswered.checks }), byRequest: { login: unanswered } }, 'md')
  t.match(nothing, '| – | <code>expect</code> | 0 | 0 |')
  t.match(nothing, '| <code>login</code> | 0 | – | – | – | – | 4 | 4 |')
  golden(t, 'formats/nothing.md', formatResult(exampleResult({ perSecond: 0 }), 'md'))
})

t.test('Markdown, its summary and the page count the requests that were completed, not those that were sent', async t => {
  const requests = { ...exampleResult().requests, total: 1790, sent: 1800 }
  const some = exampleResult({ requests, options: { duration: 10 }, duration: 10.01, thresholds: [] })
  for (const text of [formatResult(some, 'md'), formatResult(some, 'html'), require('../../lib/report/markdown/result').toSummary(some)]) t.match(text, '1,790 of 1,800 requests completed in 10.01 s')
  const all = exampleResult({ requests: { ...requests, total: 1800 } })
  for (const format of ['md', 'html']) t.match(formatResult(all, format), ' 1,800 requests completed in 10 s')
})

t.test('Markdown keeps text as text', async t => {
  const text = formatResult(hostile(), 'md')
  t.notMatch(text, /<(?!code>|\/code>|!-- -->|br>)/, 'no other markup than its own')
  t.notMatch(text, /[^\\]@|[`*[\]]/, 'neither mentions nor links nor emphasis')
  t.notMatch(text, /^# head/m)
  const tables = text.split('\n\n').filter(part => part.startsWith('|'))
  t.equal(tables.length, 3)
  for (const table of tables) t.equal(new Set(table.split('\n').map(line => line.split('|').length)).size, 1, 'all rows have as many cells as the head')
})

t.test('CSV', async t => {
  golden(t, 'formats/result.csv', formatResult(exampleResult(VERDICTS), 'csv'))
  const [head, row, ...named] = cellsOf(formatResult(exampleResult(VERDICTS), 'csv'))
  const whole = Object.fromEntries(head.map((name, i) => [name, row[i]]))
  t.match(whole, { title: 'example', connections: '20', request: '', requests: '3925', '2xx': '3907', non2xx: '18', checks_failed: '22', latency_p50_ms: '7.031' })
  t.strictSame(named.map(cells => [cells[head.indexOf('request')], cells[head.indexOf('requests')], cells[head.indexOf('errors')]]), [['login', '1502', '3'], ['items', '2400', '16']])
  t.strictSame(new Set([row, ...named].map(({ length }) => length)), new Set([head.length]), 'all rows have all columns')
})

t.test('docs/reports.md describes each column of CSV once, and no other', async t => {
  const [, section] = /^## CSV$(.*?)^## /ms.exec(readFileSync(path.join(__dirname, '../../docs/reports.md'), 'utf8')) ?? []
  const described = [...section.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell]) => [...cell.matchAll(/`([\w*]+)`/g)].map(([, name]) => name))
  const [head] = cellsOf(formatResult(exampleResult({ seconds: 1 }), 'csv'))
  const patterns = described.map(name => new RegExp(`^${name.replace('*', '(average|stddev|min|max|p\\d+(_\\d+)?)')}${name.startsWith('server_') ? '(_max)?' : ''}$`))
  for (const column of head) t.equal(patterns.filter(pattern => pattern.test(column)).length, 1, column)
  for (const [i, pattern] of patterns.entries()) t.ok(head.some(column => pattern.test(column)), described[i])
})

t.test('CSV has no latency where nothing was measured, of the run as of a request', async t => {
  const result = exampleResult(VERDICTS)
  const nothing = { ...result.latency, totalCount: 0, average: 0, p50: 0, p99: 0, max: 0 }
  result.latency = nothing
  result.byRequest.login.latency = nothing
  const [head, ...rows] = cellsOf(formatResult(result, 'csv'))
  const of = (/** @type {string} */ start) => rows.map(row => new Set(row.filter((_, i) => head[i].startsWith(start))))
  t.strictSame(of('latency_').slice(0, 2), [new Set(['']), new Set([''])])
  for (const measured of [of('latency_')[2], ...of('ttfb_')]) t.notOk(measured.has(''))
})

t.test('CSV keeps text in its cell, and nothing becomes a formula', async t => {
  const [head, row] = cellsOf(formatResult(hostile(), 'csv'))
  t.equal(row.length, head.length)
  t.equal(row[0], printable(HOSTILE))
  t.equal(row[1], `'=HYPERLINK("http://evil") ${printable(HOSTILE)}`)
  for (const title of ['+1', '-1', '@sum']) t.equal(cellsOf(formatResult(exampleResult({ seconds: 1, title }), 'csv'))[1][0], "'" + title)
})

/**
 * Reads RFC 4180.
 * @param {string} text
 * @returns {string[][]}
 */
function cellsOf (text) {
  const rows = [['']]
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const row = rows[rows.length - 1]
    if (quoted && text[i] === '"' && text[i + 1] === '"') row[row.length - 1] += text[i++]
    else if (text[i] === '"') quoted = !quoted
    else if (!quoted && text[i] === ',') row.push('')
    else if (!quoted && text.startsWith('\r\n', i)) rows.push(['']) && i++
    else row[row.length - 1] += text[i]
  }
  return rows.slice(0, -1)
}

t.test('JUnit', async t => {
  golden(t, 'formats/result.xml', formatResult(exampleResult({ ...VERDICTS, comparison: COMPARISON }), 'junit'))
  golden(t, 'formats/interrupted.xml', formatResult(exampleResult({ thresholds: [{ expression: 'p99 < 1ms', actual: null, passed: null, unit: 'ms' }], checks: [{ name: 'expect', passed: 0, failed: 0, reasons: {}, samples: {} }] }), 'junit'))
  golden(t, 'formats/nothing.xml', formatResult(exampleResult({ perSecond: 0, errors: 4, errorCodes: { ECONNREFUSED: 4 } }), 'junit'))
})

t.test('what can\'t be told has passed in no format, and is no failure either', async t => {
  for (const [basis, runs] of /** @type {const} */ ([['samples', 1], ['pairs', 5]])) {
    const result = exampleResult({ bad: 0, comparison: { ...COMPARISON, basis, runs: { base: runs, new: runs }, limits: COMPARISON.limits.slice(1), notes: ['all of base ran before all of new'] } })
    const [md, html, junit] = ['md', 'html', 'junit'].map(format => formatResult(result, format))
    t.match(md, /^### ⚠️ example: avg \+5% is inconclusive: between −3\.0 % and \+9\.0 %\n/)
    t.match(md, '\n? <code>avg +5%</code>: between −3.0 % and +9.0 %\n')
    t.match(md, '> all of base ran before all of new')
    t.match(html, /class="hero warning"/)
    t.match(html, /<li><span class="mark unsure">.*\?.*<code>avg \+5%<\/code> between −3\.0 % and \+9\.0 %<\/li>/)
    t.match(html, 'All of base ran before all of new')
    t.match(junit, /<testsuites name="example" tests="2" failures="0" errors="0" skipped="1"/)
    t.match(junit, /name="avg \+5%"[^>]*>\n *<skipped message="inconclusive: between −3\.0 % and \+9\.0 %"\/>/)
    for (const text of [md, html.replace(/<(script|style)[^]*?<\/\1>/g, '')]) t.equal(/indication/i.test(text), basis === 'samples', basis)
    for (const text of [md, html]) t.notMatch(text, /The limit passed|all limits passed/i)
  }
})

t.test('checks that a threshold tolerates are no failure in any format', async t => {
  const result = exampleResult({ ...VERDICTS, thresholds: [{ expression: 'checks < 1%', metric: 'checks', actual: 0.005, passed: true, unit: 'share' }] })
  t.match(formatResult(result, 'md'), /^### ✅ example: The threshold passed; 40 of 3,947 requests failed\n/)
  t.match(formatResult(result, 'html'), '<span>The threshold passed; 40 of 3,947 requests failed</span>')
  t.match(formatResult(result, 'junit'), /<testsuites name="example" tests="5" failures="0"/)
})

t.test('JUnit is well-formed, whatever is in it', async t => {
  const text = formatResult(hostile(), 'junit')
  const open = []
  const rest = text.replace(/^<\?xml .*\?>\n/, '').replace(/<(\/?)([\w]+)((?: [\w]+="[^"<&]*(?:&#\d+;[^"<&]*)*")*)(\/?)>/g, (tag, end, name, attributes, empty) => {
    if (end === '/') t.equal(open.pop(), name)
    else if (empty === '') open.push(name)
    return ''
  })
  t.strictSame(open, [])
  t.notMatch(rest, /[<>]|&(?!#\d+;)/, 'nothing else is markup')
  // eslint-disable-next-line no-control-regex
  t.notMatch(text, /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/)
  t.match(text, /failures="2"/)
})

t.test('NDJSON has a line for each point of the series', async t => {
  const result = exampleResult({ seconds: 3 })
  const lines = formatResult(result, 'ndjson').trimEnd().split('\n').map(line => JSON.parse(line))
  t.equal(lines.length, 3)
  t.strictSame(lines.map(({ requests }) => requests), result.series.map(({ requests }) => requests))
  t.match(lines[1], { timestamp: '2026-11-21T10:00:02.000Z', time: 1000, length: 1000, rps: result.series[1].requests, bytesPerSecond: result.series[1].bytes, p99: result.series[1].p99, errorCodes: result.series[1].errorCodes })
  t.equal(formatResult(exampleResult({ seconds: 0 }), 'ndjson'), '')
})

t.test('JSON is one line, the result itself', async t => {
  const result = exampleResult()
  t.equal(formatResult(result, 'json'), JSON.stringify(result) + '\n')
})

t.test('every format takes a result that has travelled as JSON', async t => {
  const result = exampleResult(VERDICTS)
  const copy = JSON.parse(JSON.stringify(result))
  for (const format of FORMATS) {
    t.equal(formatResult(copy, format, { baseline: copy }), formatResult(result, format, { baseline: [result] }), format)
  }
})

t.test('what is no format or no result is told', async t => {
  t.throws(() => formatResult(exampleResult(), /** @type {any} */ ('pdf')), { code: 'AC_OPTIONS', message: `expected one of the formats ${FORMATS.join(', ')}, got 'pdf'` })
  t.throws(() => formatResult(/** @type {any} */ ({ format: 'autocannon-raw-2' }), 'md'), { code: 'AC_OPTIONS', message: /aggregateResult/ })
  t.throws(() => formatResult(/** @type {any} */ (undefined), 'html'), { code: 'AC_OPTIONS', message: /expected a result/ })
  t.throws(() => formatResult(exampleResult(), /** @type {any} */ ('constructor')), { code: 'AC_OPTIONS' })
})

t.test('the ending of a file says its format', async t => {
  t.strictSame(['a.json', 'b/c.csv', 'd.MD', '/e.html', 'f.ndjson', 'g.txt', 'json', 'h.junit'].map(formatOf), ['json', 'csv', 'md', 'html', 'ndjson', undefined, undefined, undefined])
  for (const ending of ENDINGS) t.doesNotThrow(() => formatResult(exampleResult({ seconds: 1 }), /** @type {any} */ (ending)))
})

t.test('a result of autocannon 9 is shown with what it has, alone and as a baseline', async t => {
  const old = require('../fixtures/results/autocannon-9.json')
  const { statusCodeStats, ...bare } = old
  for (const result of [old, bare]) {
    for (const format of FORMATS.filter(format => format !== 'json')) {
      const text = formatResult(result, format).replace(/<(script|style)[^]*?<\/\1>/g, '')
      t.notMatch(text, /undefined|NaN|\bnull\b/, format)
    }
  }
  t.match(formatResult(old, 'md'), /\| 583 \| 6\.00 ms \| – \| 14\.0 ms \| 22\.0 ms \| – \| 78\.1 kB\/s \|/, 'it has no p95 and no failures')
  t.match(formatResult(old, 'html'), /<dt>p95<\/dt><dd><span class="number">–<\/span>/)
  t.match(formatResult(old, 'html'), 'This result has none.', 'errors by code')
  const now = exampleResult()
  const comparison = compareResults(old, now, { failIf: ['p95 +10%', 'failure rate +1%'] })
  t.match(comparison.metrics.find(({ metric }) => metric === 'p95'), { base: null, difference: null, verdict: 'unknown' })
  t.strictSame(comparison.limits.map(({ passed, reason }) => [passed, reason]), Array(2).fill([false, 'nothing was measured']))
  for (const format of ['md', 'html']) {
    const text = formatResult({ ...now, comparison }, format, { baseline: old }).replace(/<(script|style)[^]*?<\/\1>/g, '')
    t.notMatch(text, /undefined|NaN/, `${format} with it as a baseline`)
    t.notMatch(text, /from 0 ms|\| 0 ms/, 'a missing p95 is not 0 ms')
  }
})

t.test('over HTTP/2 a depth is one of streams, in Markdown and on the page', async t => {
  for (const [http, pipelining, words] of /** @type {const} */ ([['2', 10, 'HTTP/2, 10 streams per connection'], ['2', 1, 'HTTP/2'], ['1.1', 10, 'pipelining 10']])) {
    const result = { ...exampleResult({ seconds: 1 }), http, pipelining }
    for (const format of ['md', 'html']) t.ok(formatResult(result, format).includes(` · ${words} · `), `${format}: ${words}`)
  }
})

t.test('a run with failures says why they do not change the exit code; one without a response has another code', async t => {
  const { toSummary } = require('../../lib/report/markdown/result')
  const note = 'No threshold was given, so failures do not change the exit code.'
  const some = exampleResult({ thresholds: [], failures: 40, unexpected: 18, errors: 22 })
  const none = { ...some, requests: { ...some.requests, total: 0, sent: 0 } }
  const held = exampleResult({ thresholds: [{ expression: 'p99 < 5s', actual: 1, passed: true, unit: 'ms' }], failures: 40 })
  for (const [result, isSaid] of [[some, true], [none, false], [held, false]]) {
    for (const text of [toSummary(result), formatResult(result, 'md')]) t.equal(text.includes(note), isSaid)
  }
})
