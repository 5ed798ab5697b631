'use strict'

// --output and --junit: every format through the command line.
//
// Run first: it takes longer than most.

const t = require('tap')
const { spawn, spawnSync } = require('node:child_process')
const { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync, chmodSync, symlinkSync } = require('node:fs')
const { tmpdir } = require('node:os')
const path = require('node:path')
const { formatResult } = require('../../..')
const { ENDINGS } = require('../../../lib/report/formats/format')
const { cli, start, shell } = require('../../helpers/processes/cli')
const { conserves } = require('../../helpers/results/conservation')
const { serve, closedPort } = require('../../helpers/servers/http-server')

/** @param {{ teardown: Function }} t */
function folderOf (t) {
  const folder = mkdtempSync(path.join(tmpdir(), 'autocannon outputs '))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return { folder, read: (/** @type {string} */ file) => readFileSync(path.join(folder, file), 'utf8') }
}

t.test('-o/--output writes each format by the ending, beside the report', async t => {
  const server = await serve(t, (request, response) => response.end('hello'))
  const { folder, read } = folderOf(t)
  const files = ['run.json', 'run.csv', 'run.md', 'run.HTML', 'run.ndjson']
  const { code, stdout, stderr } = await cli(['-a', '50', '-c', '5', '-T', 'a run', ...files.flatMap((file, i) => [i % 2 === 0 ? '-o' : '--output', file]), '--junit', 'run.xml', server.url], { cwd: folder })
  t.equal(code, 0, stderr)
  t.equal(stdout, '')
  t.match(stderr, '50 requests in')
  const result = JSON.parse(read('run.json'))
  conserves(t, result)
  t.match(result, { title: 'a run', '2xx': 50, requests: { total: 50 } })
  // Outputs of the same result are equal, by any option.
  t.equal(read('run.csv'), formatResult(result, 'csv'))
  t.equal(read('run.md'), formatResult(result, 'md'))
  t.equal(read('run.HTML'), formatResult(result, 'html'))
  t.equal(read('run.xml'), formatResult(result, 'junit'))
  const lines = read('run.ndjson').trimEnd().split('\n').map(line => JSON.parse(line))
  t.equal(lines.reduce((sum, { requests }) => sum + requests, 0), 50)
  t.match(read('run.md'), ' · 50 requests completed in ')
  t.match(read('run.xml'), 'tests="1" failures="0"')
  t.match(read('run.csv').split('\r\n')[1], /^a run,http:\/\/127\.0\.0\.1:\d+,/)
})

