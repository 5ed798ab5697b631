'use strict'

const t = require('tap')
const { compare } = require('../../../lib/judge/comparison/comparison')
const { RunSamples, sectionsOf } = require('../../../lib/judge/comparison/bootstrap')
const { EARLY_CONFIDENCE, isCertain } = require('../../../lib/experiments/versus/early-stop')
const { parseMetric } = require('../../../lib/figures/metric')
const { parseRegression } = require('../../../lib/judge/comparison/regression')
const { cells, comparisonHeadline } = require('../../../lib/report/verdicts')
const { simulateRuns, inTurn } = require('../../helpers/simulated/simulated-runs')
const { simulate } = require('../../helpers/simulated/simulated-server')

/** @param {ReturnType<typeof compare>} comparison */
const verdicts = ({ metrics }) => Object.fromEntries(metrics.map(({ metric, verdict }) => [metric, verdict]))

/** @param {ReturnType<typeof compare>} comparison */
const p50Of = ({ metrics }) => metrics.find(({ metric }) => metric === 'p50')

/**
 * @param {number} seed
 * @param {object} [server]
 * @param {number} [runs]
 * @returns {Array<Record<string, any>>} runs of one server
 */
const side = (seed, server = {}, runs = 3) => Array.from({ length: runs }, (_, i) => simulate(seed + i, server))

t.test('two runs are never enough to stop, nor is a verdict that is not sure enough', async t => {
  const { base, next } = simulateRuns(1, { order: inTurn(4), next: { slower: 3 } })
  const at = (/** @type {number} */ runs, confidence = EARLY_CONFIDENCE, limits = [parseRegression('p50 +10%')]) => isCertain(compare(base.slice(0, runs), next.slice(0, runs), limits, { confidence }))
  t.strictSame([at(1), at(2), at(3), at(4), at(4, 0.95)], [false, false, true, true, false])
  t.notOk(at(3, EARLY_CONFIDENCE, []), 'without limits nothing was asked that has an answer')
  t.notOk(at(3, EARLY_CONFIDENCE, [parseRegression('p50 +199%')]), 'near the limit it goes on')
  t.ok(at(3, EARLY_CONFIDENCE, [parseRegression('p50 +900%')]), 'far within the limit it is enough')
})

t.test('two runs on each side say nothing yet, and what is missing is said', async t => {
  for (const [base, next, missing] of [[2, 2, 1], [1, 2, 2], [3, 1, 1], [4, 1, 1], [2, 3, 1]]) {
    const { basis, metrics, limits } = compare(side(1, {}, base), side(9, { slower: 2 }, next), [parseRegression('p50 +10%')])
    t.equal(basis, 'runs')
    t.strictSame(new Set(metrics.map(({ verdict }) => verdict)), new Set(['unknown']))
    t.match(limits, [{ passed: null, needs: { runs: missing } }], `${base} and ${next}`)
  }
  t.match(compare(side(1, {}, 5), side(9, { slower: 2 }, 1), [parseRegression('p50 +10%')]).limits, [{ passed: false }])
})

t.test('a server of 45 µs is not called slower for being rounded the other way', async t => {
  const of = (/** @type {number[]} */ values) => values.map((value, i) => {
    const result = simulate(i + 1)
    return { ...result, latency: { ...result.latency, average: value, p50: value, p95: value, p99: value } }
  })
  const rounded = compare(of([0.045, 0.045, 0.045]), of([0.046, 0.046, 0.046]), [parseRegression('p50 +2%'), parseRegression('p50 +5%')])
  t.match(p50Of(rounded), { verdict: 'no difference' })
  t.match(rounded.limits, [{ passed: null, reason: /: these figures are too coarse for a verdict$/ }, { passed: true }])
  t.match(p50Of(compare(of([0.045, 0.045, 0.045]), of([0.047, 0.047, 0.047]))), { verdict: 'worse' })
  t.match(p50Of(compare(of([6, 6, 6]).map(({ latency: { histogram, ...latency }, ...result }) => ({ ...result, latency })), of([7, 7, 7]))), { verdict: 'unknown' }, 'autocannon 9 has whole ms')
})

t.test('of no failure in 1,000 requests does not follow that there is none in 100,000', async t => {
  const of = (/** @type {number[]} */ failures, total = 1000) => failures.map((failures, i) => ({ ...simulate(i + 1), requests: { average: total / 10, total: total - failures }, failures, errors: failures }))
  const limits = ['error rate +0.1%', 'error rate +2%'].map(parseRegression)
  t.match(compare(of([0, 0, 0]), of([0, 0, 0]), limits).limits, [{ passed: null }, { passed: true }])
  t.match(compare(of([0, 0, 0], 100_000), of([0, 0, 0], 100_000), limits).limits, [{ passed: true }, { passed: true }])
  t.equal(verdicts(compare(of([0, 0, 0]), of([1, 1, 1])))['error rate'], 'no difference', 'one in each run may be chance, however alike they are')
  t.equal(verdicts(compare(of([0, 0, 0]), of([30, 30, 30])))['error rate'], 'worse')
})

