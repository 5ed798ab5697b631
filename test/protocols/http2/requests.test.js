'use strict'

// What requests become, as hpack.js reads it. Frames are taken apart here.

const assert = require('node:assert/strict')
const t = require('tap')
const fc = require('fast-check')
const { decompressor } = require('hpack.js')
const { readBlock } = require('../../helpers/protocols/hpack')
const { KeptRequests, decode, encode, endOfHead, endOfRequest, finish } = require('../../../lib/protocols/http2/requests')

const DATA = 0
const HEADERS = 1
const CONTINUATION = 9
const END_STREAM = 1
const END_HEADERS = 4
const MAX_PAYLOAD = 16384

const TARGET = { authority: 'localhost:8080', path: '/own', tls: false }

/**
 * @param {object} request
 * @param {object} [target]
 * @returns {Buffer} as it goes to the wire, but for the stream
 */
const make = (request, target) => finish(encode({ method: 'GET', path: '/', headers: [], body: null, ...request }, { ...TARGET, ...target }))

/**
 * @param {Buffer} bytes of one request
 * @returns {{ block: Buffer, body: Buffer, frames: string[] }} what its frames hold; their types, sizes and flags
 */
function takeApart (bytes) {
  const frames = []
  const payloads = { [HEADERS]: [], [DATA]: [] }
  const names = { [HEADERS]: 'HEADERS', [CONTINUATION]: 'CONTINUATION', [DATA]: 'DATA' }
  for (let at = 0; at < bytes.length;) {
    const length = bytes.readUIntBE(at, 3)
    const [type, flags] = [bytes[at + 3], bytes[at + 4]]
    const ended = (flags & END_STREAM) === 0 ? '' : ' END_STREAM'
    frames.push(`${names[type]} ${length}${ended}${type !== DATA && (flags & END_HEADERS) !== 0 ? ' END_HEADERS' : ''}`)
    payloads[type === DATA ? DATA : HEADERS].push(bytes.subarray(at + 9, at + 9 + length))
    at += 9 + length
    assert.ok(at <= bytes.length, 'a frame ends where the bytes end')
  }
  return { block: Buffer.concat(payloads[HEADERS]), body: Buffer.concat(payloads[DATA]), frames }
}

/** @param {Buffer} bytes of one request */
const fieldsOf = bytes => readBlock(takeApart(bytes).block).map(({ name, value }) => [name, Buffer.from(value, 'latin1').toString()])

t.test('a request is HEADERS, with pseudo-headers first and names in lower case', async t => {
  const bytes = make({ path: '/a?b=c', headers: [['X-Own', ' yes '], ['Accept', 'text/html']] })
  t.strictSame(fieldsOf(bytes), [[':method', 'GET'], [':scheme', 'http'], [':authority', 'localhost:8080'], [':path', '/a?b=c'], ['x-own', 'yes'], ['accept', 'text/html']])
  t.strictSame(takeApart(bytes).frames, [`HEADERS ${bytes.length - 9} END_STREAM END_HEADERS`])
  t.equal(bytes.readUInt32BE(5), 0)
})

t.test('what the user says of host and length wins, and a target says what is left out', async t => {
  t.strictSame(fieldsOf(make({ path: null, headers: [['Host', 'other'], ['content-length', '7']], body: 'abc' }, { tls: true, authorization: 'Basic eDp5' })), [
    [':method', 'GET'], [':scheme', 'https'], [':authority', 'other'], [':path', '/own'], ['authorization', 'Basic eDp5'], ['content-length', '7']])
  t.strictSame(fieldsOf(make({ method: 'POST', path: 'http://other:1/p q' })), [[':method', 'POST'], [':scheme', 'http'], [':authority', 'other:1'], [':path', '/p%20q'], ['content-length', '0']])
  t.strictSame(fieldsOf(make({ method: 'CONNECT' })), [[':method', 'CONNECT'], [':authority', 'localhost:8080']])
})

t.test('what belongs to a connection is refused with the reason', async t => {
  for (const header of ['Connection', 'Keep-Alive', 'Proxy-Connection', 'Transfer-Encoding', 'Upgrade', 'HTTP2-Settings', 'TE']) {
    t.throws(() => make({ headers: [[header, 'x']] }), { code: 'AC_H2_HEADER', message: new RegExp(`${header}.*9113`, 's') })
  }
  t.same(fieldsOf(make({ headers: [['TE', 'trailers']] })).at(-1), ['te', 'trailers'])
})

t.test('a body is DATA, and what is larger than a frame goes in several', async t => {
  for (const [size, data] of [[0, []], [1, ['DATA 1 END_STREAM']], [MAX_PAYLOAD, [`DATA ${MAX_PAYLOAD} END_STREAM`]], [MAX_PAYLOAD + 1, [`DATA ${MAX_PAYLOAD}`, 'DATA 1 END_STREAM']]]) {
    const bytes = make({ method: 'PUT', body: Buffer.alloc(size, 'b') })
    const { block, frames, body } = takeApart(bytes)
    t.strictSame(frames, [`HEADERS ${block.length}${size === 0 ? ' END_STREAM' : ''} END_HEADERS`, ...data])
    t.equal(body.length, size)
    t.same(fieldsOf(bytes).at(-1), ['content-length', String(size)])
    t.equal(endOfHead(bytes, 0), 9 + block.length)
  }
  const empty = make({ headers: [['x', '']] }).length - 9
  for (const [size, expected] of [
    [MAX_PAYLOAD, [`HEADERS ${MAX_PAYLOAD} END_STREAM END_HEADERS`]],
    [MAX_PAYLOAD + 1, [`HEADERS ${MAX_PAYLOAD} END_STREAM`, 'CONTINUATION 1 END_HEADERS']],
    [3 * MAX_PAYLOAD, [`HEADERS ${MAX_PAYLOAD} END_STREAM`, `CONTINUATION ${MAX_PAYLOAD}`, `CONTINUATION ${MAX_PAYLOAD} END_HEADERS`]]
  ]) {
    // A length of more than 16,510 takes two bytes more than one of none.
    const bytes = make({ headers: [['x', 'v'.repeat(size - empty - (size - empty - 3 >= 127 + 16384 ? 3 : 2))]] })
    t.strictSame(takeApart(bytes).frames, expected)
    t.equal(endOfHead(bytes, 0), bytes.length)
  }
})

