'use strict'

// What a WebSocket server may do wrong: every message in flight gets its one fate, under a code of its own.

const t = require('tap')
const autocannon = require('../../..')
const { cli } = require('../../helpers/processes/cli')
const { conserves } = require('../../helpers/results/conservation')
const { accepted, frame, rawWebSocketServer, webSocketServer } = require('../../helpers/servers/websocket-server')

/** Returns the sum of what failed without being sent. */
const neverSentOf = ({ errors, fates }) => errors - fates.timedOut - fates.failed

/** @param {any} t @param {any} result @param {number} [arrived] */
const conserved = (t, result, arrived = result.requests.sent) => conserves(t, result, { neverSent: neverSentOf(result), arrived })

/** A close frame of a server. @type {(code: number) => Buffer} */
const close = code => frame(Buffer.of(code >> 8, code & 255), 0x88)

/** What a server sends in place of the response to the first message, and as which error that counts. */
const BROKEN = {
  'a close frame in the middle of a message': [Buffer.concat([frame('ab', 0x01), close(1011)]), 'AC_WS_CLOSE_INTERNAL_ERROR', { 1011: 1 }],
  'a close frame of an application': [close(4001), 'AC_WS_CLOSE_4001', { 4001: 1 }],
  'an orderly close before the response': [close(1000), 'AC_WS_CLOSE_NORMAL', { 1000: 1 }],
  'a frame that announces 1 GiB': [Buffer.from([0x82, 127, 0, 0, 0, 0, 64, 0, 0, 0]), 'AC_WS_SIZE', {}],
  'a masked frame': [Buffer.from([0x81, 0x81, 1, 2, 3, 4, 0]), 'AC_WS_MASKED', {}],
  'a reserved bit': [frame('a', 0xc1), 'AC_WS_RESERVED', {}],
  'a reserved opcode': [frame('a', 0x83), 'AC_WS_OPCODE', {}],
  'invalid UTF-8': [frame(Buffer.of(0xff)), 'AC_WS_UTF8', {}],
  'a fragment of nothing': [frame('a', 0x80), 'AC_WS_FRAGMENT', {}]
}

t.test('a server that breaks the protocol, or closes: the messages in flight fail, and the next connection goes on', async t => {
  for (const [name, [bytes, code, closed]] of Object.entries(BROKEN)) {
    let isBroken = false
    const { url } = await rawWebSocketServer(t, {
      frames (socket) {
        if (isBroken) return socket.write(frame('ok'))
        isBroken = true
        socket.write(bytes)
      }
    })
    const result = await autocannon({ url, body: 'hi', amount: 4, connections: 1, timeout: 5 })
    conserved(t, result)
    t.strictSame(result.errorCodes, { [code]: 1 }, name)
    t.strictSame(result.websocket.closed, closed, name)
    t.match(result, { fates: { failed: 1, completed: 3 } }, name)
  }
})

t.test('several messages in flight fail together', async t => {
  const { url } = await rawWebSocketServer(t, { frames: socket => socket.write(close(1013)) })
  const result = await autocannon({ url, body: 'hi', amount: 5, connections: 1, pipelining: 5 })
  conserved(t, result)
  t.strictSame(result.errorCodes, { AC_WS_CLOSE_TRY_AGAIN_LATER: 5 })
})

t.test('the end of a connection without a close frame', async t => {
  for (const [how, code] of [['end', 'AC_WS_ABNORMAL'], ['cut', 'AC_TRUNCATED'], ['reset', 'ECONNRESET']]) {
    const { url } = await rawWebSocketServer(t, {
      frames (socket) {
        if (how === 'reset') return socket.resetAndDestroy()
        if (how === 'cut') socket.write(frame('abc').subarray(0, 3))
        socket.end()
      }
    })
    const result = await autocannon({ url, body: 'hi', amount: 1, connections: 1, timeout: 5 })
    conserved(t, result)
    t.strictSame([result.errorCodes, result.websocket.closed], [{ [code]: 1 }, { 1006: 1 }], how)
  }
})

