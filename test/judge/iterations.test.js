'use strict'

const t = require('tap')
const { Histogram } = require('../../lib/record/histogram')
const { circumstancesOf } = require('../../lib/judge/comparison/circumstances')
const { sentenceOf } = require('../../lib/words/judgements')
const { settle } = require('../../lib/judge/inconclusive')
const { judgedWithoutFinding: judge } = require('../helpers/results/judged')
const { parseThreshold } = require('../../lib/judge/threshold')
const { parseRegression } = require('../../lib/judge/comparison/regression')
const { parseUntil } = require('../../lib/judge/until')
const { problemOf: problemOfCriterion } = require('../../lib/experiments/find/criterion')
const { differenceOfWork } = require('../../lib/judge/comparison/work')

/** @param {number[]} values ms */
function distributionOf (values) {
  const histogram = new Histogram()
  for (const ms of values) histogram.record(ms)
  return { ...histogram.summary(), histogram: histogram.toBase64() }
}

const hundred = Array.from({ length: 100 }, (_, i) => i + 1)

/** @param {Record<string, any>} [changes] */
function iterations (changes) {
  return { started: 120, completed: 100, cut: 10, cutBy: { 'capture token': 7, AC_TIMEOUT: 3 }, unfinished: 10, perSecond: 10, duration: distributionOf(hundred.map(i => 50 * i)), active: distributionOf(hundred), ...changes }
}

const NONE = iterations({ started: 0, completed: 0, cut: 0, cutBy: {}, unfinished: 0, perSecond: 0, duration: distributionOf([]), active: distributionOf([]) })

/** @param {Record<string, any>} [changes] */
function result (changes) {
  return {
    latency: distributionOf([1, 2]),
    requests: { average: 50, total: 500 },
    throughput: { average: 5000 },
    errors: 0,
    failures: 0,
    unexpected: 0,
    timeouts: 0,
    non2xx: 0,
    statusCodeStats: { 200: { count: 500 } },
    checks: [],
    duration: 10,
    byRequest: { login: { count: 500, failures: 0, unexpected: 0, errors: 0, latency: distributionOf([7]), statusCodeStats: { 200: { count: 500 } }, checks: [] } },
    byScenario: { browse: iterations(), login: iterations({ completed: 95, cut: 0, cutBy: {}, unfinished: 25 }), never: NONE },
    iterations: iterations(),
    ...changes
  }
}

/**
 * @param {string} expression
 * @param {Record<string, any>} [changes]
 */
const judgedAll = (expression, changes) => settle(judge([parseThreshold(expression)], result(changes)), 'exact')
/**
 * @param {string} expression
 * @param {Record<string, any>} [changes]
 */
const judged = (expression, changes) => judgedAll(expression, changes)[0]

t.test('a threshold may be about the iterations of a scenario', async t => {
  for (const [expression, actual, passed] of [
    ['scenario browse: p95 < 5s', 4751, true],
    ['scenario browse: p95 < 4s', 4751, false],
    ['scenario browse: p99.5 <= 5s', 5000, true],
    ['scenario browse: avg < 2.6s', 2525, true],
    ['scenario browse: max <= 5s', 5000, true],
    ['scenario browse: min > 10ms', 50, true],
    ['scenario browse: active p95 < 100ms', 95, true],
    ['scenario browse: active mean < 50', 50.5, false],
    ['scenario browse: completed > 90%', 100 / 110, true],
    ['scenario browse: completed > 99%', 100 / 110, false],
    ['scenario browse: completed >= 100', 100, true],
    ['scenario browse: cut == 0', 10, false],
    ['scenario browse: cut < 10%', 10 / 110, true],
    ['scenario browse: cut short < 11', 10, true],
    ['scenario browse: aborted < 10%', 10 / 110, true],
    ['scenario browse: started > 100', 120, true],
    ['scenario browse: iterations/s > 5', 10, true]
  ]) {
    const one = judged(expression)
    t.match(one, { expression, scenario: 'browse', passed }, expression)
    t.ok(Math.abs(one.actual - actual) < 0.005 * actual, `${expression}: ${one.actual}`)
  }
  t.equal(judged('scenario browse: active p95 < 1').metric, 'active p95')
})

t.test('or about those of all scenarios, and of the whole run', async t => {
  t.match(judged('iterations: p50 < 3s'), { scenario: null, passed: true })
  for (const name of ['iterations', 'rounds']) {
    t.match(judged(`${name}: completed > 99%`), { metric: 'completed', scenario: null, unit: 'share', passed: false })
    t.match(judged(`${name}/s > 50 ${name}/s`), { metric: 'iterations/s', actual: 10, unit: 'iterations/s', passed: false })
  }
  t.notOk('scenario' in judged('iterations/s > 5 /s'))
})

