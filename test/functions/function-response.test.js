'use strict'

// What a user function sees of a response.

const { spawnSync } = require('node:child_process')
const { inspect } = require('node:util')
const { gzipSync } = require('node:zlib')
const t = require('tap')
const { FunctionResponse } = require('../../lib/functions/function-response')
const { parseTarget } = require('../../lib/requests/target')

/** @type {(body?: string | Buffer, headers?: string[], more?: Record<string, any>) => any} */
function responseOf (body = '', headers = [], { status = 200, name, compressed = false, unpacked = null } = {}) {
  const bytes = Buffer.from(body)
  const reader = { status, ms: 12.5, ttfb: 3.5, unpacked, rawHeaders: () => headers, bytes: () => bytes }
  const answer = new FunctionResponse(reader, { target: parseTarget('http://localhost:3000'), request: { method: 'GET', path: '/a?b=1', headers: [], body: null }, name, compressed })
  // The bytes of a read are used again.
  bytes.fill('#')
  return answer
}

t.test('status, url, timings and name', async t => {
  t.match(responseOf('', [], { status: 204, name: 'cart' }), { status: 204, ok: true, url: 'http://localhost:3000/a?b=1', timings: { duration: 12.5, firstByte: 3.5 }, name: 'cart' })
  for (const [status, ok] of [[200, true], [299, true], [199, false], [300, false], [404, false], [500, false]]) t.equal(responseOf('', [], { status }).ok, ok)
  t.equal(responseOf().name, undefined)
})

t.test('what other clients call otherwise is named, and a function may keep a value under it', async t => {
  const answer = responseOf()
  for (const [name, instead] of [['status_code', 'use status'], ['statusCode', 'use status'], ['statusText', 'use status, which is the code'], ['cookies', "use cookie('sid'), which is the value that the response sets"], ['data', 'use text(), json() or body'], ['error', 'a request without a response rejects, so use try and catch']]) {
    t.throws(() => answer[name], { name: 'TypeError', message: `a response has no ${name} here: ${instead}` })
  }
  answer.data = { a: 1 }
  t.strictSame([answer.data, responseOf().status], [{ a: 1 }, 200])
  t.doesNotThrow(() => [JSON.stringify(responseOf()), inspect(responseOf()), { ...responseOf() }])
})

t.test('headers in any case, several of a name, and none that every object has', async t => {
  const answer = responseOf('', ['X-A', '1', 'x-b', '2', 'X-B', '3', 'Set-Cookie', 'a=1', 'set-cookie', 'b=2', '__proto__', 'x'])
  t.equal(answer.header('x-a'), '1')
  t.equal(answer.header('X-A'), '1')
  t.equal(answer.header('x-b'), '2, 3')
  t.strictSame(answer.headers['set-cookie'], ['a=1', 'b=2'])
  for (const name of ['x-c', 'constructor', 'toString', 'hasOwnProperty', undefined, 5]) t.equal(answer.header(name), undefined, String(name))
  t.throws(() => { answer.headers['x-a'] = '2' }, TypeError)
  t.equal(answer.headers, answer.headers)
})

t.test('cookies: the last one of a name, without its attributes', async t => {
  const answer = responseOf('', ['Set-Cookie', 'sid=first; Path=/', 'Set-Cookie', 'sid=a=b; HttpOnly', 'set-cookie', ' spaced = x ; Secure', 'Set-Cookie', 'empty=', 'Set-Cookie', 'nothing', 'Set-Cookie', '=noname'])
  t.strictSame(['sid', 'spaced', 'empty', 'nothing', '', 'Path'].map(name => answer.cookie(name)), ['a=b', 'x', '', undefined, undefined, undefined])
})

t.test('a body is a copy', async t => {
  const answer = responseOf('text')
  t.equal(answer.body.toString(), 'text')
  t.equal(answer.text(), 'text')
})

t.test('text by its charset', async t => {
  t.equal(responseOf(Buffer.from([0xe4]), ['Content-Type', 'text/html; charset=windows-1252']).text(), 'ä')
  t.equal(responseOf('ä', ['Content-Type', 'text/html; charset="UTF-8"']).text(), 'ä')
  t.equal(responseOf('ä').text(), 'ä')
  t.throws(() => responseOf('x', ['Content-Type', 'text/html; charset=nonsense']).text(), { code: 'AC_CHARSET', message: /'nonsense'/ })
  t.throws(() => responseOf('{}', ['Content-Type', 'text/html; charset=nonsense']).json(), { code: 'AC_CHARSET' }, 'which is not a body that is no JSON')
})

