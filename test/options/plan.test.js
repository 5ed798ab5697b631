'use strict'

const t = require('tap')
const fc = require('fast-check')
const { buildPlan } = require('../../lib/options/plan')
const { split } = require('../../lib/options/split')
const { validate } = require('../../lib/options/validate')
const { paceOf } = require('../../lib/shapes/pace')

/** @param {Record<string, any>} [opts] */
const planOf = opts => buildPlan(validate({ url: 'http://localhost/', ...opts }).values)

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((a, b) => a + b, 0)

t.test('a plan has the units of a generator: ms, null for no limit that ends a run, Infinity for no limit', async t => {
  t.match(planOf({ duration: '1m30s', timeout: 2.5, sampleInt: 100 }), {
    duration: 90_000, timeout: 2500, sampleInt: 100, amount: null, maxConnectionRequests: null, maxOverallRequests: null, reconnectRate: Infinity, bailout: Infinity, pacing: null
  })
})

t.test('a plan can travel to another thread, and is frozen', async t => {
  const plan = planOf({ rate: 100, requests: [{ path: '/a', name: 'a', expect: { status: 200 } }], headers: { a: 'b' }, expect: { headers: { a: /b/ } } })
  t.same(structuredClone(plan), plan)
  for (const part of [plan, plan.targets, plan.targets[0], plan.scenarios, plan.scenarios[0], plan.scenarios[0].steps, plan.scenarios[0].steps[0], plan.ruleBase, plan.defaults, plan.hooks]) t.ok(Object.isFrozen(part))
})

/** What a pacing says of a load that stays the same. */
const SAME = { unit: 'requests', scenario: null, shape: 'constant', form: null, arrivals: 'even', seed: 1 }

t.test('a plan paces by rate, by connectionRate, or by overallRate', async t => {
  /** @type {Array<[opts: Record<string, any>, pacing: Record<string, any> | null]>} */
  const cases = [
    [{}, null],
    [{ rate: 1000 }, { rate: 1000, shared: true, perConnection: false, pace: null, part: 0, parts: 1 }],
    [{ overallRate: 1000 }, { rate: 1000, shared: false, perConnection: false, pace: null, part: 0, parts: 1 }],
    [{ connectionRate: 100 }, { rate: 1000, shared: false, perConnection: true, pace: null, part: 0, parts: 1 }],
    [{ connectionRate: 100, overallRate: 5 }, { rate: 1000, shared: false, perConnection: true, pace: null, part: 0, parts: 1 }],
    [{ rate: 10, pace: 'even' }, { rate: 10, shared: true, perConnection: false, pace: 'even', part: 0, parts: 1 }],
    [{ connectionRate: 0.5, connections: 3 }, { rate: 1.5, shared: false, perConnection: true, pace: null, part: 0, parts: 1 }],
    [{ connectionRate: 100, connections: 10, amount: 4 }, { rate: 400, shared: false, perConnection: true, pace: null, part: 0, parts: 1 }]
  ]
  for (const [opts, pacing] of cases) {
    t.strictSame(planOf(opts).pacing, pacing && { ...pacing, ...SAME }, JSON.stringify(opts))
  }
})

t.test('split divides', async t => {
  /** @type {Array<[opts: Record<string, any>, parts: number, connections: number[], amounts: Array<number | null>]>} */
  const cases = [
    [{ connections: 10 }, 1, [10], [null]],
    [{ connections: 10 }, 3, [4, 3, 3], [null, null, null]],
    [{ connections: 2 }, 4, [1, 1, 1, 1], [null, null, null, null]],
    [{ connections: 10, amount: 100 }, 4, [3, 3, 2, 2], [25, 25, 25, 25]],
    [{ connections: 10, amount: 11 }, 3, [4, 3, 3], [4, 4, 3]],
    [{ connections: 10, amount: 2 }, 4, [5, 5], [1, 1]],
    [{ connections: 1, amount: 3 }, 3, [1, 1, 1], [1, 1, 1]]
  ]
  for (const [opts, parts, connections, amounts] of cases) {
    const slices = split(planOf(opts), parts)
    t.strictSame([slices.map(slice => slice.connections), slices.map(({ amount }) => amount)], [connections, amounts], `${JSON.stringify(opts)} over ${parts}`)
    t.ok(slices.every(Object.isFrozen))
  }
})

t.test('split leaves the overall limits to each, as documented', async t => {
  const plan = planOf({ maxOverallRequests: 50, maxConnectionRequests: 7, reconnectRate: 3, bailout: 5, duration: 4 })
  for (const slice of split(plan, 3)) t.match(slice, { maxOverallRequests: 50, maxConnectionRequests: 7, reconnectRate: 3, bailout: 5, duration: 4000 })
})

