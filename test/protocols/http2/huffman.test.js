'use strict'

const t = require('tap')
const fc = require('fast-check')
const { huffman: { encode: oracle } } = require('hpack.js')
const { decode, encode, encodedLength, MALFORMED, TOO_LONG } = require('../../../lib/protocols/http2/huffman')

/** @param {string} text latin1 */
function encoded (text) {
  const out = []
  encode(Buffer.from(text, 'latin1'), out)
  return Buffer.from(out)
}

/**
 * @param {Uint8Array} bytes
 * @param {number} [room]
 * @returns {string | number} text in latin1, or why there is none
 */
function decoded (bytes, room = 1000) {
  // Other bytes stand around the string, and around the room for what it means.
  const buf = Buffer.concat([Buffer.alloc(3, 0xa5), bytes, Buffer.alloc(5, 0xff)])
  const around = Buffer.alloc(room + 2, 0xa5)
  const size = decode(buf, 3, 3 + bytes.length, around.subarray(1, room + 1))
  t.strictSame([around[0], around[room + 1]], [0xa5, 0xa5], 'writes only where it may')
  return size < 0 ? size : around.latin1Slice(1, 1 + size)
}

t.test('each byte has the code of the RFC', async t => {
  for (let byte = 0; byte < 256; byte++) {
    const [length, code] = oracle[byte]
    const size = Math.ceil(length / 8)
    const bits = code.toString(2).padStart(length, '0').padEnd(8 * size, '1')
    t.equal(BigInt(`0x${encoded(String.fromCharCode(byte)).toString('hex')}`), BigInt(`0b${bits}`), `byte ${byte}`)
    t.equal(encodedLength(Uint8Array.of(byte)), size)
    t.equal(decoded(encoded(String.fromCharCode(byte))), String.fromCharCode(byte))
  }
})

t.test('the strings of RFC 7541 Appendix C', async t => {
  const table = {
    'www.example.com': 'f1e3c2e5f23a6ba0ab90f4ff',
    'no-cache': 'a8eb10649cbf',
    'custom-key': '25a849e95ba97d7f',
    'custom-value': '25a849e95bb8e8b4bf',
    302: '6402',
    307: '640eff',
    private: 'aec3771a4b',
    'Mon, 21 Oct 2013 20:13:21 GMT': 'd07abe941054d444a8200595040b8166e082a62d1bff',
    'https://www.example.com': '9d29ad171863c78f0b97c8e9ae82ae43d3',
    gzip: '9bd9ab',
    'foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1': '94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007'
  }
  for (const [text, hex] of Object.entries(table)) {
    t.equal(encoded(text).toString('hex'), hex)
    t.equal(decoded(Buffer.from(hex, 'hex')), text)
  }
})

t.test('what is not a Huffman string is refused (§5.2)', async t => {
  const malformed = {
    ff: 'a byte of padding',
    '07ff': 'a byte of padding behind a symbol',
    '00': 'padding that is not of ones',
    '06': 'padding that is not of ones all through',
    fffffffc: 'EOS',
    ffffffff: 'EOS and padding',
    ffffffff07: 'EOS in front of something',
    fffffff8: 'a code of 30 bits and padding that is not of ones',
    fe: 'the beginning of a code of ten bits'
  }
  for (const [hex, why] of Object.entries(malformed)) t.equal(decoded(Buffer.from(hex, 'hex')), MALFORMED, `${hex}: ${why}`)
  t.equal(decoded(Buffer.alloc(0)), '')
  t.equal(decoded(Buffer.from('07', 'hex')), '0', 'padding of three ones')
  t.equal(decoded(Buffer.from('fffffffb', 'hex')), '\x16', 'a code of 30 bits')
  t.equal(decoded(Buffer.from('f8ff', 'hex')), MALFORMED, 'a code of eight bits and eight bits of padding')
})

t.test('nothing is written behind the room that it is given', async t => {
  const bytes = encoded('0'.repeat(16))
  t.equal(bytes.length, 10)
  t.equal(decoded(bytes, 16), '0'.repeat(16))
  t.equal(decoded(bytes, 15), TOO_LONG)
  t.equal(decoded(bytes, 0), TOO_LONG)
})

t.test('any bytes come back as they were, and are as long as was said', async t => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), bytes => {
    const out = []
    encode(bytes, out)
    return out.length === encodedLength(bytes) && decoded(Buffer.from(out)) === Buffer.from(bytes).latin1Slice()
  }), { seed: 7541, numRuns: 5000 })
  t.pass()
})

t.test('any bytes are one string or none: what is decoded has just these bytes', async t => {
  let read = 0
  fc.assert(fc.property(fc.uint8Array({ maxLength: 12 }), bytes => {
    const text = decoded(Buffer.from(bytes))
    if (text === MALFORMED) return true
    read++
    return encoded(/** @type {string} */ (text)).equals(bytes)
  }), { seed: 7541, numRuns: 20_000 })
  t.ok(read > 500, `${read} were strings`)
})
