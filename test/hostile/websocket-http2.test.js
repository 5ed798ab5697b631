'use strict'

// What a server may do wrong with WebSocket over HTTP/2: every message in flight gets its one fate, and the next WebSocket goes on.

const t = require('tap')
const autocannon = require('../..')
const { conserves } = require('../helpers/results/conservation')
const { http2FramesServer } = require('../helpers/servers/http2-frames-server')
const { block, frame } = require('../helpers/servers/http2-server')
const { frame: message } = require('../helpers/servers/websocket-server')

const [DATA, HEADERS, RST_STREAM, SETTINGS, GOAWAY, WINDOW_UPDATE] = [0, 1, 3, 4, 7, 8]
const OPENED = block([[':status', '200']])

/** @param {...[setting: number, value: number]} settings */
const greeting = (...settings) => Buffer.concat([frame(SETTINGS, 0, 0, Buffer.concat(settings.map(([setting, value]) => {
  const bytes = Buffer.alloc(6)
  bytes.writeUInt32BE(value, bytes.writeUInt16BE(setting, 0))
  return bytes
}))), frame(SETTINGS, 1, 0)])

/** @param {...number} numbers */
const words = (...numbers) => Buffer.concat(numbers.map(number => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return bytes
}))

/**
 * @param {any} t
 * @param {(connection: import('../helpers/servers/http2-frames-server').FramesConnection, id: number, n: number) => void} onMessage n is 0 for the first one
 * @param {object} [script]
 * @param {Array<[number, number]>} [script.settings]
 * @param {(connection: import('../helpers/servers/http2-frames-server').FramesConnection, id: number) => void} [script.handshake]
 */
async function tunnels (t, onMessage, { settings = [], handshake = ({ socket }, id) => socket.write(frame(HEADERS, 4, id, OPENED)) } = {}) {
  let n = 0
  return http2FramesServer(t, handshake, ({ socket }) => { socket.write(greeting([8, 1], ...settings)) }, (connection, id, payload) => {
    // A text message of ours; all else is close frames.
    if (payload[0] === 0x81) onMessage(connection, id, n++)
  })
}

/** @param {string} url @param {Record<string, any>} [opts] */
const run = (url, opts) => autocannon({ url: url.replace('http', 'ws'), http: '2', body: 'hi', amount: 4, connections: 1, timeout: 20, ...opts })

/** @param {any} t @param {any} result */
const conserved = (t, result) => conserves(t, result, { neverSent: result.errors - result.fates.timedOut - result.fates.failed, arrived: result.requests.sent })

const echo = (socket, id) => socket.write(frame(DATA, 0, id, message('ok')))

t.test('what ends a WebSocket in the middle', async t => {
  for (const [name, [bytes, code, closed]] of Object.entries({
    'RST_STREAM inside a frame': [id => [frame(DATA, 0, id, message('abc').subarray(0, 3)), frame(RST_STREAM, 0, id, words(8))], 'AC_H2_RESET_CANCEL', { 1006: 1 }],
    'END_STREAM without a close frame': [id => [frame(DATA, 1, id)], 'AC_WS_ABNORMAL', { 1006: 1 }],
    'END_STREAM inside a message': [id => [frame(DATA, 1, id, message('abc').subarray(0, 3))], 'AC_TRUNCATED', { 1006: 1 }],
    'a close frame and END_STREAM': [id => [frame(DATA, 1, id, message(Buffer.of(3, 243), 0x88))], 'AC_WS_CLOSE_INTERNAL_ERROR', { 1011: 1 }],
    'GOAWAY with an error, inside a message': [id => [frame(DATA, 0, id, message('abc').subarray(0, 3)), frame(GOAWAY, 0, 0, words(id, 2)), frame(RST_STREAM, 0, id, words(2))], 'AC_H2_RESET_INTERNAL_ERROR', { 1006: 1 }],
    'the setting withdrawn': [() => [greeting([8, 0])], 'AC_H2_PROTOCOL', { 1006: 1 }],
    'a setting of 2': [() => [greeting([8, 2])], 'AC_H2_PROTOCOL', { 1006: 1 }],
    'a masked frame': [id => [frame(DATA, 0, id, Buffer.from([0x81, 0x81, 1, 2, 3, 4, 0]))], 'AC_WS_MASKED', {}]
  })) {
    const { url } = await tunnels(t, ({ socket }, id, n) => n === 0 ? socket.write(Buffer.concat(/** @type {any} */ (bytes)(id))) : echo(socket, id))
    const result = await run(url)
    conserved(t, result)
    t.strictSame(result.errorCodes, { [/** @type {string} */ (code)]: 1 }, name)
    t.strictSame(result.websocket.closed, closed, name)
    t.match(result, { fates: { failed: 1, completed: 3 } }, name)
  }
})