t.test('a name that a request and a scenario have is that of the request; with the word scenario it is that of the scenario', async t => {
  t.match(judged('login: p50 < 100ms'), { request: 'login', actual: 7 })
  t.match(judged('scenario login: cut == 0'), { scenario: 'login', actual: 0, passed: true })
  t.match(judged('browse: active max <= 100'), { scenario: 'browse', actual: 100, passed: true })
  t.match(judged('scenario x: p50 < 100ms', { byRequest: { 'scenario x': result().byRequest.login } }), { request: 'scenario x', actual: 7 })
  t.match(judged('iterations: p50 < 100ms', { byRequest: { iterations: result().byRequest.login } }), { request: 'iterations', actual: 7 })
  t.match(judged('peak: p99 < 5', { byStage: [{ ...result().byRequest.login, name: 'peak', from: 0, to: 10, fates: { timedOut: 0, failed: 0 } }], byScenario: { peak: iterations() } }), { stage: 1 })
})

t.test('nothing that ended is never passed, whatever the operator and the limit', async t => {
  for (const part of ['scenario never', 'scenario nobody', 'scenario toString', 'never', 'iterations']) {
    for (const metric of ['p50', 'p99.9', 'avg', 'min', 'max', 'active p95', 'started', 'completed', 'cut', 'iterations/s']) {
      for (const operator of ['<', '<=', '>', '>=', '==']) {
        for (const limit of ['0', '1', '1e9', ...['completed', 'cut'].includes(metric) ? ['0%', '100%'] : []]) {
          const [{ actual, passed }] = judgedAll(`${part}: ${metric} ${operator} ${limit}`, { iterations: NONE })
          if (actual !== null || passed !== false) t.fail(`${part}: ${metric} ${operator} ${limit}: ${actual}`)
        }
      }
    }
  }
  t.match(judged('iterations/s < 5', { iterations: NONE }), { actual: null, passed: false })
  t.match(judged('iterations/s < 5', { iterations: undefined }), { actual: null, passed: false })
  const allUnfinished = iterations({ completed: 0, cut: 0, cutBy: {}, unfinished: 120, duration: distributionOf([]) })
  t.match(judged('scenario browse: cut == 0', { byScenario: { browse: allUnfinished } }), { actual: null, passed: false }, 'iterations that go on say nothing')
})

t.test('the time of few iterations says nothing where most were cut short, unless a threshold says how many may be', async t => {
  const short = { byScenario: { browse: iterations({ completed: 10, cut: 90, cutBy: { 'capture token': 60, AC_TIMEOUT: 30 } }) } }
  t.strictSame(judgedAll('scenario browse: p50 < 5s', short).slice(1), [{ expression: 'scenario browse: most iterations are completed', scenario: 'browse', actual: 0.9, passed: false, unit: 'share', note: '90 of 100 iterations of browse were aborted: capture token 60, AC_TIMEOUT 30', implied: true }])
  t.equal(judge(['scenario browse: p50 < 5s', 'browse: cut < 95%'].map(parseThreshold), result(short)).length, 2)
  t.equal(judgedAll('scenario browse: p50 < 5s').length, 1)
  t.equal(judgedAll('p50 < 5s', short).length, 1, 'the whole run is judged by its requests')
  t.match(judgedAll('iterations: p50 < 5s', { iterations: iterations({ completed: 0, cut: 1, cutBy: { AC_CLOSED: 1 } }) })[1], { scenario: null, note: '1 of 1 iteration was aborted: AC_CLOSED 1' })
})

t.test('with a rate of iterations, nothing is known of a load of which most never started', async t => {
  const late = { iterations: iterations({ target: 50, achieved: 12, due: 500, waited: 0, neverStarted: 380, wait: distributionOf([]) }) }
  t.match(judgedAll('p99 < 1s', late)[1], { expression: 'most due iterations start', actual: 0.24, passed: null, note: 'only 120 of 500 due iterations started, so the target load was not tested', implied: true })
  t.equal(judgedAll('iterations/s > 5', late).length, 1, 'a threshold says how much load there has to be')
  t.equal(judgedAll('p99 < 1s', { iterations: iterations({ due: 240, neverStarted: 120 }) }).length, 1)
})

