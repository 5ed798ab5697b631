'use strict'

// What a result says.

const t = require('tap')
const { calm, serve, valuesOf } = require('../../helpers/servers/http-server')
const { rawServer, answer } = require('../../helpers/servers/raw-server')
const { conserves } = require('../../helpers/results/conservation')
const { byOurClient, inAllModes, overHttp1, run } = require('../modes')

const PERCENTILES = ['p0_001', 'p0_01', 'p0_1', 'p1', 'p2_5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95', 'p97_5', 'p99', 'p99_9', 'p99_99', 'p99_999']

/** @param {Record<string, string>} statuses by path */
const byPath = statuses => (/** @type {any} */ { url }, /** @type {any} */ response) => {
  response.statusCode = Number(statuses[url])
  response.end('body')
}

inAllModes(t, 'says what was asked for', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url + '/x', title: 'a title', amount: 6, connections: 3, pipelining: 2, sampleInt: 500 })
  t.match(result, { title: 'a title', url: server.url + '/x', connections: 3, pipelining: 2, sampleInt: 500 })
  t.equal(result.workers, mode.workers)
  t.ok('socketPath' in result)
  t.equal(result.socketPath, undefined)
  conserves(t, result)
})

t.test('title and socketPath are undefined when they are not given', async t => {
  const server = await serve(t)
  const result = await run({ url: server.url, amount: 1 })
  t.equal(result.title, undefined)
  t.equal(result.socketPath, undefined)
})

inAllModes(t, 'start and finish are Dates around the run, duration is in seconds', async (t, mode) => {
  const server = await serve(t, calm)
  const before = Date.now()
  const result = await mode.run({ url: server.url, duration: 0.3 })
  const after = Date.now()
  t.ok(result.start instanceof Date && result.finish instanceof Date)
  t.ok(before <= +result.start && +result.start < +result.finish && +result.finish <= after)
  t.ok(result.duration >= 0.299 && result.duration <= (after - before) / 1000 + 0.001, `${result.duration} s`)
})

byOurClient(t, 'requests, latency and throughput are distributions', async (t, mode) => {
  const server = await serve(t, calm)
  const result = await mode.run({ url: server.url, duration: 0.4, sampleInt: 50 })
  for (const name of ['requests', 'latency', 'throughput']) {
    const distribution = result[name]
    for (const key of ['min', 'max', 'average', 'mean', 'stddev', ...PERCENTILES]) t.type(distribution[key], 'number', `${name}.${key}`)
    const rising = [distribution.min, ...PERCENTILES.map(key => distribution[key]), distribution.max]
    t.strictSame([...rising].sort((a, b) => a - b), rising, `the percentiles of ${name} rise from min to max`)
    t.ok(distribution.min <= distribution.average && distribution.average <= distribution.max * 1.5)
    t.equal(distribution.mean, distribution.average)
  }
  conserves(t, result)
})

inAllModes(t, 'requests is per second, whatever a sample lasts', async (t, mode) => {
  const server = await serve(t, calm)
  const result = await mode.run({ url: server.url, duration: 0.5, sampleInt: 100 })
  t.equal(result.requests.total, result['2xx'])
  t.ok(result.requests.sent >= result.requests.total)
  t.ok(near(result.requests.average, result.requests.total / result.duration), `${result.requests.average} a second`)
  t.ok(result.samples >= 2 && result.samples <= Math.ceil(result.duration * 10) + 1, `${result.samples} samples in ${result.duration} s`)
  conserves(t, result)
})

/**
 * The duration has three digits behind the point.
 * @param {number} a
 * @param {number} b
 */
const near = (a, b) => Math.abs(a - b) <= b * 0.01

t.test('the sample interval is 1000 ms when nothing is said', async t => {
  const server = await serve(t)
  const result = await run({ url: server.url, amount: 1 })
  t.equal(result.sampleInt, 1000)
  t.equal(result.samples, 1)
})

