'use strict'

// A run over generators on several machines: what the coordinator does differently when it has a fleet. Its agents are channels in this thread, and what
// a test makes of them.

const t = require('tap')
const fc = require('fast-check')
const { AgentLostError } = require('../../lib/core/errors')
const { buildResult } = require('../../lib/figures/result')
const { Followers } = require('../../lib/follow/followers')
const { paceOf } = require('../../lib/shapes/pace')
const { buildPlan } = require('../../lib/options/plan')
const { split } = require('../../lib/options/split')
const { validate } = require('../../lib/options/validate')
const { LocalChannel } = require('../../lib/run/channel-local')
const { Coordinator } = require('../../lib/run/coordinator')
const { parseThreshold } = require('../../lib/judge/threshold')
const { conserves } = require('../helpers/results/conservation')
const { serve } = require('../helpers/servers/http-server')

/** @param {Record<string, any>} [opts] */
const planOf = opts => buildPlan(validate({ url: 'http://localhost/', ...opts }).values)

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((a, b) => a + b, 0)

const NO_REQUEST = { response: null, requestError: null, mismatch: null }

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
function coordinate ({ thresholds = [], ...opts }, fleet, makeChannel = (slice, sinks, observer) => new LocalChannel(slice, sinks, observer)) {
  return new Coordinator(planOf(opts), sum(fleet.agents.map(({ workers }) => workers)), makeChannel, new Followers(), NO_REQUEST, thresholds.map(parseThreshold), null, fleet)
}

/**
 * Channels in this thread whose agents can be lost: their generators go on then, and their reports are lost.
 * @param {any} fleet
 */
function losable (fleet) {
  /** @type {Array<Array<() => void>>} */
  const ends = fleet.agents.map(() => [])
  /** Requests that each agent has told of. */
  const sent = fleet.agents.map(() => 0)
  return {
    sent,
    /** @param {number} agent */
    lose: agent => { for (const end of ends[agent]) end() },
    makeChannel (slice, sinks, observer, i) {
      const agent = fleet.agentOf(i)
      let lost = false
      const channel = new LocalChannel(slice, Object.fromEntries(Object.entries(sinks).map(([name, sink]) => [name, (...args) => {
        if (lost) return
        if (name === 'snapshot') sent[agent] += args[0].sent
        sink(...args)
      }])), observer)
      ends[agent].push(() => {
        lost = true
        channel.stop()
        sinks.end(new AgentLostError(`the agent agent-${agent} was lost: it was killed`, 'it was killed'), false)
      })
      return channel
    }
  }
}

/** @param {any} outcome */
const resultOf = outcome => /** @type {any} */ (buildResult({ url: 'http://localhost/', connections: 1, pipelining: 1, sampleInt: 50 }, outcome))

