'use strict'

// The text of a JSON number survives, whatever JavaScript makes of the number.

const t = require('tap')
const fc = require('fast-check')
const { copyTexts, isSameNumber, keepText, largeIntegerOf, stringify, stringifyExactly, textOf, withBigInts, withTexts } = require('../../lib/requests/json-numbers')

/** Numbers whose text String(Number(text)) does not return. */
const LOSSY = ['9007199254740993', '-9007199254740993', '12345678901234567890123', '1.10', '1.0', '-0', '0.0', '1e400', '-1E+400', '1e-400', '2E5', '1e5', '0.12345678901234567890', '100000000000000000000000']
const EXACT = ['0', '-1', '42', '999999999999999', '9007199254740991', '9007199254740992', '1.5', '-0.25', '1e+21', '1e-7']

/** @param {string} json */
const read = json => withTexts(json, JSON.parse(json))

t.test('no text is kept before a number has lost its own', async t => {
  const value = JSON.parse('{"a":1}')
  t.equal(withTexts('{"a":1}', value), value)
  t.equal(stringify({ a: [1, 2n] }), '{"a":[1,2]}')
  const cycle = { self: {} }
  cycle.self = cycle
  t.throws(() => stringify(cycle), TypeError)
})

t.test('a number keeps its text in objects and arrays, at any depth', async t => {
  for (const text of [...LOSSY, ...EXACT]) {
    const json = `{"a":${text},"list":[1,${text}],"__proto__":{"deep":[{"x":${text}}]},"text":"${text}"}`
    const value = read(json)
    t.strictSame(value, JSON.parse(json), `${text}: the values are those of JSON.parse`)
    t.equal(textOf(value, 'a', value.a), text)
    t.equal(textOf(value.list, '1', value.list[1]), text)
    t.equal(stringify(value), json)
  }
})

t.test('JSON without white space comes back as it was', async t => {
  const number = fc.tuple(fc.constantFrom('', '-'), fc.oneof(fc.nat().map(String), fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String)), fc.constantFrom('', '.0', '.10', '.123456789012345678'), fc.constantFrom('', 'e5', 'E+30', 'e-400', 'E500')).map(parts => parts.join(''))
  const string = fc.string({ unit: fc.constantFrom('"', '\\', '1.10', '9007199254740993', '{', ',', 'é', '\u2028', ' ') }).map(text => JSON.stringify(text))
  const { json } = fc.letrec(tie => ({
    json: fc.oneof({ maxDepth: 4 }, number, string, fc.constantFrom('true', 'null'), fc.array(tie('json'), { maxLength: 4 }).map(list => `[${list.join(',')}]`),
      fc.uniqueArray(string, { maxLength: 4 }).chain(keys => fc.tuple(...keys.map(() => tie('json'))).map(values => `{${keys.map((key, i) => `${key}:${values[i]}`).join(',')}}`)))
  }))
  fc.assert(fc.property(json.filter(text => !/"\d+"/.test(text)), text => {
    const list = `[${text}]`
    t.equal(stringify(read(list)), list)
    const spaced = JSON.stringify(JSON.parse(list), null, 2)
    t.strictSame(read(spaced), JSON.parse(spaced))
  }), { seed: 35, numRuns: 1000 })
})

t.test('a value that is changed has no old text, and a copy has the texts', async t => {
  const value = read('{"user":{"id":9007199254740993,"price":1.10}}')
  const copy = structuredClone(value)
  copyTexts(value, copy)
  t.equal(stringify(copy), '{"user":{"id":9007199254740993,"price":1.10}}')
  value.user.id = 7
  value.user.price = '1.10'
  t.equal(stringify(value), '{"user":{"id":7,"price":"1.10"}}')
  const context = { price: 1.1 }
  keepText(context, 'price', '1.10')
  t.equal(textOf(context, 'price', context.price), '1.10')
})

t.test('large integers become BigInts, other numbers stay', async t => {
  const json = '{"id":9007199254740993,"list":[-9007199254740993,9007199254740991,1.10,1e400],"text":"9007199254740993"}'
  t.strictSame(withBigInts('[9007199254740992]', JSON.parse('[9007199254740992]')), [9007199254740992n], 'also those of which another one is rounded to the same')
  t.strictSame(withBigInts(json, JSON.parse(json)), { id: 9007199254740993n, list: [-9007199254740993n, 9007199254740991, 1.1, 10n ** 400n], text: '9007199254740993' })
})

t.test('a large integer is the same BigInt in any spelling, and no exponent makes a huge one', async t => {
  for (const [text, integer] of /** @type {Array<[string, bigint | null]>} */ ([
    ['9007199254740992.0', 2n ** 53n], ['9007199254740992e0', 2n ** 53n], ['90071992547409.93E2', 9007199254740993n], ['900719925474099300e-2', 9007199254740993n],
    ['+9007199254740993', 9007199254740993n], ['-1e20', -(10n ** 20n)], ['1.0', null], ['1e2', null], ['-0', null], ['9007199254740993.5', null], ['1e-400', null],
    ['1e501', null], ['1e999999999', null], ['0e999', null], ['.inf', null], ['', null]
  ])) t.equal(largeIntegerOf(text), integer, text)
})

t.test('exact JSON is read back as the same value', async t => {
  const value = { id: 9007199254740993n, list: [-0, 0, Infinity, -Infinity, 1.5, 1e300, NaN], none: undefined, text: '1n' }
  const json = stringifyExactly(value)
  t.equal(json, JSON.stringify(JSON.parse(json), null, 2).replace('9007199254740992', '9007199254740993').replace('  0,', '  -0,').replace('null', '1e9999').replace('null', '-1e9999'))
  t.match(withBigInts(json, JSON.parse(json)), { id: 9007199254740993n, list: [-0, 0, Infinity, -Infinity, 1.5, 10n ** 300n, null] })
})

t.test('two texts of a number are the same when their decimals are', async t => {
  for (const [a, b, same] of /** @type {Array<[string, string, boolean]>} */ ([
    ['1.10', '1.1', true], ['1', '1.0', true], ['1e2', '100', true], ['-0', '0', true], ['0.00', '0e5', true], ['120', '1.2E+2', true], ['1e400', '10e399', true],
    ['9007199254740993', '9007199254740992', false], ['9007199254740993', '9007199254740993.0', true], ['1e400', '1e401', false], ['007', '7', false], ['1', '-1', false], ['', '0', false], [' 1', '1', false], ['0x1', '1', false],
    ['1', `1.${'0'.repeat(1_000_000)}1`, false]
  ])) t.equal(isSameNumber(a, Number(b), b), same, `${a.slice(0, 20)} and ${b.slice(0, 20)}`)
})
