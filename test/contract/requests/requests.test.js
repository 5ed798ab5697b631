'use strict'

// What is sent: method, path, headers and body, from the options, the URL and the requests array.

const t = require('tap')
const { createServer } = require('node:http')
const { once } = require('node:events')
const path = require('node:path')
const { serve, valuesOf } = require('../../helpers/servers/http-server')
const { rawServer, answer } = require('../../helpers/servers/raw-server')
const { conserves } = require('../../helpers/results/conservation')
const { shortFolder } = require('../../helpers/short-folder')
const { byOurClient, inAllModes, overHttp1, run, byConnection } = require('../modes')

/**
 * @param {any} t
 * @param {Record<string, any>} opts
 * @returns {Promise<import('../../helpers/servers/http-server').Got>} the only request of a run
 */
async function sent (t, opts) {
  const server = await serve(t)
  const result = await run({ url: server.url, amount: 1, ...opts })
  conserves(t, result)
  t.equal(server.requests.length, 1)
  return server.requests[0]
}

/**
 * @param {any} t
 * @param {Record<string, any>} opts
 * @param {RegExp} message
 */
const refuses = (t, opts, message) =>
  t.rejects(run({ url: 'http://127.0.0.1:1', amount: 1, ...opts }), { code: 'AC_OPTIONS', message })

overHttp1(t, 'sends GET with Host and keep-alive, and no body, when nothing is said', async (t, mode) => {
  const server = await rawServer(t, answer())
  const result = await mode.run({ url: server.url + 'a/b?c=d%20e', amount: 4 })
  t.equal(server.connections.length, 2)
  for (const { head, body } of server.requests) {
    t.equal(head, `GET /a/b?c=d%20e HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nConnection: keep-alive\r\n\r\n`)
    t.equal(body.length, 0)
  }
  conserves(t, result)
})

t.test('sends the method that is given, registered or not', async t => {
  for (const method of ['DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'PURGE', 'M-SEARCH']) {
    t.equal((await sent(t, { method })).method, method)
  }
  const server = await rawServer(t, answer())
  await run({ url: server.url, amount: 1, method: "x!#$%&'*+-.^_`|~" })
  t.match(server.requests[0].head, /^x!#\$%&'\*\+-\.\^_`\|~ \/ HTTP\/1\.1\r\n/, 'every token is a method')
  for (const method of ['GE T', 'GET\r\n', 'GÉT', '', 5]) await refuses(t, { method }, /^method: expected an HTTP method/)
})

overHttp1(t, 'sends the body with its length, a string as UTF-8', async (t, mode) => {
  const server = await rawServer(t, answer())
  const result = await mode.run({ url: server.url, amount: 4, method: 'POST', body: 'grüße ✓' })
  t.equal(server.requests.length, 4)
  for (const { head, body } of server.requests) {
    t.equal(body.toString(), 'grüße ✓')
    t.match(head, '\r\nContent-Length: 11\r\n')
  }
  conserves(t, result)
})

overHttp1(t, 'sends a Buffer byte by byte', async (t, mode) => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
  const server = await rawServer(t, answer())
  await mode.run({ url: server.url, amount: 2, method: 'PUT', body: bytes })
  await mode.run({ url: server.url, amount: 2, method: 'PUT', requests: [{ body: bytes }] })
  t.equal(server.requests.length, 4)
  t.ok(server.requests.every(({ body }) => body.equals(bytes)))
})

t.test('a method that expects a body says that there is none', async t => {
  for (const method of ['POST', 'PUT', 'PATCH']) t.strictSame(valuesOf(await sent(t, { method }), 'content-length'), ['0'])
  for (const method of ['GET', 'DELETE', 'HEAD']) t.strictSame(valuesOf(await sent(t, { method }), 'content-length'), [])
})

byOurClient(t, 'sends the headers', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, amount: 2, headers: { 'X-One': '1', two: 2 } })
  for (const request of server.requests) {
    t.strictSame(valuesOf(request, 'x-one'), ['1'])
    t.strictSame(valuesOf(request, 'two'), ['2'])
    t.ok(request.rawHeaders.includes(mode.protocol === undefined ? 'X-One' : 'x-one'), 'as they are written, which HTTP/2 knows no capital letters of (RFC 9113 §8.2)')
  }
  conserves(t, result)
})

