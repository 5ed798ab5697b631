'use strict'

// Checks on responses: expect, check, and what hooks find wrong; requests with names. The tables of expectations are in
// test/checks.

const t = require('tap')
const path = require('node:path')
const autocannon = require('../../..')
const { cli } = require('../../helpers/processes/cli')
const { serve, closedPort } = require('../../helpers/servers/http-server')
const { rawServer, answer } = require('../../helpers/servers/raw-server')
const { conserves } = require('../../helpers/results/conservation')
const { inAllModes, overHttp1, withWorkers, run, whenAllAsk } = require('../modes')

/**
 * Answers with the status that the path says.
 * @param {any} request
 * @param {any} response
 */
const byPath = ({ url }, response) => {
  const [, status, body = ''] = url.split('?')[0].split('/')
  response.writeHead(Number(status), { 'X-One': '1', 'content-type': 'application/json' }).end(body === '' ? `{"id":${status === '201' ? 43 : 42}}` : decodeURIComponent(body))
}

/**
 * Every answer was judged by each check that it has, once; and its reasons are all of its failures.
 * @param {any} t
 * @param {Record<string, any>} result
 * @param {Record<string, number>} judged by name of the check: how many answers
 */
function judges (t, result, judged) {
  /** @type {Record<string, number>} */
  const counted = {}
  for (const { name, passed, failed, reasons, samples } of result.checks) {
    counted[name] = (counted[name] ?? 0) + passed + failed
    t.equal(Object.values(reasons).reduce((a, b) => a + b, 0), failed, `the reasons of ${name}`)
    t.strictSame(Object.keys(samples).sort(), Object.keys(reasons).sort(), 'each reason has a sample')
  }
  t.strictSame(counted, judged)
  conserves(t, result)
}

/** @param {Record<string, any>} result */
const counts = ({ checks }) => checks.map(({ samples, ...check }) => check)

inAllModes(t, 'expect counts each answer that is not as expected, by reason', async (t, mode) => {
  const server = await serve(t, byPath)
  const result = await mode.run({
    url: server.url,
    amount: 30,
    expect: { status: '2xx', headers: { 'x-one': '1', 'Content-Type': /json/ }, json: { id: 42 } },
    requests: [{ path: '/200' }, { path: '/201' }, { path: '/503' }]
  })
  t.strictSame(counts(result), [{ name: 'expect', passed: 10, failed: 20, reasons: { 'json id: 43, expected 42': 10, 'status 503, expected 2xx': 10 } }])
  t.equal(result.mismatches, 0)
  t.equal(result.errors, 0, 'a failed check is an answer')
  judges(t, result, { expect: 30 })
})

inAllModes(t, 'without a check there are none, and no names', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, amount: 4, expectBody: 'other', requests: [{}, { onResponse: mode.hook('remember.js') }] })
  t.strictSame(result.checks, [])
  t.strictSame(result.byRequest, {})
  t.equal(result.mismatches, 4)
  conserves(t, result)
})

inAllModes(t, 'what a request expects is added to what all are expected to be, and is counted by itself', async (t, mode) => {
  const server = await serve(t, byPath)
  const result = await mode.run({
    url: server.url + '/200',
    amount: 20,
    expect: { status: 200, headers: { 'x-one': '1' } },
    requests: [{}, { path: '/404?a=b', expect: { status: 404, headers: { 'x-two': true } } }, { path: '/503', name: 'sale' }, { path: '/200', name: 'home', expect: { maxBytes: 3 } }, { path: '/404' }]
  })
  t.strictSame(counts(result), [
    { name: 'expect', passed: 4, failed: 4, reasons: { 'status 404, expected 200': 4 } },
    { name: 'expect', request: 'GET /404', passed: 0, failed: 4, reasons: { 'no header x-two': 4 } },
    { name: 'expect', request: 'sale', passed: 0, failed: 4, reasons: { 'status 503, expected 200': 4 } },
    { name: 'expect', request: 'home', passed: 0, failed: 4, reasons: { 'the body has more than 3 bytes': 4 } }
  ])
  judges(t, result, { expect: 20 })
})

