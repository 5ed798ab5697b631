'use strict'

// WebSockets of user functions: each message with a response is a request with one fate, and each socket ends with its iteration or its user.

const t = require('tap')
const { readFileSync } = require('node:fs')
const http = require('node:http')
const http2 = require('node:http2')
const path = require('node:path')
const { once } = require('node:events')
const autocannon = require('../../..')
const { conserves } = require('../../helpers/results/conservation')
const { rawProxy } = require('../../helpers/servers/raw-proxy')
const { webSocketServer } = require('../../helpers/servers/websocket-server')
const { endOf } = require('../../helpers/user-functions')
const { byOurClient, fixture } = require('../modes')

// Without run.js the time of tap is 30 s.
t.setTimeout(120_000)

const answer = (request, response) => response.writeHead(200, { 'set-cookie': 'sid=7' }).end('{}')

/** HTTP/2 and HTTP/1.1 over TLS at the same port. */
function makeSecure () {
  const [cert, key] = ['cert', 'key'].map(name => readFileSync(path.join(__dirname, `../../fixtures/tls/${name}.pem`)))
  const server = http2.createSecureServer({ cert, key, allowHTTP1: true }, answer)
  // The package `ws` closes connections only.
  const sessions = new Set()
  server.on('session', session => sessions.add(session))
  return Object.assign(server, { closeAllConnections () { for (const session of sessions) session.destroy() } })
}

/**
 * HTTP and WebSocket at the same port.
 * @param {any} t
 * @param {Parameters<typeof webSocketServer>[1]} [onMessage] an echo when left out
 * @param {Parameters<typeof webSocketServer>[3]} [onConnection]
 * @param {Record<string, any>} [options] of the WebSocket server
 * @param {any} [server]
 */
async function listen (t, onMessage, onConnection, options = {}, server = http.createServer(answer)) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const { url, seen, left } = await webSocketServer(t, onMessage, { server, port: undefined, ...options }, onConnection)
  const scheme = server instanceof http.Server ? 'http:' : 'https:'
  return { url: url.replace('ws:', scheme).slice(0, -1), seen, left }
}

/** @type {(t: any, url: string, user: Function | Record<string, any>, opts?: Record<string, any>, neverSent?: number) => Promise<any>} */
async function run (t, url, user, opts = {}, neverSent = 0) {
  const result = await endOf(t, autocannon({ url, user, connections: 1, amount: '2 iterations', timeout: 5, ...opts }))
  conserves(t, result, { neverSent })
  return result
}

byOurClient(t, 'a module that talks over WebSocket', async (t, mode) => {
  // The WebSockets of a run over HTTP/2 have connections of their own.
  const { url, seen, left } = await (mode.protocol?.http === '2' ? listen(t, undefined, undefined, {}, makeSecure()) : listen(t))
  const result = await mode.run({ url, amount: '8 iterations', user: fixture('users/websocket-user.mjs'), thresholds: ['say: p99 < 60s', 'checks == 100%'] })
  conserves(t, result)
  t.match(result, { errors: 0, failures: 0, fates: { completed: 32 }, iterations: { completed: 8, cut: 0 }, websocket: { opened: 8, sent: 24, received: 24 } })
  t.match(result.byRequest.say, { count: 16 })
  await left()
  t.equal(seen.messages.length, 24)
  t.strictSame([...new Set(seen.closes)], [1000])
  t.strictSame([...new Set(seen.requests.map(({ httpVersion, headers }) => `${httpVersion} ${headers.cookie}`))], ['1.1 sid=7'])
})

for (const kind of /** @type {const} */ (['http', 'socks5'])) {
  t.test(`a WebSocket with and without TLS goes through a proxy of ${kind}`, async t => {
    for (const [makeServer, version] of [[undefined, '1.1'], [makeSecure, '1.1'], [makeSecure, '2']]) {
      const proxy = await rawProxy(t, kind)
      const { url, seen, left } = await listen(t, undefined, undefined, {}, makeServer?.())
      const hasRequests = kind === 'socks5' || makeServer !== undefined
      const result = await run(t, url, async ({ http, ws, check }) => {
        // A proxy of HTTP passes plain requests on, which this one does not.
        if (hasRequests) await http.get('/')
        const socket = await ws('/chat', { compressed: true })
        check(socket, { url: ({ url: shown }) => shown === `${url.replace('http', 'ws')}/chat` })
        check(await socket.request('hi'), { echo: reply => reply.text() === 'hi' })
        await socket.ping()
      }, { proxy: proxy.url(), http: version })
      t.match(result, { errors: 0, fates: { completed: hasRequests ? 4 : 2 }, websocket: { opened: 2, ping: { totalCount: 2 } }, iterations: { completed: 2 } })
      t.strictSame(result.checks.filter(({ failed }) => failed > 0), [])
      t.equal(proxy.asked.length, hasRequests ? 3 : 2)
      await left()
      t.equal(seen.requests.length, 2)
    }
  })
}

