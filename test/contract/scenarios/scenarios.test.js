'use strict'

// Users: connections that go through iterations of scenarios. Exact times are in test/engine/users.test.js.

const t = require('tap')
const { conserves } = require('../../helpers/results/conservation')
const { serve } = require('../../helpers/servers/http-server')
const { rawServer, answer } = require('../../helpers/servers/raw-server')
const { inAllModes, inModesOfUsers, overHttp1, withWorkers, byConnection, told } = require('../modes')

const requestsTo = (...paths) => paths.map(path => ({ path }))

/** How many requests there were for each path. */
function counted (requests) {
  const counts = {}
  for (const { url } of requests) counts[url] = (counts[url] ?? 0) + 1
  return counts
}

inAllModes(t, 'iterations of a user are at the weights exactly, and the result has those of each scenario', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({
    url: server.url,
    amount: 200,
    scenarios: [{ name: 'browse', weight: 70, requests: requestsTo('/a') }, { name: 'search', weight: 25, requests: requestsTo('/b') }, { name: 'buy', weight: 5, requests: requestsTo('/c') }]
  })
  for (const requests of byConnection(server.requests)) t.strictSame(counted(requests), { '/a': 70, '/b': 25, '/c': 5 })
  t.match(result, {
    iterations: { started: 200, completed: 200, cut: 0, unfinished: 0, duration: { totalCount: 200 }, active: { totalCount: 200 } },
    byScenario: { browse: { completed: 140 }, search: { completed: 50 }, buy: { completed: 10 } }
  })
  conserves(t, result)
})

inAllModes(t, 'an iteration has its requests in turn, each sent when the one before is answered', async (t, mode) => {
  const server = await serve(t, (request, response) => setTimeout(() => response.end('ok'), 5))
  const result = await mode.run({
    url: server.url,
    amount: 20,
    scenarios: [{ name: 'one', requests: requestsTo('/1', '/2', '/3') }, { name: 'two', requests: requestsTo('/x', '/y') }]
  })
  for (const requests of byConnection(server.requests)) {
    const ways = requests.map(({ url }) => url).join('').match(/\/1(\/2(\/3)?)?|\/x(\/y)?/g)
    t.equal(ways.join(''), requests.map(({ url }) => url).join(''), 'no iteration is interrupted by another one')
    t.ok(ways.slice(0, -1).every(way => ['/1/2/3', '/x/y'].includes(way)))
  }
  conserves(t, result)
})

inAllModes(t, 'sticky users stay with their scenario', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({
    url: server.url,
    connections: 8,
    amount: 80,
    sticky: true,
    scenarios: [{ name: 'reader', weight: 3, requests: requestsTo('/read') }, { name: 'writer', requests: requestsTo('/write') }]
  })
  t.strictSame(byConnection(server.requests).map(requests => Object.keys(counted(requests)).join()).sort(), [...new Array(6).fill('/read'), ...new Array(2).fill('/write')])
  t.match(result.byScenario, { reader: { completed: 60 }, writer: { completed: 20 } })
  conserves(t, result)
})

inModesOfUsers(t, 'pauses are in no latency, and in the duration of iterations', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({
    url: server.url,
    amount: 12,
    pause: '10ms',
    scenarios: [{ name: 'slow', requests: [{ path: '/1', pause: '200ms' }, { pause: ['100ms', '100ms'] }, { path: '/2' }] }]
  })
  t.match(result, { iterations: { completed: 6 }, requests: { total: 12 } })
  t.ok(result.iterations.duration.min >= 299, `${result.iterations.duration.min} ms`)
  t.ok(result.iterations.active.min < 150 && result.latency.min < 150, 'both are told from the pauses')
  conserves(t, result)
})

inAllModes(t, 'a pause may be a function of the context, or its module', async (t, mode) => {
  const server = await serve(t)
  const pause = mode.hook('pause-a-little.js')
  const setupRequest = mode.hook('tell-pauses.js')
  const result = await mode.run({
    url: server.url,
    amount: 12,
    pause,
    requests: [{ path: '/1', setupRequest, pause }, { path: '/2', setupRequest, pause }, { path: '/3', setupRequest }]
  })
  for (const requests of byConnection(server.requests)) t.strictSame(requests.map(request => told(request, 'x-told')), [0, 1, 2, 0, 1, 2], 'each iteration has a context of its own')
  t.ok(result.iterations.duration.min >= 29, '10 ms, then 20')
  conserves(t, result)
})

