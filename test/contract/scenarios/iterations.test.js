'use strict'

// A run that ends after a number of iterations: exactly that many start, and none is unfinished.

const t = require('tap')
const http = require('node:http')
const path = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')
const { cli, start } = require('../../helpers/processes/cli')
const { serve } = require('../../helpers/servers/http-server')
const { conserves } = require('../../helpers/results/conservation')
const { inAllModes, inModesOfUsers, run } = require('../modes')

/** @type {(t: Tap.Test, result: any, n: number, expected?: { neverSent?: number }) => void} */
function ended (t, result, n, expected) {
  const { started, completed, cut, unfinished } = result.iterations
  t.strictSame([started, completed + cut, unfinished], [n, n, 0])
  conserves(t, result, expected)
}

inModesOfUsers(t, 'exactly so many iterations of scenarios start, and each is completed', async (t, mode) => {
  const server = await serve(t)
  const scenarios = [
    { name: 'long', requests: [{ path: '/first', pause: '5ms' }, { path: '/second' }] },
    { name: 'short', weight: 2, requests: [{ path: '/only' }] }
  ]
  const result = await mode.run({ url: server.url, connections: 5, amount: '31 iterations', duration: 0.001, scenarios })
  ended(t, result, 31)
  t.equal(result.iterations.completed, 31)
  const of = (/** @type {string} */ url) => server.requests.filter(request => request.url === url).length
  t.equal(of('/first'), result.byScenario.long.completed)
  t.equal(of('/second'), of('/first'))
  t.equal(of('/first') + of('/only'), 31)
  t.equal(result.options.amount, '31 iterations')
})

inModesOfUsers(t, 'fewer iterations than users, and a request that is sent once', async (t, mode) => {
  const server = await serve(t)
  const scenarios = [{ requests: [{ path: '/login', once: true }, { path: '/page' }] }]
  const few = await mode.run({ url: server.url, connections: 6, amount: '2 iterations', scenarios, pause: '10ms' })
  ended(t, few, 2)
  t.equal(server.requests.filter(({ url }) => url === '/page').length, 2)
  const one = await mode.run({ url: server.url, connections: 2, amount: '1 iteration', scenarios })
  ended(t, one, 1)
})

inModesOfUsers(t, 'a missing value and a retry are of their iteration', async (t, mode) => {
  let n = 0
  const server = await serve(t, (request, response) => {
    if (request.url === '/flaky' && n++ % 3 === 0) response.statusCode = 503
    response.end('{}')
  })
  const result = await mode.run({
    url: server.url, amount: '20 iterations', retries: { times: 5, on: [503] },
    scenarios: [{ name: 'a', requests: [{ path: '/flaky' }] }, { name: 'b', requests: [{ path: '/value', capture: { value: 'json value' } }, { path: '/never' }] }]
  })
  ended(t, result, 20)
  t.ok(result.retries > 0)
  t.equal(result.iterations.cutBy['capture value'], result.byScenario.b.started)
})

inAllModes(t, 'at a rate of iterations, no more are due', async (t, mode) => {
  const server = await serve(t, (request, response) => { setTimeout(() => response.end('ok'), 100) })
  const result = await mode.run({ url: server.url, connections: 20, amount: '20 iterations', rate: '100 iterations/s', scenarios: [{ requests: [{ path: '/' }] }] })
  ended(t, result, 20)
  t.match(result.iterations, { due: 20, neverStarted: 0 })
  t.equal(server.requests.length, 20)
})

t.test('at a rate of requests, all requests of the iterations are sent, and no others are due', async t => {
  const server = await serve(t)
  const result = await run({ url: server.url, connections: 4, amount: '10 iterations', rate: 200, scenarios: [{ requests: [{ path: '/a' }, { path: '/b' }] }] })
  ended(t, result, 10)
  t.equal(server.requests.length, 20)
  t.equal(result.requests.unsent ?? 0, 0)
})

t.test('there is no pause after the last iteration', async t => {
  const server = await serve(t)
  const result = await run({ url: server.url, connections: 3, amount: '3 iterations', scenarios: [{ requests: [{ path: '/', pause: 60 }] }], pause: 60 })
  ended(t, result, 3)
  t.ok(result.duration < 55)
})

t.test('user functions, with parallel requests, without any, and as streams of one connection', async t => {
  const server = await serve(t)
  for (const [n, user] of /** @type {Array<[number, any]>} */ ([
    [25, async (/** @type {any} */ { http, pause }) => {
      await http.get('/')
      await pause(0.002)
      await Promise.all([http.get('/a'), http.get('/b')])
    }],
    [50, async () => {}],
    [9, async (/** @type {any} */ { http, iteration }) => {
      http.get('/unawaited')
      if (iteration === 1) require('node:assert').fail('no')
    }]
  ])) {
    for (const mode of [{}, { http: '2', connections: 1, pipelining: 4 }]) {
      ended(t, await run({ url: server.url, connections: 4, amount: `${n} iterations`, user, ...mode }), n)
    }
  }
})

t.test('a run against no server ends: each iteration that finds no connection is aborted', { buffered: true }, async t => {
  const scenarios = [{ requests: [{ path: '/' }] }]
  for (const more of [{}, { workers: 2 }, { rate: '50 iterations/s' }, { http: '2', pipelining: 3, connections: 1 }, { scenarios: undefined, user: async (/** @type {any} */ { http }) => { await http.get('/') } }]) {
    const result = await run({ url: 'http://127.0.0.1:1', connections: 2, amount: '8 iterations', scenarios, wait: 0, ...more })
    ended(t, result, 8, { neverSent: result.errors })
    t.strictSame(result.iterations.cutBy, { ECONNREFUSED: 8 })
    t.ok(result.errors >= 1)
  }
})