t.test('with --baseline the page and the summary compare with it', async t => {
  const server = await serve(t, (request, response) => setTimeout(() => response.end(), 2))
  const { folder, read } = folderOf(t)
  const flags = ['-d', '0.5', '-L', '100', '-c', '2', '-n', '--no-verbose']
  await cli([...flags, '-T', 'before', '-o', 'before.json', server.url], { cwd: folder })
  const { code, stderr } = await cli([...flags, '--baseline', 'before.json', '-o', 'after.html', '-o', 'after.md', '-o', 'after.json', '--threshold', 'p99 < 1us', '--inconclusive', 'exact', '--junit', 'after.xml', server.url], { cwd: folder })
  t.equal(code, 3, stderr)
  t.match(read('after.html'), /Compared with <strong>before<\/strong>/)
  t.match(read('after.html'), '<th scope="col" class="figure">Req/s, baseline</th>')
  t.match(read('after.md'), /^### ❌ p99 .* 1us failed: it was /)
  t.match(read('after.md'), /\n\| Baseline \| /)
  t.match(read('after.xml'), /failures="1".*p99 &#60; 1us/s)
  const { comparison } = JSON.parse(read('after.json'))
  t.ok(comparison.metrics.length > 0, 'what is written is what was judged')
})

t.test('--json stays one line on stdout, whatever is written beside', async t => {
  const server = await serve(t)
  const { folder, read } = folderOf(t)
  const { stdout, stderr } = await cli(['--json', '-a', '5', '-c', '1', '-o', 'run.json', server.url], { cwd: folder })
  t.equal(stderr, '')
  t.match(stdout, /^\{.*\}\n$/)
  t.equal(read('run.json'), stdout)
})

t.test('.ndjson has a line per sample while the run goes on', async t => {
  const server = await serve(t, (request, response) => setTimeout(() => response.end(), 5))
  const { folder, read } = folderOf(t)
  const running = start(['-d', '30', '-L', '100', '-c', '2', '-n', '-o', 'live.ndjson', server.url], { cwd: folder })
  for (let lines = 0; lines < 3;) {
    await new Promise(resolve => setTimeout(resolve, 20))
    try {
      lines = read('live.ndjson').split('\n').length - 1
    } catch {}
  }
  running.kill('SIGINT')
  const { code, stderr } = await running.ended
  t.equal(code, 130, 'it was still going on')
  const lines = read('live.ndjson').trimEnd().split('\n').map(line => JSON.parse(line))
  t.equal(lines.reduce((sum, { requests }) => sum + requests, 0), Number(/(\d+) requests? in/.exec(stderr)?.[1]) - 2, 'all that was answered: two were in flight')
  for (const [i, line] of lines.entries()) {
    t.equal(line.time, i * 100)
    for (const key of ['rps', 'bytesPerSecond', 'requests', 'bytes', 'non2xx', 'errors', 'cpu', 'eventLoopUtilization']) t.type(line[key], 'number', key)
    t.strictSame(line.errorCodes, {})
    t.ok(!Number.isNaN(Date.parse(line.timestamp)))
  }
  // One that waited for long when the run ended is in the figures, and no answer. Of samples that a busy generator ends at once, the last has the latencies of all.
  t.ok(lines.every(({ p50, p99, max, requests }, i) => p50 === null ? requests === 0 || lines.slice(i + 1).some(({ p50 }) => p50 !== null) : p50 <= p99 && p99 <= max))
})

t.test('a line of .ndjson says the same while the run goes on and when it is over, also where the figures begin later than the load', async t => {
  const server = await serve(t)
  const { folder, read } = folderOf(t)
  const { code, stderr } = await cli(['-d', '0.8', '--skip-first', '0.4', '-L', '100', '-c', '1', '-n', '--no-verbose', '-o', 'live.ndjson', '-o', 'run.json', server.url], { cwd: folder })
  t.equal(code, 0, stderr)
  const lines = read('live.ndjson').split('\n')
  const whole = formatResult(JSON.parse(read('run.json')), 'ndjson').split('\n')
  t.ok(whole.length > 2)
  // The last point may have the rest of the run in it when it is over.
  t.strictSame(lines.slice(0, whole.length - 2), whole.slice(0, -2))
})

t.test('errors are in the lines, by code', async t => {
  const port = await closedPort()
  const { code, stdout } = await cli(['-d', '0.4', '-L', '100', '-n', '--no-verbose', '-o', '-.ndjson', `http://127.0.0.1:${port}`])
  t.equal(code, 1)
  const lines = stdout.trimEnd().split('\n').map(line => JSON.parse(line))
  // On a busy machine the first lines may have no error yet.
  t.ok(lines.length > 1 && lines.some(({ errors }) => errors > 0), stdout)
  for (const { errors, errorCodes, p99 } of lines) {
    t.strictSame(errorCodes, errors === 0 ? {} : { ECONNREFUSED: errors })
    t.equal(p99, null)
  }
})

t.test('-.md and the like write to stdout', async t => {
  const server = await serve(t)
  const { folder, read } = folderOf(t)
  const md = await cli(['-a', '5', '-c', '1', '-o', '-.md', '-o', 'a.csv', server.url], { cwd: folder })
  t.match(md.stdout, /^### .*\n\n.* · 0 failures of 5.*\n\n.* · 5 requests completed in /)
  t.strictSame(readdirSync(folder), ['a.csv'])
  const junit = await cli(['-a', '5', '-c', '1', '--junit', '-', server.url], { cwd: folder })
  t.match(junit.stdout, /^<\?xml/)
  const { code, stdout } = await shell(`mkfifo p.ndjson; $AUTOCANNON -d 0.3 -L 100 -c 1 -n --no-verbose -o p.ndjson ${server.url} 2>/dev/null & cat p.ndjson; wait $!`, { cwd: folder })
  t.equal(code, 0)
  t.ok(stdout.trimEnd().split('\n').every(line => JSON.parse(line).rps >= 0), 'a pipe may be followed')
  t.ok(read('a.csv').length > 0)
})

t.test('what can not be written is told before the run, all at once', async t => {
  const server = await serve(t)
  const { folder } = folderOf(t)
  mkdirSync(path.join(folder, 'folder.csv'))
  writeFileSync(path.join(folder, 'file'), '')
  const { code, stdout, stderr } = await cli(['-o', 'a.txt', '-o', 'none/a.json', '-o', 'folder.csv', '-o', 'file/a.md', '-o', 'b.md', '-o', './b.md', '--json', '-o', '-.csv', '--junit', 'none/j.xml', server.url], { cwd: folder })
  t.equal(code, 2)
  t.equal(stdout, '')
  for (const words of [
    `-o/--output: expected a file name with the ending of a format: ${ENDINGS.map(ending => `.${ending}`).join(', ')}, got 'a.txt'`,
    "-o/--output: 'none/a.json' can't be written: there is no folder",
    "-o/--output: 'folder.csv' is a folder; give a file in it",
    "is not a folder, so 'file/a.md' can't be written",
    "-o/--output: the file './b.md' is given twice",
    '-j/--json and -o/--output -.csv would all write to stdout: give one of them a file',
    "--junit: 'none/j.xml' can't be written: there is no folder"
  ]) t.ok(stderr.includes(words), words)
  t.notMatch(stderr, /\n +at /)
  t.equal(server.requests.length, 0)
  t.strictSame(readdirSync(folder).sort(), ['file', 'folder.csv'], 'nothing was made')
})

t.test('a folder and a file without the right to write are told before the run', async t => {
  const { folder } = folderOf(t)
  for (const name of ['locked', 'open']) mkdirSync(path.join(folder, name))
  writeFileSync(path.join(folder, 'open', 'a.json'), 'before')
  chmodSync(path.join(folder, 'open', 'a.json'), 0o444)
  chmodSync(path.join(folder, 'locked'), 0o555)
  chmodSync(folder, 0o755)
  // The superuser may write everywhere. What is required is loaded first: another user may not be able to read this checkout.
  const script = `const { Outputs } = require(${JSON.stringify(path.join(__dirname, '../../../lib/cli/output/outputs'))})
    const problems = () => new Outputs({ output: ['locked/a.md', 'open/a.json'] }, process).problems()
    problems()
    if (process.getuid?.() === 0) {
      process.setgroups([])
      process.setgid(65534)
      process.setuid(65534)
    }
    console.log(JSON.stringify(problems()))`
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH } })
  t.match(JSON.parse(stdout || '[]'), [/'locked\/a\.md' can't be written: EACCES/, /'open\/a\.json' can't be written: EACCES/], stderr)
  t.equal(readFileSync(path.join(folder, 'open', 'a.json'), 'utf8'), 'before')
})

