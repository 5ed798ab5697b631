'use strict'

// Which connections native sockets carry, and which of these know when a response arrived.

const t = require('tap')
const { readFileSync } = require('node:fs')
const path = require('node:path')
const autocannon = require('../../..')
const { conserves } = require('../../helpers/results/conservation')
const { serve } = require('../../helpers/servers/http-server')
const { rawProxy } = require('../../helpers/servers/raw-proxy')
const { answer, rawServer } = require('../../helpers/servers/raw-server')
const { shortFolder } = require('../../helpers/short-folder')
const { load } = require('../../../lib/net/sockets/binding')
const { NativeSocket } = require('../../../lib/net/sockets/native-socket')

const { binding } = load()
const skip = binding === null && 'there is no add-on'
const CONNECTIONS = 2

const fixture = name => readFileSync(path.join(__dirname, '../../fixtures/tls', name))
const secure = { key: fixture('key.pem'), cert: fixture('cert.pem') }

/** A run, and how many of its connections the add-on has made, or taken over. */
async function run (t, options) {
  const { adopt } = binding
  const { connected } = NativeSocket.prototype
  let native = 0
  binding.adopt = (...args) => {
    const number = adopt(...args)
    if (number >= 0) native++
    return number
  }
  NativeSocket.prototype.connected = function () {
    native++
    connected.call(this)
  }
  try {
    const result = await autocannon({ connections: CONNECTIONS, amount: 40, ...options })
    conserves(t, result)
    t.match(result, { '2xx': 40, errors: 0 })
    return { native, clock: result.clock }
  } finally {
    binding.adopt = adopt
    NativeSocket.prototype.connected = connected
  }
}

/** @param {Awaited<ReturnType<typeof run>>} found */
function areNative (t, { native, clock }, connections = CONNECTIONS) {
  t.equal(native, connections)
  t.ok(clock.arrival > 0 && clock.late.totalCount > 0, 'responses have an arrival time')
}

t.test('HTTP/1.1 and HTTP/2 in plain text', { skip }, async t => {
  const { url } = await serve(t)
  areNative(t, await run(t, { url }))
  areNative(t, await run(t, { url, rate: 200 }))
  areNative(t, await run(t, { url, http: '2' }))
  areNative(t, await run(t, { url, http: '2', connections: 1, pipelining: 4, scenarios: [{ requests: [{ path: '/' }] }] }), 1)
})

t.test('through a proxy, with and without a tunnel, to plain targets', { skip }, async t => {
  const server = await rawServer(t, answer('hi'))
  const { host, port } = new URL(server.url)
  const takesRequests = await rawServer(t, answer('from the proxy'))
  areNative(t, await run(t, { url: 'http://shop.test/', proxy: takesRequests.url }))
  const http = await rawProxy(t, 'http')
  areNative(t, await run(t, { url: 'http://shop.test/', connectTo: `::127.0.0.1:${port}`, proxy: http.url() }))
  t.match(http.asked, [`CONNECT ${host} `, `CONNECT ${host} `], 'it was asked for tunnels')
  const socks = await rawProxy(t, 'socks5')
  areNative(t, await run(t, { url: server.url, proxy: socks.url() }))
  t.strictSame(socks.asked, [host, host])
  const { url } = await serve(t)
  areNative(t, await run(t, { url, http: '2', proxy: (await rawProxy(t, 'http')).url() }))
})

t.test('Unix sockets', { skip }, async t => {
  const socketPath = path.join(shortFolder(t), 'socket')
  await serve(t, undefined, socketPath)
  // The kernel gives them no stamps: what has an arrival time was read right behind another poll.
  t.equal((await run(t, { url: 'http://localhost', socketPath })).native, CONNECTIONS)
})

t.test('not TLS, with the server or the proxy, and not undici: there is no arrival time', { skip }, async t => {
  const server = await rawServer(t, answer('hi'), { tls: secure })
  const plain = await rawServer(t, answer('hi'))
  for (const options of [
    { url: server.url },
    { url: server.url, proxy: (await rawProxy(t, 'http')).url() },
    { url: plain.url, proxy: (await rawServer(t, answer('hi'), { tls: secure })).url },
    { url: plain.url, client: 'undici' },
    { url: plain.url, sockets: 'node' }
  ]) t.strictSame(await run(t, options), { native: 0, clock: undefined })
  const { native, clock } = await run(t, { url: plain.url, clock: 'read' })
  t.strictSame([native, clock], [CONNECTIONS, undefined], 'native sockets without arrival times')
})

t.test('a body that is written at once beside batched requests: no latency is shorter than the server takes', { skip }, async t => {
  const LEAST = 25
  const { url } = await serve(t, (request, response) => {
    // A timer is up to 1 ms early.
    setTimeout(() => response.end('ok'), LEAST + 2)
  })
  const requests = [{ name: 'upload', method: 'POST', path: '/up', body: 'x'.repeat(20_000) }, { name: 'read', path: '/read' }]
  for (const options of [{}, { http: '2' }, { clock: 'read' }]) {
    const result = await autocannon({ url, connections: 20, amount: 300, requests, ...options })
    conserves(t, result)
    for (const name of ['upload', 'read']) t.ok(result.byRequest[name].latency.min >= LEAST, `${JSON.stringify(options)} ${name}: ${result.byRequest[name].latency.min} ms`)
  }
})
