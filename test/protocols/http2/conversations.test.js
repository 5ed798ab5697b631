'use strict'

// Random conversations with servers of HTTP/2 that keep to the protocol for a while and then do not: frames in any order, on any stream,
// damaged, cut, repeated, random bytes, ends and pauses. Whatever comes, nothing is thrown, the run goes on or ends, and every request
// has one fate. `npm run fuzz -- --only conversations` runs it for a time, from any seed.

const t = require('tap')
const fc = require('fast-check')
const { http2 } = require('../../../lib/protocols/http2/peer')
const { cases } = require('../../helpers/effort')
const { Http2Server, block, frame } = require('../../helpers/servers/http2-server')
const { playServers } = require('../../engine/helpers/played-servers')

const SEED = Number(process.env.FUZZ_SEED ?? 9113)
const RUNS = cases(300, 100)

const OPEN = 2
const KIND = { edge: () => ({ protocol: http2() }), Server: Http2Server }

const u32 = number => { const bytes = Buffer.alloc(4); bytes.writeUInt32BE(number); return bytes }
const setting = ([number, value]) => Buffer.concat([Buffer.from([0, number]), u32(value)])

const status = fc.constantFrom('200', '200', '404', '103', '101', '99', 'x')
const field = fc.constantFrom(['server', 'x'], ['content-length', '3'], ['content-length', '0'], ['connection', 'close'], [':path', '/'], ['x-a', 'v'.repeat(100)])
const settings = fc.array(fc.tuple(fc.constantFrom(1, 2, 3, 4, 5, 6, 9), fc.constantFrom(0, 0, 1, 2, 10, 16384, 65535, 2 ** 31 - 1, 2 ** 31)), { maxLength: 3 })
/** Of which stream: of a request that waits, of one that has been, of none yet, of the server, of the connection. */
const which = fc.oneof({ weight: 20, arbitrary: fc.constant('waits') }, { weight: 4, arbitrary: fc.constant('was') }, { weight: 1, arbitrary: fc.constantFrom('idle', 'even', 'connection') })

const event = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('answer'), n: fc.nat(20), body: fc.constantFrom(null, '', 'abc', 'b'.repeat(3000)) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('begin'), n: fc.nat(20) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('headers'), which, n: fc.nat(20), flags: fc.constantFrom(4, 5, 5, 0, 1, 13, 37, 255), status, fields: fc.array(field, { maxLength: 2 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('data'), which, n: fc.nat(20), flags: fc.constantFrom(0, 1, 8, 9, 255), payload: fc.uint8Array({ maxLength: 30 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('reset'), which, n: fc.nat(20), code: fc.constantFrom(0, 1, 7, 7, 7, 8, 11, 99, 2 ** 32 - 1) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('update'), which, n: fc.nat(20), by: fc.constantFrom(0, 1, 1, 10, 1000, 1000, 2 ** 31 - 1) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('settings'), settings }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('goaway'), last: fc.constantFrom(0, 1, 3, 5, 9, 21, 2 ** 31 - 1), code: fc.constantFrom(0, 0, 0, 2, 11, 99) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('frame'), type: fc.nat(12), which, n: fc.nat(20), flags: fc.constantFrom(0, 1, 4, 255), payload: fc.uint8Array({ maxLength: 20 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('bytes'), bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pass'), ms: fc.integer({ min: 1, max: 700 }) }) },
  { weight: 1, arbitrary: fc.constantFrom({ kind: 'end' }, { kind: 'error' }) }
)
/** What becomes of the bytes of an event on their way. */
const damage = fc.oneof({ weight: 30, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.record({ how: fc.constantFrom('flip', 'cut', 'twice'), at: fc.nat(60), bit: fc.nat(7) }) })
const cuts = fc.oneof(fc.constant([]), fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 5 }))

const options = fc.record({
  pipelining: fc.integer({ min: 1, max: 6 }),
  timeout: fc.constant(1),
  requests: fc.array(fc.record({ method: fc.constantFrom('GET', 'HEAD', 'POST'), body: fc.constantFrom(undefined, undefined, 'x'.repeat(30), 'x'.repeat(70_000)), onResponse: fc.constantFrom(undefined, () => {}) }, { requiredKeys: [] }), { minLength: 1, maxLength: 3 }),
  reconnectRate: fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined }),
  rate: fc.option(fc.constantFrom(10, 100), { nil: undefined }),
  amount: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined })
})

