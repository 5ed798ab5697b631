'use strict'

const t = require('tap')
const { problemOfPart } = require('../../lib/options/parts')
const { parseThreshold } = require('../../lib/judge/threshold')

const SHOP = { scenarios: [{ name: 'browse', requests: [{ name: 'home' }, {}] }, { name: 'checkout', requests: [{ name: 'login' }, { name: 'checkout' }] }] }

/**
 * @param {string} expression
 * @param {Record<string, any>} values
 */
const problem = (expression, values = SHOP) => problemOfPart(parseThreshold(expression), values, name => name)

t.test('a threshold may be about what the run has', async t => {
  for (const expression of ['scenario browse: p95 < 5s', 'scenario checkout: completed > 99%', 'browse: cut == 0', 'iterations: p50 < 1s', 'home: p95 < 5s', 'login: failures < 1%', 'checkout: failures < 1%']) {
    t.equal(problem(expression), null, expression)
  }
  t.equal(problem('iterations: p50 < 1s', { pause: { from: 1000, to: 1000 } }), null, 'one scenario without a name has iterations, too')
  t.equal(problem('iterations: failures < 1%', { requests: [{ name: 'iterations' }] }), null, 'the name of a request')
  t.equal(problem('scenario x: failures < 1%', { ...SHOP, requests: [{ name: 'scenario x' }] }), null)
})

t.test('a threshold may be about a group of user functions, whose names no run knows before', async t => {
  const values = { user: async () => {} }
  for (const expression of ['group buy: p95 < 5s', 'group log in: "a": avg < 1s', 'iterations: p95 < 2s', 'buy: p95 < 1s']) t.equal(problem(expression, values), null, expression)
  t.equal(problem('group buy: failures < 1%', values), 'failures is not counted by group; there are any percentile, avg, min, max')
  t.equal(problem('group: p95 < 1s', values), 'a group has its name before the colon, as in group buy: p95 …')
  t.equal(problem('iteration: p95 < 1s', values), "no part of the run is called 'iteration': for all iterations, write iterations: p95 …")
  t.equal(problem('group buy: p95 < 1s'), "there are no groups: they are parts of a user function, as in group('buy', async () => { … }) (docs/user-functions.md)")
  t.equal(problem('group buy: failures < 1%', { requests: [{ name: 'group buy' }] }), null, 'the name of a request')
  t.equal(problem('group 1: errors < 1%', { stages: [{ name: 'group 1', duration: 5 }] }), null, 'the name of a stage')
})

t.test('what it has not is refused in one line, which names what there is', async t => {
  for (const [expression, expected, values] of [
    ['scenario brwose: p95 < 5s', "no scenario has the name 'brwose', did you mean 'browse'?"],
    ['scenario xyz: p95 < 5s', "no scenario has the name 'xyz'; there are browse, checkout"],
    ['scenario xyz: p95 < 5s', "no scenario has the name 'xyz'; give the run scenarios, which a config has", {}],
    ['brwose: p95 < 5s', "no request and no scenario has the name 'brwose', did you mean 'browse'?"],
    ['events: gap p99 < 5s', "no request and no scenario has the name 'events': a figure of all streams has no name before it, as in gap p99 …"],
    ['xyz: p95 < 5s', "no request and no scenario has the name 'xyz'; there are home, login, checkout, browse"],
    ['checkout: completed > 99%', 'completed is not counted by request; there are any percentile, avg, min, max, rps, requests, failures, failure rate, errors, error rate, non2xx, checks, passed checks'],
    ['scenario checkout: failures < 1%', 'failures is not counted by scenario; there are any percentile, active p95 and the like, avg, min, max, iterations/s, started, completed, aborted, waited, never started, rate ratio'],
    ['iterations: failures < 1%', 'failures is not counted by scenario; there are any percentile, active p95 and the like, avg, min, max, iterations/s, started, completed, aborted, waited, never started, rate ratio'],
    ['iterations: p95 < 5s', 'there are no iterations: give the run scenarios, which a config has, or pauses', {}],
    ['browse: p95 < 5s', "'browse' is the name of a scenario and of a stage: use 'scenario browse' or 'stage browse'", { ...SHOP, stages: [{ name: 'browse', duration: 5 }] }]
  ]) t.equal(problem(expression, values), expected, expression)
  t.equal(problem('stage browse: p95 < 5s', { ...SHOP, stages: [{ name: 'browse', duration: 5 }] }), null)
  t.equal(problem('scenario browse: p95 < 5s', { ...SHOP, stages: [{ name: 'browse', duration: 5 }] }), null)
})
