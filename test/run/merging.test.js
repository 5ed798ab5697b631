'use strict'

// What many generators report becomes one result: the same whichever way it comes, in whatever order, and however requests are spread over them.

const assert = require('node:assert/strict')
const t = require('tap')
const fc = require('fast-check')
const { toRaw } = require('../../lib/figures/aggregate')
const { buildResult } = require('../../lib/figures/result')
const { Followers } = require('../../lib/follow/followers')
const { buildPlan } = require('../../lib/options/plan')
const { validate } = require('../../lib/options/validate')
const { Distributions } = require('../../lib/record/distributions')
const { Handshakes } = require('../../lib/instruments/handshakes/record')
const { Histogram } = require('../../lib/record/histogram')
const { Recorder } = require('../../lib/record/recorder')
const { aggregateResult } = require('../../lib/run/aggregate-result')
const { RemoteChannel } = require('../../lib/run/channel-remote')
const { encode } = require('../../lib/run/codec')
const { Coordinator } = require('../../lib/run/coordinator')
const { encodeSnapshot } = require('../../lib/run/messages')
const { judged } = require('../../lib/judge/judge')
const { conserves } = require('../helpers/results/conservation')

const URL = 'http://127.0.0.1:1'
const NO_REQUEST = { response: null, requestError: null, mismatch: null }
const SAMPLE = 1000

/**
 * What happens to a request: when in a sample, to which of the generators, and what becomes of it.
 * @typedef {{ generator: number, sample: number, fate: 'answer' | 'timeout' | 'failure', status: number, us: number, more: number, name: string | null, handshake: boolean }} Event
 */

const events = fc.array(fc.record({
  generator: fc.nat(7),
  sample: fc.nat(3),
  fate: fc.constantFrom('answer', 'answer', 'answer', 'timeout', 'failure'),
  status: fc.constantFrom(200, 200, 301, 404, 503),
  // A long tail, as that of a server: of three digits of µs up to seconds.
  us: fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 20_000_000 })),
  more: fc.constantFrom(0, 0, 1, 5000),
  name: fc.constantFrom(null, 'browse', 'buy'),
  handshake: fc.boolean()
}), { maxLength: 120 })

/**
 * @param {Event[]} events
 * @param {number} generators over which they are spread
 * @returns {import('../../lib/record/recorder').Snapshot[][]} what each reports. The distributions are copies: those of a recorder are used again
 */
function record (events, generators) {
  return Array.from({ length: generators }, (_, generator) => {
    const recorder = new Recorder()
    recorder.measure('handshakes', new Handshakes())
    return [0, 1, 2, 3].map(sample => {
      for (const [i, event] of events.entries()) if (event.sample === sample && event.generator % generators === generator) count(recorder, event, i)
      const usage = { cpuMs: 100 + generator, activeMs: 90, gcMs: 1, wallMs: SAMPLE, stalledMs: 0, runDelayMs: generator, blockedMs: 0, lateMs: 0, delay: { p50: 0.1, p99: 1, max: 4 } }
      const span = /** @type {const} */ ([sample * SAMPLE, (sample + 1) * SAMPLE, sample, usage])
      const snapshot = sample === 3 ? recorder.takeLast(...span) : recorder.take(...span)
      return { ...snapshot, distributions: copyOf(snapshot.distributions) }
    })
  })
}

/** @param {any} distributions */
function copyOf (distributions) {
  const copy = new Distributions()
  copy.add(distributions)
  return copy
}

