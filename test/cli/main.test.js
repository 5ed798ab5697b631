'use strict'

// Run first: it takes longer than most.

const t = require('tap')
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const path = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')
const { version } = require('../../package.json')
const { BIN, Running, cli, shell, start } = require('../helpers/processes/cli')
const { serve, valuesOf, closedPort } = require('../helpers/servers/http-server')
const { conserves } = require('../helpers/results/conservation')

const ESC = '\x1b['

/** @param {string} name */
const fixture = name => path.join(__dirname, '../fixtures/cli', name)

/**
 * Runs with --json, one connection and one request unless argv says otherwise.
 * @param {string[]} argv
 * @param {{ env?: Record<string, string>, cwd?: string }} [options]
 */
async function json (argv, options) {
  const { code, stdout, stderr } = await cli(['--json', '-c', '1', '-a', '1', ...argv], options)
  if (stdout === '') throw new Error(`nothing on stdout, exit code ${code}: ${stderr}`)
  return { code, stderr, result: JSON.parse(stdout) }
}

/** Answers once `n` requests wait for it. */
function together (n) {
  /** @type {import('node:http').ServerResponse[]} */
  const waiting = []
  return (/** @type {unknown} */ request, /** @type {import('node:http').ServerResponse} */ response) => {
    waiting.push(response)
    if (waiting.length === n) for (const one of waiting) one.end('ok')
  }
}

