'use strict'

const t = require('tap')
const { biasOf } = require('../../lib/judge/generator-bias')
const { sentenceOf } = require('../../lib/words/judgements')
const { parseThreshold } = require('../../lib/judge/threshold')
const { NOBODY, loopBeside, quota, slices } = require('../helpers/simulated/waiting-thread')

const STARVED = { verdict: 'starved', runDelayMs: 900, blockedMs: 0 }

/**
 * @param {string} expression
 * @param {number} actual
 * @param {object} [changes]
 */
function bent (expression, actual, changes = {}) {
  const threshold = parseThreshold(expression)
  const isKept = threshold.operator.startsWith('<') ? actual < threshold.limit : actual > threshold.limit
  const found = biasOf(threshold, actual, isKept, { generator: STARVED, requests: { average: 1234.5, total: 12_345 }, series: [], ...changes })
  return found && { isOpen: found.isOpen, note: sentenceOf(found.reason) }
}

t.test('a closed loop beside a server that gets as much done whatever it is given: a generator that waits for the CPU measures higher latencies than one that does not', async t => {
  for (const [connections, servers] of [[1, 1], [10, 1], [10, 4], [20, 20]]) {
    const quiet = loopBeside({ taker: NOBODY, connections, servers, ms: 10_000 })
    for (const taker of [slices(4, 0.5), slices(1, 0.5), slices(4, 0.14), quota(50, 100)]) {
      const { measured, rate } = loopBeside({ taker, connections, servers, ms: 10_000 })
      const name = `${connections} connections, ${servers} at once, ${taker.name}`
      t.ok(rate < quiet.rate * 1.03, `${name}: ${Math.round(rate)} of ${Math.round(quiet.rate)} requests/s`)
      // Chance makes 4 % of a percentile.
      for (const percentile of [50, 95, 99]) t.ok(measured.percentile(percentile) > 0.96 * quiet.measured.percentile(percentile), `${name}: p${percentile}`)
      t.ok(measured.sum / measured.count > 0.97 * quiet.measured.sum / quiet.measured.count, `${name}: mean`)
    }
  }
})

t.test('so what is below a limit is below it, of the load that was sent', async t => {
  t.match(bent('p99 < 60s', 4), { isOpen: false, note: 'at the 1,235 req/s that were sent, the load generator had a high CPU wait, and latencies are too high because of that' })
  t.match(bent('gap p99 < 60s', 4, { requests: { average: 0, total: 0 } }), { isOpen: false, note: 'the load generator had a high CPU wait, and latencies are too high because of that' }, 'of which connections that listen only have none')
  t.match(bent('avg > 10ms', 4), { isOpen: false }, 'and a threshold that wants more has failed')
  t.equal(bent('p99 < 60s', 4, { rate: { target: 1000, ratio: 0.995 } }), null, 'a rate that was kept is the load that was asked for')
  t.match(bent('p99 < 60s', 4, { rate: { target: 1000, ratio: 0.9 } }), { isOpen: true, note: /, or too low, as the load was less$/ }, 'the rest of a rate was never sent')
})

t.test('what is above a limit may be so because of the generator', async t => {
  for (const rate of [undefined, { target: 1000, ratio: 1 }, { target: 1000, ratio: 0.5 }]) {
    t.match(bent('p99 < 1ms', 4, { rate }), { isOpen: true, note: /too high because of that$/ })
    t.match(bent('p99 > 1ms', 4, { rate }), { isOpen: true })
  }
  t.equal(bent('p99 < 1ms', 4, { clock: { arrival: 0.999 } }), null, 'unless latencies end at the arrival')
  t.equal(bent('p99 < 1ms', 4, { generator: { verdict: 'busy' } }), null)
})

t.test('a rate that was kept is not too low because of the generator', async t => {
  t.match(bent('rps > 2000', 1234.5), { isOpen: true, note: /the rate is too low because of that$/ })
  t.match(bent('bytes/s > 2000', 1234.5), { isOpen: true })
  t.equal(bent('bytes/s > 2000', 1234.5, { rate: { target: 1234, ratio: 1 } }), null, 'what is missing is the server\'s')
  t.equal(bent('rps > 2000', 1234.5, { rate: { target: 1234, ratio: 0.99 } }), null)
  t.match(bent('rps > 2000', 1234.5, { rate: { target: 2000, ratio: 0.62 } }), { isOpen: true })
  t.match(bent('rate ratio > 0.999', 0.995, { rate: { target: 2000, ratio: 0.995 } }), { isOpen: true })
  t.equal(bent('rps > 1000', 1234.5), null, 'more than that is not too little')
})
