'use strict'

const t = require('tap')
const { Histogram } = require('../../../lib/record/histogram')
const { leastFor, problemOf } = require('../../../lib/experiments/find/criterion')
const { parseThreshold } = require('../../../lib/judge/threshold')
const { judgeTrial } = require('../../../lib/experiments/find/trial')
const { intervalIn } = require('../../../lib/experiments/find/trial-certainty')

/**
 * @param {Array<{ fast?: number, slow?: number, ms?: number, slowMs?: number, failed?: number }>} parts of 1 s each
 * @param {object} [measured]
 */
function measuredOf (parts, measured = {}) {
  return {
    parts: parts.map(({ fast = 1000, slow = 0, ms = 5, slowMs = 80, failed = 0 }) => {
      const latency = new Histogram()
      if (fast > 0) latency.record(ms, fast)
      if (slow > 0) latency.record(slowMs, slow)
      const ended = fast + slow
      return { ms: 1000, due: ended, counted: { responses: ended - failed, ended, sent: ended, failures: failed, errors: failed, non2xx: 0, timeouts: 0 }, latency }
    }),
    achieved: parts.reduce((sum, { fast = 1000, slow = 0 }) => sum + fast + slow, 0) / parts.length,
    slots: 1000,
    rested: null,
    generator: 'healthy',
    lost: null,
    cpu: 0.1,
    ...measured
  }
}

/**
 * @param {object[]} parts
 * @param {string[]} thresholds
 * @param {object} [measured]
 * @param {object} [ask]
 */
function judge (parts, thresholds, measured, ask) {
  return judgeTrial(measuredOf(parts, measured), { thresholds: thresholds.map(parseThreshold), precision: 0.03, isOpen: true, unloaded: 5, ...ask })
}

const ten = part => Array.from({ length: 10 }, (_, i) => typeof part === 'function' ? part(i) : part)
/** Two lengths of a step: less is never certain. */
const twenty = part => [...ten(part), ...ten(part)]
/** Three: less is never certain to hold. */
const thirty = part => [...twenty(part), ...ten(part)]

t.test('a threshold is kept when all parts of three lengths say so, and not kept when those of two do', async t => {
  t.match(judge(ten({}), ['p99 < 50ms']), { outcome: 'held', clear: true, certain: false }, 'one length is enough to go on with')
  t.match(judge(ten({ fast: 900, slow: 100 }), ['p99 < 50ms']), { outcome: 'failed', clear: true, certain: false })
  t.match(judge(twenty({}), ['p99 < 50ms']), { outcome: 'held', certain: false }, 'what comes once in a length may be missing in two')
  t.match(judge(thirty({}), ['p99 < 50ms']), { outcome: 'held', certain: true, reason: null, thresholds: [{ expression: 'p99 < 50ms', actual: 5, passed: true }] })
  t.match(judge(twenty({ fast: 900, slow: 100 }), ['p99 < 50ms']), { outcome: 'failed', certain: true, reason: 'threshold', thresholds: [{ actual: 80, passed: false }] })
  t.match(judge(ten({ fast: 990, slow: 10 }), ['p99 < 50ms', 'avg < 6ms']), { outcome: 'held', thresholds: [{ passed: true }, { actual: 5.75, passed: true }] })
  t.match(judge(ten({ fast: 989, slow: 11 }), ['p99 < 50ms']), { outcome: 'failed' })
})

t.test('a percentile is that of all parts together, to the request', async t => {
  for (const [slow, actual] of [[9, 5], [10, 5], [11, 80]]) {
    const { thresholds: [{ actual: found, passed }] } = judge(ten({ fast: 1000 - slow, slow }), ['p99 < 50ms'])
    t.equal(Math.round(found), actual)
    t.equal(passed, actual < 50, 'judged by the share as by the figure')
  }
  const { thresholds: [{ passed }] } = judge(ten({ fast: 0, slow: 1000, slowMs: 50 }), ['p99 <= 50ms'])
  t.equal(passed, true, 'the operator counts')
})

