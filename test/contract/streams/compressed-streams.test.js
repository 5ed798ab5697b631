'use strict'

// Compressed streams: events are those that were sent, at the times at which the bytes that completed them arrived.

const t = require('tap')
const zlib = require('node:zlib')
const { conserves } = require('../../helpers/results/conservation')
const { handlingServer } = require('../../helpers/servers/handling-server')
const { rawServer } = require('../../helpers/servers/raw-server')
const { byOurClient, overHttp1, run } = require('../modes')

/** @type {Record<string, () => any>} */
const CODERS = {
  gzip: () => zlib.createGzip(), br: () => zlib.createBrotliCompress(), deflate: () => zlib.createDeflate(), raw: () => zlib.createDeflateRaw(),
  ...'zstdDecompressSync' in zlib && { zstd: () => /** @type {any} */ (zlib).createZstdCompress() }
}

/**
 * A server that sends five events, 5 ms apart, each flushed; the path says how they are compressed.
 * @param {any} t
 * @param {boolean} isHttp2
 */
async function listen (t, isHttp2) {
  /** @type {any[]} */
  const accepted = []
  /** @type {(request: any, response: any) => void} */
  const handle = (request, response) => {
    accepted.push(request.headers['accept-encoding'])
    const name = request.url.slice(1)
    const coder = CODERS[name]()
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': name === 'raw' ? 'deflate' : name })
    coder.on('data', (/** @type {Buffer} */ bytes) => response.write(bytes)).on('end', () => response.end())
    let n = 0
    const timer = setInterval(() => {
      coder.write(`data: {"n":${++n},"text":"${'x'.repeat(100)}"}\n\n`)
      coder.flush()
      if (n === 5) {
        clearInterval(timer)
        coder.end()
      }
    }, 5)
    response.on('close', () => clearInterval(timer))
  }
  return { url: await handlingServer(t, handle, isHttp2), accepted }
}

byOurClient(t, 'each coding', async (t, mode) => {
  const { url, accepted } = await listen(t, mode.protocol?.http === '2')
  for (const coding of Object.keys(CODERS)) {
    const result = await mode.run({ url: `${url}/${coding}`, stream: 'sse', compressed: true, amount: 6, expect: { events: { min: 5, max: 5, each: { text: /^x{100}$/ }, last: { n: 5 } } } })
    conserves(t, result)
    t.match(result, { failures: 0, streams: { opened: 6, completed: 6, truncated: 0, events: 30, eventsPerStream: { min: 5, max: 5 } } }, coding)
    t.ok(result.streams.eventsPerRead < 5, `${coding}: events are there when they are flushed`)
    t.ok(result.streams.gap.max > 2, `${coding}: and their gaps are those of the server`)
  }
  t.ok(accepted.every(header => header.includes('gzip')), 'they were asked for')
})

byOurClient(t, 'streams that are closed after some events', async (t, mode) => {
  const { url } = await listen(t, mode.protocol?.http === '2')
  const result = await mode.run({ url: `${url}/gzip`, stream: 'sse', events: 2, amount: 8 })
  conserves(t, result)
  t.match(result, { failures: 0, streams: { completed: 8, events: 16 } })
  // On a busy machine, the end of a stream may come in the read that brings its second event.
  t.ok(result.streams.closed > 0, `${result.streams.closed} closed`)
})

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: '
/** @type {(coding: string, bytes: Buffer) => Buffer} */
const response = (coding, bytes) => Buffer.concat([Buffer.from(`${HEAD}${coding}\r\nContent-Length: ${bytes.length}\r\n\r\n`), bytes])

t.test('an endless stream leaves nothing behind with each read', async t => {
  const { StreamDecoder } = require('../../../lib/response/stream-decoder')
  for (const [coding, coder] of [['gzip', zlib.gzipSync], ['br', zlib.brotliCompressSync]]) {
    const decoder = new StreamDecoder(coding)
    const bytes = coder(Buffer.from('data: x\n\n'.repeat(10)))
    for (let i = 0; i < bytes.length; i++) decoder.decode(bytes, i, i + 1, () => true)
    t.equal(decoder.stages[0].engine.listenerCount('error'), 1, coding)
    decoder.close()
  }
})

