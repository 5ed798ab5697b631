'use strict'

// What is read as frames: tables of bytes and events, each run whole, byte by byte and cut at every offset, and generated streams held
// against a reader that has all bytes before it begins. What frames mean is in peer.test.js.

const t = require('tap')
const fc = require('fast-check')
const { FrameReader, writeFrameHead, writeUint32, readUint31 } = require('../../../lib/protocols/http2/frames')
const { frame } = require('../../helpers/servers/http2-server')

const SEED = Number(process.env.FUZZ_SEED ?? 9113)
const RUNS = Number(process.env.FUZZ_RUNS ?? 300)

const DATA = 0
const END_STREAM = 1
const PADDED = 8
const MAX = 16384

/** Notes what a reader tells; the spans of a DATA frame are joined. */
class Notes {
  constructor () {
    this.events = []
    this.stopped = false
    this.span = []
  }

  onFrame (type, flags, stream, buf, start, end) {
    this.events.push(['frame', type, flags, stream, buf.toString('latin1', start, end)])
  }

  onDataStart (stream, length, flags) {
    this.events.push(['data', stream, length, flags])
    this.span = []
  }

  onDataSpan (buf, start, end) {
    if (end <= start) throw new Error('a span of nothing')
    this.span.push(buf.toString('latin1', start, end))
  }

  onDataEnd () {
    this.events.push(['end', this.span.join('')])
  }

  onTooLarge (buf, at) {
    this.events.push(['too large', buf.toString('latin1', at, at + 9)])
    this.stopped = true
  }

  onBadPadding () {
    this.events.push(['bad padding'])
    this.stopped = true
  }
}

/** @param {Buffer[]} parts each in the same buffer, as reads are, behind which stands what was there before */
function read (parts) {
  const notes = new Notes()
  const reader = new FrameReader(notes)
  const buffer = Buffer.alloc(Math.max(1, ...parts.map(({ length }) => length)) + 20, 0xfe)
  for (const part of parts) {
    if (notes.stopped) break
    part.copy(buffer)
    reader.execute(buffer, part.length)
  }
  return { events: notes.events, inside: notes.stopped ? null : reader.inside }
}

/** The same of all bytes at once, in the words of RFC 9113 §4.1, §4.2 and §6.1. */
function readNaively (bytes) {
  const events = []
  let at = 0
  while (bytes.length - at >= 9) {
    const length = bytes.readUIntBE(at, 3)
    const [type, flags] = [bytes[at + 3], bytes[at + 4]]
    const stream = bytes.readUInt32BE(at + 5) % 2 ** 31
    if (length > MAX) return { events: [...events, ['too large', bytes.toString('latin1', at, at + 9)]], inside: null }
    const payload = bytes.subarray(at + 9, at + 9 + length)
    if (type === DATA) {
      events.push(['data', stream, length, flags])
      const isPadded = (flags & PADDED) !== 0
      if (isPadded && (length === 0 || (payload.length > 0 && payload[0] >= length))) return { events: [...events, ['bad padding']], inside: null }
      if (payload.length < length) return { events, inside: true }
      events.push(['end', payload.toString('latin1', isPadded ? 1 : 0, isPadded ? length - payload[0] : length)])
    } else {
      if (payload.length < length) break
      events.push(['frame', type, flags, stream, payload.toString('latin1')])
    }
    at += 9 + length
  }
  return { events, inside: at < bytes.length }
}

const padded = (stream, padding, text, after = padding, flags = 0) => frame(DATA, PADDED | flags, stream, Buffer.concat([Buffer.from([padding]), Buffer.from(text), Buffer.alloc(after, 0xff)]))
const data = (stream, length, flags, text) => [['data', stream, length, flags], ['end', text]]

