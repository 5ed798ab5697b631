'use strict'

// What holds when undici sends the requests, and what differs from our own client: bytes, connections, and what servers that lie lead to.

const { once } = require('node:events')
const { readFileSync } = require('node:fs')
const { createServer } = require('node:http')
const { createSecureServer } = require('node:http2')
const path = require('node:path')
const t = require('tap')
const autocannon = require('../../..')
const { Agent, ProxyAgent } = require('undici')
const { conserves } = require('../../helpers/results/conservation')
const { closedPort } = require('../../helpers/servers/http-server')
const { rawServer, answer } = require('../../helpers/servers/raw-server')
const { fixture, overHttp1, run: runHere } = require('../modes')

const [KEY, CERT] = ['key', 'cert'].map(name => readFileSync(path.join(__dirname, `../../fixtures/tls/${name}.pem`)))

const run = (/** @type {Record<string, any>} */ opts) => runHere({ client: 'undici', ...opts })

overHttp1(t, 'undici sends method, path, headers and body as they are given, and adds what it adds', async (t, mode) => {
  const server = await rawServer(t, answer('hello'))
  const result = await mode.run({ client: 'undici', url: server.url + 'a/b?c=d%20e', amount: 4, method: 'PUT', headers: { 'X-Name': 'grüße ✓', x: ['1', '2'] }, body: 'grüße ✓' })
  for (const { head, body } of server.requests) {
    t.equal(Buffer.from(head, 'latin1').toString(), `PUT /a/b?c=d%20e HTTP/1.1\r\nhost: ${new URL(server.url).host}\r\nconnection: keep-alive\r\nX-Name: grüße ✓\r\nx: 1\r\nx: 2\r\ncontent-length: 11\r\n\r\n`)
    t.equal(body.toString(), 'grüße ✓')
  }
  t.equal(server.connections.length, 2)
  t.match(result, { '2xx': 4, errors: 0 })
  conserves(t, result)
})

t.test('requests that may arrive twice are pipelined, others wait for each other', async t => {
  for (const [method, deepest] of /** @type {const} */ ([['GET', 4], ['POST', 1]])) {
    /** @type {any[]} */
    const held = []
    let most = 0
    const server = await rawServer(t, connection => {
      held.push(connection)
      most = Math.max(most, held.length)
      setTimeout(() => held.shift().send(answer('x')), 5)
    })
    const result = await run({ url: server.url, amount: 12, pipelining: 4, method })
    t.equal(most, deepest, method)
    t.equal(server.connections.length, 1)
    conserves(t, result)
  }
})

t.test('hooks and checks get the answer to their own request, headers as they came', async t => {
  const server = await rawServer(t, (connection, { head }) => connection.send(answer(head.split(' ')[1], `X-Path: ${head.split(' ')[1]}\r\nX-Two: 1\r\nX-Two: 2\r\n`)))
  /** @type {any[]} */
  const seen = []
  const requests = ['/a', '/b', '/c'].map(path => ({
    path,
    onResponse: (/** @type {number} */ status, /** @type {string} */ body, /** @type {any} */ context, /** @type {any} */ headers) => seen.push([path, status, body, headers['X-Path'], headers['X-Two']]),
    check: (/** @type {any} */ { body, headers }) => body === path && headers['x-path'] === path
  }))
  const result = await run({ url: server.url, amount: 9, pipelining: 3, requests })
  t.strictSame(seen.slice(0, 3), ['/a', '/b', '/c'].map(path => [path, 200, path, path, ['1', '2']]))
  t.equal(seen.length, 9)
  t.ok(result.checks.every((/** @type {any} */ { failed, passed }) => failed === 0 && passed === 3))
  conserves(t, result)
})

t.test('a request that takes too long is given up with its connection, as undici does', async t => {
  const server = await rawServer(t, (connection, { index }) => { if (index === 0) connection.send(answer()) })
  const result = await run({ url: server.url, amount: 4, timeout: 0.3 })
  t.match(result, { '2xx': 2, timeouts: 2, errorCodes: { AC_TIMEOUT: 2 } })
  t.equal(server.connections.length, 2)
  conserves(t, result)
})

t.test('each connection carries so many requests, by reconnectRate', async t => {
  const server = await rawServer(t, answer())
  const result = await run({ url: server.url, amount: 9, reconnectRate: 3, pipelining: 2 })
  t.strictSame(server.connections.map(({ requests }) => requests.length), [3, 3, 3])
  t.match(result, { '2xx': 9, resent: 0 })
  conserves(t, result)
})

