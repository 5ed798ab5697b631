'use strict'

// Streams in every mode: what a result says of events is what the server has sent.

const t = require('tap')
const { cli } = require('../../helpers/processes/cli')
const { conserves } = require('../../helpers/results/conservation')
const { handlingServer } = require('../../helpers/servers/handling-server')
const { rawServer } = require('../../helpers/servers/raw-server')
const { serve } = require('../../helpers/servers/http-server')
const { byOurClient, overHttp1, run } = require('../modes')
const { printResult } = require('../../..')

const SSE = 'text/event-stream'
const HEAD = `HTTP/1.1 200 OK\r\nContent-Type: ${SSE}\r\n`

/**
 * A server of both versions of HTTP that sends so many events, one in each turn of 2 ms.
 * @param {any} t
 * @param {{ events?: number, ends?: boolean, type?: string, text?: string }} [options]
 */
async function eventServer (t, { events = 5, ends = true, type = SSE, text = 'data: x\n\n' } = {}) {
  const seen = { streams: 0, closed: 0, events: 0 }
  /** @type {(request: any, response: any) => void} */
  const handle = (request, response) => {
    seen.streams++
    response.writeHead(200, { 'content-type': type })
    let n = 0
    const timer = setInterval(() => {
      if (n++ < events) {
        seen.events++
        response.write(text)
      } else if (ends) {
        clearInterval(timer)
        response.end()
      }
    }, 2)
    response.on('close', () => {
      clearInterval(timer)
      if (!response.writableFinished) seen.closed++
    })
  }
  return { seen, handle }
}

byOurClient(t, 'every event is counted once, and merges with those of others', async (t, mode) => {
  const { seen, handle } = await eventServer(t)
  const url = await handlingServer(t, handle, mode.protocol?.http === '2')
  const result = await mode.run({ url, stream: 'sse', amount: 20, thresholds: ['events == 100', 'first event p99 < 60s', 'gap p99 < 60s', 'stream duration max < 60s', 'events/s > 0', 'truncated streams == 0'] })
  conserves(t, result)
  const { streams, thresholds } = result
  t.match(streams, { kind: 'sse', opened: 20, completed: 20, closed: 0, truncated: 0, events: 100, eventsPerStream: { min: 5, max: 5, average: 5 } })
  t.equal(seen.events, 100)
  t.equal(result.series.reduce((sum, { streams }) => sum + streams.events, 0), 100, 'the points of the series have all of them')
  t.strictSame([streams.firstEvent.totalCount, streams.gap.totalCount, streams.duration.totalCount], [20, 80, 20])
  t.ok(streams.eventsPerRead >= 1)
  t.ok(streams.firstEvent.max <= result.latency.max && streams.duration.max <= result.latency.max)
  t.strictSame(thresholds.map(({ passed, exact }) => passed ?? exact), thresholds.map(() => true))
  t.match(result.checks, [{ name: 'content-type', passed: 20, failed: 0 }])
})

byOurClient(t, 'streams that never end are closed in order, and completed', async (t, mode) => {
  const { seen, handle } = await eventServer(t, { events: Infinity })
  const url = await handlingServer(t, handle, mode.protocol?.http === '2')
  const result = await mode.run({ url, stream: 'sse', events: 3, amount: 12 })
  conserves(t, result)
  t.match(result, { errors: 0, failures: 0, fates: { completed: 12 }, streams: { opened: 12, completed: 12, events: 36 } })
  t.equal(result.streams.closed, 12)
  t.equal(seen.streams, 12)
  t.strictSame(result.findings.filter(({ code }) => code === 'closed-after-each'), [], 'the server has not closed them')
})

t.test('streams of one HTTP/2 connection', async t => {
  const { seen, handle } = await eventServer(t, { events: Infinity })
  const url = await handlingServer(t, handle, true)
  for (const opts of [{ pipelining: 4 }, { pipelining: 4, pause: '1ms' }]) {
    seen.streams = 0
    const result = await run({ url, http: '2', stream: 'sse', events: 2, amount: 20, ...opts })
    conserves(t, result)
    t.match(result, { errors: 0, fates: { completed: 20 }, streams: { opened: 20, completed: 20, closed: 20, events: 40 } })
    t.equal(result.connect.totalCount, 1, 'the connection lives on')
    t.equal(seen.streams, 20)
  }
})

