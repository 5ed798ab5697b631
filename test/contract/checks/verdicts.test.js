'use strict'

// Thresholds and configs, through the API and through the command line.

const t = require('tap')
const path = require('node:path')
const { readFileSync, writeFileSync } = require('node:fs')
const autocannon = require('../../..')
const { OPERATORS } = require('../../../lib/judge/operators')
const { cli, start } = require('../../helpers/processes/cli')
const { serve, valuesOf, closedPort } = require('../../helpers/servers/http-server')
const { conserves } = require('../../helpers/results/conservation')
const { overHttp1, withWorkers, run } = require('../modes')

const WINDOWS = process.platform === 'win32' ? { skip: 'no signals' } : {}

/**
 * Whether the machine of the test is too busy to decide is no part of it: the figure alone decides then.
 * @param {{ thresholds: Array<{ passed: boolean | null, exact?: boolean }> }} result
 */
const passed = ({ thresholds }) => thresholds.map(({ passed, exact = null }) => passed ?? exact)

/** Every other answer at a path is a 500. */
function failing () {
  /** @type {Record<string, number>} */
  const visits = {}
  return (/** @type {import('node:http').IncomingMessage} */ { url = '' }, /** @type {import('node:http').ServerResponse} */ response) => {
    visits[url] = (visits[url] ?? 0) + 1
    response.statusCode = visits[url] % 2 === 1 ? 500 : 200
    response.end('x')
  }
}

overHttp1(t, 'thresholds are judged when the run is over', async (t, mode) => {
  const { url } = await serve(t, failing())
  const result = await mode.run({
    url,
    amount: 40,
    thresholds: ['p99 < 60s', 'p99.5 < 1us', 'requests == 40', 'non2xx == 20', 'non2xx < 50%', 'errors == 0', { threshold: 'rps > 0' }]
  })
  t.strictSame(passed(result), [true, false, true, true, false, true, true])
  t.match(result.thresholds[3], { expression: 'non2xx == 20', actual: 20, passed: true, unit: 'count' })
  t.match(result.thresholds[4], { expression: 'non2xx < 50%', actual: 0.5, passed: false, unit: 'share' })
  t.equal(result.interrupted, false)
  conserves(t, result)
})

overHttp1(t, 'named requests and checks are judged', async (t, mode) => {
  const { url } = await serve(t, failing())
  const result = await mode.run({
    url,
    amount: 40,
    requests: [{ name: 'login', path: '/login', expect: { status: 200 } }, { name: 'list', path: '/list' }],
    thresholds: ['login: p99 < 60s', 'login: p99.5 < 1us', 'login: requests == 20', 'login: non2xx == 10', 'login: checks == 10', 'list: failures == 10', 'checks <= 50%', 'list: rps > 0']
  })
  t.strictSame(passed(result), [true, false, true, true, true, true, true, true])
  t.equal(result.thresholds[6].actual, 0.5)
  conserves(t, result)
})

t.test('with byRequest, a request has a name by itself', async t => {
  const { url } = await serve(t)
  const { thresholds } = await run({ url, amount: 3, byRequest: true, thresholds: ['GET /: requests == 3', 'GET /other: requests == 0'] })
  t.match(thresholds, [{ actual: 3, passed: true }, { actual: null, passed: false }])
})

t.test('without thresholds there are none', async t => {
  const { url } = await serve(t)
  t.strictSame((await run({ url, amount: 1 })).thresholds, [])
})

t.test('one threshold needs no array', async t => {
  const { url } = await serve(t)
  t.strictSame(passed(await run({ url, amount: 1, thresholds: 'requests == 1' })), [true])
})

t.test('a rate has a ratio that can be judged', async t => {
  const { url } = await serve(t)
  t.strictSame(passed(await run({ url, amount: 5, rate: 100, thresholds: ['rate ratio > 1%'] })), [true])
})