t.test('idempotent requests without a byte of their response are sent again when the server ends a reused connection, others fail by the code of undici', async t => {
  const script = [(connection, { index }) => index === 0 ? connection.send(answer()) : index === 1 && connection.end(), answer()]
  const gets = await run({ url: (await rawServer(t, script)).url, amount: 8, pipelining: 4 })
  t.match(gets, { '2xx': 8, errors: 0 })
  t.ok(gets.resent >= 1 && gets.resent <= 4, `${gets.resent} sent again`)
  conserves(t, gets)
  const posts = await run({ url: (await rawServer(t, script)).url, amount: 8, method: 'POST' })
  t.match(posts, { '2xx': 7, errors: 1, errorCodes: { UND_ERR_SOCKET: 1 }, resent: 0 })
  conserves(t, posts)
})

t.test('a server that is not running is an error of connecting, and no request was sent', async t => {
  const result = await run({ url: `http://127.0.0.1:${await closedPort()}`, amount: 5 })
  t.match(result, { errors: 5, errorCodes: { ECONNREFUSED: 5 }, fates: { sent: 0 } })
  conserves(t, result, { neverSent: 5 })
})

t.test('what undici refuses to send fails, one request at a time', async t => {
  const server = await rawServer(t, answer())
  const result = await run({ url: server.url, amount: 5, requests: [{ setupRequest: (/** @type {any} */ request) => ({ ...request, headers: { Expect: '100-continue' } }) }] })
  t.match(result, { errors: 5, errorCodes: { UND_ERR_NOT_SUPPORTED: 5 }, fates: { failed: 5 } })
  t.equal(server.requests.length, 0)
  conserves(t, result, { arrived: 5 })
})

t.test('what undici does not tell is null, in the result, its samples and its stages', async t => {
  const server = await rawServer(t, answer('hello'))
  const ticks = /** @type {any[]} */ ([])
  const instance = require('../../..')({ client: 'undici', url: server.url, connections: 1, stages: ['100ms:50/s', '100ms:50/s'], sampleInt: 100 })
  instance.on('tick', (/** @type {any} */ tick) => ticks.push(tick.bytes))
  const result = await instance
  t.match(result, { client: 'undici', throughput: null, connect: null })
  t.strictSame(result.series.map((/** @type {any} */ { bytes }) => bytes), result.series.map(() => null))
  t.strictSame(result.byStage.map((/** @type {any} */ { bytes }) => bytes), [null, null])
  t.strictSame(ticks, ticks.map(() => null))
  t.equal((await runHere({ url: server.url, amount: 1 })).client, undefined)
  conserves(t, result)
})

t.test('a threshold on bytes, and headers that undici does not send, are refused in a line', async t => {
  const refuses = (/** @type {Record<string, any>} */ opts, /** @type {RegExp} */ message) => t.rejects(run({ url: 'http://127.0.0.1:1', amount: 1, ...opts }), { code: 'AC_OPTIONS', message })
  await refuses({ thresholds: ['bytes/s > 1MB/s'] }, /^thresholds: 'bytes\/s > 1MB\/s': undici does not report how many bytes it reads; .*$/)
  await refuses({ until: 'bytes/s ±5%' }, /^until: undici does not report/)
  await refuses({ headers: { 'Transfer-Encoding': 'chunked' } }, /^headers: undici sends no Transfer-Encoding of others: omit it, or omit client$/)
  await refuses({ http: '2', method: 'DELETE', body: 'x' }, /^method: over HTTP\/2 undici sends a body only with POST, PUT and PATCH, got one with DELETE/)
  await refuses({ requests: [{}, { headers: { expect: '100-continue' } }] }, /^requests\[1\]\.headers: undici sends no expect/)
})

t.test('a dispatcher of undici sends the requests, with its interceptors', async t => {
  const server = await rawServer(t, (connection, { head }) => connection.send(answer('hello', `X-Got: ${/x-added: (\w+)/i.exec(head)?.[1]}\r\n`)))
  const adding = (/** @type {any} */ dispatch) => (/** @type {any} */ opts, /** @type {any} */ handler) => dispatch({ ...opts, headers: [...opts.headers, 'x-added', 'yes'] }, handler)
  const dispatcher = new Agent({ connections: 2 }).compose(adding)
  t.teardown(() => dispatcher.destroy())
  const result = await run({ url: server.url, dispatcher, amount: 20, connections: 4, check: (/** @type {any} */ { headers, body }) => headers['x-got'] === 'yes' && body === 'hello' })
  t.match(result, { client: 'undici', '2xx': 20, errors: 0, checks: [{ passed: 20, failed: 0 }] })
  t.ok(server.connections.length <= 2, 'as many connections as the dispatcher makes')
  conserves(t, result)
})