t.test('all generators begin together, also without a rate, and each says when it did', async t => {
  const { url } = await serve(t)
  for (const load of [{}, { rate: 200 }]) {
    const made = []
    const began = []
    const coordinator = coordinate({ url, connections: 5, amount: 30, ...load }, fleetOf([2, 1]), (slice, sinks, observer, i) => {
      made.push([i, slice.threads, slice.together])
      const channel = new LocalChannel(slice, { ...sinks, began: at => began.push(at) }, observer)
      return Object.assign(channel, { begin: at => { t.equal(at, coordinator.beginsAt); LocalChannel.prototype.begin.call(channel, at) } })
    })
    const { outcome } = await coordinator.run()
    t.strictSame(made, [[0, 2, true], [1, 1, true], [2, 2, true]])
    t.equal(began.length, 3)
    // A timer may fire up to 1 ms early.
    for (const at of began) t.ok(at >= coordinator.beginsAt - 1 && at < coordinator.beginsAt + 2000, `${at - coordinator.beginsAt} ms late`)
    t.strictSame([outcome.totals.sent, outcome.totals.completed], [30, 30])
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

  t.test('of stages over connections: no connection is open in vain', async t => {
    t.equal(split(planOf({ connections: 1, stages: ['1s:4', '1s:9'] }), 20, true).length, 9)
    t.equal(split(planOf({ connections: 10, stages: ['1s:400/s'] }), 20, true).length, 10)
  })
})

t.test('a lost agent: what it reported stays, the others go on, and the result says how much is missing', async t => {
  const { url } = await serve(t, (request, response) => setTimeout(() => response.end('ok'), 5))
  const LOADS = {
    'a closed loop': { duration: 1.2 },
    'short samples': { duration: 1.2, sampleInt: 20 },
    'a rate': { duration: 1.2, rate: 300 },
    'arrivals at random': { duration: 1.2, rate: 300, arrivals: 'poisson' },
    'stages of a rate': { stages: ['600ms:200/s', '600ms:400/s'] },
    'stages of connections': { connections: 1, stages: ['50ms:8', '1150ms:8'] },
    'an amount': { amount: 2000 },
    'iterations of users': { duration: 1.2, rate: '200 iterations/s', scenarios: [{ requests: [{ path: '/' }] }] }
  }
  // All at the same time.
  t.jobs = Object.keys(LOADS).length
  for (const [name, load] of Object.entries(LOADS)) {
    t.test(name, async t => {
      const fleet = fleetOf([2, 1, 1])
      const { lose, makeChannel, sent } = losable(fleet)
      const coordinator = coordinate({ url, connections: 8, sampleInt: 50, ...load }, fleet, makeChannel)
      const notices = []
      coordinator.followers.add({ tick () { if (coordinator.elapsed() > 250 && sent[0] > 0 && coordinator.log.losses.size === 0) lose(0) }, notice: sentence => notices.push(sentence) })
      const { outcome, failure } = await coordinator.run()
      t.equal(failure, null)
      t.equal(outcome.interrupted, false)
      t.strictSame(notices, ['the agent agent-0 was lost: it was killed; the run goes on without it'], 'told once, at once')
      const result = resultOf(outcome)
      conserves(t, result)
      const [lost, ...others] = result.agents
      t.match(lost, { name: 'agent-0', workers: 2, lost: { reason: 'it was killed' } })
      t.ok(lost.requests.sent > 0 && lost.lost.after >= 0.2 && lost.lost.after < 30)
      t.strictSame(others.map(agent => agent.lost), [null, null])
      t.equal(sum(result.agents.map(agent => agent.requests.sent)), result.requests.sent)
      t.equal(sum(result.agents.map(agent => agent.requests.total)), result.requests.total)
      const { share, requests } = lost.lost.missing
      t.ok(share > 0 && share <= 0.5, `${share} of the load`)
      if (name === 'an amount') {
        t.equal(requests, 1000 - lost.requests.sent)
        t.equal(result.requests.sent, 2000 - requests)
      } else if (result.rate !== undefined) {
        t.equal(requests, (name.startsWith('arrivals') ? Math.round(requests / share) : name.startsWith('stages') ? 240 : 360) - result.rate.sent - result.rate.unsent, 'all that was due was sent, never sent, or is missing')
        t.equal(result.rate.target, name.startsWith('stages') ? 200 : 300)
        t.ok(result.rate.ratio < 0.9, `${result.rate.ratio}`)
      } else {
        t.equal(requests, null)
        if (result.iterations !== undefined) t.ok(result.iterations.achieved < 190, `${result.iterations.achieved}`)
      }
      if (name === 'stages of connections') t.equal(result.byStage[1].connections, 4, 'its connections are gone')
      else if (result.byStage !== undefined) t.ok(result.byStage[1].rate.target === 300 && result.byStage[1].rate.ratio < 0.9)
    })
  }
})

t.test('a run that is to stop with the first lost agent fails with what was measured, as one does that has none left', async t => {
  const { url } = await serve(t)
  for (const [onLoss, agents] of /** @type {Array<['stop' | 'continue', number[]]>} */ ([['stop', [0]], ['continue', [0, 1]]])) {
    const fleet = fleetOf([1, 1], { onLoss })
    const { lose, makeChannel } = losable(fleet)
    const coordinator = coordinate({ url, connections: 4, duration: 30, sampleInt: 50 }, fleet, makeChannel)
    coordinator.followers.add({ tick () { if (coordinator.elapsed() > 100) for (const agent of agents) lose(agent) } })
    const { outcome, failure } = await coordinator.run()
    t.match(failure, { code: 'AC_AGENT', message: /^the agent agent-\d was lost: it was killed$/ })
    const result = resultOf(outcome)
    t.equal(result.interrupted, true)
    t.strictSame(result.agents.map(({ lost }) => lost !== null), agents.length === 2 ? [true, true] : [true, false])
    t.ok(result.duration < 10 && result.requests.sent > 0)
    conserves(t, result)
  }
})

t.test('a search for the limit ends with the first lost agent', async t => {
  const { url } = await serve(t)
  const fleet = fleetOf([1, 1])
  const { lose, makeChannel } = losable(fleet)
  const stages = [{ name: null, over: 'rate', from: 0, until: 60_000, start: 100, end: 100 }]
  const plan = planOf({ url, connections: 4, stages: ['60s:100/s'], sampleInt: 50 })
  const steered = { ...plan, steered: true, stages, pacing: Object.assign({}, plan.pacing, { stages }) }
  const coordinator = new Coordinator(/** @type {any} */ (steered), 2, makeChannel, new Followers(), NO_REQUEST, [], null, fleet)
  coordinator.followers.add({ tick () { if (coordinator.elapsed() > 100) lose(0) } })
  const { failure, outcome } = await coordinator.run()
  t.match(failure, { code: 'AC_AGENT' })
  conserves(t, resultOf(outcome))
})

t.test('an agent that is lost while its generators are made ready is one that is lost after 0 s', async t => {
  const { url } = await serve(t)
  const opening = (/** @type {number[]} */ lost, /** @type {any} */ error) => (slice, sinks, observer, i) => {
    const channel = new LocalChannel(slice, sinks, observer)
    return !lost.includes(i) ? channel : Object.assign(channel, { open: async () => { sinks.end(error, false); throw error } })
  }
  const error = new AgentLostError('the agent agent-0 was lost: it was killed', 'it was killed')
  const { outcome, failure } = await coordinate({ url, connections: 4, amount: 12 }, fleetOf([1, 1, 1]), opening([0], error)).run()
  t.equal(failure, null)
  t.match(resultOf(outcome).agents, [{ requests: { sent: 0 }, lost: { after: 0, reason: 'it was killed', missing: { requests: 4 } } }, { requests: { sent: 4 }, lost: null }, { requests: { sent: 4 }, lost: null }])
  await t.rejects(coordinate({ url, connections: 4, amount: 12 }, fleetOf([1, 1], { onLoss: 'stop' }), opening([0], error)).run(), error)
  await t.rejects(coordinate({ url, connections: 4, amount: 12 }, fleetOf([1, 1]), opening([0, 1], error)).run(), error)
  await t.rejects(coordinate({ url, connections: 4, amount: 12 }, fleetOf([1, 1]), opening([0], new Error('a hook can not be loaded'))).run(), /hook/)
})

t.test('an agent that is lost before the start delays no other', async t => {
  const { url } = await serve(t)
  const fleet = fleetOf([1, 1])
  const { lose, makeChannel } = losable(fleet)
  const coordinator = coordinate({ url, connections: 2, amount: 10, sampleInt: 50 }, fleet, (slice, sinks, observer, i) => {
    const channel = makeChannel(slice, sinks, observer, i)
    return i === 1 ? channel : Object.assign(channel, { start: () => setImmediate(lose, 0) })
  })
  const { outcome, failure } = await coordinator.run()
  t.equal(failure, null)
  const result = resultOf(outcome)
  t.match(result.agents, [{ requests: { sent: 0 }, skew: null, lost: { after: 0, missing: { share: 0.5, requests: 5 } } }, { requests: { sent: 5 }, share: 1, lost: null }])
  conserves(t, result)
})

t.test('a threshold that may end the run is not lost because a lost agent sends nothing more', async t => {
  const { url } = await serve(t)
  await Promise.all(['rps > 20', 'requests < 1000', 'errors < 1', 'p99 < 10s', 'error rate < 1%'].map(async threshold => {
    const fleet = fleetOf([1, 1])
    const { lose, makeChannel } = losable(fleet)
    const coordinator = coordinate({ url, connections: 2, duration: 0.6, rate: 50, sampleInt: 50, thresholds: [{ threshold, abortOn: true }] }, fleet, makeChannel)
    coordinator.followers.add({ tick () { if (coordinator.elapsed() > 150 && coordinator.log.losses.size === 0) lose(0) } })
    const { outcome, lost } = await coordinator.run()
    t.equal(lost, null, threshold)
    t.ok(outcome.elapsed > 500)
    conserves(t, resultOf(outcome))
  }))
})

t.test('rows that are used once: those of a lost agent are not used, and the run ends with those of the others', async t => {
  const seen = []
  const { url } = await serve(t, (request, response) => { seen.push(request.url); setTimeout(() => response.end(), 2) })
  const rows = Array.from({ length: 400 }, (_, i) => ({ id: String(i) }))
  const fleet = fleetOf([1, 1])
  const { lose, makeChannel } = losable(fleet)
  const opts = { url, connections: 4, duration: 30, sampleInt: 50, requests: [{ path: '/{{row.id}}' }], data: { row: { rows, pick: 'once', end: 'run' } } }
  const coordinator = coordinate(opts, fleet, makeChannel)
  coordinator.followers.add({ tick () { if (seen.length > 50 && coordinator.log.losses.size === 0) lose(0) } })
  const { outcome, failure } = await coordinator.run()
  t.equal(failure, null)
  t.equal(new Set(seen).size, seen.length, 'no row twice')
  t.ok(seen.length >= 200 && seen.length < 400)
  t.equal(sum(seen.map(path => Number(path.slice(1)) % 2)), 200, 'all of the other agent')
  conserves(t, resultOf(outcome))
})
