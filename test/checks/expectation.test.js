'use strict'

const t = require('tap')
const { parseExpectation, mergeExpectations, readHeaderLines, readJsonLines } = require('../../lib/checks/expectation')

const NOTHING = { status: null, headers: null, body: null, json: null, maxBytes: null, maxMs: null, events: null }

t.test('what is given becomes typed', async t => {
  const isFine = () => true
  for (const [given, typed] of [
    [{}, {}],
    [{ status: null, body: undefined }, {}],
    [{ status: 200 }, { status: ['200'] }],
    [{ status: '2XX' }, { status: ['2xx'] }],
    [{ status: '200, 404' }, { status: ['200', '404'] }],
    [{ status: [204, '3xx'] }, { status: ['204', '3xx'] }],
    [{ headers: { 'Content-Type': /json/, ETag: true, Age: false, 'X-N': 5, 'x-t': 'a' } },
      { headers: [['content-type', /json/], ['etag', true], ['age', false], ['x-n', '5'], ['x-t', 'a']] }],
    [{ headers: { a: ['b', /c/], A: 1 } }, { headers: [['a', 'b'], ['a', /c/], ['a', '1']] }],
    [{ body: '' }, { body: { exact: '' } }],
    [{ body: Buffer.from('a') }, { body: { exact: Buffer.from('a') } }],
    [{ body: /a/ }, { body: { pattern: /a/ } }],
    [{ body: { includes: 'a' } }, { body: { includes: ['a'] } }],
    [{ body: { includes: ['a', 'b'] } }, { body: { includes: ['a', 'b'] } }],
    [{ json: { 'a.b': 1, 'c[0]': undefined } }, { json: [['a.b', 1], ['c[0]', undefined]] }],
    [{ json: isFine }, { json: isFine }],
    [{ maxBytes: 0, maxMs: 0.5 }, { maxBytes: 0, maxMs: 0.5 }],
    [{ maxMs: Infinity }, { maxMs: Infinity }],
    [{ maxBytes: '10', maxMs: '0.5' }, { maxBytes: 10, maxMs: 0.5 }]
  ]) t.strictSame(parseExpectation(given), { ...NOTHING, ...typed })
})

t.test('what can not be expected is refused, with what can', async t => {
  for (const [given, message] of [
    [null, 'expected an object with status, headers, body, json, maxBytes, maxMs, events, got null'],
    [200, 'expected an object with status, headers, body, json, maxBytes, maxMs, events, got 200'],
    [[], 'expected an object with status, headers, body, json, maxBytes, maxMs, events, got an array'],
    [/200/, 'expected an object with status, headers, body, json, maxBytes, maxMs, events, got a RegExp'],
    [{ statuses: 200 }, "unknown key 'statuses', did you mean 'status'? There are status, headers, body, json, maxBytes, maxMs, events"],
    [{ status: 99 }, 'status: expected a status code, a class such as 2xx, or several of them, got 99'],
    [{ status: '2x' }, "status: expected a status code, a class such as 2xx, or several of them, got '2x'"],
    [{ status: [] }, 'status: expected a status code, a class such as 2xx, or several of them, got none'],
    [{ status: [200, {}] }, 'status: expected a status code, a class such as 2xx, or several of them, got an object'],
    [{ status: [200, undefined] }, 'status: expected a status code, a class such as 2xx, or several of them, got undefined'],
    [{ headers: 'a=b' }, "headers: expected an object of names and values, got 'a=b'"],
    [{ headers: { 'a b': '' } }, "headers: 'a b' is not a header name"],
    [{ headers: { a: {} } }, 'headers: expected a text, a regular expression, true or false for a, got an object'],
    [{ headers: { a: [] } }, 'headers: expected something for a, got an empty array'],
    [{ headers: { a: ['b', null] } }, 'headers: expected a text, a regular expression, true or false for a, got null'],
    [{ body: 5 }, "body: expected a text, a regular expression or { includes: 'text' }, got 5"],
    [{ body: { contains: 'a' } }, "body: expected a text, a regular expression or { includes: 'text' }, got an object"],
    [{ body: { includes: [] } }, 'body: expected a text, got none'],
    [{ body: { includes: ['a', 5] } }, 'body: expected a text, got 5'],
    [{ json: 'a' }, "json: expected an object of paths and values or a function, got 'a'"],
    [{ json: { 'a..b': 1 } }, "json: expected a path into JSON such as user.id, items[0].name or items[*].id, got 'a..b'"],
    [{ maxBytes: 1.5 }, 'maxBytes: expected a whole number of bytes, at least 0, got 1.5'],
    [{ maxBytes: 'x' }, "maxBytes: expected a whole number of bytes, at least 0, got 'x'"],
    [{ maxMs: -1 }, 'maxMs: expected a number of milliseconds, at least 0, got -1'],
    [{ maxMs: NaN }, 'maxMs: expected a number of milliseconds, at least 0, got NaN']
  ]) t.throws(() => parseExpectation(given), { name: 'TypeError', message })
})