t.test('a handshake that is refused, or lies: a failure to connect with its status, and nothing is sent', async t => {
  const refused = status => `HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`
  const cases = {
    AC_WS_STATUS: [() => refused(403), { 403: 1 }],
    AC_WS_ACCEPT: [request => accepted(request).replace(/Accept: ./, 'Accept: !'), { 101: 1 }],
    AC_WS_UPGRADE: [request => accepted(request).replace('Upgrade: websocket', 'Upgrade: other'), { 101: 1 }],
    AC_WS_EXTENSION: [request => accepted(request, 'Sec-WebSocket-Extensions: permessage-deflate\r\n'), { 101: 1 }],
    AC_STATUS_LINE: [() => 'hello, this is no HTTP\r\n\r\n', {}]
  }
  for (const [code, [handshake, statuses]] of Object.entries(cases)) {
    const { url, seen } = await rawWebSocketServer(t, { handshake })
    const result = await autocannon({ url, body: 'hi', amount: 3, connections: 1 })
    conserved(t, result, 0)
    t.strictSame([Object.keys(result.errorCodes), result.requests.sent, result.websocket.opened], [[code], 0, 0], code)
    t.strictSame(Object.keys(result.websocket.refused), Object.keys(statuses), code)
    t.ok(seen.connections <= 3, `${seen.connections} connections: no storm`)
  }
})

t.test('a server that never answers the handshake is told from one that is not there', async t => {
  const { url } = await rawWebSocketServer(t, { handshake: () => null })
  const result = await autocannon({ url, body: 'hi', amount: 1, connections: 1, connectTimeout: 0.3 })
  conserved(t, result, 0)
  t.strictSame(Object.keys(result.errorCodes), ['AC_WS_SILENT'])
  t.match(autocannon.printResult(result), /raise --connect-timeout, or the timeout of that ws\(\)\./)
})

t.test('bytes that come one by one, and a message of many fragments with pings in between', async t => {
  let bytes = Buffer.concat([frame('a', 0x01), frame('', 0x89), frame('b', 0x00), frame('1234', 0x89), frame('c', 0x80)])
  const { url } = await rawWebSocketServer(t, {
    frames (socket, chunk, n) {
      if (n > 0) return
      const drip = () => {
        if (bytes.length === 0) return
        socket.write(bytes.subarray(0, 1))
        bytes = bytes.subarray(1)
        setImmediate(drip)
      }
      drip()
    }
  })
  const result = await autocannon({ url, body: 'hi', amount: 1, connections: 1, timeout: 5, expect: { body: 'abc' } })
  conserved(t, result)
  t.match(result, { errors: 0, failures: 0, requests: { total: 1 } })
})

t.test('pings have a round trip, and one without a response ends its connection', async t => {
  const { url, seen, left } = await webSocketServer(t)
  const result = await autocannon({ url, body: 'hi', duration: 1.2, connections: 2, ping: 0.2 })
  await left()
  conserved(t, result, seen.messages.length)
  t.ok(result.websocket.ping.totalCount >= 4, `${result.websocket.ping.totalCount} pings`)
  const silent = await rawWebSocketServer(t, { frames: (socket, chunk) => { if ((chunk[0] & 15) === 1) socket.write(frame('ok')) } })
  const lost = await autocannon({ url: silent.url, body: 'hi', duration: 1.5, connections: 1, rate: 5, ping: 0.1, timeout: 0.5 })
  t.ok(lost.errorCodes.AC_WS_PING_TIMEOUT > 0)
  t.ok(lost.websocket.ping.totalCount > 0 && lost.websocket.ping.min >= 499, 'a ping that timed out counts with its age')
  const deaf = await rawWebSocketServer(t, {})
  const listen = { receive: true, connections: 1, duration: 1.5, ping: 0.1, timeout: 0.5 }
  const held = await autocannon({ url: deaf.url, ...listen, thresholds: ['ping max < 400ms'] })
  // A busy machine makes a verdict unsure.
  t.ok(held.thresholds[0].actual >= 499 && held.thresholds[0].passed !== true)
  t.equal(held.websocket.ping.totalCount, held.errorCodes.AC_WS_PING_TIMEOUT)
  for (const more of [[], ['--skipAggregateResult', '--json']]) {
    const { code } = await cli(['--receive', '-c', '1', '-d', '1.5', '--ping', '0.1', '-t', '0.5', ...more, deaf.url])
    t.equal(code, 1, 'a server that answers no ping has given nothing')
  }
})