inAllModes(t, 'check passes with true, and fails with false, a reason, an Error, or what it throws', async (t, mode) => {
  const server = await serve(t, byPath)
  const result = await mode.run({
    url: server.url + '/200',
    amount: 24,
    method: 'POST',
    initialContext: { given: 'context' },
    check: mode.hook('checks/check-user.js'),
    requests: ['200', '503', '403', '404', '500', '201'].map(status => ({ path: `/${status}`, onResponse: mode.hook('remember.js') }))
  })
  t.strictSame(counts(result).map(({ reasons, ...check }) => check), [{ name: 'check', passed: 4, failed: 20 }])
  t.strictSame(result.checks[0].reasons, { 'check returned false': 8, 'no POST for /403': 4, 'not found': 4, 'out of order': 4 })
  judges(t, result, { check: 24 })
})

t.test('the check of a request takes precedence, and gets what was sent', async t => {
  const server = await serve(t, byPath)
  const seen = []
  const result = await run({
    url: server.url + '/200',
    amount: 4,
    headers: { 'x-a': ['1', '2'] },
    check: () => false,
    requests: [
      { name: 'one', body: 'body', check: ({ request }) => seen.push(request) > 0 },
      { check: ({ request }) => seen.push(request) > 0, setupRequest: request => ({ ...request, method: 'PUT', path: '/201', headers: {}, body: undefined }) }
    ]
  })
  t.strictSame(seen.slice(0, 2), [
    { name: 'one', method: 'GET', path: '/200', headers: { 'x-a': ['1', '2'] }, body: 'body' },
    { name: undefined, method: 'PUT', path: '/201', headers: {}, body: undefined }
  ])
  t.strictSame(result.checks.map(({ request, passed }) => [request, passed]), [['one', 2], ['GET /200', 2]])
  judges(t, result, { check: 4 })
})

t.test('a check gets its own answer, in a pipeline of answers that come in pieces, too', async t => {
  const server = await rawServer(t, (connection, { index }) => {
    const bytes = Buffer.from(answer(`body ${index}`, `X-N: ${index}\r\n`))
    connection.send(...[0, 1, 2].map(part => bytes.subarray(part * 17, part === 2 ? undefined : (part + 1) * 17)))
  })
  const seen = []
  const result = await run({ url: server.url, amount: 20, pipelining: 4, check: ({ headers, body }) => seen.push([headers['x-n'], body]) > 0 })
  t.strictSame(seen, Array.from({ length: 20 }, (_, i) => [String(i), `body ${i}`]))
  judges(t, result, { check: 20 })
})

t.test('a check sees the trailers of its response, which are none for most', async t => {
  const server = await serve(t, ({ url }, response) => {
    if (url !== '/sum') return response.end('hi')
    response.setHeader('Trailer', 'X-Sum')
    response.write('hi')
    response.addTrailers({ 'X-Sum': '42' })
    response.end()
  })
  const requests = [{ path: '/sum', check: ({ trailers }) => trailers['x-sum'] === '42' }, { path: '/', check: ({ trailers }) => Object.keys(trailers).length === 0 }]
  for (const how of [{}, { http: '2' }, { client: 'undici' }, { client: 'undici', http: '2' }]) {
    const result = await run({ url: server.url, amount: 4, requests, ...how })
    t.strictSame(result.checks.map(({ passed, failed }) => [passed, failed]), [[2, 0], [2, 0]], JSON.stringify(how))
  }
})

t.test('a response that is looked at after its check says so, and what was read stays', async t => {
  const server = await serve(t, byPath)
  const kept = []
  const result = await run({ url: server.url + '/200', amount: 2, check: response => kept.push(response) > 0 && response.body !== '' })
  for (const response of kept) {
    t.equal(response.body, '{"id":42}')
    t.strictSame(response.json(), { id: 42 })
    t.equal(response.status, 200)
    t.throws(() => response.headers, { message: 'a response can be looked at only while its check runs' })
  }
  judges(t, result, { check: 2 })
})

inAllModes(t, 'a check that says neither yes nor no fails the run', async (t, mode) => {
  const server = await serve(t)
  await t.rejects(mode.run({ url: server.url, amount: 4, check: mode.hook('checks/no-response.js') }),
    { code: 'AC_HOOK', message: 'check of request 0 has to return true, false, a reason or an Error, got undefined' })
  if (mode.workers !== undefined) return
  for (const [check, message] of [
    [async () => { throw new Error('too late') }, /^check of request 1 returned a promise: it has to return its value at once/],
    [() => 1, 'check of request 1 has to return true, false, a reason or an Error, got 1'],
    [() => null, 'check of request 1 has to return true, false, a reason or an Error, got null'],
    [() => ({}), 'check of request 1 has to return true, false, a reason or an Error, got an object']
  ]) await t.rejects(mode.run({ url: server.url, amount: 4, requests: [{ expect: { status: 200 } }, { check }] }), { code: 'AC_HOOK', message })
})

