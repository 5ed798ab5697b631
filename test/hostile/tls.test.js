'use strict'

// TLS that goes wrong: at the handshake nothing is sent and each request that would have been is an error with the code of
// OpenSSL or Node.js; later, what is in flight fails as on any connection.
//
// What is verified and when is in test/contract/connections/tls.test.js (self-signed, own authority, client certificates); a plain server, a
// silent one and one that closes in the handshake are in test/net/tls.test.js.

const t = require('tap')
const net = require('node:net')
const { once } = require('node:events')
const { constants } = require('node:crypto')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { setImmediate: turn } = require('node:timers/promises')
const autocannon = require('../..')
const { rawServer, answer } = require('../helpers/servers/raw-server')
const { conserves } = require('../helpers/results/conservation')

// expired.pem is the certificate of cert.pem, valid in 2020 only.
const [key, cert, expired] = ['key', 'cert', 'expired'].map(name => readFileSync(join(__dirname, '..', 'fixtures', 'tls', `${name}.pem`)))

const run = (server, opts) => autocannon({ url: server.url, connections: 1, timeout: 20, ...opts })
const secureServer = (t, script = answer(), options = {}) => rawServer(t, script, { tls: { key, cert, ...options } })

/**
 * What stands between client and server and knows TCP only, so that it can do to a TLS connection what no TLS peer would.
 * @param {(client: net.Socket, upstream: net.Socket) => void} join moves bytes from one to the other
 */
async function between (t, server, join) {
  const sockets = []
  const middle = net.createServer({ allowHalfOpen: true }, client => {
    const upstream = net.connect({ port: new URL(server.url).port, host: '127.0.0.1', allowHalfOpen: true })
    for (const socket of [client, upstream]) socket.setNoDelay().on('error', () => {})
    sockets.push(client, upstream)
    join(client, upstream)
  })
  middle.listen(0, '127.0.0.1')
  await once(middle, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise(resolve => middle.close(resolve))
  })
  return { url: `https://127.0.0.1:${middle.address().port}/`, sockets }
}

/** Moves everything, and tells the server's side of a connection how to do something to the client's socket. */
function wired (clients) {
  return (client, upstream) => {
    clients.push(client)
    client.pipe(upstream)
    upstream.pipe(client, { end: false })
  }
}

/** Later versions of OpenSSL have renamed the alerts that are as old as SSL 3. */
const codesOf = ({ errorCodes }) => Object.fromEntries(Object.entries(errorCodes).map(([code, n]) => [code.replace('SSL/TLS', 'SSLV3'), n]))

/** Once all that was sent has had the time to pass through. */
async function passed () {
  for (let i = 0; i < 10; i++) await turn()
}