t.test('runs that did not take turns are named', async t => {
  const notes = (/** @type {string} */ order) => { const { base, next } = simulateRuns(1, { order }); return compare(base, next).notes }
  t.strictSame(notes('AAAAABBBBB'), ['all of base ran before all of new: drift of the machine is in the difference'])
  t.strictSame(notes('BBBAAA'), ['all of new ran before all of base: drift of the machine is in the difference'])
  t.strictSame(notes('AAAAAB'), ['all of base ran before all of new: drift of the machine is in the difference'])
  t.strictSame(notes('AABBBBBAAA'), ['base and new alternated only 2 times: drift of the machine is in part of the difference'])
  const { base, next } = simulateRuns(1, { order: 'ABB' })
  t.strictSame(compare(base, next, [], { alternated: true }).notes, [], 'but not runs of versus that were interrupted')
  for (const order of [inTurn(5), 'ABABABABAB', 'AABBAABBAB', 'AAAABA']) t.strictSame(notes(order), [], order)
  t.ok(notes('AB').every(note => !note.includes('drift')), 'of one run each that is no news')
})

t.test('runs that went on at the same time are named, and not taken for turns', async t => {
  const { base, next } = simulateRuns(1, { order: 'ABBAABBA' })
  const note = 'runs of base and new went on at the same time: what one takes from the machine, the other has not'
  const lasting = (/** @type {any[]} */ runs, /** @type {number} */ seconds) => runs.map(run => ({ ...run, finish: new Date(+run.start + seconds * 1000) }))
  t.strictSame(compare(lasting(base, 30), lasting(next, 30)).notes, [note])
  t.strictSame(compare(lasting(base, 10), lasting(next, 11)).notes, [], 'one may begin when the other ends')
  const together = next.map((run, i) => ({ ...run, start: base[i].start }))
  t.strictSame(compare(lasting(base, 10), lasting(together, 10)).notes, [note], 'as two machines would')
  t.equal(compare(lasting(base.slice(0, 1), 10), lasting(together.slice(0, 1), 10)).notes[0], note, 'one of each')
})

/**
 * @param {object} ofBase what two of three runs of base are like
 * @param {object} ofNew
 * @param {string[]} [limits]
 * @returns {ReturnType<typeof compare>} of a server that is half as fast again
 */
const compared = (ofBase, ofNew, limits = ['p50 +10%', 'p50 +200%']) => {
  const changed = (/** @type {any[]} */ runs, /** @type {object} */ changes) => runs.map((result, i) => i > 0 ? { ...result, ...changes } : result)
  return compare(changed(side(1), ofBase), changed(side(4, { slower: 1.5 }), ofNew), limits.map(parseRegression))
}

/** How responses were timed, by native sockets. */
const BY_ARRIVAL = { clock: { arrival: 0.999, shared: 0, late: { p50: 0.1, p99: 1 } } }

t.test('latencies that end at the arrival in the kernel are compared although the load generator waited for the CPU; rates are not', async t => {
  const judged = (/** @type {object} */ changes, one = changes) => compare(side(1).map(run => ({ ...run, ...BY_ARRIVAL, ...changes })), side(4, { slower: 1.5 }).map(run => ({ ...run, ...BY_ARRIVAL, ...one })), ['p50 +10%', 'p50 +200%', 'rps -90%'].map(parseRegression))
  const both = judged(STARVED)
  t.match(both.limits, [{ passed: false }, { passed: true }, { passed: null, reason: /, but the load generator had a high CPU wait in 6 of 6 runs, which hides differences of the servers in their rates; latencies end at the arrival in the kernel and are not affected$/ }])
  const unlike = judged({}, STARVED)
  t.match(unlike.limits, [{ passed: false }, { passed: true }, { passed: null, reason: /, so the difference may be that of the machine$/ }])
  t.match(unlike.metrics.filter(({ metric }) => ['p50', 'rps'].includes(metric)).map(({ metric, verdict }) => [metric, verdict]).sort(), [['p50', 'worse'], ['rps', 'unknown']])
  t.match(unlike.notes, [/so the difference may be that of the machine; latencies end at the arrival in the kernel and are not affected$/])
  const same = compare(side(1).map(run => ({ ...run, ...BY_ARRIVAL, ...STARVED })), side(4).map(run => ({ ...run, ...BY_ARRIVAL, ...STARVED })), [parseRegression('p50 +10%')])
  t.strictSame(same.metrics.filter(({ metric }) => ['p50', 'rps'].includes(metric)).map(({ metric, verdict }) => [metric, verdict]).sort(), [['p50', 'no difference'], ['rps', 'unknown']], 'equal latencies have a verdict, too')
  t.match(same.inconclusive, /differences of the servers in their rates/)
  t.match(comparisonHeadline(same), /^No difference found: p50 would have to differ by about .* to be noticed; inconclusive for rps/)
  t.match(judged(SATURATED).limits, [{ passed: false }, { passed: null, reason: /was at its limit/ }, { passed: null }], 'a load generator at its limit sends less than it should')
  t.match(judged(STARVED, { ...STARVED, clock: undefined }).limits[1], { passed: null }, 'one side without arrival times')
  t.match(judged({}, { clock: undefined }).notes, ['base and new were not measured alike: end of a latency the arrival in the kernel and the read'])
})

