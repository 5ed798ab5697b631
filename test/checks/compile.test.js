'use strict'

const t = require('tap')
const { compile } = require('../../lib/checks/compile')
const { parseExpectation } = require('../../lib/checks/expectation')
const { headersObject } = require('../../lib/requests/headers')
const { Response } = require('../../lib/checks/response')

/** @param {{ status?: number, headers?: string[], body?: string, ms?: number }} [response] */
function responseOf ({ status = 200, headers = [], body = '', ms = 1 } = {}) {
  const bytes = Buffer.from(body)
  const lowerCase = headersObject(Array.from({ length: headers.length / 2 }, (_, i) => [headers[2 * i].toLowerCase(), headers[2 * i + 1]]))
  const sent = { method: 'GET', path: null, headers: [], body: null }
  return new Response({ status, bodySize: bytes.length, bytes: () => bytes, text: () => body, charset: () => '', rawHeaders: () => headers, lowerCaseHeaders: () => lowerCase, sent: () => sent }, ms, { name: null, path: '/' })
}

const JSON_BODY = JSON.stringify({ user: { id: 42, name: 'Ann', tags: ['a', { b: null }] }, '': 1, list: [] })

/** Expectation, response, the reason for which it fails. @type {Array<[any, any, string | null]>} */
const CASES = [
  [{ status: 200 }, {}, null],
  [{ status: 200 }, { status: 503 }, 'status 503, expected 200'],
  [{ status: '2xx' }, { status: 299 }, null],
  [{ status: '2xx' }, { status: 300 }, 'status 300, expected 2xx'],
  [{ status: '2xx' }, { status: 199 }, 'status 199, expected 2xx'],
  [{ status: [200, '4xx'] }, { status: 404 }, null],
  [{ status: [200, '4xx'] }, { status: 500 }, 'status 500, expected 200 or 4xx'],

  [{ headers: { 'content-type': /json/ } }, { headers: ['Content-Type', 'application/json'] }, null],
  [{ headers: { 'CONTENT-TYPE': 'text/html' } }, { headers: ['content-type', 'text/html; charset=utf-8'] },
    "header content-type: 'text/html; charset=utf-8', expected 'text/html'"],
  [{ headers: { a: /^b$/i } }, { headers: ['A', 'B'] }, null],
  [{ headers: { a: /^b$/ } }, { headers: ['A', 'B'] }, "header a: 'B', expected /^b$/"],
  [{ headers: { a: 'b' } }, { headers: ['a', 'c', 'A', 'b'] }, null],
  [{ headers: { a: 'b' } }, { headers: ['a', 'c', 'A', 'd'] }, "header a: 'c, d', expected 'b'"],
  [{ headers: { a: 'b' } }, {}, 'no header a'],
  [{ headers: { a: true } }, { headers: ['a', ''] }, null],
  [{ headers: { a: true } }, {}, 'no header a'],
  [{ headers: { a: false } }, {}, null],
  [{ headers: { a: false } }, { headers: ['a', 'b'] }, 'header a: expected none'],
  [{ headers: { constructor: true } }, {}, 'no header constructor'],
  [{ headers: { a: 'b\u001b' } }, { headers: ['a', '\u001b[31m'] }, "header a: '\\x1b[31m', expected 'b\\x1b'"],

  [{ body: 'grüße' }, { body: 'grüße' }, null],
  [{ body: '' }, { body: '' }, null],
  [{ body: 'a' }, { body: 'ab' }, 'another body'],
  [{ body: Buffer.from('ab') }, { body: 'ab' }, null],
  [{ body: /^a+$/ }, { body: 'aaa' }, null],
  [{ body: /^a+$/ }, { body: 'aab' }, 'the body does not match /^a+$/'],
  [{ body: { includes: 'ß' } }, { body: 'grüße' }, null],
  [{ body: { includes: ['g', 'x'] } }, { body: 'grüße' }, "the body does not include 'x'"],

  [{ json: { 'user.id': 42, 'user.tags[0]': 'a', 'user.tags.1.b': null, 'user.name': /^A/, list: [], 'list.length': 0 } }, { body: JSON_BODY }, null],
  [{ json: { 'user.id': 43 } }, { body: JSON_BODY }, 'json user.id: 42, expected 43'],
  [{ json: { 'user.id': '42' } }, { body: JSON_BODY }, "json user.id: 42, expected '42'"],
  [{ json: { 'user.id': /4/ } }, { body: JSON_BODY }, 'json user.id: 42, expected /4/'],
  [{ json: { 'user.name': 'Bob' } }, { body: JSON_BODY }, "json user.name: 'Ann', expected 'Bob'"],
  [{ json: { 'user.age': 1 } }, { body: JSON_BODY }, 'json user.age: missing, expected 1'],
  [{ json: { 'user.age': undefined } }, { body: JSON_BODY }, null],
  [{ json: { 'user.id': undefined } }, { body: JSON_BODY }, 'json user.id: 42, expected none'],
  [{ json: { 'user.id.x.y': 1 } }, { body: JSON_BODY }, 'json user.id.x.y: missing, expected 1'],
  [{ json: { constructor: undefined, 'list.map': undefined } }, { body: JSON_BODY }, null],
  [{ json: { 'user.tags': ['a', { b: null }] } }, { body: JSON_BODY }, null],
  [{ json: { 'user.tags': ['a'] } }, { body: JSON_BODY }, 'json user.tags: ["a",{"b":null}], expected ["a"]'],
  [{ json: { 'user.tags[1].b': 0 } }, { body: JSON_BODY }, 'json user.tags[1].b: null, expected 0'],
  [{ json: { '[1].a': 2 } }, { body: '[0,{"a":2}]' }, null],
  [{ json: { 'user.id': id => id > 41 } }, { body: JSON_BODY }, null],
  [{ json: { 'user.id': id => id > 42 } }, { body: JSON_BODY }, 'json user.id: 42, which the function refused'],
  [{ json: value => value.user.id === 42 }, { body: JSON_BODY }, null],
  [{ json: value => value.length }, { body: '[]' }, 'json: [], which the function refused'],
  [{ json: async () => true }, { body: '1' }, 'json: the function returned a promise, expected true or false'],

  [{ maxBytes: 5 }, { body: '12345' }, null],
  [{ maxBytes: 5 }, { body: '12345ß' }, 'the body has more than 5 bytes'],
  [{ maxMs: 5 }, { ms: 5 }, null],
  [{ maxMs: 5 }, { ms: 5.001 }, 'took more than 5 ms'],

  [{ status: 200, body: 'a' }, { status: 500, body: 'b' }, 'status 500, expected 200'],
  [{ status: 200, body: 'a' }, { body: 'b' }, 'another body'],
  [{ maxMs: 1, body: 'a' }, { body: 'b', ms: 2 }, 'took more than 1 ms']
]

