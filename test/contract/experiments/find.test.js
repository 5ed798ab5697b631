'use strict'

// A search for the limit against real servers. What fails in it is counted and not timed, so that a busy machine finds the same.
//
// Run first: it takes longer than most.

const t = require('tap')
const { readFileSync } = require('node:fs')
const path = require('node:path')
const { Writable } = require('node:stream')
const Ajv = require('ajv/dist/2020').default
const addFormats = require('ajv-formats').default
const autocannon = require('../../..')
const { Find, readSearch } = require('../../../lib/experiments/find/find')
const { readGoal } = require('../../../lib/experiments/find/options')
const schema = require('../../../docs/result.schema.json')
const { overHttp1 } = require('../modes')
const { cli, shell, start } = require('../../helpers/processes/cli')
const { conserves } = require('../../helpers/results/conservation')
const { calm, serve, closedPort } = require('../../helpers/servers/http-server')

t.setTimeout(240_000)

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, allowMatchingProperties: true })
addFormats(ajv)
const validate = ajv.compile(schema)

const NOT_WINDOWS = process.platform === 'win32' ? { skip: 'no signals' } : {}

/** Steps as short as can be. */
const SHORT = { step: 0.5, precision: '50%', thresholds: 'failures == 0' }
const SHORT_FLAGS = ['--step', '0.5', '--precision', '50%', '--threshold', 'failures == 0']

/**
 * A server that answers 429 while the load is more than so many requests per second. It is told the load: on a busy machine requests come in bursts, which are a rate of their own.
 * @param {any} t
 * @param {number} rate
 */
async function limiter (t, rate) {
  const told = { load: 0, sockets: new Set() }
  const { url } = await serve(t, (request, response) => {
    told.sockets.add(request.socket)
    if (told.load > rate) response.statusCode = 429
    response.end('ok')
  })
  return Object.assign(told, { url })
}

overHttp1(t, 'the limit of a server is found, in one run whose connections stay open', async (t, mode) => {
  const server = await limiter(t, 200)
  server.load = 100
  const given = { ...SHORT, url: server.url, from: '100/s', to: '3200/s', ...mode.opts, timeout: 20 }
  const search = new Find(given, undefined, mode.startWorker, options => {
    const { values, goal, warnings } = readGoal(options)
    return readSearch(values, goal, options, warnings)
  })
  const told = []
  search.on('step', step => {
    told.push(step)
    server.load = step.next?.value ?? 0
  })
  const result = await search
  const { best, above, limit, steps, unit } = result.search
  // On a busy machine the generator sends in bursts, and says so.
  const isQuiet = !steps.some(({ outcome }) => outcome === 'generator')
  t.equal(limit, isQuiet ? 'server' : limit)
  t.equal(unit, 'requests/s')
  t.ok(best >= 100 && best <= 200 && above > best && above <= 400, `${best} to ${above}`)
  t.ok(above <= best * 1.3)
  t.match(steps.find(({ outcome }) => outcome === 'held'), { value: 100, reason: null, failures: 0 })
  t.ok(steps.some(({ outcome, failures }) => outcome !== 'held' && failures > 0))
  t.equal(steps.findLast(({ value }) => value === best).outcome, 'held')
  t.strictSame(told.map(({ next, best, above, ...step }) => step), steps, 'each is told of')
  t.strictSame(told.at(-1).next, null)
  t.strictSame(result.thresholds.map(({ expression, passed }) => [expression, passed]), [['failures == 0', true]])
  t.equal(result.interrupted, false)
  t.ok(server.sockets.size <= result.connections + mode.parts, `${server.sockets.size} of ${result.connections} connections`)
  t.ok(result.series.some(({ target }) => target > 90))
  validate(JSON.parse(JSON.stringify(result)))
  t.strictSame(validate.errors ?? [], [])
  conserves(t, result)
})

t.test('connections are searched for as well', async t => {
  const server = await serve(t, calm)
  const { search, connections } = await autocannon.find({ ...SHORT, url: server.url, over: 'connections', from: 1, to: 4 })
  t.match(search, { best: 4, unit: 'connections', limit: 'range', above: null })
  // On a busy machine a step may say nothing, and is repeated.
  const told = search.steps.filter(({ outcome }) => outcome !== 'generator')
  t.strictSame(told.map(({ value, connections, outcome }) => [value, connections, outcome]), [[1, 1, 'held'], [2, 2, 'held'], [4, 4, 'held'], [4, 4, 'held']], 'the last one until it is certain')
  t.equal(connections, 4)
})