t.test('sends a header once for each value of an array', async t => {
  t.strictSame(valuesOf(await sent(t, { headers: { accept: ['text/html', 'text/plain'] } }), 'accept'), ['text/html', 'text/plain'])
})

t.test('leaves out a header without a value', async t => {
  const request = await sent(t, { headers: { none: undefined, nothing: null, zero: 0, empty: '' } })
  t.strictSame(request.rawHeaders.slice(4), ['zero', '0', 'empty', ''])
})

t.test('headers that are given take the place of our own', async t => {
  const server = await rawServer(t, answer())
  await run({
    url: server.url.replace('//', '//user:password@'),
    amount: 1,
    method: 'POST',
    body: 'four',
    headers: { hOsT: 'example.test', CONNECTION: 'close', 'content-length': '4', Authorization: 'none' }
  })
  t.equal(server.requests[0].head,
    'POST / HTTP/1.1\r\nhOsT: example.test\r\nCONNECTION: close\r\ncontent-length: 4\r\nAuthorization: none\r\n\r\n')
})

t.test('refuses CR, LF and NUL in header names and values', async t => {
  for (const bad of ['a\r\nx: y', 'a\nx: y', 'a\rb', 'a\0b']) {
    await refuses(t, { headers: { ok: bad } }, /^headers: the value of ok has a line break or a NUL in it$/)
    await refuses(t, { headers: { ok: ['fine', bad] } }, /^headers: the value of ok/)
    await refuses(t, { headers: { [bad]: 'ok' } }, /^headers: .*is not a header name/s)
    await refuses(t, { requests: [{ headers: { ok: bad } }] }, /^requests\[0\]\.headers: the value of ok/)
    await t.rejects(run({ url: 'http://127.0.0.1:1', amount: 1, setupClient: (/** @type {any} */ client) => client.setHeaders({ ok: bad }) }),
      { code: 'AC_HOOK', message: /the value of ok/ })
    const setupRequest = (/** @type {any} */ request) => ({ ...request, headers: { ok: bad } })
    const { url } = await serve(t)
    await t.rejects(run({ url, amount: 1, requests: [{ setupRequest }] }), { code: 'AC_HOOK', message: /the value of ok/ })
  }
})

t.test('a line break in a path adds nothing to the request', async t => {
  const request = await sent(t, { requests: [{ path: '/a b\r\nx: y' }] })
  t.equal(request.url, '/a%20b%0D%0Ax:%20y')
  t.strictSame(valuesOf(request, 'x'), [])
})

inAllModes(t, 'goes through the requests in order, over and over', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, amount: 14, requests: [{ path: '/1' }, { path: '/2' }, { path: '/3' }] })
  const connections = byConnection(server.requests)
  t.equal(connections.length, 2)
  for (const requests of connections) t.strictSame(requests.map(({ url }) => url), ['/1', '/2', '/3', '/1', '/2', '/3', '/1'])
  conserves(t, result)
})

inAllModes(t, 'what a request says wins over the options', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({
    url: server.url + '/default?q',
    method: 'POST',
    body: 'default',
    headers: { 'x-both': 'default', 'x-default': 'default' },
    amount: 10,
    requests: [{ body: 'own' }, { headers: { 'X-Both': 'own', 'x-own': 'own' } }, { method: 'PUT' }, { path: '/own' }, {}]
  })
  for (const requests of byConnection(server.requests)) {
    t.strictSame(requests.map(({ method, url, body }) => [method, url, body]), [
      ['POST', '/default?q', 'own'],
      ['POST', '/default?q', 'default'],
      ['PUT', '/default?q', 'default'],
      ['POST', '/own', 'default'],
      ['POST', '/default?q', 'default']
    ])
    t.strictSame(requests.map(request => ['x-both', 'x-default', 'x-own'].map(name => valuesOf(request, name).join())), [
      ['default', 'default', ''],
      ['own', 'default', 'own'],
      ['default', 'default', ''],
      ['default', 'default', ''],
      ['default', 'default', '']
    ])
  }
  conserves(t, result)
})

