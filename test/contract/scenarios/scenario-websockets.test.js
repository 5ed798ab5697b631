'use strict'

// WebSockets in scenarios as data: a message with a response is a request with one fate, and each socket ends with its iteration.

const t = require('tap')
const http = require('node:http')
const { once } = require('node:events')
const autocannon = require('../../..')
const { conserves } = require('../../helpers/results/conservation')
const { webSocketServer } = require('../../helpers/servers/websocket-server')
const { endOf } = require('../../helpers/user-functions')
const { byOurClient, fixture } = require('../modes')

// Without run.js the time of tap is 30 s.
t.setTimeout(120_000)

/**
 * HTTP and WebSocket at the same port.
 * @param {any} t
 * @param {Parameters<typeof webSocketServer>[1]} [onMessage] an echo when left out
 * @param {Parameters<typeof webSocketServer>[3]} [onConnection]
 */
async function listen (t, onMessage, onConnection) {
  const server = http.createServer((request, response) => response.end('{"token":"t 1"}'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { url, seen, left } = await webSocketServer(t, onMessage, { server, port: undefined }, onConnection)
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
  { send: { id: 'x{{last}}', text: 'hi' }, check: fixture('checks/reply-check.js') },
  { send: 'unasked', match: 'none' },
  { repeat: 2, requests: [{ send: 'turn {{index}}', match: 'next', name: 'turn', expect: { body: 'turn {{index}}' } }] }
]

byOurClient(t, 'a scenario that logs in, and talks over WebSocket', async (t, mode) => {
  if (mode.protocol?.http === '2') return
  const { url, seen, left } = await listen(t, (socket, message) => { if (String(message) !== 'unasked') socket.send(message) })
  const result = await mode.run({ url, amount: '8 iterations', scenarios: [{ name: 'chat', requests: CHAT }], thresholds: ['say: p99 < 60s', 'checks == 100%'] })
  conserves(t, result)
  t.match(result, { errors: 0, failures: 0, fates: { completed: 40 }, iterations: { completed: 8, cut: 0 }, websocket: { opened: 8, sent: 40, received: 32 } })
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
  t.match(result, { errors: 0, fates: { completed: 10 }, iterations: { completed: 2 }, websocket: { opened: 6 } })
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
    const { checks, iterations, byRequest } = await run(t, url, requests, { amount: '1 iteration', byRequest: true })
    t.strictSame(iterations.cutBy, cutBy)
    if (cutBy.ws) t.match(Object.keys(checks.find((/** @type {any} */ { name }) => name === 'ws').reasons)[0], /^(no WebSocket is open|the WebSocket is closed|the server closed the WebSocket with the code 1000)$/)
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

/** Pushes to each socket: a greeting with the handshake, then a price per message that is sent. */
const FEED = {
  path: '/feed',
  /** @type {(socket: import('ws').WebSocket, n?: number) => void} */
  push: (socket, n = 1) => { for (let i = 1; i <= n; i++) socket.send(JSON.stringify({ type: 'price', price: i, of: 'a' })) }
}

/** @type {any[]} */
const RECEIVES = [
  { ws: '/feed', as: 'feed' },
  { ws: '/chat', match: 'json id', name: 'say' },
  { receive: "json type == 'hello' and json user.name == 'Ann'", on: 'feed', name: 'hello', capture: { who: 'json user.name' } },
  { send: '4', on: 'feed', match: 'none' },
  { receive: "json type == 'price' and json price >= 2", on: 'feed', name: 'price', count: 2, expect: { json: { price: 3, of: 'a' } }, check: fixture('checks/price-check.js'), capture: { price: 'json price' } },
  { send: '{"id":{{counter}},"who":"{{who}}","price":{{price}}}', expect: { json: { who: 'Ann', price: 3 } } },
  { receive: 'json price == price - 2', on: 'feed', name: 'first' },
  { receive: 'next', on: 'feed', name: 'last', expect: { json: { price: 4 } } },
  { close: 'feed' }
]

/** @param {any} t */
const feedAndChat = t => listen(t, (socket, message) => {
  if (/^\d+$/.test(String(message))) FEED.push(socket, Number(message))
  else socket.send(message)
}, (socket, { url }) => { if (url === '/feed') socket.send('{"type":"hello","user":{"name":"Ann"}}') })

byOurClient(t, 'unsolicited messages are waited for, over the WebSocket of a name, each wait as one request', async (t, mode) => {
  if (mode.protocol?.http === '2') return
  const { url, seen, left } = await feedAndChat(t)
  const result = await mode.run({ url, amount: '8 iterations', scenarios: [{ name: 'feed', requests: RECEIVES }], thresholds: ['price: p99 < 60s', 'checks == 100%'] })
  conserves(t, result)
  t.match(result, { errors: 0, failures: 0, fates: { sent: 40, completed: 40 }, iterations: { completed: 8, cut: 0 }, websocket: { opened: 16, sent: 16, received: 48 } })
  t.strictSame(Object.entries(result.byRequest).map(([name, { count }]) => [name, count]), [['hello', 8], ['price', 8], ['say', 8], ['first', 8], ['last', 8]])
  t.equal(result.streams.events, 40, 'all of them are messages of the feed, whatever waits for them')
  await left()
  t.strictSame([...new Set(seen.closes)], [1000])
})

t.test('a wait is as long as it takes from its beginning to the last of its messages, and nothing for what is there', async t => {
  const { url } = await listen(t, socket => { for (const ms of [100, 200, 300]) setTimeout(() => socket.send('tick'), ms) })
  const { byRequest } = await run(t, url, [
    { ws: '/' }, { send: 'go', match: 'none' }, { receive: "body == 'tick'", count: 2, name: 'two' }, { pause: '400ms' }, { receive: 'next', name: 'there' }
  ])
  t.ok(byRequest.two.latency.min > 150, `${byRequest.two.latency.min} ms`)
  t.ok(byRequest.there.latency.p50 < 100, `${byRequest.there.latency.p50} ms`)
})

t.test('a wait that goes wrong aborts the iteration with its reason, as one failed request', async t => {
  const { url } = await listen(t, (socket, message) => {
    if (String(message) === 'end') return socket.close(1000)
    if (String(message) === 'close') return socket.close(1011)
    if (String(message) === 'price') socket.send('{"price":1}')
  })
  const never = { path: '/never' }
  const open = { ws: '/' }
  /** @type {(text: string) => Record<string, any>} */
  const post = send => ({ send, match: 'none' })
  /** @type {Array<[any[], Record<string, number>, Record<string, number>]>} */
  const table = [
    [[open, { receive: 'next', timeout: '100ms' }, never], { AC_TIMEOUT: 1 }, { timedOut: 1 }],
    [[{ ws: '/', timeout: '100ms' }, post('price'), { receive: 'json price == 2' }, never], { AC_TIMEOUT: 1 }, { timedOut: 1 }],
    [[open, post('price'), { receive: 'json price', count: 2, timeout: '100ms' }, never], { AC_TIMEOUT: 1 }, { timedOut: 1 }],
    [[open, post('end'), { receive: 'next' }, never], { AC_WS_CLOSE_NORMAL: 1 }, { failed: 1 }],
    [[open, post('close'), { receive: 'next' }, never], { AC_WS_CLOSE_INTERNAL_ERROR: 1 }, { failed: 1 }],
    [[open, post('price'), { receive: 'next', capture: { of: 'json of' } }, never], { 'capture of': 1 }, { completed: 1 }],
    [[{ if: 'false', requests: [open] }, { receive: 'next' }, never], { ws: 1 }, { sent: 0 }],
    [[open, { close: 'ws' }, { receive: 'next' }, never], { ws: 1 }, { sent: 0 }]
  ]
  for (const [requests, cutBy, fates] of table) {
    const result = await run(t, url, requests, { amount: '1 iteration', byRequest: true })
    t.strictSame(result.iterations.cutBy, cutBy)
    t.match(result.fates, fates)
    t.equal(result.byRequest['GET /never'].count, 0)
  }
})

t.test('sockets of several names are open side by side, and one without a name beside them', async t => {
  const { url, seen, left } = await listen(t)
  const result = await run(t, url, [
    { ws: '/a', as: 'a' }, { ws: '/b', as: 'b' }, { ws: '/c' },
    { send: 'to a', on: 'a' }, { send: 'to b', on: 'b', expect: { body: 'to b' } }, { send: 'to c' },
    { ws: '/d', as: 'a' }, { close: 'b' }, { close: 'b' }, { parallel: [{ requests: [{ ws: '/e', as: 'a' }, { send: 'to e', on: 'a' }] }, { send: 'to c' }] },
    { send: 'to d', on: 'a' }
  ], { amount: '1 iteration' })
  t.match(result, { errors: 0, fates: { completed: 6 }, iterations: { completed: 1 }, websocket: { opened: 5 } })
  await left()
  t.strictSame(seen.requests.map(({ url }) => url), ['/a', '/b', '/c', '/d', '/e'])
})

t.test('a storm of messages that no entry takes fills no memory, and the last ones of it are there for a later entry', async t => {
  const text = `{"text":"${'x'.repeat(10_000)}"}`
  const { url } = await listen(t, (socket, message) => {
    if (String(message) !== 'go') return socket.send(message)
    // 200 MB in all.
    const more = (/** @type {number} */ n) => { if (n > 0) socket.send(text, () => more(n - 1)); else socket.send('{"last":true}') }
    for (let i = 0; i < 4; i++) more(5000)
  })
  const go = [{ ws: '/' }, { send: 'go', match: 'none' }]
  for (const requests of [[...go, { receive: 'json last', count: 4 }, { receive: 'json text' }], [...go, { pause: '500ms' }, { send: '{"id":1}', match: 'json id' }]]) {
    const before = process.memoryUsage().rss
    const { iterations } = await run(t, url, requests, { amount: '1 iteration', timeout: 60 })
    t.match(iterations, { completed: 1 })
    t.ok(process.memoryUsage().rss - before < 150e6, 'bounded')
  }
})

t.test('an amount that is used up aborts no iteration, whatever is in flight beside the WebSocket', async t => {
  const server = http.createServer((request, response) => setTimeout(() => response.end('{}'), 20))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  await webSocketServer(t, (socket, message) => { if (String(message) !== 'silent') setTimeout(() => socket.send(message), 2) }, { server, port: undefined })
  const url = `http://127.0.0.1:${/** @type {any} */ (server.address()).port}`
  /** @type {(requests: any[]) => any[]} */
  const loop = requests => [{ repeat: 1000, requests }]
  const send = { send: 'x' }
  const requests = [{ ws: '/' }, { parallel: [{ requests: loop([{ path: '/' }]) }, { requests: loop([send]) }] }]
  /** @type {any} */
  const user = async ({ http, ws }) => {
    const socket = await ws('/')
    await Promise.all([async () => { for (;;) await http.get('/') }, async () => { for (;;) await socket.request('x') }, async () => { for await (const { body } of socket) t.fail(body) }].map(run => run()))
  }
  for (const amount of [7, 8, 9]) {
    for (const opts of [{ scenarios: [{ requests }] }, { user }]) {
      const result = await run(t, url, /** @type {any} */ (undefined), { amount, ...opts })
      t.match(result, { fates: { sent: amount, completed: amount }, iterations: { started: 1, cut: 0, unfinished: 1 } })
      t.strictSame(result.findings.filter((/** @type {any} */ { code }) => ['aborted-iterations', 'endless-streams'].includes(code)), [])
    }
  }
  for (const last of [{ receive: 'next', on: 'b', timeout: '200ms' }, { send: 'silent', on: 'b', timeout: '200ms' }]) {
    const result = await run(t, url, [{ ws: '/', as: 'a' }, { ws: '/', as: 'b' }, { parallel: [{ requests: loop([{ ...send, on: 'a' }]) }, last] }], { amount: 5 })
    t.match(result, { fates: { sent: 5, completed: 4, timedOut: 1 }, iterations: { cut: 0, unfinished: 1 } }, 'a timeout behind the last response is counted')
  }
})

t.test('the slowest requests have the path of their WebSocket, also one of templates', async t => {
  const { url } = await listen(t)
  for (const [ws, path] of [['/chat?room=1', '/chat?room=1'], ['/chat?room={{counter}}', '/chat?room=']]) {
    const { slowest } = await run(t, url, [{ ws }, { send: 'x' }, { send: 'y {{counter}}' }])
    t.ok(slowest.length > 0)
    for (const { request } of slowest) t.ok(request.startsWith(`MESSAGE ${path}`), request)
  }
})

t.test('gaps between messages that respond to nothing have stalls and thresholds, and no goodput', async t => {
  const { url } = await listen(t, () => {}, socket => {
    const timer = setInterval(() => socket.send('x'), 50)
    socket.on('close', () => clearInterval(timer))
  })
  const requests = [{ ws: '/' }, { receive: 'next', count: 3 }]
  const result = await run(t, url, requests, { stall: 0.02, thresholds: ['gap p99 < 60s', 'first event p50 < 60s', 'stalls == 0'] })
  t.equal(result.streams.events, 6)
  t.ok(result.streams.stalls > 0, `${result.streams.stalls} stalls`)
  t.strictSame(result.thresholds.map((/** @type {any} */ { passed }) => passed), [true, true, false])
  for (const threshold of ['goodput(gap max < 1s) > 1%', 'tokens > 1']) {
    await t.rejects(autocannon({ url, requests, thresholds: [threshold] }), /messages of WebSockets have neither tokens nor goodput/)
  }
  const scenarios = [{ name: 's', requests: [requests[0], { ...requests[1], name: 'n1' }] }]
  for (const part of ['scenario s', 's', 'n1']) {
    await t.rejects(autocannon({ url, scenarios, connections: 1, amount: 3, thresholds: [`${part}: gap p99 < 1s`] }),
      /: messages of WebSockets are measured in the whole run only: use gap p99 without a name before it$/, part)
  }
})

t.test('iterations that are all aborted before a request are the reason of a run without a response', async t => {
  const { url } = await listen(t)
  const result = await run(t, url, [{ ws: '/' }, { close: 'ws' }, { send: 'x' }])
  t.equal(result.requests.sent, 0)
  t.match(autocannon.printResult(result), /2 iterations were aborted before their first request: ws 2\./)
})