const STARVED = { generator: { saturated: false, verdict: 'starved' } }
const SATURATED = { generator: { saturated: true } }

t.test('JSON and report have one verdict: what a report calls inconclusive is unknown', async t => {
  const noisy = compare(side(1, { slower: 1, wander: 0.5 }), side(4, { slower: 1, wander: 0.5 }), [])
  for (const comparison of [noisy, compared({}, {}), compared(STARVED, STARVED), compared({}, STARVED)]) {
    for (const metric of comparison.metrics) {
      const words = /** @type {string} */ (cells(metric).at(-1))
      t.equal(metric.verdict === 'unknown', words === 'inconclusive', `${metric.metric} ${metric.verdict} ${words}`)
      if (metric.verdict === 'no difference') t.ok(metric.unit === 'share' || Math.max(metric.high, -metric.low) <= 0.25, metric.metric)
    }
  }
})

t.test('a generator that was the limit on both sides lets no limit pass; one that was stopped judges none', async t => {
  const judged = (/** @type {object} */ changes) => compared(changes, changes).limits
  t.match(judged({}), [{ passed: false }, { passed: true }])
  t.match(judged(SATURATED), [{ passed: false }, { passed: null, reason: /, but the load generator was at its limit in 4 of 6 runs, which hides differences of the servers$/ }])
  t.match(judged(STARVED), [{ passed: false }, { passed: null, reason: /, but the load generator had a high CPU wait in 4 of 6 runs, which hides/ }])
  const doubtOf = (/** @type {object} */ changes) => compared(changes, changes).inconclusive
  t.equal(doubtOf(STARVED), 'the load generator had a high CPU wait in 4 of 6 runs, which hides differences of the servers')
  t.equal(doubtOf({}), undefined)
  t.match(judged({ generator: { saturated: false, verdict: 'busy' } }), [{ passed: false }, { passed: true }])
  t.match(judged({ generator: { saturated: false, verdict: null } }), [{ passed: false }, { passed: true }], 'what an older version does not tell hides nothing')
  t.match(judged({ interrupted: true }), [{ passed: null }, { passed: null, reason: 'at least one run was interrupted: run it again' }])
})

t.test('where the client was in trouble on one side only, nothing can be told of the servers', async t => {
  for (const [base, next, reason] of [
    [{}, STARVED, 'the load generator had a high CPU wait in 0 of 3 runs of base and 2 of 3 of new, so the difference may be that of the machine'],
    [STARVED, {}, 'the load generator had a high CPU wait in 2 of 3 runs of base and 0 of 3 of new, so the difference may be that of the machine'],
    [{}, SATURATED, 'the load generator was at its limit in 0 of 3 runs of base and 2 of 3 of new, so the difference may be that of the client'],
    [SATURATED, STARVED, 'the load generator had a high CPU wait in 0 of 3 runs of base and 2 of 3 of new, so the difference may be that of the machine']
  ]) {
    const { inconclusive, limits, metrics, notes } = compared(base, next)
    const ends = new RegExp(`^between \\+\\d+ % and \\+\\d+ %, but ${reason}$`)
    t.match(limits, [{ passed: null, reason: ends }, { passed: null, reason: ends }], reason)
    t.ok(metrics.filter(({ unit }) => unit !== 'share').every(({ low, high }) => low !== null && high !== null && low < high), 'the intervals are there')
    t.equal(inconclusive, reason)
    t.ok(limits.every(limit => !('indication' in limit)))
    t.strictSame(new Set(metrics.map(({ verdict }) => verdict)), new Set(['unknown']))
    t.equal(notes[0], reason)
  }
  t.match(compared(SATURATED, {}).limits, [{ passed: false }, { passed: null }], 'base is even faster than it seems, so new is slower all the same')
  const often = compare(side(1).map(result => ({ ...result, ...STARVED })), side(4).map((result, i) => i === 0 ? { ...result, ...STARVED } : result), [parseRegression('p50 +10%')])
  t.match(often.limits, [{ passed: null, reason: /^between .*, but the load generator had a high CPU wait in 3 of 3 runs of base and 1 of 3 of new, so/ }])
  const once = compare(side(1), side(4, { slower: 1.5 }).map((result, i) => i === 1 ? { ...result, ...STARVED } : result), ['p50 +10%', 'p50 +200%'].map(parseRegression))
  t.match(once.limits, [{ passed: false }, { passed: null }], 'one of three is in the variance between runs')
  t.notOk('indication' in compare([simulate(1)], [{ ...simulate(2, { slower: 2 }), ...STARVED }], [parseRegression('p50 +10%')]).limits[0])
})

