'use strict'

const t = require('tap')
const { serialize } = require('../../lib/protocols/serialize')

const target = { authority: 'example.org:3000', authorization: undefined, path: '/own?x=1' }

/** The bytes as latin1, in which each character is one byte. */
const bytesOf = (request, change = {}) =>
  serialize({ method: 'GET', path: null, headers: [], body: null, ...request }, { ...target, ...change }).toString('latin1')

const HEAD = 'Host: example.org:3000\r\nConnection: keep-alive\r\n'

t.test('byte for byte', async t => {
  for (const [name, request, expected, change] of [
    ['a GET asks for the path of the target', {}, `GET /own?x=1 HTTP/1.1\r\n${HEAD}\r\n`],
    ['a path of its own wins', { path: '/a?b=c' }, `GET /a?b=c HTTP/1.1\r\n${HEAD}\r\n`],
    ['headers are sent in their order and spelling', { headers: [['x-B', '2'], ['X-a', '1']] }, `GET /own?x=1 HTTP/1.1\r\n${HEAD}x-B: 2\r\nX-a: 1\r\n\r\n`],
    ['a repeated header is sent as often', { headers: [['Cookie', 'a=1'], ['cookie', 'b=2']] }, `GET /own?x=1 HTTP/1.1\r\n${HEAD}Cookie: a=1\r\ncookie: b=2\r\n\r\n`],
    ['an empty value is sent', { headers: [['Accept', '']] }, `GET /own?x=1 HTTP/1.1\r\n${HEAD}Accept: \r\n\r\n`],
    ['a Host of one\'s own replaces ours', { headers: [['hOsT', 'other']] }, 'GET /own?x=1 HTTP/1.1\r\nConnection: keep-alive\r\nhOsT: other\r\n\r\n'],
    ['a Connection of one\'s own replaces ours', { headers: [['connection', 'close']] }, 'GET /own?x=1 HTTP/1.1\r\nHost: example.org:3000\r\nconnection: close\r\n\r\n'],

    ['a body has its length', { method: 'POST', body: Buffer.from('abc') }, `POST /own?x=1 HTTP/1.1\r\n${HEAD}Content-Length: 3\r\n\r\nabc`],
    ['a length is in bytes, not in characters', { method: 'PUT', body: Buffer.from('äöü') }, `PUT /own?x=1 HTTP/1.1\r\n${HEAD}Content-Length: 6\r\n\r\n\xc3\xa4\xc3\xb6\xc3\xbc`],
    ['a text is sent as UTF-8', { method: 'PUT', body: 'ä€' }, `PUT /own?x=1 HTTP/1.1\r\n${HEAD}Content-Length: 5\r\n\r\n\xc3\xa4\xe2\x82\xac`],
    ['a binary body is sent as it is', { method: 'POST', body: Uint8Array.of(0, 13, 10, 128, 255) }, `POST /own?x=1 HTTP/1.1\r\n${HEAD}Content-Length: 5\r\n\r\n\0\r\n\x80\xff`],
    ['a view of a larger buffer is sent without what is around it', { method: 'POST', body: new Uint8Array(Buffer.from('..abc..')).subarray(2, 5) }, `POST /own?x=1 HTTP/1.1\r\n${HEAD}Content-Length: 3\r\n\r\nabc`],
    ['a GET may have a body', { body: Buffer.from('abc') }, `GET /own?x=1 HTTP/1.1\r\n${HEAD}Content-Length: 3\r\n\r\nabc`],
    ['an empty body has a length, too', { method: 'DELETE', body: Buffer.alloc(0) }, `DELETE /own?x=1 HTTP/1.1\r\n${HEAD}Content-Length: 0\r\n\r\n`],
    ['a POST without a body says so', { method: 'POST' }, `POST /own?x=1 HTTP/1.1\r\n${HEAD}Content-Length: 0\r\n\r\n`],
    ['a PUT without a body says so', { method: 'PUT' }, `PUT /own?x=1 HTTP/1.1\r\n${HEAD}Content-Length: 0\r\n\r\n`],
    ['a PATCH without a body says so', { method: 'PATCH' }, `PATCH /own?x=1 HTTP/1.1\r\n${HEAD}Content-Length: 0\r\n\r\n`],
    ['a DELETE without a body needs no length', { method: 'DELETE' }, `DELETE /own?x=1 HTTP/1.1\r\n${HEAD}\r\n`],
    ['a HEAD needs no length', { method: 'HEAD' }, `HEAD /own?x=1 HTTP/1.1\r\n${HEAD}\r\n`],
    ['any method is sent as given', { method: 'PROPFIND' }, `PROPFIND /own?x=1 HTTP/1.1\r\n${HEAD}\r\n`],
    ['a length of one\'s own replaces ours, even a wrong one', { method: 'POST', headers: [['CONTENT-LENGTH', '99']], body: Buffer.from('abc') }, `POST /own?x=1 HTTP/1.1\r\n${HEAD}CONTENT-LENGTH: 99\r\n\r\nabc`],

    ['who asks for chunks gets the body as one, and no length', { method: 'POST', headers: [['transfer-encoding', 'chunked']], body: Buffer.from('0123456789abcdefg') },
      `POST /own?x=1 HTTP/1.1\r\n${HEAD}transfer-encoding: chunked\r\n\r\n11\r\n0123456789abcdefg\r\n0\r\n\r\n`],
    ['chunks without a body are just the last', { method: 'POST', headers: [['Transfer-Encoding', 'chunked']] },
      `POST /own?x=1 HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],

    ['a path that is not ASCII is percent-encoded', { path: '/ü/€/😀?q=a b' }, `GET /%C3%BC/%E2%82%AC/%F0%9F%98%80?q=a%20b HTTP/1.1\r\n${HEAD}\r\n`],
    ['a path can\'t break the request line', { path: '/a\r\nX: y\0\x7f' }, `GET /a%0D%0AX:%20y%00%7F HTTP/1.1\r\n${HEAD}\r\n`],
    ['half a character is replaced as in UTF-8', { path: '/\ud83d' }, `GET /%EF%BF%BD HTTP/1.1\r\n${HEAD}\r\n`],
    ['what is encoded is not encoded again', { path: '/%C3%BC%2f%zz' }, `GET /%C3%BC%2f%zz HTTP/1.1\r\n${HEAD}\r\n`],

    ['the user and password of the URL are sent', {}, `GET /own?x=1 HTTP/1.1\r\n${HEAD}Authorization: Basic dTpw\r\n\r\n`, { authorization: 'Basic dTpw' }],
    ['an Authorization of one\'s own wins over them', { headers: [['AUTHORIZATION', 'Bearer t']] }, `GET /own?x=1 HTTP/1.1\r\n${HEAD}AUTHORIZATION: Bearer t\r\n\r\n`, { authorization: 'Basic dTpw' }]
  ]) {
    t.equal(bytesOf(request, change), expected, name)
  }
})

t.test('says Host, Connection and the length once, in whatever case they are given', async t => {
  for (const write of [name => name.toLowerCase(), name => name.toUpperCase(), name => name]) {
    const headers = [['Host', 'h'], ['Connection', 'close'], ['Content-Length', '3']].map(([name, value]) => [write(name), value])
    const lines = bytesOf({ method: 'POST', headers, body: Buffer.from('abc') }).toLowerCase().split('\r\n')
    for (const name of ['host', 'connection', 'content-length']) {
      t.equal(lines.filter(line => line.startsWith(name + ':')).length, 1, write(name))
    }
  }
})

t.test('leaves the request as it was', async t => {
  const request = Object.freeze({ method: 'POST', path: null, headers: Object.freeze([Object.freeze(['a', 'b'])]), body: Buffer.from('abc') })
  const bytes = serialize(request, target)
  bytes.fill(0)
  t.equal(request.body.toString(), 'abc')
  t.not(serialize(request, target).toString(), bytes.toString())
})