t.test('a response is as expected, or there is one reason why not', async t => {
  for (const [expectation, response, reason] of CASES) {
    const { test } = compile(parseExpectation(expectation))
    for (const time of ['first', 'second']) t.equal(test(responseOf(response)), reason, `${reason ?? 'passes'}, the ${time} time`)
  }
})

t.test('a pattern with the flags g or y does not remember its last match', async t => {
  for (const pattern of [/a/g, /a/y]) {
    for (const [expectation, response] of [
      [{ body: pattern }, { body: 'a' }],
      [{ headers: { b: pattern } }, { headers: ['b', 'a'] }],
      [{ json: { c: pattern } }, { body: '{"c":"a"}' }]
    ]) {
      const { test } = compile(parseExpectation(expectation))
      for (let i = 0; i < 3; i++) t.equal(test(responseOf(response)), null)
    }
  }
})

t.test('the body is read only for what needs it', async t => {
  for (const [expectation, readsBody] of [
    [{ status: 200, headers: { a: 'b' }, maxBytes: 5, maxMs: 5 }, false],
    [{ body: 'a' }, true],
    [{ json: { a: 1 } }, true]
  ]) t.equal(compile(parseExpectation(expectation)).readsBody, readsBody)
})

t.test('what is no JSON has no values', async t => {
  for (const body of ['', '<html>', '{"a":']) t.throws(() => compile(parseExpectation({ json: { a: 1 } })).test(responseOf({ body })), { message: 'the body is not JSON' })
})

t.test('a survivor of structuredClone expects the same', async t => {
  for (const [expectation, response, reason] of CASES) {
    if (hasFunction(expectation)) continue
    t.equal(compile(structuredClone(parseExpectation(expectation))).test(responseOf(response)), reason)
  }
})

/** @param {any} expectation */
function hasFunction ({ json }) {
  return typeof json === 'function' || Object.values(json ?? {}).some(value => typeof value === 'function')
}
