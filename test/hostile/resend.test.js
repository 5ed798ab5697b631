'use strict'

// A reused connection ends, by FIN or RST: an idempotent request without a byte of its response is sent again on the next connection (RFC 9110 §9.2.2).
// It stays the same request: it is sent once, has one fate, and its clock goes on.

const { readFileSync } = require('node:fs')
const path = require('node:path')
const t = require('tap')
const autocannon = require('../..')
const { rawServer, answer } = require('../helpers/servers/raw-server')
const { conserves } = require('../helpers/results/conservation')
const { generatorOf, begin, after, responses, ANSWER } = require('../engine/helpers/fake-load')

const [KEY, CERT] = ['key', 'cert'].map(name => readFileSync(path.join(__dirname, `../fixtures/tls/${name}.pem`)))

const LAST = answer('', 'Connection: close\r\n')
const LAST_BYTES = Buffer.from(LAST)

const run = (server, opts) => autocannon({ url: server.url, connections: 1, timeout: 20, ...opts })

/** Paths 0 to n - 1, each with what is given. */
const paths = (n, more = {}) => Array.from({ length: n }, (_, i) => ({ path: `/${i}`, ...more }))
/** What a connection was asked for, in its order. */
const asked = connection => connection.requests.map(({ head }) => head.split(' ', 2).join(' '))

/** Once `depth` requests are there, answers `n` of them, the last with these bytes. */
const answersOf = (depth, n, last) => (connection, { index }) => {
  if (index === depth - 1) connection.send(answer().repeat(n - 1) + last).end()
}

t.test('what is behind the last answer', async t => {
  for (const [how, last] of [['announced by Connection: close', LAST], ['not announced', answer()], ['that ends with the connection', 'HTTP/1.1 200 OK\r\n\r\nbody']]) {
    t.test(`${how} is sent again, in its order, before anything else`, async t => {
      const server = await rawServer(t, [answersOf(8, 3, last), answer()])
      const result = await run(server, { requests: paths(8), pipelining: 8, amount: 16 })
      const [first, second] = server.connections.map(asked)
      t.strictSame(first.slice(0, 8), paths(8).map(({ path }) => `GET ${path}`))
      t.strictSame(second, [3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7].map(i => `GET /${i}`))
      t.equal(server.connections.length, 2)
      t.strictSame(result.fates, { sent: 16, completed: 16, timedOut: 0, failed: 0, abandoned: 0 })
      t.equal(result.errors, 0)
      conserves(t, result, { arrived: server.requests.length })
    })
  }

  t.test('is sent again although the server breaks the connection off behind the announcement', async t => {
    const server = await rawServer(t, [(connection, { index }) => { if (index === 4) connection.send(answer() + LAST).reset() }, answer()])
    const result = await run(server, { pipelining: 5, amount: 5 })
    t.strictSame(result.fates, { sent: 5, completed: 5, timedOut: 0, failed: 0, abandoned: 0 })
    t.equal(result.resent, 3)
    conserves(t, result, { arrived: server.requests.length })
  })

  t.test('may be one request: an idle time-out of the server that races with a write', async t => {
    const server = await rawServer(t, (connection, { index }) => index < 2 ? connection.send(answer()) : connection.end())
    const result = await run(server, { amount: 9 })
    t.strictSame(server.connections.map(({ requests }) => requests.length), [3, 3, 3, 3, 1])
    t.strictSame(result.fates, { sent: 9, completed: 9, timedOut: 0, failed: 0, abandoned: 0 })
    t.equal(result.resent, 4)
    conserves(t, result, { arrived: server.requests.length })
  })

  t.test('is sent again in as many writes as it takes', async t => {
    const body = Buffer.alloc(700_000, 'x')
    const server = await rawServer(t, [answersOf(4, 1, LAST), answer()])
    const result = await run(server, { method: 'PUT', body, pipelining: 4, amount: 6 })
    t.strictSame(server.connections.map(({ requests }) => requests.length), [4, 5])
    t.ok(server.requests.every(request => request.body.equals(body)))
    t.equal(result.resent, 3)
    t.equal(result.fates.completed, 6)
    conserves(t, result, { arrived: 9 })
  })

  t.test('costs no error at the limit of requests that servers set for a connection', async t => {
    // nginx has keepalive_requests 1000.
    const server = await rawServer(t, (connection, { index }) => {
      if (index < 999) connection.send(answer('hello'))
      else if (index === 999) connection.send(LAST).end()
    })
    const result = await run(server, { connections: 2, pipelining: 10, amount: 10_000 })
    t.equal(server.connections.length, 10)
    t.strictSame(result.fates, { sent: 10_000, completed: 10_000, timedOut: 0, failed: 0, abandoned: 0 })
    t.ok(result.resent > 0 && result.resent <= 8 * 9, `${result.resent} were sent again`)
    conserves(t, result, { arrived: server.requests.length })
  })

  t.test('is sent again as often as connections answer one, and no more often', async t => {
    const server = await rawServer(t, (connection, { index }) => { if (index === 0) connection.send(LAST) })
    const result = await run(server, { pipelining: 10, amount: 30 })
    t.equal(server.connections.length, 30)
    t.equal(result.fates.completed, 30)
    // 9 behind each of the first 21 answers, then 8, 7 … 1.
    t.equal(result.resent, 21 * 9 + 36)
    conserves(t, result, { arrived: server.requests.length })
  })

  t.test('keeps to the reconnectRate', async t => {
    const server = await rawServer(t, [answersOf(4, 1, LAST), answer()])
    const result = await run(server, { pipelining: 4, reconnectRate: 5, amount: 12 })
    // 5 of which 1 was answered; then no more than 5 on each.
    t.ok(server.connections.every(({ requests }) => requests.length <= 5))
    t.equal(result.fates.completed, 12)
    t.equal(server.requests.length, 12 + result.resent)
    conserves(t, result, { arrived: server.requests.length })
  })
})

