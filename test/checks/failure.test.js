'use strict'

const t = require('tap')
const assert = require('node:assert')
const { inspect } = require('node:util')
const vm = require('node:vm')
const { reasonOf, failureIn, isAssertion } = require('../../lib/checks/failure')
const { throwingProxy, revokedProxy } = require('../helpers/strange')

t.test('a reason is one line that does nothing to a terminal', async t => {
  for (const [failure, reason] of [
    ['sold out', 'sold out'],
    [new Error('sold out'), 'sold out'],
    [new TypeError(''), 'TypeError'],
    ['', 'no reason given'],
    ['  a\r\n\tb\u0000c\u0085d\u2028e ', 'a b\\x00c d e'],
    ['\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u202eevil', 'red \\x1b]0;title\\x07 \\u202eevil'],
    ['x'.repeat(201), 'x'.repeat(199) + '…'],
    ['x'.repeat(200), 'x'.repeat(200)],
    [42, '42'],
    [undefined, 'undefined']
  ]) t.equal(reasonOf(failure), reason)
  try {
    assert.strictEqual(503, 200)
  } catch (error) {
    t.equal(reasonOf(error), 'Expected values to be strictly equal: 503 !== 200')
  }
})

t.test('whatever is thrown, and however it defends itself, gives a reason', async t => {
  for (const [thrown, reason] of [
    [Object.create(null), '[Object: null prototype] {}'],
    [Object.assign(new Error('x'), { message: { a: 1 } }), 'Error'],
    [Object.assign(new TypeError('x'), { message: { a: 1 }, name: 5 }), /^TypeError|^Error|^5|^\[/],
    [{ message: 'sold out' }, 'sold out'],
    [{ message: { a: 1 } }, '{ message: [Object] }'],
    [{ toString () { throw new Error('no') } }, '{ toString: [Function: toString] }'],
    [{ [Symbol.toPrimitive] () { throw new Error('no') } }, '{ [Symbol(Symbol.toPrimitive)]: [Function: [Symbol.toPrimitive]] }'],
    [{ [inspect.custom] () { throw new Error('no') } }, /inspect\.custom/],
    [{ get [Symbol.toStringTag] () { throw new Error('no') } }, /./],
    [{ get message () { throw new Error('no') } }, '{ message: [Getter] }'],
    [Object.defineProperty(new Error('x'), 'message', { get () { throw new Error('no') } }), /./],
    [throwingProxy(), '{}'],
    [revokedProxy(), '<Revoked Proxy>'],
    [Symbol('s'), 'Symbol(s)'],
    [() => {}, '[Function (anonymous)]'],
    [10n, '10n']
  ]) {
    const found = reasonOf(thrown)
    t[typeof reason === 'string' ? 'equal' : 'match'](found, reason)
    t.notMatch(found, '\n')
    t.type(failureIn(thrown) ?? '', 'string')
    t.equal(isAssertion(thrown), false)
  }
  t.equal(isAssertion(Object.defineProperty(new Error('x'), 'name', { get () { throw new Error('no') } })), false)
})

t.test('only an Error that a hook returns is a failure', async t => {
  for (const returned of [undefined, null, false, true, 0, '', 'text', {}, { message: 'a' }, Promise.resolve()]) t.equal(failureIn(returned), null)
  t.equal(failureIn(new RangeError('out of range')), 'out of range')
  t.equal(failureIn(vm.runInNewContext('new Error("of another realm")')), 'of another realm')
})

t.test('only an assertion that a hook throws is a failure', async t => {
  t.ok(isAssertion(new assert.AssertionError({ message: 'a' })))
  t.ok(isAssertion(Object.assign(new Error('chai'), { name: 'AssertionError' })))
  for (const thrown of [new Error('a'), new TypeError('a'), 'ERR_ASSERTION', null, undefined, { code: 'ERR_ASSERTION' }]) t.notOk(isAssertion(thrown))
})
