'use strict'

const t = require('tap')
const fc = require('fast-check')
const { createHmac } = require('node:crypto')
const { Signature, disagreement, readKey } = require('../../../lib/run/agents/signature')
const { OptionsError } = require('../../../lib/core/errors')

const KEY = 'a key of 16 bytes and more'
const SHIFT = Object.freeze({ run: 'r1', agent: 'a1', nonce: 'n1', direction: /** @type {'order'} */ ('order') })

t.test('what one side signs, the other verifies', async t => {
  fc.assert(fc.property(fc.nat(), fc.string({ unit: 'binary' }), (number, payload) => {
    const mac = new Signature(KEY, SHIFT).sign(number, payload)
    return new Signature(KEY, { ...SHIFT }).verify(number, payload, mac)
  }), { seed: 21 })
})

t.test('the signature is HMAC-SHA256, by a key that is that of the session', async t => {
  const key = createHmac('sha256', KEY).update('["autocannon agents","r1","a1","n1","order"]').digest()
  const mac = createHmac('sha256', key).update('7\n{"type":"start"}').digest('base64url')
  t.equal(new Signature(KEY, SHIFT).sign(7, '{"type":"start"}'), mac)
  t.equal(new Signature(KEY, SHIFT).sign(7, Buffer.from('{"type":"start"}')), mac)
})

t.test('with any part another, it does not verify', async t => {
  const mac = new Signature(KEY, SHIFT).sign(3, 'stop')
  t.ok(new Signature(KEY, SHIFT).verify(3, 'stop', mac))
  for (const other of [{ run: 'r2' }, { agent: 'a2' }, { nonce: 'n2' }, { direction: /** @type {'report'} */ ('report') }]) {
    t.notOk(new Signature(KEY, { ...SHIFT, ...other }).verify(3, 'stop', mac), JSON.stringify(other))
  }
  t.notOk(new Signature(`${KEY}.`, SHIFT).verify(3, 'stop', mac), 'another key')
  t.notOk(new Signature(KEY, SHIFT).verify(4, 'stop', mac), 'another number')
  t.notOk(new Signature(KEY, SHIFT).verify(3, 'start', mac), 'another payload')
})

t.test('no text moves from one part to the next', async t => {
  const text = 'a","b\\",["1\n2'
  const cuts = Array.from({ length: text.length + 1 }, (_, i) => i)
  const sessions = cuts.flatMap(i => cuts.filter(j => j >= i).map(j => ({ ...SHIFT, run: text.slice(0, i), agent: text.slice(i, j), nonce: text.slice(j) })))
  t.equal(new Set(sessions.map(session => new Signature(KEY, session).sign(1, ''))).size, sessions.length)
  const numbered = [[1, '11\n'], [11, '1\n'], [111, '\n'], [1, '\n11\n'], [11, '\n1\n'], [1, '1\n1\n']]
  t.equal(new Set(numbered.map(([number, payload]) => new Signature(KEY, SHIFT).sign(Number(number), String(payload)))).size, numbered.length)
})

t.test('what is no signature does not verify, whatever it is', async t => {
  const signature = new Signature(KEY, SHIFT)
  const mac = signature.sign(3, 'stop')
  const wrong = ['', mac.slice(1), `${mac}=`, `${mac} `, mac.toUpperCase(), 'ſ'.repeat(mac.length), undefined, null, 3, [mac], { length: 43 }]
  for (const given of wrong) t.notOk(signature.verify(3, 'stop', given), String(given))
  // The last character of base64 has bits that say nothing.
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const others = [...alphabet].map(last => mac.slice(0, -1) + last).filter(other => signature.verify(3, 'stop', other))
  t.strictSame(others, [mac])
})

t.test('what is no number does not verify, also when it looks like one that was signed', async t => {
  const signature = new Signature(KEY, SHIFT)
  for (const number of ['3', [3], 3.5, -1, NaN, Infinity, 2 ** 53, null]) {
    t.notOk(signature.verify(number, 'stop', signature.sign(/** @type {any} */ (number), 'stop')), String(number))
  }
})

t.test('without a key nothing is signed, and nothing that is signed is taken', async t => {
  const none = new Signature(null, SHIFT)
  t.equal(none.sign(1, 'stop'), '')
  t.ok(none.verify(1, 'stop', ''))
  t.notOk(none.verify(1, 'stop', undefined))
  t.notOk(none.verify(1, 'stop', new Signature(KEY, SHIFT).sign(1, 'stop')))
  t.notOk(new Signature(KEY, SHIFT).verify(1, 'stop', none.sign(1, 'stop')))
})

t.test('a key is a text of 16 characters or more, and is never shown', async t => {
  t.equal(readKey(undefined), null)
  t.equal(readKey(''), null, 'what a shell makes of a variable that is not set')
  t.equal(readKey(' \n'), null)
  t.equal(readKey(`${KEY}\n`), KEY)
  const refused = t.throws(() => readKey('hunter2'), OptionsError)
  t.equal(/** @type {Error} */ (refused).message, 'AUTOCANNON_KEY: expected at least 16 characters, got 7. To make one: openssl rand -hex 32')
})

t.test('one side with a key and one without: a line for each', async t => {
  const sides = { here: 'this agent', there: 'the coordinator' }
  t.equal(disagreement(KEY, true, sides), null)
  t.equal(disagreement(null, false, sides), null)
  t.equal(disagreement(null, true, sides), 'the coordinator signs what it sends, and this agent has no AUTOCANNON_KEY: set the same on both sides')
  t.equal(disagreement(KEY, false, { here: 'this coordinator', there: 'agent b' }), 'this coordinator has an AUTOCANNON_KEY, and agent b has none: set the same on both sides')
})
