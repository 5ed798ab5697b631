'use strict'

// Proxies that lie, and what comes in pieces: every error is the proxy's, in one line with its name, and the bytes of the server are the server's.

const t = require('tap')
const http2 = require('node:http2')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { run } = require('../contract/modes')
const { conserves } = require('../helpers/results/conservation')
const { rawProxy } = require('../helpers/servers/raw-proxy')
const { answer, rawServer } = require('../helpers/servers/raw-server')

const fixture = name => readFileSync(join(__dirname, '..', 'fixtures', 'tls', name))
const secure = { key: fixture('key.pem'), cert: fixture('cert.pem') }

/**
 * @param {any} t
 * @param {(socket: import('node:net').Socket, asked: string) => void} lie
 * @param {object} [opts]
 */
async function liedTo (t, lie, opts) {
  const proxy = await rawProxy(t, 'http', { lie })
  const result = await run({ url: 'https://shop.test/', amount: 1, proxy: proxy.url('me:secret@'), ...opts })
  t.notMatch(JSON.stringify(result), /secret|bWU6c2VjcmV0/, 'no credentials')
  conserves(t, result, { neverSent: 1 })
  const [{ code, message, count } = {}] = result.proxy.errors
  t.strictSame(result.errorCodes, { [code]: 1 })
  t.equal(count, 1)
  t.notMatch(message, '\n')
  return [code, message.replace(proxy.url(), 'PROXY')]
}

const says = text => socket => socket.end(text)

for (const [what, lie, code, message] of [
  ['refuses', says('HTTP/1.1 403 Forbidden\r\nContent-Length: 3\r\n\r\nno!'), 'AC_PROXY_REFUSED', 'the proxy PROXY responded to CONNECT shop.test:443 with 403 Forbidden'],
  ['redirects', says('HTTP/1.0 302 \r\nLocation: /\r\n\r\n'), 'AC_PROXY_REFUSED', 'the proxy PROXY responded to CONNECT shop.test:443 with 302'],
  ['does not reach the server', says('HTTP/1.1 502\r\n\r\n'), 'AC_PROXY_UNREACHED', 'the proxy PROXY responded to CONNECT shop.test:443 with 502'],
  ['wants other credentials', says('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'), 'AC_PROXY_AUTH', 'the proxy PROXY responded to CONNECT shop.test:443 with 407 Proxy Authentication Required: user or password of its URL are wrong'],
  ['greets as SSH', says('SSH-2.0-OpenSSH_9\r\n'), 'AC_PROXY_ANSWER', 'the proxy PROXY responded to CONNECT shop.test:443 with no HTTP: SSH-2.0-OpenSSH_9'],
  ['has no status', says('HTTP/1.1 OK\r\n\r\n'), 'AC_PROXY_ANSWER', 'the proxy PROXY responded to CONNECT shop.test:443 with no status line: HTTP/1.1 OK'],
  ['changes the protocol', says('HTTP/1.1 101 Switching Protocols\r\n\r\n'), 'AC_PROXY_ANSWER', 'the proxy PROXY responded to CONNECT shop.test:443 with no status line: HTTP/1.1 101 Switching Protocols'],
  ['echoes', (socket, head) => socket.end(head), 'AC_PROXY_ANSWER', 'the proxy PROXY responded to CONNECT shop.test:443 with no HTTP: CONNECT shop.test:443 HTTP/1.1'],
  ['repeats a secret', says('HTTP/1.1 403 Authorization: Basic bWU6c2VjcmV0\r\n\r\n'), 'AC_PROXY_REFUSED', 'the proxy PROXY responded to CONNECT shop.test:443 with 403 Authorization: ***'],
  ['tries the terminal', says('HTTP/1.1 403 \x1b[31mred\x07\r\n\r\n'), 'AC_PROXY_REFUSED', 'the proxy PROXY responded to CONNECT shop.test:443 with 403 red\\x07'],
  ['never ends its head', socket => socket.write('HTTP/1.1 200 OK\r\n' + 'X: y\r\n'.repeat(5000)), 'AC_PROXY_ANSWER', 'the proxy PROXY responded to CONNECT shop.test:443 with a head of more than 16 KiB: HTTP/1.1 200 OK'],
  ['sends interim answers without an end', socket => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(5000)), 'AC_PROXY_ANSWER', 'the proxy PROXY responded to CONNECT shop.test:443 with a head of more than 16 KiB: HTTP/1.1 103 Early Hints'],
  ['answers by half', says('HTTP/1.1 200 Conn'), 'AC_PROXY_CLOSED', 'the proxy PROXY closed the connection before it responded to the request for shop.test:443'],
  ['closes', socket => socket.end(), 'AC_PROXY_CLOSED', 'the proxy PROXY closed the connection before it responded to the request for shop.test:443'],
  ['breaks off', socket => socket.resetAndDestroy(), 'AC_PROXY_CLOSED', 'the proxy PROXY closed the connection before it responded to the request for shop.test:443: read ECONNRESET']
]) t.test(`a proxy that ${what}`, async t => t.strictSame(await liedTo(t, lie), [code, message]))

