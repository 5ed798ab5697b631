'use strict'

// Scenarios with a load of their own: which connections and paces a plan has then, how they are split, and what is refused in one line.

const t = require('tap')
const { describeOptions } = require('../../../lib/options/describe')
const { readGoal } = require('../../../lib/experiments/find/options')
const { buildPlan, extentOf } = require('../../../lib/options/plan')
const { split } = require('../../../lib/options/split')
const { validate } = require('../../../lib/options/validate')
const { problemIn } = require('../../helpers/options/problems')

const url = 'http://localhost:3000'
const visit = (name, own) => ({ name, requests: [{ path: '/' }], ...own })
const valuesOf = options => {
  const { values } = validate({ url, ...options })
  return { ...values, ...extentOf(values) }
}
const planOf = options => buildPlan(valuesOf(options))

const problemOf = (t, options, read = validate) => problemIn(t, () => read({ url, ...options }))

t.test('groups of connections have their own scenarios and paces', async t => {
  const { connections, pacing, groups, scenarios, duration } = planOf({ seed: 5, arrivals: 'poisson', scenarios: [visit('a'), visit('b', { connections: 4 }), visit('c', { weight: 2 }), visit('d', { stages: ['20s:30 iterations/s', '10s:0iterations/s'] }), visit('e', { rate: '5 iterations/s', connections: 2 })] })
  t.equal(pacing, null)
  t.equal(connections, 10 + 4 + 30 + 2, 'of those without a load of their own as many as any run has')
  t.equal(duration, 30_000, 'as long as stages')
  t.strictSame(groups.map(({ from, until, connections, firstNumber, pacing }) => [from, until, connections, firstNumber, pacing?.unit, pacing?.rate, pacing?.seed]),
    [[0, 1, 10, 0, undefined, undefined, undefined], [1, 2, 4, 10, undefined, undefined, undefined], [2, 3, 30, 14, 'iterations', 15, 7], [3, 4, 2, 44, 'iterations', 5, 8]])
  t.strictSame(scenarios.map(({ userScenarios }) => userScenarios.map(({ scenario, weight }) => [scenario, weight])), [[[0, 1], [2, 2]], [[1, 1]], [[3, 1]], [[4, 1]]])
  t.equal(planOf({ scenarios: [visit('a'), visit('b')] }).groups, null)
})

t.test('-c is the connections of the run', async t => {
  t.equal(planOf({ connections: 50, scenarios: [visit('a'), visit('b', { connections: 20 })] }).groups[0].connections, 30)
  t.equal(planOf({ connections: 20, scenarios: [visit('b', { connections: 20 })] }).connections, 20)
  const { connections, rate } = planOf({ scenarios: [visit('a', { rate: '5000 iterations/s' })] }).groups[0]
  t.strictSame([connections, rate], [1000, undefined], 'at the most, unless said')
})

t.test('each generator has its share of each group and of all', async t => {
  const plan = planOf({ scenarios: [visit('a', { connections: 5 }), visit('b', { rate: '9 iterations/s', connections: 2 }), visit('c', { rate: '9 iterations/s', connections: 4 })] })
  const slices = split(plan, 3)
  t.strictSame(slices.map(({ connections, firstConnection }) => [connections, firstConnection]), [[4, 0], [4, 4], [3, 8]])
  t.strictSame(slices.map(({ groups }) => groups.map(({ connections, before }) => [connections, before])), [[[2, 0], [1, 0], [1, 0]], [[2, 2], [0, 1], [2, 1]], [[1, 4], [1, 1], [1, 3]]])
  t.strictSame(slices.map(({ groups }) => groups.flatMap(({ connections, pacing }) => pacing === null || connections === 0 ? [] : [[pacing.part, pacing.parts, pacing.rate]])), [[[0, 2, 4.5], [0, 3, 3]], [[1, 3, 3]], [[1, 2, 4.5], [2, 3, 3]]])
  t.ok(slices.every(({ together }) => together))
  t.equal(valuesOf({ workers: 8, scenarios: [visit('a', { connections: 3 })] }).workers, 3)
})

t.test('users of a scenario may come and go: each generator has every so many-th of them', async t => {
  const plan = planOf({ scenarios: [visit('a', { connections: 3 }), visit('crowd', { connections: 2, stages: ['10s:8', '5s:1'] }), visit('c', { stages: '4s:1' })] })
  t.strictSame([plan.connections, plan.duration, valuesOf({ scenarios: [visit('crowd', { connections: 2, stages: '10s:8' })] }).connections], [3, 15_000, 8], 'a plan begins with those that are there; all connections of the run are the most')
  t.strictSame(plan.groups.map(({ connections, firstNumber, ramp, pacing }) => [connections, firstNumber, ramp?.map(({ start, end }) => [start, end]), pacing]), [[3, 0, undefined, null], [0, 3, [[2, 8], [8, 1]], null], [0, 11, [[0, 1]], null]])
  const slices = split(plan, 2)
  t.ok(slices.every(({ together }) => together))
  t.strictSame(slices.map(({ connections, groups }) => [connections, ...groups.map(({ before, step }) => [before, step])]), [[2, [0, 1], [1, 2], [1, 2]], [1, [2, 1], [0, 2], [0, 2]]], 'the odd one of a group is the other generator\'s')
  const withRows = planOf({ data: { ids: { rows: [1, 2, 3], pick: 'once' } }, scenarios: [{ name: 'a', stages: '1s:1', requests: [{ path: '/{{ids}}' }] }, visit('b', { connections: 2 })] })
  t.strictSame(split(withRows, 2).map(({ sharedValues: { sources: [{ used }] } }) => used), [true, false], 'rows go to generators that may have a user for them')
})

