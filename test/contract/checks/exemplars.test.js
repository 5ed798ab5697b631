'use strict'

// The slowest requests and the first failures of real runs: which they are, and what is said of each.

const http = require('node:http')
const { setTimeout: later } = require('node:timers/promises')
const t = require('tap')
const autocannon = require('../../..')
const { conserves } = require('../../helpers/results/conservation')

/** @param {any} t @param {(request: any, response: any, n: number) => unknown} respond n: how many requests have come */
async function serve (t, respond) {
  let n = 0
  const server = http.createServer((request, response) => { respond(request, response, ++n) })
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`
}

const late = async (/** @type {any} */ response, /** @type {number} */ ms) => {
  await later(ms)
  response.end('x')
}

t.test('the slow ones are among the slowest, with their parts', async t => {
  const url = await serve(t, (request, response) => request.url === '/slow' ? late(response, 60) : response.end('x'))
  for (const workers of [undefined, 2]) {
    const result = await autocannon({ url, connections: 2, amount: 200, workers, requests: [...Array(9).fill({ path: '/' }), { path: '/slow', name: 'slow' }] })
    conserves(t, result)
    const slow = result.slowest.filter(({ name }) => name === 'slow')
    // On a busy machine others may take as long.
    t.ok(slow.length > 0 && (slow.length >= 18 || result.slowest.every(({ total }) => total >= 55)), `${slow.length} of 20`)
    for (const { time, request, connect, waited, firstByte, total, status, size, error } of slow) {
      t.ok(time >= result.start && time <= result.finish)
      t.strictSame([request, connect, waited, status, error], ['GET /slow', null, 0, 200, null])
      t.ok(firstByte >= 55 && firstByte <= total && size > 100)
    }
    t.strictSame([...new Set(result.slowest.map(({ connection }) => connection))].sort(), [0, 1], 'by the number in the whole run')
    t.strictSame(result.firstFailures, [])
  }
})

t.test('the first request of a connection says how long that took to make', async t => {
  const url = await serve(t, (request, response) => response.end())
  const { slowest } = await autocannon({ url, connections: 4, amount: 12 })
  t.equal(slowest.length, 12)
  t.equal(slowest.filter(({ connect }) => connect !== null && connect > 0).length, 4)
})

t.test('what is found wrong is a failure with its reason, and all that fails by itself comes with its code', async t => {
  const url = await serve(t, (request, response, n) => {
    if (request.url === '/none') return n > 0
    if (request.url === '/cut') return request.socket.destroy()
    if (request.url === '/503') response.statusCode = 503
    response.end(request.url)
  })
  const result = await autocannon({
    url,
    connections: 1,
    amount: 6,
    timeout: 0.3,
    requests: [{ path: '/good' }, { path: '/503' }, { path: '/bad', expect: { status: 201 } }, { path: '/cut' }, { path: '/none' }, { path: '/503', expect: { status: 503 } }]
  })
  t.match(result.firstFailures, [
    { request: 'GET /503', status: 503, error: null },
    { request: 'GET /bad', status: 200, error: 'check' },
    { request: 'GET /cut', status: null, error: /^(?:ECONNRESET|AC_CLOSED)$/ },
    { request: 'GET /none', status: null, error: 'AC_TIMEOUT' }
  ])
  t.equal(result.firstFailures.length, 4, 'a status that is expected is none')
  t.match(result.slowest[0], { request: 'GET /none', status: null, firstByte: null, error: 'AC_TIMEOUT', size: 0 }, 'a timeout is in the latency with its age')
  conserves(t, result)
  const compared = await autocannon({ url: `${url}/x`, connections: 1, amount: 3, expectBody: 'another' })
  t.strictSame(compared.firstFailures.map(({ status, error }) => [status, error]), [[200, 'body'], [200, 'body'], [200, 'body']])
  conserves(t, compared)
})

t.test('each hop and each try is a request of its own', async t => {
  const url = await serve(t, (request, response, n) => {
    if (n === 1) response.statusCode = 503
    else if (request.url === '/a') response.writeHead(302, { location: '/b' })
    response.end()
  })
  const result = await autocannon({ url: `${url}/a`, connections: 1, amount: 3, retries: 1, redirects: 1 })
  t.strictSame(result.slowest.map(({ request, status }) => [request, status]).sort(), [['GET /a', 302], ['GET /a', 503], ['GET /b', 200]])
  t.match(result.firstFailures, [{ request: 'GET /a', status: 503 }])
  conserves(t, result)
})

t.test('warm-up and what is left out are not there', async t => {
  const url = await serve(t, (request, response, n) => late(response, n <= 2 ? 100 : 1))
  const warm = await autocannon({ url, connections: 2, amount: 50, warmup: { connections: 2, duration: 0.5 } })
  t.ok(warm.slowest[0].total < 100, String(warm.slowest[0].total))
  conserves(t, warm, { arrived: warm.requests.sent })
})

t.test('the start that is left out is not there', async t => {
  const url = await serve(t, (request, response, n) => {
    if (n <= 2) response.statusCode = 500
    return n <= 2 ? late(response, 150) : late(response, 1)
  })
  const result = await autocannon({ url, connections: 2, duration: 1.2, skipFirst: 0.6 })
  t.ok(result.slowest.length === 20 && result.slowest[0].total < 150, String(result.slowest[0].total))
  t.strictSame(result.firstFailures, [])
})

t.test('what excludeErrorStats leaves out of latencies is not among the slowest', async t => {
  const url = await serve(t, (request, response, n) => {
    if (n % 2 === 0) response.statusCode = 500
    return n % 2 === 0 ? late(response, 30) : response.end()
  })
  const result = await autocannon({ url, connections: 1, amount: 10, excludeErrorStats: true })
  t.strictSame(result.slowest.map(({ status }) => status), Array(5).fill(200))
  t.strictSame(result.firstFailures.map(({ status }) => status), Array(5).fill(500))
})

t.test('autocannon merge has the slowest of all', async t => {
  const url = await serve(t, (request, response, n) => late(response, n % 7))
  const raws = await Promise.all([1, 2].map(connections => autocannon({ url, connections, amount: 30, skipAggregateResult: true })))
  const merged = autocannon.aggregateResult(JSON.parse(JSON.stringify(raws)))
  const totals = raws.flatMap(({ totals }) => totals.exemplars.slowest.map(({ total }) => total)).sort((a, b) => b - a).slice(0, 20)
  t.strictSame(merged.slowest.map(({ total }) => total), totals.map(total => Math.round(total * 1000) / 1000))
  t.equal(merged.slowest[0].total, merged.latency.max)
})

t.test('secrets in a path are hidden, and long ones are cut', async t => {
  const url = await serve(t, (request, response) => response.end())
  const { slowest: [one] } = await autocannon({ url: `${url}/a?token=abc&b=${'x'.repeat(3000)}`, connections: 1, amount: 1 })
  t.match(one.request, /^GET \/a\?token=\*\*\*&b=x+…$/)
  t.ok(one.request.length <= 205)
})