inAllModes(t, 'an Error that verifyBody returns, and an assertion that it throws, are mismatches with a reason', async (t, mode) => {
  const server = await serve(t, byPath)
  const result = await mode.run({
    url: server.url,
    amount: 20,
    verifyBody: mode.hook('checks/find-fault.js'),
    requests: ['fine', 'returned', 'asserted', 'refused', 'refused'].map(body => ({ path: `/200/${body}` }))
  })
  t.strictSame(counts(result), [{ name: 'verifyBody', passed: 4, failed: 16, reasons: { 'the body was refused': 8, 'returned by the hook': 4, 'asserted by the hook': 4 } }])
  t.equal(result.mismatches, 16)
  judges(t, result, { verifyBody: 20 })
})

inAllModes(t, 'an Error that onResponse returns, and an assertion that it throws, are failed checks; all else that it returns is ignored', async (t, mode) => {
  const server = await serve(t, byPath)
  const result = await mode.run({
    url: server.url,
    amount: 16,
    requests: ['fine', 'returned', 'asserted', 'refused'].map(body => ({ path: `/200/${body}`, onResponse: mode.hook('checks/find-fault.js') }))
  })
  t.strictSame(counts(result), [
    { name: 'onResponse', request: 'GET /200/returned', passed: 0, failed: 4, reasons: { 'returned by the hook': 4 } },
    { name: 'onResponse', request: 'GET /200/asserted', passed: 0, failed: 4, reasons: { 'asserted by the hook': 4 } }
  ])
  t.equal(result.mismatches, 0)
  judges(t, result, { onResponse: 8 })
})

overHttp1(t, 'the first answer that failed is kept for each reason: status, headers and 2 KiB of the body', async (t, mode) => {
  const long = 'ß'.repeat(5000)
  let n = 0
  const server = await rawServer(t, connection => {
    n++
    const bytes = Buffer.from(answer(n % 2 === 0 ? long : `short ${n}`, 'X-A: 1\r\nx-a: 2\r\n'))
    // The head comes alone, and the body in two pieces.
    const head = bytes.indexOf('\r\n\r\n') + 4
    connection.send(bytes.subarray(0, head - 7), bytes.subarray(head - 7, head + 3), bytes.subarray(head + 3))
  })
  for (const expect of [{ maxBytes: 100, status: 404 }, { maxBytes: 100 }, { body: /^short/ }]) {
    n = 0
    const result = await mode.run({ url: server.url, amount: 8, connections: 1, workers: mode.workers === undefined ? undefined : 1, expect })
    const [{ reasons, samples }] = result.checks
    const [[reason, sample], ...others] = Object.entries(samples)
    t.strictSame(others, [])
    t.equal(reasons[reason], expect.status === undefined ? 4 : 8)
    const truncated = expect.status === undefined
    t.strictSame(sample, {
      status: 200,
      headers: [['X-A', '1'], ['x-a', '2'], ['Content-Length', truncated ? '10000' : '7']],
      body: truncated ? 'ß'.repeat(1024) : 'short 1',
      truncated
    }, reason)
    judges(t, result, { expect: 8 })
  }
})

t.test('an answer to HEAD, and one that ends with the connection, are judged', async t => {
  const server = await rawServer(t, (connection, { head }) => {
    if (head.startsWith('HEAD')) connection.send('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n')
    else connection.send('HTTP/1.1 200 OK\r\n\r\nbody').end()
  })
  const result = await run({ url: server.url, amount: 6, requests: [{ method: 'HEAD', expect: { body: '', maxBytes: 0 } }, { expect: { body: 'body' } }] })
  t.strictSame(result.checks.map(({ request, passed, failed }) => [request, passed, failed]), [['HEAD /', 3, 0], ['GET /', 3, 0]])
  judges(t, result, { expect: 6 })
})

