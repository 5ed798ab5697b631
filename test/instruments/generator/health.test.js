'use strict'

const t = require('tap')
const { healthOf } = require('../../../lib/instruments/generator/health')
const { addUsage } = require('../../../lib/record/usage')

/** A generator that ran for a second. */
const usage = (changes = {}) => ({ cpuMs: 300, activeMs: 250, gcMs: 10, wallMs: 1000, stalledMs: 0, runDelayMs: 20, idleMs: 0, blockedMs: 0, delay: { p50: 0.1, p99: 1, max: 4 }, ...changes })

t.test('the health of generators is that of the worst, and the sum', async t => {
  /** @type {Array<[title: string, usages: any[], expected: Record<string, any>]>} */
  const cases = [
    ['of one', [usage()], { cpu: 0.3, cpuTotal: 0.3, eventLoopUtilization: 0.25, lag: { p50: 0.1, p99: 1, max: 4 }, gcMs: 10, saturated: false }],
    ['of two', [usage(), usage({ cpuMs: 500, activeMs: 100, gcMs: 5, delay: { p50: 0.2, p99: 0.5, max: 3 } })],
      { cpu: 0.5, cpuTotal: 0.8, eventLoopUtilization: 0.25, lag: { p50: 0.2, p99: 1, max: 4 }, gcMs: 15, saturated: false }],
    ['of two that ran for different times', [usage({ wallMs: 2000 }), usage({ wallMs: 500 })],
      { cpu: 0.6, cpuTotal: 0.75, eventLoopUtilization: 0.5, gcMs: 20, saturated: false }],
    ['of one that collects garbage on other cores', [usage({ cpuMs: 1800 })], { cpu: 1.8, cpuTotal: 1.8, saturated: false }],
    ['of one that was active for longer than it ran, by rounding', [usage({ activeMs: 1000.2 })], { eventLoopUtilization: 1, saturated: true }],
    ['of one that did not run', [usage({ cpuMs: 0, activeMs: 0, gcMs: 0, wallMs: 0 })], { cpu: 0, cpuTotal: 0, eventLoopUtilization: 0, gcMs: 0, saturated: false }],
    ['of none', [], { cpu: 0, cpuTotal: 0, eventLoopUtilization: 0, lag: { p50: 0, p99: 0, max: 0 }, gcMs: 0, saturated: false }]
  ]
  for (const [title, usages, expected] of cases) t.match(healthOf(usages), expected, title)
})

t.test('the generators are saturated when the event loop of one is busy for 95 % of half a second or more', async t => {
  /** @type {Array<[expected: boolean, usages: any[]]>} */
  const cases = [
    [false, [usage({ activeMs: 949 })]],
    [true, [usage({ activeMs: 950 })]],
    [true, [usage({ activeMs: 1000 })]],
    [true, [usage(), usage({ activeMs: 960 }), usage()]],
    [false, [usage({ activeMs: 949 }), usage({ activeMs: 949 })]],
    [false, [usage({ activeMs: 499, wallMs: 499 })]],
    [true, [usage({ activeMs: 500, wallMs: 500 })]],
    [false, [usage({ activeMs: 400, wallMs: 400 }), usage()]],
    [false, [usage({ cpuMs: 1000 })]]
  ]
  for (const [expected, usages] of cases) t.equal(healthOf(usages).saturated, expected, usages.map(({ activeMs, wallMs }) => `${activeMs} of ${wallMs} ms`).join(', '))
})

t.test('a generator that died before it told anything has no part in the health', async t => {
  // As the coordinator fills it: the second one told first.
  const usages = []
  usages[1] = usage()
  t.strictSame(healthOf(usages), healthOf([usage()]))
})

t.test('a run without hooks is not advised to have fewer', async t => {
  const busy = usage({ cpuMs: 880, activeMs: 880, wallMs: 1000 })
  t.match(healthOf([busy]).cause, /a part of the latencies is its own\. --workers or fewer hooks make room\.$/)
  t.match(healthOf([busy], undefined, [], undefined, { hasHooks: false }).cause, /a part of the latencies is its own\. --workers makes room\.$/)
  t.match(healthOf([busy], undefined, [], 'more agents', { hasHooks: false }).cause, /More agents make room\.$/)
  t.match(healthOf([usage(), busy], undefined, [], undefined, { hasHooks: false }).cause, /More --workers or --agents make room\.$/, 'a run that has workers needs more of them')
  const collecting = usage({ cpuMs: 400, activeMs: 400, gcMs: 250, blockedMs: 300 })
  t.notMatch(healthOf([collecting], undefined, [], undefined, { hasHooks: false }).cause, 'Let hooks')
})

t.test('with a rate the lag is that of the requests', async t => {
  const lag = { p50: 0.01, p99: 0.02, max: 0.5 }
  t.strictSame(healthOf([usage(), usage()], lag).lag, lag)
})

t.test('loads are added up over time, but the delay of the event loop is since the start', async t => {
  const first = usage()
  t.equal(addUsage(undefined, first), first)
  const second = usage({ cpuMs: 100, activeMs: 50, gcMs: 1, wallMs: 500, stalledMs: 0, runDelayMs: 4, idleMs: 2, blockedMs: 3, delay: { p50: 0.3, p99: 2, max: 5 } })
  t.strictSame(addUsage(first, second), { cpuMs: 400, activeMs: 300, idleMs: 2, gcMs: 11, wallMs: 1500, stalledMs: 0, runDelayMs: 24, blockedMs: 3, lateMs: 0, delay: { p50: 0.3, p99: 2, max: 5 } })
  t.strictSame([first, second], [usage(), usage({ cpuMs: 100, activeMs: 50, gcMs: 1, wallMs: 500, stalledMs: 0, runDelayMs: 4, idleMs: 2, blockedMs: 3, delay: { p50: 0.3, p99: 2, max: 5 } })], 'neither is changed')
  t.equal(healthOf([addUsage(first, second)]).cpu, 400 / 1500)
})

t.test('a system that does not tell how long a thread waited, and raw results of older versions, say nothing of it', async t => {
  const { runDelayMs, idleMs, blockedMs, ...older } = usage()
  t.match(addUsage(usage({ runDelayMs: null }), usage()), { runDelayMs: null })
  t.match(addUsage(older, usage()), { runDelayMs: null, idleMs: 0, blockedMs: 0 })
})
