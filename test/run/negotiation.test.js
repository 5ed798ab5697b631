'use strict'

const t = require('tap')
const http2 = require('node:http2')
const { readFileSync } = require('node:fs')
const net = require('node:net')
const path = require('node:path')
const tls = require('node:tls')
const autocannon = require('../..')

const pem = name => readFileSync(path.join(__dirname, '../fixtures/tls', name))
const HTTP1 = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'

/** @returns {Promise<number>} the port */
const listen = (t, server) => new Promise(resolve => {
  const sockets = new Set()
  server.on('connection', socket => { sockets.add(socket); socket.on('error', () => {}) }).listen(0, '127.0.0.1', () => resolve(server.address().port))
  t.teardown(() => { server.close(); for (const socket of sockets) socket.destroy() })
})

const answering = socket => socket.on('error', () => {}).on('data', () => socket.write(HTTP1))

t.test('http: auto is what the server prefers over TLS, and 1.1 where nothing is asked', async t => {
  const both = await listen(t, http2.createSecureServer({ key: pem('key.pem'), cert: pem('cert.pem'), allowHTTP1: true }, (request, response) => response.end(request.httpVersion)))
  const old = await listen(t, tls.createServer({ key: pem('key.pem'), cert: pem('cert.pem') }, answering))
  const plain = await listen(t, net.createServer(answering))
  const run = url => autocannon({ url, http: 'auto', connections: 1, amount: 3 })
  for (const [url, http] of [[`https://127.0.0.1:${both}`, '2'], [`https://127.0.0.1:${old}`, '1.1'], [`http://127.0.0.1:${plain}`, '1.1'], [[`https://127.0.0.1:${both}`, `https://127.0.0.1:${old}`], '1.1']]) {
    const result = await run(url)
    t.match(result, { http, errors: 0, '2xx': 3 }, `${url}: ${http}`)
  }
})

t.test('http: auto against a server that is not there is told by the run', async t => {
  const result = await autocannon({ url: 'https://127.0.0.1:1', http: 'auto', connections: 1, amount: 1 })
  t.match(result, { http: '1.1', errors: 1, errorCodes: { ECONNREFUSED: 1 } })
})

t.test('a server that is silent is asked for no longer than the connect timeout, and stop() ends it at once', async t => {
  const silent = await listen(t, net.createServer(socket => socket.on('error', () => {}).resume()))
  const url = `https://127.0.0.1:${silent}`
  const before = process.hrtime.bigint()
  const stopped = autocannon({ url, http: 'auto', connections: 1, amount: 1, timeout: 3600 })
  setTimeout(() => stopped.stop(), 50)
  t.match(await stopped, { http: '1.1', requests: { total: 0 } })
  const notices = []
  const slow = autocannon({ url: url.replace('//', '//me:secret@'), http: 'auto', connections: 1, amount: 1, timeout: 3600, connectTimeout: 0.7 })
  slow.on('notice', notice => notices.push(notice))
  const result = await slow
  t.strictSame(notices, [`asking ${url.replace('//', '//***@')} for its preferred HTTP version, for 0.7 s at most; --http 1.1 or --http 2 skips this`, 'the HTTP version that the server prefers is unknown, because a connection to it failed: HTTP/1.1 is used'])
  t.match(result, { http: '1.1', errorCodes: { AC_CONNECT_TIMEOUT: 1 } })
  t.ok(process.hrtime.bigint() - before < 1_800_000_000_000n, 'not the timeout of an hour')
})

t.test('a handshake that is lost is made once more', async t => {
  let lost = 0
  const server = http2.createSecureServer({ key: pem('key.pem'), cert: pem('cert.pem'), allowHTTP1: true }, (request, response) => response.end(request.httpVersion))
  const port = await listen(t, net.createServer(socket => {
    if (lost++ === 0) socket.destroy()
    else server.emit('connection', socket)
  }))
  t.match(await autocannon({ url: `https://127.0.0.1:${port}`, http: 'auto', connections: 1, amount: 3 }), { http: '2', '2xx': 3 })
})

t.test('that a server could not be asked is said', async t => {
  const said = []
  const listener = ({ message }) => said.push(message)
  process.on('warning', listener)
  t.teardown(() => process.off('warning', listener))
  await autocannon({ url: 'https://127.0.0.1:1', http: 'auto', connections: 1, amount: 1 })
  t.match(said, [/the HTTP version that the server prefers is unknown/])
})

t.test('ciphers that OpenSSL does not know are told in our words', async t => {
  await t.rejects(autocannon({ url: 'https://127.0.0.1:1', http: 'auto', ciphers: 'NOPE', connections: 1, amount: 1 }), { code: 'AC_OPTIONS', message: /NOPE/ })
})

t.test('a server that allows fewer streams is said once, with their number', async t => {
  const port = await listen(t, http2.createServer({ settings: { maxConcurrentStreams: 3 } }, (request, response) => response.end('hi')))
  const result = await autocannon({ url: `http://127.0.0.1:${port}`, http: '2', connections: 2, pipelining: 10, amount: 100 })
  t.match(result, { '2xx': 100, errors: 0, streamLimit: 3 })
  const report = autocannon.printResult(result)
  t.match(report, /The server allows 3 streams per connection, fewer than the 10 of -p/)
  const enough = await autocannon({ url: `http://127.0.0.1:${port}`, http: '2', connections: 2, pipelining: 3, amount: 10 })
  t.notOk('streamLimit' in enough)
})

t.test('a run that is stopped before it asks does not ask', async t => {
  const port = await listen(t, net.createServer(socket => { socket.on('error', () => {}).resume() }))
  const instance = autocannon({ url: `https://127.0.0.1:${port}`, http: 'auto', connections: 1, amount: 1, timeout: 3600, connectTimeout: 3600 })
  instance.stop()
  t.match(await instance, { requests: { sent: 0 } })
})
