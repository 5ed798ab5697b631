'use strict'

// What comes out of a body is what went in, or an error with a name; whatever it is, and wherever it is cut.

const t = require('tap')
const zlib = require('node:zlib')
const fc = require('fast-check')
const { ProtocolError } = require('../../lib/core/errors')
const { ACCEPTED, decodeAll, decodeBeginning } = require('../../lib/requests/content-coding')

// That of Node.js 22 does not say that a body is cut off, and is not asked for.
const zstd = Number(process.versions.node.split('.')[0]) < 24 ? undefined : /** @type {any} */ (zlib).zstdCompressSync

/** @type {Record<string, (body: Uint8Array) => Buffer>} */
const ENCODE = { gzip: zlib.gzipSync, 'x-gzip': zlib.gzipSync, deflate: zlib.deflateSync, br: zlib.brotliCompressSync, ...zstd && { zstd } }

const NAMES = Object.keys(ENCODE)

/**
 * @param {string} coding
 * @param {Buffer} bytes
 * @returns {Buffer | null} null when it was refused
 */
function decoded (coding, bytes) {
  try {
    return decodeAll(coding, bytes)
  } catch (error) {
    if (error instanceof ProtocolError && ['AC_CONTENT_ENCODING', 'AC_DECODED_SIZE'].includes(error.code)) return null
    throw error
  }
}

t.test('what is asked for is what can be decoded', async t => {
  t.equal(ACCEPTED, zstd ? 'gzip, br, zstd' : 'gzip, br')
})

t.test('any body comes back, through one to five codings', async t => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 5000 }), fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 5 }), fc.constantFrom(',', ', ', ' ,\t', ', identity,'), (body, names, separator) => {
    const encoded = names.reduce((bytes, name) => ENCODE[name](bytes), Buffer.from(body))
    return decodeAll(names.join(separator).toUpperCase(), encoded).equals(body)
  }), { seed: 1, numRuns: 300 })
})

t.test('bytes of anything are refused by name, or are what they say', async t => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...NAMES), (bytes, name) => {
    decoded(name, Buffer.from(bytes))
    decodeBeginning(name, Buffer.from(bytes))
  }), { seed: 2, numRuns: 2000 })
})

t.test('a body that is cut at any place is refused, and one with a byte changed never crashes', async t => {
  const body = Buffer.from('a body that is compressed, with some of it again: a body that is compressed. '.repeat(5))
  for (const name of NAMES) {
    const whole = ENCODE[name](body)
    for (let end = 1; end < whole.length; end++) {
      t.equal(decoded(name, whole.subarray(0, end)), null, `${name} cut at ${end}`)
      const beginning = decodeBeginning(name, whole.subarray(0, end))
      t.ok(body.subarray(0, beginning.length).equals(beginning) || beginning.equals(whole.subarray(0, end)), `the beginning of ${name} cut at ${end}`)
    }
    for (let i = 0; i < whole.length; i++) {
      const changed = Buffer.from(whole)
      changed[i] ^= 0x55
      decoded(name, changed)
    }
  }
})

t.test('what follows the end of a body is refused, as that of gzip; zeros are padding', async t => {
  const raw = Buffer.from(zlib.deflateRawSync('hello'))
  for (const [name, whole] of [...NAMES.map(name => [name, ENCODE[name](Buffer.from('hello'))]), ['deflate', raw]]) {
    t.throws(() => decodeAll(name, Buffer.concat([whole, Buffer.from('<!-- a proxy has appended this -->')])), { code: 'AC_CONTENT_ENCODING' }, name)
    if (name !== 'zstd') t.equal(String(decodeAll(name, Buffer.concat([whole, Buffer.alloc(3)]))), 'hello', name)
  }
})

t.test('bombs end at 64 MiB, also in the middle of several codings', async t => {
  const large = zlib.brotliCompressSync(Buffer.alloc(64 * 1024 * 1024 + 1), { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })
  t.throws(() => decodeAll('br', large), { code: 'AC_DECODED_SIZE' })
  t.throws(() => decodeAll('gzip, br', large), { code: 'AC_DECODED_SIZE' })
  t.equal(decodeAll('gzip', zlib.gzipSync(Buffer.alloc(1024 * 1024))).length, 1024 * 1024)
})
