'use strict'

// The iterations of users in every report, byte by byte: test/golden has a file of each. UPDATE_GOLDEN=1 writes them anew; read the diff.

const t = require('tap')
const { PassThrough } = require('node:stream')
const { formatResult, printResult } = require('../..')
const { Lines } = require('../../lib/follow/lines')
const { banner } = require('../../lib/follow/terminal')
const { FORMAT } = require('../../lib/report/formats/ndjson')
const { judge } = require('../../lib/judge/judge')
const { parseThreshold } = require('../../lib/judge/threshold')
const { conserves } = require('../helpers/results/conservation')
const { exampleResult, exampleIterations } = require('../helpers/results/example-result')
const { golden } = require('../helpers/results/golden')

const example = exampleResult({ bad: 0 })
const some = { ...example, ...exampleIterations() }
const shop = { ...some, thresholds: judge(['scenario checkout: p95 < 29s', 'scenario browse: completed > 99%', 'iterations/s > 50'].map(parseThreshold), some) }

/**
 * @param {Record<string, any>} result
 * @param {number} [columns]
 * @param {Record<string, any>} [options]
 */
const text = (result, columns, options) => printResult(result, { outputStream: Object.assign(new PassThrough(), { columns }), ...options })

t.test('the text has a row for each scenario, within 80 columns, and says how many iterations there were and why some were aborted', async t => {
  golden(t, 'scenarios/shop.txt', text(shop))
  golden(t, 'scenarios/verbose.txt', text(shop, 80, { verbose: true }))
  golden(t, 'scenarios/wide.txt', text({ ...example, ...exampleIterations({ rate: 130 }) }, 160, { verbose: true }))
  golden(t, 'scenarios/unnamed.txt', text({ ...example, ...exampleIterations({ scenarios: [] }) }))
  const long = { ...shop, byScenario: { ['x'.repeat(70)]: { ...shop.byScenario.browse, cutBy: { ['capture ' + 'y'.repeat(60)]: 3 }, started: 1e12 }, b: shop.byScenario.browse } }
  for (const result of [shop, long]) for (const verbose of [true, false]) t.ok(text(result, 80, { verbose }).split('\n').filter(line => /^[│┌]/.test(line)).every(line => line.length <= 80))
})

t.test('a scenario with a rate of its own has how far it was kept, and the note says whose was not', async t => {
  const own = { ...example, ...exampleIterations({ rate: 130, rates: [null, 130] }) }
  golden(t, 'scenarios/rates.txt', text(own, 80, { verbose: true }))
  golden(t, 'scenarios/rates.md', formatResult(own, 'md'))
  const both = { ...own, byScenario: { browse: { ...own.byScenario.browse, target: 20, achieved: 20, due: 0, waited: 0, neverStarted: 0, wait: own.iterations.wait }, checkout: own.byScenario.checkout } }
  t.match(text(both, 200), /100 of 130 iterations\/s of checkout started\. 40 iterations waited for a free connection, .*\. 12 iterations never started\. More connections run more iterations at once/)
  t.notMatch(text(both, 200), /iterations\/s of browse/)
  t.match(formatResult(own, 'html'), /<th[^>]*>Never started/)
  t.match(formatResult(own, 'csv').split('\r\n').find(line => line.includes(',checkout,')), /,130,100,1012,40,12,/)
})

t.test('the head says which load each scenario has of its own', async t => {
  const scenarios = [{ name: 'browse', stages: ['30s:200', { duration: 60, rate: '5 iterations/s' }], connections: 20 }, { name: 'buy', rate: '2 iterations/s' }, { name: 'other' }, { name: 'import', connections: 1 }, { name: 'all', rate: 5 }]
  const lines = ['browse: stages 30s:200, 60s:5 iterations/s, 20 connections', 'buy: 2 iterations/s', 'import: 1 connection', 'all: 5 req/s']
  t.ok(banner({ url: 'http://a', connections: 31, pipelining: 1, duration: 90, scenarios }).endsWith(lines.join('\n')))
  const own = { ...shop, options: { scenarios } }
  t.match(formatResult(own, 'md'), ' · browse: stages 30s:200, 60s:5 iterations/s, 20 connections · buy: 2 iterations/s · import: 1 connection · all: 5 req/s · ')
  t.match(formatResult(own, 'html'), 'buy: 2 iterations/s')
  t.match(banner({ url: 'http://a', connections: 8, pipelining: 1, duration: 90, scenarios: Array.from({ length: 8 }, (_, i) => ({ name: `s${i}`, connections: 1 })) }), /\n3 more scenarios with their own load$/)
})

