'use strict'

// Requests on a connection, as its server reads them: hpack.js with a dynamic table, and node:http2, which is nghttp2. What is sent once,
// what is kept, what refers to the table of the server, and what a server that changes its table gets. Their frames and forms are in
// requests.test.js.

const { once } = require('node:events')
const http2Server = require('node:http2')
const { Duplex } = require('node:stream')
const t = require('tap')
const fc = require('fast-check')
const { decompressor } = require('hpack.js')
const autocannon = require('../../..')
const { http2 } = require('../../../lib/protocols/http2/peer')
const { decode, encode, finish } = require('../../../lib/protocols/http2/requests')
const { parseTarget } = require('../../../lib/requests/target')
const { compileRequest } = require('../../../lib/templates/template')
const { block, frame } = require('../../helpers/servers/http2-server')
const { conserves } = require('../../helpers/results/conservation')

const SEED = Number(process.env.FUZZ_SEED ?? 9113)
const RUNS = Number(process.env.FUZZ_RUNS ?? 60)

const [DATA, HEADERS, SETTINGS, WINDOW_UPDATE, CONTINUATION] = [0, 1, 4, 8, 9]
const [END_STREAM, END_HEADERS] = [1, 4]
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'
const MAX = 16384

const get = { method: 'GET', path: '/', headers: [], body: null }
const target = parseTarget('http://localhost/own?path')
const secret = parseTarget('https://me:pass@localhost:8443/own?path')

const u32 = number => { const bytes = Buffer.alloc(4); bytes.writeUInt32BE(number); return bytes }
const setting = (number, value) => Buffer.concat([Buffer.from([0, number]), u32(value)])
const utf8 = text => Buffer.from(text, 'latin1').toString()

/** A server that reads requests, and is strict about frames and the table. */
class Oracle {
  constructor () {
    this.rest = Buffer.alloc(0)
    this.requests = []
    this.current = null
    this.others = []
    this.tableSize = 4096
    /** What the next header block has to begin with. */
    this.shrinks = false
    this.decompressor = decompressor.create({ table: { maxSize: 4096 } })
    this.headSizes = []
  }

  receive (bytes) {
    this.rest = Buffer.concat([this.rest, bytes])
    if (this.requests.length === 0 && this.rest.toString('latin1', 0, PREFACE.length) === PREFACE) this.rest = this.rest.subarray(PREFACE.length)
    while (this.rest.length >= 9 && this.rest.length >= 9 + this.rest.readUIntBE(0, 3)) {
      const end = 9 + this.rest.readUIntBE(0, 3)
      if (end > 9 + MAX) throw new Error('a frame is too large')
      this.take(this.rest[3], this.rest[4], this.rest.readUInt32BE(5), this.rest.subarray(9, end))
      this.rest = this.rest.subarray(end)
    }
  }

  take (type, flags, stream, payload) {
    const { current } = this
    if (current !== null && !current.headed && (type !== CONTINUATION || stream !== current.stream)) throw new Error('a header block is torn')
    if (type === HEADERS) {
      if (current !== null || stream % 2 === 0 || stream <= (this.requests.at(-1)?.stream ?? 0)) throw new Error('a stream out of order')
      this.current = { stream, block: [payload], body: [], headed: false, ends: (flags & END_STREAM) !== 0 }
    } else if (type === CONTINUATION) current.block.push(payload)
    else if (type === DATA) current.body.push(payload)
    else return this.others.push([type, flags, stream, payload])
    if (type !== DATA && (flags & END_HEADERS) !== 0) this.read()
    if (this.current.headed && (type === DATA ? (flags & END_STREAM) !== 0 : this.current.ends)) {
      const { stream, fields, body } = this.current
      this.requests.push({ stream, fields, body: Buffer.concat(body) })
      this.current = null
    }
  }

