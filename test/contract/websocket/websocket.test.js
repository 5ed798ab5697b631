'use strict'

// Messages over WebSocket are requests: rates, pipelining, amounts, workers, matching and failures, against the package `ws`.

const t = require('tap')
const autocannon = require('../../..')
const { cli } = require('../../helpers/processes/cli')
const { conserves } = require('../../helpers/results/conservation')
const { accepted, frame, rawWebSocketServer, webSocketServer } = require('../../helpers/servers/websocket-server')

const ID = '{"id":{{counter}}}'

/** A part of what a run has in its result. */
const none = { unmatched: 0, late: 0, refused: {}, closed: {} }

t.test('each message is a request with a latency, without a status', async t => {
  const { url, seen } = await webSocketServer(t)
  const result = await autocannon({ url, body: 'hi', amount: 20, connections: 2 })
  conserves(t, result, { arrived: seen.messages.length })
  t.strictSame([seen.messages.length, seen.messages[0], seen.binary], [20, 'hi', 0])
  t.match(result, { non2xx: 0, '2xx': 0, errors: 0, failures: 0, requests: { total: 20 }, latency: { totalCount: 20 } })
  t.strictSame(result.statusCodeStats, {})
  t.match(result.websocket, { ...none, opened: 2, sent: 20, received: 20 })
  t.ok(result.throughput.total > 20 * 4, 'what is read is counted')
})

t.test('bytes are sent as a binary message', async t => {
  const { url, seen } = await webSocketServer(t)
  conserves(t, await autocannon({ url, body: Buffer.from('hi'), amount: 3, connections: 1 }), { arrived: 3 })
  t.strictSame([seen.messages, seen.binary], [['hi', 'hi', 'hi'], 3])
})

t.test('the orderly end of a run says 1000', async t => {
  const { url, seen, left } = await webSocketServer(t)
  await autocannon({ url, body: 'hi', amount: 4, connections: 2 })
  await left()
  t.strictSame(seen.closes, [1000, 1000])
})

t.test('a connection is reopened after so many messages, with a close frame', async t => {
  const { url, seen, left } = await webSocketServer(t)
  const result = await autocannon({ url, body: 'hi', amount: 6, connections: 1, reconnectRate: 2 })
  conserves(t, result, { arrived: 6 })
  t.equal(result.websocket.opened, 3)
  await left()
  t.strictSame(seen.closes, [1000, 1000, 1000])
})

t.test('pipelining is how many messages are in flight', async t => {
  /** @type {Array<() => void>} */
  const waiting = []
  let most = 0
  const { url, seen } = await webSocketServer(t, (socket, message) => {
    waiting.push(() => socket.send(message.toString()))
    most = Math.max(most, waiting.length)
    if (waiting.length === 5) for (const answer of waiting.splice(0)) answer()
  })
  const result = await autocannon({ url, body: 'hi', amount: 20, connections: 1, pipelining: 5 })
  conserves(t, result, { arrived: seen.messages.length })
  t.equal(most, 5)
})

t.test('a rate is one of messages, over all workers', async t => {
  const { url, seen, left } = await webSocketServer(t)
  const result = await autocannon({ url, body: ID, match: 'json id', rate: 100, duration: 1, connections: 4, workers: 2 })
  await left()
  conserves(t, result, { arrived: seen.messages.length })
  t.ok(seen.messages.length > 20 && seen.messages.length <= 101, `${seen.messages.length} messages`)
  t.equal(new Set(seen.messages).size, seen.messages.length, 'every message has an id of its own')
})

t.test('sequences of messages, whose responses are checked', async t => {
  const { url, seen } = await webSocketServer(t)
  const result = await autocannon({
    url,
    amount: 6,
    connections: 1,
    requests: [
      { name: 'first', body: '{"a":1}', expect: { json: { a: 1 } } },
      { name: 'second', body: '{"a":2}', expect: { body: { includes: 'nothing' } } }
    ]
  })
  conserves(t, result, { arrived: 6 })
  t.strictSame(seen.messages.slice(0, 2), ['{"a":1}', '{"a":2}'])
  t.match(result.checks, [{ name: 'expect', request: 'first', passed: 3, failed: 0 }, { name: 'expect', request: 'second', passed: 0, failed: 3 }])
  t.match(result.byRequest, { first: { count: 3, statusCodeStats: {} }, second: { count: 3, failures: 3 } })
})

