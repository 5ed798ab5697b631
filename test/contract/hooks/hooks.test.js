'use strict'

// The functions of the user: setupRequest, onResponse, verifyBody and expectBody, and the context that they share.
// setupClient is in client.test.js.

const t = require('tap')
const { serve, valuesOf } = require('../../helpers/servers/http-server')
const { rawServer, answer } = require('../../helpers/servers/raw-server')
const { conserves } = require('../../helpers/results/conservation')
const { inAllModes, overHttp1, run, fixture, byConnection, told } = require('../modes')

inAllModes(t, 'setupRequest is given the request and returns the one that is sent', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({
    url: server.url,
    amount: 4,
    method: 'POST',
    headers: { 'x-a': ['1', '2'] },
    requests: [{ path: '/x', body: 'body', setupRequest: mode.hook('change-request.js') }]
  })
  t.equal(server.requests.length, 4)
  for (const request of server.requests) {
    t.strictSame(told(request, 'x-given'), { method: 'POST', path: '/x', headers: { 'x-a': ['1', '2'] }, body: 'body' })
    t.match(request, { method: 'PATCH', url: '/x/changed', body: 'body and more' })
    t.strictSame(valuesOf(request, 'x-a'), ['1', '2'])
    t.strictSame(valuesOf(request, 'content-length'), ['13'])
  }
  conserves(t, result)
})

inAllModes(t, 'setupRequest gets a fresh request each time', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({
    url: server.url,
    amount: 20,
    method: 'POST',
    requests: [{ path: '/1', body: 'a', setupRequest: mode.hook('grow-request.js') }, { path: '/2' }]
  })
  for (const requests of byConnection(server.requests)) {
    t.strictSame(requests.map(({ url, body }) => url + body), new Array(5).fill(['/1xax', '/2']).flat())
    t.strictSame(requests.map(request => valuesOf(request, 'x-count').join()), new Array(5).fill(['x', '']).flat())
  }
  conserves(t, result)
})

t.test('a request without a body has none for setupRequest, and may get or lose one', async t => {
  const server = await serve(t)
  const given = []
  await run({
    url: server.url,
    amount: 2,
    requests: [
      { setupRequest: request => { given.push(request.body); return { ...request, method: 'PUT', body: Buffer.from('new') } } },
      { body: 'old', setupRequest: request => { given.push(request.body); return { ...request, body: undefined } } }
    ]
  })
  t.strictSame(given, [undefined, 'old'])
  t.strictSame(server.requests.map(({ body }) => body), ['new', ''])
  t.strictSame(valuesOf(server.requests[1], 'content-length'), [])
})

inAllModes(t, 'a falsy setupRequest starts the requests over and counts in resets', async (t, mode) => {
  // The second and the fifth time a connection asks for /first, the request behind it is not sent.
  const server = await serve(t, ({ socket, url }, response) => {
    if (url !== '/first') return response.end()
    const firsts = server.requests.filter(request => request.socket === socket && request.url === '/first').length
    response.end(firsts === 2 || firsts === 5 ? 'stop' : 'go')
  })
  const result = await mode.run({
    url: server.url,
    amount: 24,
    requests: [
      { path: '/first', onResponse: mode.hook('remember.js') },
      { path: '/second', setupRequest: mode.hook('unless-stopped.js') },
      { path: '/third' }
    ]
  })
  const iteration = ['/first', '/second', '/third']
  for (const requests of byConnection(server.requests)) {
    t.strictSame(requests.map(({ url }) => url), [...iteration, '/first', ...iteration, ...iteration, '/first', '/first'])
  }
  t.equal(result.resets, 4)
  t.equal(result.errors, 0)
  conserves(t, result)
})

t.test('every falsy value starts over', async t => {
  for (const falsy of [undefined, null, false, 0, '']) {
    const server = await serve(t)
    let calls = 0
    const setupRequest = (/** @type {any} */ request) => calls++ % 2 === 0 ? falsy : request
    const result = await run({ url: server.url, amount: 4, requests: [{ path: '/1' }, { path: '/2', setupRequest }] })
    t.strictSame(server.requests.map(({ url }) => url), ['/1', '/1', '/2', '/1'])
    t.equal(result.resets, 1)
    conserves(t, result)
  }
})

t.test('a setupRequest that never returns a request fails the run', async t => {
  const server = await serve(t)
  await t.rejects(run({ url: server.url, requests: [{ setupRequest: () => null }] }), { code: 'AC_HOOK', message: /setupRequest of request 0 returned nothing/ })
})

