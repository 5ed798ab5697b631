'use strict'

const t = require('tap')
const { parseCaptures } = require('../../lib/checks/capture')
const { compileCaptures } = require('../../lib/checks/capturing')
const { Response } = require('../../lib/checks/response')
const { normalize } = require('../../lib/options/normalize')
const { headersObject } = require('../../lib/requests/headers')
const { textOf } = require('../../lib/requests/json-numbers')

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
function take (how, response, name = 'x', random = () => 0.5, compile = compileCaptures) {
  const [capturing] = compile(parseCaptures({ [name]: how }), 3)
  const context = {}
  const reason = capturing.take(response, context, random)
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

t.test('a list of all, the last one, and how many there are', async t => {
  const json = responseOf('{"items":[{"id":1,"tags":["a","b"]},{"id":9007199254740993,"tags":[]},{"name":"none","tags":["c"]},{"id":null,"tags":["d"]}],"name":"Zoë","empty":[],"all":[[1],[2,3]],"length":{"length":7},"a all":5}')
  for (const [how, expected] of /** @type {Array<[string, unknown]>} */ ([
    ['json items[*].id', [1, 9007199254740992, null]], ['json $.items[*].name', ['none']], ['json items[-1].tags[-1]', 'd'], ['json items[-4].id', 1], ['json items.length', 4], ['json items[*].tags.length', [2, 0, 1, 1]],
    ['json items[*].tags[*]', ['a', 'b', 'c', 'd']], ['json items[*].tags[-1]', ['b', 'c', 'd']], ['json name.length', 3], ['json empty[*].id', []], ['json all[*][*]', [1, 2, 3]], ['json all[*]', [[1], [2, 3]]], ['json length.length', 7],
    ['json items[*].none', []], ['json a all', 5]
  ])) t.strictSame(take(how, json), { value: expected, reason: null }, how)
  for (const path of ['items[-5]', 'name[*]', 'name[-1]', 'none[*].id', 'items.length.length', 'items[0].length']) t.strictSame(take(`json ${path}`, json), { value: 'nothing', reason: `json ${path}: missing` })
  const root = responseOf('[{"id":1},{"id":2}]')
  for (const [how, expected] of /** @type {Array<[string, unknown]>} */ ([['json [*].id', [1, 2]], ['json $[-1].id', 2], ['json [0].id', 1], ['json length', 2]])) t.strictSame(take(how, root), { value: expected, reason: null }, how)
})

t.test('numbers of a list keep the text that they have in the response', async t => {
  const json = responseOf('{"items":[{"id":9007199254740993},{"id":1.10},{"tags":[1e400]}]}')
  const { value } = /** @type {any} */ (take('json items[*].id', json))
  t.strictSame([textOf(value, '0', value[0]), textOf(value, '1', value[1])], ['9007199254740993', '1.10'])
  const tags = /** @type {any} */ (take('json items[*].tags[*]', json)).value
  t.equal(textOf(tags, '0', tags[0]), '1e400')
  const [capturing] = compileCaptures(parseCaptures({ x: 'json items[*].id pick random' }), 0)
  const context = { x: 0 }
  capturing.take(json, context, () => 0)
  t.equal(textOf(context, 'x', context.x), '9007199254740993')
  const [last] = compileCaptures(parseCaptures({ x: 'json items[-3].id' }), 0)
  last.take(json, context, () => 0)
  t.equal(textOf(context, 'x', context.x), '9007199254740993')
})

t.test('a random one of a list, by the random numbers of the user; an empty list has none', async t => {
  const json = responseOf('{"items":[{"id":"a"},{"id":"b"},{"id":"c"},{"id":"d"}],"empty":[],"one":1,"none":[null]}')
  for (const how of ['json items[*].id pick random', { from: 'json items[*].id', pick: 'random' }, '/"id":"(.)"/ pick random', { from: /"id":"(.)"/, pick: 'random' }, { from: '/"id":"(.)"/', all: true, pick: 'random' }, { from: (/** @type {any} */ response) => response.json().items.map((/** @type {any} */ { id }) => id), pick: 'random' }]) {
    t.strictSame([0, 0.3, 0.5, 0.999].map(chance => take(how, json, 'x', () => chance).value), ['a', 'b', 'c', 'd'], String(how))
  }
  for (const [how, reason] of /** @type {Array<[unknown, string]>} */ ([
    ['json empty pick random', 'the list to pick from is empty'], ['json empty[*].id  pick  random', 'the list to pick from is empty'], ['json one pick random', 'the value to pick from is no list'], ['json no pick random', 'json no: missing'],
    ['json none pick random', 'json none: missing'], ['/zzz/ pick random', 'the body does not match /zzz/'], [{ from: () => [], pick: 'random' }, 'the list to pick from is empty']
  ])) t.strictSame(take(how, json), { value: 'nothing', reason }, String(how))
  t.strictSame(take({ from: 'json empty', pick: 'random', default: 'z' }, json), { value: 'z', reason: null })
})

t.test('all matches of a pattern are a list, up to a number and a length', async t => {
  const page = responseOf('<a href="/item/1">x</a><a href="/item/23"><a href="/other">')
  for (const [how, expected] of /** @type {Array<[unknown, unknown]>} */ ([
    ['/href="\\/item\\/(\\d+)"/ all', ['1', '23']], [{ from: '/href="[^"]+"/', all: true }, ['href="/item/1"', 'href="/item/23"', 'href="/other"']], [{ from: /item\/(\d+)/gy, all: true }, ['1', '23']],
    [{ from: /(?<=item\/)\d+/, all: true }, ['1', '23']], [{ from: /(item)?(?=\/o)/, all: 'true' }, 'nothing'], [{ from: '/x*/', all: true }, null]
  ])) {
    const { value } = take(how, page)
    if (expected !== null) t.strictSame(value, expected, String(how))
    else t.ok(Array.isArray(value) && value.length > 10, 'empty matches end as well')
  }
  t.strictSame(take('/zzz/ all', page), { value: 'nothing', reason: 'the body does not match /zzz/' })
  t.strictSame(take({ from: '/zzz/', all: true, default: [] }, page), { value: [], reason: null })
  const { length } = /** @type {any} */ (take('/a/ all', responseOf('a'.repeat(20_000))).value)
  t.equal(length, 10_000)
  const long = /** @type {any} */ (take('/a+/ all', responseOf(`${'a'.repeat(1000)} `.repeat(2000))).value)
  t.equal(long.length, 1048)
})

t.test('a search for all matches ends after 5 s: each match may read to the end of the text', async t => {
  let ms = 0
  const patterns = t.mockRequire('../../lib/requests/linear-pattern', { '../../lib/core/clock': { now: () => (ms += 1000) } })
  const { compileCaptures } = t.mockRequire('../../lib/checks/capturing', { '../../lib/requests/linear-pattern': patterns })
  const { value, reason } = take('/x(?:.*y)?/s all', responseOf('x'.repeat(1000)), 'x', undefined, compileCaptures)
  t.match({ value, reason }, { value: 'nothing', reason: 'to find all matches of /x(?:.*y)?/s takes more than 5 s' })
  t.equal(ms, 7000, 'the start, and after each match')
})

t.test('an element of HTML, its text or an attribute, with entities decoded', async t => {
  const page = responseOf('<!DOCTYPE html><title>A &amp; B</title><form><input type="hidden" NAME="csrf" value="a&amp;b&quot;&#x41;&eacute;"><input name=b disabled></form><h1>\n  Hi &lt;you&gt;<b> all</b>\n</h1><ul><li><a href="/1?a=1&amp;b=2">x</a><li><a href="/2">y</a></ul><script>var a = "<h1>no</h1>"</script>')
  for (const [how, expected] of /** @type {Array<[unknown, unknown]>} */ ([
    ["html 'input[name=csrf]' attr value", 'a&b"Aé'], ['html input[name=csrf] attr VALUE', 'a&b"Aé'], ['html \'input[name="csrf"]\' attr value', 'a&b"Aé'], ['html "h1"', 'Hi <you> all'], ['html title', 'A & B'], ["html 'li a' attr href", '/1?a=1&b=2'],
    ["html 'li a' attr href all", ['/1?a=1&b=2', '/2']], [{ from: "html 'li a'", all: true }, ['x', 'y']], ["html 'li a' attr href pick random", '/2'], ["html 'input[name=b]' attr disabled", ''], ['html h1 all', ['Hi <you> all']]
  ])) t.strictSame(take(how, page), { value: expected, reason: null }, String(how))
  for (const [how, reason] of [["html 'input[name=none]' attr value", 'html input[name=none] attr value: missing'], ['html h2', 'html h2: missing'], ["html 'h1' attr id", 'html h1 attr id: missing'], ['html h2 all', 'html h2: missing']]) {
    t.strictSame(take(how, page), { value: 'nothing', reason }, how)
  }
  t.strictSame(take({ from: 'html h2', default: 'x' }, page), { value: 'x', reason: null })
  t.equal(take('html p', responseOf(' '.repeat(2 ** 21 + 1))).reason, 'AC_HTML: the page is longer than the 2 MiB that html reads')
  t.equal(take('html p', responseOf('<p>'.repeat(40_001))).reason, 'AC_HTML: the page has more than the 40000 tags that html reads')
  t.equal(take('html p', responseOf('<div>'.repeat(1001))).reason, 'AC_HTML: the page has elements that are nested more than 1000 deep')
  t.equal(take('html p', responseOf('<div>'.repeat(999) + '<p>deep')).value, 'deep')
  t.equal(take('html p', responseOf('\0<<p a=\'<!-- <p>x', [], 200)).reason, 'html p: missing')
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
    t.equal(capturing.take(responseOf('n1 n2'), context, Math.random), null)
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

t.test('a default stands for what is not there, and is the iteration\'s own', async t => {
  const response = responseOf('{"a":0,"b":null}')
  for (const [given, expected] of /** @type {Array<[Record<string, unknown>, unknown]>} */ ([
    [{ from: 'json a', default: 5 }, 0], [{ from: 'json b', default: 5 }, 5], [{ from: 'json c', default: null }, null], [{ from: 'json c', default: '' }, ''],
    [{ from: /x(.)/, default: false }, false], [{ from: () => undefined, default: [1, { b: 2 }] }, [1, { b: 2 }]]
  ])) t.strictSame(take(given, response), { value: expected, reason: null })
  const [capturing] = compileCaptures(parseCaptures({ x: { from: 'json c', default: [] } }), 0)
  const [one, two] = [{}, {}]
  capturing.take(response, one, Math.random)
  capturing.take(response, two, Math.random)
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
  const forms = /expected 'json user\.id', 'json \[\*\]' of a body that is a list, 'header location', 'cookie sid', "html 'input\[name=csrf\]' attr value", 'status', 'body', a regular expression such as '\/id=\(\\d\+\)\/', 'event last json id' of a stream, a function of the response or the path of its module, or \{ from, default, all, pick \}, got /
  for (const [capture, start, words] of /** @type {Array<[unknown, string, string | RegExp]>} */ ([
    [5, '', /^expected an object of names and captures, such as \{ token: 'json auth\.token' \}, got 5$/],
    [['json a'], '', /got an array$/],
    [{ a: 5 }, '.a', forms],
    [{ a: 'jsn user.id' }, '.a', /got 'jsn user\.id', did you mean 'json'\?$/],
    [{ a: 'token' }, '.a', forms],
    [{ a: 'json' }, '.a', forms],
    [{ a: 'json a..b' }, '.a', /^expected a path into JSON such as user\.id, items\[0\]\.name, items\[-1\]\.id, items\[\*\]\.id, \[\*\] or items\.length, got 'a\.\.b': for anything else give a function of the response$/],
    ...['$..id', 'items[?(@.a)].id', 'items.*', 'items[*', 'items[-0]', 'items[0]x', 'items[1:2]'].map(path => /** @type {[unknown, string, RegExp]} */ ([{ a: `json ${path}` }, '.a', /^expected a path into JSON/])),
    [{ a: { from: 'json a', all: true } }, '.a.from', "all is for a pattern or html, got 'json a': of JSON, items[*].id is a list of all"],
    [{ a: { from: 'status', pick: 'random' } }, '.a.from', "pick is for a list, which json, a pattern, html or a function may give, got 'status'"],
    [{ a: 'header x pick random' }, '.a', "pick is for a list, which json, a pattern, html or a function may give, got 'header x pick random'"],
    [{ a: { from: 'json a', pick: 'first' } }, '.a', "pick: expected random, got 'first'"],
    [{ a: { from: '/a/', all: 1 } }, '.a', 'all: expected true or false, got 1'],
    [{ a: 'html div a' }, '.a', "expected a selector in quotation marks, as in html 'input[name=csrf]' attr value or html 'h1', got 'html div a'"],
    [{ a: "html 'a' attr" }, '.a', /^expected a selector in quotation marks/],
    [{ a: "html 'a[b'" }, '.a', /^expected a CSS selector, got 'a\[b': /],
    [{ a: "html '<p>'" }, '.a', "expected a CSS selector, got '<p>': it is HTML"],
    [{ a: 'header two words' }, '.a', forms],
    [{ a: 'header' }, '.a', forms],
    [{ a: 'status 200' }, '.a', forms],
    [{ a: '/(/' }, '.a', /^expected a regular expression, got '\/\(\/': Invalid regular expression/],
    [{ a: '' }, '.a', forms],
    [{ a: null }, '.a', forms],
    [{ a: { from: 'x' } }, '.a.from', forms],
    [{ a: {} }, '.a.from', forms],
    [{ a: { from: 'json a', defualt: 1 } }, '.a', "unknown key 'defualt', did you mean 'default'? There are from, default, all, pick"],
    [{ a: { from: 'json a', default: () => 1 } }, '.a.default', 'expected a text, a number, true, false, null or what JSON can hold of them, got a function'],
    [{ constructor: 'json a' }, '', "expected another name than 'constructor', which every object has"],
    [JSON.parse('{"__proto__":"json a"}'), '', "expected another name than '__proto__', which every object has"],
    [{ id: 'json a' }, '', "expected another name than 'id', such as 'order_id': {{id}} is a built-in value"],
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
  for (const path of ['/home/me/capture.js', './capture.mjs', 'C:\\me\\capture.cjs', 'capture.ts', '/home/me/capture']) t.strictSame(parseCaptures({ a: path }).a, { kind: 'function', key: '', attribute: null, beside: null, pattern: null, hook: path, event: null, all: false, picks: false, fallback: null })
  for (const pattern of ['/a/', '/a\\/b.js/g', '/ a /i']) t.equal(parseCaptures({ a: pattern }).a.kind, 'pattern')
})