  read () {
    const { current } = this
    const bytes = Buffer.concat(current.block)
    this.headSizes.push(bytes.length)
    if (this.shrinks && bytes[0] !== 0x20) throw new Error('the table did not shrink')
    if (!this.shrinks && bytes[0] >= 0x20 && bytes[0] < 0x40) throw new Error('the table shrinks for nothing')
    this.shrinks = false
    this.decompressor.write(bytes)
    this.decompressor.execute()
    current.fields = []
    for (let field; (field = this.decompressor.read()) !== null;) current.fields.push([field.name, utf8(field.value)])
    current.headed = true
  }

  /** @param {number} size of its table from now on */
  settle (size) {
    if (size < 4096) this.shrinks = true
    return frame(SETTINGS, 0, 0, setting(1, size))
  }
}

/** A peer whose connection is there: `write` has what it writes. */
function peerOf (protocol, receiver, inFlight, write) {
  const socket = { writableLength: 0, write: bytes => { write(bytes); return true }, on () {} }
  let ready
  const peer = protocol.peer({ opened () {} }, receiver, inFlight, { connect: (target, onread, onReady) => { ready = onReady; return socket } })
  peer.open(null)
  ready(socket)
  return peer
}

/**
 * A connection to an oracle, which answers each request at once.
 * @param {number | null} tableSize that it begins with; null when it says nothing of it
 */
function converse (tableSize = null, protocol = http2()) {
  const oracle = new Oracle()
  const lost = []
  const inFlight = { capacity: 4, newer: Int32Array.of(1, 2, 3, -1), methodOf: () => 'GET', bytesOf: () => Buffer.alloc(0) }
  let row = 0
  const receiver = { looks: false, readAt: 0, onHead: () => false, onBody () {}, onComplete () {}, onLost: (row, error) => lost.push(error), onLimit () {}, onWait () {}, onRepeat () {} }
  const peer = peerOf(protocol, receiver, inFlight, bytes => oracle.receive(bytes))
  const say = bytes => { const copy = Buffer.from(bytes); peer.read(copy, copy.length); peer.flush() }
  if (tableSize !== null) oracle.settle(tableSize)
  say(Buffer.concat([frame(SETTINGS, 0, 0, Buffer.concat([setting(4, 2 ** 31 - 1), ...tableSize === null ? [] : [setting(1, tableSize)]])), frame(WINDOW_UPDATE, 0, 0, u32(2 ** 30))]))
  return {
    oracle,
    peer,
    protocol,
    say,
    /** @returns {{ fields: string[][], body: Buffer }} as the server has read it */
    send (bytes) {
      peer.send(bytes, row)
      peer.flush()
      row = (row + 1) % 4
      const { stream, fields, body } = oracle.requests.at(-1)
      say(frame(HEADERS, END_HEADERS | END_STREAM, stream, block([[':status', '200']])))
      if (peer.stopped || lost.length > 0) throw peer.error ?? lost[0]
      return { fields, body }
    }
  }
}

/** What a request means (RFC 9113 §8.3). */
function meaning ({ method, path, headers, body }, { authority, authorization, path: own, tls }) {
  const has = name => headers.some(([given]) => given.toLowerCase() === name)
  const host = headers.findLast(([name]) => name.toLowerCase() === 'host')
  const [, absolute, rest] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(path ?? own) ?? []
  const asked = absolute === undefined ? path ?? own : rest.startsWith('/') ? rest : `/${rest}`
  const content = body === null ? Buffer.alloc(0) : Buffer.from(body)
  return {
    fields: [
      [':method', method], [':scheme', tls ? 'https' : 'http'], [':authority', absolute ?? host?.[1].trim() ?? authority],
      [':path', asked.replace(/[^!-~]+/g, encodeURIComponent)],
      ...authorization !== undefined && !has('authorization') ? [['authorization', authorization]] : [],
      ...headers.filter(([name]) => name.toLowerCase() !== 'host').map(([name, value]) => [name.toLowerCase(), value.trim()]),
      ...!has('content-length') && (body !== null || ['POST', 'PUT', 'PATCH'].includes(method)) ? [['content-length', String(content.length)]] : []
    ],
    body: content
  }
}

