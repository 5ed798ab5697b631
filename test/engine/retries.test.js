'use strict'

const t = require('tap')
const { conserves } = require('../helpers/results/conservation')
const { randomFrom } = require('../../lib/core/random')
const { closes, finish, isSilent, resets, runOf, says } = require('./helpers/scripted-run')

const TWICE = { duration: 1, requests: [{ path: '/a', name: 'a' }, { path: '/b', name: 'b' }] }

t.test('an answer that says later is asked for again, each try has a fate, and the named request has the whole way once', async t => {
  const log = runOf({ ...TWICE, amount: 5, retries: 3 }, [says(503), says(429), says(200, '', 'done')])
  const result = finish(log)
  t.strictSame(log.sent.map(({ at, bytes }) => [at, bytes.split(' ')[1]]), [[0, '/a'], [1, '/a'], [2, '/a'], [3, '/b'], [4, '/a']])
  t.equal(log.retries(), 2)
  t.equal(result.requests.sent, 5)
  t.equal(result.non2xx, 2)
  const { a, b } = result.byRequest
  t.strictSame([a.count, a.latency.max, b.count, b.latency.max], [2, 3, 1, 1])
  conserves(t, result)
})

t.test('the last try counts whatever it brings', async t => {
  const log = runOf({ ...TWICE, amount: 4, retries: 2 }, [says(503), says(503), says(503)])
  const result = finish(log)
  t.strictSame(log.sent.map(({ bytes }) => bytes.split(' ')[1]), ['/a', '/a', '/a', '/b'])
  t.strictSame([result.byRequest.a.count, result.byRequest.a.failures, result.byRequest.a.latency.max], [1, 1, 3])
  conserves(t, result)
})

t.test('a connection that ends without an answer is one that is tried again, on another one', async t => {
  for (const [breaks, code] of [[resets, 'ECONNRESET'], [closes, 'AC_CLOSED']]) {
    const log = runOf({ ...TWICE, amount: 4, retries: 2 }, [breaks, breaks])
    const result = finish(log)
    t.strictSame(log.sent.map(({ bytes }) => bytes.split(' ')[1]), ['/a', '/a', '/a', '/b'])
    t.equal(log.retries(), 2)
    t.strictSame(result.errorCodes, { [code]: 2 })
    t.strictSame([result.byRequest.a.count, result.byRequest.b.count, result.byRequest.b.errors], [1, 1, 0])
    conserves(t, result)
  }
})

t.test('a request that takes too long is tried again, and its age is in the named latency', async t => {
  const log = runOf({ ...TWICE, amount: 3, timeout: 0.2, retries: 1 }, [isSilent, says(200)])
  const result = finish(log)
  t.strictSame(log.sent.map(({ bytes }) => bytes.split(' ')[1]), ['/a', '/a', '/b'])
  t.equal(result.timeouts, 1)
  t.ok(result.byRequest.a.latency.max >= 200, String(result.byRequest.a.latency.max))
  t.equal(result.byRequest.a.count, 1)
  t.equal(result.byRequest.a.errors, 0)
  conserves(t, result)
})

t.test('the last try that takes too long is in the named latency with what was behind it', async t => {
  const log = runOf({ ...TWICE, amount: 2, timeout: 0.2, retries: 1 }, [isSilent, isSilent])
  const result = finish(log)
  t.strictSame([result.timeouts, result.byRequest.a.errors], [2, 1])
  t.ok(result.byRequest.a.latency.max >= 400, String(result.byRequest.a.latency.max))
  t.ok(result.latency.max < 400, String(result.latency.max))
  conserves(t, result)
})

t.test('what is not among the reasons is not tried again', async t => {
  const log = runOf({ ...TWICE, amount: 4, retries: { times: 5, on: [418, 'AC_CLOSED'] } }, [says(503), resets, closes])
  const result = finish(log)
  // The reset cuts the iteration.
  t.strictSame(log.sent.map(({ bytes }) => bytes.split(' ')[1]), ['/a', '/b', '/a', '/a'])
  t.equal(log.retries(), 1)
  conserves(t, result)
})

t.test('a request wins over the options, and 0 switches it off', async t => {
  const log = runOf({ duration: 1, amount: 6, retries: 1, requests: [{ path: '/a', retries: 0 }, { path: '/b' }, { path: '/c', retries: { times: 2, on: '4xx' } }] },
    [says(503), says(503), says(503), says(404), says(404), says(404)])
  const result = finish(log)
  t.strictSame(log.sent.map(({ bytes }) => bytes.split(' ')[1]), ['/a', '/b', '/b', '/c', '/c', '/c'])
  conserves(t, result)
})

t.test('pauses before tries are in no latency', async t => {
  const log = runOf({ ...TWICE, amount: 3, retries: { times: 3, pause: '100ms' } }, [says(503), resets])
  const result = finish(log)
  t.strictSame(log.sent.map(({ at }) => at), [0, 101, 202])
  t.equal(result.byRequest.a.latency.max, 3)
  t.equal(result.latency.max, 1)
  conserves(t, result)
})