t.test('a file that can not be written after all is an error, and the report is there', async t => {
  const server = await serve(t)
  const { folder, read } = folderOf(t)
  for (const file of ['full.json', 'full.ndjson']) symlinkSync('/dev/full', path.join(folder, file))
  const { code, stderr } = await cli(['-a', '5', '-c', '1', '-o', 'full.json', '-o', 'full.ndjson', '-o', 'fine.md', server.url], { cwd: folder })
  t.equal(code, 1)
  t.match(stderr, '5 requests in')
  t.match(stderr, "autocannon: 'full.json' could not be written: ENOSPC")
  t.match(stderr, "autocannon: 'full.ndjson' could not be written: ENOSPC")
  t.notMatch(stderr, /\n +at /)
  t.match(read('fine.md'), '5 requests completed')
})

t.test('an output that fails neither hides a verdict nor keeps the run from its end', { skip: process.platform !== 'linux' && '/dev/full is of Linux' }, async t => {
  const { url } = await serve(t)
  const { folder } = folderOf(t)
  const run = ['-d', '0.4', '-L', '100', '-c', '1', '--rate', '50', '-n', '--no-verbose']
  const fails = ['--threshold', 'p99 < 1us', '--inconclusive', 'exact']
  const passes = ['--threshold', 'p99 < 1000s', '--inconclusive', 'pass']
  const served = ['--on-port', '/', '--', process.execPath, path.join(__dirname, '../../fixtures/on-port/plain.js')]
  for (const file of ['full.ndjson', 'full.json', 'full.html', 'full.xml']) symlinkSync('/dev/full', path.join(folder, file))
  await shell('mkfifo pipe.ndjson pipe.html', { cwd: folder })
  const full = ['-o', 'full.ndjson', '-o', 'full.json', '-o', 'full.html', '--junit', 'full.xml']
  const unread = ['-o', 'pipe.ndjson', '-o', 'pipe.html']
  const noSpace = ['full.ndjson', 'full.json', 'full.html', 'full.xml'].map(file => `autocannon: '${file}' could not be written: ENOSPC: no space left on device, write`)
  const nobody = ['pipe.ndjson', 'pipe.html'].map(file => `autocannon: '${file}' could not be written: it is a pipe without a reader (ENXIO)`)
  /** @type {Array<[what: string, argv: string[], code: number, said: string[]]>} */
  const cases = [
    ['a full disk, a verdict that is good', [...run, ...passes, ...full, url], 1, noSpace],
    ['a full disk, a verdict that is not', [...run, ...fails, ...full, url], 3, noSpace],
    ['the same of a server of ours', [...run, ...fails, ...full, ...served], 3, noSpace],
    ['a pipe without a reader', [...run, ...passes, ...unread, url], 1, nobody],
    ['a pipe without a reader, a server of ours, a verdict that is not good', [...run, ...fails, ...unread, ...served], 3, nobody]
  ]
  await Promise.all(cases.map(async ([what, argv, expected, said]) => {
    const { code, stderr } = await cli(argv, { cwd: folder })
    t.equal(code, expected, what)
    t.strictSame(stderr.split('\n').filter(line => line.startsWith('autocannon: ')).sort(), [...said].sort(), what)
    t.match(stderr, /requests? in/, what)
  }))

  t.test('in a run that goes on for ever each failure is said once, and Ctrl-C is what ended it', async t => {
    const running = start(['-f', ...run, ...full, ...unread, ...served], { cwd: folder })
    await running.says('stderr', 'requests in', 3)
    running.kill('SIGINT')
    const { code, stderr } = await running.ended
    t.equal(code, 130)
    t.strictSame(stderr.split('\n').filter(line => line.startsWith('autocannon: ')).sort(), [...noSpace, ...nobody].sort())
  })

  t.test('a folder that goes away meanwhile', async t => {
    mkdirSync(path.join(folder, 'gone'))
    const running = start([...run, ...fails, '-d', '2', '-o', 'gone/a.json', '-o', 'gone/a.ndjson', url], { cwd: folder })
    while (readdirSync(path.join(folder, 'gone')).length === 0) await new Promise(resolve => setTimeout(resolve, 20))
    rmSync(path.join(folder, 'gone'), { recursive: true })
    const { code, stderr } = await running.ended
    t.equal(code, 3)
    t.match(stderr, "autocannon: 'gone/a.json' could not be written: ENOENT")
    t.match(stderr, "autocannon: 'gone/a.ndjson' could not be written: it was removed while the run went on")
  })

  t.test('stdout on a full disk, and closed for writes at the end', async t => {
    const full = await shell(`$AUTOCANNON ${run.join(' ')} --threshold 'p99 < 1us' --inconclusive exact -j ${url} > /dev/full; echo "code $?"`)
    t.equal(full.stdout, 'code 3\n')
    t.strictSame(full.stderr.split('\n').map(line => line.replace(/ failed: .*/, ' failed')).sort(), ['', 'autocannon: p99 < 1us failed', 'autocannon: the output could not be written: ENOSPC: no space left on device, write'])
    for (const [stream, flags] of [['1', '-o -.ndjson'], ['2', ''], ['2', '-j']]) {
      const { stdout, stderr } = await shell(`{ $AUTOCANNON ${run.join(' ')} --threshold 'p99 < 1us' --inconclusive exact ${flags} ${url}; } ${stream}> /dev/full; echo "code $?"`)
      t.match(stdout, 'code 3\n', `the run goes on to its verdict: ${stream}> /dev/full ${flags}`)
      t.notMatch(stderr, 'interrupted')
    }
    for (const output of ['-j', '-o -.html', '-o -.ndjson -L 3000']) {
      // A complete measurement is judged, with any reader.
      const { stderr } = await shell(`{ $AUTOCANNON ${run.join(' ')} --threshold 'p99 < 1us' --inconclusive exact ${output} ${url}; echo "code $?" >&2; } | true`)
      t.match(stderr, 'code 3\n', output)
    }
  })
})

