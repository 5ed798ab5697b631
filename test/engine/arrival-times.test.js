'use strict'

// Which moment ends the latency of a response, and which responses count as timed by their arrival.

const t = require('tap')
const { conserves } = require('../helpers/results/conservation')
const { ANSWER, responses, generatorOf } = require('./helpers/fake-load')
const { frame, Http2Server } = require('../helpers/servers/http2-server')
const { http2 } = require('../../lib/protocols/http2/peer')
const { playServers } = require('./helpers/played-servers')
const { usersOf } = require('./helpers/users-over-http2')

/** Bytes that arrived at `arrival` and were seen at `seen`; -1 for unknown. */
function read (socket, bytes, arrival = -1, seen = arrival) {
  bytes.copy(socket.onread.buffer)
  socket.onread.callback(bytes.length, socket.onread.buffer, 0, arrival, seen)
}

/** A run of one connection that is open at 100 ms. */
function open (opts) {
  const log = generatorOf({ connections: 1, pipelining: 1, duration: 100, ...opts })
  log.generator.start()
  log.time.pass(100)
  log.sockets[0].ready()
  return { ...log, socket: log.sockets[0] }
}

/** What the run counted in the end. */
function end (t, { generator, totals, result, ...log }) {
  generator.stop()
  conserves(t, result())
  const { arrived, completed, sharedArrivals: shared, distributions: { latency, ttfb, late } } = totals
  return { arrived, completed, shared, latency: latency.summary(), ttfb: ttfb.summary(), late: late.summary() }
}

t.test('a response in two reads: its first byte has the arrival of the first read, its latency that of the second', async t => {
  const log = open()
  log.time.pass(30)
  read(log.socket, ANSWER.subarray(0, 10), 105, 130)
  log.time.pass(30)
  read(log.socket, ANSWER.subarray(10), 140, 160)
  t.match(end(t, log), { arrived: 1, latency: { max: 40 }, ttfb: { max: 5 }, late: { totalCount: 1, max: 20 } })
})

t.test('of several responses in one read, those whose requests were written behind the arrival count from the read', async t => {
  const log = open({ pipelining: 2, amount: 3 })
  log.time.pass(20)
  // A third request leaves at 120.
  read(log.socket, ANSWER, 110, 120)
  log.time.pass(20)
  read(log.socket, responses(2), 115, 140)
  t.match(end(t, log), { arrived: 2, completed: 3, shared: 0, latency: { min: 10, max: 20 } }, 'of the second the arrival is known')
})

t.test('a body that ends with the connection has no arrival time', async t => {
  const log = open({ amount: 1 })
  log.time.pass(10)
  read(log.socket, Buffer.from('HTTP/1.1 200 OK\r\n\r\nhi'), 105, 110)
  log.time.pass(10)
  log.socket.emit('end')
  t.match(end(t, log), { arrived: 0, completed: 1, latency: { max: 20 }, ttfb: { max: 5 } })
})

t.test('streams of one HTTP/2 connection: one read, several users', async t => {
  const log = usersOf({ connections: 1, pipelining: 3 })
  const [server] = log.start()
  log.time.pass(30)
  const sent = server.times[0]
  const bytes = Buffer.concat(server.waiting.map(request => Buffer.concat([server.begin(request, 'hi'), server.end(request)])))
  read(log.sockets[0], bytes, sent + 10, sent + 30)
  log.generator.stop()
  const { arrived, completed, sharedArrivals, distributions: { latency, ttfb, late } } = log.totals
  t.match({ arrived, completed, sharedArrivals }, { arrived: 3, completed: 3, sharedArrivals: 2 })
  for (const one of [latency, ttfb]) t.match(one.summary(), { min: 10, max: 10 })
  t.match(late.summary(), { totalCount: 3, max: 20 })
  conserves(t, log.result())
})

t.test('a failure in a read that arrived before its request was written is timed by the read', async t => {
  const log = usersOf({ connections: 1, pipelining: 2, duration: 10 })
  const [server] = log.start()
  log.time.pass(30)
  const [{ id }] = server.waiting
  read(log.sockets[0], frame(3, 0, id, Buffer.from([0, 0, 0, 2])), server.times[0] - 5, log.time.ms)
  log.generator.stop()
  const result = log.result()
  t.match(result.firstFailures, [{ error: 'AC_H2_RESET', total: log.time.ms - server.times[0] }])
  conserves(t, result)
})

t.test('so is the request that a user tries again after such a failure, and one of pipelined streams', async t => {
  const users = usersOf({ connections: 1, pipelining: 2, duration: 10, scenarios: [{ requests: [{ path: '/a', retries: 1 }] }] })
  const [served] = users.start()
  const streams = playServers({ edge: () => ({ protocol: http2() }), Server: Http2Server }, { pipelining: 2, duration: 10 })
  const pipelined = streams.start()
  for (const [log, server] of [[users, served], [streams, pipelined]]) {
    const at = log.time.ms
    log.time.pass(30)
    read(log.sockets[0], frame(3, 0, server.waiting[0].id, Buffer.from([0, 0, 0, 2])), at - 5, log.time.ms)
    log.time.pass(20)
    log.generator.stop()
    t.strictSame(log.totals.instruments.exemplars.failures.map(({ total }) => total), [30], 'as the generator reports it')
    conserves(t, log.result())
  }
})

t.test('a stream that begins in a read with one that is timed by that read has its first byte no later than its last', async t => {
  const log = playServers({ edge: () => ({ protocol: http2() }), Server: Http2Server }, { pipelining: 2, amount: 2 })
  const server = log.start()
  const [first, second] = server.waiting
  const at = log.time.ms
  log.time.pass(30)
  read(log.sockets[0], Buffer.concat([server.begin(first), server.end(first), server.begin(second)]), at - 5, at + 30)
  log.time.pass(10)
  read(log.sockets[0], server.end(second), at + 25, at + 40)
  const { arrived, latency, ttfb } = end(t, log)
  t.match({ arrived, latency, ttfb }, { arrived: 1, latency: { min: 25, max: 30 }, ttfb: { min: 25, max: 30 } })
})