t.test('what is said of it can be given again', async t => {
  const given = { scenarios: [visit('a'), visit('b', { rate: '50iterations/s', connections: 5 }), visit('c', { stages: ['1s:5iterations/s', 'x=1s:5iterations/s'] })] }
  const values = valuesOf(given)
  const described = describeOptions({ url, ...given }, values)
  t.strictSame(JSON.parse(JSON.stringify(planOf(described).groups)), JSON.parse(JSON.stringify(buildPlan(values).groups)))
})

t.test('a mistake is reported in one line', async t => {
  const own = visit('own', { rate: '5 iterations/s' })
  for (const [options, problem] of [
    [{ scenarios: [visit('a', { rate: 'x' })] }, /^scenarios\[0\]\.rate: expected a number such as 500, 500\/s or 50 iterations\/s, more than 0 and at most 10,000,000, got 'x'$/],
    [{ scenarios: [visit('a', { stages: '30s:20' }), visit('b', { connections: 2 })], connections: 10 }, /^connections: expected 22, as many as that scenarios have of their own, got 10: these are all connections of the run$/],
    [{ scenarios: [visit('a', { stages: '30s:20' })], duration: 5 }, /^duration: expected at least the 30 s that stages of scenarios take, got 5 s$/],
    [{ scenarios: [visit('a', { stages: ['30s:20', '30s:5iterations/s'] })] }, /^scenarios\[0\]\.stages: all stages of a run are rates, such as 30s:500\/s, or all are connections/],
    [{ scenarios: [visit('a', { rate: '5 iterations/s', stages: '1s:5iterations/s' })] }, /^scenarios\[0\]\.rate and \.stages each set the load: use one of them$/],
    [{ scenarios: [visit('a', { weight: 2, connections: 5 }), visit('b', { weight: 3 })] }, /^scenarios\[0\]\.weight and \.connections each set the frequency of its iterations: use one of them$/],
    [{ scenarios: [own], stages: '1s:5iterations/s' }, /^stages and scenarios\[0\]\.rate each set the load: give them to the scenarios$/],
    [{ scenarios: [visit('a'), visit('b', { connections: 5 })], amount: 5 }, /^amount and scenarios\[1\]\.connections each set the load: set the duration of the run instead$/],
    [{ scenarios: [own], warmup: { duration: 1 } }, /^warmup and scenarios\[0\]\.rate/],
    [{ connections: 5, scenarios: [visit('a'), visit('b', { connections: 5 })] }, /^connections: expected more than the 5 connections that scenarios have of their own, got 5: these are all connections of the run$/],
    [{ connections: 6, scenarios: [visit('b', { connections: 5 })] }, /^connections: expected 5, as many as that scenarios have of their own, got 6/],
    [{ duration: 5, scenarios: [visit('b', { stages: '10s:5iterations/s' })] }, /^duration: expected at least the 10 s that stages of scenarios take, got 5 s$/],
    [{ scenarios: [visit('a', { rate: 5 }), visit('b', { connections: 5 })] }, /^scenarios\[0\] has a rate of requests and scenarios\[1\] has none: the rate of the run would be that of a part of its requests; give it iterations, such as '50 iterations\/s'$/],
    [{ scenarios: [visit('a', { rate: '5 iterations/s', pause: '1s' })] }, /^scenarios\[0\]: pause and a rate each set when an iteration begins: omit one of them$/],
    [{ scenarios: [{ name: 'a', rate: 5, requests: [{ path: '/', pause: '1s' }] }] }, /^scenarios\[0\]: a pause and a rate of requests each set when a request is sent/],
    [{ scenarios: [own, visit('b', { connections: 2, pause: '1s' })], pace: 'even', thresholds: 'b: rate ratio > 99%' }, /rate ratio of a scenario needs a rate of iterations of its own/]
  ]) t.match(problemOf(t, options), problem, JSON.stringify(options))
  t.equal(problemOf(t, { scenarios: [own, { name: 'b', connections: 2, pause: '1s', every: '5s', requests: [{ path: '/', pause: '1s' }] }], pace: 'even', arrivals: 'poisson' }), null)
  t.match(problemOf(t, { from: 100, thresholds: 'p99 < 50ms', scenarios: [own] }, readGoal), /^from and scenarios\[0\]\.rate each set the load/)
})