t.test('what was measured until a hook failed is written to -o, as interrupted', async t => {
  const server = await serve(t)
  const { folder, read } = folderOf(t)
  writeFileSync(path.join(folder, 'bench.js'), `let count = 0
    module.exports = { connections: 1, amount: 50, requests: [{ onResponse () { if (++count === 5) throw new Error('on strike') } }] }`)
  const { code, stderr } = await cli(['--config', 'bench.js', '-o', 'run.json', '-o', 'run.md', '--junit', 'run.xml', server.url], { cwd: folder })
  t.equal(code, 1)
  t.match(stderr, '✗ Failed, exit code 1: onResponse of request 0 failed: on strike, at ')
  const result = JSON.parse(read('run.json'))
  t.match(result, { interrupted: true, requests: { total: 5 } })
  conserves(t, result)
  t.equal(read('run.md'), formatResult(result, 'md'))
  t.match(read('run.xml'), 'on strike')
})

t.test('--json prints what was measured before a run failed, as -o has it, and stderr has the reason alone', async t => {
  const server = await serve(t)
  const { folder, read } = folderOf(t)
  writeFileSync(path.join(folder, 'bench.js'), `let count = 0
    module.exports = { connections: 1, amount: 50, requests: [{ onResponse () { if (++count % 5 === 0) throw new Error('on strike') } }] }`)
  const reason = /^autocannon: onResponse of request 0 failed: on strike, at [^\n]*bench\.js:\d+:\d+\n$/
  const whole = await cli(['--config', 'bench.js', '--json', '-o', 'run.json', server.url], { cwd: folder })
  t.equal(whole.code, 1)
  t.match(whole.stderr, reason)
  t.equal(whole.stdout, read('run.json'))
  const result = JSON.parse(whole.stdout)
  t.match(result, { interrupted: true, endedBy: ['onResponse of request 0 failed: on strike'], requests: { total: 5 } })
  conserves(t, result)

  const raw = await cli(['--config', 'bench.js', '--raw', '-o', 'raw.json', server.url], { cwd: folder })
  t.equal(raw.code, 1)
  t.match(raw.stderr, reason)
  t.equal(raw.stdout, read('raw.json'))
  t.equal(JSON.parse(raw.stdout).totals.completed, 5)

  // Over agents and with users the last line has what no sample has.
  writeFileSync(path.join(folder, 'users.js'), `let count = 0
    module.exports = { connections: 1, duration: 20, scenarios: [{ name: 'a', requests: [{ onResponse () { if (++count % 5 === 0) throw new Error('on strike') } }] }] }`)
  const lines = await cli(['--config', 'users.js', '-o', '-.ndjson', server.url], { cwd: folder })
  t.equal(lines.code, 1)
  t.match(JSON.parse(lines.stdout.trimEnd().split('\n').at(-1) ?? ''), { iterations: {}, byScenario: { a: {} } })
})

