'use strict'

// What is particular about HTTP/2: what its requests are, what differs from HTTP/1.1, and what becomes of a server that does not speak it.

const t = require('tap')
const { readFileSync } = require('node:fs')
const path = require('node:path')
const { createServer } = require('node:http')
const { createServer: createSecureServer } = require('node:https')
const { once } = require('node:events')
const { cli } = require('../../helpers/processes/cli')
const { serve } = require('../../helpers/servers/http-server')
const { conserves } = require('../../helpers/results/conservation')
const { WITH_WORKERS, byConnection, run: runHere } = require('../modes')

const [cert, key] = ['cert', 'key'].map(name => readFileSync(path.join(__dirname, `../../fixtures/tls/${name}.pem`)))

const run = (/** @type {Record<string, any>} */ opts) => runHere({ http: '2', ...opts })

t.test('method, path, headers and body arrive as they are given, names in small letters, and nothing is added', async t => {
  const server = await serve(t)
  const body = 'grüße ✓'.repeat(50_000)
  const result = await run({ url: server.url + '/a/b?c=d%20e', amount: 4, method: 'PUT', headers: { 'X-Name': 'grüße', x: ['1', '2'], Host: 'shop.test' }, body })
  const [{ rawHeaders, ...request }] = server.requests
  t.match(request, { method: 'PUT', url: '/a/b?c=d%20e', body })
  t.strictSame(rawHeaders.map(text => Buffer.from(text, 'latin1').toString()), ['host', 'shop.test', 'x-name', 'grüße', 'x', '1', 'x', '2', 'content-length', String(Buffer.byteLength(body))])
  t.equal(result.http, '2')
  conserves(t, result)
})

t.test('so many streams are open at once as pipelining says, on each connection', async t => {
  let open = 0
  let most = 0
  /** @type {Array<() => void>} */
  const held = []
  const server = await serve(t, (request, response) => {
    most = Math.max(most, ++open)
    held.push(() => {
      open--
      response.end('ok')
    })
    // Until all are there that may be, or no more come.
    if (most === 14) for (const answer of held.splice(0)) setTimeout(answer, 5)
    else setTimeout(() => { for (const answer of held.splice(0)) answer() }, 1000)
  })
  const result = await run({ url: server.url, amount: 60, connections: 2, pipelining: 7 })
  t.equal(most, 14)
  t.equal(server.connections, 2)
  conserves(t, result)
})

t.test('answers come in the order in which the server has them, each to its own request', async t => {
  /** @type {Array<() => void>} */
  const held = []
  const server = await serve(t, (request, response) => {
    held.push(() => response.end(request.url))
    // A turn apart, also on a busy machine: what is answered in one turn, Node.js may send in another order.
    const next = (/** @type {Array<() => void>} */ [answer, ...others]) => {
      answer()
      if (others.length > 0) setTimeout(next, 20, others)
    }
    if (held.length === 4) next(held.splice(0).reverse())
  })
  /** @type {string[][]} */
  const seen = []
  const requests = ['/a', '/b', '/c', '/d'].map(path => ({ path, expect: { body: path }, onResponse: (/** @type {number} */ status, /** @type {string} */ body) => { seen.push([path, body]) } }))
  const result = await run({ url: server.url, amount: 16, pipelining: 4, requests })
  t.ok(seen.every(([path, body]) => path === body))
  t.strictSame(seen.slice(0, 4).map(([path]) => path), ['/d', '/c', '/b', '/a'])
  t.equal(result.failures, 0)
  conserves(t, result)
})

t.test('a request that takes too long is given up alone, and its connection goes on', async t => {
  const server = await serve(t, (request, response) => { if (server.requests.length !== 2) response.end('ok') })
  const result = await run({ url: server.url, amount: 12, pipelining: 3, timeout: 0.4 })
  t.match(result.fates, { sent: 12, completed: 11, timedOut: 1 })
  t.equal(server.connections, 1)
  conserves(t, result)
})

t.test('a client sees headers in small letters, and no words beside the status', async t => {
  const server = await serve(t, (request, response) => response.writeHead(201, { 'X-A': ['1', '2'] }).end('hello'))
  /** @type {any[]} */
  const seen = []
  const result = await run({ url: server.url, amount: 2, setupClient: (/** @type {any} */ client) => client.on('headers', (/** @type {any} */ head) => seen.push(head)) })
  t.equal(seen.length, 2)
  for (const { statusCode, statusMessage, headers } of seen) {
    t.strictSame([statusCode, statusMessage], [201, ''])
    t.strictSame(headers.slice(0, 4), ['x-a', '1', 'x-a', '2'])
  }
  conserves(t, result)
})

