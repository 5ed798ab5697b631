'use strict'

// The Client: what setupClient and listeners to `response` get. Its methods are called where the load is made, as the
// server tells them (test/fixtures/contract/clients/obey.js), so that the same test holds for workers.

const t = require('tap')
const { serve, valuesOf } = require('../../helpers/servers/http-server')
const { conserves } = require('../../helpers/results/conservation')
const { inAllModes, overHttp1, run, byConnection, told } = require('../modes')

const DEFAULTS = { method: 'POST', body: 'default', headers: { 'x-default': 'default' } }

/**
 * Runs `amount` requests on each of two connections; with its first answer each client is told what to do.
 * @param {any} t
 * @param {any} mode
 * @param {[string, ...any[]]} command method and arguments
 * @param {Record<string, any>} [opts]
 * @returns {Promise<string[][]>} for each request of a connection: method, path, own headers and body
 */
async function afterCall (t, mode, [call, ...args], { amount = 3, ...opts } = {}) {
  const server = await serve(t, ({ socket }, response) => {
    const first = server.requests.filter(request => request.socket === socket).length === 1
    response.end(JSON.stringify(first ? { call, args } : {}))
  })
  const result = await mode.run({ url: server.url + '/url', amount: 2 * amount, setupClient: mode.hook('clients/obey.js'), ...DEFAULTS, ...opts })
  conserves(t, result)
  const [one, two] = byConnection(server.requests).map(requests => requests.map(request => {
    const own = ['x-default', 'x-own', 'x-new'].flatMap(name => valuesOf(request, name).map(value => `${name}: ${value}`))
    t.strictSame(valuesOf(request, 'content-length'), [String(Buffer.byteLength(request.body))])
    return [request.method, request.url, own.join(', '), request.body]
  }))
  t.strictSame(two, one, 'both clients do the same')
  return one
}

const BEFORE = ['POST', '/url', 'x-default: default', 'default']

t.test('setupClient is called once with each client, before anything is sent', async t => {
  const server = await serve(t)
  const clients = new Set()
  const setupClient = client => {
    t.equal(server.requests.length, 0)
    for (const method of ['on', 'setHeaders', 'setBody', 'setHeadersAndBody', 'setRequest', 'setRequests']) t.type(client[method], 'function')
    clients.add(client)
  }
  await run({ url: server.url, connections: 5, amount: 20, reconnectRate: 1, setupClient })
  t.equal(clients.size, 5)
})

inAllModes(t, 'what setupClient sets takes precedence over headers and body', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, amount: 4, ...DEFAULTS, setupClient: mode.hook('clients/set-all.js') })
  for (const request of server.requests) {
    t.equal(request.body, 'own')
    t.strictSame(valuesOf(request, 'x-client'), ['own'])
    t.strictSame(valuesOf(request, 'x-default'), ['own'])
  }
  conserves(t, result)
})

inAllModes(t, 'setHeaders changes the headers of the request, over those of the options', async (t, mode) => {
  t.strictSame(await afterCall(t, mode, ['setHeaders', { 'x-new': 'new' }]),
    [BEFORE, ...new Array(2).fill(['POST', '/url', 'x-default: default, x-new: new', 'default'])])
  t.strictSame(await afterCall(t, mode, ['setHeaders', { 'X-Default': 'new' }]),
    [BEFORE, ...new Array(2).fill(['POST', '/url', 'x-default: new', 'default'])])
})

inAllModes(t, 'setHeaders takes the place of what the request itself had', async (t, mode) => {
  const requests = [{ headers: { 'x-own': 'own' } }]
  const [before, ...after] = await afterCall(t, mode, ['setHeaders', { 'x-new': 'new' }], { requests })
  t.equal(before[2], 'x-default: default, x-own: own')
  t.strictSame(after.map(([, , headers]) => headers), new Array(2).fill('x-default: default, x-new: new'))
})

inAllModes(t, 'setHeaders without headers removes them', async (t, mode) => {
  t.strictSame(await afterCall(t, mode, ['setHeaders']), [BEFORE, ...new Array(2).fill(['POST', '/url', '', 'default'])])
})