t.test('--json of a search that fails prints the steps before', async t => {
  const server = await serve(t)
  const { folder, read } = folderOf(t)
  writeFileSync(path.join(folder, 'bench.js'), `let count = 0
    module.exports = { requests: [{ onResponse () { if (++count % 150 === 0) throw new Error('on strike') } }] }`)
  const find = ['find', '--config', 'bench.js', '--from', '100/s', '--to', '1000/s', '--step', '0.5', '--threshold', 'p50 < 10s', '-n']
  const { code, stdout, stderr } = await cli([...find, '--json', '-o', 'run.json', server.url], { cwd: folder })
  t.equal(code, 1)
  t.match(stderr, /^autocannon: onResponse of request 0 failed: on strike, at [^\n]*\n$/)
  t.equal(stdout, read('run.json'))
  t.match(JSON.parse(stdout), { interrupted: true, search: { steps: [] } })
  const text = await cli([...find, server.url], { cwd: folder })
  t.match([text.code, text.stderr], [1, /^autocannon: onResponse of request 0 failed: on strike, at [^\n]*\n/])
  t.match(text.stdout, /\d/, 'the report is of the steps before')
})

t.test('--json of a run whose watched process ends, whose server crashes, or that Ctrl-C ends prints what was measured', async t => {
  const { url } = await serve(t)
  const { folder, read } = folderOf(t)
  const flags = ['-c', '1', '-d', '30', '-L', '100', '--json', '-o']
  const watched = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  t.teardown(() => watched.kill('SIGKILL'))
  const crashes = 'let n = 0; require("node:http").createServer((_, response) => { response.end(); if (n++ === 100) setTimeout(() => process.exit(7), 200) }).listen(0, "127.0.0.1")'
  const [watching, crashed, interrupted] = ['watch', 'crash', 'interrupt'].map((name, i) => start([...flags, name + '.json', '-o', name + '.ndjson', ...[
    ['--watch', String(watched.pid), url], ['--quiet-server', '--on-port', '/', '--', process.execPath, '-e', crashes], [url]][i]], { cwd: folder }))
  const measures = async (/** @type {string} */ name) => {
    while (!existsSync(path.join(folder, name)) || read(name).split('\n').length < 3) await new Promise(resolve => setTimeout(resolve, 20))
  }
  await measures('watch.ndjson')
  watched.kill('SIGKILL')
  await measures('interrupt.ndjson')
  interrupted.kill('SIGINT')
  for (const [running, name, code, said] of /** @type {const} */ ([
    [watching, 'watch.json', 1, /^autocannon: the watched process \d+ ended during the run\. [^\n]*\n$/],
    [crashed, 'crash.json', 1, /^(autocannon: [^\n]*\n)+$/],
    [interrupted, 'interrupt.json', 130, /^$/]
  ])) {
    const ended = await running.ended
    t.equal(ended.code, code, name)
    t.match(ended.stderr, said, name)
    t.equal(ended.stdout, read(name), name)
    const result = JSON.parse(ended.stdout)
    t.ok(result.interrupted && result.requests.total > 0, name)
    if (name !== 'crash.json') conserves(t, result)
  }
})

