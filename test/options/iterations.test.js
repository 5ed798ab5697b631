'use strict'

// How a rate of iterations is written, what it can't be combined with, and what a result says of it.

const t = require('tap')
const { describeOptions } = require('../../lib/options/describe')
const { readGoal } = require('../../lib/experiments/find/options')
const { buildPlan, extentOf } = require('../../lib/options/plan')
const { split } = require('../../lib/options/split')
const { validate } = require('../../lib/options/validate')
const { problemIn } = require('../helpers/options/problems')

const url = 'http://localhost:3000'
const planOf = options => {
  const { values } = validate({ url, ...options })
  return buildPlan({ ...values, ...extentOf(values) })
}

const problemOf = (t, options, read = validate) => problemIn(t, () => read({ url, ...options }))

t.test('iterations per second are a rate', async t => {
  for (const rate of ['50 iterations/s', '50iterations/s', '50 iteration/s', '50 Iterations / 1s', '50 rounds/s', '50rounds/s', '50 round/s', ' 5e1 Rounds / s ', '50 rounds/1s']) {
    const { pacing, scenarios } = planOf({ rate })
    t.match(pacing, { unit: 'iterations', rate: 50, shared: true, shape: 'constant' }, rate)
    t.equal(scenarios[0].userScenarios.length, 1, 'its connections are users')
  }
  t.match(planOf({ stages: ['30s:50iterations/s', { duration: 10, rate: '50 iterations/s' }, '0s:10 rounds/s'] }).pacing, { unit: 'iterations', shape: 'staged', form: [{ over: 'iterations', end: 50 }, { over: 'iterations', end: 50 }] })
  t.match(planOf({ burst: '100 rounds/5s' }).pacing, { unit: 'iterations', shape: 'burst', form: { requests: 100, every: 5000 } })
  t.match(planOf({ burst: '100 iterations/5s' }).pacing, { unit: 'iterations', shape: 'burst', form: { requests: 100, every: 5000 } })
  t.match(planOf({ stages: '30s:50iterations/s' }).pacing, { unit: 'iterations', shape: 'staged', form: [{ over: 'iterations', end: 50 }] })
  for (const burst of [{ iterations: 100, every: '5s' }, { rounds: 100, every: '5s' }]) {
    t.match(planOf({ burst }).pacing, { unit: 'iterations', shape: 'burst', form: { requests: 100, every: 5000 } })
  }
  t.equal(planOf({ rate: 50 }).pacing.unit, 'requests')
  t.strictSame(split(planOf({ rate: '50 iterations/s', connections: 10 }), 2).map(({ pacing: { unit, rate, part } }) => [unit, rate, part]), [['iterations', 25, 0], ['iterations', 25, 1]])
})

t.test('there are as many connections as iterations are due per second or at once, unless said', async t => {
  const requests = [{ path: '/' }]
  const side = { name: 'side', requests, connections: 4 }
  for (const [options, connections] of [
    [{ rate: '50 iterations/s' }, 50],
    [{ rate: '49.5 iterations/s', connections: null }, 50],
    [{ rate: '2 iterations/s' }, 10],
    [{ rate: '5000 iterations/s' }, 1000],
    [{ rate: '50 iterations/s', connections: 3 }, 3],
    [{ rate: '50 iterations/s', amount: 20 }, 20],
    [{ rate: '50 iterations/s', workers: 2 }, 50],
    [{ stages: ['1s:5iterations/s', '1s:70iterations/s', '1s:20iterations/s'] }, 70],
    [{ burst: '100 iterations/5s' }, 100],
    [{ burst: '3 iterations/100ms' }, 10],
    [{ rate: '50 iterations/s', scenarios: [side, { name: 'all', requests }] }, 54],
    [{ scenarios: [{ name: 'own', requests, rate: '50 iterations/s' }] }, 50],
    [{ rate: 50 }, 10],
    [{ rate: 50, scenarios: [{ requests }] }, 10],
    [{ burst: '100/5s' }, 10],
    [{ stages: ['1s:70/s'] }, 10]
  ]) t.equal(planOf(options).connections, connections, JSON.stringify(options))
})

t.test('what is said of it can be given again', async t => {
  for (const given of [{ rate: '50iterations/s' }, { stages: ['peak=30s:50iterations/s', '1m:50iterations/s'] }, { burst: '100 iterations/5s' }]) {
    const described = describeOptions({ url, ...given }, validate({ url, ...given }).values)
    t.strictSame(JSON.parse(JSON.stringify(planOf(described).pacing)), JSON.parse(JSON.stringify(planOf(given).pacing)), JSON.stringify(described))
  }
})

