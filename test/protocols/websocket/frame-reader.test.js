'use strict'

const t = require('tap')
const { FrameReader } = require('../../../lib/protocols/websocket/frame-reader')
const { binary, close, differences, fragments, frame, more, ping, pong, tell, text } = require('../../helpers/protocols/websocket-frames')

// The tables below are bytes → events. Every row is read whole, byte by byte, and cut at every offset, alone and between two
// messages.

const HELLO = text('hello')
const LAST = binary(Buffer.from([1, 2]))

/** Those after which nothing is read. */
const ends = events => /^(error|close)/.test(events.at(-1) ?? '')

/** @type {(title: string, rows: Array<[promise: string, bytes: Buffer | Buffer[], events: string[], options?: object]>) => void} */
function table (title, rows) {
  t.test(title, async t => {
    for (const [promise, given, events, options] of rows) {
      const bytes = Buffer.concat([given].flat())
      t.strictSame(differences(bytes, events, () => options ?? {}), [], promise)
      if (events.at(-1) === 'inside') continue
      const behind = ends(events) ? [] : ['binary 0102']
      t.strictSame(differences(Buffer.concat([HELLO, bytes, LAST]), ['text hello', ...events, ...behind], () => options ?? {}), [], `${promise}, between others`)
    }
  })
}

const long = length => 'x'.repeat(length)

table('messages', [
  ['a text', HELLO, ['text hello']],
  ['an empty text', text(''), ['text ']],
  ['a binary message', binary(Buffer.from([0, 255, 128])), ['binary 00ff80']],
  ['an empty binary message', binary(''), ['binary ']],
  ['the longest one with a length of seven bits', text(long(125)), [`text ${long(125)}`]],
  ['the shortest one with a length of 16 bits', text(long(126)), [`text ${long(126)}`]],
  ['the longest one with a length of 16 bits', text(long(65535)), ['text 65535 × 120']],
  ['the shortest one with a length of 64 bits', text(long(65536)), ['text 65536 × 120']],
  ['several in one read', [text('a'), text('b'), binary('c')], ['text a', 'text b', 'binary 63']],
  ['text with characters of two, three and four bytes', text('ä€𝄞'), ['text ä€𝄞']],
  ['one that has begun', text('hel', { length: 5 }), ['inside']],
  ['one of which only the head is there', text('', { length: 70000 }), ['inside']]
])

table('fragments', [
  ['two', fragments(1, ['hel', 'lo']), ['text hello']],
  ['five', fragments(2, ['a', 'b', 'c', 'd', 'e']), ['binary 6162636465']],
  ['empty ones', fragments(1, ['', '', '']), ['text ']],
  ['empty ones around', fragments(1, ['', 'hello', '']), ['text hello']],
  ['a character that is cut', fragments(1, [Buffer.from([0xe2]), Buffer.from([0x82]), Buffer.from([0xac])]), ['text €']],
  ['a message in fragments behind another', [...fragments(1, ['a', 'b']), ...fragments(1, ['c', 'd'])], ['text ab', 'text cd']],
  ['one that has not ended', [text('a', { fin: false })], ['inside']],
  ['pings in between', [text('hel', { fin: false }), ping('1'), more('', { fin: false }), ping(), pong('2'), more('lo')], ['ping 31', 'ping ', 'pong 32', 'text hello']],
  ['a close in between: the message is lost', [text('hel', { fin: false }), close(1001, 'bye'), more('lo')], ['close 1001 bye']],
  ['none that goes on without a beginning', more('a'), ['error AC_WS_FRAGMENT']],
  ['none that goes on and on without a beginning', more('a', { fin: false }), ['error AC_WS_FRAGMENT']],
  ['none that goes on after its end', [...fragments(1, ['a', 'b']), more('c')], ['text ab', 'error AC_WS_FRAGMENT']],
  ['no text in another one', [text('a', { fin: false }), text('b')], ['error AC_WS_FRAGMENT']],
  ['no binary message in a text', [text('a', { fin: false }), binary('b')], ['error AC_WS_FRAGMENT']],
  ['no beginning in another one', [text('a', { fin: false }), text('b', { fin: false })], ['error AC_WS_FRAGMENT']]
])