t.test('sampleInt decides how many samples there are', async t => {
  const server = await serve(t, (request, response) => setTimeout(() => response.end(), 1))
  const [fine, coarse] = [await run({ url: server.url, duration: 0.5, sampleInt: 20 }), await run({ url: server.url, duration: 0.5, sampleInt: 250 })]
  t.ok(fine.samples > 3 * coarse.samples, `${fine.samples} against ${coarse.samples}`)
})

t.test('latency is in ms, with the digits that it has', async t => {
  const server = await serve(t, (request, response) => setTimeout(() => response.end(), 20))
  const slow = await run({ url: server.url, amount: 10 })
  t.ok(slow.latency.min >= 18, `${slow.latency.min} ms`)
  t.equal(slow.latency.totalCount, 10)
  const fast = await run({ url: (await rawServer(t, answer())).url, amount: 500 })
  t.ok(fast.latency.min > 0 && fast.latency.p50 > 0, 'below a millisecond it is not 0')
  t.ok([fast.latency.min, fast.latency.p50, fast.latency.p99].some(ms => !Number.isInteger(ms)))
  t.ok(slow.latency.p50 > fast.latency.p50)
})

t.test('each request of a pipeline has its own latency', async t => {
  const server = await rawServer(t, (connection, { index }) => connection.send(answer()).afterwards(() => index < 5 && new Promise(resolve => setTimeout(resolve, 10))))
  const result = await run({ url: server.url, amount: 5, pipelining: 5 })
  t.equal(result.latency.totalCount, 5)
  t.ok(result.latency.max - result.latency.min > 30, 'the last waits for all before it')
})

overHttp1(t, 'throughput counts the bytes on the wire', async (t, mode) => {
  const bytes = answer('hello', 'X-Header: value\r\n')
  const server = await rawServer(t, bytes)
  const result = await mode.run({ url: server.url, amount: 50 })
  t.equal(result.throughput.total, 50 * bytes.length)
  t.ok(Math.abs(result.throughput.average - result.requests.average * bytes.length) < 1)
  conserves(t, result)
})

inAllModes(t, 'counts answers by status and class', async (t, mode) => {
  const server = await serve(t, byPath({ '/200': '200', '/201': '201', '/302': '302', '/404': '404', '/500': '500' }))
  const paths = ['/200', '/200', '/201', '/302', '/404', '/500', '/404']
  const result = await mode.run({ url: server.url, amount: 28, requests: paths.map(path => ({ path })) })
  t.strictSame(result.statusCodeStats, { 200: { count: 8 }, 201: { count: 4 }, 302: { count: 4 }, 404: { count: 8 }, 500: { count: 4 } })
  t.match(result, { '1xx': 0, '2xx': 12, '3xx': 4, '4xx': 8, '5xx': 4, non2xx: 16 })
  t.equal(result.errors, 0, 'an answer is not an error')
  conserves(t, result)
})

t.test('an interim response is no answer', async t => {
  const server = await rawServer(t, 'HTTP/1.1 100 Continue\r\n\r\n' + answer('ok'))
  const result = await run({ url: server.url, amount: 4 })
  t.match(result, { '1xx': 0, '2xx': 4, non2xx: 0, statusCodeStats: { 200: { count: 4 } } })
  conserves(t, result)
})

overHttp1(t, 'errors counts failed requests, timeouts included', async (t, mode) => {
  const server = await rawServer(t, [connection => connection.reset(), () => {}, answer()])
  const result = await mode.run({ url: server.url, amount: 10, timeout: 0.3 })
  t.match(result, { errors: 2, timeouts: 1, errorCodes: { ECONNRESET: 1, AC_TIMEOUT: 1 } })
  t.equal(result.requests.total, 8)
  conserves(t, result)
})