t.test('maxMs is held against the latency, maxBytes against the body without its head and its chunks', async t => {
  const server = await rawServer(t, 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n')
  for (const [expect, failed] of [[{ maxBytes: 3 }, 0], [{ maxBytes: 2 }, 4], [{ maxMs: 0 }, 4], [{ maxMs: 20_000 }, 0]]) {
    const result = await run({ url: server.url, amount: 4, expect })
    t.equal(result.checks[0].failed, failed, JSON.stringify(expect))
    judges(t, result, { expect: 4 })
  }
})

inAllModes(t, 'failed checks count towards bailout, an answer once whatever is wrong with it', async (t, mode) => {
  const server = await serve(t, byPath)
  const result = await mode.run({ url: server.url + '/503', connections: 1, workers: mode.workers && 1, duration: 10, bailout: 5, expect: { status: 200 }, check: mode.hook('checks/check-user.js'), verifyBody: mode.hook('checks/refuse.js') })
  t.equal(result.requests.total, 5)
  judges(t, result, { expect: 5, check: 5, verifyBody: 5 })
})

t.test('requests that fail are errors, and are not checked', async t => {
  const server = await rawServer(t, (connection, { index }) => index % 2 === 0 ? connection.send(answer('ok')) : connection.socket.destroy())
  const result = await run({ url: server.url, amount: 10, method: 'POST', expect: { status: 200 } })
  t.equal(result.errors, 5)
  judges(t, result, { expect: 5 })
})

inAllModes(t, 'a name keeps the figures of its requests apart', async (t, mode) => {
  const server = await serve(t, byPath)
  const result = await mode.run({
    url: server.url,
    amount: 40,
    expect: { status: 200 },
    percentiles: [50, 12.5],
    requests: [{ name: 'login', path: '/200' }, { path: '/200' }, { name: 'buy', path: '/503' }, { name: 'login', path: '/404' }]
  })
  t.strictSame(Object.keys(result.byRequest), ['login', 'buy'])
  const { login, buy } = result.byRequest
  t.match(login, { count: 20, errors: 0, statusCodeStats: { 200: { count: 10 }, 404: { count: 10 } } })
  t.match(buy, { count: 10, errors: 0, statusCodeStats: { 503: { count: 10 } } })
  t.strictSame(login.checks, result.checks.filter(({ request }) => request === 'login'))
  t.match(buy.checks, [{ name: 'expect', request: 'buy', passed: 0, failed: 10 }])
  for (const { count, latency, ttfb } of [login, buy]) {
    t.equal(latency.totalCount, count)
    t.equal(ttfb.totalCount, count)
    t.ok(latency.min > 0 && latency.min <= latency.p50 && latency.p50 <= latency.max && latency.max <= result.latency.max && latency.p12_5 <= latency.p50)
    t.type(latency.histogram, 'string')
  }
  judges(t, result, { expect: 40 })
})

t.test('errors, timeouts and broken connections belong to the request that suffered them', async t => {
  const server = await rawServer(t, (connection, { head }) => {
    if (head.startsWith('GET /hang')) return
    if (head.startsWith('GET /cut')) connection.socket.destroy()
    else connection.send(answer('ok'))
  })
  for (const scripted of [{}, { idReplacement: true }]) {
    const result = await run({
      url: server.url,
      amount: 16,
      connections: 2,
      timeout: 1,
      requests: [{ name: 'ok', path: '/ok' }, { name: 'cut', path: '/cut' }, { path: '/ok' }, { name: 'hang', path: '/hang' }],
      ...scripted
    })
    t.strictSame(Object.entries(result.byRequest).map(([name, { count, errors, latency, ttfb }]) => [name, count, errors, latency.totalCount, ttfb.totalCount]),
      [['ok', 4, 0, 4, 4], ['cut', 0, 4, 0, 0], ['hang', 0, 4, 4, 0]])
    t.equal(result.timeouts, 4)
    conserves(t, result)
  }
})

t.test('in a pipeline that breaks, each request that is lost counts where it belongs', async t => {
  const server = await rawServer(t, (connection, { index }) => {
    // Said in the head, the end comes before a fifth request.
    if (index === 3) connection.send(answer('ok', 'Connection: close\r\n')).end()
  })
  for (const scripted of [{}, { idReplacement: true }]) {
    const opts = { url: server.url, amount: 12, pipelining: 4, requests: [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }], ...scripted }
    const lost = await run({ ...opts, method: 'POST' })
    t.strictSame(Object.values(lost.byRequest).map(({ count, errors }) => [count, errors]), [[3, 0], [0, 3], [0, 3], [0, 3]])
    conserves(t, lost)
  }
})

