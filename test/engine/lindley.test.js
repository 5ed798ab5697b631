'use strict'

// The latency of a queue that theory knows, from a generator whose clock is the test's. `node bench/accuracy.js --only lindley` does it
// with a server.

const t = require('tap')
const { exponential, sojourns, sojournsAmid } = require('../../bench/accuracy/single-queue')
const { mean, quantile } = require('../../bench/accuracy/logs')
const { conserves } = require('../helpers/results/conservation')
const { generatorOf, begin, inOrder } = require('./helpers/fake-load')

const UTILISATION = 0.8

/** A run against a server that takes exponential times, and what theory says of as many requests. */
function runOf (t, perSecond, seconds, opts) {
  const interval = 1000 / perSecond
  const services = exponential(perSecond * seconds, UTILISATION * interval, perSecond)
  const log = generatorOf({ connections: 100, ...opts, duration: seconds })
  let n = 0
  begin(log, inOrder(log.time, () => services[n++]))
  log.time.pass(1000 * seconds)
  const result = log.result()
  conserves(t, result)
  const theory = sojourns(interval, services.slice(0, result.requests.total)).sort((a, b) => a - b)
  return { result, theory: { mean: mean(theory), p50: quantile(theory, 50), p99: quantile(theory, 99) } }
}

const far = ({ result: { latency }, theory }, figure) => Math.abs(latency[figure] / theory[figure] - 1)

for (const [perSecond, seconds] of [[300, 3], [1500, 1], [5000, 0.4], [20_000, 0.2]]) {
  t.test(`latency is that of theory at ${perSecond}/s`, async t => {
    for (const opts of [{ rate: perSecond }, { rate: perSecond, connections: 5, pipelining: 2 }, { connectionRate: perSecond / 100 }]) {
      const run = runOf(t, perSecond, seconds, { ...opts, pace: 'even' })
      for (const figure of ['mean', 'p50', 'p99']) {
        t.ok(far(run, figure) <= 0.03, `${figure} of ${JSON.stringify(opts)}: ${run.result.latency[figure]} ms, and ${run.theory[figure]} in theory`)
      }
    }
  })
}

t.test('in batches it is that of a server to which requests come in batches', async t => {
  const run = runOf(t, 5000, 0.4, { rate: 5000, pace: 'batched' })
  t.ok(far(run, 'p50') > 0.3, `p50: ${run.result.latency.p50} ms, and ${run.theory.p50} with an even pace`)
  const slow = runOf(t, 300, 3, { rate: 300, pace: 'batched' })
  t.ok(far(slow, 'p50') <= 0.1, `p50: ${slow.result.latency.p50} ms, and ${slow.theory.p50}`)
})

t.test('a pair of programs that stands still has a queue of its own', async t => {
  const services = exponential(1000, 0.8, 1)
  const amid = stalls => sojournsAmid(1, services, { start: 5000, sender: [], server: [], ...stalls })
  const rounded = list => list.map(ms => ms.toFixed(6))
  t.strictSame(rounded(amid({})), rounded(sojourns(1, services)))
  // Requests are due at 0, 1, 2, 3, 4 and take 0.5 each.
  const five = stalls => rounded(sojournsAmid(1, [0.5, 0.5, 0.5, 0.5, 0.5], { start: 0, sender: [], server: [], ...stalls })).map(Number)
  t.strictSame(five({ sender: [{ from: 0.9, to: 3.2 }] }), [0.5, 0.5, 1, 1.5, 1.2], 'those of 1, 2 and 3 leave at 3.2 together')
  t.strictSame(five({ sender: [{ from: 0.2, to: 0.7 }] }), [0.7, 0.5, 0.5, 0.5, 0.5], 'an answer is read late')
  t.strictSame(five({ server: [{ from: 0.9, to: 2.1 }] }), [0.5, 1.6, 1.1, 0.6, 0.5], 'requests are taken late')
  t.strictSame(five({ server: [{ from: 1.2, to: 1.8 }] }), [0.5, 0.8, 0.5, 0.5, 0.5], 'an answer is written late')
})