t.test('what a request expects is added to what all are expected to be, and takes precedence', async t => {
  const merge = (under, over) => mergeExpectations(under && parseExpectation(under), over && parseExpectation(over))
  t.equal(merge(null, null), null)
  t.equal(merge({}, null), null, 'nothing is expected')
  t.equal(merge({}, {}), null)
  t.strictSame(merge({ status: 200 }, null), { ...NOTHING, status: ['200'] })
  t.strictSame(merge(null, { status: 200 }), { ...NOTHING, status: ['200'] })
  t.strictSame(merge({ status: 200, maxMs: 5 }, { status: 404, maxBytes: 0 }), { ...NOTHING, status: ['404'], maxMs: 5, maxBytes: 0 })
  t.strictSame(merge({ headers: { A: '1', b: '2' } }, { headers: { a: false, C: true } }).headers, [['b', '2'], ['a', false], ['c', true]])
  t.strictSame(merge({ headers: { a: '1' } }, { status: 200 }).headers, [['a', '1']])
  t.strictSame(merge({ headers: { a: ['1', /1/], b: '2' } }, { headers: { B: [/x/, /y/] } }).headers, [['a', '1'], ['a', /1/], ['b', /x/], ['b', /y/]])
  t.strictSame(merge({ json: { a: 1, 'b[0]': 2 } }, { json: { 'b.0': 3, c: 4 } }).json, [['a', 1], ['b.0', 3], ['c', 4]])
})

t.test('headers from the command line', async t => {
  t.strictSame(readHeaderLines(['content-type=text/plain', 'X-A: b=c', 'etag', 'x-empty=', 'x-re=/^a b$/i', 'location=/']),
    { 'content-type': 'text/plain', 'X-A': 'b=c', etag: true, 'x-empty': '', 'x-re': /^a b$/i, location: '/' })
  for (const [line, message] of [
    ['=a', "expected name=value, name=/pattern/ or a name, got '=a'"],
    ['a b', "expected name=value, name=/pattern/ or a name, got 'a…'"],
    ['', "expected name=value, name=/pattern/ or a name, got ''"],
    ['a=/(/', "a: expected a regular expression, got '/(/': Invalid regular expression: /(/: Unterminated group"],
    ['a=/b/gg', "a: expected a regular expression, got '/b/gg': Invalid flags supplied to RegExp constructor 'gg'"]
  ]) t.throws(() => readHeaderLines([line]), { message })
})

t.test('a header that is expected twice on the command line: both hold', async t => {
  t.strictSame(readHeaderLines(['connection=/NOPE/', 'etag', 'connection=/keep/', 'etag=x', 'etag=y']), { connection: [/NOPE/, /keep/], etag: [true, 'x', 'y'] })
})

t.test('a path into JSON that is expected twice on the command line can not have two values', async t => {
  t.strictSame(readJsonLines(['a=1', 'b[0]={"x":1}', 'a=1', 'b.0={"x":1}']), { a: 1, 'b[0]': { x: 1 } })
  t.throws(() => readJsonLines(['a=1', 'a="1"']), { message: 'a can\'t be 1 and "1" at once: expect one of them' })
  t.throws(() => readJsonLines(['b[0]=1', 'b.0=2']), { message: "b.0 can't be 1 and 2 at once: expect one of them" })
})

t.test('JSON from the command line', async t => {
  t.strictSame(readJsonLines(['a=1', 'b="1"', 'c=text', 'd={"e":[null]}', 'f=', 'g=a=b', 'h=true']),
    { a: 1, b: '1', c: 'text', d: { e: [null] }, f: '', g: 'a=b', h: true })
  for (const line of ['a', '=1', '']) t.throws(() => readJsonLines([line]), { message: `expected path=value such as user.id=42, got '${line}'` })
  t.throws(() => readJsonLines(['a.=1']), { message: "expected a path into JSON such as user.id, items[0].name or items[*].id, got 'a.'" })
})

t.test('bytes and patterns of another realm are bytes and patterns', async t => {
  const { body, pattern } = require('node:vm').runInNewContext('({ body: new Uint8Array([97, 98]), pattern: /a+/i })')
  const { parseBody } = require('../../lib/requests/request')
  const { parseCaptures } = require('../../lib/checks/capture')
  t.strictSame(parseBody(body), Buffer.from('ab'))
  t.equal(parseExpectation({ body }).body.exact, body)
  for (const one of [parseExpectation({ body: pattern }).body.pattern, parseExpectation({ headers: { a: pattern } }).headers[0][1], parseExpectation({ json: { a: pattern } }).json[0][1], parseCaptures({ x: pattern }).x.pattern]) {
    t.ok(one instanceof RegExp)
    t.equal(String(one), '/a+/i')
  }
})
