'use strict'

const t = require('tap')
const { merge, toRaw } = require('../../../lib/figures/aggregate')
const { buildResult } = require('../../../lib/figures/result')
const { Iterations } = require('../../../lib/instruments/iterations/record')
const { Samples } = require('../../../lib/record/samples')
const { Totals } = require('../../../lib/record/totals')

const IDENTITY = { title: undefined, url: 'http://localhost', socketPath: undefined, connections: 10, pipelining: 1, workers: undefined, sampleInt: 1000, percentiles: undefined }

/**
 * @param {(iterations: Iterations) => void} fill
 * @param {{ users?: Partial<import('../../../lib/instruments/iterations/result').Users> | null, seconds?: number } & Record<string, any>} [run] other keys are counters
 * @returns {import('../../../lib/figures/result').Outcome}
 */
function outcome (fill, { users = {}, seconds = 10, ...counters } = {}) {
  const totals = Object.assign(new Totals(), counters)
  if (users !== null) fill(totals.instruments.iterations = new Iterations())
  totals.silentFrom = seconds * 1000
  return {
    totals,
    samples: new Samples(1000, 1),
    series: [],
    elapsed: seconds * 1000,
    start: new Date(0),
    finish: new Date(seconds * 1000),
    targetRate: null,
    users: users && { scenarios: ['browse', 'checkout'], rate: null, rates: [null, null], redirects: false, retries: false, ...users },
    usages: []
  }
}

/** @param {Iterations} iterations */
function shop (iterations) {
  const [browse, checkout] = [iterations.of(0), iterations.of(1)]
  for (let i = 1; i <= 50; i++) {
    browse.start()
    if (i <= 40) browse.complete(100 * i, i)
    else if (i <= 43) browse.cut('AC_TIMEOUT')
    else if (i <= 48) browse.cut('capture token')
  }
  checkout.start()
  checkout.complete(2000, 7)
}

t.test('a result has the iterations of each scenario, and of all', async t => {
  const { iterations, byScenario, ...others } = buildResult(IDENTITY, outcome(shop))
  t.match(byScenario.browse, { started: 50, completed: 40, cut: 8, cutBy: { 'capture token': 5, AC_TIMEOUT: 3 }, unfinished: 2, perSecond: 4 })
  t.match(byScenario.browse.duration, { totalCount: 40, min: 100, max: 4000, mean: 2050 })
  t.match(byScenario.browse.active, { totalCount: 40, min: 1, max: 40, mean: 20.5 })
  t.strictSame(Object.keys(byScenario.browse.cutBy), ['capture token', 'AC_TIMEOUT'], 'most frequent first')
  t.match(byScenario.checkout, { started: 1, completed: 1, cut: 0, cutBy: {}, unfinished: 0, perSecond: 0.1, duration: { totalCount: 1, max: 2000 } })
  t.match(iterations, { started: 51, completed: 41, cut: 8, cutBy: { 'capture token': 5, AC_TIMEOUT: 3 }, unfinished: 2, perSecond: 4.1, duration: { totalCount: 41, max: 4000 }, active: { totalCount: 41 } })
  for (const key of ['target', 'achieved', 'waited', 'neverStarted', 'wait']) t.notOk(key in iterations, key)
  t.notOk('redirects' in others || 'retries' in others)
})

t.test('a scenario without users is there with zeros', async t => {
  const { byScenario } = buildResult(IDENTITY, outcome(() => {}))
  t.strictSame(Object.keys(byScenario), ['browse', 'checkout'])
  t.match(byScenario.checkout, { started: 0, completed: 0, cut: 0, unfinished: 0, perSecond: 0, duration: { totalCount: 0 } })
})

t.test('one scenario without a name has its iterations in those of the run; without users there is nothing of it', async t => {
  const unnamed = buildResult(IDENTITY, outcome(iterations => iterations.of(0).start(), { users: { scenarios: [] } }))
  t.notOk('byScenario' in unnamed)
  t.match(unnamed.iterations, { started: 1, unfinished: 1 })
  const none = buildResult(IDENTITY, outcome(() => {}, { users: null, redirects: 3 }))
  for (const key of ['byScenario', 'iterations', 'redirects', 'retries']) t.notOk(key in none, key)
})

t.test('redirects and retries are told where the plan has them, also when there were none', async t => {
  t.match(buildResult(IDENTITY, outcome(shop, { users: { redirects: true, retries: true }, redirects: 12 })), { redirects: 12, retries: 0 })
})

t.test('with a rate of iterations it is told how many started, waited and never did', async t => {
  const { iterations } = buildResult(IDENTITY, outcome(iterations => {
    for (let i = 0; i < 500; i++) iterations.of(0).start()
    const arrivals = iterations.arrivalsOf(null)
    arrivals.arrived = 480
    for (const ms of [10, 30]) arrivals.wait.record(ms)
    arrivals.neverStarted = 3
  }, { users: { rate: 50 } }))
  t.match(iterations, { started: 500, target: 50, achieved: 48, due: 483, waited: 2, neverStarted: 3, wait: { totalCount: 2, mean: 20 } })
})

t.test('a run in which all that was due has begun has reached its rate, also when its last answers came late', async t => {
  const { iterations } = buildResult(IDENTITY, outcome(iterations => { iterations.arrivalsOf(null).arrived = 480 }, { users: { rate: 50 } }))
  t.match(iterations, { target: 50, achieved: 50, neverStarted: 0 })
  const soFar = outcome(iterations => { iterations.arrivalsOf(null).arrived = 480 }, { users: { rate: 50 } })
  soFar.totals.silentFrom = null
  t.match(buildResult(IDENTITY, soFar).iterations, { achieved: 48 }, 'while it goes on, waiting due iterations are unknown')
})

t.test('runs on several machines are one', async t => {
  /** @param {(number | null)[]} scenarios whose iterations were due */
  const timed = (...scenarios) => (/** @type {Iterations} */ iterations) => {
    shop(iterations)
    for (const scenario of scenarios) Object.assign(iterations.arrivalsOf(scenario), { arrived: 50, neverStarted: 5 })
  }
  const raws = [outcome(timed(null, 1), { users: { rate: 10, rates: [null, 6] } }), outcome(timed(0, 1), { users: { rate: 20, rates: [15, 5], scenarios: ['checkout', 'browse'], redirects: true }, redirects: 4 })].map((one, i) => toRaw({ ...IDENTITY, title: `machine ${i}` }, one))
  const { iterations, byScenario, redirects } = buildResult(IDENTITY, merge(JSON.parse(JSON.stringify(raws))))
  t.match(iterations, { started: 102, completed: 82, target: 30, due: 220, neverStarted: 20 })
  t.match([byScenario.browse, byScenario.checkout], [{ target: 5, due: 55 }, { target: 21, due: 110, neverStarted: 10 }], 'what shares a rate is of no scenario')
  t.match([byScenario.browse.started, byScenario.checkout.started], [51, 51])
  t.equal(redirects, 4)
})

t.test('a run without a rate of iterations takes nothing from what is said of the rate of another one that it is merged with', async t => {
  const users = { scenarios: [], rates: [], redirects: false, retries: false }
  t.equal(require('../../../lib/instruments/iterations/result').ofRuns([{ users: { ...users, rate: 200 } }, {}, { users: { ...users, rate: null } }]).users.rate, 200)
  t.equal(require('../../../lib/instruments/iterations/result').ofRuns([{ users: { ...users, rate: null } }, { users: { ...users, rate: null } }]).users.rate, null)
})
