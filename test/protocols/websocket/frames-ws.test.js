'use strict'

// Frames against the package ws: what its receiver and ours read of generated streams, whole and damaged; what its receiver reads of our frames,
// and ours of its sender, deflated by what both have negotiated.

const { createHash } = require('node:crypto')
const t = require('tap')
const { PerMessageDeflate, Receiver, Sender, extension } = require('ws')
const { randomFrom } = require('../../../lib/core/random')
const { Inflater, acceptResponse, deflated, parseOffer } = require('../../../lib/protocols/websocket/deflate')
const { parseExtensions } = require('../../../lib/protocols/websocket/extensions')
const { binaryFrame, closeFrame, pingFrame, pongFrame, textFrame } = require('../../helpers/protocols/websocket-messages')
const { frame, tell } = require('../../helpers/protocols/websocket-frames')

const SEED = Number(process.env.FUZZ_SEED ?? 6455)
const RUNS = Number(process.env.FUZZ_RUNS ?? 400)
const MAX = 70_000

/** Errors of ws, and what they are here. */
const CODES = {
  WS_ERR_UNEXPECTED_RSV_1: ['AC_WS_RESERVED'],
  WS_ERR_UNEXPECTED_RSV_2_3: ['AC_WS_RESERVED'],
  WS_ERR_INVALID_OPCODE: ['AC_WS_OPCODE', 'AC_WS_FRAGMENT'],
  WS_ERR_EXPECTED_FIN: ['AC_WS_CONTROL'],
  WS_ERR_UNEXPECTED_MASK: ['AC_WS_MASKED'],
  WS_ERR_INVALID_CONTROL_PAYLOAD_LENGTH: ['AC_WS_CONTROL', 'AC_WS_CLOSE_FRAME'],
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: ['AC_WS_SIZE', 'AC_WS_LENGTH'],
  WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH: ['AC_WS_SIZE', 'AC_WS_LENGTH'],
  WS_ERR_INVALID_CLOSE_CODE: ['AC_WS_CLOSE_FRAME'],
  WS_ERR_INVALID_UTF8: ['AC_WS_UTF8']
}

/** @param {number} seed */
function choices (seed) {
  const random = randomFrom(seed)
  const integer = (from, to) => from + Math.floor(random() * (to - from + 1))
  /** @template T @param {T[]} list */
  const one = list => list[integer(0, list.length - 1)]
  return { random, integer, one, chance: share => random() < share }
}

const shownBytes = bytes => bytes.length <= 200 ? bytes.toString('hex') : `${bytes.length}: ${createHash('md5').update(bytes).digest('hex')}`

/** What the receiver of ws reports. @type {(parts: Buffer[], options?: object) => Promise<{ events: string[], error: string | null }>} */
function readByWs (parts, options = {}) {
  return new Promise(resolve => {
    const events = []
    let error = null
    const receiver = new Receiver({ maxPayload: MAX, ...options })
    receiver.on('message', (bytes, isBinary) => events.push(`${isBinary ? 'binary' : 'text'} ${shownBytes(bytes)}`))
    receiver.on('ping', bytes => events.push(`ping ${shownBytes(bytes)}`))
    receiver.on('pong', bytes => events.push(`pong ${shownBytes(bytes)}`))
    receiver.on('conclude', (code, reason) => events.push(`close ${code} ${shownBytes(reason)}`))
    receiver.on('error', ({ code }) => { error = code })
    receiver.on('finish', () => receiver.destroy())
    receiver.on('close', () => resolve({ events, error }))
    for (const part of parts) if (!receiver.writableEnded && !receiver.destroyed) receiver.write(part)
    if (!receiver.writableEnded && !receiver.destroyed) receiver.end()
  })
}

const TEXTS = ['', 'hello', 'für 5 €', '𝄞'.repeat(40), '{"id":1}', 'x'.repeat(126), 'y'.repeat(3000)]
const BAD_TEXTS = [Buffer.from([0xff]), Buffer.from('für').subarray(0, 2), Buffer.from([0xed, 0xa0, 0x80])]

