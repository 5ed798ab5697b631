'use strict'

// What an instance is and what it emits.

const t = require('tap')
const autocannon = require('../../..')
const { serve, closedPort } = require('../../helpers/servers/http-server')
const { rawServer, answer } = require('../../helpers/servers/raw-server')
const { conserves } = require('../../helpers/results/conservation')
const { byOurClient, inAllModes, overHttp1, withWorkers, run, fixture } = require('../modes')

/**
 * @param {import('node:events').EventEmitter} instance
 * @param {...string} names
 * @returns {any[][]} what it emits: name and arguments
 */
function record (instance, ...names) {
  /** @type {any[][]} */
  const emitted = []
  for (const name of names) instance.on(name, (...args) => { emitted.push([name, ...args]) })
  return emitted
}

/** @param {any[][]} emitted */
const names = emitted => emitted.map(([name]) => name)

inAllModes(t, 'start comes once, before any answer, and done last', async (t, mode) => {
  const server = await serve(t)
  const instance = mode.run({ url: server.url, amount: 10 })
  const emitted = record(instance, 'start', 'response', 'done', 'error')
  const result = await instance
  t.strictSame(names(emitted), ['start', ...new Array(10).fill('response'), 'done'])
  t.equal(emitted[0].length, 1, 'start has no argument')
  t.equal(emitted[11][1], result, 'done has the result')
  conserves(t, result)
})

byOurClient(t, 'tick comes with each sample and has its counter and bytes', async (t, mode) => {
  const server = await serve(t)
  const instance = mode.run({ url: server.url, duration: 0.35, sampleInt: 100 })
  const emitted = record(instance, 'tick')
  const result = await instance
  t.ok(emitted.length >= 2, `${emitted.length} ticks`)
  t.ok(emitted.length <= Math.ceil(result.duration * 10) + 1, `${emitted.length} ticks in ${result.duration} s`)
  for (const [, { counter, bytes, length, p99 }] of emitted) for (const figure of [counter, bytes, length, p99]) t.type(figure, 'number')
  t.equal(emitted.reduce((sum, [, { counter }]) => sum + counter, 0), result.requests.total)
  t.equal(emitted.reduce((sum, [, { bytes }]) => sum + bytes, 0), result.throughput.total)
  conserves(t, result)
})

t.test('tick comes every second when nothing is said', async t => {
  const server = await serve(t, (request, response) => setTimeout(() => response.end(), 5))
  const instance = run({ url: server.url, duration: 1.7 })
  const emitted = record(instance, 'tick')
  const result = await instance
  t.equal(result.sampleInt, 1000)
  t.equal(emitted.length, 2, 'a whole one and the rest')
  t.ok(emitted[0][1].length >= 990)
})

t.test('response has the client, the status, the bytes and the ms of an answer', async t => {
  const bytes = answer('hello', 'X-A: 1\r\n')
  const server = await rawServer(t, bytes)
  const instance = run({ url: server.url, amount: 4 })
  const emitted = record(instance, 'response')
  const result = await instance
  t.equal(emitted.length, 4)
  for (const [, client, statusCode, resBytes, responseTime] of emitted) {
    t.type(client.setHeaders, 'function')
    t.equal(statusCode, 200)
    t.equal(resBytes, bytes.length)
    t.ok(responseTime > result.latency.min - 0.001 && responseTime < result.latency.max + 0.001)
  }
  conserves(t, result)
})

t.test('the client of response can change the requests that follow', async t => {
  const server = await serve(t)
  const instance = run({ url: server.url, amount: 3, method: 'POST' })
  let n = 0
  instance.on('response', (/** @type {any} */ client) => client.setBody(`after ${++n}`))
  await instance
  t.strictSame(server.requests.map(({ body }) => body), ['', 'after 1', 'after 2'])
})

t.test('response has the client that setupClient was given', async t => {
  const server = await serve(t)
  const clients = new Set()
  const instance = run({ url: server.url, connections: 3, amount: 12, setupClient: client => { clients.add(client) } })
  const emitted = record(instance, 'response')
  await instance
  const seen = new Set(emitted.map(([, client]) => client))
  t.equal(seen.size, 3)
  t.ok([...seen].every(client => clients.has(client)))
})

