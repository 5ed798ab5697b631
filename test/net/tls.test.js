'use strict'

// HTTP over TLS, end to end: the same engine over another socket. The certificate is self-signed.

const t = require('tap')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const autocannon = require('../..')
const { rawServer, answer } = require('../helpers/servers/raw-server')
const { conserves } = require('../helpers/results/conservation')

const fixture = name => readFileSync(join(__dirname, '..', 'fixtures', 'tls', name))
const secure = { key: fixture('key.pem'), cert: fixture('cert.pem') }

const run = (server, opts) => autocannon({ url: server.url, connections: 1, timeout: 20, ...opts })

for (const [connections, pipelining, amount] of [[1, 1, 10], [3, 1, 10], [1, 10, 95], [4, 8, 1000]]) {
  t.test(`sends ${amount} requests over ${connections} connections of depth ${pipelining}`, async t => {
    const server = await rawServer(t, answer('hello'), { tls: secure })
    const result = await run(server, { connections, pipelining, amount })
    t.match(result.url, /^https:/)
    t.equal(server.requests.length, amount)
    t.equal(server.connections.length, connections)
    t.equal(result.throughput.total, amount * answer('hello').length, 'counts what HTTP says, not what TLS makes of it')
    t.strictSame(result.fates, { sent: amount, completed: amount, timedOut: 0, failed: 0, abandoned: 0 })
    t.ok(server.requests[0].head.includes(`\r\nHost: ${new URL(server.url).host}\r\n`))
    conserves(t, result)
  })
}

t.test('writes all requests at once that one read makes due', async t => {
  const server = await rawServer(t, (connection, { index }) => { if (index % 5 === 4) connection.send(answer().repeat(5)) }, { tls: secure })
  const result = await run(server, { pipelining: 5, amount: 20 })
  t.strictSame(server.connections[0].reads, [5, 5, 5, 5])
  conserves(t, result)
})

t.test('names the server, but not an address', async t => {
  for (const [host, servername] of [['localhost', 'localhost'], ['127.0.0.1', false]]) {
    const server = await rawServer(t, answer(), { tls: secure })
    const result = await autocannon({ url: server.url.replace('127.0.0.1', host), connections: 1, amount: 1 })
    t.equal(server.connections[0].socket.servername, servername)
    conserves(t, result)
  }
})

t.test('offers HTTP/1.1 and nothing else', async t => {
  const server = await rawServer(t, answer(), { tls: { ...secure, ALPNProtocols: ['h2', 'http/1.1'] } })
  const result = await run(server, { amount: 1 })
  t.equal(server.connections[0].socket.alpnProtocol, 'http/1.1')
  t.equal(result.fates.completed, 1)
  conserves(t, result)
})

t.test('reconnects after Connection: close', async t => {
  const server = await rawServer(t, answer('x', 'Connection: close\r\n'), { tls: secure })
  const result = await run(server, { amount: 4 })
  t.equal(server.connections.length, 4)
  t.equal(result.fates.completed, 4)
  conserves(t, result)
})

t.test('counts a response that ends with the connection', async t => {
  const bytes = 'HTTP/1.1 200 OK\r\n\r\nas long as it lasts'
  const server = await rawServer(t, connection => connection.send(bytes).end(), { tls: secure })
  const result = await run(server, { amount: 3 })
  t.equal(server.connections.length, 3)
  t.equal(result.fates.completed, 3)
  t.equal(result.throughput.total, 3 * bytes.length)
  conserves(t, result)
})

t.test('fails the request whose response has begun when the server closes, and sends the next one again', async t => {
  const server = await rawServer(t, (connection, { index }) => {
    if (index === 0) connection.send(answer())
    if (index === 2) connection.send('HTTP/1.1 200').end()
  }, { tls: secure })
  const result = await run(server, { pipelining: 2, amount: 5 })
  t.equal(server.connections.length, 3)
  t.strictSame(result.fates, { sent: 5, completed: 3, timedOut: 0, failed: 2, abandoned: 0 })
  t.strictSame(result.errorCodes, { AC_TRUNCATED: 2 })
  t.equal(result.resent, 2)
  conserves(t, result)
})

t.test('sends a large body whole', async t => {
  const body = Buffer.alloc(1024 * 1024, 'abcdefg')
  const server = await rawServer(t, answer(), { tls: secure })
  const result = await run(server, { method: 'POST', body, pipelining: 4, amount: 8 })
  t.ok(server.requests.every(request => request.body.equals(body)))
  t.equal(result.fates.completed, 8)
  conserves(t, result)
})

t.test('sends nothing to a server that speaks plain HTTP, and says what went wrong', async t => {
  const plain = await rawServer(t, answer(), { onConnection: connection => connection.send(answer()) })
  const result = await run({ url: plain.url.replace('http:', 'https:') }, { connections: 2, amount: 4 })
  t.equal(result.fates.sent, 0)
  t.strictSame(result.errorCodes, { ERR_SSL_WRONG_VERSION_NUMBER: 4 })
  conserves(t, result, { neverSent: 4 })
})

t.test('gives up on a handshake that takes longer than the timeout', async t => {
  const silent = await rawServer(t, () => {})
  const result = await run({ url: silent.url.replace('http:', 'https:') }, { timeout: 0.1, amount: 1 })
  t.equal(result.fates.sent, 0)
  t.strictSame(result.errorCodes, { AC_CONNECT_TIMEOUT: 1 })
  conserves(t, result, { neverSent: 1 })
})

t.test('counts a server that closes inside the handshake as a connection that failed', async t => {
  const server = await rawServer(t, () => {}, { onConnection: connection => connection.end() })
  const result = await run({ url: server.url.replace('http:', 'https:') }, { amount: 2 })
  t.equal(result.fates.sent, 0)
  t.equal(result.errors, 2)
  conserves(t, result, { neverSent: 2 })
})

t.test('stops with requests in flight', async t => {
  const server = await rawServer(t, () => {}, { tls: secure })
  const instance = run(server, { connections: 2, pipelining: 3, duration: 1000 })
  await server.seen(6)
  instance.stop()
  const result = await instance
  t.equal(result.fates.abandoned, 6)
  conserves(t, result)
})