t.test('the handshake has the cookies of the user, and messages that respond to nothing come to the loop', async t => {
  const { url, seen } = await listen(t, (socket, message) => {
    if (String(message) === 'subscribe') for (let i = 0; i < 3; i++) socket.send(JSON.stringify({ i }))
    else socket.send(message)
  })
  const result = await run(t, url, async ({ http, ws, check }) => {
    await http.get('/login')
    const socket = await ws('/feed', { headers: { 'x-a': '1' } })
    socket.send('subscribe')
    const read = []
    for await (const message of socket) if (read.push(message.json('i')) === 3) break
    check(read, { 'in order': list => String(list) === '0,1,2' })
    check(await socket.ping(), { 'a round trip': ms => ms >= 0 })
    await socket.close(3001, 'done')
    check(socket.closed, { 'has a code': ({ code, reason }) => code === 3001 && reason === 'done' })
  })
  t.match(result, { errors: 0, websocket: { opened: 2, sent: 2, received: 6, ping: { totalCount: 2 } }, streams: { opened: 2, events: 6, completed: 2, closed: 2 }, fates: { sent: 2 } })
  t.strictSame(result.checks.filter(({ failed }) => failed > 0), [])
  t.match(seen.requests.map(({ url, headers }) => [url, headers.cookie, headers['x-a']]), [['/feed', 'sid=7', '1'], ['/feed', 'sid=7', '1']])
})

t.test('messages in flight find their responses by id, by a function, and in order', async t => {
  const held = []
  const { url } = await listen(t, (socket, message) => {
    if (held.push(String(message)) === 3) for (const text of held.splice(0).reverse()) socket.send(text)
  })
  const result = await run(t, url, async ({ ws, check }) => {
    const socket = await ws('/', { match: 'json id' })
    const replies = await Promise.all([
      socket.request({ id: 1 }), socket.request('b', { match: message => message.text() === 'b' }), socket.request(new Uint8Array(Buffer.from('{"id":"1"}')).buffer)
    ])
    check(replies, { theirs: ([a, b, c]) => a.json('id') === 1 && b.text() === 'b' && c.json('id') === '1' })
  })
  t.match(result, { errors: 0, fates: { completed: 6 }, websocket: { unmatched: 0 } })
  t.strictSame(result.checks.filter(({ failed }) => failed > 0), [])
})

t.test('a message without a response in time is rejected: by id the socket stays, in order it is closed', async t => {
  const { url } = await listen(t, (socket, message) => { if (String(message) !== '{"id":1}') socket.send(message) })
  const codes = []
  const result = await run(t, url, async ({ ws }) => {
    const keyed = await ws('/', { match: 'json id' })
    await keyed.request({ id: 1 }, { timeout: '100ms' }).catch(error => codes.push(error.code))
    codes.push((await keyed.request({ id: 2 })).json('id'))
    const plain = await ws('/', { timeout: '100ms' })
    await plain.request('{"id":1}').catch(error => codes.push(error.code))
    await plain.request('late').catch(error => codes.push(error.code))
  }, { amount: '1 iteration' })
  t.strictSame(codes, ['AC_TIMEOUT', 2, 'AC_TIMEOUT', 'AC_TIMEOUT'])
  t.match(result, { timeouts: 2, fates: { completed: 1, timedOut: 2 }, iterations: { completed: 1 } })
})

