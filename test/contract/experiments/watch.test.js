'use strict'

// A server that is watched beside the load: by its PID, or because --on-port started it.
//
// Run first: it takes longer than most.

const t = require('tap')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { join } = require('node:path')
const Ajv = require('ajv/dist/2020').default
const addFormats = require('ajv-formats').default
const autocannon = require('../../..')
const schema = require('../../../docs/result.schema.json')
const { cli } = require('../../helpers/processes/cli')
const { conserves } = require('../../helpers/results/conservation')
const { WITH_WORKERS } = require('../modes')

const PLAIN = join(__dirname, '../../fixtures/on-port/plain.js')
const SERVER = "require('http').createServer((request, response) => setTimeout(() => response.end('ok'), process.argv[1])).listen(0, '127.0.0.1', function () { console.log(this.address().port) })"
if (process.platform !== 'linux') t.plan(0, 'only Linux tells of processes')

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, allowMatchingProperties: true })
addFormats(ajv)
const validate = ajv.compile(schema)

/**
 * A server in a process of its own.
 * @param {any} t
 * @param {number} [ms] before each response: with none, load generator and server take a core each
 * @returns {Promise<{ pid: number, url: string, child: import('node:child_process').ChildProcess }>}
 */
async function server (t, ms = 5) {
  const child = spawn(process.execPath, ['-e', SERVER, String(ms)], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => child.kill('SIGKILL'))
  const [port] = await once(child.stdout, 'data')
  return { pid: child.pid, url: `http://127.0.0.1:${Number(port)}`, child }
}

/** What every watched run has. */
function isWatched (t, result) {
  const { server, series } = result
  t.match(server, { processes: { average: 1, max: 1 }, threads: { max: Number }, files: { max: Number } })
  t.ok(server.cpu.average > 0 && server.cpu.max >= server.cpu.average, JSON.stringify(server.cpu))
  t.ok(server.rss.max > 20e6 && server.rss.max >= server.rss.average, JSON.stringify(server.rss))
  t.ok(series.some(({ server }) => server !== null && server.cpu > 0))
  validate(JSON.parse(JSON.stringify(result)))
  t.strictSame(validate.errors ?? [], [])
}

t.test('a run, with a warm-up and without its first part, over threads as well', async t => {
  const { url, pid } = await server(t)
  for (const mode of [{ run: autocannon, name: 'this thread' }, ...WITH_WORKERS]) {
    const result = await mode.run({ url, connections: 4, duration: 1, sampleInt: 200, skipFirst: 0.3, warmup: { connections: 1, duration: 0.2 }, watch: pid })
    t.comment(mode.name)
    isWatched(t, result)
    t.ok(result.series.every(point => Object.hasOwn(point, 'server')))
    t.equal(result.warmup.server, undefined)
    t.equal(result.options.watch, undefined, 'a PID says nothing of the next run')
    conserves(t, result)
  }
  t.equal((await autocannon({ url, amount: 10 })).server, undefined)
})

t.test('raw results keep it, and several become one', async t => {
  const { url, pid } = await server(t)
  const raws = await Promise.all([pid, undefined].map(watch => autocannon({ url, connections: 2, duration: 0.5, sampleInt: 100, watch, skipAggregateResult: true })))
  isWatched(t, autocannon.aggregateResult(JSON.parse(JSON.stringify(raws))))
})

t.test('runs without end have figures of their own', async t => {
  const { url, pid } = await server(t)
  const instance = autocannon({ url, connections: 1, duration: 0.3, sampleInt: 100, watch: [pid], forever: true })
  const results = []
  instance.on('done', result => { if (results.push(result) === 2) instance.stop() })
  await instance
  for (const result of results) t.ok(result.server.cpu.average >= 0)
})

t.test('a search', async t => {
  const { url, pid } = await server(t)
  const result = await autocannon.find({ url, from: 50, to: 100, step: 0.5, thresholds: ['p50 < 5s'], watch: pid })
  isWatched(t, result)
  const { search: { steps } } = result
  t.ok(steps.length > 0 && steps.every(({ server: { cpu, rss } }) => cpu.max >= cpu.average && rss.max > 20e6 && rss.max <= result.server.rss.max), 'each step has that of its time')
  t.notOk(Object.hasOwn((await autocannon.find({ url, from: 50, to: 50, step: 0.5, thresholds: ['p50 < 5s'] })).search.steps[0], 'server'))
})

