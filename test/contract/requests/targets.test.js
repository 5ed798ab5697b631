'use strict'

// Requests from a list that all connections share: which of them are sent, by how many generators whatever, and what they are held to.

const t = require('tap')
const path = require('node:path')
const { conserves } = require('../../helpers/results/conservation')
const { serve, valuesOf } = require('../../helpers/servers/http-server')
const { shortFolder } = require('../../helpers/short-folder')
const { inAllModes, overHttp1, run } = require('../modes')

/** @param {import('../../helpers/servers/http-server').Got[]} requests */
const urlsOf = requests => requests.map(({ url }) => url)

/** @param {number} n @param {string} [before] */
const paths = (n, before = '') => Array.from({ length: n }, (_, i) => `${before}/${i}`)

overHttp1(t, 'vegeta\'s requests arrive as they are written', async (t, mode) => {
  const server = await serve(t)
  const dir = t.testdir({
    'targets.txt': `GET ${server.url}/a\nX-Own: 1\nX-Own: 2\nhost: other\n\n# comment\nPOST ${server.url}/b\r\n@body\nDELETE ${server.url.replace('//', '//u:p@')}/c\nPUT ${server.url}/d\nTransfer-Encoding: chunked\n@body`,
    body: 'of a file'
  })
  const result = await mode.run({ targets: path.join(dir, 'targets.txt'), pick: 'once', headers: { 'X-All': 'yes', 'x-own': 'no' } })
  const by = Object.fromEntries(server.requests.map(request => [`${request.method} ${request.url}`, request]))
  t.strictSame(Object.keys(by).sort(), ['DELETE /c', 'GET /a', 'POST /b', 'PUT /d'])
  t.strictSame(valuesOf(by['GET /a'], 'x-own'), ['1', '2'])
  t.strictSame(valuesOf(by['GET /a'], 'host'), ['other'])
  t.strictSame(valuesOf(by['DELETE /c'], 'authorization'), ['Basic dTpw'])
  t.strictSame(valuesOf(by['DELETE /c'], 'x-own'), ['no'])
  t.strictSame([by['POST /b'].body, valuesOf(by['POST /b'], 'content-length')], ['of a file', ['9']])
  t.strictSame([by['PUT /d'].body, valuesOf(by['PUT /d'], 'content-length')], ['of a file', []])
  t.ok(server.requests.every(request => valuesOf(request, 'x-all').join() === 'yes'))
  t.equal(result.url, server.url)
  t.match(result.options, { targets: path.join(dir, 'targets.txt'), pick: 'once', amount: undefined })
  conserves(t, result)
})

inAllModes(t, 'each once: exactly all of them, whatever the number of connections and their pipelining', async (t, mode) => {
  for (const [count, connections, pipelining] of [[1, 4, 1], [7, 3, 1], [400, 5, 10], [401, 8, 3]]) {
    const server = await serve(t)
    const result = await mode.run({ url: server.url, targets: paths(count), pick: 'once', connections, pipelining, duration: 0.001 })
    t.strictSame(urlsOf(server.requests).sort(), paths(count).sort(), `${count} over ${connections} connections`)
    t.equal(result['2xx'], count)
    t.equal(result.interrupted, false)
    conserves(t, result)
  }
})

inAllModes(t, 'each once, to several servers', async (t, mode) => {
  const [one, other] = [await serve(t), await serve(t)]
  const targets = [...paths(30, one.url), ...paths(3, other.url), ...paths(90, one.url).slice(30)]
  const result = await mode.run({ targets, pick: 'once', connections: 4 })
  t.strictSame([urlsOf(one.requests).sort(), urlsOf(other.requests).sort()], [paths(90).sort(), paths(3).sort()])
  t.strictSame([result.url].flat(), [one.url, other.url])
  t.ok(one.connections >= 2 && other.connections >= 1, `${one.connections} and ${other.connections} connections`)
  conserves(t, result, { arrived: 93 })
})

inAllModes(t, 'each once, at a rate', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, targets: paths(50), pick: 'once', connections: 6, rate: 2000 })
  t.strictSame(urlsOf(server.requests).sort(), paths(50).sort())
  conserves(t, result)
})

inAllModes(t, 'each once without a server: the run ends', async (t, mode) => {
  const result = await mode.run({ targets: paths(20, 'http://127.0.0.1:1'), pick: 'once', connections: 3 })
  t.equal(result.requests.sent, 0)
  t.equal(result.errors, 20)
  conserves(t, result, { neverSent: 20 })
})

inAllModes(t, 'in order: over and over, each as often as the others', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, targets: paths(6), amount: 24, pipelining: 2 })
  const got = urlsOf(server.requests)
  t.strictSame(paths(6).map(one => got.filter(url => url === one).length), new Array(6).fill(4))
  conserves(t, result)
})

t.test('in order: with one connection the order of the file, however deep the pipeline', async t => {
  for (const pipelining of [1, 4, 100]) {
    const server = await serve(t)
    await run({ url: server.url, targets: paths(7), amount: 25, pipelining })
    t.strictSame(urlsOf(server.requests), Array.from({ length: 25 }, (_, i) => `/${i % 7}`))
  }
})