const LONG = [126, 127, 128, 129, 253, 254, 255, 256, 16_383 - 100, 16_384, 40_000, 100_000, 400_000]
const REQUESTS = {
  'GET /': get,
  'the path of the URL': { ...get, path: null },
  'a whole URL': { ...get, path: 'http://example.com:81/a?b=c' },
  'a whole URL without a path': { ...get, path: 'HTTPS://example.com?b=c' },
  '*': { ...get, method: 'OPTIONS', path: '*' },
  'a path in other letters': { ...get, path: '/ä ö/€?q=😀' },
  'a Host': { ...get, headers: [['HOST', 'other:1']] },
  'an Authorization': { ...get, headers: [['authorization', 'Bearer x']] },
  'headers in capitals': { ...get, headers: [['X-Big', 'Value'], ['Accept-Encoding', 'gzip, deflate'], ['ACCEPT', '*/*']] },
  'repeated headers': { ...get, headers: [['x', '1'], ['X', '2'], ['x', '1'], ['x', '1']] },
  cookies: { ...get, headers: [['Cookie', 'a=1; b=2'], ['cookie', 'c=3']] },
  'empty values and white space': { ...get, headers: [['x', ''], ['y', '  z  '], ['accept-encoding', '']] },
  'TE: trailers': { ...get, headers: [['te', 'trailers']] },
  'values in other letters': { ...get, headers: [['x', 'ä€😀'], ['y', '\x7f']] },
  'values that look like frames': { ...get, headers: [['x', '\x01\x02\x1f'], ['y', '\xff\xfe\x80']] },
  'a POST without a body': { ...get, method: 'POST' },
  'an empty body': { ...get, method: 'PUT', body: '' },
  'a body of one': { ...get, method: 'POST', body: 'x' },
  'a body with NUL and all bytes': { ...get, method: 'POST', body: Buffer.from(Array.from({ length: 1000 }, (_, i) => i)) },
  'a length of the user': { ...get, method: 'POST', headers: [['Content-Length', '3']], body: 'abc' },
  'a strange method': { ...get, method: 'M-SEARCH' },
  ...Object.fromEntries([MAX - 1, MAX, MAX + 1, 2 * MAX, 5 * MAX + 7].map(size => [`a body of ${size}`, { ...get, method: 'PUT', body: Buffer.alloc(size, 'abc') }])),
  ...Object.fromEntries(LONG.map(size => [`a value of ${size}`, { ...get, headers: [['x-long', 'v'.repeat(size)], ['x-wide', '€'.repeat(size / 3)]] }])),
  'a path of 20000': { ...get, path: `/${'p'.repeat(20_000)}` },
  'a hundred headers': { ...get, headers: Array.from({ length: 100 }, (_, i) => [`x-${i}`, 'v'.repeat(i)]) },
  'a name of 120': { ...get, headers: [['n'.repeat(120), 'v']] }
}

t.test('a request is read as it was meant, sent once, kept, first of a connection and behind others', async t => {
  const seen = converse()
  for (const [what, request] of Object.entries(REQUESTS)) {
    for (const one of [target, secret]) {
      const bytes = finish(encode(request, one))
      const expected = meaning(request, one)
      const { send, protocol } = converse()
      const wrong = []
      const check = (way, read) => { if (JSON.stringify(read) !== JSON.stringify(expected)) wrong.push([way, read.fields]) }
      check('once', send(bytes))
      const kept = protocol.keep(bytes)
      check('kept behind what is sent once', send(kept))
      check('kept again', send(kept))
      check('once again', send(bytes))
      check('kept, behind others', seen.send(seen.protocol.keep(bytes)))
      const { send: sendFirst, protocol: other } = converse()
      const first = other.keep(bytes)
      check('first', sendFirst(first))
      check('second', sendFirst(first))
      check('to a server without a table', (({ send, protocol }) => send(protocol.keep(bytes)))(converse(0)))
      t.strictSame(wrong, [], `${what}${one === secret ? ', over TLS with a secret in the URL' : ''}`)
    }
  }
})