t.test('after GOAWAY a WebSocket goes on, and the next one has a new connection', async t => {
  const { url, connections } = await tunnels(t, ({ socket }, id, n) => {
    if (n === 0) socket.write(frame(GOAWAY, 0, 0, words(id, 0)))
    echo(socket, id)
  })
  const result = await run(url, { amount: 6, reconnectRate: 3 })
  conserved(t, result)
  t.match(result, { errors: 0, fates: { completed: 6 } })
  t.equal(connections.length, 2)
})

t.test('a handshake that GOAWAY leaves out is repeated on the next connection', async t => {
  const { url, connections } = await tunnels(t, ({ socket }, id) => echo(socket, id), {
    handshake ({ socket, index }, id) {
      if (index > 0 || id === 1) socket.write(frame(HEADERS, 4, id, OPENED))
      else socket.write(frame(GOAWAY, 0, 0, words(1, 0)))
    }
  })
  const result = await run(url, { amount: 10, pipelining: 2 })
  conserved(t, result)
  t.match(result, { errors: 0, websocket: { opened: 2 } })
  t.equal(connections.length, 2)
})

t.test('a refused stream is opened again', async t => {
  let refusals = 0
  const { url } = await tunnels(t, ({ socket }, id) => echo(socket, id), {
    handshake: ({ socket }, id) => socket.write(refusals++ < 2 ? frame(RST_STREAM, 0, id, words(7)) : frame(HEADERS, 4, id, OPENED))
  })
  const result = await run(url)
  conserved(t, result)
  t.match(result, { errors: 0, websocket: { opened: 1 } })
})

t.test('nothing is sent into a window of zero, and all of it goes out when the window opens byte by byte', async t => {
  let received = Buffer.alloc(0)
  const { url } = await http2FramesServer(t, ({ socket }, id) => {
    socket.write(frame(HEADERS, 4, id, OPENED))
    setTimeout(() => { if (received.length === 0) socket.write(frame(WINDOW_UPDATE, 0, id, words(1))) }, 50)
  }, ({ socket }) => { socket.write(greeting([8, 1], [4, 0])) }, ({ socket }, id, payload) => {
    t.ok(payload.length <= 1, 'no more than the window')
    received = Buffer.concat([received, payload])
    // 2 bytes of the head, the key and the message.
    if (received.length === 2 + 4 + 2) echo(socket, id)
    else if (received.length < 8) socket.write(frame(WINDOW_UPDATE, 0, id, words(1)))
  })
  const result = await run(url, { amount: 1 })
  conserved(t, result)
  t.match(result, { errors: 0, fates: { completed: 1 } })
})

t.test('a message that no window has room for times out', async t => {
  const { url } = await tunnels(t, () => {}, { settings: [[4, 0]] })
  const result = await run(url, { amount: 1, timeout: 1 })
  conserved(t, result)
  t.match(result, { timeouts: 1, errorCodes: { AC_TIMEOUT: 1 } })
})

t.test('messages that DATA cuts at every byte, with padding and empty frames between', async t => {
  const bytes = Buffer.concat([message('hello'), message('', 0x89)])
  const { url } = await tunnels(t, ({ socket }, id) => {
    const frames = []
    for (const byte of bytes) frames.push(frame(DATA, 0, id, Buffer.of(byte)), frame(DATA, 0, id), frame(DATA, 8, id, Buffer.of(2, 0, 0)))
    for (const one of frames) socket.write(one)
  })
  const result = await run(url)
  conserved(t, result)
  t.match(result, { errors: 0, websocket: { received: 4 } })
})

t.test('DATA before the response, and a handshake without one', async t => {
  let first = true
  const { url } = await tunnels(t, ({ socket }, id) => echo(socket, id), {
    handshake ({ socket }, id) {
      socket.write(first ? frame(DATA, 0, id, message('early')) : frame(HEADERS, 4, id, OPENED))
      first = false
    }
  })
  const result = await run(url)
  conserved(t, result)
  t.strictSame(result.errorCodes, { AC_H2_MALFORMED: 1 })
  const silent = await tunnels(t, () => {}, { handshake: () => {} })
  t.strictSame((await run(silent.url, { amount: 1, timeout: 1 })).errorCodes, { AC_WS_SILENT: 1 })
})
