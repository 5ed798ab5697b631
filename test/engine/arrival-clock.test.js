'use strict'

// What becomes of a response's arrival time, with exact times: when it counts, and when the time of reading counts in place of it.

const t = require('tap')
const { generatorOf, begin, ANSWER } = require('./helpers/fake-load')
const { conserves } = require('../helpers/results/conservation')

/**
 * As native sockets do: bytes that came at `arrival`.
 * @param {number} [arrival] left out where it is unknown
 */
function read (socket, bytes, arrival, seen = socket.time.ms) {
  bytes.copy(socket.onread.buffer)
  if (arrival === undefined) socket.onread.callback(bytes.length, socket.onread.buffer, 0)
  else socket.onread.callback(bytes.length, socket.onread.buffer, 0, arrival, seen)
}

/** @param {(log: any) => void} load */
function play (t, load, options = {}) {
  const log = generatorOf({ duration: 100, ...options })
  begin(log)
  load(log)
  log.generator.stop()
  const result = log.result()
  conserves(t, result)
  return result
}

t.test('a response that is read 40 ms late has the latency of its arrival, and how late it was read is counted', async t => {
  const { latency, ttfb, serviceTime, clock } = play(t, ({ time, sockets: [socket] }) => {
    time.pass(50)
    read(socket, ANSWER, 10)
  })
  t.strictSame([latency.max, ttfb.max, serviceTime.max], [10, 10, 10])
  t.match(clock, { arrival: 1, shared: 0, late: { max: 40, totalCount: 1 } })
})

t.test('a stamp is missing: the time of reading counts, and the response is not among those with an arrival', async t => {
  const { latency, ttfb, clock } = play(t, ({ time, sockets: [socket] }) => {
    time.pass(50)
    read(socket, ANSWER, 10)
    time.pass(50)
    read(socket, ANSWER)
  })
  t.strictSame([latency.min, latency.max, ttfb.max], [10, 50, 50])
  t.match(clock, { arrival: 0.5, late: { totalCount: 1 } })
})

t.test('no stamp at all: there is no clock in the result', async t => {
  const { latency, clock } = play(t, ({ time, sockets: [socket] }) => {
    time.pass(50)
    read(socket, ANSWER)
  })
  t.equal(latency.max, 50)
  t.equal(clock, undefined)
})

t.test('a stamp before the write of the request: the time of reading counts, and the response is not among those with an arrival', async t => {
  const { latency, ttfb, serviceTime, clock } = play(t, ({ time, sockets: [socket] }) => {
    time.pass(50)
    read(socket, ANSWER, 10)
    time.pass(30)
    // Written at 50, and there at 20.
    read(socket, ANSWER, 20)
  })
  t.strictSame([latency.min, latency.max, ttfb.max, serviceTime.max], [10, 30, 30, 30])
  t.match(clock, { arrival: 0.5, late: { max: 40, totalCount: 1 } })
})

t.test('a response whose beginning has a stamp before the write, and its end none: its time to first byte is that of reading', async t => {
  const { latency, ttfb } = play(t, ({ time, sockets: [socket] }) => {
    time.pass(50)
    read(socket, ANSWER, 10)
    time.pass(20)
    read(socket, ANSWER.subarray(0, 10), 20)
    time.pass(20)
    read(socket, ANSWER.subarray(10), 85)
  })
  t.strictSame([latency.min, latency.max], [10, 35])
  t.ok(ttfb.max >= 20 && ttfb.max <= 35, `${ttfb.max} ms`)
})

t.test('responses that come in one read share the arrival of the last of them, which is said', async t => {
  const { latency, clock } = play(t, ({ time, sockets: [socket] }) => {
    time.pass(50)
    read(socket, Buffer.concat([ANSWER, ANSWER, ANSWER]), 10)
  }, { pipelining: 3 })
  t.strictSame([latency.min, latency.max], [10, 10])
  t.match(clock, { arrival: 1, shared: 2 })
})

t.test('with a rate, a late write keeps its intended time, and the latency ends at the arrival', async t => {
  const { latency, clock } = play(t, ({ time, sockets: [socket] }) => {
    time.pass(10)
    t.equal(socket.requests, 1)
    // The server holds the only connection: the second request, due at 10, is written at 60.
    time.pass(50)
    read(socket, ANSWER, 55)
    time.pass(10)
    read(socket, ANSWER, 65)
  }, { rate: 100 })
  t.ok(Math.abs(latency.max - 55) <= 1, `${latency.max} ms`)
  t.match(clock, { arrival: 1 })
})
