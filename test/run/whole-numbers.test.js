'use strict'

const assert = require('node:assert/strict')
const t = require('tap')
const fc = require('fast-check')
const { isPackable, pack, unpack } = require('../../lib/run/whole-numbers')

const LARGEST = 2 ** 51

t.test('a list arrives as it was packed', async t => {
  const number = fc.oneof(fc.nat(200), fc.integer(), fc.constantFrom(LARGEST, -LARGEST, 63, 64, -64, -65), fc.maxSafeInteger().map(n => Math.floor(n / 4)))
  t.doesNotThrow(() => fc.assert(fc.property(fc.array(number, { minLength: 16, maxLength: 100 }), list => {
    assert.ok(isPackable(list))
    assert.deepEqual(unpack(pack(list)), list)
  }), { seed: 17, numRuns: 300 }))
})

t.test('the buckets of a histogram take three or four characters each, where their digits take eight', async t => {
  const buckets = Array.from({ length: 1000 }, (_, i) => [8000 + 2 * i, 1 + i % 3]).flat()
  t.ok(pack(buckets).length < 2.7 * 1000)
  t.ok(JSON.stringify(buckets).length > 7 * 1000)
})

t.test('what would not arrive as it is, or is short, is not packed', async t => {
  const list = new Array(20).fill(7)
  t.equal(isPackable(list), true)
  t.equal(isPackable(list.slice(5)), false)
  for (const other of [-0, 0.5, NaN, Infinity, LARGEST + 1, -LARGEST - 1, '7', null, undefined, 7n, {}]) t.equal(isPackable([...list, other]), false, String(other))
  const holes = [...list]
  delete holes[3]
  t.equal(isPackable(holes), false)
})

t.test('whatever a peer sends is a list of whole numbers, or none', async t => {
  t.doesNotThrow(() => fc.assert(fc.property(fc.oneof(fc.string(), fc.uint8Array({ maxLength: 60 }).map(bytes => Buffer.from(bytes).toString('base64')), fc.constantFrom('/'.repeat(4000))), text => {
    const list = unpack(text)
    assert.ok(list === null || list.every(value => Number.isSafeInteger(value)))
  }), { seed: 17, numRuns: 1000 }))
})
