'use strict'

// Lines of NDJSON, and what reads bring: bytes → messages, wherever reads cut them.

const t = require('tap')
const { kindOf } = require('../../lib/streams/stream')
const { STREAMS } = require('../../lib/parts')

/** @type {(kind: string, bytes: Buffer, cuts: number[]) => { count: number, isInside: boolean, texts: string[] }} */
function read (kind, bytes, cuts) {
  /** @type {string[]} */
  const texts = []
  const scanner = kindOf(kind).scanner(({ data }) => texts.push(data))
  scanner.reset()
  let count = 0
  let from = 0
  for (const to of [...cuts, bytes.length]) {
    const buffer = Buffer.concat([Buffer.from('x\n'), bytes.subarray(from, to), Buffer.from('x\n')])
    count += scanner.scan(buffer, 2, 2 + to - from) + scanner.endRead()
    from = to
  }
  return { count: count + scanner.finish(), isInside: scanner.isInside, texts }
}

t.test('lines', async t => {
  for (const [name, text, count] of [
    ['with line breaks', '{"a":1}\n{"a":2}\n', 2],
    ['the last one without', '{"a":1}\n{"a":2}', 2],
    ['CRLF', '{"a":1}\r\n{"a":2}\r\n', 2],
    ['empty ones do not count', '\n\r\n{"a":1}\n\n \t\n{"a":2}\n\n', 2],
    ['white space before', '  1\n\t2\n', 2],
    ['one byte each', '1\n2\n3', 3],
    ['UTF-8', '"ü"\n"😀"\n', 2],
    ['nothing', '', 0],
    ['white space alone', ' \r\n ', 0]
  ]) {
    const bytes = Buffer.from(text)
    const all = Array.from({ length: bytes.length }, (_, i) => i)
    const seen = [[], all, ...all.map(i => [i])].map(cuts => read('ndjson', bytes, cuts))
    t.ok(seen.every(one => one.count === count && !one.isInside), name, { seen })
    const lines = text.split('\n').map(line => line.trim()).filter(line => line !== '')
    for (const { texts } of seen) t.strictSame(texts, lines, `${name}: the text of each`)
  }
})

t.test('the size is that of the line that has begun', async t => {
  const scanner = kindOf('ndjson').scanner()
  scanner.scan(Buffer.from('{"a":1}\n{"a"'), 0, 12)
  t.equal(scanner.size, 4)
  scanner.scan(Buffer.from(':2}'), 0, 3)
  t.equal(scanner.size, 7)
})

t.test('a line and an event that come byte by byte take as much memory as bytes, where something looks at them', async t => {
  for (const [kind, cutOf] of [['ndjson', one => one.cut], ['sse', one => one.fields.cut]]) {
    const texts = []
    const scanner = kindOf(kind).scanner(({ data }) => texts.push(data))
    scanner.reset()
    const bytes = Buffer.from('data:x\n\n')
    scanner.scan(bytes, 0, 5)
    for (let i = 0; i < 200_000; i++) scanner.scan(bytes, 5, 6)
    t.ok(cutOf(scanner)?.buffer.length <= 500_000, kind)
    scanner.scan(bytes, 6, 8)
    t.strictSame([texts.length, texts[0].length], [1, kind === 'sse' ? 200_000 : 200_005])
    t.equal(cutOf(scanner).buffer.length, 0, 'and nothing is left of it')
  }
})

t.test('chunks: what one read brings is one, in however many spans', async t => {
  const scanner = kindOf('chunks').scanner()
  scanner.reset()
  const bytes = Buffer.from('abc')
  t.equal(scanner.scan(bytes, 0, 1) + scanner.scan(bytes, 1, 3) + scanner.endRead(), 1)
  t.equal(scanner.endRead(), 0, 'nothing came')
  t.equal(scanner.scan(bytes, 1, 1) + scanner.endRead(), 0, 'no byte is no chunk')
  t.equal(scanner.scan(bytes, 0, 3) + scanner.endRead() + scanner.finish(), 1)
  t.strictSame(read('chunks', Buffer.from('abcd'), [0, 1, 3]).texts, ['a', 'bc', 'd'])
})

t.test('each kind has what the interface asks for', async t => {
  for (const name of Object.keys(STREAMS)) {
    const { types, message, scanner } = kindOf(name)
    t.ok(Array.isArray(types) && typeof message === 'string', name)
    for (const method of ['reset', 'scan', 'endRead', 'finish']) t.type(scanner()[method], 'function', `${name}.${method}`)
    t.strictSame([scanner().isInside, scanner().size], [false, 0])
  }
})
