'use strict'

// Messages that respond to nothing: how many there are, the gaps between them, and their age.

const t = require('tap')
const autocannon = require('../../..')
const { headlineOf } = require('../../../lib/report/headline')
const { cli } = require('../../helpers/processes/cli')
const { conserves } = require('../../helpers/results/conservation')
const { http2WebSocketServer } = require('../../helpers/servers/http2-websocket-server')
const { rawWebSocketServer, webSocketServer } = require('../../helpers/servers/websocket-server')
const { byOurClient } = require('../modes')

/** A server that sends a message in each so many ms, with its time. */
const ticker = (t, ms, { limit = Infinity, echoes = false, isHttp2 = false } = {}) => {
  const onMessage = echoes ? undefined : () => {}
  const onConnection = (/** @type {import('ws').WebSocket} */ socket) => {
    let n = 0
    const timer = setInterval(() => {
      if (n++ < limit) return socket.send(JSON.stringify({ sentAt: Date.now() - 1000 }))
      clearInterval(timer)
      socket.close(1001)
    }, ms)
    socket.on('close', () => clearInterval(timer))
  }
  return isHttp2 ? http2WebSocketServer(t, { onMessage, onConnection }) : webSocketServer(t, onMessage, {}, onConnection)
}

t.test('connections that only listen: messages, gaps and ages', async t => {
  const { url, seen } = await ticker(t, 20)
  const result = await autocannon({ url, receive: true, age: 'json sentAt', duration: 1, connections: 3, thresholds: ['events > 20', 'gap p50 < 10s', 'age p50 > 900ms', 'ping p50 < 9s'], ping: 0.2 })
  conserves(t, result, { arrived: 0 })
  t.equal(seen.messages.length, 0)
  const { streams, websocket } = result
  t.match(result, { requests: { sent: 0, total: 0 }, errors: 0, failures: 0, websocket: { opened: 3, sent: 0, unmatched: 0 } })
  t.match(streams, { kind: 'messages', opened: 3, events: websocket.received })
  t.ok(streams.events > 20 && streams.events <= 3 * 51, `${streams.events} messages`)
  t.equal(streams.firstEvent.totalCount + streams.gap.totalCount, streams.events)
  t.equal(websocket.age.totalCount, streams.events)
  t.ok(websocket.age.min >= 998, `ages from ${websocket.age.min}`)
  t.ok(streams.gap.p50 >= 10, `a gap of ${streams.gap.p50}`)
  // Beside others on its core, the load generator may make ages longer, and says so.
  t.notOk(result.thresholds.some(({ passed }) => passed === false), JSON.stringify(result.thresholds))
  t.equal(result.thresholds.length, 4)
})

t.test('reports of connections that only listen have pings and ages, and no row of requests without one', async t => {
  const { url } = await ticker(t, 20)
  const { url: silent } = await webSocketServer(t, () => {})
  const options = { receive: true, ping: 0.1, duration: 3, connections: 2 }
  const [pushed, idle] = await Promise.all([
    autocannon({ ...options, url, age: 'json sentAt' }), autocannon({ ...options, url: silent })
  ])
  for (const [result, ...rows] of /** @type {const} */ ([[pushed, 'Ping', 'Message age'], [idle, 'Ping']])) {
    const [text, md, html] = [autocannon.printResult(result), ...['md', 'html'].map(form => autocannon.formatResult(result, form))]
    t.match(text, /ping p50 [\d.]+ ms, (?:max|p99) [\d.]+ ms/)
    t.notMatch(text, /Latency|Msg\/Sec/)
    t.match(md, /messages received, no failures/)
    for (const row of rows) {
      t.match(text, new RegExp(`│ ${row} +│`))
      t.match(md, new RegExp(`\\| <code>${row}</code> \\| [\\d.]+`))
      t.match(html, row)
    }
  }
})

t.test('connections that were opened before the figures began are in them', async t => {
  const { url } = await ticker(t, 20)
  const result = await autocannon({ url, receive: true, ping: 0.1, duration: 2, skipFirst: 1, connections: 2, thresholds: ['events/s > 0'] })
  t.match(result.streams, { opened: 2, firstEvent: { totalCount: 0 } })
  t.equal(result.thresholds[0].actual, result.streams.eventsPerSecond)
  t.notMatch(headlineOf(result).sentence, /response/)
  t.match(autocannon.printResult(result), /^\n[\d.]+ messages\/s received · gap p50 /)
})