t.test('Retry-After is honoured without a pause, and bounded', async t => {
  const date = 'Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n'
  for (const [header, ms] of /** @type {const} */ ([
    ['Retry-After: 2\r\n', 2000], ['Retry-After: 0\r\n', 0], ['Retry-After: 1e99\r\n', 0], ['Retry-After: NaN\r\n', 0], ['Retry-After: -5\r\n', 0], ['Retry-After: 0.5\r\n', 0],
    ['Retry-After: 99999999999999999999999999\r\n', 30_000], ['Retry-After: 3600\r\n', 30_000], ['Retry-After: \r\n', 0], ['Retry-After: 3\r\nRetry-After: 9\r\n', 3000],
    [`${date}Retry-After: Sun, 06 Nov 1994 08:49:42 GMT\r\n`, 5000], [`${date}Retry-After: Sun, 06 Nov 2094 08:49:42 GMT\r\n`, 30_000], [`${date}Retry-After: Sun, 06 Nov 1984 08:49:42 GMT\r\n`, 0],
    ['Retry-After: Sun, 06 Nov 2094 08:49:42 GMT\r\n', 0], [`${date}Retry-After: tomorrow\r\n`, 0]
  ])) {
    const log = runOf({ duration: 100, amount: 2, retries: 1 }, [says(503, header)])
    const result = finish(log, 50_000)
    t.strictSame(log.sent.map(({ at }) => at), [0, 1 + ms], JSON.stringify(header))
    conserves(t, result)
  }
})

t.test('a pause of its own is waited instead', async t => {
  const log = runOf({ duration: 1, amount: 2, retries: { times: 1, pause: 0.05 } }, [says(503, 'Retry-After: 7\r\n')])
  conserves(t, finish(log))
  t.strictSame(log.sent.map(({ at }) => at), [0, 51])
})

t.test('checks and hooks see the last answer only', async t => {
  const seen = []
  const log = runOf({
    duration: 1,
    amount: 3,
    retries: 2,
    expectBody: 'done',
    requests: [{ expect: { status: 200 }, check: ({ body }) => { seen.push(`check ${body}`); return true }, onResponse: (status, body) => { seen.push(`hook ${status} ${body}`) } }]
  }, [says(503, '', 'no'), resets, says(200, '', 'done')])
  const result = finish(log)
  t.strictSame(seen, ['check done', 'hook 200 done'])
  t.equal(result.mismatches, 0)
  t.strictSame(result.checks.map(({ passed, failed }) => [passed, failed]), [[1, 0], [1, 0]])
  conserves(t, result)
})

t.test('the same bytes are sent again, ids and what setupRequest made included', async t => {
  let made = 0
  const log = runOf({ duration: 1, amount: 6, retries: 2, idReplacement: true, requests: [{ path: '/[<id>]' }, { path: '/x', setupRequest: request => ({ ...request, path: `/made-${made++}` }) }] },
    [says(503), resets, says(200), says(503), resets])
  const result = finish(log)
  const lines = log.sent.map(({ bytes }) => bytes)
  t.equal(new Set(lines.slice(0, 3)).size, 1)
  t.notMatch(lines[0], /\[<id>\]/)
  t.equal(new Set(lines.slice(3)).size, 1)
  t.equal(made, 1)
  conserves(t, result)
})

t.test('the budget ends in between, and so does the time', async t => {
  const log = runOf({ duration: 1, amount: 2, retries: 5 }, [says(503), says(503)])
  conserves(t, finish(log))
  t.equal(log.sent.length, 2)
  const timed = runOf({ duration: 1, retries: { times: 5, pause: 3 } }, [says(503)])
  conserves(t, finish(timed, 5000))
  t.equal(timed.sent.length, 1)
  t.equal(timed.retries(), 0, 'what was not sent is none')
})

t.test('connections that are refused in between are tried again, and the iteration goes on', async t => {
  const log = runOf({ ...TWICE, amount: 6, retries: 2 }, [socket => { log.server.refuses = 2; resets(socket) }])
  const result = finish(log)
  t.strictSame(log.sent.map(({ bytes }) => bytes.split(' ')[1]), ['/a', '/a', '/b', '/a'])
  t.equal(result.errorCodes.ECONNREFUSED, 2)
  conserves(t, result, { neverSent: 2 })
})

t.test('what has no answer at the end is in the named latency with what was behind it', async t => {
  const log = runOf({ duration: 1, retries: 1, requests: [{ name: 'a' }] }, [says(200), says(503, '', '', 300), isSilent])
  const result = finish(log)
  t.strictSame([result.latency.max, result.byRequest.a.latency.max], [699, 999])
  conserves(t, result)
})

t.test('a rate gives each try its turn', async t => {
  const log = runOf({ duration: 1, rate: 10, retries: 2 }, [says(503), resets, says(200)])
  const result = finish(log, 1100)
  t.strictSame(log.sent.slice(0, 4).map(({ at }) => Math.round(at / 100)), [0, 1, 2, 3])
  t.equal(log.retries(), 2)
  conserves(t, result)
})

t.test('whatever the server does, each request has one fate', async t => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = randomFrom(seed)
    const ways = [says(200), says(503), says(503, 'Retry-After: 1\r\n'), says(503, 'Connection: close\r\n'), resets, closes, isSilent, says(500)]
    const script = Array.from({ length: 200 }, () => ways[Math.floor(random() * ways.length)])
    const named = { path: '/n', name: 'n', expect: { status: 200 }, retries: { times: Math.floor(random() * 4), on: ['5xx', 'AC_CLOSED', 'ECONNRESET', 'AC_TIMEOUT'].slice(Math.floor(random() * 3)), ...random() < 0.5 && { pause: 0.02 } } }
    const log = runOf({ duration: 4, connections: 3, timeout: 0.3, retries: 1, scenarios: [{ name: 'a', weight: 2, requests: [named, { path: '/b' }] }, { name: 'b', requests: [{ path: '/c', capture: { x: 'json a' }, retries: 0 }, { path: '/d' }] }], ...random() < 0.3 && { rate: 40 }, ...random() < 0.3 && { amount: 50 } }, script)
    const result = finish(log, 4500)
    t.ok(log.sent.length > 20)
    t.ok(result.iterations.cut > 0)
    t.ok(result.retries <= result.requests.sent)
    conserves(t, result, { arrived: result.requests.sent + result.resent })
  }
})
