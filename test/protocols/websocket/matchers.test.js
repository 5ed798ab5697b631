'use strict'

const t = require('tap')
const { parseMatch } = require('../../../lib/protocols/websocket/matchers')

/** @type {(match: unknown, text: string) => unknown} */
const keyOf = (match, text) => {
  const bytes = Buffer.from(`{"id":0}${text}{"id":0}`)
  return parseMatch(match).keyOf(bytes, 8, 8 + Buffer.byteLength(text))
}

t.test('next: messages are answered in order', async t => {
  const { kind, keyOf, matches } = parseMatch('next')
  t.equal(kind, 'next')
  t.equal(keyOf(Buffer.from('{"id":1}'), 0, 8), undefined)
  t.equal(matches('a', 'b'), true)
})

t.test('json and a path: the value that stands there', async t => {
  for (const [match, text, key] of /** @type {Array<[string, string, unknown]>} */ ([
    ['json id', '{"id":7,"text":"hi"}', 7],
    ['json id', ' {"text":"hi", "id" : 7.0 } ', 7],
    ['json id', '{"id":"7"}', '7'],
    ['json id', '{"id":"für"}', 'für'],
    ['json id', '{"id":""}', ''],
    ['json id', '{"id":0}', 0],
    ['json id', '{"id":-1.5}', -1.5],
    ['json id', '{"id":1e3}', 1000],
    ['json id', '{"id":9007199254740993}', 9007199254740993n],
    ['json id', '{"id":9007199254740992}', 9007199254740992n],
    ['json id', '{"id":1,"id":2}', 2],
    ['json  id ', '{"id":7}', 7],
    ['json $.id', '{"id":7}', 7],
    ['json a.b[0].id', '{"a":{"b":[{"id":7}]}}', 7],
    ['json a.b[0].id', '{"a":{"b":[{"id":9007199254740993}]}}', 9007199254740993n],
    ['json a.b[-1].id', '{"a":{"b":[{"id":7},{"id":8}]}}', 8],
    ['json [1]', '["reply",7,{}]', 7],
    ['json [1]', '["reply",12345678901234567890]', 12345678901234567890n],
    // None: what has no key matches nothing.
    ['json id', '{"text":"hi"}', undefined],
    ['json id', '{"id":null}', undefined],
    ['json id', '{"id":true}', undefined],
    ['json id', '{"id":[1]}', undefined],
    ['json id', '{"id":{"a":1}}', undefined],
    ['json id', '"text"', undefined],
    ['json id', 'null', undefined],
    ['json id', 'hello', undefined],
    ['json id', '{"id":7', undefined],
    ['json id', '', undefined],
    ['json constructor', '{"id":7}', undefined]
  ])) t.equal(keyOf(match, text), key, `${match} in ${text}`)
  t.equal(parseMatch('json id').kind, 'key')
})

t.test('keys are those of a Map: by value, with numbers and strings apart', async t => {
  const sent = new Map([[keyOf('json id', '{"id":1}'), 'number'], [keyOf('json id', '{"id":"1"}'), 'string'], [keyOf('json id', '{"id":9007199254740993}'), 'large']])
  t.equal(sent.get(keyOf('json id', '{"reply":true,"id":1.0}')), 'number')
  t.equal(sent.get(keyOf('json id', '{"id":"1"}')), 'string')
  t.equal(sent.get(keyOf('json id', '{"id":9007199254740993.0}')), 'large')
  t.equal(sent.get(keyOf('json id', '{"id":9007199254740992}')), undefined)
})

t.test('a function decides by both texts', async t => {
  const { kind, keyOf, matches } = parseMatch((sent, received) => sent === received.slice(1) && 'yes')
  t.equal(kind, 'function')
  t.equal(keyOf(Buffer.from('{"id":1}'), 0, 8), undefined)
  t.equal(matches('a', 'xa'), true)
  t.equal(matches('a', 'xb'), false)
})

t.test('anything else is refused with what is possible', async t => {
  for (const match of ['', 'json', 'json ', 'jsonid', 'id', 'Next', 'first', 'json a..b', 'json items[?]', 'json a[x]', 1, null, undefined, {}, ['next'], true]) {
    t.throws(() => parseMatch(match), { name: 'TypeError', message: /^expected next, json and a path such as 'json id', or a function, got / }, String(match))
  }
})

t.test('a path to several values has no key', async t => {
  t.throws(() => parseMatch('json items[*].id'), { name: 'TypeError' })
})
