'use strict'

// A generator that keeps its event loop turning delays no other code, and keeps nothing alive.

const t = require('tap')
const { setTimeout: sleep } = require('node:timers/promises')
const autocannon = require('../..')
const { start } = require('../helpers/processes/cli')
const { serve } = require('../helpers/servers/http-server')
const { conserves } = require('../helpers/results/conservation')

const EVEN = { rate: 2000, pace: 'even', connections: 4 }

t.test('a server, timers and samples of the same thread go on as ever', async t => {
  const server = await serve(t)
  let fired = 0
  const timer = setInterval(() => fired++, 50)
  t.teardown(() => clearInterval(timer))
  let ticks = 0
  const instance = autocannon({ ...EVEN, url: server.url, duration: 2, sampleInt: 100 })
  instance.on('tick', () => ticks++)
  const result = await instance
  conserves(t, result)
  t.equal(result.errors, 0)
  t.equal(result.rate.pace, 'even')
  t.ok(ticks >= 10, `${ticks} of 20 ticks`)
  t.ok(fired >= 10, `${fired} of 40 intervals`)
  t.ok(result.requests.total > 0.5 * result.requests.sent)
})

t.test('stop() ends it, in this thread and in workers, which have one pace together', async t => {
  const server = await serve(t)
  for (const workers of [undefined, 2]) {
    const instance = autocannon({ ...EVEN, url: server.url, workers, duration: 60, timeout: 60 })
    instance.on('tick', () => instance.stop())
    const result = await instance
    conserves(t, result)
    t.ok(result.duration < 30)
    t.equal(result.rate.pace, 'even')
  }
})

t.test('a signal ends it, and the process', { skip: process.platform === 'win32' && 'Windows has no signals' }, async t => {
  let came = () => {}
  const first = new Promise(resolve => { came = () => resolve(undefined) })
  const server = await serve(t, (request, response) => {
    came()
    response.end()
  })
  const running = start(['--json', '--rate', '1000', '--pace', 'even', '-d', '60', server.url])
  await first
  await sleep(100)
  running.kill('SIGINT')
  const { code, stdout } = await running.ended
  t.equal(code, 130)
  t.match(JSON.parse(stdout), { interrupted: true, rate: { pace: 'even' } })
})

t.test('the command line says what a pace may be, and that it is one of a rate', async t => {
  for (const [flags, problem] of [
    [['--rate', '5', '--pace', 'uneven'], /--pace: expected even or batched, got 'uneven'/],
    [['--pace', 'even'], /--pace: expected a rate as well, such as --rate, got none/]
  ]) {
    const { code, stderr } = await start([...flags, 'http://localhost']).ended
    t.equal(code, 2)
    t.match(stderr, problem)
  }
})
