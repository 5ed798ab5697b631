'use strict'

// Results that look like real ones and never change: what a seeded random source says of a run, counted and summed up by
// the code that does it for real ones.

const { Histogram } = require('../../../lib/record/histogram')
const { buildResult } = require('../../../lib/figures/result')
const { derive } = require('../../../lib/instruments/iterations/result')
const { withPassed } = require('../../../lib/judge/passed')
const { judged } = require('../../../lib/judge/judge')
const { Recorder } = require('../../../lib/record/recorder')
const { Iterations } = require('../../../lib/instruments/iterations/record')
const { Samples } = require('../../../lib/record/samples')
const { Series } = require('../../../lib/figures/series')
const { Totals } = require('../../../lib/record/totals')

const START = new Date('2026-11-21T10:00:00.000Z')

/** @param {number} seed */
function random (seed) {
  return () => {
    seed = seed + 0x6d2b79f5 | 0
    let t = Math.imul(seed ^ seed >>> 15, 1 | seed)
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t
    return ((t ^ t >>> 14) >>> 0) / 2 ** 32
  }
}

/**
 * @param {{ seed?: number, seconds?: number, perSecond?: number, ms?: number, bad?: number } & Record<string, any>} [run] `ms`: a
 *   typical latency; `bad`: the share of requests that fail or are answered by 503; other keys go into the result
 * @returns {Record<string, any>}
 */
function exampleResult ({ seed = 1, seconds = 10, perSecond = 400, ms = 5, bad = 0.01, ...changes } = {}) {
  const next = random(seed)
  const [recorder, totals, samples, series] = [new Recorder(), new Totals(), new Samples(1000, 1), new Series(1000, 1)]
  const observer = { response: null, requestError: null, mismatch: null }
  for (let second = 0; second < seconds; second++) {
    const count = Math.round(perSecond * (0.9 + 0.2 * next()))
    for (let i = 0; i < count; i++) {
      recorder.sent++
      const latency = ms * (0.4 + Math.exp(next() * 1.4 - 0.7)) * (next() < 0.02 ? 6 + 8 * next() : 1)
      const luck = next()
      if (luck < bad / 4) recorder.timeOut(Object.assign(new Error(), { code: 'AC_TIMEOUT' }), 1000, 1000, observer)
      else if (luck < bad / 2) recorder.fail(Object.assign(new Error(), { code: 'ECONNRESET' }), observer)
      else recorder.complete(luck < bad ? 503 : 200, 180, latency, latency, latency * 0.9)
      recorder.bytes += 180
    }
    if (second === 0) for (let i = 0; i < 10; i++) recorder.distributions.current.connect.record(0.2 + next())
    const busy = 300 + 200 * next()
    const usage = { cpuMs: busy, activeMs: busy * 1.1, idleMs: 0, gcMs: 3, wallMs: 1000, stalledMs: 0, runDelayMs: 20, blockedMs: 0, lateMs: 0, delay: { p50: 0.1, p99: 1.2, max: 4 } }
    const snapshot = recorder.take(second * 1000, (second + 1) * 1000, second, usage)
    totals.add(snapshot)
    samples.add(0, snapshot)
    series.add(0, snapshot)
  }
  series.end(0)
  const result = judged(buildResult({
    title: 'example',
    url: 'http://localhost:3000/items',
    socketPath: undefined,
    connections: 20,
    pipelining: 1,
    workers: undefined,
    sampleInt: 1000,
    percentiles: undefined,
    options: { url: ['http://localhost:3000/items'], connections: 20, pipelining: 1, duration: seconds, headers: [['accept', '***'], ['authorization', '***']] },
    environment: { autocannon: '1.0.0', node: 'v20.20.0', platform: 'linux 6.1.0 x64', cpu: 'Example CPU @ 3.0GHz', cores: 2 }
  }, {
    totals,
    samples,
    series: series.points,
    elapsed: seconds * 1000,
    start: START,
    finish: new Date(+START + seconds * 1000),
    targetRate: null,
    usages: [{ cpuMs: 400 * seconds, activeMs: 440 * seconds, gcMs: 3 * seconds, wallMs: 1000 * seconds, stalledMs: 0, runDelayMs: 20 * seconds, blockedMs: 0, delay: { p50: 0.1, p99: 1.2, max: 4 } }]
  }))
  return withPassed({ ...result, ...changes })
}

