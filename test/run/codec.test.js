'use strict'

const t = require('tap')
const assert = require('node:assert/strict')
const { inspect, types } = require('node:util')
const fc = require('fast-check')
const errors = require('../../lib/core/errors')
const { buildPlan } = require('../../lib/options/plan')
const { split } = require('../../lib/options/split')
const { validate } = require('../../lib/options/validate')
const { decode, encode } = require('../../lib/run/codec')
const { strangeThings } = require('../helpers/strange')

/** @param {unknown} value @returns {any} what arrives by a line of JSON */
const travel = value => decode(JSON.parse(JSON.stringify(encode(value))))

const url = 'http://user:pass@localhost:3000/a?b=[<id>]'
const nested = new Map([[{ key: 1 }, new Set([1n, -0, NaN])]])

t.test('every plan arrives as it was sent', async t => {
  /** @type {Array<Record<string, any>>} */
  const cases = [
    {},
    { rate: 1000, bailout: 3, amount: 7, workers: 3, connections: 5 },
    { connectionRate: 5, reconnectRate: 2, skipFirst: 1, warmup: { duration: 1 } },
    { body: Buffer.from([0, 255, 128]), headers: { __proto__: null, $: 'money', 'x-a': ['1', '2'] }, idReplacement: true, expectBody: 'ü\ud800' },
    { url: [url, 'https://[::1]/'], tlsOptions: { ca: [Buffer.from('ca')], key: new Uint8Array([1, 2]), minVersion: 'TLSv1.2', more: undefined }, servername: 'a' },
    { initialContext: { $: 1, $$: [undefined, , 2], nested, at: new Date(5), list: new Float64Array([0.1, -0, Infinity]), [Symbol('s')]: 1, ['__proto__']: { a: 1 } } }, // eslint-disable-line no-sparse-arrays
    { form: { a: { type: 'text', value: 'b' } } },
    { har: { log: { entries: [{ request: { method: 'POST', url: 'http://localhost:3000/x', headers: [], postData: { text: 'y' } } }] } } },
    {
      byRequest: true,
      expect: { status: '2xx', headers: { a: /b\/"\n/giu, b: true, c: ['d', /e/] }, body: { includes: ['ok'] } },
      requests: [
        { path: '/1', setupRequest: '/hook.js', onResponse: './other', check: 'a', expect: { body: /^x$/s, json: { 'a.b': [1, { c: null }], d: undefined }, maxMs: 0.5 } },
        { path: '/2', name: 'two', body: Buffer.from('two'), expect: { body: Buffer.from('exact'), maxBytes: 0 } }
      ]
    }
  ]
  for (const opts of cases) {
    const plan = buildPlan(validate({ url, ...opts }).values)
    for (const sent of [plan, ...split(plan, opts.workers ?? 2)]) {
      // Holes become undefined, and symbols stay behind.
      const expected = opts.initialContext === undefined ? sent : { ...sent, initialContext: { ...structuredClone(sent.initialContext), $$: [undefined, undefined, 2] } }
      t.doesNotThrow(() => assert.deepEqual(travel(sent), expected))
    }
  }
})

t.test('any data arrives as it was sent', async t => {
  const data = fc.anything({ withBigInt: true, withBoxedValues: true, withDate: true, withMap: true, withSet: true, withObjectString: true, withTypedArray: true, withUnicodeString: true, maxDepth: 4, key: fc.oneof(fc.string(), fc.constantFrom('$', 'of', '$$', '__proto__', 'constructor', 'toString', '0')) })
  const kind = fc.record({ $: fc.oneof(fc.constantFrom('number', 'undefined', 'seen', 'error', 'map'), data), of: data })
  t.doesNotThrow(() => fc.assert(fc.property(fc.oneof(data, kind), value => assert.deepEqual(travel(value), structuredClone(value))), { seed: 17, numRuns: 2000 }))
})

t.test('a long list of whole numbers arrives as it was sent, and is one thing when it comes up again', async t => {
  const list = Array.from({ length: 100 }, (_, i) => i * i)
  const arrived = travel({ list, again: list, nested: [list.map(n => -n), list] })
  assert.deepEqual(arrived, { list, again: list, nested: [list.map(n => n === 0 ? -0 : -n), list] })
  t.equal(arrived.again, arrived.list)
  t.equal(arrived.nested[1], arrived.list)
  t.throws(() => decode({ $: 'whole', of: '/'.repeat(100) }), { code: 'AC_WORKER' })
  t.throws(() => decode({ $: 'whole', of: [1, 2] }), { code: 'AC_WORKER' })
})

t.test('what comes up again travels once and is one thing on the other side, also in a cycle', async t => {
  const body = Buffer.alloc(1000, 'x')
  const arrived = travel({ requests: new Array(100).fill({ body }), own: Buffer.from(body) })
  t.ok(JSON.stringify(encode({ requests: new Array(100).fill({ body }) })).length < 5000)
  t.equal(new Set(arrived.requests).size, 1)
  t.not(arrived.own, arrived.requests[0].body)
  /** @type {any} */
  const cycle = { map: new Map(), set: new Set(), error: new Error('x'), list: [/a/] }
  cycle.map.set(cycle, cycle.list)
  cycle.set.add(cycle.error)
  cycle.error.cause = cycle
  cycle.list.push(cycle.list, cycle.list[0])
  const copy = travel(cycle)
  t.equal(copy.map.get(copy), copy.list)
  t.equal(copy.list[1], copy.list)
  t.equal(copy.list[2], copy.list[0])
  t.ok(copy.set.has(copy.error))
  t.equal(copy.error.cause, copy)
})

t.test('an error arrives with its class, code, message, stack, cause and details', async t => {
  const { AutocannonError, ConnectionError, HookError, OptionsError, ProtocolError } = errors
  const cause = Object.assign(new RangeError('too much'), { code: 'ERR_X', errno: -5 })
  for (const sent of [
    new AutocannonError('AC_WORKER', 'two\nlines', { cause }), new ConnectionError('AC_TIMEOUT'), new ProtocolError('AC_CHUNK'), new OptionsError(['one', 'two']),
    HookError.failed('check', cause), HookError.failed('check', 5), new TypeError('?', { cause: undefined }), Object.assign(new Error('refused'), { code: 'ECONNREFUSED', port: 5 })
  ]) {
    const arrived = travel(sent)
    t.equal(Object.getPrototypeOf(arrived), Object.getPrototypeOf(sent))
    t.doesNotThrow(() => assert.deepEqual(arrived, sent))
    for (const key of ['name', 'code', 'message', 'stack', 'problems']) t.strictSame(arrived[key], /** @type {any} */ (sent)[key], key)
    t.strictSame(Object.getOwnPropertyNames(arrived).sort(), Object.getOwnPropertyNames(sent).sort())
  }
  const foreign = travel(new assert.AssertionError({ message: 'no' }))
  t.match([foreign.name, foreign.code, foreign.message, foreign.constructor], ['AssertionError', 'ERR_ASSERTION', 'no', Error])
})

t.test('whatever a hook throws, its error arrives', async t => {
  for (const thrown of [...strangeThings(), () => {}, { deep: { hook () {} } }, nested]) {
    const arrived = travel([new errors.HookError('a hook failed', thrown), 'behind it', new Error('and this')])
    t.match(arrived, [{ code: 'AC_HOOK', message: 'a hook failed' }, 'behind it', { message: 'and this' }])
    // Such an error may come by itself.
    if (types.isNativeError(thrown)) t.ok(travel(thrown) instanceof Error)
  }
})

t.test('keys of TLS arrive as keys', async t => {
  const { createSecretKey, generateKeyPairSync } = require('node:crypto')
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  for (const key of [privateKey, publicKey, createSecretKey(Buffer.from('secret'))]) {
    const { made, again } = decode(JSON.parse(JSON.stringify(encode({ made: key, again: key }))))
    t.ok(key.equals(made), key.type)
    t.equal(again, made)
  }
  for (const of of [['private', 'x'], ['strange', 'x'], 5, ['secret']]) t.throws(() => decode({ $: 'key', of }), { code: 'AC_WORKER' })
})

t.test('what can not travel is refused by its place', async t => {
  const plan = (/** @type {Record<string, any>} */ opts) => buildPlan(validate({ url, ...opts }).values)
  const hook = () => {}
  let deep = {}
  for (let i = 0; i < 1000; i++) deep = { deep }
  /** @type {Array<[value: unknown, message: RegExp]>} */
  const cases = [
    [plan({ verifyBody: hook }), /^hooks\.verifyBody: a function does not reach another thread or process; give the absolute path of a module that exports it$/],
    [plan({ requests: [{}, { setupRequest: hook }] }), /^\S+\[1\]\S*\.setupRequest: a function does not reach/],
    [{ type: 'open', plan: { initialContext: { seen: new Int32Array(new SharedArrayBuffer(4)) } } }, /^initialContext\.seen: memory that is shared does not reach another thread or process/],
    [{ a: [Symbol('s')] }, /^a\[0\]: a symbol does not reach/],
    [new WeakMap(), /^the value: WeakMap does not reach/],
    [new Map([[1, Promise.resolve()]]), /^value: Promise does not reach/],
    [{ n: 10n ** 1000n }, /^n: a number of more than 1000 digits does not reach/],
    [{ n: -(10n ** 1000n) }, /^n: a number of more than 1000 digits does not reach/],
    [deep, /: it is nested more than 500 levels deep$/]
  ]
  for (const [value, message] of cases) t.throws(() => encode(value), { code: 'AC_OPTIONS', message })
})

t.test('whatever a peer sends, it is read or refused, and the prototypes of objects stay as they are', async t => {
  let deep = []
  for (let i = 0; i < 100_000; i++) deep = [deep]
  const error = { class: 'Error', name: 'Error', message: '', stack: '', own: {} }
  for (const message of [
    deep, { $: 5 }, { $: 'constructor' }, { $: null }, { $: 'seen', of: 0 }, { $: 'seen', of: 'length' }, [{}, { $: 'seen', of: -1 }], { $: 'number', of: '5' }, { $: 'number' }, { $: 'bigint', of: 'x' }, { $: 'bigint', of: '9'.repeat(1e6) },
    { $: 'object', of: [5] }, { $: 'object', of: [[5, 5]] }, { $: 'map', of: {} }, { $: 'set' }, { $: 'regexp', of: ['(', ''] }, { $: 'regexp', of: ['a', 'zz'] },
    { $: 'bytes', of: ['Float64Array', 'YQ=='] }, { $: 'bytes', of: ['Function', ''] }, { $: 'bytes', of: ['Buffer', 5] },
    { $: 'error' }, { $: 'error', of: { ...error, class: 'Function' } }, { $: 'error', of: { ...error, own: { code: {} } } }, { $: 'error', of: { ...error, message: {} } }
  ]) t.throws(() => decode(message), { code: 'AC_WORKER', message: /^a message cannot be read: / }, inspect(message))
  const arrived = decode(JSON.parse(`[{ "__proto__": { "a": 1 } }, { "$": "object", "of": [["__proto__", { "a": 1 }]] }, { "$": "error", "of": ${JSON.stringify(error).replace('"own":{}', '"own":{"__proto__":["a"]}')} }]`))
  for (const one of arrived) t.equal(one.a, undefined)
  t.ok(arrived[2] instanceof Error)
  t.equal(decode({ $: 'error', of: { ...error, class: 'AutocannonError', message: 'a\x1b[2Jb\nc' } }).message, 'a\\x1b[2Jb\nc', 'an error of ours can be printed')
  const json = fc.jsonValue()
  const tagged = fc.letrec(tie => ({ value: fc.oneof({ depthSize: 'small' }, json, tie('kind'), fc.array(tie('value'), { maxLength: 3 })), kind: fc.record({ $: fc.constantFrom('undefined', 'number', 'bigint', 'seen', 'object', 'regexp', 'date', 'map', 'set', 'boxed', 'bytes', 'error'), of: tie('value') }) })).value
  t.doesNotThrow(() => fc.assert(fc.property(tagged, message => {
    try {
      decode(message)
    } catch (error) {
      assert.equal(/** @type {any} */ (error).code, 'AC_WORKER')
    }
  }), { seed: 17, numRuns: 2000 }))
})
