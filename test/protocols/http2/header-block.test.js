'use strict'

const assert = require('node:assert/strict')
const t = require('tap')
const fc = require('fast-check')
const { writeBlock, readBlock } = require('../../helpers/protocols/hpack')
const { CODES } = require('../../../lib/core/errors')
const { encodeField, encodeName, WITHOUT_INDEXING, NEVER_INDEXED, WITH_INDEXING } = require('../../../lib/protocols/http2/field-encoder')
const { skim, readFields, MAX_LIST } = require('../../../lib/protocols/http2/header-block')

// Always the same blocks, unless FUZZ_SEED and FUZZ_RUNS say otherwise: FUZZ_SEED=$RANDOM FUZZ_RUNS=100000 node test/protocols/http2/header-block.test.js
const SEED = Number(process.env.FUZZ_SEED ?? 7541)
const RUNS = Number(process.env.FUZZ_RUNS ?? 3000)

/** @param {string} hex may have spaces */
const bytes = hex => Buffer.from(hex.replaceAll(' ', ''), 'hex')

/** @param {...[name: string, value: string, mode?: number]} fields */
function block (...fields) {
  const out = []
  for (const [name, value, mode] of fields) encodeField(name, value, out, mode)
  return Buffer.from(out)
}

/** @param {string} text */
const raw = text => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')]).toString('hex')

/**
 * @param {Uint8Array} block
 * @param {boolean} [trailers]
 * @returns what was told of it, or the code of why it was refused. Other bytes stand around it.
 */
function told (block, trailers) {
  const buf = Buffer.concat([Buffer.from([0x88, 0x88, 0x40]), block, Buffer.from([0x88, 0x81, 0x61, 0x81])])
  const out = { status: 7, contentLength: 7 }
  const why = skim(buf, 3, 3 + block.length, out, trailers)
  if (why !== null) return why
  /** @type {string[]} */
  const fields = []
  return readFields(buf, 3, 3 + block.length, fields) ?? { ...out, raw: fields }
}

t.test('blocks of RFC 7541 Appendix C that need no dynamic table', async t => {
  const first = { status: 302, contentLength: -1, raw: ['cache-control', 'private', 'date', 'Mon, 21 Oct 2013 20:13:21 GMT', 'location', 'https://www.example.com'] }
  t.strictSame(told(bytes('4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d')), first, 'C.5.1')
  t.strictSame(told(bytes('4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3')), first, 'C.6.1')
  for (const [section, hex, field] of [
    ['C.2.1', '400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572', ['custom-key', 'custom-header']],
    ['C.2.3', '1008 7061 7373 776f 7264 0673 6563 7265 74', ['password', 'secret']]
  ]) t.strictSame(told(Buffer.concat([bytes('88'), bytes(hex)])), { status: 200, contentLength: -1, raw: field }, section)
})

t.test('blocks of RFC 7541 Appendix C that refer to a dynamic table are refused', async t => {
  t.equal(told(bytes('4803 3330 37c1 c0bf')), 'AC_H2_COMPRESSION', 'C.5.2')
  t.equal(told(bytes('88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970 7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e 3d31')), 'AC_H2_COMPRESSION', 'C.5.3')
  t.equal(told(bytes('4883 640e ffc1 c0bf')), 'AC_H2_COMPRESSION', 'C.6.2')
})

t.test('blocks of RFC 7541 Appendix C that are requests are no responses', async t => {
  for (const [section, hex] of [['C.2.2', '040c 2f73 616d 706c 652f 7061 7468'], ['C.2.4', '82'], ['C.3.1', '8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d'], ['C.4.1', '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff']]) {
    t.equal(told(bytes(hex)), 'AC_H2_MALFORMED', section)
  }
})

