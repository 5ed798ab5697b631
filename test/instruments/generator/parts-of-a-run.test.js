'use strict'

// The sentence on the load generator of a stage, of a step of a search and of an agent: it says of latencies and of the rate what that of a run says.

const t = require('tap')
const { Stepper } = require('../../../lib/experiments/find/stepper')
const { Course } = require('../../../lib/instruments/generator/point')
const { troubleOf } = require('../../../lib/instruments/generator/verdict')
const { stageResult } = require('../../../lib/instruments/stages/result')
const { StageTally } = require('../../../lib/instruments/stages/stage-tally')
const { parseThreshold } = require('../../../lib/judge/threshold')
const { Histogram } = require('../../../lib/record/histogram')
const { FleetLog } = require('../../../lib/run/fleet-log')

const KEPT = /: latencies end at the arrival in the kernel and are not affected\./
const SENT_LATE = /: latencies start at the due times, so they include how late each send was\./
const TOO_LOW = /: the achieved rate is too low; latencies start at/

/** How the requests of ten seconds went, and what the sentence says of it. @type {Array<[name: string, counts: { sent: number, late: number, unsent: number }, words: RegExp]>} */
const CASES = [
  ['all were sent in time', { sent: 1000, late: 0, unsent: 0 }, KEPT],
  ['all were sent, 5 % of them late', { sent: 1000, late: 50, unsent: 0 }, SENT_LATE],
  ['a tenth was never sent', { sent: 900, late: 0, unsent: 100 }, TOO_LOW]
]

/** A load generator that had a high CPU wait all the time. */
const POINTS = Array.from({ length: 10 }, (_, i) => ({ time: i * 1000, length: 1000, cpu: 0.5, eventLoopUtilization: 0.5, runDelay: 0.4, blocked: 0, verdict: 'starved' }))

/** @param {{ sent: number, late: number, unsent: number }} counts */
function tallyOf ({ sent, late, unsent }, i = 0) {
  return Object.assign(new StageTally(i), { sent, written: sent, late, unsent })
}

t.test('of a stage', async t => {
  const stages = [{ name: null, over: 'rate', from: 0, until: 10_000, start: 100, end: 100 }]
  for (const [name, counts, words] of CASES) {
    const totals = { skipped: null, arrived: 1000, completed: 1000, instruments: { stages: { of: () => tallyOf(counts) } } }
    const { generator } = stageResult(/** @type {any} */ ({ stages, totals, elapsed: 10_000, series: POINTS }), 0)
    t.match(generator.cause, words, name)
  }
})

t.test('of a stage of iterations that all started', async t => {
  const stages = [{ name: null, over: 'iterations', from: 0, until: 10_000, start: 100, end: 100 }]
  const totals = { skipped: null, arrived: 1000, completed: 1000, instruments: { stages: { of: () => Object.assign(new StageTally(0), { arrived: 1000, begun: 1000 }) } } }
  t.match(stageResult(/** @type {any} */ ({ stages, totals, elapsed: 10_000, series: POINTS }), 0).generator.cause, KEPT)
})

t.test('of a step of a search', async t => {
  for (const [name, { sent, late, unsent }, words] of CASES) {
    const stage = () => ({ tally: Object.assign(tallyOf({ sent: sent / 10, late: late / 10, unsent: unsent / 10 }), { latency: new Histogram() }) })
    const measurement = { stages: { list: [] }, stage, series: { points: POINTS }, totals: { arrived: 1000, completed: 1000 } }
    const goal = { over: 'rate', thresholds: [parseThreshold('p99 < 50ms')] }
    const stepper = new Stepper(/** @type {any} */ ({ measurement }), /** @type {any} */ (goal), { connections: 10, streams: 1, pipelining: 1, timeout: 1000 })
    t.match(stepper.figures(1, { from: 0, to: 10_000 }).cause, words, name)
  }
})

