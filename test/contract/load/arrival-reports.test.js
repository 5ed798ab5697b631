'use strict'

// What results and reports say of when the kernel received responses, and how late they were read.

const t = require('tap')
const autocannon = require('../../..')
const { serverThread } = require('../../helpers/servers/server-thread')
const { load } = require('../../../lib/net/sockets/binding')

t.test('how late responses were read is in every report, merged over threads, runs and steps', { skip: load().binding === null && 'there is no add-on' }, async t => {
  const url = await serverThread(t)
  // The kernel switches stamps on a little after the first socket asks.
  const counts = ({ clock, requests }) => [clock.arrival > 0, clock.late.totalCount === Math.round(clock.arrival * requests.total)]
  const result = await autocannon({ url, connections: 4, amount: 400, workers: 2, thresholds: ['read late p99 < 10s', 'read late p50 > 1s'] })
  t.match(result.thresholds, [{ passed: true, actual: result.clock.late.p99, unit: 'ms' }, { passed: false }])
  t.ok(result.series.some(({ readLate }) => readLate > 0))
  const sentence = /(Latency|For [\d.]+ % of the responses, latency) ends when the kernel receives the response/
  for (const format of ['md', 'html', 'junit']) t.match(autocannon.formatResult(result, format), sentence, format)
  const [head, row] = autocannon.formatResult(result, 'csv').split('\r\n').map(line => line.split(','))
  t.equal(row[head.indexOf('read_late_p99_ms')], `${result.clock.late.p99}`)
  t.equal(row[head.indexOf('arrival_share')], `${result.clock.arrival}`)
  // The first sample of a busy machine may have no response.
  const lines = autocannon.formatResult(result, 'ndjson').trim().split('\n').map(line => JSON.parse(line))
  t.ok(lines.some(({ readLate }) => readLate > 0))
  t.strictSame(counts(result), [true, true], 'threads')
  const raw = [1, 2].map(() => autocannon({ url, connections: 2, amount: 50, skipAggregateResult: true }))
  const merged = autocannon.aggregateResult(JSON.parse(JSON.stringify(await Promise.all(raw))))
  t.strictSame([...counts(merged), merged.requests.total], [true, true, 100], 'raw results, by way of JSON')
  const search = await autocannon.find({ url, from: 100, to: 200, step: 0.5, thresholds: 'p90 < 1s' })
  t.strictSame(counts(search), [true, true], 'the steps of a search')
  t.match(autocannon.printResult(search), sentence)
})

t.test('where no arrival would be known, a threshold on it is refused', async t => {
  for (const [option, value, why] of [['sockets', 'node', 'the sockets of Node.js do not report'], ['clock', 'read', 'with clock read the arrival of a response is not measured'], ['client', 'undici', 'undici does not report']]) {
    await t.rejects(autocannon({ url: 'http://127.0.0.1:1', thresholds: 'read late p99 < 1', [option]: value }), new RegExp(`thresholds: 'read late p99 < 1': ${why}`))
  }
})
