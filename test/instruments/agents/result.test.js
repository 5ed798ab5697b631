'use strict'

// What a result says of agents, and what becomes of the verdict on the generators when some agents are worse than others. A run over agents is what
// aggregateResult makes of one run on each.

const t = require('tap')
const fc = require('fast-check')
const { derive, healthOfAll } = require('../../../lib/instruments/agents/result')
const { merge, toRaw } = require('../../../lib/figures/aggregate')
const { healthOf } = require('../../../lib/instruments/generator/health')
const { buildResult } = require('../../../lib/figures/result')
const { Followers } = require('../../../lib/follow/followers')
const { aggregateResult } = require('../../../lib/run/aggregate-result')
const { Measurement } = require('../../../lib/run/measurement')
const { Recorder } = require('../../../lib/record/recorder')
const { agentOutcome, usageOf } = require('../../helpers/agents/example-agents')

/** @type {(agents: any[], sent: number) => any[]} */
const agentsOf = (agents, sent) => derive(null, /** @type {any} */ ({ outcome: { agents, totals: { sent } } })).agents

/** @param {any[]} agents */
const judged = agents => {
  const usages = agents.map(({ usage }) => usage)
  return healthOfAll(agents, usages, undefined, [])
}

t.test('agents have their share of all requests, and a core of figures', async t => {
  const agents = [agentOutcome(0, { sent: 300 }), agentOutcome(1, { sent: 100, lost: { after: 1.23456, code: 'failed', reason: 'killed', missing: { share: 0.123456, requests: 7 } } })]
  t.match(agentsOf(agents, 400), [
    { name: 'agent-0', host: 'host-0', requests: { sent: 300, total: 299 }, share: 0.75, generator: { cpu: 0.3, verdict: 'healthy', cause: null }, lost: null },
    { share: 0.25, lost: { after: 1.235, code: 'failed', reason: 'killed', missing: { share: 0.1235, requests: 7 } } }
  ])
  t.strictSame(agentsOf([agentOutcome(0, { sent: 0 })], 0)[0].share, 0)
})

t.test('the verdict on the generators names the agents that were worse than others, as far as their part of the load goes', async t => {
  const idle = Array.from({ length: 9 }, (_, i) => agentOutcome(i))
  t.match(judged(idle), { verdict: 'healthy', cause: null, saturated: false })
  t.match(judged([agentOutcome(0, { busy: 9900 }), agentOutcome(1, { busy: 9900 })]), { verdict: 'saturated', saturated: true, cause: /^The load generator used 99 % of its core: .*; use more agents\.$/ }, 'all of them')
  t.match(judged([...idle, agentOutcome(9, { busy: 9900 })]), { verdict: 'saturated', saturated: true, cause: 'On agent-9 (host-9), which had 10 % of the load, the load generator used 99 % of its core: these figures show the client, not the server; use more agents.' })
  t.match(judged([...idle, ...[10, 11, 12].map(i => agentOutcome(i, { busy: 9900 }))]), { verdict: 'saturated', cause: /^On agent-10 \(host-10\), agent-11 \(host-11\) and 1 more agent, which had 25 % of the load, / })
  t.match(judged([...idle, agentOutcome(9, { busy: 9900, sent: 20, connections: 1 })]), { verdict: 'busy', saturated: false, cause: 'On agent-9 (host-9), which had 2 % of the load, the load generator was at its limit (99 % of a core): p99 and higher percentiles may be too high.' })
  t.match(judged([...idle, agentOutcome(9, { busy: 9900, sent: 1, connections: 0 })]), { verdict: 'healthy', cause: null }, 'less than a hundredth is in no percentile that is looked at')
  t.match(judged([...idle, agentOutcome(9, { busy: 8800 })]), { verdict: 'busy', cause: /^On agent-9 \(host-9\), which had 10 % of the load, the load generator used 88 % of its event loop: .* More agents or fewer hooks make room\.$/ })
})

t.test('of connections that only listen, an agent has the part that is its', async t => {
  t.match(judged([agentOutcome(0, { sent: 0, connections: 30 }), agentOutcome(1, { sent: 0, busy: 9900 })]).cause, /^On agent-1 \(host-1\), which had 25 % of the load, /)
})

t.test('where latencies end at the arrival in the kernel, an agent that was too busy has no part in them', async t => {
  const agents = [...Array.from({ length: 9 }, (_, i) => agentOutcome(i)), agentOutcome(9, { busy: 9900, sent: 20, connections: 1 })]
  const { cause } = healthOfAll(agents, agents.map(({ usage }) => usage), undefined, [], { byArrival: true })
  t.equal(cause, 'On agent-9 (host-9), which had 2 % of the load, the load generator was at its limit (99 % of a core): the achieved rate may be too low; latencies end at the arrival in the kernel and are not affected.')
})

