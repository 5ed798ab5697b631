'use strict'

// `autocannon versus` against real servers: what is measured in which order, what is said, saved and decided.
//
// Run first: it takes longer than most.

const t = require('tap')
const { existsSync, linkSync, readFileSync } = require('node:fs')
const path = require('node:path')
const { cli, start } = require('../../helpers/processes/cli')
const { serve, closedPort } = require('../../helpers/servers/http-server')

// Some two hundred runs, one after another, on a machine that may be busy.
t.setTimeout(240_000)

const GOOD = 'require(\'node:http\').createServer((request, response) => response.end(\'ok\')).listen(0, \'127.0.0.1\')'

/** A server that ends as soon as it is asked for something, in its START-th start and each one after it. */
const MORTAL = `const { existsSync, appendFileSync, readFileSync } = require('node:fs')
appendFileSync('starts', '.')
const dies = readFileSync('starts').length >= Number(process.env.START)
require('node:http').createServer((request, response) => dies ? console.error('out of cheese') || process.exit(5) : response.end('ok')).listen(0, '127.0.0.1')`

const NOT_WINDOWS = process.platform === 'win32' ? { skip: 'no signals' } : {}
const FULL = existsSync('/dev/full') ? {} : { skip: 'no /dev/full' }

/** Three runs of each server, of two requests, which are what the server says, however busy the machine is. */
const SHORT = ['-c', '1', '-a', '2', '--runs', '3']

/**
 * A server that fails a share of the requests: a figure that no busy machine changes. A run is a connection.
 * @param {any} t
 * @param {number[]} shares of the first run, the second and so on, over and over
 * @param {() => void} [heard] is told of each run
 */
function failing (t, shares, heard = () => {}) {
  /** @type {WeakMap<object, { share: number, answers: number }>} */
  const runs = new WeakMap()
  let count = 0
  return serve(t, ({ socket }, response) => {
    const run = runs.get(socket) ?? { share: shares[count++ % shares.length], answers: 0 }
    if (!runs.has(socket)) heard()
    runs.set(socket, run)
    run.answers++
    response.writeHead(Math.floor(run.answers * run.share) > Math.floor((run.answers - 1) * run.share) ? 500 : 200).end('ok')
  })
}

/** Runs of enough requests for a share. */
const MANY = ['-c', '1', '-a', '200', '--runs', '3']

/**
 * Base and new whose runs differ from each other as much as they could: the comparison is inconclusive.
 * @param {any} t
 */
async function wild (t) {
  return [(await failing(t, [0, 0.4, 0])).url, (await failing(t, [0.4, 0, 0.4])).url]
}

/** @param {string} file */
const lines = file => readFileSync(file, 'utf8').trimEnd().split('\n').map(line => JSON.parse(line))

t.test('base and new are measured in turn, and each run is a line of its file', async t => {
  let order = ''
  const base = await failing(t, [0], () => { order += 'A' })
  const next = await failing(t, [0], () => { order += 'B' })
  const dir = t.testdir()
  const { code, stdout, stderr } = await cli(['versus', ...SHORT, '--runs', '4', base.url, next.url], { cwd: dir })
  t.equal(code, 0, stderr)
  t.equal(order, 'ABBAABBA')
  for (const [side, { url }] of /** @type {const} */ ([['base', base], ['new', next]])) {
    const runs = lines(path.join(dir, `versus-${side}.json`))
    t.strictSame(runs.map(run => [run.url, run.requests.total, run.interrupted]), Array(4).fill([url, 2, false]))
  }
  t.match(stdout, /^┌.*\n│ +│ Base +│ New +│ Difference/)
  t.match(stdout, /4 (runs against 4|pairs of runs)[^\n]*\n(✓ Done, exit code 0: no|! Done, exit code 0, because no) limit was given \(--fail-if\)[^\n]*\n$/)
  t.notMatch(stdout, /[│─].{80}/, '80 columns are enough for the table')
})

t.test('in a pipe each run is a line on stderr, with its figures and how long the rest takes', async t => {
  const { url } = await serve(t)
  const { stderr } = await cli(['versus', ...SHORT, '--no-save', url, url + '/'])
  const said = stderr.split('\n').filter(line => line.startsWith('run '))
  t.equal(said.length, 6)
  t.match(said[0], /^run 1 of 3 {2}base +[\d,.]+ req\/s {2}p50 [\d.]+ \S+ +p99 [\d.]+ \S+ +[\d.]+ (s|min) left$/)
  t.match(said[5], /^run 3 of 3 {2}new .* p99 [\d.]+ \S+ *$/)
  t.notMatch(stderr, '\x1b')
  const silent = await cli(['versus', ...SHORT, '--no-save', '-n', url, url + '/'])
  t.equal(silent.stderr, '')
})