t.test('a block is one status, and fields', async t => {
  const ok = (status, contentLength, ...raw) => ({ status, contentLength, raw })
  for (const [hex, expected, what] of [
    ['88', ok(200, -1), 'an index'],
    ['8e', ok(500, -1), 'the last status that has an index'],
    [`08 ${raw('103')}`, ok(103, -1), 'a status as text'],
    [`08 ${raw('100')}`, ok(100, -1), 'the lowest status'],
    ['48 82 1003', ok(201, -1), 'a status in Huffman code'],
    [`00 ${raw(':status')} ${raw('599')}`, ok(599, -1), 'its name as text'],
    [`00 85 b8848d36a3 ${raw('599')}`, ok(599, -1), 'its name in Huffman code'],
    [`88 5c ${raw('615')}`, ok(200, 615, 'content-length', '615'), 'a length'],
    [`88 0f0d ${raw('0')}`, ok(200, 0, 'content-length', '0'), 'an index of two bytes'],
    [`88 0f8d00 ${raw('7')}`, ok(200, 7, 'content-length', '7'), 'an index of three bytes, which two would be enough for'],
    [`88 1f0d ${raw('9007199254740991')}`, ok(200, Number.MAX_SAFE_INTEGER, 'content-length', '9007199254740991'), 'the largest length'],
    [`88 00 ${raw('content-length')} ${raw('007')}`, ok(200, 7, 'content-length', '007'), 'a name as text'],
    ['88 90', ok(200, -1, 'accept-encoding', 'gzip, deflate'), 'a field with an index'],
    ['88 af', ok(200, -1, 'max-forwards', ''), 'a field with an index and no value'],
    [`88 00 ${raw('x')} 00`, ok(200, -1, 'x', ''), 'an empty value'],
    [`88 00 ${raw('x')} 80`, ok(200, -1, 'x', ''), 'an empty value in Huffman code'],
    [`88 00 ${raw('x')} 7f00 ${'61'.repeat(127)}`, ok(200, -1, 'x', 'a'.repeat(127)), 'a length of two bytes'],
    [`88 00 ${raw('x')} 7f80808000 ${'61'.repeat(127)}`, ok(200, -1, 'x', 'a'.repeat(127)), 'the same with zeros in front'],
    [`88 00 ${raw('x')} ${raw('\x7f\xffé')}`, ok(200, -1, 'x', '\x7f\xffé'), 'bytes beyond ASCII are latin1'],
    ['20 88', ok(200, -1), 'no table'],
    ['20 20 88', ok(200, -1), 'no table, twice'],
    [`88 7e ${raw('a')} 7e ${raw('b')}`, 'AC_H2_COMPRESSION', 'an index of a dynamic table'],
    [`88 7d ${raw('a')} be`, 'AC_H2_COMPRESSION', 'what was added is not there'],
    [`88 7d ${raw('a')} bd`, ok(200, -1, 'www-authenticate', 'a', 'www-authenticate', ''), 'the last index there is']
  ]) t.strictSame(told(bytes(hex)), expected, what)
})

t.test('what can not be decoded', async t => {
  for (const [hex, what] of [
    ['80', 'index 0'],
    ['88 be', 'index 62'],
    ['88 ff00', 'index 127'],
    ['88 ffffffffffff7f', 'an index without end'],
    ['88 20', 'a table size behind a field'],
    ['21 88', 'a table of one byte'],
    ['3f00 88', 'a table of 31 bytes'],
    ['3fe11f 88', 'a table of 4096 bytes, and no such field'],
    ['88 00 01', 'a name that is cut off'],
    [`88 00 ${raw('x')}`, 'a value that is missing'],
    [`88 00 ${raw('x')} 02 61`, 'a value that is cut off'],
    [`88 00 ${raw('x')} 7f`, 'a length that is cut off'],
    [`88 00 ${raw('x')} 7f8080808001 61`, 'a length of more than 28 bits'],
    [`88 00 ${raw('x')} 7f80808000 ${'61'.repeat(126)}`, 'a length of 127 in four more bytes, of which one is missing'],
    [`88 00 ${raw('x')} 7f8080808000 ${'61'.repeat(127)}`, 'a length of 127 with zeros without end'],
    [`88 00 ${raw('x')} 7fffffffff0f`, 'a length of 32 bits'],
    [`88 0f 8080808000 ${raw('x')}`, 'an index with zeros without end'],
    ['88 0f2f 00', 'a name with index 62'],
    ['88 0f', 'an index that is cut off'],
    [`88 00 ${raw('x')} 81ff`, 'a Huffman string of padding'],
    ['88 00 84ffffffff 00', 'a name with EOS']
  ]) t.equal(told(bytes(hex)), 'AC_H2_COMPRESSION', what)
})

