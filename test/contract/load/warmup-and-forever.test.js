'use strict'

// Runs before the run, and runs without an end.

const t = require('tap')
const autocannon = require('../../..')
const { cli, start } = require('../../helpers/processes/cli')
const { calm, serve } = require('../../helpers/servers/http-server')
const { conserves } = require('../../helpers/results/conservation')
const { overHttp1, run } = require('../modes')

overHttp1(t, 'a warm-up has a result of its own, and is not part of the other', async (t, mode) => {
  const server = await serve(t)
  const instance = mode.run({ url: server.url, connections: 4, amount: 20, warmup: { connections: 2, duration: 0.5 } })
  let warmConnections = 0
  instance.on('start', () => { warmConnections = server.connections })
  const result = await instance
  t.equal(result.requests.total, 20)
  t.equal(result.connections, 4)
  t.equal(result.warmup.connections, 2)
  t.ok(result.warmup.duration >= 0.499)
  t.ok(result.warmup.requests.total > 0)
  t.equal(server.requests.length, result.requests.sent + result.warmup.requests.sent)
  t.ok(warmConnections >= 2)
  t.ok(result.start >= result.warmup.finish)
  conserves(t, result)
  conserves(t, result.warmup)
  for (const { findings, passed } of [result, result.warmup]) t.strictSame([Array.isArray(findings), passed], [true, null], 'both are whole results')
})

overHttp1(t, 'a warm-up that says nothing is like the run, but by duration', async (t, mode) => {
  const server = await serve(t, calm)
  const result = await mode.run({ url: server.url, connections: 3, duration: 1, maxConnectionRequests: 5, warmup: {} })
  t.equal(result.warmup.connections, 3)
  t.ok(result.warmup.duration >= 0.999, 'the limits hold for the run')
  t.equal(result.requests.total, 15)
  conserves(t, result)
})

overHttp1(t, 'stop() during the warm-up ends all', async (t, mode) => {
  const server = await serve(t)
  const instance = mode.run({ url: server.url, duration: 60, warmup: { connections: 2, duration: 60 } })
  instance.on('warmup', () => setTimeout(() => instance.stop(), 100))
  const result = await instance
  t.ok(result.warmup.duration < 60)
  t.equal(result.requests.total, 0)
  conserves(t, result)
})

t.test('-W/--warmup takes -c and -d in brackets', async t => {
  const server = await serve(t)
  const results = await Promise.all([
    ['-W', '[', '-c', '1', '-d', '0.4', ']'],
    ['--warmup', '[', '-c', '1', '-d', '0.4', ']'],
    ['--warmup', '[', '--connections', '1', '--duration', '400ms', ']'],
    ['--warmup', '[-c', '1', '-d', '0.4]'],
    ['--warmup', '[ -c 1 -d 0.4 ]']
  ].map(async argv => JSON.parse((await cli([...argv, '--json', '-c', '2', '-a', '4', server.url])).stdout)))
  for (const { warmup, ...result } of results) {
    t.equal(result.connections, 2)
    t.equal(result.requests.total, 4)
    t.equal(warmup.connections, 1)
    t.ok(warmup.duration >= 0.399)
    t.ok(warmup.requests.total > 0)
  }
})

t.test('brackets mean something only behind --warmup', async t => {
  const server = await serve(t)
  const bodies = ['[1,2]', '[ -c 1 -d 3 ]', '[', '["a", "b"]']
  const codes = await Promise.all(bodies.map(async body => (await cli(['-c', '1', '-a', '1', '-m', 'POST', '-b', body, server.url])).code))
  t.strictSame(codes, [0, 0, 0, 0])
  t.strictSame(server.requests.map(({ body }) => body).sort(), [...bodies].sort())
  t.strictSame(autocannon.parseArguments(['--warmup', '[', '-c', '1', ']', '-b', '[1]', '-H', 'a=[b]', server.url]),
    { warmup: { connections: '1' }, body: '[1]', headers: { a: '[b]' }, url: server.url, debug: false })
})

t.test('--warmup says what it does not take', async t => {
  const { code, stderr } = await cli(['--warmup', '[', '-m', 'POST', ']', 'http://127.0.0.1:1'])
  t.equal(code, 2)
  t.match(stderr, '--warmup takes only -c and -d, got method')
})

