'use strict'

// undici as the client over HTTP/2, and servers that break the protocol: no exception escapes, a dead session is replaced, each error has a code
// that docs/errors.md explains, and every request has one fate.

const http2 = require('node:http2')
const path = require('node:path')
const { once } = require('node:events')
const { execFile } = require('node:child_process')
const t = require('tap')
const autocannon = require('../..')
const { meaningOf } = require('../../lib/core/errors')
const { conserves } = require('../helpers/results/conservation')
const { http2FramesServer } = require('../helpers/servers/http2-frames-server')
const { block, frame } = require('../helpers/servers/http2-server')

/** How many servers are tested at the same time. */
const TOGETHER = 8

const [DATA, HEADERS, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION] = [0, 1, 3, 4, 5, 6, 7, 8, 9]
const [END_STREAM, END_HEADERS, PADDED] = [1, 4, 8]
const OK = block([[':status', '200']])
const ok = id => frame(HEADERS, END_HEADERS | END_STREAM, id, OK)
const head = id => frame(HEADERS, END_HEADERS, id, OK)
const u32 = (...numbers) => Buffer.concat(numbers.map(number => { const bytes = Buffer.alloc(4); bytes.writeUInt32BE(number); return bytes }))

/** The run has a fate for every request, and each error a code that is explained. */
function holds (t, result, name) {
  const { timedOut, failed } = result.fates
  conserves(t, result, { neverSent: result.errors - timedOut - failed })
  t.strictSame(Object.keys(result.errorCodes).filter(code => meaningOf(code) === undefined), [], `${name}: every code is explained`)
}

/** Tests `action` with each item, a few at a time. */
async function forEach (items, action) {
  const rest = [...items]
  await Promise.all(Array.from({ length: TOGETHER }, async () => {
    while (rest.length > 0) await action(rest.shift())
  }))
}

/** Each of them is an error of the whole connection (RFC 9113 §5.4.1). @type {Record<string, (id: number) => Buffer>} */
const BREAKS = {
  'a PING of 1 byte': () => frame(PING, 0, 0, [1]),
  'RST_STREAM on stream 0': () => frame(RST_STREAM, 0, 0, u32(1)),
  'RST_STREAM of 3 bytes': id => frame(RST_STREAM, 0, id, [0, 0, 0]),
  'RST_STREAM on an idle stream': id => frame(RST_STREAM, 0, id + 100, u32(8)),
  'PUSH_PROMISE although it is disabled': id => frame(PUSH_PROMISE, END_HEADERS, id, Buffer.concat([u32(2), OK])),
  'DATA on an idle stream': id => frame(DATA, 0, id + 100, 'x'),
  'DATA on stream 0': () => frame(DATA, 0, 0, 'x'),
  'DATA with more padding than payload': id => Buffer.concat([head(id), frame(DATA, PADDED, id, [200, 1])]),
  'HEADERS on an idle stream': id => ok(id + 100),
  'SETTINGS on a stream': () => frame(SETTINGS, 0, 1),
  'SETTINGS with ENABLE_PUSH 2': () => frame(SETTINGS, 0, 0, [0, 2, 0, 0, 0, 2]),
  'SETTINGS of 5 bytes': () => frame(SETTINGS, 0, 0, [0, 1, 0, 0, 0]),
  'SETTINGS with a window of 2^31': () => frame(SETTINGS, 0, 0, [0, 4, 128, 0, 0, 0]),
  'WINDOW_UPDATE of 0': () => frame(WINDOW_UPDATE, 0, 0, u32(0)),
  'a window above 2^31 - 1': () => frame(WINDOW_UPDATE, 0, 0, u32(2 ** 31 - 1)),
  'CONTINUATION without HEADERS': id => frame(CONTINUATION, END_HEADERS, id, OK),
  'DATA inside of a header block': id => Buffer.concat([frame(HEADERS, 0, id, OK), frame(DATA, 0, id, 'x')]),
  'GOAWAY of 7 bytes': () => frame(GOAWAY, 0, 0, Buffer.alloc(7)),
  'a header block that can not be decoded': id => frame(HEADERS, END_HEADERS | END_STREAM, id, [255, 255, 255]),
  'a frame of 16 MiB': () => Buffer.from([255, 255, 255, 0, 0, 0, 0, 0, 1]),
  garbage: () => Buffer.from('garbage, which is no frame of any kind, again and again and again'),
  'HTTP/1.1': () => Buffer.from('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')
}