/**
 * @param {number} seed
 * @param {number} ms
 */
function distributionOf (seed, ms) {
  const next = random(seed)
  const latency = new Histogram()
  for (let i = 0; i < 1000; i++) latency.record(ms * (0.4 + Math.exp(next() * 1.4 - 0.7)))
  const { totalCount, ...summary } = latency.summary()
  const rounded = Object.fromEntries(Object.entries(summary).map(([key, value]) => [key, Math.round(value * 1000) / 1000]))
  return { ...rounded, totalCount, histogram: latency.toBase64() }
}

/** What thresholds, checks and names add to a result. */
const VERDICTS = {
  thresholds: [
    { expression: 'p99 < 50ms', metric: 'p99', actual: 61.312, passed: false, unit: 'ms' },
    { expression: 'p50 < 10ms', metric: 'p50', actual: 5.187, passed: true, unit: 'ms' },
    { expression: 'failure rate < 1%', metric: 'failure rate', actual: 0.0098, passed: true, unit: 'share' },
    { expression: 'login: p95 < 100ms', metric: 'p95', request: 'login', actual: 12.3, passed: true, unit: 'ms' }
  ],
  checks: [
    { name: 'status 2xx', passed: 3960, failed: 20, reasons: { 'status 503, expected 2xx': 20 }, samples: { 'status 503, expected 2xx': { status: 503, headers: [['content-type', 'text/html'], ['retry-after', '1']], body: '<h1>Service Unavailable</h1>\nTry again later.', truncated: false } } },
    { name: 'json user.id', request: 'login', passed: 1500, failed: 2, reasons: { "user.id is 'x', expected 42": 1, 'the body is not JSON': 1 }, samples: {} },
    { name: 'under 2 KiB', request: 'items', passed: 2400, failed: 0, reasons: {}, samples: {} }
  ],
  byRequest: {
    login: { count: 1502, latency: distributionOf(5, 8), ttfb: distributionOf(6, 7), statusCodeStats: { 200: { count: 1490 }, 503: { count: 12 } }, failures: 17, unexpected: 12, errors: 3, checks: [{ name: 'json user.id', passed: 1500, failed: 2, reasons: {}, samples: {} }] },
    items: { count: 2400, latency: distributionOf(7, 3), ttfb: distributionOf(8, 2.8), statusCodeStats: { 200: { count: 2392 }, 503: { count: 8 } }, failures: 24, unexpected: 8, errors: 16, checks: [{ name: 'under 2 KiB', passed: 2400, failed: 0, reasons: {}, samples: {} }] }
  }
}

/**
 * What users add to a result.
 * @param {{ rate?: number | null, scenarios?: string[], rates?: Array<number | null> }} [how] with `rates` each has its own, as far as it has one
 * @returns {Record<string, any>}
 */
function exampleIterations ({ rate = null, scenarios = ['browse', 'checkout'], rates = scenarios.map(() => null) } = {}) {
  const next = random(9)
  const iterations = new Iterations()
  for (const [scenario, { share, ms }] of [{ share: 0.9, ms: 8000 }, { share: 0.1, ms: 21_000 }].entries()) {
    const tally = iterations.of(Math.min(scenario, Math.max(0, scenarios.length - 1)))
    for (let i = 0; i < 1000 * share; i++) {
      tally.start()
      const [luck, active] = [next(), 20 + 60 * next()]
      if (luck < 0.02) tally.cut('capture token')
      else if (luck < 0.03) tally.cut('AC_TIMEOUT')
      else if (luck < 0.98) tally.complete(active + ms * (0.5 + next()), active)
    }
  }
  if (rate !== null) {
    const arrivals = iterations.arrivalsOf(rates.every(one => one === null) ? null : rates.length - 1)
    for (let i = 0; i < 40; i++) arrivals.wait.record(100 * next())
    arrivals.neverStarted = 12
    arrivals.arrived = 1000
  }
  const totals = Object.assign(new Totals(), { redirects: 310, retries: 4 })
  return derive(iterations, /** @type {any} */ ({ outcome: { totals, users: { scenarios, rate, rates, redirects: true, retries: true } }, seconds: 10, identity: {}, ofPart: () => ({}) }))
}

module.exports = { exampleResult, exampleIterations, VERDICTS }