byOurClient(t, 'a run that ends before its streams', async (t, mode) => {
  const { handle } = await eventServer(t, { events: Infinity })
  const url = await handlingServer(t, handle, mode.protocol?.http === '2')
  const result = await mode.run({ url, stream: 'sse', duration: 0.5 })
  conserves(t, result)
  t.match(result, { requests: { total: 0 }, errors: 0, streams: { opened: 2, completed: 0, eventsPerStream: null } })
  t.ok(result.streams.events > 0)
  t.equal(result.fates.abandoned, 2)
  t.strictSame(result.findings.filter(({ severity }) => severity === 'error'), [], 'that is no failure')
  t.match(result.findings.find(({ code }) => code === 'endless-streams'), { severity: 'info', facts: { opened: 2, events: result.streams.events } })
  t.match(require('../../..').printResult(result), /none of 2 streams ended: .*--stream-for or --events closes streams in order/)
})

t.test('streams that the server cuts are not called endless', async t => {
  const server = await rawServer(t, ({ socket }) => { socket.end(`${HEAD}Content-Length: 99\r\n\r\ndata: 1\n\ndata: 2`) })
  const result = await run({ url: server.url, stream: 'sse', amount: 4 })
  conserves(t, result)
  t.match(result, { fates: { failed: 4 }, streams: { opened: 4, completed: 0, events: 4 } })
  t.strictSame(result.findings.filter(({ code }) => code === 'endless-streams'), [])
})

overHttp1(t, 'streams that break off', async (t, mode) => {
  for (const [name, bytes, ends, expected] of [
    ['in the middle of an event, by length', `${HEAD}Content-Length: 16\r\n\r\ndata: 1\n\ndata: 2`, false, { completed: 4, truncated: 4, errors: {} }],
    ['in the middle of an event, by the end of the connection', `${HEAD}\r\ndata: 1\n\ndata: 2`, true, { completed: 4, truncated: 4, errors: {} }],
    ['in the middle of a response, between events', `${HEAD}Content-Length: 99\r\n\r\ndata: 1\n\n`, true, { completed: 0, truncated: 0, errors: { AC_TRUNCATED: 4 } }],
    ['in the middle of both', `${HEAD}Content-Length: 99\r\n\r\ndata: 1\n\ndata`, true, { completed: 0, truncated: 4, errors: { AC_TRUNCATED: 4 } }]
  ]) {
    const server = await rawServer(t, connection => {
      connection.send(bytes)
      if (ends) connection.end()
    })
    const result = await mode.run({ url: server.url, stream: 'sse', amount: 4 })
    conserves(t, result)
    t.match(result.streams, { opened: 4, completed: expected.completed, truncated: expected.truncated, events: 4 }, name)
    t.strictSame(result.errorCodes, expected.errors, name)
  }
})

t.test('a bare 204 and errors by status are responses, and other requests beside streams are judged by name', async t => {
  const { handle } = await eventServer(t)
  const url = await handlingServer(t, (request, response) => {
    if (request.url === '/events') return handle(request, response)
    response.statusCode = request.url === '/none' ? 204 : request.url === '/no' ? 500 : 200
    response.end()
  }, false)
  const result = await run({ url, stream: 'sse', amount: 8, requests: [{ path: '/events', name: 'events' }, { path: '/none' }, { path: '/no' }, { path: '/plain', name: 'plain' }] })
  conserves(t, result)
  t.match(result.streams, { opened: 2, completed: 2, events: 10 })
  t.match(result.checks.filter(({ name }) => name === 'content-type'), [{ request: 'events', passed: 2, failed: 0 }, { request: 'plain', passed: 0, failed: 2 }])
  t.equal(result.failures, 4)
})

