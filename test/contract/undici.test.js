'use strict'

// What holds when undici sends the requests, and what differs from our own client: bytes, connections, and what servers that lie lead to.

const t = require('tap')
const { conserves } = require('../helpers/conservation')
const { rawServer, answer } = require('../helpers/raw-server')
const { overHttp1, run: runHere } = require('./modes')

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

t.test('a request that the server answers by an end is failed by the code of undici, and those behind it are sent again', async t => {
  const server = await rawServer(t, [(connection, { index }) => index === 0 ? connection.send(answer()) : index === 1 && connection.end(), answer()])
  const result = await run({ url: server.url, amount: 8, pipelining: 4 })
  t.match(result, { '2xx': 7, errors: 1, errorCodes: { UND_ERR_SOCKET: 1 } })
  conserves(t, result)
})

t.test('a server that nobody runs is an error of connecting, and no request was sent', async t => {
  const server = await rawServer(t, answer())
  const { url } = server
  await server.close()
  const result = await run({ url, amount: 5 })
  t.match(result, { errors: 5, errorCodes: { ECONNREFUSED: 5 }, fates: { sent: 0 } })
  conserves(t, result, { neverSent: 5 })
})

t.test('what undici refuses to send fails, one request at a time', async t => {
  const server = await rawServer(t, answer())
  const result = await run({ url: server.url, amount: 5, headers: { Expect: '100-continue' } })
  t.match(result, { errors: 5, errorCodes: { UND_ERR_NOT_SUPPORTED: 5 }, fates: { failed: 5 } })
  t.equal(server.requests.length, 0)
  conserves(t, result, { arrived: 5 })
})
