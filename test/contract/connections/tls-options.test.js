'use strict'

// What is negotiated over TLS: versions, ciphers, ALPN and sessions, as the server sees it.

const t = require('tap')
const { constants } = require('node:crypto')
const { readFileSync } = require('node:fs')
const path = require('node:path')
const { cli } = require('../../helpers/processes/cli')
const { rawServer, answer } = require('../../helpers/servers/raw-server')
const { conserves } = require('../../helpers/results/conservation')
const { overHttp1, run } = require('../modes')

const [cert, key] = ['cert', 'key'].map(name => readFileSync(path.join(__dirname, `../../fixtures/tls/${name}.pem`)))

const GCM = 'ECDHE-ECDSA-AES128-GCM-SHA256'
const SUITE = 'TLS_CHACHA20_POLY1305_SHA256'

/**
 * @param {any} t
 * @param {import('node:tls').TlsOptions} [options]
 * @param {string} [headers] of each answer
 */
async function secureServer (t, options, headers) {
  /** @type {any[]} what the server knows of each connection */
  const sockets = []
  const server = await rawServer(t, answer('secure', headers), {
    tls: { cert, key, ...options },
    onConnection ({ socket }) {
      const secure = /** @type {import('node:tls').TLSSocket} */ (socket)
      sockets.push({ protocol: secure.getProtocol(), cipher: secure.getCipher().name, alpn: secure.alpnProtocol, resumed: secure.isSessionReused() })
    }
  })
  return { server, sockets, url: server.url.replace('127.0.0.1', 'localhost') }
}