t.test('a response is found by an id, in whatever order responses come', async t => {
  /** @type {Buffer[]} */
  const waiting = []
  const { url } = await webSocketServer(t, (socket, message) => {
    waiting.push(message)
    if (waiting.length === 4) for (const one of waiting.splice(0).reverse()) socket.send(one.toString())
  })
  const seen = []
  const result = await autocannon({ url, body: ID, match: 'json id', amount: 12, connections: 1, pipelining: 4, expect: { json: value => Boolean(seen.push(value.id)) } })
  conserves(t, result, { arrived: 12 })
  t.equal(result.errors, 0)
  t.equal(new Set(seen).size, 12)
})

t.test('a function says what responds to a message', async t => {
  const { url } = await webSocketServer(t, (socket, message) => {
    socket.send('noise')
    socket.send(`re: ${message}`)
  })
  const result = await autocannon({ url, body: 'a{{id}}', match: (sent, received) => received === `re: ${sent}`, amount: 5, connections: 1 })
  conserves(t, result, { arrived: 5 })
  t.match(result.websocket, { received: 10, unmatched: 5, late: 0 })
})

t.test('what responds to nothing is unmatched, and what comes after the timeout is late', async t => {
  const { url } = await webSocketServer(t, (socket, message, isBinary, n) => {
    socket.send('{"id":"of nobody"}')
    if (n === 0) return setTimeout(() => socket.send(message.toString()), 600)
    setTimeout(() => socket.send(message.toString()), n === 1 ? 300 : 0)
  })
  const result = await autocannon({ url, body: ID, match: 'json id', amount: 3, connections: 1, timeout: 0.4 })
  conserves(t, result, { arrived: 3 })
  t.equal(result.timeouts, 1)
  t.match(result.websocket, { opened: 1, unmatched: 3, late: 1 })
})

t.test('in order, a timeout ends the connection, as later responses cannot be told apart', async t => {
  const { url } = await webSocketServer(t, (socket, message, isBinary, n) => { if (n > 0) socket.send(message.toString()) })
  const result = await autocannon({ url, body: 'hi', amount: 3, connections: 1, timeout: 0.3 })
  conserves(t, result, { arrived: 3 })
  t.match(result, { timeouts: 1, websocket: { opened: 2 } })
})

t.test('headers, credentials and a subprotocol are those of the handshake', async t => {
  const { url, seen } = await webSocketServer(t, undefined, { handleProtocols: protocols => [...protocols][1] })
  const result = await autocannon({
    url: url.replace('ws://', 'ws://ann:secret@') + 'chat?x=1', body: 'hi', amount: 1, connections: 1, headers: { cookie: 'a=b', origin: 'http://localhost' }, subprotocol: ['one', 'two']
  })
  t.equal(result.errors, 0)
  const [{ url: path, headers }] = seen.requests
  t.equal(path, '/chat?x=1')
  t.match(headers, { cookie: 'a=b', origin: 'http://localhost', 'sec-websocket-protocol': 'one, two', authorization: `Basic ${Buffer.from('ann:secret').toString('base64')}` })
})

t.test('a match function that throws or returns a promise ends the run', async t => {
  const { url } = await webSocketServer(t)
  const cases = { 'match failed: no such field': () => { throw new Error('no such field') }, 'match returned a promise': async () => false }
  for (const [message, match] of Object.entries(cases)) {
    await t.rejects(autocannon({ url, body: 'hi', match, amount: 5, connections: 2, pipelining: 2 }), { code: 'AC_HOOK', message: new RegExp(`^${message}`) })
  }
})

