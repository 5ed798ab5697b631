'use strict'

// Proxies, in all modes: what they are asked for, and that runs through them are the runs that they are without.

const t = require('tap')
const { readFileSync } = require('node:fs')
const { createSecureServer } = require('node:http2')
const { join } = require('node:path')
const { exitCodeOf } = require('../../../lib/cli/exit-code')
const { overHttp1 } = require('../modes')
const { conserves } = require('../../helpers/results/conservation')
const { rawProxy } = require('../../helpers/servers/raw-proxy')
const { answer, rawServer } = require('../../helpers/servers/raw-server')

const fixture = name => readFileSync(join(__dirname, '../../fixtures/tls', name))
const secure = { key: fixture('key.pem'), cert: fixture('cert.pem') }
const credentials = { user: 'me@home', password: 'a:b%/ä' }
const USERINFO = `${encodeURIComponent(credentials.user)}:${encodeURIComponent(credentials.password)}@`
const BASIC = `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}`

const hostOf = server => new URL(server.url).host

overHttp1(t, 'an HTTP proxy takes requests to http with their whole URL', async (t, mode) => {
  for (const tls of [undefined, secure]) {
    const proxy = await rawServer(t, answer('from the proxy'), { tls })
    const userinfo = tls === undefined ? '' : USERINFO
    const result = await mode.run({ url: 'http://shop.test:81/a?b', amount: 20, pipelining: 2, proxy: proxy.url.replace('://', `://${userinfo}`) })
    t.match(result, { '2xx': 20, errors: 0, proxy: { connect: { totalCount: 2 }, errors: [] } })
    const authorization = tls === undefined ? '' : `Proxy-Authorization: ${BASIC}\r\n`
    t.strictSame([...new Set(proxy.requests.map(({ head }) => head))], [`GET http://shop.test:81/a?b HTTP/1.1\r\nHost: shop.test:81\r\nConnection: keep-alive\r\n${authorization}\r\n`])
    t.ok(result.proxy.connect.max <= result.connect.max)
    t.equal(result.options.proxy, proxy.url.replace('://', tls === undefined ? '://' : '://***@'))
    t.notOk(JSON.stringify(result).includes(encodeURIComponent(credentials.password)))
    conserves(t, result)
  }
})

for (const [kind, tls] of [['http', undefined], ['http', secure], ['socks5', undefined]]) {
  overHttp1(t, `a tunnel through a proxy of ${kind}${tls === undefined ? '' : ' over TLS'} leads to https`, async (t, mode) => {
    const server = await rawServer(t, answer('hi'), { tls: secure })
    const proxy = await rawProxy(t, kind, { tls, credentials })
    const result = await mode.run({ url: server.url, amount: 40, pipelining: 4, proxy: proxy.url(USERINFO) })
    t.match(result, { '2xx': 40, errors: 0, connect: { totalCount: 2 }, proxy: { connect: { totalCount: 2 } }, handshakes: { count: 2 } })
    t.ok(result.proxy.connect.max < result.connect.max, 'TLS with the server is not the proxy')
    t.equal(proxy.asked.length, 2)
    const host = hostOf(server)
    t.equal(proxy.asked[0], kind === 'http' ? `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: ${BASIC}\r\n\r\n` : host)
    t.ok(server.requests.every(({ head }) => !/proxy/i.test(head)), 'the server hears nothing of the proxy')
    conserves(t, result)
  })
}

overHttp1(t, 'a SOCKS proxy leads to http, with and without names that it looks up', async (t, mode) => {
  const server = await rawServer(t, answer('hi'.repeat(1000)))
  const resolve = name => `${name}:${new URL(server.url).port}:127.0.0.1`
  for (const [scheme, url, asked, more] of [['socks5', server.url, hostOf(server)], ['socks5', server.url.replace('127.0.0.1', '127.0.0.9'), hostOf(server), { resolve: resolve('127.0.0.9') }], ['socks5', server.url.replace('127.0.0.1', 'shop.test'), hostOf(server), { resolve: resolve('shop.test') }], ['socks5h', server.url.replace('127.0.0.1', 'localhost'), hostOf(server).replace('127.0.0.1', 'localhost')]]) {
    const proxy = await rawProxy(t, 'socks5')
    const result = await mode.run({ url, amount: 40, pipelining: 4, proxy: proxy.url().replace('socks5', scheme), ...more })
    t.match(result, { '2xx': 40, errors: 0, connect: { totalCount: 2 }, proxy: { connect: { totalCount: 2 } } })
    t.strictSame(proxy.asked, [asked, asked])
    conserves(t, result)
  }
})

