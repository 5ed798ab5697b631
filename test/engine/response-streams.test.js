'use strict'

// Streams in a response, on a fake clock: what is measured of servers whose gaps are known.

const t = require('tap')
const { randomFrom } = require('../../lib/core/random')
const { begin, generatorOf } = require('./helpers/fake-load')

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n'
const END = '0\r\n\r\n'
const chunk = text => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const EVENT = chunk('data: x\n\n')

/** Reads only while the connection is there. */
const tell = (socket, text) => { if (!socket.destroyed) socket.read(Buffer.from(text)) }

/**
 * A server that sends the head at once, each event after the next gap, and the end with the last one.
 * @param {number} events
 * @param {() => number} gap ms
 */
const serverOf = (events, gap) => socket => {
  const { time } = socket
  let at = time.ms
  tell(socket, HEAD)
  for (let i = 1; i <= events; i++) {
    at += gap()
    time.at(at, () => tell(socket, i === events ? EVENT + END : EVENT))
  }
}

/** Whether a figure is within 3 % of theory. */
const isNear = (t, actual, expected, name) => t.ok(Math.abs(actual / expected - 1) < 0.03, `${name}: ${actual} instead of ${expected}`)

t.test('fixed gaps', async t => {
  const log = generatorOf({ stream: 'sse', connections: 3, amount: 30, duration: 1000 })
  begin(log, serverOf(20, () => 25))
  log.time.pass(20_000)
  const { streams, requests, latency, checks } = log.result()
  t.match(streams, { opened: 30, completed: 30, closed: 0, truncated: 0, events: 600, eventsPerRead: 1, stalls: 0 })
  t.match(streams.eventsPerStream, { average: 20, min: 20, max: 20, p50: 20, p99: 20 })
  t.equal(requests.total, 30)
  for (const key of ['min', 'p50', 'p99', 'max', 'average']) {
    isNear(t, streams.firstEvent[key], 25, `first event ${key}`)
    isNear(t, streams.gap[key], 25, `gap ${key}`)
    isNear(t, streams.duration[key], 500, `duration ${key}`)
    isNear(t, latency[key], 500, `latency ${key}`)
  }
  t.strictSame([streams.firstEvent.totalCount, streams.gap.totalCount, streams.duration.totalCount], [30, 570, 30])
  t.match(checks, [{ name: 'content-type', passed: 30, failed: 0 }])
})

t.test('exponential gaps: each quantile is within 3 % of theory', async t => {
  const random = randomFrom(7)
  const log = generatorOf({ stream: 'sse', connections: 10, amount: 400, duration: 1000 })
  begin(log, serverOf(100, () => -40 * Math.log(1 - random())))
  log.time.pass(900_000)
  const { streams } = log.result()
  t.equal(streams.gap.totalCount, 400 * 99)
  for (const p of [10, 25, 50, 75, 90, 95, 99]) isNear(t, streams.gap[`p${p}`] ?? NaN, -40 * Math.log(1 - p / 100), `p${p}`)
  isNear(t, streams.gap.average, 40, 'average')
  isNear(t, streams.gap.stddev, 40, 'deviation')
})

t.test('one stall of 1 s among gaps of 10 ms', async t => {
  const log = generatorOf({ stream: 'sse', stall: 0.5, connections: 1, amount: 10, duration: 1000 })
  let n = 0
  begin(log, serverOf(100, () => ++n % 1000 === 550 ? 1000 : 10))
  log.time.pass(20_000)
  const { streams } = log.result()
  t.match(streams, { events: 1000, stalls: 1 })
  isNear(t, streams.gap.max, 1000, 'max')
  isNear(t, streams.gap.p99, 10, 'p99')
  isNear(t, streams.gap.average, 10 + 990 / 990, 'average')
})

