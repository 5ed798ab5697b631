'use strict'

// A server that stops answering, with exact times: a closed loop sends no more then, and what it has measured looks as good as before.

const t = require('tap')
const { conserves } = require('../helpers/results/conservation')
const { ANSWER, after, begin, generatorOf, threadsOf } = require('./helpers/fake-load')

/** Answers after 5 ms until some time, and then no more. */
const until = (end, ms = 5) => {
  const answer = after(ms)
  return socket => { if (socket.time.ms < end) answer(socket) }
}

/** Until its end; a new connection gets responses. */
function play (log, serve) {
  for (let i = 0; i < 10_000 && !log.generator.ended; i++) {
    log.time.pass(100)
    log.sockets.filter(({ serve, destroyed }) => serve === null && !destroyed).forEach(socket => socket.ready(serve))
  }
}

/** The result of a run of the options against a server. */
function run (t, opts, serve) {
  const log = generatorOf(opts)
  begin(log, serve)
  play(log, serve)
  const result = log.result()
  conserves(t, result)
  return result
}

t.test('a server that falls silent', async t => {
  t.test('is in the latency of a closed loop with what is in flight, and the result says since when it was silent', async t => {
    const result = run(t, { connections: 2, duration: 9 }, until(2000))
    t.match(result, { silence: { seconds: 7, waiting: 2 }, failures: 0, requests: { total: 800 }, latency: { totalCount: 802, max: 7000, min: 5 }, serviceTime: { max: 7000 } })
  })

  t.test('is silent however often its requests time out', async t => {
    const result = run(t, { connections: 2, duration: 9, timeout: 2 }, until(2000))
    t.match(result, { silence: { seconds: 7 }, timeouts: 6, latency: { max: 2000 } })
    t.match(run(t, { connections: 2, duration: 9, timeout: 5 }, until(2000)), { silence: { seconds: 7 }, timeouts: 2 }, 'a timeout is no answer that took long')
  })

  t.test('is silent when there is no listener any more', async t => {
    const log = generatorOf({ connections: 2, duration: 9 })
    begin(log, until(2000))
    log.time.pass(2000)
    log.sockets.splice(0, 2).forEach(socket => socket.emit('end'))
    for (let i = 0; i < 70; i++) {
      log.sockets.splice(0).forEach(socket => socket.emit('error', Object.assign(new Error(), { code: 'ECONNREFUSED' })))
      log.time.pass(100)
    }
    const result = log.result()
    t.match(result, { silence: { seconds: 7 }, errorCodes: { ECONNREFUSED: Number } })
    conserves(t, result, { neverSent: result.errors - 2 })
  })

  t.test('of an amount is silent, too', async t => {
    const log = generatorOf({ connections: 2, amount: 1000, timeout: 1 })
    begin(log, until(2000))
    play(log, until(2000))
    const result = log.result()
    t.match(result, { requests: { total: 800 }, timeouts: 200, silence: { waiting: 0 } })
    conserves(t, result)
  })

  t.test('in all threads is; in one of them it is not silent', async t => {
    for (const [silent, seconds] of [[2, 7], [1, undefined]]) {
      const logs = threadsOf({ connections: 2, duration: 9, sampleInt: 3_600_000 }, 2)
      logs.forEach((log, i) => begin(log, i < silent ? until(2000) : after(5)))
      logs[0].time.pass(9000)
      for (const { snapshots } of logs.slice(1)) snapshots.forEach(snapshot => logs[0].totals.add(snapshot))
      t.equal(logs[0].result().silence?.seconds, seconds)
    }
  })

  t.test('with a rate is named as well', async t => {
    t.match(run(t, { rate: 100, connections: 2, duration: 9 }, until(2000)), { silence: { seconds: 7, waiting: 700 } })
  })
})