t.test('a proxy that says nothing', async t => {
  t.strictSame(await liedTo(t, () => {}, { connectTimeout: 0.1 }), ['AC_PROXY_TIMEOUT', 'the proxy PROXY did not respond to the request for shop.test:443 within the timeout'])
})

t.test('a proxy that is not there, and one of another protocol', async t => {
  const server = await rawServer(t, () => {})
  for (const [proxy, code, message] of [
    ['http://127.0.0.1:1', 'AC_PROXY_CONNECT', 'no connection to the proxy http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1'],
    [server.url.replace('http:', 'https:').slice(0, -1), 'AC_PROXY_TIMEOUT', `the proxy ${server.url.replace('http:', 'https:').slice(0, -1)} did not take the connection within the timeout`]
  ]) {
    const result = await run({ url: 'http://shop.test/', amount: 1, proxy, connectTimeout: 0.1 })
    t.strictSame(result.proxy.errors, [{ code, message, count: 1 }])
    conserves(t, result, { neverSent: 1 })
  }
})

t.test('a tunnel that ends in the TLS handshake is the fault of one of the two', async t => {
  const proxy = await rawProxy(t, 'http', { lie: says('HTTP/1.1 200 OK\r\n\r\n') })
  const result = await run({ url: 'https://shop.test/', amount: 1, proxy: proxy.url() })
  t.strictSame(result.errorCodes, { AC_TUNNEL_CLOSED: 1 })
  conserves(t, result, { neverSent: 1 })
})

t.test('what is wrong with the server behind the tunnel is the server’s', async t => {
  const server = await rawServer(t, answer())
  const proxy = await rawProxy(t, 'http')
  const plain = await run({ url: server.url.replace('http:', 'https:'), amount: 1, connectTimeout: 0.2, proxy: proxy.url() })
  t.strictSame(plain.errorCodes, { AC_CONNECT_TIMEOUT: 1 }, 'it waits for more of what is no request')
  const encrypted = await rawServer(t, answer(), { tls: secure })
  const unknown = await run({ url: encrypted.url, amount: 1, proxy: proxy.url(), tlsOptions: { rejectUnauthorized: true } })
  t.strictSame([Object.keys(unknown.errorCodes), unknown.proxy.errors], [['DEPTH_ZERO_SELF_SIGNED_CERT'], []])
})

for (const [what, bytes, code, message] of [
  ['is no SOCKS', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), 'AC_PROXY_ANSWER', /^the proxy PROXY responded to a request for 127\.0\.0\.1:9 with what is no SOCKS5: /],
  ['wants credentials', Buffer.from([5, 255]), 'AC_PROXY_AUTH', /^the proxy PROXY wants credentials: give user and password in its URL$/],
  ['refuses by its rules', Buffer.from([5, 0, 5, 2, 0, 1, 0, 0, 0, 0, 0, 0]), 'AC_PROXY_REFUSED', /^the proxy PROXY responded to a request for 127\.0\.0\.1:9 with NotAllowed$/],
  ['is refused by the server', Buffer.from([5, 0, 5, 5, 0, 1, 0, 0, 0, 0, 0, 0]), 'AC_PROXY_UNREACHED', /^the proxy PROXY responded to a request for 127\.0\.0\.1:9 with ConnectionRefused$/],
  ['says a reply that there is not', Buffer.from([5, 0, 5, 99, 0, 1, 0, 0, 0, 0, 0, 0]), 'AC_PROXY_ANSWER', /no SOCKS5/],
  ['closes in the middle', Buffer.from([5, 0, 5, 0, 0, 3, 40]), 'AC_PROXY_CLOSED', /^the proxy PROXY closed the connection before it responded to the request for 127\.0\.0\.1:9$/]
]) {
  t.test(`a SOCKS proxy that ${what}`, async t => {
    // All of it at once: the proxy has not read a thing.
    const proxy = await rawServer(t, () => {}, { onConnection: ({ socket }) => socket.end(bytes) })
    const url = proxy.url.slice(0, -1).replace('http:', 'socks5:')
    const result = await run({ url: 'http://127.0.0.1:9/', amount: 1, proxy: url })
    t.strictSame(result.errorCodes, { [code]: 1 })
    t.match(result.proxy.errors[0].message.replace(url, 'PROXY'), message)
    conserves(t, result, { neverSent: 1 })
  })
}