t.test('what must not arrive twice', async t => {
  for (const method of ['POST', 'PATCH', 'CONNECT', 'PURGE']) {
    t.test(`fails: ${method}`, async t => {
      const server = await rawServer(t, answersOf(5, 2, answer('', method === 'CONNECT' ? '' : 'Connection: close\r\n')))
      const result = await run(server, { requests: [{ method: 'GET' }, { method: 'GET' }, ...Array(3).fill({ method })], pipelining: 5, amount: 5 })
      t.equal(server.connections.length, 1)
      t.strictSame(result.errorCodes, { AC_CLOSED: 3 })
      t.equal(result.resent, 0)
      conserves(t, result, { arrived: 5 })
    })
  }

  t.test('fails with all in front of it; what is behind is sent again', async t => {
    const server = await rawServer(t, [answersOf(6, 1, LAST), answer()])
    const methods = ['GET', 'PUT', 'POST', 'GET', 'DELETE', 'HEAD']
    const result = await run(server, { requests: methods.map((method, i) => ({ method, path: `/${i}` })), pipelining: 6, amount: 7 })
    t.strictSame(server.connections.map(asked), [methods.map((method, i) => `${method} /${i}`), ['GET /3', 'DELETE /4', 'HEAD /5', 'GET /0']])
    t.strictSame(result.errorCodes, { AC_CLOSED: 2 })
    t.equal(result.fates.completed, 5)
    t.equal(result.resent, 3)
    conserves(t, result, { arrived: server.requests.length })
  })
})

/** What a reused connection brings before it ends, and how many of the requests in flight that is the beginning of a response to. */
const BROUGHT = {
  'no byte': ['', 0],
  'one byte': ['H', 1],
  'half of a head': ['HTTP/1.1 200 OK\r\nConte', 1],
  'an interim response': ['HTTP/1.1 103 Early Hints\r\n\r\n', 1],
  'half of a body': [answer('hello').slice(0, -2), 1]
}

