'use strict'

// The cases of the Autobahn test suite that apply to a client, as bytes of the server and what is read of them. Each is read whole, byte by
// byte and cut at many places; the suite does the same with "octet-wise chops". What a case demands besides, that an invalid text is refused
// at its first wrong byte ("fail fast", 6.4), is optional there: a text is validated as a whole. 10 is that of 9, 12 and 13 are in frames-ws.test.js.

const t = require('tap')
const { binary, close, differences, fragments, frame, more, ping, pong, shown, text } = require('../../helpers/protocols/websocket-frames')

const TEXT = 1
const BINARY = 2
const size = (length, byte = '*') => Buffer.alloc(length, byte)
const FE = Buffer.from([0, 0xff, 0xfe, 0xfd, 0xfc, 0xfb, 0, 0xff])
const hex = bytes => Buffer.from(bytes, 'hex')
const DONE = 'close 1000 '
const bad = (code, ...before) => [...before, `error AC_WS_${code}`]
/** A message in frames of that many bytes. */
const inFrames = (opcode, payload, length) =>
  fragments(opcode, Array.from({ length: Math.ceil(payload.length / length) }, (_, i) => payload.subarray(i * length, (i + 1) * length)))
const octets = bytes => fragments(TEXT, [...bytes].map(byte => Buffer.from([byte])))