/** @returns {Buffer} what the event is on the wire of a server */
function bytesOf (event, server) {
  const { waiting, requests } = server
  const stream = () => {
    switch (event.which) {
      case 'waits': return waiting[event.n % waiting.length].id
      case 'was': return requests[event.n % requests.length].id
      case 'idle': return (requests.at(-1)?.id ?? 0) + 20
      case 'even': return 2 * event.n + 2
      default: return 0
    }
  }
  if ((event.which === 'waits' && waiting.length === 0) || (event.which === 'was' && requests.length === 0)) return Buffer.alloc(0)
  switch (event.kind) {
    case 'answer': {
      if (waiting.length === 0) return Buffer.alloc(0)
      const request = waiting[event.n % waiting.length]
      if (request.begun) return server.end(request, event.body ?? '')
      if (event.body === null) server.end(request)
      return event.body === null ? frame(1, 5, request.id, block([[':status', '204']])) : Buffer.concat([server.begin(request), server.end(request, event.body)])
    }
    case 'begin': {
      const request = waiting[event.n % waiting.length]
      return request === undefined || request.begun ? Buffer.alloc(0) : server.begin(request, 'b')
    }
    case 'headers': return frame(1, event.flags, stream(), block([[':status', event.status], ...event.fields]))
    case 'data': return frame(0, event.flags, stream(), event.payload)
    case 'reset': {
      const id = stream()
      server.waiting = waiting.filter(request => request.id !== id)
      return frame(3, 0, id, u32(event.code))
    }
    case 'update': return frame(8, 0, stream(), u32(event.by))
    case 'settings': return frame(4, 0, 0, Buffer.concat(event.settings.map(setting)))
    case 'goaway': return frame(7, 0, 0, Buffer.concat([u32(event.last), u32(event.code)]))
    case 'frame': return frame(event.type, event.flags, stream(), event.payload)
    case 'bytes': return Buffer.from(event.bytes)
  }
  throw new Error(event.kind)
}

function damaged (bytes, damage) {
  if (damage === null || bytes.length === 0) return bytes
  const at = damage.at % bytes.length
  if (damage.how === 'cut') return bytes.subarray(0, at)
  if (damage.how === 'twice') return Buffer.concat([bytes, bytes])
  const copy = Buffer.from(bytes)
  copy[at] ^= 1 << damage.bit
  return copy
}

/** @returns {Buffer} settings with which a connection can begin */
const greetingOf = settings => Buffer.concat((settings ?? []).filter(([number, value]) => number !== 2 && number !== 5 && value < 2 ** 31).map(setting))

/** Sends the bytes in reads of these sizes, as long as the peer reads. */
function say (socket, bytes, sizes) {
  for (const size of [...sizes, bytes.length]) {
    if (socket.destroyed || bytes.length === 0) return
    socket.read(bytes.subarray(0, size))
    bytes = bytes.subarray(size)
  }
}

