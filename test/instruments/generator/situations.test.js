'use strict'

// What the verdict on a generator is in the situations that bench/accuracy/situations.js makes. Their facts were recorded once, sample
// by sample, 2026-11-22 on two cores with Node.js 20.20, so that no test depends on what else runs here; those that cannot be made at
// will are put together from them. `npm run bench:accuracy` makes the situations themselves.

const t = require('tap')
const { healthOf } = require('../../../lib/instruments/generator/health')
const { addUsage } = require('../../../lib/record/usage')
const { Series, mergeSeries } = require('../../../lib/figures/series')
const facts = require('../../fixtures/generator-situations.json')

/** @typedef {Record<string, any>} Usage */

const DELAY = { p50: 0.1, p99: 1, max: 4 }

/**
 * @param {Usage[][]} generators the usages of each, sample by sample
 * @returns {Record<string, any>}
 */
function health (...generators) {
  return judged(generators)
}

/** @param {Usage[][]} generators of a run whose latencies end at the arrival in the kernel */
health.byArrival = (...generators) => judged(generators, { byArrival: true })

/**
 * @param {Usage[][]} generators
 * @param {import('../../../lib/instruments/generator/cause').Circumstances} [circumstances]
 */
function judged (generators, circumstances) {
  const series = new Series(1000, generators.length)
  /** @type {any[]} */
  const totals = []
  for (const [i, usages] of generators.entries()) {
    let at = 0
    for (const [sample, given] of usages.entries()) {
      const usage = { ...given, delay: DELAY }
      const to = at + usage.wallMs
      series.add(i, /** @type {any} */ ({ sample, from: at, to, completed: 1, bytes: 1, allowed: 0, faulty: 0, statuses: {}, errorCodes: {}, usage, distributions: null }))
      totals[i] = addUsage(totals[i], /** @type {any} */ (usage))
      at = to
    }
    series.end(i)
  }
  return healthOf(totals, undefined, series.points, undefined, circumstances)
}

/** @param {string} name */
const recorded = name => {
  if (facts[name] === undefined) throw new Error(`no facts of ${name}`)
  return facts[name]
}

/**
 * @param {string} name
 * @param {(usage: Usage) => Usage} change
 */
const changed = (name, change) => recorded(name).map(usage => ({ ...usage, ...change(usage) }))

const quiet = recorded('a closed loop on a core of its own').slice(0, 3)
const starved = recorded('pinned beside a busy process').slice(0, 3)

/** @param {Usage} changes to a run that is too short to be judged but for its wait for a core */
const short = changes => ({ ...quiet[0], cpuMs: 120, activeMs: 100, blockedMs: 0, wallMs: 300, runDelayMs: 5, ...changes })

/** As on a system without schedstat. */
const untold = () => ({ runDelayMs: null })

