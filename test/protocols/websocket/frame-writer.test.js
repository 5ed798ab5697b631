'use strict'

const t = require('tap')
const { binaryFrame, closeFrame, pingFrame, plainBinary, plainText, pongFrame, textFrame } = require('../../helpers/protocols/websocket-messages')
const { PAYLOAD_START, masked, plainMessage, writeMasked } = require('../../../lib/protocols/websocket/frame-writer')

/** Reads a frame of a client in the words of RFC 6455 §5.2. @param {Buffer} bytes */
function read (bytes) {
  const form = bytes[1] & 127
  const long = form === 126 ? 2 : form === 127 ? 8 : 0
  const length = long === 0 ? form : long === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
  const key = bytes.subarray(2 + long, 6 + long)
  const payload = Buffer.from(bytes.subarray(6 + long).map((byte, i) => byte ^ key[i % 4]))
  return { first: bytes[0], isMasked: bytes[1] > 127, form, length, key: key.toString('hex'), payload, size: 6 + long + length }
}

const LENGTHS = [0, 1, 2, 3, 4, 5, 7, 50, 124, 125, 126, 127, 128, 255, 1021, 1022, 1023, 1024, 1025, 1026, 1027, 16384, 65534, 65535, 65536, 65537, 100001]

t.test('a frame of any length has a mask, and its payload', async t => {
  for (const length of LENGTHS) {
    const payload = Buffer.from(Array.from({ length }, (_, i) => i * 7 + (i >> 8)))
    const { first, isMasked, form, length: said, payload: got } = read(binaryFrame(payload))
    t.strictSame([first, isMasked, said], [0x82, true, length])
    t.equal(form, length < 126 ? length : length < 65536 ? 126 : 127, 'in the shortest form')
    t.ok(got.equals(payload), `${length} bytes`)
  }
})

t.test('text is UTF-8', async t => {
  const { first, payload } = read(textFrame('für 5 €'))
  t.equal(first, 0x81)
  t.equal(payload.toString(), 'für 5 €')
  t.equal(read(textFrame('€'.repeat(1000))).length, 3000)
  t.ok(read(textFrame(Buffer.from('bytes'))).payload.equals(Buffer.from('bytes')))
})

t.test('a message stays as it is, and each of its frames has a key of its own', async t => {
  for (const length of LENGTHS) {
    const payload = Buffer.alloc(length, 'abc')
    const plain = plainText(payload)
    const before = Buffer.from(plain)
    t.ok(plain.subarray(PAYLOAD_START).equals(payload))
    const copies = Array.from({ length: 50 }, () => masked(plain))
    t.ok(plain.equals(before))
    t.equal(new Set(copies.map(copy => read(copy).key)).size, 50)
    // Those made before are what they were.
    for (const copy of copies) t.ok(read(copy).payload.equals(payload))
  }
})

t.test('a message anywhere in memory is masked', async t => {
  for (const length of [1024, 1025, 1027, 70001]) {
    const payload = Buffer.alloc(length, 'abcd€')
    const plain = plainBinary(payload)
    for (let shift = 0; shift < 4; shift++) {
      const memory = new ArrayBuffer(plain.length + shift)
      const copy = Buffer.from(memory, shift)
      plain.copy(copy)
      t.ok(read(masked(copy)).payload.equals(payload), `${length} bytes at ${shift}`)
    }
  }
})

t.test('keys are random: each bit is set half of the time', async t => {
  const plain = plainText('')
  const set = new Array(32).fill(0)
  const runs = 5000
  for (let i = 0; i < runs; i++) {
    const key = masked(plain).readUInt32BE(2)
    for (let bit = 0; bit < 32; bit++) set[bit] += key >>> bit & 1
  }
  // 6 standard deviations.
  for (const count of set) t.ok(Math.abs(count - runs / 2) < 6 * Math.sqrt(runs) / 2, `${count} of ${runs}`)
})

t.test('deflated messages say so', async t => {
  t.equal(read(textFrame('x', true)).first, 0xc1)
  t.equal(read(binaryFrame('x', true)).first, 0xc2)
  t.equal(read(masked(plainMessage(1, 'x', true))).first, 0xc1)
})

t.test('pings and pongs', async t => {
  t.match(read(pingFrame('abc')), { first: 0x89, isMasked: true, payload: Buffer.from('abc') })
  t.match(read(pingFrame('')), { first: 0x89, length: 0 })
  t.match(read(pongFrame(Buffer.from('xxabcxx'), 2, 5)), { first: 0x8a, payload: Buffer.from('abc') })
})

t.test('close frames', async t => {
  t.match(read(closeFrame(1005)), { first: 0x88, length: 0 })
  t.equal(read(closeFrame(1000)).payload.toString('latin1'), '\x03\xe8')
  t.equal(read(closeFrame(4001, 'für dich')).payload.subarray(2).toString(), 'für dich')
  t.equal(read(closeFrame(1000, 'x'.repeat(200))).length, 125)
  t.equal(read(closeFrame(1000, '€'.repeat(200))).payload.subarray(2).toString(), '€'.repeat(41), 'whole characters only')
})

/** A socket of the add-on with that much room, or one of node:net. @param {number | null} room */
function socketWith (room) {
  const written = []
  const socket = { write: bytes => { written.push(Buffer.from(bytes)); return false }, writableLength: 0 }
  if (room === null) return { socket, written, reserved: [] }
  const output = Buffer.alloc(10_000, '?')
  const reserved = []
  Object.assign(socket, {
    output,
    reserve: length => length > room ? -1 : 100,
    commit: length => { reserved.push(Buffer.from(output.subarray(100, 100 + length))) }
  })
  return { socket, written, reserved }
}

/** @param {Buffer} bytes whole frames */
function readAll (bytes) {
  const payloads = []
  for (let at = 0; at < bytes.length;) {
    const { size } = read(bytes.subarray(at))
    payloads.push(read(bytes.subarray(at, at + size)).payload.toString())
    at += size
  }
  return payloads
}

t.test('messages are written in one piece, into the room of the socket where it has some', async t => {
  for (const payloads of [['a'], ['hello', '', 'x'.repeat(130), 'y'], ['z'.repeat(1023)], ['z'.repeat(2000)], ['z'.repeat(600), 'w'.repeat(600)]]) {
    const messages = payloads.map(payload => plainText(payload))
    const size = messages.reduce((sum, message) => sum + masked(message).length, 0)
    for (const room of [null, 0, 5000]) {
      const { socket, written, reserved } = socketWith(room)
      const inRoom = room === 5000 && size < 1024
      t.equal(writeMasked(socket, messages), inRoom, 'it says whether the socket takes more')
      t.equal(written.length, inRoom ? 0 : 1)
      t.strictSame(readAll(inRoom ? reserved[0] : written[0]), payloads)
      t.not(read(inRoom ? reserved[0] : written[0]).key, '00000000')
    }
  }
})