t.test('what may not be in a response', async t => {
  for (const [hex, what] of [
    ['', 'nothing at all'],
    [`5c ${raw('1')}`, 'no status'],
    ['88 88', 'two statuses'],
    ['88 89', 'two statuses that differ'],
    [`90 08 ${raw('200')}`, 'a status behind a field'],
    [`08 ${raw('20')}`, 'a status of two digits'],
    [`08 ${raw('2000')}`, 'a status of four digits'],
    [`08 ${raw('2x0')}`, 'a status with a letter'],
    [`08 ${raw('099')}`, 'a status below 100'],
    ['08 00', 'an empty status'],
    [`08 ${raw('101')}`, 'a switch of protocols'],
    [`08 ${raw('2'.repeat(100))}`, 'a status without end'],
    [`88 00 ${raw(':path')} ${raw('/')}`, 'a pseudo-header of requests'],
    ['88 84', 'a pseudo-header of requests with an index'],
    [`88 00 ${raw(':x')} 00`, 'an unknown pseudo-header'],
    ['88 00 83 b9f2ff 00', 'an unknown pseudo-header in Huffman code'],
    [`88 00 00 ${raw('1')}`, 'an empty name'],
    [`88 00 80 ${raw('1')}`, 'an empty name in Huffman code'],
    ['88 b9', 'transfer-encoding with an index'],
    [`88 0f2a ${raw('chunked')}`, 'transfer-encoding'],
    [`88 00 ${raw('connection')} ${raw('close')}`, 'connection'],
    [`88 00 ${raw('keep-alive')} 00`, 'keep-alive'],
    [`88 00 ${raw('proxy-connection')} 00`, 'proxy-connection'],
    [`88 00 ${raw('upgrade')} 00`, 'upgrade'],
    [`88 00 ${raw('X')} 00`, 'a name with a capital letter'],
    [`88 00 ${raw('x y')} 00`, 'a name with a space'],
    [`88 00 ${raw('x:y')} 00`, 'a name with a colon'],
    [`88 00 ${raw('x\x00')} 00`, 'a name with a NUL'],
    [`88 00 ${raw('x\x80')} 00`, 'a name beyond ASCII'],
    [`88 00 ${raw('x')} ${raw('a\r\nb: c')}`, 'a value with a line end'],
    [`88 00 ${raw('x')} ${raw('a\nb')}`, 'a value with LF'],
    [`88 00 ${raw('x')} ${raw('a\0')}`, 'a value with NUL'],
    [`88 00 ${raw('x')} ${raw(' a')}`, 'a value with a space in front'],
    [`88 00 ${raw('x')} ${raw('a\t')}`, 'a value with a tab behind']
  ]) t.equal(told(bytes(hex)), 'AC_H2_MALFORMED', what)
  for (const name of ['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', ':path', ':x']) {
    const out = []
    encodeName(name, out)
    t.equal(told(Buffer.from([0x88, ...out, 0])), 'AC_H2_MALFORMED', `${name} in Huffman code`)
  }
})

