'use strict'

// Traces: what --trace sends in each request, and that the slowest requests and the first failures say under which id the server knows them.

const http = require('node:http')
const http2 = require('node:http2')
const t = require('tap')
const autocannon = require('../../..')
const { conserves } = require('../../helpers/results/conservation')
const { answer, rawServer } = require('../../helpers/servers/raw-server')

const FORM = /^00-([\da-f]{32})-([\da-f]{16})-(0[01])$/

/** A server that notes what arrives. */
async function noting (t, respond = (/** @type {any} */ request, /** @type {any} */ response) => { response.end('hello') }, create = http.createServer) {
  /** @type {Array<{ url: string, trace: string | undefined, headers: any }>} */
  const seen = []
  const sessions = new Set()
  const server = create((/** @type {any} */ request, /** @type {any} */ response) => {
    seen.push({ url: request.url, trace: request.headers.traceparent, headers: request.headers })
    respond(request, response)
  })
  server.on('session', session => sessions.add(session))
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const session of sessions) session.destroy()
    server.closeAllConnections?.()
    server.close()
  })
  return { url: `http://127.0.0.1:${server.address().port}`, seen }
}

/** Each request that has arrived has a trace of its own, and the result has ids of those. */
function traced (t, result, seen) {
  for (const { trace } of seen) if (!FORM.test(trace ?? '')) t.fail(`${trace} is none`)
  t.equal(new Set(seen.map(({ trace }) => trace)).size, seen.length, 'each request has an id of its own')
  t.equal(new Set(seen.map(({ trace }) => trace.slice(36, 52))).size, seen.length, 'and a span')
  const known = new Map(seen.map(({ url, trace }) => [FORM.exec(trace)[1], [url, trace]]))
  for (const { request, trace } of [...result.slowest, ...result.firstFailures]) {
    t.strictSame(known.get(trace.id), [request.split(' ')[1], `00-${trace.id}-${trace.parent}-0${Number(trace.sampled)}`])
  }
}

for (const [mode, options, create] of [
  ['HTTP/1.1', {}],
  ['a pipeline', { pipelining: 4 }],
  ['workers', { workers: 2 }],
  ['HTTP/2', { http: '2', pipelining: 4 }, http2.createServer],
  ['undici', { client: 'undici' }],
  ['undici over HTTP/2', { client: 'undici', http: '2' }, http2.createServer],
  ['ids', { idReplacement: true, path: '/[<id>]' }],
  ['templates', { requests: [{ path: '/{{counter}}' }] }],
  ['users', { retries: 1, requests: [{ path: '/a' }, { path: '/b' }] }],
  ['targets', { targets: [{ url: '/a' }, { url: '/b', method: 'POST', body: 'x' }] }],
  ['a body', { method: 'POST', body: 'x', headers: { 'x-one': 'two' } }]
]) {
  t.test(`each request has a trace: ${mode}`, async t => {
    const { url, seen } = await noting(t, undefined, create)
    const { path = '/', ...rest } = /** @type {any} */ (options)
    const result = await autocannon({ url: url + path, connections: 4, amount: 100, trace: '50%', ...rest })
    t.equal(seen.length, 100)
    t.equal(result.slowest.length, 20)
    traced(t, result, seen)
    const sampled = seen.filter(({ trace }) => trace.endsWith('-01')).length
    t.ok(sampled > 20 && sampled < 80, `half of them are sampled: ${sampled}`)
    t.strictSame(result.options.trace, '50%')
    conserves(t, result)
  })
}

t.test('failures say under which id the server knows them', async t => {
  const { url, seen } = await noting(t, (request, response) => {
    if (seen.length % 3 === 0) response.statusCode = 503
    response.end()
  })
  const result = await autocannon({ url: `${url}/a?token=secret`, connections: 2, amount: 90, trace: true })
  t.equal(result.firstFailures.length, 20)
  for (const { status, trace, request } of result.firstFailures) {
    t.strictSame([status, request, trace.sampled], [503, 'GET /a?token=***', true])
    t.ok(seen.some((one, i) => one.trace.includes(trace.id) && (i + 1) % 3 === 0))
  }
  conserves(t, result)
})