/** Any version there is, as OpenSSL 3 does it at its lowest security level. */
const ANY = { minVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0', ALPNProtocols: ['http/1.0', 'http/1.1'] }

overHttp1(t, 'versions, ciphers and protocols are those that were asked for', async (t, mode) => {
  const { sockets, url } = await secureServer(t, /** @type {any} */ (ANY))
  for (const [options, expected] of [
    [{ tlsMax: '1.2', ciphers: GCM }, { protocol: 'TLSv1.2', cipher: GCM, alpn: 'http/1.1' }],
    [{ tlsMin: 1.3, ciphers: SUITE, alpn: 'http/1.0,http/1.1' }, { protocol: 'TLSv1.3', cipher: SUITE, alpn: 'http/1.0' }],
    [{ tlsMax: '1.0', alpn: 'none' }, { protocol: 'TLSv1', alpn: false }],
    [{ tlsMin: '1.0', tlsMax: '1.1' }, { protocol: 'TLSv1.1' }],
    [{ ciphers: SUITE }, { protocol: 'TLSv1.3', cipher: SUITE }],
    [{ ciphers: GCM }, { protocol: 'TLSv1.2', cipher: GCM }]
  ]) {
    sockets.length = 0
    const result = await mode.run({ url, amount: 4, ...options })
    t.equal(result['2xx'], 4, JSON.stringify([options, result.errorCodes]))
    conserves(t, result)
    t.match(sockets, [expected, expected], JSON.stringify(options))
  }
})

overHttp1(t, 'a cipher that OpenSSL does not know ends the run before anything is sent', async (t, mode) => {
  const { server, url } = await secureServer(t)
  await t.rejects(mode.run({ url, amount: 2, ciphers: `${GCM}:ECDHE-ECDSA-AES128-GCM-SHA255` }), {
    code: 'AC_OPTIONS',
    message: "the ciphers can't be used: the OpenSSL of this Node.js has none that is called 'ECDHE-ECDSA-AES128-GCM-SHA255', did you mean 'ECDHE-ECDSA-AES128-GCM-SHA256'?"
  })
  t.equal(server.connections.length, 0)
})

overHttp1(t, 'without tlsSessionReuse every handshake is a full one, with it all but the first of a thread', async (t, mode) => {
  for (const maxVersion of /** @type {const} */ (['TLSv1.2', 'TLSv1.3'])) {
    const { sockets, url } = await secureServer(t, { maxVersion })
    const full = await mode.run({ url, amount: 12, reconnectRate: 2 })
    conserves(t, full)
    t.strictSame(sockets.map(({ resumed }) => resumed), new Array(6).fill(false), maxVersion)
    sockets.length = 0
    const resuming = await mode.run({ url, connections: mode.parts, amount: 12, reconnectRate: 2, tlsSessionReuse: true })
    conserves(t, resuming)
    t.equal(resuming['2xx'], 12)
    t.equal(sockets.filter(({ resumed }) => !resumed).length, mode.parts, maxVersion)
    t.equal(sockets.length, 6)
  }
})

t.test('sessions are resumed with the server that they are of, and a server that has forgotten them makes a full handshake', async t => {
  const [a, b] = [await secureServer(t), await secureServer(t, { ticketKeys: Buffer.alloc(48, 1) })]
  const result = await run({ url: [a.url, b.url], connections: 2, amount: 20, reconnectRate: 1, tlsSessionReuse: true })
  conserves(t, result)
  for (const { sockets } of [a, b]) t.strictSame(sockets.map(({ resumed }) => resumed), [false, ...new Array(9).fill(true)])
  a.server.server.setTicketKeys(Buffer.alloc(48, 2))
  const { sockets, url, server } = await secureServer(t)
  const forgetful = await run({ url, amount: 3, reconnectRate: 1, tlsSessionReuse: true, requests: [{ onResponse: () => server.server.setTicketKeys(require('node:crypto').randomBytes(48)) }] })
  conserves(t, forgetful)
  t.equal(forgetful['2xx'], 3)
  const silent = await secureServer(t, { secureOptions: constants.SSL_OP_NO_TICKET, maxVersion: 'TLSv1.2' })
  const ticketless = await run({ url: silent.url, amount: 3, reconnectRate: 1, tlsSessionReuse: true })
  conserves(t, ticketless)
  t.match(ticketless.handshakes, { count: 3, resumed: 0 }, 'a server that gives no tickets and keeps no sessions')
  t.strictSame(sockets.map(({ resumed }) => resumed), [false, false, false])
})

overHttp1(t, 'insecure verifies nothing, whatever else is said, and what is not insecure verifies', async (t, mode) => {
  const { url } = await secureServer(t)
  t.strictSame((await mode.run({ url, amount: 2, insecure: false })).errorCodes, { DEPTH_ZERO_SELF_SIGNED_CERT: 2 })
  t.equal((await mode.run({ url, amount: 2, insecure: false, tlsOptions: { ca: cert }, servername: 'localhost' })).errors, 0)
  const refused = await mode.run({ url, amount: 2, tlsOptions: { rejectUnauthorized: true } })
  t.equal(refused.errors, 2)
  const result = await mode.run({ url, amount: 2, insecure: true, tlsOptions: { ca: cert, rejectUnauthorized: true }, servername: 'other.test' })
  conserves(t, result)
  t.equal(result['2xx'], 2)
})

t.test('on the command line', async t => {
  const { sockets, url } = await secureServer(t, /** @type {any} */ (ANY))
  const { code, stderr } = await cli(['-j', '-k', '-c1', '-a4', '-D1', '--tls-min', '1.2', '--tls-max', '1.2', '--ciphers', GCM, '--alpn', 'http/1.0', '--tls-session-reuse', url])
  t.equal(code, 0, stderr)
  t.match(sockets, [false, true, true, true].map(resumed => ({ protocol: 'TLSv1.2', cipher: GCM, alpn: 'http/1.0', resumed })))
  t.equal((await cli(['-j', '-a4', '-k=false', url])).code, 1, 'nothing answered that could be trusted')
  const config = await cli(['--print-config', '-k', '--tls-min', '1.2', '--tls-session-reuse', url])
  t.match(JSON.parse(config.stdout), { insecure: true, tlsMin: '1.2', tlsSessionReuse: true })
  t.notOk(Object.hasOwn(JSON.parse((await cli(['--print-config', url])).stdout), 'insecure'), 'who does not say it does not get it')
  for (const [flags, line] of /** @type {Array<[string[], string | RegExp]>} */ ([
    [['--tls-min', '1.4'], "autocannon: --tls-min: expected 1.0, 1.1, 1.2 or 1.3, got '1.4'\nTry autocannon --help for more.\n"],
    [['--tls-min', '1.3', '--tls-max', '1.2'], 'autocannon: --tls-min and --tls-max: expected a lowest version that is not above the highest, got 1.3 and 1.2\nTry autocannon --help for more.\n'],
    [['--ciphers', 'RC4-FOO'], /^autocannon: the ciphers can't be used: the OpenSSL of this Node\.js has none that is called 'RC4-FOO'[^\n]*\nTry autocannon --help for more\.\n$/],
    [['--alpn', 'h2'], /^autocannon: --alpn: h2 is HTTP\/2[^\n]*\nTry autocannon --help for more\.\n$/],
    [['--tlsv1.2'], 'autocannon: unknown flag --tlsv1.2: the lowest version of TLS is --tls-min 1.2\nTry autocannon --help for more.\n']
  ])) {
    const { code, stdout, stderr } = await cli([...flags, url])
    t.equal(code, 2, flags.join(' '))
    t.equal(stdout, '')
    t.match(stderr, line)
  }
})