t.test('a server that goes away in the middle of iterations does not keep the run from its end', async t => {
  let n = 0
  const server = http.createServer((request, response) => {
    response.end('ok')
    if (++n !== 9) return
    server.close()
    server.closeAllConnections()
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(null)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const { iterations, requests, errors } = await run({ url: `http://127.0.0.1:${port}`, connections: 2, amount: '12 iterations', scenarios: [{ requests: [{ path: '/a', pause: '20ms' }, { path: '/b' }] }] })
  t.strictSame([iterations.started, iterations.completed + iterations.cut, iterations.unfinished], [12, 12, 0])
  t.ok(iterations.cut > 0 && requests.total < 24 && errors > 0)
})

t.test('nor from that of flows: a retry that is pending, and requests behind a pause, find no server either', async t => {
  const twice = [{ path: '/a' }, { path: '/b' }]
  for (const flow of [
    { retries: 2, requests: [{ parallel: twice }] },
    { retries: 2, requests: [{ if: 'true', requests: twice }] },
    { requests: [{ parallel: [{ path: '/a' }, { requests: [{ pause: '20ms' }, { path: '/b' }] }] }] }
  ]) {
    let n = 0
    const server = http.createServer((request, response) => {
      if (++n > 20) {
        server.close()
        server.closeAllConnections()
      } else setTimeout(() => response.end('{}'), 2)
    })
    await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(null)))
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
    const { iterations, fates } = await run({ url: `http://127.0.0.1:${port}`, connections: 4, amount: '30 iterations', ...flow })
    t.strictSame([iterations.started, iterations.completed + iterations.cut, iterations.unfinished], [30, 30, 0])
    t.equal(fates.sent, fates.completed + fates.timedOut + fates.failed + fates.abandoned)
    t.ok(iterations.cutBy.ECONNREFUSED > 0)
  }
})

t.test('Ctrl-C ends it early, and says how far it came', { skip: process.platform === 'win32' }, async t => {
  const server = await serve(t, (request, response) => { setTimeout(() => response.end('ok'), 50) })
  const running = start([server.url, '-a', '100000 iterations', '--pause', '1ms', '-c', '2'])
  while (server.requests.length < 10) await sleep(10)
  running.kill('SIGINT')
  const { code, stderr } = await running.ended
  t.equal(code, 130)
  t.match(stderr, /ended after [\d,]+ of 100,000 iterations/i)
})

t.test('the amount is a whole number of iterations', async t => {
  const scenarios = [{ requests: [{ path: '/' }] }]
  for (const [opts, message] of /** @type {Array<[Record<string, any>, RegExp]>} */ ([
    [{ amount: '1.5 iterations', scenarios }, /^amount: expected a whole number, at least 1 and at most 1,000,000,000,000, got '1\.5 iterations'$/],
    [{ amount: '0 iterations', scenarios }, /^amount: expected a whole number/],
    [{ amount: '10 users', scenarios }, /^amount: expected a whole number such as 1000 or '1000 iterations', at least 1 and .*, got '10 users'$/],
    [{ amount: '10 iterations/s', scenarios }, /^amount: expected a whole number/],
    [{ scenarios, stages: ['1s:10'] }, /^stages and amount each set the end of the run: use one of them$/],
    [{ scenarios: [{ name: 'a', connections: 1, requests: [{ path: '/' }] }, { name: 'b', requests: [{ path: '/' }] }] }, /amount/],
    [{ scenarios, until: 'p99 ±2%' }, /^until and amount each set the end of the run: use one of them$/]
  ])) await t.rejects(run({ url: 'http://127.0.0.1:1', amount: '10 iterations', ...opts }), { message })
})

t.test('the command line', { buffered: true }, async t => {
  const server = await serve(t)
  const folder = t.testdir({ 'user.mjs': "export const options = { iterations: 5, vus: 2 }\nexport default async ({ http }) => { await http.get('/') }" })
  const k6 = await cli(['run', path.join(folder, 'user.mjs'), server.url])
  t.equal(k6.code, 0, k6.stderr)
  t.match(k6.stderr, /iterations: 5 is read as amount: '5 iterations'; -a overrides it/)
  t.match(k6.stderr, /Running 5 iterations test @/)
  t.equal(server.requests.length, 5)
  const printed = await cli([server.url, '--pause', '1ms', '-a', '20 iterations', '--print-config'])
  t.equal(JSON.parse(printed.stdout).amount, '20 iterations')
  const both = await cli([server.url, '--pause', '1ms', '-a', '3 iterations', '-d', '5', '-c', '9'])
  t.match(both.stderr, /-d\/--duration is ignored: the run ends after 3 iterations \(-a\/--amount\), and not after 5 s/)
  t.match(both.stderr, /the run has 3 connections, not 9: it starts 3 iterations in all/)
})

t.test('an amount of iterations makes users of connections, also of a URL and of a list of requests', async t => {
  const server = await serve(t)
  const alone = await run({ url: server.url, connections: 2, amount: '3 iterations' })
  t.equal(alone.requests.total, 3)
  t.equal(alone.iterations.completed, 3)
  const listed = await run({ url: server.url, connections: 2, amount: '4 iterations', requests: [{ path: '/a' }, { path: '/b' }] })
  t.equal(listed.requests.total, 8)
  t.equal(listed.iterations.completed, 4)
  t.match(await cli([server.url, '-a', '3 iterations']), { code: 0, stderr: /3 iterations completed/ })
})
