'use strict'

// Streams that are continued, as an EventSource does: when, with which id, and how that counts.

const t = require('tap')
const { conserves } = require('../../helpers/results/conservation')
const { handlingServer } = require('../../helpers/servers/handling-server')
const { problemsIn } = require('../../helpers/options/problems')
const { rawServer } = require('../../helpers/servers/raw-server')
const { byOurClient, run } = require('../modes')
const { printResult } = require('../../..')
const { readOptions } = require('../../../lib/options/read')
const { toCsv } = require('../../../lib/report/formats/csv')

const SSE = { 'content-type': 'text/event-stream' }
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n'

byOurClient(t, 'each stream is continued with the id of its last event', async (t, mode) => {
  /** @type {Array<string | undefined>} */
  const ids = []
  const url = await handlingServer(t, (request, response) => {
    const last = request.headers['last-event-id']
    ids.push(last)
    response.writeHead(200, SSE)
    const id = Number(last ?? 0) + 1
    // The id of the first event holds for the second one, and what is cut off counts for nothing.
    response.end(`id: ${id}\ndata: a\n\ndata: b\n\nid: 99\ndata: c`)
  }, mode.protocol?.http === '2')
  const result = await mode.run({ url: `${url}/events`, stream: 'sse', streamReconnect: '1ms', amount: 10 })
  conserves(t, result)
  t.strictSame([...ids].sort(), ['1', '1', '2', '2', '3', '3', '4', '4', undefined, undefined])
  t.match(result, { errors: 0, fates: { completed: 10 }, streams: { opened: 10, completed: 10, events: 20, reconnects: 8, truncated: 10 } })
})

/**
 * @param {any} t
 * @param {string[]} answers of the requests in turn, each on a connection that ends with it; the last one to all others
 * @param {Record<string, any>} [opts]
 */
async function answered (t, answers, opts) {
  /** @type {Array<string | null>} */
  const ids = []
  /** @type {number[]} */
  const times = []
  const server = await rawServer(t, ({ socket }, { head }) => {
    times.push(performance.now())
    ids.push(/^last-event-id: (.*)\r$/im.exec(head)?.[1] ?? null)
    socket.end(HEAD + '\r\n' + answers[Math.min(ids.length, answers.length) - 1])
  })
  const result = await run({ url: server.url, connections: 1, stream: 'sse', streamReconnect: '1ms', amount: answers.length, ...opts })
  conserves(t, result)
  return { ids, result, gaps: times.slice(1).map((time, i) => time - times[i]) }
}

t.test('ids', async t => {
  const { ids } = await answered(t, [
    'data: 1\n\n', 'id: a\ndata: 1\n\n', 'data: without\n\n', ': nothing\n\n', 'id: b\n\n', 'id: c\ndata: 1', 'id: x\0y\ndata: 1\n\n', 'id:\ndata: 1\n\n', 'id: ü [<id>] {{uuid}}\ndata: 1\n\n', ''
  ])
  t.strictSame(ids.slice(0, 9), [null, null, 'a', 'a', 'a', 'b', 'b', 'b', null])
  t.match(ids[9], / \[<id>\] \{\{uuid\}\}$/, 'what a server says is no template')
})

t.test('an id that is no field value is not sent', async t => {
  const { ids, result } = await answered(t, ['id: a\x01b\ndata: 1\n\n', 'id: \x7f\ndata: 1\n\n', 'id: \x1b[31m\ndata: 1\n\n', 'id: a\tb\ndata: 1\n\n', ''])
  t.strictSame(ids, [null, null, null, null, 'a\tb'])
  t.equal(result.streams.reconnects, 4)
})