t.test('a handshake that fails sends nothing', async t => {
  const strong = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES256-GCM-SHA384' }
  for (const [what, code, options, opts] of [
    ['an expired certificate, verified', 'CERT_HAS_EXPIRED', { cert: expired }, { tlsOptions: { ca: expired } }],
    ['a self-signed certificate, verified', 'DEPTH_ZERO_SELF_SIGNED_CERT', {}, { tlsOptions: { rejectUnauthorized: true } }],
    ['a certificate for another name, verified', 'ERR_TLS_CERT_ALTNAME_INVALID', {}, { tlsOptions: { ca: cert }, servername: 'example.test' }],
    ['a server without our versions of TLS', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', { maxVersion: 'TLSv1.2' }, { tlsOptions: { minVersion: 'TLSv1.3' } }],
    ['a server with newer versions of TLS only', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', { minVersion: 'TLSv1.3' }, { tlsOptions: { maxVersion: 'TLSv1.2' } }],
    ['no common cipher', 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', strong, { tlsOptions: { ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' } }],
    ['a server that speaks HTTP/2 only', 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', { ALPNProtocols: ['h2'] }, {}],
    ['a client certificate that is missing', 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', { requestCert: true, ca: cert, maxVersion: 'TLSv1.2' }, {}]
  ]) {
    t.test(what, async t => {
      const server = await secureServer(t, answer(), options)
      const result = await run(server, { connections: 2, pipelining: 2, amount: 7, ...opts })
      t.strictSame(codesOf(result), { [code]: 7 })
      t.strictSame(result.fates, { sent: 0, completed: 0, timedOut: 0, failed: 0, abandoned: 0 })
      conserves(t, result, { neverSent: 7, arrived: server.requests.length })
    })
  }

  t.test('a reset', async t => {
    const server = await rawServer(t, () => {}, { onConnection: connection => connection.reset() })
    const result = await run({ url: server.url.replace('http:', 'https:') }, { amount: 3 })
    t.strictSame(result.errorCodes, { ECONNRESET: 3 })
    conserves(t, result, { neverSent: 3 })
  })

  t.test('one that stalls in the middle, at the timeout', async t => {
    const server = await secureServer(t)
    const stalling = await between(t, server, (client, upstream) => {
      client.pipe(upstream)
      upstream.once('data', chunk => client.write(chunk.subarray(0, 100)))
    })
    const result = await run(stalling, { timeout: 0.15, pipelining: 2, amount: 4 })
    t.strictSame(result.errorCodes, { AC_CONNECT_TIMEOUT: 4 })
    conserves(t, result, { neverSent: 4, arrived: 0 })
  })
})

t.test('an expired certificate does no harm when nothing is verified', async t => {
  const server = await secureServer(t, answer(), { cert: expired })
  const result = await run(server, { amount: 4 })
  t.equal(result.fates.completed, 4)
  conserves(t, result, { arrived: 4 })
})

t.test('with TLS 1.3 a missing client certificate is known only when the first request is on its way', async t => {
  const server = await secureServer(t, answer(), { requestCert: true, ca: cert, minVersion: 'TLSv1.3' })
  const result = await run(server, { pipelining: 2, amount: 4 })
  t.strictSame(result.errorCodes, { ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 4 })
  t.strictSame(result.fates, { sent: 4, completed: 0, timedOut: 0, failed: 4, abandoned: 0 })
  t.equal(server.requests.length, 0)
  conserves(t, result)
})

t.test('a server that renegotiates', async t => {
  const again = (connection, { index }) => {
    connection.send(answer())
    if (index === 1) connection.socket.renegotiate({}, () => {})
  }

  t.test('is followed', async t => {
    const server = await secureServer(t, again, { maxVersion: 'TLSv1.2' })
    const result = await run(server, { amount: 6 })
    t.equal(server.connections.length, 1)
    t.equal(result.fates.completed, 6)
    conserves(t, result, { arrived: 6 })
  })

  t.test('and is refused fails what is in flight', async t => {
    const server = await secureServer(t, again, { maxVersion: 'TLSv1.2' })
    const result = await run(server, { amount: 6, tlsOptions: { secureOptions: constants.SSL_OP_NO_RENEGOTIATION } })
    // The third one on each connection: the server takes the refusal for a failure.
    t.strictSame(codesOf(result), { ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 2 })
    t.strictSame(result.fates, { sent: 6, completed: 4, timedOut: 0, failed: 2, abandoned: 0 })
    conserves(t, result)
  })
})

t.test('a connection that ends without close_notify', async t => {
  for (const [what, bytes, expected] of [
    ['behind an answer is an orderly end', answer('hello'), { fates: { sent: 3, completed: 3, timedOut: 0, failed: 0, abandoned: 0 }, errorCodes: {}, resent: 3 }],
    ['inside an answer truncates it', answer('hello').slice(0, -1), { fates: { sent: 3, completed: 0, timedOut: 0, failed: 3, abandoned: 0 }, errorCodes: { AC_TRUNCATED: 1, AC_CLOSED: 2 }, resent: 0 }],
    // Node.js does not tell whether there was one, so the body counts as complete (RFC 9112 §9.8 would have it incomplete).
    ['ends a body that lasts until then', 'HTTP/1.1 200 OK\r\n\r\nhello', { fates: { sent: 3, completed: 3, timedOut: 0, failed: 0, abandoned: 0 }, errorCodes: {}, resent: 3 }]
  ]) {
    t.test(what, async t => {
      const clients = []
      const server = await secureServer(t, (connection, { index }) => {
        const depth = 3 - connection.index
        if (index === depth - 1) connection.send(bytes).afterwards(passed).afterwards(() => clients[connection.index].end())
      })
      const cutting = await between(t, server, wired(clients))
      const result = await run(cutting, { pipelining: 3, amount: 3 })
      t.match(result, expected)
      t.strictSame(result.errorCodes, expected.errorCodes)
      conserves(t, result, { arrived: server.requests.length })
    })
  }
})

t.test('bytes that are no TLS in an open connection fail what is in flight', async t => {
  const clients = []
  const server = await secureServer(t, (connection, { index }) => {
    if (index === 2) connection.send(answer()).afterwards(passed).afterwards(() => clients[0].write('HTTP/1.1 200 OK\r\n\r\n'))
  })
  const broken = await between(t, server, wired(clients))
  const result = await run(broken, { pipelining: 3, amount: 3 })
  t.strictSame(result.errorCodes, { ERR_SSL_WRONG_VERSION_NUMBER: 2 })
  t.strictSame(result.fates, { sent: 3, completed: 1, timedOut: 0, failed: 2, abandoned: 0 })
  conserves(t, result, { arrived: 3 })
})
