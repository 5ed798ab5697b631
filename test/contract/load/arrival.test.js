'use strict'

// The latency of a response ends when the kernel received it: what keeps this thread from reading it is no latency of the server.
//
// Run alone: it compares what a blocked thread saw with what it would have seen otherwise.

const t = require('tap')
const autocannon = require('../../..')
const { conserves } = require('../../helpers/results/conservation')
const { serverThread } = require('../../helpers/servers/server-thread')
const { load } = require('../../../lib/net/sockets/binding')

const BLOCK = 15

/** The thread is blocked for a while by each response. */
function block () {
  const end = performance.now() + BLOCK
  while (performance.now() < end);
}

t.test('a thread that is blocked', { skip: load().binding === null && 'there is no add-on' }, async t => {
  const url = await serverThread(t)
  const run = async options => {
    const result = await autocannon({ url, connections: 4, amount: 80, setupClient: client => client.on('response', block), ...options })
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

t.test('a thread that is preempted between a request and its send, with a rate', { skip: load().binding === null && 'there is no add-on' }, async t => {
  const url = await serverThread(t)
  const { binding } = load()
  const { send } = binding
  t.teardown(() => { binding.send = send })
  binding.send = (...args) => {
    block()
    return send(...args)
  }
  const result = await autocannon({ url, connections: 2, overallRate: 20, amount: 20 })
  conserves(t, result)
  t.ok(result.generator.lag.p50 > BLOCK / 2, `the load generator sent ${result.generator.lag.p50} ms late`)
  t.ok(result.latency.p50 < result.generator.lag.p50 / 2, `the server took ${result.latency.p50} ms`)
  t.equal(result.latency.p50, result.serviceTime.p50)
})