t.test('the command line shows events first, and writes every format', async t => {
  const { handle } = await eventServer(t)
  const url = await handlingServer(t, handle, false)
  const cwd = t.testdir()
  const { code, stderr, stdout } = await cli(['--stream', 'sse', '-a', '200', '-c', '2', '-o', 'run.csv', '-o', 'run.html', '-o', '-.md', url], { cwd })
  t.equal(code, 0, stderr)
  t.match(stderr, /events\/s · first event p50 .*ms, p99 .* · gap p50 .* ms, p99 .* · .* req\/s/)
  t.match(stderr, /│ First event +│/)
  t.match(stderr, /│ Event gap +│/)
  t.match(stderr, /│ Streams │ Events │ Events\/s │ Per stream │ Per read │ Stalls │ Truncated │/)
  t.match(stderr, /1,000 events in 200 streams/)
  t.match(stdout, /First event.* ms \|/)
  const { readFileSync } = require('node:fs')
  const [heads, row] = readFileSync(`${cwd}/run.csv`, 'utf8').trim().split('\n').map(line => line.split(','))
  t.equal(row[heads.indexOf('events')], '1000')
  t.ok(Number(row[heads.indexOf('gap_p99_ms')]) > 0)
  const page = readFileSync(`${cwd}/run.html`, 'utf8')
  for (const title of [/First event/, /Events per second/, /Gap between events/, /Distribution of gaps between events/]) t.match(page, title)
})

t.test('what can not be is told in one line each', async t => {
  const { url } = await serve(t)
  for (const [flags, message] of /** @type {Array<[string[], RegExp]>} */ ([
    [['--stream', 'sse', '-m', 'HEAD'], /-m\/--method: a response to HEAD has no body, so it is no stream; use another method, or omit --stream\n/],
    [['--stream', 'sse', '-p', '4'], /--stream and -p\/--pipelining: over HTTP\/1.1 a stream takes its connection to itself, so -p\/--pipelining has to be 1; use more connections, or --http2\n/],
    [['--stream', 'sse', '--client', 'undici'], /--stream and --client: undici reports no times of events; omit --client\n/],
    [['--stream', 'sse', '-E', 'x'], /-E\/--expectBody: it compares a whole body, of which nothing is kept with --stream; omit one of them\n/],
    [['--stream', 'sse', '--expect-json', 'a=1'], /--expect-json: it compares a whole body/],
    [['--stream', 'grpc'], /--stream: expected sse or ndjson or chunks or openai, got 'grpc'\n/],
    [['--stream', 'ndjsn'], /got 'ndjsn', did you mean 'ndjson'\?\n/],
    [['--events', '5'], /--events: expected --stream as well, got none: there are no streams\n/],
    [['--stall', '2s'], /--stall: expected --stream as well, got none/],
    [['--stream-for', '2s'], /--stream-for: expected --stream as well, got none/],
    [['--idle-timeout', '2s'], /--idle-timeout: expected --stream as well, got none/],
    [['--threshold', 'gap p99 < 5ms'], /--threshold: 'gap p99 < 5ms': there are no streams: give the run --stream\n/],
    [['--stream', 'sse', '--abort-on', 'gap p99 < 5ms'], /--abort-on: .*: abortOn does not watch streams: they are judged when the run is over\n/]
  ])) {
    const { code, stderr } = await cli([...flags, url])
    t.equal(code, 2, flags.join(' '))
    t.match(stderr, message)
  }
  for (const [opts, message] of [
    [{ requests: [{ path: '/', stream: 'x' }] }, /^requests\[0\].stream: expected true or false, got 'x'; the kind of stream is an option of the run, such as stream: sse$/],
    [{ requests: [{ method: 'HEAD' }] }, /^requests\[0\].method: a response to HEAD has no body/],
    [{ requests: [{ expect: { body: 'x' } }] }, /^requests\[0\].expect.body: it compares a whole body/],
    [{ expect: { json: { a: 1 } } }, /^expect.json: it compares a whole body/],
    [{ verifyBody: () => true }, /^verifyBody: it compares a whole body/],
    [{ user: async () => {} }, /^stream and user: a user function opens streams itself: use http.stream\(path\), and omit stream/]
  ]) await t.rejects(async () => run({ url, stream: 'sse', amount: 1, ...opts }), { code: 'AC_OPTIONS', message })
})

