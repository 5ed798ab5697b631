'use strict'

const t = require('tap')
const { printable, printableLines, oneLine, cut, show, isRecord, printableData, toJson } = require('../../lib/core/foreign-text')
const { HOSTILE, hostileIn, CI_COMMANDS, ciCommandsIn } = require('../helpers/hostile-text')
const { revokedProxy } = require('../helpers/strange')

/** Each row is the arguments, then what comes of them. */
const tables = {
  printable: [printable, [
    ['fine ä… 日本 \\ 👍🏽 ⚠️', 'fine ä… 日本 \\ 👍🏽 ⚠️'],
    ['\x1b[31mred', '\\x1b[31mred'],
    ['\x1b]0;X\x07', '\\x1b]0;X\\x07'],
    ['\t\r\n\0\x7f\x9b\xad', '\\t\\r\\n\\x00\\x7f\\x9b\\xad'],
    ['\u202eevil\u2066\u200f\u061c', '\\u202eevil\\u2066\\u200f\\u061c'],
    ['a\u200bb\ufeff\u2028\u2029\u3164', 'a\\u200bb\\ufeff\\u2028\\u2029\\u3164'],
    ['\ud800x\udc00', '\\ud800x\\udc00'],
    ['\u{e0041}\uffff', '\\u{e0041}\\uffff'],
    ['::error file=a::X ::notice::', ':\\x3aerror file=a::X :\\x3anotice::'],
    ['\u00a0::Add-Mask::', '\u00a0:\\x3aAdd-Mask::'],
    ['::error', ':\\x3aerror'],
    ['##[error] ##vso[a]b', '#\\x23[error] #\\x23vso[a]b'],
    ['a####teamcity[b', 'a###\\x23teamcity[b'],
    ['## a [b] ::1 ::ffff:127.0.0.1:80 [::]:80 std::vector a::b::', '## a [b] ::1 ::ffff:127.0.0.1:80 [::]:80 std::vector a::b::']
  ]],
  printableLines: [printableLines, [
    ['a\r\n\tb\rc\u2028', 'a\n\tb\\rc\\u2028'],
    ['a\n\t::error::X\n##[group]', 'a\n\t:\\x3aerror::X\n#\\x23[group]']
  ]],
  oneLine: [oneLine, [
    ['  a\r\n\tb\x85c\u2028d\0 ', 'a b c d\\x00'],
    ['\x1b[31;1m a \x1b[0m', 'a'],
    ['\x1b[\x1b[1m2J', '\\x1b[2J'],
    ['x'.repeat(11), 10, 'x'.repeat(9) + '…']
  ]],
  cut: [cut, [
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['ab👍', 3, 'ab…'],
    ['a👍b', 3, 'a…']
  ]],
  show: [show, [
    ['a\r\n"b"', '\'a\\r\\n"b"\''],
    ['C:\\new', "'C:\\new'"],
    ['\x9b\u202e', "'\\x9b\\u202e'"],
    ['x'.repeat(100), `'${'x'.repeat(59)}…'`],
    [NaN, 'NaN'],
    [-0, '0'],
    [10n, '10'],
    [Symbol('s\x1b'), 'Symbol(s\\x1b)'],
    [null, 'null'],
    [undefined, 'undefined'],
    [() => {}, 'a function'],
    [[1], 'an array'],
    [{}, 'an object'],
    [Object.create(null), 'an object'],
    [{ [Symbol.toStringTag]: '\x1b' }, 'a \\x1b'],
    [new Date(0), 'a Date'],
    [new Error('x'), 'an Error'],
    [Promise.resolve(), 'a Promise'],
    [Buffer.alloc(1), 'a Uint8Array'],
    [revokedProxy(), 'something that cannot be read'],
    [{ get [Symbol.toStringTag] () { throw new Error('no') } }, 'something that cannot be read']
  ]],
  isRecord: [isRecord, [
    [{}, true],
    [Object.create(null), true],
    [new (class Own {})(), true],
    [[], false],
    [null, false],
    [undefined, false],
    ['text', false],
    [() => {}, false],
    [new Date(0), false],
    [new Map(), false],
    [Promise.resolve(), false],
    [Buffer.alloc(1), false]
  ]],
  printableData: [printableData, [
    [{ 'a\x1b': ['\n', 1, null, true], body: '\n\x1b' }, { 'a\\x1b': ['\\n', 1, null, true], body: '\n\\x1b' }],
    [{ title: 'x'.repeat(20_000), histogram: 'A'.repeat(20_000) }, { title: 'x'.repeat(9999) + '…', histogram: 'A'.repeat(20_000) }],
    [JSON.parse('{"__proto__":"\\u001b"}'), JSON.parse('{"__proto__":"\\\\x1b"}')]
  ]],
  toJson: [toJson, [
    [{ a: '\x1b\x7f\x9b\u202e\u{e0041}\ud800ä\n' }, '{"a":"\\u001b\\u007f\\u009b\\u202e\\udb40\\udc41\\ud800ä\\n"}'],
    [{ a: 1 }, 2, '{\n  "a": 1\n}'],
    [{ '##[a': '::error::##vso[', b: '##' }, '{"#\\u0023[a":"::error::#\\u0023vso[","b":"##"}']
  ]]
}

for (const [name, [format, rows]] of Object.entries(tables)) {
  t.test(name, async t => {
    rows.forEach((row, i) => t.strictSame(format(...row.slice(0, -1)), row.at(-1), `row ${i}`))
  })
}

t.test('whatever is in a text, what is shown of it is harmless, and stays the same when it is shown again', async t => {
  for (const format of [printable, oneLine, show]) t.strictSame(hostileIn(format(HOSTILE)), [], format.name)
  t.strictSame(hostileIn(printableLines(HOSTILE), '\n\t'), [])
  t.equal(printable(printable(HOSTILE)), printable(HOSTILE))
  const json = toJson({ [HOSTILE]: HOSTILE })
  t.strictSame(hostileIn(json), [])
  t.strictSame(JSON.parse(json), { [HOSTILE]: HOSTILE }, 'JSON says all of it')
})

t.test('no text is a logging command of a CI', async t => {
  t.equal(ciCommandsIn(CI_COMMANDS).length, 5, 'each of them is one before')
  for (const format of [printable, printableLines, oneLine, text => toJson({ [text]: text })]) {
    const shown = format(CI_COMMANDS)
    t.strictSame(ciCommandsIn(shown), [], shown)
  }
  t.strictSame(ciCommandsIn(printable(`:\x1b[0m${CI_COMMANDS}`)), [])
  t.strictSame(ciCommandsIn(oneLine(`#\x1b[0m#[error]a :\x1b[0m:error::X ${CI_COMMANDS}`)), [])
  t.equal(printable(printable(CI_COMMANDS)), printable(CI_COMMANDS))
  t.strictSame(JSON.parse(toJson([CI_COMMANDS])), [CI_COMMANDS], 'JSON says all of it')
})

t.test('a date stays one, and data without end has one', async t => {
  const start = new Date(0)
  t.equal(printableData({ start }).start, start)
  /** @type {any} */
  const endless = {}
  endless.self = endless
  t.match(JSON.stringify(printableData(endless)), /…/)
})