t.test('over a dispatcher one request is given up alone, and a server that is not running fails requests', async t => {
  const server = await rawServer(t, (connection, { index }) => index > 0 || connection.index > 0 ? connection.send(answer()) : undefined)
  const dispatcher = new Agent()
  t.teardown(() => dispatcher.destroy())
  const result = await run({ url: server.url, dispatcher, amount: 5, timeout: 0.3 })
  t.match(result, { '2xx': 4, timeouts: 1 })
  conserves(t, result)
  const dead = await run({ url: `http://127.0.0.1:${await closedPort()}`, dispatcher, amount: 5 })
  t.match(dead, { errors: 5, fates: { sent: 5, failed: 5 } })
  conserves(t, dead, { arrived: 5 })
})

t.test('a dispatcher that answers or fails at once does not keep the run from its end', async t => {
  const answers = { dispatch (/** @type {any} */ _, /** @type {any} */ handler) { handler.onConnect(() => {}); handler.onHeaders(200, [], () => {}, ''); handler.onData(Buffer.from('x')); handler.onComplete([]); return true } }
  const throws = { dispatch () { throw Object.assign(new Error('no'), { code: 'UND_ERR_DESTROYED' }) } }
  for (const [dispatcher, fate] of /** @type {const} */ ([[answers, 'completed'], [throws, 'failed']])) {
    const result = await run({ url: 'http://127.0.0.1:1', dispatcher, duration: 0.2, sampleInt: 100 })
    t.ok(result.fates[fate] > 10, fate)
    t.equal(result.fates.sent - result.fates[fate] - result.fates.abandoned, 0)
    conserves(t, result)
  }
})

t.test('a dispatcher that fails a request with anything, or throws it, fails this request', async t => {
  for (const [given, message] of /** @type {Array<[unknown, string]>} */ ([
    [null, 'the dispatcher reported null instead of an error'], ['broken', 'broken'], [{ message: 'like an error' }, 'like an error']
  ])) {
    const dispatchers = {
      reports: { dispatch (/** @type {any} */ _, /** @type {any} */ handler) { setImmediate(() => handler.onError(given)); return true } },
      reports8: { dispatch (/** @type {any} */ _, /** @type {any} */ handler) { setImmediate(() => handler.onResponseError(null, given)); return true } },
      throws: { dispatch () { throw given } }
    }
    for (const [name, dispatcher] of Object.entries(dispatchers)) {
      /** @type {string[]} */
      const messages = []
      const instance = autocannon({ url: 'http://127.0.0.1:1', client: 'undici', dispatcher, connections: 2, amount: 4 })
      instance.on('reqError', (/** @type {Error} */ error) => { messages.push(error.message) })
      t.match(await instance, { errors: 4, errorCodes: { Error: 4 } }, `${name} ${message}`)
      t.match(messages, Array(4).fill(message), `${name} ${message}`)
    }
  }
})

t.test('workers make their own dispatcher from a module, and nothing else is taken', async t => {
  const server = await rawServer(t, answer())
  const result = await run({ url: server.url, dispatcher: fixture('make-dispatcher'), workers: 2, connections: 2, amount: 6 })
  t.match(result, { '2xx': 6, client: 'undici' })
  conserves(t, result)
  const refuses = (/** @type {Record<string, any>} */ opts, /** @type {RegExp} */ message) => t.rejects(run({ url: server.url, amount: 1, ...opts }), { message })
  const dispatcher = new Agent()
  t.teardown(() => dispatcher.destroy())
  await refuses({ dispatcher, workers: 2 }, /^dispatcher: it does not reach a worker thread; give the absolute path of a module/)
  await refuses({ dispatcher, reconnectRate: 1 }, /^dispatcher and reconnectRate: a dispatcher opens its own connections; configure it when it is created$/)
  await refuses({ dispatcher, dns: 'each' }, /^dispatcher and dns: a dispatcher opens its own connections; configure it when it is created$/)
  await refuses({ dispatcher, client: 'autocannon' }, /^dispatcher and client: a dispatcher is one of undici; omit one of them$/)
  await refuses({ dispatcher: { get: 1 } }, /^dispatcher: expected a dispatcher of undici, a function that makes one, or the absolute path of a module/)
  await refuses({ dispatcher: () => ({}) }, /^dispatcher: it gives none: expected a dispatcher of undici, got an object$/)
  await refuses({ dispatcher: '/nowhere/at/all' }, /^dispatcher: the module '\/nowhere\/at\/all' gives none: Cannot find module/)
})