t.test('a connection that the server closes without an answer is an error', async t => {
  const server = await rawServer(t, connection => connection.index % 2 === 0 ? connection.end() : connection.send(answer('', 'Connection: close\r\n')))
  const result = await run({ url: server.url, connections: 1, amount: 6 })
  t.strictSame(result.fates, { sent: 6, completed: 3, timedOut: 0, failed: 3, abandoned: 0 })
  t.strictSame(result.errorCodes, { AC_CLOSED: 3 })
  conserves(t, result)
})

overHttp1(t, 'what is behind the last answer of a connection is sent again', async (t, mode) => {
  const server = await rawServer(t, (connection, { index }) => { if (index === 2) connection.send(answer() + answer('', 'Connection: close\r\n')) })
  // Two connections with 5 requests each: 3 of which 2 are answered, then 3 again, then the one that is left.
  const result = await mode.run({ url: server.url, pipelining: 3, amount: 10, timeout: 0.5 })
  t.match(result, { resent: 4, errors: 2, timeouts: 2 })
  t.strictSame(result.fates, { sent: 10, completed: 8, timedOut: 2, failed: 0, abandoned: 0 })
  conserves(t, result, { arrived: server.requests.length })
})

t.test('a connection that ends between answers is no error', async t => {
  const server = await rawServer(t, answer('', 'Connection: close\r\n'))
  const result = await run({ url: server.url, connections: 2, amount: 10 })
  t.equal(server.connections.length, 10)
  t.strictSame(result.fates, { sent: 10, completed: 10, timedOut: 0, failed: 0, abandoned: 0 })
  conserves(t, result)
})

t.test('a request that times out has its age in the latency', async t => {
  const server = await rawServer(t, [() => {}, answer()])
  const result = await run({ url: server.url, amount: 2, timeout: 0.2 })
  t.equal(result.latency.totalCount, 2)
  t.ok(result.latency.max >= 200)
})

byOurClient(t, 'excludeErrorStats leaves latency and bytes of other answers than 2xx out', async (t, mode) => {
  const server = await serve(t, byPath({ '/200': '200', '/500': '500', '/302': '302' }))
  const opts = { url: server.url, amount: 12, requests: [{ path: '/200' }, { path: '/500' }, { path: '/302' }] }
  const all = await mode.run(opts)
  const some = await mode.run({ ...opts, excludeErrorStats: true })
  t.equal(all.latency.totalCount, 12)
  t.equal(some.latency.totalCount, 4)
  t.ok(some.throughput.total > 0 && some.throughput.total < all.throughput.total / 2)
  for (const result of [all, some]) {
    t.match(result, { '2xx': 4, '3xx': 4, '5xx': 4, non2xx: 8, errors: 0 }, 'they are counted all the same')
    t.equal(result.requests.total, 12)
  }
  conserves(t, all)
})

inAllModes(t, 'mismatches and resets are 0 when there are none', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, amount: 4, expectBody: 'ok' })
  t.match(result, { mismatches: 0, resets: 0, errors: 0, timeouts: 0, non2xx: 0 })
  t.notOk('warmup' in result)
  conserves(t, result)
})

t.test('a result survives JSON', async t => {
  const server = await serve(t)
  const result = await run({ url: server.url, amount: 5 })
  const copy = JSON.parse(JSON.stringify(result))
  t.strictSame({ ...copy, start: new Date(copy.start), finish: new Date(copy.finish) }, JSON.parse(JSON.stringify(result), (key, value) => key === 'start' || key === 'finish' ? new Date(value) : value))
  t.equal(+new Date(copy.start), +result.start)
  t.strictSame(copy.latency, result.latency)
})

inAllModes(t, 'a result has no user and password in its URL', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url.replace('//', '//user:password@') + '/@a?b=@', amount: 2 })
  t.equal(result.url, server.url.replace('//', '//***@') + '/@a?b=@')
  t.strictSame(valuesOf(server.requests[0], 'authorization'), ['Basic dXNlcjpwYXNzd29yZA=='])
  conserves(t, result)
})