t.test('a response with JSON that is nested too deep for exact numbers is one like any other', async t => {
  const deep = `${'['.repeat(100000)}12345678901234567890${']'.repeat(100000)}`
  const { url } = await webSocketServer(t, (socket, message) => {
    socket.send(`{"deep":${deep},"ids":[7]}`)
    socket.send(message.toString())
  })
  const result = await autocannon({ url, body: '{"ids":[{{counter}}]}', match: 'json ids[-1]', amount: 3, connections: 1 })
  conserves(t, result)
  t.match(result, { errors: 0, websocket: { unmatched: 3 } })
})

t.test('templates in the handshake, which is sent as it is, are refused before the run', async t => {
  const { url, seen } = await webSocketServer(t)
  await t.rejects(autocannon({ url: `${url}?t={{uuid}}`, body: 'hi', amount: 1 }), { code: 'AC_OPTIONS', message: /url: expected no template/ })
  await t.rejects(autocannon({ url, headers: { cookie: 'sid={{env.HOME}}' }, body: 'hi', amount: 1 }), { code: 'AC_OPTIONS', message: /headers: expected no template/ })
  t.equal(seen.requests.length, 0)
})

t.test('a message to which nothing can respond ends the run', async t => {
  const { url, seen, server } = await webSocketServer(t)
  let sockets = 0
  Object(server)._server.on('connection', () => sockets++)
  for (const body of ['{"other":1}', '{"id":{{id}}}']) {
    await t.rejects(autocannon({ url, body, match: 'json id', duration: 5, connections: 1 }), { code: 'AC_WS_MATCH', message: /no text or number at the path of 'json id' in the message/ }, body)
  }
  t.equal(seen.messages.length, 0)
  // An ended connection tried again after a pause.
  await new Promise(resolve => setTimeout(resolve, 1500))
  t.equal(sockets, 1, 'no connection is opened after the end of the run')
  const { code, stderr } = await cli(['-b', 'hi', '--match', 'json id', '-a', '1', '--json', url])
  t.equal(code, 2)
  t.match(stderr, /^autocannon: --match: there is no text or number at the path of 'json id' in the message 'hi', so nothing can respond to it\n$/)
})

t.test('messages in flight with the same id are named before the run', async t => {
  const { url } = await webSocketServer(t)
  const notices = async (/** @type {any} */ options) => {
    /** @type {string[]} */
    const heard = []
    await autocannon({ url, match: 'json id', pipelining: 2, amount: 2, connections: 1, ...options }).on('notice', (/** @type {string} */ text) => heard.push(text))
    return heard
  }
  const sentence = "messages in flight have the same value at the path of 'json id', so their responses are assigned in order: give each another one, such as {{counter}}"
  t.strictSame(await notices({ body: '{"id":1}' }), [sentence])
  t.strictSame(await notices({ requests: [{ body: '{"id":1}' }, { body: '{"id":1,"n":2}' }] }), [sentence])
  t.strictSame(await notices({ requests: [{ body: '{"id":1}' }, { body: '{"id":2}' }] }), [])
  t.strictSame(await notices({ body: ID }), [])
  t.strictSame(await notices({ body: '{"id":1}', pipelining: 1 }), [])
})

t.test('a URL of WebSocket is asked for as it is given, and a subprotocol is offered once', async t => {
  const { stderr } = await cli(['-b', '{"id":1}', '--match', 'json id', '--on-port', '/chat', '--', 'node', 'server.js'])
  t.match(stderr, '--match: expected a WebSocket URL such as --on-port ws://localhost/chat, got none')
  const twice = await cli(['-b', 'hi', '--subprotocol', 'a,b', '--subprotocol', 'a', 'ws://127.0.0.1:1'])
  t.match(twice, { code: 2, stderr: "autocannon: --subprotocol: expected different names, got 'a' twice\n" })
})

t.test('compressed offers permessage-deflate: messages in both directions are compressed', async t => {
  const body = 'a long text that compresses well, '.repeat(50)
  const { url, seen } = await webSocketServer(t, undefined, { perMessageDeflate: { threshold: 0 } })
  const result = await autocannon({ url, body, amount: 10, connections: 2, compressed: true, expectBody: body })
  conserves(t, result, { arrived: 10 })
  t.equal(seen.messages[9], body)
  t.match(result, { mismatches: 0, failures: 0, websocket: { opened: 2, compressed: 2 } })
  t.ok(result.throughput.total < 10 * body.length / 2, 'less is read than the texts have')
  const plain = await webSocketServer(t)
  t.match(await autocannon({ url: plain.url, body, amount: 2, connections: 1, compressed: true }), { errors: 0, websocket: { opened: 1, compressed: 0 } })
})

