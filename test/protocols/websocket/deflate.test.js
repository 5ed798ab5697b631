'use strict'

const zlib = require('node:zlib')
const t = require('tap')
const { Inflater, acceptResponse, deflated, parseOffer } = require('../../../lib/protocols/websocket/deflate')
const { parseExtensions } = require('../../../lib/protocols/websocket/extensions')
const { binary, differences, fragments, frame, more, ping, text } = require('../../helpers/protocols/websocket-frames')

const PLAIN = { serverTakesOver: true, serverBits: 15, clientBits: 15 }
const FORGETS = { ...PLAIN, serverTakesOver: false }
const hex = bytes => Buffer.from(bytes.replaceAll(' ', ''), 'hex')

t.test('extensions', async t => {
  for (const [given, wanted] of /** @type {Array<[string, any]>} */ ([
    ['permessage-deflate', [{ name: 'permessage-deflate', parameters: [] }]],
    ['foo, bar; baz=2', [{ name: 'foo', parameters: [] }, { name: 'bar', parameters: [['baz', '2']] }]],
    ['foo; a; b=1; a="x" , foo', [{ name: 'foo', parameters: [['a', null], ['b', '1'], ['a', 'x']] }, { name: 'foo', parameters: [] }]],
    [' \tfoo\t;\ta = 1 ', [{ name: 'foo', parameters: [['a', '1']] }]],
    ['', null],
    [',', null],
    ['foo,', null],
    ['foo;', null],
    ['foo; ', null],
    [', foo', null],
    ['foo bar', null],
    ['foo=1', null],
    ['foo; =1', null],
    ['foo; a=', null],
    ['foo; a=""', null],
    ['foo; a="x y"', null],
    ['foo; a="x', null],
    ['föö', null],
    ['foo; a=1 2', null]
  ])) t.strictSame(parseExtensions(given), wanted, given)
})

t.test('offers', async t => {
  t.strictSame(parseOffer(), { text: 'permessage-deflate; client_max_window_bits', clientBits: 15, serverBits: 15 })
  t.strictSame(parseOffer('permessage-deflate'), { text: 'permessage-deflate', clientBits: null, serverBits: 15 })
  t.match(parseOffer('permessage-deflate; client_max_window_bits=9; server_max_window_bits="10"'), { clientBits: 9, serverBits: 10 })
  t.match(parseOffer('permessage-deflate; server_no_context_takeover; client_no_context_takeover'), { clientBits: null, serverBits: 15 })
  for (const [given, message] of [
    ['', 'expected permessage-deflate and its parameters (RFC 7692), got \'\''],
    ['deflate', 'expected permessage-deflate'],
    ['permessage-deflate, permessage-deflate', 'expected permessage-deflate'],
    ['permessage-deflate; foo', 'permessage-deflate has no parameter foo'],
    ['permessage-deflate; server_max_window_bits', 'server_max_window_bits is not a number from 8 to 15'],
    ['permessage-deflate; server_max_window_bits=16', 'server_max_window_bits is not a number from 8 to 15'],
    ['permessage-deflate; client_max_window_bits=7', 'client_max_window_bits is not a number from 8 to 15'],
    ['permessage-deflate; client_max_window_bits=08', 'client_max_window_bits is not a number from 8 to 15'],
    ['permessage-deflate; client_no_context_takeover=1', 'client_no_context_takeover has a value'],
    ['permessage-deflate; server_no_context_takeover; server_no_context_takeover', 'server_no_context_takeover is there twice']
  ]) t.throws(() => parseOffer(given), { message: new RegExp(`^${message.replace(/[()]/g, '\\$&')}`) }, given)
})

t.test('responses (RFC 7692 §5.1, §7.1)', async t => {
  const answer = (offer, parameters) => acceptResponse(parseOffer(offer), parseExtensions(`permessage-deflate${parameters}`)[0].parameters)
  const bits = 'permessage-deflate; client_max_window_bits'
  t.strictSame(answer(bits, ''), PLAIN)
  t.strictSame(answer(bits, '; server_no_context_takeover'), FORGETS)
  t.strictSame(answer('permessage-deflate', '; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=8'), { ...FORGETS, serverBits: 8 })
  t.strictSame(answer(bits, '; client_max_window_bits=10; server_max_window_bits=9'), { ...PLAIN, serverBits: 9, clientBits: 10 })
  t.strictSame(answer(`${bits}=10; server_max_window_bits=12`, '; client_max_window_bits=10; server_max_window_bits=12'), { ...PLAIN, serverBits: 12, clientBits: 10 })
  for (const [offer, parameters, sentence] of [
    ['permessage-deflate', '; client_max_window_bits=10', 'client_max_window_bits was not offered'],
    [bits, '; client_max_window_bits', 'client_max_window_bits is not a number from 8 to 15'],
    [`${bits}=10`, '; client_max_window_bits=11', 'client_max_window_bits=11 is more than the 10 of the offer'],
    [bits, '; server_max_window_bits', 'server_max_window_bits is not a number from 8 to 15'],
    ['permessage-deflate; server_max_window_bits=9', '; server_max_window_bits=10', 'server_max_window_bits=10 is more than the 9 of the offer'],
    [bits, '; server_max_window_bits=20', 'server_max_window_bits is not a number from 8 to 15'],
    [bits, '; server_no_context_takeover=1', 'server_no_context_takeover has a value'],
    [bits, '; client_no_context_takeover; client_no_context_takeover', 'client_no_context_takeover is there twice'],
    [bits, '; foo=1', 'permessage-deflate has no parameter foo']
  ]) t.equal(answer(offer, parameters), sentence)
})