t.test('a run with user scenarios has its verdict on one screen: the result, thresholds, one table and errors; --verbose has all tables below them', async t => {
  const { latency } = example
  const part = { count: 10, failures: 0, errors: 0, latency, ttfb: latency, statusCodeStats: {}, checks: [] }
  const byRequest = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`request ${i + 1}`, { ...part, failures: i === 29 ? 3 : 0 }]))
  const many = { ...shop, byRequest, errors: 3, failures: 3, errorCodes: { AC_TIMEOUT: 3 } }
  const short = text(many)
  t.ok(short.split('\n').length <= 46, 'a terminal of 80 x 50 shows the banner, too')
  t.equal(short.match(/┌/g)?.length, 2, 'the thresholds, and one table')
  t.match(short, /^\n.* iterations\/s · .*\n\n┌───┬[^]*│ Part of the run [^]*│ scenario browse [^]*│ request 1 [^]*\n12 more parts are shown with --verbose\.\n[^]*\n3 errors:\n/)
  t.match(short, /│ request 17 +│[^]*│ request 30 +│ 10 +│ 3 /, 'a part with failures has a row')
  t.notMatch(short, /│ (Latency|Req\/Sec|Stat|request 18)/)
  const long = text(many, 80, { verbose: true })
  t.match(long, /^\n.* iterations\/s · .*\n\n┌───┬[^]*│ ✗ │ scenario checkout[^]*\n3 errors:\n[^]*│ Latency [^]*│ Req\/Sec [^]*│ request 30 [^]*│ Scenario /)
  t.notMatch(long, '--verbose')
  t.match(text(many, 80, { renderRequestTable: true }), /│ Request /, 'what is asked for is there')
  t.notMatch(text(many, 80, { renderResultsTable: false }), 'Part of the run', 'and what is not wanted is not')
  const old = { ...shop, byRequest: { a: { ...part, failures: undefined } }, iterations: { ...shop.iterations }, byScenario: {} }
  t.match(text(old), /│ iterations +│[^]*│ a +│ 10 +│ – /)
})

t.test('failures of requests without a name have a row, where iterations completed in spite of them', async t => {
  const { latency } = example
  const named = { a: { count: 10, failures: 0, errors: 0, latency, ttfb: latency, statusCodeStats: {}, checks: [] } }
  const failed = { ...shop, byRequest: undefined, failures: 7, redirects: undefined, retries: undefined }
  t.match(text(failed), /│ scenario checkout +│[^\n]*\n│ all requests +│ 3,947 +│ 7 /)
  t.match(text({ ...failed, byRequest: named, redirects: 3 }), /│ a +│ 10 +│ 0 [^\n]*\n│ all requests +│ 3,947 +│ 7 /, 'with redirects it is unknown how many had no name')
  t.match(text({ ...failed, byRequest: named, retries: 3 }), /│ all requests +│ 3,947 +│ 7 /)
  t.match(text({ ...failed, byRequest: named }), /│ requests without a[^│]*│ [0-9,]+ +│ 7 /)
  for (const result of [{ ...failed, byRequest: named }, { ...failed, failures: 0 }, { ...failed, failures: undefined }]) t.notMatch(text(result), 'all requests')
})

t.test('of many requests the text has 20, those with failures among them, and with --verbose all', async t => {
  const { latency } = example
  const part = { count: 10, failures: 0, errors: 0, latency, ttfb: latency, statusCodeStats: {}, checks: [] }
  const byRequest = Object.fromEntries(Array.from({ length: 22 }, (_, i) => [`request ${i + 1}`, { ...part, failures: i === 21 ? 3 : 0 }]))
  t.match(text({ ...example, byRequest }), /│ request 19 +│[^]*│ request 22 +│[^]*\n3 more requests are shown with --verbose\.\n/)
  t.notMatch(text({ ...example, byRequest }), /│ request 2[01] /)
  t.match(text({ ...example, byRequest }, 80, { verbose: true }), /│ request 20 +│[^]*│ request 22 +│/)
})