t.test('an age that no message has is told', async t => {
  const { url } = await ticker(t, 20)
  const result = await autocannon({ url, receive: true, age: 'json sentat', duration: 0.5, connections: 1 })
  t.match(result.findings.find(({ code }) => code === 'no-ages'), { severity: 'warning', facts: { path: 'sentat', messages: result.streams.events } })
  t.match(autocannon.printResult(result), /No message had a number at json sentat, of \d+ that were received\. --age takes the path of a time in ms since 1970\./)
  t.match(headlineOf(result), { level: 'warning', sentence: /^No message had a number at json sentat/ }, 'what was asked for was not measured')
})

t.test('with a body and match next, messages that respond to nothing are a doubt about all others', async t => {
  const { url } = await ticker(t, 5, { echoes: true })
  const options = { url, receive: true, rate: 20, duration: 0.5, connections: 1 }
  const next = await autocannon({ ...options, body: 'a' })
  t.match(autocannon.printResult(next), /\d+ messages? responded to no message in flight: --match next may have assigned others to the wrong message/)
  const byId = await autocannon({ ...options, body: '{"id":{{counter}}}', match: 'json id' })
  t.notMatch(autocannon.printResult(byId), 'responded to no message')
})

t.test('a connection that the server closes in order is opened again, and that is no error', async t => {
  const { url } = await ticker(t, 5, { limit: 3 })
  const result = await autocannon({ url, receive: true, duration: 1, connections: 1 })
  conserves(t, result, { arrived: 0 })
  t.ok(result.websocket.opened > 1, `${result.websocket.opened} connections`)
  t.match(result, { errors: 0 })
  t.strictSame(Object.keys(result.websocket.closed), ['1001'])
  t.ok(result.streams.completed >= 1)
  t.equal(result.streams.eventsPerStream.p50, 3)
})

t.test('connections that are reopened after a number of messages are streams that were closed in order', async t => {
  for (const isHttp2 of [false, true]) {
    const { url } = await ticker(t, 1, { echoes: true, isHttp2 })
    const options = { url, receive: true, body: '{"id":{{counter}}}', match: 'json id', amount: 40, reconnectRate: 5 }
    const { streams, websocket } = await autocannon({ ...options, connections: 1, ...isHttp2 && { http: '2' } })
    t.equal(websocket.opened, 8)
    t.match(streams, { opened: 8, completed: 8, closed: 8, duration: { totalCount: 8 } }, isHttp2 ? 'over HTTP/2' : 'over HTTP/1.1')
  }
})

t.test('connections that leave by a stage are streams that were closed in order, and those at the end of the run are not', async t => {
  for (const isHttp2 of [false, true]) {
    for (const body of [undefined, '{"id":{{counter}}}']) {
      const { url } = await ticker(t, 20, { echoes: true, isHttp2 })
      const result = await autocannon({
        url, receive: true, connections: 4,
        stages: [{ duration: 0.4, connections: 4 }, { duration: 0.1, connections: 1 }, { duration: 0.4, connections: 1 }],
        ...isHttp2 && { http: '2' }, ...body !== undefined && { body, match: 'json id' }
      })
      t.match(result.streams, { opened: 4, completed: 3, closed: 3, duration: { totalCount: 3 } }, `${isHttp2 ? 'HTTP/2' : 'HTTP/1.1'}, ${body}`)
    }
  }
})

t.test('a run that receives nothing has failed, with the reason; idle connections are held open with pings', async t => {
  const silent = await webSocketServer(t, () => {})
  const closing = await webSocketServer(t, () => {}, {}, socket => socket.close(1000))
  const dropping = await webSocketServer(t, () => {}, {}, socket => socket.terminate())
  const run = (/** @type {string} */ url, /** @type {string[]} */ ...more) =>
    cli(['--receive', '-c', '2', '-d', '0.5', ...more, url])
  for (const [{ url }, reason] of /** @type {const} */ ([
    [silent, /no message arrived on 2 connections\. If the server sends only after a message, give one with -b\. To hold idle connections open, add --ping 30s\./],
    [closing, /no message arrived on \d+ connections: the server closed them \(\d+ × 1000\)/],
    [dropping, /no message arrived on \d+ connections: the server closed them \(\d+ × 1006\)/]
  ])) {
    const { code, stdout, stderr } = await run(url)
    t.equal(code, 1, url)
    t.match(stdout + stderr, reason)
  }
  const deaf = await rawWebSocketServer(t, { frames: () => {} })
  const pinged = await run(deaf.url, '--ping', '100ms')
  t.equal(pinged.code, 1)
  t.match(pinged.stdout + pinged.stderr, /no message arrived on 2 connections, nor the response to a ping\. If the server sends only after a message, give one with -b\.\s*$/)
  t.equal((await run(silent.url, '--skipAggregateResult', '--json')).code, 1)
  t.equal((await run(silent.url, '--ping', '100ms')).code, 0)
  t.equal((await run(silent.url, '--ping', '100ms', '--skipAggregateResult', '--json')).code, 0)
})