t.test('requests that are sent again keep their names and checks', async t => {
  const server = await rawServer(t, (connection, { index, head }) => {
    if (index === 0) connection.send(answer(head.split(' ')[1], 'Connection: close\r\n')).end()
  })
  const requests = ['a', 'b', 'c'].map(name => ({ name, path: `/${name}`, expect: { body: `/${name}` } }))
  for (const scripted of [{}, { idReplacement: true }]) {
    const result = await run({ url: server.url, amount: 12, pipelining: 4, requests, ...scripted })
    t.ok(result.resent > 0)
    t.strictSame(Object.values(result.byRequest).map(({ count, errors, checks: [{ passed }] }) => [count, errors, passed]), new Array(3).fill([4, 0, 4]))
    judges(t, result, { expect: 12 })
  }
})

t.test('byRequest counts requests without a name by method and path', async t => {
  const server = await serve(t, byPath)
  const result = await run({ url: server.url + '/200?a=b', amount: 8, byRequest: true, requests: [{}, { method: 'POST' }, { path: '/404' }, { name: 'own', path: '/200?c=d' }] })
  t.strictSame(Object.entries(result.byRequest).map(([name, { count }]) => [name, count]), [['GET /200', 2], ['POST /200', 2], ['GET /404', 2], ['own', 2]])
  const other = await serve(t, byPath)
  const two = await run({ url: [server.url + '/200', other.url + '/404'], connections: 2, amount: 4, byRequest: true })
  t.strictSame(Object.keys(two.byRequest), [`GET ${server.url}/200`, `GET ${other.url}/404`], 'with the origin when there are several')
  const entries = ['/200?n=1', '/200?n=2', '/404'].map(path => ({ request: { method: 'GET', url: server.url + path } }))
  const replay = await run({ url: server.url, amount: 6, byRequest: true, har: { log: { entries } }, expect: { status: 200 } })
  t.strictSame(Object.entries(replay.byRequest).map(([name, { count, checks }]) => [name, count, checks[0].failed]), [['GET /200', 4, 0], ['GET /404', 2, 2]], 'those of a HAR, too')
  for (const one of [result, two, replay]) conserves(t, one)
})

inAllModes(t, 'raw results have checks and names, and merge by addition', async (t, mode) => {
  const answer = whenAllAsk(4)
  const server = await serve(t, (request, response) => answer(request.socket, () => byPath(request, response)))
  const opts = { url: server.url, amount: 12, skipAggregateResult: true, expect: { status: 200 }, requests: [{ name: 'a', path: '/200' }, { name: 'b', path: '/503' }] }
  const raws = await Promise.all([mode.run(opts), mode.run({ ...opts, requests: [...opts.requests, { name: '__proto__', path: '/200' }] })])
  const before = JSON.stringify(raws)
  const results = [raws, JSON.parse(before), structuredClone(raws)].map(some => autocannon.aggregateResult(some))
  for (const result of results) {
    t.strictSame(counts(result), [
      { name: 'expect', request: 'a', passed: 10, failed: 0, reasons: {} },
      { name: 'expect', request: 'b', passed: 0, failed: 10, reasons: { 'status 503, expected 200': 10 } },
      { name: 'expect', request: '__proto__', passed: 4, failed: 0, reasons: {} }
    ])
    t.strictSame(Object.entries(result.byRequest).map(([name, { count, latency }]) => [name, count, latency.totalCount]), [['a', 10, 10], ['b', 10, 10], ['__proto__', 4, 4]])
    judges(t, result, { expect: 24 })
  }
})

inAllModes(t, 'checks are the same whatever a sample lasts', async (t, mode) => {
  const server = await serve(t, (request, response) => setTimeout(() => byPath(request, response), 5))
  const result = await mode.run({ url: server.url, amount: 40, sampleInt: 5, expect: { status: 200 }, requests: [{ name: 'a', path: '/200' }, { path: '/503' }] })
  t.ok(result.samples > 5)
  t.strictSame(counts(result), [
    { name: 'expect', request: 'a', passed: 20, failed: 0, reasons: {} },
    { name: 'expect', passed: 0, failed: 20, reasons: { 'status 503, expected 200': 20 } }
  ])
  judges(t, result, { expect: 40 })
})

