'use strict'

// What is particular about workers, threads and processes: how the load is divided, and in which form hooks come. That all else is
// the same is proven by overHttp1 in the other files.

const t = require('tap')
const { PassThrough } = require('node:stream')
const autocannon = require('../../..')
const { serve, valuesOf } = require('../../helpers/servers/http-server')
const { conserves } = require('../../helpers/results/conservation')
const { run, withWorkers, fixture, byConnection, told } = require('../modes')

/**
 * Runs with requests that say which worker they come from.
 * @param {any} t
 * @param {any} mode
 * @param {Record<string, any>} opts
 */
async function divided (t, mode, opts) {
  const server = await serve(t)
  const result = await mode.run({ url: server.url, setupClient: fixture('clients/name-thread.js'), ...opts })
  conserves(t, result)
  /** @type {Map<string, { connections: number, requests: number }>} */
  const workers = new Map()
  for (const requests of byConnection(server.requests)) {
    const [worker] = valuesOf(requests[0], 'x-thread')
    const { connections, requests: before } = workers.get(worker) ?? { connections: 0, requests: 0 }
    workers.set(worker, { connections: connections + 1, requests: before + requests.length })
  }
  t.notOk(workers.has('0'), 'the main thread sends nothing')
  const inOrder = [...workers].sort(([a], [b]) => Number(a) - Number(b)).map(([, counts]) => counts)
  return {
    result,
    server,
    connections: inOrder.map(({ connections }) => connections),
    requests: inOrder.map(({ requests }) => requests)
  }
}

withWorkers(t, 'connections and amount are divided', async (t, mode) => {
  const { connections, requests, result } = await divided(t, mode, { workers: 2, connections: 4, amount: 20 })
  t.strictSame(connections, [2, 2])
  t.strictSame(requests, [10, 10])
  t.equal(result.workers, 2)
  t.equal(result.connections, 4)
  t.equal(result.requests.total, 20)
})

withWorkers(t, 'the remainder goes to the first workers, and nothing is lost', async (t, mode) => {
  const { connections, requests, result } = await divided(t, mode, { workers: 3, connections: 5, amount: 20 })
  t.strictSame(connections, [2, 2, 1])
  t.strictSame(requests, [7, 7, 6])
  t.equal(result.requests.total, 20)
})

withWorkers(t, 'each worker has at least one connection', async (t, mode) => {
  const { connections, result } = await divided(t, mode, { workers: 3, connections: 1, amount: 9 })
  t.strictSame(connections, [1, 1, 1])
  t.equal(result.requests.total, 9)
})

withWorkers(t, 'an amount below the number of workers is sent exactly', async (t, mode) => {
  const { requests, result } = await divided(t, mode, { workers: 3, connections: 3, amount: 2 })
  t.strictSame(requests, [1, 1])
  t.equal(result.requests.total, 2)
})

withWorkers(t, '-c 10 -w 20 and the like: banner, result and page say how many connections and workers there are', async (t, mode) => {
  /** @type {Array<[opts: Record<string, any>, connections: number, workers: number | undefined, banner: RegExp]>} */
  const cases = [
    [{ connections: 1, workers: 3, amount: 30 }, 3, 3, /\n3 connections\n3 workers, one connection each\n/],
    [{ connections: 3, workers: 3, amount: 2 }, 2, 2, /\n2 connections\n2 workers, one connection each\n/],
    [{ connections: 10, workers: 2, amount: 3 }, 3, 2, /\n3 connections\n2 workers\n/],
    [{ connections: 10, workers: undefined, amount: 3 }, 3, undefined, /\n3 connections\n/],
    [{ connections: 1, workers: 2, amount: 20, warmup: { connections: 1, duration: 0.1 } }, 2, 2, /^Warming up for 0.1s with 2 connections\n[^]*\n2 connections\n/]
  ]
  for (const [opts, connections, workers, banner] of cases) {
    const server = await serve(t)
    const outputStream = new PassThrough()
    const result = await autocannon.track(mode.run({ url: server.url, ...opts }), { outputStream, renderProgressBar: false })
    t.match(outputStream.read().toString(), banner)
    t.match(result, { connections, workers, options: { connections, ...workers && { workers } } })
    if (opts.warmup === undefined) t.equal(new Set(server.requests.map(({ socket }) => socket)).size, connections, 'that many there were')
    else t.equal(result.warmup.connections, connections)
    t.match(autocannon.formatResult(result, 'html'), `${connections} connections`)
  }
})

withWorkers(t, 'one worker is one thread beside this one', async (t, mode) => {
  const { connections, requests } = await divided(t, mode, { workers: 1, connections: 3, amount: 9 })
  t.strictSame(connections, [3])
  t.strictSame(requests, [9])
})

withWorkers(t, 'maxOverallRequests holds for each worker', async (t, mode) => {
  const { requests, connections } = await divided(t, mode, { workers: 2, connections: 4, maxOverallRequests: 10 })
  t.strictSame(connections, [2, 2])
  t.strictSame(requests, [10, 10])
})

withWorkers(t, 'maxConnectionRequests holds for each connection', async (t, mode) => {
  const { requests } = await divided(t, mode, { workers: 2, connections: 3, maxConnectionRequests: 5 })
  t.strictSame(requests, [10, 5])
})

withWorkers(t, 'overallRate holds for each worker', async (t, mode) => {
  const { requests, result } = await divided(t, mode, { workers: 2, connections: 2, overallRate: 20, duration: 1.01 })
  const most = Math.max(...requests)
  t.ok(most <= 22, `${most} requests of one worker`)
  t.ok(result.requests.sent > 22, 'together they send more than the rate of one')
})