t.test('what is read back of the bytes is the request', async t => {
  for (const [what, request] of Object.entries(REQUESTS)) {
    for (const one of [target, secret]) {
      const names = new Set(request.headers.map(([name]) => name.toLowerCase()))
      const { fields, body } = meaning(request, one)
      const read = decode(finish(encode(request, one)), request)
      t.strictSame(read, {
        method: request.method,
        path: fields.find(([name]) => name === ':path')[1],
        headers: [...names.has('host') ? [['host', fields.find(([name]) => name === ':authority')[1]]] : [], ...fields.filter(([name]) => names.has(name))],
        body: request.body === null ? null : body
      }, what)
    }
  }
})

t.test('headers of a connection, and names that are too long, are refused with the name and the reason', async t => {
  for (const name of ['Connection', 'keep-alive', 'Proxy-Connection', 'TRANSFER-ENCODING', 'upgrade', 'HTTP2-Settings', 'TE']) {
    t.throws(() => encode({ ...get, headers: [[name, 'x']] }, target), { code: 'AC_H2_HEADER', message: new RegExp(name) })
  }
  t.throws(() => encode({ ...get, headers: [['n'.repeat(300), 'x']] }, target), { code: 'AC_H2_HEADER', message: /120 bytes/ })
})

t.test('what may stand in no field of HTTP/2 is left out: white space around a value that is filled in, and secrets in the authority', async t => {
  const { send } = converse()
  for (const value of [' a', 'a ', '\t a b \t', ' ', '']) {
    const tags = [{ text: '{tag}', inUrl: /%7Btag%7D/g, filler: () => value }]
    const { fields } = send(compileRequest({ ...get, headers: [['x', '{tag}'], ['y', 'z']] }, target, { encode, finish, tags }).fill({}))
    t.strictSame(fields.slice(-2), [['x', value.trim()], ['y', 'z']])
  }
  t.strictSame(send(finish(encode({ ...get, path: 'http://me:pass@other:81/x' }, target))).fields[2], [':authority', 'other:81'])
})

t.test('the second request of a connection is a few bytes, and others say again only what differs', async t => {
  const { send, oracle, protocol } = converse()
  const headers = [['user-agent', 'u'.repeat(60)], ['x-tenant', 'me']]
  const a = protocol.keep(finish(encode({ ...get, path: '/some/path', headers }, target)))
  const b = protocol.keep(finish(encode({ ...get, path: '/other', headers }, target)))
  for (const bytes of [a, a, b, a, b]) send(bytes)
  t.ok(oracle.headSizes[0] > 60)
  t.strictSame(oracle.headSizes.slice(1), [6, oracle.headSizes[2], 6, oracle.headSizes[2]])
  t.ok(oracle.headSizes[2] < 6 + 8)
})

t.test('of many requests a few have others refer to them: connections that begin with any of them hold no table for each', async t => {
  const protocol = http2()
  const list = Array.from({ length: 200 }, (_, i) => ({ ...get, path: `/${i}`, headers: [['x-same', 'v'.repeat(50)]] }))
  const kept = list.map(request => protocol.keep(finish(encode(request, target))))
  let indexed = 0
  for (let first = 0; first < list.length; first++) {
    const { send, oracle } = converse(null, protocol)
    for (const i of [first, (first + 7) % 200, (first + 180) % 200]) {
      if (JSON.stringify(send(kept[i])) !== JSON.stringify(meaning(list[i], target))) t.fail(`${i} behind ${first}`)
    }
    if (oracle.headSizes[1] < 30) indexed++
  }
  t.equal(indexed, 32)
})