t.test('what can not be judged is refused before a request is sent', async t => {
  const server = await serve(t)
  for (const [opts, message] of [
    [{ thresholds: ['p99 < 1ms', 'p99 fast'] }, /^thresholds\[1\]: expected something like 'p99 < 50ms', got 'p99 fast': there is no operator in it: expected one of < <= /],
    [{ thresholds: 'login: p99 < 1ms' }, /^thresholds: 'login: p99 < 1ms': no request has the name 'login'; give one a name in requests$/],
    [{ thresholds: 'logn: p99 < 1ms', requests: [{ name: 'login' }, { name: 'logout' }] }, /: no request has the name 'logn', did you mean 'login'\?$/],
    [{ thresholds: 'rate ratio > 99%' }, /: the rate ratio needs a rate, such as rate$/],
    [{ thresholds: 'p99 < 1ms', skipAggregateResult: true }, /^thresholds and skipAggregateResult: a raw result has no figures yet/]
  ]) {
    await t.rejects(run({ url: server.url, amount: 1, ...opts }), { code: 'AC_OPTIONS', message })
  }
  t.equal(server.requests.length, 0)
})

overHttp1(t, 'abortOn ends the run once the threshold is lost for good', async (t, mode) => {
  const { url } = await serve(t, failing())
  const result = await mode.run({ url, duration: 60, sampleInt: 50, thresholds: ['p99 < 60s', { threshold: 'non2xx < 5', abortOn: true }] })
  t.ok(result.duration < 30, `ended after ${result.duration} s`)
  t.match(result.thresholds, [{ passed: true }, { expression: 'non2xx < 5', passed: false, aborted: true }])
  t.notOk('aborted' in result.thresholds[0])
  t.equal(result.interrupted, false, 'it was not interrupted')
  conserves(t, result)
})

t.test('abortOn lets a run go on that keeps to its threshold', async t => {
  const { url } = await serve(t)
  const result = await run({ url, duration: 0.3, sampleInt: 50, thresholds: [{ threshold: 'errors < 5', abortOn: true }, { threshold: 'p99 < 60s', abortOn: true }, { threshold: 'rps > 0.1', abortOn: true }] })
  t.ok(result.duration >= 0.3)
  t.strictSame(passed(result), [true, true, true])
})

overHttp1(t, 'of a run that is stopped early nothing is judged', async (t, mode) => {
  const { url } = await serve(t)
  const instance = mode.run({ url, duration: 60, sampleInt: 50, thresholds: ['p99 < 60s'] })
  instance.once('tick', () => instance.stop())
  const result = await instance
  t.equal(result.interrupted, true)
  t.match(result.thresholds, [{ expression: 'p99 < 60s', actual: null, passed: null }])
  conserves(t, result)
})

t.test('exit codes through the command line', async t => {
  const { url } = await serve(t, failing())
  const nobody = `http://127.0.0.1:${await closedPort()}`
  const base = ['-n', '-c', '1', '-a', '4']
  const runs = await Promise.all([
    [...base, '--threshold', 'requests == 4', '--threshold', 'p99 < 60s', '--inconclusive', 'exact', `${url}/1`],
    [...base, '--threshold', 'requests == 4', '--threshold', 'non2xx == 0', `${url}/2`],
    [...base, '--abort-on', 'non2xx < 1', `${url}/3`],
    [...base, '--threshold', 'errors == 0', nobody],
    [...base, '--threshold', 'p99 ~ 5', '--abort-on', 'rps < 5', url],
    [...base, '--abort-on', 'login: p99 < 5', url],
    [...base, '--expect-status', '200', `${url}/4`],
    [...base, '--expect-status', '200', '--threshold', 'checks <= 50%', `${url}/5`]
  ].map(argv => cli(argv)))
  t.strictSame(runs.map(({ code }) => code), [0, 3, 3, 1, 2, 2, 3, 0])
  t.match(runs[0].stderr, '│ ✓ │ requests == 4 │ 4 ')
  t.match(runs[1].stderr, /│ ✓ │ requests == 4 │ 4 +│\n│ ✗ │ non2xx == 0 {3}│ 2 +│/)
  t.equal(runs[4].stderr, 'autocannon: --threshold: expected something like \'p99 < 50ms\', got \'p99 ~ 5\': there is no operator in it: expected one of ' + Object.keys(OPERATORS).join(' ') + ', such as p99 < 50ms\n' +
    'autocannon: --abort-on: expected something like \'p99 < 50ms\', got \'rps < 5\': a run ends early when a threshold can\'t be kept any more, and rps < … may still come true until its end: to end it at rps < 5, write what has to hold, rps >= 5\nTry autocannon --help for more.\n')
  t.match(runs[5].stderr, 'abortOn watches the whole run only')
})