t.test('however a reused connection ends', async t => {
  const tls = { key: KEY, cert: CERT }
  for (const [scheme, options] of [['HTTP', {}], ['HTTPS', { tls }]]) {
    for (const [how, end, codes] of [
      ['FIN', connection => connection.end(), ['AC_TRUNCATED', 'AC_CLOSED']],
      ['RST', connection => connection.reset(), ['ECONNRESET', 'ECONNRESET']],
      ['FIN without close_notify', connection => connection.truncate(), ['AC_TRUNCATED', 'AC_CLOSED']]
    ]) {
      if (scheme === 'HTTP' && how.endsWith('close_notify')) continue
      for (const [name, [bytes, begun]] of Object.entries(BROUGHT)) {
        for (const pipelining of [1, 3]) {
          for (const method of ['GET', 'PUT', 'DELETE', 'POST']) {
            t.test(`${scheme}, ${how} after ${name}, ${method}, depth ${pipelining}`, async t => {
              const server = await rawServer(t, [(connection, { index }) => {
                if (index === 0) connection.send(answer())
                else if (index === pipelining) end(bytes === '' ? connection : connection.send(bytes))
              }, answer()], options)
              const result = await run(server, { method, pipelining, amount: 8, tlsOptions: { rejectUnauthorized: false } })
              const [first, other] = codes
              const failed = method === 'POST' ? pipelining : begun
              const byOther = failed - begun
              const expected = {}
              if (begun > 0) expected[first] = begun
              if (byOther > 0) expected[other] = (expected[other] ?? 0) + byOther
              t.strictSame(result.errorCodes, expected)
              t.strictSame(result.fates, { sent: 8, completed: 8 - failed, timedOut: 0, failed, abandoned: 0 })
              t.equal(result.resent, pipelining - failed)
              t.equal(server.connections.length, 2)
              conserves(t, result, { arrived: 8 + result.resent })
            })
          }
        }
      }
    }
  }

  for (const [how, end] of [
    ['end', socket => socket.emit('end')],
    ['close', socket => socket.emit('close')],
    ...['ECONNRESET', 'EPIPE'].map(code => [code, socket => socket.emit('error', Object.assign(new Error(code), { code }))])
  ]) {
    t.test(`the event ${how}: the request is sent again, at once`, async t => {
      const log = generatorOf({ amount: 2 })
      begin(log)
      log.sockets[0].read(ANSWER)
      end(log.sockets[0])
      t.equal(log.sockets.length, 2)
      log.sockets[1].ready()
      log.sockets[1].read(ANSWER)
      t.match(log.total, { sent: 2, completed: 2, failed: 0, resent: 1 })
      conserves(t, log.result())
    })

    t.test(`the event ${how} with a rate: the latency counts from the intended time`, async t => {
      const log = generatorOf({ rate: 100, amount: 2 })
      begin(log)
      log.sockets[0].read(ANSWER)
      log.time.pass(15)
      // The second request was due at 10.
      end(log.sockets[0])
      log.sockets[1].ready()
      log.time.pass(3)
      log.sockets[1].read(ANSWER)
      const result = log.result()
      t.match(result, { resent: 1, errors: 0, latency: { max: 8 } })
      conserves(t, result)
    })

    t.test(`the event ${how} while the connection is idle is no error`, async t => {
      const log = generatorOf({ rate: 100, duration: 0.04 })
      begin(log)
      log.sockets[0].read(ANSWER)
      log.time.pass(5)
      end(log.sockets[0])
      log.sockets[1].ready(after(1))
      log.time.pass(100)
      const result = log.result()
      t.match(result, { errors: 0, resent: 0 })
      conserves(t, result)
    })
  }

  t.test('each reused connection is reset: each request is sent twice at most, and completes', async t => {
    const server = await rawServer(t, (connection, { index }) => index === 0 ? connection.send(answer()) : connection.reset())
    const result = await run(server, { amount: 20 })
    t.strictSame(result.fates, { sent: 20, completed: 20, timedOut: 0, failed: 0, abandoned: 0 })
    t.equal(result.resent, 19)
    t.equal(server.connections.length, 20)
    conserves(t, result, { arrived: 39 })
  })

  t.test('in worker threads: each request is sent twice at most, and completes', async t => {
    const server = await rawServer(t, (connection, { index }) => index === 0 ? connection.send(answer()) : connection.reset())
    const result = await run(server, { connections: 2, workers: 2, amount: 20 })
    t.strictSame(result.fates, { sent: 20, completed: 20, timedOut: 0, failed: 0, abandoned: 0 })
    t.equal(result.resent, 18)
    conserves(t, result, { arrived: server.requests.length })
  })

  t.test('a request whose new connection is reset as well fails', async t => {
    const server = await rawServer(t, [(connection, { index }) => index === 0 ? connection.send(answer()) : connection.reset(), connection => connection.reset(), answer()])
    const result = await run(server, { amount: 4 })
    t.strictSame(result.errorCodes, { ECONNRESET: 1 })
    t.match(result, { resent: 1, fates: { completed: 3, failed: 1 } })
    conserves(t, result, { arrived: server.requests.length })
  })

  for (const method of ['HEAD', 'OPTIONS', 'TRACE', 'PATCH', 'CONNECT', 'PURGE']) {
    t.test(`RST without a byte, ${method}`, async t => {
      const server = await rawServer(t, [(connection, { index }) => index === 0 ? connection.send(answer()) : connection.reset(), answer()])
      const result = await run(server, { requests: [{ method: 'GET' }, { method }], amount: 2 })
      const isSafe = ['HEAD', 'OPTIONS', 'TRACE'].includes(method)
      t.strictSame(result.errorCodes, isSafe ? {} : { ECONNRESET: 1 })
      t.equal(result.resent, isSafe ? 1 : 0)
      conserves(t, result, { arrived: server.requests.length })
    })
  }
})