t.test('Markdown, CSV and JUnit have them, too', async t => {
  golden(t, 'scenarios/shop.md', formatResult(shop, 'md'))
  golden(t, 'scenarios/shop.csv', formatResult(shop, 'csv'))
  golden(t, 'scenarios/shop.xml', formatResult(shop, 'junit'))
})

t.test('the page has a table of the scenarios and the distribution of each', async t => {
  const page = formatResult(shop, 'html', { baseline: shop })
  const section = /<section aria-labelledby="scenarios">.*?<\/section>/s.exec(page)?.[0] ?? ''
  t.match(section, /<strong>browse<\/strong>/)
  t.match(section, '<p class="note">browse was aborted by capture token 18, AC_TIMEOUT 8.</p>')
  t.match(section, /data-chart="iterations-0".*Duration of an iteration: browse.*data-chart="iterations-1".*Duration of an iteration: checkout/s)
  const charts = JSON.parse(/<script type="application\/json" id="charts">(.*?)<\/script>/s.exec(page)?.[1] ?? '[]')
  const [browse] = charts.filter((/** @type {any} */ { id }) => id === 'iterations-0')
  t.equal(browse.runs.length, 2, 'with the baseline')
  t.ok(Math.abs(browse.runs[0][1].reduce((/** @type {number} */ sum, /** @type {number} */ share) => sum + share, 0) - 100) < 1)
  t.notMatch(formatResult(example, 'html'), 'aria-labelledby="scenarios"')
  const nothing = { ...shop.byScenario.browse, completed: 0, duration: { totalCount: 0 }, active: { totalCount: 0 } }
  t.match(formatResult({ ...shop, byScenario: { browse: nothing } }, 'html'), /<section aria-labelledby="scenarios">/)
})

t.test('a run without users has nothing of them', async t => {
  for (const shown of [text(example), ...['md', 'junit'].map(format => formatResult(example, format))]) t.notMatch(shown, /\bround(s|\b)|[Ss]cenario/)
})

t.test('few reasons are named, and of the rest how many there are', async t => {
  const cutBy = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`capture v${i}`, 9 - i]))
  t.match(text({ ...shop, iterations: { ...shop.iterations, cut: 45, cutBy } }), /aborted \(\S+ %\): capture v0 9, capture\s+v1 8, capture v2 7, capture v3 6, capture v4 5 and 4 more reasons\./)
})

t.test('redirects that were not followed are reported with the option that follows them', async t => {
  const statuses = { 200: { count: 500 }, 302: { count: 400 }, 304: { count: 100 } }
  const note = (/** @type {Record<string, any>} */ changes) => text({ ...example, requests: { ...example.requests, total: 1000 }, statusCodeStats: statuses, ...changes }, 1000).split('\n').filter(line => /redirect/.test(line))
  t.strictSame(note({}), ['400 responses were redirects: redirects are not followed; --redirects 5 follows them.'])
  t.strictSame(note({ redirects: 400, iterations: shop.iterations }), ['400 redirects followed'])
  t.strictSame(note({ redirects: 390, iterations: shop.iterations, checks: undefined }), ['390 redirects followed', '10 redirects were not followed: there were more in a row than --redirects allows, or they led to another origin.'])
  const refused = (/** @type {Record<string, number>} */ reasons) => [{ name: 'redirect', passed: 0, failed: Object.values(reasons).reduce((sum, n) => sum + n, 0), reasons, samples: {} }]
  t.strictSame(note({ redirects: 390, iterations: shop.iterations, checks: [] }), ['390 redirects followed'], 'the end of a run leaves the last ones')
  t.strictSame(note({ redirects: 390, iterations: shop.iterations, checks: refused({ 'more than 3 redirects': 1 }) }), ['390 redirects followed', '1 redirect was not followed: more than 3 redirects.'])
  t.strictSame(note({ redirects: 390, iterations: shop.iterations, checks: refused({ a: 1, b: 3, c: 2, d: 1, e: 1 }) })[1], '8 redirects were not followed: b (3), c (2), a (1) and 2 more reasons.')
  t.strictSame(note({ statusCodeStats: { 301: { count: 1000 } } }), ['Every response was a redirect, and redirects are not followed: benchmark the address that it leads to, or follow them with --redirects 5.'])
})

