'use strict'

// Handshakes as a benchmark of their own: what a result says of them is what the server has seen.

const t = require('tap')
const { Agent } = require('undici')
const { once } = require('node:events')
const { readFileSync } = require('node:fs')
const http2 = require('node:http2')
const path = require('node:path')
const autocannon = require('../../..')
const { cli } = require('../../helpers/processes/cli')
const { rawProxy } = require('../../helpers/servers/raw-proxy')
const { rawServer, answer } = require('../../helpers/servers/raw-server')
const { conserves } = require('../../helpers/results/conservation')
const { overHttp1, run } = require('../modes')

const [cert, key] = ['cert', 'key'].map(name => readFileSync(path.join(__dirname, `../../fixtures/tls/${name}.pem`)))

/**
 * @param {any} t
 * @param {import('node:tls').TlsOptions} [options]
 */
async function secureServer (t, options) {
  const seen = { count: 0, resumed: 0 }
  const server = await rawServer(t, answer('secure'), {
    tls: { cert, key, ...options },
    onConnection ({ socket }) {
      seen.count++
      if (/** @type {import('node:tls').TLSSocket} */ (socket).isSessionReused()) seen.resumed++
    }
  })
  return { server, seen, url: server.url }
}

overHttp1(t, 'handshakes are counted, timed, and told by what was agreed on', async (t, mode) => {
  const { seen, url } = await secureServer(t, { maxVersion: 'TLSv1.2' })
  const result = await mode.run({ url, amount: 20, reconnectRate: 1, thresholds: ['handshakes/s > 0', 'handshake p99 < 10s', 'resumed == 0'] })
  conserves(t, result)
  t.match(result.handshakes, { count: 20, resumed: 0, negotiated: [{ protocol: 'TLSv1.2', cipher: 'ECDHE-ECDSA-AES128-GCM-SHA256', count: 20 }] })
  t.equal(seen.count, 20)
  t.ok(result.handshakes.latency.min > 0 && result.handshakes.latency.max <= result.connect.max, 'a part of connecting')
  t.ok(Math.abs(20 / result.handshakes.perSecond - result.duration) < 0.01)
  t.strictSame(result.thresholds.map(({ passed, exact }) => passed ?? exact), [true, true, true])
})

overHttp1(t, 'a handshake that resumes a session is one, and counted as such', async (t, mode) => {
  const { seen, url } = await secureServer(t)
  const result = await mode.run({ url, amount: 20, connections: mode.parts, reconnectRate: 1, tlsSessionReuse: true })
  conserves(t, result)
  t.match(result.handshakes, { count: 20, resumed: 20 - mode.parts, negotiated: [{ protocol: 'TLSv1.3', count: 20 }] })
  t.strictSame(seen, { count: 20, resumed: 20 - mode.parts })
})

t.test('over HTTP/2, where requests are streams of a connection', async t => {
  const server = http2.createSecureServer({ cert, key }, (request, response) => response.end('ok')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const url = `https://127.0.0.1:${/** @type {any} */ (server.address()).port}`
  const result = await run({ url, http: '2', pipelining: 2, amount: 20, reconnectRate: 4, tlsSessionReuse: true })
  conserves(t, result)
  t.match(result.handshakes, { count: 5, resumed: 4, negotiated: [{ protocol: 'TLSv1.3', count: 5 }] })
})

t.test('through a tunnel they are those with the server, and through a dispatcher nothing is known of them', async t => {
  const { url, seen } = await secureServer(t)
  for (const [kind, tls] of /** @type {Array<['http' | 'socks5', any]>} */ ([['http', undefined], ['http', { cert, key }], ['socks5', undefined]])) {
    seen.count = 0
    const proxy = await rawProxy(t, kind, { tls })
    const result = await run({ url, amount: 6, reconnectRate: 1, tlsSessionReuse: true, proxy: proxy.url() })
    conserves(t, result)
    t.match(result.handshakes, { count: 6, resumed: 5, negotiated: [{ protocol: 'TLSv1.3', count: 6 }] }, kind)
    t.equal(seen.count, 6)
    t.ok(result.handshakes.latency.min > 0 && result.handshakes.latency.max < result.connect.max, 'a part of connecting')
  }
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })
  t.teardown(() => dispatcher.close())
  const result = await run({ url, amount: 2, client: 'undici', dispatcher })
  conserves(t, result)
  t.notOk('handshakes' in result)
})