t.test('what is not sent again', async t => {
  for (const [how, end, errorCodes] of [
    ['behind garbage', connection => connection.send(answer() + 'garbage'), { AC_STATUS_LINE: 3 }]
  ]) {
    t.test(how, async t => {
      const server = await rawServer(t, (connection, { index }) => { if (index === 3) end(connection) })
      const result = await run(server, { pipelining: 4, amount: 4 })
      t.strictSame(result.fates, { sent: 4, completed: 1, timedOut: 0, failed: 3, abandoned: 0 })
      t.strictSame(result.errorCodes, errorCodes)
      t.equal(server.connections.length, 1)
      conserves(t, result, { arrived: 4 })
    })
  }

  t.test('on a connection without any answer: a request that kills each one fails, and the others live', async t => {
    const server = await rawServer(t, (connection, { head }) => head.startsWith('GET /kill') ? connection.end() : connection.send(answer()))
    const result = await run(server, { requests: [{ path: '/ok' }, { path: '/kill' }, { path: '/ok' }], amount: 30 })
    t.strictSame(result.fates, { sent: 30, completed: 20, timedOut: 0, failed: 10, abandoned: 0 })
    t.strictSame(result.errorCodes, { AC_CLOSED: 10 })
    t.equal(result.resent, 10, 'each once, to find out')
    conserves(t, result, { arrived: server.requests.length })
  })
})

