'use strict'

// Users over HTTP/2 against servers that end connections at any time, also before they take requests. Every seed is one run in fake time; FUZZ_RUNS and
// FUZZ_SEED choose others.

const t = require('tap')
const { conserves } = require('../helpers/results/conservation')
const { cases } = require('../helpers/effort')
const { block, frame } = require('../helpers/servers/http2-server')
const { randomFrom } = require('../../lib/core/random')
const { usersOf, answer, goaway } = require('./helpers/users-over-http2')

const RUNS = cases(200, 70)
const SEED = Number(process.env.FUZZ_SEED ?? 9113)

const errorOf = code => Object.assign(new Error(code), { code })
const streamsOf = n => Buffer.from([0, 3, 0, 0, 0, n])

/** @returns {Record<string, any>} options of a run */
function optionsOf (any) {
  const rate = [undefined, undefined, 50, '30 iterations/s'][any(4)]
  const pipelining = 2 + any(5)
  const redirects = any(3) === 0
  return {
    connections: 1 + any(3),
    pipelining,
    timeout: 1,
    connectTimeout: any(2) === 0 ? 1 : 0.3,
    ...any(2) === 0 ? { amount: 50 + any(100) } : { duration: 5 },
    ...rate !== undefined && { rate },
    ...any(3) === 0 && { reconnectRate: pipelining + any(20) },
    ...any(3) === 0 && { retries: any(2) === 0 ? 1 : { times: 3, on: ['AC_CLOSED', 'ECONNRESET', 'AC_TIMEOUT'] } },
    ...any(2) === 0 && { cookies: true },
    ...redirects && { redirects: 3, redirectsAnywhere: true },
    ...any(8) === 0 && { bailout: 1 + any(5) },
    scenarios: [{ requests: [{ path: '/a' }, { path: '/b', method: 'POST', body: 'x', ...any(2) === 0 && rate !== 50 && { pause: '20ms' } }] }]
  }
}

/** What a server does on a connection that takes requests. */
function actionsOf (any, log, { pipelining, redirects }, limited) {
  const some = server => server.waiting.filter(({ begun }) => !begun && any(2) === 0)
  return [
    ...Array(6).fill(server => answer(server, ...some(server))),
    server => {
      if (redirects === undefined) return
      for (const request of some(server)) {
        server.waiting = server.waiting.filter(one => one !== request)
        server.socket.read(frame(1, 5, request.id, block([[':status', '302'], ['location', any(2) === 0 ? 'http://other/there' : 'http://localhost/back']])))
      }
    },
    server => answer(server, ...some(server).slice(0, 1)),
    server => { if (server.waiting.length > 0) server.socket.read(server.begin(server.waiting[any(server.waiting.length)], 'part')) },
    server => { for (const request of server.waiting.filter(({ begun }) => begun)) server.socket.read(server.end(request, 'rest')) },
    server => { for (const { id } of server.waiting.splice(0, 1)) server.socket.read(frame(3, 0, id, [0, 0, 0, any(2) === 0 ? 7 : 8])) },
    server => server.socket.read(goaway(any(2) === 0 ? 2 ** 31 - 1 : 1 + 2 * any(40), any(2))),
    server => server.socket.read(Buffer.concat([goaway(2 ** 31 - 1), goaway(2 * any(20), any(2))])),
    server => {
      server.socket.read(goaway(2 * any(10)))
      server.socket.emit('end')
    },
    server => server.socket.emit('end'),
    server => server.socket.emit('close'),
    server => server.socket.emit('error', errorOf(any(2) === 0 ? 'ECONNRESET' : 'EPIPE')),
    server => { if (limited) server.socket.read(frame(4, 0, 0, streamsOf(any(pipelining + 1)))) },
    server => server.socket.read(frame(0, 1, 9999, 'x')),
    () => log.time.pass(300),
    () => log.time.pass(any(1200))
  ]
}

