'use strict'

const t = require('tap')
const { normalize } = require('../../../lib/options/normalize')
const { parseScenarios } = require('../../../lib/options/users/scenarios')

/** @type {any} */
const ROW = { name: 'scenarios', type: 'scenarios', where: 'api', help: '' }

/** @param {unknown} scenarios */
function problemOf (scenarios) {
  const { problems } = normalize({ scenarios }, ({ name }) => name, [ROW])
  return problems.join('; ')
}

t.test('a scenario has requests, and what else is said of it', async t => {
  t.strictSame(parseScenarios([{ requests: [{ path: '/' }] }]),
    [{ weight: 1, requests: [{ path: '/' }] }])
  // As JSON, rates are as users write them.
  t.strictSame(JSON.parse(JSON.stringify(parseScenarios([
    { name: ' browse ', weight: '3', requests: [{ path: '/', pause: '1s' }, { pause: ['1s', '2s'] }], pause: 2, every: '10s' },
    { name: 'buy', weight: undefined, pause: null, requests: [{ method: 'POST', check: './check.js' }], connections: 5, rate: '50/s', stages: ['30s:5/s'] }
  ]))), [
    { name: 'browse', weight: 3, requests: [{ path: '/', pause: { from: 1000, to: 1000 } }, { pause: { from: 1000, to: 2000 } }], pause: { from: 2000, to: 2000 }, every: 10 },
    { name: 'buy', weight: 1, requests: [{ method: 'POST', check: './check.js' }], connections: 5, rate: 50, stages: [{ duration: 30, rate: 5 }] }
  ])
})

t.test('what was given stays as it is', async t => {
  const given = [{ name: 'a', requests: [{ path: '/', pause: '1s' }], pause: '2s' }]
  parseScenarios(given)
  t.strictSame(given, [{ name: 'a', requests: [{ path: '/', pause: '1s' }], pause: '2s' }])
})