table('control frames', [
  ['a ping without payload', ping(), ['ping ']],
  ['a ping with the longest payload', ping(Buffer.alloc(125, 0xfe)), [`ping ${'fe'.repeat(125)}`]],
  ['a pong without a ping', pong('x'), ['pong 78']],
  ['ten pings', Array.from({ length: 10 }, (_, i) => ping(String(i))), Array.from({ length: 10 }, (_, i) => `ping 3${i}`)],
  ['no ping of 126 bytes', ping(Buffer.alloc(126)), ['error AC_WS_CONTROL']],
  ['no pong with a length of 64 bits', pong('', { length: 70000 }), ['error AC_WS_CONTROL']],
  ['no short ping with a length of 16 bits', ping('a', { form: 2 }), ['error AC_WS_CONTROL']],
  ['no ping in fragments', ping('a', { fin: false }), ['error AC_WS_CONTROL']],
  ['no pong in fragments', pong('a', { fin: false }), ['error AC_WS_CONTROL']],
  ['no close in fragments', frame(8, '', { fin: false }), ['error AC_WS_CONTROL']],
  ['no close of 126 bytes', close(1000, long(124)), ['error AC_WS_CONTROL']]
])

table('close', [
  ['without a code', close(), ['close 1005 ']],
  ['with a code', close(1000), ['close 1000 ']],
  ['with a reason', close(1001, 'going'), ['close 1001 going']],
  ['with the longest reason', close(1000, long(123)), [`close 1000 ${long(123)}`]],
  ['with a reason that is no ASCII', close(4999, 'für €'), ['close 4999 für €']],
  ['and nothing behind it', [close(1000), HELLO, ping('a'), close(1001), Buffer.from([0xff, 0xff])], ['close 1000 ']],
  ['not with one byte', frame(8, 'x'), ['error AC_WS_CLOSE_FRAME']],
  ['not with a reason that is no UTF-8', close(1000, Buffer.from([0xce, 0xba, 0xff])), ['error AC_WS_UTF8']],
  ...[1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999].map(code => (
    /** @type {[string, Buffer, string[]]} */ ([`with ${code}`, close(code), [`close ${code} `]])
  )),
  ...[0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535].map(code => (
    /** @type {[string, Buffer, string[]]} */ ([`not with ${code}`, close(code, 'x'), ['error AC_WS_CLOSE_FRAME']])
  ))
])

table('heads', [
  ...[1, 2, 3, 4, 5, 6, 7].flatMap(rsv => [text('a', { rsv }), binary('', { rsv }), ping('', { rsv }), close(1000), pong('a', { rsv })].filter((_, i) => i !== 3)
    .map((bytes, i) => /** @type {[string, Buffer, string[]]} */ ([`no reserved bits ${rsv}, ${i}`, bytes, ['error AC_WS_RESERVED']]))),
  ['no reserved bit of a fragment', [text('a', { fin: false }), more('b', { rsv: 4 })], ['error AC_WS_RESERVED']],
  ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].flatMap(opcode => [frame(opcode), frame(opcode, 'abc'), frame(opcode, 'abc', { fin: false })]
    .map(bytes => /** @type {[string, Buffer, string[]]} */ ([`no opcode ${opcode}`, bytes, ['error AC_WS_OPCODE']]))),
  ['no masked text', text('hello', { key: [1, 2, 3, 4] }), ['error AC_WS_MASKED']],
  ['no masked text with a key of zeros', text('hello', { key: [0, 0, 0, 0] }), ['error AC_WS_MASKED']],
  ['no masked ping', ping('', { key: [1, 2, 3, 4] }), ['error AC_WS_MASKED']],
  ['no masked long message', binary('', { key: [1, 2, 3, 4], length: 70000 }), ['error AC_WS_MASKED']],
  ['no short length in 16 bits', text(long(125), { form: 2 }), ['error AC_WS_LENGTH']],
  ['no length of 0 in 16 bits', text('', { form: 2 }), ['error AC_WS_LENGTH']],
  ['no short length in 64 bits', text('abc', { form: 8 }), ['error AC_WS_LENGTH']],
  ['no length of 16 bits in 64 bits', text('', { form: 8, length: 65535 }), ['error AC_WS_LENGTH']],
  ['no length whose first bit is set', Buffer.from('817f8000000000000000', 'hex'), ['error AC_WS_LENGTH']],
  ['none with all bits set', Buffer.from('817fffffffffffffffff', 'hex'), ['error AC_WS_LENGTH']],
  ['the largest length of all is only too large', Buffer.from('827f7fffffffffffffff', 'hex'), ['error AC_WS_SIZE']]
])