t.test('a redirect is a request with a trace of its own', async t => {
  const { url, seen } = await noting(t, (request, response) => {
    if (request.url === '/a') response.writeHead(302, { location: '/b' })
    response.end()
  })
  const result = await autocannon({ url: `${url}/a`, connections: 2, amount: 40, redirects: 2, cookies: true, trace: true })
  t.equal(seen.filter(({ url }) => url === '/b').length, 20)
  traced(t, result, seen)
  conserves(t, result)
})

t.test('what an answer says is no tag, in a redirect that is traced, either', async t => {
  const { url, seen } = await noting(t, (request, response) => {
    if (request.url.startsWith('/a')) response.writeHead(302, { location: '/b?[<id>]', 'set-cookie': 'a=b' })
    response.end()
  })
  await autocannon({ url: `${url}/a`, connections: 1, amount: 4, redirects: 1, cookies: true, idReplacement: true, trace: true })
  t.match(seen[1].url, /^\/b\?(\[<id>\]|\[%3Cid%3E\])$/)
  t.equal(new Set(seen.map(({ trace }) => trace)).size, 4)
})

t.test('a request that is sent again keeps its id', async t => {
  // The second request of the first pipeline is not looked at: it goes out again on another connection.
  const server = await rawServer(t, (connection, request) => {
    if (connection.index === 0 && request.index > 0) return
    connection.send(answer('x', connection.index === 0 ? 'Connection: close\r\n' : ''))
    if (connection.index === 0) connection.end()
  })
  const result = await autocannon({ url: server.url, connections: 1, pipelining: 2, amount: 2, trace: true })
  const ids = server.connections.flatMap(({ requests }) => requests.map(({ head }) => /traceparent: (\S+)/.exec(head)?.[1]))
  t.equal(result.resent, 1)
  t.strictSame([ids.length, ids[2]], [3, ids[1]])
  t.not(ids[0], ids[1])
  t.match(result.slowest.map(({ trace }) => trace.id).sort(), [ids[0], ids[1]].map(id => id.split('-')[1]).sort())
  conserves(t, result)
})

t.test('one that is tried again, too: it is the same once more', async t => {
  const { url, seen } = await noting(t, (request, response) => {
    response.statusCode = seen.length === 1 ? 503 : 200
    response.setHeader('retry-after', '0')
    response.end()
  })
  await autocannon({ url, connections: 1, amount: 2, retries: 1, trace: true })
  t.strictSame([seen.length, seen[1].trace], [2, seen[0].trace])
})

t.test('a request with such a header keeps it, and the result has its id', async t => {
  const own = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const { url, seen } = await noting(t)
  for (const trace of [true, undefined]) {
    const result = await autocannon({ url, connections: 1, amount: 3, trace, headers: { TraceParent: own } })
    t.match(result.slowest, Array(3).fill({ trace: { id: '0af7651916cd43dd8448eb211c80319c', parent: 'b7ad6b7169203331', sampled: true } }))
  }
  t.strictSame(seen.map(({ trace }) => trace), Array(6).fill(own))
})

t.test('hooks see what they wrote, and what they make is traced', async t => {
  const { url, seen } = await noting(t)
  /** @type {any[]} */
  const given = []
  const result = await autocannon({ url, connections: 1, amount: 4, trace: true, requests: [{ setupRequest: (request, context) => { given.push(Object.keys(request.headers)); return { ...request, path: `/${given.length}`, context } } }] })
  t.strictSame(given.flat(), [])
  t.strictSame(seen.map(({ url }) => url), ['/1', '/2', '/3', '/4'])
  traced(t, result, seen)
})

t.test('without it nothing is sent, and nothing said', async t => {
  const { url, seen } = await noting(t)
  const result = await autocannon({ url, connections: 1, amount: 3 })
  t.strictSame(seen.map(({ trace }) => trace), [undefined, undefined, undefined])
  t.notOk(result.slowest.some(one => 'trace' in one))
})
