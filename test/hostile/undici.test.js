'use strict'

// undici as the client, and servers that lie, end or vanish: every request has one fate, and every run its end.

const { readFileSync } = require('node:fs')
const http2 = require('node:http2')
const net = require('node:net')
const path = require('node:path')
const { once } = require('node:events')
const t = require('tap')
const { Agent } = require('undici')
const autocannon = require('../..')
const { conserves } = require('../helpers/results/conservation')
const { Http2Server, block, frame } = require('../helpers/servers/http2-server')
const { rawServer, answer } = require('../helpers/servers/raw-server')

/** @param {Record<string, any>} opts */
const run = opts => autocannon({ client: 'undici', connections: 2, timeout: 10, ...opts })

const HEAD = 'HTTP/1.1 200 OK\r\n'

/** What each does with a request, and what may become of requests then. @type {Record<string, [script: any, codes: string[]]>} */
const LIES = {
  garbage: ['\0\x01\x02 what?\r\n\r\n', ['HTTPParserError']],
  'nothing, and a reset': [(/** @type {any} */ connection) => connection.reset(), ['ECONNRESET', 'UND_ERR_SOCKET']],
  'nothing, and an end': [(/** @type {any} */ connection) => connection.end(), ['UND_ERR_SOCKET']],
  'half of a head, and an end': [(/** @type {any} */ connection) => connection.send('HTTP/1.1 200 O').end(), ['UND_ERR_SOCKET']],
  'half of a body, and an end': [(/** @type {any} */ connection) => connection.send(`${HEAD}Content-Length: 10\r\n\r\nhalf`).end(), ['UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']],
  'half of a chunk, and a reset': [(/** @type {any} */ connection) => connection.send(`${HEAD}Transfer-Encoding: chunked\r\n\r\nff\r\nab`).reset(), ['ECONNRESET', 'UND_ERR_SOCKET']],
  'two lengths': [`${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, ['HTTPParserError', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']],
  'a chunk size that is none': [`${HEAD}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`, ['HTTPParserError']],
  'a head without an end': [`${HEAD}${'X-A: bbbbbbbbbbbbbbbbbbbb\r\n'.repeat(2000)}`, ['UND_ERR_HEADERS_OVERFLOW']],
  'an upgrade without a request': ['HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n', ['UND_ERR_SOCKET']],
  '100 without an end': ['HTTP/1.1 100 Continue\r\n\r\n', ['UND_ERR_SOCKET']],
  'status 099': ['HTTP/1.1 099 Low\r\nContent-Length: 2\r\n\r\nok', ['AC_STATUS_LINE']],
  'status 000': ['HTTP/1.1 000 Zero\r\nContent-Length: 0\r\n\r\n', ['AC_STATUS_LINE']],
  silence: [() => {}, ['AC_TIMEOUT', 'AC_BEHIND_TIMEOUT']],
  'a body without an end': [`${HEAD}Content-Length: 100000\r\n\r\nabc`, ['AC_TIMEOUT', 'AC_BEHIND_TIMEOUT']]
}

for (const [name, [script, codes]] of Object.entries(LIES)) {
  t.test(`a server that answers by ${name}: each request fails once, and the run ends`, async t => {
    const server = await rawServer(t, script)
    for (const pipelining of [1, 3]) {
      const result = await run({ url: server.url, amount: 6, pipelining, timeout: codes.includes('AC_TIMEOUT') ? 0.3 : 10, requests: [{ onResponse () {} }] })
      t.equal(result.fates.completed, 0)
      t.strictSame(Object.keys(result.errorCodes).filter(code => ![...codes, 'AC_CLOSED'].includes(code)), [], `${Object.keys(result.errorCodes)}`)
      conserves(t, result, { arrived: result.fates.sent + result.resent })
    }
  })
}

t.test('a reused HTTP/1.1 connection that the server ends', async t => {
  const KEY = readFileSync(path.join(__dirname, '../fixtures/tls/key.pem'))
  const CERT = readFileSync(path.join(__dirname, '../fixtures/tls/cert.pem'))
  /** What arrives before the end, and whether the response has begun by that. @type {Record<string, [string, boolean]>} */
  const BROUGHT = { 'no byte': ['', false], 'one byte': ['H', true], 'an interim response': ['HTTP/1.1 103 Early Hints\r\n\r\n', true], 'half of a body': [answer('hello').slice(0, -2), true] }
  for (const [scheme, options] of /** @type {Array<[string, {}]>} */ ([['HTTP', {}], ['HTTPS', { tls: { key: KEY, cert: CERT } }]])) {
    for (const [how, end, code] of /** @type {Array<[string, (connection: any) => void, string]>} */ ([
      ['FIN', connection => connection.end(), 'UND_ERR_SOCKET'],
      ['RST', connection => connection.reset(), 'ECONNRESET']
    ])) {
      for (const [name, [bytes, begun]] of Object.entries(BROUGHT)) {
        for (const [method, pipelining] of /** @type {Array<[string, number]>} */ ([['GET', 1], ['GET', 3], ['PUT', 1], ['DELETE', 1], ['POST', 1]])) {
          t.test(`${scheme}, ${how} after ${name}, ${method}, depth ${pipelining}`, async t => {
            const server = await rawServer(t, [(connection, { index }) => {
              if (index === 0) connection.send(answer())
              else if (index === pipelining) end(bytes === '' ? connection : connection.send(bytes))
            }, answer()], options)
            const result = await run({ url: server.url, connections: 1, method, pipelining, amount: 8, tlsOptions: { rejectUnauthorized: false } })
            const failed = begun || method === 'POST' ? 1 : 0
            t.strictSame(result.errorCodes, failed === 1 ? { [code]: 1 } : {})
            t.equal(result.resent, pipelining - failed)
            t.equal(server.connections.length, 2)
            t.equal(server.requests.length, 8 + result.resent)
            conserves(t, result)
          })
        }
      }
    }
  }

  t.test('sends a POST again that undici had not written, and the PUT before it', async t => {
    const server = await rawServer(t, [(connection, { index }) => index === 0 ? connection.send(answer()) : connection.reset(), answer()])
    const requests = [{ path: '/0' }, { method: 'PUT', path: '/1' }, { method: 'POST', path: '/2' }]
    const result = await run({ url: server.url, connections: 1, requests, pipelining: 3, amount: 3 })
    t.strictSame(server.connections.map(({ requests }) => requests.map(({ head }) => head.split(' ', 2).join(' '))), [['GET /0', 'PUT /1'], ['PUT /1', 'POST /2']])
    t.strictSame(result.errorCodes, {})
    t.equal(result.resent, 2)
    conserves(t, result)
  })

  t.test('fails a request whose new connection ends as well', async t => {
    const server = await rawServer(t, [(connection, { index }) => index === 0 ? connection.send(answer()) : connection.reset(), connection => connection.reset(), answer()])
    const result = await run({ url: server.url, connections: 1, amount: 4 })
    t.strictSame(result.errorCodes, { ECONNRESET: 1 })
    t.match(result, { resent: 1, fates: { completed: 3, failed: 1 } })
    conserves(t, result)
  })

  t.test('while it is idle costs no error', async t => {
    for (const end of [(/** @type {any} */ connection) => connection.end(), (/** @type {any} */ connection) => connection.reset()]) {
      const server = await rawServer(t, connection => end(connection.send(answer())))
      const result = await run({ url: server.url, connections: 1, rate: 20, amount: 6 })
      t.equal(result.errors, 0)
      conserves(t, result)
    }
  })

  t.test('in worker threads: every request of each completes', async t => {
    const server = await rawServer(t, (connection, { index }) => index === 0 ? connection.send(answer()) : connection.reset())
    const result = await run({ url: server.url, workers: 2, amount: 20 })
    t.strictSame(result.fates, { sent: 20, completed: 20, timedOut: 0, failed: 0, abandoned: 0 })
    t.equal(result.resent, 18)
    conserves(t, result, { arrived: server.requests.length })
  })

  t.test('through a dispatcher of the user fails its request: which connection that had is not known', async t => {
    const server = await rawServer(t, [(connection, { index }) => index === 0 ? connection.send(answer()) : connection.reset(), answer()])
    const dispatcher = new Agent({ connections: 1 })
    t.teardown(() => dispatcher.destroy())
    const result = await run({ url: server.url, connections: 1, amount: 4, dispatcher })
    t.strictSame(result.errorCodes, { ECONNRESET: 1 })
    t.equal(result.resent, 0)
    conserves(t, result)
  })
})

t.test('more answers than requests, and answers before any: the connection ends, and the run goes on', async t => {
  const twice = await rawServer(t, answer('a') + answer('b'))
  const result = await run({ url: twice.url, amount: 10 })
  t.equal(result.fates.completed + result.fates.failed, 10)
  conserves(t, result, { arrived: 10 + result.resent })
  const early = await rawServer(t, answer('a'), { onConnection: connection => connection.send(answer('early')) })
  const other = await run({ url: early.url, amount: 10, duration: 1 })
  t.equal(other.fates.sent, other.fates.completed + other.fates.failed)
  conserves(t, other, { arrived: other.fates.sent + other.resent })
})

t.test('a server that closes each connection as soon as it is there ends no run by amount late, and none by time never', async t => {
  const server = await rawServer(t, answer(), { onConnection: connection => connection.end() })
  const result = await run({ url: server.url, amount: 4, duration: 1 })
  conserves(t, result, { neverSent: result.errors - result.fates.failed - result.fates.timedOut, arrived: result.fates.sent + result.resent })
  const timed = await run({ url: server.url, duration: 0.5 })
  conserves(t, timed, { neverSent: timed.errors - timed.fates.failed - timed.fates.timedOut, arrived: timed.fates.sent + timed.resent })
})

t.test('over HTTP/2: streams that are reset, GOAWAY and a session that vanishes', async t => {
  let count = 0
  const server = http2.createServer()
  const sessions = new Set()
  server.on('session', session => { sessions.add(session); session.on('error', () => {}).on('close', () => sessions.delete(session)) })
  server.on('stream', stream => {
    count++
    stream.on('error', () => {})
    const { session } = stream
    if (count % 7 === 3) stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR)
    // A turn later: goaway() within this event corrupts the heap of Node.js 20, which aborts it now and then.
    else if (count % 31 === 30) setImmediate(() => { if (!session.destroyed) session.goaway() })
    else if (count % 53 === 52) session.destroy()
    else if (count % 17 === 16) count++
    else { stream.respond({ ':status': 200, 'x-n': '1' }); stream.end('hello') }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { for (const session of sessions) session.destroy(); server.close() })
  const url = `http://127.0.0.1:${server.address().port}/`
  const result = await run({ url, http: '2', amount: 200, pipelining: 5, timeout: 1, check: ({ body, headers }) => body === 'hello' && headers['x-n'] === '1' })
  t.equal(result.http, '2')
  t.ok(result.fates.completed > 50 && result.fates.failed > 10, JSON.stringify([result.fates, result.errorCodes]))
  t.equal(result.checks[0].failed, 0)
  conserves(t, result, { neverSent: result.errors - result.fates.failed - result.fates.timedOut, arrived: result.fates.sent + result.resent })
})

t.test('over HTTP/2: a status below 100 fails its request once, and other statuses outside 100-599 are counted', async t => {
  for (const [status, errors, completed] of /** @type {Array<[string, Record<string, number>, number]>} */ ([
    ['099', { AC_H2_MALFORMED: 6 }, 0],
    ['000', { AC_H2_MALFORMED: 6 }, 0],
    ['600', {}, 6],
    ['999', {}, 6]
  ])) {
    const server = net.createServer(socket => {
      const peer = new Http2Server(null)
      socket.on('error', () => {}).on('data', bytes => {
        peer.receive(bytes)
        for (const { id } of peer.requests.splice(0)) socket.write(Buffer.concat([frame(1, 4, id, block([[':status', status]])), frame(0, 1, id, 'ok')]))
      })
      socket.write(frame(4, 0, 0))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.teardown(() => server.close())
    const result = await run({ url: `http://127.0.0.1:${server.address().port}/`, http: '2', amount: 6 })
    t.strictSame(result.errorCodes, errors, status)
    t.equal(result.fates.completed, completed)
    t.strictSame(result.statusCodeStats, completed > 0 ? { [status]: { count: completed } } : {})
    conserves(t, result, { arrived: 6 + result.resent })
  }
})
