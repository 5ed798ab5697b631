'use strict'

// What a connection promises whatever its protocol: HTTP/1, and one whose answers overtake each other and are interleaved.

const t = require('tap')
const fc = require('fast-check')
const { conserves } = require('../helpers/results/conservation')
const { http2 } = require('../../lib/protocols/http2/peer')
const { cases } = require('../helpers/effort')
const { Http2Server } = require('../helpers/servers/http2-server')
const { overtaking, OvertakingServer } = require('../helpers/servers/overtaking-protocol')
const { nobody } = require('./helpers/fake-load')
const { playServers: play } = require('./helpers/played-servers')

const SEED = Number(process.env.FUZZ_SEED ?? 9112)
const RUNS = cases(150, 50)

/** The server's end of HTTP/1: requests without a body that is looked at, answers in the order of the requests. */
class Http1Server {
  constructor (socket) {
    this.socket = socket
    this.requests = []
    this.waiting = []
    this.cancelled = []
  }

  receive (bytes) {
    for (const [, line, length] of bytes.toString().matchAll(/(\S+ \S+) HTTP\/1\.1\r\n(?:.*\r\n)*?(?:Content-Length: (\d+)\r\n(?:.*\r\n)*?)?\r\n/g)) {
      const request = { text: `${line} ${length === undefined ? '' : 'x'}`, begun: false }
      this.requests.push(request)
      this.waiting.push(request)
    }
  }

  begin (request, body = '', { status = 200, headers = ['X-Of', request.text] } = {}) {
    request.begun = true
    request.length = Buffer.byteLength(body)
    return Buffer.from(`HTTP/1.1 ${status} OK\r\n${headers[0]}: ${headers[1]}\r\nContent-Length: 50\r\n\r\n${body}`)
  }

  end (request, body = '') {
    this.waiting.shift()
    return Buffer.from(body.padEnd(50 - request.length))
  }
}

const PROTOCOLS = [
  { name: 'HTTP/1', overtakes: false, edge: () => ({}), Server: Http1Server },
  { name: 'HTTP/2', overtakes: true, edge: () => ({ protocol: http2() }), Server: Http2Server },
  { name: 'a protocol whose answers overtake each other', overtakes: true, edge: () => ({ protocol: overtaking }), Server: OvertakingServer }
]

/** The answer to one request is its own text. */
const answer = (server, request, how) => server.socket.read(Buffer.concat([server.begin(request, request.text, how), server.end(request)]))