t.test('what the flags do', async t => {
  t.test('-c/--connections opens that many connections', async t => {
    const server = await serve(t)
    const { result, code } = await json(['-c', '3', '-a', '3', server.url])
    t.equal(code, 0)
    t.equal(server.connections, 3)
    t.equal(result.connections, 3)
    conserves(t, result)
  })

  t.test('fewer connections than URLs is a warning, at the start and as the verdict', async t => {
    const { url } = await serve(t)
    const idle = `1 connection, 2 URLs: ${url}/b gets no requests; use -c 2 or more`
    const { code, stderr } = await cli(['-c', '1', '-a', '3', `${url}/a`, `${url}/b`])
    t.equal(code, 0)
    t.ok(stderr.startsWith(`autocannon: ${idle}\n`), stderr)
    t.match(stderr, `\n! Done, exit code 0: no threshold was given. ${idle}\n`)
    const held = await cli(['-c', '1', '-a', '3', '--threshold', 'errors == 0', `${url}/a`, `${url}/b`])
    t.match(held.stderr, `\n! Passed, exit code 0: the threshold passed; ${idle}\n`)
    t.match((await cli(['-c', '2', '-a', '4', '--threshold', 'errors == 0', `${url}/a`, `${url}/b`])).stderr, /\n[✓!] Passed, exit code 0: the threshold passed(?!; 2 conn)/)
  })

  t.test('an unregistered method is sent, with one warning', async t => {
    const server = await serve(t)
    const { stderr, code } = await cli(['-m', 'PSOT', '-a', '2', '-c', '1', server.url])
    t.equal(code, 0)
    t.ok(stderr.startsWith('autocannon: unknown method PSOT; did you mean POST?\n'), stderr)
    t.equal(stderr.split('PSOT').length, 2)
    const versus = await cli(['versus', '--no-save', '--runs', '3', '-m', 'FOO', '-a', '2', '-c', '1', server.url, server.url])
    t.equal(versus.stderr.split('unknown method FOO: it is sent as it is\n').length, 2, versus.stderr)
    for (const method of ['PURGE', 'PROPFIND', 'patch']) t.notMatch((await cli(['-m', method, '-a', '1', '-c', '1', server.url])).stderr, 'unknown method')
  })

  t.test('-p/--pipelining keeps that many requests in flight on one connection', async t => {
    // It would wait for ever for the fourth request if the first had to be answered before.
    const server = await serve(t, together(4))
    const { result, code } = await json(['-p', '4', '-a', '4', '-t', '5', server.url])
    t.equal(code, 0)
    t.equal(server.connections, 1)
    t.equal(result.pipelining, 4)
    t.equal(result['2xx'], 4)
    conserves(t, result)
  })

  t.test('-d/--duration takes seconds and timestrings', async t => {
    const server = await serve(t)
    await Promise.all(['0.2', '200ms'].map(async duration => {
      const { code, stdout, stderr } = await cli(['-c', '1', '-d', duration, server.url])
      t.equal(code, 0, duration)
      t.equal(stdout, '')
      t.match(stderr, `Running 0.2s test @ ${server.url}\n1 connection\n`)
      t.match(stderr, /k? requests in \d+(\.\d+)?s, /)
    }))
    const { stdout } = await cli(['--json', '-d', '0.2', server.url])
    const result = JSON.parse(stdout)
    t.ok(result.duration >= 0.2, `ran for ${result.duration} s`)
    t.equal(result.connections, 10, 'ten connections by default')
    conserves(t, result)
  })

  t.test('-a/--amount sends exactly that many requests', async t => {
    const server = await serve(t)
    const { result, code } = await json(['-a', '17', '-c', '3', server.url])
    t.equal(code, 0)
    t.equal(server.requests.length, 17)
    t.equal(result.requests.total, 17)
    conserves(t, result)
  })

  t.test('-t/--timeout gives a request up', async t => {
    const server = await serve(t, () => {})
    const { result, code } = await json(['-t', '0.1', server.url])
    t.equal(code, 1, 'nothing answered')
    t.equal(result.timeouts, 1)
    t.equal(result.errors, 1)
    conserves(t, result)
  })

  t.test('-m/--method sets the method', async t => {
    const server = await serve(t)
    await json(['-m', 'DELETE', server.url])
    t.strictSame(server.requests.map(({ method }) => method), ['DELETE'])
  })

  t.test('-H/--headers takes K=V and "K: V", repeats, and keeps several values of one name in order', async t => {
    const server = await serve(t)
    const { code } = await json([
      '-H', 'X-First=1', '-H', 'X-Second: 2', '-H', 'X-Many=a', '-H', 'x-many: b', '-H', 'X-Link: http://x/?a=b', '-H', 'X-Pair=k: v', server.url
    ])
    t.equal(code, 0)
    const [request] = server.requests
    t.strictSame(['x-first', 'x-second', 'x-many', 'x-link', 'x-pair'].map(name => valuesOf(request, name)),
      [['1'], ['2'], ['a', 'b'], ['http://x/?a=b'], ['k: v']])
  })

  t.test('-H replaces what would be sent without it', async t => {
    const server = await serve(t)
    await json(['-H', 'Host=example.org', '-H', 'connection: close', server.url])
    const [request] = server.requests
    t.strictSame(valuesOf(request, 'host'), ['example.org'])
    t.strictSame(valuesOf(request, 'connection'), ['close'])
  })

  t.test('-b/--body is the body, and may look like a flag or an assignment', async t => {
    const bodies = [['-b', '{"grüße":1}'], ['-b', '-5'], ['-b', '=x'], ['-b', '[ 1, 2 ]'], ['-b', '']]
    await Promise.all(bodies.map(async ([flag, body]) => {
      const server = await serve(t)
      const { code } = await json(['-m', 'POST', flag, body, server.url])
      t.equal(code, 0)
      t.equal(server.requests[0].body, body)
      t.strictSame(valuesOf(server.requests[0], 'content-length'), [String(Buffer.byteLength(body))])
    }))
  })

  t.test('-i/--input sends the content of a file', async t => {
    const dir = t.testdir({ 'a body.txt': 'from a file\n' })
    const server = await serve(t)
    const { code } = await json(['-m', 'PUT', '-i', path.join(dir, 'a body.txt'), server.url])
    t.equal(code, 0)
    t.equal(server.requests[0].method, 'PUT')
    t.equal(server.requests[0].body, 'from a file\n')
  })

  t.test('-T/--title stands in the result', async t => {
    const server = await serve(t)
    const { result } = await json(['-T', 'before the change', server.url])
    t.equal(result.title, 'before the change')
  })

  t.test('-L/--sampleInt sets how long a sample lasts', async t => {
    const server = await serve(t)
    const { result } = await json(['-L', '100', server.url])
    t.equal(result.sampleInt, 100)
    const { stderr } = await cli(['-L', '100', '-a', '1', '-c', '1', server.url])
    t.match(stderr, 'Req/Bytes counts sampled every 100 ms.\n# of samples: 1\n')
  })

  t.test('-S/--socketPath connects to a Unix socket', { skip: process.platform === 'win32' }, async t => {
    // A socket's path has to be short, which the one of t.testdir() is not.
    const dir = mkdtempSync(path.join(tmpdir(), 'autocannon-'))
    t.teardown(() => rmSync(dir, { recursive: true }))
    const socketPath = path.join(dir, 'socket')
    const server = await serve(t, undefined, socketPath)
    const { result, code } = await json(['-S', socketPath, 'http://example.org/there'])
    t.equal(code, 0)
    t.equal(result.socketPath, socketPath)
    t.strictSame(server.requests.map(({ url }) => url), ['/there'])
    t.strictSame(valuesOf(server.requests[0], 'host'), ['example.org'])
  })

  t.test('-j/--json prints one line of JSON on stdout and nothing on stderr', async t => {
    const server = await serve(t)
    const { code, stdout, stderr } = await cli(['-j', '-a', '3', '-c', '1', '-l', '--renderStatusCodes', server.url])
    t.equal(code, 0)
    t.equal(stderr, '')
    t.match(stdout, /^\{[^\n]*\}\n$/)
    const result = JSON.parse(stdout)
    t.equal(result.url, server.url)
    t.equal(result['2xx'], 3)
    conserves(t, result)
  })

  t.test('without --json nothing is printed on stdout, and banner, tables and summary on stderr', async t => {
    const server = await serve(t)
    const { code, stdout, stderr } = await cli(['-a', '3', '-c', '1', '-p', '2', server.url])
    t.equal(code, 0)
    t.equal(stdout, '')
    t.match(stderr, `Running 3 requests test @ ${server.url}\n1 connection with 2 pipelining factor\n`)
    t.match(stderr, /│ Stat {4}│ 2\.5% +│ 50% +│ 97\.5% +│ 99% +│ Avg +│ Stdev +│ Max +│/)
    t.match(stderr, /│ Latency │( \S+ ms\*? *│){7}/)
    t.match(stderr, /│ Stat {6}│ 1% +│ 2\.5% +│ 50% +│ 97\.5% +│ Avg +│ Stdev +│ Min +│/)
    t.match(stderr, /│ Req\/Sec {3}│/)
    t.match(stderr, /│ Bytes\/Sec │/)
    t.match(stderr, 'Req/Bytes counts sampled once per second.\n# of samples: 1\n')
    t.match(stderr, /\n3 requests in \d+(\.\d+)?s, \d+ B read\n(.+\n)*[✓!] Done, exit code 0.*\n$/)
    t.notMatch(stderr, 'Percentile')
    t.notMatch(stderr, 'Count')
    t.notMatch(stderr, 'running [', 'a bar is for terminals')
    t.notMatch(stderr, ESC)
  })

  t.test('-l/--latency prints every percentile', async t => {
    const server = await serve(t)
    const { stderr } = await cli(['-l', '-a', '3', '-c', '1', server.url])
    t.match(stderr, '│ Percentile │ Latency (ms) │')
    for (const percentile of ['0.001', '2.5', '50', '95', '97.5', '99.999']) {
      t.match(stderr, new RegExp(`│ ${percentile.replace('.', '\\.')} +│ [\\d.]+\\*? +│`))
    }
    t.match(stderr, '│ Latency │', 'and the other tables')
  })

  t.test('-n/--no-progress leaves the report as it is', async t => {
    const server = await serve(t)
    const { code, stderr } = await cli(['-n', '-a', '3', '-c', '1', server.url])
    t.equal(code, 0)
    t.match(stderr, '│ Latency │')
    t.match(stderr, '3 requests in')
  })

  t.test('-V/--verbose prints the tables, --no-verbose only the summary', async t => {
    const server = await serve(t)
    const verbose = await cli(['-V', '-a', '3', '-c', '1', server.url])
    t.match(verbose.stderr, '│ Latency │')
    t.match(verbose.stderr, '3 requests in')
    const { stderr, code } = await cli(['--no-verbose', '-n', '-a', '3', '-c', '1', server.url])
    t.equal(code, 0)
    t.match(stderr, /^\n[\d,.]+ req\/s · .* · 0 failures of 3.*\n3 requests in \d+(\.\d+)?s, \d+ B read\n(.+\n)*[✓!] Done, exit code 0.*\n$/)
  })

  t.test('--renderStatusCodes prints how often each status came', async t => {
    const statuses = [200, 404, 200, 503, 200]
    const server = await serve(t, (request, response) => {
      response.statusCode = /** @type {number} */ (statuses.shift())
      response.end()
    })
    const { stderr, code } = await cli(['--renderStatusCodes', '-a', '5', '-c', '1', server.url])
    t.equal(code, 0)
    t.match(stderr, '│ Code │ Count │')
    t.match(stderr, '│ 200  │ 3     │')
    t.match(stderr, '│ 404  │ 1     │')
    t.match(stderr, '│ 503  │ 1     │')
    t.match(stderr, '\n3 2xx responses, 2 non 2xx responses\n')
  })

  t.test('--debug prints each error', async t => {
    const port = await closedPort()
    const { stderr, stdout } = await cli(['--json', '--debug', '-a', '3', '-c', '1', `http://127.0.0.1:${port}`])
    t.ok(stderr.startsWith(`ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:${port}\n`.repeat(3)))
    t.strictSame(JSON.parse(stdout).errorCodes, { ECONNREFUSED: 3 })
    const quiet = await cli(['--json', '-a', '3', '-c', '1', `http://127.0.0.1:${port}`])
    t.equal(quiet.stderr, `autocannon: No response from http://127.0.0.1:${port}: is the server running there?\n`)
  })

  t.test('-v/--version prints the version on stdout', async t => {
    t.strictSame(await cli(['-v']), { code: 0, signal: null, stdout: `autocannon v${version}\nnode ${process.version}\n`, stderr: '' })
  })

  t.test('-h/--help prints the help on stdout, whatever else is wrong', async t => {
    const { code, stdout, stderr } = await cli(['-h', '--nonsense'])
    t.equal(code, 0)
    t.equal(stderr, '')
    t.match(stdout, /^Usage: autocannon \[options\] URL/)
    t.equal(Math.max(...stdout.split('\n').filter(line => line.startsWith('        ')).map(({ length }) => length)) <= 80, true, 'fits a terminal')
  })

  t.test('the long names do the same', async t => {
    const dir = t.testdir({ body: 'from a file\n' })
    const server = await serve(t, together(4))
    const { stdout, stderr, code } = await cli(['--connections', '2', '--pipelining', '2', '--amount', '4', '--duration', '1', '--timeout', '5',
      '--method', 'PATCH', '--headers', 'a=b', '--header', 'a: c', '--input', path.join(dir, 'body'), '--title', 'long', '--sampleInt', '50',
      '--json', '--latency', '--no-progress', '--verbose', '--debug', server.url])
    t.equal(code, 0, stderr)
    const { connections, pipelining, title, sampleInt, requests: { total } } = JSON.parse(stdout)
    t.strictSame({ connections, pipelining, title, sampleInt, total }, { connections: 2, pipelining: 2, title: 'long', sampleInt: 50, total: 4 })
    t.strictSame(server.requests.map(request => [request.method, request.body, ...valuesOf(request, 'a')]), Array(4).fill(['PATCH', 'from a file\n', 'b', 'c']))

    const other = await cli(['--amount', '1', '--connections', '1', '--timeout', '0.1', '--body', 'x', '--method', 'POST', '--latency', '--no-progress', (await serve(t)).url])
    t.equal(other.code, 0)
    t.match(other.stderr, 'Percentile')
    t.equal((await cli(['--version'])).stdout, (await cli(['-v'])).stdout)
    t.equal((await cli(['--help'])).stdout, (await cli(['-h'])).stdout)
  })

  t.test('short flags may be joined with each other and with their value', async t => {
    const server = await serve(t)
    const { stdout, stderr } = await cli(['-ljn', '-c2', '-a=2', server.url])
    t.equal(stderr, '')
    t.equal(JSON.parse(stdout).connections, 2)
    t.equal(server.requests.length, 2)
  })
})

