'use strict'

// Users that are functions, in each mode: in one thread, in workers and on agents, over HTTP/1.1, HTTP/2 and through undici.

const t = require('tap')
const autocannon = require('../../..')
const { conserves } = require('../../helpers/results/conservation')
const { calm, serve } = require('../../helpers/servers/http-server')
const { fixture, inAllModes, inModesOfUsers, overHttp1 } = require('../modes')

const user = fixture('users/user-function.mjs')
const headerOf = ({ rawHeaders }, name) => rawHeaders[rawHeaders.findIndex((header, i) => i % 2 === 0 && header.toLowerCase() === name) + 1]
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))

inAllModes(t, 'a module is the same users in each mode, each with a number of its own and whole iterations', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, amount: 24, user, thresholds: ['group visit: p95 < 600s', 'group vist: p95 < 600s', 'iterations: p95 < 600s'] })
  conserves(t, result)
  t.match(result.thresholds, [{ group: 'visit', passed: true, low: Number }, { group: 'vist', passed: false, note: "no group has this name, did you mean 'visit'? There is visit" }, { scenario: null, passed: true }])
  t.match(result, { '2xx': 24, errors: 0, iterations: { started: 8, completed: 8, cut: 0, unfinished: 0 } })
  t.match(result.checks, [{ name: 'fine', passed: 8, failed: 0 }])
  t.match(result.groups, { visit: { count: 8 } })
  t.strictSame(['a', 'b', 'c'].map(name => result.byRequest[name].count), [8, 8, 8])
  const byUser = {}
  for (const request of server.requests) (byUser[headerOf(request, 'x-user')] ??= []).push(request)
  t.strictSame(Object.keys(byUser), ['0', '1'])
  for (const requests of Object.values(byUser)) {
    t.strictSame(requests.map(request => Number(headerOf(request, 'x-iteration'))), [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3])
    for (let i = 0; i < 12; i += 3) t.strictSame([[requests[i].url, requests[i + 1].url].sort().join(), requests[i + 2].url], ['/a,/b', '/c'], 'what follows is sent when both have their response')
  }
})

inAllModes(t, 'setup and teardown are called once, and the value of setup reaches each user', async (t, mode) => {
  const server = await serve(t, (request, response) => { response.end('a b&c') })
  const result = await mode.run({ url: server.url, amount: 24, user: fixture('users/user-set-up.mjs') })
  conserves(t, result)
  const paths = server.requests.map(({ method, url }) => `${method} ${url}`)
  t.equal(result.requests.sent, 24, 'those of setup and teardown are in no figure')
  t.strictSame([paths[0], paths.at(-1), paths.length], ['POST /set-up', 'DELETE /tear-down?token=a+b%26c', 26])
  t.strictSame(paths.slice(1, -1), Array(24).fill('GET /load?token=a+b%26c'))
})

inAllModes(t, 'scenarios name the exports of one module, whose setup and teardown are called once', async (t, mode) => {
  const server = await serve(t, (request, response) => { response.end('abc') })
  const user = fixture('users/user-exports.mjs')
  const scenarios = [{ name: 'browse', weight: 3, user, exec: 'browse' }, { name: 'checkout', user, exec: 'checkout' }]
  const result = await mode.run({ url: server.url, amount: 16, scenarios })
  conserves(t, result)
  const paths = server.requests.map(({ method, url }) => `${method} ${url}`)
  t.strictSame([paths[0], paths.at(-1), paths.length], ['GET /set-up', 'DELETE /tear-down', 18])
  t.strictSame(paths.slice(1, -1).sort(), [...Array(12).fill('GET /browse'), ...Array(4).fill('POST /checkout')])
  for (const request of server.requests.slice(1, -1)) {
    t.strictSame([headerOf(request, 'x-setup'), headerOf(request, 'x-state')], ['abc', `state-${headerOf(request, 'x-user')}`])
  }
  t.match(result.byScenario, { browse: { completed: 12, cut: 0 }, checkout: { completed: 4, cut: 0 } })
})

inAllModes(t, 'parallel requests go out at the same time', async (t, mode) => {
  // Neither has a response before both are there.
  const held = {}
  const server = await serve(t, (request, response) => {
    if (request.url === '/c') return response.end('ok')
    const key = headerOf(request, 'x-user')
    if (held[key] === undefined) held[key] = response
    else {
      held[key].end('ok')
      response.end('ok')
      delete held[key]
    }
  })
  const result = await mode.run({ url: server.url, amount: 12, user })
  conserves(t, result)
  t.match(result, { '2xx': 12, iterations: { completed: 4, unfinished: 0 } })
})