/** @type {Array<[situation: string, generators: Usage[][], verdicts: Array<string | null>, cause: RegExp | null]>} */
const SITUATIONS = [
  ['a closed loop on a core of its own', [quiet], ['healthy'], null],
  ['1,000 requests/s', [recorded('1,000 requests/s')], ['healthy'], null],
  ['2,000 connections', [recorded('2,000 connections')], ['healthy', 'busy'], /event loop/],
  ['a server that is faster than the client', [recorded('a server that is faster than the client')], ['saturated'], /^The load generator used 9\d(\.\d)? % of its core: these figures show the client/],
  ['pinned beside a busy process', [starved], ['starved'], /^The load generator had a CPU wait of 4\d(\.\d)? %, as other processes used its core: .*p99.*the achieved rate is too low.*taskset/],
  ['pinned beside a busy process, 2,000 requests/s', [recorded('pinned beside a busy process, 2,000 requests/s')], ['starved'], /^The load generator had a CPU wait of 1\d(\.\d)? %/],
  ['beside a busy process for 2 of 12 s', [recorded('beside a busy process for 2 of 12 s')], ['starved'], /^For 2 s of 12 s \(from 5 s to 7 s\) the load generator had a CPU wait of 4\d(\.\d)? %/],
  ['beside a busy process for 5 of 60 s', [[...times(20, quiet[1]), ...times(5, starved[1]), ...times(35, quiet[1])]], ['starved'], /^For 5(\.\d+)? s of 60(\.\d+)? s \(from 20 s to 25(\.\d+)? s\) the load generator had a CPU wait/],
  ['beside a busy process for 1 of 60 s: p99 may be made of it, p95 is not', [[...times(20, quiet[1]), starved[1], ...times(39, quiet[1])]], ['busy'], /^For 1(\.\d+)? s of 60(\.\d+)? s \(from 20 s to 21(\.\d+)? s\) the load generator had a CPU wait/],
  ['beside a busy process for 1 of 200 s: no figure is made of it', [[...times(20, quiet[1]), starved[1], ...times(179, quiet[1])]], ['healthy'], null],
  ['hooks that block 300 of 1,000 ms', [recorded('hooks that block 300 of 1,000 ms')], ['starved'], /^The load generator had a blocked event loop for (28|29|30)(\.\d)? % of the time, by a slow hook/],
  ['hooks that block 300 of 1,000 ms, 1,000 requests/s', [recorded('hooks that block 300 of 1,000 ms, 1,000 requests/s')], ['starved'], /^The load generator had a blocked event loop for (28|29|30)(\.\d)? % of the time/],
  ['hooks of 10 µs', [recorded('hooks of 10 µs')], ['healthy', 'busy'], null],
  ['a server in the same thread', [recorded('a server in the same thread')], ['busy'], /same thread/],
  ['garbage', [recorded('garbage')], ['healthy', 'busy'], /garbage collection|event loop/],
  ['a stall of the server', [recorded('a stall of the server')], ['healthy'], null],
  ['a server too slow for the rate', [recorded('a server too slow for the rate')], ['healthy'], null],
  ['stopped for 1.5 s', [recorded('stopped for 1.5 s')], ['busy'], /^The load generator stalled for 1\.5\d* s: .* That time is in no figure\.$/],
  ['stopped for 0.5 s', [recorded('stopped for 0.5 s')], ['starved'], /blocked event loop for [\d.]+ % of the time, by a slow hook or because the process was stopped/],
  ['a run of 0.3 s that used all of its core, which says nothing: it starts', [[short({ activeMs: 295 })]], [null], null],
  ['a run of 0.3 s that was blocked for a while, likewise', [[short({ blockedMs: 100 })]], [null], null],
  ['a run of 0.3 s that waited a little', [[short({ runDelayMs: 90, cpuMs: 50 })]], [null], null],
  ['a run of 0.3 s that waited for half of it', [[short({ runDelayMs: 150 })]], ['starved'], /^The load generator had a CPU wait of 50 %/],
  ['a run of 0.3 s, no schedstat', [[short({ runDelayMs: null, lateMs: 200 })]], [null], null],
  ['two workers, of which one ended after 0.3 s', [quiet, [short({})]], ['healthy'], null],
  ['waiting for 2 % of the time, which need not show', [quiet.map(usage => ({ ...usage, runDelayMs: usage.wallMs * 0.03, cpuMs: usage.wallMs * 0.12 }))], ['busy'], /^The load generator had a CPU wait of 3 %, as other processes used its core: p99 and higher percentiles may be too high\. Give/],
  ['two workers, of which one is starved', [quiet, starved], ['starved'], /^The load generator had a CPU wait of 4\d(\.\d)? %,/],
  ['1,000 requests/s in batches', [recorded('1,000 requests/s in batches')], ['healthy'], null],
  ['turns that only wait for the clock, beside a busy process', [starved.map(usage => ({ ...usage, idleMs: usage.activeMs * 0.9 }))], ['starved'], /CPU wait of 4\d(\.\d)? %/],
  ['no schedstat: a closed loop on a core of its own', [quiet.map(usage => ({ ...usage, ...untold() }))], ['healthy'], null],
  ['no schedstat: 1,000 requests/s', [changed('1,000 requests/s', untold)], ['healthy'], null],
  ['no schedstat: pinned beside a busy process', [starved.map(usage => ({ ...usage, ...untold() }))], ['starved'], /enerator had late timers/],
  ['no schedstat: pinned beside a busy process, 2,000 requests/s, which is seen in part', [changed('pinned beside a busy process, 2,000 requests/s', untold)], ['busy', 'starved'], /late timers/],
  ['no schedstat: hooks that block 300 of 1,000 ms', [changed('hooks that block 300 of 1,000 ms', untold)], ['starved'], /blocked|late timers/],
  ['no schedstat: a server in the same thread', [changed('a server in the same thread', untold)], ['busy'], /same thread/]
]

/**
 * @param {number} n
 * @param {Usage} usage
 * @returns {Usage[]}
 */
function times (n, usage) {
  return new Array(n).fill(usage)
}

t.test('the verdict on the generator in each situation, with its cause', async t => {
  for (const [situation, generators, verdicts, cause] of SITUATIONS) {
    const { verdict, cause: said } = health(...generators)
    t.ok(verdicts.includes(verdict), `${situation}: ${verdict}: ${said}`)
    if (verdict === 'healthy' || verdict === null) t.equal(said, null, situation)
    else if (cause !== null) t.match(said, cause, situation)
  }
})