/** @type {Record<string, [bytes: Buffer[], events: unknown[], inside?: boolean | null]>} */
const CASES = {
  nothing: [[], []],
  'a frame without payload': [[frame(4, 1, 0)], [['frame', 4, 1, 0, '']]],
  'a frame with payload': [[frame(6, 0, 0, 'abcdefgh')], [['frame', 6, 0, 0, 'abcdefgh']]],
  'the reserved bit, which means nothing': [[frame(1, 4, 2 ** 31 + 5, 'x'), frame(DATA, 1, 2 ** 31 + 5, 'y')], [['frame', 1, 4, 5, 'x'], ...data(5, 1, 1, 'y')]],
  'the last stream': [[frame(3, 0, 2 ** 31 - 1, 'abcd')], [['frame', 3, 0, 2 ** 31 - 1, 'abcd']]],
  'an unknown type, with all flags': [[frame(255, 255, 7, 'what')], [['frame', 255, 255, 7, 'what']]],
  'DATA of 0 bytes': [[frame(DATA, 0, 1), frame(DATA, END_STREAM, 1)], [...data(1, 0, 0, ''), ...data(1, 0, 1, '')]],
  'DATA of a byte': [[frame(DATA, 0, 1, 'x')], data(1, 1, 0, 'x')],
  'DATA between others': [[frame(1, 4, 1, 'head'), frame(DATA, 0, 1, 'hello'), frame(DATA, 1, 1, ' world'), frame(4, 0, 0)], [['frame', 1, 4, 1, 'head'], ...data(1, 5, 0, 'hello'), ...data(1, 6, 1, ' world'), ['frame', 4, 0, 0, '']]],
  'DATA that is padded': [[padded(1, 3, 'hi'), frame(4, 0, 0)], [...data(1, 6, 8, 'hi'), ['frame', 4, 0, 0, '']]],
  'DATA with padding of 0': [[padded(1, 0, 'hi', 0, 1), frame(4, 0, 0)], [...data(1, 3, 9, 'hi'), ['frame', 4, 0, 0, '']]],
  'DATA that is nothing but padding': [[padded(1, 5, ''), padded(3, 0, ''), frame(4, 0, 0)], [...data(1, 6, 8, ''), ...data(3, 1, 8, ''), ['frame', 4, 0, 0, '']]],
  'DATA with all the padding that there is': [[padded(1, 255, 'x'), frame(4, 0, 0)], [...data(1, 257, 8, 'x'), ['frame', 4, 0, 0, '']]],
  'padding as long as its frame': [[padded(1, 3, 'hi', 0)], [['data', 1, 3, 8], ['bad padding']], null],
  'padding longer than its frame': [[padded(1, 255, 'hi', 5)], [['data', 1, 8, 8], ['bad padding']], null],
  'padding without a length': [[frame(DATA, PADDED, 1), frame(4, 0, 0)], [['data', 1, 0, 8], ['bad padding']], null],
  'a frame that is cut in its head': [[frame(4, 0, 0), frame(4, 0, 0).subarray(0, 8)], [['frame', 4, 0, 0, '']], true],
  'a frame that is cut in its payload': [[frame(4, 0, 0, 'abcdef').subarray(0, 14)], [], true],
  'DATA that is cut': [[frame(DATA, 0, 1, 'abc').subarray(0, 11)], [['data', 1, 3, 0]], true],
  'padding that is cut': [[padded(1, 3, 'hi').subarray(0, 13)], [['data', 1, 6, 8]], true]
}

/** Those that are too long to be cut everywhere. */
const LONG = {
  'a frame of 16384 bytes': [[frame(1, 4, 1, 'x'.repeat(MAX)), frame(4, 0, 0)], [['frame', 1, 4, 1, 'x'.repeat(MAX)], ['frame', 4, 0, 0, '']]],
  'DATA of 16384 bytes': [[frame(DATA, 0, 1, 'x'.repeat(MAX))], data(1, MAX, 0, 'x'.repeat(MAX))],
  'DATA of 16385 bytes': [[frame(4, 0, 0), frame(DATA, 0, 1, 'x'.repeat(MAX + 1))], [['frame', 4, 0, 0, ''], ['too large', '\0\x40\x01\0\0\0\0\0\x01']], null],
  'another of 16385 bytes': [[frame(9, 0, 1, 'x'.repeat(MAX + 1))], [['too large', '\0\x40\x01\x09\0\0\0\0\x01']], null],
  'the head of the longest there is': [[Buffer.from('ffffff040000000000', 'hex')], [['too large', '\xff\xff\xff\x04\0\0\0\0\0']], null]
}

const bytewise = bytes => Array.from(bytes, byte => Buffer.from([byte]))

for (const [what, [frames, events, inside = false]] of Object.entries({ ...CASES, ...LONG })) {
  t.test(what, async t => {
    const bytes = Buffer.concat(frames)
    const expected = { events, inside }
    t.strictSame(readNaively(bytes), expected, 'as RFC 9113 has it')
    t.strictSame(read([bytes]), expected, 'whole')
    t.strictSame(read(bytewise(bytes)), expected, 'byte by byte')
    const step = what in CASES ? 1 : 1009
    const wrong = []
    for (let at = 0; at <= bytes.length; at += step) {
      if (JSON.stringify(read([bytes.subarray(0, at), bytes.subarray(at)])) !== JSON.stringify(expected)) wrong.push(at)
    }
    t.strictSame(wrong, [], 'cut at every offset')
  })
}