inAllModes(t, 'the hooks of an iteration share a context, which is reset to initialContext', async (t, mode) => {
  const server = await serve(t, (request, response) => response.end(`answer to ${request.url}`))
  const setupRequest = mode.hook('tell-context.js')
  const onResponse = mode.hook('remember.js')
  const result = await mode.run({
    url: server.url,
    amount: 12,
    initialContext: { fixed: 1, list: ['one'] },
    requests: [{ path: '/1', setupRequest, onResponse }, { path: '/2' }, { path: '/3', setupRequest }]
  })
  for (const requests of byConnection(server.requests)) {
    for (const i of [0, 3]) {
      t.strictSame(told(requests[i], 'x-context'), { fixed: 1, list: ['one'] }, 'as at the beginning, in depth, too')
      t.equal(told(requests[i + 1], 'x-context'), undefined)
      t.match(told(requests[i + 2], 'x-context'), { fixed: 1, list: ['one', 'more'], touched: true, last: 'answer to /1' })
    }
  }
  conserves(t, result)
})

inAllModes(t, 'without initialContext an iteration starts with an empty context', async (t, mode) => {
  const server = await serve(t)
  await mode.run({ url: server.url, amount: 6, requests: [{ setupRequest: mode.hook('tell-context.js') }] })
  t.equal(server.requests.length, 6)
  for (const request of server.requests) t.strictSame(told(request, 'x-context'), {})
})

t.test('a restart resets the context, too', async t => {
  const server = await serve(t)
  const contexts = []
  let calls = 0
  await run({
    url: server.url,
    amount: 4,
    initialContext: { n: 0 },
    requests: [
      { setupRequest: (request, context) => { contexts.push({ ...context }); context.n++; return request } },
      { setupRequest: (request, context) => calls++ === 0 ? null : request }
    ]
  })
  t.strictSame(contexts, [{ n: 0 }, { n: 0 }, { n: 0 }])
})

overHttp1(t, 'onResponse gets status, body, context and headers, repeated ones as an array', async (t, mode) => {
  const bytes = 'HTTP/1.1 404 Not Found\r\nX-One: 1\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nSet-Cookie: c=3\r\nContent-Length: 8\r\n\r\ngrüße'
  const server = await rawServer(t, Buffer.from(bytes + '!'))
  const result = await mode.run({
    url: server.url,
    amount: 8,
    requests: [{ onResponse: mode.hook('remember.js') }, { setupRequest: mode.hook('tell-context.js') }]
  })
  const tellers = server.requests.filter(({ head }) => head.includes('x-context'))
  t.equal(tellers.length, 4)
  for (const { head } of tellers) {
    const context = JSON.parse(decodeURIComponent(/x-context: (.*)\r\n/.exec(head)[1]))
    t.strictSame(context.responses, [{
      status: 404,
      body: 'grüße!',
      headers: { 'X-One': '1', 'Set-Cookie': ['a=1', 'c=3'], 'set-cookie': 'b=2', 'Content-Length': '8' }
    }])
  }
  conserves(t, result)
})

t.test('onResponse is called for its own request, in a pipeline, too', async t => {
  const server = await serve(t, (request, response) => response.end(request.url))
  const seen = { '/1': [], '/2': [] }
  const onResponse = path => (status, body) => { seen[path].push(body) }
  const result = await run({
    url: server.url,
    amount: 20,
    pipelining: 5,
    requests: [{ path: '/1', onResponse: onResponse('/1') }, { path: '/2', onResponse: onResponse('/2') }]
  })
  t.strictSame(seen, { '/1': new Array(10).fill('/1'), '/2': new Array(10).fill('/2') })
  conserves(t, result)
})

inAllModes(t, 'verifyBody counts a falsy answer as a mismatch', async (t, mode) => {
  const server = await serve(t, (request, response) => response.end(request.url === '/good' ? 'grüße ✓' : 'gruesse'))
  const result = await mode.run({
    url: server.url,
    amount: 12,
    requests: [{ path: '/good' }, { path: '/bad' }, { path: '/bad' }],
    verifyBody: mode.hook('checks/is-good.js')
  })
  t.equal(result.mismatches, 8)
  t.equal(result.requests.total, 12, 'a mismatch is an answer')
  t.equal(result.errors, 0)
  conserves(t, result)
})