t.test('whatever a server says, nothing is thrown, every request has one fate, and the rate knows its room', async t => {
  const total = { sent: 0, resent: 0, timedOut: 0, completed: 0, failed: 0, abandoned: 0 }
  const codes = {}
  fc.assert(fc.property(options, fc.option(settings, { freq: 3 }), fc.array(fc.tuple(event, damage, cuts), { minLength: 10, maxLength: 60 }), (opts, greeting, events) => {
    const log = playServers(KIND, { duration: 1000, ...opts })
    const greet = () => log.ready(undefined, greetingOf(greeting))
    log.generator.start()
    let server = greet()
    const [connection] = log.generator.connections.list
    for (const [event, harm, sizes] of events) {
      const socket = log.sockets.at(-1)
      if (event.kind === 'pass') log.time.pass(event.ms)
      else if (socket.destroyed) continue
      else if (socket !== server.socket) server = greet()
      else if (event.kind === 'error') socket.emit('error', Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
      else if (event.kind === 'end') socket.emit('end')
      else say(socket, damaged(bytesOf(event, server), harm), sizes)
      if (connection.queue !== null && connection.queue.free !== (connection.state === OPEN && connection.offersRoom ? connection.room : 0)) throw new Error('the queue does not know the room')
    }
    // What waits has a timeout, and what is over an amount ends: nothing hangs, even if both sides are silent.
    log.time.pass(5000)
    if (log.ends === 0 && connection.exchanges.count > 0 && log.time.ms - connection.exchanges.started[connection.exchanges.oldest] > 1200) throw new Error('a request outlives its timeout')
    log.generator.stop()
    if (log.ends !== 1) throw new Error('the run does not end')
    for (const [name, n] of Object.entries(log.total)) {
      if (name in total) total[name] += n
      else codes[name] = (codes[name] ?? 0) + n
    }
    const { sent, resent, completed, timedOut, failed, abandoned } = log.total
    if (sent !== completed + timedOut + failed + abandoned) throw new Error(`sent ${sent}, and ${JSON.stringify(log.total)}`)
    const arrived = log.servers.reduce((sum, { requests }) => sum + requests.length, 0)
    // A body that waits for a window does not arrive.
    const whole = opts.requests.every(({ body }) => body === undefined)
    if (whole ? arrived !== sent + resent : arrived > sent + resent) throw new Error(`${arrived} arrived of ${sent} and ${resent}`)
    if (opts.amount !== undefined && sent > opts.amount) throw new Error(`${sent} sent of ${opts.amount}`)
  }), { seed: SEED, numRuns: RUNS })
  if (RUNS >= 300) t.ok(Object.values(total).every(n => n > 20) && Object.keys(codes).length > 20, JSON.stringify([total, codes]))
})

t.test('users that share connections have no part in what becomes of others, and every request has one fate', async t => {
  const total = { sent: 0, resent: 0, timedOut: 0, completed: 0, failed: 0, abandoned: 0 }
  const users = fc.record({
    connections: fc.integer({ min: 1, max: 2 }),
    pipelining: fc.integer({ min: 1, max: 5 }),
    amount: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
    reconnectRate: fc.option(fc.integer({ min: 5, max: 12 }), { nil: undefined }),
    rate: fc.option(fc.constantFrom(10, 100), { nil: undefined }),
    method: fc.constantFrom('GET', 'POST'),
    pause: fc.constantFrom(undefined, 0.3)
  })
  fc.assert(fc.property(users, fc.option(settings, { freq: 3 }), fc.array(fc.tuple(event, damage, cuts, fc.nat(3)), { minLength: 10, maxLength: 60 }), ({ method, pause, ...opts }, greeting, events) => {
    const log = playServers(KIND, { http: '2', duration: 1000, timeout: 1, scenarios: [{ name: 'browse', requests: [{ path: '/a', method, ...pause !== undefined && opts.rate === undefined && { pause } }, { path: '/b', method }] }], ...opts })
    log.generator.start()
    log.time.pass(1)
    for (const [event, harm, sizes, n] of events) {
      const sockets = log.sockets.filter(({ destroyed }) => !destroyed)
      const socket = sockets[n % sockets.length]
      const server = log.servers.find(server => server.socket === socket)
      if (event.kind === 'pass' || socket === undefined) log.time.pass(event.ms ?? 10)
      else if (server === undefined) log.ready(socket, greetingOf(greeting))
      else if (event.kind === 'error') socket.emit('error', Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
      else if (event.kind === 'end') socket.emit('end')
      else say(socket, damaged(bytesOf(event, server), harm), sizes)
    }
    log.time.pass(5000)
    log.generator.stop()
    if (log.ends !== 1) throw new Error('the run does not end')
    for (const name of Object.keys(total)) total[name] += log.total[name]
    const { sent, resent, completed, timedOut, failed, abandoned } = log.total
    if (sent !== completed + timedOut + failed + abandoned) throw new Error(`sent ${sent}, and ${JSON.stringify(log.total)}`)
    const arrived = log.servers.reduce((sum, { requests }) => sum + requests.length, 0)
    if (arrived > sent + resent) throw new Error(`${arrived} arrived of ${sent} and ${resent}`)
    if (opts.amount !== undefined && sent > opts.amount) throw new Error(`${sent} sent of ${opts.amount}`)
  }), { seed: SEED, numRuns: RUNS })
  if (RUNS >= 300) t.ok(Object.values(total).every(n => n > 20), JSON.stringify(total))
})

t.test('whatever a peer greets with, the connection is used, or its error has a name', async t => {
  const codes = {}
  fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), cuts, (bytes, framed, sizes) => {
    const log = playServers(KIND, { amount: 1, timeout: 1, duration: 10 })
    log.generator.start()
    const [socket] = log.sockets
    socket.write = () => true
    socket.ready()
    say(socket, framed ? frame(bytes[0] % 12, bytes[1] ?? 0, (bytes[2] ?? 0) % 3, bytes.subarray(3)) : Buffer.from(bytes), sizes)
    if (!socket.destroyed) socket.emit('end')
    log.generator.stop()
    for (const code of Object.keys(log.result().errorCodes)) codes[code] = true
    return log.ends === 1
  }), { seed: SEED, numRuns: RUNS })
  t.ok(codes.AC_H2_PREFACE && codes.AC_CLOSED, JSON.stringify(codes))
})
