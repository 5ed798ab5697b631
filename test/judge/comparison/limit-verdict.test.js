'use strict'

const t = require('tap')
const { judgeRegression } = require('../../../lib/judge/comparison/limit-verdict')
const { parseRegression } = require('../../../lib/judge/comparison/regression')

const P99 = { metric: 'p99', unit: 'ms', base: 10, new: 12, difference: 0.2, low: 0.12, high: 0.3, verdict: 'worse' }
const RPS = { metric: 'rps', unit: 'requests/s', base: 1000, new: 900, difference: -0.1, low: -0.15, high: -0.06, verdict: 'worse' }
const ERRORS = { metric: 'error rate', unit: 'share', base: 0, new: 0.02, difference: 0.02, low: 0.01, high: 0.03, verdict: 'worse' }

/**
 * @param {string} expression
 * @param {object} row
 * @param {{ runs?: number | null, least?: number | null, circumstances?: object }} [known] `runs`: how many more would do
 */
function judge (expression, row, { runs = 4, least = null, circumstances = {} } = {}) {
  return judgeRegression(parseRegression(expression), { row: { ...P99, ...row }, runsFor: () => runs, least }, { work: null, unlike: null, cut: null, hides: null, basis: 'runs', unwatched: null, ...circumstances })
}

t.test('a limit has passed when the bad end of the interval is within it, and failed when a real difference is beyond it', async t => {
  for (const [expression, row, passed, reason] of [
    ['p99 +30%', {}, true, 'within the limit: between +12 % and +30 %'],
    ['p99 +10%', {}, false, '+20 % (between +12 % and +30 %) is beyond the limit'],
    ['p99 +19%', {}, false, '+20 % (between +12 % and +30 %) is beyond the limit, and a difference is certain'],
    ['p99 +25%', {}, null, 'between +12 % and +30 %: about 4 more runs on each side may decide'],
    ['p99 +10%', { low: -0.25, high: 0.6, verdict: 'no difference' }, null, 'between −25 % and +60 %: about 4 more runs on each side may decide'],
    ['p99 +10%', { new: 10.5, difference: 0.05, low: -0.02, high: 0.14, verdict: 'no difference' }, null, 'between −2.0 % and +14 %: about 4 more runs on each side may decide'],
    ['p99 +1ms', {}, false, '+2.00 ms (between +1.20 ms and +3.00 ms) is beyond the limit'],
    ['p99 +2.5ms', {}, null, 'between +1.20 ms and +3.00 ms: about 4 more runs on each side may decide'],
    ['p99 +3ms', {}, true, 'within the limit: between +1.20 ms and +3.00 ms'],
    ['p99 +0%', {}, false, '+20 % (between +12 % and +30 %) is beyond the limit'],
    ['p99 +0%', { new: 8, difference: -0.2, low: -0.3, high: -0.1, verdict: 'better' }, true, 'within the limit: between −30 % and −10 %'],
    ['rps -5%', RPS, false, '−10 % (between −15 % and −6.0 %) is beyond the limit'],
    ['rps -15%', RPS, true, 'within the limit: between −15 % and −6.0 %'],
    ['rps -12%', RPS, null, 'between −15 % and −6.0 %: about 4 more runs on each side may decide'],
    ['rps -140', RPS, null, 'between −150/s and −60/s: about 4 more runs on each side may decide'],
    ['rps -0%', RPS, false, '−10 % (between −15 % and −6.0 %) is beyond the limit'],
    ['rps -5000', RPS, null, 'this limit can\'t be broken: base has less than that'],
    ['error rate +1%', ERRORS, false, '+2.00 points (between +1.00 points and +3.00 points) is beyond the limit, and a difference is certain'],
    ['error rate +3%', ERRORS, true, 'within the limit: between +1.00 points and +3.00 points'],
    ['error rate +60%', { ...ERRORS, base: 0.5, new: 0.52 }, null, 'this limit can\'t be broken: base has too much of it for that'],
    ['p99 +10%', { new: null, difference: null, low: null, high: null, verdict: 'unknown' }, false, 'nothing was measured']
  ]) {
    const judged = judge(expression, row)
    t.match(judged, { expression, passed, reason }, `${expression} ${JSON.stringify(row)}`)
    t.strictSame(judged.needs, reason.includes('more runs') ? { runs: 4 } : undefined, expression)
  }
})