overHttp1(t, 'forever starts again after done, and each run is complete and clean', async (t, mode) => {
  const server = await serve(t)
  const instance = mode.run({ url: server.url, amount: 10, forever: true })
  /** @type {any[]} */
  const emitted = []
  instance.on('start', () => emitted.push('start'))
  instance.on('done', (/** @type {any} */ result) => {
    emitted.push(result)
    if (emitted.length === 8) instance.stop()
  })
  const last = await instance
  t.equal(emitted.length, 8)
  for (let i = 0; i < 8; i += 2) {
    t.equal(emitted[i], 'start')
    const result = emitted[i + 1]
    t.strictSame(result.fates, { sent: 10, completed: 10, timedOut: 0, failed: 0, abandoned: 0 })
    t.strictSame(result.statusCodeStats, { 200: { count: 10 } })
    t.equal(result.latency.totalCount, 10)
    t.equal(result.samples, 1)
    conserves(t, result)
  }
  t.equal(last, emitted[7], 'the promise has the last run')
  t.equal(server.requests.length, 40)
  t.equal(server.connections, 8, 'two connections for each run')
})

t.test('each run of forever has random arrivals of its own', async t => {
  const server = await serve(t)
  const instance = autocannon({ url: server.url, rate: 1000, arrivals: 'poisson', seed: 3, amount: 5, forever: true })
  const seeds = []
  instance.on('done', ({ options }) => {
    if (seeds.push(options.seed) === 3) instance.stop()
  })
  await instance
  t.strictSame(seeds, [3, 4, 5])
})

overHttp1(t, 'stop() ends a run of forever, and there is no other', async (t, mode) => {
  const server = await serve(t)
  const instance = mode.run({ url: server.url, duration: 60, sampleInt: 20, forever: true })
  let runs = 0
  instance.on('start', () => { runs++ })
  instance.on('tick', (/** @type {any} */ { counter }) => { if (counter > 0) instance.stop() })
  const result = await instance
  t.equal(runs, 1)
  t.ok(result.requests.total > 0)
  conserves(t, result)
})

t.test('a callback is called once, at the end of forever', async t => {
  const server = await serve(t)
  let calls = 0
  await new Promise(resolve => {
    const instance = autocannon({ url: server.url, connections: 1, amount: 2, forever: true }, error => {
      calls++
      t.error(error)
      resolve(undefined)
    })
    let runs = 0
    instance.on('done', () => { if (++runs === 3) instance.stop() })
  })
  t.equal(calls, 1)
  t.equal(server.requests.length, 6)
})

t.test('forever warms up once', async t => {
  const server = await serve(t)
  const instance = run({ url: server.url, amount: 2, forever: true, warmup: { duration: 0.05 } })
  let warmups = 0
  let runs = 0
  instance.on('warmup', () => { warmups++ })
  instance.on('done', () => { if (++runs === 3) instance.stop() })
  await instance
  t.equal(warmups, 1)
})

t.test('-f/--forever runs until it is interrupted', { skip: process.platform === 'win32' }, async t => {
  const server = await serve(t)
  await Promise.all(['-f', '--forever'].map(async flag => {
    const running = start([flag, '-c', '1', '-a', '3', '--no-verbose', '-n', server.url])
    await running.says('stderr', '3 requests in ', 3)
    running.kill('SIGINT')
    const { code, stderr } = await running.ended
    t.equal(code, 130)
    t.ok(stderr.split('3 requests in ').length > 2, 'several runs')
  }))
})

t.test('-f with --json prints a line for each run', { skip: process.platform === 'win32' }, async t => {
  const server = await serve(t)
  const running = start(['-f', '-j', '-c', '1', '-a', '3', server.url])
  await running.says('stdout', '\n', 3)
  running.kill('SIGINT')
  const { stdout } = await running.ended
  const results = stdout.trimEnd().split('\n').map(line => JSON.parse(line))
  t.ok(results.length > 1)
  for (const result of results.slice(0, -1)) {
    t.equal(result.requests.total, 3)
    conserves(t, result)
  }
})