t.test('an even pace and batches are not compared', async t => {
  const at = (/** @type {string | undefined} */ pace) => ({ rate: { target: 5000, pace } })
  const of = (/** @type {string | undefined} */ base, /** @type {string | undefined} */ next) => compare(side(1).map(result => ({ ...result, ...at(base) })), side(4, { slower: 1.5 }).map(result => ({ ...result, ...at(next) })), [parseRegression('p50 +10%'), parseRegression('p50 +200%')])
  t.match(of('even', 'even'), { limits: [{ passed: false }, { passed: true }], notes: [] })
  t.match(of('batched', 'batched'), { limits: [{ passed: false }, { passed: true }], notes: [] })
  const reason = 'the load was sent in batches in 0 of 3 runs of base and 3 of 3 of new, so the difference may be that of the pace, which --pace sets for both'
  const ends = new RegExp(`^between .*, but ${reason}$`)
  t.match(of('even', 'batched'), { limits: [{ passed: null, reason: ends }, { passed: null, reason: ends }], inconclusive: reason, notes: [reason] })
  t.match(of(undefined, 'even'), { limits: [{ passed: null }, { passed: null }] }, 'older versions knew no other')
  t.match(of(undefined, 'batched'), { limits: [{ passed: false }, { passed: true }] })
})

t.test('a run that ended early is not judged, and what was left out has to be the same', async t => {
  const reason = 'at least one run ended early, by bailout or a threshold that could not be met any more: run it again'
  for (const changes of [{ bailedOut: true }, { thresholds: [{ expression: 'failures < 5', passed: false, aborted: true }] }]) {
    t.match(compared({}, changes), { limits: [{ passed: null, reason }, { passed: null, reason }], notes: [reason.replace(/: run.*/, '')] })
  }
  const loss = 'at least one run lost an agent, and with it a part of its load: run it again'
  t.match(compared({}, { agents: [{ lost: null }, { lost: { after: 1 } }] }), { limits: [{ passed: null, reason: loss }, { passed: null, reason: loss }] })
  t.match(compared({}, { agents: [{ lost: null }] }).limits, [{ passed: false }, { passed: true }])
  t.match(compared({}, { thresholds: [{ expression: 'failures < 5', passed: false }] }).limits, [{ passed: false }, { passed: true }])
  const skipped = (/** @type {number} */ seconds) => ({ skipped: { seconds, requests: 1, inFlight: 0 }, options: { skipFirst: Math.round(seconds) } })
  t.strictSame(compared(skipped(2.001), skipped(1.999)).notes, [])
  t.strictSame(compared({}, { skipped: { seconds: 2, requests: 1, inFlight: 0 } }).notes, ['base and new were not measured alike: skipFirst none and none, 2'])
})

t.test('when more requests fail, no limit on what is left passes, unless one says how many may', async t => {
  const failing = (/** @type {number} */ share) => side(4, { errors: share }).map(result => ({ ...result, errorCodes: {} }))
  const judged = (/** @type {any[]} */ next, /** @type {string[]} */ limits) => compare(side(1), next, limits.map(parseRegression)).limits
  const unsure = { passed: null, reason: /, but the error rate rose \(\+\d+(\.\d+)? points\), and no limit bounds it: add one, such as 'error rate \+1%'$/ }
  t.match(judged(failing(0.4), ['p50 +50%', 'rps -90%', 'avg +50%']), [unsure, unsure, unsure])
  t.match(judged(failing(0.4), ['p50 +50%', 'error rate +1%']), [{ passed: true }, { passed: false }])
  t.match(judged(failing(0.4), ['p50 +50%', 'error rate +90%']), [{ passed: true }, { passed: true }])
  t.match(judged(failing(0.4), ['p50 +50%', 'non2xx +1%'])[0], { passed: null })
  t.match(judged(failing(0), ['p50 +50%']), [{ passed: true }])
  const refused = side(4).map(result => ({ ...result, failures: Math.round(result.requests.total * 0.3) }))
  const fine = side(1).map(result => ({ ...result, failures: 0 }))
  t.match(compare(fine, refused, [parseRegression('p50 +50%')]).limits, [{ passed: null, reason: /the failure rate rose \(\+30 points\)/ }], 'fast answers of 500 are in it, and are no answers')
})

