'use strict'

// autocannon.versus() against real servers: the comparison is that of the command, and nothing is written.

const t = require('tap')
const { spawn } = require('node:child_process')
const { readdirSync } = require('node:fs')
const path = require('node:path')
const autocannon = require('../../..')
const { cli } = require('../../helpers/processes/cli')
const { serve, closedPort } = require('../../helpers/servers/http-server')

t.setTimeout(120_000)

/** Runs of two requests, which the server counts: their figures depend on no clock. */
const SHORT = { connections: 1, amount: 2, runs: 3 }

/**
 * A server that fails each second request.
 * @param {any} t
 */
function halfBroken (t) {
  let count = 0
  return serve(t, (request, response) => { response.writeHead(count++ % 2 === 0 ? 200 : 500).end('ok') })
}

t.test('two servers are measured in alternating runs, and compared as compareResults compares the same runs', async t => {
  const [base, next] = [await serve(t), await halfBroken(t)]
  const versus = autocannon.versus({ ...SHORT, url: [base.url, new URL(next.url)], failIf: ['failure rate +10%', 'rps -99.9%'] })
  const runs = []
  const done = []
  versus.on('run', run => runs.push(run))
  versus.on('done', comparison => done.push(comparison))
  const comparison = await versus
  t.strictSame(runs.map(({ side, run }) => `${side} ${run}`), ['base 1', 'new 1', 'new 2', 'base 2', 'base 3', 'new 3'])
  const of = which => runs.filter(({ side }) => side === which).map(({ result }) => result)
  t.strictSame(of('new').map(({ requests, non2xx }) => [requests.total, non2xx]), Array(3).fill([2, 1]))
  const again = autocannon.compareResults(of('base'), of('new'), { failIf: ['failure rate +10%', 'rps -99.9%'] })
  t.strictSame({ ...comparison, limits: comparison.limits.slice(0, 2) }, { ...again, limits: again.limits.slice(0, 2) })
  t.strictSame(done, [comparison])
  t.strictSame(Object.keys(comparison).slice(0, 6), ['confidence', 'basis', 'runs', 'metrics', 'limits', 'notes'])
  t.match(comparison.limits[0], { expression: 'failure rate +10%' })
})

t.test('the comparison has the same data as autocannon versus --json', async t => {
  const { url } = await serve(t)
  const nobody = `http://127.0.0.1:${await closedPort()}`
  const { stdout } = await cli(['versus', '-c', '1', '-a', '2', '--runs', '3', '--no-save', '--json', '--fail-if', 'rps -50%', url, nobody])
  const comparison = await autocannon.versus({ ...SHORT, url: [url, nobody], failIf: 'rps -50%' })
  t.strictSame(JSON.parse(JSON.stringify(comparison)), JSON.parse(stdout))
  t.match(comparison, { runs: { base: 1, new: 0 }, metrics: [], limits: [{ passed: null }, { expression: 'both servers respond', passed: false, implied: true }] })
})

t.test('a run whose checks or thresholds fail is a failed limit', async t => {
  const { url } = await serve(t)
  const { limits, notes } = await autocannon.versus({ ...SHORT, url: [url, url], thresholds: { threshold: 'requests < 1', abortOn: true } })
  t.match(limits, [{ expression: 'each run', passed: false, reason: /^base, 3 of 3 runs, such as run 1: requests < 1 failed: it was 2$/ }, { reason: /^new, / }])
  t.strictSame(limits[0].finding, { code: 'failed-runs', severity: 'error', facts: { side: 'base', run: 1, failed: 3, runs: 3, judged: [{ kind: 'threshold', name: 'requests < 1', passed: false }] } }, 'what failed, as data')
  t.ok(notes.includes('base and new are the same server: this is an A/A test'))
})

t.test('runs without a whole response are compared by their events', async t => {
  const { url } = await serve(t, (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const timer = setInterval(() => response.write('data: x\n\n'), 5)
    response.on('close', () => clearInterval(timer))
  })
  const comparison = await autocannon.versus({ url: [url, url], connections: 1, duration: 0.5, runs: 3, stream: 'sse' })
  t.match(comparison, { runs: { base: 3, new: 3 }, limits: [] })
  t.match(comparison.metrics.find(({ metric }) => metric === 'gap p50'), { base: Number, new: Number })
})