t.test('over TLS', async t => {
  const https = require('node:https')
  const { readFileSync } = require('node:fs')
  const path = require('node:path')
  const fixtures = path.join(__dirname, '../../fixtures/tls')
  const [key, cert] = ['key.pem', 'cert.pem'].map(name => readFileSync(path.join(fixtures, name)))
  const server = https.createServer({ key, cert })
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  t.teardown(() => server.close())
  const { port, seen } = await webSocketServer(t, undefined, { server, port: undefined, host: undefined })
  const result = await autocannon({ url: `wss://127.0.0.1:${port}/`, body: 'hi', amount: 4, connections: 2 })
  conserves(t, result, { arrived: 4 })
  t.match(result, { errors: 0, handshakes: { count: 2 } })
  t.equal(seen.messages.length, 4)
})

t.test('a user function with a WebSocket URL is refused in one line, which says how it opens one', async t => {
  await t.rejects(autocannon({ url: 'ws://127.0.0.1:1', user: async () => {} }), {
    problems: ["user: expected none with a WebSocket URL: give the URL with http:// or https://, and open a WebSocket in the function with await ws('/chat')"]
  })
})

t.test('thresholds on what is not measured are refused before the run', async t => {
  const run = (/** @type {string} */ threshold) => autocannon({ url: 'ws://127.0.0.1:1', body: 'hi', thresholds: [threshold] })
  await t.rejects(run('ping p99 < 1s'), { problems: ["thresholds: 'ping p99 < 1s': nothing of it is measured without ping"] })
  await t.rejects(run('age p99 < 1s'), { problems: ["thresholds: 'age p99 < 1s': nothing of it is measured without age"] })
  await t.rejects(run('gap p99 < 1s'), { problems: ["thresholds: 'gap p99 < 1s': there are no streams: give the run receive"] })
  await t.rejects(run('non2xx < 1'), { problems: ["thresholds: 'non2xx < 1': a message has no status, so it is not counted"] })
  await t.rejects(run('resent == 0'), { problems: ["thresholds: 'resent == 0': a message is sent once, so it is not counted"] })
  await t.rejects(run('late messages < 1'), { problems: ["thresholds: 'late messages < 1': responses in order have no late ones: use timeouts, or match 'json id'"] })
  const { code, stderr } = await cli(['-b', 'hi', '--threshold', 'checks == 0', 'ws://127.0.0.1:1'])
  t.equal(code, 2)
  t.match(stderr, /such as --expect-includes ok, or limit failures/)
})

t.test('a server that accepts the handshake and closes in the same packet has closed with a code', async t => {
  const closing = (/** @type {number} */ code) => rawWebSocketServer(t, {
    handshake: request => Buffer.concat([Buffer.from(accepted(request)), frame(Buffer.from([code >> 8, code & 255]), 0x88)])
  })
  const { url } = await closing(1000)
  const sending = await autocannon({ url, body: 'hi', amount: 2, connections: 1, duration: 5 })
  conserves(t, sending, { arrived: 0, neverSent: 2 })
  t.match(sending, { errors: 2, errorCodes: { AC_WS_CLOSE_NORMAL: 2 } })
  t.strictSame(Object.keys(sending.websocket.closed), ['1000'])
  const listening = await autocannon({ url, receive: true, connections: 1, duration: 0.5 })
  conserves(t, listening, { arrived: 0 })
  t.match(listening, { errors: 0 })
  t.equal(listening.websocket.closed['1000'], listening.websocket.opened)
  const refusing = await autocannon({ url: (await closing(1008)).url, body: 'hi', amount: 1, connections: 1, duration: 5 })
  t.match(refusing, { errors: 1, errorCodes: { AC_WS_CLOSE_POLICY_VIOLATION: 1 } })
})