/** A stream of frames with at most one flaw. @type {(pick: ReturnType<typeof choices>) => Buffer} */
function stream (pick) {
  const { integer, one, chance } = pick
  const parts = []
  const control = () => {
    const opcode = one([9, 9, 10])
    return frame(opcode, Buffer.alloc(one([0, 1, 20, 125]), integer(0, 255)))
  }
  const message = () => {
    const opcode = one([1, 1, 2])
    const payload = Buffer.from(one(TEXTS))
    if (chance(0.5)) return parts.push(frame(opcode, payload))
    const count = integer(1, 4)
    for (let i = 0; i < count; i++) {
      const from = Math.floor(payload.length * i / count)
      const to = Math.floor(payload.length * (i + 1) / count)
      parts.push(frame(i === 0 ? opcode : 0, payload.subarray(from, to), { fin: i === count - 1 }))
      if (chance(0.2)) parts.push(control())
    }
  }
  const close = payload => frame(8, payload)
  for (let i = integer(0, 5); i > 0; i--) chance(0.3) ? parts.push(control()) : message()
  const flaws = [
    () => frame(one([1, 2]), 'abc', { rsv: integer(1, 7) }),
    () => frame(one([3, 4, 5, 6, 7, 11, 12, 13, 14, 15]), one(['', 'abc'])),
    () => frame(one([1, 2, 9, 10, 8]), '', { key: [1, 2, 3, 4] }),
    () => frame(0, 'abc', { fin: chance(0.5) }),
    () => frame(one([8, 9, 10]), '', { fin: false }),
    () => frame(one([9, 10]), Buffer.alloc(126)),
    () => frame(2, '', { length: MAX + 1 }),
    () => frame(2, '', { length: 2 ** 53 }),
    () => frame(1, one(BAD_TEXTS)),
    () => close(Buffer.from([1])),
    () => close(Buffer.from([one([0, 3, 3, 3, 0x0b, 0xff]), integer(0, 255)])),
    () => close(Buffer.concat([Buffer.from([3, 0xe8]), one(BAD_TEXTS)])),
    () => Buffer.concat([frame(1, 'a', { fin: false }), frame(one([1, 2]), 'b')])
  ]
  if (chance(0.6)) parts.push(one(flaws)())
  else if (chance(0.3)) parts.push(close(Buffer.concat([Buffer.from([3, 0xe8]), Buffer.from(one(['', 'bye', '€']))])))
  if (chance(0.5)) message()
  return Buffer.concat(parts)
}

/** @type {(pick: ReturnType<typeof choices>, bytes: Buffer) => number[]} */
function cutsOf ({ integer, chance }, bytes) {
  const cuts = new Set()
  for (let i = chance(0.3) ? 0 : integer(1, 8); i > 0 && bytes.length > 1; i--) cuts.add(integer(1, bytes.length - 1))
  return [...cuts].sort((a, b) => a - b)
}

const partsOf = (bytes, cuts) => [...cuts, bytes.length].map((to, i) => bytes.subarray(i === 0 ? 0 : cuts[i - 1], to)).filter(({ length }) => length > 0)

/** What ours reports, in the same words. */
function ours (bytes, cuts, inflater = null) {
  const events = tell(bytes, cuts, { maxSize: MAX, inflater, say: shownBytes })
  const inside = events.at(-1) === 'inside' && events.pop() === 'inside'
  const error = events.at(-1)?.startsWith('error') ? /** @type {string} */ (events.pop()).slice(6) : null
  return { events, error, inside }
}

t.test(`streams of frames: the receiver of ws and ours report the same (seed ${SEED})`, async t => {
  let errors = 0
  for (let i = 0; i < RUNS; i++) {
    const pick = choices(SEED + i)
    const bytes = stream(pick)
    const cuts = cutsOf(pick, bytes)
    const theirs = await readByWs(partsOf(bytes, cuts))
    const { events, error } = ours(bytes, cuts)
    if (theirs.error !== null) errors++
    const agree = events.join() === theirs.events.join() && (theirs.error === null ? error === null : CODES[theirs.error]?.includes(error))
    if (!agree) t.strictSame({ events, error }, theirs, `seed ${SEED + i}: ${shownBytes(bytes)} at ${cuts}`)
  }
  t.ok(errors > RUNS / 4 && errors < 0.9 * RUNS, `${errors} of ${RUNS} streams have a flaw`)
})