t.test('whatever reads cut, also two codings', async t => {
  const text = Buffer.from('data: 1\n\nevent: x\r\ndata: 2\r\n\r\n: c\n\ndata: 3\n\n')
  for (const [coding, bytes] of /** @type {Array<[string, Buffer]>} */ ([
    ['gzip', zlib.gzipSync(text)], ['gzip', Buffer.concat([zlib.gzipSync(text.subarray(0, 12)), zlib.gzipSync(text.subarray(12))])], ['br', zlib.brotliCompressSync(text)],
    ['deflate', zlib.deflateSync(text)], ['deflate', zlib.deflateRawSync(text)], ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(text))], ['identity', text]
  ])) {
    const whole = response(coding, bytes)
    const cuts = whole.length - bytes.length
    let i = 0
    const server = await rawServer(t, ({ socket }) => {
      const cut = cuts + i++ % bytes.length
      socket.write(whole.subarray(0, cut))
      setTimeout(() => socket.write(whole.subarray(cut)), 1)
    })
    const result = await run({ url: server.url, stream: 'sse', amount: bytes.length, connections: 4 })
    conserves(t, result)
    t.match(result, { errors: 0, failures: 0, streams: { completed: bytes.length, events: 3 * bytes.length, truncated: 0 } }, `${coding}, ${bytes.length} bytes`)
  }
})

overHttp1(t, 'what does not match its coding, is cut off, or is a bomb', async (t, mode) => {
  const text = Buffer.from('data: 1\n\n'.repeat(100))
  const zipped = zlib.gzipSync(text)
  const bomb = zlib.gzipSync(Buffer.concat([Buffer.from('data: '), Buffer.alloc(64 * 1024 * 1024, 'x')]))
  const brotliBomb = zlib.brotliCompressSync(Buffer.alloc(64 * 1024 * 1024, 'data: 1\n\n'))
  const flushed = zlib.gzipSync(text, { finishFlush: zlib.constants.Z_SYNC_FLUSH })
  for (const [name, bytes, expected] of /** @type {Array<[string, Buffer, any]>} */ ([
    ['no gzip', response('gzip', Buffer.from('data: 1\n\n')), { check: 'AC_CONTENT_ENCODING' }],
    ['cut off, though the response is complete', response('gzip', flushed), { check: 'AC_CONTENT_ENCODING', events: 200 }],
    ['another checksum', response('gzip', Buffer.concat([zipped.subarray(0, -8), Buffer.alloc(8)])), { check: 'AC_CONTENT_ENCODING' }],
    ['damaged before the end', Buffer.concat([Buffer.from(`${HEAD}gzip\r\nContent-Length: 9999\r\n\r\n`), flushed, Buffer.alloc(50, 0xff)]), { error: 'AC_CONTENT_ENCODING' }],
    ['an event of 64 MiB', Buffer.concat([Buffer.from(`${HEAD}gzip\r\nContent-Length: ${bomb.length + 10}\r\n\r\n`), bomb]), { error: 'AC_EVENT_SIZE', events: 0 }],
    ...[['br', zlib.brotliCompressSync(text)], ['deflate', zlib.deflateSync(text)], ['deflate', zlib.deflateRawSync(text)], ['gzip', zipped]].flatMap(([coding, whole]) => [
      [`what follows the end of ${coding}`, response(coding, Buffer.concat([whole, Buffer.from('data: 2\n\n')])), { check: 'AC_CONTENT_ENCODING' }],
      [`zeros after the end of ${coding}`, response(coding, Buffer.concat([whole, Buffer.alloc(5)])), { events: 200 }]
    ]),
    ['a read of brotli that is 64 MiB of events', response('br', brotliBomb), { check: 'AC_DECODED_SIZE: .* bytes of the stream decode to more than 16 MiB' }],
    ['an unknown coding', response('rot13', zipped), { check: 'is not supported' }],
    ['many codings', response('gzip, gzip, gzip, gzip', zipped), { check: 'is not supported' }]
  ])) {
    const server = await rawServer(t, connection => { connection.send(bytes) })
    const before = process.memoryUsage.rss()
    const result = await mode.run({ url: server.url, stream: 'sse', amount: 2, timeout: 20 })
    conserves(t, result)
    if (expected.error !== undefined) t.strictSame(result.errorCodes, { [expected.error]: 2 }, name)
    else if (expected.check === undefined) t.match(result, { errors: 0, failures: 0 }, name)
    else {
      t.equal(result.failures, 2, name)
      t.match(Object.keys(result.checks.find((/** @type {any} */ { name }) => name === 'content-encoding').reasons), [new RegExp(expected.check)], name)
    }
    if (expected.events !== undefined) t.equal(result.streams.events, expected.events, name)
    t.ok(process.memoryUsage.rss() - before < 150 * 1024 * 1024, `${name}: it takes no memory`)
  }
})