t.test('a length that is not one number', async t => {
  for (const value of ['', '-1', '+1', '1 ', '0x1', '1,1', '1e3', '9007199254740992', '1'.repeat(17), '1'.repeat(1000)]) {
    for (const mode of [WITHOUT_INDEXING, WITH_INDEXING]) t.equal(told(block([':status', '200'], ['content-length', value, mode])), 'AC_CONTENT_LENGTH', JSON.stringify(value))
    t.equal(told(bytes(`88 0f0d ${value.length > 126 ? '7f e906'.replaceAll(' ', '') + Buffer.from(value).toString('hex') : raw(value)}`)), 'AC_CONTENT_LENGTH', `${JSON.stringify(value)} as text`)
  }
  t.equal(told(block([':status', '200'], ['content-length', '1'], ['content-length', '2'])), 'AC_CONTENT_LENGTH', 'two that differ')
  t.equal(told(bytes('88 9c')), 'AC_CONTENT_LENGTH', 'an index')
})

t.test('trailers have no pseudo-header', async t => {
  t.strictSame(told(block(['grpc-status', '0'], ['x', '1']), true), { status: 0, contentLength: -1, raw: ['grpc-status', '0', 'x', '1'] })
  t.strictSame(told(Buffer.alloc(0), true), { status: 0, contentLength: -1, raw: [] })
  t.equal(told(bytes('88'), true), 'AC_H2_MALFORMED')
  t.equal(told(bytes('90 88'), true), 'AC_H2_MALFORMED')
  t.equal(told(block(['x', '1'], ['connection', 'close']), true), 'AC_H2_MALFORMED')
})

t.test('a header list is bounded by what it is decoded to', async t => {
  const fill = length => block([':status', '200'], ['x', '{'.repeat(length)])
  const room = MAX_LIST - (7 + 3 + 32) - (1 + 32)
  t.match(told(fill(room)), { status: 200 }, 'as large as it may be')
  t.equal(told(fill(room + 1)), 'AC_HEAD_SIZE', 'a byte more')
  t.equal(told(fill(2 * MAX_LIST)), 'AC_HEAD_SIZE')

  const packed = (unit, length) => block([':status', '200'], ['x', unit.repeat(length)])
  t.match(told(packed('0', room)), { status: 200 }, 'codes of five bits')
  t.equal(told(packed('0', room + 1)), 'AC_HEAD_SIZE')
  t.match(told(packed('m', room)), { status: 200 }, 'codes of six bits, which could have been of five')
  t.equal(told(packed('m', room + 1)), 'AC_HEAD_SIZE')

  const bomb = count => Buffer.concat([Buffer.from([0x88]), Buffer.alloc(count, 0x90)])
  const most = Math.floor((MAX_LIST - 42) / (15 + 13 + 32))
  t.match(told(bomb(most)), { status: 200 }, 'fields of one byte, which are 60')
  t.equal(told(bomb(most + 1)), 'AC_HEAD_SIZE')
  t.equal(told(bomb(MAX_LIST - 1)), 'AC_HEAD_SIZE')
  t.equal(told(Buffer.alloc(MAX_LIST + 1, 0x20)), 'AC_HEAD_SIZE', 'table sizes without end')
})

t.test('who skims sees what frames a response, and no characters', async t => {
  const out = { status: 0, contentLength: 0 }
  for (const hex of [`88 00 ${raw('X')} 00`, `88 00 ${raw('x')} ${raw('a\nb')}`, `88 00 ${raw('x')} 81ff`]) {
    t.equal(skim(bytes(hex), 0, bytes(hex).length, out), null)
    t.strictSame(out, { status: 200, contentLength: -1 })
  }
})

t.test('each beginning of a block is a block of its fields so far, or can not be decoded', async t => {
  const fields = [[':status', '302'], ['date', 'Mon, 21 Oct 2013 20:13:21 GMT'], ['x-custom', '{}{}'], ['content-length', '123'], ['location', `https://${'x'.repeat(200)}`], ['x', '']]
  const whole = block(...fields)
  const ends = new Map(fields.map((_, i) => [block(...fields.slice(0, i + 1)).length, i + 1]))
  for (let length = 1; length <= whole.length; length++) {
    const count = ends.get(length)
    const answer = told(whole.subarray(0, length))
    if (count === undefined) t.equal(answer, 'AC_H2_COMPRESSION', `${length} bytes`)
    else t.strictSame(answer, { status: 302, contentLength: count > 3 ? 123 : -1, raw: fields.slice(1, count).flat() })
  }
})