t.test('beside --json, stderr says in one line what has failed', async t => {
  const { url } = await serve(t)
  for (const [flags, code, said] of [
    [['--inconclusive', 'exact', '--threshold', 'p99 < 1us', '--threshold', 'errors == 0'], 3, /^autocannon: p99 < 1us failed: it was [\d.]+ ms\n$/],
    [['--expect-status', '404'], 3, /^autocannon: .*expect.* failed.*\n$/],
    [['--threshold', 'p99 < 600s'], 0, /^$/]
  ]) {
    const { stdout, stderr, code: actual } = await cli(['-j', '-a', '4', '-c', '1', ...flags, url])
    t.equal(actual, code)
    t.match(stderr, said)
    t.equal(JSON.parse(stdout).requests.total, 4)
  }
  const nobody = `http://127.0.0.1:${await closedPort()}`
  const judged = await cli(['-j', '-a', '4', '-c', '1', '--threshold', 'errors == 0', nobody])
  const why = `autocannon: No response from ${nobody}: is the server running there?\n`
  t.strictSame([judged.code, judged.stderr], [1, why])
  t.equal((await cli(['-j', '-a', '4', '-c', '1', nobody])).stderr, why)
})

t.test('--strict fails a run whose generator was blocked, in every report, and is in no way of one that was not asked', async t => {
  const server = await serve(t)
  const dir = t.testdir({
    'blocked.mjs': `let next = 0
      const block = () => {
        if (performance.now() < next) return
        for (const end = performance.now() + 200; performance.now() < end;);
        next = performance.now() + 50
      }
      export default { url: '${server.url}', connections: 2, duration: 1.5, requests: [{ onResponse: block }] }`
  })
  const config = ['--config', path.join(dir, 'blocked.mjs'), '--no-progress']
  const files = ['x.md', 'x.html', 'x.csv', 'x.json'].flatMap(name => ['-o', path.join(dir, name)])
  const summary = path.join(dir, 'summary.md')
  const { code, stderr } = await cli([...config, '--strict', ...files, '--junit', path.join(dir, 'x.xml'), '--github-summary'], { env: { ...process.env, GITHUB_STEP_SUMMARY: summary } })
  t.equal(code, 3)
  t.match(stderr, /generator <= busy +│ (starved|saturated)/)
  const { thresholds, generator } = JSON.parse(readFileSync(path.join(dir, 'x.json'), 'utf8'))
  t.match(thresholds, [{ expression: 'generator <= busy', metric: 'generator', actual: generator.verdict, passed: false, unit: 'verdict', note: generator.cause.replace(/\.$/, '') }])
  const [markdown, page, csv, junit, github] = ['x.md', 'x.html', 'x.csv', 'x.xml', 'summary.md'].map(name => readFileSync(path.join(dir, name), 'utf8'))
  t.match(markdown, new RegExp(`generator .*busy.* failed: it was ${generator.verdict}`))
  t.match(page, `generator &lt;= busy failed: it was ${generator.verdict}`)
  t.match(csv, new RegExp(`,generator_verdict,.*\r\n.*,${generator.verdict},`))
  t.match(junit, `<failure message="generator &#60;= busy: it was ${generator.verdict}: ${generator.cause.slice(0, 20)}`)
  t.match(github, new RegExp(`generator .*busy.*${generator.verdict}`))
  const asked = await cli(config)
  t.equal(asked.code, 0)
  t.match(asked.stderr, /[Tt]he load generator (had a|used|stood)/)
})

t.test('--strict can not tell how the generator of a run of less than half a second was, but for a wait for a core; other runs have no such threshold', async t => {
  const { url } = await serve(t)
  const short = ['-c', '1', '-a', '4', '--no-progress']
  const { code, stdout } = await cli([...short, '--strict', '--json', url])
  const { thresholds: [{ passed, actual, note }], generator } = JSON.parse(stdout)
  // A busy machine may have it wait.
  const starved = generator.verdict === 'starved'
  t.match({ code, passed, actual }, starved ? { code: 3, passed: false, actual: 'starved' } : { code: 4, passed: null, actual: null })
  if (!starved) t.equal(note, 'a run of less than half a second is too little to judge the load generator')
  const said = await cli([...short, url])
  t.equal(said.code, 0)
  t.notMatch(said.stderr, /half a second/)
})