t.test('no silence is', async t => {
  /** Answers one byte after the other, for as long as it takes. */
  const streams = socket => {
    socket.read(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n'))
    const more = () => {
      if (socket.destroyed) return
      socket.read(Buffer.from('x'))
      socket.time.loop.setTimeout(more, 100)
    }
    more()
  }
  let n = 0
  for (const [title, opts, serve] of [
    ['a slow server', { duration: 4 }, after(1500)],
    ['a long answer that streams', { duration: 4 }, socket => n++ < 10 ? after(5)(socket) : streams(socket)],
    ['a stall at the end that is shorter', { duration: 4 }, until(3520)],
    ['one that is a small part of a long run', { duration: 60 }, until(55_000)],
    ['one that is not much longer than the longest answer', { duration: 10 }, until(5000, 2600)],
    ['one connection that is never answered', { connections: 2, duration: 9 }, (() => { let first; return socket => { first ??= socket; if (socket !== first) after(5)(socket) } })()],
    ['a pause between the requests of a low rate', { rate: 0.3, duration: 13 }, after(5)],
    ['the start of a run', { duration: 4 }, () => {}],
    ['a run that bailout ended', { duration: 9, timeout: 1, bailout: 1 }, until(500)]
  ]) {
    t.test(title, async t => t.equal(run(t, opts, serve).silence, undefined))
  }

  t.test('the last request of an amount that times out', async t => {
    const log = generatorOf({ connections: 2, amount: 100, timeout: 10 })
    let sent = 0
    begin(log, socket => { if (++sent < 100) after(5)(socket) })
    log.time.pass(20_000)
    const result = log.result()
    t.match(result, { timeouts: 1, silence: undefined })
    conserves(t, result)
  })

  t.test('time in which the generator could hear nothing', async t => {
    for (const ms of [900, 3000]) {
      const log = generatorOf({ duration: 4 })
      begin(log, after(5))
      log.time.pass(4000 - ms)
      log.time.block(ms + 10)
      log.time.turn()
      t.ok(log.generator.ended)
      t.equal(log.result().silence, undefined, `${ms} ms`)
    }
  })
})

t.test('a request in flight at the end of a closed loop', async t => {
  const atEnd = (t, serve, opts = {}) => run(t, { connections: 2, duration: 2, ...opts }, serve)

  t.test('is in the latency when it is older than any answer', async t => {
    let first
    const result = atEnd(t, socket => { first ??= socket; if (socket !== first) after(10)(socket) })
    t.match(result.latency, { totalCount: result.requests.total + 1, max: 2000 })
    t.strictSame(result.latency, result.serviceTime, 'both are the same without a rate')
  })

  t.test('is not when it is younger, as in every ordinary run', async t => {
    const result = atEnd(t, after(15))
    t.match(result, { unfinished: 2, latency: { totalCount: result.requests.total, max: 15 } })
  })

  t.test('is not when nothing was answered, which says all', async t => {
    t.match(atEnd(t, () => {}), { unfinished: 2, latency: { totalCount: 0 } })
  })

  t.test('is held to the longest answer of the whole run, not of its last sample', async t => {
    let n = 0
    const result = atEnd(t, socket => after(n++ < 2 ? 700 : 5)(socket), { duration: 5 })
    t.equal(result.latency.totalCount, result.requests.total)
    n = 0
    const hung = atEnd(t, socket => { if (n++ < 2) after(700)(socket); else if (socket.time.ms < 4500) after(5)(socket) }, { duration: 5 })
    t.match(hung, { unfinished: 2, latency: { totalCount: hung.requests.total, max: 700 } })
  })

  t.test('is not in the latency of runs that omit all but 2xx', async t => {
    const result = run(t, { connections: 2, duration: 9, excludeErrorStats: true }, until(2000))
    t.match(result, { latency: { totalCount: 800, max: 5 }, silence: { seconds: 7 } })
  })

  t.test('with a name is in the latency of that', async t => {
    const log = generatorOf({ duration: 2, requests: [{ path: '/', name: 'a' }, { path: '/b', name: 'b' }] })
    let n = 0
    begin(log, socket => { if (n++ < 3) socket.read(ANSWER) })
    log.time.pass(2000)
    t.match(log.result().byRequest, { a: { latency: { totalCount: 2 } }, b: { latency: { totalCount: 2, max: 2000 } } })
  })
})
