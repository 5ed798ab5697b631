'use strict'

// What the options about TLS may be, what they mean for tls.connect, and which of them contradict each other.

require('../../helpers/options/no-input')
const t = require('tap')
const { constants } = require('node:crypto')
const { buildPlan } = require('../../../lib/options/plan')
const { validate } = require('../../../lib/options/validate')

const url = 'https://localhost:1'
const GCM = 'ECDHE-RSA-AES128-GCM-SHA256'
const SUITE = 'TLS_AES_128_GCM_SHA256'

/** @param {Record<string, unknown>} options @returns {string | undefined} */
function problemOf (options) {
  try {
    validate({ url, ...options })
  } catch (error) {
    return error.message
  }
}

/** @param {Record<string, unknown>} options */
const planOf = options => buildPlan(validate({ url, ...options }).values)

/** @param {Record<string, unknown>} options */
const tlsOf = options => planOf(options).targets[0].tlsOptions

t.test('versions', async t => {
  for (const [given, expected] of [['1.0', 'TLSv1'], ['1.1', 'TLSv1.1'], ['1.2', 'TLSv1.2'], ['1.3', 'TLSv1.3'], [1.2, 'TLSv1.2'], [1, 'TLSv1'], ['TLSv1.2', 'TLSv1.2'], ['TLSv1', 'TLSv1'], ['tls1.3', 'TLSv1.3']]) {
    t.equal(tlsOf({ tlsMin: given }).minVersion, expected, String(given))
    t.equal(tlsOf({ tlsMax: given }).maxVersion, expected, String(given))
  }
  for (const given of ['', '1.4', '2', 'SSLv3', '1.2.3', 1.25, [], {}, 'default']) {
    t.match(problemOf({ tlsMin: given }), /^tlsMin: expected 1\.0, 1\.1, 1\.2 or 1\.3, got /, JSON.stringify(given))
  }
  t.equal(problemOf({ tlsMin: '1.3', tlsMax: '1.2' }), 'tlsMin and tlsMax: expected a lowest version that is not above the highest, got 1.3 and 1.2')
  t.equal(problemOf({ tlsMin: '1.2', tlsMax: '1.2' }), undefined)
  t.match(problemOf({ tlsMax: '1.1', http: '2' }), /^tlsMax: expected 1\.2 or 1\.3, got 1\.1: HTTP\/2 is not sent over an older version/)
})