t.test('requests of hooks', async t => {
  t.test('are sent again as they were: no hook is called twice, no id changes, each has its context', async t => {
    const server = await rawServer(t, [answersOf(4, 2, LAST), answer()])
    let made = 0
    const heard = []
    const result = await run(server, {
      requests: [{
        path: '/',
        headers: { 'x-id': '[<id>]' },
        setupRequest (request, context) {
          context.n = made++
          return { ...request, path: `/${context.n}` }
        },
        onResponse (status, body, context) { heard.push(context.n) }
      }],
      idReplacement: true,
      pipelining: 4,
      amount: 8
    })
    const [first, second] = server.connections.map(({ requests }) => requests.map(({ head }) => head))
    t.strictSame(second.slice(0, 2), first.slice(2, 4), 'the same bytes')
    t.equal(new Set([...first, ...second]).size, 8, 'and no others twice')
    t.equal(made, 8)
    t.strictSame(heard, [0, 1, 2, 3, 4, 5, 6, 7])
    t.equal(result.fates.completed, 8)
    t.equal(result.resent, 2)
    conserves(t, result, { arrived: 10 })
  })

  t.test('that must not arrive twice fail, whatever the hook made of the method', async t => {
    const server = await rawServer(t, answersOf(4, 2, LAST))
    const result = await run(server, { requests: [{ setupRequest: request => ({ ...request, method: 'POST' }) }], pipelining: 4, amount: 4 })
    t.strictSame(result.errorCodes, { AC_CLOSED: 2 })
    conserves(t, result, { arrived: 4 })
  })
})