inModesOfUsers(t, 'users that stages add and remove complete their iterations, as functions and with loops and parallel requests', async (t, mode) => {
  const server = await serve(t, (request, response) => setTimeout(() => response.end('ok'), 10))
  const requests = [
    { path: '/d' }, { repeat: 2, requests: [{ path: '/e', pause: '5ms' }] }, { parallel: [{ path: '/f' }, { path: '/g' }] }
  ]
  const scenarios = [{ name: 'code', user }, { name: 'data', requests }]
  const result = await mode.run({ url: server.url, scenarios, connections: undefined, stages: ['200ms:6', '0s:2', '200ms:2', '200ms:4', '100ms:4'] })
  conserves(t, result)
  // What is in flight when the run ends may not reach the server.
  const { sent, abandoned } = result.fates
  const arrived = server.requests.length
  t.ok(arrived <= sent && arrived >= sent - abandoned, `${arrived} of ${sent} arrived, and ${abandoned} were abandoned`)
  t.match(result.iterations, { cut: 0, unfinished: result.iterations.started - result.iterations.completed })
  const { code, data } = result.byScenario
  t.ok(code.completed > 0 && data.completed > 0)
  const count = (/** @type {string} */ url) => server.requests.filter(request => request.url === url).length
  // Only iterations that the end of the run left unfinished lack some of their requests.
  for (const [{ started, completed }, times] of [[code, { '/a': 1, '/b': 1, '/c': 1 }], [data, { '/d': 1, '/e': 2, '/f': 1, '/g': 1 }]]) {
    for (const [url, n] of Object.entries(times)) t.ok(count(url) >= n * completed && count(url) <= n * started, `${url}: ${count(url)} of ${n * completed} to ${n * started}`)
  }
})

inAllModes(t, 'a run that ends by time or by stop() has an end for each request and iteration', async (t, mode) => {
  const server = await serve(t, (request, response) => setTimeout(() => response.end('ok'), 3))
  const instance = mode.run({ url: server.url, duration: 30, connections: 4, user })
  while (server.requests.length < 20) await sleep(5)
  instance.stop()
  const result = await instance
  conserves(t, result, { arrived: result.requests.sent + result.resent })
  t.ok(result.iterations.completed > 0 && result.duration < 20)
})

overHttp1(t, 'a server that resets, closes and stalls: each request and iteration has its end', async (t, mode) => {
  let n = 0
  const server = await serve(t, (request, response) => {
    n++
    if (n % 7 === 0) request.socket.destroy()
    else if (n % 11 === 0) response.writeHead(200, { 'content-length': 10 }).end('half')
    else if (n % 29 !== 0) response.end('ok')
  })
  const result = await mode.run({ url: server.url, connections: 6, duration: 2, timeout: 0.5, user })
  conserves(t, result, { neverSent: result.errors - result.fates.failed - result.fates.timedOut, arrived: result.requests.sent + result.resent })
  t.ok(result.iterations.completed > 0 && result.iterations.cut > 0)
})

overHttp1(t, 'a rate of iterations: they begin when they are due, and those that wait for a user count from then', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, connections: 10, rate: '40 iterations/s', duration: 2, user })
  conserves(t, result)
  t.ok(result.iterations.due >= 72 && result.iterations.due <= 80, `${result.iterations.due} due`)
  t.ok(Math.abs(result.requests.total - 3 * result.iterations.completed) <= 30)
  const slow = await serve(t, (request, response) => setTimeout(() => response.end('ok'), request.url === '/c' ? 0 : 100))
  const late = await mode.run({ url: slow.url, connections: 2, rate: '100 iterations/s', duration: 1.5, user })
  conserves(t, late)
  t.ok(late.iterations.waited > 0 && late.iterations.neverStarted > 0, `${late.iterations.waited} waited`)
  t.ok(late.iterations.duration.max > 500, `${late.iterations.duration.max} ms from when it was due`)
})

overHttp1(t, 'warmup, what is left out at the start, and stages of connections', async (t, mode) => {
  const server = await serve(t, calm)
  for (const opts of [{ warmup: { duration: 0.4 }, duration: 0.6 }, { skipFirst: 0.3, duration: 0.8 }, { stages: ['0.3s:4', '0.3s:1', '0.3s:1'] }]) {
    const result = await mode.run({ url: server.url, connections: 4, user, ...opts })
    conserves(t, result, { arrived: result.requests.sent + result.resent })
    t.ok(result.iterations.completed > 0 && result.iterations.cut === 0 && result.errors === 0, JSON.stringify(opts))
  }
})

t.test('runs that go on for ever are runs of their own, and stop', async t => {
  const server = await serve(t, calm)
  const results = []
  const instance = autocannon({ url: server.url, connections: 2, amount: 30, forever: true, user })
  await new Promise(resolve => instance.on('done', result => {
    if (results.push(result) < 2) return
    instance.stop()
    resolve()
  }))
  for (const result of results) {
    conserves(t, result, { arrived: result.requests.sent + result.resent })
    t.ok(result.iterations.completed > 0)
  }
})

t.test('a pause as long as the run, given as a number, says once that a number is in seconds', async t => {
  const server = await serve(t, calm)
  const lines = async opts => {
    const logged = []
    const run = autocannon({ url: server.url, connections: 2, duration: 0.3, ...opts })
    run.on('log', line => logged.push(line))
    conserves(t, await run)
    return logged
  }
  const user = length => async ({ http, pause }) => {
    await http.get('/')
    await pause(length)
  }
  t.strictSame(await lines({ user: user(100) }), ["pause(100) is 100 s, and the run lasts 0.3 s: a number is in seconds. For milliseconds, write pause('100ms')"])
  for (const length of ['100s', 0.01, 5]) t.strictSame(await lines({ user: user(length) }), [], String(length))
  t.strictSame(await lines({ user: { default: async ({ http }) => { await http.get('/') }, setup: async ({ pause }) => { await Promise.race([pause(100), 1]) } } }), [], 'setup is no part of the run')
})