const value = fc.oneof(fc.string({ unit: 'grapheme-ascii', maxLength: 40 }), fc.constantFrom('', 'x'.repeat(200), 'ä€😀', 'y'.repeat(5000))).map(text => text.trim())
const name = fc.oneof(fc.constantFrom('Accept', 'User-Agent', 'Cookie', 'Authorization', 'If-None-Match'), fc.stringMatching(/^[A-Za-z0-9_.-]{1,12}$/).map(text => `X${text}`))
const headers = fc.uniqueArray(fc.tuple(name, value), { maxLength: 6, selector: ([name]) => name.toLowerCase() })
const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'DELETE'),
  path: fc.constantFrom('/', '/index.html', '/a', '/b?c=d'),
  headers,
  body: fc.constantFrom(null, '', 'abc', 'b'.repeat(40_000))
})

t.test('what is sent is what was asked for, and can be told from its bytes', async t => {
  fc.assert(fc.property(request, asked => {
    const bytes = make(asked)
    const told = decode(bytes, asked)
    assert.deepEqual(told.headers, asked.headers.map(([name, value]) => [name.toLowerCase(), value]))
    assert.deepEqual([told.method, told.path, told.body === null ? null : told.body.toString()], [asked.method, asked.path, asked.body])
    const fields = asked.headers.map(([name, value]) => [name.toLowerCase(), value])
    if (asked.body !== null || asked.method === 'POST') fields.push(['content-length', String(asked.body?.length ?? 0)])
    assert.deepEqual(fieldsOf(bytes), [[':method', asked.method], [':scheme', 'http'], [':authority', 'localhost:8080'], [':path', asked.path], ...fields])
    const twice = Buffer.concat([bytes, bytes])
    assert.deepEqual([endOfRequest(twice, 0), endOfRequest(twice, bytes.length)], [bytes.length, twice.length])
  }), { seed: 9113, numRuns: 150 })
  t.pass()
})

t.test('what is kept says the same in all its forms, whatever a connection begins with and in whatever order requests follow', async t => {
  let smaller = 0
  fc.assert(fc.property(fc.array(request, { minLength: 1, maxLength: 5 }), fc.array(fc.nat(), { minLength: 1, maxLength: 12 }), (requests, order) => {
    const list = requests.map(asked => make(asked))
    const kept = new KeptRequests()
    const joined = Buffer.concat(list.map(bytes => kept.keep(bytes)))
    const all = []
    for (let at = 0, i = 0; i < list.length; at += list[i++].length) all.push(kept.at(joined, at))
    for (const [i, one] of all.entries()) {
      assert.equal(one.size, list[i].length)
      assert.equal(one.headSize, endOfHead(list[i], 0))
      assert.deepEqual(fieldsOf(one.plain), fieldsOf(list[i]))
    }
    // One reader for the connection: it has the table of the server.
    const reader = decompressor.create({ table: { maxSize: 4096 } })
    const read = form => {
      const { block, frames } = takeApart(form)
      assert.equal(frames.filter(frame => frame.endsWith('END_HEADERS')).length, 1)
      reader.write(block)
      reader.execute()
      const fields = []
      for (let field = reader.read(); field !== null; field = reader.read()) fields.push([field.name, Buffer.from(field.value, 'latin1').toString()])
      return fields
    }
    const [first, ...rest] = order.map(n => n % list.length)
    const { table } = all[first]
    assert.deepEqual(read(table.first), fieldsOf(list[first]))
    for (const n of rest) {
      const form = table.formOf(all[n])
      assert.equal(form, table.formOf(all[n]), 'made once')
      assert.deepEqual(read(form), fieldsOf(list[n]))
      assert.ok(form.length <= all[n].plain.length)
      assert.equal(form[4] & END_STREAM, list[n][4] & END_STREAM)
      if (form.length < all[n].plain.length) smaller++
    }
  }), { seed: 9113, numRuns: 150 })
  t.ok(smaller > 150, `${smaller} were smaller than without a table`)
})

t.test('a request that comes again takes a byte for each field', async t => {
  const kept = new KeptRequests()
  const one = kept.at(kept.keep(make({ path: '/some/path', headers: [['user-agent', 'autocannon'], ['accept', 'application/json']] })), 0)
  t.equal(one.table.formOf(one).length, 9 + 6)
})

t.test('requests that are not kept have no number, and there is an end to what is kept', async t => {
  const kept = new KeptRequests()
  const bytes = make({})
  t.equal(kept.at(bytes, 0), null)
  for (let i = 1; i <= 4096; i++) kept.keep(bytes)
  t.equal(kept.keep(bytes), bytes)
  t.equal(kept.at(kept.keep(bytes), 0), null)
})
