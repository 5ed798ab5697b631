'use strict'

// WebSockets in scenarios as data: a message with a response is a request with one fate, and each socket ends with its iteration.

const t = require('tap')
const http = require('node:http')
const { once } = require('node:events')
const autocannon = require('../..')
const { conserves } = require('../helpers/conservation')
const { webSocketServer } = require('../helpers/websocket-server')
const { endOf } = require('../helpers/user-functions')
const { byOurClient, fixture } = require('./modes')

// Without run.js the time of tap is 30 s.
t.setTimeout(120_000)

/**
 * HTTP and WebSocket at the same port.
 * @param {any} t
 * @param {Parameters<typeof webSocketServer>[1]} [onMessage] an echo when left out
 */
async function listen (t, onMessage) {
  const server = http.createServer((request, response) => response.end('{"token":"t 1"}'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { url, seen, left } = await webSocketServer(t, onMessage, { server, port: undefined })
  return { url: url.replace('ws:', 'http:').slice(0, -1), seen, left }
}

/** @type {(t: any, url: string, requests: any[], opts?: Record<string, any>) => Promise<any>} */
async function run (t, url, requests, opts = {}) {
  const result = await endOf(t, autocannon({ url, requests, connections: 1, amount: '2 iterations', timeout: 5, ...opts }))
  conserves(t, result)
  return result
}

const CHAT = [
  { name: 'login', path: '/login', capture: { token: 'json token' } },
  { ws: '/chat?t={{token}}', headers: { 'x-a': 'b{{counter}}' }, match: 'json id', name: 'say' },
  { send: '{"id":{{counter}},"token":"{{token}}"}', expect: { json: { token: '{{token}}' } }, capture: { last: 'json id' } },
  { send: { id: 'x{{last}}', text: 'hi' }, check: fixture('reply-check.js') },
  { send: 'unasked', match: 'none' },
  { repeat: 2, requests: [{ send: 'turn {{index}}', match: 'next', name: 'turn', expect: { body: 'turn {{index}}' } }] }
]

byOurClient(t, 'a scenario that logs in, and talks over WebSocket', async (t, mode) => {
  if (mode.protocol?.http === '2') return
  const { url, seen, left } = await listen(t, (socket, message) => { if (String(message) !== 'unasked') socket.send(message) })
  const result = await mode.run({ url, amount: '8 iterations', scenarios: [{ name: 'chat', requests: CHAT }], thresholds: ['say: p99 < 60s', 'checks == 100%'] })
  conserves(t, result)
  t.match(result, { errors: 0, failures: 0, fates: { completed: 40 }, rounds: { completed: 8, cut: 0 }, websocket: { opened: 8, sent: 40, received: 32 } })
  t.strictSame(Object.entries(result.byRequest).map(([name, { count }]) => [name, count]), [['login', 8], ['say', 16], ['turn', 16]])
  await left()
  t.equal(seen.messages.length, 40)
  t.ok(seen.requests.every(({ url, headers }) => url === '/chat?t=t%201' && /^b\d+$/.test(String(headers['x-a']))))
  t.strictSame([...new Set(seen.closes)], [1000])
})

t.test('a later ws closes the one before, close does so at its place, and a branch has one of its own', async t => {
  const { url, seen, left } = await listen(t)
  const result = await run(t, url, [
    { ws: '/a' }, { send: 'a' }, { ws: '/b' }, { send: 'b' },
    { parallel: [{ requests: [{ ws: '/c' }, { send: 'c' }] }, { send: 'b too' }] },
    { send: 'b again' }, { close: 'ws' }, { close: 'ws' }
  ])
  t.match(result, { errors: 0, fates: { completed: 10 }, rounds: { completed: 2 }, websocket: { opened: 6 } })
  await left()
  t.strictSame(seen.requests.map(({ url }) => url), ['/a', '/b', '/c', '/a', '/b', '/c'])
  t.strictSame(seen.closes, [1000, 1000, 1000, 1000, 1000, 1000])
})

t.test('what goes wrong aborts the iteration with its reason', async t => {
  const { url } = await listen(t, (socket, message) => {
    if (String(message) === 'end') return socket.close(1000)
    if (String(message) === 'close') return socket.close(1011)
    if (String(message) !== 'silent') socket.send(message)
  })
  /** @type {Array<[any[], Record<string, number>]>} */
  const table = [
    [[{ ws: '/' }, { send: 'silent', timeout: '100ms' }, { path: '/never' }], { AC_TIMEOUT: 1 }],
    [[{ ws: '/', timeout: '100ms' }, { send: 'silent' }, { path: '/never' }], { AC_TIMEOUT: 1 }],
    [[{ ws: '/' }, { send: 'close' }, { path: '/never' }], { AC_WS_CLOSE_INTERNAL_ERROR: 1 }],
    [[{ ws: '/' }, { send: '{}', capture: { of: 'json id' } }, { path: '/never' }], { 'capture of': 1 }],
    [[{ if: 'false', requests: [{ ws: '/' }] }, { send: 'x' }, { path: '/never' }], { ws: 1 }],
    [[{ ws: '/' }, { close: 'ws' }, { send: 'x' }, { path: '/never' }], { ws: 1 }],
    [[{ ws: '/' }, { send: 'end', match: 'none' }, { pause: '200ms' }, { send: 'x' }, { path: '/never' }], { ws: 1 }]
  ]
  for (const [requests, cutBy] of table) {
    const { rounds, byRequest } = await run(t, url, requests, { amount: '1 iteration', byRequest: true })
    t.strictSame(rounds.cutBy, cutBy)
    t.equal(byRequest['GET /never'].count, 0)
  }
})

t.test('WebSockets that iterations open are no connections that the server has closed', async t => {
  const { url } = await listen(t)
  const { findings } = await run(t, url, [{ ws: '/' }, { send: 'x' }], { amount: '6 iterations' })
  t.strictSame(findings.filter((/** @type {any} */ { code }) => code === 'closed-after-each'), [])
})

t.test('a message without the id of its match ends the run', async t => {
  const { url } = await listen(t)
  await t.rejects(autocannon({ url, requests: [{ ws: '/', match: 'json id' }, { send: 'hello' }], connections: 1, amount: '1 iteration' }), { code: 'AC_HOOK', message: /^the message of request 1: match: there is no text or number at the path of 'json id' in the message 'hello'/ })
})