t.test('a mistake is reported in one line', async t => {
  const requests = [{ path: '/' }]
  for (const [options, problem] of [
    [{ rate: 'x iterations/s' }, /^rate: expected a number such as 500, 500\/s or 50 iterations\/s, more than 0 and at most 10,000,000, got 'x iterations\/s'$/],
    [{ rate: '0 iterations/s' }, /^rate: expected a number/],
    [{ rate: '50 users/s' }, /^rate: expected a number such as 500, 500\/s or 50 iterations\/s/],
    [{ connectionRate: '5 iterations/s' }, /^connectionRate: expected requests per second, got '5 iterations\/s': iterations per second are a rate of all users together$/],
    [{ overallRate: '5 iterations/s' }, /^overallRate: expected requests per second, got '5 iterations\/s'/],
    [{ rate: '5 iterations/s', stages: '1s:5iterations/s' }, /^rate and stages each set the load: use one of them$/],
    [{ stages: ['1s:5iterations/s', '1s:5/s'] }, /^stages: all stages of a run are rates of requests, such as 30s:500\/s, or all are rates of iterations, such as 30s:50iterations\/s, got both: '1s:5iterations\/s' and '1s:5\/s'$/],
    [{ stages: ['1s:5iterations/s', '1s:5'] }, /^stages: all stages of a run are rates/],
    [{ burst: { iterations: 5, requests: 5, every: 1 } }, /^burst: expected requests at once/],
    [{ rate: '5 iterations/s', pipelining: 2 }, /^pipelining and rate: a user waits for each response/],
    [{ rate: '5 iterations/s', pause: '1s' }, /^pause and a rate of iterations each set when an iteration begins: omit one of them; pauses between the requests of an iteration are fine$/],
    [{ burst: '5 iterations/s', every: '1s' }, /^every and a rate of iterations each set when an iteration begins/],
    [{ rate: '5 iterations/s', scenarios: [{ requests }, { requests, pause: '1s' }].map((one, i) => ({ name: `s${i}`, ...one })) }, /^scenarios\[1\]\.pause and a rate of iterations each set/],
    [{ pause: '1s', thresholds: 'iterations: rate ratio > 99%' }, /rate ratio of iterations needs a rate of iterations, such as rate '50 iterations\/s'$/],
    [{ pause: '1s', thresholds: 'iterations: waited < 1%' }, /waited of iterations needs a rate of iterations/],
    [{ rate: '5 iterations/s', scenarios: [{ name: 'a', requests }, { name: 'b', requests }], thresholds: 'a: never started == 0' }, /never started of a scenario needs a rate of iterations of its own, such as rate: '50 iterations\/s' in it; for all iterations use iterations: never started …$/],
    [{ connections: undefined, scenarios: [{ name: 'a', requests, connections: 5 }, { name: 'b', requests, rate: '5 iterations/s' }], thresholds: 'a: rate ratio > 99%' }, /rate ratio of a scenario needs a rate of iterations of its own/],
    [{ stages: ['1s:5/s', '1s:9/s'], thresholds: 'stage 2: never started == 0' }, /never started of a stage needs stages over a rate of iterations, such as 30s:50iterations\/s$/],
    [{ stages: '1s:5', thresholds: 'stage 1: rate ratio > 99%' }, /the rate ratio of a stage needs a rate, such as 30s:500\/s$/]
  ]) t.match(problemOf(t, options), problem, JSON.stringify(options))
  t.equal(problemOf(t, { rate: '5 iterations/s', requests: [{ path: '/', pause: '1s' }] }), null)
  for (const threshold of ['rate ratio > 99%', 'iterations: rate ratio > 99%', 'iterations: neverStarted == 0', 'iterations: waited < 1%']) t.equal(problemOf(t, { rate: '5 iterations/s', thresholds: threshold }), null, threshold)
  for (const metric of ['rate ratio > 99%', 'never started == 0', 'waited < 1%']) {
    t.equal(problemOf(t, { stages: '1s:5iterations/s,1s:9iterations/s', thresholds: `stage 2: ${metric}` }), null, metric)
    t.equal(problemOf(t, { rate: '5 iterations/s', scenarios: [{ name: 'a', requests }], thresholds: `scenario a: ${metric}` }), null, `${metric} of the only scenario`)
    t.equal(problemOf(t, { connections: undefined, scenarios: [{ name: 'a', requests, rate: '5 iterations/s' }, { name: 'b', requests, stages: '1s:9 iterations/s' }], thresholds: [`a: ${metric}`, `scenario b: ${metric}`] }), null, `${metric} of one with a rate of its own`)
  }
  t.equal(problemOf(t, { rate: '5 iterations/s', arrivals: 'poisson', pace: 'even', seed: 3 }), null)
})

t.test('a search is not over iterations', async t => {
  t.match(problemOf(t, { from: '50 iterations/s', thresholds: 'p99 < 50ms' }, readGoal), /^from: expected requests per second such as 100\/s, got '50 iterations\/s': a search of iterations per second there is not yet; make a run for each rate$/)
})