const frames = fc.oneof(
  fc.record({ type: fc.integer({ min: 0, max: 10 }), flags: fc.constantFrom(0, 1, 4, 5, 8, 9, 255), stream: fc.nat(2 ** 32 - 1), payload: fc.uint8Array({ maxLength: 40 }) }),
  fc.record({ type: fc.constant(DATA), flags: fc.constantFrom(0, 1, 8, 9), stream: fc.nat(9), payload: fc.uint8Array({ maxLength: 12 }).map(bytes => [bytes.length % 5, ...bytes]) })
).map(({ type, flags, stream, payload }) => frame(type, flags, stream, Buffer.from(payload)))

t.test('whatever comes, wherever it is cut, is read as by a reader that has all of it', async t => {
  const seen = {}
  fc.assert(fc.property(fc.array(fc.oneof({ weight: 9, arbitrary: frames }, { weight: 1, arbitrary: fc.uint8Array({ maxLength: 9 }).map(bytes => Buffer.from(bytes)) }), { maxLength: 12 }), fc.array(fc.nat(60), { maxLength: 40 }), (list, cuts) => {
    const bytes = Buffer.concat(list)
    const parts = []
    let at = 0
    for (const cut of cuts) {
      parts.push(bytes.subarray(at, at + cut))
      at += cut
    }
    parts.push(bytes.subarray(at))
    const expected = readNaively(bytes)
    for (const [event] of expected.events) seen[event] = (seen[event] ?? 0) + 1
    for (const way of [parts, [bytes], bytewise(bytes)]) if (JSON.stringify(read(way)) !== JSON.stringify(expected)) return false
    return true
  }), { seed: SEED, numRuns: RUNS })
  t.ok(['frame', 'data', 'end', 'too large', 'bad padding'].every(event => seen[event] > 5), JSON.stringify(seen))
})

t.test('a reader that is reset knows nothing of what was before', async t => {
  for (const begun of [Buffer.from([0, 0]), frame(4, 0, 0, 'abcdef').subarray(0, 12), padded(1, 3, 'hi').subarray(0, 9), padded(1, 3, 'hi').subarray(0, 13)]) {
    const notes = new Notes()
    const reader = new FrameReader(notes)
    reader.execute(begun, begun.length)
    t.ok(reader.inside)
    reader.reset()
    t.notOk(reader.inside)
    notes.events.length = 0
    const next = Buffer.concat([padded(3, 1, 'x'), frame(6, 0, 0, 'abcdefgh')])
    reader.execute(next, next.length)
    t.strictSame(notes.events, readNaively(next).events)
  }
})

t.test('a handler that stops in the middle is told nothing more', async t => {
  const bytes = Buffer.concat([frame(1, 4, 1, 'x'), frame(DATA, 1, 1, 'abc'), frame(DATA, 1, 3, 'def'), frame(4, 0, 0)])
  for (const event of ['onFrame', 'onDataStart', 'onDataSpan', 'onDataEnd']) {
    for (const parts of [[bytes], bytewise(bytes)]) {
      const notes = new Notes()
      const told = notes[event]
      let after = 0
      for (const one of ['onFrame', 'onDataStart', 'onDataSpan', 'onDataEnd']) {
        const next = one === event ? told : notes[one]
        notes[one] = (...args) => { if (notes.stopped) after++; next.apply(notes, args); if (one === event) notes.stopped = true }
      }
      const reader = new FrameReader(notes)
      for (const part of parts) if (!notes.stopped) reader.execute(part, part.length)
      // The end of a DATA frame whose bytes are all there comes with them.
      t.ok(after <= (event === 'onDataSpan' ? 1 : 0), `${event}: ${after}`)
    }
  }
})

t.test('what is written of a head and of a number is read the same', async t => {
  fc.assert(fc.property(fc.nat(2 ** 24 - 1), fc.nat(255), fc.nat(255), fc.nat(2 ** 31 - 1), (length, type, flags, stream) => {
    const out = Buffer.alloc(14, 1)
    return writeFrameHead(out, 1, length, type, flags, stream) === 10 && out.readUIntBE(1, 3) === length && out[4] === type && out[5] === flags && readUint31(out, 6) === stream &&
      writeUint32(out, 10, stream) === 14 && out.readUInt32BE(10) === stream
  }), { seed: SEED, numRuns: RUNS })
})
