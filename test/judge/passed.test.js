'use strict'

// The one verdict on a result.

const t = require('tap')
const autocannon = require('../..')
const { cli } = require('../helpers/processes/cli')
const { closedPort, serve } = require('../helpers/servers/http-server')
const { passedOf } = require('../../lib/judge/passed')

const [GOOD, BAD, UNSURE] = [true, false, null].map(passed => ({ expression: 'p99 < 1s', metric: 'p99', actual: 1, passed, unit: 'ms' }))
const [FINE, BROKEN] = [0, 2].map(failed => ({ name: 'status 200', passed: 5, failed, reasons: {} }))
const LIMITED = { expression: 'checks < 10', metric: 'checks', actual: 2, passed: true, unit: 'count' }
const REFUSED = { proxy: { refused: 10 }, unexpected: 10 }

for (const [passed, what, given] of /** @type {Array<[boolean | null, string, Record<string, any>]>} */ ([
  [null, 'no threshold', {}],
  [null, 'no threshold, and checks that passed', { checks: [FINE] }],
  [false, 'no threshold, and a check that failed', { checks: [FINE, BROKEN] }],
  [true, 'thresholds that passed', { thresholds: [GOOD, GOOD] }],
  [false, 'one that failed', { thresholds: [GOOD, BAD] }],
  [null, 'one that is inconclusive', { thresholds: [GOOD, UNSURE] }],
  [false, 'one that failed beside one that is inconclusive', { thresholds: [UNSURE, BAD] }],
  [false, 'a check that failed', { thresholds: [GOOD], checks: [BROKEN] }],
  [true, 'a check that failed within a threshold', { thresholds: [LIMITED], checks: [BROKEN] }],
  [true, 'a figure that is precise enough', { thresholds: [GOOD], until: { reached: true } }],
  [null, 'a figure that is not precise enough', { thresholds: [GOOD], until: { reached: false } }],
  [false, 'a run that failed', { thresholds: [GOOD], endedBy: ['the server ended'] }],
  [false, 'a run without a response', { thresholds: [GOOD], requests: { total: 0 } }],
  [false, 'a run whose proxy refused all requests', { thresholds: [GOOD], ...REFUSED }]
])) t.test(what, async t => t.equal(passedOf({ requests: { total: 10 }, ...given }), passed))

t.test('each way to a result has it', async t => {
  const { url } = await serve(t)
  const thresholds = ['p99 < 10s', 'failures == 0']
  const run = (/** @type {Record<string, any>} */ given) => autocannon({ url, amount: 5, connections: 1, ...given })
  t.equal((await run({})).passed, null)
  t.equal((await run({ thresholds })).passed, true)
  t.equal((await run({ thresholds: ['requests > 5'] })).passed, false)
  t.equal((await run({ requests: [{ expect: { status: 201 } }] })).passed, false)
  t.equal((await autocannon({ url: `http://127.0.0.1:${await closedPort()}`, amount: 5, thresholds: ['errors < 1000'] })).passed, false, 'nothing was measured')
  const raw = await run({ skipAggregateResult: true })
  t.notOk('passed' in raw)
  t.equal(autocannon.aggregateResult([raw], { thresholds }).passed, true)
  t.equal(autocannon.aggregateResult([raw]).passed, null)
  t.equal((await run({ warmup: { connections: 1, duration: 0.1 } })).warmup.passed, null)

  const stopped = run({ amount: undefined, duration: 30, thresholds })
  setTimeout(() => stopped.stop(), 200)
  t.match(await stopped, { interrupted: true, passed: null })

  const going = run({ amount: undefined, duration: 0.5, sampleInt: 100, thresholds: ['failures == 0'] })
  const states = new Set()
  going.on('tick', () => states.add(going.soFar()?.passed))
  t.equal((await going).passed, true)
  t.ok(states.has(true), 'and while it goes on')
  t.notOk(states.has(false))
})

t.test('JSON has it, as the exit code says', async t => {
  const { url } = await serve(t)
  for (const [threshold, passed, exit] of [['failures == 0', true, 0], ['failures > 5', false, 3]]) {
    const { stdout, code } = await cli(['--json', '-a', '5', '-c', '1', '--threshold', String(threshold), url])
    t.strictSame([JSON.parse(stdout).passed, code], [passed, exit])
  }
})