withWorkers(t, 'response has no client with workers, where it lives in another thread', async (t, mode) => {
  const server = await serve(t)
  const instance = mode.run({ url: server.url, amount: 10 })
  const emitted = record(instance, 'response')
  const result = await instance
  t.equal(emitted.length, 10)
  for (const [, client, statusCode, resBytes, responseTime] of emitted) {
    t.equal(client, undefined)
    t.equal(statusCode, 200)
    t.equal(resBytes, result.throughput.total / 10)
    t.ok(responseTime > 0)
  }
})

overHttp1(t, 'reqError has the error of each request that failed', async (t, mode) => {
  const server = await rawServer(t, (connection, { index }) => index === 0 ? connection.send(answer()) : connection.reset())
  const instance = mode.run({ url: server.url, method: 'POST', amount: 8 })
  const emitted = record(instance, 'reqError')
  const result = await instance
  t.equal(result.errors, 4)
  t.equal(emitted.length, 4)
  for (const [, error] of emitted) t.match(error, { code: 'ECONNRESET', message: /ECONNRESET/ })
  t.ok(emitted.every(([, error]) => error instanceof Error))
  conserves(t, result)
})

overHttp1(t, 'reqError comes for timeouts and for requests without a connection', async (t, mode) => {
  const silent = await rawServer(t, () => {})
  const timed = mode.run({ url: silent.url, amount: 2, timeout: 0.1 })
  const timeouts = record(timed, 'reqError')
  t.equal((await timed).timeouts, 2)
  t.strictSame(timeouts.map(([, { code }]) => code), ['AC_TIMEOUT', 'AC_TIMEOUT'])

  const refused = mode.run({ url: `http://127.0.0.1:${await closedPort()}`, amount: 4 })
  const refusals = record(refused, 'reqError')
  t.equal((await refused).errors, 4)
  t.strictSame(refusals.map(([, { code }]) => code), new Array(4).fill('ECONNREFUSED'))
})

overHttp1(t, 'the error of a timed-out request has the message `request timed out`', async (t, mode) => {
  const silent = await rawServer(t, () => {})
  const instance = mode.run({ url: silent.url, amount: 2, timeout: 0.1 })
  const emitted = record(instance, 'reqError')
  conserves(t, await instance)
  t.strictSame(emitted.map(([, { code, message }]) => [code, message]), new Array(2).fill(['AC_TIMEOUT', 'request timed out']))
})

inAllModes(t, 'reqMismatch has the body of each answer that has another than expected, as a string', async (t, mode) => {
  const server = await serve(t, ({ url }, response) => response.end(url === '/right' ? 'gül' : 'ä'.repeat(40_000)))
  for (const [opts, mismatches] of /** @type {Array<[Record<string, any>, number]>} */ ([
    [{ expectBody: 'gül' }, 4],
    [{ verifyBody: mode.hook('checks/is-good.js') }, 8],
    [{ expectBody: 'gül', bailout: 4, amount: undefined, duration: 60 }, NaN]
  ])) {
    const instance = mode.run({ url: server.url, amount: 8, requests: [{ path: '/right' }, { path: '/wrong' }], ...opts })
    const emitted = record(instance, 'reqMismatch')
    const result = await instance
    t.equal(emitted.length, result.mismatches)
    if (Number.isNaN(mismatches)) t.ok(result.mismatches >= 4)
    else t.equal(result.mismatches, mismatches)
    const wrong = emitted.filter(([, body]) => body === 'ä'.repeat(40_000)).length
    t.ok(emitted.every(([, body, ...more]) => ['gül', 'ä'.repeat(40_000)].includes(body) && more.length === 0))
    t.ok(wrong > 0)
    conserves(t, result)
  }
})

