'use strict'

const t = require('tap')
const fc = require('fast-check')
const { HeadMemo } = require('../../lib/protocols/head-memo')

const FORMAT = { rawHeaders: (buf, start, end) => [buf.toString('latin1', start, end)], statusLine: () => ({ statusMessage: '', versionMajor: 2, versionMinor: 0 }) }
const FRAMING = { status: 200, framing: 0, contentLength: 3 }

/** @param {Uint8Array} head */
function memoOf (head) {
  const memo = new HeadMemo(FORMAT)
  memo.remember(Buffer.from(head), 0, head.length, FRAMING)
  return memo
}

// What can be in a head of HTTP/2: often bytes of which a NaN is made.
const byte = fc.oneof(fc.constantFrom(0x7f, 0xf0, 0xff, 0xf8), fc.integer({ min: 1, max: 255 }))

t.test('the same head is the same at any address, and another one never', async t => {
  const same = fc.array(byte, { minLength: 8, maxLength: 80 })
  let matched = 0
  fc.assert(fc.property(same, fc.nat(), fc.integer({ min: 1, max: 255 }), (bytes, at, change) => {
    const head = Uint8Array.from(bytes)
    const memo = memoOf(head)
    const buf = Buffer.alloc(200)
    for (let offset = 0; offset < 16; offset++) {
      buf.fill(0xa5)
      buf.set(head, offset)
      if (!memo.matches(buf, offset, offset + head.length)) return false
      if (memo.matches(buf, offset, offset + head.length - 1)) return false
      matched++
      buf[offset + at % head.length] ^= change
      // A zero has a sign: it stands in no head.
      if (buf[offset + at % head.length] !== 0 && memo.matches(buf, offset, offset + head.length)) return false
    }
    return true
  }), { seed: 754, numRuns: 1000 })
  t.ok(matched >= 16_000)
})

t.test('heads that are too long or too short are not remembered, and the one before stays', async t => {
  const memo = memoOf(Buffer.alloc(8, 1))
  for (const size of [0, 7, 1025]) {
    memo.remember(Buffer.alloc(size, 2), 0, size, FRAMING)
    t.equal(memo.matches(Buffer.alloc(8, 1), 0, 8), true)
    t.equal(memo.version, 1)
  }
  memo.remember(Buffer.alloc(1024, 2), 0, 1024, FRAMING)
  t.equal(memo.matches(Buffer.alloc(1024, 2), 0, 1024), true)
  t.equal(memo.matches(Buffer.alloc(8, 1), 0, 8), false)
})

t.test('text is made of a head once', async t => {
  const memo = memoOf(Buffer.from('12345678'))
  t.strictSame(memo.rawHeaders(), ['12345678'])
  t.equal(memo.rawHeaders(), memo.rawHeaders())
})
