'use strict'

// Users over HTTP/2, with exact times: each is one of the streams that a connection keeps open. The clock and the server are the test's.

const t = require('tap')
const { conserves } = require('../helpers/results/conservation')
const { block, frame } = require('../helpers/servers/http2-server')
const { REQUESTS, usersOf, answer, answerAll, goaway, paths, end } = require('./helpers/users-over-http2')

t.test('users share connections, as many each as streams are asked for, and each sends its next request when it has its answer', async t => {
  const log = usersOf({ connections: 2, pipelining: 3 })
  const [one, two] = log.start()
  t.equal(log.sockets.length, 2)
  t.strictSame([paths(one), paths(two)], [['/a', '/a', '/a'], ['/a', '/a', '/a']])
  answer(one, one.waiting[1])
  t.strictSame(paths(one), ['/a', '/a', '/a', '/b'])
  answerAll(one)
  t.strictSame(paths(one), ['/a', '/a', '/a', '/b', '/b', '/b', '/a'])
  const result = end(t, log)
  t.match(result.iterations, { started: 7, completed: 1, unfinished: 6 })
  t.match(result, { connect: { totalCount: 2 }, requests: { total: 4 } })
})

t.test('a read of a connection leads to one write of it, for any mix of users', async t => {
  const log = usersOf({ connections: 1, pipelining: 100 })
  const [server] = log.start()
  const before = server.writes
  answerAll(server)
  t.equal(server.requests.length, 200)
  t.equal(server.writes, before + 1)
  end(t, log)
})

t.test('without more than one stream each user has a connection', async t => {
  const log = usersOf({ connections: 3 })
  t.equal(log.start().length, 3)
  t.match(end(t, log), { connect: { totalCount: 3 } })
})

t.test('what hooks see is of the user, and answers that come in pieces are whole', async t => {
  const seen = []
  const onResponse = (status, body, context) => { seen.push([status, body, context.n]) }
  let n = 0
  const setupRequest = (request, context) => {
    context.n ??= n++
    return request
  }
  const log = usersOf({ pipelining: 2, scenarios: [{ requests: [{ path: '/a', setupRequest, onResponse }] }] })
  const [server] = log.start()
  const [first, second] = server.waiting
  server.socket.read(Buffer.concat([server.begin(first, 'one '), server.begin(second, 'two ')]))
  server.socket.read(Buffer.concat([server.end(second, 'more'), server.end(first, 'most')]))
  t.strictSame(seen, [[200, 'two more', 1], [200, 'one most', 0]])
  end(t, log)
})

t.test('a server that keeps fewer streams open: users wait for one in order, and that time is of their latency', async t => {
  const log = usersOf({ pipelining: 4, scenarios: [{ requests: [{ path: '/{{counter}}' }] }], amount: 4 })
  log.generator.start()
  const server = log.ready(0, Buffer.from([0, 3, 0, 0, 0, 2]))
  t.equal(server.requests.length, 2)
  const [one, two] = paths(server)
  log.time.pass(10)
  answerAll(server)
  t.notOk(paths(server).slice(2).some(path => path === one || path === two), 'the two others are next')
  t.equal(server.requests.length, 4)
  log.time.pass(10)
  answerAll(server)
  const result = end(t, log, 0)
  t.strictSame([result.latency.min, result.latency.max], [10, 20])
})

t.test('a user that waits too long times out alone: its stream is reset, and a waiting user has it', async t => {
  const log = usersOf({ pipelining: 2, timeout: 1, duration: 5 })
  log.generator.start()
  const server = log.ready(0, Buffer.from([0, 3, 0, 0, 0, 1]))
  log.time.pass(500)
  t.equal(server.requests.length, 1)
  answerAll(server)
  t.equal(server.requests.length, 2)
  log.time.pass(600)
  t.strictSame([server.cancelled.length, server.requests.length, server.waiting.length], [1, 3, 1])
  answerAll(server)
  t.equal(log.sockets.length, 1)
  const result = end(t, log, 5000, { neverSeen: 1 })
  t.ok(result.timeouts > 0)
})

