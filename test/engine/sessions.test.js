'use strict'

// Users whose requests are redirected and who keep cookies, on a clock that the test holds in its hands.

const t = require('tap')
const { conserves } = require('../helpers/results/conservation')
const { randomFrom } = require('../../lib/core/random')
const { FakeSocket, generatorOf } = require('./helpers/fake-load')

/**
 * A run against servers whose connections are there at once; `answer` says what becomes of each request.
 * @param {Record<string, unknown>} opts
 * @param {(request: { path: string, text: string, authority: string, n: number }, socket: any) => unknown} answer
 */
function runOf (opts, answer) {
  const sent = []
  const sockets = []
  const refused = new Set()
  const connect = (target, onread, onReady) => {
    const { time } = log
    const socket = Object.assign(new FakeSocket(onread, onReady, time), { authority: target.authority, tls: target.tls })
    sockets.push(socket)
    socket.write = bytes => {
      const text = bytes.toString()
      const request = { at: time.ms, text, path: text.split(' ')[1], authority: target.authority, n: sent.length, socket }
      sent.push(request)
      answer(request, socket)
      return true
    }
    time.at(time.ms, () => {
      if (socket.destroyed) return
      if (refused.has(target.authority)) socket.emit('error', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
      else onReady(socket)
    })
    return socket
  }
  const log = generatorOf({ url: 'http://a.test', duration: 1, ...opts }, undefined, {}, { connect })
  return Object.assign(log, { sent, sockets, refused })
}

const reply = (socket, status, headers = '', ms = 1, body = 'hi') => socket.time.at(socket.time.ms + ms, () => {
  if (!socket.destroyed) socket.read(Buffer.from(`HTTP/1.1 ${status} X\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`))
})
const redirect = (socket, location, { status = 302, headers = '', ms = 1 } = {}) => reply(socket, status, `Location: ${location}\r\n${headers}`, ms)

/** @param {any} log */
function finish (log, ms = 1000) {
  log.generator.start()
  log.time.pass(ms)
  if (log.ends === 0) log.generator.stop()
  log.time.pass(10)
  t.ok(log.sockets.every(({ destroyed }) => destroyed), 'every socket is closed')
  t.equal(log.generator.waitingRoom.holders, 0, 'no unused descriptor is counted')
  return log.result()
}

t.test('each hop is a request of the run, and the named request has the whole way once', async t => {
  const log = runOf({ redirects: 2, amount: 40, requests: [{ path: '/a', name: 'a', expect: { status: 200, maxMs: 61 } }, { path: '/b', name: 'b' }] }, ({ path }, socket) => {
    if (path === '/a') redirect(socket, '/a1', { ms: 10 })
    else if (path === '/a1') redirect(socket, '/a2', { ms: 20 })
    else reply(socket, 200, '', 30)
  })
  const result = finish(log)
  t.strictSame(log.sent.map(({ path }) => path), log.sent.map((_, i) => ['/a', '/a1', '/a2', '/b'][i % 4]))
  t.equal(log.sent.length, 40)
  t.equal(log.totals.redirects, 20)
  t.match(result.byRequest.a, { count: 10, errors: 0, failures: 0, latency: { min: 60, max: 60 }, ttfb: { min: 60, max: 60 } })
  t.match(result.byRequest.b, { count: 10, latency: { min: 30, max: 30 } })
  t.match(result.latency, { min: 10, max: 30, totalCount: 40 })
  t.match(result.checks, [{ name: 'expect', passed: 10, failed: 0 }, { name: 'redirect', request: 'a', passed: 10, failed: 0 }])
  conserves(t, result)
})

t.test('a loop ends, and its last answer is the one that is judged', async t => {
  const log = runOf({ redirects: 3, amount: 9, requests: [{ path: '/a', name: 'a' }] }, (request, socket) => redirect(socket, '/a'))
  const result = finish(log)
  t.equal(log.sent.length, 9)
  t.match(result.checks, [{ name: 'redirect', passed: 0, failed: 2, reasons: { 'more than 3 redirects': 2 }, samples: { 'more than 3 redirects': { status: 302 } } }])
  t.match(result.byRequest.a, { count: 2, statusCodeStats: { 302: { count: 2 } }, failures: 2 })
  t.match(result.iterations, { started: 3, completed: 2, cut: 0, unfinished: 1 }, 'a failed check cuts no iteration')
  conserves(t, result)
})

t.test('each hop has its own timeout, and the named request the whole wait', async t => {
  let hops = 0
  const log = runOf({ redirects: 1, timeout: 0.1, requests: [{ path: '/a', name: 'a' }] }, ({ path }, socket) => {
    if (path === '/a') redirect(socket, '/b', { ms: 90 })
    else if (++hops % 2 === 1) reply(socket, 200, '', 90)
  })
  const result = finish(log)
  t.ok(result.timeouts > 0)
  t.strictSame(Object.keys(result.errorCodes), ['AC_TIMEOUT'])
  t.equal(result.byRequest.a.errors, result.timeouts)
  t.ok(result.byRequest.a.latency.min >= 180 && result.byRequest.a.latency.max >= 190)
  t.strictSame(result.iterations.cutBy, { AC_TIMEOUT: result.timeouts })
  conserves(t, result)
})

t.test('what is lost on the way cuts the iteration, and the next one starts at its own origin', async t => {
  for (const [end, code] of [[socket => socket.emit('end'), 'AC_CLOSED'], [socket => socket.emit('error', Object.assign(new Error('reset'), { code: 'ECONNRESET' })), 'ECONNRESET']]) {
    const log = runOf({ redirects: 1, redirectsAnywhere: true, amount: 10, requests: [{ method: 'POST', path: '/a', name: 'a' }, { path: '/never' }] }, ({ path }, socket) => {
      if (path === '/a') redirect(socket, 'http://b.test/b', { status: 307 })
      else socket.time.at(socket.time.ms + 1, () => { if (!socket.destroyed) end(socket) })
    })
    const result = finish(log)
    t.strictSame(log.sent.map(({ path, authority }) => authority + path), log.sent.map((_, i) => i % 2 === 0 ? 'a.test/a' : 'b.test/b'))
    t.strictSame(result.errorCodes, { [code]: 5 })
    t.match(result.byRequest.a, { count: 0, errors: 5 })
    t.match(result.iterations, { started: 5, completed: 0, cut: 5 })
    conserves(t, result)
  }
})

t.test('a connection to another origin stays, until its server closes it or sends an unrequested response', async t => {
  const log = runOf({ url: ['http://a.test'], redirects: 4, redirectsAnywhere: true, requests: [{ path: '/a' }] }, ({ path, n }, socket) => {
    if (path === '/a') redirect(socket, 'https://b.test/b')
    else reply(socket, 200)
    // Behind the answer, while nothing is sent there.
    if (path === '/b' && n === 101) socket.time.at(socket.time.ms + 1.5, () => socket.emit('end'))
    if (path === '/b' && n === 201) socket.time.at(socket.time.ms + 1.5, () => socket.read(Buffer.from('HTTP/1.1 408 X\r\n\r\n')))
    if (path === '/b' && n === 301) socket.time.at(socket.time.ms + 1.5, () => socket.emit('error', Object.assign(new Error(), { code: 'ECONNRESET' })))
  })
  const result = finish(log)
  t.strictSame(log.sockets.map(({ authority, tls }) => authority + tls), ['a.testfalse', 'b.testtrue', 'b.testtrue', 'b.testtrue', 'b.testtrue'])
  t.equal(result.errors, 0)
  t.equal(result.connect.totalCount, 5)
  t.ok(log.sent.length > 400)
  conserves(t, result)
})

t.test('a request on an idle connection to another origin, which its server ends at that moment, is sent again', async t => {
  for (const [how, end] of [
    ['FIN', socket => socket.emit('end')],
    ...['ECONNRESET', 'EPIPE'].map(code => [code, socket => socket.emit('error', Object.assign(new Error(), { code }))])
  ]) {
    for (const method of ['GET', 'POST']) {
      const ended = new Set()
      let hops = 0
      const log = runOf({ url: ['http://a.test'], redirects: 1, redirectsAnywhere: true, amount: 40, requests: [{ method, path: '/a' }] }, ({ path }, socket) => {
        if (path === '/a') redirect(socket, 'http://b.test/b', { status: 307 })
        else if (++hops !== 5 && hops !== 10) reply(socket, 200)
        else {
          ended.add(socket)
          socket.time.at(socket.time.ms + 1, () => end(socket))
        }
      })
      const result = finish(log)
      t.equal(ended.size, 2)
      t.equal(log.sockets.filter(({ authority }) => authority === 'b.test').length, 3)
      t.strictSame(result.errorCodes, method === 'GET' ? {} : { [how === 'FIN' ? 'AC_CLOSED' : how]: 2 }, `${how}, ${method}`)
      t.equal(result.resent, method === 'GET' ? 2 : 0)
      conserves(t, result)
    }
  }
})

t.test('of many origins a few connections stay', async t => {
  const log = runOf({ redirects: 9, redirectsAnywhere: true, requests: [{ path: '/0' }] }, ({ path, socket }) => {
    const n = Number(path.slice(1))
    t.ok(log.sockets.filter(({ destroyed }) => !destroyed).length <= 4)
    if (n < 9) redirect(socket, `http://h${n}.test/${n + 1}`)
    else reply(socket, 200)
  })
  const result = finish(log, 100)
  t.equal(result.errors, 0)
  conserves(t, result)
})

t.test('an origin that can not be reached is tried once for each request that is sent there', async t => {
  const log = runOf({ redirects: 1, redirectsAnywhere: true, requests: [{ path: '/a', name: 'a' }, { path: '/never' }] }, (request, socket) => redirect(socket, 'http://dead.test/'))
  log.refused.add('dead.test')
  const result = finish(log)
  const { cut, completed } = result.iterations
  t.ok(cut > 1)
  t.equal(completed, 0)
  t.strictSame(result.iterations.cutBy, { ECONNREFUSED: cut })
  t.strictSame(result.errorCodes, { ECONNREFUSED: cut })
  t.equal(result.byRequest.a.errors, cut)
  t.ok(log.sent.every(({ path }) => path === '/a'))
  conserves(t, result, { neverSent: cut })
})

t.test('values of their own are the same on the way, and what a server says is no template', async t => {
  const log = runOf({
    redirects: 1,
    cookies: { start: { lang: '[<id>]' } },
    idReplacement: true,
    amount: 6,
    headers: { cookie: 'own=[<id>]' },
    requests: [{ method: 'PUT', path: '/a', body: 'id=[<id>]', headers: { 'transfer-encoding': 'chunked' } }]
  }, ({ path }, socket) => path === '/a' ? redirect(socket, '/b?[<id>]', { status: 307, headers: 'Set-Cookie: s=[<id>]\r\n' }) : reply(socket, 200))
  const result = finish(log)
  for (let i = 0; i < 6; i += 2) {
    const [first, second] = [log.sent[i].text, log.sent[i + 1].text]
    const [, own, id] = /^PUT \/a [^]*own=(\S+); lang=\[<id>\][^]*\r\n\r\n[\da-f]+\r\nid=(\S+)\r\n0\r\n\r\n$/.exec(first) ?? []
    t.ok(own !== undefined && id !== undefined && !own.includes('<'), first)
    t.match(second, new RegExp(`^PUT /b\\?\\[%3Cid%3E\\] [^]*own=${own}; lang=\\[<id>\\]; s=\\[<id>\\][^]*id=${id}\r\n0\r\n\r\n$`))
  }
  conserves(t, result)
})

t.test('cookies are for the path that is sent, also where setupRequest returns one with an id in it', async t => {
  const setupRequest = request => ({ ...request, path: '/u/[<id>]/x' })
  const requests = [{ path: '/set' }, { path: '/', setupRequest }, { path: '/u/[<id>]/x' }]
  const log = runOf({ cookies: true, idReplacement: true, amount: 6, requests }, ({ path }, socket) => {
    reply(socket, 200, path === '/set' ? 'Set-Cookie: tag=1; Path=/u/[<id>]\r\nSet-Cookie: all=1; Path=/u\r\n' : '')
  })
  const result = finish(log)
  const others = log.sent.filter(({ path }) => path !== '/set')
  t.strictSame(others.map(({ text }) => /^Cookie: (.*)\r$/im.exec(text)?.[1]), Array(4).fill('all=1'))
  t.equal(new Set(others.map(({ path }) => path)).size, 4)
  conserves(t, result)
})

t.test('what a request was when setupRequest made it is what is redirected', async t => {
  let n = 0
  const requests = [{ path: '/a', setupRequest: request => ({ ...request, method: 'POST', path: `/a?${++n}`, body: `n=${n}` }) }]
  const log = runOf({ redirects: 1, cookies: true, amount: 4, requests }, ({ path }, socket) => path.startsWith('/a') ? redirect(socket, '?b', { status: 308, headers: 'Set-Cookie: c=1\r\n' }) : reply(socket, 200))
  conserves(t, finish(log))
  t.strictSame(log.sent.map(({ text }) => [text.split(' ')[1], text.slice(-3), text.includes('Cookie: c=1')]), [['/a?1', 'n=1', false], ['/a?b', 'n=1', true], ['/a?2', 'n=2', true], ['/a?b', 'n=2', true]])
})

t.test('a cookie without a path is for the directory of the path that was sent, whatever its template is', async t => {
  for (const [paths, expected] of [
    [['/{{counter}}', '/other'], ['/1', '/other id=0', '/2 id=0', '/other id=2', '/3 id=2', '/other id=4']],
    [['/a/1/in', '/a/{{counter}}/x'], ['/a/1/in', '/a/1/x id=0', '/a/1/in id=0', '/a/2/x', '/a/1/in id=2', '/a/3/x']],
    [['/a/{{random 1 1}}/in', '/a/1/x'], ['/a/1/in', '/a/1/x id=0', '/a/1/in id=0', '/a/1/x id=2', '/a/1/in id=2', '/a/1/x id=4']],
    [['/a/{{counter}}/in', '/a/1/x'], ['/a/1/in', '/a/1/x id=0', '/a/2/in', '/a/1/x id=0', '/a/3/in', '/a/1/x id=0']]
  ]) {
    const requests = paths.map(path => ({ method: 'POST', path, body: 'n={{random 7 7}}' }))
    const log = runOf({ cookies: true, trace: '100%', amount: 6, headers: { cookie: 'own=1' }, requests }, ({ n }, socket) =>
      reply(socket, 200, n % 2 === 0 ? `Set-Cookie: id=${n}\r\n` : ''))
    const result = finish(log)
    t.strictSame(log.sent.map(({ path, text }) => path + /^cookie: own=1;?(.*)$/im.exec(text)[1]), expected)
    for (const { text } of log.sent) t.match(text, /\r\ntraceparent: 00-\w+-\w+-01\r\n[^]*\r\n\r\nn=7$/)
    conserves(t, result)
  }
})

t.test('a cookie of few seconds is sent for so long', async t => {
  const log = runOf({ cookies: true, duration: 5, requests: [{ path: '/set' }, { path: '/get', pause: '400ms' }, { path: '/get' }, { path: '/get', pause: '2s' }] }, ({ path }, socket) => reply(socket, 200, path === '/set' ? 'Set-Cookie: a=1; Max-Age=1; Path=/\r\n' : ''))
  const result = finish(log, 5000)
  t.strictSame(log.sent.map(({ text }) => text.includes('Cookie: a=1')), log.sent.map((_, i) => i % 4 !== 0))
  conserves(t, result)
})

t.test('whatever the servers do, every request has one fate', async t => {
  const random = randomFrom(20261122)
  const pick = list => list[Math.floor(random() * list.length)]
  for (let run = 0; run < 30; run++) {
    const log = runOf({
      url: ['http://a.test', 'https://b.test'],
      connections: 3,
      redirects: 1 + run % 4,
      redirectsAnywhere: run % 2 === 0,
      cookies: run % 3 !== 0,
      retries: run % 5 === 0 ? 2 : undefined,
      reconnectRate: run % 7 === 0 ? 3 : undefined,
      timeout: 0.05,
      seed: run + 1,
      ...run % 4 === 0 ? { rate: 500 } : {},
      requests: [{ path: '/x', name: 'x' }, { method: 'POST', path: '/y', body: 'b', name: 'y' }]
    }, (request, socket) => {
      const chance = random()
      if (chance < 0.4) redirect(socket, pick(['/z', '', 'http://a.test/z', 'https://b.test/z', '//c.test/z', 'http://d.test/z', 'ftp://e.test', 'http://[', '%']), { status: pick([301, 302, 303, 307, 308]), headers: pick(['', 'Set-Cookie: a=1\r\n', 'Set-Cookie: b=2; Max-Age=0\r\n', 'Connection: close\r\n']), ms: random() * 20 })
      else if (chance < 0.85) reply(socket, pick([200, 200, 304, 404, 503]), pick(['', 'Set-Cookie: c=3; Path=/z\r\n']), random() * 20)
      else if (chance < 0.9) socket.time.at(socket.time.ms + random() * 20, () => { if (!socket.destroyed) socket.emit(pick(['end', 'close'])) })
      else if (chance < 0.95) socket.time.at(socket.time.ms + random() * 20, () => { if (!socket.destroyed) socket.emit('error', Object.assign(new Error('reset'), { code: 'ECONNRESET' })) })
    })
    if (run % 6 === 0) log.refused.add('c.test')
    const result = finish(log)
    conserves(t, result, { neverSent: log.total.neverSent, arrived: log.sent.length })
    t.ok(log.sent.length > 20, `run ${run}`)
  }
})