byOurClient(t, 'requests that are no streams, between those that are', async (t, mode) => {
  const { handle } = await eventServer(t)
  const url = await handlingServer(t, (request, response) => {
    if (request.url === '/events') return handle(request, response)
    response.setHeader('content-type', 'application/json')
    response.end('{"token":"x"}')
  }, mode.protocol?.http === '2')
  const login = { path: '/login', stream: false, expect: { json: { token: 'x' } } }
  for (const opts of [{ requests: [login, { path: '/events' }] }, { scenarios: [{ requests: [{ ...login, capture: { token: 'json token' } }, { path: '/events', headers: { token: '{{token}}' } }] }] }]) {
    const result = await mode.run({ url, stream: 'sse', amount: 20, ...opts })
    conserves(t, result)
    t.match(result, { failures: 0, streams: { opened: 10, completed: 10, events: 50 } })
    t.match(result.checks.filter(({ name }) => name === 'content-type').reduce((sum, { passed }) => sum + passed, 0), 10)
  }
})

byOurClient(t, 'streams by name of their request', async (t, mode) => {
  const { handle } = await eventServer(t)
  const url = await handlingServer(t, handle, mode.protocol?.http === '2')
  const result = await mode.run({
    url, stream: 'sse', amount: 24, requests: [{ path: '/a', name: 'a' }, { path: '/b', name: 'b' }, { path: '/c' }, { path: '/d', name: 'd', stream: false }],
    thresholds: ['a: events == 30', 'a: gap p99 < 60s', 'b: first event max < 60s', 'b: stalls < 100%', 'a: events/s > 0']
  })
  conserves(t, result)
  const { streams, byRequest } = result
  t.match(streams, { opened: 18, completed: 18, events: 90 })
  for (const name of ['a', 'b']) {
    const { firstEvent, gap, duration, ...counts } = byRequest[name].streams
    t.match(counts, { opened: 6, completed: 6, closed: 0, events: 30, eventsPerStream: { min: 5, max: 5 } }, name)
    t.strictSame([firstEvent.totalCount, gap.totalCount, duration.totalCount], [6, 24, 6], name)
  }
  t.notOk('streams' in byRequest.d)
  t.strictSame(result.thresholds.map(({ passed, exact }) => passed ?? exact), [true, true, true, true, true])
  t.match(require('../../..').printResult(result), /Request +│ Streams +│ Events/)
})

byOurClient(t, 'streams by scenario', async (t, mode) => {
  const { handle } = await eventServer(t)
  const url = await handlingServer(t, handle, mode.protocol?.http === '2')
  const result = await mode.run({
    url, stream: 'sse', amount: '24 iterations',
    scenarios: [
      { name: 'some', weight: 2, requests: [{ path: '/a', name: 'a' }, { path: '/b' }] },
      { name: 'few', requests: [{ path: '/a', name: 'a' }] },
      { name: 'none', requests: [{ path: '/d', stream: false }] }
    ],
    thresholds: [
      'scenario some: gap p50 < 60s', 'few: events > 0', 'scenario some: events/s > 0', 'iterations: events > 0',
      'scenario some: goodput(first event < 60s) > 99%', 'scenario none: stalls < 100%'
    ]
  })
  conserves(t, result)
  const { streams, byRequest, byScenario: { some, few, none } } = result
  t.notOk('streams' in none)
  t.equal(some.streams.opened, 2 * some.completed)
  t.equal(few.streams.opened, few.completed)
  t.equal(byRequest.a.streams.opened, some.completed + few.completed)
  for (const key of ['opened', 'completed', 'closed', 'truncated', 'events', 'stalls']) {
    t.equal(some.streams[key] + few.streams[key], streams[key], key)
  }
  for (const key of ['firstEvent', 'gap', 'duration']) {
    t.equal(some.streams[key].totalCount + few.streams[key].totalCount, streams[key].totalCount, key)
  }
  t.match([some, few].map(({ streams: { goodput: [{ good, requests }] } }) => [good, requests]), [some, few].map(({ streams: { opened } }) => [opened, opened]))
  t.strictSame(result.thresholds.map(({ passed, exact }) => passed ?? exact), [true, true, true, true, true, false])
  t.match(require('../../..').printResult(result, { verbose: true }), /Scenario +│ Streams +│ Events/)
})

