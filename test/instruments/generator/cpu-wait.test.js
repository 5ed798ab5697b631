'use strict'

const { readFileSync } = require('node:fs')
const path = require('node:path')
const t = require('tap')
const { DELAYED, PART, delayedBy, delayedOf, levelOfDelayed, takerOf, waitsOf } = require('../../../lib/instruments/generator/cpu-wait')
const { healthOf } = require('../../../lib/instruments/generator/health')
const { addUsage } = require('../../../lib/record/usage')

/**
 * A generator that ran for 10 s.
 * @param {number} share of the time in waits
 * @param {number} length of each, ms
 * @param {object} [changes]
 */
const usage = (share, length, changes = {}) => /** @type {any} */ ({
  cpuMs: 3000,
  activeMs: 2500,
  idleMs: 0,
  gcMs: 10,
  wallMs: 10_000,
  stalledMs: 0,
  runDelayMs: share * 10_000,
  waits: { ms: share * 10_000, squares: share * 10_000 * length },
  stolenMs: 0,
  throttledMs: 0,
  blockedMs: 0,
  lateMs: 0,
  delay: { p50: 0.1, p99: 1, max: 4 },
  ...changes
})

/** @param {any} usage @param {number} p95 @param {number} p99 */
const health = (usage, p95, p99) => healthOf([usage], undefined, [], undefined, { latency: { p95, p99 } })

t.test('a moment of a wait has half of it ahead', async t => {
  t.strictSame(waitsOf(usage(0.1, 4)), { share: 0.1, ms: 2 })
  t.strictSame(waitsOf(usage(0, 4)), { share: 0, ms: 0 })
  t.equal(waitsOf(usage(0.1, 4, { waits: null })), null)
  t.equal(waitsOf(usage(0.1, 4, { waits: undefined })), null)
  const mixed = addUsage(usage(0.1, 1), usage(0.1, 9))
  t.equal(waitsOf(mixed)?.ms, 2.5, 'a long wait has more moments than a short one')
  t.strictSame(waitsOf(usage(0, 0, { stolenMs: 200 })), { share: 0.02, ms: 5 })
})

t.test('moments that are delayed by more are fewer, exponentially', async t => {
  t.equal(delayedBy({ share: 0.2, ms: 2 }, 0), 0.2)
  t.equal(delayedBy({ share: 0.2, ms: 2 }, 2), 0.2 / Math.E)
  t.equal(delayedBy({ share: 0, ms: 0 }, 0), 0)
})

t.test('the verdict is what a wait can do to p99 and p95', async t => {
  for (const [what, share, length, p95, p99, verdict] of /** @type {Array<[string, number, number, number, number, string]>} */ ([
    ['no wait', 0, 0, 1, 2, 'healthy'],
    ['1 % of 4 ms beside a p99 of 2 ms: just below', 0.011, 4, 1, 2, 'healthy'],
    ['the same, just above', 0.0112, 4, 1, 2, 'busy'],
    ['5 % of 4 ms beside a p95 of 1 ms: just below', 0.052, 4, 1, 2, 'busy'],
    ['the same, just above', 0.053, 4, 1, 2, 'starved'],
    ['5 % of 4 ms beside latencies of seconds', 0.05, 4, 1000, 3000, 'healthy'],
    ['half of the time, 4 ms each, beside 100 ms', 0.5, 4, 100, 120, 'healthy'],
    ['half of the time, 4 ms each, beside 30 ms', 0.5, 4, 30, 40, 'starved'],
    ['many short waits', 0.05, 0.05, 5, 9, 'healthy']
  ])) t.equal(health(usage(share, length), p95, p99).verdict, verdict, what)
  t.strictSame(DELAYED, { p99: 0.01, p95: 0.05 })
  t.equal(levelOfDelayed({ p95: 0.05, p99: 0.05 }), 'starved')
  t.equal(levelOfDelayed({ p95: 0.0499, p99: 0.01 }), 'busy')
})

t.test('an even pace that polls is judged by its waits, although it used all of its core', async t => {
  const polling = usage(0.14, 4, { cpuMs: 8600, activeMs: 10_000, idleMs: 8000 })
  t.equal(healthOf([{ ...polling, waits: undefined }]).verdict, 'healthy', 'an older result: of the time in which it wanted a core it waited 14 %')
  t.match(health(polling, 3, 4), { verdict: 'starved', cause: /CPU wait of 14 %/ })
  t.match(health(polling, 100, 400), { verdict: 'healthy', cause: null })
})

t.test('the cause is another process, its own quota, or the host', async t => {
  for (const [changes, taker, cause] of /** @type {Array<[object, string, RegExp]>} */ ([
    [{}, 'core', /^The load generator had a CPU wait of 30 %, as other processes used its core: .*taskset/],
    [{ throttledMs: 1600 }, 'quota', /^The load generator had a CPU wait of 30 %, as the CPU quota of its container or control group was used up: .*Raise the quota/],
    [{ throttledMs: 1400 }, 'core', /taskset/],
    [{ runDelayMs: 300, waits: { ms: 300, squares: 1200 }, stolenMs: 2000 }, 'steal', /^The load generator had no CPU for a part of the time, as the host gave it to other machines \(steal\): .*cores of its own/]
  ])) {
    const given = usage(0.3, 4, changes)
    t.equal(takerOf(given), taker)
    const { verdict, cause: said } = health(given, 3, 4)
    t.equal(verdict, 'starved')
    t.match(said, cause)
    if (taker === 'quota') t.notMatch(said, 'taskset')
  }
})

t.test('the result has what was delayed, of the worst generator', async t => {
  const { delayed, stolenMs, throttledMs } = healthOf([usage(0.1, 4, { throttledMs: 3 }), usage(0.2, 4, { stolenMs: 7 })], undefined, [], undefined, { latency: { p95: 20, p99: 40 } })
  const one = delayedOf(usage(0.2, 4, { stolenMs: 7 }), { p95: 20, p99: 40 })
  t.strictSame(delayed, one)
  t.ok(Math.abs(Number(one?.p95) - 0.2 * Math.exp(-1)) < 1e-3)
  t.strictSame({ stolenMs, throttledMs }, { stolenMs: 7, throttledMs: 3 })
  t.match(healthOf([usage(0.1, 4)]), { delayed: null }, 'without latencies nothing is known')
  t.equal(delayedOf(usage(0.1, 4), null), null)
})

t.test('the page, the documents and the declarations state the bounds of the rule', async t => {
  const percent = (/** @type {number} */ share) => `${share * 100} %`
  t.equal(PART, 0.1, 'a tenth')
  const read = (/** @type {string} */ name) => readFileSync(path.join(__dirname, '../../..', name), 'utf8')
  const measuring = read('docs/measuring.md')
  for (const text of [
    `\`busy\` is D(p99 ÷ 10) ≥ ${percent(DELAYED.p99)}, \`starved\` is D(p95 ÷ 10) ≥ ${percent(DELAYED.p95)}`,
    `delayed ${percent(DELAYED.p99)} of all moments by more than a tenth of p99`,
    `delayed ${percent(DELAYED.p95)} of all moments by more than a tenth of p95`
  ]) t.ok(measuring.includes(text), text)
  t.ok(read('lib/report/html/charts.js').includes(`delays at least ${percent(DELAYED.p99)} of the run by a tenth of p99, and p95 if it delays ${percent(DELAYED.p95)} by a`), 'the page')
  t.match(read('index.d.ts').replace(/\s+\*?\s*/g, ' '), `From ${DELAYED.p95} of p95 on the verdict is \`starved\`, from ${DELAYED.p99} of`, 'declarations')
})