/** What becomes of a connection that does not take requests yet. */
function startsOf (any, log, pipelining, limited) {
  const isOpen = i => log.servers[i] !== undefined
  const socketOf = i => log.sockets[i]
  const settings = () => limited ? streamsOf(any(pipelining + 1)) : ''
  const greet = i => {
    if (!isOpen(i)) log.connect(i)
    log.servers[i].isGreeted = true
    log.servers[i].greet(settings())
  }
  return [
    ...Array(12).fill(greet),
    i => { if (!isOpen(i)) log.connect(i) },
    i => socketOf(i).emit('end'),
    i => socketOf(i).emit('close'),
    i => socketOf(i).emit('error', errorOf(['ECONNREFUSED', 'ECONNRESET', 'EMFILE', 'EADDRNOTAVAIL'][any(4)])),
    // Bytes in place of SETTINGS: GOAWAY, a TLS alert, HTTP/1.1, a part of a frame.
    i => { if (isOpen(i)) socketOf(i).read([goaway(0), Buffer.from([21, 3, 3, 0, 2, 2, 40]), Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), Buffer.from([0, 0])][any(4)]) },
    // SETTINGS and the end in one read.
    i => {
      if (!isOpen(i)) log.connect(i)
      log.servers[i].isGreeted = true
      socketOf(i).read(Buffer.concat([frame(4, 0, 0, settings()), goaway(any(3), any(2))]))
      if (any(2) === 0) socketOf(i).emit('end')
    },
    () => log.time.pass(any(1200))
  ]
}

t.test('whatever servers do, each request has one fate, each iteration one end, and the run ends', async t => {
  for (let i = 0; i < RUNS; i++) {
    const random = randomFrom(SEED + i)
    const any = n => Math.floor(random() * n)
    const limited = i % 3 === 0
    const opts = optionsOf(any)
    const log = usersOf(opts)
    const actions = actionsOf(any, log, opts, limited)
    const starts = startsOf(any, log, opts.pipelining, limited)
    const stopsAt = any(4) === 0 ? any(100) : Infinity
    const oneOf = list => list[any(list.length)]
    log.generator.start()
    let most = 0
    for (let step = 0; step < 3000 && log.ends === 0; step++) {
      if (step === stopsAt) log.generator.stop()
      for (let one = 0; one < log.sockets.length && log.ends === 0; one++) if (!log.sockets[one].destroyed && !log.servers[one]?.isGreeted) oneOf(starts)(one)
      log.time.pass(1 + any(20))
      // Several at the same time, too: users that have joined a connection send in the next turn.
      for (let n = 1 + any(3); n > 0; n--) {
        const servers = log.servers.filter(server => server !== undefined && server.isGreeted && !server.socket.destroyed)
        if (servers.length > 0) oneOf(actions)(oneOf(servers))
      }
      most = Math.max(most, log.sockets.filter(({ destroyed }) => !destroyed).length)
    }
    const name = `FUZZ_SEED=${SEED + i} FUZZ_RUNS=1`
    t.ok(most <= opts.connections * opts.pipelining * (opts.redirects === undefined ? 1 : 2), `${name}: each user is on one connection for each server at the most`)
    t.equal(log.ends, 1, `${name}: the run ends once`)
    log.time.pass(5000)
    t.ok(log.sockets.every(({ destroyed }) => destroyed), `${name}: no connection is left`)
    if (log.snapshots.length === 0) continue
    const result = log.result()
    const { sent, timedOut, failed } = result.fates
    const arrived = log.servers.reduce((sum, server) => sum + (server?.requests.length ?? 0), 0)
    conserves(t, result, { neverSent: result.errors - timedOut - failed, ...limited ? {} : { arrived } })
    if (limited) t.ok(arrived <= sent + result.resent, `${name}: no request arrives that is not counted`)
    t.ok(result.resent >= 0, name)
    const { started, completed, cut, unfinished } = result.iterations
    t.equal(started, completed + cut + unfinished, name)
  }
})
