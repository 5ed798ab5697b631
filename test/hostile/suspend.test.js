'use strict'

// Time that plays tricks: a process that is stopped for a while, as when a laptop sleeps, and a system clock that is set.

const t = require('tap')
const { setTimeout: sleep } = require('node:timers/promises')
const autocannon = require('../..')
const { now } = require('../../lib/core/clock')
const { Running, start } = require('../helpers/processes/cli')
const { serve } = require('../helpers/servers/http-server')
const { conserves } = require('../helpers/results/conservation')

const onUnix = { skip: process.platform === 'win32' && 'Windows has no SIGSTOP', buffered: true }

// They mostly wait.
t.jobs = 3

/**
 * Stops a process for more than a second.
 * @param {{ kill: (signal: NodeJS.Signals) => void }} running
 * @returns {Promise<number>} ms that it was stopped for at least
 */
async function suspend (running) {
  running.kill('SIGSTOP')
  const stoppedAt = now()
  await sleep(2000)
  const ms = now() - stoppedAt
  running.kill('SIGCONT')
  return ms
}

/** Answers at once. @param {number} n resolves once that many requests have come */
function counting (n) {
  let count = 0
  let enough = () => {}
  const came = new Promise(resolve => { enough = () => resolve(undefined) })
  return {
    came,
    answer (request, response) {
      if (++count === n) enough()
      response.end('ok')
    }
  }
}

t.test('a generator that is stopped blames no other', onUnix, async t => {
  const modes = { 'a closed loop': [], 'a rate': ['--rate', '300', '--pace', 'even'], 'a rate in turns': ['-R', '300', '--pace', 'batched'], workers: ['-w', '2', '--rate', '300', '--pace', 'batched'] }
  await Promise.all(Object.entries(modes).map(async ([mode, flags]) => {
    const { came, answer } = counting(60)
    const server = await serve(t, answer)
    const running = start(['--json', '-c', '4', '-d', '3', '-t', '1.8', ...flags, server.url])
    await came
    const stopped = await suspend(running)
    const { code, stdout } = await running.ended
    t.equal(code, 0, mode)
    const result = JSON.parse(stdout)
    const { generator, latency, duration, start: from, finish: to, rate } = result
    t.equal(result.errors, 0, 'no timeout, although the stop was longer than the timeout')
    t.ok(generator.stalledMs > stopped - 200 && generator.stalledMs < stopped + 3000, `${generator.stalledMs} ms for a stop of ${stopped} ms`)
    t.ok(latency.max < 1800, `no latency of the stop, which was longer than the timeout: ${latency.max} ms`)
    t.ok((+new Date(to) - +new Date(from)) / 1000 - duration >= stopped / 1000 - 0.2, 'it is not in the duration')
    if (rate !== undefined) t.ok(rate.sent <= 300 * duration + 4, `no burst after it: ${rate.sent} in ${duration} s`)
    conserves(t, result)
  }))
})

t.test('the summary says that the generator stood still', onUnix, async t => {
  const { came, answer } = counting(20)
  const server = await serve(t, answer)
  const running = start(['-c', '1', '-d', '2.5', server.url])
  await came
  await suspend(running)
  const { code, stderr } = await running.ended
  t.equal(code, 0)
  t.match(stderr, /\nThe load generator stalled for [\d.]+ s: it was stopped, got no CPU, or was blocked by a hook\. That time is in no figure\.\n/)
})

t.test('a server that is stopped is to blame', onUnix, async t => {
  const server = new Running(process.execPath, ['-e', `
    require('node:http').createServer((request, response) => response.end('ok')).listen(0, '127.0.0.1', function () { console.log('port ' + this.address().port) })
  `], {})
  t.teardown(() => server.kill('SIGKILL'))
  await server.says('stdout', '\n')
  const url = `http://127.0.0.1:${server.stdout.match(/\d+/)[0]}`
  const instances = [0.4, 10].map(timeout => autocannon({ url, connections: 2, duration: 3, timeout }))
  await sleep(300)
  const stopped = await suspend(server)
  const [hasty, patient] = await Promise.all(instances)
  t.ok(hasty.timeouts >= 2, `${hasty.timeouts} timeouts`)
  t.ok(patient.latency.max > stopped - 100 - patient.generator.stalledMs, `latency ${patient.latency.max} ms of a stop of ${stopped} ms`)
  for (const result of [hasty, patient]) {
    t.ok(result.generator.stalledMs < stopped / 2, `${result.generator.stalledMs} ms, as a busy machine may keep it from its core`)
    conserves(t, result)
  }
})

t.test('a system clock that is set back, or forward, changes nothing', async t => {
  const server = await serve(t)
  const RealDate = Date
  t.teardown(() => { globalThis.Date = RealDate })
  for (const shift of [-3_600_000, 3_600_000]) {
    globalThis.Date = RealDate
    const instance = autocannon({ url: server.url, connections: 2, duration: 0.5, sampleInt: 100, rate: 200, pace: 'batched' })
    instance.on('start', () => {
      globalThis.Date = class extends RealDate {
        constructor (...args) {
          super(...(args.length === 0 ? [RealDate.now() + shift] : args))
        }

        static now () {
          return RealDate.now() + shift
        }
      }
    })
    const result = await instance
    t.not(Date, RealDate)
    t.equal(result.errors, 0)
    t.ok(result.samples >= 3 && result.samples <= Math.ceil(result.duration * 10) + 1, `${result.samples} samples in ${result.duration} s`)
    t.ok(result.duration >= 0.5 && result.duration < 5, `${result.duration} s`)
    const took = +result.finish - +result.start
    t.ok(took >= 490 && took < 5000, `${took} ms from start to finish`)
    t.ok(result.rate.sent >= 1 && result.rate.sent + result.rate.unsent === 100, `${result.rate.sent} sent and ${result.rate.unsent} not, of 100`)
    conserves(t, result)
  }
})