/** @param {Recorder} recorder @param {Event} event @param {number} i which of all it is */
function count (recorder, { fate, status, us, more, name, handshake, sample }, i) {
  const ms = us / 1000
  const { slowest, failures } = recorder.instruments.exemplars
  const total = fate === 'answer' ? ms + more / 1000 : ms
  /** @param {any} slot */
  const fill = slot => Object.assign(slot, { time: sample * SAMPLE - total, total, connection: i, status: fate === 'answer' ? status : 0, error: fate === 'answer' ? null : fate })
  if (fate !== 'failure' && total > slowest.floor) fill(slowest.enter(total))
  if (failures.isOpen) fill(failures.draft)
  if (fate !== 'answer' || status >= 400) failures.keep(fate === 'answer' ? null : fate)
  recorder.sent++
  if (handshake) /** @type {Handshakes} */ (recorder.instruments.handshakes).count(ms, us % 2 === 0, 'TLSv1.3 TLS_AES_128_GCM_SHA256')
  if (handshake) recorder.distributions.current.connect.record(ms)
  const tally = name === null ? null : recorder.instruments.requests.of(name)
  if (fate === 'failure') return recorder.fail(Object.assign(new Error('x'), { code: 'ECONNRESET' }), NO_REQUEST, tally)
  if (fate === 'timeout') return recorder.timeOut(Object.assign(new Error('x'), { code: 'AC_TIMEOUT' }), ms, ms, NO_REQUEST, tally)
  recorder.complete(status, 50 + us % 7, ms + more / 1000, ms, ms)
  tally?.complete(status)
  tally?.record(ms, ms)
}

/**
 * @param {number} generators
 * @param {(generator: number, sinks: any, slice: any) => { open: () => Promise<void>, start: () => void }} makeEnd
 * @param {(number | null)[]} order whose turn it is to say the next of what it has to say
 * @param {((generator: number) => void)} say
 */
async function run (generators, makeEnd, order, say) {
  const plan = buildPlan(validate({ url: URL, connections: 8, duration: 4, sampleInt: SAMPLE }).values)
  const infos = Array.from({ length: generators }, (_, i) => ({ name: `agent-${i}`, host: 'h', cores: 1, node: 'v20', workers: 1, clockError: 0 }))
  const fleet = { agents: infos, agentOf: (/** @type {number} */ i) => i, lead: 0, onLoss: /** @type {const} */ ('continue') }
  const coordinator = new Coordinator(plan, generators, (slice, sinks, observer, i) => /** @type {any} */ ({ begin () {}, stop () {}, observe () {}, async close () {}, ...makeEnd(i, sinks, slice) }), new Followers(), NO_REQUEST, [], null, fleet)
  const running = coordinator.run()
  await new Promise(resolve => setImmediate(resolve))
  for (const generator of order) say(/** @type {number} */ (generator))
  return (await running).outcome
}

/**
 * @param {import('../../lib/record/recorder').Snapshot[][]} recorded
 * @returns {Promise<any>} the outcome of generators in this thread that report in turn
 */
function locally (recorded) {
  /** @type {any[]} */
  const all = []
  const said = recorded.map(() => 0)
  const order = [0, 1, 2, 3, 4].flatMap(() => [...recorded.keys()])
  return run(recorded.length, (i, sinks) => {
    all[i] = sinks
    return { async open () {}, start () {} }
  }, order, i => {
    const snapshot = recorded[i][said[i]++]
    if (snapshot !== undefined) all[i].snapshot(snapshot)
    else all[i].end(null, false)
  })
}

/**
 * @param {import('../../lib/record/recorder').Snapshot[][]} recorded
 * @param {number[]} order
 * @returns {Promise<any>} that of generators elsewhere, whose reports come in that order
 */
function elsewhere (recorded, order) {
  /** @type {any[]} */
  const transports = []
  const said = recorded.map(() => 0)
  return run(recorded.length, (i, sinks, slice) => {
    const transport = transports[i] = /** @type {any} */ ({ name: 'an agent', async close () {}, send: (/** @type {any} */ { type }) => { if (type === 'open') transport.onMessage(encode({ type: 'ready' })) } })
    const channel = new RemoteChannel(slice, sinks, NO_REQUEST, () => transport, { setInterval: () => /** @type {any} */ (undefined) })
    return { open: () => channel.open(), start: () => channel.start(), close: () => channel.close() }
  }, order, i => {
    const snapshot = recorded[i][said[i]++]
    const report = snapshot === undefined ? { type: 'end', error: null, usedUp: false } : { type: 'snapshot', snapshot: encodeSnapshot(snapshot) }
    transports[i].onMessage(JSON.parse(JSON.stringify(encode(report))))
  })
}

