'use strict'

// Compressed answers: who looks at a body sees it decoded, the throughput is what came, and what can't be decoded is a failed check of that answer.

const t = require('tap')
const zlib = require('node:zlib')
const { cli } = require('../../helpers/processes/cli')
const { conserves } = require('../../helpers/results/conservation')
const { serve } = require('../../helpers/servers/http-server')
const { rawServer, answer } = require('../../helpers/servers/raw-server')
const { byOurClient, inAllModes, run } = require('../modes')

const BODY = JSON.stringify({ token: 't-1', items: Array.from({ length: 100 }, (_, i) => ({ id: i, name: 'täa' })) })
// That of Node.js 22 does not say that a body is cut off, and is not asked for.
const zstd = require('../../../lib/requests/content-coding').ACCEPTED.includes('zstd') ? /** @type {any} */ (zlib).zstdCompressSync : undefined

/** @type {Record<string, (body: Buffer | string) => Buffer>} */
const CODINGS = { gzip: zlib.gzipSync, 'x-gzip': zlib.gzipSync, deflate: zlib.deflateSync, br: zlib.brotliCompressSync, ...zstd && { zstd } }

const ACCEPTED = zstd ? 'gzip, br, zstd' : 'gzip, br'

/**
 * Answers /gzip with BODY in gzip, /gzip,br with that in br.
 * @param {any} t
 */
async function codingServer (t) {
  const { url, requests } = await serve(t, (request, response) => {
    const coding = decodeURIComponent(/** @type {string} */ (request.url).slice(1).split('?')[0])
    const body = coding.split(',').map(name => name.trim()).filter(name => name in CODINGS).reduce((body, name) => CODINGS[name](body), Buffer.from(BODY))
    response.setHeader('Content-Encoding', coding)
    response.end(body)
  })
  return { url, requests, accepted: () => requests.map(({ rawHeaders }) => rawHeaders.find((_, i) => i % 2 === 1 && rawHeaders[i - 1].toLowerCase() === 'accept-encoding')) }
}

/**
 * @param {string} coding
 * @param {Buffer | string} body
 * @returns {Buffer}
 */
const encodedAnswer = (coding, body) => Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`), Buffer.from(body)])

byOurClient(t, 'compressed responses are requested, and hooks and checks see them decoded', async (t, mode) => {
  const { url, requests, accepted } = await codingServer(t)
  const result = await mode.run({ url: url + '/gzip', amount: 10, compressed: true, expect: { body: { includes: '"täa"' }, json: { token: 't-1' }, headers: { 'content-encoding': 'gzip' } } })
  conserves(t, result)
  t.equal(result.failures, 0, JSON.stringify(result.checks))
  t.equal(requests.length, 10)
  t.strictSame(accepted(), new Array(10).fill(ACCEPTED))
  const encoded = zlib.gzipSync(BODY).length
  t.strictSame(result.decoded, { answers: 10, bytes: 10 * Buffer.byteLength(BODY), encoded: 10 * encoded })
  t.ok(result.throughput.total > 10 * encoded && result.throughput.total < result.decoded.bytes)
  t.notOk(result.checks.some((/** @type {any} */ { name }) => name === 'content-encoding'), 'that check was not configured')
})

inAllModes(t, 'a body that can not be decoded is a failed check, and checks are not called for that response', async (t, mode) => {
  const broken = zlib.gzipSync(BODY).subarray(0, 100)
  let n = 0
  const { url } = await serve(t, (request, response) => {
    response.setHeader('content-encoding', 'gzip')
    response.end(n++ % 2 === 0 ? zlib.gzipSync(BODY) : broken)
  })
  const result = await mode.run({ url, amount: 20, compressed: true, expect: { json: { token: 't-1' } } })
  conserves(t, result)
  t.equal(result['2xx'], 20)
  t.equal(result.failures, 10)
  t.match(result.checks, [
    { name: 'expect', passed: 10, failed: 0 },
    { name: 'content-encoding', passed: 10, failed: 10, reasons: { 'AC_CONTENT_ENCODING: the body does not match Content-Encoding gzip: unexpected end of file': 10 } }
  ])
  const [sample] = Object.values(result.checks[1].samples)
  // A token is hidden.
  const body = /** @type {any} */ (sample).body.replace('***', 't-1')
  t.equal(BODY.startsWith(body) && body.startsWith('{"token"'), true, 'as much of it as there is')
  t.equal(result.decoded.answers, 10)
})

t.test('each coding, several in a row, none, and those of other letters', async t => {
  const { url } = await codingServer(t)
  for (const coding of [...Object.keys(CODINGS), 'gzip,br', 'deflate, gzip', 'identity', 'GZIP', 'identity, gzip', 'gzip,gzip,gzip,gzip,gzip']) {
    const path = '/' + encodeURIComponent(coding === 'GZIP' ? 'gzip' : coding)
    /** @type {string[]} */
    const seen = []
    const result = await run({ url, amount: 2, compressed: true, expectBody: BODY, requests: [{ path, onResponse: (/** @type {number} */ status, /** @type {string} */ body) => { seen.push(body) } }] })
    conserves(t, result)
    t.strictSame([result.mismatches, result.failures], [0, 0], `${coding} ${JSON.stringify(result.checks)}`)
    t.ok(seen.length === 2 && seen.every(body => body === BODY), coding)
  }
  const raw = await rawServer(t, encodedAnswer('deflate', zlib.deflateRawSync(BODY)))
  t.equal((await run({ url: raw.url, amount: 2, compressed: true, expectBody: BODY })).mismatches, 0, 'deflate without the head of zlib')
  const twice = zlib.brotliCompressSync(zlib.gzipSync(BODY))
  const lines = await rawServer(t, Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\ncontent-encoding: br\r\nContent-Length: ${twice.length}\r\n\r\n`), twice]))
  t.equal((await run({ url: lines.url, amount: 2, compressed: true, expectBody: BODY })).mismatches, 0, 'in lines of their own')
})

