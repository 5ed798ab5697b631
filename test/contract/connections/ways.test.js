'use strict'

// The ways to a server: other addresses for its name, and the own address of connections.

const t = require('tap')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { overHttp1, run } = require('../modes')
const { conserves } = require('../../helpers/results/conservation')
const { answer, rawServer } = require('../../helpers/servers/raw-server')

const fixture = name => readFileSync(join(__dirname, '../../fixtures/tls', name))
const secure = { key: fixture('key.pem'), cert: fixture('cert.pem') }
/** Addresses other than 127.0.0.1 of the machine itself are there on Linux without setting them up. */
const where = process.platform === 'linux' ? overHttp1 : (t, name) => t.test(name, { skip: 'one loopback address only' }, async () => {})

const portOf = server => Number(new URL(server.url).port)

overHttp1(t, 'connections go to another address and port, and the server is called as in the URL', async (t, mode) => {
  for (const tls of [undefined, secure]) {
    const server = await rawServer(t, answer('hi'), { tls })
    const scheme = tls === undefined ? 'http' : 'https'
    const result = await mode.run({ url: `${scheme}://shop.test:81/a`, amount: 20, connectTo: `shop.test:81:127.0.0.1:${portOf(server)}` })
    t.match(result, { '2xx': 20, errors: 0, options: { connectTo: [`shop.test:81:127.0.0.1:${portOf(server)}`] } })
    t.ok(server.requests.every(({ head }) => head.startsWith('GET /a HTTP/1.1\r\nHost: shop.test:81\r\n')))
    if (tls !== undefined) t.ok(server.connections.every(({ socket }) => socket.servername === 'shop.test'))
    conserves(t, result)
  }
})

where(t, 'a name that is resolved by the options needs no name server, and its addresses take turns', async (t, mode) => {
  const first = await rawServer(t, answer('hi'))
  const second = await rawServer(t, answer('hi'), { host: '127.0.0.2', port: portOf(first) })
  const result = await mode.run({ url: `http://shop.test:${portOf(first)}`, connections: 8, amount: 80, resolve: `shop.test:${portOf(first)}:127.0.0.1,127.0.0.2` })
  t.match(result, { '2xx': 80, errors: 0 })
  t.strictSame([first.connections.length, second.connections.length], [4, 4])
  conserves(t, result)
})

where(t, 'local addresses take turns over connections', async (t, mode) => {
  const server = await rawServer(t, answer('hi'))
  const from = new Map()
  server.server.on('connection', ({ remoteAddress }) => from.set(remoteAddress, (from.get(remoteAddress) ?? 0) + 1))
  const result = await mode.run({ url: server.url, connections: 8, amount: 80, localAddress: '127.0.0.2,127.0.0.3' })
  t.match(result, { '2xx': 80, errors: 0, options: { localAddress: ['127.0.0.2', '127.0.0.3'] } })
  t.strictSame([...from].sort(), [['127.0.0.2', 4], ['127.0.0.3', 4]])
  conserves(t, result)
})

overHttp1(t, 'an address of another machine is one error before the run', async (t, mode) => {
  await t.rejects(mode.run({ url: 'http://127.0.0.1:9', localAddress: '192.0.2.1' }), { code: 'AC_OPTIONS', message: '192.0.2.1 cannot be the local address of connections: it is no address of this machine' })
})

t.test('an attempt to connect has a time of its own', async t => {
  // It takes connections and never greets: the TLS handshake hangs.
  const server = await rawServer(t, () => {})
  const result = await run({ url: server.url.replace('http:', 'https:'), amount: 1, connectTimeout: 0.1 })
  t.match(result, { errors: 1, errorCodes: { AC_CONNECT_TIMEOUT: 1 } })
  conserves(t, result, { neverSent: 1 })
  // An answer has all the time that it had.
  const slow = await rawServer(t, connection => connection.afterwards(() => new Promise(resolve => setTimeout(resolve, 300))).send(answer()))
  t.match(await run({ url: slow.url, amount: 1, connectTimeout: 0.1 }), { '2xx': 1, errors: 0 })
})