inAllModes(t, 'spreads the connections over several URLs', async (t, mode) => {
  const [one, two] = await Promise.all([serve(t), serve(t)])
  const url = [one.url + '/a', two.url + '/b', one.url + '/c', two.url + '/d']
  const result = await mode.run({ url, connections: 8, amount: 40 })
  const urls = [one, two].flatMap(({ requests }) => byConnection(requests)).map(requests => {
    t.equal(new Set(requests.map(({ url }) => url)).size, 1, 'a connection stays with its URL')
    return requests[0].url
  })
  t.strictSame(urls.sort(), ['/a', '/a', '/b', '/b', '/c', '/c', '/d', '/d'])
  t.strictSame(result.url, url)
  conserves(t, result)
})

inAllModes(t, 'every URL has its turn when there are as many as connections', async (t, mode) => {
  const server = await serve(t)
  await mode.run({ url: [server.url + '/a', server.url + '/b'], connections: 2, amount: 10 })
  t.strictSame(byConnection(server.requests).map(([{ url }]) => url).sort(), ['/a', '/b'])
})

t.test('user and password of the URL become basic authorization', async t => {
  const server = await serve(t)
  const authorizations = async (/** @type {string} */ user) => {
    await run({ url: server.url.replace('//', `//${user}@`), amount: 1 })
    return valuesOf(server.requests[server.requests.length - 1], 'authorization')
  }
  t.strictSame(await authorizations('user:password'), ['Basic ' + Buffer.from('user:password').toString('base64')])
  t.strictSame(await authorizations('us%40er:%3A'), ['Basic ' + Buffer.from('us@er::').toString('base64')])
  t.strictSame(await authorizations('user'), ['Basic ' + Buffer.from('user:').toString('base64')])
})

t.test('http:// may be left out of a URL', async t => {
  const server = await serve(t)
  const result = await run({ url: `127.0.0.1:${server.port}/x`, amount: 1 })
  t.equal(result['2xx'], 1)
  t.equal(server.requests[0].url, '/x')
})

t.test('refuses what is no URL for HTTP', async t => {
  await t.rejects(run({ url: undefined }), { code: 'AC_OPTIONS', message: /URL is required/ })
  await t.rejects(run({ socketPath: '/tmp/socket' }), { code: 'AC_OPTIONS', message: /URL is required/ }, 'for a socket, too')
  await t.rejects(run({ url: 'ftp://localhost' }), { code: 'AC_OPTIONS', message: /expected http, https, ws or wss/ })
  await t.rejects(run({ url: 'http://' }), { code: 'AC_OPTIONS', message: /not a URL/ })
  await t.rejects(run({ url: [] }), { code: 'AC_OPTIONS', message: /empty array/ })
})

overHttp1(t, 'an IPv6 address is a host', async (t, mode) => {
  const server = createServer((request, response) => response.end(request.headers.host)).listen(0, '::1')
  try {
    await once(server, 'listening')
  } catch {
    return t.pass('this machine has no IPv6')
  }
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const result = await mode.run({ url: `http://[::1]:${port}/`, amount: 4, expectBody: `[::1]:${port}` })
  t.equal(result['2xx'], 4)
  t.equal(result.mismatches, 0)
  conserves(t, result)
})

inAllModes(t, 'socketPath connects there, for the Host and path of the URL', async (t, mode) => {
  if (process.platform === 'win32') return t.pass('named pipes are not tried')
  const socketPath = path.join(shortFolder(t), 's')
  const server = await serve(t, undefined, socketPath)
  const result = await mode.run({ url: 'http://example.test:81/path', socketPath, amount: 4 })
  t.equal(server.requests.length, 4)
  t.strictSame(valuesOf(server.requests[0], 'host'), ['example.test:81'])
  t.equal(server.requests[0].url, '/path')
  t.equal(result.socketPath, socketPath)
  t.equal(result.url, 'http://example.test:81/path')
  conserves(t, result)
})
