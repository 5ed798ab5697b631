'use strict'

const t = require('tap')
const fc = require('fast-check')
const { readBlock } = require('../../helpers/protocols/hpack')
const staticTable = require('hpack.js')['static-table'].table
const { NAMES, valueAt, findField, findName } = require('../../../lib/protocols/http2/static-table')
const { encodeField, encodeName, writeInteger, WITHOUT_INDEXING, NEVER_INDEXED, WITH_INDEXING } = require('../../../lib/protocols/http2/field-encoder')

t.test('the static table is that of the RFC', async t => {
  t.equal(NAMES.length, 62)
  for (const [i, { name, value }] of staticTable.entries()) {
    t.strictSame([NAMES[i + 1], valueAt(i + 1)], [name, value])
    t.equal(findField(name, value), i + 1)
    t.equal(NAMES[findName(name)], name)
  }
  t.equal(findName(':status'), 8)
  t.equal(findField(':status', '201'), 0)
  t.equal(findField('x-none', ''), 0)
  t.equal(findName('x-none'), 0)
  t.equal(findName(''), 0)
})

t.test('integers of RFC 7541 §C.1, and at the ends of each length', async t => {
  for (const [value, prefixBits, flags, bytes] of [
    [10, 5, 0, [10]],
    [1337, 5, 0, [31, 154, 10]],
    [42, 8, 0, [42]],
    [30, 5, 0x20, [0x3e]],
    [31, 5, 0x20, [0x3f, 0]],
    [126, 7, 0x80, [254]],
    [127, 7, 0x80, [255, 0]],
    [254, 7, 0x80, [255, 127]],
    [255, 7, 0x80, [255, 128, 1]],
    [2 ** 32 + 14, 4, 0, [15, 255, 255, 255, 255, 15]]
  ]) {
    const out = [0, 0]
    t.equal(writeInteger(out, 2, prefixBits, flags, value), 2 + bytes.length)
    t.strictSame(out.slice(2), bytes, `${value} in ${prefixBits} bits`)
  }
})

t.test('fields of RFC 7541 Appendix C', async t => {
  // Those of C.2, C.3, C.5 and C.6 that need no dynamic table; strings are in Huffman code where that is shorter, as in C.4 and C.6.
  for (const [name, value, mode, hex] of [
    ['custom-key', 'custom-value', WITH_INDEXING, '408825a849e95ba97d7f8925a849e95bb8e8b4bf'],
    [':method', 'GET', WITHOUT_INDEXING, '82'],
    [':scheme', 'http', WITH_INDEXING, '86'],
    [':path', '/', WITHOUT_INDEXING, '84'],
    [':authority', 'www.example.com', WITH_INDEXING, '418cf1e3c2e5f23a6ba0ab90f4ff'],
    [':status', '302', WITH_INDEXING, '48826402'],
    ['cache-control', 'private', WITH_INDEXING, '5885aec3771a4b'],
    ['date', 'Mon, 21 Oct 2013 20:13:21 GMT', WITH_INDEXING, '6196d07abe941054d444a8200595040b8166e082a62d1bff'],
    ['location', 'https://www.example.com', WITH_INDEXING, '6e919d29ad171863c78f0b97c8e9ae82ae43d3']
  ]) {
    const out = []
    encodeField(name, value, out, mode)
    t.equal(Buffer.from(out).toString('hex'), hex, name)
  }
})

t.test('a secret is in no table', async t => {
  const out = []
  encodeField('authorization', 'Basic YTpi', out, NEVER_INDEXED)
  t.equal(out[0], 0x1f)
  t.match(readBlock(Buffer.from(out)), [{ name: 'authorization', value: 'Basic YTpi', neverIndex: true }])
})

t.test('a value may be written behind its name', async t => {
  const out = []
  encodeName(':path', out)
  out.push(4, 0x2f, 0x61, 0x3d, 0x31)
  encodeName('x-id', out, NEVER_INDEXED)
  out.push(1, 0x37)
  t.match(readBlock(Buffer.from(out)), [{ name: ':path', value: '/a=1' }, { name: 'x-id', value: '7' }])
})

t.test('a string is in Huffman code only where that is shorter', async t => {
  const out = []
  encodeField('x', '{{{}}}', out)
  t.strictSame(out, [0, 1, 0x78, 6, ...Buffer.from('{{{}}}')])
})

t.test('whatever is written, hpack.js reads', async t => {
  const text = fc.string({ unit: 'binary-ascii', maxLength: 200 })
  const name = fc.oneof(fc.constantFrom(...NAMES.slice(1)), fc.stringMatching(/^[a-z-]{1,20}$/))
  const field = fc.record({ name, value: fc.oneof({ weight: 100, arbitrary: text }, { weight: 100, arbitrary: fc.constantFrom('', 'GET', '/', 'https') }, fc.constant('a'.repeat(70_000))), mode: fc.constantFrom(WITHOUT_INDEXING, NEVER_INDEXED, WITH_INDEXING) })
  fc.assert(fc.property(fc.array(field, { maxLength: 10 }), fields => {
    const out = []
    for (const { name, value, mode } of fields) encodeField(name, value, out, mode)
    const read = readBlock(Buffer.from(out))
    return read.length === fields.length && read.every(({ name, value }, i) => name === fields[i].name && value === fields[i].value)
  }), { seed: 7541, numRuns: 1000 })
  t.pass()
})

t.test('text beyond ASCII is UTF-8, as over HTTP/1.1', async t => {
  const out = []
  encodeField('x-name', 'Zoë', out)
  t.match(readBlock(Buffer.from(out)), [{ name: 'x-name', value: Buffer.from('Zoë').latin1Slice() }])
})