t.test('a connection that can not be made is one attempt and one error, however many users wanted it', async t => {
  const log = usersOf({ pipelining: 100, duration: 1 })
  log.generator.start()
  t.equal(log.sockets.length, 1)
  log.sockets[0].emit('error', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
  log.time.pass(15)
  t.equal(log.sockets.length, 2, 'the next one is tried once as well')
  log.ready(1)
  t.equal(log.servers[1].requests.length, 100)
  answerAll(log.servers[1])
  const result = end(t, log, 1000, { neverSent: 1 })
  t.match(result, { errors: 1, errorCodes: { ECONNREFUSED: 1 }, connect: { totalCount: 1 } })
})

t.test('a run by amount against a server that is not there ends, with as many errors as requests', async t => {
  const log = usersOf({ connections: 2, pipelining: 5, amount: 35 })
  log.generator.start()
  for (let i = 0; i < 100 && log.ends === 0; i++) {
    for (const socket of log.sockets) if (!socket.destroyed) socket.emit('error', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
    log.time.pass(100)
  }
  t.match(end(t, log, 0, { neverSent: 35 }), { errors: 35 })
})

t.test('a connection that is not there in time is given up for all, and made anew', async t => {
  const log = usersOf({ pipelining: 10, connectTimeout: 1, duration: 2 })
  log.generator.start()
  log.time.pass(1200)
  t.equal(log.sockets[0].destroyed, true)
  t.equal(log.sockets.length, 2)
  const server = log.ready(1)
  t.equal(server.requests.length, 10)
  t.match(end(t, log, 2000, { neverSent: 1 }), { errors: 1, errorCodes: { AC_CONNECT_TIMEOUT: 1 } })
})

t.test('GOAWAY in the middle of 100 users', async t => {
  t.test('those below the last stream get their answers, those above go to the next connection, and nothing is lost', async t => {
    const log = usersOf({ pipelining: 100, amount: 300 })
    const [server] = log.start()
    answerAll(server)
    const [...waiting] = server.waiting
    t.equal(waiting.length, 100)
    answer(server, ...waiting.slice(0, 10))
    // Streams 201 to 399 carry the second requests, 401 to 419 the third ones of ten users.
    server.socket.read(goaway(299))
    t.equal(log.sockets.length, 2, 'users without a stream do not wait for users with one')
    const next = log.ready(1)
    t.equal(next.requests.length, 60)
    const left = server.waiting.filter(({ id }) => id <= 299)
    t.equal(left.length, 40)
    answer(server, ...left)
    t.equal(server.socket.destroyed, true)
    log.time.pass(1)
    t.equal(next.requests.length, 100)
    t.equal(log.sockets.length, 2)
    for (let i = 0; i < 10 && next.waiting.length > 0; i++) answerAll(next)
    t.match(end(t, log, 0), { errors: 0, resent: 60, requests: { total: 300, sent: 300 } })
  })

  t.test('a request that must not arrive twice is sent again as well: the server did nothing with it', async t => {
    const log = usersOf({ pipelining: 2, amount: 4, scenarios: [{ requests: [{ method: 'POST', path: '/', body: 'x' }] }] })
    const [server] = log.start()
    answer(server, server.waiting[0])
    server.socket.read(goaway(1))
    const next = log.ready(1)
    for (let i = 0; i < 10 && next.waiting.length > 0; i++) answerAll(next)
    t.match(end(t, log, 0), { errors: 0, resent: 2, requests: { total: 4 } })
  })

  t.test('by an error it is counted once where all had their answers', async t => {
    const log = usersOf({ pipelining: 10, scenarios: [{ requests: [{ path: '/', pause: '1s' }] }], duration: 3 })
    const [server] = log.start()
    answerAll(server)
    server.socket.read(goaway(2 ** 31 - 1, 11))
    log.time.pass(1000)
    log.ready(1)
    const result = end(t, log, 3000, { neverSent: 1 })
    t.match(result, { errors: 1, errorCodes: { AC_H2_GOAWAY_ENHANCE_YOUR_CALM: 1 } })
  })

  t.test('behind each few answers: users alternate, whichever had the last response', async t => {
    for (const each of [1, 2, 4]) {
      const log = usersOf({ pipelining: 8, amount: 160 })
      log.generator.start()
      for (let i = 0; i < 500 && log.ends === 0; i++) {
        log.time.pass(1)
        const server = log.ready(i)
        const served = server.waiting.slice(0, each)
        server.socket.read(Buffer.concat([...served.map(request => Buffer.concat([server.begin(request, 'hi'), server.end(request)])), goaway(served.at(-1).id)]))
      }
      const result = end(t, log, 0)
      t.match(result, { errors: 0, requests: { total: 160 } })
      t.ok(result.latency.max <= 8 / each + 1, `${each} on each connection: ${result.latency.max} connections for the one who waits longest`)
    }
  })

  t.test('by an error it is counted once where all that was in flight is sent again', async t => {
    for (const scenarios of [undefined, [{ requests: REQUESTS }]]) {
      const log = usersOf({ pipelining: 4, amount: 8, scenarios, requests: scenarios === undefined ? REQUESTS : undefined })
      const [server] = log.start()
      const [first] = server.waiting
      server.socket.read(Buffer.concat([server.begin(first, 'hi'), server.end(first), goaway(first.id, 2)]))
      const next = log.ready(1)
      for (let i = 0; i < 10 && next.waiting.length > 0; i++) answerAll(next)
      t.match(end(t, log, 0, { neverSent: 1 }), { errors: 1, errorCodes: { AC_H2_GOAWAY_INTERNAL_ERROR: 1 }, requests: { total: 8 } })
    }
  })

  t.test('a user who is given up on such a connection goes on with the next', async t => {
    const log = usersOf({ pipelining: 2, timeout: 1, duration: 5 })
    const [server] = log.start()
    answer(server, server.waiting[0])
    server.socket.read(goaway(3))
    log.ready(1)
    log.time.pass(1500)
    t.equal(server.socket.destroyed, true)
    t.ok(log.servers[1].requests.length >= 2)
    end(t, log, 5000)
  })
})

t.test('a connection that is lost', async t => {
  t.test('by RST behind responses: what was in flight on it is sent again, and no paused user comes back', async t => {
    const log = usersOf({ pipelining: 4, scenarios: [{ requests: [{ path: '/a', pause: '1s' }] }], duration: 5 })
    const [server] = log.start()
    answer(server, ...server.waiting.slice(0, 3))
    server.socket.emit('error', Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
    log.time.pass(20)
    t.equal(log.sockets.length, 2, 'the one who had something in flight comes back at once')
    log.ready(1)
    log.time.pass(1000)
    t.equal(log.servers[1].requests.length, 4)
    t.equal(log.sockets.length, 2)
    t.match(end(t, log, 5000), { errors: 0, resent: 1 })
  })

  t.test('by what breaks the protocol: an error of each whose answer it was to bring', async t => {
    const log = usersOf({ pipelining: 4, duration: 2 })
    const [server] = log.start()
    answer(server, server.waiting[0])
    server.socket.read(frame(0, 1, 99, 'x'))
    log.ready(1)
    t.equal(log.servers[1].requests.length, 4)
    t.match(end(t, log, 2000), { errors: 4, errorCodes: { AC_UNREQUESTED: 4 } })
  })

  t.test('in an orderly way behind answers: requests that may arrive twice are sent again', async t => {
    const log = usersOf({ pipelining: 3, amount: 6 })
    const [server] = log.start()
    answer(server, server.waiting[0])
    server.socket.emit('end')
    const next = log.ready(1)
    for (let i = 0; i < 10 && next.waiting.length > 0; i++) answerAll(next)
    t.match(end(t, log, 0), { errors: 0, resent: 3, requests: { total: 6 } })
  })
})

t.test('reconnectRate counts the requests of a connection, of all its users', async t => {
  const log = usersOf({ pipelining: 3, reconnectRate: 5, amount: 20 })
  log.generator.start()
  for (let i = 0; i < 20 && log.ends === 0; i++) {
    for (let one = log.servers.length; one < log.sockets.length; one++) log.ready(one)
    for (const server of log.servers) if (!server.socket.destroyed) answerAll(server)
    log.time.pass(1)
  }
  t.strictSame(log.servers.map(({ requests }) => requests.length), [5, 5, 5, 5])
  t.match(end(t, log, 0), { errors: 0, resent: 0, requests: { total: 20 }, connect: { totalCount: 4 } })
})

t.test('users who come find a place on a connection that is there, and one without users is closed', async t => {
  const log = usersOf({ connections: 1, pipelining: 2, stages: [{ duration: 2, connections: 2 }, { duration: 0, connections: 0 }, { duration: 2, connections: 0 }], duration: undefined })
  log.generator.start()
  log.time.pass(1)
  log.ready()
  const serve = ms => {
    for (let i = 0; i < ms / 10; i++) {
      for (let one = log.servers.length; one < log.sockets.length; one++) log.ready(one)
      for (const server of log.servers) if (!server.socket.destroyed) answerAll(server)
      log.time.pass(10)
    }
  }
  serve(100)
  t.equal(log.sockets.length, 2)
  serve(1500)
  t.equal(log.sockets.length, 2)
  serve(1000)
  t.strictSame(log.sockets.map(({ destroyed }) => destroyed), [true, true])
  const result = end(t, log, 4000)
  t.match(result, { errors: 0, connect: { totalCount: 2 } })
  t.equal(Math.max(...log.snapshots.map(({ connections }) => connections)), 2, 'connections are counted, not users')
  t.match(result.byStage[0].target, { start: 1, end: 2, unit: 'connections' })
})

t.test('a rate of requests goes to users who have none in flight, and one of iterations to those between iterations', async t => {
  for (const rate of [100, '100 iterations/s']) {
    const log = usersOf({ connections: 2, pipelining: 5, rate, scenarios: [{ requests: [{ path: '/' }] }], duration: 2 })
    log.start()
    for (let i = 0; i < 200; i++) {
      log.time.pass(10)
      for (const server of log.servers) answerAll(server)
    }
    const result = end(t, log, 100)
    t.ok(Math.abs(result.requests.total - 200) <= 2, `${rate}: ${result.requests.total}`)
    t.equal(result.errors, 0)
  }
})

t.test('a redirect to another server: users share a connection there as well, and come back to that they left', async t => {
  const log = usersOf({ pipelining: 3, redirects: 5, redirectsAnywhere: true, scenarios: [{ requests: [{ path: '/' }] }], amount: 12 })
  log.generator.start()
  log.time.pass(1)
  const redirects = server => {
    for (const request of server.waiting) server.socket.read(frame(1, 5, request.id, block([[':status', '302'], ['location', 'http://other/there']])))
    server.waiting = []
  }
  redirects(log.ready())
  t.equal(log.sockets.length, 2)
  const other = log.ready()
  t.strictSame(paths(other), ['/there', '/there', '/there'])
  answerAll(other)
  log.time.pass(1)
  t.equal(log.servers[0].requests.length, 6)
  redirects(log.servers[0])
  log.time.pass(1)
  t.equal(other.requests.length, 6)
  answerAll(other)
  t.equal(log.sockets.length, 2)
  t.match(end(t, log, 0), { errors: 0, iterations: { completed: 6 } })
})

t.test('the end of the run abandons what is in flight, and closes each connection once', async t => {
  const log = usersOf({ connections: 2, pipelining: 10, duration: 1 })
  const servers = log.start()
  const result = end(t, log, 1000)
  t.equal(result.requests.sent - result.requests.total, 20)
  t.strictSame(servers.map(({ socket }) => socket.destroyed), [true, true])
})

t.test('a server that reads no more', async t => {
  /** What it is given from now on stays in the socket, until it hears again. */
  const deafen = server => {
    const { socket, socket: { write } } = server
    server.kept = []
    socket.write = bytes => {
      server.kept.push(bytes)
      socket.writableLength += bytes.length
      return false
    }
    server.hear = () => {
      socket.write = write
      socket.writableLength = 0
      for (const bytes of server.kept) server.receive(bytes)
      socket.emit('drain')
    }
  }

  t.test('is written to until its socket is full and not beyond, and is given up behind the timeout', async t => {
    const log = usersOf({ pipelining: 10, timeout: 2, duration: 60 })
    const [server] = log.start()
    answerAll(server)
    deafen(server)
    for (const request of server.waiting.slice(0, 8)) {
      log.time.pass(100)
      answer(server, request)
    }
    t.equal(server.kept.length, 1)
    for (let i = 0; i < 200 && !server.socket.destroyed; i++) log.time.pass(10)
    t.ok(server.kept.slice(1).every(bytes => bytes[3] === 3), 'but for resets')
    t.ok(server.socket.destroyed)
    t.equal(log.sockets.length, 2, 'all of them share the next connection')
    const next = log.ready(1)
    t.equal(next.requests.length, 10)
    answerAll(next)
    log.generator.stop()
    const result = log.result()
    t.strictSame(result.errorCodes, { AC_TIMEOUT: 3 }, 'what no stream has carried is sent on the next connection')
    // A truncated one has been written, and its response was not seen.
    conserves(t, result, { arrived: server.requests.length + next.requests.length + 1 })
  })

  t.test('for a while: what has waited for that goes out then, in its order, and the wait is of its latency', async t => {
    const log = usersOf({ pipelining: 3, timeout: 2, scenarios: [{ requests: [{ path: '/{{counter}}' }] }], amount: 6 })
    const [server] = log.start()
    deafen(server)
    for (const request of server.waiting) {
      log.time.pass(10)
      answer(server, request)
    }
    log.time.pass(50)
    server.hear()
    const asked = paths(server).slice(3).map(path => Number(path.slice(1)))
    t.strictSame(asked, [...asked].sort((a, b) => a - b))
    t.equal(asked.length, 3)
    answerAll(server)
    t.equal(log.sockets.length, 1)
    t.equal(end(t, log, 0).latency.max, 70)
  })

  t.test('and ends the connection: what waited goes to the next one, and is not sent again', async t => {
    const log = usersOf({ pipelining: 3, timeout: 2, amount: 6 })
    const [server] = log.start()
    deafen(server)
    for (const request of server.waiting) answer(server, request)
    server.socket.emit('end')
    const next = log.ready(1)
    answerAll(next)
    t.strictSame([server.kept.length, next.requests.length], [1, 3])
    t.equal(end(t, log, 0, { neverSeen: 1 }).resent, 1)
  })
})

t.test('a connection that ends before it takes requests', async t => {
  /** Users of which one waits to be sent again, over a connection that is not there yet. */
  const waiting = opts => {
    const log = usersOf({ pipelining: 2, ...opts })
    const [server] = log.start()
    answer(server, server.waiting[0])
    server.socket.read(goaway(5))
    server.socket.emit('end')
    t.equal(log.sockets.length, 2)
    return log
  }
  const ends = {
    'in an orderly way, before it is made': ({ sockets: [, socket] }) => socket.emit('end'),
    'in an orderly way, before SETTINGS': log => log.connect(1).socket.emit('end'),
    'with GOAWAY behind SETTINGS': log => {
      const { socket } = log.connect(1)
      socket.read(Buffer.concat([frame(4, 0, 0), goaway(0)]))
    }
  }
  for (const [how, act] of Object.entries(ends)) {
    t.test(`${how}: what was to be sent again fails, and users go on`, async t => {
      const log = waiting({ amount: 20 })
      act(log)
      for (let i = 0; i < 50 && log.ends === 0; i++) {
        log.time.pass(10)
        for (let one = 2; one < log.sockets.length; one++) if (log.servers[one] === undefined) log.ready(one)
        for (const server of log.servers) if (server !== undefined && !server.socket.destroyed) answerAll(server)
      }
      t.equal(log.ends, 1)
      const result = log.result()
      t.equal(result.requests.total + result.errors, 20)
      t.strictSame(Object.keys(result.errorCodes), ['AC_CLOSED'])
      conserves(t, result, { neverSent: result.errors - result.fates.failed, arrived: log.servers.reduce((sum, server) => sum + (server?.requests.length ?? 0), 0) })
    })
  }
})

t.test('a failure that ends the run opens no connection for users who had not begun on the one that failed', async t => {
  const log = usersOf({ pipelining: 2, bailout: 1 })
  const [server] = log.start()
  const [one, two] = server.waiting
  answer(server, one)
  server.socket.read(goaway(two.id))
  const next = log.ready(1)
  t.equal(next.requests.length, 1)
  answer(server, two)
  next.socket.emit('error', Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
  t.equal(log.ends, 1)
  log.time.pass(1000)
  t.equal(log.sockets.length, 2)
  t.ok(log.sockets.every(({ destroyed }) => destroyed))
  t.match(log.total, { ECONNRESET: 1 })
})
