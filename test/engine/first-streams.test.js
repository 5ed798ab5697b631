'use strict'

// Which requests over HTTP/2 count as sent again: those that a stream has carried before, and not those that wait for their first one.

const t = require('tap')
const { conserves } = require('../helpers/results/conservation')
const { block, frame, Http2Server } = require('../helpers/servers/http2-server')
const { http2 } = require('../../lib/protocols/http2/peer')
const { playServers } = require('./helpers/played-servers')
const { usersOf, answerAll, goaway, end: endUsers } = require('./helpers/users-over-http2')

const KIND = { edge: () => ({ protocol: http2() }), Server: Http2Server }

/** SETTINGS_MAX_CONCURRENT_STREAMS. */
const streams = n => Buffer.from([0, 3, 0, 0, 0, n])

/** Of a request whose body has not ended, too. */
const heads = server => [...server.open.keys(), ...server.requests.map(({ id }) => id)]

/** The server completes the requests whose bodies it has not read. They keep half of its streams open, as it opens no window. */
function answerEarly (server) {
  const ids = [...server.open.keys()]
  server.open.clear()
  server.early = (server.early ?? 0) + ids.length
  server.socket.read(Buffer.concat(ids.map(id => frame(1, 5, id, block([[':status', '200']])))))
}

/** Two requests have a stream, and two wait for their first one: the server has completed four early. */
function waitingForStreams (opts) {
  const log = playServers(KIND, { method: 'POST', body: 'x'.repeat(200_000), pipelining: 4, ...opts })
  const server = log.start(streams(4))
  answerEarly(server)
  return { log, server }
}

/** Ends the run, in which every server saw what was sent, sent again included, but for `neverSeen`. */
function end (t, log, neverSeen) {
  log.generator.stop()
  const result = log.result()
  conserves(t, result, { arrived: log.servers.reduce((sum, server) => sum + heads(server).length + (server.early ?? 0), neverSeen) })
  for (const { resent } of log.snapshots) t.ok(resent >= 0)
  return result
}

t.test('a request that waits for its first stream', async t => {
  t.test('is not sent again when the run ends before that', async t => {
    const { log, server } = waitingForStreams({ duration: 10 })
    t.equal(heads(server).length, 2)
    t.match(end(t, log, 2), { resent: 0, fates: { sent: 8, completed: 4, abandoned: 4 } })
  })

  t.test('is not sent again when those before it time out', async t => {
    const { log } = waitingForStreams({ amount: 8, timeout: 1 })
    log.time.pass(3000)
    t.match(end(t, log, 0), { resent: 0, fates: { sent: 8, completed: 4, timedOut: 4 } })
  })

  t.test('is not sent again when one comes free', async t => {
    const { log, server } = waitingForStreams({ amount: 8 })
    answerEarly(server)
    answerEarly(server)
    t.match(end(t, log, 0), { resent: 0, fates: { sent: 8, completed: 8 } })
  })

  t.test('is not sent again on the next connection, and what had a stream is', async t => {
    const { log, server } = waitingForStreams({ method: 'PUT', amount: 8 })
    server.socket.emit('end')
    log.time.pass(1)
    const next = log.ready(undefined, streams(4))
    t.equal(heads(next).length, 4)
    answerEarly(next)
    t.match(end(t, log, 0), { resent: 2, fates: { sent: 8, completed: 8 } })
  })

  t.test('is not sent again when it waits on the next connection, too', async t => {
    const { log, server } = waitingForStreams({ method: 'PUT', amount: 8 })
    server.socket.emit('end')
    log.time.pass(1)
    const next = log.ready(undefined, streams(3))
    t.equal(heads(next).length, 3)
    t.match(end(t, log, 1), { resent: 2, fates: { sent: 8, completed: 4, abandoned: 4 } })
  })
})

