'use strict'

// Which moment ends the latency of a response, and which responses count as timed by their arrival.

const t = require('tap')
const { conserves } = require('../helpers/conservation')
const { ANSWER, answers, generatorOf } = require('./fake-load')
const { usersOf } = require('./users-over-http2')

/** Bytes that arrived at `arrival` and were seen at `seen`; -1 for nobody knows. */
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
  read(log.socket, answers(2), 115, 140)
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