t.test('which server is meant', async t => {
  t.test('a path stands for localhost at PORT', async t => {
    const server = await serve(t)
    const { result, code } = await json(['/a/path?q=1'], { env: { PORT: String(server.port) } })
    t.equal(code, 0)
    t.equal(result.url, `http://localhost:${server.port}/a/path?q=1`)
    t.strictSame(server.requests.map(({ url }) => url), ['/a/path?q=1'])
    t.strictSame(valuesOf(server.requests[0], 'host'), [`localhost:${server.port}`])
  })

  t.test('a URL wins over PORT', async t => {
    const server = await serve(t)
    const { code } = await json([server.url], { env: { PORT: '1' } })
    t.equal(code, 0)
    t.equal(server.requests.length, 1)
  })

  t.test('http:// may be left out', async t => {
    const server = await serve(t)
    const forms = await Promise.all([`127.0.0.1:${server.port}/x`, `localhost:${server.port}/x`].map(url => json([url])))
    t.strictSame(forms.map(({ code, result }) => [code, result.url]),
      [[0, `http://127.0.0.1:${server.port}/x`], [0, `http://localhost:${server.port}/x`]])
    t.strictSame(server.requests.map(({ url }) => url), ['/x', '/x'])
  })

  t.test('several URLs take turns', async t => {
    const servers = [await serve(t), await serve(t)]
    const { result } = await json(['-c', '4', '-a', '4', ...servers.map(({ url }) => url)])
    t.strictSame(servers.map(({ requests }) => requests.length), [2, 2])
    t.strictSame(result.url, servers.map(({ url }) => url))
    conserves(t, result)
  })
})