t.test('a request that is sent again', async t => {
  t.test('and waits for a stream counts once it has one', async t => {
    const log = playServers(KIND, { pipelining: 3, amount: 4 })
    const server = log.start(streams(3))
    server.socket.read(Buffer.concat([server.begin(server.waiting[0]), server.end(server.waiting[0])]))
    server.socket.emit('end')
    log.time.pass(1)
    const next = log.ready(undefined, streams(1))
    t.equal(next.requests.length, 1)
    t.equal(log.generator.recorder.resent, 1)
    while (next.waiting.length > 0) next.socket.read(Buffer.concat([next.begin(next.waiting[0]), next.end(next.waiting[0])]))
    t.match(end(t, log, 0), { resent: 2, fates: { sent: 4, completed: 4 } })
  })

  t.test('and waits for a stream until the run ends is not counted', async t => {
    const log = playServers(KIND, { pipelining: 3, amount: 4 })
    const server = log.start(streams(3))
    server.socket.read(Buffer.concat([server.begin(server.waiting[0]), server.end(server.waiting[0])]))
    server.socket.emit('end')
    log.time.pass(1)
    log.ready(undefined, streams(1))
    t.match(end(t, log, 0), { resent: 1, fates: { sent: 3, completed: 1, abandoned: 2 } })
  })

  t.test('because the server refused it counts when it is written, and is no request that waits for its first stream', async t => {
    const { log, server } = waitingForStreams({ duration: 10 })
    const [refused] = server.open.keys()
    server.open.delete(refused)
    server.early++
    server.socket.read(frame(3, 0, refused, Buffer.from([0, 0, 0, 7])))
    t.equal(heads(server).length, 2, 'a request that waited has its stream')
    t.equal(log.generator.recorder.resent, 0)
    answerEarly(server)
    t.equal(log.generator.recorder.resent, 1)
    t.match(end(t, log, 2), { resent: 1 })
  })
})

t.test('of a user', async t => {
  const SCENARIOS = [{ requests: [{ method: 'PUT', path: '/a', body: 'x' }] }]

  t.test('a request that waits for its first stream until the run ends is not sent again', async t => {
    const log = usersOf({ pipelining: 4, scenarios: SCENARIOS, duration: 2 })
    log.generator.start()
    log.time.pass(1)
    const server = log.ready(0, streams(2))
    t.equal(server.requests.length, 2)
    t.match(endUsers(t, log, 5000, { neverSeen: 2 }), { resent: 0, fates: { sent: 4, abandoned: 4 } })
  })

  t.test('a request that goes to the next connection before it had a stream is not sent again, nor where it waits there', async t => {
    const log = usersOf({ pipelining: 4, scenarios: SCENARIOS, amount: 8 })
    log.generator.start()
    log.time.pass(1)
    const server = log.ready(0, streams(2))
    answerAll(server)
    answerAll(server)
    t.equal(server.waiting.length, 2)
    server.socket.read(goaway(server.waiting[1].id))
    log.time.pass(1)
    const next = log.ready(1, streams(1))
    for (let i = 0; i < 20; i++) {
      for (const one of log.servers) if (!one.socket.destroyed) answerAll(one)
      log.time.pass(1)
    }
    t.ok(next.requests.length > 0)
    t.match(endUsers(t, log, 0), { resent: 0, fates: { sent: 8, completed: 8 } })
  })

  t.test('a request that had a stream and waits for one on the next connection counts when it has one', async t => {
    const log = usersOf({ pipelining: 3, scenarios: SCENARIOS, amount: 4 })
    const [server] = log.start()
    server.socket.read(Buffer.concat([server.begin(server.waiting[0]), server.end(server.waiting[0])]))
    server.socket.emit('end')
    log.time.pass(1)
    const next = log.ready(1, streams(1))
    t.equal(log.generator.recorder.resent, 1)
    while (next.waiting.length > 0) answerAll(next)
    t.match(endUsers(t, log, 0), { resent: 3, fates: { sent: 4, completed: 4 } })
  })
})