t.test('the maximum of a few values is no percentile', async t => {
  const of = (/** @type {number} */ totalCount) => (/** @type {any} */ result) => ({ ...result, latency: { ...result.latency, totalCount, p99: 9, p99_9: 9 } })
  const { limits, metrics, notes } = compare(side(1).map(of(20)), side(4).map(of(20)), ['p99.9 +10%', 'p50 +50%'].map(parseRegression))
  t.match(limits, [{ passed: null, reason: 'p99.9 of 20 values in a run is the maximum: it needs 1,000 values in each run' }, { passed: true }])
  t.strictSame(metrics.filter(({ verdict }) => verdict === 'unknown').map(({ metric }) => metric).slice(-2), ['p99', 'p99.9'])
  t.strictSame(notes, ['p99 and p99.9 of 20 values in a run are the maximum: they need 100 and 1,000 values in each run'])
  t.match(compare(side(1).map(of(2000)), side(4).map(of(20)), [parseRegression('p99 +10%')]).limits, [{ passed: null, reason: 'p99 of 20 values in a run is the maximum: it needs 100 values in each run' }])
  t.strictSame(compare(side(1).map(of(100)), side(4).map(of(100))).notes, [])
})

t.test('the same results give the same verdict', async t => {
  const [a, b] = [simulate(1), simulate(2, { slower: 1.02 })]
  t.strictSame(compare([a], [b]), compare([a], [b]))
})

t.test('a result does not differ from itself', async t => {
  const one = simulate(3)
  for (const { metric, difference, low, high, verdict } of compare([one], [one]).metrics) {
    t.equal(difference, 0, metric)
    t.equal(verdict, 'no difference', metric)
    if (low !== null && high !== null) t.ok(low <= 0 && high >= 0, metric)
  }
})

t.test('says which way is better', async t => {
  const slower = compare([simulate(1)], [simulate(2, { slower: 1.5 })])
  t.match(verdicts(slower), { rps: 'worse', avg: 'worse', p50: 'worse', 'error rate': 'no difference', non2xx: 'no difference' })
  t.match(verdicts(compare([simulate(2, { slower: 1.5 })], [simulate(1)])), { rps: 'better', avg: 'better', p50: 'better' })
  const p50 = slower.metrics.find(({ metric }) => metric === 'p50')
  t.ok(p50.low > 0.35 && p50.high < 0.65 && p50.low < p50.difference && p50.difference < p50.high, JSON.stringify(p50))
})

t.test('errors are compared by their share', async t => {
  const comparison = compare([simulate(1)], [simulate(2, { errors: 0.02 })])
  t.equal(verdicts(comparison)['error rate'], 'worse')
  const { base, new: next, difference, unit } = comparison.metrics.find(({ metric }) => metric === 'error rate')
  t.equal(unit, 'share')
  t.equal(base, 0)
  t.ok(Math.abs(difference - 0.02) < 0.005 && difference === next)
  const rare = simulate(3)
  rare.errors = 3
  rare.series[4].errors = 3
  t.equal(verdicts(compare([simulate(1)], [rare]))['error rate'], 'no difference', 'three errors in one second may be chance')
})

t.test('a server that answers nothing leaves nothing to compare', async t => {
  const nothing = { ...simulate(1), requests: { average: 0, total: 0 }, errors: 9, latency: { totalCount: 0 }, series: [] }
  t.strictSame(new Set(Object.values(verdicts(compare([simulate(1)], [nothing])))), new Set(['unknown']))
})

t.test('what can not be told is not told', async t => {
  const short = simulate(1, { seconds: 3 })
  const { notes, metrics } = compare([short], [simulate(2)])
  t.strictSame(new Set(metrics.map(({ verdict }) => verdict)), new Set(['unknown']))
  t.match(notes, ['a single run of fewer than 4 samples does not show how much it varies: run for longer, or several times'])
  const { series, ...foreign } = simulate(1)
  t.match(compare([foreign], [simulate(2)]).notes, [/^a single run without its samples \(made by another version or tool\)/])
  t.equal(verdicts(compare([foreign, foreign, foreign], [foreign, foreign, foreign])).p50, 'no difference', 'several runs need no samples')
})