/** @type {(inflater: Inflater, bytes: Buffer, maxSize?: number) => string} */
const inflate = (inflater, bytes, maxSize = 1e6) => {
  const around = Buffer.concat([Buffer.from('xx'), bytes, Buffer.from('yy')])
  const plain = inflater.inflate(around, 2, 2 + bytes.length, maxSize)
  return plain === null ? inflater.code : plain.toString('latin1')
}

t.test('the examples of RFC 7692 §7.2.3', async t => {
  const inflater = new Inflater(PLAIN)
  t.equal(inflate(inflater, hex('f2 48 cd c9 c9 07 00')), 'Hello', '1. one block')
  t.equal(inflate(inflater, hex('f2 00 11 00 00')), 'Hello', '2. sharing of the window')
  t.equal(inflate(inflater, hex('00 05 00 fa ff 48 65 6c 6c 6f 00')), 'Hello', '3. a block without compression')
  t.equal(inflate(inflater, hex('f3 48 cd c9 c9 07 00 00')), 'Hello', '4. a final block')
  t.equal(inflate(inflater, hex('f2 48 05 00 00 00 ff ff ca c9 c9 07 00')), 'Hello', '5. two blocks')
  t.equal(inflate(inflater, hex('00')), '', '6. an empty message')
  t.equal(inflate(inflater, hex('f2 00 11 00 00')), 'Hello', 'the window is still there')
  t.equal(inflate(new Inflater(PLAIN), hex('f2 00 11 00 00')), 'AC_WS_DEFLATE', 'and not there in another connection')
})

t.test('final blocks in the middle of a message', async t => {
  t.equal(inflate(new Inflater(FORGETS), hex('f3 48 cd c9 c9 07 00 f2 48 cd c9 c9 07 00')), 'HelloHello')
  t.equal(inflate(new Inflater(FORGETS), hex('f3 48 cd c9 c9 07 00 f2 00 11 00 00')), 'HelloHello', 'the second refers to the first')
  t.equal(inflate(new Inflater(FORGETS), hex('03 00'.repeat(15))), '')
  t.equal(inflate(new Inflater(FORGETS), hex('03 00'.repeat(1e5))), 'AC_WS_DEFLATE', 'but not without end')
})

t.test('without context takeover a message can not refer to an earlier one', async t => {
  const inflater = new Inflater(FORGETS)
  t.equal(inflate(inflater, hex('f2 48 cd c9 c9 07 00')), 'Hello')
  t.equal(inflate(inflater, hex('f2 00 11 00 00')), 'AC_WS_DEFLATE')
})

t.test('a bomb is refused at the bound, and not inflated', async t => {
  const bomb = deflated(Buffer.alloc(50e6), PLAIN)
  t.ok(bomb.length < 100e3)
  const before = process.memoryUsage().arrayBuffers
  for (let i = 0; i < 5; i++) t.equal(inflate(new Inflater(PLAIN), bomb, 1e6), 'AC_WS_SIZE')
  t.ok(process.memoryUsage().arrayBuffers - before < 20e6)
  const exact = deflated(Buffer.alloc(1000), PLAIN)
  t.equal(inflate(new Inflater(PLAIN), exact, 1000).length, 1000)
  t.equal(inflate(new Inflater(PLAIN), exact, 999), 'AC_WS_SIZE')
  const final = hex('f3 48 cd c9 c9 07 00 f2 48 cd c9 c9 07 00')
  t.equal(inflate(new Inflater(PLAIN), final, 10), 'HelloHello')
  for (const maxSize of [9, 6, 5, 4]) t.equal(inflate(new Inflater(PLAIN), final, maxSize), 'AC_WS_SIZE', `a bound of ${maxSize} for two streams`)
})