t.test('raw results of older versions say too little for a verdict', async t => {
  const older = starved.map(({ runDelayMs, idleMs, blockedMs, lateMs, ...usage }) => usage)
  t.match(healthOf([({ ...older[0], delay: DELAY })]), { verdict: null, cause: null, runDelayMs: null })
  // What one of them does not say hides nothing that is known of the others.
  const beside = (/** @type {any} */ usage) => healthOf([older[0], usage].map(usage => ({ ...usage, delay: DELAY })))
  t.match(beside(starved[1]), { verdict: 'starved', cause: /^The load generator had a CPU wait of 4\d(\.\d)? %/, runDelayMs: starved[1].runDelayMs })
  t.match(beside(recorded('a server that is faster than the client')[1]), { verdict: 'saturated', cause: /show the client/ })
  t.match(beside(quiet[1]), { verdict: null, cause: null })
})

t.test('when series are merged, a point that says nothing hides no starved one', async t => {
  const point = (/** @type {any} */ health) => ({ time: 0, length: 1000, requests: 1, bytes: 1, non2xx: 0, failures: 0, errors: 0, errorCodes: {}, average: 1, p50: 1, p95: 1, p99: 1, max: 1, cpu: 0.5, eventLoopUtilization: 0.2, ...health })
  const merged = (/** @type {any[]} */ ...healths) => mergeSeries(healths.map(health => ({ points: [point(health)], offset: 0 })))[0]
  const knows = (/** @type {string} */ verdict, runDelay = 0.4) => ({ verdict, runDelay, blocked: 0 })
  t.match(merged({}, knows('starved')), { verdict: 'starved', runDelay: 0.4 })
  t.match(merged(knows('saturated'), {}), { verdict: 'saturated' })
  t.match(merged({}, knows('healthy')), { verdict: null })
  t.match(merged(knows('busy'), {}), { verdict: null })
  t.match(merged({}, {}), { verdict: null, runDelay: null })
  t.match(merged(knows('healthy', 0.1), knows('busy', 0.2)), { verdict: 'busy', runDelay: 0.2 })
})

t.test('the samples of a run say when it was', async t => {
  const series = new Series(1000, 1)
  for (const [sample, usage] of [quiet[1], starved[1], quiet[1]].entries()) {
    series.add(0, /** @type {any} */ ({ sample, from: sample * 1000, to: sample * 1000 + 1000, completed: 1, bytes: 1, allowed: 0, faulty: 0, statuses: {}, errorCodes: {}, usage: { ...usage, delay: DELAY }, distributions: null }))
  }
  series.end(0)
  t.strictSame(series.points.map(({ verdict }) => verdict), ['healthy', 'starved', 'healthy'])
  const { runDelay } = series.points[1]
  t.ok(runDelay !== null && runDelay > 0.4 && runDelay < 0.5)
})

t.test('short samples are judged together, up to a second: a wait of a few ms is chance', async t => {
  const series = new Series(100, 1)
  const tenth = Object.fromEntries(Object.entries(quiet[1]).map(([key, value]) => [key, value / 10]))
  for (let sample = 0; sample < 20; sample++) {
    const usage = { ...tenth, withServer: false, delay: DELAY, ...sample === 12 && { runDelayMs: 40, cpuMs: 50 } }
    series.add(0, /** @type {any} */ ({ sample, from: sample * 100, to: sample * 100 + 100, completed: 1, bytes: 1, allowed: 0, faulty: 0, statuses: {}, errorCodes: {}, usage, distributions: null }))
  }
  series.end(0)
  // Nothing is known before half a second.
  const verdicts = series.points.map(({ verdict }) => verdict)
  t.strictSame([new Set(verdicts.slice(0, 4)), new Set(verdicts.slice(5))], [new Set([null]), new Set(['healthy'])])
})

t.test('where latencies end at the arrival in the kernel, no sentence blames the load generator for them, and each says what is affected', async t => {
  const notAffected = /achieved rate (is|may be) .*; latencies end at the arrival in the kernel and are not affected/
  for (const situation of ['pinned beside a busy process', 'hooks that block 300 of 1,000 ms', 'a server that is faster than the client', 'beside a busy process for 2 of 12 s', 'no schedstat']) {
    const usages = situation === 'no schedstat' ? starved.map(usage => ({ ...usage, ...untold() })) : recorded(situation)
    const { verdict, cause } = health(usages)
    const byArrival = health.byArrival(usages)
    t.equal(byArrival.verdict, verdict, `${situation}: the verdict is the same`)
    t.match(cause, /too high|show the client/, situation)
    t.match(byArrival.cause, notAffected, situation)
    t.notMatch(byArrival.cause, /too high|show the client/, situation)
  }
})

t.test('without hooks, a blocked event loop is not explained by one', async t => {
  t.match(judged([recorded('stopped for 0.5 s')], { hasHooks: false }).cause, /blocked event loop for [\d.]+ % of the time, because the process was stopped: /)
})