t.test('with a rate, the first event counts from when the request was due', async t => {
  // Each stream takes 400 ms on the one connection, and five are due in a second: the n-th waits for 200 n ms.
  const log = generatorOf({ stream: 'sse', connections: 1, overallRate: 5, amount: 10, duration: 1000 })
  begin(log, serverOf(4, () => 100))
  log.time.pass(10_000)
  const { streams, latency } = log.result()
  t.equal(streams.completed, 10)
  isNear(t, streams.firstEvent.max, 100 + 9 * 200, 'the last one has waited for all before it')
  isNear(t, streams.firstEvent.min, 100, 'the first one has not waited')
  isNear(t, streams.gap.max, 100, 'which is no gap between events')
  isNear(t, streams.duration.max, 400, 'and no time of a stream')
  isNear(t, latency.max, 400 + 9 * 200, 'the latency ends with the last byte')
})

t.test('events that are read together have no gap, and that is said', async t => {
  const log = generatorOf({ stream: 'sse', connections: 1, amount: 1 })
  begin(log, socket => {
    tell(socket, HEAD)
    for (const [i, n] of [5, 5, 2].entries()) socket.time.at(100 * (i + 1), () => tell(socket, EVENT.repeat(n) + (i === 2 ? END : '')))
  })
  log.time.pass(1000)
  const { streams } = log.result()
  t.match(streams, { events: 12, eventsPerRead: 4 })
  t.strictSame([streams.gap.totalCount, streams.gap.max, streams.gap.p50], [11, 100, 0.001])
})