t.test('an id of more than 4 KiB is not sent, as servers refuse such a header', async t => {
  const { ids } = await answered(t, [`id: ${'a'.repeat(4096)}\ndata: 1\n\n`, `id: ${'a'.repeat(4097)}\ndata: 1\n\n`, 'data: 1\n\n', `id: ${'ü'.repeat(2049)}\ndata: 1\n\n`, 'id: b\ndata: 1\n\n', ''])
  t.strictSame(ids, [null, 'a'.repeat(4096), null, null, null, 'b'])
})

t.test('the wait is that of the option, and then that of the stream, and is in no latency', async t => {
  const { gaps, result } = await answered(t, ['data: 1\n\n', 'retry: 200\nretry: 1s\ndata: 1\n\n', 'data: 1\n\n', 'data: 1\n\n'], { streamReconnect: '100ms' })
  t.ok(gaps[0] >= 95 && gaps[1] >= 195 && gaps[2] >= 195, String(gaps))
  t.ok(result.latency.p50 < 100, String(result.latency.p50))
})

t.test('the time without a stream is a figure, also at the end of the run', async t => {
  const stream = HEAD + '\r\ndata: 1\n\n'
  let n = 0
  const server = await rawServer(t, ({ socket }) => {
    if (++n < 3) socket.end(stream)
  })
  const result = await run({ url: server.url, connections: 1, stream: 'sse', streamReconnect: '200ms', duration: 2, thresholds: ['outage max > 500ms', 'outage p50 < 60s'] })
  const { outage, gap } = result.streams
  t.equal(outage.totalCount, 2)
  t.ok(outage.min >= 195 && outage.min < 1500 && outage.max > 500, `${outage.min} and ${outage.max} ms`)
  t.equal(gap.totalCount, 0)
  t.strictSame(result.thresholds.slice(0, 2).map(({ actual }) => actual > 190), [true, true])
  t.match(printResult(result), /\n2 requests sent to continue a stream that had ended; without a stream p50 \d.* ms, max .*\n/)
  t.match(printResult(result), /Stream outage +│ +\d/)
  const [head, row] = toCsv(result).split('\n').map(line => line.split(','))
  t.equal(Number(row[head.indexOf('outage_max_ms')]), outage.max)
  const none = await answered(t, ['data: 1\n\n'], { thresholds: ['outage p50 < 60s'] })
  t.not(none.result.thresholds[0].passed, true, 'what was not measured has not passed')
  t.notOk('outage' in none.result.streams)
})

t.test('a retry of more than a minute is told', async t => {
  const { ids, result } = await answered(t, ['data: 1\n\n', 'retry: 99999999\ndata: 1\n\n'], { amount: undefined, duration: 1 })
  t.equal(ids.length, 2, 'the third is not due yet')
  t.match(result, { errors: 0, streams: { opened: 2, reconnects: 1, shortenedWaits: 1 } })
  t.match(printResult(result), /\n1 stream set a retry of more than 60 s: clients waited 60 s\n/)
})

t.test('a stream that is cut is an error, and is continued', async t => {
  const chunked = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n'
  /** @type {Array<string | null>} */
  const ids = []
  const server = await rawServer(t, ({ socket }, { head }) => {
    ids.push(/^last-event-id: (.*)\r$/im.exec(head)?.[1] ?? null)
    socket.end(ids.length === 1 ? `${chunked}10\r\nid: 7\ndata: 1\n\n\r\n` : `${HEAD}Content-Length: 9\r\n\r\ndata: 1\n\n`)
  })
  const result = await run({ url: server.url, connections: 1, stream: 'sse', streamReconnect: '1ms', amount: 2 })
  conserves(t, result)
  t.strictSame(ids, [null, '7'])
  t.match(result, { errors: 1, fates: { failed: 1, completed: 1 }, streams: { reconnects: 1 } })
})