t.test('says what makes a comparison worth less than it seems', async t => {
  const base = simulate(1)
  const { notes } = compare([base], [{ ...base, connections: 20, pipelining: 4, workers: 2, rate: { target: 100 }, generator: { saturated: true }, interrupted: true }])
  t.match(notes, [
    'the load generator was at its limit in 0 of 1 runs of base and 1 of 1 of new, so the difference may be that of the client',
    'base and new were not measured alike: connections 10 and 20',
    'base and new were not measured alike: pipelining 1 and 4',
    'base and new were not measured alike: workers none and 2',
    'base and new were not measured alike: rate none and 100',
    'at least one run was interrupted',
    /^one run on each side is an indication: .* a standard deviation of 2 % is allowed for/
  ])
  t.strictSame(compare([base, simulate(2)], [simulate(3), simulate(4)]).notes, [])
  t.strictSame(compare([base, { ...simulate(2), ...STARVED }], [simulate(3), { ...simulate(4), ...STARVED }]).notes, ['the load generator had a high CPU wait in 2 of 4 runs, which hides differences of the servers'])
})

t.test('a histogram that is none is left alone', async t => {
  const broken = simulate(2)
  broken.latency.histogram = 'x'
  t.equal(verdicts(compare([simulate(1)], [broken])).p50, 'no difference')
})

t.test('a limit adds its metric', async t => {
  const comparison = compare(side(1), side(4, { slower: 1.5 }), [parseRegression('p97.5 +10%'), parseRegression('bytes/s -60%')])
  t.match(comparison.metrics.slice(-2), [{ metric: 'p97.5', verdict: 'worse' }, { metric: 'bytes/s', verdict: 'worse' }])
  t.match(comparison.limits, [{ expression: 'p97.5 +10%', passed: false }, { expression: 'bytes/s -60%', passed: true }])
})

t.test('samples', async t => {
  const point = (/** @type {number} */ requests, length = 1000) => ({ length, requests, bytes: requests, errors: 0, non2xx: 0, average: 1, p50: 1, p95: 2, p99: 3, max: 4 })
  const rps = parseMetric('rps')
  t.test('the standard error of independent samples is that of their mean', async t => {
    const counts = Array.from({ length: 7 }, (_, i) => 100 + i)
    const { error, level } = new RunSamples(sectionsOf({ series: counts.map(count => point(count)) })).uncertainty(rps)
    const expected = Math.sqrt(counts.reduce((sum, count) => sum + (count - 103) ** 2, 0) / 6 / 7) / 103
    t.ok(Math.abs(error / expected - 1) < 0.15, `${error}, expected ${expected}`)
    t.ok(Math.abs(level - 103) < 0.5)
  })
  t.test('neighbours that are alike make it larger', async t => {
    const mixed = Array.from({ length: 30 }, (_, i) => i % 2 === 0 ? 90 : 110)
    const sorted = [...mixed].sort((a, b) => a - b)
    const [apart, together] = [mixed, sorted].map(counts => new RunSamples(sectionsOf({ series: counts.map(count => point(count)) })).uncertainty(rps).error)
    t.ok(together > 1.3 * apart, `${together} and ${apart}`)
  })
  t.test('many are added up, a short rest is left out', async t => {
    t.equal(sectionsOf({ series: Array.from({ length: 95 }, () => point(10)) }).length, 30)
    t.equal(sectionsOf({ series: Array.from({ length: 95 }, () => point(10)) }).reduce((sum, { counted }) => sum + counted.responses, 0), 950)
    t.equal(sectionsOf({ series: [point(10), point(10), point(2, 200)] }).length, 2)
    t.equal(sectionsOf({ series: [point(2, 200)] }).length, 1)
  })
  t.test('seconds without an answer have no latency, and do not hide the others', async t => {
    const silent = { ...point(0), average: null, p50: null, p95: null, p99: null, max: null }
    const samples = new RunSamples(sectionsOf({ series: [point(10), silent, silent, point(10), point(10), silent, point(10)] }))
    t.equal(samples.uncertainty(parseMetric('p99')).level, 3)
    t.ok(samples.uncertainty(rps).error > 0.3)
  })
})