inAllModes(t, 'setBody changes the body', async (t, mode) => {
  t.strictSame(await afterCall(t, mode, ['setBody', 'nöw']), [BEFORE, ...new Array(2).fill(['POST', '/url', 'x-default: default', 'nöw'])])
})

inAllModes(t, 'setBody without a body removes it', async (t, mode) => {
  t.strictSame(await afterCall(t, mode, ['setBody']), [BEFORE, ...new Array(2).fill(['POST', '/url', 'x-default: default', ''])])
})

t.test('setBody takes a Buffer', async t => {
  const server = await serve(t)
  await run({ url: server.url, amount: 2, ...DEFAULTS, setupClient: client => client.setBody(Buffer.from('from a buffer')) })
  t.strictSame(server.requests.map(({ body }) => body), new Array(2).fill('from a buffer'))
})

inAllModes(t, 'setHeadersAndBody changes both', async (t, mode) => {
  t.strictSame(await afterCall(t, mode, ['setHeadersAndBody', { 'x-new': 'new' }, 'new']),
    [BEFORE, ...new Array(2).fill(['POST', '/url', 'x-default: default, x-new: new', 'new'])])
  t.strictSame(await afterCall(t, mode, ['setHeadersAndBody']), [BEFORE, ...new Array(2).fill(['POST', '/url', '', ''])], 'or removes both')
})

inAllModes(t, 'setRequest changes the whole request', async (t, mode) => {
  const request = { method: 'PUT', path: '/new', headers: { 'x-new': 'new' }, body: 'new' }
  t.strictSame(await afterCall(t, mode, ['setRequest', request]),
    [BEFORE, ...new Array(2).fill(['PUT', '/new', 'x-default: default, x-new: new', 'new'])])
})

inAllModes(t, 'what setRequest leaves out is as in the options', async (t, mode) => {
  const requests = [{ method: 'PATCH', path: '/own', headers: { 'x-own': 'own' }, body: 'own' }]
  const [before, ...after] = await afterCall(t, mode, ['setRequest', {}], { requests })
  t.strictSame(before, ['PATCH', '/own', 'x-default: default, x-own: own', 'own'])
  t.strictSame(after, [BEFORE, BEFORE])
  for (const [given, expected] of [
    [{ method: 'PUT' }, ['PUT', ...BEFORE.slice(1)]],
    [{ path: '/new' }, ['POST', '/new', ...BEFORE.slice(2)]],
    [{ headers: { 'x-new': 'new' } }, ['POST', '/url', 'x-default: default, x-new: new', 'default']],
    [{ body: 'new' }, [...BEFORE.slice(0, 3), 'new']]
  ]) t.strictSame((await afterCall(t, mode, ['setRequest', given], { requests }))[1], expected)
})

inAllModes(t, 'setRequests takes the place of the whole sequence', async (t, mode) => {
  const sequence = [{ path: '/1' }, { path: '/2', method: 'PUT', body: 'new' }, { path: '/3', headers: { 'x-new': 'new' } }]
  const [before, ...after] = await afterCall(t, mode, ['setRequests', sequence], { requests: [{ path: '/old' }, { path: '/older' }], amount: 6 })
  t.equal(before[1], '/old')
  const [one, two, three] = [['POST', '/1', 'x-default: default', 'default'], ['PUT', '/2', 'x-default: default', 'new'],
    ['POST', '/3', 'x-default: default, x-new: new', 'default']]
  t.strictSame(after, [one, two, three, one, two])
})

t.test('the requests of setRequests may have hooks', async t => {
  const server = await serve(t, (request, response) => response.end(request.url))
  const bodies = []
  const setupClient = client => client.setRequests([
    { path: '/1', setupRequest: request => ({ ...request, path: request.path + '/set' }) },
    { path: '/2', onResponse: (status, body) => { bodies.push(body) } }
  ])
  await run({ url: server.url, amount: 4, setupClient })
  t.strictSame(server.requests.map(({ url }) => url), ['/1/set', '/2', '/1/set', '/2'])
  t.strictSame(bodies, ['/2', '/2'])
})