t.test('what is close to its limit is not certain, and few requests say little', async t => {
  t.match(judge(thirty({ fast: 992, slow: 8 }), ['p99 < 50ms']), { outcome: 'held', certain: true }, 'when all parts are the same it is')
  t.match(judge(thirty(i => i % 4 === 0 ? { fast: 968, slow: 32 } : {}), ['p99 < 50ms']), { outcome: 'held', clear: false, certain: false })
  t.match(judge(ten(i => i < 2 ? { fast: 900, slow: 100 } : {}), ['p99 < 50ms']), { outcome: 'failed', clear: false, certain: false }, 'a hiccup')
  t.match(judge(thirty({ fast: 9 }), ['p99 < 50ms']), { outcome: 'held', clear: false }, '270 requests')
  t.match(judge(thirty({ fast: 14 }), ['p99 < 50ms']), { outcome: 'held', certain: true }, '420')
  t.match(judge(ten(i => ({ ms: i % 2 === 0 ? 4 : 7 })), ['avg < 6ms']), { outcome: 'held', certain: false })
})

t.test('a few parts that happen to be alike, or quiet, are not certain', async t => {
  const wander = [3, 4, 5, 6, 7, 8, 9, 9, 8, 7, 6, 5, 4, 3, 3, 4, 5, 6, 7, 8, 9, 9, 8, 7, 6, 5, 4, 3, 3, 4]
  t.match(judge(thirty(i => ({ fast: 997, slow: i % 5 === 0 ? 15 : 0 })), ['p99 < 50ms']), { outcome: 'held', clear: true, certain: true })
  t.match(judge(wander.map((ms, i) => ({ fast: 997, slow: i % 5 === 0 ? 15 : 0, ms })), ['p99 < 50ms']), { outcome: 'held', clear: true, certain: false }, 'all latencies go up and down slowly')
  t.match(judge(wander.map(ms => ({ ms })), ['p99 < 30ms']), { outcome: 'held', clear: true, certain: false }, 'the limit is three times as high: fewer than five periods were seen')
  t.match(judge(wander.map(ms => ({ ms })), ['p99 < 50ms']), { outcome: 'held', clear: true, certain: true }, 'but no swing of that kind reaches five times as much')
  t.match(judge(wander.map(ms => ({ ms: 5 + ms / 100 })), ['p99 < 6ms']), { outcome: 'held', clear: true, certain: true }, 'a swing of 2 % changes nothing')
  t.match(judge(thirty(i => ({ slow: i === 4 ? 25 : 0 })), ['p99 < 50ms']), { outcome: 'held', clear: true, certain: false }, 'one burst in all: the next ones may be longer')
})

t.test('neighbours that wait in one queue are less than as many parts', async t => {
  const { certain: mixed } = judge(thirty(i => i % 2 === 0 ? { fast: 990, slow: 10 } : {}), ['p99 < 50ms'])
  const { certain: row } = judge(thirty(i => i < 5 ? { fast: 990, slow: 10 } : {}), ['p99 < 50ms'])
  t.ok(mixed)
  t.notOk(row)
})

t.test('what allows none has certainly failed at once', async t => {
  t.match(judge(ten({}), ['errors == 0', 'max < 50ms']), { outcome: 'held', clear: true, certain: false })
  t.match(judge(thirty({}), ['errors == 0', 'max < 50ms']), { outcome: 'held', certain: true })
  t.match(judge(ten(i => ({ failed: i === 3 ? 1 : 0 })), ['errors == 0']), { outcome: 'failed', certain: true, thresholds: [{ actual: 1, passed: false }] })
  t.match(judge(ten(i => ({ failed: i === 3 ? 1 : 0 })), ['failure rate < 1%']), { outcome: 'held', thresholds: [{ actual: 0.0001 }] })
})

t.test('one threshold that certainly failed is enough', async t => {
  t.match(judge(twenty({ fast: 10, slow: 10 }), ['p99 < 50ms', 'p99.9 < 200ms']), { outcome: 'failed', certain: true })
})

t.test('nothing measured is never held', async t => {
  t.match(judge(ten({ fast: 0 }), ['p99 < 50ms']), { outcome: 'failed', certain: false, thresholds: [{ actual: null, passed: false }] })
})