t.test('iterations that hang when the run ends may have been aborted: what they could turn over is unknown', async t => {
  const few = { byScenario: { browse: iterations({ started: 1000, completed: 990, cut: 0, cutBy: {}, unfinished: 10, hanging: 6 }) }, iterations: iterations({ started: 1000, completed: 990, cut: 0, cutBy: {}, unfinished: 10, hanging: 1 }) }
  for (const [expression, passed] of [
    ['scenario browse: completed > 99%', true], ['scenario browse: completed > 99.5%', null], ['scenario browse: completed > 900', true], ['scenario browse: cut == 0', null],
    ['scenario browse: cut < 7', true], ['scenario browse: cut < 0.5%', null], ['scenario browse: cut < 1%', true], ['scenario browse: cut > 0', false], ['iterations: cut == 0', null], ['iterations/s > 5', true]
  ]) t.equal(judged(expression, few).passed, passed, expression)
  t.match(judged('scenario browse: cut == 0', few), { actual: 0, note: '6 iterations of browse hung when the run ended: each waited for the server, and had taken more than twice as long as any that was completed; it is unknown how they would have ended' })
  t.match(judged('iterations: cut == 0', few), { note: /^1 iteration hung when the run ended: it waited for the server, .*how it would have ended$/ })
  t.equal(judged('scenario browse: completed > 99%', { byScenario: { browse: iterations({ completed: 990, cut: 20, hanging: 600 }) } }).passed, false, 'what has failed has failed')
})

t.test('of those that are due: users who send all the time beside them start iterations as well', async t => {
  const mixed = { iterations: iterations({ started: 5000, target: 50, achieved: 12, due: 500, waited: 40, neverStarted: 380, wait: distributionOf([]) }) }
  t.match(judgedAll('p99 < 1s', mixed)[1], { actual: 0.24, passed: null, note: 'only 120 of 500 due iterations started, so the target load was not tested' })
  t.match(judged('iterations: never started < 50%', mixed), { actual: 0.76, passed: false })
  t.match(judged('iterations: waited < 10%', mixed), { actual: 1 / 3, passed: false })
})

t.test('a scenario or a stage of which most never started tells nothing, whatever the others did', async t => {
  const own = (/** @type {number} */ neverStarted) => iterations({ started: 100 - neverStarted, target: 10, achieved: 10 - neverStarted / 10, due: 100, waited: 20, neverStarted, wait: distributionOf([]) })
  const all = { iterations: iterations({ target: 100, achieved: 92, due: 1000, waited: 30, neverStarted: 80, wait: distributionOf([]) }), byScenario: { browse: iterations(), buy: own(80) } }
  t.strictSame(judgedAll('scenario buy: p50 < 5s', all).slice(1), [{ expression: 'scenario buy: most due iterations start', scenario: 'buy', actual: 0.2, passed: null, unit: 'share', note: 'only 20 of 100 due iterations of buy started, so the target load was not tested', implied: true }])
  t.equal(judgedAll('scenario browse: p50 < 5s', all).length, 1)
  t.equal(judgedAll('scenario buy: p50 < 5s', { ...all, byScenario: { buy: own(40) } }).length, 1)
  for (const [expression, actual, passed] of [
    ['scenario buy: never started == 0', 80, false], ['scenario buy: neverStarted < 90%', 0.8, true], ['scenario buy: rate ratio > 99%', 0.2, false],
    ['scenario buy: waited < 5%', 1, false], ['scenario browse: rate ratio > 1%', null, false]
  ]) t.match(judged(expression, all), { actual, passed }, expression)

  const stage = (/** @type {Record<string, any>} */ arrivals) => ({ ...result().byRequest.login, from: 0, to: 10, fates: { timedOut: 0, failed: 0 }, iterations: { ratio: arrivals.achieved / arrivals.target, ...arrivals } })
  const byStage = [stage({ target: 5, achieved: 5, due: 50, waited: 0, neverStarted: 0 }), stage({ target: 50, achieved: 10, due: 500, waited: 50, neverStarted: 400 })]
  t.match(judgedAll('stage 2: p50 < 5s', { byStage })[1], { expression: 'stage 2: most due iterations start', stage: 2, actual: 0.2, passed: null, note: 'only 100 of 500 due iterations in stage 2 started, so the target load was not tested' })
  t.equal(judgedAll('stage 1: p50 < 5s', { byStage }).length, 1)
  for (const [expression, actual, passed] of [['stage 1: rate ratio > 99%', 1, true], ['stage 2: rate ratio > 99%', 0.2, false], ['stage 2: never started == 0', 400, false], ['stage 2: waited < 1%', 0.5, false]]) t.match(judged(expression, { byStage }), { actual, passed }, expression)
})

