'use strict'

const t = require('tap')
const { randomFrom } = require('../../../lib/core/random')
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
    ['json id', '{"id":999999999999999}', 999999999999999],
    ['json id', '{"id":1234567890123456}', 1234567890123456],
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
    ['json id', '{"id":,"text":"hi"}', undefined],
    ['json id', '{"id":007}', undefined],
    ['json id', '{"id":true}', undefined],
    ['json id', '{"id":[1]}', undefined],
    ['json id', '{"id":{"a":1}}', undefined],
    ['json id', '"text"', undefined],
    ['json id', 'null', undefined],
    ['json id', 'hello', undefined],
    ['json id', '', undefined],
    ['json id', '{"id":-}', undefined],
    ['json id', '{"id":1.2.3}', undefined],
    ['json id', '{"id":7x}', undefined],
    ['json id', '{"id":7kQ-1/42}', undefined],
    ['json id', '{"id":012}', undefined],
    ['json id', '{"id":.5}', undefined],
    ['json id', '{"id":+5}', undefined],
    ['json id', '{"id":7 8}', undefined],
    ['json id', '{"id":7', undefined],
    ['json [0]', '[7', undefined],
    ['json id', '{"id":"a\\qb"}', undefined],
    ['json id', '{id:7}', undefined],
    ['json a.b', '{"a":{"b":1},"a":{"c":2}}', undefined],
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

t.test('the value at a path is the one that JSON.parse has there', async t => {
  const random = randomFrom(Number(process.env.FUZZ_SEED ?? 8259))
  const one = list => list[Math.floor(random() * list.length)]
  const space = () => one(['', '', '', ' ', '\n', '\t ', '\r\n'])
  const text = () => one(['', 'a', 'id', '{"id":1}', '\\\\', 'x"y', 'für', '€', '\u0001', ']},[', '1'])
  const names = ['id', 'a', 'b', 'idx', '0', '1', 'i d', 'für']
  const written = name => random() < 0.1 ? `"\\u00${name.charCodeAt(0).toString(16).padStart(2, '0')}${JSON.stringify(name).slice(2)}` : JSON.stringify(name)
  const json = depth => {
    const kind = depth === 0 ? one(['object', 'object', 'list']) : depth > 3 ? one(['text', 'number', 'word']) : one(['text', 'number', 'word', 'object', 'object', 'object', 'list'])
    if (kind === 'text') return JSON.stringify(text())
    if (kind === 'number') return one(['0', '-1', '7', '1.50', '1e3', '9007199254740993', '-12345678901234567890', '1E400', '-0'])
    if (kind === 'word') return one(['true', 'false', 'null'])
    const items = Array.from({ length: Math.floor(random() * 5) }, () => {
      const value = `${space()}${json(depth + 1)}${space()}`
      return kind === 'list' ? value : `${space()}${written(one(names))}${space()}:${value}`
    })
    return kind === 'list' ? `[${items.join() || space()}]` : `{${items.join() || space()}}`
  }
  let found = 0
  for (let i = 0; i < Number(process.env.FUZZ_RUNS ?? 3000); i++) {
    const source = `${space()}${json(0)}${space()}`
    const path = Array.from({ length: 1 + Math.floor(random() * random() * 3) }, () => one(names))
    let value = JSON.parse(source)
    for (const name of path) value = typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? value[name] : undefined
    const key = keyOf(`json ${path.join('.')}`, source)
    const wanted = typeof value === 'string' || typeof value === 'number' ? value : undefined
    if (key !== undefined) found++
    t.ok(typeof key === 'bigint' ? Number(key) === wanted : Object.is(key, wanted) || key === wanted, `${path} in ${source}: ${String(key)}`)
  }
  t.ok(found > 100)
})

t.test('garbage has a key or none, and ends', async t => {
  const random = randomFrom(4627)
  for (let i = 0; i < 3000; i++) {
    const bytes = Buffer.from(Array.from({ length: Math.floor(random() * 30) }, () => '{}[]",:\\ id1'.charCodeAt(Math.floor(random() * 12))))
    for (const match of ['json id', 'json [1].id']) {
      const key = parseMatch(match).keyOf(bytes, 0, bytes.length)
      if (key !== undefined && typeof key !== 'string') t.type(key, 'number')
    }
  }
})