t.test('stages, each of which can be held to what the server did in it', async t => {
  const { url, pid } = await server(t, 0)
  const result = await autocannon({
    url,
    connections: 4,
    stages: ['0s:20/s', 'calm=500ms:20/s', 'short=20ms:10/s', '0s:2000/s', 'peak=800ms:2000/s'],
    sampleInt: 100,
    watch: pid,
    thresholds: ['peak: server rss < 5KB', 'stage 1: server threads > 1', 'short: server cpu < 90%']
  })
  isWatched(t, result)
  const [calm, short, peak] = result.byStage
  t.ok(peak.server.cpu.average > calm.server.cpu.average, `${peak.server.cpu.average} and ${calm.server.cpu.average} of a core`)
  t.notOk(Object.hasOwn(short, 'server'))
  t.match(result.thresholds, [{ stage: 3, passed: false }, { stage: 1, passed: true, actual: Number }, { stage: 2, actual: null, passed: false, note: 'the server was not looked at in it: it was too short' }])
  await t.rejects(autocannon({ url, requests: [{ name: 'home' }], watch: pid, thresholds: ['home: server cpu < 90%'] }), { message: /server cpu is not counted by request/ })
})

t.test('its end is that of the run, at once', async t => {
  const { url, pid, child } = await server(t)
  const instance = autocannon({ url, connections: 2, duration: 30, watch: `${pid}` })
  instance.once('tick', () => child.kill('SIGKILL'))
  const error = await instance.then(() => null, error => error)
  t.match(error, { code: 'AC_WATCH_ENDED', message: `the watched process ${pid} ended during the run` })
  t.ok(error.result.duration < 10, `${error.result.duration} s`)
  t.ok(error.result.requests.sent > 0)
  t.equal(error.result.interrupted, true)
  const { errors, fates } = error.result
  conserves(t, error.result, { neverSent: errors - fates.failed })
})

t.test('what can not be watched is told before a request is sent', async t => {
  const { url } = await server(t)
  let sent = 0
  const instance = autocannon({ url, duration: 5, watch: process.pid })
  instance.on('response', () => sent++)
  await t.rejects(instance, { code: 'AC_WATCH', message: /that is autocannon itself/ })
  t.equal(sent, 0)
  const { code, stderr } = await cli(['-d', '5', '--watch', '4194303', url])
  t.equal(code, 1)
  t.match(stderr, /^autocannon: process 4194303 cannot be watched: there is none here; a container sees its own alone\. pgrep -f NAME finds those that run\n$/)
})

