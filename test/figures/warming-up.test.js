'use strict'

// A start that is named was one, and a start that is felt is named: a simulation with seeded chance. RUNS=5000 makes it more exact.

const t = require('tap')
const { randomFrom } = require('../../lib/core/random')
const { simulated } = require('../helpers/effort')
const { warmingUpOf } = require('../../lib/figures/warming-up')

const RUNS = Number(process.env.RUNS ?? simulated(200, 80))

/**
 * Points of a second of a closed loop whose speed wanders, and which stands still for a part of some seconds.
 * @param {() => number} random
 * @param {{ n: number, noise?: number, rho?: number, stalls?: number, speedAt?: (i: number) => number, paced?: boolean }} run
 */
function pointsOf (random, { n, noise = 0, rho = 0, stalls = 0, speedAt = () => 1, paced = false }) {
  const gauss = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  let wander = gauss()
  return Array.from({ length: n }, (_, i) => {
    if (i > 0) wander = rho * wander + Math.sqrt(1 - rho * rho) * gauss()
    const speed = Math.max(0.05, speedAt(i) * (1 + noise * wander))
    const stalled = random() < stalls ? 0.1 + 0.8 * random() : 0
    const requests = Math.round(paced ? 1000 : 10_000 * speed * (1 - stalled))
    // Each has its own median, a little aside.
    const p50 = (1 + 0.005 * gauss()) / speed
    return { time: 1000 * i, length: 1000, requests, failures: 0, errors: 0, p50, average: p50 * (1 + stalled) }
  })
}

const STATIONARY = [10, 12, 15, 20, 30, 60, 120, 600].flatMap(n => [0.005, 0.02, 0.1].flatMap(noise => [0, 0.5, 0.9, 0.95].flatMap(rho => [0, 0.02, 0.1].map(stalls => ({ n, noise, rho, stalls })))))

t.test('of runs that are the same all the time, at most 5 % are said to have been slower at their start', async t => {
  const random = randomFrom(20261122)
  let [all, wrong] = [0, 0]
  /** @type {Array<[number, string]>} */
  const shares = []
  for (const kind of STATIONARY) {
    for (const paced of [false, true]) {
      // Long runs take long to simulate, and are wrong the least.
      const runs = kind.n > 60 ? RUNS / 8 : RUNS
      let found = 0
      for (let i = 0; i < runs; i++) if (warmingUpOf(pointsOf(random, { ...kind, paced }), paced) !== null) found++
      all += runs
      wrong += found
      shares.push([found / runs, JSON.stringify({ ...kind, paced })])
      // Three standard errors above 5 %.
      if (found / runs > 0.05 + 3 * Math.sqrt(0.05 * 0.95 / runs)) t.fail(`${found} of ${runs} of ${JSON.stringify({ ...kind, paced })}`)
    }
  }
  shares.sort(([a], [b]) => b - a)
  t.comment(`${(wrong / all * 100).toFixed(2)} % of ${all}; most: ${shares.slice(0, 5).map(([share, kind]) => `${(share * 100).toFixed(1)} % ${kind}`).join(', ')}`)
  t.ok(wrong / all <= 0.02, 'and far fewer over all of them')
})

const RAMPS = {
  'a first second of 70 %': (/** @type {number} */ i) => i === 0 ? 0.7 : 1,
  'two seconds of 80 %': (/** @type {number} */ i) => i < 2 ? 0.8 : 1,
  'three seconds from 70 % upwards': (/** @type {number} */ i) => Math.min(1, 0.7 + 0.1 * i),
  'a curve from 60 %': (/** @type {number} */ i) => 1 - 0.4 * Math.exp(-i / 2)
}