/** When it was is not what was measured. @param {any} result */
const told = ({ start, finish, duration, slowest, firstFailures, ...result }) => {
  const fromStart = (/** @type {any} */ single) => ({ ...single, time: single.time - start })
  return JSON.parse(JSON.stringify({ ...result, slowest: slowest.map(fromStart), firstFailures: firstFailures.map(fromStart) }))
}

const identity = { title: 'x', url: URL, connections: 8, pipelining: 1, sampleInt: SAMPLE }

/** @param {any} outcome */
const resultOf = outcome => judged(buildResult(identity, outcome))

/** Turns of generators, each its five: four samples and the end. @param {number} generators */
const orderOf = generators => fc.shuffledSubarray(Array.from({ length: generators * 5 }, (_, i) => i % generators), { minLength: generators * 5 })

t.test('the result of agents is that of one process with the same snapshots, bit for bit, in whatever order they come', async t => {
  const given = fc.tuple(events, fc.integer({ min: 1, max: 5 })).chain(([events, n]) => fc.tuple(fc.constant(events), fc.constant(n), orderOf(n)))
  await t.resolves(fc.assert(fc.asyncProperty(given, async ([events, n, order]) => {
    const one = resultOf(await locally(record(events, n)))
    const many = resultOf(await elsewhere(record(events, n), order))
    assert.deepEqual(told(many), told(one))
  }), { seed: 17, numRuns: 25 }))
})

t.test('over however many generators requests are spread, the figures are the same, bit for bit', async t => {
  await t.resolves(fc.assert(fc.asyncProperty(events, fc.integer({ min: 2, max: 7 }), async (events, n) => {
    const figures = (/** @type {any} */ outcome) => {
      // How busy generators were is theirs, and so is the list of agents.
      const { generator, agents, series, ...result } = told(resultOf(outcome))
      return { ...result, series: series.map(({ cpu, eventLoopUtilization, runDelay, blocked, verdict, ...point }) => point) }
    }
    assert.deepEqual(figures(await locally(record(events, n))), figures(await locally(record(events, 1))))
  }), { seed: 17, numRuns: 25 }))
})

t.test('a deviation does not depend on how values were added up', async t => {
  const us = fc.array(fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 20_000_000 })), { minLength: 2, maxLength: 50 })
  t.doesNotThrow(() => fc.assert(fc.property(us, us => {
    const deviation = (/** @type {number} */ parts) => {
      const whole = new Histogram()
      for (let part = 0; part < parts; part++) {
        const own = new Histogram()
        for (const [i, value] of us.entries()) if (i % parts === part) own.record(value / 1000)
        whole.add(own)
      }
      return whole.summary().stddev
    }
    assert.equal(deviation(3), deviation(1))
  }), { seed: 17, numRuns: 300 }))
})

t.test('the result of agents is what aggregateResult makes of their raw results', async t => {
  await t.resolves(fc.assert(fc.asyncProperty(events, fc.integer({ min: 1, max: 5 }), async (events, n) => {
    const recorded = record(events, n)
    // A mean of percentiles is none of all requests: the course of the run is told by agents, and only nearly by raw results.
    // `passed` and `findings` are added by what judges, which resultOf does not do.
    const figures = (/** @type {any} */ { generator, agents, series, passed, findings, ...result }) => told(result)
    const whole = resultOf(await locally(recorded))
    const raws = []
    for (const own of recorded) raws.push(JSON.parse(JSON.stringify(toRaw(identity, { ...await locally([own]), start: new Date(0), finish: new Date(4000) }))))
    assert.deepEqual(figures(aggregateResult(raws, { connections: 8 })), figures(whole))
  }), { seed: 17, numRuns: 25 }))
})

t.test('of all of them each request has one fate', async t => {
  const all = fc.sample(events, { seed: 17, numRuns: 5 }).flat()
  conserves(t, resultOf(await locally(record(all, 3))))
})