t.test('a mistake is told with its place', async t => {
  const requests = [{ path: '/' }]
  const keys = 'there are name, weight, requests, user, exec, setup, teardown, pause, every, connections, rate, stages'
  for (const [given, problem] of /** @type {Array<[unknown, string | RegExp]>} */ ([
    [[{ exec: 'buy', requests }], 'scenarios[0].exec: expected user as well, the path of the module that exports it, got none'],
    [[{ exec: 'setup', user: './a.mjs' }], "scenarios[0].exec: expected the name of a function that the module exports, such as checkout, got 'setup'"],
    [[{ exec: 'a b', user: './a.mjs' }], /^scenarios\[0\]\.exec: expected the name of a function/],
    [[{ exec: 'buy', user: () => {} }], 'scenarios[0].user: expected the path of a module, or its exports, one of which exec names, got a function'],
    [[{ exec: 'buy', user: { default () {} } }], "scenarios[0].user: expected the path of a module, or its exports, one of which exec names, got exports without 'buy'"],
    [[{ exec: 'buy', user: 'a:b' }], /^scenarios\[0\]\.user: expected the path of a module/],
    [5, 'scenarios: expected an array with at least one scenario, such as { name, requests }, got 5'],
    [[], 'scenarios: expected an array with at least one scenario, such as { name, requests }, got an empty one'],
    [new Array(1001).fill({}), 'scenarios: expected at most 1,000 scenarios, got 1,001'],
    [[null], 'scenarios[0]: expected an object with name, weight, requests, user, exec, setup, teardown, pause, every, connections, rate, stages, got null'],
    [new Array(1), /^scenarios\[0\]: expected an object .* got undefined$/],
    [[{ requests, wieght: 1 }], `scenarios[0]: unknown key 'wieght', did you mean 'weight'? ${keys.replace('there', 'There')}`],
    [[{ requests, zzz: 1 }], `scenarios[0]: unknown key 'zzz'; ${keys}`],
    [[{ name: 'a' }], 'scenarios[0].requests: expected an array with at least one request, got undefined'],
    [[{ name: 'a', requests, user: './a.mjs' }], 'scenarios[0]: requests and user each say what a user does: use one of them'],
    [[{ name: 'a', requests: [] }], 'scenarios[0].requests: expected an array with at least one request, got an empty one'],
    [[{ name: 'a', requests }, { requests }], 'scenarios[1].name: expected a name, as there are several scenarios, got none'],
    [[{ name: 'a', requests }, { name: 'a', requests }], "scenarios[1]: scenarios[0] has the name 'a' as well: expected different names"],
    [[{ name: 'a: b', requests }], "scenarios[0].name: expected a name without a colon, got 'a: b'"],
    [[{ name: 5, requests }], 'scenarios[0].name: expected a text of up to 100 printable characters, got 5'],
    [[{ weight: 0, requests }], 'scenarios[0].weight: expected a whole number, at least 1 and at most 1,000,000, got 0'],
    [[{ weight: 1.5, requests }], 'scenarios[0].weight: expected a whole number, at least 1 and at most 1,000,000, got 1.5'],
    [[{ connections: 0, requests }], 'scenarios[0].connections: expected a whole number, at least 1 and at most 100,000, got 0'],
    [[{ every: 0, requests }], 'scenarios[0].every: expected seconds or a time such as 1m30s, more than 0 and at most 2,000,000, got 0'],
    [[{ pause: ['1s', 'x'], requests }], "scenarios[0].pause[1]: expected seconds or a time such as 500ms, from 0 to 2,000,000 s, got 'x'"],
    [[{ requests: [{ path: '/' }, 5] }], 'scenarios[0].requests[1]: expected an object with method, path, headers or body, got 5'],
    [[{ requests: [{ path: '/' }, { path: '/', pause: 'x' }] }], /^scenarios\[0\]\.requests\[1\]\.pause: expected a time such as 1s, /],
    [[{ requests: [{ headers: { a: 'b\nc' } }] }], /^scenarios\[0\]\.requests\[0\]\.headers: the value of a has a line break/],
    [[{ requests: [{ expect: { status: 1 } }] }], /^scenarios\[0\]\.requests\[0\]\.expect\.status: expected a status code/],
    [[{ requests: [{ onResponse: 5 }] }], /^scenarios\[0\]\.requests\[0\]\.onResponse: expected a function or the path of a module/],
    [[{ requests: [{ pth: '/' }] }], /^scenarios\[0\]\.requests\[0\]: unknown key 'pth', did you mean 'path'\? There are method, path, /],
    [[{ get name () { throw new Error('a trap') }, requests }], 'scenarios[0]: reading it failed: Error: a trap']
  ])) {
    const found = problemOf(given)
    if (typeof problem === 'string') t.equal(found, problem)
    else t.match(found, problem)
  }
})

t.test('requests that are sent once stand in front of others', async t => {
  const [login, other] = [{ path: '/login', once: true }, { path: '/' }]
  for (const [requests, problem] of /** @type {Array<[unknown, string]>} */ ([
    [[{ pause: 1 }, login, { ...login, once: 'true' }, { ...other, once: 'false' }, { ...other, once: null }], ''],
    [[{ pause: 1 }, login, login], 'scenarios[0].requests: expected at least one request without once, which each iteration sends, got none'],
    [[login, { pause: 1 }, other, login], 'scenarios[0].requests[3].once: expected requests with once before all others, got one after requests[2]'],
    [[{ ...login, once: 1 }, other], 'scenarios[0].requests[0].once: expected true or false, got 1']
  ])) t.equal(problemOf([{ requests }]), problem)
  t.match(normalize({ requests: [other, login] }, ({ name }) => name, [{ ...ROW, name: 'requests', type: 'requests' }]).problems, ['requests[1].once: expected requests with once before all others, got one after requests[0]'])
})

t.test('pauses alone are no requests', async t => {
  t.match(problemOf([{ requests: [{ path: '/' }, { pause: '1s', name: 'wait' }] }]), /^scenarios\[0\]\.requests\[1\]: expected a path as well, got a pause with a name: a pause is \{ pause \} alone/)
  t.equal(problemOf([{ requests: [{ pause: 1 }, { pause: '2s' }] }]), 'scenarios[0].requests: expected at least one request beside the pauses, got pauses alone')
})