t.test('a server that closes rejects what waits with its code, and ends a loop', async t => {
  const { url } = await listen(t, (socket, message) => socket.close(String(message) === 'fail' ? 1011 : 1000, 'why'))
  const seen = []
  const result = await run(t, url, async ({ ws }) => {
    const failing = await ws('/')
    await Promise.allSettled([failing.request('fail'), failing.request('too')]).then(all => seen.push(...all.map(one => one.reason.code)))
    await failing.request('after').catch(error => seen.push(error.code))
    const other = await ws('/')
    other.send('bye')
    for await (const message of other) seen.push(message)
    seen.push(other.closed)
    await other.request('after').catch(error => seen.push(error.code))
  }, { amount: '1 iteration' })
  const code = 'AC_WS_CLOSE_INTERNAL_ERROR'
  t.strictSame(seen, [code, code, code, { code: 1000, reason: 'why' }, 'AC_WS_CLOSE_NORMAL'])
  t.match(result, { fates: { failed: 2 }, websocket: { closed: { 1000: 1, 1011: 1 } } })
})

t.test('a handshake that is refused rejects, and a run by requests still ends', async t => {
  const { url } = await listen(t, undefined, undefined, { verifyClient: (_, done) => done(false, 403) })
  const result = await run(t, url, async ({ ws }) => { await ws('/no') }, {}, 2)
  t.match(result, { errors: 2, errorCodes: { AC_WS_STATUS: 2 }, iterations: { cut: 2, cutBy: { AC_WS_STATUS: 2 } }, websocket: { refused: { 403: 2 } } })
  const byRequests = await endOf(t, autocannon({ url, user: async ({ ws }) => { await ws('/no') }, connections: 1, amount: 3 }))
  t.equal(byRequests.errors, 3)
})

t.test('a socket of an iteration ends with it, and one of the export user with the user', async t => {
  const { url, seen, left } = await listen(t)
  const user = {
    user: async ({ ws }) => ({ socket: await ws('/kept') }),
    default: async ({ ws, user }) => {
      await user.state.socket.request('kept')
      const socket = await ws('/own')
      await socket.request('own')
    }
  }
  const result = await run(t, url, user, { amount: '3 iterations' })
  await left()
  t.match(result, { errors: 0, fates: { completed: 6 }, websocket: { opened: 4 }, iterations: { completed: 3 } })
  t.strictSame(seen.requests.map(({ url }) => url), ['/kept', '/own', '/own', '/own'])
  t.strictSame(seen.closes, [1000, 1000, 1000, 1000])
})

t.test('an amount of requests counts messages, and a run that ends leaves no promise of a user open', async t => {
  const { url, left } = await listen(t)
  const result = await run(t, url, async ({ ws }) => {
    const socket = await ws('/')
    for (;;) await socket.request('x')
  }, { amount: 25 })
  t.match(result, { errors: 0, fates: { completed: 25 } })
  const silent = await listen(t, () => {})
  const codes = []
  const timed = await run(t, silent.url, async ({ ws }) => {
    const socket = await ws('/')
    await socket.request('x').catch(error => { codes.push(error.code) })
  }, { amount: undefined, duration: 0.5 })
  t.match(timed, { errors: 0, fates: { abandoned: 1 }, iterations: { unfinished: 1 } })
  t.strictSame(codes, ['AC_RUN_ENDED'])
  await left()
  await silent.left()
})

t.test('whatever a function leaves open, each message has one fate and each iteration its end', async t => {
  const { url, left } = await listen(t, (socket, message) => {
    if (String(message) === 'slow') setTimeout(() => socket.send(message), 20)
    else socket.send(message)
  })
  /** @type {Array<[string, (given: any) => Promise<unknown>]>} */
  const ways = [
    ['never awaits the socket', async ({ ws }) => { ws('/') }],
    ['never awaits a message', async ({ ws }) => { (await ws('/')).request('slow') }],
    ['never reads', async ({ ws }) => { (await ws('/')).send('x') }],
    ['races', async ({ ws, pause }) => { const socket = await ws('/'); await Promise.race([socket.request('slow'), pause('1ms')]) }],
    ['closes with a message in flight', async ({ ws }) => { const socket = await ws('/'); socket.request('slow'); await socket.close() }],
    ['reads behind its end', async ({ ws }) => { const socket = await ws('/'); (async () => { for await (const message of socket) t.fail(message.text()) })() }],
    ['throws behind a socket', async ({ ws }) => { await ws('/'); throw new Error('broken') }],
    ['throws before its socket is there', async ({ ws }) => { ws('/'); throw new Error('broken') }],
    ['throws with a message in flight', async ({ ws }) => { (await ws('/')).request('slow'); throw new Error('broken') }],
    ['throws in a loop', async ({ ws }) => { const socket = await ws('/'); socket.send('x'); for await (const message of socket) if (message.text() === 'x') throw new Error('broken') }],
    ['throws in match', async ({ ws }) => { await (await ws('/')).request('x', { match () { throw new Error('broken') } }) }]
  ]
  for (const [name, user] of ways) {
    const result = await run(t, url, user, { amount: '4 iterations', connections: 2, keepGoing: true })
    const { started, completed, cut, unfinished } = result.iterations
    t.strictSame([started, completed + cut, unfinished], [4, 4, 0], name)
    t.equal(result.fates.completed, result.fates.sent, name)
    await left()
  }
})