t.test('a threshold asks whether the rate of iterations was kept', async t => {
  const late = { iterations: iterations({ target: 20, achieved: 15, due: 160, waited: 30, neverStarted: 40, wait: distributionOf([]) }) }
  for (const [expression, actual, passed] of [
    ['iterations: rate ratio > 99%', 0.75, false],
    ['rate ratio > 0.7', 0.75, true],
    ['iterations: never started == 0', 40, false],
    ['iterations: neverStarted <= 25%', 0.25, true],
    ['iterations: waited == 0', 30, false],
    ['iterations: waited < 1%', 0.25, false]
  ]) t.match(judged(expression, late), { expression, actual, passed }, expression)
  t.match(judged('iterations: rate ratio < 50%', { iterations: iterations({ started: 0, completed: 0, cut: 0, target: 20, achieved: 0, due: 40, waited: 0, neverStarted: 40, wait: distributionOf([]) }) }), { actual: 0, passed: true })
  t.match(judged('iterations: waited == 0'), { actual: null, passed: false }, 'without a rate of iterations')
})

t.test('figures of iterations are asked for with the iterations that they are of', async t => {
  const problem = (/** @type {string} */ given, more = {}) => {
    try {
      return parseThreshold({ threshold: given, ...more })
    } catch (error) {
      return error.message
    }
  }
  t.match(problem('completed > 99%'), /completed is a figure of iterations: say of which, as in scenario NAME: completed > 99%, or iterations: completed > 99% for all of them$/)
  t.match(problem('active p95 < 5s'), /active p95 is a figure of iterations/)
  t.match(problem('browse: active rps > 5'), /active is the time of an iteration without its pauses: expected a percentile, avg, min or max after it, such as active p95, got 'rps'$/)
  t.match(problem('browse: active active p95 > 5'), /expected a percentile/)
  t.match(problem('stage 2: cut == 0'), /aborted is not counted by stage; there are/)
  t.match(problem('iterations/s > 5', { abortOn: true }), /abortOn does not watch iterations: they are handed over when the run is over$/)
  t.match(problem('scenario browse: cut < 5', { abortOn: true }), /abortOn watches the whole run only/)
  t.match(problem('iterations/s > 5ms'), /'ms' is no unit of iterations\/s: expected \/s, iterations\/s, or none, such as 50$/)
  t.throws(() => parseRegression('active p95 +5%'), /active p95 is not compared/)
  t.throws(() => parseRegression('iterations/s -5%'), /iterations\/s is not compared/)
  t.throws(() => parseUntil('active p95 ±5%'), /a run reports how precise its latency is, and no other time/)
  t.match(problemOfCriterion(parseThreshold('iterations/s > 5')), /use a metric that gets worse with more load/)
  t.match(problemOfCriterion(parseThreshold('scenario browse: p95 < 5')), /it limits a part of the run/)
})

t.test('two runs are compared when their scenarios are the same; other pauses are another load', async t => {
  const run = (/** @type {Record<string, any>} */ options, more = {}) => ({ url: 'http://a', options: { ...options }, requests: { average: 1 }, ...more })
  const scenarios = [{ name: 'browse', weight: 9, requests: [{ path: '/' }, { pause: '1s' }, { path: '/items?x=1', pause: '2s' }] }, { name: 'checkout', requests: [{ path: '/buy', method: 'POST' }] }]
  const changed = (/** @type {any} */ change) => [{ ...scenarios[0], ...change }, scenarios[1]]
  t.equal(differenceOfWork([run({ scenarios })], [run({ scenarios: structuredClone(scenarios) })]), null)
  t.equal(differenceOfWork([run({ scenarios })], [run({ scenarios: changed({ requests: [{ path: '/' }, { path: '/items' }] }) })]), null, 'pauses are no work')
  t.equal(differenceOfWork([run({ scenarios })], [run({ scenarios: changed({ weight: 1 }) })]), '9 × browse: GET / GET /items, 1 × checkout: POST /buy and 1 × browse: GET / GET /items, 1 × checkout: POST /buy')
  t.match(differenceOfWork([run({ scenarios })], [run({ requests: scenarios[0].requests })]), / and GET \/, GET \/items$/)
  const notes = (/** @type {any} */ one, /** @type {any} */ other) => circumstancesOf([one], [other]).findings.map(sentenceOf)
  t.strictSame(notes(run({ pause: '1s', every: 5 }, { iterations: { target: 50 } }), run({ pause: ['1s', '2s'] }, { iterations: {} })), [
    'base and new were not measured alike: rate of iterations 50 and none',
    'base and new were not measured alike: pause "1s" and ["1s","2s"]',
    'base and new were not measured alike: every 5 and none'
  ])
})