t.test('wrong use exits with 2, one line for each problem and no stack', async t => {
  /** @type {Array<[argv: string[], lines: Array<string | RegExp>]>} */
  const cases = [
    [[], ['a URL is required: give the address of the server, such as http://localhost:3000']],
    [['--durtion', '3', 'http://localhost'], ['unknown flag --durtion, did you mean --duration?']],
    [['http://localhost', '-c'], ['-c needs a value']],
    [['ftp://localhost'], ["URL: 'ftp://localhost' has the protocol ftp: expected http, https, ws or wss"]],
    [['--nonsense', '-c', '0', '-d', 'x', 'foo://'], [
      'unknown flag --nonsense',
      /^URL: 'foo:\/\/' /,
      /^-c\/--connections: expected a whole number, at least 1 and at most [\d,]+, got '0'$/,
      /^-d\/--duration: expected seconds or a time such as 1m30s, .*, got 'x'$/
    ]]
  ]
  await Promise.all(cases.map(async ([argv, expected]) => {
    const { code, stdout, stderr } = await cli(argv)
    t.equal(code, 2)
    t.equal(stdout, '')
    const lines = stderr.split('\n')
    t.strictSame(lines.splice(-2), ['Try autocannon --help for more.', ''])
    t.equal(lines.length, expected.length, stderr)
    for (const [i, line] of expected.entries()) {
      if (typeof line === 'string') t.equal(lines[i], 'autocannon: ' + line)
      else t.match(lines[i], new RegExp(line.source.replace('^', '^autocannon: ')))
    }
  }))
})

