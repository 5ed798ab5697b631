'use strict'

// Bytes four at a time: each byte at each place is found, or not, as one by one.

const t = require('tap')
const { lineEnd, startsWith, viewOf, wordsOf } = require('../../lib/streams/words')

t.test('a line may end at each byte of at most 13, wherever it is, and at no other', async t => {
  for (let byte = 0; byte < 256; byte++) {
    for (let at = 0; at < 9; at++) {
      const bytes = Buffer.alloc(9, 'ü')
      bytes[at] = byte
      const found = Array.from({ length: 9 }, (_, from) => lineEnd(viewOf(bytes), from, 9))
      t.same(found, Array.from({ length: 9 }, (_, from) => byte <= 13 && at >= from ? at : 9), `${byte} at ${at}`)
    }
  }
})

t.test('what lies behind the bytes of a read is not looked at', async t => {
  const bytes = Buffer.from('abcdef\n')
  t.equal(lineEnd(viewOf(bytes), 0, 5), 5)
  t.notOk(startsWith(viewOf(bytes), 0, 5, viewOf(Buffer.from('abcdef'))))
})

t.test('all bytes have to be the same', async t => {
  const text = Buffer.from('abcdefg')
  for (let length = 0; length <= 7; length++) {
    const other = Buffer.from(text.subarray(0, length))
    t.ok(startsWith(viewOf(text), 0, 7, viewOf(other)))
    for (let at = 0; at < length; at++) {
      const wrong = Buffer.from(other)
      wrong[at] ^= 1
      t.notOk(startsWith(viewOf(text), 0, 7, viewOf(wrong)))
    }
  }
})

t.test('each buffer is looked at by itself, those of one memory too', async t => {
  const [a, b] = [Buffer.from('a\n--'), Buffer.from('ab\n-')]
  t.equal(lineEnd(wordsOf(a), 0, 4), 1)
  t.equal(lineEnd(wordsOf(b), 0, 4), 2)
  t.equal(lineEnd(wordsOf(a.subarray(1)), 0, 3), 0)
})
