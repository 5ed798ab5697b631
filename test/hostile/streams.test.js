'use strict'

// Servers whose streams never end, flood, lie or break off: each request has one fate, and memory stays where it is.

const t = require('tap')
const http2 = require('node:http2')
const { once } = require('node:events')
const autocannon = require('../..')
const { conserves } = require('../helpers/results/conservation')
const { rawServer } = require('../helpers/servers/raw-server')

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n'
const run = opts => autocannon({ connections: 1, timeout: 20, stream: 'sse', ...opts })

/** Writes as fast as the peer reads, until the connection is gone. */
function flood (socket, bytes) {
  const more = () => {
    while (socket.writable && socket.write(bytes));
  }
  socket.on('drain', more)
  more()
}

t.test('an event, or what lies between events, that never ends is an error, and takes no memory', async t => {
  for (const text of ['x'.repeat(65_536), ': comment\n'.repeat(5000)]) {
    const server = await rawServer(t, ({ socket }) => {
      socket.write(`${HEAD}\r\ndata: `)
      flood(socket, Buffer.from(text))
    })
    const before = process.memoryUsage.rss()
    const result = await run({ url: server.url, amount: 3 })
    conserves(t, result)
    t.strictSame(result.errorCodes, { AC_EVENT_SIZE: 3 })
    t.match(result.streams, { opened: 3, completed: 0, events: 0, truncated: 3 })
    t.ok(process.memoryUsage.rss() - before < 200 * 1024 * 1024, 'three times 16 MiB were not kept')
  }
})

t.test('a line that never ends', async t => {
  const server = await rawServer(t, ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n{"a":"')
    flood(socket, Buffer.alloc(65_536, 'x'))
  })
  const result = await run({ url: server.url, amount: 2, stream: 'ndjson' })
  conserves(t, result)
  t.strictSame(result.errorCodes, { AC_EVENT_SIZE: 2 })
})

t.test('a flood of events is closed after as many as are wanted', async t => {
  const server = await rawServer(t, ({ socket }) => {
    socket.write(`${HEAD}\r\n`)
    flood(socket, Buffer.from('data: x\n\n'.repeat(7000)))
  })
  const result = await run({ url: server.url, amount: 5, events: 10_000 })
  conserves(t, result)
  t.match(result.streams, { completed: 5, closed: 5, events: 50_000, truncated: 0 })
  t.equal(result.errors, 0)
  t.ok(result.streams.eventsPerRead > 100)
})

t.test('over HTTP/2 frames that a server sends after the reset are ignored, and the connection lives on', async t => {
  const server = http2.createServer().listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  server.on('stream', stream => {
    stream.on('error', () => {})
    stream.respond({ ':status': 200, 'content-type': 'text/event-stream' })
    flood(stream, Buffer.from('data: x\n\n'.repeat(1000)))
  })
  await once(server, 'listening')
  const result = await run({ url: `http://127.0.0.1:${/** @type {any} */ (server.address()).port}`, http: '2', pipelining: 5, amount: 50, events: 10 })
  conserves(t, result)
  t.match(result.streams, { completed: 50, closed: 50, events: 500 })
  t.strictSame([result.errors, result.connect.totalCount], [0, 1])
})

t.test('over HTTP/2 an event without an end, and a stream that falls silent, are one request each: those beside them go on', async t => {
  const server = http2.createServer().listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  server.on('stream', (stream, { ':path': path }) => {
    stream.on('error', () => {})
    stream.respond({ ':status': 200, 'content-type': 'text/event-stream' })
    if (path === '/endless') return flood(stream, Buffer.alloc(65_536, 'x'))
    stream.write('data: x\n\n')
    if (path === '/good') stream.end('data: y\n\n')
  })
  await once(server, 'listening')
  const url = `http://127.0.0.1:${/** @type {any} */ (server.address()).port}`
  const requests = ['/good', '/endless', '/silent'].map(path => ({ path, name: path }))
  const result = await run({ url, http: '2', pipelining: 3, amount: 9, idleTimeout: 1, requests })
  conserves(t, result)
  t.match(result.errorCodes, { AC_EVENT_SIZE: 3, AC_IDLE_TIMEOUT: 3 })
  t.match(result, { errors: 6, timeouts: 3, streams: { opened: 9, completed: 3, events: 9, truncated: 3 } })
  t.match(result.byRequest['/silent'].streams, { opened: 3, events: 3, stalls: 3 })
  t.ok(result.byRequest['/silent'].streams.gap.min >= 1000, 'what was waited for is in the tail')
  t.equal(result.connect.totalCount, 1, 'the connection lives on')
  // Users who share it: a request that is lost ends an iteration.
  const shared = await run({ url, http: '2', pipelining: 3, amount: 9, idleTimeout: 1, scenarios: requests.map(one => ({ name: one.name.slice(1), requests: [one] })) })
  conserves(t, shared)
  t.strictSame(Object.keys(shared.errorCodes).sort(), ['AC_EVENT_SIZE', 'AC_IDLE_TIMEOUT'])
  t.equal(shared.streams.opened, 9)
  t.equal(shared.streams.completed + shared.errors, 9)
  t.equal(shared.connect.totalCount, 1)
})

t.test('empty chunks, one byte in each chunk, and a reset in the middle', async t => {
  const text = ': hi\r\n\r\nevent: x\rdata: 1\r\rdata: 2\n\ndata: cut'
  const chunked = [...Buffer.from(text)].map(byte => `1;x=y\r\n${String.fromCharCode(byte)}\r\n`).join('')
  for (const [name, end, expected] of [
    ['in order', connection => connection.send('0\r\n\r\n'), { completed: 2, errors: 0 }],
    ['by a reset', connection => connection.reset(), { completed: 0, errors: 2 }],
    ['by the end of the connection', connection => connection.end(), { completed: 0, errors: 2 }]
  ]) {
    const server = await rawServer(t, connection => {
      connection.send(`${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunked}`)
      end(connection)
    })
    const result = await run({ url: server.url, amount: 2 })
    conserves(t, result)
    t.match(result, { errors: expected.errors, streams: { opened: 2, completed: expected.completed, events: 4, truncated: 2 } }, name)
  }
})
