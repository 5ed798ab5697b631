'use strict'

// The language of expressions: what each is worth, and what is none.

const t = require('tap')
const { ReceivedMessage } = require('../../lib/functions/sockets/received-message')
const { parseFormula, parseMessageFormula, pathsIn, textOf } = require('../../lib/flows/formula')
const { OF_MESSAGES, isTrue, valueOf } = require('../../lib/flows/value')
const { withTexts } = require('../../lib/requests/json-numbers')

const CONTEXT = {
  cart: { items: [{ id: 5 }, { id: '7' }], total: '12.50', 'two words': 1 },
  n: '12',
  s: 'abc',
  empty: [],
  none: null,
  own: JSON.parse('{"__proto__": 1, "constructor": 2}'),
  large: 12345678901234567890n
}

/**
 * @param {string | number | boolean} text
 * @param {Partial<import('../../lib/flows/value').Scope>} [more]
 */
const value = (text, more) => valueOf(parseFormula(text), null)(/** @type {any} */ ({ context: CONTEXT, status: 200, index: 1, random: () => 0.5, ...more }))

t.test('what each expression is worth', async t => {
  const table = [
    ['status == 200', true], ['status === 200', true], ['status != 200', false], ['status !== 404', true],
    ['status >= 200 and status < 300', true], ['status == 404 || status == 200', true], ['status == 404 or false', false],
    ['not (status == 404)', true], ['!(status == 200)', false], ['not none', true], ['!!n', true],
    ['status in [200, 204]', true], ['status in [301]', false], ["'b' in s", true], ["'items' in cart", true], ["'toString' in cart", false], ["'5' in [5]", true],
    ['cart.items[0].id == 5', true], ['cart.items[index].id', '7'], ["cart['items'][1].id == 7", true], ["cart['two words']", 1], ['cart.items.length', 2], ['cart.items[-1].id', '7'], ['cart.items[-3]', null], ['cart.items[2].id', null],
    ['s.length', 3], ['n > 3', true], ['n > s', false], ['3 < n', true], ['cart.total > 12.4', true], ["'10' > '9'", true], ["'b' > 'a'", true], ['none < 1', false], ['none > 1', false], ['none == null', true],
    ['missing == null', true], ['missing.deep[0].er', null], ['n == 12', true], ["n == '12'", true], ['s == 0', false], ['true == 1', false], ['null == 0', false], ["'' == 0", false],
    ['empty.length > 0', false], ['empty == []', true], ['[1, 2] == [1, 2]', true], ['cart.items[0] == cart.items[1]', false],
    ['n * 2 + 1', 25], ['-n', -12], ['7 % 3', 1], ['1 / 0', null], ['s * 2', null], ['1 + 2 * 3 == 7', true], ['-3', -3], ['2 - -1', 3],
    ['index % 2 == 1', true], ['random < 0.6', true], ['1 < 2 or missing.x', true], ['large > 1', true],
    ['nothing and more', false], ['andy == null', true], ['inner == null or notable == null', true], ["'and' == \"and\"", true],
    [true, true], [false, false], [3, 3], ['null', null], ["'a b'", 'a b']
  ]
  for (const [text, expected] of table) t.strictSame(value(/** @type {any} */ (text)), expected, String(text))
})

t.test('a long run of digits of a server that is no number takes no time', async t => {
  const startedAt = performance.now()
  for (let i = 0; i < 5; i++) t.equal(value('s > 1', /** @type {any} */ ({ context: { s: '1'.repeat(60_000) + 'x' } })), false)
  t.ok(performance.now() - startedAt < 2000, 'a regex tried each split of it')
})

t.test('integers above 2^53 are compared exactly, from JSON, from text and from data', async t => {
  const IDS = '{"a":9007199254740993,"b":9007199254740992,"c":-9007199254740993,"d":9007199254740993}'
  const context = { ids: withTexts(IDS, JSON.parse(IDS)), big: 9007199254740993n, text: '9007199254740993', long: '9'.repeat(100_000) }
  for (const [text, expected] of /** @type {Array<[string, boolean]>} */ ([
    ['ids.a == ids.b', false], ['ids.a == ids.d', true], ['ids.a > ids.b', true], ['ids.b < ids.a', true], ['ids.a != ids.b', true], ['ids.c == ids.a', false],
    ["ids.a == '9007199254740993'", true], ["ids.a == '9007199254740992'", false], ['ids.a == text', true], ['ids.b == text', false], ['big == text', true], ['big == ids.a', true], ['big == ids.b', false],
    ["ids.b in ['9007199254740993']", false], ["ids.a in ['9007199254740993']", true], ['ids.a > 9007199254740991', true], ['long > ids.a', true]
  ])) t.equal(value(text, { context }), expected, text)
  for (const text of ['id == 9007199254740993', '-9007199254740993 < id', 'id in [1, 9007199254740993]']) {
    t.throws(() => parseFormula(text), { message: /9007199254740993 is above 2\^53, where numbers are rounded: write it as text, as in id == '9007199254740993'/ })
  }
  t.equal(value('9007199254740991 == 9007199254740991'), true)
})