t.test('thresholds of connections that only listen are about these, their messages and bytes', async t => {
  const { url } = await ticker(t, 10)
  const { thresholds } = await autocannon({ url, receive: true, duration: 0.5, connections: 2, thresholds: ['errors == 0', 'failure rate < 1%', 'bytes/s > 1', 'events/s > 1'] })
  t.strictSame(thresholds.map(({ actual, exact, passed }) => [typeof actual, passed ?? exact]), Array(4).fill(['number', true]))
  let n = 0
  const refusing = await webSocketServer(t, () => {}, { verifyClient: (/** @type {unknown} */ _, /** @type {Function} */ done) => done(n++ !== 1, 503) }, socket => setInterval(() => socket.send('a'), 10).unref())
  const refused = await autocannon({ url: refusing.url, receive: true, duration: 0.5, connections: 4, thresholds: ['events > 1', 'failure rate < 90%'] })
  t.match(refused, { errors: 1, websocket: { opened: 4, refused: { 503: 1 } } })
  t.match(autocannon.printResult(refused), 'Handshakes refused, by status: 1 × 503')
  t.strictSame(refused.thresholds.map(({ expression }) => expression), ['events > 1', 'failure rate < 90%'], 'one refused connection is not most of them')
  t.equal(refused.thresholds[1].actual, 0.2)
  for (const [threshold, reason] of [
    ['p99 < 1s', 'connections that listen only send no message: use gap p99 or first event p99, or give body'],
    ['rps > 1', 'connections that listen only send no message: use events/s or events, or give body'],
    ['unmatched == 0', 'with receive messages that respond to nothing are those of the server: use events/s']
  ]) await t.rejects(autocannon({ url, receive: true, duration: 1, thresholds: [threshold] }), { problems: [`thresholds: '${threshold}': ${reason}`] })
})

byOurClient(t, 'messages that respond to something, others, pings and closes merge with those of other load generators', async (t, mode) => {
  const isHttp2 = mode.protocol?.http === '2'
  const { url, seen, left } = await ticker(t, 10, { echoes: true, isHttp2 })
  const result = await mode.run({
    url, body: '{"id":{{counter}}}', match: 'json id', receive: true, age: 'json sentAt', ping: 0.1, rate: 50, duration: 0.6, reconnectRate: 10,
    ...isHttp2 && { pipelining: 2 },
    thresholds: ['p99 < 60s', 'gap p99 < 60s', 'age p99 < 60s', 'ping p99 < 60s', 'events > 10']
  })
  await left()
  conserves(t, result, { arrived: seen.messages.length })
  const { websocket, streams, requests, thresholds } = result
  t.equal(websocket.received, streams.events + requests.total)
  t.equal(websocket.age.totalCount, streams.events)
  t.strictSame([websocket.opened, websocket.closed, websocket.unmatched], [seen.requests.length, {}, 0])
  t.ok(websocket.ping.totalCount > 0, 'pings have a round trip')
  t.strictSame(thresholds.map((/** @type {any} */ { passed, exact }) => passed ?? exact), Array(5).fill(true))
})

