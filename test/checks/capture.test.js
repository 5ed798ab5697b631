'use strict'

const t = require('tap')
const { parseCaptures } = require('../../lib/checks/capture')
const { compileCaptures } = require('../../lib/checks/capturing')
const { Response } = require('../../lib/checks/response')
const { normalize } = require('../../lib/options/normalize')
const { headersObject } = require('../../lib/requests/headers')

/**
 * @param {string} body
 * @param {Array<[string, string]>} [headers]
 */
function responseOf (body, headers = [], status = 200) {
  /** @type {any} */
  const source = {
    status,
    bodySize: Buffer.byteLength(body),
    bytes: () => Buffer.from(body),
    text: () => body,
    charset: () => '',
    rawHeaders: () => headers.flat(),
    lowerCaseHeaders: () => headersObject(headers.map(([name, value]) => [name.toLowerCase(), value])),
    sent: () => ({ method: 'GET', path: '/', headers: [], body: null }),
    missing: null
  }
  return new Response(source, 1, { name: null, path: '/' })
}

/**
 * @param {unknown} how
 * @param {Response} response
 * @returns {{ value: unknown, reason: string | null }}
 */
function take (how, response, name = 'x') {
  const [capturing] = compileCaptures(parseCaptures({ [name]: how }), 3)
  const context = {}
  const reason = capturing.take(response, context)
  return { value: Object.hasOwn(context, name) ? context[name] : 'nothing', reason }
}

