'use strict'

// The stages of a run in every report, byte by byte: test/golden has a file of each. UPDATE_GOLDEN=1 writes them anew; read the diff.

const t = require('tap')
const { PassThrough } = require('node:stream')
const { formatResult, printResult } = require('../../..')
const { stagedResult } = require('../../helpers/results/staged-result')
const { golden } = require('../../helpers/results/golden')

/** 400 requests per second at the most: the peak is too much. */
const RATES = ['0s:100/s', '3s:100/s', 'peak=4s:700/s', '0s:100/s', '3s:100/s']
const rates = stagedResult({ stages: RATES }, { thresholds: ['stage 1: p99 < 80ms', 'peak: p99 < 80ms', 'stage 3: rate ratio > 99%'] })
const connections = stagedResult({ stages: ['3s:20', '0s:50', '3s:50', '2s:5'], connections: undefined })

/** @param {Record<string, any>} result */
const text = result => printResult(result, { outputStream: new PassThrough() })

t.test('the text has a row for each, within 80 columns, and says why a stage did not come to its target', async t => {
  golden(t, 'stages/rates.txt', text(rates))
  golden(t, 'stages/connections.txt', text(connections))
  const long = stagedResult({ stages: ['0s:99999/s', `${'x'.repeat(60)}=100ms:99999/s`] })
  for (const result of [rates, connections, long]) t.ok(text(result).split('\n').filter(line => /^[│┌]/.test(line)).every(line => line.length <= 80))
})

t.test('Markdown, CSV, JUnit and lines of JSON have them, too', async t => {
  golden(t, 'stages/rates.md', formatResult(rates, 'md'))
  golden(t, 'stages/connections.md', formatResult(connections, 'md'))
  golden(t, 'stages/rates.csv', formatResult(rates, 'csv'))
  golden(t, 'stages/rates.xml', formatResult(rates, 'junit'))
  const points = formatResult(rates, 'ndjson').trim().split('\n').map(line => JSON.parse(line))
  t.strictSame(points.map(({ rps, target, connections }) => [rps, target, connections]).slice(3, 8), [[174, 175, 50], [323, 325, 50], [400, 475, 50], [400, 625, 50], [400, 100, 50]])
})

t.test('of many stages the tables for people have the first 50, the text 20 of them unless it is verbose, and CSV has all', async t => {
  const many = { ...rates, byStage: Array.from({ length: 120 }, () => rates.byStage[0]) }
  t.match(text(many), /\b20\b.*100 req\/s[^]*\n30 more stages are shown with --verbose\.\n/)
  t.notMatch(text(many), /^. 21\b.*100\/s/m)
  for (const shown of [printResult(many, { outputStream: new PassThrough(), verbose: true }), formatResult(many, 'md')]) {
    t.match(shown, /There are 70 more stages: JSON, CSV and the page have all\./)
    t.match(shown, /\b50\b.*100 req\/s/)
    t.notMatch(shown, /^. (<code>)?51\b.*100\/s/m)
  }
  t.equal(formatResult(many, 'csv').trim().split('\n').length, 1 + 1 + 120)
})

t.test('who is to blame', async t => {
  const notes = (/** @type {Record<string, any>} */ result) => text(result).match(/^Stage .*$|^.*more stages? did not.*$|^The run ended before.*$/gm)
  t.strictSame(notes(rates), ['Stage 2 (peak) did not come to its target: 337 of 400 req/s were sent in it, because the server held all connections.'])
  t.strictSame(notes(stagedResult({ stages: RATES }, { starved: true })), ['Stage 2 (peak) did not come to its target: 337 of 400 req/s were sent in it, because the load generator had a high CPU wait.'])
  const much = stagedResult({ stages: ['0s:1200/s', '2s:1200/s'] }, { starved: true })
  t.strictSame(notes(much), ['Stage 1 did not come to its target: 423 of 1,200 req/s were sent in it, because the server held all connections.'], 'a generator that is starved half of the time explains no more than half of it')
  const few = connections.byStage.map(stage => ({ ...stage, connections: 3 }))
  t.strictSame(notes({ ...connections, byStage: few }), [
    'Stage 1 did not come to its target: 3 of 20 connections were open at the end of it, because the server did not take more.',
    'Stage 2 did not come to its target: 3 of 50 connections were open at the end of it, because the server did not take more.'
  ])
  const because = (/** @type {Record<string, any>} */ result, stage = {}, run = {}) => notes({ ...result, ...run, byStage: result.byStage.slice(0, 1).map(one => ({ ...one, ...stage })) })?.[0].replace(/.* in it, |.* end of it, /, '')
  const generator = { ...connections.byStage[0].generator, verdict: 'starved', cpu: 0.9, runDelayMs: 2900 }
  const refused = { errors: 43, errorCodes: { ECONNREFUSED: 40, EPIPE: 3 } }
  t.equal(because(connections, { connections: 3, generator }), 'because the load generator had a high CPU wait.')
  t.equal(because(connections, { connections: 3, generator, ...refused }), 'because connecting failed: 40 ECONNREFUSED (nothing listens at that address).', 'a generator that waits does not refuse connections')
  t.equal(because(connections, { connections: 3, ...refused, errors: 16 }), 'because the server did not take more.', 'fewer attempts failed than connections are missing')
  t.equal(because(connections, { connections: 3, ...refused, fates: { ...connections.byStage[0].fates, failed: 40 } }), 'because the server did not take more.', 'what failed were requests')
  t.equal(because(connections, { connections: 3, generator }, { errorCodes: { EMFILE: 17 } }), 'because this machine has no more for this process: 17 EMFILE (this process has no free file descriptor).', 'they have waited since an earlier stage')
  const { rate, fates } = rates.byStage[0]
  const dead = { ...refused, rate: { ...rate, ratio: 0, achieved: 0, sent: 0, unsent: 300 }, fates: { ...fates, sent: 0 } }
  t.equal(because(rates, { ...dead, generator }), 'because connecting failed: 40 ECONNREFUSED (nothing listens at that address).')
  t.equal(because(rates, { ...dead, generator, fates }), 'because the load generator had a high CPU wait.', 'some were sent')
  t.strictSame(notes(stagedResult({ stages: RATES }, { until: 2.5 })), ['The run ended before stage 2 (peak).'])
  const ramp = stagedResult({ stages: ['10s:100'], connections: undefined }, { until: 3 })
  t.equal(ramp.byStage[0].connections < 40, true)
  t.equal(notes(ramp), null, 'a ramp that the user ended has not missed its end')
  t.match(notes({ ...ramp, byStage: [{ ...ramp.byStage[0], connections: 5 }] }), ['Stage 1 did not come to its target: 5 of 2'], 'unless it was behind')
  const all = stagedResult({ stages: ['1s:900/s', '1s:900/s', '1s:900/s', '1s:900/s', '1s:900/s'] })
  t.equal(notes(all).at(-1), '2 more stages did not come to their targets.')
})

t.test('names of stages are foreign text', async t => {
  const name = '<img src=x>|`*\u001b[31m'
  const byStage = rates.byStage.map(stage => ({ ...stage, name }))
  const [html, md] = ['html', 'md'].map(format => formatResult({ ...rates, byStage }, format))
  t.notMatch(html, '<img')
  t.notMatch(md, '<img')
  t.notMatch(text({ ...rates, byStage }), '\u001b[31m')
})
