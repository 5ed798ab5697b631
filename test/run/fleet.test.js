'use strict'

// A run over generators on several machines: what the coordinator does differently when it has a fleet. Its agents are channels in this thread, and what
// a test makes of them.

const t = require('tap')
const fc = require('fast-check')
const { Followers } = require('../../lib/follow/followers')
const { paceOf } = require('../../lib/load/pace')
const { buildPlan, split } = require('../../lib/options/plan')
const { validate } = require('../../lib/options/validate')
const { LocalChannel } = require('../../lib/run/channel-local')
const { Coordinator } = require('../../lib/run/coordinator')
const { serve } = require('../helpers/http-server')

/** @param {Record<string, any>} [opts] */
const planOf = opts => buildPlan(validate({ url: 'http://localhost/', ...opts }).values)

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((a, b) => a + b, 0)

const NOBODY = { response: null, requestError: null, mismatch: null }

/**
 * @param {number[]} generators of each agent
 * @param {Record<string, any>} [more]
 * @returns {any}
 */
function fleetOf (generators, more) {
  const agents = generators.map((workers, i) => ({ name: `agent-${i}`, host: `host-${i}`, cores: workers, node: process.version, workers, clockError: 0.5 }))
  const order = agents.flatMap((_, agent) => Array.from({ length: generators[agent] }, (_, turn) => ({ agent, turn }))).sort((a, b) => a.turn - b.turn)
  return { agents, agentOf: (/** @type {number} */ generator) => order[generator].agent, lead: 60, onLoss: 'continue', ...more }
}

/**
 * @param {Record<string, any>} opts
 * @param {any} fleet
 * @param {(...args: any[]) => any} [makeChannel]
 */
function coordinate (opts, fleet, makeChannel = (slice, sinks, observer) => new LocalChannel(slice, sinks, observer)) {
  return new Coordinator(planOf(opts), sum(fleet.agents.map(({ workers }) => workers)), makeChannel, new Followers(), NOBODY, [], null, fleet)
}

t.test('all generators begin together, also without a rate, and each says when it did', async t => {
  const times = []
  const { url } = await serve(t, (request, response) => { times.push(performance.now()); response.end() })
  for (const load of [{}, { rate: 200 }]) {
    times.length = 0
    const made = []
    const began = []
    const coordinator = coordinate({ url, connections: 5, duration: 0.2, ...load }, fleetOf([2, 1]), (slice, sinks, observer, i) => {
      made.push([i, slice.threads, slice.together])
      const channel = new LocalChannel(slice, { ...sinks, began: at => began.push(at) }, observer)
      return Object.assign(channel, { begin: at => { t.equal(at, coordinator.beginsAt); LocalChannel.prototype.begin.call(channel, at) } })
    })
    const { outcome } = await coordinator.run()
    t.strictSame(made, [[0, 2, true], [1, 1, true], [2, 2, true]])
    t.equal(began.length, 3)
    for (const at of began) t.ok(at >= coordinator.beginsAt && at < coordinator.beginsAt + 2000, `${at - coordinator.beginsAt} ms late`)
    t.ok(outcome.totals.sent >= 5)
    t.equal(outcome.totals.sent, outcome.totals.completed + outcome.totals.abandoned)
  }
})

t.test('over machines a plan is split as it was asked for: no connection more, and overall limits are those of all', async t => {
  t.test('of connections and requests', async t => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 500 }), fc.option(fc.integer({ min: 1, max: 1e6 })), fc.option(fc.integer({ min: 500, max: 1e4 })), fc.integer({ min: 1, max: 600 }), (connections, amount, limit, parts) => {
      const plan = planOf({ connections, amount: amount ?? undefined, maxOverallRequests: limit ?? undefined })
      const slices = split(plan, parts, true)
      t.equal(slices.length, Math.min(parts, plan.connections, amount ?? limit ?? Infinity))
      t.equal(sum(slices.map(({ connections }) => connections)), plan.connections)
      t.ok(slices.every(({ connections, together }) => connections > 0 && together))
      if (amount !== null) t.equal(sum(slices.map(slice => slice.amount ?? NaN)), amount)
      if (limit !== null) t.equal(sum(slices.map(slice => slice.maxOverallRequests ?? NaN)), limit)
      t.strictSame(slices.map(({ firstConnection }) => firstConnection), slices.map((_, i) => sum(slices.slice(0, i).map(({ connections }) => connections))))
    }), { seed: 21, numRuns: 60 })
  })

  t.test('of a rate: they send evenly together', async t => {
    for (const opts of [{ rate: 700 }, { overallRate: 700 }]) {
      for (const parts of [1, 3, 40]) {
        const slices = split(planOf({ connections: 50, ...opts }), parts, true)
        t.equal(slices.length, parts)
        const times = slices.flatMap(({ pacing }) => Array.from({ length: 20 }, (_, n) => paceOf(/** @type {any} */ (pacing)).dueAt(n))).sort((a, b) => a - b)
        t.ok(times.every((time, n) => Math.abs(time - n / 0.7) < 1e-6))
      }
    }
  })

  t.test('of stages over connections: nobody is there in vain', async t => {
    t.equal(split(planOf({ connections: 1, stages: ['1s:4', '1s:9'] }), 20, true).length, 9)
    t.equal(split(planOf({ connections: 10, stages: ['1s:400/s'] }), 20, true).length, 10)
  })
})
