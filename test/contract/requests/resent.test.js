'use strict'

// A server that destroys connections which are in use makes no errors, because requests are sent again. Each report has their number, and a warning.

const t = require('tap')
const { readFileSync } = require('node:fs')
const path = require('node:path')
const autocannon = require('../../..')
const { overHttp1 } = require('../modes')
const { cli } = require('../../helpers/processes/cli')
const { conserves } = require('../../helpers/results/conservation')
const { rawServer, answer } = require('../../helpers/servers/raw-server')

/** Destroys each connection at its 50th request, without a response. */
const everyFiftieth = (/** @type {any} */ connection, /** @type {any} */ { index }) => index === 49 ? connection.end() : connection.send(answer('ok'))

/** One connection: 9 of 490 requests come at the wrong time. */
const OPTIONS = { connections: 1, amount: 490 }
const SENTENCE = '1.8 % of the requests were sent again (9 of 490), because the server closed connections that were in use'

t.test('it is a metric', async t => {
  const server = await rawServer(t, everyFiftieth)
  const result = await autocannon({ url: server.url, ...OPTIONS, sampleInt: 100, thresholds: ['failures == 0', 'resent == 0', 'resent <= 9', 'resent < 1%', 'resent rate <= 2 %'] })
  t.strictSame(result.thresholds.map(({ metric, actual, passed, unit }) => [metric, actual, passed, unit]), [
    ['failures', 0, true, 'count'],
    ['resent', 9, false, 'count'],
    ['resent', 9, true, 'count'],
    ['resent', 9 / 490, false, 'share'],
    ['resent rate', 9 / 490, true, 'share']
  ])
  t.match(result, { resent: 9, errors: 0, failures: 0, fates: { sent: 490, completed: 490 } })
  t.equal(result.series.reduce((sum, { resent }) => sum + resent, 0), 9, 'each is in a point of the series')
  conserves(t, result, { arrived: server.requests.length })
})

t.test('abortOn ends the run', async t => {
  const server = await rawServer(t, everyFiftieth)
  const result = await autocannon({ url: server.url, connections: 1, duration: 30, sampleInt: 100, thresholds: [{ threshold: 'resent < 5', abortOn: true }] })
  t.match(result.thresholds, [{ expression: 'resent < 5', passed: false, aborted: true }])
  t.ok(result.duration < 30)
  conserves(t, result)
})

t.test('parts of a run do not have it', async t => {
  for (const part of ['login', 'stage 1', 'scenario a', 'iterations']) {
    await t.rejects(autocannon({ url: 'http://127.0.0.1:1', thresholds: [`${part}: resent == 0`] }), /resent is not counted by/, part)
  }
})

t.test('what skipFirst leaves out has its own', async t => {
  const server = await rawServer(t, everyFiftieth)
  const result = await autocannon({ url: server.url, connections: 1, duration: 0.6, skipFirst: 0.3 })
  for (const [resent, sent] of [[result.skipped.resent, result.skipped.requests], [result.resent, result.requests.sent]]) t.ok(resent > 0 || sent < 50, `${resent} of ${sent}`)
  const written = result.skipped.requests + result.skipped.resent + result.requests.sent + result.resent
  t.ok([0, 1].includes(written - server.requests.length), 'the last request may not have arrived')
})

t.test('raw results add up', async t => {
  const server = await rawServer(t, everyFiftieth)
  const raws = [await autocannon({ url: server.url, ...OPTIONS, skipAggregateResult: true }), await autocannon({ url: server.url, ...OPTIONS, skipAggregateResult: true })]
  // They went on one after the other.
  raws[1].start = raws[0].start
  const merged = autocannon.aggregateResult(JSON.parse(JSON.stringify(raws)), { thresholds: ['resent == 18'] })
  t.match(merged, { resent: 18, thresholds: [{ passed: true }] })
})

overHttp1(t, 'generators add up', async (t, mode) => {
  const server = await rawServer(t, everyFiftieth)
  const result = await mode.run({ url: server.url, amount: 980 })
  t.equal(result.resent, 18)
  conserves(t, result, { arrived: server.requests.length })
})

t.test('it is in every report', async t => {
  const server = await rawServer(t, everyFiftieth)
  const folder = t.testdir()
  const at = (/** @type {string} */ name) => path.join(folder, name)
  const outputs = ['html', 'md', 'csv', 'ndjson', 'json'].flatMap(ending => ['-o', at(`x.${ending}`)])
  const { code, stderr } = await cli(['-c', '1', '-a', '490', ...outputs, '--junit', at('x.xml'), '--threshold', 'failures == 0', server.url])
  const text = (/** @type {string} */ ending) => readFileSync(at(`x.${ending}`), 'utf8')
  t.equal(code, 0)
  t.match(stderr, `\n${SENTENCE}\n`)
  t.match(stderr, `! Passed, exit code 0: the threshold passed; ${SENTENCE}`)
  t.match(text('md'), `### ⚠️ The threshold passed; ${SENTENCE}`)
  t.match(text('html'), `The threshold passed; ${SENTENCE}`)
  t.match(text('xml'), `<system-out>${SENTENCE}.`)
  const [head, row] = text('csv').split('\r\n').map(line => line.split(','))
  t.equal(row[head.indexOf('resent')], '9')
  t.equal(text('ndjson').trim().split('\n').reduce((sum, line) => sum + JSON.parse(line).resent, 0), 9)
  t.equal(JSON.parse(text('json')).resent, 9)
})

t.test('the command line fails by it', async t => {
  const server = await rawServer(t, everyFiftieth)
  const { code, stderr } = await cli(['-c', '1', '-a', '490', '--threshold', 'resent rate < 0.1%', server.url])
  t.equal(code, 3)
  t.match(stderr, 'resent rate < 0.1% failed: it was 1.8 %')
})