// Against hpack.js.

const name = fc.oneof(fc.constantFrom('server', 'date', 'etag', 'set-cookie', 'via', 'x-powered-by'), fc.stringMatching(/^[a-z0-9_.-]{1,12}$/).map(text => `x${text}`))
const value = fc.oneof(fc.constantFrom('', 'gzip, deflate', '0'), fc.string({ unit: fc.constantFrom(...'aZ09 ,;:="{}~\x80\xe9\xff'), maxLength: 30 }).map(text => text.trim()))
const field = fc.record({ name, value, neverIndex: fc.boolean(), incremental: fc.boolean(), huffman: fc.boolean() })
const response = fc.record({ status: fc.integer({ min: 200, max: 999 }), length: fc.option(fc.nat()), fields: fc.array(field, { maxLength: 8 }), huffman: fc.boolean(), at: fc.nat(8) })

t.test('what hpack.js writes is read', async t => {
  fc.assert(fc.property(response, ({ status, length, fields, huffman, at }) => {
    const all = [...fields]
    if (length !== null) all.splice(at, 0, { name: 'content-length', value: String(length), huffman, neverIndex: false, incremental: true })
    const answer = told(writeBlock([{ name: ':status', value: String(status), huffman }, ...all]))
    assert.deepEqual(answer, { status, contentLength: length ?? -1, raw: all.flatMap(({ name, value }) => [name, value]) })
  }), { seed: SEED, numRuns: RUNS })
  t.pass()
})

t.test('what is written with a dynamic table is refused, where it is used', async t => {
  const twice = writeBlock([{ name: ':status', value: '200' }, { name: 'x', value: '1' }, { name: 'x', value: '1' }], 4096)
  t.equal(told(twice), 'AC_H2_COMPRESSION')
})

t.test('damaged blocks and garbage are read as hpack.js reads them, or refused by name', async t => {
  /** @param {Buffer} damaged */
  const compare = damaged => {
    const answer = told(damaged)
    if (typeof answer === 'string') {
      assert.ok(answer in CODES, answer)
      return
    }
    const theirs = readBlock(damaged).filter(({ name }) => name !== ':status').flatMap(({ name, value }) => [name, value])
    assert.deepEqual(answer.raw, theirs, damaged.toString('hex'))
  }
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 })
  let read = 0
  fc.assert(fc.property(response, damage, ({ status, fields, huffman }, damage) => {
    const damaged = writeBlock([{ name: ':status', value: String(status), huffman }, ...fields])
    for (const [at, byte] of damage) damaged[at % damaged.length] = byte
    if (typeof told(damaged) !== 'string') read++
    compare(damaged)
  }), { seed: SEED, numRuns: RUNS })
  t.ok(read > RUNS / 10, `${read} of ${RUNS} damaged blocks were read`)
  fc.assert(fc.property(fc.uint8Array({ maxLength: 100 }), garbage => compare(Buffer.concat([Buffer.from([0x88]), garbage]))), { seed: SEED, numRuns: RUNS })
})

t.test('what is written is read, in any mode', async t => {
  const modes = fc.constantFrom(WITHOUT_INDEXING, NEVER_INDEXED, WITH_INDEXING)
  fc.assert(fc.property(fc.array(fc.tuple(name, fc.stringMatching(/^[!-~]{0,40}$/), modes), { maxLength: 10 }), fields => {
    assert.deepEqual(told(block([':status', '204'], ...fields)), { status: 204, contentLength: -1, raw: fields.flatMap(([name, value]) => [name, value]) })
  }), { seed: SEED, numRuns: RUNS })
  t.pass()
})