inAllModes(t, 'a change is made to the request that is sent next, at each round', async (t, mode) => {
  const requests = [{ path: '/1' }, { path: '/2' }, { path: '/3' }]
  const sent = await afterCall(t, mode, ['setBody', 'new'], { requests, amount: 6 })
  t.strictSame(sent.map(([, path, , body]) => path + ' ' + body), ['/1 default', '/2 new', '/3 default', '/1 default', '/2 new', '/3 default'])
})

t.test('a change that comes while a request is in flight never touches it: its framing, and what its check sees', async t => {
  for (const own of [{}, { setupRequest: (/** @type {any} */ request) => request }]) {
    for (const [first, then] of [['GET', 'HEAD'], ['HEAD', 'GET'], ['POST', 'HEAD'], ['HEAD', 'POST']]) {
      const server = await serve(t, ({ method, url }, response) => response.end(`${method} ${url}`))
      /** @type {any[]} */
      const seen = []
      let answers = 0
      const result = await run({
        url: server.url,
        amount: 6,
        requests: [{ method: first, path: '/first', body: 'one', name: 'first', ...own }],
        check: (/** @type {any} */ { request, size }) => {
          seen.push([request.name, request.method, request.path, request.body, size])
          return true
        },
        setupClient: (/** @type {any} */ client) => client.on('response', async () => {
          // The next request is in flight then.
          await null
          if (++answers === 1) client.setRequest({ method: then, path: '/then', body: 'other' })
          if (answers === 3) client.setRequests([{ method: first, path: '/first', body: 'one', ...own }, { method: then, path: '/then', body: 'other', ...own }])
        })
      })
      const one = (/** @type {string | undefined} */ name) => [name, first, '/first', 'one', first === 'HEAD' ? 0 : `${first} /first`.length]
      const other = (/** @type {string | undefined} */ name) => [name, then, '/then', 'other', then === 'HEAD' ? 0 : `${then} /then`.length]
      t.strictSame(seen, [one('first'), one('first'), other('first'), other('first'), one(undefined), other(undefined)], `${first} and ${then}`)
      t.strictSame(server.requests.map(({ method, url, body }) => [method, url, body]), seen.map(([, method, path, body]) => [method, path, body]))
      t.equal(result.errors, 0)
      conserves(t, result)
    }
  }
})

t.test('a change that comes while a request is in flight leaves its name and its expectation', async t => {
  const server = await serve(t, ({ url }, response) => response.end(url))
  let answers = 0
  const result = await run({
    url: server.url,
    amount: 4,
    requests: [{ path: '/a', name: 'a', expect: { body: '/a' } }],
    setupClient: (/** @type {any} */ client) => client.on('response', async () => {
      await null
      if (++answers === 1) client.setRequests([{ path: '/b', name: 'b', expect: { body: '/b' }, onResponse () {} }])
    })
  })
  t.match(result.byRequest, { a: { count: 2 }, b: { count: 2 } })
  t.strictSame(result.checks.map((/** @type {any} */ { request, passed, failed }) => [request, passed, failed]), [['a', 2, 0], ['b', 2, 0]])
  conserves(t, result)
})

t.test('bytes that are given are taken as they are then, whatever is written into them later', async t => {
  const server = await serve(t)
  const body = Buffer.from('given')
  const hooked = Buffer.from('hooked')
  /** @type {any} */
  let seen
  await run({
    url: server.url,
    amount: 4,
    body,
    requests: [{}, { body }, {
      setupRequest: (/** @type {any} */ request) => ({ ...request, body: hooked }),
      check (/** @type {any} */ { request }) {
        hooked.fill('z')
        seen = String(request.body)
        return true
      }
    }],
    setupClient (/** @type {any} */ client) {
      client.setBody(body)
      body.fill('x')
      client.setHeaders({ 'x-new': 'new' })
    },
    check (/** @type {any} */ { request }) {
      request.body.fill('y')
      return true
    }
  })
  t.strictSame(server.requests.map(({ body }) => body), ['given', 'given', 'hooked', 'given'])
  t.equal(seen, 'hooked')
})