t.test('the window is as long as promised, however long messages are', async t => {
  for (const serverBits of [9, 12, 15]) {
    const deflate = zlib.createDeflateRaw({ windowBits: serverBits, flush: zlib.constants.Z_SYNC_FLUSH, chunkSize: 1 << 20 })
    const inflater = new Inflater({ ...PLAIN, serverBits })
    let state = 1
    const random = () => (state = Math.imul(state, 48271) >>> 0) / 2 ** 32
    let earlier = Buffer.alloc(1 << 17, 'seed of all that follows, ')
    for (let i = 0; i < 60; i++) {
      // Parts of what came up to a window before, and new bytes.
      const length = [3, 100, 5000, 17000, 40000][Math.floor(random() * 5)]
      const parts = []
      for (let size = 0; size < length;) {
        const back = 1 + Math.floor(random() * 2 ** serverBits)
        const part = random() < 0.2 ? Buffer.from(String(random())) : earlier.subarray(earlier.length - back, earlier.length - back + 200)
        parts.push(part)
        size += part.length
      }
      const message = Buffer.concat(parts)
      earlier = Buffer.concat([earlier, message]).subarray(-(1 << 17))
      const bytes = await new Promise(resolve => {
        const chunks = []
        const take = chunk => chunks.push(chunk)
        deflate.on('data', take)
        deflate.write(message)
        deflate.flush(zlib.constants.Z_SYNC_FLUSH, () => {
          deflate.off('data', take)
          resolve(Buffer.concat(chunks))
        })
      })
      t.equal(inflate(inflater, bytes.subarray(0, bytes.length - 4)), message.toString('latin1'), `message ${i}, ${serverBits} bits`)
      t.ok(inflater.history.length <= 2 ** serverBits + 16 * 1024)
    }
    deflate.close()
  }
})

t.test('what is deflated has no tail, is inflated again, and keeps to the window', async t => {
  t.equal(deflated('Hello', PLAIN).toString('hex'), 'f248cdc9c90700')
  t.equal(deflated('', PLAIN).toString('hex'), '00')
  const noise = Buffer.from(Array.from({ length: 600 }, (_, i) => Math.imul(i * i + 7, 2654435761) >>> 24))
  const message = Buffer.concat([noise, noise])
  for (const clientBits of [8, 9, 15]) {
    const bytes = deflated(message, { ...PLAIN, clientBits })
    // A reader of a smaller window refuses what refers further back.
    const windowBits = Math.max(8, clientBits)
    t.strictSame(zlib.inflateRawSync(Buffer.concat([bytes, hex('0000ffff')]), { windowBits, finishFlush: zlib.constants.Z_SYNC_FLUSH }), message, `${clientBits} bits`)
  }
})

t.test('messages that are deflated, among those that are not', async t => {
  const flat = deflated('Hello'.repeat(30), PLAIN)
  const options = () => ({ inflater: new Inflater(PLAIN) })
  const table = /** @type {Array<[string, Buffer[], string[]]>} */ ([
    ['a text', [text(flat, { rsv: 4 })], [`text ${'Hello'.repeat(30)}`]],
    ['a binary message', [binary(hex('f248cdc9c90700'), { rsv: 4 })], ['binary 48656c6c6f']],
    ['one that is not deflated', [text('Hello')], ['text Hello']],
    ['fragments, of which the first says it', [text(flat.subarray(0, 3), { rsv: 4, fin: false }), ping('a'), more(flat.subarray(3, 4), { fin: false }), more(flat.subarray(4))], ['ping 61', `text ${'Hello'.repeat(30)}`]],
    ['fragments that are not deflated', fragments(1, ['He', 'llo']), ['text Hello']],
    ['a message that refers to an earlier one', [text(hex('f248cdc9c90700'), { rsv: 4 }), text('plain'), text(hex('f200110000'), { rsv: 4 })], ['text Hello', 'text plain', 'text Hello']],
    ['no later fragment says it', [text(flat, { rsv: 4, fin: false }), more('', { rsv: 4 })], ['error AC_WS_RESERVED']],
    ['no control frame', [ping('', { rsv: 4 })], ['error AC_WS_RESERVED']],
    ['no other reserved bits', [text(flat, { rsv: 6 })], ['error AC_WS_RESERVED']],
    ['nothing that is no deflate', [text('\xff\xff', { rsv: 4 })], ['error AC_WS_DEFLATE']],
    ['no text that is no UTF-8 once it is inflated', [text(deflated(hex('ff'), PLAIN), { rsv: 4 })], ['error AC_WS_UTF8']],
    ['any bytes in a binary message', [binary(deflated(hex('ff'), PLAIN), { rsv: 4 })], ['binary ff']]
  ])
  for (const [promise, bytes, events] of table) t.strictSame(differences(Buffer.concat(bytes), events, options), [], promise)
  t.strictSame(differences(text(flat, { rsv: 4 }), ['error AC_WS_SIZE'], () => ({ inflater: new Inflater(PLAIN), maxSize: 149 })), [], 'the bound is that of what is inflated')
  t.strictSame(differences(frame(1, flat, { rsv: 4 }), ['error AC_WS_RESERVED']), [], 'not where it was not negotiated')
})