t.test(`damaged streams: both refuse, or none does (seed ${SEED})`, async t => {
  for (let i = 0; i < RUNS; i++) {
    const pick = choices(SEED + 1e6 + i)
    const bytes = stream(pick)
    for (let n = pick.integer(1, 3); n > 0 && bytes.length > 0; n--) bytes[pick.integer(0, bytes.length - 1)] = pick.one([0, 1, 126, 127, 128, 255, pick.integer(0, 255)])
    const cuts = cutsOf(pick, bytes)
    const theirs = await readByWs(partsOf(bytes, cuts))
    const { events, error } = ours(bytes, cuts)
    if (events.join() === theirs.events.join() && (error === null) === (theirs.error === null)) continue
    // ws takes a length that is not in its shortest form, and looks at a head once two bytes of it have come.
    if (error === 'AC_WS_LENGTH' && events.every((event, at) => event === theirs.events[at])) continue
    const shorter = ours(bytes.subarray(0, -1), [])
    if (theirs.error === null && shorter.error === null && events.join() === theirs.events.join()) continue
    t.strictSame({ events, error }, theirs, `seed ${SEED + 1e6 + i}: ${shownBytes(bytes)} at ${cuts}`)
  }
})

t.test('garbage breaks nothing', async t => {
  for (let i = 0; i < RUNS; i++) {
    const pick = choices(SEED + 2e6 + i)
    const bytes = Buffer.from(Array.from({ length: pick.integer(1, 300) }, () => pick.one([0, 1, 2, 9, 0x81, 0x82, 0x89, 0xc1, pick.integer(0, 255)])))
    const inflater = pick.chance(0.5) ? new Inflater({ serverTakesOver: pick.chance(0.5), serverBits: 15, clientBits: 15 }) : null
    const whole = ours(bytes, [], inflater)
    const again = inflater === null ? null : new Inflater({ serverTakesOver: inflater.windowSize > 0, serverBits: 15, clientBits: 15 })
    t.strictSame(ours(bytes, cutsOf(pick, bytes), again), whole)
  }
})

t.test('frames of ours: the receiver of ws reads what was written', async t => {
  for (let i = 0; i < RUNS / 4; i++) {
    const pick = choices(SEED + 3e6 + i)
    const wanted = []
    const frames = []
    for (let n = pick.integer(1, 6); n > 0; n--) {
      const length = pick.one([0, 1, 2, 3, 50, 125, 126, 127, 1023, 1024, 1025, 5000, 65535, 65536, 69_999])
      const payload = Buffer.alloc(length, 'abcdefg')
      const kind = pick.one(['text', 'binary', 'ping', 'pong'])
      const short = payload.subarray(0, 125)
      if (kind === 'text') frames.push(textFrame(pick.chance(0.5) ? payload : payload.toString()))
      else if (kind === 'binary') frames.push(binaryFrame(payload))
      else frames.push(kind === 'ping' ? pingFrame(short) : pongFrame(payload, 0, short.length))
      wanted.push(`${kind} ${shownBytes(kind === 'text' || kind === 'binary' ? payload : short)}`)
    }
    frames.push(closeFrame(1001, 'bye'))
    wanted.push(`close 1001 ${Buffer.from('bye').toString('hex')}`)
    const bytes = Buffer.concat(frames)
    const { events, error } = await readByWs(partsOf(bytes, cutsOf(pick, bytes)), { isServer: true })
    t.strictSame({ events, error }, { events: wanted, error: null })
  }
})