t.test('headers that the user gives win, in the options or in a request', async t => {
  const { url, accepted } = await codingServer(t)
  const result = await run({ url, amount: 3, compressed: true, headers: { 'accept-encoding': 'deflate' }, requests: [{ path: '/deflate' }, { path: '/br', headers: { 'ACCEPT-ENCODING': 'br' } }, { path: '/gzip', headers: { 'x-other': '1' } }], expectBody: BODY })
  conserves(t, result)
  t.strictSame(accepted(), ['deflate', 'br', 'deflate'])
  t.equal(result.mismatches, 0)
})

t.test('without checks and hooks, nothing is decoded; without compressed bodies are as they came', async t => {
  const { url, accepted } = await codingServer(t)
  const unseen = await run({ url: url + '/gzip', amount: 2, compressed: true, expect: { status: 200 } })
  conserves(t, unseen)
  t.notOk('decoded' in unseen)
  /** @type {string[]} */
  const seen = []
  const plain = await run({ url: url + '/gzip', amount: 2, verifyBody: (/** @type {string} */ body) => seen.push(body) })
  conserves(t, plain)
  t.strictSame(seen, [zlib.gzipSync(BODY).toString(), zlib.gzipSync(BODY).toString()])
  t.strictSame(accepted(), [ACCEPTED, ACCEPTED, undefined, undefined])
})

t.test('answers without a body are not decoded: HEAD, 204, 304, and none of any length', async t => {
  const empty = (/** @type {string} */ line) => `HTTP/1.1 ${line}\r\nContent-Encoding: gzip\r\n${/^(204|304)/.test(line) ? '' : 'Content-Length: 0\r\n'}\r\n`
  const server = await rawServer(t, (connection, { index, head }) => connection.send(head.startsWith('HEAD') ? 'HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 5000\r\n\r\n' : empty(['204 No Content', '304 Not Modified', '200 OK'][index % 3])))
  for (const method of ['GET', 'HEAD']) {
    /** @type {string[]} */
    const seen = []
    const result = await run({ url: server.url, amount: 6, method, compressed: true, expectBody: '', requests: [{ onResponse: (/** @type {number} */ status, /** @type {string} */ body) => { seen.push(body) } }] })
    conserves(t, result)
    t.strictSame([result.failures, result.mismatches], [0, 0], method)
    t.strictSame(seen, ['', '', '', '', '', ''])
    t.notOk('decoded' in result)
  }
})