t.test('names of scenarios and reasons are foreign text', async t => {
  const name = '<img src=x>|`*\u001b[31m'
  const iterations = { ...shop.byScenario.browse, cutBy: { [`=cmd|' /C calc'!A0 ${name}`]: 3 } }
  const hostile = { ...shop, byScenario: { [name]: iterations, '=1+1': iterations }, iterations: { ...iterations, cutBy: iterations.cutBy } }
  const [html, md, csv, junit] = ['html', 'md', 'csv', 'junit'].map(format => formatResult(hostile, format))
  for (const shown of [html, md, junit]) t.notMatch(shown, '<img')
  t.notMatch(text(hostile), '\u001b[31m')
  t.match(csv, /,'=1\+1,/)
  t.match(csv, /,'=cmd\|/)
  t.notMatch(csv, /(^|,)"?=/m)
})

t.test('the lines of a run end with its iterations', async t => {
  const lines = formatResult(shop, 'ndjson').trim().split('\n').map(line => JSON.parse(line))
  t.equal(lines.length, shop.series.length + 1)
  const { iterations, byScenario, redirects, retries, timestamp, ...others } = lines.at(-1)
  t.match({ iterations, byScenario, redirects, retries, timestamp, others }, { iterations: { started: 1000, duration: { totalCount: 951 } }, byScenario: { checkout: { started: 100 } }, redirects: 310, retries: 4, timestamp: '2026-11-21T10:00:10.000Z', others: {} })
  t.notMatch(JSON.stringify(lines.at(-1)), 'histogram')
  const written = []
  const follower = new Lines({ write: text => written.push(text) }, FORMAT.line, FORMAT.last)
  for (const result of [shop, example, { format: 'a raw result' }]) follower.done(result)
  t.strictSame(written.map(line => JSON.parse(line)), [lines.at(-1)], 'also where they are written while it goes on')
})

t.test('the examples obey the law that every run does', async t => {
  const singles = { slowest: new Array(20).fill({ total: example.latency.max }), firstFailures: new Array(9).fill({}) }
  for (const scenarios of [['browse', 'checkout'], []]) conserves(t, { ...example, ...singles, ...exampleIterations({ scenarios }), errorCodes: { AC_TIMEOUT: 9 }, errors: 9, failures: 9, fates: { ...example.fates, sent: example.fates.sent + 9, failed: 9 }, requests: { ...example.requests, sent: example.requests.sent + 9 } })
})

t.test('redirects that were followed are no news', async t => {
  const followed = { ...example, ...exampleIterations(), non2xx: 310, statusCodeStats: { 200: { count: 3637 }, 302: { count: 310 } } }
  t.match(formatResult(followed, 'md'), /^### ✅ example: 3,947 requests completed, no failures/)
  t.match(formatResult({ ...followed, non2xx: 317 }, 'md'), /^### ⚠️ example: 7 responses other than 2xx/)
  t.notOk('note' in judge([parseThreshold('errors == 0')], followed)[0])
  t.match(judge([parseThreshold('errors == 0')], { ...followed, redirects: 300 })[0].note, /^errors are requests without a response: 10 of 3,947 responses were other than 2xx/)
})

t.test('groups are parts of the run, of which the text has 20 unless it is verbose', async t => {
  const duration = example.latency
  const groups = n => Object.fromEntries(Array.from({ length: n }, (_, i) => [`checkout ${i}`, { count: 100 + i, perSecond: 10, duration }]))
  t.match(text({ ...shop, groups: groups(1) }), /^│ group checkout 0 +│ 100 +│ – +│/m)
  const many = { ...shop, groups: groups(101) }
  t.match(text(many), /^│ group checkout 17 .*\n└.*\n[^]*^83 more parts are shown with --verbose\.$/m)
  t.notMatch(text(many), 'checkout 18')
  t.match(text(many, 80, { verbose: true }), /^│ checkout 100 /m)
  // Without scenarios and names there is no table of parts.
  const alone = { ...example, byRequest: undefined, groups: groups(101) }
  t.match(text(alone), /^│ checkout 19 .*\n└.*\n81 more groups are shown with --verbose\.$/m)
  t.notMatch(text(alone), 'checkout 20')
  t.match(formatResult(many, 'md'), 'checkout 100')
})