t.test('versions below 1.2 bring what they need: a lowest version, and the security level that their signatures have', async t => {
  const low = `${constants.defaultCipherList}:@SECLEVEL=0`
  t.strictSame(tlsOf({ tlsMax: '1.1' }), { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: low })
  t.strictSame(tlsOf({ tlsMin: '1.1' }), { minVersion: 'TLSv1.1', ciphers: low })
  t.strictSame(tlsOf({ tlsMax: '1.1', ciphers: 'AES128-SHA' }).ciphers, 'AES128-SHA:@SECLEVEL=0')
  t.strictSame(tlsOf({ tlsMax: '1.1', ciphers: 'AES128-SHA:@SECLEVEL=1' }).ciphers, 'AES128-SHA:@SECLEVEL=1')
  t.strictSame(tlsOf({ ciphers: GCM }), { maxVersion: 'TLSv1.2', ciphers: GCM }, 'a list is all that is offered')
  t.strictSame(tlsOf({ ciphers: GCM, tlsMax: '1.3' }), { maxVersion: 'TLSv1.3', ciphers: GCM }, 'unless more is asked for')
  t.strictSame(tlsOf({ tlsMin: '1.2', tlsMax: '1.3' }), { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3' })
})

t.test('ciphers', async t => {
  for (const given of [`${GCM}:${SUITE}`, ` ${GCM}, ${SUITE} `, `${GCM} ${SUITE}:`]) {
    t.strictSame(tlsOf({ ciphers: given }), { ciphers: `${GCM}:${SUITE}` })
  }
  t.strictSame(planOf({ ciphers: `HIGH:!RC4:-AES128-SHA:+${GCM}:@SECLEVEL=1` }).tls, { sessionReuse: false, ciphers: ['HIGH'] }, 'what only changes the list is no name')
  for (const given of [':', '!RC4', '@SECLEVEL=0']) t.match(problemOf({ ciphers: given }), /^ciphers: expected names of ciphers such as ECDHE-/, given)
  t.match(problemOf({ ciphers: GCM, tlsMin: '1.3' }), /^ciphers and tlsMin: expected a suite of TLS 1\.3 such as TLS_AES_128_GCM_SHA256 as well, got 'ECDHE/)
  t.match(problemOf({ ciphers: SUITE, tlsMax: '1.2' }), /^ciphers and tlsMax: expected a cipher of TLS 1\.2 such as ECDHE/)
  t.equal(problemOf({ ciphers: `${GCM}:${SUITE}`, tlsMin: '1.3' }), undefined)
  t.equal(problemOf({ ciphers: `${GCM}:${SUITE}`, tlsMax: '1.2' }), undefined)
})

t.test('alpn', async t => {
  for (const [given, expected] of [['http/1.1', ['http/1.1']], ['http/1.1, http/1.0', ['http/1.1', 'http/1.0']], [['a', 'b', 'a'], ['a', 'b']], ['none', []], [['none'], []], [[], []]]) {
    t.strictSame(tlsOf({ alpn: given }), { ALPNProtocols: expected }, JSON.stringify(given))
  }
  for (const given of ['', ',', 'a,,b', 'a b', ['a,b'], ['ä'], [5], new Array(2), 5, {}, ['x'.repeat(256)], 'none,a,']) t.match(problemOf({ alpn: given }), /^alpn: expected names of protocols/, JSON.stringify(given))
  t.match(problemOf({ alpn: 'h2,http/1.1' }), /^alpn: h2 is HTTP\/2/)
  t.match(problemOf({ alpn: 'http/1.1', http: '2' }), /^alpn: expected h2 among them, got http\/1\.1/)
  t.match(problemOf({ alpn: 'none', http2: true }), /^alpn: expected h2 among them, got none/)
  for (const http of ['2', 'auto']) t.strictSame(tlsOf({ alpn: 'h2,http/1.1', http }).ALPNProtocols, ['h2', 'http/1.1'])
  const chosen = { ...validate({ url, alpn: 'h2,http/1.1', http: 'auto' }).values, http: '1.1' }
  t.strictSame(buildPlan(chosen).targets[0].tlsOptions.ALPNProtocols, ['http/1.1'], 'no server chooses what the run does not speak')
})

t.test('a server name is no URL, which curl -s would have behind it', async t => {
  t.equal(problemOf({ servername: 'https://me:word@a.test' }), "servername: this is the server name for TLS, and expects no URL, got 'https://***@a.test'; the -s of curl is not needed, omit it")
})

t.test('tlsOptions win, and insecure is insecure', async t => {
  t.strictSame(tlsOf({ tlsMin: '1.2', tlsMax: '1.2', ciphers: GCM, alpn: 'a', tlsOptions: { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.3', ciphers: 'HIGH', ALPNProtocols: ['b'], ca: 'x' } }), { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.3', ciphers: 'HIGH', ALPNProtocols: ['b'], ca: 'x' })
  t.strictSame(tlsOf({ tlsMin: '1.2', tlsMax: '1.2', tlsOptions: { secureProtocol: 'TLSv1_2_method' } }), { secureProtocol: 'TLSv1_2_method' }, 'tls.connect does not take both')
  t.strictSame(tlsOf({ insecure: true, tlsOptions: { ca: 'x', rejectUnauthorized: true } }), { ca: 'x', rejectUnauthorized: false })
  t.strictSame(tlsOf({ insecure: false, tlsOptions: { rejectUnauthorized: false } }), { rejectUnauthorized: true })
  t.strictSame(tlsOf({}), {})
  t.equal(planOf({}).tls, null)
})

t.test('where nothing is sent over TLS, they are refused', async t => {
  for (const [name, value] of Object.entries({ tlsMin: '1.2', tlsMax: '1.2', ciphers: GCM, alpn: 'http/1.1', tlsSessionReuse: true })) {
    t.equal(problemOf({ url: 'http://a.test/', [name]: value }), `${name}: expected an https:// URL, got 'http://a.test/': nothing is sent over TLS`)
    t.equal(problemOf({ url: ['http://a.test/', url], [name]: value }), undefined)
    t.equal(problemOf({ url: 'http://a.test/', redirects: 2, redirectsAnywhere: true, [name]: value }), undefined, 'a redirect may lead there')
  }
  for (const threshold of ['handshakes/s > 5', 'handshake p99 < 5', 'resumed > 5%']) {
    t.equal(problemOf({ url: 'http://a.test/', thresholds: threshold }), "thresholds: expected an https:// URL, got 'http://a.test/': nothing is sent over TLS")
    t.equal(problemOf({ thresholds: threshold }), undefined)
    t.equal(problemOf({ thresholds: threshold, client: 'undici', dispatcher: { dispatch: () => true } }), `thresholds: '${threshold}': a dispatcher does not report handshakes; omit it, or omit dispatcher`)
  }
  t.match(problemOf({ url: 'http://a.test/', tlsMin: '1.2', alpn: 'x' }), /^tlsMin and alpn: expected an https/)
  t.equal(problemOf({ url: 'http://a.test/', insecure: true }), undefined, '-k is a habit')
  t.equal(problemOf({ url: 'http://a.test/', insecure: false }), "insecure: expected an https:// URL, got 'http://a.test/': nothing is sent over TLS")
})