t.test('a queue that still grows is not held, although the threshold is kept', async t => {
  const growing = perSecond => ten(i => ({ ms: 5 + i * perSecond }))
  t.match(judge(growing(30), ['p99 < 1s']), { outcome: 'failed', reason: 'growing', clear: true, certain: false })
  const twice = [...measuredOf(growing(30)).parts, ...measuredOf(growing(30)).parts]
  t.match(judge([], ['p99 < 1s'], { parts: twice, achieved: 1000 }), { outcome: 'failed', reason: 'growing', certain: true }, 'the queue is empty again where the second length begins')
  t.ok(Math.abs(judge(growing(30), ['p99 < 1s']).growth - 0.03) < 1e-3, 'by 30 ms a second: the load is 3 % too much')
  t.match(judge(growing(10), ['p99 < 1s']), { outcome: 'held' }, 'by less than half the precision')
  t.match(judge(growing(10), ['p99 < 1s'], {}, { precision: 0.01 }), { outcome: 'failed', reason: 'growing' })
  t.match(judge(growing(30), ['p99 < 1s'], {}, { isOpen: false }), { outcome: 'held' }, 'nor in a closed loop')
  t.match(judge(ten(i => ({ ms: 5 + (i * 7919 % 10) * 30 })), ['p99 < 1s']), { outcome: 'held' }, 'nor what is up and down')
  t.match(judge(ten(i => ({ fast: 4, ms: 5 + i * 30 })), ['p99 < 1s']), { outcome: 'held', certain: false }, 'nor a few requests')
})

t.test('a generator that was starved or saturated is not the server', async t => {
  for (const generator of ['starved', 'saturated']) {
    t.match(judge(ten({ fast: 900, slow: 100 }), ['p99 < 50ms'], { generator }), { outcome: 'generator', reason: 'generator' })
    t.match(judge(ten({}), ['p99 < 50ms'], { generator, achieved: 900 }), { outcome: 'generator', reason: 'generator' }, 'it could not send them in time')
    t.match(judge(ten({}), ['p99 < 50ms'], { generator }), { outcome: 'held' }, 'but what was kept all the same was kept')
  }
  t.match(judge(ten({ failed: 501 }), ['p99 < 50ms', 'errors == 0'], { generator: 'starved' }), { outcome: 'failed', reason: 'threshold' }, 'nor is it the generator that refuses most of all')
  t.match(judge(ten({ failed: 20 }), ['p99 < 50ms', 'errors == 0'], { generator: 'starved' }), { outcome: 'generator' }, 'but bursts are refused that a late generator sends')
  t.match(judge(ten({ fast: 900, slow: 100 }), ['p99 < 50ms'], { generator: 'busy' }), { outcome: 'failed' })
})

t.test('a starved generator has no part in latencies that end at the arrival in the kernel', async t => {
  for (const generator of ['starved', 'saturated']) {
    const slow = ten({ fast: 900, slow: 100 })
    t.match(judge(slow, ['p99 < 50ms'], { generator }), { outcome: 'generator' })
    t.match(judge(slow, ['p99 < 50ms'], { generator, byArrival: true }), { outcome: 'failed', reason: 'threshold' })
    t.match(judge(ten({ failed: 20 }), ['p99 < 50ms', 'errors == 0'], { generator, byArrival: true }), { outcome: 'generator' }, 'what fails may be its bursts')
    t.match(judge(ten({}), ['p99 < 50ms'], { generator, byArrival: true, achieved: 900 }), { outcome: 'generator' }, 'and a rate that was not reached is its own')
    t.match(judge(ten({}), ['p99 < 50ms'], { generator, byArrival: true }), { outcome: 'held' })
  }
})