t.test('--json is one line of JSON with the comparison alone, which compare makes of the saved files, too', async t => {
  const [base, next] = await wild(t)
  const dir = t.testdir()
  const gate = ['--fail-if', 'failure rate +10%', '--json']
  const { code, stdout, stderr } = await cli(['versus', ...MANY, ...gate, '--save-base', 'a.json', '--save-new', 'b.json', base, next], { cwd: dir })
  t.equal(code, 4)
  t.match(stderr, /^autocannon: failure rate \+10% is inconclusive: between [^\n]*\n$/)
  t.match(stdout, /^\{.*\}\n$/)
  t.strictSame(Object.keys(JSON.parse(stdout)).slice(0, 6), ['confidence', 'basis', 'runs', 'metrics', 'limits', 'notes'])
  t.match(JSON.parse(stdout), { runs: { base: 3, new: 3 }, limits: [{ expression: 'failure rate +10%', passed: null, reason: /^between/ }] })
  const again = await cli(['compare', ...gate, 'a.json', 'vs', 'b.json'], { cwd: dir })
  t.strictSame([again.code, again.stdout, again.stderr], [code, stdout, stderr])
})

t.test('the verdict decides the exit code, and every output says the same', async t => {
  const [good, bad] = [(await failing(t, [0])).url, (await failing(t, [0.4])).url]
  const [base, next] = await wild(t)
  const dir = t.testdir({ 'summary.md': '' })
  for (const [urls, gate, ...expected] of /** @type {const} */ ([
    [[good, good + '/'], ['--fail-if', 'failure rate +30%'], 0, '✓', 'failures="0" errors="0" skipped="0"'],
    [[good, bad], ['--fail-if', 'failure rate +10%'], 3, '✗', 'failures="1" errors="0" skipped="0"'],
    [[base, next], ['--fail-if', 'failure rate +10%'], 4, '?', 'failures="0" errors="0" skipped="1"'],
    [[base, next], ['--fail-if', 'failure rate +10%', '--inconclusive', 'pass'], 0, '?', 'failures="0" errors="0" skipped="1"'],
    [[base, next], ['--fail-if', 'failure rate +10%', '--inconclusive', 'fail'], 3, '✗', 'failures="1" errors="0" skipped="0"']
  ])) {
    const { code: actual, stdout, stderr } = await cli(['versus', ...MANY, ...gate, '--no-save', '-n', '--markdown', '--junit', 'junit.xml', '--github-summary', ...urls],
      { cwd: dir, env: { GITHUB_STEP_SUMMARY: path.join(dir, 'summary.md') } })
    // Of a generator that a busy machine starved, a limit is not passed, and may not be told.
    const isUntold = /high CPU wait/.test(stdout) && stdout.includes(' | ? |\n')
    const [code, mark, counts] = isUntold ? [gate.length > 2 ? 0 : 4, '?', 'failures="0" errors="0" skipped="1"'] : expected
    t.equal(actual, code, `${gate.join(' ')}: ${stderr}`)
    t.match(stdout, ` | ${mark} |\n`)
    t.ok(readFileSync(path.join(dir, 'summary.md'), 'utf8').endsWith(`### Comparison\n\n${stdout}\n`))
    t.match(readFileSync(path.join(dir, 'junit.xml'), 'utf8'), `tests="2" ${counts}`)
    t.equal(stderr.includes('autocannon: failure rate'), code !== 0 || mark === '?', 'the log names what has not passed')
    t.equal(/More runs \(--runs \d+\), longer runs \(-a 400\) or a quieter machine may give a verdict\.\n|taskset -c 1 autocannon versus/.test(stderr), mark === '?', 'and what to do when the runs can\'t tell')
  }
})