t.test('times of streams are compared as the latency is', async t => {
  /** @type {(seed: number, slower: number) => Record<string, any>} a run whose gaps are those of the latency of another run */
  const streaming = (seed, slower) => {
    const [result, other] = [simulate(seed), simulate(seed + 50, { slower })]
    const streams = { opened: 1000, events: 1000, eventsPerSecond: 100, stalls: 0, truncated: 0, firstEvent: result.latency, gap: other.latency, outage: other.latency }
    const quantilesOf = ({ p50, p95, p99, max }) => p50 === null ? null : { p50, p95, p99, max }
    const series = result.series.map((point, i) => ({
      ...point, streams: { events: point.requests, stalls: 0, firstEvent: quantilesOf(point), gap: quantilesOf(other.series[i]) }
    }))
    return { ...result, streams, series }
  }
  const runs = (seed, slower, n) => Array.from({ length: n }, (_, i) => streaming(seed + i, slower))
  const limits = ['gap p99 +50%', 'first event p50 +50%'].map(parseRegression)
  for (const n of [3, 1]) {
    const comparison = compare(runs(1, 1, n), runs(9, 3, n), limits)
    t.match(verdicts(comparison), { p50: 'no difference', 'first event p50': 'no difference', 'gap p50': 'worse', 'gap p99': 'worse', 'outage p50': n === 1 ? 'unknown' : 'worse' }, `${comparison.basis}: samples have no outages`)
    // One run on each side is an indication only.
    t.match(comparison.limits, n === 1 ? [{ passed: null, finding: { code: 'indication' } }, {}] : [{ passed: false }, { passed: true }], comparison.basis)
    const alike = compare(runs(1, 1, n), runs(9, 1, n))
    t.match(verdicts(alike), { 'gap p50': 'no difference', 'first event p99': 'no difference' }, alike.basis)
    for (const { metric, low, high } of alike.metrics.filter(({ metric }) => /gap|first event/.test(metric))) t.ok(low < 0 && high > 0, `${metric}: ${low} to ${high}`)
  }
  const plain = compare(side(1), runs(9, 1, 3))
  t.notOk(plain.metrics.some(({ metric }) => /gap|event|token/.test(metric)), 'but not where one side has none')
  t.match(compare(side(1), side(9), limits).limits, limits.map(() => ({ passed: false, finding: { code: 'nothing-measured' } })))
  t.throws(() => parseRegression('stream duration p99 +10%'), /stream duration p99 is not compared; .*gap p99/)
  t.throws(() => parseRegression('gap max +10%'), /gap max is not compared/)
})

t.test('tokens and events are compared, also of a single run on each side, which has their times and numbers in its samples', async t => {
  /** @type {(seed: number, slower: number) => Record<string, any>} completions whose events are those of the requests of a run */
  const completing = (seed, slower) => {
    const result = simulate(seed, { slower })
    const count = result.requests.total * 20
    const streams = {
      opened: result.requests.total, events: count, eventsPerSecond: count / result.duration, stalls: 0, truncated: 0,
      firstEvent: { totalCount: 0 }, gap: { totalCount: 0 }, firstToken: result.latency, interToken: result.latency, tokens: { total: count, perSecond: count / result.duration }
    }
    const series = result.series.map(point => {
      const { p50, p95, p99, max } = point
      const times = p50 === null ? null : { p50, p95, p99, max }
      return { ...point, streams: { events: 20 * point.requests, stalls: 0, firstEvent: null, gap: null, tokens: 20 * point.requests, firstToken: times, interToken: times } }
    })
    return { ...result, streams, series }
  }
  const runs = (/** @type {number} */ seed, /** @type {number} */ slower, /** @type {number} */ n) => Array.from({ length: n }, (_, i) => completing(seed + i, slower))
  for (const n of [3, 1]) {
    const slow = compare(runs(1, 1, n), runs(9, 3, n), ['inter token p99 +10%', 'tokens/s -10%'].map(parseRegression))
    t.match(verdicts(slow), { 'first token p50': 'worse', 'inter token p50': 'worse', 'inter token p99': 'worse', 'events/s': 'worse', 'tokens/s': 'worse' }, slow.basis)
    t.match(slow.limits, [{ passed: n === 1 ? null : false }, { passed: n === 1 ? null : false }])
    t.match(cells(slow.metrics.find(({ metric }) => metric === 'tokens/s')), ['tokens/s', /^[\d,.k]+$/, /^[\d,.k]+$/, /%$/, /./, 'fewer'])
    const alike = compare(runs(1, 1, n), runs(9, 1, n))
    t.match(verdicts(alike), { 'first token p99': 'no difference', 'inter token p50': 'no difference', 'tokens/s': 'no difference' }, alike.basis)
  }
  t.throws(() => parseRegression('tokens -10%'), /tokens is not compared; .*tokens\/s, events\/s, /)
})

t.test('events of streams that never end are counted, not their requests', async t => {
  const endless = (/** @type {number} */ seed) => {
    const result = simulate(seed)
    const streams = { opened: 10, events: result.requests.total, eventsPerSecond: 1000 + seed, stalls: 0, truncated: 0, firstEvent: result.latency, gap: result.latency }
    return { ...result, requests: { ...result.requests, total: 0, average: 0 }, latency: { totalCount: 0 }, errors: 0, failures: 0, streams }
  }
  const comparison = compare([1, 2, 3].map(endless), [4, 5, 6].map(endless))
  t.strictSame(comparison.metrics.map(({ metric }) => metric), ['events/s', 'first event p50', 'first event p99', 'gap p50', 'gap p99'], 'there is no response to compare')
  const [row] = comparison.metrics
  t.match(row, { verdict: 'no difference' })
  t.ok(row.high < 0.5, `the difference is known to ${row.high}, and not as badly as that of no request`)
  t.match(comparisonHeadline(comparison), /^No difference found: gap p50 would have to differ/)
  const late = [1, 2, 3].map(seed => ({ ...endless(seed), errors: 2, failures: 2 }))
  t.ok(compare(late, late).metrics.some(({ metric }) => metric === 'error rate'), 'but what failed is compared')
})

