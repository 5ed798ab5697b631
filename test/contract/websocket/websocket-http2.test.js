'use strict'

// WebSocket over HTTP/2 (RFC 8441): what holds over HTTP/1.1 holds for WebSockets that share connections, against node:http2 and the package `ws`.

const t = require('tap')
const { createServer } = require('node:http2')
const { once } = require('node:events')
const autocannon = require('../../..')
const { cli } = require('../../helpers/processes/cli')
const { conserves } = require('../../helpers/results/conservation')
const { http2WebSocketServer } = require('../../helpers/servers/http2-websocket-server')

const ID = '{"id":{{counter}}}'
const HTTP2 = { http: '2', timeout: 20 }

/** A part of what a run has in its result. */
const none = { unmatched: 0, late: 0, refused: {}, closed: {} }

t.test('WebSockets share connections, in one thread and in two workers', async t => {
  for (const workers of [undefined, 2]) {
    const { url, seen, left } = await http2WebSocketServer(t)
    const result = await autocannon({ ...HTTP2, url, body: ID, match: 'json id', amount: 60, connections: 2, pipelining: 3, workers })
    conserves(t, result, { arrived: seen.messages.length })
    t.match(result, { http: '2', errors: 0, non2xx: 0, requests: { total: 60 }, latency: { totalCount: 60 } })
    t.match(result.websocket, { ...none, opened: 6, sent: 60, received: 60 })
    await left()
    t.strictSame([seen.sessions, seen.requests.length, seen.closes], [2, 6, Array(6).fill(1000)])
    t.equal(new Set(seen.messages).size, 60)
  }
})

t.test('the handshake is an extended CONNECT with the headers of the run', async t => {
  const { url, seen } = await http2WebSocketServer(t, { response: { 'sec-websocket-protocol': 'chat' } })
  const result = await autocannon({ ...HTTP2, url: url.replace('ws://', 'ws://me:pw@'), body: 'hi', amount: 1, connections: 1, subprotocol: 'chat', headers: { Cookie: 'a=1' } })
  conserves(t, result, { arrived: 1 })
  t.match(seen.requests[0], { ':method': 'CONNECT', ':protocol': 'websocket', ':scheme': 'http', ':path': '/chat', 'sec-websocket-version': '13', 'sec-websocket-protocol': 'chat', cookie: 'a=1', authorization: /^Basic / })
  t.notOk('sec-websocket-key' in seen.requests[0])
})

t.test('a WebSocket is reopened after so many messages on the connection that it shares', async t => {
  const { url, seen, left } = await http2WebSocketServer(t)
  const result = await autocannon({ ...HTTP2, url, body: 'hi', amount: 12, connections: 1, pipelining: 2, reconnectRate: 2 })
  conserves(t, result, { arrived: 12 })
  await left()
  t.ok(result.websocket.opened >= 6, `${result.websocket.opened} WebSockets`)
  t.strictSame(new Set(seen.closes), new Set([1000]))
})

t.test('compressed messages, binary ones and pings', async t => {
  const { url, seen } = await http2WebSocketServer(t, { response: { 'sec-websocket-extensions': 'permessage-deflate; server_no_context_takeover; client_no_context_takeover' } })
  const result = await autocannon({ ...HTTP2, url, body: Buffer.alloc(2000, 'a'), amount: 4, connections: 1, compressed: true })
  conserves(t, result, { arrived: 4 })
  t.strictSame([result.errors, result.websocket.compressed, seen.binary, seen.messages[0].length], [0, 1, 4, 2000])
  const pinged = await http2WebSocketServer(t)
  const listened = await autocannon({ url: pinged.url, http: '2', receive: true, connections: 1, pipelining: 2, duration: 1, ping: 0.1 })
  t.ok(listened.websocket.ping.totalCount > 0, 'pings get their pongs')
})

t.test('a feed has gaps and ages', async t => {
  const { url } = await http2WebSocketServer(t, {
    onConnection (socket) {
      const timer = setInterval(() => socket.send(JSON.stringify({ sentAt: Date.now() })), 20)
      socket.on('close', () => clearInterval(timer))
    }
  })
  const result = await autocannon({ ...HTTP2, url, receive: true, age: 'json sentAt', connections: 1, pipelining: 3, duration: 1 })
  t.match(result.websocket, { opened: 3 })
  t.ok(result.streams.events > 3 && result.websocket.age.totalCount > 3)
})

t.test('messages larger than the windows of the server arrive whole, both ways', async t => {
  const { url, seen } = await http2WebSocketServer(t)
  const result = await autocannon({ ...HTTP2, url, body: 'a'.repeat(300_000), amount: 6, connections: 1, pipelining: 2 })
  conserves(t, result, { arrived: 6 })
  t.strictSame(new Set(seen.messages.map(({ length }) => length)), new Set([300_000]))
})

t.test('a server that allows fewer streams gets more connections', async t => {
  const { url, seen } = await http2WebSocketServer(t, { options: { settings: { maxConcurrentStreams: 2 } } })
  const result = await autocannon({ ...HTTP2, url, body: 'hi', amount: 25, connections: 1, pipelining: 5 })
  conserves(t, result, { arrived: 25 })
  t.match(result, { streamLimit: 2, errors: 0, websocket: { opened: 5 } })
  t.equal(seen.sessions, 3)
})

t.test('another status than 2xx is a refused handshake', async t => {
  const { url } = await http2WebSocketServer(t, { handshake: stream => stream.respond({ ':status': 403 }, { endStream: true }) })
  const result = await autocannon({ ...HTTP2, url, body: 'hi', amount: 4, connections: 1, pipelining: 2 })
  t.strictSame(Object.keys(result.errorCodes), ['AC_WS_STATUS'])
  t.ok(result.websocket.refused[403] >= 2)
  t.equal(result.requests.sent, 0)
})

t.test('each refused handshake is an error, however many share a connection', async t => {
  /** @type {Array<[string, (stream: import('node:http2').ServerHttp2Stream) => void]>} */
  const refusals = [
    ['AC_WS_STATUS', stream => stream.respond({ ':status': 403 }, { endStream: true })],
    ['AC_H2_RESET_CANCEL', stream => stream.close(8)]
  ]
  for (const [code, handshake] of refusals) {
    const { url, seen } = await http2WebSocketServer(t, { handshake })
    const result = await autocannon({ ...HTTP2, url, body: 'hi', duration: 0.5, connections: 2, pipelining: 3 })
    t.strictSame(Object.keys(result.errorCodes), [code])
    // Those in flight at the end have no outcome.
    t.ok(result.errors > 0 && result.errors >= seen.requests.length - 6,
      `${result.errors} errors of ${seen.requests.length} handshakes`)
    t.ok(result.errors <= seen.requests.length)
  }
})

t.test('a server without RFC 8441 is one line', async t => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const url = `ws://127.0.0.1:${/** @type {any} */ (server.address()).port}/`
  await t.rejects(autocannon({ ...HTTP2, url, body: 'hi', duration: 20, connections: 2, workers: 2 }), { code: 'AC_WS_HTTP2' })
  const { code, stderr } = await cli(['--http2', '-d', '20', '-b', 'hi', url])
  t.equal(code, 1)
  t.match(stderr, /autocannon: the server does not accept WebSocket over HTTP\/2 \(RFC 8441\)/)
})