t.test('-o writes the comparison as JSON, Markdown and a page, with the charts of the last runs', async t => {
  const [good, bad] = [(await failing(t, [0])).url, (await failing(t, [0.4])).url]
  const dir = t.testdir()
  const outputs = ['-o', 'c.json', '-o', 'c.md', '-o', 'c.html', '--title', 'the <new> server']
  const { code, stdout, stderr } = await cli(['versus', ...MANY, '--no-save', '-n', '--json', ...outputs, '--fail-if', 'failure rate +10%', good, bad], { cwd: dir })
  t.ok(code === 3 || code === 4, stderr)
  const read = name => readFileSync(path.join(dir, name), 'utf8')
  t.equal(read('c.json'), stdout)
  t.match(read('c.md'), /^(❌|⚠️) \*\*.*\n\n\| {2}\| Base \|/)
  const page = read('c.html')
  t.match(page, /<h1[^>]*>.*failure rate \+10%/)
  t.match(page, /<title>http:[^<]* → http:[^<]*: [^<]*failure rate \+10%[^<]* · the &lt;new&gt; server<\/title>/)
  t.match(page, '<h2 id="comparison">base → new, all runs</h2>')
  t.match(page, /<script type="application\/json" id="charts">\[\{/)
  const { runs } = JSON.parse(stdout)
  for (const side of ['base', 'new']) t.equal(page.match(new RegExp(`<title>Run \\d+, ${side}: `, 'g')).length, 3 * runs[side], 'a dot for each run in each of three charts')
})

t.test('-o writes a page without charts when a server has no complete run', async t => {
  const { url } = await serve(t)
  const dir = t.testdir()
  const { code } = await cli(['versus', ...SHORT, '--no-save', '-n', '-o', 'c.html', '-o', 'c.json', `http://127.0.0.1:${await closedPort()}`, url], { cwd: dir })
  t.equal(code, 1)
  t.match(readFileSync(path.join(dir, 'c.html'), 'utf8'), /<header class="hero bad">[^]*<h1[^>]*>.*no response: 2 errors[^]*<code>both servers respond<\/code>/)
  t.match(JSON.parse(readFileSync(path.join(dir, 'c.json'), 'utf8')), { metrics: [], limits: [{ expression: 'both servers respond', passed: false }] })
})

t.test('the runs end as soon as the verdict is certain, and the comparison says so', async t => {
  const [good, bad] = [(await failing(t, [0])).url, (await failing(t, [0.5])).url]
  const { code, stdout } = await cli(['versus', ...MANY, '--runs', '12', '--no-save', '-n', '--json', '--fail-if', 'failure rate +1%', good, bad])
  const { runs, notes } = JSON.parse(stdout)
  // Of a generator that a busy machine starved no verdict is certain.
  if (code === 4 && stdout.includes('high CPU wait')) return
  t.equal(code, 3)
  t.ok(runs.base < 12 && runs.base === runs.new, `${runs.base} runs`)
  t.ok(notes.includes(`ended after ${runs.base} of 12 runs on each side: the verdict was certain`))
})

t.test('the same server twice is an A/A test, and is called so', async t => {
  const { url } = await serve(t)
  const { stdout, stderr } = await cli(['versus', ...SHORT, '--no-save', url, url])
  t.match(stderr, /^autocannon: base and new are the same: this is an A\/A test/)
  t.match(stdout, 'Note: base and new are the same server: this is an A/A test\n')
})

t.test('with --on-port each run has a server of its own, which is gone after it', async t => {
  const dir = t.testdir({
    'server.js': `require('node:fs').appendFileSync('starts', process.env.NAME + ' ' + process.pid + '\\n')
require('node:http').createServer((request, response) => response.end('ok')).listen(0, '127.0.0.1')`
  })
  const { code, stderr } = await cli(['versus', ...SHORT, '--on-port', '/', '--', 'NAME=A', process.execPath, 'server.js', '--', 'NAME=B', process.execPath, 'server.js'], { cwd: dir })
  t.equal(code, 0, stderr)
  const starts = readFileSync(path.join(dir, 'starts'), 'utf8').trim().split('\n').map(line => line.split(' '))
  t.equal(starts.map(([name]) => name).join(''), 'ABBAAB')
  for (const [, pid] of starts) t.throws(() => process.kill(Number(pid), 0), { code: 'ESRCH' })
  t.match(stderr, /^base {2}NAME=A .*server\.js\nnew {3}NAME=B .*server\.js\n/)
})

t.test('a server that does not answer ends it, and is named', async t => {
  const { url } = await serve(t)
  const nobody = `http://127.0.0.1:${await closedPort()}`
  const dir = t.testdir({ 'versus-base.json': 'yesterday', 'versus-new.json': 'yesterday' })
  t.equal((await cli(['versus', ...SHORT, nobody, url], { cwd: dir })).code, 1)
  t.equal(readFileSync(path.join(dir, 'versus-base.json'), 'utf8'), 'yesterday', 'there is nothing to replace it')
  const { code, stdout, stderr } = await cli(['versus', ...SHORT, '-n', url, nobody], { cwd: dir })
  t.equal(code, 1)
  t.match(stdout, /^✗ Failed, exit code 1: [^\n]+\n$/)
  t.match(stderr, `autocannon: new (${nobody}): no response: 2 errors: 2 ECONNREFUSED`)
  t.equal(readFileSync(path.join(dir, 'versus-new.json'), 'utf8'), '', 'runs of yesterday are not to be compared with those of today')
  t.equal(lines(path.join(dir, 'versus-base.json')).length, 1)
})

t.test('a server that stops answering in the middle costs the verdict, and every output says so', async t => {
  const { url } = await serve(t)
  const dir = t.testdir({
    'fading.js': `const { existsSync, writeFileSync } = require('node:fs')
const again = existsSync('once')
writeFileSync('once', '')
require('node:http').createServer((request, response) => again ? request.socket.destroy() : response.end('ok')).listen(0, '127.0.0.1')`,
    'good.js': 'require(\'node:http\').createServer((request, response) => response.end(\'ok\')).listen(0, \'127.0.0.1\')'
  })
  const { code, stdout, stderr } = await cli(['versus', ...SHORT, '-n', '--json', '--junit', 'junit.xml', '--fail-if', 'rps -99%', '--on-port', '/', '--', process.execPath, 'good.js', '--', process.execPath, 'fading.js'], { cwd: dir })
  t.equal(code, 1)
  t.match(stderr, /^autocannon: new \(.*fading\.js\): no response: 2 errors: /)
  t.match(JSON.parse(stdout), { runs: { base: 1, new: 1 }, limits: [{ passed: null }, { expression: 'both servers respond', passed: false, implied: true }] })
  t.match(readFileSync(path.join(dir, 'junit.xml'), 'utf8'), 'tests="2" failures="1" errors="0" skipped="1"')
  await cli(['versus', ...SHORT, '-n', '--no-save', '--junit', 'junit.xml', `http://127.0.0.1:${await closedPort()}`, url], { cwd: dir })
  t.match(readFileSync(path.join(dir, 'junit.xml'), 'utf8'), 'tests="1" failures="1"')
})

t.test('a server that ends in a later run, or can not start, costs no run that was whole, and every output names it', async t => {
  for (const [start, code, said, runs] of /** @type {const} */ ([
    [3, MORTAL, /^new: The command ended with exit code 5 during the run: /, { base: 3, new: 2 }],
    [1, MORTAL, /^new: The command ended with exit code 5 during the run: /, { base: 1, new: 0 }],
    [1, 'process.exit(7)', /^new: The command ended with exit code 7 before it listened: /, { base: 1, new: 0 }]
  ])) {
    const dir = t.testdir({ 'good.js': GOOD, 'bad.js': code, 'summary.md': '', 'junit.xml': 'yesterday' })
    const gate = ['--fail-if', 'rps -99%', '--junit', 'junit.xml', '--github-summary', '--on-port', '/', '--', process.execPath, 'good.js', '--', `START=${start}`, process.execPath, 'bad.js']
    const { code: actual, stdout, stderr } = await cli(['versus', '-c', '1', '-a', '2', '--json', '--quiet-server', ...gate], { cwd: dir, env: { GITHUB_STEP_SUMMARY: path.join(dir, 'summary.md') } })
    t.equal(actual, 1, stderr)
    const comparison = JSON.parse(stdout)
    t.strictSame(Object.keys(comparison).slice(0, 6), ['confidence', 'basis', 'runs', 'metrics', 'limits', 'notes'])
    t.strictSame(comparison.runs, runs)
    t.equal(comparison.metrics.length, runs.new === 0 ? 0 : 8)
    t.match(comparison.limits, [{ expression: 'rps -99%', passed: null }, { expression: 'both servers respond', passed: false, reason: said, implied: true }])
    t.equal(stderr.startsWith('autocannon: new: The command ended with exit code '), true)
    t.equal(stderr.includes('out of cheese'), code === MORTAL)
    t.notMatch(stderr, 'The result is of the time until then')
    const nothing = stderr.includes('nothing is compared: 1 run of base, none of new\n')
    t.equal(nothing, runs.new === 0)
    const junit = readFileSync(path.join(dir, 'junit.xml'), 'utf8')
    t.match(junit, 'tests="2" failures="1" errors="0" skipped="1"')
    t.match(junit, /name="both servers respond"[^>]*>\n *<failure message="new: The command ended with exit code/)
    const summary = readFileSync(path.join(dir, 'summary.md'), 'utf8')
    t.match(summary, nothing ? '❌ **Nothing is compared: 1 run of base, none of new.**\n\n| Limit |' : /❌ \*\*.*\n\n\| {2}\| Base/)
    t.match(summary, '<code>both servers respond</code> | new: The command ended with exit code')
    t.equal(lines(path.join(dir, 'versus-base.json')).length, runs.base)
  }
})

t.test('who looks at a terminal reads which side it was, why, and what there is of the runs so far', async t => {
  const dir = t.testdir({ 'good.js': GOOD })
  const { code, stdout, stderr } = await cli(['versus', ...SHORT, '--on-port', '/', '--', process.execPath, 'good.js', '--', 'no-such-program'], { cwd: dir })
  t.equal(code, 1)
  t.match(stdout, /^✗ Failed, exit code 1: [^\n]+\n$/)
  t.equal(stderr.split('\n').slice(-6).join('\n'), `autocannon: new: Could not start the command: no-such-program
autocannon: There is no program "no-such-program": check the name, or give its path.
autocannon: nothing is compared: 1 run of base, none of new
Saved in 'versus-base.json': 1 run of base.
`.replace(/^/, stderr.split('\n').at(-6) + '\n'))
})

t.test('a base that answers mostly 500 in its first run leaves a reason in every output', async t => {
  const broken = await serve(t, (request, response) => { response.writeHead(500).end() })
  const { url } = await serve(t)
  const dir = t.testdir({ 'summary.md': '' })
  const { code, stdout } = await cli(['versus', ...SHORT, '--no-save', '--json', '--junit', 'junit.xml', '--github-summary', broken.url, url], { cwd: dir, env: { GITHUB_STEP_SUMMARY: path.join(dir, 'summary.md') } })
  t.equal(code, 3)
  t.match(JSON.parse(stdout), { runs: { base: 1, new: 0 }, metrics: [], limits: [{ passed: false, reason: /^base: 2 of 2 responses were 4xx or 5xx/, implied: true }] })
  t.match(readFileSync(path.join(dir, 'summary.md'), 'utf8'), /❌ \*\*Nothing is compared: 1 run of base, none of new\.\*\*\n\n[^]*base: 2 of 2 responses were 4xx or 5xx/)
  const junit = readFileSync(path.join(dir, 'junit.xml'), 'utf8')
  t.match(junit, 'tests="2" failures="1" errors="0" skipped="1"')
  t.match(junit, 'there is no run of new')
})

t.test('JUnit always has the case that both servers respond', async t => {
  const { url } = await serve(t)
  const dir = t.testdir()
  await cli(['versus', ...SHORT, '--no-save', '-n', '--junit', 'junit.xml', url, url], { cwd: dir })
  t.match(readFileSync(path.join(dir, 'junit.xml'), 'utf8'), /tests="1" failures="0" errors="0" skipped="0"[^]*name="both servers respond"\/>/)
})

t.test('a run that ends within --skip-first is not blamed on the server', async t => {
  const { url } = await serve(t)
  const { code, stderr } = await cli(['versus', '-c', '1', '-a', '5', '--skip-first', '9', '--no-save', '-n', url, url])
  t.equal(code, 1)
  t.match(stderr, `autocannon: base (${url}): The run ended within the first 9 s, which --skip-first excludes: 5 requests are in no figure.\n`)
})

t.test('of the other origins of a HAR is told once, and of that of the other side not at all', async t => {
  const [base, next] = [await serve(t), await serve(t)]
  const entries = [base.url, next.url, 'http://elsewhere.example'].map(url => ({ request: { method: 'GET', url: `${url}/a` } }))
  const dir = t.testdir({ 'all.har': JSON.stringify({ log: { entries } }), 'two.har': JSON.stringify({ log: { entries: entries.slice(0, 2) } }) })
  const { stderr } = await cli(['versus', ...SHORT, '--no-save', '-n', '--har', 'all.har', base.url, next.url], { cwd: dir })
  t.equal(stderr, 'autocannon: the HAR\'s requests to http://elsewhere.example are skipped: give these origins as URLs, too, to send them\n')
  t.equal((await cli(['versus', ...SHORT, '--no-save', '-n', '--har', 'two.har', base.url, next.url], { cwd: dir })).stderr, '')
  t.strictSame([base, next].map(({ requests }) => requests.length), [12, 12])
})

t.test('a config has the options of each run; a threshold of it ends none early', async t => {
  const { url } = await serve(t)
  const dir = t.testdir({ 'bench.json': JSON.stringify({ connections: 1, amount: 2, method: 'POST', thresholds: ['p99 < 60s', { threshold: 'requests < 1', abortOn: true }] }) })
  const { code, stderr } = await cli(['versus', '--config', 'bench.json', '--runs', '3', '--json', url, url], { cwd: dir })
  t.equal(code, 3)
  t.match(stderr, 'autocannon: base, 3 of 3 runs, such as run 1: requests < 1 failed: it was 2')
  t.match(lines(path.join(dir, 'versus-base.json')), Array(3).fill({ options: { method: 'POST' }, requests: { total: 2 }, thresholds: [{ passed: true }, { passed: false }] }))
})

t.test('a config may have what is of versus alone, and both commands', async t => {
  const { url } = await serve(t)
  const dir = t.testdir({
    'good.js': GOOD,
    'urls.json': JSON.stringify({ url: [url, url], connections: 1, amount: 2, runs: 4, saveBase: 'a.json', saveNew: 'b.json', markdown: true, progress: false }),
    'commands.json': JSON.stringify({ onPort: [process.execPath, 'good.js', '--', process.execPath, 'good.js'], connections: 1, amount: 2, runs: 3, save: false }),
    'wrong.json': JSON.stringify({ runs: 2, run: 1 })
  })
  const { code, stdout, stderr } = await cli(['versus', '--config', 'urls.json', '--save-new', 'c.json'], { cwd: dir })
  t.equal(code, 0, stderr)
  t.match(stdout, /\| {2}\| Base/)
  t.strictSame(['a.json', 'c.json'].map(file => lines(path.join(dir, file)).length), [4, 4])
  t.notOk(existsSync(path.join(dir, 'b.json')), 'flags win')
  const started = await cli(['versus', '--config', 'commands.json', '/'], { cwd: dir })
  t.equal(started.code, 0, started.stderr)
  t.notOk(existsSync(path.join(dir, 'versus-base.json')))
  t.match(await cli(['versus', '--config', 'wrong.json', url, url], { cwd: dir }), { code: 2, stderr: 'unknown option \'run\', did you mean \'runs\'?' })
  const { stderr: ofRun } = await cli(['--config', 'urls.json'], { cwd: dir })
  t.match(ofRun, 'the config \'urls.json\', line 1: \'runs\' is an option of autocannon versus, and this is one run: omit it')
})

t.test('a server that ends during a run ends it, and is named with its last words', async t => {
  const dir = t.testdir({
    'good.js': 'require(\'node:http\').createServer((request, response) => response.end(\'ok\')).listen(0, \'127.0.0.1\')',
    'bad.js': `require('node:http').createServer((request, response) => {
  console.error('out of cheese')
  process.exit(5)
}).listen(0, '127.0.0.1')`
  })
  const { code, stdout, stderr } = await cli(['versus', '-d', '20', '-c', '1', '--runs', '3', '--quiet-server', '--no-save', '-n', '--on-port', '/', '--', process.execPath, 'bad.js', '--', process.execPath, 'good.js'], { cwd: dir })
  t.equal(code, 1)
  t.match(stdout, /^✗ Failed, exit code 1: [^\n]+\n$/)
  t.match(stderr, /^autocannon: base: The command ended with exit code 5 during the run/)
  t.match(stderr, 'out of cheese')
})

t.test('a server that answers mostly 500 ends it, and is named', async t => {
  const { url } = await serve(t)
  const broken = await serve(t, (request, response) => { response.writeHead(500).end() })
  const { code, stderr } = await cli(['versus', ...SHORT, '--no-save', '-n', url, broken.url])
  t.equal(code, 3)
  t.equal(stderr, `autocannon: new (${broken.url}): 2 of 2 responses were 4xx or 5xx, which no expect option allows\n`)
  t.equal(broken.requests.length, 2, 'after the first run')
  const expected = await cli(['versus', ...SHORT, '--no-save', '-n', '--expect-status', '500', broken.url, broken.url])
  t.equal(expected.code, 0, 'who expects it compares it')
})

t.test('checks and thresholds hold for each run of both', async t => {
  const { url } = await serve(t)
  const other = await serve(t, (request, response) => response.end('other'))
  const { code, stderr } = await cli(['versus', ...SHORT, '--no-save', '--json', '--expect-includes', 'ok', '--threshold', 'p99 < 60s', url, other.url])
  t.equal(code, 3)
  t.match(stderr, /^autocannon: new, 3 of 3 runs, such as run 1: The check expect failed 2 times\n$/)
})

t.test('Ctrl-C ends the run that goes on, and gives the comparison of those that were whole', NOT_WINDOWS, async t => {
  const { url } = await serve(t)
  const dir = t.testdir()
  const running = start(['versus', '-c', '1', '-d', '0.3', '--runs', '1000', url, url + '/'], { cwd: dir })
  await running.says('stderr', 'run     2 of 1,000  base')
  running.kill('SIGINT')
  const { code, stdout, stderr } = await running.ended
  t.equal(code, 130)
  t.match(stdout, /│ Base +│ New/)
  t.equal((stdout + stderr).match(/interrupted after/g)?.length, 1, 'said once')
  const [, base, next] = /^! Ended by SIGINT, exit code 130: interrupted after (\d+) runs of base and (\d+) of new\n/m.exec(stdout + stderr) ?? []
  t.equal(lines(path.join(dir, 'versus-base.json')).length, Number(base))
  t.equal(lines(path.join(dir, 'versus-new.json')).length, Number(next))
})

t.test('a full disk costs the files and not the verdict', FULL, async t => {
  const [base, next] = await wild(t)
  const full = ['--save-base', '/dev/full', '--save-new', '/dev/full', '-n']
  const good = await cli(['versus', ...MANY, ...full, base, next])
  t.match(good, { code: 1, stdout: /3 (runs|pairs)/, stderr: '\'/dev/full\' could not be written: ENOSPC' })
  t.notMatch(good.stderr, 'The runs are saved')
  t.match(await cli(['versus', ...MANY, ...full, '--fail-if', 'failure rate +10%', base, next]), { code: 4 })
})

t.test('two names of one file are one file', NOT_WINDOWS, async t => {
  const { url } = await serve(t)
  const dir = t.testdir({ 'x.json': '', sub: {}, 'link.json': t.fixture('symlink', 'x.json'), 'later.json': t.fixture('symlink', 'new.json'), folder: t.fixture('symlink', 'sub') })
  linkSync(path.join(dir, 'x.json'), path.join(dir, 'hard.json'))
  for (const [one, other] of [['x.json', 'link.json'], ['x.json', 'hard.json'], ['new.json', 'later.json'], ['later.json', 'new.json'], ['sub/y.json', 'folder/y.json']]) {
    const { code, stderr } = await cli(['versus', ...SHORT, '--save-base', one, '--save-new', other, url, url], { cwd: dir })
    t.equal(code, 2, other)
    t.match(stderr, `--save-new: the file '${other}' is given twice`)
  }
  const { stderr } = await cli(['-a', '1', '-c', '1', '-o', 'x.json', '-o', 'link.json', url], { cwd: dir })
  t.match(stderr, '-o/--output: the file \'link.json\' is given twice', 'those of a run, too')
})

t.test('what means nothing for two servers is refused, with what to do instead', async t => {
  const { url, requests } = await serve(t)
  const wrong = /** @type {const} */ ([
    [[], 'expected two URLs, of base and of new, got none; such as autocannon versus http://localhost:3000 http://localhost:4000'],
    [[url], `expected two URLs, of base and of new, got one: '${url}'`],
    [[url, url, url], 'expected two URLs, of base and of new, got 3'],
    [['--on-port', '/', '--', 'node', 'a.js'], 'expected two commands, each after its own --, got one: node a.js'],
    [['--on-port', '/', '/', '/third', '--', 'node', 'a.js', '--', 'node', 'b.js'], 'expected one URL for both commands, or one for each, got 3; such as autocannon versus --on-port / --'],
    [['-S', 'a.sock', 'http://a', 'http://b'], '-S/--socketPath: both URLs would lead to the server of this one socket: give the same URL twice for an A/A test, or let autocannon start both'],
    [['-S', 'a.sock', '--on-port', '/', '--', 'node', 'a.js', '--', 'node', 'b.js'], '-S/--socketPath: the servers of --on-port are asked where they listen, which may be a socket of each: omit it'],
    [['--no-save', '--save-new', 'x.json', url, url], '--no-save and --save-new: use one of them'],
    [['--on-port', '/', '--', 'node', 'a.js', '--', 'x', '--', 'y'], 'sh -c \'npm start -- --port 3000\''],
    [[url + '/a', url + '/b'], 'base and new would not do the same work (GET /a and GET /b), so there would be no verdict: give both the same path'],
    [['--runs', '2', url, url], '--runs: expected a whole number, at least 3 and at most 1,000, got \'2\''],
    [['--abort-on', 'errors < 1', url, url], '--abort-on: a run that ends early can\'t be compared'],
    [['--watch', '5', url, url], '--watch: a PID is that of one server, and there are two: --on-port starts both, and watches them'],
    [['--fail-if', 'server rss +10%', url, url], "--fail-if: 'server rss +10%': no server is watched: expected --on-port as well, which starts both and watches them"],
    [['-f', url, url], '-f/--forever: --runs says how often both are measured'],
    [['--baseline', __filename, url, url], '--baseline: base is the first of the two servers'],
    [['-o', 'x.csv', url, url], '-o/--output: a comparison is written as .json, .md, .html, got \'x.csv\'; --save-base and --save-new write the runs'],
    [['-o', 'x', url, url], '-o/--output: a comparison is written as .json, .md, .html, got \'x\''],
    [['-o', '-.md', url, url], '-o/--output -.md: stdout has the comparison; give a file'],
    [['-o', '/no/such/x.md', url, url], '-o/--output: \'/no/such/x.md\' can\'t be written: there is no folder \'/no/such\''],
    [['-o', 'x.json', '--save-base', 'x.json', url, url], '-o/--output: the file \'x.json\' is given twice'],
    [['--json', '--markdown', url, url], '--markdown and --json: give one of them'],
    [['--inconclusive', 'maybe', '--fail-if', 'p50 +5%', url, url], '--inconclusive: expected pass or fail or exact, got \'maybe\''],
    [['--inconclusive', 'exact', '--fail-if', 'p50 +5%', url, url], '--inconclusive: expected pass or fail, got exact: that is for thresholds of one run'],
    [['--inconclusive', 'pass', url, url], '--inconclusive: expected a gate as well, which is --fail-if, got none'],
    [['--save-base', 'x.json', '--save-new', 'x.json', url, url], '--save-new: the file \'x.json\' is given twice'],
    [['--save-new', '/no/such/x.json', url, url], '--save-new: \'/no/such/x.json\' can\'t be written: there is no folder \'/no/such\''],
    [['--junit', '-', url, url], '--junit -: stdout has the comparison; give a file'],
    [['--save-new', '-', url, url], '--save-new -: stdout has the comparison; give a file'],
    [['node a.js', 'node b.js'], '\'node a.js\' is not a URL: a command that starts a server follows -- without quotes, as in autocannon versus --on-port / -- node a.js -- node b.js'],
    [['--run', '4', url, url], 'unknown flag --run, did you mean --runs?']
  ])
  for (const [argv, said] of wrong) {
    const { code, stdout, stderr } = await cli(['versus', ...argv])
    t.equal(code, 2, said)
    t.equal(stdout, '')
    t.match(stderr, said)
    t.match(stderr, /\nTry autocannon versus --help for more\.\n$/)
  }
  t.equal(requests.length, 0, 'and nothing is sent')
})

t.test('help versus is versus --help', async t => {
  const [one, other] = await Promise.all([cli(['help', 'versus']), cli(['versus', '--help'])])
  t.equal(one.code, 0)
  t.match(one.stdout, /^Usage: autocannon versus \[options\] BASE NEW\n/)
  t.equal(one.stdout, other.stdout)
  t.notMatch(one.stdout, /.{81}/)
})