/** Each ends with a close frame, which is read unless something was wrong before. @type {Array<[cases: string, bytes: Buffer | Buffer[], events: string[]]>} */
const CASES = [
  // 1 Framing
  ...[0, 125, 126, 127, 128, 65535, 65536].flatMap((length, i) => [
    /** @type {[string, Buffer, string[]]} */ ([`1.1.${i + 1}`, text(size(length)), [`text ${shown(size(length), 'utf8')}`]]),
    /** @type {[string, Buffer, string[]]} */ ([`1.2.${i + 1}`, binary(size(length, 0xfe)), [`binary ${shown(size(length, 0xfe), 'hex')}`]])
  ]),
  // 2 Pings and pongs
  ['2.1', ping(), ['ping ']],
  ['2.2', ping('Hello, world!'), [`ping ${Buffer.from('Hello, world!').toString('hex')}`]],
  ['2.3', ping(FE), [`ping ${FE.toString('hex')}`]],
  ['2.4, 2.6', ping(size(125, 0xfe)), [`ping ${'fe'.repeat(125)}`]],
  ['2.5', ping(size(126, 0xfe)), bad('CONTROL')],
  ['2.7', pong(), ['pong ']],
  ['2.8', pong('unsolicited'), [`pong ${Buffer.from('unsolicited').toString('hex')}`]],
  ['2.9', [pong('a'), ping('b')], ['pong 61', 'ping 62']],
  ['2.10, 2.11', Array.from({ length: 10 }, (_, i) => ping(`${i}`)), Array.from({ length: 10 }, (_, i) => `ping 3${i}`)],
  // 3 Reserved bits
  ['3.1', text('Hello', { rsv: 1 }), bad('RESERVED')],
  ['3.2', [text('Hello'), text('Hello', { rsv: 2 }), ping()], bad('RESERVED', 'text Hello')],
  ['3.3', [text('Hello'), text('Hello', { rsv: 3 }), ping()], bad('RESERVED', 'text Hello')],
  ['3.4', [text('Hello'), text('Hello', { rsv: 4 }), ping()], bad('RESERVED', 'text Hello')],
  ['3.5', binary(FE, { rsv: 5 }), bad('RESERVED')],
  ['3.6', ping('Hello', { rsv: 6 }), bad('RESERVED')],
  ['3.7', frame(8, '', { rsv: 7 }), bad('RESERVED')],
  // 4 Opcodes
  ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map((opcode, i) => {
    const name = `4.${i < 5 ? 1 : 2}.${i % 5 + 1}`
    const bytes = frame(opcode, i % 2 ? 'reserved opcode' : '')
    return /** @type {[string, Buffer | Buffer[], string[]]} */ (i % 5 < 2 ? [name, bytes, bad('OPCODE')] : [name, [text('Hello'), bytes, ping()], bad('OPCODE', 'text Hello')])
  }),
  // 5 Fragmentation
  ['5.1', [ping('fragment1', { fin: false }), more('fragment2')], bad('CONTROL')],
  ['5.2', [pong('fragment1', { fin: false }), more('fragment2')], bad('CONTROL')],
  ['5.3–5.5', fragments(TEXT, ['fragment1', 'fragment2']), ['text fragment1fragment2']],
  ['5.6–5.8', [text('fragment1', { fin: false }), ping('ping'), more('fragment2')], ['ping 70696e67', 'text fragment1fragment2']],
  ['5.9–5.11', [more('non-continuation payload'), text('Hello')], bad('FRAGMENT')],
  ['5.12–5.14', [more('non-continuation payload', { fin: false }), text('Hello')], bad('FRAGMENT')],
  ['5.15', [...fragments(TEXT, ['fragment1', 'fragment2']), more('fragment3', { fin: false }), text('fragment4')], bad('FRAGMENT', 'text fragment1fragment2')],
  ['5.16', [more('fragment1', { fin: false }), text('fragment2', { fin: false }), more('fragment3')], bad('FRAGMENT')],
  ['5.17', [more('fragment1'), text('fragment2', { fin: false }), more('fragment3')], bad('FRAGMENT')],
  ['5.18', [text('fragment1', { fin: false }), text('fragment2')], bad('FRAGMENT')],
  ['5.19, 5.20', [text('1', { fin: false }), more('2', { fin: false }), ping('a'), more('3', { fin: false }), more('4', { fin: false }), ping('b'), more('5')],
    ['ping 61', 'ping 62', 'text 12345']],
  // 6 UTF-8
  ['6.1.1', text(''), ['text ']],
  ['6.1.2', fragments(TEXT, ['', '', '']), ['text ']],
  ['6.1.3', fragments(TEXT, ['', 'middle frame payload', '']), ['text middle frame payload']],
  ['6.2.1', text('Hello-µ@ßöäüàá-UTF-8!!'), ['text Hello-µ@ßöäüàá-UTF-8!!']],
  ['6.2.2', fragments(TEXT, ['Hello-µ@ßöä', 'üàá-UTF-8!!']), ['text Hello-µ@ßöäüàá-UTF-8!!']],
  ['6.2.3', octets(Buffer.from('Hello-µ@ßöäüàá-UTF-8!!')), ['text Hello-µ@ßöäüàá-UTF-8!!']],
  ['6.2.4', octets(Buffer.from('κόσμε')), ['text κόσμε']],
  ['6.3.1', text(hex('cebae1bdb9cf83cebcceb5eda080656469746564')), bad('UTF8')],
  ['6.3.2', octets(hex('cebae1bdb9cf83cebcceb5eda080656469746564')), bad('UTF8')],
  ['6.4.1, 6.4.3', fragments(TEXT, [hex('cebae1bdb9cf83cebcceb5'), hex('f4908080'), 'edited']), bad('UTF8')],
  ['6.4.2, 6.4.4', fragments(TEXT, [hex('cebae1bdb9cf83cebcceb5f4'), hex('90'), hex('8080656469746564')]), bad('UTF8')],
  // Markus Kuhn's decoder stress test, in the order of the suite.
  ...utf8('6.5', ['cebae1bdb9cf83cebcceb5'], ['ce', 'cebae1', 'cebae1bd', 'cebae1bdb9cf']),
  ...utf8('6.6', ['ceba', 'cebae1bdb9', 'cebae1bdb9cf83', 'cebae1bdb9cf83cebc', 'cebae1bdb9cf83cebcceb5'], ['ce', 'cebae1', 'cebae1bd', 'cebae1bdb9cf', 'cebae1bdb9cf83ce', 'cebae1bdb9cf83cebcce']),
  ...utf8('6.7', ['00', 'c280', 'e0a080', 'f0908080'], []),
  ...utf8('6.8', [], ['f888808080', 'fc8480808080']),
  ...utf8('6.9', ['7f', 'dfbf', 'efbfbf', 'f48fbfbf'], []),
  ...utf8('6.10', [], ['f7bfbfbf', 'fbbfbfbfbf', 'fdbfbfbfbfbf']),
  ...utf8('6.11', ['ed9fbf', 'ee8080', 'efbfbd', 'f48fbfbf'], ['f4908080']),
  ...utf8('6.12', [], ['80', 'bf', '80bf', '80bf80', '80bf80bf', '80bf80bf80', '80bf80bf80bf', Array.from({ length: 62 }, (_, i) => (0x80 + i).toString(16)).join('')]),
  ...utf8('6.13', [], [[0xc0, 0xdf], [0xe0, 0xef], [0xf0, 0xf7], [0xf8, 0xfb], [0xfc, 0xfd]].map(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => `${(from + i).toString(16)}20`).join(''))),
  ...utf8('6.14', [], ['c0', 'e080', 'f08080', 'f8808080', 'fc80808080', 'df', 'efbf', 'f7bfbf', 'fbbfbfbf', 'fdbfbfbfbf']),
  ...utf8('6.15', [], ['c0e080f08080f8808080fc80808080dfefbff7bfbffbbfbfbffdbfbfbfbf']),
  ...utf8('6.16', [], ['fe', 'ff', 'fefeffff']),
  ...utf8('6.17', [], ['c0af', 'e080af', 'f08080af', 'f8808080af', 'fc80808080af']),
  ...utf8('6.18', [], ['c1bf', 'e09fbf', 'f08fbfbf', 'f887bfbfbf', 'fc83bfbfbfbf']),
  ...utf8('6.19', [], ['c080', 'e08080', 'f0808080', 'f880808080', 'fc8080808080']),
  ...utf8('6.20', [], ['eda080', 'edadbf', 'edae80', 'edafbf', 'edb080', 'edbe80', 'edbfbf']),
  ...utf8('6.21', [], ['eda080edb080', 'eda080edbfbf', 'edadbfedb080', 'edadbfedbfbf', 'edae80edb080', 'edae80edbfbf', 'edafbfedb080', 'edafbfedbfbf']),
  ...utf8('6.22', ['efbfbe', 'efbfbf', ...Array.from({ length: 16 }, (_, i) => [0xfffe, 0xffff].map(last => Buffer.from(String.fromCodePoint((i + 1) * 0x10000 + last)).toString('hex'))).flat()], []),
  ...utf8('6.23', ['efbfbd', 'efbfbc', 'efbfb9', 'efbfba', 'efbfbb'], []),
  // 7 Close
  ['7.1.1', text('Hello World!'), ['text Hello World!']],
  ['7.1.2', [close(1000), close(1000)], []],
  ['7.1.3', [close(1000), ping()], []],
  ['7.1.4', [close(1000), text('Hello World!')], []],
  ['7.1.5', [text('fragment1', { fin: false }), close(1000), more('fragment2')], []],
  ['7.1.6', [text(size(256 * 1024, 'B')), close(1000), ping()], [`text ${256 * 1024} × 66`]],
  ['7.3.1', close(), ['close 1005 ']],
  ['7.3.2', frame(8, 'a'), bad('CLOSE_FRAME')],
  ['7.3.3', close(1000), []],
  ['7.3.4', close(1000, 'Hello World!'), ['close 1000 Hello World!']],
  ['7.3.5', close(1000, size(123)), [`close 1000 ${size(123)}`]],
  ['7.3.6', close(1000, size(124)), bad('CONTROL')],
  ['7.5.1', close(1000, hex('cebae1bdb9cf83cebcceb5eda080656469746564')), bad('UTF8')],
  ...[1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999].map((code, i) =>
    /** @type {[string, Buffer, string[]]} */ ([`7.7.${i + 1}`, close(code), [`close ${code} `]])),
  ...[0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999].flatMap((code, i) => [
    /** @type {[string, Buffer, string[]]} */ ([`7.9.${i + 1}`, close(code), bad('CLOSE_FRAME')]),
    /** @type {[string, Buffer, string[]]} */ ([`7.9.${i + 1} with a reason`, close(code, 'reason'), bad('CLOSE_FRAME')])
  ]),
  ...[5000, 65535].map((code, i) => /** @type {[string, Buffer, string[]]} */ ([`7.13.${i + 1}`, close(code), bad('CLOSE_FRAME')])),
  // 9 Limits, the small ones
  ...[64, 256].flatMap((kib, i) => [
    /** @type {[string, Buffer, string[]]} */ ([`9.1.${i + 1}`, text(size(kib * 1024)), [`text ${kib * 1024} × 42`]]),
    /** @type {[string, Buffer, string[]]} */ ([`9.2.${i + 1}`, binary(size(kib * 1024, 0xfe)), [`binary ${kib * 1024} × 254`]])
  ]),
  ...[64, 256, 1024, 4096].flatMap((length, i) => [
    /** @type {[string, Buffer[], string[]]} */ ([`9.3.${i + 1}`, inFrames(TEXT, size(65536), length), ['text 65536 × 42']]),
    /** @type {[string, Buffer[], string[]]} */ ([`9.4.${i + 1}`, inFrames(BINARY, size(65536), length), ['binary 65536 × 42']])
  ]),
  // 10 Others
  ['10.1.1', inFrames(TEXT, size(65536), 1300), ['text 65536 × 42']]
]

/** @type {(name: string, good: string[], wrong: string[]) => Array<[string, Buffer, string[]]>} */
function utf8 (name, good, wrong) {
  return [
    ...good.map((bytes, i) => /** @type {[string, Buffer, string[]]} */ ([`${name}, valid ${i + 1}`, text(hex(bytes)), [`text ${hex(bytes)}`]])),
    ...wrong.map((bytes, i) => /** @type {[string, Buffer, string[]]} */ ([`${name}, invalid ${i + 1}`, text(hex(bytes)), bad('UTF8')]))
  ]
}

for (const [cases, bytes, events] of CASES) {
  const ended = events.some(event => /^(error|close)/.test(event))
  t.strictSame(differences(Buffer.concat([bytes, close(1000)].flat()), ended ? events : [...events, DONE]), [], cases)
}
