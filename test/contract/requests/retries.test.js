'use strict'

// What is sent again, by whom, and how it is counted.

const t = require('tap')
const { serve } = require('../../helpers/servers/http-server')
const { conserves } = require('../../helpers/results/conservation')
const { byConnection, inAllModes, inModesOfUsers } = require('../modes')

inAllModes(t, 'a request whose answer says later is sent again, and checks see the last answer', async (t, mode) => {
  const counts = new Map()
  const server = await serve(t, (request, response) => {
    const n = (counts.get(request.socket) ?? 0) + Number(request.url === '/a')
    counts.set(request.socket, n)
    // Each second time.
    const later = request.url === '/a' && n % 2 === 1
    response.statusCode = later ? 503 : 200
    response.end(later ? 'later' : 'ok')
  })
  const result = await mode.run({ url: server.url, amount: 16, requests: [{ path: '/a', name: 'a', retries: 3, expect: { body: 'ok' } }, { path: '/b' }] })
  for (const requests of byConnection(server.requests)) t.strictSame(requests.map(({ url }) => url), requests.map((_, i) => ['/a', '/a', '/b'][i % 3]))
  t.equal(result.requests.sent, 16)
  t.equal(result.requests.total, 16)
  const second = server.requests.filter(({ url }) => url === '/a').length - result.byRequest.a.count
  t.equal(result.retries, second)
  t.strictSame(result.checks, [{ name: 'expect', request: 'a', passed: result.byRequest.a.count, failed: 0, reasons: {}, samples: {} }])
  conserves(t, result)
})

inModesOfUsers(t, 'a connection that the server resets at each request is tried so often, and then cuts the iteration', async (t, mode) => {
  const server = await serve(t, (request, response) => request.socket.resetAndDestroy())
  const result = await mode.run({ url: server.url, amount: 12, requests: [{ path: '/a' }, { path: '/b' }], retries: { times: 2, on: 'ECONNRESET' } })
  t.ok(server.requests.every(({ url }) => url === '/a'))
  t.strictSame(result.errorCodes, { ECONNRESET: 12 })
  t.equal(result.retries, 8)
  t.strictSame([result.iterations.started, result.iterations.cut, result.iterations.cutBy], [4, 4, { ECONNRESET: 4 }])
  conserves(t, result)
})

inModesOfUsers(t, 'on the command line a number says how often', async (t, mode) => {
  const server = await serve(t, (request, response) => { response.writeHead(503).end() })
  const { code, stdout } = await mode.cli(['-a', '8', '-c', '2', '--retries', '3', '--json', ...mode.workers === undefined ? [] : ['-w', String(mode.workers)], server.url])
  t.equal(code, 0)
  const result = JSON.parse(stdout)
  t.equal(result.retries, 6)
  t.equal(result.non2xx, 8)
  conserves(t, result)
})