t.test('a name of an agent is one line of printable text in that sentence', async t => {
  const { cause } = judged([agentOutcome(0), agentOutcome(1, { busy: 9900, name: 'a\u001b[31m\nb', host: 'h' })])
  t.match(cause, /^On a b \(h\), which/)
})

/** @param {number} seed @param {number} sample */
function snapshotOf (seed, sample) {
  const recorder = new Recorder()
  const count = seed % 50
  for (let i = 0; i < count; i++) {
    recorder.sent++
    const ms = 1 + (seed * 7919 + i * 104729) % 5000 / 10
    if ((seed + i) % 13 === 0) recorder.fail(Object.assign(new Error(), { code: 'ECONNRESET' }), { requestError: null })
    else recorder.complete((seed + i) % 11 === 0 ? 503 : 200, 100 + i, ms, ms, ms / 2)
  }
  recorder.bytes += 100 * count
  return recorder.take(sample * 1000, (sample + 1) * 1000, sample, usageOf(3000))
}

t.test('the result of a run over agents is that of their raw results together', async t => {
  const IDENTITY = { title: undefined, url: 'http://localhost/', socketPath: undefined, http: '1.1', connections: 10, pipelining: 1, workers: undefined, sampleInt: 1000, percentiles: undefined }
  const start = +new Date('2026-11-22T10:00:00Z')
  fc.assert(fc.property(fc.array(fc.array(fc.array(fc.integer({ min: 0, max: 1e6 }), { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 }), agents => {
    /** @param {number[][]} generators @param {any[]} of */
    const outcomeOf = (generators, of) => {
      const measurement = new Measurement(1000, generators.length, new Followers())
      for (const [generator, seeds] of generators.entries()) for (const [sample, seed] of seeds.entries()) measurement.add(generator, snapshotOf(seed, sample))
      for (const generator of generators.keys()) measurement.end(generator)
      measurement.totals.abandonRest()
      return measurement.outcome({ start, finish: start + 3000, targetRate: null, users: null, interrupted: false, agents: of })
    }
    const outcomes = agents.map((generators, i) => agentOutcome(i, { sent: generators.flat().reduce((sum, seed) => sum + seed % 50, 0), connections: 2 * generators.length }))
    const raws = agents.map((generators, i) => JSON.parse(JSON.stringify(toRaw(IDENTITY, outcomeOf(generators, [outcomes[i]])))))
    // Each run is given once: what is the same by chance is not compared.
    if (new Set(raws.map(raw => JSON.stringify([raw.totals, raw.samples]))).size < raws.length) return
    const whole = buildResult(IDENTITY, outcomeOf(agents.flat(), outcomes))
    const merged = buildResult(IDENTITY, merge(raws))
    // Of a point of the series a raw result has percentiles, and no histogram: those of several together are not known exactly.
    const exact = (/** @type {any} */ result) => JSON.parse(JSON.stringify({ ...result, series: result.series.map((/** @type {any} */ { average, p50, p95, p99, ...point }) => point) }))
    t.strictSame(exact(merged), exact(whole))
    t.strictSame(aggregateResult(raws).agents, whole.agents)
  }), { seed: 23, numRuns: 30 })
})

t.test('a raw result whose agents are none is refused by the place of what is wrong', async t => {
  const measurement = new Measurement(1000, 1, new Followers())
  measurement.add(0, snapshotOf(5, 0))
  measurement.end(0)
  const raw = JSON.stringify(toRaw({ url: 'http://localhost/', connections: 1, pipelining: 1, sampleInt: 1000 }, measurement.outcome({ start: 0, finish: 1000, targetRate: null, users: null, interrupted: false, agents: [agentOutcome(0, { lost: { after: 1, reason: 'x', missing: { share: 0.5, requests: null } } })] })))
  t.equal(merge([JSON.parse(raw)]).agents?.length, 1)
  for (const [change, words] of /** @type {Array<[(agent: any) => unknown, string]>} */ ([
    [agent => { agent.name = 5 }, 'agents[0].name is 5, expected a text'],
    [agent => { agent.requests = null }, 'agents[0].requests is null, expected an object'],
    [agent => { agent.health.verdict = 'fine' }, "agents[0].health.verdict is 'fine', expected healthy, busy, starved, saturated"],
    [agent => { agent.skew = 'x' }, "agents[0].skew is 'x', expected a number or null"],
    [agent => { agent.lost = 1 }, 'agents[0].lost is 1, expected an object'],
    [agent => { delete agent.lost.missing.share }, 'it has no agents[0].lost.missing.share']
  ])) {
    const broken = JSON.parse(raw)
    change(broken.agents[0])
    t.throws(() => merge([broken]), { code: 'AC_AGGREGATE', message: `result 0 can't be aggregated: ${words}` })
  }
  t.equal(healthOf([]).verdict, null)
})