const name = fc.constantFrom('x-a', 'X-B', 'accept', 'Cookie', 'user-agent', 'authorization', 'host', 'x-c')
const value = fc.oneof(fc.constantFrom('', '*/*', 'one', 'two'), fc.integer({ min: 0, max: 3000 }).map(size => 'v'.repeat(size)), fc.string({ unit: fc.constantFrom(...'aZ9 é€~') }))
const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD'),
  path: fc.constantFrom('/', '/index.html', '/a', null, '/é', 'http://other/x'),
  headers: fc.array(fc.tuple(name, value), { maxLength: 6 }),
  body: fc.option(fc.constantFrom('', 'body', 'b'.repeat(20_000)))
})
const size = fc.constantFrom(0, 1, 100, 4095, 4096, 65536)

t.test('whatever requests a connection carries, and however the server changes its table, they are read as they were meant', async t => {
  let shrunk = 0
  fc.assert(fc.property(fc.array(fc.tuple(request, fc.boolean()), { minLength: 1, maxLength: 6 }), fc.option(size), fc.array(fc.oneof({ weight: 6, arbitrary: fc.nat(5).map(index => ({ index })) }, { weight: 1, arbitrary: fc.array(size, { minLength: 1, maxLength: 3 }).map(sizes => ({ sizes })) }), { maxLength: 30 }), (requests, first, steps) => {
    const { oracle, protocol, send, say } = converse(first)
    const ready = requests.map(([request, kept]) => { const bytes = finish(encode(request, target)); return kept ? protocol.keep(bytes) : bytes })
    for (const { index, sizes } of steps) {
      if (sizes !== undefined) {
        shrunk++
        say(Buffer.concat(sizes.map(size => oracle.settle(size))))
      } else {
        const i = index % requests.length
        if (JSON.stringify(send(ready[i])) !== JSON.stringify(meaning(requests[i][0], target))) return false
      }
    }
    return true
  }), { seed: SEED, numRuns: RUNS })
  t.ok(shrunk > 20)
})

t.test('a template of any request is the request with its values', async t => {
  const wide = fc.string({ unit: fc.constantFrom('a', '€', '-', '0'), maxLength: 300 })
  const { send } = converse()
  fc.assert(fc.property(request, fc.array(wide, { minLength: 1, maxLength: 4 }), fc.constantFrom('path', 'header', 'body', 'all'), (request, values, where) => {
    const put = value => ({
      ...request,
      path: where === 'path' || where === 'all' ? `/${value}/x` : request.path,
      headers: where === 'header' || where === 'all' ? [...request.headers, ['x-value', `<${value}>`]] : request.headers,
      body: where === 'body' || where === 'all' ? `"${value}"` : request.body
    })
    const left = [...values]
    const tags = [{ text: '{tag}', inUrl: /%7Btag%7D/g, filler: () => left[0] }]
    const template = compileRequest(put('{tag}'), target, { encode, finish, tags })
    for (const given of values) {
      const value = where === 'header' || where === 'body' ? given : given.replaceAll('€', 'e')
      left[0] = value
      if (JSON.stringify(send(template.fill({}))) !== JSON.stringify(meaning(put(value), target))) return false
    }
    return true
  }), { seed: SEED, numRuns: RUNS })
})

/** nghttp2 at the other end of a connection that is in this process. */
async function nghttp2 (t, bytes, count) {
  const seen = []
  const server = http2Server.createServer({ maxHeaderListPairs: 1000, settings: { maxHeaderListSize: 4_000_000, initialWindowSize: 2 ** 30 }, maxSessionMemory: 1000 })
  const errors = []
  server.on('sessionError', error => errors.push(error))
  server.on('stream', (stream, headers, flags, raw) => {
    const body = []
    stream.on('data', chunk => body.push(chunk)).on('end', () => {
      seen.push({ id: stream.id, fields: raw.flatMap((text, i) => i % 2 === 0 ? [[text, utf8(raw[i + 1])]] : []), body: Buffer.concat(body) })
      stream.respond({ ':status': 204 }, { endStream: true })
    }).on('error', error => errors.push(error))
  })
  const end = new Duplex({ read () {}, write: (chunk, encoding, done) => done() })
  server.emit('connection', end)
  end.push(bytes)
  for (let n = 0; n < 200 && seen.length < count && errors.length === 0; n++) await new Promise(resolve => setTimeout(resolve, 10))
  t.strictSame(errors, [])
  end.destroy()
  return seen.sort((a, b) => a.id - b.id)
}