t.test('split loses no request and no connection, and leaves no generator without one', async t => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 500 }), fc.option(fc.integer({ min: 1, max: 1e6 })), fc.integer({ min: 1, max: 64 }), (connections, amount, parts) => {
    const slices = split(planOf({ connections, amount: amount ?? undefined }), parts)
    const shares = slices.map(slice => slice.connections)
    return slices.length === Math.min(parts, amount ?? Infinity) &&
      Math.min(...shares) >= 1 && Math.max(...shares) - Math.min(...shares) <= 1 &&
      sum(shares) === Math.max(connections, slices.length) &&
      (amount === null ? slices.every(slice => slice.amount === null) : sum(slices.map(slice => slice.amount ?? 0)) === amount && slices.every(slice => (slice.amount ?? 0) > 0))
  }), { seed: 10 })
  t.pass()
})

t.test('several URLs are as many scenarios of one weight, each with all requests to its target', async t => {
  const { targets, scenarios } = planOf({ url: ['http://a/', 'http://b/'], requests: [{ path: '/1' }, { path: '/2' }] })
  t.strictSame(targets.map(({ host }) => host), ['a', 'b'])
  t.strictSame(scenarios.map(({ weight, steps }) => [weight, steps.map(({ target, request: { path } }) => [target, path])]), [
    [1, [[0, '/1'], [0, '/2']]],
    [1, [[1, '/1'], [1, '/2']]]
  ])
})

t.test('split numbers the connections of all parts together', async t => {
  for (const [connections, parts, first] of [[7, 3, [0, 3, 5]], [3, 3, [0, 1, 2]], [2, 4, [0, 1, 2, 3]], [10, 1, [0]]]) {
    t.strictSame(split(planOf({ connections }), parts).map(({ firstConnection }) => firstConnection), first, `${connections} over ${parts}`)
  }
})

t.test('split shares out a rate', async t => {
  t.test('of all: the parts are phased against each other, and send evenly together', async t => {
    for (const [rate, connections, parts] of [[1000, 10, 4], [0.5, 10, 2], [7, 3, 3], [200_000, 100, 8], [1, 1, 4]]) {
      const slices = split(planOf({ rate, connections }), parts)
      t.equal(slices.length, parts)
      t.ok(Math.abs(sum(slices.map(({ pacing }) => pacing?.rate ?? 0)) - rate) < 1e-9 * rate, 'in all it is the rate')
      t.ok(slices.every(({ pacing }) => pacing?.shared && pacing.rate === rate / parts))
      const times = slices.flatMap(({ pacing }) => Array.from({ length: 50 }, (_, n) => paceOf(pacing).dueAt(n))).sort((a, b) => a - b)
      const uneven = times.findIndex((time, n) => Math.abs(time - n * 1000 / rate) > 1e-9 * time)
      t.equal(uneven, -1, `${rate}/s over ${parts}`)
    }
  })

  t.test('of all: fewer parts than asked for when there are fewer requests share it as well', async t => {
    const slices = split(planOf({ rate: 1000, amount: 3 }), 8)
    t.strictSame(slices.map(({ pacing }) => [pacing?.rate, paceOf(pacing).dueAt(0)]), [[1000 / 3, 0], [1000 / 3, 1], [1000 / 3, 2]])
  })

  t.test('of a connection: each part has it for each of its connections', async t => {
    for (const [connections, parts, rates] of [[10, 3, [40, 30, 30]], [4, 4, [10, 10, 10, 10]], [2, 4, [10, 10, 10, 10]]]) {
      const slices = split(planOf({ connectionRate: 10, connections }), parts)
      t.strictSame(slices.map(({ pacing }) => pacing?.rate), rates)
      for (const { pacing, connections } of slices) t.ok(Math.abs(paceOf(pacing).dueAt(connections) - paceOf(pacing).dueAt(0) - 100) < 1e-9)
    }
  })

  t.test('of a worker: each part has all of it', async t => {
    const slices = split(planOf({ overallRate: 100, connections: 10 }), 3)
    t.strictSame(slices.map(({ pacing }) => pacing), [0, 1, 2].map(part => ({ rate: 100, shared: false, perConnection: false, pace: null, part, parts: 3, ...SAME })))
  })

  t.test('that is none: the parts have none', async t => {
    t.ok(split(planOf(), 3).every(({ pacing }) => pacing === null))
  })
})
