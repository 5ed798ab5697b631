'use strict'

// Users who share connections over HTTP/2: how many there are, what is refused, and how they are split over generators.

const t = require('tap')
const { buildPlan, extentOf } = require('../../lib/options/plan')
const { split } = require('../../lib/options/split')
const { validate } = require('../../lib/options/validate')
const { shareOf, stepsTo } = require('../../lib/users/choice')

const SCENARIOS = [{ name: 'a', requests: [{ path: '/a' }] }, { name: 'b', weight: 3, requests: [{ path: '/b' }] }]

function planOf (opts) {
  const { values } = validate({ url: 'http://localhost', http: '2', pipelining: 100, scenarios: SCENARIOS, ...opts })
  return buildPlan({ ...values, ...extentOf(values) })
}

const usersIn = ({ connections, streams, pipelining }) => [connections, streams, pipelining]

t.test('connections × pipelining are users, each with one request in flight', async t => {
  t.strictSame(usersIn(planOf({ connections: 10 })), [1000, 100, 1])
  t.strictSame(usersIn(planOf({ connections: 10, pipelining: 1 })), [10, 1, 1], 'each has a connection then')
  t.strictSame(usersIn(planOf({ connections: 10, scenarios: undefined })), [10, 1, 100], 'where connections are no users, pipelining is what it was')
  t.strictSame(usersIn(planOf({ connections: 10, scenarios: undefined, cookies: true })), [1000, 100, 1])
  t.strictSame(usersIn(planOf({ connections: 10, amount: 150 })), [150, 100, 1], 'no more than there are requests')
  t.strictSame(usersIn(planOf({ rate: '250 iterations/s' })), [300, 100, 1], 'one for each iteration that is due per second, and the rest of their connection')
  t.strictSame(planOf({ connections: 10, connectionRate: 2 }).pacing.rate, 2000, 'a rate per connection is that of each user')
})

t.test('the result says how many connections there are, and an amount needs no more than those of its users', async t => {
  const extent = opts => extentOf(validate({ url: 'http://localhost', http: '2', pipelining: 100, scenarios: SCENARIOS, ...opts }).values)
  t.strictSame(extent({ connections: 10 }), { connections: 10, workers: undefined })
  t.strictSame(extent({ connections: 10, amount: 250, workers: 4 }), { connections: 3, workers: 3 })
})

t.test('users of a connection are at one generator', async t => {
  const parts = split(planOf({ connections: 10 }), 3)
  t.strictSame(parts.map(({ connections, firstConnection, connectionStep }) => [firstConnection, connections, connectionStep]), [[0, 400, 1], [400, 300, 1], [700, 300, 1]])
  t.strictSame(split(planOf({ connections: 3, amount: 250 }), 3).map(usersIn), [[100, 100, 1], [100, 100, 1], [50, 100, 1]])
  const groups = split(planOf({ scenarios: SCENARIOS.map(({ weight, ...one }, i) => ({ ...one, connections: i + 1 })) }), 3)
  t.strictSame(groups.map(({ connections }) => connections), [100, 100, 100])
  t.strictSame(groups.map(plan => plan.groups.map(({ connections }) => connections)), [[100, 0], [0, 100], [0, 100]])
})

t.test('where they come and go, generators have the users of every so many-th connection, and no two the same', async t => {
  for (const [streams, step, count] of [[1, 1, 7], [1, 3, 11], [4, 1, 9], [4, 3, 29], [100, 2, 450], [3, 5, 0]]) {
    const numbers = Array.from({ length: step }, (_, part) => {
      const first = part * streams
      return Array.from({ length: shareOf(count, first, step, streams) }, (_, i) => first + stepsTo(i, step, streams))
    })
    t.strictSame(numbers.flat().sort((a, b) => a - b), Array.from({ length: count }, (_, i) => i), `${count} users, ${streams} a connection, ${step} generators`)
    for (const own of numbers) t.ok(own.every(number => Math.floor(number / streams) % step === Math.floor(own[0] / streams)), 'all of a connection')
  }
  const parts = split(planOf({ stages: [{ duration: 1, connections: 5 }], connections: 3 }), 2)
  t.strictSame(parts.map(({ connections, firstConnection, connectionStep }) => [firstConnection, connections, connectionStep]), [[0, 200, 2], [100, 100, 2]])
})

t.test('what can not be', async t => {
  const problems = opts => {
    try {
      planOf(opts)
      return null
    } catch (error) {
      return error.problems.join('\n')
    }
  }
  t.equal(problems({ http: '1.1' }), 'pipelining and scenarios: a user waits for each response before the next request, so pipelining has to be 1 over HTTP/1.1; with http2 each connection has that many users; for more load use more connections')
  t.match(problems({ http: 'auto' }), /^pipelining and .*: http auto may select HTTP\/1\.1, where each user has a connection and pipelining has to be 1; use http2 for \d+ users on each connection$/)
  t.match(problems({ client: 'undici' }), /so pipelining has to be 1 with client undici/)
  t.equal(problems({ reconnectRate: 99 }), 'reconnectRate and pipelining: a connection that 100 users share carries at least 100 requests, got 99: with pipelining 1 each user has a connection')
  t.equal(problems({ reconnectRate: 100 }), null)
  t.match(problems({ connections: 10, maxOverallRequests: 999 }), /at least one request for each of the 1000 users, got 999/)
  t.match(problems({ connections: 1, pipelining: 2, sticky: true, scenarios: [...SCENARIOS, { name: 'c', weight: 4, requests: [{ path: '/' }] }] }), /2 users for 3 scenarios, and no user for 'a': expected at least \d+ in connections/)
  t.equal(problems({ connections: 1, sticky: true }), null)
})