/** Calls that change requests: what the requests behind them are, as method, path and body. @type {Array<[string, (client: any) => void, string[]]>} */
const CHANGES = [
  ['setHeaders', client => client.setHeaders({ 'x-new': 'new' }), ['POST /url default']],
  ['setBody', client => client.setBody('new'), ['POST /url new']],
  ['setHeadersAndBody', client => client.setHeadersAndBody({}, 'new'), ['POST /url new']],
  ['setRequest', client => client.setRequest({ method: 'PUT', path: '/new' }), ['PUT /new default']],
  ['setRequests', client => client.setRequests([{ path: '/1' }, { method: 'HEAD', path: '/2' }]), ['POST /1 default', 'HEAD /2 default']],
  ['setRequests with hooks', client => client.setRequests([{ path: '/1', setupRequest: (/** @type {any} */ request) => ({ ...request, body: 'set' }) }, { path: '/2', onResponse () {} }]), ['POST /1 set', 'POST /2 default']]
]

/** Where a Client may be told to change, each once: how many requests are sent before the change shows. @type {Array<[string, number, (change: () => void, client: () => any) => Record<string, any>]>} */
const PLACES = [
  ['setupRequest', 1, change => ({ requests: [{ setupRequest (/** @type {any} */ request) { change(); return request } }] })],
  ['setupRequest that starts over', 0, change => ({ requests: [{ setupRequest: (/** @type {any} */ request) => change() ? null : request }] })],
  ['onResponse', 1, change => ({ requests: [{ onResponse () { change() } }] })],
  ['verifyBody', 1, change => ({ verifyBody () { change(); return true } })],
  ['check', 1, change => ({ check () { change(); return true } })],
  ['expect', 1, change => ({ expect: { json () { change(); return true } } })],
  ['headers', 1, (change, client) => ({ setupClient () { client().on('headers', change) } })],
  ['body', 1, (change, client) => ({ setupClient () { client().on('body', change) } })],
  ['response', 1, (change, client) => ({ setupClient () { client().on('response', change) } })],
  ['reset', 0, (change, client) => ({
    setupClient () { client().on('reset', change) },
    requests: [{ setupRequest: (() => { let calls = 0; return (/** @type {any} */ request) => calls++ === 0 ? null : request })() }]
  })]
]

for (const [place, before, opts] of PLACES) {
  t.test(`requests may be changed in ${place}: what follows is the change, and what is in flight stays as it was`, async t => {
    for (const [name, call, after] of CHANGES) {
      const server = await serve(t, (request, response) => response.end('{}'))
      /** @type {any} */
      let client
      let told = false
      const change = () => {
        if (told) return false
        told = true
        call(client)
        return true
      }
      const { setupClient = () => {}, ...given } = opts(change, () => client)
      const result = await run({ url: server.url + '/url', amount: 6, ...DEFAULTS, ...given, setupClient (/** @type {any} */ made) { client = made; setupClient() } })
      const expected = Array.from({ length: 6 }, (_, i) => i < before ? 'POST /url default' : after[(i - before) % after.length])
      t.strictSame(server.requests.map(({ method, url, body }) => `${method} ${url} ${body}`), expected, name)
      t.match(result, { errors: 0, mismatches: 0, '2xx': 6 })
      conserves(t, result)
    }
  })

  t.test(`the run may be stopped in ${place}`, async t => {
    const server = await serve(t, (request, response) => response.end('{}'))
    /** @type {any} */
    let client
    const { setupClient = () => {}, ...given } = opts(() => { instance.stop(); return false }, () => client)
    const instance = run({ url: server.url, duration: 60, ...given, setupClient (/** @type {any} */ made) { client = made; setupClient() } })
    const result = await instance
    t.ok(result.duration < 60)
    t.ok(result.requests.sent <= 1)
    conserves(t, result)
  })
}