t.test('a client with several streams at once changes nothing, as with pipelining', async t => {
  const server = await serve(t)
  const setupClient = (/** @type {any} */ client) => client.setRequest({ path: '/other' })
  await t.rejects(run({ url: server.url, amount: 4, pipelining: 2, setupClient }), { code: 'AC_HOOK', message: /only while pipelining is 1/ })
  conserves(t, await run({ url: server.url, amount: 4, setupClient }))
  t.strictSame(server.requests.map(({ url }) => url), new Array(4).fill('/other'))
})

t.test('a hook that gives a header of a connection ends the run, by its request', async t => {
  const server = await serve(t)
  const setupRequest = (/** @type {any} */ request) => ({ ...request, path: '/b?secret=1', headers: { 'keep-alive': '5' } })
  await t.rejects(run({ url: server.url, amount: 4, requests: [{ setupRequest }] }), { code: 'AC_H2_HEADER', message: /^GET \/b: keep-alive is a connection-specific header/ })
  const setupClient = (/** @type {any} */ client) => client.setHeaders({ Connection: 'close' })
  await t.rejects(run({ url: server.url, amount: 4, setupClient }), { code: 'AC_HOOK', message: /^setupClient of connection 0 failed: GET \/: Connection is a connection-specific header/ })
  t.equal(server.requests.length, 0)
})

t.test('a recording of HTTP/1.1 or HTTP/2 is sent without what belongs to its connection', async t => {
  const server = await serve(t)
  const headers = [':authority: old', ':path: /old', 'Host: old', 'Connection: keep-alive', 'Keep-Alive: 5', 'Proxy-Connection: x', 'Transfer-Encoding: chunked', 'TE: trailers, gzip', 'Upgrade: h2c', 'HTTP2-Settings: AA', 'Accept: */*']
    .map(line => ({ name: line.slice(0, line.indexOf(':', 1)), value: line.slice(line.indexOf(':', 1) + 2) }))
  const har = { log: { entries: [{ request: { method: 'POST', url: server.url + '/x?y', httpVersion: 'HTTP/2.0', headers, postData: { text: 'body' } } }] } }
  const result = await run({ url: server.url, amount: 2, har })
  for (const { method, url, rawHeaders, body } of server.requests) {
    t.strictSame([method, url, body], ['POST', '/x?y', 'body'])
    t.strictSame(rawHeaders, ['host', server.url.slice('http://'.length), 'accept', '*/*', 'content-length', '4'])
  }
  conserves(t, result)
})

t.test('with workers each has its connections', async t => {
  for (const mode of WITH_WORKERS) {
    const server = await serve(t)
    const result = await mode.run({ url: server.url, http: '2', amount: 40, connections: 4, pipelining: 3, requests: [{ path: '/a', expect: { body: 'ok' } }, { path: '/b' }], onResponse: undefined })
    t.equal(server.connections, 4)
    for (const requests of byConnection(server.requests)) t.strictSame(new Set(requests.map(({ url }) => url)), new Set(['/a', '/b']))
    t.match(result, { http: '2', '2xx': 40, failures: 0 })
    conserves(t, result)
  }
})

t.test('a server that knows only HTTP/1.1 is named in a line, and the run fails', async t => {
  const server = await serve(t)
  const http1 = createServer((request, response) => response.end('ok'))
  const https1 = createSecureServer({ cert, key }, (request, response) => response.end('ok'))
  for (const one of [http1, https1]) {
    await once(one.listen(0, '127.0.0.1'), 'listening')
    t.teardown(() => {
      one.close()
      one.closeAllConnections()
    })
  }
  for (const [url, reason, advice] of /** @type {Array<[string, string, RegExp]>} */ ([
    [`http://127.0.0.1:${http1.address().port}`, 'AC_H2_HTTP1: the server speaks HTTP/1, not HTTP/2', /speaks HTTP\/1, not HTTP\/2\. Omit --http2, or, if it expects TLS, try https:/],
    [`https://127.0.0.1:${https1.address().port}`, 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: the server supports none of the offered protocols (ALPN)', /speaks HTTP\/1, not HTTP\/2\. Omit --http2, or use --http auto\./]
  ])) {
    const { code, stderr } = await cli(['--http2', '-c', '2', '-a', '2', url])
    t.equal(code, 1)
    t.match(stderr, `2 errors:\n  2 × ${reason}\n`)
    t.match(stderr, `✗ Failed, exit code 1: the server at ${url} speaks HTTP/1, not HTTP/2. `)
    t.match(stderr, advice)
  }
  const { code, stderr } = await cli(['--http2', '-c', '2', '-p', '3', '-a', '6', server.url])
  t.equal(code, 0)
  t.match(stderr, '2 connections with 3 streams each, over HTTP/2\n')
})