t.test('verifyBody gets the context of the iteration, too', async t => {
  const server = await serve(t)
  const setupRequest = (/** @type {any} */ request, /** @type {any} */ context) => { context.expected = 'ok'; return request }
  const result = await run({ url: server.url, amount: 3, requests: [{ setupRequest }], verifyBody: (body, context) => body === context.expected })
  t.equal(result.mismatches, 0)
  conserves(t, result)
})

inAllModes(t, 'verifyBody takes precedence over expectBody', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, amount: 4, expectBody: 'other', verifyBody: mode.hook('checks/always.js') })
  t.equal(result.mismatches, 0)
  conserves(t, result)
})

inAllModes(t, 'expectBody counts every other body as a mismatch', async (t, mode) => {
  const server = await serve(t, (request, response) => response.end(server.requests.length % 4 === 0 ? 'other' : 'expected'))
  const result = await mode.run({ url: server.url, amount: 20, expectBody: 'expected' })
  t.equal(result.mismatches, 5)
  t.equal(result.requests.total, 20)
  conserves(t, result)
})

overHttp1(t, 'a body that comes in pieces, cut inside a character, is what it was', async (t, mode) => {
  const whole = Buffer.from(answer('grüße ✓'))
  for (const opts of [{ expectBody: 'grüße ✓' }, { verifyBody: mode.hook('checks/is-good.js') }]) {
    let cut = 0
    const server = await rawServer(t, connection => {
      const at = whole.length - 1 - cut++ % 9
      connection.send(whole.subarray(0, at), whole.subarray(at))
    })
    const result = await mode.run({ url: server.url, amount: 18, ...opts })
    t.equal(result.mismatches, 0)
    conserves(t, result)
  }
})

t.test('a chunked body is put together', async t => {
  const server = await rawServer(t, 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nexp\r\n5\r\nected\r\n0\r\n\r\n')
  const bodies = []
  const result = await run({ url: server.url, amount: 4, expectBody: 'expected', requests: [{ onResponse: (status, body) => { bodies.push(body) } }] })
  t.strictSame(bodies, new Array(4).fill('expected'))
  t.equal(result.mismatches, 0)
  conserves(t, result)
})

inAllModes(t, 'a hook that throws fails the run, by name', async (t, mode) => {
  const server = await serve(t)
  const hook = mode.hook('failing/throws.js')
  for (const [opts, name] of [
    [{ setupClient: hook }, 'setupClient of connection 0'],
    [{ verifyBody: hook, requests: [{ path: '/only' }] }, 'verifyBody of the response to request 0'],
    [{ requests: [{}, { setupRequest: hook }] }, 'setupRequest of request 1'],
    [{ requests: [{ onResponse: hook }] }, 'onResponse of request 0']
  ]) {
    await t.rejects(mode.run({ url: server.url, amount: 10, ...opts }), { code: 'AC_HOOK', message: `${name} failed: out of order` }, name)
  }
})

t.test('a hook may be the path of a module in one thread, too', async t => {
  const server = await serve(t)
  const result = await run({
    url: server.url,
    amount: 4,
    setupClient: fixture('esm/setup-client.mjs'),
    verifyBody: fixture('checks/is-good.js'),
    requests: [{ onResponse: fixture('remember.js') }, { setupRequest: fixture('esm/setup-request.mjs') }]
  })
  t.equal(result.mismatches, 4)
  t.strictSame(valuesOf(server.requests[0], 'x-client'), ['esm'])
  t.equal(server.requests[1].url, '/esm/first')
  conserves(t, result)
})

t.test('refuses what is no hook', async t => {
  for (const [opts, message] of [
    [{ setupClient: 5 }, /^setupClient: expected a function or the path of a module/],
    [{ verifyBody: {} }, /^verifyBody: expected a function or the path of a module/],
    [{ requests: [{ setupRequest: 5 }] }, /^requests\[0\]\.setupRequest: expected a function or the path of a module/],
    [{ requests: [{}, { onResponse: 5 }] }, /^requests\[1\]\.onResponse: expected a function or the path of a module/],
    [{ expectBody: 5 }, /^expectBody: expected a string or a Buffer/],
    [{ initialContext: 5 }, /^initialContext: expected an object/]
  ]) await t.rejects(run({ url: 'http://127.0.0.1:1', amount: 1, ...opts }), { code: 'AC_OPTIONS', message })
})