t.test('204, other responses and streams that are closed here end it', async t => {
  /** @type {Array<[string, string | undefined]>} */
  const seen = []
  const url = await handlingServer(t, (request, response) => {
    seen.push([request.url, request.headers['last-event-id']])
    const count = seen.filter(([url]) => url === request.url).length
    if (count === 2 && request.url !== '/closed') {
      response.writeHead(request.url === '/204' ? 204 : 500)
      return response.end()
    }
    response.writeHead(200, SSE)
    response.write('id: 5\ndata: 1\n\n')
    if (request.url === '/closed') response.write('id: 6\ndata: 1\n\n')
    else response.end()
  })
  const requests = ['/204', '/500', '/closed'].map(path => ({ path, name: path.slice(1) }))
  const result = await run({ url, connections: 1, stream: 'sse', streamReconnect: '1ms', events: 2, scenarios: [{ requests }], amount: 5 })
  conserves(t, result)
  t.strictSame(seen, [['/204', undefined], ['/204', '5'], ['/500', undefined], ['/500', '5'], ['/closed', undefined]])
  t.equal(result.byRequest['204'].streams.reconnects, 1)
})

t.test('values of templates and cookies', async t => {
  /** @type {Array<Record<string, any>>} */
  const seen = []
  const url = await handlingServer(t, (request, response) => {
    const { url, headers: { cookie, 'last-event-id': id, 'x-run': header } } = request
    seen.push({ url, cookie, id, header })
    response.writeHead(200, { ...SSE, 'set-cookie': `n=${seen.length}; path=/` })
    response.end(`id: ${seen.length}\ndata: 1\n\n`)
  })
  const result = await run({ url: `${url}/{{counter}}/[<id>]`, connections: 1, stream: 'sse', streamReconnect: '1ms', cookies: true, idReplacement: true, headers: { 'x-run': '{{counter}}' }, amount: 3 })
  conserves(t, result)
  const [first] = seen
  t.strictSame(seen, [{ ...first, cookie: undefined, id: undefined }, { ...first, cookie: 'n=1', id: '1' }, { ...first, cookie: 'n=2', id: '2' }])
})

t.test('no connection is opened during the wait', async t => {
  let opened = 0
  const server = await rawServer(t, ({ socket }) => { socket.end(`${HEAD}\r\ndata: 1\n\n`) })
  server.server.on('connection', () => { opened++ })
  const result = await run({ url: server.url, connections: 1, stream: 'sse', streamReconnect: '10s', duration: 1 })
  conserves(t, result)
  t.match(result, { fates: { completed: 1 }, errors: 0 })
  t.equal(opened, 1)
})

t.test('what it cannot be combined with', async t => {
  const url = 'http://localhost:1'
  for (const [opts, message] of /** @type {Array<[Record<string, any>, RegExp]>} */ ([
    [{}, /streamReconnect: expected stream as well/],
    [{ stream: 'ndjson' }, /only Server-Sent Events have ids to continue from/],
    [{ stream: 'openai', body: '{}' }, /only Server-Sent Events have ids/],
    [{ stream: 'sse', rate: 10 }, /give a rate of iterations, such as rate '10 iterations\/s'/],
    [{ stream: 'sse', scenarios: [{ requests: [{ repeat: 2, requests: [{ path: '/' }] }] }] }, /do not reconnect/],
    [{ user: async () => {} }, /streamReconnect/]
  ])) t.match(problemsIn(() => readOptions({ url, streamReconnect: 1, ...opts })).join('\n'), message)
})

t.test('a connection that ends inside a stream is opened again without a pause of its own', async t => {
  const server = await rawServer(t, ({ socket }) => {
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n`)
    setTimeout(() => socket.destroy(), 5)
  })
  const result = await run({ url: server.url, connections: 1, stream: 'sse', streamReconnect: '1ms', amount: 13 })
  conserves(t, result)
  t.match(result, { errors: 13, errorCodes: { AC_TRUNCATED: 13 }, streams: { events: 13, outage: { totalCount: 12 } } })
  t.ok(result.streams.outage.mean < 60, `${result.streams.outage.mean} ms: the pauses would have a mean of 130 ms`)
})