t.test('when it was is short, however often: times that are less than a second apart are one, and many are counted', async t => {
  const { causeOf } = require('../../../lib/instruments/generator/cause')
  /** @param {number} length @param {(i: number) => boolean} isStarved */
  const whenIn = (length, isStarved) => {
    const series = Array.from({ length: 20_000 / length }, (_, i) => ({ ...POINTS[0], time: i * length, length, verdict: isStarved(i) ? 'starved' : 'healthy' }))
    return causeOf([], /** @type {any} */ (series), '--workers', {}).cause?.split(' the load')[0]
  }
  t.equal(whenIn(100, i => i % 3 === 1), 'For 6.7 s of 20 s (from 0.1 s to 20 s)')
  t.equal(whenIn(100, i => (i >= 10 && i < 30 && i % 2 === 0) || (i >= 100 && i < 110)), 'For 2 s of 20 s (from 1 s to 2.9 s, from 10 s to 11 s)')
  t.equal(whenIn(1000, i => i % 4 === 1), 'For 5 s of 20 s (5 times)')
})

t.test('a CPU wait of 5 % is high where the rule of the verdict says so, also in points without responses', async t => {
  const usage = { cpuMs: 50, activeMs: 50, gcMs: 0, wallMs: 1000, stalledMs: 0, runDelayMs: 60, waits: { ms: 60, squares: 60 * 4 }, stolenMs: 0, blockedMs: 0, delay: { p50: 0, p99: 0, max: 0 } }
  const none = { p95: null, p99: null }
  for (const [latency, verdict] of /** @type {Array<[{ p95: number, p99: number }, string]>} */ ([[{ p95: 400, p99: 500 }, 'healthy'], [{ p95: 0.5, p99: 1 }, 'starved']])) {
    const points = new Course(1000)
    const verdicts = [latency, none, none].map(figures => points.next({ usages: [(usage)] }, /** @type {any} */ (figures)).verdict)
    t.strictSame(verdicts, [verdict, verdict, verdict], `p99 ${latency.p99} ms`)
    t.equal(troubleOf({ verdict: verdicts[0], runDelayMs: 60 }), verdict === 'starved' ? 'starved' : null)
  }
})

t.test('the name of the trouble follows the reason, which the sentence is about', async t => {
  const generator = { verdict: 'starved', runDelayMs: 600, blockedMs: 900 }
  t.equal(troubleOf({ ...generator, reason: 'core' }), 'starved')
  t.equal(troubleOf({ ...generator, reason: 'blocked', runDelayMs: 2000 }), 'blocked')
  t.equal(troubleOf(generator), 'blocked', 'an older version has no reason')
})

t.test('of an agent', async t => {
  const fleet = { agents: [{ name: 'a', host: 'h', cores: 1, node: '20', clockError: 0 }], agentOf: () => 0 }
  const usage = { cpuMs: 5000, activeMs: 5000, gcMs: 0, wallMs: 10_000, stalledMs: 0, runDelayMs: 4000, waits: { ms: 4000, squares: 4000 * 200 }, blockedMs: 0, delay: { p50: 0, p99: 0, max: 0 } }
  for (const [name, counts, words] of CASES) {
    const reported = [{ ...counts, completed: 1000, arrived: 1000, forgone: 0, skipped: { ms: 0, requests: 0, inFlight: 0, forgone: 0 }, to: 10_000 }]
    const latency = new Histogram()
    latency.record(5, 1000)
    const totals = { distributions: { latency } }
    const log = new FleetLog(/** @type {any} */ (fleet), /** @type {any} */ ([{ connections: 1, pacing: { unit: 'requests' } }]))
    const [{ health }] = log.report(/** @type {any} */ ({ reported, usages: [usage], elapsed: 10_000, totals }))
    t.match(health.cause, words, name)
    const closed = new FleetLog(/** @type {any} */ (fleet), /** @type {any} */ ([{ connections: 1, pacing: null }]))
    t.match(closed.report(/** @type {any} */ ({ reported, usages: [usage], elapsed: 10_000, totals }))[0].health.cause, /the throughput is too low; latencies end at the arrival/, 'without a rate nothing is due')
  }
})