t.test('the silence of a dead feed counts: at the end of the run, before a cut, and where no message came at all', async t => {
  const listen = { receive: true, connections: 2, duration: 1.5, stall: '300ms' }
  const thresholds = ['gap max < 300ms', 'stalls == 0']
  const actuals = (/** @type {any} */ result) => result.thresholds.map((/** @type {any} */ { actual }) => actual)
  const twice = (/** @type {import('ws').WebSocket} */ socket) => {
    socket.send('a')
    setTimeout(() => socket.send('b'), 20)
  }
  const stopped = await webSocketServer(t, () => {}, {}, twice)
  const silent = await autocannon({ url: stopped.url, ...listen, thresholds })
  const [longest, stalls] = actuals(silent)
  t.ok(longest > 300 && silent.thresholds[0].passed !== true, `a gap of ${longest} ms`)
  t.ok(stalls >= 2, `${stalls} stalls`)
  t.equal(silent.streams.gap.totalCount, 4)
  for (const end of [(/** @type {any} */ socket) => socket.terminate(), (/** @type {any} */ socket) => socket.close(1001)]) {
    const cut = await webSocketServer(t, () => {}, {}, socket => {
      twice(socket)
      setTimeout(() => end(socket), 700)
    })
    const { streams } = await autocannon({ url: cut.url, ...listen })
    t.ok(streams.stalls >= 2 && streams.gap.max >= 500, `${streams.stalls} stalls, a gap of ${streams.gap.max} ms`)
  }
  let n = 0
  const mute = await webSocketServer(t, () => {}, {}, socket => { if (n++ % 2 === 0) socket.send('a') })
  const { streams: { firstEvent, stalls: none } } = await autocannon({ url: mute.url, ...listen, stall: '20s' })
  t.ok(firstEvent.totalCount === 2 && firstEvent.max > 300, `first messages after up to ${firstEvent.max} ms`)
  t.equal(none, 0)
})

t.test('a time is a number or a text of digits: others have no age', async t => {
  const times = ['""', '"  "', '"0x10"', '"1e3"', '"Infinity"', 'null', 'true', '[]', '"1000"', '"1000.5"', '1000']
  const { url } = await webSocketServer(t, () => {}, {}, socket => {
    for (const time of times) socket.send(`{"sentAt":${time}}`)
  })
  const { websocket } = await autocannon({ url, receive: true, age: 'json sentAt', duration: 0.5, connections: 1 })
  t.strictSame([websocket.received, websocket.age.totalCount], [times.length, 3])
})

t.test('a run has to have a message, or to listen; and without a rate where it only listens', async t => {
  const url = 'ws://127.0.0.1:1/'
  await t.rejects(autocannon({ url }), { message: /body: expected a message, got none/ })
  await t.rejects(autocannon({ url, stream: 'sse' }), { message: /^stream: expected none with a WebSocket URL: messages are no part of a response$/ }, 'first of all the URL or the kind of stream is wrong')
  await t.rejects(autocannon({ url, receive: true, amount: 3 }), { message: /amount: expected a message as well/ })
  await t.rejects(autocannon({ url, body: 'a', age: 'json x' }), { message: /age: expected receive as well/ })
  await t.rejects(autocannon({ url: 'http://127.0.0.1:1/', receive: true }), { message: /receive: expected a WebSocket URL such as ws:\/\/localhost:3000\/chat, got an HTTP URL: / })
})

t.test('connections that listen only refuse what is about messages and their responses', async t => {
  const url = 'ws://127.0.0.1:1/'
  for (const [options, message] of /** @type {[object, RegExp][]} */ ([
    [{ stages: [{ duration: 1, rate: 50 }] }, /^stages: expected a message as well/],
    [{ pipelining: 5 }, /^pipelining: expected a message as well/],
    [{ idReplacement: true }, /^idReplacement: expected a message as well/],
    [{ match: 'json id' }, /^match: expected a message as well/],
    [{ expect: { json: { a: 1 } } }, /^expect: expected a message as well/],
    [{ expectBody: 'a' }, /^expectBody: expected a message as well/],
    [{ until: 'p99 ±2%' }, /^until: 'p99 ±2%': connections that listen only send no message: use throughput, or give body$/],
    [{ until: 'req/s ±2%' }, /^until: 'req\/s ±2%': connections that listen only send no message/],
    [{ thresholds: ['goodput(gap p99 < 50ms) > 95%'] }, /: messages of WebSockets have neither tokens nor goodput: use gap/],
    [{ thresholds: ['tokens/s > 1'] }, /: messages of WebSockets have neither tokens nor goodput/]
  ])) {
    await t.rejects(autocannon({ url, receive: true, duration: 1, ...options }), { message }, JSON.stringify(options))
  }
  const { code, stderr } = await cli(['--receive', '--expect-json', 'a=1', url])
  t.equal(code, 2)
  t.match(stderr, /^autocannon: --expect-json: expected a message as well, got none: connections that listen only have no responses\n/)
  const { url: open } = await ticker(t, 20)
  t.match(await autocannon({ url: open, receive: true, match: 'next', stages: [{ duration: 1, connections: 2 }] }), { errors: 0 })
})
