'use strict'

// Users that stay with a scenario: each scenario has one, or the run is refused.

const t = require('tap')
const { buildPlan, extentOf } = require('../../../lib/options/plan')
const { validate } = require('../../../lib/options/validate')
const { chooseScenarios } = require('../../../lib/users/choice')
const { problemsIn } = require('../../helpers/options/problems')

const url = 'http://localhost:3000'
const kind = (name, weight, own) => ({ name, ...weight === undefined ? {} : { weight }, requests: [{ path: '/' }], ...own })

const problemOf = options => problemsIn(() => validate({ url, sticky: true, ...options })).join('\n') || null

t.test('a scenario without users is named, with how many users it takes', async t => {
  const scenarios = [kind('a', 9), kind('b', 1)]
  for (const [options, problem] of [
    [{ connections: 1, scenarios }, "sticky: 1 user for 2 scenarios, and no user for 'b': expected at least 6 in connections, or more similar weights"],
    [{ connections: 5, scenarios }, /^sticky: 5 users for 2 scenarios, and no user for 'b'/],
    [{ connections: 6, scenarios }, null],
    [{ connections: 6, amount: 5, scenarios }, /expected at least 6 in amount/],
    [{ connections: 1, workers: 6, scenarios }, null],
    [{ connections: 1, url: [url, 'http://other'], scenarios: [kind('a'), kind('b')] }, /no user for 'b'/],
    [{ connections: 2, url: [url, 'http://other'], scenarios: [kind('a'), kind('b')] }, null],
    [{ connections: 21, scenarios: [kind('own', undefined, { connections: 20 }), ...scenarios] }, /^sticky: 1 user for 2 scenarios, and no user for 'b': expected at least 26 in connections/],
    [{ connections: 26, scenarios: [kind('own', undefined, { connections: 20 }), ...scenarios] }, null],
    [{ scenarios: [kind('own', undefined, { connections: 1 }), kind('more', undefined, { rate: '1 iterations/s' })] }, null],
    [{ stages: ['1s:1', '1s:20'], scenarios }, null],
    [{ connections: 1, sticky: false, scenarios }, null],
    [{ connections: 'x', scenarios }, /^connections: expected a whole number[^\n]*$/],
    [{ url: undefined, scenarios }, /^a URL is required[^\n]*$/]
  ]) problem === null || typeof problem === 'string' ? t.equal(problemOf(options), problem) : t.match(problemOf(options), problem)
})

t.test('what is asked for is enough, and connections choose as foreseen', async t => {
  for (const weights of [[1, 1], [1, 9], [3, 7, 11], [1000, 1], [5, 5, 4, 1]]) {
    for (const urls of [[url], [url, 'http://other']]) {
      const scenarios = weights.map((weight, i) => kind(`s${i}`, weight))
      const needed = /at least ([\d,]+) in/.exec(problemOf({ connections: 1, url: urls, scenarios }))[1].replaceAll(',', '')
      const { values } = validate({ sticky: true, url: urls, connections: Number(needed), scenarios })
      const plan = buildPlan({ ...values, ...extentOf(values) })
      const taken = chooseScenarios(plan.scenarios, 0, plan.connections).map(i => plan.scenarios[i].userScenarios[0].scenario)
      t.equal(new Set(taken).size, weights.length, `${weights} at ${urls.length}`)
    }
  }
})