t.test('a path leads to own properties only', async t => {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'valueOf', 'map', 'at']
  for (const name of names) {
    for (const path of [name, `cart.${name}`, `cart['${name}']`, `cart.items.${name}`, `s.${name}`, `n.${name}.${name}`, `status.${name}`, `cart.items[0].${name}.name`]) {
      t.equal(value(path), null, path)
    }
  }
  t.equal(value('own.__proto__'), 1, 'a server may call a value so')
  t.equal(value('own.constructor'), 2)
  t.equal(value('cart[s]', { context: { cart: {}, s: '__proto__' } }), null, 'a key of the server')
})

t.test('what is no expression is refused with its text', async t => {
  /** @type {Array<[unknown, RegExp]>} */
  const table = [
    ['status = 200', /at character 8: values are compared with ==/], ['a(1)', /cannot have a call/], ['a.b()', /cannot have a call/], ['a ? b : c', /cannot have a \? b : c/],
    ['not a == b', /expected parentheses after not/], ['!a in b', /expected parentheses after !/], ['a b', /one expression, got several/], ['a; b', /one expression, got several/], ['(a, b)', /one expression, got several/],
    ['this', /cannot have this/], ['a?.b', /cannot have \?\./], ['1 < 2 < 3', /one comparison at a time/], ['', /got ''/], ['  ', /expected an expression/], ['((a', /unclosed \(/], ['`x`', /unexpected/],
    ['{a: 1}', /unexpected/], ['[1,,2]', /no expression/], ['a =~ b', /no expression/], ['~a', /the operator ~/], ['+a', /the operator \+/], ['a ?? b', /the operator \?\?/], ['a & b', /the operator &/], ['2 ** 3', /the operator \*\*/],
    ['new Date', /several/], ['x'.repeat(1001), /up to 1000 characters/], ['{{a}} > 3', /without braces/], ['a.', /no expression/], ['a[', /no expression/], ["'x", /unclosed quote/], ['x => y', /no expression/], ['items.filter(x => x.id)', /no expression: .*: an expression has no functions; a check or setupRequest/],
    ["'abc'.length", /a name before a dot/], ['(a).b', /.*/], ['!'.repeat(200) + 'a', /levels of parentheses/], ['('.repeat(400) + 'a' + ')'.repeat(400), /.*/], ['0x10', /no expression/], [null, /got null/], [{}, /got an object/], [undefined, /expected an expression/]
  ]
  for (const [text, message] of table) {
    try {
      parseFormula(text)
      t.match(String(text), /^\(/, `${text} is one`)
    } catch (error) {
      t.type(error, TypeError, String(text))
      t.match(/** @type {Error} */ (error).message, message)
      t.notMatch(/** @type {Error} */ (error).message, /[\r\n]/)
    }
  }
})

t.test('a parsed expression is plain data, and names what it needs', async t => {
  const formula = parseFormula("users.age > 3 and items[index].id in [a, 'b'] or not (status == 200)")
  t.strictSame(JSON.parse(JSON.stringify(formula)), formula)
  t.strictSame(structuredClone(formula), formula)
  t.strictSame(pathsIn(formula).map(textOf), ['users.age', 'items', 'index', 'a', 'status'])
})

t.test('the parser is left as it was: other users of it have no words of ours', async t => {
  const jsep = require('jsep')
  parseFormula('a and b')
  try { parseFormula('a and') } catch {}
  t.equal(jsep('not').type, 'Identifier')
  t.equal(/** @type {any} */ (jsep('a and b')).type, 'Compound')
})

t.test('which message an expression means', async t => {
  const text = '{"type":"price","price":12.5,"items":[{"id":1}],"user":{"name":"json x"},"large":12345678901234567890,"in":true}'
  /** @type {Array<[string, boolean, string?]>} */
  const table = [
    ["json type == 'price'", true], ['json type == "trade"', false], ['json  price > 12', true], ["json type == 'price' and json price > n", true],
    ['json items[0].id == 1', true], ['json items[-1].id == index', true], ['json items.length == 1', true], ['json missing', false], ['json missing.deep == null', true],
    ["json user.name == 'json x'", true], ["'json x' == json user.name", true], ["json large == '12345678901234567890'", true],
    ["'price' in body", true], ["body == 'pong'", true, 'pong'], ['json type', false, 'no JSON'], ['json == 5', true, '5'], ['json [0] == 5', true, '[5]'], ["json['in']", true], ["'type' in json", true]
  ]
  for (const [given, expected, body = text] of table) {
    const message = new ReceivedMessage(Buffer.from(body))
    const scope = /** @type {any} */ ({ context: CONTEXT, status: null, index: 1, random: () => 0.5, message })
    t.equal(isTrue(valueOf(/** @type {any} */ (parseMessageFormula(given)), null, OF_MESSAGES)(scope)), expected, given)
  }
  t.equal(parseMessageFormula('next'), null)
  for (const given of ['', ' ', 5, null, {}]) t.throws(() => parseMessageFormula(given), /expected next, or an expression such as/)
})