inAllModes(t, 'error comes when the run can not be set up, and the promise rejects with it', async (t, mode) => {
  for (const [opts, code] of [[{ connections: 0 }, 'AC_OPTIONS'], [{ setupClient: fixture('missing.js') }, 'AC_HOOK']]) {
    const instance = mode.run({ url: 'http://127.0.0.1:1', ...opts })
    const emitted = record(instance, 'start', 'error', 'done')
    await t.rejects(instance, { code })
    t.strictSame(names(emitted), ['error'])
    t.equal(emitted[0][1].code, code)
  }
})

t.test('an error without a listener only rejects', async t => {
  await t.rejects(run({ url: 'http://127.0.0.1:1', connections: 0 }), { code: 'AC_OPTIONS' })
})

t.test('nothing is thrown at the call', async t => {
  for (const opts of [{}, { url: 5 }, { url: 'http://127.0.0.1:1', workers: 2, setupClient () {} }]) {
    let instance
    t.doesNotThrow(() => { instance = autocannon(opts) })
    await t.rejects(instance, { code: 'AC_OPTIONS' })
  }
  await t.rejects(autocannon(undefined), { code: 'AC_OPTIONS' })
})

inAllModes(t, 'a callback gets the result, after done, and the instance is no promise then', async (t, mode) => {
  const server = await serve(t)
  /** @type {any[]} */
  const calls = []
  await new Promise(resolve => {
    const instance = mode.run({ url: server.url, amount: 4 }, (/** @type {any} */ error, /** @type {any} */ result) => {
      calls.push(['callback', error, result?.requests.total])
      resolve(undefined)
    })
    instance.on('done', ({ requests }) => calls.push(['done', requests.total]))
    t.equal(/** @type {any} */ (instance).then, undefined)
  })
  t.strictSame(calls, [['done', 4], ['callback', null, 4]])
})

t.test('a callback gets the error', async t => {
  const error = await new Promise(resolve => autocannon({ connections: 1 }, resolve))
  t.match(error, { code: 'AC_OPTIONS', message: /URL is required/ })
})

t.test('without a callback the instance is a promise of the result', async t => {
  const server = await serve(t)
  const instance = run({ url: server.url, amount: 2 })
  let last = false
  t.equal((await instance.then((/** @type {any} */ result) => result)).requests.total, 2)
  await instance.catch(() => t.fail()).finally(() => { last = true })
  t.ok(last)
})

inAllModes(t, 'stop() ends the run, and done follows with what was measured', async (t, mode) => {
  const server = await serve(t)
  const instance = mode.run({ url: server.url, duration: 60, sampleInt: 50 })
  let stopped = false
  instance.on('tick', (/** @type {any} */ { counter }) => {
    if (counter === 0 || stopped) return
    stopped = true
    instance.stop()
    instance.stop()
  })
  const emitted = record(instance, 'done')
  const result = await instance
  t.equal(emitted.length, 1)
  t.ok(result.requests.total > 0)
  t.equal(result.series.reduce((/** @type {number} */ sum, /** @type {any} */ { requests }) => sum + requests, 0), result.requests.total, 'the series has all of it')
  t.ok(result.duration < 60)
  conserves(t, result)
})

inAllModes(t, 'stop() right after the call ends the run without a request', async (t, mode) => {
  const server = await serve(t)
  const instance = mode.run({ url: server.url, duration: 60 })
  instance.stop()
  const result = await instance
  t.equal(result.requests.total, 0)
  conserves(t, result)
})

inAllModes(t, 'listeners may come while the run goes on', async (t, mode) => {
  const server = await serve(t)
  const instance = mode.run({ url: server.url, duration: 60, sampleInt: 20 })
  const late = await new Promise(resolve => {
    instance.once('tick', () => instance.once('response', (/** @type {any[]} */ ...args) => resolve(args)))
  })
  t.equal(late[1], 200)
  instance.stop()
  conserves(t, await instance)
})

t.test('the options that are given stay as they are, those of the instance have the defaults', async t => {
  const server = await serve(t)
  const opts = Object.freeze({ url: server.url, amount: 10 })
  const instance = autocannon(opts)
  await instance
  t.strictSame(opts, { url: server.url, amount: 10 })
  t.match(instance.opts, { amount: 10, connections: 10, pipelining: 1, method: 'GET' })
})