t.test('a start that moves the mean is named in at least 90 %, by about how long it was', async t => {
  const random = randomFrom(7)
  for (const [name, speedAt] of Object.entries(RAMPS)) {
    for (const [n, noise, rho] of [[10, 0.01, 0], [10, 0.02, 0], [20, 0.02, 0], [20, 0.02, 0.5]]) {
      for (const paced of [false, true]) {
        const found = Array.from({ length: RUNS / 2 }, () => warmingUpOf(pointsOf(random, { n, noise, rho, speedAt, paced }), paced)).filter(one => one !== null)
        const label = `${name}, ${n} s, noise ${noise}, ρ ${rho}${paced ? ', with a rate' : ''}: ${found.length} of ${RUNS / 2}`
        t.ok(found.length / RUNS * 2 >= 0.9 - 3 * Math.sqrt(0.9 * 0.1 / RUNS * 2), label)
        t.ok(found.every(({ seconds }) => seconds <= n / 2), 'not more than half of it')
      }
    }
  }
})

t.test('says what the figures are without it', async t => {
  const points = pointsOf(randomFrom(1), { n: 12, noise: 0.001, speedAt: i => i < 2 ? 0.5 : 1 })
  const { seconds, requestsPerSecond } = warmingUpOf(points, false)
  t.equal(seconds, 2)
  t.ok(Math.abs(requestsPerSecond - points.slice(2).reduce((sum, { requests }) => sum + requests, 0) / 10) < 0.001)
  const paced = warmingUpOf(pointsOf(randomFrom(1), { n: 12, noise: 0.001, speedAt: i => i < 2 ? 0.5 : 1, paced: true }), true)
  t.equal(paced.seconds, 2)
  t.ok(Math.abs(paced.average - 1) < 0.01)
})

t.test('says nothing of few points, of a fast start, of one that changes nothing, and where nothing was answered', async t => {
  const random = randomFrom(2)
  const of = (/** @type {any} */ run) => warmingUpOf(pointsOf(random, { n: 20, noise: 0.005, ...run }), run.paced ?? false)
  t.equal(of({ n: 9, speedAt: RAMPS['a first second of 70 %'] }), null)
  t.equal(of({ speedAt: i => i < 2 ? 1.5 : 1 }), null)
  t.equal(of({ n: 400, speedAt: i => i === 0 ? 0.7 : 1 }), null)
  t.equal(of({ speedAt: i => 1 - 0.02 * i }), null, 'one that becomes slower')
  const silent = pointsOf(random, { n: 20 }).map(point => ({ ...point, requests: 0, p50: null, average: null }))
  t.equal(warmingUpOf(silent, false), null)
  t.equal(warmingUpOf(silent, true), null)
  t.equal(warmingUpOf([], false), null)
  const late = pointsOf(random, { n: 20, noise: 0.01 }).map((point, i) => i < 3 ? { ...point, requests: 0, p50: null, average: null } : point)
  t.match(warmingUpOf(late, false), { seconds: 3 }, 'a server that does not answer yet')
})

t.test('a start in which more failed than later is not called slow: without it the failures would be out of the figures', async t => {
  const cold = (/** @type {any} */ run, /** @type {(point: any, i: number) => object} */ change) => pointsOf(randomFrom(3), { n: 20, noise: 0.005, speedAt: i => i < 3 ? 0.6 : 1, ...run }).map((point, i) => ({ ...point, ...change(point, i) }))
  const half = (/** @type {any} */ { requests }) => ({ requests: requests / 2, errors: requests / 2, failures: requests / 2 })
  for (const paced of [false, true]) {
    const of = (/** @type {(point: any, i: number) => object} */ change) => warmingUpOf(cold({ paced }, change), paced)
    t.match(of(() => ({})), { seconds: 3 }, 'nothing fails')
    t.equal(of((point, i) => i < 3 ? half(point) : {}), null, 'errors')
    t.equal(of((point, i) => i < 3 ? { failures: point.requests } : {}), null, 'answers that are failures')
    t.equal(of((point, i) => i === 1 ? { failures: 1 } : {}), null, 'a single one, and none later')
    t.equal(of((point, i) => ({ failures: point.requests / (i < 3 ? 10 : 100) })), null, 'ten times as many')
    t.match(of(point => ({ failures: point.requests / 100 })), { seconds: 3 }, 'as many later')
    t.match(of((point, i) => i < 3 ? {} : { failures: point.requests / 100 }), { seconds: 3 }, 'more later')
    t.match(of((point, i) => ({ failures: Math.round(point.requests / 100) + i % 2 })), { seconds: 3 }, 'as many but for chance')
  }
})