const bad = bytes => Buffer.from(bytes, 'hex')
table('UTF-8', [
  ['boundaries of each length', text('\0\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\u{10000}\u{10ffff}'), ['text \0\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\u{10000}\u{10ffff}']],
  ['not a byte that begins nothing', text(bad('80')), ['error AC_WS_UTF8']],
  ['not a character that is cut', text(bad('61e282')), ['error AC_WS_UTF8']],
  ['not the half of a pair', text(bad('eda080')), ['error AC_WS_UTF8']],
  ['not an overlong slash', text(bad('c0af')), ['error AC_WS_UTF8']],
  ['not above U+10FFFF', text(bad('f4908080')), ['error AC_WS_UTF8']],
  ['not FE and FF', text(bad('fe')), ['error AC_WS_UTF8']],
  ['not at the end of a long text', text(Buffer.concat([Buffer.alloc(5000, 'x'), bad('ff')])), ['error AC_WS_UTF8']],
  ['not in the middle of a text of a few hundred bytes', text(Buffer.concat([Buffer.alloc(90, 'x'), bad('c3'), Buffer.alloc(200, 'x')])), ['error AC_WS_UTF8']],
  ['not in the last fragment', fragments(1, ['abc', bad('e2'), bad('82')]), ['error AC_WS_UTF8']],
  ['but anything in a binary message', binary(bad('80ffc0af')), ['binary 80ffc0af']]
])

table('a bound', [
  ['the largest message', text(long(100)), [`text ${long(100)}`], { maxSize: 100 }],
  ['the largest one in fragments', fragments(1, [long(60), long(40)]), [`text ${long(100)}`], { maxSize: 100 }],
  ['not one byte more', text(long(101)), ['error AC_WS_SIZE'], { maxSize: 100 }],
  ['not one byte more in fragments', fragments(1, [long(60), long(41)]), ['error AC_WS_SIZE'], { maxSize: 100 }],
  ['not endless fragments', Array.from({ length: 11 }, (_, i) => frame(i === 0 ? 2 : 0, long(10), { fin: false })), ['error AC_WS_SIZE'], { maxSize: 100 }],
  ['what is too large, by its head alone', text('', { length: 101 }), ['error AC_WS_SIZE'], { maxSize: 100 }],
  ['the bound counts each message alone', [text(long(100)), binary(long(90))], [`text ${long(100)}`, `binary ${Buffer.from(long(90)).toString('hex')}`], { maxSize: 100 }]
])

t.test('the size of a message is that of its frames, and of control frames in between', async t => {
  const bytes = Buffer.concat([ping('abc'), HELLO, pong(), ping(), text(long(126)), text('a', { fin: false }), ping('12'), more('b'), HELLO])
  for (const cuts of [[], Array.from({ length: bytes.length - 1 }, (_, i) => i + 1)]) {
    t.strictSame(tell(bytes, cuts, { sizes: true }).filter(event => event.startsWith('text')),
      ['text hello of 7', `text ${long(126)} of 130`, 'text ab of 10', 'text hello of 7'])
  }
})