t.test('a merged result is starved when one of its generators was, whatever raw results of older versions say', async t => {
  const { url } = await serve(t)
  const raws = JSON.parse(JSON.stringify(await Promise.all([0, 1].map(() => run({ url, connections: 1, amount: 2, skipAggregateResult: true })))))
  const load = { cpuMs: 500, activeMs: 400, idleMs: 0, gcMs: 1, wallMs: 2000, stalledMs: 0, blockedMs: 0, lateMs: 0, delay: { p50: 0, p99: 1, max: 1 } }
  const { blockedMs, lateMs, idleMs, ...older } = load
  delete raws[0].totals.silentFrom
  const dir = t.testdir({ 'older.json': JSON.stringify({ ...raws[0], elapsed: 2000, loads: [older] }), 'starved.json': JSON.stringify({ ...raws[1], loads: [{ ...load, runDelayMs: 1000 }] }), 'quiet.json': JSON.stringify({ ...raws[1], loads: [{ ...load, runDelayMs: 1 }] }) })
  const merge = (/** @type {string[]} */ ...argv) => cli(['merge', '--strict', ...argv], { cwd: dir })
  t.match(await merge('older.json', 'starved.json'), { code: 3, stdout: /The load generator had a CPU wait of 50 %/ })
  t.equal((await merge('--inconclusive', 'pass', 'older.json', 'starved.json')).code, 3)
  t.match(await merge('older.json', 'quiet.json'), { code: 4, stdout: 'older version' })
  t.equal((await merge('quiet.json')).code, 0)
})

t.test('with --inconclusive exact the note of a run and of a merged result does not advise that option', async t => {
  // Of two latencies far from each other: a limit between them is within what the median may be, however busy the machine is.
  let asked = 0
  const { url } = await serve(t, (request, response) => setTimeout(() => response.end(), asked++ % 2 === 0 ? 0 : 800))
  const cwd = t.testdir()
  const judged = ['--inconclusive', 'exact', '--threshold', 'p50 < 400ms', '--json']
  const alone = await cli(['-c', '1', '-a', '6', ...judged, url])
  const { stdout: raw } = await cli(['-c', '1', '-a', '6', '--raw', url])
  writeFileSync(path.join(cwd, 'raw.json'), raw)
  const merged = await cli(['merge', ...judged, 'raw.json'], { cwd })
  for (const { stdout } of [alone, merged]) {
    const { thresholds: [{ note }] } = JSON.parse(stdout)
    t.match(note, /^[\d.]+ m?s \(95 % interval: [\d.]+( ms)? – [\d.]+ m?s\); the figure alone decides \(--inconclusive exact\)$/)
  }
})

t.test('every threshold that can not be read is named', async t => {
  const { code, stderr } = await cli(['--threshold', 'foo < 1', '--threshold', 'p99 < 1ms', '--threshold', 'bar < 2', '--fail-if', 'x +1%', '--fail-if', 'y +1%', 'http://localhost'])
  t.equal(code, 2)
  for (const name of ['foo', 'bar']) t.match(stderr, new RegExp(`^autocannon: --threshold: expected something like .*: unknown metric '${name}'.*$`, 'm'))
  for (const name of ['x', 'y']) t.match(stderr, new RegExp(`^autocannon: --fail-if: expected something like .*: unknown metric '${name}'.*$`, 'm'))
})

t.test('Ctrl-C leaves thresholds unjudged, and says so', WINDOWS, async t => {
  const { url, requests } = await serve(t)
  const running = start(['-c', '1', '-d', '60', '--threshold', 'p99 < 1us', url])
  await running.says('stderr', '1 connection\n')
  while (requests.length < 20) await new Promise(resolve => setTimeout(resolve, 10))
  running.kill('SIGINT')
  const { code, stderr } = await running.ended
  t.equal(code, 130)
  t.match(stderr, /│ \? │ p99 < 1us │ – +│\n└.*\n! Ended by SIGINT, exit code 130: no threshold was judged\n$/)
})