overHttp1(t, 'a place other than that of the URL is reached by a tunnel', async (t, mode) => {
  const server = await rawServer(t, answer('hi'))
  const proxy = await rawProxy(t, 'http')
  const result = await mode.run({ url: 'http://shop.test/', amount: 4, connectTo: `shop.test:80:${hostOf(server)}`, proxy: proxy.url() })
  t.match(result, { '2xx': 4, errors: 0 })
  t.ok(proxy.asked.every(head => head.startsWith(`CONNECT ${hostOf(server)} HTTP/1.1\r\n`)))
  t.ok(server.requests.every(({ head }) => head.startsWith('GET / HTTP/1.1\r\nHost: shop.test\r\n')))
  conserves(t, result)
})

overHttp1(t, 'the other protocol and the other client go through tunnels', async (t, mode) => {
  const plain = await rawServer(t, answer('hi'))
  const server = await rawServer(t, answer('hi'), { tls: secure })
  for (const kind of /** @type {const} */ (['http', 'socks5'])) {
    for (const { url } of [plain, server]) {
      const proxy = await rawProxy(t, kind)
      const result = await mode.run({ url, amount: 10, client: 'undici', proxy: proxy.url() })
      t.match(result, { '2xx': 10, errors: 0 }, `${kind} ${url}`)
      t.equal(proxy.asked.length, 2)
      conserves(t, result)
    }
  }
  const h2 = createSecureServer(secure, (request, response) => response.end('hi'))
  const sessions = new Set()
  h2.on('session', session => sessions.add(session))
  await new Promise(resolve => h2.listen(0, '127.0.0.1', () => resolve(undefined)))
  t.teardown(() => {
    for (const session of sessions) session.destroy()
    h2.close()
  })
  const proxy = await rawProxy(t, 'http')
  const result = await mode.run({ url: `https://127.0.0.1:${h2.address().port}`, amount: 40, pipelining: 10, http: '2', proxy: proxy.url() })
  t.match(result, { '2xx': 40, errors: 0 })
  conserves(t, result)
})

overHttp1(t, 'redirects go through the proxy, too, and come back without the origin in their path', async (t, mode) => {
  const seen = []
  const proxy = await rawServer(t, (connection, { head }) => {
    const [, url] = /^GET (\S+) /.exec(head) ?? []
    seen.push(url)
    connection.send(url.endsWith('/a') ? 'HTTP/1.1 302 Found\r\nLocation: b\r\nContent-Length: 0\r\n\r\n' : url.endsWith('/b') ? 'HTTP/1.1 302 Found\r\nLocation: http://other.test/c\r\nContent-Length: 0\r\n\r\n' : answer('there'))
  })
  const result = await mode.run({ url: 'http://shop.test', requests: [{ path: '/x/{{page}}/a' }], data: { page: { rows: [1] } }, amount: 6, redirects: 3, redirectsAnywhere: true, proxy: proxy.url, expect: { body: 'there' } })
  t.match(result, { errors: 0, checks: [{ failed: 0 }] })
  t.strictSame([...new Set(seen)].sort(), ['http://other.test/c', 'http://shop.test/x/1/a', 'http://shop.test/x/1/b'])
  conserves(t, result)
})

overHttp1(t, 'what a proxy refuses is told in its words', async (t, mode) => {
  const proxy = await rawProxy(t, 'http', { credentials })
  const result = await mode.run({ url: 'https://shop.test/', amount: 2, proxy: proxy.url('me:secret@') })
  t.strictSame(result.errorCodes, { AC_PROXY_AUTH: 2 })
  t.strictSame(result.proxy.errors, [{ code: 'AC_PROXY_AUTH', message: `the proxy ${proxy.url()} responded to CONNECT shop.test:443 with 407 Proxy Authentication Required: user or password of its URL are wrong`, count: 2 }])
  t.notOk(JSON.stringify(result).includes('secret'))
  conserves(t, result, { neverSent: 2 })
})

overHttp1(t, 'a 407 is the proxy’s where the proxy takes the requests, and the server’s in a tunnel', async (t, mode) => {
  const refusal = 'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n'
  const forwarding = await rawServer(t, refusal)
  const server = await rawServer(t, refusal, { tls: secure })
  const proxy = await rawProxy(t, 'http')
  for (const [url, through, refused, code] of [['http://shop.test/', forwarding.url, 20, 1], [server.url, proxy.url(), 0, 0]]) {
    const result = await mode.run({ url, amount: 20, proxy: through })
    t.match(result, { '4xx': 20, proxy: { refused } })
    t.equal(exitCodeOf(result), code)
    conserves(t, result)
  }
  t.equal(exitCodeOf(await mode.run({ url: 'http://shop.test/', amount: 20, proxy: forwarding.url, expect: { status: 407 } })), 0, 'what is expected is an answer')
})