/** @param {number} [maxSize] */
function quiet (maxSize) {
  const seen = []
  const reader = new FrameReader({
    onMessage: (isText, buf, start, end) => seen.push({ buf, start, end }),
    onPing () {},
    onPong () {},
    onClose () {},
    onError () {}
  }, maxSize)
  return { reader, seen }
}

t.test('a message in one read is not copied', async t => {
  const { reader, seen } = quiet()
  const bytes = Buffer.concat([HELLO, binary('ab')])
  reader.read(bytes, 0, bytes.length)
  t.equal(seen[0].buf, bytes)
  t.strictSame(seen.map(({ start, end }) => [start, end]), [[2, 7], [9, 11]])
})

t.test('a length that is only announced takes no memory, and a large message leaves none behind', async t => {
  const { reader } = quiet()
  const head = text('a', { length: 16 * 1024 * 1024 })
  reader.read(head, 0, head.length)
  t.ok(reader.inside)
  t.ok(reader.joined.length <= 512)
  const rest = Buffer.alloc(1024 * 1024, 'x')
  for (let i = 0; i < 16; i++) reader.read(rest, i === 15 ? 1 : 0, rest.length)
  t.notOk(reader.inside)
  t.equal(reader.error, null)
  t.equal(reader.joined.length, 0)
})

t.test('it knows whether it is inside a message', async t => {
  const { reader } = quiet()
  const inside = (...bytes) => {
    reader.read(Buffer.from(bytes), 0, bytes.length)
    return reader.inside
  }
  t.notOk(reader.inside)
  t.notOk(inside(0x89), 'a ping has begun')
  t.notOk(inside(1))
  t.notOk(inside(65))
  t.ok(inside(0x01), 'a text has begun')
  t.ok(inside(126))
  t.ok(inside(0))
  t.ok(inside(130))
  t.ok(inside(...Buffer.alloc(130, 65)), 'between its fragments')
  t.ok(inside(0x89, 0))
  t.ok(inside(0x8a), 'with a pong in between')
  t.ok(inside(0))
  t.ok(inside(0x80))
  t.notOk(inside(0), 'it is complete')
  t.notOk(inside(0x88, 0), 'and closed')
  t.ok(reader.stopped)
})

t.test('after reset it reads another connection, whatever the one before ended with', async t => {
  for (const bytes of [text('abc', { length: 5 }), text('a', { fin: false }), ping('a', { length: 5 }), frame(3), close(1000), Buffer.from([0x81, 127, 0, 0]), text('', { length: 2 ** 40 })]) {
    const { reader, seen } = quiet()
    reader.read(bytes, 0, bytes.length)
    reader.reset()
    t.notOk(reader.inside)
    t.equal(reader.error, null)
    reader.read(HELLO, 0, HELLO.length)
    t.strictSame(seen.map(({ buf, start, end }) => buf.toString('utf8', start, end)), ['hello'])
    t.equal(reader.size, HELLO.length)
  }
})

t.test('nothing is reported after stop, also in the middle of a read', async t => {
  const seen = []
  const reader = new FrameReader({
    onMessage (_, buf, start, end) {
      seen.push(buf.toString('utf8', start, end))
      reader.stop()
    },
    onPing: () => seen.push('ping'),
    onPong () {},
    onClose () {},
    onError: error => seen.push(error.code)
  })
  const bytes = Buffer.concat([HELLO, HELLO, ping(), frame(3)])
  reader.read(bytes, 0, bytes.length)
  t.strictSame(seen, ['hello'])
  t.equal(reader.error, null)
})

t.test('errors say what is wrong', async t => {
  const { reader } = quiet()
  reader.read(frame(3), 0, 2)
  t.match(reader.error, { name: 'ProtocolError', code: 'AC_WS_OPCODE', message: 'a WebSocket frame has a reserved opcode' })
})