t.test('--config', async t => {
  const server = await serve(t)
  const dir = t.testdir({
    'config.json': JSON.stringify({ url: server.url, connections: 1, amount: 3, method: 'POST', json: true, headers: { 'x-a': '1' }, thresholds: ['requests == 3'] }),
    'config.mjs': `export default { url: '${server.url}', connections: 1, amount: 2, json: true, requests: [{ path: '/f', setupRequest: request => ({ ...request, method: 'PUT' }) }] }`,
    'hooks.json': JSON.stringify({ url: server.url, connections: 1, amount: 1, json: true, workers: 1, requests: [{ setupRequest: './hook.js' }] }),
    'hook.js': 'module.exports = request => ({ ...request, path: "/hooked" })'
  })
  t.test('gives options, and flags win over it', async t => {
    const { code, stdout } = await cli(['--config', path.join(dir, 'config.json'), '-a', '4', '--threshold', 'requests == 4'])
    t.equal(code, 0)
    t.match(JSON.parse(stdout), { connections: 1, '2xx': 4, thresholds: [{ expression: 'requests == 4', passed: true }] })
    t.match(server.requests[0], { method: 'POST', url: '/' })
    t.strictSame(valuesOf(server.requests[0], 'x-a'), ['1'])
  })
  t.test('may be a module with functions', async t => {
    const { code, stdout, stderr } = await cli(['--config', path.join(dir, 'config.mjs')])
    t.equal(code, 0, stderr)
    t.equal(JSON.parse(stdout)['2xx'], 2)
    t.match(server.requests.at(-1), { method: 'PUT', url: '/f' })
  })
  withWorkers(t, 'names modules relative to itself', async (t, mode) => {
    const { code, stderr } = await mode.cli(['--config', path.join(dir, 'hooks.json')], { cwd: path.join(dir, '..') })
    t.equal(code, 0, stderr)
    t.match(server.requests.at(-1), { url: '/hooked' })
  })
  t.test('does not have the last word on the URL', async t => {
    const other = await serve(t)
    const { code } = await cli(['--config', path.join(dir, 'config.json'), other.url])
    t.equal(code, 0)
    t.equal(other.requests.length, 3)
  })
  t.test('--print-config shows the options and sends nothing', async t => {
    const before = server.requests.length
    const { code, stdout, stderr } = await cli(['--config', path.join(dir, 'config.json'), '--print-config', '-H', 'Authorization: Bearer s3cr3t', '-p', '2'])
    t.equal(code, 0)
    t.equal(stderr, '')
    t.match(JSON.parse(stdout), { url: server.url, amount: 3, pipelining: 2, headers: { Authorization: '***' } })
    t.notMatch(stdout, 's3cr3t')
    t.equal(server.requests.length, before)
  })
  t.test('is read by the command line only', async t => {
    t.throws(() => autocannon.parseArguments(['--config', 'x.json', server.url]), { code: 'AC_OPTIONS', message: /^--config: / })
  })
})

t.test('aggregateResult judges, too', async t => {
  const { url } = await serve(t)
  const raws = await Promise.all([run({ url, amount: 3, skipAggregateResult: true }), run({ url, amount: 4, skipAggregateResult: true })])
  t.match(autocannon.aggregateResult(raws, { thresholds: ['requests == 7', 'requests < 7'] }).thresholds, [{ actual: 7, passed: true }, { actual: 7, passed: false }])
  t.throws(() => autocannon.aggregateResult(raws, { thresholds: 'p99' }), { code: 'AC_OPTIONS', message: /^thresholds: expected something like 'p99 < 50ms', got 'p99': / })
})

t.test('interrupted stays interrupted through every merge: one of three is enough', async t => {
  const { url } = await serve(t)
  const raws = await Promise.all([0, 1, 2].map(async i => {
    const instance = run({ url, duration: i === 1 ? 60 : 0.3, sampleInt: 50, skipAggregateResult: true })
    if (i === 1) setTimeout(() => instance.stop(), 200)
    return instance
  }))
  t.strictSame(raws.map(({ interrupted }) => interrupted), [false, true, false])
  const whole = autocannon.aggregateResult([raws[0], raws[2]], { thresholds: 'p99 < 60s' })
  t.equal(whole.interrupted, false)
  t.strictSame(passed(whole), [true])
  for (const some of [raws, [raws[1]], JSON.parse(JSON.stringify(raws))]) {
    const merged = autocannon.aggregateResult(some, { thresholds: ['p99 < 60s', 'errors == 0'] })
    t.equal(merged.interrupted, true)
    t.strictSame(passed(merged), [null, null])
    t.match(autocannon.compareResults(whole, merged).notes.join('\n'), 'at least one run was interrupted')
  }
  const dir = t.testdir(Object.fromEntries(raws.map((raw, i) => [`${i}.json`, JSON.stringify(raw)])))
  const files = raws.map((_, i) => path.join(dir, `${i}.json`))
  t.match(await cli(['merge', '--threshold', 'p99 < 60s', ...files]), { code: 4, stdout: 'The run was interrupted: no threshold was judged.' })
  t.match(await cli(['merge', '--threshold', 'p99 < 60s', files[0], files[2]]), { code: 0 })
})

