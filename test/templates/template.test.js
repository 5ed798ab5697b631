'use strict'

const t = require('tap')
const fc = require('fast-check')
const { ID, Ids } = require('../../lib/templates/ids')
const { serialize } = require('../../lib/protocols/serialize')
const { parseTarget } = require('../../lib/requests/target')
const { Template, compileRequest } = require('../../lib/templates/template')

const target = parseTarget('http://localhost/%7Bplain%7D')
const get = { method: 'GET', path: '/', headers: [], body: null }

/**
 * A tag that gives these values in turn.
 * @param {string} text
 * @param {string[]} values
 */
const tagOf = (text, values) => ({ text, inUrl: new RegExp(encodeURI(text), 'g'), filler: () => values.push(values[0]) && values.shift() })

t.test('a request without a tag is its bytes', async t => {
  for (const request of [get, { ...get, method: 'POST', body: '{<}' }, { ...get, body: Buffer.from([0, 255]) }]) {
    const compiled = compileRequest(request, target, { encode: serialize, tags: [tagOf('{plan}', ['x'])] })
    t.ok(Buffer.isBuffer(compiled))
    t.strictSame(compiled, serialize(request, target))
  }
})

t.test('values of any length, byte by byte', async t => {
  const head = 'Host: localhost\r\nConnection: keep-alive\r\n'
  for (const [name, request, ...expected] of [
    ['in the path', { path: '/a/{plain}?b={plain}' }, `GET /a/one?b=three HTTP/1.1\r\n${head}\r\n`, `GET /a/?b=one HTTP/1.1\r\n${head}\r\n`, `GET /a/three?b= HTTP/1.1\r\n${head}\r\n`],
    ['in the path of the URL', { path: null }, `GET /one HTTP/1.1\r\n${head}\r\n`, `GET /three HTTP/1.1\r\n${head}\r\n`, `GET / HTTP/1.1\r\n${head}\r\n`],
    ['in a header', { headers: [['X', 'a {wide}']] }, `GET / HTTP/1.1\r\n${head}X: a é\r\n\r\n`, `GET / HTTP/1.1\r\n${head}X: a \r\n\r\n`, `GET / HTTP/1.1\r\n${head}X: a €€€€€€€€€€\r\n\r\n`],
    ['in the body, which tells its length', { method: 'PUT', body: 'é{wide}' },
      `PUT / HTTP/1.1\r\n${head}Content-Length: 4\r\n\r\néé`, `PUT / HTTP/1.1\r\n${head}Content-Length: 2\r\n\r\né`, `PUT / HTTP/1.1\r\n${head}Content-Length: 32\r\n\r\né€€€€€€€€€€`],
    ['in a body of bytes', { body: Buffer.from('{wide}!') }, `GET / HTTP/1.1\r\n${head}Content-Length: 3\r\n\r\né!`, `GET / HTTP/1.1\r\n${head}Content-Length: 1\r\n\r\n!`],
    ['in a body that is sent in chunks', { headers: [['Transfer-Encoding', 'chunked']], body: '0123456789{wide}' },
      `GET / HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\nc\r\n0123456789é\r\n0\r\n\r\n`, `GET / HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n0\r\n\r\n`],
    ['in a body whose length the user tells', { headers: [['content-length', '5']], body: '{plain}' }, `GET / HTTP/1.1\r\n${head}content-length: 5\r\n\r\none`]
  ]) {
    const tags = [tagOf('{plain}', ['one', 'three', '']), tagOf('{wide}', ['é', '', '€€€€€€€€€€'])]
    const template = compileRequest({ ...get, ...request }, target, { encode: serialize, tags })
    t.strictSame(expected.map(() => template.fill({}).toString()), expected, name)
  }
})

t.test('a filled template is the request with its values, wherever they stand', async t => {
  const ascii = fc.string({ maxLength: 12 }).map(text => text.replace(/[^\w/-]/g, 'x'))
  const wide = fc.string({ unit: 'binary', maxLength: 12 }).map(text => text.toWellFormed())
  /** @param {fc.Arbitrary<string>} text */
  const parts = text => fc.array(fc.oneof(text, fc.constantFrom('{a}', '{b}')), { maxLength: 6 }).map(parts => parts.join(''))
  const headers = fc.array(fc.tuple(fc.constantFrom('X-A', 'Content-Length', 'Transfer-Encoding', 'Host'), parts(ascii)), { maxLength: 3 })
  fc.assert(fc.property(parts(ascii), headers, fc.option(parts(wide)), fc.boolean(), ascii, ascii, (path, headers, body, asBytes, a, b) => {
    /** @param {string} text */
    const filled = text => text.replaceAll('{a}', a).replaceAll('{b}', b)
    const chunked = headers.some(([name]) => name === 'Transfer-Encoding')
    fc.pre(!(chunked && body !== null && body !== '' && filled(body) === '') && !/\{[ab]\}/.test(a + b))
    /** @param {(text: string) => string} change */
    const requestOf = change => {
      const text = body === null ? null : change(body)
      return { method: 'POST', path: '/' + change(path), headers: headers.map(([name, value]) => [name, change(value)]), body: text !== null && asBytes ? Buffer.from(text) : text }
    }
    const compiled = compileRequest(requestOf(text => text), target, { encode: serialize, tags: [tagOf('{a}', [a]), tagOf('{b}', [b])] })
    t.strictSame(compiled instanceof Template ? compiled.fill({}) : compiled, serialize(requestOf(filled), target))
  }), { seed: 12, numRuns: 500 })
})

t.test('ids are of one length, and each is another one, of whatever maker', async t => {
  const template = compileRequest({ ...get, path: '/[<id>]', body: '[<id>]' }, target, { encode: serialize, tags: [ID] })
  const makers = [{ ids: new Ids() }, { ids: new Ids() }]
  const ids = Array.from({ length: 10 }, (_, i) => template.fill(makers[i % 2]).toString().match(/[\da-f]{15}-\d{10}/g)).flat()
  t.equal(new Set(ids).size, 20)
  t.ok(ids.every(id => id.length === 26))
})