for (const kind of PROTOCOLS) {
  const { name, overtakes } = kind
  /** Which of those that wait is answered next. */
  const choose = (waiting, n) => waiting[overtakes ? n % waiting.length : 0]

  t.test(`over ${name}, hooks and checks get the answer to their own request`, async t => {
    const seen = []
    const wrong = []
    const requests = Array.from({ length: 7 }, (_, i) => ({
      method: i % 2 === 0 ? 'GET' : 'DELETE',
      setupRequest: (request, context) => { context.iterations ??= new Set(); context.iterations.add(i); return { ...request, path: `/${i}` } },
      onResponse (status, body, context, headers) {
        if (!body.startsWith(`${i % 2 === 0 ? 'GET' : 'DELETE'} /${i} `) || !context.iterations.has(i) || !(headers['X-Of'] ?? headers['x-of']).startsWith(body.trim())) wrong.push([i, body, headers])
        seen.push(i)
      },
      check: (response, context) => response.body.trim() === `${response.request.method} ${response.request.path}` && response.headers['x-of'].trim() === response.body.trim() && context.iterations.has(i)
    }))
    const log = play(kind, { requests, pipelining: 5, amount: 70 })
    const server = log.start()
    for (let n = 3; server.waiting.length > 0; n += 7) {
      const [one, other] = [choose(server.waiting, n), overtakes ? choose(server.waiting, n + 1) : server.waiting[0]]
      // Heads, then pieces of the bodies in turn, where that can be.
      if (one === other) answer(server, one)
      else {
        for (const request of [one, other]) server.socket.read(server.begin(request, request.text.slice(0, 3)))
        for (const request of [other, one]) server.socket.read(server.end(request, request.text.slice(3)))
      }
      log.time.pass(1)
    }
    const result = log.result()
    t.strictSame(wrong, [])
    t.equal(seen.length, 70)
    t.match(result.checks, [{ request: 'GET /', passed: 40, failed: 0 }, { request: 'DELETE /', passed: 30, failed: 0 }])
    if (overtakes) t.not(seen.slice(0, 7).join(), '0,1,2,3,4,5,6', 'out of order')
    conserves(t, result)
  })

  t.test(`over ${name}, latency is that of the request that was answered`, async t => {
    const told = []
    const log = play(kind, { pipelining: 3, amount: 3, requests: [{ path: '/a' }, { path: '/b' }, { path: '/c' }] }, { ...nobody, response: (connection, status, size, ms) => told.push(ms) })
    const server = log.start()
    const [a, b, c] = server.requests
    for (const request of overtakes ? [c, a, b] : [a, b, c]) {
      log.time.pass(10)
      answer(server, request)
    }
    t.strictSame(told, [10, 20, 30])
    conserves(t, log.result())
  })

  t.test(`over ${name}, the oldest request in the order of sending has the deadline`, async t => {
    const log = play(kind, { pipelining: 3, amount: 6, timeout: 1, requests: [{ path: '/a' }, { path: '/b' }] })
    const server = log.start()
    log.time.pass(400)
    if (overtakes) {
      answer(server, server.waiting[2])
      answer(server, server.waiting[1])
    }
    log.time.pass(1)
    const before = server.requests.length
    log.time.pass(650)
    if (overtakes) {
      t.equal(log.sockets.length, 1, 'the connection goes on')
      t.strictSame(server.cancelled.map(({ text }) => text), ['GET /a '], 'the one that took too long is cancelled, alone')
      // An answer to it comes too late to be one.
      server.socket.read(Buffer.concat([server.begin(server.cancelled[0]), server.end(server.cancelled[0])]))
      t.ok(server.requests.length > before, 'another takes its place')
      while (server.waiting.length > 0) answer(server, server.waiting.at(-1))
      t.match(log.total, { sent: 6, completed: 5, timedOut: 1, failed: 0, AC_TIMEOUT: 1 })
    } else {
      t.equal(log.sockets.length, 2, 'the connection ends')
      t.strictSame(log.sockets[0].destroyed, true)
      const next = log.sockets[1] === undefined ? server : log.ready()
      while (next.waiting.length > 0) answer(next, next.waiting[0])
      t.match(log.total, { sent: 6, completed: 3, timedOut: 3 })
    }
    conserves(t, log.result())
  })

  t.test(`over ${name}, an orderly end sends again what has no answer, and only that`, async t => {
    const log = play(kind, { pipelining: 4, amount: 8, requests: ['GET', 'PUT', 'DELETE', 'OPTIONS'].map((method, i) => ({ method, path: `/${i}` })) })
    const server = log.start()
    const completed = choose(server.waiting, 2)
    answer(server, completed)
    log.time.pass(2)
    const left = server.waiting.map(({ text }) => text)
    server.socket.emit('end')
    const next = log.ready()
    t.strictSame(next.requests.slice(0, left.length).map(({ text }) => text), left)
    while (next.waiting.length > 0) answer(next, choose(next.waiting, 3))
    log.time.pass(2)
    while (next.waiting.length > 0) answer(next, choose(next.waiting, 3))
    t.match(log.total, { sent: 8, completed: 8, failed: 0, resent: left.length })
    conserves(t, log.result(), { arrived: server.requests.length + next.requests.length })
  })

  t.test(`over ${name}, an end inside an answer cuts that one off`, async t => {
    const log = play(kind, { pipelining: 3, amount: 3 })
    const server = log.start()
    server.socket.read(server.begin(choose(server.waiting, 1), 'GET'))
    server.socket.emit('end')
    t.match(log.total, { sent: 3, completed: 0, failed: 3, AC_TRUNCATED: 1, AC_CLOSED: 2 })
    conserves(t, log.result())
  })

  t.test(`over ${name}, what is in flight when the run ends is abandoned, half-read or not`, async t => {
    const log = play(kind, { pipelining: 4, duration: 1, requests: [{ onResponse () {} }] })
    const server = log.start()
    answer(server, choose(server.waiting, 2))
    server.socket.read(server.begin(choose(server.waiting, 1), 'GET'))
    log.time.pass(1000)
    t.match(log.total, { completed: 1, failed: 0, timedOut: 0, abandoned: 4 })
    conserves(t, log.result())
  })

  t.test(`over ${name}, whatever happens in whatever order, every request has one fate and the rate knows its room`, async t => {
    const events = fc.array(fc.oneof(
      fc.record({ answer: fc.nat(20) }),
      fc.record({ answer: fc.nat(20) }),
      fc.record({ begin: fc.nat(20) }),
      fc.constantFrom('end', 'end', 'end', 'error', 'garbage', 'stray'),
      fc.record({ pass: fc.integer({ min: 1, max: 700 }) })
    ), { minLength: 20, maxLength: 80 })
    const options = fc.record({
      pipelining: fc.integer({ min: 1, max: 5 }),
      requests: fc.array(fc.record({ method: fc.constantFrom('GET', 'GET', 'PUT', 'POST'), expect: fc.constantFrom(undefined, { body: /^[A-Z]+ \// }) }), { minLength: 1, maxLength: 4 }),
      idReplacement: fc.boolean(),
      reconnectRate: fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined }),
      rate: fc.option(fc.constantFrom(10, 100), { nil: undefined })
    })
    const total = { sent: 0, resent: 0, timedOut: 0, completed: 0, failed: 0, abandoned: 0 }
    fc.assert(fc.property(options, events, (opts, events) => {
      const log = play(kind, { timeout: 1, duration: 1000, ...opts })
      let server = log.start()
      const [connection] = log.generator.connections.list
      for (const event of events) {
        const socket = log.sockets.at(-1)
        const { waiting } = server
        if (event.pass !== undefined) log.time.pass(event.pass)
        else if (socket.destroyed) continue
        else if (event === 'error') socket.emit('error', Object.assign(new Error(), { code: 'ECONNRESET' }))
        else if (socket !== server.socket) server = log.ready()
        else if (event === 'end') socket.emit('end')
        else if (event === 'garbage') socket.read(Buffer.from('\0\n'))
        else if (event === 'stray' && waiting.length === 0) socket.read(Buffer.concat([server.begin({ id: 0, text: '' }), Buffer.alloc(0)]))
        else if (waiting.length > 0 && event !== 'stray') {
          const request = choose(waiting, event.answer ?? event.begin)
          const bytes = [...request.begun ? [] : [server.begin(request, request.text)], ...event.begin === undefined ? [server.end(request)] : []]
          if (bytes.length > 0) socket.read(Buffer.concat(bytes))
        }
        const open = connection.state === 2
        if (connection.queue !== null && connection.queue.free !== (open ? connection.room : 0)) return false
      }
      log.generator.stop()
      for (const fate of Object.keys(total)) total[fate] += log.total[fate]
      const { sent, resent, completed, timedOut, failed, abandoned } = log.total
      const arrived = log.servers.reduce((sum, { requests }) => sum + requests.length, 0)
      const passed = log.result().checks.every(({ failed }) => failed === 0)
      return sent === completed + timedOut + failed + abandoned && arrived === sent + resent && passed
    }), { seed: SEED, numRuns: RUNS })
    t.ok(Object.values(total).every(n => n > 20), JSON.stringify(total))
  })
}
