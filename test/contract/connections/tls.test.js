'use strict'

// HTTPS: what is verified, which name is asked for, and what is passed on to tls.connect. The certificate of
// test/fixtures/tls is its own authority and is made out to localhost and 127.0.0.1.

const t = require('tap')
const { readFileSync } = require('node:fs')
const path = require('node:path')
const { cli } = require('../../helpers/processes/cli')
const { rawServer, answer } = require('../../helpers/servers/raw-server')
const { conserves } = require('../../helpers/results/conservation')
const { overHttp1, run, fixture } = require('../modes')

const CERT = path.join(__dirname, '../../fixtures/tls/cert.pem')
const KEY = path.join(__dirname, '../../fixtures/tls/key.pem')
const OTHER_CA = fixture('other-ca.pem')

const [cert, key, otherCa] = [CERT, KEY, OTHER_CA].map(file => readFileSync(file))

/**
 * @param {any} t
 * @param {import('node:tls').TlsOptions} [options]
 */
async function secureServer (t, options) {
  /** @type {any[]} what the server knows of each connection; a closed socket has forgotten it */
  const sockets = []
  const server = await rawServer(t, answer('secure'), {
    tls: { cert, key, ...options },
    onConnection ({ socket }) {
      const secure = /** @type {import('node:tls').TLSSocket} */ (socket)
      sockets.push({ name: /** @type {any} */ (secure).servername, protocol: secure.getProtocol(), peer: secure.getPeerCertificate().subject?.CN })
    }
  })
  return { server, sockets, url: server.url.replace('127.0.0.1', 'localhost') }
}

/**
 * @param {...string} argv
 * @returns {Promise<Record<string, any>>} the result of two requests, or of as many failures
 */
async function json (...argv) {
  const { stdout, stderr } = await cli(['--json', '-c', '1', '-a', '2', ...argv])
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

overHttp1(t, 'a certificate is not verified when nothing is said', async (t, mode) => {
  const { url } = await secureServer(t)
  const result = await mode.run({ url, amount: 10 })
  t.equal(result['2xx'], 10)
  t.equal(result.errors, 0)
  conserves(t, result)
})

overHttp1(t, 'rejectUnauthorized is obeyed', async (t, mode) => {
  const { url } = await secureServer(t)
  const result = await mode.run({ url, amount: 4, tlsOptions: { rejectUnauthorized: true } })
  t.equal(result['2xx'], 0)
  t.strictSame(result.errorCodes, { DEPTH_ZERO_SELF_SIGNED_CERT: 4 })
  conserves(t, result, { neverSent: 4 })
  const careless = await mode.run({ url, amount: 4, tlsOptions: { ca: otherCa, rejectUnauthorized: false } })
  t.equal(careless['2xx'], 4)
  conserves(t, careless)
})

overHttp1(t, 'a ca implies verification', async (t, mode) => {
  const { url } = await secureServer(t)
  const trusted = await mode.run({ url, amount: 4, tlsOptions: { ca: cert } })
  t.equal(trusted['2xx'], 4)
  t.equal(trusted.errors, 0)
  const strange = await mode.run({ url, amount: 4, tlsOptions: { ca: otherCa } })
  t.equal(strange['2xx'], 0)
  t.equal(strange.errors, 4)
  const several = await mode.run({ url, amount: 4, tlsOptions: { ca: [otherCa, cert] } })
  t.equal(several['2xx'], 4)
})

t.test('--ca takes a file, and several', async t => {
  const { url } = await secureServer(t)
  const [trusted, strange, several] = await Promise.all([json('--ca', CERT, url), json('--ca', OTHER_CA, url), json('--ca', OTHER_CA, '--ca', CERT, url)])
  t.equal(trusted['2xx'], 2)
  t.equal(strange['2xx'], 0)
  t.match(strange, { errors: 2, errorCodes: { DEPTH_ZERO_SELF_SIGNED_CERT: 2 } })
  t.equal(several['2xx'], 2)
})

t.test('--cert and --key show a certificate to the server', async t => {
  const { sockets, url } = await secureServer(t, { requestCert: true, rejectUnauthorized: true, ca: cert })
  const [known, unknown] = await Promise.all([json('--cert', CERT, '--key', KEY, url), json(url)])
  t.equal(known['2xx'], 2)
  t.equal(unknown['2xx'], 0)
  t.match(sockets, [{ peer: 'localhost' }])
  t.equal(sockets.length, 1)
})

t.test('--cert, --key and --ca say which file can not be read', async t => {
  for (const flag of ['--cert', '--key', '--ca']) {
    const { code, stderr } = await cli([flag, '/no/such/file.pem', 'https://localhost:1'])
    t.equal(code, 2)
    t.match(stderr, `autocannon: ${flag}: could not read the file '/no/such/file.pem'`)
  }
})

overHttp1(t, 'the server name is the host of the URL, unless that is an address', async (t, mode) => {
  const { sockets, url } = await secureServer(t)
  await mode.run({ url, amount: 2 })
  await mode.run({ url: url.replace('localhost', '127.0.0.1'), amount: 2 })
  t.strictSame(sockets.map(({ name }) => name), ['localhost', 'localhost', false, false])
})

overHttp1(t, 'servername is the server name', async (t, mode) => {
  const { server, sockets, url } = await secureServer(t)
  await mode.run({ url: url.replace('localhost', '127.0.0.1'), amount: 2, servername: 'example.test' })
  t.strictSame(sockets.map(({ name }) => name), ['example.test', 'example.test'])
  t.match(server.requests[0].head, /\r\nHost: 127\.0\.0\.1:\d+\r\n/, 'and not the Host')
})

t.test('-s/--servername is the server name', async t => {
  const { sockets, url } = await secureServer(t)
  await Promise.all([json('-s', 'example.test', url), json('--servername', 'example.test', url)])
  t.strictSame(sockets.map(({ name }) => name), ['example.test', 'example.test'])
})

overHttp1(t, 'tlsOptions are passed to tls.connect', async (t, mode) => {
  const { sockets, url } = await secureServer(t, { requestCert: true, rejectUnauthorized: true, ca: cert })
  const result = await mode.run({ url, amount: 2, tlsOptions: { cert, key, maxVersion: 'TLSv1.2', servername: 'example.test' } })
  t.equal(result['2xx'], 2)
  const expected = { name: 'example.test', protocol: 'TLSv1.2', peer: 'localhost' }
  t.strictSame(sockets, [expected, expected])
  conserves(t, result)
})

t.test('tlsOptions do nothing for http', async t => {
  const server = await rawServer(t, answer())
  const result = await run({ url: server.url, amount: 2, tlsOptions: { ca: otherCa, rejectUnauthorized: true } })
  t.equal(result['2xx'], 2)
})