t.test('each run of a run without end has its own checks, and a warm-up too', async t => {
  const server = await serve(t, byPath)
  const instance = run({ url: server.url + '/503', amount: 4, forever: true, warmup: { connections: 1, duration: 0.1 }, expect: { status: 200 }, requests: [{ name: 'a' }, { name: 'b' }] })
  const results = []
  instance.on('done', result => results.push(result) === 2 && instance.stop())
  await instance
  for (const result of results.slice(0, 2)) {
    judges(t, result, { expect: 4 })
    t.equal(result.byRequest.a.count, 2)
  }
  const { checks, requests } = results[0].warmup
  t.equal(checks.reduce((sum, { failed }) => sum + failed, 0), requests.total)
})

t.test('the requests that a Client sets have names and checks of their own', async t => {
  const server = await serve(t, byPath)
  const result = await run({
    url: server.url,
    amount: 4,
    expect: { status: 200 },
    setupClient: client => client.setRequests([{ path: '/200', name: 'fine' }, { path: '/404', expect: { status: 404 }, check: () => 'no' }])
  })
  t.strictSame(counts(result), [
    { name: 'expect', passed: 0, failed: 0, reasons: {} },
    { name: 'expect', request: 'fine', passed: 2, failed: 0, reasons: {} },
    { name: 'expect', request: 'GET /404', passed: 2, failed: 0, reasons: {} },
    { name: 'check', request: 'GET /404', passed: 0, failed: 2, reasons: { no: 2 } }
  ])
  t.equal(result.byRequest.fine.count, 2)
  conserves(t, result)
})

t.test('requests that a Client sets while one is in flight do not get its answer', async t => {
  const seen = []
  let client
  const onResponse = name => (status, body) => { seen.push([name, body]) }
  const server = await serve(t, ({ url }, response) => {
    if (url === '/old') client.setRequests([{ path: '/new', onResponse: onResponse('new') }])
    setImmediate(() => response.end(url))
  })
  const result = await run({ url: server.url, amount: 4, setupClient: one => { client = one }, requests: [{ path: '/old', onResponse: onResponse('old') }] })
  t.strictSame(seen, [['old', '/old'], ['new', '/new'], ['new', '/new'], ['new', '/new']])
  conserves(t, result)
})

t.test('refuses what is no check, and what can not reach a worker thread', async t => {
  for (const [opts, message] of [
    [{ expect: 200 }, 'expect: expected an object with status, headers, body, json, maxBytes, maxMs, events, got 200'],
    [{ expect: { status: 'fine' } }, "expect.status: expected a status code, a class such as 2xx, or several of them, got 'fine'"],
    [{ check: true }, 'check: expected a function or the path of a module that exports one, got true'],
    [{ requests: [{}, { expect: { json: 5 } }] }, 'requests[1].expect.json: expected an object of paths and values or a function, got 5'],
    [{ requests: [{ check: 5 }] }, 'requests[0].check: expected a function or the path of a module that exports one, got 5'],
    [{ requests: [{ name: 5 }] }, 'requests[0].name: expected a text of up to 100 printable characters, got 5'],
    [{ requests: [{ name: 'a\nb' }] }, "requests[0].name: expected a text of up to 100 printable characters, got 'a\\nb'"],
    [{ byRequest: 'maybe' }, "byRequest: expected true or false, got 'maybe'"],
    [{ workers: 2, check: () => true }, 'check: a function does not reach a worker thread; give the absolute path of a module that exports it'],
    [{ workers: 2, requests: [{ check: () => true }] }, 'requests[0].check: a function does not reach a worker thread; give the absolute path of a module that exports it'],
    [{ workers: 2, expect: { json: () => true } }, 'expect: a function in it does not reach a worker thread; use check with the absolute path of a module'],
    [{ workers: 2, requests: [{}, { expect: { json: { a: () => true } } }] }, 'requests[1].expect: a function in it does not reach a worker thread; use check with the absolute path of a module']
  ]) await t.rejects(run({ url: 'http://127.0.0.1:1', amount: 1, ...opts }), { code: 'AC_OPTIONS', message })
  await t.rejects(run({ url: 'http://127.0.0.1:1', amount: 1, check: '/no/such/module.js' }), { code: 'AC_HOOK', message: /^check: could not load the module '.*module\.js': Cannot find module '.*module\.js'$/ })
})