t.test('lines, and chunks that a read brings', async t => {
  for (const [stream, events] of [['ndjson', 5], ['chunks', 3]]) {
    const log = generatorOf({ stream, connections: 1, amount: 1 })
    begin(log, socket => {
      tell(socket, 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      socket.time.at(10, () => tell(socket, chunk('{"a":1}\n{"a":') + chunk('2}\n')))
      socket.time.at(30, () => tell(socket, chunk('{"a":3}\n\n{"a":4}')))
      socket.time.at(60, () => tell(socket, chunk('\n{"a":5}') + END))
    })
    log.time.pass(1000)
    const { streams } = log.result()
    t.equal(streams.events, events, stream)
    t.equal(streams.firstEvent.max, 10, stream)
    t.equal(streams.gap.max, 30, stream)
    t.match(log.result().checks, [], stream)
  }
})

t.test('--events closes a stream in order: it is completed, and the connection is opened again', async t => {
  const log = generatorOf({ stream: 'sse', events: 3, connections: 1, amount: 4 })
  const sockets = []
  const serve = socket => {
    sockets.push(socket)
    serverOf(100, () => 10)(socket)
  }
  begin(log, serve)
  for (let i = 0; i < 4; i++) {
    log.time.pass(100)
    log.sockets[i + 1]?.ready(serve)
  }
  const { streams, requests, errors, fates } = log.result()
  t.match(streams, { opened: 4, completed: 4, closed: 4, truncated: 0, events: 12, eventsPerStream: { min: 3, max: 3 } })
  t.match({ total: requests.total, errors, fates }, { total: 4, errors: 0, fates: { sent: 4, completed: 4 } })
  t.equal(log.sockets.length, 4, 'a connection for each')
  t.ok(log.sockets.every(({ destroyed }) => destroyed))
  isNear(t, streams.duration.max, 30, 'duration')
})

t.test('a stream that ends with its last event is not closed here, and its connection lives on', async t => {
  const log = generatorOf({ stream: 'sse', events: 3, connections: 1, amount: 4 })
  begin(log, serverOf(3, () => 10))
  log.time.pass(1000)
  t.match(log.result().streams, { completed: 4, closed: 0, events: 12 })
  t.equal(log.sockets.length, 1)
})

t.test('more events than are wanted in one read do not count', async t => {
  const log = generatorOf({ stream: 'sse', events: 3, connections: 1, amount: 1 })
  begin(log, socket => {
    tell(socket, HEAD)
    socket.time.at(10, () => tell(socket, EVENT.repeat(50)))
  })
  log.time.pass(1000)
  t.match(log.result().streams, { completed: 1, closed: 1, events: 3, truncated: 0, eventsPerRead: 3 })
})

t.test('--stream-for closes a stream after that time, whatever came', async t => {
  const log = generatorOf({ stream: 'sse', streamFor: 1, connections: 1, amount: 1, timeout: 5 })
  begin(log, serverOf(1000, () => 10))
  log.time.pass(3000)
  const { streams, requests, errors } = log.result()
  t.match(streams, { completed: 1, closed: 1 })
  t.strictSame([requests.total, errors], [1, 0])
  t.ok(streams.duration.max >= 1000 && streams.duration.max <= 1100, `it was open for ${streams.duration.max} ms`)
})

t.test('the timeout is to the first byte, and not to the whole response', async t => {
  const log = generatorOf({ stream: 'sse', timeout: 1, connections: 1, amount: 1 })
  begin(log, serverOf(20, () => 500))
  log.time.pass(20_000)
  t.match(log.result(), { timeouts: 0, errors: 0, streams: { completed: 1, events: 20 } })
  const silent = generatorOf({ stream: 'sse', timeout: 1, connections: 1, amount: 1 })
  begin(silent, () => {})
  silent.time.pass(20_000)
  const { timeouts, errorCodes, streams } = silent.result()
  t.strictSame([timeouts, errorCodes], [1, { AC_TIMEOUT: 1 }])
  t.equal(streams.firstEvent.totalCount, 1, 'what was waited for is in the tail')
  t.ok(streams.firstEvent.max >= 1000)
})

t.test('the idle timeout is to the first event, and between events', async t => {
  for (const [events, first, gaps] of [[0, 1, 0], [2, 1, 2]]) {
    const log = generatorOf({ stream: 'sse', timeout: 60, idleTimeout: 2, connections: 1, amount: 1 })
    begin(log, serverOf(3, () => log.time.ms < 1 && events === 0 ? 100_000 : 100))
    if (events > 0) {
      // The third event never comes.
      log.time.pass(250)
      log.sockets[0].onread.callback = () => {}
    }
    log.time.pass(30_000)
    const { errorCodes, timeouts, fates, streams } = log.result()
    t.strictSame({ errorCodes, timeouts, completed: fates.completed, events: streams.events }, { errorCodes: { AC_IDLE_TIMEOUT: 1 }, timeouts: 1, completed: 0, events })
    t.strictSame([streams.firstEvent.totalCount, streams.gap.totalCount], [first, gaps])
    t.ok((events === 0 ? streams.firstEvent : streams.gap).max >= 2000, 'what was waited for is in the tail')
    t.equal(streams.stalls, events === 0 ? 0 : 1)
  }
})

t.test('comments keep no stream alive, and are no events', async t => {
  const log = generatorOf({ stream: 'sse', idleTimeout: 1, connections: 1, amount: 1 })
  begin(log, socket => {
    tell(socket, HEAD)
    for (let i = 1; i < 50; i++) socket.time.at(100 * i, () => tell(socket, chunk(': still here\n\n')))
  })
  log.time.pass(10_000)
  t.match(log.result(), { errorCodes: { AC_IDLE_TIMEOUT: 1 }, streams: { events: 0 } })
})

t.test('the end of the run abandons streams: what they have brought counts, and a stall that goes on', async t => {
  const log = generatorOf({ stream: 'sse', connections: 2, duration: 10, idleTimeout: 100 })
  let n = 0
  begin(log, socket => serverOf(1000, n++ === 0 ? () => 100 : () => socket.time.ms < 1 && socket.asked++ < 20 ? 100 : 1e9)(Object.assign(socket, { asked: 0 })))
  log.time.pass(11_000)
  const { streams, fates } = log.result()
  t.match(fates, { sent: 2, completed: 0, abandoned: 2 })
  t.match(streams, { opened: 2, completed: 0, stalls: 1, eventsPerStream: null })
  t.ok(streams.events >= 99 + 20 && streams.events <= 100 + 20, `${streams.events} events`)
  isNear(t, streams.gap.max, 8000, 'the gap that goes on')
})

t.test('an event without an end is an error before it takes memory', async t => {
  const log = generatorOf({ stream: 'sse', connections: 1, amount: 1 })
  begin(log, () => {})
  const [socket] = log.sockets
  socket.read(Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: '))
  const part = Buffer.alloc(60_000, 'x')
  let reads = 0
  for (; !socket.destroyed && reads < 1000; reads++) socket.read(part)
  log.time.pass(100)
  t.match(log.result(), { errorCodes: { AC_EVENT_SIZE: 1 }, streams: { events: 0, completed: 0, truncated: 1 } })
  t.equal(reads, Math.ceil(16 * 1024 * 1024 / 60_000))
})

t.test('a response that is no stream is a response', async t => {
  for (const [name, head, body, { checks, failures }] of [
    ['another type', 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n', 'data: x\n\n', { checks: [{ name: 'content-type', failed: 1, reasons: { "expected a Content-Type of text/event-stream, got 'text/html'": 1 } }], failures: 1 }],
    ['no type', 'HTTP/1.1 200 OK\r\n', 'data: x\n\n', { checks: [{ name: 'content-type', failed: 1, reasons: { 'expected a Content-Type of text/event-stream, got none': 1 } }], failures: 1 }],
    ['of an unknown coding', 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: x\r\n', 'data: x\n\n', { checks: [{ name: 'content-encoding', failed: 1, reasons: { "the Content-Encoding 'x' is not supported, so events are not measured": 1 } }], failures: 1 }],
    ['500', 'HTTP/1.1 500 No\r\nContent-Type: text/event-stream\r\n', 'data: x\n\n', { checks: [], failures: 1 }],
    ['404 without a type', 'HTTP/1.1 404 No\r\n', 'no', { checks: [], failures: 1 }],
    ['204', 'HTTP/1.1 204 No Content\r\n', '', { checks: [], failures: 0 }],
    ['a redirect', 'HTTP/1.1 302 Found\r\nLocation: /x\r\n', '', { checks: [], failures: 0 }]
  ]) {
    const log = generatorOf({ stream: 'sse', connections: 1, amount: 1 })
    begin(log, socket => tell(socket, `${head}${head.includes(' 204 ') ? '' : `Content-Length: ${body.length}\r\n`}\r\n${body}`))
    log.time.pass(100)
    const result = log.result()
    t.match(result, { failures, streams: { opened: 0, events: 0 }, requests: { total: 1 } }, name)
    t.equal(result.checks.length, checks.length, name)
    t.match(result.checks, checks, name)
  }
  const log = generatorOf({ stream: 'sse', connections: 1, amount: 1 })
  begin(log, socket => tell(socket, 'HTTP/1.1 200 OK\r\nContent-Type: TEXT/Event-Stream ; charset=utf-8\r\nContent-Encoding: identity\r\nContent-Length: 9\r\n\r\ndata: x\n\n'))
  log.time.pass(100)
  t.match(log.result(), { failures: 0, streams: { events: 1 } }, 'parameters and case do not matter')
})

t.test('a response of another type that never ends is timed out as any', async t => {
  const log = generatorOf({ stream: 'sse', connections: 1, amount: 1, timeout: 2, idleTimeout: 60 })
  begin(log, socket => tell(socket, 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\ndata: x\n\n'))
  log.time.pass(10_000)
  t.match(log.result(), { errorCodes: { AC_TIMEOUT: 1 } })
})

t.test('the start that is left out is not in the figures of streams', async t => {
  const log = generatorOf({ stream: 'sse', connections: 1, duration: 4, skipFirst: 2 })
  begin(log, serverOf(1000, () => 100))
  log.time.pass(5000)
  const { streams } = log.result()
  t.ok(streams.events >= 19 && streams.events <= 21, `${streams.events} events in 2 s`)
})
