'use strict'

const t = require('tap')
const { parseOffer } = require('../../../lib/protocols/websocket/deflate')
const { Handshake, acceptOf } = require('../../../lib/protocols/websocket/handshake')

const WANTED = { authority: 'example.com:8080', path: '/chat?x=1', authorization: undefined, headers: [], protocols: [], offer: null }

/** @param {object} [wanted] */
function begin (wanted) {
  const handshake = new Handshake({ ...WANTED, ...wanted })
  return { handshake, request: handshake.begin().toString() }
}

/** @type {(key: string, lines?: string[], others?: Record<string, string | null>) => string} */
function accepts (key, lines = [], others = {}) {
  const usual = { Upgrade: 'websocket', Connection: 'Upgrade', 'Sec-WebSocket-Accept': acceptOf(key), ...others }
  const fields = Object.entries(usual).filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${value}`)
  return ['HTTP/1.1 101 Switching Protocols', ...fields, ...lines, '', ''].join('\r\n')
}

const FRAMES = '\x81\x02hi'

/** Reads a response whose frames follow at once, in all ways in which reads can cut it. */
function verdicts (wanted, response) {
  const said = new Set()
  const length = response('').length
  const cuts = [[], Array.from({ length: length + 3 }, (_, i) => i + 1), ...Array.from({ length: length + 3 }, (_, i) => [i + 1])]
  for (const at of cuts) {
    const { handshake } = begin(wanted)
    const bytes = Buffer.from(response(handshake.key) + FRAMES, 'latin1')
    let frames = ''
    let from = 0
    for (const to of [...at.filter(cut => cut < bytes.length), bytes.length]) {
      const read = Buffer.concat([Buffer.from('\r\n\r\n'), bytes.subarray(from, to), Buffer.from('\r\n\r\n')])
      const end = 4 + to - from
      const next = handshake.done ? 4 : handshake.read(read, 4, end)
      if (handshake.done) frames += read.toString('latin1', next, end)
      else if (next !== end) said.add('reads too little')
      from = to
    }
    const { error, protocol, deflate, status } = handshake
    said.add(error === null
      ? (handshake.done ? `${JSON.stringify(frames)} ${protocol} ${JSON.stringify(deflate)}` : 'more')
      : `${error.code} ${error.status} ${status}: ${error.message}`)
  }
  return said.size === 1 ? [...said][0] : [...said]
}

const OPEN = `${JSON.stringify(FRAMES)} null null`

t.test('the key and the response to it are those of RFC 6455 §1.3', async t => {
  t.equal(acceptOf('dGhlIHNhbXBsZSBub25jZQ=='), 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=')
})

t.test('the request', async t => {
  const { handshake, request } = begin()
  t.equal(request, 'GET /chat?x=1 HTTP/1.1\r\nHost: example.com:8080\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
    `Sec-WebSocket-Key: ${handshake.key}\r\nSec-WebSocket-Version: 13\r\n\r\n`)
  t.equal(Buffer.from(handshake.key, 'base64').length, 16)
  const other = begin({
    authorization: 'Basic eDp5', headers: [['Origin', 'https://a.example'], ['Cookie', 'a=1; b=2']], protocols: ['chat.v2', 'chat'], offer: parseOffer()
  }).request
  t.match(other, /\r\nSec-WebSocket-Protocol: chat\.v2, chat\r\nSec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n/)
  t.match(other, /\r\nAuthorization: Basic eDp5\r\nOrigin: https:\/\/a\.example\r\nCookie: a=1; b=2\r\n\r\n$/)
  const replaced = begin({ authorization: 'Basic eDp5', headers: [['host', 'other'], ['AUTHORIZATION', 'Bearer x']] }).request
  t.equal(replaced.match(/host/gi)?.length, 1)
  t.equal(replaced.match(/authorization/gi)?.length, 1)
  t.match(replaced, /\r\nhost: other\r\n/)
})

t.test('each connection has a key of its own, and begins anew', async t => {
  const { handshake } = begin({ protocols: ['a'] })
  const { key } = handshake
  const refused = Buffer.from('HTTP/1.1 403 Forbidden\r\nX: y\r\n\r\n')
  handshake.read(refused, 0, refused.length)
  t.match(handshake, { status: 403, error: { code: 'AC_WS_STATUS' }, rawHeaders: ['X', 'y'] })
  handshake.begin()
  t.not(handshake.key, key)
  t.match(handshake, { status: 0, error: null, done: false, rawHeaders: [], protocol: null, deflate: null })
  const half = Buffer.from('HTTP/1.1 101 Swi')
  handshake.read(half, 0, half.length)
  handshake.begin()
  const whole = Buffer.from(accepts(handshake.key, ['Sec-WebSocket-Protocol: a']))
  t.equal(handshake.read(whole, 0, whole.length), whole.length)
  t.match(handshake, { done: true, protocol: 'a', status: 101 })
})

t.test('responses that accept', async t => {
  const deflate = { offer: parseOffer() }
  for (const [promise, wanted, response, verdict] of /** @type {Array<[string, object, (key: string) => string, string]>} */ ([
    ['a usual one', {}, key => accepts(key), OPEN],
    ['in other cases', {}, key => accepts(key, [], { Upgrade: 'WebSocket', Connection: 'keep-alive, UPGRADE' }), OPEN],
    ['Connection in two headers', {}, key => accepts(key, ['Connection: keep-alive']), OPEN],
    ['an empty reason', {}, key => accepts(key).replace('Switching Protocols', ''), OPEN],
    ['no reason', {}, key => accepts(key).replace(' Switching Protocols', ''), OPEN],
    ['HTTP/1.0, as some proxies say', {}, key => accepts(key).replace('HTTP/1.1', 'HTTP/1.0'), OPEN],
    ['after interim responses', {}, key => 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n' + accepts(key), OPEN],
    ['a folded header', {}, key => accepts(key, ['X: a\r\n  b']), OPEN],
    ['other headers', {}, key => accepts(key, ['Set-Cookie: a=1', 'Server: \xfc']), OPEN],
    ['a subprotocol', { protocols: ['a', 'b'] }, key => accepts(key, ['sec-websocket-protocol: b']), `${JSON.stringify(FRAMES)} b null`],
    ['no extension although one was offered', deflate, key => accepts(key), OPEN],
    ['compression', deflate, key => accepts(key, ['Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover']),
      `${JSON.stringify(FRAMES)} null {"serverTakesOver":false,"serverBits":15,"clientBits":15}`]
  ])) t.equal(verdicts(wanted, response), verdict, promise)
})

t.test('blanks around a value are no part of it, and many inside of it take no time', async t => {
  const blanks = ' \t'.repeat(30_000)
  const startedAt = performance.now()
  for (let i = 0; i < 5; i++) {
    const { handshake } = begin()
    const response = Buffer.from(accepts(handshake.key, [`A: x${blanks}x`, 'B: \t y z\t ', `C:${' '.repeat(100)}`]))
    handshake.read(response, 0, response.length)
    t.strictSame([handshake.error, handshake.done], [null, true])
    t.strictSame(handshake.rawHeaders.slice(-6), ['A', `x${blanks}x`, 'B', 'y z', 'C', ''])
  }
  t.ok(performance.now() - startedAt < 2000, 'a regex took 8 s')
})

t.test('responses that do not', async t => {
  const deflate = { offer: parseOffer('permessage-deflate') }
  for (const [promise, wanted, response, verdict] of /** @type {Array<[string, object, (key: string) => string, string]>} */ ([
    ['another status', {}, () => 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n', 'AC_WS_STATUS 403 403: the server responded to the WebSocket handshake with 403 Forbidden'],
    ['200', {}, key => accepts(key).replace('101 Switching Protocols', '200'), 'AC_WS_STATUS 200 200: the server responded to the WebSocket handshake with 200'],
    ['a redirect', {}, () => 'HTTP/1.1 301 Moved\r\nLocation: /x\r\n\r\n', 'AC_WS_STATUS 301 301: the server responded to the WebSocket handshake with 301 Moved'],
    ['no Upgrade', {}, key => accepts(key, [], { Upgrade: null }), 'AC_WS_UPGRADE 101 101: the response to the WebSocket handshake lacks Upgrade: websocket'],
    ['another Upgrade', {}, key => accepts(key, [], { Upgrade: 'h2c' }), 'AC_WS_UPGRADE 101 101: the response to the WebSocket handshake lacks Upgrade: websocket'],
    ['no Connection', {}, key => accepts(key, [], { Connection: null }), 'AC_WS_CONNECTION 101 101: the response to the WebSocket handshake lacks Connection: Upgrade'],
    ['another Connection', {}, key => accepts(key, [], { Connection: 'upgraded' }), 'AC_WS_CONNECTION 101 101: the response to the WebSocket handshake lacks Connection: Upgrade'],
    ['no Accept', {}, key => accepts(key, [], { 'Sec-WebSocket-Accept': null }), 'AC_WS_ACCEPT 101 101: the Sec-WebSocket-Accept of the server does not match the key of the handshake'],
    ['the key itself', {}, key => accepts(key, [], { 'Sec-WebSocket-Accept': key || 'x' }), 'AC_WS_ACCEPT 101 101: the Sec-WebSocket-Accept of the server does not match the key of the handshake'],
    ['the response to another key', {}, () => accepts('another'), 'AC_WS_ACCEPT 101 101: the Sec-WebSocket-Accept of the server does not match the key of the handshake'],
    ['two Accepts', {}, key => accepts(key, [`Sec-WebSocket-Accept: ${acceptOf(key)}`]), 'AC_WS_ACCEPT 101 101: the Sec-WebSocket-Accept of the server does not match the key of the handshake'],
    ['no subprotocol', { protocols: ['a', 'b'] }, key => accepts(key), 'AC_WS_SUBPROTOCOL 101 101: the server chose none of the offered subprotocols: a, b'],
    ['no subprotocol, and one is a token', { protocols: ['bearer', 'hunter2'] }, key => accepts(key), 'AC_WS_SUBPROTOCOL 101 101: the server chose none of the offered subprotocols: bearer, ***'],
    ['another subprotocol', { protocols: ['a'] }, key => accepts(key, ['Sec-WebSocket-Protocol: A']), 'AC_WS_SUBPROTOCOL 101 101: the server chose the subprotocol \'A\', which was not offered'],
    ['two subprotocols', { protocols: ['a', 'b'] }, key => accepts(key, ['Sec-WebSocket-Protocol: a, b']), 'AC_WS_SUBPROTOCOL 101 101: the server chose the subprotocol \'a, b\', which was not offered'],
    ['a subprotocol that was not offered', {}, key => accepts(key, ['Sec-WebSocket-Protocol: a']), 'AC_WS_SUBPROTOCOL 101 101: the server chose the subprotocol \'a\', which was not offered'],
    ['an extension that was not offered', {}, key => accepts(key, ['Sec-WebSocket-Extensions: permessage-deflate']), 'AC_WS_EXTENSION 101 101: the server chose an extension that was not offered: \'permessage-deflate\''],
    ['another extension', deflate, key => accepts(key, ['Sec-WebSocket-Extensions: x-webkit-deflate-frame']), 'AC_WS_EXTENSION 101 101: the server chose an extension that was not offered: \'x-webkit-deflate-frame\''],
    ['the extension twice', deflate, key => accepts(key, ['Sec-WebSocket-Extensions: permessage-deflate', 'Sec-WebSocket-Extensions: permessage-deflate']), 'AC_WS_EXTENSION 101 101: the server chose an extension that was not offered: \'permessage-deflate, permessage-deflate\''],
    ['a parameter that was not offered', deflate, key => accepts(key, ['Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=9']), 'AC_WS_EXTENSION 101 101: permessage-deflate of the server: client_max_window_bits was not offered'],
    ['a malformed extension', deflate, key => accepts(key, ['Sec-WebSocket-Extensions: permessage-deflate;']), 'AC_WS_EXTENSION 101 101: malformed Sec-WebSocket-Extensions: \'permessage-deflate;\'']
  ])) t.equal(verdicts(wanted, response), verdict, promise)
})

t.test('responses that are malformed', async t => {
  for (const [promise, response, verdict] of /** @type {Array<[string, (key: string) => string, string]>} */ ([
    ['a TLS alert', () => '\x15\x03\x01\x00\x02\x02\x0a', 'AC_TLS_ALERT'],
    ['an SSH banner', () => 'SSH-2.0-OpenSSH\r\n', 'AC_STATUS_LINE'],
    ['HTTP/2', () => '\x00\x00\x12\x04\x00\x00\x00\x00\x00', 'AC_STATUS_LINE'],
    ['frames without a handshake', () => '', 'AC_STATUS_LINE'],
    ['a status of two digits', () => 'HTTP/1.1 10 x\r\n\r\n', 'AC_STATUS_LINE'],
    ['a status below 100', () => 'HTTP/1.1 099 x\r\n\r\n', 'AC_STATUS_LINE'],
    ['HTTP/1.2', () => 'HTTP/1.2 101 x\r\n\r\n', 'AC_STATUS_LINE'],
    ['a bare CR in the status line', () => 'HTTP/1.1 101 a\rb\r\n\r\n', 'AC_STATUS_LINE'],
    ['a bare LF', key => accepts(key).replaceAll('\r\n', '\n'), 'AC_HEADER'],
    ['a header without a colon', key => accepts(key, ['X']), 'AC_HEADER'],
    ['a header without a name', key => accepts(key, [': x']), 'AC_HEADER'],
    ['a space in front of the colon', key => accepts(key, ['X : y']), 'AC_HEADER'],
    ['a NUL', key => accepts(key, ['X: a\0b']), 'AC_HEADER'],
    ['a bare CR in a header', key => accepts(key, ['X: a\rb']), 'AC_HEADER']
  ])) t.match(verdicts({}, response), new RegExp(`^${verdict} `), promise)
})

t.test('a head that never ends is refused', async t => {
  const { handshake } = begin()
  const line = Buffer.from(`X: ${'y'.repeat(1000)}\r\n`)
  const first = Buffer.from('HTTP/1.1 101 x\r\n')
  handshake.read(first, 0, first.length)
  let lines = 0
  while (handshake.error === null && lines < 100) {
    handshake.read(line, 0, line.length)
    lines++
  }
  t.match(handshake.error, { code: 'AC_HEAD_SIZE' })
  t.equal(lines, Math.ceil((64 * 1024 + 1 - first.length) / line.length))
})

t.test('nothing is read after an error', async t => {
  const { handshake } = begin()
  const bytes = Buffer.from('HTTP/1.1 500 x\r\n\r\n' + accepts(handshake.key))
  t.equal(handshake.read(bytes, 0, bytes.length), bytes.length)
  t.equal(handshake.done, false)
  t.match(handshake.error, { name: 'HandshakeError', code: 'AC_WS_STATUS', status: 500 })
})