t.test('nothing answered exits with 1', async t => {
  t.test('a refused port', async t => {
    const url = `http://127.0.0.1:${await closedPort()}`
    const { code, stdout, stderr } = await cli(['-a', '12', '-c', '3', url])
    t.equal(code, 1)
    t.equal(stdout, '')
    t.match(stderr, '\n12 errors:\n  12 × ECONNREFUSED: nothing listens at that address\n')
    t.match(stderr, `no response from ${url}: is the server running there?\n`)
    t.notMatch(stderr, '│', 'there is no empty table')
    t.notMatch(stderr, '    at ')
  })

  t.test('a refused port with --json', async t => {
    const { code, result } = await json(['-a', '5', `http://127.0.0.1:${await closedPort()}`])
    t.equal(code, 1)
    t.equal(result.errors, 5)
    t.strictSame(result.errorCodes, { ECONNREFUSED: 5 })
    t.strictSame(result.fates, { sent: 0, completed: 0, timedOut: 0, failed: 0, abandoned: 0 })
    conserves(t, result, { neverSent: 5 })
  })

  t.test('the summary says what failed and how often, the most frequent first', async t => {
    const dead = `http://127.0.0.1:${await closedPort()}`
    const mute = await serve(t, () => {})
    const { code, stderr } = await cli(['-a', '5', '-c', '5', '-t', '0.2', dead, dead, dead, mute.url, mute.url])
    t.equal(code, 1)
    t.match(stderr, '\n5 errors (2 timeouts):\n  3 × ECONNREFUSED: nothing listens at that address')
  })
})

t.test('non-2xx answers are answers', async t => {
  const server = await serve(t, (request, response) => {
    response.statusCode = 500
    response.end()
  })
  const { code, stderr } = await cli(['-a', '3', '-c', '1', server.url])
  t.equal(code, 0)
  t.match(stderr, '\n0 2xx responses, 3 non 2xx responses\n')
})