t.test('what is wrong with a body is said', async t => {
  const bomb = zlib.gzipSync(zlib.gzipSync(Buffer.alloc(65 * 1024 * 1024)))
  t.ok(bomb.length < 1000)
  for (const [coding, body, reason] of /** @type {Array<[string, Buffer | string, RegExp]>} */ ([
    ['gzip', 'no gzip at all', /^AC_CONTENT_ENCODING: the body does not match Content-Encoding gzip: incorrect header check$/],
    ['deflate', 'xx', /^AC_CONTENT_ENCODING: the body does not match Content-Encoding deflate: /],
    ['br', 'no br at all, it is text', /^AC_CONTENT_ENCODING: the body does not match Content-Encoding br: Decompression failed$/],
    ['br', zlib.brotliCompressSync(BODY).subarray(0, 50), /^AC_CONTENT_ENCODING: the body does not match Content-Encoding br: unexpected end of file$/],
    ['gzip, br', zlib.gzipSync(BODY), /^AC_CONTENT_ENCODING: the body does not match Content-Encoding br: /],
    ['compress', 'x', /^AC_CONTENT_ENCODING: expected a Content-Encoding of gzip, x-gzip, deflate, br(, zstd)?, got 'compress'$/],
    ['toString', 'x', /got 'tostring'$/],
    ['gzip,gzip,gzip,gzip,gzip,gzip', 'x', /^AC_CONTENT_ENCODING: expected at most 5 codings in Content-Encoding, got 6$/],
    ['gzip, gzip', bomb, /^AC_DECODED_SIZE: the body decodes to more than 64 MiB$/],
    ...zstd ? [(['zstd', zstd(BODY).subarray(0, 50), /^AC_CONTENT_ENCODING: the body does not match Content-Encoding zstd: /])] : []
  ])) {
    const server = await rawServer(t, encodedAnswer(coding, body))
    let asked = 0
    const result = await run({ url: server.url, amount: 2, compressed: true, verifyBody: () => { asked++ }, expect: { body: { includes: 'x' } } })
    conserves(t, result)
    t.equal(asked, 0)
    t.equal(result.failures, 2)
    const { reasons } = result.checks.find((/** @type {any} */ { name }) => name === 'content-encoding')
    t.match(Object.keys(reasons), [reason], coding)
    t.equal(Object.keys(reasons).length, 1)
  }
})

t.test('bailout counts them, and what was to be captured cuts the iteration', async t => {
  const server = await rawServer(t, encodedAnswer('gzip', 'none'))
  const bailed = await run({ url: server.url, duration: 60, compressed: true, bailout: 5, expectBody: 'x' })
  t.equal(bailed.bailedOut, true)
  const { url, requests } = await codingServer(t)
  const scenarios = [{ name: 'log in', requests: [{ path: '/gzip', capture: { token: 'json token' } }, { path: '/br?{{token}}' }] }]
  const result = await run({ url, amount: 4, compressed: true, scenarios })
  conserves(t, result)
  t.equal(result.iterations.completed, 2)
  t.strictSame(requests.map(({ url }) => url), ['/gzip', '/br?t-1', '/gzip', '/br?t-1'])
  const cut = await run({ url: server.url, amount: 4, compressed: true, scenarios })
  conserves(t, cut)
  t.strictSame(cut.iterations.cutBy, { 'capture token': 4 })
  t.match(cut.checks, [{ name: 'capture token', passed: 0, failed: 0 }, { name: 'content-encoding', failed: 4 }])
})

t.test('answers in pieces, of changing bodies, and those that a Client listens to', async t => {
  let n = 0
  const server = await rawServer(t, connection => {
    const bytes = encodedAnswer('gzip', zlib.gzipSync(`body ${n++}`))
    connection.send(bytes.subarray(0, 50), bytes.subarray(50, 70), bytes.subarray(70))
  })
  /** @type {string[]} */
  const bodies = []
  const result = await run({ url: server.url, amount: 6, compressed: true, setupClient: (/** @type {any} */ client) => client.on('body', (/** @type {Buffer} */ body) => bodies.push(String(body))) })
  conserves(t, result)
  t.strictSame(bodies, [0, 1, 2, 3, 4, 5].map(i => `body ${i}`))
  t.equal(result.decoded.answers, 6)
})

t.test('on the command line', async t => {
  const { url, accepted } = await codingServer(t)
  const { code, stderr } = await cli(['-c1', '-a2', '-n', '--compressed', '--expect-includes', 't-1', url + '/br'])
  t.equal(code, 0, stderr)
  t.strictSame(accepted(), [ACCEPTED, ACCEPTED])
  t.match(stderr, new RegExp(`^2 requests in .* read, ${2 * zlib.brotliCompressSync(BODY).length} B of it decoded to [\\d.]+ kB$`, 'm'))
  const server = await rawServer(t, answer('no gzip', 'Content-Encoding: gzip\r\n'))
  const wrong = await cli(['-c1', '-a2', '-n', '--compressed', '--expect-includes', 't-1', server.url])
  t.equal(wrong.code, 3)
  t.match(wrong.stderr, '2 × content-encoding: AC_CONTENT_ENCODING: the body does not match Content-Encoding gzip: incorrect header check')
})