t.test('a ping that waits at the end of the run for longer than others took counts with its age, as a request does', async t => {
  const fading = await webSocketServer(t, undefined, { autoPong: false }, socket => socket.once('ping', data => socket.pong(data)))
  const { websocket: { ping } } = await autocannon({ url: fading.url, receive: true, duration: 4, connections: 1, ping: 0.1 })
  t.equal(ping.totalCount, 2)
  t.ok(ping.max > 500, `${ping.max} ms`)
  const prompt = await webSocketServer(t)
  const none = await autocannon({ url: prompt.url, receive: true, duration: 0.5, connections: 1, ping: 10 })
  t.equal(none.websocket.ping.totalCount, 1)
})

t.test('a pong without a ping is no response to a ping', async t => {
  const { url } = await rawWebSocketServer(t, {
    opened (socket) {
      const timer = setInterval(() => socket.write(frame('alive', 0x8a)), 10)
      socket.on('close', () => clearInterval(timer))
    },
    frames (socket, chunk) {
      const payload = Buffer.from(chunk.subarray(6, 6 + (chunk[1] & 127)).map((byte, i) => byte ^ chunk[2 + i % 4]))
      if ((chunk[0] & 15) === 9) setTimeout(() => socket.write(frame(payload, 0x8a)), 200)
    }
  })
  const { websocket: { ping } } = await autocannon({ url, receive: true, duration: 1, connections: 1, ping: 0.1 })
  t.ok(ping.totalCount > 0 && ping.min >= 195, `${ping.totalCount} pings, the shortest took ${ping.min} ms`)
})

t.test('an id that repeats one of a message that timed out: no response counts for another message', async t => {
  for (const match of ['json id', (/** @type {string} */ sent, /** @type {string} */ received) => sent === received]) {
    // One after another, as a server with a queue does it: the response to the fourth comes after its timeout.
    let last = Promise.resolve()
    const { url, seen } = await webSocketServer(t, (socket, message, isBinary, n) => {
      const delay = () => new Promise(resolve => setTimeout(resolve, n === 3 ? 800 : 50))
      last = last.then(delay).then(() => socket.send(message.toString()))
    })
    const result = await autocannon({ url, body: '{"id":1}', match, amount: 10, connections: 1, timeout: 0.6 })
    conserved(t, result, seen.messages.length)
    t.strictSame(result.errorCodes, { AC_TIMEOUT: 1, AC_WS_REPEATED: 1 })
    t.match(result.websocket, { opened: 2 })
    t.ok(result.latency.min >= 49, `the shortest took ${result.latency.min} ms`)
  }
})

t.test('messages in flight with the same id: the connection ends with the first one that times out', async t => {
  const { url } = await webSocketServer(t, (socket, message, isBinary, n) => { if (n > 2) socket.send(message.toString()) })
  const options = { url, body: '{"id":1}', match: 'json id', amount: 6, connections: 1, pipelining: 3, overallRate: 10, timeout: 0.8 }
  const result = await autocannon(options)
  conserved(t, result)
  t.match(result, { errorCodes: { AC_TIMEOUT: 1, AC_BEHIND_TIMEOUT: 2 }, fates: { completed: 3 }, websocket: { opened: 2, late: 0 } })
})