t.test('what a Client changes while a request is in flight', async t => {
  const hooked = { setupRequest: request => request }
  for (const [kind, own] of [['compiled requests', {}], ['requests of hooks', hooked]]) {
    for (const [how, change] of [
      ['setRequest', client => client.setRequest({ method: 'DELETE', path: '/new' })],
      ['setRequests', client => client.setRequests([{ method: 'DELETE', path: '/new' }])],
      ['setRequests with a hook', client => client.setRequests([{ method: 'DELETE', path: '/new', ...hooked }])],
      ['two changes', client => { client.setBody('x'); client.setRequest({ method: 'DELETE', path: '/new' }) }]
    ]) {
      t.test(`concerns what follows: that request is sent again as it was: ${how}, ${kind}`, async t => {
        const server = await rawServer(t, [(connection, { index }) => index === 0 ? connection.send(answer()) : connection.end(), answer()])
        let client
        const instance = run(server, { amount: 4, setupClient (made) { client = made }, requests: [{ path: '/old', ...own }] })
        server.seen(2).then(() => change(client))
        const result = await instance
        t.equal(result.fates.completed, 4)
        t.equal(result.resent, 1)
        t.strictSame(server.connections.map(asked), [['GET /old', 'GET /old'], ['GET /old', 'DELETE /new', 'DELETE /new']])
        conserves(t, result, { arrived: server.requests.length })
      })

      t.test(`does not make it one that may arrive twice: ${how}, ${kind}`, async t => {
        const server = await rawServer(t, [(connection, { index }) => index === 0 ? connection.send(answer()) : connection.end(), answer()])
        let client
        const instance = run(server, { amount: 4, setupClient (made) { client = made }, requests: [{ method: 'POST', path: '/old', ...own }] })
        server.seen(2).then(() => change(client))
        const result = await instance
        t.strictSame(result.errorCodes, { AC_CLOSED: 1 })
        t.strictSame(server.connections.map(asked), [['POST /old', 'POST /old'], ['DELETE /new', 'DELETE /new']])
        conserves(t, result, { arrived: server.requests.length })
      })
    }

    t.test(`while it waits for its next connection does not touch it: ${kind}`, async t => {
      const log = generatorOf({ amount: 4 })
      const [connection] = log.generator.connections.list
      if (own.setupRequest !== undefined) connection.client.setRequests([{ path: '/old', ...own }])
      else connection.client.setRequest({ path: '/old' })
      const sent = []
      begin(log)
      const keep = socket => {
        const write = socket.write.bind(socket)
        socket.write = bytes => { sent.push(bytes.toString().split(' ', 2).join(' ')); return write(bytes) }
      }
      keep(log.sockets[0])
      log.sockets[0].read(ANSWER)
      log.sockets[0].emit('end')
      connection.client.setRequest({ method: 'HEAD', path: '/new' })
      keep(log.sockets[1])
      log.sockets[1].ready()
      // The answer to a GET has a body; taken for one to HEAD, it would be malformed.
      log.sockets[1].read(ANSWER)
      log.sockets[1].read(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n'))
      log.sockets[1].read(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n'))
      t.strictSame(sent, ['GET /old', 'GET /old', 'HEAD /new', 'HEAD /new'])
      t.match(log.total, { sent: 4, completed: 4, resent: 1 })
      conserves(t, log.result())
    })
  }
})

t.test('time', async t => {
  t.test('counts from the first write', async t => {
    const log = generatorOf({ pipelining: 2, amount: 2 })
    begin(log)
    log.time.pass(5)
    log.sockets[0].read(LAST_BYTES)
    log.time.pass(20)
    log.sockets[1].ready()
    log.time.pass(10)
    log.sockets[1].read(ANSWER)
    const { latency, ttfb, connect, fates } = log.result()
    t.match(latency, { min: 5, max: 35 })
    t.match(ttfb, { min: 5, max: 35 })
    t.match(connect, { max: 20 })
    t.equal(fates.completed, 2)
    conserves(t, log.result())
  })

  t.test('runs out while there is no connection', async t => {
    const log = generatorOf({ pipelining: 3, amount: 3, timeout: 1, sampleInt: 100_000 })
    begin(log)
    log.sockets[0].read(LAST_BYTES)
    log.time.pass(1000)
    t.strictSame(log.result().errorCodes, { AC_TIMEOUT: 2 })
    t.match(log.latencies.at(-1), { max: 1000, totalCount: 3 })
    t.ok(log.sockets[1].destroyed)
    t.equal(log.ends, 1)
    conserves(t, log.result())
  })

  t.test('is no longer with a rate than from when it was due', async t => {
    const log = generatorOf({ rate: 100, pipelining: 2, duration: 0.04 })
    begin(log)
    log.sockets[0].read(ANSWER)
    log.time.pass(15)
    // Due at 10, sent then, and asked again at 15.
    log.sockets[0].emit('end')
    log.sockets[1].ready(after(3))
    log.time.pass(30)
    const result = log.result()
    t.match(result.rate, { sent: 4, late: 0, unsent: 0 })
    t.match(result.latency, { max: 8 })
    t.match(result.serviceTime, { max: 8 })
    t.equal(result.resent, 1)
    conserves(t, result)
  })
})

t.test('a server that is gone when it should be sent again', async t => {
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })

  t.test('fails it with how its connection ended: it was sent, and has a fate', async t => {
    const log = generatorOf({ pipelining: 3, amount: 6 })
    begin(log)
    log.sockets[0].read(Buffer.concat([ANSWER, LAST_BYTES]))
    log.sockets[1].emit('error', refused)
    t.strictSame(log.sockets.length, 2, 'the next attempt waits')
    log.time.pass(10)
    log.sockets[2].ready()
    log.sockets[2].read(responses(3))
    t.match(log.total, { sent: 6, completed: 5, failed: 1, neverSent: 0, AC_CLOSED: 1 })
    conserves(t, log.result())
  })

  t.test('counts what was in flight by the end of the connection, and attempts to connect by theirs', async t => {
    const log = generatorOf({ pipelining: 3, amount: 9 })
    begin(log)
    log.sockets[0].read(ANSWER)
    log.sockets[0].emit('error', Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
    for (let i = 1; log.ends === 0 && i < 10; i++) {
      log.sockets[i].emit('error', refused)
      log.time.pass(200)
    }
    t.match(log.total, { sent: 3, completed: 1, failed: 2, neverSent: 6, ECONNRESET: 2, ECONNREFUSED: 6 })
    t.strictSame([...new Set(log.result().firstFailures.map(({ error }) => error))], ['ECONNRESET'])
    conserves(t, log.result(), { neverSent: 6 })
  })

  t.test('leaves it abandoned when the run ends', async t => {
    const log = generatorOf({ pipelining: 3 })
    begin(log)
    log.sockets[0].read(LAST_BYTES)
    log.generator.stop()
    t.match(log.total, { sent: 3, completed: 1, abandoned: 2, resent: 0 })
    conserves(t, log.result())
  })
})