t.test('wrong options reject with every problem, and nothing is sent', async t => {
  const { url, requests } = await serve(t)
  const URLS = [url, url]
  for (const [opts, ...said] of /** @type {const} */ ([
    [undefined, 'expected an object of options, got undefined'],
    [{}, "url: expected two URLs, of base and of new, got none; such as autocannon.versus({ url: ['http://localhost:3000', 'http://localhost:4000'] })"],
    [{ url }, `url: expected two URLs, of base and of new, got one: '${url}'`],
    [{ url: URLS, runs: 2, failIf: 'p99 10' }, 'runs: expected a whole number, at least 3', "failIf: expected something like 'p99 +10%', got 'p99 10'"],
    [{ url: [`${url}/a`, `${url}/b`] }, 'base and new would not do the same work (GET /a and GET /b)'],
    [{ url: URLS, until: 'p99 5%' }, 'until: runs of different lengths can\'t be compared'],
    [{ url: URLS, forever: true }, 'forever: runs is the number of runs of each server'],
    [{ url: URLS, watch: process.pid }, 'watch: a PID is that of one server, and there are two: omit it'],
    [{ url: URLS, failIf: ['gap p99 +10%', 'rps -5%'] }, "failIf: 'gap p99 +10%': there are no streams: give the run stream"],
    [{ url: URLS, stream: 'sse', failIf: 'first token p99 +10%' }, "failIf: 'first token p99 +10%': there are no tokens: they need stream openai, and not sse"],
    [{ url: ['ws://localhost:1', 'ws://localhost:1'], body: 'x', failIf: 'gap p99 +10%' }, "failIf: 'gap p99 +10%': there are no streams: give the run receive"],
    [{ url: URLS, failIf: 'server rss +10%' }, 'failIf: \'server rss +10%\': no server is watched']
  ])) {
    const error = await autocannon.versus(opts).then(() => null, error => error)
    t.equal(error?.code, 'AC_OPTIONS', said[0])
    for (const sentence of said) t.match(error.message, sentence)
    t.notMatch(error.message, '--', 'a program has no flags')
  }
  t.equal(requests.length, 0)
})

t.test('a run that can not be made rejects, and what was measured is not lost', async t => {
  const { url } = await serve(t)
  let answers = 0
  const onResponse = () => { if (++answers > 4) throw new Error('out of cheese') }
  const versus = autocannon.versus({ ...SHORT, url: [url, url], requests: [{ onResponse }], failIf: 'rps -99%' })
  const heard = []
  versus.on('error', error => heard.push(error))
  const error = await versus.then(() => null, error => error)
  t.equal(error?.code, 'AC_HOOK')
  t.match(error.message, /^new: .*out of cheese/)
  t.match(error.result, { runs: { base: 1, new: 1 }, limits: [{ expression: 'rps -99%' }, { expression: 'each run can be made', passed: false, finding: { code: 'no-usable-run', facts: { side: /^(base|new)$/, error: /^AC_/ } } }] })
  t.strictSame(heard, [error])
})

t.test('stop ends the runs, and the comparison is of those that are complete', async t => {
  const { url } = await serve(t)
  const versus = autocannon.versus({ ...SHORT, url: [url, `${url}/`], runs: 100 })
  versus.on('run', ({ run }) => { if (run === 3) versus.stop() })
  const { runs, notes } = await versus
  t.strictSame(runs, { base: 3, new: 2 })
  t.ok(notes.includes('the comparison was interrupted after 3 runs of base and 2 of new'))
  const atOnce = autocannon.versus({ connections: 1, duration: 60, url: [url, `${url}/`] })
  setTimeout(() => atOnce.stop(), 50)
  t.strictSame((await atOnce).runs, { base: 0, new: 0 }, 'a run that goes on is ended as well')
})

t.test('with a callback it is no promise, and the callback gets the comparison or the error', async t => {
  const { url } = await serve(t)
  const call = opts => new Promise(resolve => {
    const versus = autocannon.versus(opts, (error, comparison) => resolve({ error, comparison, versus }))
  })
  const good = await call({ ...SHORT, url: [url, url] })
  t.match(good, { error: null, comparison: { runs: { base: 3, new: 3 } }, versus: { then: undefined } })
  t.match(await call({}), { error: { code: 'AC_OPTIONS' }, comparison: undefined })
})

t.test('nothing is written to stdout, stderr or a file; a warning is given once', async t => {
  const { url } = await serve(t)
  const cwd = t.testdir()
  const program = more => `require(${JSON.stringify(path.join(__dirname, '../../..'))}).versus({ connections: 1, amount: 2, runs: 3, url: ['${url}', '${url}/'], ${more} })`
  const run = more => {
    const child = spawn(process.execPath, ['-e', program(more)], { cwd })
    const said = { out: '', err: '' }
    child.stdout.on('data', data => { said.out += data })
    child.stderr.on('data', data => { said.err += data })
    return new Promise(resolve => child.on('close', code => resolve({ code, ...said })))
  }
  t.strictSame(await run(''), { code: 0, out: '', err: '' })
  t.strictSame(readdirSync(cwd), [])
  const { err } = await run("xylophone: 2, requests: [{ path: 'http://other.example/' }]")
  t.equal(err.match(/unknown option 'xylophone'/g).length, 1)
  t.equal(err.match(/is sent to/g).length, 1)
})

t.test('the n-th runs of both servers get the same random arrivals, and the next ones get others', async t => {
  const { url } = await serve(t)
  const versus = autocannon.versus({ ...SHORT, rate: 1000, arrivals: 'poisson', seed: 7, url: [url, url] })
  const seeds = []
  versus.on('run', ({ side, run, result }) => seeds.push(`${side} ${run}: ${result.options.seed}`))
  await versus
  t.strictSame(seeds, ['base 1: 7', 'new 1: 7', 'new 2: 8', 'base 2: 8', 'base 3: 9', 'new 3: 9'])
})