t.test('what a threshold tolerates is its own request\'s failed checks, in the exit code and in every report', async t => {
  const { url } = await serve(t, (request, response) => response.end(request.url === '/home' ? 'bad' : 'good'))
  const config = (/** @type {string} */ threshold) => JSON.stringify({
    url,
    amount: 20,
    connections: 1,
    expect: { body: 'good' },
    requests: [{ name: 'login', path: '/login' }, { name: 'home', path: '/home' }],
    thresholds: [threshold]
  })
  const dir = t.testdir({ 'login.json': config('login: checks < 5%'), 'home.json': config('home: checks <= 100%'), 'all.json': config('checks <= 50%') })
  for (const [name, code] of [['login', 3], ['home', 0], ['all', 0]]) {
    const file = (/** @type {string} */ ending) => path.join(dir, `${name}.out.${ending}`)
    const found = await cli(['--config', path.join(dir, `${name}.json`), '-n', '-o', file('md'), '-o', file('html'), '--junit', file('xml')])
    t.equal(found.code, code, name)
    const [md, html, xml] = ['md', 'html', 'xml'].map(ending => readFileSync(file(ending), 'utf8'))
    t.match(md, code === 0 ? /^### ✅/ : /^### ❌ The check home: expect failed 10 times/, name)
    t.equal(/class="hero bad"/.test(html), code !== 0, name)
    t.equal(/<testsuites [^>]*failures="0"/.test(xml), code === 0, name)
  }
})

t.test('a gate that can\'t tell ends with 4, and every output says so; --inconclusive chooses', async t => {
  const { url } = await serve(t)
  const dir = t.testdir({ 'summary.md': '' })
  const file = (/** @type {string} */ name) => path.join(dir, name)
  const runs = ['-n', '-c', '1', '-d', '0.5', '-L', '100']
  t.equal((await cli([...runs, '-o', file('base.json'), url])).code, 0)
  for (const [choice, code, hero, counts, passed] of /** @type {const} */ ([
    [[], 4, 'warning', 'failures="0" errors="0" skipped="1"', null],
    [['--inconclusive', 'pass'], 0, 'warning', 'failures="0" errors="0" skipped="1"', null],
    [['--inconclusive', 'fail'], 3, 'bad', 'failures="1" errors="0" skipped="0"', false]
  ])) {
    const mark = passed === null ? '?' : '✗'
    const argv = [...runs, ...choice, '--baseline', file('base.json'), '--fail-if', 'failure rate +10%', ...['html', 'md', 'json'].flatMap(ending => ['-o', file(`out.${ending}`)]), '--junit', file('out.xml'), '--github-summary', url]
    const { code: actual, stderr } = await cli(argv, { env: { GITHUB_STEP_SUMMARY: file('summary.md') } })
    t.equal(actual, code, stderr)
    t.match(stderr, `\n${mark} failure rate +10%: `)
    const [html, md, json, xml, summary] = ['out.html', 'out.md', 'out.json', 'out.xml', 'summary.md'].map(name => readFileSync(file(name), 'utf8'))
    t.match(html, `class="hero ${hero}"`)
    t.match(html, /<title>failure rate \+10% (is inc|failed: inc)/)
    t.match(md, passed === null ? /^### ⚠️ failure rate \+10% is inconclusive: / : /^### ❌ failure rate \+10% failed: inconclusive, which --inconclusive fail counts as failed: /)
    t.match(JSON.parse(json).comparison.limits, [{ expression: 'failure rate +10%', passed }])
    t.match(xml, counts)
    t.match(summary, ` | ${mark} |\n`)
    t.match(await cli([...runs, ...choice, '-j', '--baseline', file('base.json'), '--fail-if', 'failure rate +10%', url]), { code, stderr: /^autocannon: failure rate \+10% [^\n]*inconclusive[^\n]*\n$/ })
  }
  const wrong = await Promise.all([['--inconclusive', 'perhaps', '--threshold', 'errors < 1', url], ['--inconclusive', 'pass', url]].map(argv => cli(argv)))
  t.match(wrong[0], { code: 2, stderr: '--inconclusive: expected pass or fail or exact, got \'perhaps\'' })
  t.match(wrong[1], { code: 2, stderr: '--inconclusive: expected a gate as well, which is --fail-if, --threshold or --until, got none: nothing is judged' })
})