t.test('without TLS there are none, and one that fails is none', async t => {
  const plain = await rawServer(t, answer())
  t.notOk('handshakes' in await run({ url: plain.url, amount: 2 }))
  const { url, seen } = await secureServer(t)
  const result = await run({ url: [url, plain.url], connections: 2, amount: 4, reconnectRate: 1 })
  conserves(t, result)
  t.match(result.handshakes, { count: 2 }, 'of two servers, one speaks TLS')
  seen.count = 0
  const failed = await run({ url, amount: 4, reconnectRate: 1, tlsOptions: { rejectUnauthorized: true } })
  t.match(failed.handshakes, { count: 0, perSecond: 0, resumed: 0, negotiated: [] })
  t.equal(failed.errors, 4)
})

t.test('those of a start that is left out are left out, and raw results add up', async t => {
  const { url, seen } = await secureServer(t)
  const skipped = await run({ url, duration: 1.2, skipFirst: 0.5, rate: 50, reconnectRate: 1 })
  conserves(t, skipped)
  t.ok(skipped.handshakes.count > 0 && skipped.handshakes.count < seen.count)
  const raws = await Promise.all([1, 2].map(n => run({ url, amount: 3 * n, reconnectRate: 1, skipAggregateResult: true })))
  const merged = autocannon.aggregateResult(JSON.parse(JSON.stringify(raws)), { url })
  t.match(merged.handshakes, { count: 9, resumed: 0, negotiated: [{ protocol: 'TLSv1.3', count: 9 }] })
  t.equal(merged.handshakes.latency.totalCount, 9)
  const { handshakes, ...totals } = raws[0].totals
  for (const [wrong, words] of /** @type {Array<[any, RegExp]>} */ ([
    [{ ...handshakes, resumed: -1 }, /totals\.handshakes\.resumed is -1/],
    [{ ...handshakes, agreed: { x: 'y' } }, /totals\.handshakes\.agreed\.x is 'y'/],
    [{ ...handshakes, latency: {} }, /totals\.handshakes\.latency/]
  ])) t.throws(() => autocannon.aggregateResult([{ ...raws[0], totals: { ...totals, handshakes: wrong } }], { url }), words)
})

t.test('reports tell of them where connections were made anew', async t => {
  const { url } = await secureServer(t)
  const sentence = /^(\d+) TLS handshakes, [\d,.]+ handshakes\/s, p50 [\d.,]+ ms, p99 [\d.,]+ ms\*?; none resumed a session; TLSv1\.3 with TLS_AES_256_GCM_SHA384$/m
  const [anew, kept] = await Promise.all([['-D1'], []].map(flags => cli(['-c2', '-a10', '-n', ...flags, url])))
  t.equal(sentence.exec(anew.stderr)?.[1], '10', anew.stderr)
  t.match(anew.stderr, /│ TLS handshake +│ [\d.]+ (ms|µs)/)
  t.notMatch(kept.stderr, 'handshake')
  for (const [form, words] of /** @type {Array<[string, RegExp]>} */ ([
    ['md', / · 10 TLS handshakes, [^·]*none resumed a session/],
    ['html', /10 TLS handshakes, .*<strong>?TLS handshake|10 TLS handshakes, [^]*>TLS handshake</],
    ['csv', /,handshakes,handshakes_per_s,handshakes_resumed,handshake_average_ms,[^]*,10,[\d.]+,0,[\d.]+,/]
  ])) {
    const { stdout } = await cli(['-c2', '-a10', '-n', '-D1', '-o', `-.${form}`, url])
    t.match(stdout, words, form)
  }
})
