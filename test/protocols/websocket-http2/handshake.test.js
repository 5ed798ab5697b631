'use strict'

const { createServer } = require('node:http2')
const { once } = require('node:events')
const t = require('tap')
const { parseOffer } = require('../../../lib/protocols/websocket/deflate')
const { connectFields, readConnectResponse } = require('../../../lib/protocols/websocket-http2/handshake')

const WANTED = { authority: 'example.com:8080', path: '/chat?x=1', authorization: undefined, headers: [], protocols: [], offer: null }

t.test('the request is the one of RFC 8441 §5.1', async t => {
  t.strictSame(connectFields({ ...WANTED, authority: 'server.example.com', path: '/chat', headers: [['Origin', 'http://www.example.com']], protocols: ['chat', 'superchat'], offer: parseOffer('permessage-deflate') }, true), [
    [':method', 'CONNECT'],
    [':protocol', 'websocket'],
    [':scheme', 'https'],
    [':path', '/chat'],
    [':authority', 'server.example.com'],
    ['sec-websocket-version', '13'],
    ['sec-websocket-protocol', 'chat, superchat'],
    ['sec-websocket-extensions', 'permessage-deflate'],
    ['origin', 'http://www.example.com']
  ])
})

t.test('Host is the authority, the user and password of the URL are credentials, and headers of HTTP/1.1 are not sent', async t => {
  const fields = connectFields({ ...WANTED, authorization: 'Basic eDp5', headers: [['Host', 'other'], ['Connection', 'Upgrade'], ['Upgrade', 'websocket'], ['Cookie', 'a=1']] }, false)
  t.strictSame(fields.slice(2), [[':scheme', 'http'], [':path', '/chat?x=1'], [':authority', 'other'], ['sec-websocket-version', '13'], ['authorization', 'Basic eDp5'], ['cookie', 'a=1']])
  t.strictSame(connectFields({ ...WANTED, authorization: 'Basic eDp5', headers: [['authorization', 'Bearer x']] }, false).filter(([name]) => name === 'authorization'), [['authorization', 'Bearer x']])
})

t.test('responses', async t => {
  const offer = parseOffer()
  for (const [wanted, status, headers, verdict] of /** @type {Array<[object, number, string[], object]>} */ ([
    [{}, 200, [], { protocol: null, deflate: null }],
    [{}, 204, [], { protocol: null, deflate: null }],
    [{ protocols: ['a', 'b'], offer }, 200, ['sec-websocket-protocol', 'b', 'sec-websocket-extensions', 'permessage-deflate'], { protocol: 'b', deflate: { serverBits: 15 } }],
    [{}, 101, [], { code: 'AC_WS_STATUS', status: 101 }],
    [{}, 403, [], { code: 'AC_WS_STATUS', status: 403, message: 'the server responded to the WebSocket handshake with 403' }],
    [{}, 301, ['location', '/'], { code: 'AC_WS_STATUS', status: 301 }],
    [{ protocols: ['a'] }, 200, [], { code: 'AC_WS_SUBPROTOCOL', status: 200 }],
    [{}, 200, ['sec-websocket-protocol', 'a'], { code: 'AC_WS_SUBPROTOCOL', status: 200 }],
    [{}, 200, ['sec-websocket-extensions', 'permessage-deflate'], { code: 'AC_WS_EXTENSION', status: 200 }]
  ])) t.match(readConnectResponse({ ...WANTED, ...wanted }, status, headers), verdict)
})

t.test('a server of Node.js takes the request', async t => {
  const { connect } = require('node:http2')
  const server = createServer({ settings: { enableConnectProtocol: true } })
  server.on('stream', (stream, headers) => {
    stream.respond({ ':status': 200, 'sec-websocket-protocol': headers['sec-websocket-protocol'] })
    stream.end(JSON.stringify([headers[':method'], headers[':protocol'], headers[':path']]))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const wanted = { ...WANTED, authority: `127.0.0.1:${server.address().port}`, protocols: ['a'] }
  const client = connect(`http://${wanted.authority}`)
  await once(client, 'remoteSettings')
  const stream = client.request(Object.fromEntries(connectFields(wanted, false)), { endStream: false })
  stream.setEncoding('utf8')
  const [headers] = await once(stream, 'response')
  const [body] = await once(stream, 'data')
  t.match(readConnectResponse(wanted, headers[':status'], Object.entries(headers).flat().map(String)), { protocol: 'a', deflate: null })
  t.equal(body, '["CONNECT","websocket","/chat?x=1"]')
  stream.close()
  client.close()
  server.close()
})