/** Both sides of the handshake. @type {(text: string, options: object) => { pmd: any, deflate: any } | null} */
function negotiate (text, options) {
  const pmd = new PerMessageDeflate({ isServer: true, maxPayload: MAX, threshold: 0, ...options })
  try {
    const params = pmd.accept(extension.parse(text)['permessage-deflate'])
    const [answer] = parseExtensions(extension.format({ 'permessage-deflate': [params] }))
    return { pmd, deflate: acceptResponse(parseOffer(text), answer.parameters) }
  } catch (error) {
    // ws declines an offer that its options do not allow.
    if (error.message === 'None of the extension offers can be accepted') return null
    throw error
  }
}

const OFFERS = [
  'permessage-deflate',
  'permessage-deflate; client_max_window_bits',
  'permessage-deflate; client_max_window_bits=9',
  'permessage-deflate; server_no_context_takeover; client_no_context_takeover',
  'permessage-deflate; server_no_context_takeover; client_max_window_bits=12; server_max_window_bits=9',
  'permessage-deflate; server_max_window_bits=10'
]
const SERVERS = [{}, { serverNoContextTakeover: true }, { clientNoContextTakeover: true }, { clientMaxWindowBits: 9 }, { serverMaxWindowBits: 9 }, { clientMaxWindowBits: 10, serverMaxWindowBits: 12, serverNoContextTakeover: true }]

/** A message as programs send them: words that come again. @type {(pick: ReturnType<typeof choices>) => Buffer} */
function message ({ integer, one }) {
  const words = ['id', '"text":', 'hello', 'für', '€', '{', '}', ',', 'lorem ipsum dolor sit amet']
  const length = one([0, 1, 16, 64, 256, 1024, 4096, 8192, 16384, 32768, 60_000])
  let text = ''
  while (text.length < length) text += one(words) + (integer(0, 3) === 0 ? integer(0, 1e6) : '')
  return Buffer.from(text)
}

const everyFew = length => Array.from({ length: length - 1 }, (_, i) => i + 1).filter(i => i < 200 || i % 1499 === 0)

for (const text of OFFERS) {
  t.test(`Autobahn 12 and 13, ${text}: deflated messages of both sides`, async t => {
    let negotiated = 0
    for (const options of SERVERS) {
      const pick = choices(SEED + 4e6)
      const both = negotiate(text, options)
      if (both === null) continue
      negotiated++
      t.type(both.deflate, 'object', both.deflate)
      const messages = Array.from({ length: 12 }, () => message(pick))
      const wanted = messages.map((bytes, i) => `${i % 3 === 0 ? 'binary' : 'text'} ${shownBytes(bytes)}`)
      // From the server: fragmented ones among them.
      const out = []
      const sender = new Sender({ cork () {}, uncork () {}, write (bytes, done) { out.push(Buffer.from(bytes)); done?.() } }, { 'permessage-deflate': both.pmd })
      for (const [i, bytes] of messages.entries()) {
        const binary = i % 3 === 0
        const parts = i % 4 === 1 ? [bytes.subarray(0, 10), bytes.subarray(10)] : [bytes]
        for (const [n, part] of parts.entries()) {
          await new Promise(resolve => sender.send(part, { binary, compress: i % 5 !== 2, fin: n === parts.length - 1, mask: false }, resolve))
        }
      }
      const bytes = Buffer.concat(out)
      for (const cuts of [[], cutsOf(pick, bytes), everyFew(bytes.length)]) {
        t.strictSame(ours(bytes, cuts, new Inflater(both.deflate)), { events: wanted, error: null, inside: false })
      }
      // To the server.
      const frames = messages.map((bytes, i) => {
        const isDeflated = i % 5 !== 2
        return (i % 3 === 0 ? binaryFrame : textFrame)(isDeflated ? deflated(bytes, both.deflate) : bytes, isDeflated)
      })
      const { pmd } = /** @type {any} */ (negotiate(text, options))
      t.strictSame(await readByWs(frames, { isServer: true, extensions: { 'permessage-deflate': pmd } }), { events: wanted, error: null })
    }
    t.ok(negotiated > 0)
  })
}