t.test('signals', { skip: process.platform === 'win32' }, async t => {
  /** @param {number} n resolves once that many requests have come */
  function asked (n) {
    let count = 0
    /** @type {() => void} */
    let enough = () => {}
    const came = new Promise(resolve => { enough = () => resolve(undefined) })
    const answer = (/** @type {unknown} */ request, /** @type {import('node:http').ServerResponse} */ response) => {
      if (++count === n) enough()
      response.end('ok')
    }
    return { came, answer }
  }

  t.test('SIGINT prints the report so far and exits with 130', async t => {
    const { came, answer } = asked(20)
    const server = await serve(t, answer)
    const run = start(['-d', '60', '-c', '1', server.url])
    await came
    run.kill('SIGINT')
    const { code, stdout, stderr } = await run.ended
    t.equal(code, 130)
    t.equal(stdout, '')
    t.match(stderr, '│ Latency │')
    t.match(stderr, /\n\S+ requests? in \S+s, \S+ k?B read\n(.+\n)*! Ended by SIG\w+, exit code 1\d\d.*\n$/)
  })

  t.test('SIGINT with --json prints the line', async t => {
    const { came, answer } = asked(20)
    const server = await serve(t, answer)
    const run = start(['--json', '-d', '60', '-c', '1', server.url])
    await came
    run.kill('SIGINT')
    const { code, stdout, stderr } = await run.ended
    t.equal(code, 130)
    t.equal(stderr, '')
    const result = JSON.parse(stdout)
    t.ok(result.requests.total >= 19, `${result.requests.total} were answered`)
    t.ok(result.duration < 60)
    conserves(t, result)
  })

  t.test('SIGINT without any answer exits with 130, too', async t => {
    const { came, answer } = asked(1)
    const server = await serve(t, request => answer(request, /** @type {any} */ ({ end () {} })))
    const run = start(['-d', '60', '-c', '1', server.url])
    await came
    run.kill('SIGINT')
    const { code, stderr } = await run.ended
    t.equal(code, 130)
    t.match(stderr, 'the run ended before the first response.')
  })

  t.test('a later SIGINT ends at once', async t => {
    const { came, answer } = asked(1)
    const server = await serve(t, answer)
    const run = new Running(process.execPath, ['-r', fixture('unstoppable.js'), BIN, '-d', '60', '-c', '1', server.url], {})
    await came
    run.kill('SIGINT')
    await run.says('stderr', 'asked to stop')
    // Until then it belongs to the first one.
    await sleep(300)
    run.kill('SIGINT')
    const { code, stderr } = await run.ended
    t.equal(code, 130)
    t.notMatch(stderr, 'requests in', 'no report')
  })

  t.test('a later SIGINT says that it ended teardown', async t => {
    const { came, answer } = asked(1)
    const server = await serve(t, answer)
    const module = path.join(t.testdir({
      'slow.mjs': `export default ({ http }) => http.get('/')
export async function teardown ({ log }) { log('begun'); await new Promise(resolve => setTimeout(resolve, 60_000)) }`
    }), 'slow.mjs')
    const run = start(['run', module, '-d', '60', '-c', '1', '-j', server.url])
    await came
    run.kill('SIGINT')
    await run.says('stderr', 'begun')
    // Until then it belongs to the first one.
    await sleep(300)
    run.kill('SIGINT')
    const { code, stdout, stderr } = await run.ended
    t.equal(code, 130)
    t.match(JSON.parse(stdout), { interrupted: true })
    t.match(stderr, /teardown was ended before it had finished, by a second signal\n$/)
  })

  t.test('SIGTERM prints the report so far and exits with 143', async t => {
    const { came, answer } = asked(20)
    const server = await serve(t, answer)
    const run = start(['-d', '60', '-c', '1', server.url])
    await came
    run.kill('SIGTERM')
    const { code, stderr } = await run.ended
    t.equal(code, 143)
    t.match(stderr, '│ Latency │')
  })
})

t.test('a reader that goes away does no harm', { skip: process.platform === 'win32' }, async t => {
  const server = await serve(t)
  const { stdout, stderr } = await shell('{ $AUTOCANNON --help; echo "exit $?" >&2; } | head -1')
  t.equal(stdout, 'Usage: autocannon [options] URL [URL …]\n')
  t.match(stderr, /^exit (0|141)\n$/, 'head may have gone or not')

  const closed = await shell(`{ $AUTOCANNON --json -d 1 -c 1 ${server.url}; echo "exit $?" >&2; } | true`)
  t.equal(closed.stderr, 'exit 141\n', 'stdout is closed before anything is written')

  const piped = await shell(`{ $AUTOCANNON -d 1 -c 1 ${server.url} 2>&1; echo "exit $?" >&2; } | head -1`)
  t.equal(piped.stdout, `Running 1s test @ ${server.url}\n`)
  t.equal(piped.stderr, 'exit 141\n', 'stderr goes to a reader that takes one line')

  const failed = await shell(`{ $AUTOCANNON --json -d 1 -c 1 --threshold 'p50 < 1us' --inconclusive exact ${server.url} 2> /dev/null; echo "exit $?" >&2; } | true`)
  t.equal(failed.stderr, 'exit 3\n', 'a verdict is not hidden')
})