t.test('says about how many more runs may decide, and when runs are no help', async t => {
  const unsure = { low: -0.2, high: 0.6, verdict: 'no difference' }
  t.match(judge('p99 +10%', unsure, { runs: 1 }), { passed: null, needs: { runs: 1 }, reason: /: about 1 more run on each side may decide$/ })
  t.match(judge('p99 +10%', unsure, { runs: 31 }), { passed: null, needs: { runs: 35 }, reason: /: about 35 more runs on each side may decide$/ })
  const many = judge('p99 +10%', unsure, { runs: 51 })
  t.match(many, { passed: null, reason: 'between −20 % and +60 %: more than 50 more runs on each side would be needed; longer runs or a quieter machine help more' })
  t.notOk('needs' in many)
  t.match(judge('p99 +10%', unsure, { runs: Infinity }), { passed: null, reason: /more than 50 more runs/ })
  t.match(judge('p99 +10%', unsure, { runs: null }), { passed: null, reason: /: these figures are too coarse for a verdict$/ })
  const unknown = { low: null, high: null, verdict: 'unknown' }
  t.match(judge('p99 +10%', unknown, { least: 1 }), { passed: null, needs: { runs: 1 }, reason: 'too few runs to know how much they vary: at least 1 more run on each side is needed' })
  t.match(judge('p99 +10%', unknown, { least: 2 }), { passed: null, needs: { runs: 2 }, reason: /: at least 2 more runs on each side are needed$/ })
})

t.test('runs that vary by more than a factor of two promise nothing of more runs', async t => {
  for (const [low, high, between] of [[-0.75, 2.14, '−75 % and +214 %'], [-0.9997, 3248.3, '−100 % and ×3,200'], [-0.6, 0.3, '−60 % and +30 %']]) {
    const judged = judge('p99 +10%', { low, high, difference: 0.05, verdict: 'no difference' }, { runs: 30 })
    t.match(judged, { passed: null, reason: `the runs vary too much (between ${between}): a quieter machine and longer runs help, then more runs` })
    t.notOk('needs' in judged)
  }
})

t.test('one more run on each side may be needed', async t => {
  t.match(judge('p99 +25%', { low: null, high: null }, { least: 1 }), { reason: /: at least 1 more run on each side is needed$/ })
})

t.test('one run on each side judges nothing, and indicates what it can', async t => {
  const circumstances = { basis: 'samples' }
  for (const [expression, indication] of [['p99 +10%', 'beyond'], ['p99 +20%', undefined], ['p99 +40%', 'within']]) {
    const judged = judge(expression, {}, { circumstances })
    t.match(judged, { passed: null, needs: { runs: 2 }, reason: 'between +12 % and +30 %, but one run on each side is an indication only: at least 2 more on each side are needed' })
    t.equal(judged.indication, indication, expression)
  }
  t.equal(judge('rps -5%', RPS, { circumstances }).indication, 'beyond')
  t.equal(judge('rps -15%', RPS, { circumstances }).indication, 'within')
})

t.test('what may hide a difference lets no limit pass, and shows one all the same', async t => {
  const circumstances = { hides: { code: 'hidden-differences', facts: { state: 'saturated', runs: [4, 6] } } }
  t.match(judge('p99 +40%', {}, { circumstances }), { passed: null, reason: 'between +12 % and +30 %, but the load generator was at its limit in 4 of 6 runs, which hides differences of the servers' })
  t.match(judge('p99 +10%', {}, { circumstances }), { passed: false })
  const cause = { code: 'hidden-differences', facts: { state: 'starved', runs: [2, 2] } }
  t.match(judge('p99 +20%', { high: 4, low: -0.6 }, { circumstances: { hides: cause } }), { passed: null, reason: 'the runs vary too much (between −60 % and +400 %): the load generator had a high CPU wait in 2 of 2 runs, which hides differences of the servers' }, 'longer runs do not help')
  t.match(judge('p99 +40%', {}, { circumstances: { cut: { code: 'interrupted-runs', facts: {} } } }), { passed: null, reason: 'at least one run was interrupted: run it again' })
  t.match(judge('p99 +10%', {}, { circumstances: { cut: { code: 'interrupted-runs', facts: {} } } }), { passed: null })
  t.match(judge('p99 +40%', {}, { circumstances: { work: { code: 'different-work', facts: { difference: 'GET / and POST /' } } } }), { passed: false, reason: 'not the same work: GET / and POST /' })
})