t.test('it can be held to its figures, where they are asked for', async t => {
  const { url, pid } = await server(t)
  const { thresholds } = await autocannon({ url, duration: 0.5, sampleInt: 100, watch: pid, thresholds: ['server rss < 5KB', 'server cpu max < 64 cores', 'server threads > 1'] })
  t.match(thresholds, [{ metric: 'server rss', unit: 'bytes', passed: false }, { metric: 'server cpu max', unit: 'utilization', passed: true }, { metric: 'server threads', unit: 'count', passed: true }])
  await t.rejects(autocannon({ url, thresholds: ['server rss < 300MB'] }), { message: "thresholds: 'server rss < 300MB': no server is watched: expected watch or onPort as well" })
  await t.rejects(autocannon({ url, watch: pid, thresholds: ['server gc < 5%'] }), { message: "thresholds: 'server gc < 5%': only Node.js servers that onPort starts report that" })
  await t.rejects(autocannon.find({ url, watch: pid, thresholds: ['server rss < 1GB'] }), { message: /use a metric that gets worse with more load: a percentile/ })
  await t.rejects(autocannon({ url, until: 'server rss ±5%' }), { message: /how precise server rss is a run can't tell/ })
  const held = await cli(['-d', '0.5', '--rate', '500', '-L', '100', '--threshold', 'server heap < 10MB', '--threshold', 'server event loop < 0.1%', '--on-port', '/', '--', process.execPath, PLAIN])
  t.equal(held.code, 3)
  t.match(held.stderr, /server event loop < 0\.1%/)
})

t.test('two servers are compared by it, of several runs', async t => {
  const { url, pid } = await server(t)
  const measured = await autocannon({ url, connections: 1, duration: 0.3, sampleInt: 100, watch: pid })
  // What the machine does meanwhile is not what this is about.
  const times = (figure, factor) => ({ average: figure.average * factor, max: figure.max * factor })
  const sideOf = factor => [0.99, 1, 1.01].map((near, i) => ({ ...measured, start: new Date((factor * 10 + i) * 1000), server: { ...measured.server, rss: times(measured.server.rss, factor * near), cpu: times({ average: 0.5, max: 0.6 }, factor * near) } }))
  const [base, next] = [sideOf(1), sideOf(3)]
  const { metrics, limits } = autocannon.compareResults(base, next, { failIf: ['server rss +10%', 'server cpu +900%'] })
  t.match(metrics.slice(-2), [{ metric: 'server rss', unit: 'bytes', verdict: 'worse' }, { metric: 'server cpu', unit: 'utilization', verdict: 'worse' }])
  t.match(limits[0], { expression: 'server rss +10%', passed: false })
  t.match(autocannon.compareResults(base, next, { failIf: ['server rss +1MB', 'server cpu +0.01 cores'] }).limits.map(({ reason }) => reason), [/^\+[\d.]+ MB .*beyond the limit/, /^\+1 cores .*beyond the limit/])
  t.match(autocannon.compareResults(base[0], next[0], { failIf: 'server rss +10%' }).limits, [{ passed: null }], 'one run on each side says too little')
  const nobody = base.map(({ server, ...run }) => run)
  t.match(autocannon.compareResults(nobody, next, { failIf: 'server rss +10%' }).limits, [{ passed: false, reason: 'nothing was measured' }], 'one of them was not watched')
  t.throws(() => autocannon.compareResults(base, next, { failIf: 'server files +10%' }), { message: /server files is not compared/ })
})

t.test('versus watches the servers that it starts', async t => {
  const { stdout } = await cli(['versus', '-d', '0.4', '--rate', '500', '-L', '100', '-c', '1', '--runs', '3', '--no-save', '--json', '--fail-if', 'server rss +900%', '--on-port', '/', '--', process.execPath, PLAIN, '--', process.execPath, PLAIN])
  // What follows from it depends on how quiet the machine is.
  const { base, new: next, unit } = JSON.parse(stdout).metrics.find(({ metric }) => metric === 'server rss')
  t.ok(base > 20e6 && next > 20e6, `${base} and ${next} ${unit}`)
})

t.test('a server of --on-port that crashes: the run ends, with its exit code and its last lines behind the report', async t => {
  const crash = "let n = 0; require('http').createServer((request, response) => { response.end('ok'); if (n++ === 100) setTimeout(() => { console.error('out of cheese'); process.exit(7) }, 300) }).listen(0, '127.0.0.1')"
  const { code, stderr } = await cli(['-d', '30', '-c', '2', '-L', '100', '--on-port', '/', '--', process.execPath, '-e', crash])
  t.equal(code, 1)
  t.match(stderr.slice(stderr.indexOf('Latency')), /autocannon: The command ended with exit code 7 during the run: .*\nautocannon: The last lines of its stderr:\nautocannon: {3}out of cheese\nautocannon: The result is of the time until then\.\n✗ Failed, exit code 1: the command ended with exit code 7 during the run: .*\n$/)
})

t.test('a crash of one of its processes is told, and the run goes on with the others', async t => {
  // A while behind the first request, so that a slow machine has seen both.
  const cluster = `const cluster = require('cluster')
    if (cluster.isPrimary) {
      for (let i = 0; i < 2; i++) cluster.fork()
      cluster.once('message', () => setTimeout(() => cluster.workers[1].send('end'), 1000))
    } else {
      process.on('message', () => process.exit(3))
      require('http').createServer((request, response) => { response.end('ok'); process.send('busy') }).listen(0, '127.0.0.1')
    }`
  const { code, stderr, stdout } = await cli(['-d', '3', '--rate', '200', '-c', '2', '-L', '200', '--json', '--on-port', '/', '--', process.execPath, 'cluster.js'], { cwd: t.testdir({ 'cluster.js': cluster }) })
  t.equal(code, 0)
  t.match(stderr, /autocannon: process \d+ of the server \(node\) ended during the run\n/)
  t.ok(JSON.parse(stdout).duration >= 3)
})

t.test('PIDs that are none', async t => {
  for (const [watch, got] of [['nginx', "'nginx': pgrep NAME finds it"], [0, '0'], [-1, '-1'], [1.5, '1.5'], ['', "''"], [{}, 'an object'], [4194305, '4194305']]) {
    await t.rejects(autocannon({ url: 'http://localhost', watch }), { message: `watch: expected the PID of a process, such as 1234, got ${got}` })
  }
  await t.rejects(autocannon({ url: 'http://localhost', watch: [] }), { message: 'watch: expected 1 to 100 PIDs, got 0' })
})

t.test('from the command line: a server of --on-port is watched by itself, and --watch takes what pgrep prints', async t => {
  const { stdout } = await cli(['--json', '-d', '0.6', '--rate', '1000', '-c', '2', '-L', '200', '--on-port', '/', '--', process.execPath, PLAIN])
  const result = JSON.parse(stdout)
  isWatched(t, result)
  const { eventLoopUtilization, eventLoopDelay, heapUsed, gc } = result.server
  t.ok(eventLoopUtilization.max > 0 && eventLoopUtilization.max <= 1, JSON.stringify(eventLoopUtilization))
  t.ok(eventLoopDelay.max >= eventLoopDelay.average && heapUsed.max > 1e6 && gc.max <= 1, JSON.stringify({ eventLoopDelay, heapUsed, gc }))
  const [one, other] = [await server(t), await server(t)]
  const watched = JSON.parse((await cli(['--json', '-d', '0.6', '-L', '200', '--watch', `${one.pid}\n${other.pid}\n`, one.url])).stdout)
  t.equal(watched.server.processes.max, 2)
})