t.test('colours', async t => {
  const server = await serve(t)
  const argv = ['-a', '1', '-c', '1', server.url]
  const [plain, forced, forbidden, empty, off, json] = await Promise.all([
    cli(argv),
    cli(argv, { env: { FORCE_COLOR: '1' } }),
    cli(argv, { env: { FORCE_COLOR: '1', NO_COLOR: '1' } }),
    cli(argv, { env: { FORCE_COLOR: '1', NO_COLOR: '' } }),
    cli(argv, { env: { FORCE_COLOR: '0' } }),
    cli(['--json', ...argv], { env: { FORCE_COLOR: '1' } })
  ])
  t.notMatch(plain.stderr, ESC, 'none in a pipe')
  t.match(forced.stderr, `${ESC}36mStat${ESC}39m`, 'FORCE_COLOR')
  t.notMatch(forbidden.stderr, ESC, 'NO_COLOR wins')
  t.match(empty.stderr, ESC, 'an empty NO_COLOR is none (no-color.org)')
  t.notMatch(off.stderr, ESC, 'FORCE_COLOR=0')
  t.notMatch(json.stdout, ESC)
})

t.test('--on-port', { skip: process.platform === 'win32' }, async t => {
  /** @param {number} pid */
  const lives = pid => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  /** @param {string} text */
  const pidIn = text => Number(/(?:server|idle) (\d+)/.exec(text)?.[1])

  t.test('-- node server.js starts the server, benchmarks it and stops it', async t => {
    const { code, stdout, stderr } = await cli(['--json', '-a', '5', '-c', '1', '--', 'node', fixture('server.js')])
    t.equal(code, 0, stderr)
    const result = JSON.parse(stdout)
    t.equal(result['4xx'], 5, 'asked for /')
    conserves(t, result)
    t.match(stderr, /^server \d+ listens\n$/, 'what the server says goes to stderr')
    t.equal(lives(pidIn(stderr)), false, 'the server has ended')
  })

  t.test('--on-port /path -- node server.js asks for the path', async t => {
    const { code, stdout, stderr } = await cli(['--json', '-a', '5', '-c', '1', '--on-port', '/path', '--', 'node', 'server.js'],
      { cwd: path.dirname(fixture('server.js')) })
    t.equal(code, 0, stderr)
    const result = JSON.parse(stdout)
    t.equal(result['2xx'], 5)
    t.match(result.url, /^http:\/\/(localhost|127\.0\.0\.1):\d+\/path$/)
    conserves(t, result)
    t.equal(lives(pidIn(stderr)), false, 'the server has ended')
  })

  t.test('a command that ends before it listens is a clear error', async t => {
    const { code, stdout, stderr } = await cli(['--json', '--on-port', '/', '--', 'node', fixture('quits.js')])
    t.equal(code, 1)
    t.equal(stdout, '')
    t.equal(stderr.split('no config found').length, 2, 'what it said is shown once')
    t.match(stderr, /\nautocannon: .*\b3\b/, 'says the exit code')
    t.notMatch(stderr, '    at ', 'no stack')
    t.notMatch(stderr, '--help', 'the flags were right')
  })

  t.test('a config may say what to start, and --print-config says it so', async t => {
    const dir = t.testdir({})
    const config = path.join(dir, 'config.json')
    const printed = await cli(['--print-config', '-a', '4', '-c', '1', '--on-port', '/path', '--', 'A=b', 'node', fixture('server.js')])
    t.strictSame([printed.code, printed.stderr], [0, ''])
    t.match(JSON.parse(printed.stdout), { onPort: ['A=b', 'node', fixture('server.js')], url: 'http://localhost/path', quietServer: false })
    writeFileSync(config, printed.stdout)
    const run = async (/** @type {string[]} */ ...flags) => {
      const { code, stdout, stderr } = await cli(['--json', '--config', config, ...flags])
      t.equal(code, 0, stderr)
      return { ...JSON.parse(stdout), stderr }
    }
    const same = await run()
    t.match(same, { '2xx': 4, url: /\/path$/ })
    t.match(same.stderr, /^server \d+ listens\n$/)
    t.match(await run('/elsewhere'), { '4xx': 4, url: /^http:\/\/127\.0\.0\.1:\d+\/elsewhere$/ }, 'a path among the flags is one of its server')
    t.match(await run('--', 'node', path.join(__dirname, '../fixtures/on-port/plain.js')), { '2xx': 4, stderr: '' }, 'a command after -- takes its place')
    const { url } = await serve(t)
    t.match(await run('--no-on-port', url), { '2xx': 4, url, stderr: '' }, 'and none is started when the flag says so')
  })

  t.test('--quiet-server shows what the command says only when it ends too early, and needs a server', async t => {
    const quiet = await cli(['--json', '-a', '5', '-c', '1', '--quiet-server', '--', 'node', fixture('server.js')])
    t.strictSame([quiet.code, quiet.stderr], [0, ''])
    const crash = await cli(['--json', '--quiet-server', '--', 'node', fixture('quits.js')])
    t.equal(crash.code, 1)
    t.equal(crash.stderr.split('no config found').length, 2, 'once')
    const none = await cli(['--quiet-server', 'localhost'])
    t.equal(none.code, 2)
    t.match(none.stderr, '--quiet-server: expected --on-port as well')
  })

  t.test('a server that ends during the run ends it, with the report so far, why, and exit code 1', async t => {
    for (const [flags, how] of [[[], 'exit'], [['--quiet-server'], 'exit'], [['-f'], 'signal'], [['-w', '1', '--raw'], 'exit']]) {
      const { code, stdout, stderr } = await cli(['-d', '60', '-c', '1', '--rate', '50', '-n', '--threshold', 'p99 < 100s', ...flags, '--', 'node', fixture('dies.js'), how, '20']
        .filter((word, i, all) => !(flags.includes('--raw') && (word === '--threshold' || all[i - 1] === '--threshold'))))
      t.equal(code, 1, stderr)
      t.match(stderr, how === 'exit' ? /autocannon: The command ended with exit code 7 during the run: node .*dies\.js/ : /autocannon: The command was ended by SIGKILL during the run: /)
      t.equal(stderr.split('out of coffee').length, flags.includes('--quiet-server') ? 2 : 3, 'its last words: when it says them, unless it is quiet, and behind the report')
      t.match(flags.includes('--raw') ? stdout : stderr, flags.includes('--raw') ? '"format"' : /\n\d+ requests? in/)
      t.notMatch(stderr, '    at ')
    }
  })

  t.test('the end of the server is told once with --json, too', async t => {
    const { code, stdout, stderr } = await cli(['-j', '-d', '60', '-c', '1', '--rate', '50', '--quiet-server', '--', 'node', fixture('dies.js'), 'exit', '20'])
    t.equal(code, 1)
    t.match(JSON.parse(stdout).endedBy, [/^The command ended with exit code 7 during the run/])
    t.equal(stderr.split('The command ended with exit code 7').length, 2, stderr)
  })

  t.test('a server that starts a worker anew has not ended', async t => {
    const { code, stderr } = await cli(['-d', '2', '-c', '1', '--rate', '50', '-n', '--', 'node', fixture('dies.js'), 'cluster', '20'])
    t.equal(code, 0, stderr)
    t.match(stderr, 'out of coffee')
    t.notMatch(stderr.replace(/^autocannon: process \d+ of the server \(node\) ended during the run\n/gm, ''), 'autocannon: ')
  })

  t.test('a port of the URL is the one that is waited for', async t => {
    const port = await closedPort()
    const { code, stdout, stderr } = await cli(['--json', '-a', '3', '-c', '1', '-E', '{"second":true}', `http://localhost:${port}/path`, '--', 'node', path.join(__dirname, '../fixtures/on-port/two.js'), String(port)])
    t.equal(code, 0, stderr)
    t.match(JSON.parse(stdout), { '2xx': 3, mismatches: 0, url: `http://127.0.0.1:${port}/path` })
  })

  t.test('SIGINT while the server does not listen stops it and exits with 130', async t => {
    const run = start(['--on-port', '/', '--', 'node', fixture('idle.js')])
    await run.says('stderr', 'idle ')
    run.kill('SIGINT')
    const { code, stderr } = await run.ended
    t.equal(code, 130)
    t.notMatch(stderr, '    at ', 'no stack')
    t.equal(lives(pidIn(stderr)), false, 'the command has ended')
  })

  t.test('a later SIGINT ends at once although the server does not', async t => {
    const run = start(['-d', '60', '-c', '1', '--', 'node', fixture('server.js')], { env: { STUBBORN: '1' } })
    await run.says('stderr', 'connection')
    const pid = pidIn(run.stderr)
    t.teardown(() => { if (lives(pid)) process.kill(pid, 'SIGKILL') })
    run.kill('SIGINT')
    await run.says('stderr', 'ended after')
    // Until then it belongs to the first one.
    await sleep(300)
    run.kill('SIGINT')
    const { code } = await run.ended
    t.equal(code, 130)
  })
})