inModesOfUsers(t, 'a pause that is none ends the run with what is wrong, and where', async (t, mode) => {
  const server = await serve(t)
  const failing = mode.run({ url: server.url, duration: 10, scenarios: [{ requests: [{ path: '/' }, { path: '/', pause: mode.hook('clients/obey.js') }] }] })
  await t.rejects(failing, { code: 'AC_HOOK', message: /scenarios\[0\]\.requests\[1\]\.pause/ })
})

withWorkers(t, 'a function for a pause does not reach a worker', async (t, mode) => {
  const options = { url: 'http://localhost', pause: () => 1, scenarios: [{ requests: [{ pause: () => 1 }, { path: '/' }], pause: () => 1 }] }
  await t.rejects(mode.run(options), { message: /pause, scenarios\[0\]\.pause, scenarios\[0\]\.requests\[0\]\.pause: a function does not reach a worker thread/ })
})

inModesOfUsers(t, 'every: an iteration begins at most so often', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, connections: 4, duration: 1, every: '100ms' })
  t.ok(result.iterations.started > 8 && result.iterations.started <= 4 * 11, `${result.iterations.started} iterations in 1 s`)
  conserves(t, result)
})

overHttp1(t, 'a request that is lost cuts its iteration short, with the reason, and the next one begins', async (t, mode) => {
  // Each connection is cut at its third request.
  const server = await rawServer(t, (connection, { index }) => index === 2 ? connection.send('H').reset() : connection.send(answer('ok')))
  const result = await mode.run({ url: server.url, amount: 40, scenarios: [{ name: 'long', requests: requestsTo('/1', '/2', '/3', '/4') }] })
  const { long } = result.byScenario
  t.ok(long.cut > 0)
  t.equal(Object.values(long.cutBy).reduce((sum, n) => sum + n), result.errors)
  t.ok(Object.keys(long.cutBy).every(reason => reason in result.errorCodes))
  conserves(t, result, { arrived: result.requests.sent })
})

inModesOfUsers(t, 'an amount that ends inside of an iteration leaves it unfinished', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, amount: 10, scenarios: [{ name: 'one', requests: requestsTo('/1', '/2', '/3') }] })
  t.match(result.byScenario.one, { started: 4, completed: 2, cut: 0, unfinished: 2 })
  conserves(t, result)
})

inModesOfUsers(t, 'connections that are made anew do not cut an iteration', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, amount: 24, reconnectRate: 2, scenarios: [{ name: 'one', requests: requestsTo('/1', '/2', '/3') }] })
  t.match(result.byScenario.one, { started: 8, completed: 8 })
  t.equal(server.connections, 12)
  conserves(t, result)
})

inAllModes(t, 'the requests of a recording are an iteration', async (t, mode) => {
  const server = await serve(t)
  const entry = path => ({ request: { method: 'GET', url: server.url + path, headers: [] } })
  const result = await mode.run({ url: server.url, amount: 12, har: { log: { entries: [entry('/1'), entry('/2'), entry('/3')] } }, pause: '1ms' })
  for (const requests of byConnection(server.requests)) t.strictSame(requests.map(({ url }) => url), ['/1', '/2', '/3', '/1', '/2', '/3'])
  t.match(result.iterations, { started: 4, completed: 4 })
  conserves(t, result)
})

inModesOfUsers(t, 'a warm-up has iterations of its own', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, amount: 8, warmup: { connections: 2, duration: 1 }, scenarios: [{ name: 'one', requests: requestsTo('/1', '/2') }] })
  t.match(result, { iterations: { started: 4, completed: 4 } })
  t.ok(result.warmup.iterations.completed > 0)
  conserves(t, result)
  conserves(t, result.warmup)
})

withWorkers(t, 'over HTTP/2 users of all workers share as many connections as are asked for, and each is one of its own', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({
    url: server.url,
    http: '2',
    connections: 2,
    pipelining: 3,
    amount: 60,
    data: { row: { rows: [1, 2, 3, 4, 5, 6].map(n => ({ n })), pick: 'connection' } },
    scenarios: [{ requests: [{ path: '/{{row.n}}' }] }]
  })
  t.strictSame(counted(server.requests), { '/1': 10, '/2': 10, '/3': 10, '/4': 10, '/5': 10, '/6': 10 })
  t.strictSame(byConnection(server.requests).map(({ length }) => length), [30, 30])
  t.match(result, { connections: 2, pipelining: 3, http: '2', connect: { totalCount: 2 }, iterations: { completed: 60 } })
  conserves(t, result)
})