t.test('what is wrong with a call is one line that names it', async t => {
  const { url } = await listen(t)
  /** @type {Array<[(given: any) => Promise<unknown>, RegExp]>} */
  const wrong = [
    [({ ws }) => ws('/', { subprotocol: 'a' }), /ws\('\/'\): unknown option 'subprotocol': use subprotocols/],
    [({ ws }) => ws('ws://other.example/'), /'http:\/\/other\.example' is not an origin of this run/],
    [({ ws }) => ws('/', { headers: { upgrade: 'x' } }), /headers: 'upgrade' belongs to the handshake/],
    [async ({ ws }) => (await ws('/')).request('x', { match: 'json id' }), /socket\.request: match: there is no text or number at the path of 'json id'/],
    [async ({ ws }) => (await ws('/')).request(7), /socket\.request: expected a text, bytes or an object as the message, got 7/],
    [async ({ ws }) => (await ws('/')).close(7), /socket\.close: close: expected a code such as 1000/],
    [async ({ ws }) => (await ws('/')).on('message'), /there is no socket\.on here: use await socket\.request/],
    [async ({ ws }) => (await ws('/')).addEventListener('message'), /there is no socket\.addEventListener here: use await socket\.request/],
    [async ({ ws }) => (await ws('/')).setInterval(() => {}, 1000), /there is no socket\.setInterval here: send in a loop with await pause\('1s'\)/],
    [async ({ ws }) => (await ws('/')).setTimeout(() => {}, 1000), /there is no socket\.setTimeout here: use await pause\('1s'\)/],
    [async ({ ws }) => (await ws('/')).sendBinary(new ArrayBuffer(1)), /there is no socket\.sendBinary here: use socket\.send\(bytes\)/],
    [async ({ ws }) => { (await ws('/')).onmessage = () => {} }, /there is no socket\.onmessage here: use await socket\.request/],
    [({ ws }) => ws.connect('ws://x/', {}, socket => socket.send('x')), /ws\.connect is not a function: use const socket = await ws\('\/chat'\)/],
    [({ ws }) => new ws('/'), /ws is not a constructor: use const socket = await ws\('\/chat'\)/], // eslint-disable-line new-cap
    [({ ws }) => { const socket = ws('/'); return socket.request('x') }, /a promise has no request: is an await missing, as in await ws\(path\)\?/],
    [({ ws }) => { const chat = ws('/'); chat.send('x') }, /a promise has no send: is an await missing, as in await ws\(path\)\?/],
    [async ({ ws }) => { for await (const message of ws('/')) t.fail(message) }, /not async iterable: is an await missing, as in await ws\(path\)\?/],
    [async ({ ws }) => (await ws('/')).request('x', { expect: { status: 200 } }), /expect\.status: a message has no status/]
  ]
  for (const [user, message] of wrong) await t.rejects(endOf(t, autocannon({ url, user, connections: 1, amount: '1 iteration' })), { code: 'AC_HOOK', message })
})

t.test('too many messages that are not read end the loop with an error, and requests go on', async t => {
  const { url } = await listen(t, (socket, message) => {
    if (String(message) === 'flood') for (let i = 0; i < 20; i++) socket.send(Buffer.alloc(1024 * 1024))
    socket.send(message)
  })
  const codes = []
  const result = await run(t, url, async ({ ws }) => {
    const socket = await ws('/')
    const match = message => message.type === 'binary' && message.body.length < 100
    await socket.request(Buffer.from('flood'), { match })
    try { for await (const message of socket) codes.push(message.type) } catch (error) { codes.push(error.code) }
    await socket.request(Buffer.from('x'), { match })
  }, { amount: '1 iteration' })
  t.strictSame(codes, ['AC_UNREAD_EVENTS'])
  t.match(result, { errors: 0, fates: { completed: 2 }, iterations: { completed: 1 } })
})