t.test('runs whose streams or messages differ in their options were not measured alike', async t => {
  const of = (/** @type {Record<string, any>} */ options) => ({ ...simulate(1), streams: { opened: 0, gap: { totalCount: 0 }, firstEvent: { totalCount: 0 } }, options })
  const over = (/** @type {Record<string, any>} */ options) => ({ ...simulate(1), url: 'ws://localhost', websocket: {}, options })
  const noted = (/** @type {Record<string, any>} */ a, /** @type {Record<string, any>} */ b) => compare([a], [b]).notes.filter(note => note.includes('alike')).map(note => note.replace('base and new were not measured alike: ', ''))
  t.strictSame(noted(of({ stream: 'sse', stall: 1 }), of({ stream: 'sse' })), [])
  t.strictSame(noted(of({ stream: 'sse' }), of({ stream: 'chunks', stall: 0.5, events: 5, streamFor: 3 })), ['stream sse and chunks', 'stall 1 and 0.5', 'events of a stream none and 5', 'length of a stream none and 3'])
  t.strictSame(noted(over({ match: 'next' }), over({})), [])
  t.strictSame(noted(over({}), over({ match: 'id', receive: true })), ['receive none and true', 'match next and id'])
})

t.test('over WebSocket a comparison has what messages have, and connections that only listen are what may fail', async t => {
  const over = (/** @type {number} */ seed, more = {}) => ({ ...simulate(seed), url: 'ws://localhost:3000', websocket: { opened: 10, refused: {} }, ...more })
  const names = (/** @type {Record<string, any>} */ more) => compare([over(1, more), over(2, more), over(3, more)], [over(4, more), over(5, more), over(6, more)]).metrics
  t.strictSame(names({}).map(({ metric }) => metric), ['rps', 'avg', 'p50', 'p95', 'p99', 'failure rate', 'error rate'], 'no status')
  const { latency } = simulate(7)
  const streams = { kind: 'messages', opened: 10, events: 1000, eventsPerSecond: 100, stalls: 0, truncated: 0, firstEvent: latency, gap: latency }
  const listening = names({ requests: { total: 0, average: 0, sent: 0 }, latency: { totalCount: 0 }, errors: 0, failures: 0, streams })
  t.match(listening.map(({ metric }) => metric), ['failure rate', 'error rate', 'events/s'])
  t.ok(listening[0].high < 0.5, `${listening[0].high}: of 10 connections in each run`)
})

t.test('between different requests there is no verdict, and no limit is kept', async t => {
  const of = (/** @type {Record<string, any>} */ options, changes = {}) => ({ ...simulate(1), options, ...changes })
  const limits = [parseRegression('p99 +1000%'), parseRegression('rps -99%')]
  const get = of({})
  for (const [other, difference] of [
    [of({ method: 'POST', body: '[5 bytes]' }), 'GET / and POST / [5 bytes]'],
    [of({ requests: [{ path: '/a' }, { method: 'PUT', path: '/b?x=1', body: '[3 bytes]' }] }), 'GET / and GET /a, PUT /b [3 bytes]'],
    [of({}, { url: 'http://other:80/items' }), 'GET / and GET /items'],
    [of({ har: '[9 bytes]' }), 'GET / and a HAR of [9 bytes]'],
    [{ ...simulate(1), url: 'http://other/items' }, '/ and /items']
  ]) {
    const { metrics, limits: judged, notes } = compare([get], [other], limits)
    t.ok(metrics.every(({ verdict, low, high }) => verdict === 'unknown' && low === null && high === null), difference)
    t.strictSame(judged.map(({ passed, reason }) => [passed, reason]), limits.map(() => [false, `not the same work: ${difference}`]))
    t.equal(notes[0], `base and new did not do the same work (${difference}): there is no verdict`)
  }
  for (const same of [of({ connections: 10 }), of({ method: 'GET' }), of({}, { url: 'https://other:8080/?page=2' }), of({ requests: [{ path: '/?page=2', name: 'x' }] }), { ...simulate(1), url: 'localhost:3000' }]) {
    const { limits: judged } = compare([get, get, get], [same, same, same], limits)
    t.strictSame(judged.map(({ passed }) => passed), [true, true])
  }
  t.match(compare([of({ duration: 10 })], [of({ amount: 100 })]).notes[0], 'not measured alike: they end after a time and after an amount')
})
