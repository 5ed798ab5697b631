'use strict'

const t = require('tap')
const { Histogram } = require('../../lib/record/histogram')
const { Decided } = require('../../lib/judge/decided')
const { parseUntil } = require('../../lib/judge/until')
const { decidedRuns } = require('../../bench/accuracy/decided')
const { SERVERS } = require('../helpers/simulated/varying-servers')

t.test('a run that ends when its threshold is decided is seldom wrong', async t => {
  // 20 runs, so wide bounds: npm run bench:accuracy -- --only decided makes 1,000 and allows 5 %.
  for (const name of ['exponential', 'bimodal, 2 %', 'AR(1), τ 2 s, ±10 %']) {
    const server = /** @type {import('../helpers/simulated/varying-servers').Server} */ (SERVERS.find(server => server.name === name))
    const { passes, fails, open, seconds } = decidedRuns(server, 'p99', 20)
    t.ok(passes <= 10 && fails <= 10, `${name}: ${passes} % pass, ${fails} % fail`)
    t.ok(name.startsWith('AR') || (open <= 10 && seconds < 30), `${name}: ${open} % are not decided, ${seconds} s`)
  }
})

t.test('it looks at the end of the shortest run, and each time when a quarter more has been measured', async t => {
  /** @type {number[]} */
  const looks = []
  const decided = new Decided(10_000, () => {
    looks.push(decided.elapsed / 1000)
    return [{ passed: true }, { passed: decided.elapsed < 40_000 ? null : false }]
  })
  const ends = Array.from({ length: 60 }, (_, i) => {
    decided.add({ time: i * 1000, length: 1000, requests: 0, bytes: 0 }, new Histogram())
    return decided.look()
  })
  t.strictSame(looks.slice(0, 7), [10, 13, 17, 22, 28, 35, 44])
  t.equal(ends.indexOf(true), 43, 'all are decided, whether they passed or failed')
  const result = { thresholds: [{ passed: true }, { passed: null }, { passed: false }] }
  t.match(decided.outcome(parseUntil('decided'), result), { expression: 'decided', reached: false, value: 2, target: 3, after: 60 })
  t.match(decided.outcome(parseUntil(' Decided '), { thresholds: [{ passed: false }] }), { reached: true, value: 1 })
})
