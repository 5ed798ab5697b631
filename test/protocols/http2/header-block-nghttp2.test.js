'use strict'

// Header blocks against nghttp2, as Node.js has it: its server reads what we write, and we read what it writes. The frames around
// them are made here.

const { once } = require('node:events')
const http2 = require('node:http2')
const net = require('node:net')
const t = require('tap')
const fc = require('fast-check')
const { encodeField, WITHOUT_INDEXING, NEVER_INDEXED, WITH_INDEXING } = require('../../../lib/protocols/http2/field-encoder')
const { skim, readFields } = require('../../../lib/protocols/http2/header-block')

const SEED = Number(process.env.FUZZ_SEED ?? 7541)
const RUNS = Number(process.env.FUZZ_RUNS ?? 500)

const HEADERS = 1
const SETTINGS = 4
const ACK = 1
const END_STREAM = 1
const END_HEADERS = 4

/**
 * @param {number} type
 * @param {number} flags
 * @param {number} stream
 * @param {Uint8Array} payload
 */
function frame (type, flags, stream, payload) {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** @param {import('node:net').Socket} socket */
async function * framesOf (socket) {
  let rest = Buffer.alloc(0)
  for await (const chunk of socket) {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
      const end = 9 + rest.readUIntBE(0, 3)
      yield { type: rest[3], flags: rest[4], stream: rest.readUInt32BE(5), payload: rest.subarray(9, end) }
      rest = rest.subarray(end)
    }
  }
}

const name = fc.oneof(fc.constantFrom('server', 'date', 'etag', 'via', 'x-powered-by', 'accept-encoding', 'authorization'), fc.stringMatching(/^[a-z0-9_.-]{1,12}$/).map(text => `x${text}`))
const value = fc.oneof(fc.constantFrom('', 'gzip, deflate', '0'), fc.string({ unit: fc.constantFrom(...'aZ09 ,;:="{}~\x80\xe9\xff'), maxLength: 200 }).map(text => text.trim()))
const fields = fc.uniqueArray(fc.tuple(name, value), { maxLength: 8, selector: ([name]) => name })
const exchange = fc.record({
  request: fc.array(fc.tuple(name, fc.stringMatching(/^[!-~]{0,60}$/), fc.constantFrom(WITHOUT_INDEXING, NEVER_INDEXED)), { maxLength: 8 }),
  status: fc.integer({ min: 200, max: 599 }),
  length: fc.option(fc.nat()),
  response: fields,
  secrets: fc.boolean(),
  trailers: fc.option(fields)
})

t.test('nghttp2 reads what we write, and we read what it writes', async t => {
  const exchanges = fc.sample(exchange, { seed: SEED, numRuns: RUNS })
  /** @type {string[][]} what the server read, by exchange */
  const seen = []
  const server = http2.createServer({ settings: { maxConcurrentStreams: 1000 } })
  server.on('stream', (stream, headers, flags, raw) => {
    const { status, length, response, secrets, trailers } = exchanges[Number(headers[':path'].slice(1))]
    seen[Number(headers[':path'].slice(1))] = raw
    const given = { ':status': status, ...Object.fromEntries(response), [http2.sensitiveHeaders]: secrets ? response.map(([name]) => name) : [] }
    // Node.js has no body behind these, and so neither length nor trailers.
    const bare = status === 204 || status === 205 || status === 304
    if (length !== null && !bare) given['content-length'] = length
    if (trailers !== null && !bare) stream.on('wantTrailers', () => stream.sendTrailers(Object.fromEntries(trailers)))
    stream.respond(given, { endStream: bare, waitForTrailers: trailers !== null && !bare, sendDate: false })
    if (!bare) stream.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = net.connect(server.address().port, '127.0.0.1')
  t.teardown(() => {
    socket.destroy()
    server.close()
  })

  const requests = exchanges.map(({ request }, i) => {
    const out = []
    for (const [name, value] of [[':method', 'GET'], [':scheme', 'http'], [':authority', 'localhost'], [':path', `/${i}`]]) encodeField(name, value, out)
    for (const [name, value, mode] of request) encodeField(name, value, out, mode)
    return frame(HEADERS, END_STREAM | END_HEADERS, 2 * i + 1, Buffer.from(out))
  })
  // A dynamic table of 0.
  socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(SETTINGS, 0, 0, Uint8Array.of(0, 1, 0, 0, 0, 0))]))
  let next = 0
  const sendSome = () => { while (next < requests.length && next < ended + 50) socket.write(requests[next++]) }
  let ended = 0
  let withTrailers = 0
  sendSome()
  const heads = new Set()
  for await (const { type, flags, stream, payload } of framesOf(socket)) {
    if (type === SETTINGS && (flags & ACK) === 0) socket.write(frame(SETTINGS, ACK, 0, Buffer.alloc(0)))
    if (type === HEADERS) {
      const { status, length, response, trailers } = exchanges[(stream - 1) / 2]
      const isTrailers = heads.has(stream)
      heads.add(stream)
      if (isTrailers) withTrailers++
      const out = { status: 0, contentLength: 0 }
      const raw = []
      t.equal(skim(payload, 0, payload.length, out, isTrailers), null)
      t.equal(readFields(payload, 0, payload.length, raw), null)
      const told = new Map(raw.map((text, i) => [text, raw[i + 1]]).filter((_, i) => i % 2 === 0))
      if (isTrailers) {
        t.strictSame(told, new Map(trailers))
      } else {
        t.equal(out.status, status)
        if (told.has('content-length')) t.equal(out.contentLength, length)
        else t.equal(out.contentLength, -1)
        told.delete('content-length')
        t.strictSame(told, new Map(response))
      }
    }
    if ((flags & END_STREAM) !== 0 && (type === HEADERS || type === 0)) ended++
    if (ended === exchanges.length) break
    sendSome()
  }
  t.equal(ended, exchanges.length)
  t.ok(withTrailers > RUNS / 20, `${withTrailers} had trailers`)
  for (const [i, { request }] of exchanges.entries()) {
    t.strictSame(seen[i].slice(8), request.flatMap(([name, value]) => [name, value]))
  }
})

t.test('fields that are added to the table of nghttp2 are known to it by their indexes', async t => {
  const server = http2.createServer()
  const seen = []
  server.on('stream', (stream, headers, flags, raw) => {
    seen.push(raw)
    stream.respond({ ':status': 204 }, { endStream: true })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = net.connect(server.address().port, '127.0.0.1')
  t.teardown(() => {
    socket.destroy()
    server.close()
  })
  const fields = [[':method', 'GET'], [':scheme', 'http'], [':authority', 'localhost'], [':path', '/a'], ['user-agent', 'x/1'], ['x-own', 'yes']]
  const first = []
  for (const [name, value] of fields) encodeField(name, value, first, WITH_INDEXING)
  // GET and http are of the static table; of the four others the last one is number 62.
  const again = Buffer.from([0x82, 0x86, 0x80 | 65, 0x80 | 64, 0x80 | 63, 0x80 | 62])
  socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(SETTINGS, 0, 0, Buffer.alloc(0)),
    frame(HEADERS, END_STREAM | END_HEADERS, 1, Buffer.from(first)), frame(HEADERS, END_STREAM | END_HEADERS, 3, again)]))
  let answers = 0
  for await (const { type } of framesOf(socket)) if (type === HEADERS && ++answers === 2) break
  t.strictSame(seen, [fields.flat(), fields.flat()])
})