t.test('a starved generator explains as much as it lost, and no more', async t => {
  const starved = { generator: 'starved', lost: 0.15, cpu: 0.3 }
  const late = ten(i => ({ ms: 500 + i * 400 }))
  const to = achieved => ({ ...starved, achieved, slots: 10_000 })
  t.match(judge(ten({ ms: 500 }), ['p99 < 50ms'], to(560)), { outcome: 'failed', reason: 'threshold' }, '44 % of the load are missing')
  t.match(judge(ten({ ms: 500 }), ['p99 < 50ms'], to(900)), { outcome: 'generator' }, 'of 10 % it can\'t be told')
  t.match(judge(late, ['p99 < 50ms'], to(1000)), { outcome: 'failed', reason: 'threshold' }, 'all was sent, and 29 % of it queue up')
  t.match(judge(ten(i => ({ ms: 500 + i * 100 })), ['p99 < 50ms'], to(1000)), { outcome: 'generator' }, '9 % of it')
  t.match(judge(ten(i => ({ ms: 5 + i * 100 })), ['p99 < 2s'], to(1000)), { outcome: 'generator' }, 'also when the threshold is kept')
  t.match(judge(late, ['p99 < 5s'], to(1000)), { outcome: 'failed', reason: 'growing' })
  t.match(judge(ten({ failed: 300 }), ['failures == 0'], starved), { outcome: 'failed' }, '30 % are refused')
  t.match(judge(ten({ failed: 100 }), ['failures == 0'], starved), { outcome: 'generator' })
  for (const unknown of [{ lost: null }, { cpu: 0.8 }, { generator: 'saturated' }]) t.match(judge(ten({ ms: 500 }), ['p99 < 50ms'], { ...to(560), ...unknown }), { outcome: 'generator' }, JSON.stringify(unknown))
})

t.test('too few connections are not the server', async t => {
  const busy = ten(i => ({ ms: 500 + i * 400 }))
  t.match(judge(busy, ['p99 < 50ms'], { slots: 10, achieved: 2000 }), { outcome: 'generator', reason: 'connections' }, '10 connections with an answer each in 5 ms, as fast as ever')
  t.match(judge(busy, ['p99 < 50ms'], { slots: 100, achieved: 2000 }), { outcome: 'failed', reason: 'threshold' }, '100 of them have to wait 50 ms: the server')
  t.match(judge(busy, ['p99 < 50ms'], { slots: 10, achieved: 2000 }, { unloaded: null }), { outcome: 'failed' }, 'nothing is known')
  const first = (rested, ...thresholds) => judge(busy, thresholds, { slots: 10, achieved: 2000, rested }, { unloaded: null })
  t.match(first(5, 'p99 < 50ms'), { outcome: 'generator', reason: 'connections' }, 'as fast as at the start of the step')
  t.match(first(3, 'p99 < 50ms'), { outcome: 'failed', reason: 'threshold' }, 'they were faster at its start')
  t.match(first(5, 'p99 < 4ms'), { outcome: 'failed', reason: 'threshold' }, 'nor is that what was asked for')
  t.match(judge(ten({ ms: 500, failed: 20 }), ['p99 < 50ms', 'failures == 0'], { slots: 10, achieved: 2000 }), { outcome: 'failed', reason: 'threshold' }, 'nor do they make answers fail')
})

t.test('a load of which a part is never sent is not held, although what was sent keeps the thresholds', async t => {
  const without = share => measuredOf(ten({})).parts.map(part => ({ ...part, due: Math.round(part.due / (1 - share)) }))
  t.match(judge(ten({}), ['failures == 0'], { parts: without(0.2), achieved: 1000 }), { outcome: 'failed', reason: 'unsent' })
  t.match(judge(ten({}), ['failures == 0'], { parts: without(0.02), achieved: 1000 }), { outcome: 'held' }, 'within the precision')
  t.match(judge(ten({}), ['failures == 0'], { parts: without(0.2), achieved: 1000, slots: 6 }), { outcome: 'generator', reason: 'connections' })
})