inAllModes(t, 'at random: the same for a seed, and another for another', async (t, mode) => {
  /** @param {number} seed */
  const picked = async seed => {
    const server = await serve(t)
    const result = await mode.run({ url: server.url, targets: paths(1000), pick: 'random', seed, amount: 200 })
    conserves(t, result)
    return urlsOf(server.requests).sort()
  }
  const [one, again, other] = [await picked(5), await picked(5), await picked(6)]
  t.strictSame(one, again)
  t.notSame(one, other)
  t.ok(new Set(one).size > 150)
})

inAllModes(t, 'checks and names see the request that was sent', async (t, mode) => {
  const server = await serve(t, (request, response) => {
    if (request.url?.startsWith('/bad')) response.statusCode = 500
    response.end(request.url)
  })
  const result = await mode.run({ url: server.url, targets: ['/good?1', '/good?2', 'POST /good', '/bad'], pick: 'once', byRequest: true, expect: { status: 200 }, check: mode.hook('checks/check-path.js') })
  t.strictSame(Object.fromEntries(Object.entries(result.byRequest).map(([name, { count }]) => [name, count])), { 'GET /good': 2, 'POST /good': 1, 'GET /bad': 1 })
  t.match(result.checks.map(({ name, request, passed, failed }) => [name, request, passed, failed]).sort(),
    [['check', 'GET /bad', 1, 0], ['check', 'GET /good', 2, 0], ['check', 'POST /good', 1, 0], ['expect', 'GET /bad', 0, 1], ['expect', 'GET /good', 2, 0], ['expect', 'POST /good', 1, 0]])
  conserves(t, result)
})

inAllModes(t, 'more names than are counted apart: the others together', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, targets: paths(150), pick: 'once', byRequest: true })
  t.equal(Object.keys(result.byRequest).length, 100)
  t.equal(result.byRequest['other requests'].count, 51)
  conserves(t, result)
})

inAllModes(t, 'each [<id>] has a value of its own', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, targets: [{ url: '/[<id>]?b=1', method: 'POST', body: 'a[<id>]b', headers: { 'X-Id': '[<id>]' } }, '/plain'], amount: 40, pipelining: 4, idReplacement: true })
  const ids = server.requests.filter(({ url }) => url !== '/plain').flatMap(request => [request.url.slice(1, -4), request.body.slice(1, -1), ...valuesOf(request, 'x-id')])
  t.equal(ids.length, 60)
  t.equal(new Set(ids).size, 60)
  t.ok(ids.every(id => /^[0-9a-f]{15}-\d{10}$/.test(id)))
  conserves(t, result)
})

t.test('what a closed connection left unanswered is sent again as it was', async t => {
  let n = 0
  const server = await serve(t, (request, response) => {
    if (++n % 3 === 0) response.setHeader('Connection', 'close')
    response.end()
  })
  const result = await run({ url: server.url, targets: paths(40), pick: 'once', pipelining: 5 })
  // The server has read some of them twice.
  t.strictSame([...new Set(urlsOf(server.requests))].sort(), paths(40).sort())
  t.equal(result['2xx'], 40)
  t.ok(result.resent > 0)
  conserves(t, result)
})

t.test('a Client may replace all requests of its connection, and change no single one', async t => {
  const server = await serve(t)
  const result = await run({ url: server.url, targets: paths(5), amount: 4, setupClient: client => client.setRequests([{ path: '/own' }]) })
  t.strictSame(urlsOf(server.requests), new Array(4).fill('/own'))
  conserves(t, result)
  for (const change of [client => client.setHeaders({ a: 'b' }), client => client.setBody('x'), client => client.setRequest({ path: '/x' })]) {
    await t.rejects(run({ url: server.url, targets: paths(5), amount: 4, setupClient: change }), { code: 'AC_HOOK', message: /AC_TARGETS_CLIENT|with targets, a Client can only replace all its requests by setRequests/ })
  }
})

t.test('a warm-up before each once goes over the targets, and the run sends all of them', async t => {
  const server = await serve(t)
  const result = await run({ url: server.url, targets: paths(5), pick: 'once', warmup: { connections: 1, duration: 0.5 } })
  t.equal(result['2xx'], 5)
  t.ok(result.warmup['2xx'] > 5)
})

t.test('one socket for several servers', { skip: process.platform === 'win32' }, async t => {
  const socketPath = path.join(shortFolder(t), 's')
  const server = await serve(t, undefined, socketPath)
  const result = await run({ socketPath, targets: ['http://a/1', 'http://b:81/2', 'http://[::1]/3'], pick: 'once', connections: 3 })
  t.strictSame(server.requests.map(request => [request.url, ...valuesOf(request, 'host')]).sort(), [['/1', 'a'], ['/2', 'b:81'], ['/3', '[::1]']])
  conserves(t, result)
})

t.test('threads share the memory of the list', async t => {
  const server = await serve(t)
  const result = await run({ url: server.url, targets: paths(500), pick: 'once', connections: 4, workers: 2 })
  t.strictSame(urlsOf(server.requests).sort(), paths(500).sort())
  conserves(t, result)
})

t.test('stages of connections go over the targets in order', async t => {
  const server = await serve(t)
  const result = await run({ url: server.url, targets: paths(5), connections: undefined, stages: [{ duration: 0.1, connections: 3 }, { duration: 0.1, connections: 0 }] })
  const got = urlsOf(server.requests)
  const counts = paths(5).map(one => got.filter(url => url === one).length)
  t.ok(Math.max(...counts) - Math.min(...counts) <= 1, counts.join())
  conserves(t, result)
})