t.test('JSON, and a value in it', async t => {
  const answer = responseOf('\ufeff{"items":[{"id":1},{"id":2}],"n":null,"a.b":3}')
  t.strictSame(['items[1].id', 'items.0.id', 'n', 'none', 'items[9].id', 'items.length', 'constructor'].map(path => answer.json(path)), [1 + 1, 1, null, undefined, undefined, 2, undefined])
  t.equal(answer.json(), answer.json(), 'it is parsed once')
  for (const [body, expected] of [['null', null], ['0', 0], ['"x"', 'x'], ['false', false]]) t.equal(responseOf(body).json(), expected)
  t.throws(() => responseOf('<html>', ['Content-Type', 'text/html'], { status: 502, name: 'login' }).json(), { message: 'the body is not JSON: the response to login has status 502 and is text/html' })
  t.throws(() => responseOf('').json(), { message: 'the body is not JSON: the response to GET /a?b=1 has status 200' })
  t.throws(() => answer.json('a..b'), { name: 'TypeError', message: /expected a path into JSON/ })
})

t.test('a compressed body is decoded when it is looked at, and only where that was asked for', async t => {
  const packed = gzipSync('{"a":1}')
  const headers = ['Content-Encoding', 'gzip']
  t.strictSame(responseOf(packed, headers, { compressed: true }).json(), { a: 1 })
  t.strictSame(responseOf(packed, headers).body, packed)
  t.equal(responseOf('plain', [], { compressed: true }).text(), 'plain')
  t.equal(responseOf('', headers, { compressed: true }).text(), '')
  t.equal(responseOf('decoded', headers, { compressed: true, unpacked: {} }).text(), 'decoded', 'not what the run has decoded')
  const broken = responseOf(packed.subarray(0, 12), headers, { compressed: true })
  t.throws(() => broken.text(), { code: 'AC_CONTENT_ENCODING' })
  t.throws(() => broken.body, { code: 'AC_CONTENT_ENCODING' }, 'and never taken for the body as it is')
})

t.test('a sample of a failed check hides secrets and is short', async t => {
  const sample = responseOf('x'.repeat(5000), ['Set-Cookie', 'sid=secret', 'Content-Type', 'text/plain'], { status: 500 }).sample()
  t.match(sample, { status: 500, truncated: true })
  t.equal(sample.body.length, 2048)
  t.notMatch(JSON.stringify(sample), /secret/)
})

t.test('html is what cheerio finds, with entities decoded', async t => {
  const answer = responseOf('<form><input name=csrf value="a&amp;b"></form><p>ä', [])
  t.equal(answer.html('input[name=csrf]').attr('value'), 'a&b')
  t.equal(answer.html()('p').text(), 'ä')
})

t.test('a page that would block the thread is refused', async t => {
  const began = Date.now()
  for (const [page, why] of /** @type {const} */ ([[' '.repeat(2 ** 21 + 1), /longer than the 2 MiB/], ['<div>'.repeat(200_000), /more than the 40000 tags/], ['<b>'.repeat(5000), /nested more than 1000 deep/]])) {
    const answer = responseOf(page)
    for (const selector of ['p', undefined]) t.throws(() => answer.html(selector), { code: 'AC_HTML', name: 'ProtocolError', message: why })
  }
  const formatting = responseOf('<p>' + Array.from({ length: 400 }, (_, i) => `<b id=${i}>`).join('') + '</p><p>x'.repeat(15_000))
  t.equal(formatting.html('b').length, 400, 'and elements are those that are written')
  t.ok(Date.now() - began < 60_000)
})

t.test('html without cheerio says what to install', async t => {
  const code = `const { FunctionResponse } = require(${JSON.stringify(require.resolve('../../lib/functions/function-response'))})
    const reader = { rawHeaders: () => [], bytes: () => Buffer.from('<p>'), unpacked: null }
    try { new FunctionResponse(reader, { compressed: false }).html('p') } catch (error) { console.log(error.code, error.message) }`
  const { stdout } = spawnSync(process.execPath, ['--require', require.resolve('../helpers/processes/without-cheerio'), '-e', code])
  t.equal(String(stdout), 'AC_HOOK response.html() needs the package cheerio, which is not installed: npm install cheerio\n')
})