t.test('setRequests that are wrong, in setupRequest, fail the run, by name', async t => {
  const { url } = await serve(t)
  for (const [given, words] of [[[], 'at least one request'], ['/', 'at least one request'], [[{ method: ' ' }], 'HTTP method'], [[null], 'expected an object'], [[{ onResponse: 5 }], 'onResponse of request 0']]) {
    /** @type {any} */
    let client
    await t.rejects(run({
      url,
      amount: 3,
      setupClient (/** @type {any} */ made) { client = made },
      requests: [{ setupRequest () { client.setRequests(given) } }]
    }), { code: 'AC_HOOK', message: new RegExp(`^setupRequest of request 0 failed: .*${words}`) })
  }
})

t.test('a change concerns its own connection only', async t => {
  const server = await serve(t)
  let number = 0
  await run({ url: server.url, connections: 3, amount: 12, setupClient: client => client.setHeaders({ 'x-number': number++ }) })
  const numbers = byConnection(server.requests).map(requests => requests.map(request => valuesOf(request, 'x-number')[0]).join(''))
  t.strictSame(numbers.sort(), ['0000', '1111', '2222'])
})

inAllModes(t, 'every method that changes requests throws when pipelining is more than 1', async (t, mode) => {
  const server = await serve(t)
  await t.rejects(mode.run({ url: server.url, amount: 4, pipelining: 2, setupClient: mode.hook('clients/pipelined-client.js') }),
    { code: 'AC_HOOK', message: 'setupClient of connection 0 failed: ' + new Array(5).fill('AC_PIPELINED_CLIENT').join(' ') })
  t.equal(server.requests.length, 0)
})

overHttp1(t, 'a client emits headers, body and response for each answer', async (t, mode) => {
  const server = await serve(t, (request, response) => response.writeHead(201, 'Made', { 'X-A': ['1', '2'], Date: 'now', 'Content-Length': 5 }).end('hello'))
  const result = await mode.run({ url: server.url, amount: 8, setupClient: mode.hook('clients/tell-events.js') })
  const emitted = byConnection(server.requests).flatMap(([first, ...others]) => {
    t.equal(told(first, 'x-events'), undefined, 'nothing before the first answer')
    return others.map(request => told(request, 'x-events'))
  })
  t.equal(emitted.length, 6)
  for (const [headers, body, response, ...more] of emitted) {
    t.strictSame(more, [])
    t.match(headers, ['headers', { statusCode: 201, statusMessage: 'Made', headers: ['X-A', '1', 'X-A', '2', 'Date', 'now', 'Content-Length', '5'] }])
    t.strictSame(body, ['body', { buffer: 'hello' }])
    const [name, statusCode, resBytes, responseTime] = response
    t.strictSame([name, statusCode, resBytes], ['response', 201, result.throughput.total / 8])
    t.type(responseTime, 'number')
    t.ok(responseTime > result.latency.min - 0.001 && responseTime < result.latency.max + 0.001, 'in ms, as the latency')
  }
  conserves(t, result)
})

inAllModes(t, 'a client emits reset when setupRequest starts the requests over', async (t, mode) => {
  const server = await serve(t, ({ socket }, response) => {
    response.end(server.requests.filter(request => request.socket === socket).length === 3 ? 'stop' : 'go')
  })
  const result = await mode.run({
    url: server.url,
    amount: 12,
    setupClient: mode.hook('clients/tell-events.js'),
    requests: [{ path: '/1', onResponse: mode.hook('remember.js') }, { path: '/2', setupRequest: mode.hook('unless-stopped.js') }]
  })
  for (const requests of byConnection(server.requests)) {
    t.strictSame(requests.map(({ url }) => url), ['/1', '/2', '/1', '/1', '/2', '/1'])
    const resets = requests.map(request => (told(request, 'x-events') ?? []).filter(([name]) => name === 'reset'))
    t.strictSame(resets.flat(), [['reset']])
  }
  t.equal(result.resets, 2)
  conserves(t, result)
})

t.test('a body event has the bytes of the answer, as a Buffer of its own', async t => {
  const bytes = Buffer.from([0, 255, 128, 10])
  const server = await serve(t, (request, response) => response.end(bytes))
  const bodies = []
  await run({ url: server.url, amount: 3, setupClient: client => client.on('body', body => { bodies.push(body) }) })
  t.equal(bodies.length, 3)
  t.ok(bodies.every(body => Buffer.isBuffer(body) && body.equals(bytes)))
})