t.test('a step can tell a latency, and how many failed', async t => {
  const problem = expression => problemOf(parseThreshold(expression))
  for (const good of ['p99 < 50ms', 'p50 <= 1s', 'avg < 5ms', 'max < 1s', 'errors == 0', 'failures < 1', 'non2xx <= 0', 'error rate < 1%', 'failure rate <= 0.1%', 'timeouts < 1%', 'first token p99 < 300ms', 'first event avg < 1s', 'gap p99 < 50ms', 'inter token max < 1s', 'goodput(gap p99 < 50ms) > 95%', 'goodput(gap max < 1s) == 100%', 'goodput(gap max < 1s) >= 100%']) t.equal(problem(good), null, good)
  for (const [bad, why] of Object.entries({
    'p99 > 50ms': 'p99 needs an upper limit, such as p99 < 50ms: it grows with the load',
    'p99 == 50ms': 'use p99 < 50ms: a latency never equals a limit exactly',
    'errors < 10': 'the number grows with the length of a step: use a share, such as errors < 1%, or errors == 0',
    'rps > 100': 'use a metric that gets worse with more load: a percentile, avg, max, failures, errors, non2xx, timeouts or a share of these, such as p99 < 50ms or failure rate < 1%',
    'read late p50 < 20ms': "the times of a step are the latency, first event, gap, first token, inter token, time per output token, and no others: run the load that find reports with --threshold 'read late p50 < 20ms' instead",
    'handshake avg < 20ms': "the times of a step are the latency, first event, gap, first token, inter token, time per output token, and no others: run the load that find reports with --threshold 'handshake avg < 20ms' instead",
    'handshake max < 20ms': "the times of a step are the latency, first event, gap, first token, inter token, time per output token, and no others: run the load that find reports with --threshold 'handshake max < 20ms' instead",
    'stream duration p99 < 1s': "the times of a step are the latency, first event, gap, first token, inter token, time per output token, and no others: run the load that find reports with --threshold 'stream duration p99 < 1000ms' instead",
    'gap p99 > 1s': 'gap p99 needs an upper limit, such as gap p99 < 50ms: it grows with the load',
    'goodput(gap p99 < 50ms) < 95%': 'goodput(gap p99 < 50ms) needs a lower limit under 100 %, such as goodput(gap p99 < 50ms) > 95%: it falls with the load',
    'goodput(gap p99 < 50ms) > 100%': 'goodput(gap p99 < 50ms) needs a lower limit under 100 %, such as goodput(gap p99 < 50ms) > 95%: it falls with the load',
    'login: p99 < 50ms': 'it limits a part of the run, but each step is judged as a whole: omit the name of the part'
  })) t.equal(problem(bad), why)
  for (const bad of ['requests > 10', 'bytes/s < 1MB/s', 'generator <= busy', 'checks == 0', 'mismatches == 0', 'min < 5ms', 'rate ratio > 99%']) t.match(problem(bad), /use a metric that gets worse with more load/)
  t.strictSame(['p99 < 1s', 'p99.9 < 1s', 'error rate < 0.1%', 'errors == 0', 'avg < 1s', 'max < 1s', 'first token p99 < 1s', 'gap p99 < 1s', 'goodput(gap p99 < 1s) > 95%', 'goodput(gap p99 < 1s) == 100%'].map(one => leastFor(parseThreshold(one))), [300, 3000, 3000, 1, 1, 1, 300, 1, 60, 1])
})

t.test('a goodput is the share of requests that met its bounds', async t => {
  const expression = 'goodput(gap p99 < 50ms) > 95%'
  const { of, per } = parseThreshold(expression).metric.row
  /** @type {(good: (i: number) => number, gaps?: number, length?: number) => any} */
  const withGood = (good, gaps = 1, length = 30) => measuredOf(Array.from({ length }, () => ({}))).parts.map((part, i) => {
    const gap = new Histogram()
    if (gaps > 0) gap.record(10, gaps)
    return { ...part, counted: { ...part.counted, [of]: good(i), [per]: 1000 }, times: { gap } }
  })
  const judged = (/** @type {any} */ parts, given = expression, measured = {}, ask = {}) => judge(thirty({}), [given], { parts, ...measured }, ask)
  t.match(judged(withGood(() => 990)), { outcome: 'held', clear: true, certain: true, thresholds: [{ expression, metric: 'goodput(gap p99 < 50ms)', actual: 0.99, passed: true, unit: 'share' }] })
  t.match(judged(withGood(() => 900)), { outcome: 'failed', reason: 'threshold', certain: true, thresholds: [{ actual: 0.9, passed: false }] })
  t.match(judged(withGood(() => 950)), { thresholds: [{ actual: 0.95, passed: false }] })
  t.match(judged(withGood(() => 950), 'goodput(gap p99 < 50ms) >= 95%'), { thresholds: [{ actual: 0.95, passed: true }], clear: false })
  t.match(judged(withGood(i => i % 2 === 0 ? 1000 : 890)), { clear: false }, 'parts that differ make it uncertain')
  t.match(judged(withGood(() => 1000), 'goodput(gap p99 < 50ms) == 100%'), { outcome: 'held', thresholds: [{ actual: 1, passed: true }] })
  t.match(judged(withGood(i => i === 0 ? 999 : 1000), 'goodput(gap p99 < 50ms) == 100%'), { outcome: 'failed' })
  t.match(judged(withGood(() => 1000, 0)), { outcome: 'failed', clear: true, certain: true, thresholds: [{ actual: null, passed: false }] }, 'no stream had a gap')
  t.match(judged(withGood(() => 1000, 0, 10)), { outcome: 'failed', clear: false, certain: false }, 'one may yet have one')
  t.match(judged(withGood(() => 0, 0)), { outcome: 'failed', thresholds: [{ actual: 0, passed: false }] }, 'all have failed')
  const [good, bad] = [withGood(() => 980), withGood(() => 940)].map(parts => intervalIn(parseThreshold(expression), parts))
  t.ok(good.low > 0.95 && good.low <= 0.98 && good.high >= 0.98 && good.high <= 1, JSON.stringify(good))
  t.ok(bad.low < 0.94 && bad.high > 0.94 && bad.high < 0.95, JSON.stringify(bad))
  const slots = { slots: 6, achieved: 1000, rested: 6 }
  t.match(judged(withGood(() => 100), expression, slots, { unloaded: 5 }), { outcome: 'generator', reason: 'connections' }, 'late requests of too few connections')
})