t.test('a value is taken from where it is said to be', async t => {
  const json = responseOf('{"auth":{"token":"abc","n":7,"no":false,"none":null,"list":[{"id":1}]},"a.b":1}')
  for (const [how, expected] of /** @type {Array<[string, unknown]>} */ ([
    ['json auth.token', 'abc'], ['json  auth.n', 7], ['json auth.no', false], ['json auth.list[0].id', 1], ['json auth.list.0', { id: 1 }], ['json auth.list.length', 1], ['json $.auth.token', 'abc'], ['json $.auth.list[0].id', 1],
    ['status', 200], [' body ', json.body]
  ])) t.strictSame(take(how, json), { value: expected, reason: null }, how)
  const html = responseOf('<input name="csrf" value="x&y"><input name="b" value="">', [['Location', '/next'], ['X-A', '1'], ['x-a', '2'],
    ['Set-Cookie', 'sid=1; Path=/'], ['set-cookie', ' sid = a=b ;HttpOnly'], ['Set-Cookie', 'sidd=3'], ['Set-Cookie', 'none'], ['Set-Cookie', 'empty=']], 302)
  for (const [how, expected] of /** @type {Array<[unknown, unknown]>} */ ([
    ['header location', '/next'], ['header LOCATION', '/next'], ['header x-a', '1'], ['cookie sid', 'a=b'], ['cookie empty', ''], ['status', 302],
    [/name="csrf" value="([^"]+)"/, 'x&y'], ['/name="csrf" value="([^"]+)"/', 'x&y'], ['/NAME="(b)"/i', 'b'], [/name="b" value="([^"]*)"/, ''], [/value="x/, 'value="x'], [/(?:zzz|value)/g, 'value']
  ])) t.strictSame(take(how, html), { value: expected, reason: null }, String(how))
})

t.test('a value that is not there because the server refused says so', async t => {
  t.equal(take('json token', responseOf('{"error":"no"}', [], 401)).reason, 'json token: missing (status 401)')
  t.equal(take('json token', responseOf('', [], 502)).reason, 'the body is not JSON (status 502)')
  t.strictSame(take({ from: 'header x', default: 1 }, responseOf('', [], 500)), { value: 1, reason: null })
  t.equal(take('header x', responseOf('', [], 302)).reason, 'no header x')
})

t.test('a pattern with flags g or y begins anew each time', async t => {
  const [capturing] = compileCaptures(parseCaptures({ x: /n(\d)/gy }), 0)
  for (let i = 0; i < 3; i++) {
    const context = {}
    t.equal(capturing.take(responseOf('n1 n2'), context), null)
    t.strictSame(context, { x: '1' })
  }
})

t.test('a value that is not there is a reason, and nothing of the answer is in it', async t => {
  const response = responseOf('{"token":null,"a":{}}', [['Set-Cookie', 'other=secret']])
  for (const [how, reason] of /** @type {Array<[unknown, string]>} */ ([
    ['json token', 'json token: missing'], ['json a.b.c', 'json a.b.c: missing'], ['json constructor', 'json constructor: missing'], ['json a.__proto__', 'json a.__proto__: missing'],
    ['header location', 'no header location'], ['header constructor', 'no header constructor'], ['cookie sid', 'no cookie sid'], [/csrf=(\w+)/, 'the body does not match /csrf=(\\w+)/'],
    [/(x)?token/, 'the body does not match /(x)?token/'],
    [() => undefined, 'the function returned nothing'], [() => null, 'the function returned nothing']
  ])) t.strictSame(take(how, response), { value: 'nothing', reason }, String(how))
  t.strictSame(take('json a', responseOf('<html>')), { value: 'nothing', reason: 'the body is not JSON' })
  t.strictSame(take('json a', responseOf('')), { value: 'nothing', reason: 'the body is not JSON' })
  t.strictSame(take('json a', responseOf('null')), { value: 'nothing', reason: 'json a: missing' })
})

t.test('a default stands for what is not there, and is the round\'s own', async t => {
  const response = responseOf('{"a":0,"b":null}')
  for (const [given, expected] of /** @type {Array<[Record<string, unknown>, unknown]>} */ ([
    [{ from: 'json a', default: 5 }, 0], [{ from: 'json b', default: 5 }, 5], [{ from: 'json c', default: null }, null], [{ from: 'json c', default: '' }, ''],
    [{ from: /x(.)/, default: false }, false], [{ from: () => undefined, default: [1, { b: 2 }] }, [1, { b: 2 }]]
  ])) t.strictSame(take(given, response), { value: expected, reason: null })
  const [capturing] = compileCaptures(parseCaptures({ x: { from: 'json c', default: [] } }), 0)
  const [one, two] = [{}, {}]
  capturing.take(response, one)
  capturing.take(response, two)
  t.not(one.x, two.x)
})

t.test('a function has the response, and its value is kept as it is', async t => {
  const value = { deep: [1] }
  t.equal(take(() => value, responseOf('')).value, value)
  t.strictSame(take(({ status, headers, body, json, size }) => [status, headers.a, body, size], responseOf('[1]', [['A', 'b']])).value, [200, 'b', '[1]', 3])
  t.strictSame(take(response => response.json()[0], responseOf('[1]')).value, 1)
  t.strictSame(take(() => require('node:assert').fail('no token'), responseOf('')), { value: 'nothing', reason: 'no token' })
  t.strictSame(take(() => require('node:assert').fail('no s3cr3t'), responseOf(''), 'token'), { value: 'nothing', reason: 'the function returned nothing' }, 'what is secret by its name')
  t.throws(() => take(() => { throw new Error('broken') }, responseOf('')), { code: 'AC_HOOK', message: 'capture x of request 3 failed: broken' })
  t.throws(() => take(async () => 1, responseOf('')), { code: 'AC_HOOK', message: /capture x of request 3 returned a promise/ })
})

t.test('only what is looked at needs the body', async t => {
  const all = compileCaptures(parseCaptures({ a: 'json a', b: 'header b', c: 'cookie c', d: /d/, e: 'status', f: 'body', g: () => 1 }), 0)
  t.strictSame(all.filter(({ readsBody }) => readsBody).map(({ name }) => name), ['a', 'd', 'f', 'g'])
})

t.test('JSON is parsed once for all', async t => {
  const response = responseOf('{"a":{}}')
  t.equal(response.json(), response.json())
})

t.test('a part of a long text does not keep the text', async t => {
  const long = 'é'.repeat(5000) + '<a id="abcdefghijklmnopqrstuvwxyz \u{1f600}é">'
  t.equal(take(/id="([^"]+)"/, responseOf(long)).value, 'abcdefghijklmnopqrstuvwxyz \u{1f600}é')
})

t.test('a mistake is told with its place, and what is allowed', async t => {
  /** @type {any} */
  const rows = [{ name: 'requests', type: 'requests', where: 'api', help: '' }]
  const forms = /expected 'json user\.id', 'header location', 'cookie sid', 'status', 'body', a regular expression such as '\/id=\(\\d\+\)\/', a function of the response or the path of its module, or \{ from, default \}, got /
  for (const [capture, start, words] of /** @type {Array<[unknown, string, string | RegExp]>} */ ([
    [5, '', /^expected an object of names and captures, such as \{ token: 'json auth\.token' \}, got 5$/],
    [['json a'], '', /got an array$/],
    [{ a: 5 }, '.a', forms],
    [{ a: 'jsn user.id' }, '.a', /got 'jsn user\.id', did you mean 'json'\?$/],
    [{ a: 'token' }, '.a', forms],
    [{ a: 'json' }, '.a', forms],
    [{ a: 'json a..b' }, '.a', "expected a path into JSON such as user.id or items[0].name, got 'a..b'"],
    [{ a: 'json items[*].id' }, '.a', "expected a path into JSON such as user.id or items[0].name, got 'items[*].id': for anything else give a function of the response"],
    [{ a: 'json $..id' }, '.a', /^expected a path into JSON/],
    [{ a: 'header two words' }, '.a', forms],
    [{ a: 'header' }, '.a', forms],
    [{ a: 'status 200' }, '.a', forms],
    [{ a: '/(/' }, '.a', /^expected a regular expression, got '\/\(\/': Invalid regular expression/],
    [{ a: '' }, '.a', forms],
    [{ a: null }, '.a', forms],
    [{ a: { from: 'x' } }, '.a.from', forms],
    [{ a: {} }, '.a.from', forms],
    [{ a: { from: 'json a', defualt: 1 } }, '.a', "unknown key 'defualt'; there are from and default"],
    [{ a: { from: 'json a', default: () => 1 } }, '.a.default', 'expected a text, a number, true, false, null or what JSON can hold of them, got a function'],
    [{ constructor: 'json a' }, '', "expected another name than 'constructor', which every object has"],
    [JSON.parse('{"__proto__":"json a"}'), '', "expected another name than '__proto__', which every object has"],
    [{ id: 'json a' }, '', "expected another name than 'id': {{id}} is a built-in value"],
    [{ 'a.b': 'json a' }, '', "expected names of letters, digits, _ and -, such as token, got 'a.b'"],
    [{ '': 'json a' }, '', "expected names of letters, digits, _ and -, such as token, got ''"]
  ])) {
    const [problem] = normalize({ requests: [{ path: '/' }, { path: '/', capture }] }, ({ name }) => name, rows).problems
    const place = `requests[1].capture${start}: `
    t.equal(problem?.slice(0, place.length), place, problem)
    t.match(problem?.slice(place.length), words)
  }
})

t.test('paths of modules are told from regular expressions', async t => {
  for (const path of ['/home/me/capture.js', './capture.mjs', 'C:\\me\\capture.cjs', 'capture.ts', '/home/me/capture']) t.strictSame(parseCaptures({ a: path }).a, { kind: 'function', key: '', pattern: null, hook: path, fallback: null })
  for (const pattern of ['/a/', '/a\\/b.js/g', '/ a /i']) t.equal(parseCaptures({ a: pattern }).a.kind, 'pattern')
})