t.test('the command line', async t => {
  const server = await serve(t, byPath)
  const url = server.url + '/200'

  t.test('ends with exit code 3 when a check failed, with 0 when all passed', async t => {
    for (const [flags, code] of [
      [['--expect-status', '200'], 0],
      [['--expect-status', '404,2xx'], 0],
      [['--expect-status', '404'], 3],
      [['--expect-header', 'x-one=1', '--expect-header', 'Content-Type=/JSON/i', '--expect-header', 'date'], 0],
      [['--expect-header', 'x-one=1', '--expect-header', 'x-two'], 3],
      [['--expect-header', 'connection=/NOPE/', '--expect-header', 'connection=/keep/'], 3],
      [['--expect-header', 'Connection=/keep/', '--expect-header', 'connection=/alive/'], 0],
      [['--expect-json', 'id=42'], 0],
      [['--expect-json', 'id="42"'], 3],
      [['--expect-includes', 'id', '--expect-includes', '42'], 0],
      [['--expect-includes', 'id', '--expect-includes', '43'], 3],
      [['--expectBody', 'other'], 0]
    ]) {
      const { code: actual, stdout } = await cli(['-j', '-c', '1', '-a', '2', ...flags, url])
      t.equal(actual, code, flags.join(' '))
      const { checks } = JSON.parse(stdout)
      t.equal(checks.reduce((sum, { failed }) => sum + failed, 0), code === 0 ? 0 : 2)
    }
  })

  t.test('adds the flags to what a config expects', async t => {
    const config = (/** @type {any} */ expect) => path.join(t.testdir({ 'a.json': JSON.stringify({ expect }) }), 'a.json')
    for (const [expect, flags, code] of [
      [{ status: 404 }, ['--expect-header', 'date'], 3],
      [{ status: 404 }, ['--expect-status', '200'], 0],
      [{ headers: { 'x-one': '2' } }, ['--expect-header', 'date'], 3],
      [{ headers: { 'X-One': '2' } }, ['--expect-header', 'x-one=1'], 0],
      [{ json: { id: 43 } }, ['--expect-json', 'id=42'], 0],
      [{ json: { other: 43 } }, ['--expect-json', 'id=42'], 3],
      [{ body: { includes: ['no such text'] } }, ['--expect-includes', 'id'], 3],
      [{ body: { includes: 'id' } }, ['--expect-includes', '42'], 0]
    ]) t.equal((await cli(['-j', '-c', '1', '-a', '2', '--config', config(expect), ...flags, url])).code, code, JSON.stringify(expect))
  })

  t.test('says in the summary what failed, and shows the table when asked', async t => {
    const { stdout, stderr, code } = await cli(['-c', '1', '-a', '2', '--expect-status', '404', '--by-request', url])
    t.equal(code, 3)
    t.equal(stdout, '')
    t.match(stderr, '\nChecks failed 2 times, and passed 0 times:\n  2 × expect of GET /200: status 200, expected 404\n')
    t.match(stderr, /│ Request {2}│ Count │[^]*│ GET \/200 │ 2 {5}│/)
    const { stderr: short } = await cli(['-c', '1', '-a', '2', '--expect-status', '200', '--no-verbose', url])
    t.match(short, '\n1 check passed in 2 evaluations\n')
    t.notMatch(short, '│')
  })

  withWorkers(t, 'works with workers', async (t, mode) => {
    const { code, stdout } = await mode.cli(['-j', '-w', '2', '-c', '2', '-a', '4', '--by-request', '--expect-header', 'content-type=/html/', url])
    t.equal(code, 3)
    t.match(JSON.parse(stdout), { checks: [{ request: 'GET /200', failed: 4 }], byRequest: { 'GET /200': { count: 4 } } })
  })

  t.test('ends with exit code 1 when there was nothing to check', async t => {
    const { code } = await cli(['-j', '-c', '1', '-a', '1', '--expect-status', '200', `http://127.0.0.1:${await closedPort()}`])
    t.equal(code, 1)
  })

  t.test('names every wrong expectation', async t => {
    const { code, stderr } = await cli(['--expect-status', 'abc', '--expect-header', 'a b', '--expect-json', 'x', '--expect-includes', '', url])
    t.equal(code, 2)
    t.equal(stderr, `autocannon: --expect-status: expected a status code, a class such as 2xx, or several of them, got 'abc'
autocannon: --expect-header: expected name=value, name=/pattern/ or a name, got 'a…'
autocannon: --expect-json: expected path=value such as user.id=42, got 'x'
autocannon: --expect-includes: expected a text, got ''
Try autocannon --help for more.
`)
  })
})