t.test('responses without the time that a threshold is about have failed it, and without responses nothing is known', async t => {
  const gapless = (/** @type {number} */ failed) => judge(twenty({ failed }), ['gap p99 < 50ms'])
  t.match(gapless(0), { outcome: 'failed', reason: 'threshold', clear: true, certain: true, thresholds: [{ actual: null, passed: false }] })
  t.match(gapless(1000), { outcome: 'failed', clear: false, certain: false })
})

t.test('a time of streams is judged by its own values, and as certain as the latency', async t => {
  /** @param {object[]} parts @param {(i: number) => [ms: number, n: number][]} valuesOf */
  const withTimes = (parts, time, valuesOf) => {
    const measured = measuredOf(parts)
    measured.parts.forEach((part, i) => {
      const histogram = new Histogram()
      for (const [ms, n] of valuesOf(i)) histogram.record(ms, n)
      part.times = { [time]: histogram }
    })
    return measured
  }
  const fast = () => [[10, 1000]]
  const late = () => [[10, 980], [400, 20]]
  const long = thirty({ ms: 6000 })
  for (const [time, name] of [['firstEvent', 'first event'], ['gap', 'gap'], ['firstToken', 'first token'], ['interToken', 'inter token'], ['perToken', 'time per output token']]) {
    const expression = `${name} p99 < 300ms`
    t.match(judge(long, [expression], withTimes(long, time, fast)), { outcome: 'held', certain: true, thresholds: [{ metric: `${name} p99`, actual: 10, passed: true, unit: 'ms' }] }, `${name}: responses of 6 s are no matter`)
    t.match(judge(long, [expression], withTimes(long, time, late)), { outcome: 'failed', reason: 'threshold', certain: true, thresholds: [{ actual: 400, passed: false }] })
  }
  t.match(judge(long, ['gap avg < 20ms', 'gap max < 300ms'], withTimes(long, 'gap', late)), { thresholds: [{ actual: 17.8, passed: true }, { actual: 400, passed: false }] })
  t.match(judge(long, ['first token p99 < 300ms'], withTimes(long, 'firstToken', i => [[10, 1000 - 18 * (i % 2)], [400, 18 * (i % 2) || 1]])), { clear: false }, 'parts that differ make it uncertain')
  const threshold = parseThreshold('first token p99 < 300ms')
  const { low, high } = intervalIn(threshold, withTimes(long, 'firstToken', () => [[10, 500], [20, 500]]).parts)
  t.ok(low > 10 && low <= 20.1 && high >= 19.9 && high < 30, `the interval is that of its values: ${low} to ${high}`)
  t.match(judge(long, ['first token p99 < 300ms']), { outcome: 'failed', thresholds: [{ actual: null, passed: false }] }, 'no token')
  const busy = withTimes(ten({ ms: 6000 }), 'firstToken', () => [[500, 1000]])
  t.match(judge(ten({ ms: 6000 }), ['first token p99 < 300ms'], { ...busy, slots: 6000, achieved: 1000, rested: 6000 }, { unloaded: null }), { outcome: 'generator', reason: 'connections' }, 'all connections were in use, as responses take long: the limit of the first token says nothing of these')
})