t.test('a run whose streams never end is judged by its events; one without an event has failed', async t => {
  const url = await handlingServer(t, (await eventServer(t, { events: Infinity })).handle, false)
  // Beside others on its core, the load generator makes gaps longer, and says so.
  for (const [threshold, codes] of [['gap p99 < 60s', [0]], ['gap p99 < 0.001ms', [3, 4]]]) {
    const { code: actual, stderr } = await cli(['--stream', 'sse', '-d', '1', '-c', '2', '--threshold', threshold, url])
    t.ok(codes.includes(Number(actual)), stderr)
    t.match(stderr, /none of 2 streams ended/)
  }
  const silent = await handlingServer(t, (await eventServer(t, { events: Infinity, text: ': no event\n\n' })).handle, false)
  const { code, stderr } = await cli(['--stream', 'sse', '-d', '0.5', '-c', '2', silent])
  t.equal(code, 1, 'as without a response')
  t.match(stderr, /No event arrived in 2 streams/)
})

t.test('raw results of several runs add up', async t => {
  const { handle } = await eventServer(t)
  const url = await handlingServer(t, handle, false)
  const raws = await Promise.all([1, 2].map(() => run({ url, stream: 'sse', amount: 10, skipAggregateResult: true })))
  const result = require('../../..').aggregateResult(JSON.parse(JSON.stringify(raws)), { thresholds: ['events == 100'] })
  t.match(result.streams, { kind: 'sse', opened: 20, completed: 20, events: 100, eventsPerStream: { min: 5, max: 5 } })
  t.strictSame([result.streams.firstEvent.totalCount, result.streams.gap.totalCount], [20, 80])
})

t.test('a goodput with a bound on gaps is not measured where no stream has two events', async t => {
  const { handle } = await eventServer(t, { events: 1 })
  const url = await handlingServer(t, handle, false)
  const thresholds = ['goodput(gap p99 < 60s) > 95%', 'goodput(first event < 60s) > 95%']
  const result = await run({ url, stream: 'sse', amount: 5, thresholds, requests: [{ name: 'a' }] })
  for (const { goodput } of [result.streams, result.byRequest.a.streams]) t.strictSame(goodput.map(({ good, share }) => [good, share]), [[5, null], [5, 1]])
  t.strictSame(result.thresholds.map(({ actual, passed }) => [actual, passed === false]), [[null, true], [1, false]])
  t.match(printResult(result), /\nGoodput: not measured, as no stream had two events \(gap p99 < 60s\)\nGoodput: 100 %, 5 of 5 requests with first event < 60s\n/)
})

byOurClient(t, 'streams that go on when the figures begin are in them', async (t, mode) => {
  const { handle } = await eventServer(t, { events: 1e6 })
  const url = await handlingServer(t, handle, mode.protocol?.http === '2')
  const result = await mode.run({ url, stream: 'sse', connections: 4, duration: 2, skipFirst: 1, thresholds: ['events/s > 0', 'truncated streams < 1%'] })
  conserves(t, result)
  t.match(result.streams, { opened: 4, completed: 0, firstEvent: { totalCount: 0 } })
  t.strictSame(result.thresholds.map(({ actual }) => actual), [result.streams.eventsPerSecond, 0])
  t.match(result.findings.find(({ code }) => code === 'endless-streams'), { facts: { opened: 4 } })
  t.match(printResult(result), / events in 4 streams/)
  const ended = await mode.run({ url, stream: 'sse', connections: 4, duration: 2, skipFirst: 1, streamFor: 0.3 })
  t.ok(ended.streams.opened - ended.streams.completed <= 4 && ended.streams.opened <= ended.requests.sent, JSON.stringify([ended.streams.opened, ended.streams.completed, ended.requests.sent]))
})

t.test('streams without an event for too long are errors, and not streams that never end', async t => {
  const server = await rawServer(t, ({ socket }) => socket.write(`${HEAD}\r\ndata: 1\n\n`))
  const result = await run({ url: server.url, stream: 'sse', amount: 4, connections: 2, idleTimeout: 0.2 })
  t.match(result, { errorCodes: { AC_IDLE_TIMEOUT: 4 }, streams: { opened: 4, completed: 0, events: 4 } })
  t.strictSame(result.findings.filter(({ code }) => code === 'endless-streams'), [])
})