for (const keeps of [true, false]) {
  t.test(`a SOCKS proxy that refuses user and password, and ${keeps ? 'waits' : 'closes'}`, async t => {
    const answers = [Buffer.from([5, 2]), Buffer.from([1, 1])]
    const proxy = await rawServer(t, () => {}, {
      onConnection: ({ socket }) => socket.on('data', () => {
        const answer = answers.shift()
        if (answers.length > 0 || keeps) socket.write(answer)
        else socket.end(answer)
      })
    })
    const url = proxy.url.slice(0, -1).replace('http://', 'socks5://me:secret@')
    const result = await run({ url: 'http://127.0.0.1:9/', amount: 1, timeout: 5, proxy: url })
    t.strictSame(result.errorCodes, { AC_PROXY_AUTH: 1 })
    t.notOk(JSON.stringify(result).includes('secret'))
    conserves(t, result, { neverSent: 1 })
  })
}

t.test('a name too long for SOCKS', async t => {
  const proxy = await rawProxy(t, 'socks5')
  const result = await run({ url: `http://${'a.'.repeat(130)}test/`, amount: 1, proxy: proxy.url().replace('socks5', 'socks5h') })
  t.strictSame(result.errorCodes, { AC_PROXY_REFUSED: 1 })
})

/**
 * A server of HTTP/2 without TLS, which speaks first.
 * @param {any} t
 * @returns {Promise<string>} its URL
 */
async function h2c (t) {
  const server = http2.createServer((request, response) => response.end('hi'))
  const sessions = new Set()
  server.on('session', session => sessions.add(session))
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  t.teardown(() => {
    for (const session of sessions) session.destroy()
    server.close()
  })
  return `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`
}

for (const [kind, length] of [['http', 60], ['socks5', 24]]) {
  t.test(`${kind}: the answer of the proxy and the first bytes of a server that speaks first, in one packet and cut at every offset`, async t => {
    const url = await h2c(t)
    let cuts = 0
    for (let cut = 0; cut <= length; cut++) {
      const proxy = await rawProxy(t, /** @type {any} */ (kind), { joined: true, cut })
      const { '2xx': answered, errors } = await run({ url, http: '2', amount: 2, proxy: proxy.url() })
      if (answered === 2 && errors === 0) cuts++
    }
    t.equal(cuts, length + 1)
  })
}

t.test('what is larger than the shared buffer comes whole through TLS in a tunnel', async t => {
  const body = 'x'.repeat(1_000_000)
  const server = await rawServer(t, answer(body), { tls: secure })
  const proxy = await rawProxy(t, 'http', { tls: secure })
  const result = await run({ url: server.url, amount: 6, proxy: proxy.url(), expectBody: body })
  t.match(result, { '2xx': 6, errors: 0, mismatches: 0 })
  t.equal(result.throughput.total, 6 * answer(body).length)
  conserves(t, result)
})

t.test('connections that are made anew leave nothing behind', async t => {
  const server = await rawServer(t, answer('hi'), { tls: secure })
  for (const kind of /** @type {const} */ (['http', 'socks5'])) {
    const proxy = await rawProxy(t, kind)
    const result = await run({ url: server.url, connections: 2, amount: 60, reconnectRate: 1, proxy: proxy.url() })
    t.match(result, { '2xx': 60, errors: 0 })
    t.equal(proxy.asked.length, 60)
    for (let i = 0; i < 100 && proxy.sockets.size > 0; i++) await new Promise(resolve => setTimeout(resolve, 20))
    t.equal(proxy.sockets.size, 0)
    conserves(t, result)
  }
})