t.test('nghttp2 reads requests as they were meant, with references to its table', async t => {
  // Not what nghttp2 does not take as a value, what is over its limits, or what has to wait for a window.
  const list = Object.entries(REQUESTS).filter(([what]) => !/look like frames|value of (?:40000|100000|400000)|other letters|strange|a path of|hundred|empty values|body of \d{5}/.test(what)).map(([, request]) => request)
  const written = []
  const protocol = http2()
  const inFlight = { capacity: 1000, newer: Int32Array.from({ length: 1000 }, (_, i) => i + 1), methodOf: () => 'GET', bytesOf: () => null }
  const peer = peerOf(protocol, { looks: false, onLimit () {}, onWait () {} }, inFlight, bytes => written.push(Buffer.from(bytes)))
  const greeting = Buffer.concat([frame(SETTINGS, 0, 0, setting(4, 2 ** 30)), frame(WINDOW_UPDATE, 0, 0, u32(2 ** 30))])
  peer.read(greeting, greeting.length)
  const sent = [...list, ...list]
  const kept = list.map(request => protocol.keep(finish(encode(request, secret))))
  for (const [row, bytes] of [...kept, ...kept].entries()) peer.send(bytes, row)
  peer.flush()
  const seen = await nghttp2(t, Buffer.concat(written), sent.length)
  t.equal(seen.length, sent.length)
  for (const [i, { fields, body }] of seen.entries()) {
    const expected = meaning(sent[i], secret)
    // Node.js joins cookies, as RFC 9113 §8.2.3 asks it to.
    t.strictSame({ fields: fields.filter(([name]) => name !== 'cookie'), body }, { fields: expected.fields.filter(([name]) => name !== 'cookie'), body: expected.body })
  }
})

t.test('a run of templates, ids, lists of targets and bodies is what node:http2 reads', async t => {
  const server = http2Server.createServer()
  const seen = []
  server.on('stream', (stream, headers) => {
    const body = []
    stream.on('data', chunk => body.push(chunk)).on('end', () => {
      seen.push([headers[':method'], headers[':path'], headers['x-id'] ?? '', Buffer.concat(body).toString()])
      stream.respond({ ':status': 200 }, { endStream: true })
    }).on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const url = `http://127.0.0.1:${server.address().port}/`
  const run = async opts => {
    seen.length = 0
    const result = await autocannon({ url, http: '2', connections: 1, ...opts })
    conserves(t, result, { arrived: seen.length })
    return seen
  }

  const ids = await run({ amount: 20, pipelining: 3, idReplacement: true, requests: [{ method: 'PUT', path: '/[<id>]', headers: { 'x-id': '[<id>]' }, body: '<[<id>]>' }] })
  t.equal(ids.length, 20)
  t.equal(new Set(ids.map(([, path]) => path)).size, 20)
  for (const [method, path, , body] of ids) {
    t.equal(method, 'PUT')
    t.match(path, /^\/\S+$/)
    t.match(body, /^<\S+>$/)
  }

  const targets = Array.from({ length: 30 }, (_, i) => ({ method: i % 3 === 0 ? 'POST' : 'GET', url: `/t/${i}`, headers: { 'x-id': String(i) }, ...i % 3 === 0 && { body: 'b'.repeat(i) } }))
  const listed = await run({ amount: 60, pipelining: 4, targets })
  t.strictSame(listed, [...targets, ...targets].map(({ method, headers, body = '' }, i) => [method, `/t/${i % 30}`, headers['x-id'], body]))
})