t.test('too few connections are not the limit of the server: more are opened unless they were given', async t => {
  const { url } = await serve(t, (request, response) => setTimeout(() => response.end('ok'), 600))
  const { search } = await autocannon.find({ ...SHORT, step: 1, url, from: 100, to: 100 })
  t.match(search, { best: 100, limit: 'range' })
  t.match(search.steps, [{ value: 100, attempt: 1, outcome: 'generator', reason: 'connections', connections: 25 }, { value: 100, attempt: 1, outcome: 'held' }])
  t.equal(search.steps[1].connections, search.steps[0].widened)
  const { code, stdout, stderr } = await cli(['find', ...SHORT_FLAGS, '--step', '1', '-c', '5', '--from', '100/s', url])
  t.equal(code, 4, stderr)
  t.match(stdout, /\nInconclusive: at 100 req\/s all 5 connections were in use, and responses were as fast as at low load, so more connections \(-c\) are needed; nothing is known of the server with failures == 0\n/)
})

t.test('the command prints the steps, a plot and a sentence, and writes files', async t => {
  const server = await serve(t)
  const folder = t.testdir()
  const { code, stdout, stderr } = await cli(['find', ...SHORT_FLAGS, '--from', '100/s', '--to', '200/s', '--fail-below', '150/s', '-o', 'limit.html', '-o', 'limit.md', '-o', 'limit.json', server.url], { cwd: folder })
  t.equal(code, 0)
  t.match(stdout, /│ ✓ ?│ 200 /)
  t.match(stdout, /\nreq\/s .* achieved {2}failed\n/)
  t.match(stdout, /\nholds 200 req\/s with failures == 0, the most that was tried: the limit lies above 200 \(--to\)\n/)
  // On a busy machine a step may fail, and is repeated.
  t.match(stderr, /^Searching the limit of .*\nreq\/s from 100 to 200 with failures == 0, in steps of 0\.5 s, for \d+ s at most; the load doubles until a step fails\n\n(?:[✓✗!?] +\d+ req\/s .*\n)+✓ +200 req\/s .*\n$/)
  const read = name => readFileSync(path.join(folder, name), 'utf8')
  const { search, thresholds } = JSON.parse(read('limit.json'))
  t.equal(search.best, 200)
  t.match(thresholds.at(-1), { expression: 'limit >= 150/s', actual: 200, passed: true, unit: 'requests/s' })
  t.match(read('limit.md'), /holds 200 req\/s .*\n[^]*\| Load \| Achieved \|/)
  t.match(read('limit.html'), /<h2 id="search">The limit<\/h2><div class="charts"><figure>[^]*<svg class="curve"/)
})

t.test('--json prints the result, and the log says what failed', async t => {
  const { url } = await serve(t, (request, response) => response.writeHead(500).end())
  const { code, stdout, stderr } = await cli(['find', ...SHORT_FLAGS, '--json', '--to', '200/s', '--fail-below', '150/s', url])
  t.equal(code, 3)
  const { search, thresholds } = JSON.parse(stdout)
  t.match(search, { best: null, limit: 'range', above: 100 })
  t.match(thresholds, [{ expression: 'failures == 0', passed: false }, { expression: 'limit >= 150/s', actual: null, passed: false }])
  t.match(stderr, /^autocannon: does not hold 100 req\/s with failures == 0; at 100 there were \d+ failures; the limit lies below: try less with --from 10\/s\n$/)
})

t.test('a server that does not answer has no limit', async t => {
  const { code, stdout } = await cli(['find', ...SHORT_FLAGS, `http://127.0.0.1:${await closedPort()}`])
  t.equal(code, 1)
  t.match(stdout, /ECONNREFUSED/)
})

t.test('a mistake is a line, and the exit code 2', async t => {
  const { code, stdout, stderr } = await cli(['find', '--rate', '5', 'http://localhost:1'])
  t.equal(code, 2)
  t.equal(stdout, '')
  t.equal(stderr, `autocannon: --rate: the search sets the rate: give its range with --from and --to
autocannon: --threshold: a search needs a threshold, such as "p99 < 50ms", got none
Try autocannon find --help for more.
`)
})

t.test('Ctrl-C gives what is known so far', NOT_WINDOWS, async t => {
  const server = await serve(t)
  const running = start(['find', '--step', '0.5', '--threshold', 'failures == 0', '--from', '50/s', '--to', '3200/s', server.url])
  await running.says('stderr', '✓')
  running.kill('SIGINT')
  const { code, stdout } = await running.ended
  t.equal(code, 130)
  t.match(stdout, /\ninterrupted: holds \d+ req\/s with failures == 0 so far\n/)
})

