'use strict'

// The latency of a response ends when the kernel received it: what keeps this thread from reading it is no latency of the server.
//
// Run alone: it compares what a blocked thread saw with what it would have seen otherwise.

const t = require('tap')
const { once } = require('node:events')
const { Worker } = require('node:worker_threads')
const autocannon = require('../..')
const { conserves } = require('../helpers/conservation')
const { load } = require('../../lib/net/sockets/binding')

// In a thread of its own, so that it responds while this one is blocked.
const SERVER = `
  const { createServer } = require('node:http')
  const server = createServer((request, response) => response.end('hello'))
  server.listen(0, '127.0.0.1', () => require('node:worker_threads').parentPort.postMessage(server.address().port))`

const BLOCK = 15

/** The thread is blocked for a while by each response. */
function block () {
  const end = performance.now() + BLOCK
  while (performance.now() < end);
}

t.test('a thread that is blocked', { skip: load().binding === null && 'there is no add-on' }, async t => {
  const server = new Worker(SERVER, { eval: true })
  t.teardown(() => server.terminate())
  const [port] = await once(server, 'message')
  const run = async options => {
    const result = await autocannon({ url: `http://127.0.0.1:${port}`, connections: 4, amount: 80, setupClient: client => client.on('response', block), ...options })
    conserves(t, result)
    return result
  }
  const native = await run({})
  const read = await run({ clock: 'read' })
  const node = await run({ sockets: 'node' })
  t.ok(native.latency.p50 < node.latency.p50 / 4, `by arrival ${native.latency.p50} ms, by reading through node:net ${node.latency.p50} ms`)
  t.ok(native.latency.p50 < read.latency.p50 / 4, `by arrival ${native.latency.p50} ms, by reading ${read.latency.p50} ms`)
  t.ok(native.clock.arrival > 0.9)
  t.ok(native.clock.late.p50 > BLOCK / 2, `read ${native.clock.late.p50} ms later`)
  t.ok(native.serviceTime.p50 < BLOCK && native.ttfb.p50 < BLOCK, 'service time and time to first byte likewise')
  t.equal(read.clock, undefined)
  t.equal(node.clock, undefined)
  const workers = await run({ workers: 2, setupClient: undefined })
  // The kernel switches stamps on a little after they are asked for.
  t.ok(workers.clock.arrival > 0.5, 'in worker threads, too')
  t.equal(workers.clock.late.totalCount, Math.round(workers.clock.arrival * 80))
  const pipelined = await run({ pipelining: 10, connections: 1, amount: 200, setupClient: undefined })
  t.ok(pipelined.clock.shared > 0, `${pipelined.clock.shared} responses came in one read with a later one`)
  t.match(autocannon.printResult(native), /(Latency|For [\d.]+ % of the responses, latency) ends when the kernel receives the response; the load generator read responses /)
  t.match(autocannon.printResult(pipelined), `${pipelined.clock.shared} were read together with a later one and have its arrival time`)
})

t.test('how late responses were read is in every report, merged over threads, runs and steps', { skip: load().binding === null && 'there is no add-on' }, async t => {
  const server = new Worker(SERVER, { eval: true })
  t.teardown(() => server.terminate())
  const [port] = await once(server, 'message')
  const url = `http://127.0.0.1:${port}`
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

t.test('a thread that is preempted between a request and its send, with a rate', { skip: load().binding === null && 'there is no add-on' }, async t => {
  const server = new Worker(SERVER, { eval: true })
  t.teardown(() => server.terminate())
  const [port] = await once(server, 'message')
  const { binding } = load()
  const { send } = binding
  t.teardown(() => { binding.send = send })
  binding.send = (...args) => {
    block()
    return send(...args)
  }
  const result = await autocannon({ url: `http://127.0.0.1:${port}`, connections: 2, overallRate: 20, amount: 20 })
  conserves(t, result)
  t.ok(result.generator.lag.p50 > BLOCK / 2, `the load generator sent ${result.generator.lag.p50} ms late`)
  t.ok(result.latency.p50 < result.generator.lag.p50 / 2, `the server took ${result.latency.p50} ms`)
  t.equal(result.latency.p50, result.serviceTime.p50)
})