t.test('HTTP/2 over TLS: undici speaks it on the connections that are opened for it, and a stream that takes too long is given up alone', async t => {
  const server = createSecureServer({ key: KEY, cert: CERT, allowHTTP1: true }, (request, response) => { if (request.url !== '/slow') response.end(request.headers['x-id']) })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sessions = /** @type {Set<any>} */ (new Set())
  server.on('session', session => sessions.add(session))
  t.teardown(() => { for (const session of sessions) session.destroy(); server.close() })
  const url = `https://127.0.0.1:${/** @type {any} */ (server.address()).port}/`
  const result = await run({ url, http: '2', amount: 20, pipelining: 5, headers: { 'x-id': 'abc' }, check: (/** @type {any} */ { body }) => body === 'abc' })
  t.match(result, { http: '2', client: 'undici', '2xx': 20, errors: 0, checks: [{ failed: 0 }] })
  t.equal(sessions.size, 1)
  conserves(t, result)
  const slow = await run({ url, http: '2', amount: 6, pipelining: 3, timeout: 0.3, headers: { 'x-id': 'abc' }, requests: [{}, { path: '/slow' }] })
  t.match(slow, { '2xx': 3, timeouts: 3, errorCodes: { AC_TIMEOUT: 3 } })
  t.equal(sessions.size, 2, 'the connection goes on')
  conserves(t, slow)
  const auto = await run({ url, http: 'auto', amount: 2, headers: { 'x-id': 'abc' } })
  t.match(auto, { http: '2', '2xx': 2 })
})

t.test('HTTP/2 to a server that speaks HTTP/1.1 is one code, of every request', async t => {
  const server = await rawServer(t, answer('hello'))
  for (const pipelining of [1, 4]) {
    const result = await run({ url: server.url, http: '2', amount: 12, pipelining })
    t.strictSame(result.errorCodes, { ERR_HTTP2_ERROR: 12 })
    conserves(t, result, { arrived: result.requests.sent + result.resent })
  }
})

t.test('a body that a hook gives to a request which undici sends none with over HTTP/2 fails that request alone', async t => {
  const server = createSecureServer({ key: KEY, cert: CERT }, (request, response) => response.end(request.method))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sessions = /** @type {Set<any>} */ (new Set())
  server.on('session', session => sessions.add(session))
  t.teardown(() => { for (const session of sessions) session.destroy(); server.close() })
  const url = `https://127.0.0.1:${/** @type {any} */ (server.address()).port}/`
  let n = 0
  const setupRequest = (/** @type {any} */ request) => ({ ...request, method: n++ % 2 === 0 ? 'DELETE' : 'POST', body: 'x' })
  const result = await run({ url, http: '2', amount: 8, pipelining: 2, connections: 1, timeout: 2, requests: [{ setupRequest }] })
  t.match(result, { '2xx': 4, errorCodes: { AC_UNDICI_BODY: 4 }, timeouts: 0 })
  t.equal(sessions.size, 1)
  conserves(t, result)
})

t.test('a proxy that refuses a ProxyAgent is told as one, with its status', async t => {
  const server = await rawServer(t, answer())
  for (const [status, code] of /** @type {const} */ ([[407, 'AC_PROXY_AUTH'], [403, 'AC_PROXY_REFUSED'], [502, 'AC_PROXY_UNREACHED']])) {
    const proxy = createServer().on('connect', (_, socket) => socket.on('error', () => {}).end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`)).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const dispatcher = new ProxyAgent({ uri: `http://127.0.0.1:${/** @type {any} */ (proxy.address()).port}` })
    t.teardown(() => { dispatcher.destroy(); proxy.close() })
    const result = await run({ url: server.url, dispatcher, amount: 3, timeout: 5 })
    t.strictSame(result.errorCodes, { [code]: 3 })
    t.match(autocannon.printResult(result), /no connection came about through the proxy\.$/m)
    conserves(t, result, { arrived: 3 })
  }
})