t.test('of a search that Ctrl-C ended nothing is judged', NOT_WINDOWS, async t => {
  const server = await serve(t)
  const file = path.join(t.testdir(), 'result.json')
  const running = start(['find', '--step', '0.5', '--threshold', 'failures == 0', '--from', '50/s', '--to', '3200/s', '--fail-below', '50/s', '--output', file, server.url])
  await running.says('stderr', '✓')
  running.kill('SIGINT')
  t.equal((await running.ended).code, 130)
  const { interrupted, passed, search, thresholds } = JSON.parse(readFileSync(file, 'utf8'))
  t.match({ interrupted, passed, limit: search.limit }, { interrupted: true, passed: null, limit: null })
  t.ok(search.best >= 50, 'what is known so far is there')
  t.strictSame(thresholds.map((/** @type {any} */ one) => [one.expression, one.passed]), [['failures == 0', null], ['limit >= 50/s', null]])
})

t.test('a server of ours is started for all steps together', async t => {
  const folder = t.testdir({ 'server.js': 'require(\'node:http\').createServer((request, response) => response.end(\'ok\')).listen(0, \'127.0.0.1\')' })
  const { code, stdout } = await cli(['find', ...SHORT_FLAGS, '--from', '50/s', '--to', '50/s', '--json', '--on-port', '/', '--', process.execPath, 'server.js'], { cwd: folder })
  t.equal(code, 0)
  t.equal(JSON.parse(stdout).search.best, 50)
})

t.test('when a server of ours ends in the middle, the steps and the sentence so far are there, and how it ended', async t => {
  const folder = t.testdir({ 'server.js': 'let n = 0; require(\'node:http\').createServer((request, response) => { if (++n > 45) process.exit(7); response.end(\'ok\') }).listen(0, \'127.0.0.1\')' })
  const { code, stdout, stderr } = await cli(['find', ...SHORT_FLAGS, '--from', '50/s', '--to', '400/s', '--on-port', '/', '--', process.execPath, 'server.js'], { cwd: folder })
  t.equal(code, 1)
  t.match(stdout, /Load .*Achieved/)
  t.match(stdout, 'holds 50 req/s with failures == 0')
  t.match(stderr, 'ended with exit code 7 during the run')
  const json = await cli(['find', ...SHORT_FLAGS, '--from', '50/s', '--to', '400/s', '--json', '--on-port', '/', '--', process.execPath, 'server.js'], { cwd: folder })
  t.equal(json.code, 1)
  t.equal(JSON.parse(json.stdout).search.best, 50)
  t.match(json.stderr, 'ended with exit code 7 during the run')
})

t.test('steps are listed once where stdout and stderr are one pipe or file', NOT_WINDOWS, async t => {
  const server = await serve(t)
  const command = `$AUTOCANNON find --step 0.5 --precision 50% --threshold 'failures == 0' --from 50/s --to 50/s ${server.url}`
  const [together, silent, apart] = (await Promise.all([`${command} 2>&1 | cat`, `${command} --no-progress 2>&1 | cat`, `${command} 2>/dev/null | cat`].map(script => shell(script)))).map(({ stdout }) => stdout)
  t.match(together, /✓ +50 req\/s +p50[^]*holds 50 req\/s/, 'the lines of the progress')
  t.notMatch(together, /Load .*Achieved/, 'and no table of the same')
  for (const text of [silent, apart]) t.match(text, /Load .*Achieved/)
})

t.test('help', async t => {
  const { code, stdout } = await cli(['find', '--help'])
  t.equal(code, 0)
  for (const word of ['--from', '--to', '--precision', '--step', '--over', '--fail-below', '--threshold']) t.ok(stdout.includes(`  ${word} `), word)
  t.ok(stdout.split('\n').every(line => line.length <= 80))
})

t.test('track shows the steps and the report', async t => {
  const server = await serve(t)
  const written = []
  const outputStream = new Writable({ write: (chunk, _, done) => done(null, written.push(String(chunk))) })
  await autocannon.track(autocannon.find({ ...SHORT, url: server.url, from: 100, to: 100, arrivals: 'poisson', seed: 7 }), { outputStream })
  t.match(written.join(''), /^Searching the limit of .*\n.*\n\n(?:[✓✗?] +100 req\/s .*\n)+\nholds 100 req\/s[^]*\n┌/)
})