withWorkers(t, 'connectionRate holds for each connection', async (t, mode) => {
  const { server } = await divided(t, mode, { workers: 2, connections: 2, connectionRate: 20, overallRate: 1, duration: 0.5 })
  for (const { length } of byConnection(server.requests)) t.ok(length >= 5 && length <= 12, `${length} requests`)
})

withWorkers(t, 'the banner says what the overall limits make in total', async (t, mode) => {
  const { url } = await serve(t)
  const banner = async (/** @type {Record<string, any>} */ opts) => {
    const outputStream = new PassThrough()
    await autocannon.track(mode.run({ url, workers: 2, connections: 2, ...opts }), { outputStream, renderProgressBar: false })
    return outputStream.read().toString()
  }
  t.match(await banner({ maxOverallRequests: 10 }), '2 connections\n2 workers, one connection each\n10 requests per worker, 20 in all\n')
  t.match(await banner({ overallRate: 500, amount: 4 }), '2 connections\n2 workers, one connection each\n500 req/s per worker, 1,000 in all\n')
  t.match(await banner({ amount: 4 }), 'Running 4 requests test')
})

/**
 * Runs two requests on each of two connections, the first with onResponse and the second with setupRequest.
 * @param {any} t
 * @param {any} mode
 * @param {Record<'setupClient' | 'verifyBody' | 'setupRequest' | 'onResponse', string>} hooks modules
 */
async function withHooks (t, mode, { setupClient, verifyBody, setupRequest, onResponse }) {
  const server = await serve(t, (request, response) => response.end('good'))
  const result = await mode.run({
    url: server.url,
    workers: 2,
    connections: 2,
    amount: 4,
    setupClient: fixture(setupClient),
    verifyBody: fixture(verifyBody),
    requests: [{ onResponse: fixture(onResponse) }, { setupRequest: fixture(setupRequest) }]
  })
  conserves(t, result)
  return { result, connections: byConnection(server.requests) }
}

withWorkers(t, 'hooks are given as absolute paths of CommonJS modules', async (t, mode) => {
  const { result, connections } = await withHooks(t, mode,
    { setupClient: 'clients/set-all.js', verifyBody: 'checks/is-good.js', setupRequest: 'tell-context.js', onResponse: 'remember.js' })
  t.equal(result.mismatches, 4)
  t.equal(connections.length, 2)
  for (const [one, two] of connections) {
    t.strictSame(valuesOf(one, 'x-client'), ['own'])
    t.match(told(two, 'x-context'), { last: 'good' })
  }
})

withWorkers(t, 'hooks are given as absolute paths of ES modules', async (t, mode) => {
  const { result, connections } = await withHooks(t, mode, {
    setupClient: 'esm/setup-client.mjs',
    verifyBody: 'esm/verify-body.mjs',
    setupRequest: 'esm/setup-request.mjs',
    onResponse: 'esm/on-response.mjs'
  })
  t.equal(result.mismatches, 0)
  t.equal(connections.length, 2)
  for (const [one, two] of connections) {
    t.strictSame(valuesOf(one, 'x-client'), ['esm'])
    t.equal(two.url, '/esm/200')
  }
})

t.test('a function is refused by name', async t => {
  const hook = () => {}
  for (const [opts, name] of [
    [{ setupClient: hook }, 'setupClient'],
    [{ verifyBody: hook }, 'verifyBody'],
    [{ requests: [{ setupRequest: hook }] }, 'requests[0].setupRequest'],
    [{ requests: [{}, { onResponse: hook }] }, 'requests[1].onResponse']
  ]) {
    await t.rejects(run({ url: 'http://127.0.0.1:1', workers: 2, amount: 2, ...opts }),
      { code: 'AC_OPTIONS', message: `${name}: a function does not reach a worker thread; give the absolute path of a module that exports it` })
  }
})

withWorkers(t, 'a module that can not be used fails the run, by name', async (t, mode) => {
  const { url } = await serve(t)
  await t.rejects(mode.run({ url, workers: 2, amount: 2, setupClient: fixture('missing.js') }), { code: 'AC_HOOK', message: /^setupClient: could not load the module '.*missing\.js'/ })
  await t.rejects(mode.run({ url, workers: 2, amount: 2, verifyBody: fixture('failing/no-function.js') }), { code: 'AC_HOOK', message: /^verifyBody: the module '.*' has to export a function/ })
})

withWorkers(t, 'a worker that crashes fails the run with its error and the result of the others', async (t, mode) => {
  /** @type {import('node:net').Socket | undefined} */
  let doomed
  let counted = 0
  const server = await serve(t, ({ socket }, response) => {
    doomed ??= socket
    if (socket !== doomed) counted++
    // It dies once the other has answers.
    response.end(socket === doomed && counted >= 20 ? 'crash' : 'go on')
  })
  const error = await mode.run({ url: server.url, workers: 2, connections: 2, duration: 30, setupClient: fixture('clients/crash.js') })
    .then(() => t.fail('it has to fail'), (/** @type {any} */ error) => error)
  t.match(error, { code: 'AC_WORKER', message: /crashed as told/ })
  t.ok(error.result.requests.total >= 20, `${error.result.requests.total} answers of the other worker`)
  t.equal(error.result.errors, 0)
  conserves(t, error.result)
})

withWorkers(t, 'stop() ends all workers', async (t, mode) => {
  const server = await serve(t)
  const instance = mode.run({ url: server.url, workers: 3, connections: 3, duration: 60, sampleInt: 20 })
  instance.on('tick', (/** @type {any} */ { counter }) => { if (counter > 0) instance.stop() })
  const result = await instance
  t.ok(result.requests.total > 0)
  t.ok(result.duration < 60)
  conserves(t, result)
})