t.test('a session that breaks the protocol is replaced, and no request times out for it', async t => {
  const amount = 60
  const cases = Object.entries(BREAKS).flatMap(([name, bytes]) => [{ rate: 150, pipelining: 2 }, { pipelining: 1 }, { pipelining: 3 }].map(opts => ({ name, bytes, opts })))
  await forEach(cases, async ({ name, bytes, opts }) => {
    const broken = new Set()
    const server = await http2FramesServer(t, (connection, id) => {
      const { index, socket, requests } = connection
      // It ignores the connection from then on, as a server would that knows nothing of the fault.
      if (broken.has(index)) return
      if (index > 1 || requests < 3) return socket.write(ok(id))
      broken.add(index)
      socket.write(bytes(id))
    })
    const result = await autocannon({ url: server.url, client: 'undici', http: '2', connections: 1, amount, duration: 60, timeout: 30, ...opts })
    const label = `${name}, ${JSON.stringify(opts)}: ${JSON.stringify([result.fates, result.errorCodes, result.resent])}`
    t.equal(result.timeouts, 0, label)
    t.equal(server.connections.length, 3, `${label}: two sessions are replaced`)
    t.ok(result.fates.failed <= 2 * opts.pipelining, label)
    t.equal(result.fates.completed, amount - result.fates.failed, label)
    holds(t, result, label)
    server.close()
  })
})

t.test('garbage collection after DATA inside of a header block does not abort the process', async t => {
  const server = await http2FramesServer(t, (connection, id) => {
    const { index, socket, requests } = connection
    // The dead sessions end in the turn of a timer, and garbage is collected in the next timer.
    if (index > 3 || requests < 3) socket.write(ok(id))
    else if (requests === 3) socket.write(BREAKS['DATA inside of a header block'](id))
  })
  const options = { url: server.url, client: 'undici', http: '2', connections: 4, amount: 200, duration: 30, timeout: 30 }
  const script = `
    setInterval(gc, 3).unref()
    require(${JSON.stringify(path.join(__dirname, '../..'))})(${JSON.stringify(options)}).then(({ fates, errorCodes }) => console.log(JSON.stringify({ fates, errorCodes })))`
  /** @type {[Error | null, string, string]} */
  const [error, stdout, stderr] = await new Promise(resolve => execFile(process.execPath, ['--expose-gc', '-e', script], (...args) => resolve(args)))
  t.equal(error, null, stderr)
  const { fates, errorCodes } = JSON.parse(stdout || '{}')
  t.match([fates, errorCodes], [{ completed: 196, failed: 4 }, { AC_UNDICI_SESSION: 4 }])
})

t.test('a server that breaks each connection gets new ones at a bounded rate', async t => {
  const name = 'a PING of 1 byte'
  const cases = [name, 'GOAWAY of 7 bytes', 'a header block that can not be decoded', 'garbage']
  await forEach(cases, async name => {
    const server = await http2FramesServer(t, ({ socket }, id) => socket.write(BREAKS[name](id)))
    const result = await autocannon({ url: server.url, client: 'undici', http: '2', connections: 1, pipelining: 2, duration: 1, timeout: 30 })
    // Pauses of 10, 20, 40 … 200 ms.
    t.ok(server.connections.length >= 2 && server.connections.length <= 12, `${name}: ${server.connections.length} connections`)
    t.equal(result.fates.completed, 0)
    holds(t, result, name)
  })
})

t.test('a slow server keeps its connection, although it is silent and acknowledges no PING', async t => {
  const server = await http2FramesServer(t, ({ socket }, id) => { setTimeout(() => socket.write(ok(id)), 700) })
  const result = await autocannon({ url: server.url, client: 'undici', http: '2', connections: 1, pipelining: 2, amount: 4, timeout: 30 })
  t.strictSame([result.fates.completed, server.connections.length], [4, 1])
  holds(t, result, 'slow')
})

t.test('requests that wait in undici while their session ends do not end the process', async t => {
  // nghttp2 refuses such a header, and Node.js closes the session. undici sends a POST when the one before it has ended: on that session.
  const server = http2.createServer((request, response) => { response.end('hello') })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const url = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/`
  for (const method of ['GET', 'POST']) {
    const result = await autocannon({ url, client: 'undici', http: '2', connections: 1, pipelining: 3, amount: 9, method, headers: { 'x-large': 'x'.repeat(70_000) } })
    t.equal(result.fates.failed, 9, JSON.stringify(result.errorCodes))
    holds(t, result, method)
  }
})