t.test('a server that can not be started, or ends during the run, leaves a failed case in JUnit, and none of yesterday', async t => {
  const { folder, read } = folderOf(t)
  for (const [code, said] of [['process.exit(7)', 'before it listened'], ['require("node:http").createServer(() => process.exit(5)).listen(0, "127.0.0.1")', 'during the run']]) {
    writeFileSync(path.join(folder, 'junit.xml'), 'yesterday')
    const { code: actual } = await cli(['-c', '1', '-d', '20', '--quiet-server', '--junit', 'junit.xml', '--on-port', '/', '--', process.execPath, '-e', code], { cwd: folder })
    t.equal(actual, 1)
    t.match(read('junit.xml'), 'tests="1" failures="1" errors="0" skipped="0"')
    t.match(read('junit.xml'), `<testsuites name="autocannon ${process.execPath} -e `, 'its port is another one in each run')
    t.match(read('junit.xml'), new RegExp(`name="the server responds"[^>]*>\\n *<failure message="The command ended with exit code \\d ${said}`))
  }
})

t.test('every report says that the server ended, and what it said last', async t => {
  const { folder, read } = folderOf(t)
  writeFileSync(path.join(folder, 'server.js'), 'let n = 0; require("node:http").createServer((_, response) => { response.end(); if (n++ === 100) setTimeout(() => { console.error("out of cheese"); process.exit(7) }, 300) }).listen(0, "127.0.0.1")')
  const { code } = await cli(['-c', '1', '-d', '20', '-n', '--quiet-server', '-o', 'run.json', '-o', 'run.md', '-o', 'run.html', '--on-port', '/', '--', process.execPath, 'server.js'], { cwd: folder })
  t.equal(code, 1)
  const { endedBy } = JSON.parse(read('run.json'))
  t.match(endedBy[0], /^The command ended with exit code 7 during the run: /)
  t.ok(endedBy.includes('  out of cheese'), endedBy.join('\n'))
  t.match(read('run.md'), /^### ❌ The command ended with exit code 7 during the run: /)
  t.match(read('run.md'), 'out of cheese')
  t.match(read('run.html'), /<h1[^>]*>.*The command ended with exit code 7 during the run: /)
  t.match(read('run.html'), 'out of cheese')
})

t.test('the summary of a step that can not be written is one line, beside the result', { skip: process.platform !== 'linux' && '/dev/full is of Linux' }, async t => {
  const { url } = await serve(t)
  const { folder, read } = folderOf(t)
  const env = { GITHUB_STEP_SUMMARY: '/dev/full' }
  const line = "autocannon: '/dev/full' could not be written: ENOSPC: no space left on device, write\n"
  const run = await cli(['-a', '5', '-c', '1', '--github-summary', '--json', '-o', 'run.json', url], { cwd: folder, env })
  t.strictSame([run.code, run.stderr], [1, line])
  t.equal(JSON.parse(run.stdout).requests.total, 5)
  t.equal(read('run.json'), run.stdout, 'and in the other outputs')
  const judged = await cli(['-a', '5', '-c', '1', '--github-summary', '--json', '--threshold', 'p99 < 1us', '--inconclusive', 'exact', url], { env })
  t.strictSame([judged.code, judged.stderr.replace(/^autocannon: p99 < 1us failed: .*\n/, '')], [3, line])
  for (const name of ['a', 'b']) writeFileSync(path.join(folder, name + '.json'), (await cli(['-d', '0.5', '-L', '100', '-c', '1', '--json', url])).stdout)
  const compared = await cli(['compare', 'a.json', 'b.json', '--github-summary', '--json'], { cwd: folder, env })
  t.strictSame([compared.code, compared.stderr], [1, line])
  t.ok(JSON.parse(compared.stdout).metrics.length > 0)
})

t.test('a raw result can be written as JSON and nothing else, which is said before the run', async t => {
  const server = await serve(t)
  const { folder, read } = folderOf(t)
  const { code, stdout, stderr } = await cli(['--raw', '-o', 'a.html', '-o', 'a.json', '--junit', 'a.xml', server.url], { cwd: folder })
  t.strictSame([code, stdout], [2, ''])
  t.equal(stderr, `autocannon: -o/--output and --raw: a raw result has no figures yet that 'a.html' could show: give a file that ends with .json or .ndjson, or omit --raw
autocannon: --junit and --raw: a raw result has no figures yet that 'a.xml' could show: give a file that ends with .json or .ndjson, or omit --raw
Try autocannon --help for more.
`)
  for (const output of ['-.json', '-.ndjson']) {
    const twice = await cli(['--raw', '--json', '-o', output, server.url])
    t.strictSame([twice.code, twice.stdout], [2, ''])
    t.match(twice.stderr, `autocannon: --raw and -o/--output ${output} would all write to stdout: give one of them a file\n`)
  }
  t.equal(server.requests.length, 0, 'nothing was sent')
  const { stdout: line } = await cli(['--raw', '-a', '5', '-c', '1', '-o', 'a.json', '-o', 'a.ndjson', server.url], { cwd: folder })
  t.equal(read('a.json'), line)
  t.match(read('a.ndjson'), '"requests":5')
})

t.test('an interrupted run writes what was measured', async t => {
  const server = await serve(t, (request, response) => setTimeout(() => response.end(), 5))
  const { folder, read } = folderOf(t)
  const running = start(['-d', '30', '-c', '1', '-L', '100', '-o', 'run.json', '-o', '-.ndjson', server.url], { cwd: folder })
  await running.says('stdout', '"time":200')
  running.kill('SIGTERM')
  t.equal((await running.ended).code, 143)
  const result = JSON.parse(read('run.json'))
  t.ok(result.requests.total > 0)
  conserves(t, result)
})

t.test('a reader that reads only a part causes no error', async t => {
  const server = await serve(t)
  const { code, stderr } = await shell(`{ $AUTOCANNON -d 20 -L 100 -c 1 -n --no-verbose -o -.ndjson ${server.url}; echo "code $?" >&2; } | head -n 2`)
  t.equal(code, 0)
  t.match(stderr, 'code 141')
})
