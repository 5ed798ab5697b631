'use strict'

// The command line: what each flag does, by its short and by its long name. Flags of TLS, forms, HAR, warm-up and
// forever are in the files of these.

const t = require('tap')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const autocannon = require('../../..')
const { version } = require('../../../package.json')
const { Running, cli, shell, start } = require('../../helpers/processes/cli')
const { serve, valuesOf, closedPort } = require('../../helpers/servers/http-server')
const { rawServer, answer } = require('../../helpers/servers/raw-server')
const { conserves } = require('../../helpers/results/conservation')
const { shortFolder } = require('../../helpers/short-folder')
const { withWorkers, fixture, byConnection } = require('../modes')

const WINDOWS = process.platform === 'win32' ? { skip: 'no shell, signals or sockets with a path' } : {}

/**
 * Runs the command line once for each name of a flag, with --json, one connection and one request unless told otherwise.
 * @param {string} names such as `-c/--connections`
 * @param {string[]} value
 * @param {...string} more
 * @returns {Promise<Array<Record<string, any>>>} the results
 */
function results (names, value, ...more) {
  return resultsBy(cli, names, value, ...more)
}

/**
 * @param {(argv: string[]) => ReturnType<typeof cli>} cli
 * @param {Parameters<typeof results>} more
 */
function resultsBy (cli, ...[names, value, ...more]) {
  return Promise.all(names.split('/').map(async name => {
    const { stdout, stderr, code } = await cli(['-j', '-c', '1', '-a', '1', name, ...value, ...more])
    if (stdout === '') throw new Error(`${name}: exit code ${code}: ${stderr}`)
    return JSON.parse(stdout)
  }))
}

/**
 * The same without --json.
 * @param {string} names
 * @param {string[]} value
 * @param {...string} more
 */
const reports = (names, value, ...more) => Promise.all(names.split('/').map(name => cli(['-c', '1', '-a', '1', name, ...value, ...more])))

/** @param {string} text */
const literally = text => new RegExp(text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'))

t.test('every flag has the names of the reference, and stands for an option', async t => {
  const url = 'http://127.0.0.1:1'
  for (const [names, given, option] of [
    ['-c/--connections', '3', { connections: 3 }],
    ['-p/--pipelining', '3', { pipelining: 3 }],
    ['-d/--duration', '3', { duration: 3 }],
    ['-a/--amount', '30', { amount: 30 }],
    ['-L', '30', { sampleInt: 30 }],
    ['-S/--socketPath', '/tmp/s', { socketPath: '/tmp/s' }],
    ['-w/--workers', '2', { workers: 2 }],
    ['-m/--method', 'PUT', { method: 'PUT' }],
    ['-t/--timeout', '3', { timeout: 3 }],
    ['-T/--title', 'a title', { title: 'a title' }],
    ['-b/--body', 'a body', { body: 'a body' }],
    ['-F/--form', '{}', { form: '{}' }],
    ['-i/--input', fixture('upload.txt'), { body: Buffer.from('the content of a file\n') }],
    ['-H/--headers', 'a=b', { headers: { a: 'b' } }],
    ['-B/--bailout', '3', { bailout: 3 }],
    ['-M/--maxConnectionRequests', '3', { maxConnectionRequests: 3 }],
    ['-O/--maxOverallRequests', '30', { maxOverallRequests: 30 }],
    ['-r/--connectionRate', '3', { connectionRate: 3 }],
    ['-R/--overallRate', '3', { overallRate: 3 }],
    ['-C/--ignoreCoordinatedOmission', undefined, { ignoreCoordinatedOmission: true }],
    ['-D/--reconnectRate', '3', { reconnectRate: 3 }],
    ['-I/--idReplacement', undefined, { idReplacement: true }],
    ['-f/--forever', undefined, { forever: true }],
    ['-s/--servername', 'example.test', { servername: 'example.test' }],
    ['-x/--excludeErrorStats', undefined, { excludeErrorStats: true }],
    ['-E/--expectBody', 'a body', { expectBody: 'a body' }],
    ['-n/--no-progress', undefined, {}],
    ['-l/--latency', undefined, {}],
    ['-j/--json', undefined, {}],
    ['--renderStatusCodes', undefined, {}],
    ['--debug', undefined, { debug: true }],
    ['-V/--verbose', undefined, {}]
  ]) {
    for (const name of /** @type {string} */ (names).split('/')) {
      t.strictSame(autocannon.parseArguments([...[name, given].flatMap(arg => arg ?? []), url]), { debug: false, ...option, url }, name)
    }
  }
})

t.test('-c/--connections is how many connections are opened', async t => {
  const server = await serve(t)
  for (const result of await results('-c/--connections', ['3'], '-a', '30', server.url)) t.equal(result.connections, 3)
  t.equal(server.connections, 6)
})

t.test('-p/--pipelining is how many requests are in flight', async t => {
  const server = await rawServer(t, (connection, { index }) => { if (index % 3 === 2) connection.send(answer().repeat(3)) })
  for (const result of await results('-p/--pipelining', ['3'], '-a', '9', server.url)) {
    t.equal(result.pipelining, 3)
    t.equal(result['2xx'], 9)
  }
})

t.test('-d/--duration ends the run', async t => {
  const server = await serve(t)
  await Promise.all([['-d', '0.2'], ['--duration', '200ms']].map(async argv => {
    const result = JSON.parse((await cli(['-j', '-c', '1', ...argv, server.url])).stdout)
    t.ok(result.duration >= 0.199)
    conserves(t, result)
  }))
})

t.test('-a/--amount is how many requests are sent', async t => {
  const server = await serve(t)
  for (const result of await results('-a/--amount', ['17'], server.url)) conserves(t, result)
  t.equal(server.requests.length, 34)
})

t.test('-L/--sampleInt is how long a sample lasts', async t => {
  const server = await serve(t)
  const [short, long] = await results('-L/--sampleInt', ['50'], server.url)
  t.equal(short.sampleInt, 50)
  t.equal(long.sampleInt, 50)
})

t.test('-S/--socketPath connects to a Unix socket', WINDOWS, async t => {
  const socketPath = path.join(shortFolder(t), 's')
  const server = await serve(t, undefined, socketPath)
  for (const result of await results('-S/--socketPath', [socketPath], 'http://example.test/path')) t.equal(result.socketPath, socketPath)
  t.strictSame(server.requests.map(request => [request.url, ...valuesOf(request, 'host')]), new Array(2).fill(['/path', 'example.test']))
})

t.test('-S @name is an abstract socket, which is text wherever it is shown', { skip: process.platform !== 'linux' && 'they are of Linux' }, async t => {
  const name = `autocannon-test-${process.pid}`
  const server = await serve(t, undefined, '\0' + name)
  const typed = await cli(['-a', '3', '-c', '1', '-j', '-S', '@' + name, 'http://example.test/path'])
  const given = await autocannon({ url: 'http://example.test/path', amount: 3, connections: 1, socketPath: '\0' + name })
  for (const result of [JSON.parse(typed.stdout), given]) t.match(result, { '2xx': 3, socketPath: '@' + name, options: { socketPath: '@' + name } })
  t.equal(server.requests.length, 6)

  const listens = `require('http').createServer((request, response) => response.end('ok')).listen('\\0${name}-2')`
  const { code, stdout, stderr } = await cli(['-a', '3', '-c', '1', '-n', '-o', '-.json', '--on-port', '/', '--', process.execPath, '-e', listens])
  t.equal(code, 0, stderr)
  t.match(stderr, `(@${name}-2)`)
  t.equal(JSON.parse(stdout).socketPath, `@${name}-2`)
  t.notMatch(stdout + stderr, /\0|\\u0000/)
})

withWorkers(t, '-w/--workers spreads the load over threads', async (t, mode) => {
  const server = await serve(t)
  for (const result of await resultsBy(argv => mode.cli(argv), '-w/--workers', ['2'], '-c', '4', '-a', '20', server.url)) {
    t.equal(result.workers, 2)
    conserves(t, result)
  }
  t.equal(server.requests.length, 40)
  t.equal(server.connections, 8)
})

t.test('-m/--method is the method', async t => {
  const server = await serve(t)
  await results('-m/--method', ['DELETE'], server.url)
  t.strictSame(server.requests.map(({ method }) => method), ['DELETE', 'DELETE'])
})

t.test('-t/--timeout is how long an answer may take', async t => {
  const server = await rawServer(t, () => {})
  for (const result of await results('-t/--timeout', ['0.2'], server.url)) t.match(result, { timeouts: 1, errors: 1 })
})

t.test('-T/--title stands in the result', async t => {
  const server = await serve(t)
  for (const result of await results('-T/--title', ['a title'], server.url)) t.equal(result.title, 'a title')
})

t.test('-b/--body is the body', async t => {
  const server = await serve(t)
  await results('-b/--body', ['{"a": "-b --body"}'], '-m', 'POST', server.url)
  t.strictSame(server.requests.map(({ body }) => body), new Array(2).fill('{"a": "-b --body"}'))
})

t.test('-i/--input is a file with the body', async t => {
  const server = await serve(t)
  await results('-i/--input', [fixture('upload.txt')], '-m', 'PUT', server.url)
  t.strictSame(server.requests.map(({ body }) => body), new Array(2).fill('the content of a file\n'))
  const { code, stderr } = await cli(['-i', '/no/such/file', server.url])
  t.equal(code, 2)
  t.match(stderr, /-i\/--input: could not read the file '\/no\/such\/file'/)
})

t.test('-b @FILE is the content of a file, --body-raw a text that begins with @', async t => {
  const server = await serve(t)
  await results('-b/--body', ['@' + fixture('upload.txt')], '-m', 'PUT', server.url)
  await results('--body-raw', ['@handle'], '-m', 'PUT', server.url)
  t.strictSame(server.requests.map(({ body }) => body), ['the content of a file\n', 'the content of a file\n', '@handle'])
})

t.test('a word that is no host is questioned: it is no second URL', async t => {
  const server = await serve(t)
  const { code, stderr } = await cli(['-H', 'X-A:', 'b', server.url])
  t.equal(code, 2)
  t.equal(stderr, 'autocannon: the word after -H X-A: is not a URL: put a header with blanks in quotes, as in -H "X-Name: value"\nTry autocannon --help for more.\n')
  t.equal(server.requests.length, 0)
})

t.test('-H/--headers is a header, K=V or "K: V", and may be repeated', async t => {
  const server = await serve(t)
  await results('-H/--headers', ['a=b=c'], '-H', 'D: e: f', '--headers', 'd=g', server.url)
  t.strictSame(server.requests.map(request => [valuesOf(request, 'a'), valuesOf(request, 'd')]), new Array(2).fill([['b=c'], ['e: f', 'g']]))
})

t.test('-B/--bailout ends the run after that many errors', async t => {
  const server = await rawServer(t, connection => connection.reset())
  for (const result of await results('-B/--bailout', ['3'], '-a', '1000', server.url)) t.equal(result.errors, 3)
})

t.test('-M/--maxConnectionRequests limits each connection', async t => {
  const server = await serve(t)
  await Promise.all(['-M', '--maxConnectionRequests'].map(flag => cli(['-j', '-c', '2', flag, '5', server.url])))
  t.strictSame(byConnection(server.requests).map(({ length }) => length), [5, 5, 5, 5])
})

t.test('-O/--maxOverallRequests limits all connections', async t => {
  const server = await serve(t)
  await Promise.all(['-O', '--maxOverallRequests'].map(flag => cli(['-j', '-c', '2', flag, '5', server.url])))
  t.equal(server.requests.length, 10)
})

t.test('-r/--connectionRate and -R/--overallRate are requests per second', async t => {
  const server = await serve(t)
  const rates = await Promise.all([
    results('-r/--connectionRate', ['20'], '-c', '2', '-a', '10', server.url),
    results('-R/--overallRate', ['20'], '-c', '2', '-a', '5', '-C', server.url)
  ])
  for (const result of rates.flat()) {
    t.ok(result.duration >= 0.19, `${result.duration} s`)
    conserves(t, result)
  }
})

t.test('-C/--ignoreCoordinatedOmission counts latency from the write', async t => {
  const server = await serve(t, (request, response) => setTimeout(() => response.end(), 20))
  const rate = ['-R', '500', '-a', '20', server.url]
  const [due] = await results('-R', ['500'], '-a', '20', server.url)
  for (const written of await results('-C/--ignoreCoordinatedOmission', [], ...rate)) {
    t.ok(due.latency.average > 2 * written.latency.average, `${due.latency.average} ms against ${written.latency.average} ms`)
  }
})

t.test('-D/--reconnectRate makes connections anew', async t => {
  const server = await serve(t)
  for (const result of await results('-D/--reconnectRate', ['2'], '-a', '10', server.url)) t.equal(result['2xx'], 10)
  t.equal(server.connections, 10)
})

t.test('-n/--no-progress leaves the report as it is', async t => {
  const server = await serve(t)
  for (const { code, stderr } of await reports('-n/--no-progress', [], server.url)) {
    t.equal(code, 0)
    t.notMatch(stderr, 'running [')
    t.match(stderr, '│ Latency │')
    t.match(stderr, /^1 request in /m)
  }
})

t.test('-l/--latency prints every percentile', async t => {
  const server = await serve(t)
  for (const { stderr } of await reports('-l/--latency', [], server.url)) {
    t.match(stderr, '│ Percentile │ Latency (ms) │')
    t.match(stderr, /│ 99\.999 {5}│/)
  }
})

t.test('-I/--idReplacement puts ids in', async t => {
  const server = await serve(t)
  await results('-I/--idReplacement', [], '-a', '2', '-m', 'POST', '-b', '[<id>]', '-H', 'x-id=[<id>]', server.url + '/[<id>]')
  const ids = server.requests.flatMap(request => [request.url.slice(1), request.body, ...valuesOf(request, 'x-id')])
  t.equal(new Set(ids).size, 12)
})

t.test('-j/--json prints one line of JSON and nothing else', async t => {
  const server = await serve(t)
  for (const { code, stdout, stderr } of await reports('-j/--json', [], server.url)) {
    t.equal(code, 0)
    t.equal(stderr, '')
    t.match(stdout, /^\{.*\}\n$/)
    conserves(t, JSON.parse(stdout))
  }
})

t.test('-x/--excludeErrorStats leaves other answers than 2xx out of latency and bytes', async t => {
  const server = await serve(t, (request, response) => { response.statusCode = 500; response.end() })
  for (const result of await results('-x/--excludeErrorStats', [], '-a', '4', server.url)) {
    t.match(result, { '5xx': 4, non2xx: 4, latency: { totalCount: 0 }, throughput: { total: 0 } })
  }
})

t.test('-E/--expectBody counts other bodies', async t => {
  const server = await serve(t)
  for (const result of await results('-E/--expectBody', ['ok'], server.url)) t.equal(result.mismatches, 0)
  for (const result of await results('-E/--expectBody', ['ko'], '-a', '9', '-B', '2', server.url)) t.equal(result.mismatches, 2)
})

t.test('--renderStatusCodes prints how often each status came', async t => {
  const server = await serve(t)
  const [{ stderr }] = await reports('--renderStatusCodes', [], server.url)
  t.match(stderr, /│ 200 {2}│ 1 {5}│/)
})

t.test('--debug prints each error to stderr', async t => {
  const url = `http://127.0.0.1:${await closedPort()}`
  const [{ stdout, stderr }, { stderr: silent }] = await Promise.all([cli(['--debug', '-c', '1', '-a', '2', url]), cli(['-c', '1', '-a', '2', url])])
  t.equal(stdout, '')
  t.equal(stderr.match(/^ECONNREFUSED: /mg)?.length, 2)
  t.notMatch(silent, /^ECONNREFUSED: /m)
})

t.test('-V/--verbose prints the tables, --no-verbose and -V false only the summary', async t => {
  const server = await serve(t)
  const tables = await Promise.all([[], ['-V'], ['--verbose'], ['--no-verbose'], ['-V', 'false'], ['--verbose=false']]
    .map(async argv => (await cli(['-c', '1', '-a', '1', ...argv, server.url])).stderr.includes('│ Latency │')))
  t.strictSame(tables, [true, true, true, false, false, false])
  t.equal(server.requests.length, 6, 'false is no URL')
})

t.test('--version --verbose says which sockets and which clock there are, and why', async t => {
  const { load } = require('../../../lib/net/sockets/binding')
  const about = `autocannon v${version}\nnode ${process.version}\nplatform: ${process.platform} ${process.arch}\n`
  const native = '\nsockets: native (prebuilds/linux-x64/sockets.node); over TLS and through undici those of Node.js\nclock: '
  const node = reason => `sockets: node (${reason})\nclock: read (the sockets of Node.js do not report when a response arrived)\n`
  const { reason } = load()
  for (const flags of [['--version', '--verbose'], ['-vV'], ['-v', '-V', '--clock', 'read'], ['-vV', '--sockets', 'node']]) {
    const { code, stdout, stderr } = await cli(flags)
    t.strictSame([code, stderr, stdout.startsWith(about)], [0, '', true], flags.join(' '))
    if (flags.includes('node')) t.equal(stdout, about + node('chosen by --sockets node'))
    else if (reason !== null) t.equal(stdout, about + node(reason))
    else t.match(stdout, native.replace('linux-x64', `${process.platform}-${process.arch}`) + (flags.includes('read') ? 'read (chosen by --clock read)' : 'arrival (a latency ends when the kernel receives the response)'))
  }
  const { stdout } = spawnSync(process.execPath, ['--require', require.resolve('../../helpers/processes/without-add-on'), require.resolve('../../../bin/autocannon'), '-vV'], { encoding: 'utf8' })
  t.equal(stdout, about + node('a test has taken it away'))
})

t.test('-v/--version prints the version', async t => {
  for (const flag of ['-v', '--version']) t.match(await cli([flag]), { code: 0, stdout: `autocannon v${version}\nnode ${process.version}\n`, stderr: '' })
})

t.test('-h/--help prints every flag of the reference', async t => {
  const [short, long, all] = await Promise.all([['-h'], ['--help'], ['--help', 'all']].map(argv => cli(argv)))
  t.strictSame(long, short)
  t.match(short, { code: 0, stderr: '', stdout: /^Usage: autocannon / })
  for (const flag of ['-c/--connections', '-p/--pipelining', '-d/--duration', '-a/--amount', '-L', '-S/--socketPath', '-w/--workers', '-W/--warmup',
    '--on-port', '-m/--method', '-t/--timeout', '-T/--title', '-b/--body', '-F/--form', '-i/--input', '-H/--headers', '--har', '-B/--bailout',
    '-M/--maxConnectionRequests', '-O/--maxOverallRequests', '-r/--connectionRate', '-R/--overallRate', '-C/--ignoreCoordinatedOmission',
    '-D/--reconnectRate', '-n/--no-progress', '-l/--latency', '-I/--idReplacement', '-j/--json', '-f/--forever', '-s/--servername',
    '-x/--excludeErrorStats', '-E/--expectBody', '--renderStatusCodes', '--cert', '--key', '--ca', '--debug', '-v/--version', '-V/--verbose', '-h/--help']) {
    t.match(all.stdout, `\n  ${flag}`)
  }
})

t.test('--on-port starts a command, benchmarks where it listens and stops it', WINDOWS, async t => {
  const server = fixture('server.js')
  const [named, implied, bare] = await Promise.all([
    shell(`$AUTOCANNON -j -c 1 -a 3 --on-port /path -- "${process.execPath}" "${server}"`),
    shell(`$AUTOCANNON -j -c 1 -a 3 /path -- "${process.execPath}" "${server}"`),
    shell(`$AUTOCANNON -j -c 1 -a 3 --on-port -- "${process.execPath}" "${server}"`)
  ])
  for (const { code, stdout, stderr } of [named, implied]) {
    t.equal(code, 0, stderr)
    t.equal(JSON.parse(stdout)['2xx'], 3)
  }
  t.equal(JSON.parse(bare.stdout)['4xx'], 3, 'without a URL it is /')
})

t.test('with PORT a path is a URL', async t => {
  const server = await serve(t)
  const { code } = await cli(['-c', '1', '-a', '1', '/path?q'], { env: { PORT: String(server.port) } })
  t.equal(code, 0)
  t.equal(server.requests[0].url, '/path?q')
  const without = await cli(['-c', '1', '-a', '1', '/path'])
  t.equal(without.code, 2)
  t.match(without.stderr, 'set the environment variable PORT')
})

t.test('several URLs share the connections', async t => {
  const server = await serve(t)
  await cli(['-c', '2', '-a', '4', server.url + '/a', server.url + '/b'])
  t.strictSame(server.requests.map(({ url }) => url).sort(), ['/a', '/a', '/b', '/b'])
})

t.test('without --json the report goes to stderr, and nothing to stdout', async t => {
  const server = await serve(t)
  const { code, stdout, stderr } = await cli(['-c', '2', '-a', '4', server.url])
  t.equal(code, 0)
  t.equal(stdout, '')
  t.match(stderr, `Running 4 requests test @ ${server.url}\n2 connections\n`)
  t.match(stderr, '│ Latency │')
  t.match(stderr, '│ Req/Sec   │')
  t.match(stderr, /^4 requests in [\d.]+s, [\d.]+ B read$/m)
})

t.test('a flag with a wrong value is refused with what is allowed', async t => {
  for (const [argv, message] of [
    [['-c', '0'], '-c/--connections: expected a whole number, at least 1'],
    [['-p', 'x'], '-p/--pipelining: expected a whole number'],
    [['-d', 'soon'], '-d/--duration: expected seconds or a time such as 1m30s'],
    [['-d', '1m30'], '-d/--duration: expected seconds or a time such as 1m30s'],
    [['-t', '2,5s'], '-t/--timeout: expected seconds or a time such as 1m30s'],
    [['-a', '1.5'], '-a/--amount: expected a whole number'],
    [['-L', '0'], '-L/--sampleInt: expected a whole number'],
    [['-w', '-1'], '-w/--workers: expected a whole number'],
    [['-m', 'G T'], '-m/--method: expected an HTTP method'],
    [['-t', '0'], '-t/--timeout: expected seconds'],
    [['-T', ''], '-T/--title: expected a text'],
    [['-H', 'nothing'], '-H/--headers: expected name=value or "name: value"'],
    [['-F', '{'], '-F/--form: the form is not valid JSON'],
    [['-B', 'x'], '-B/--bailout: expected a whole number'],
    [['-M', '0'], '-M/--maxConnectionRequests: expected a whole number'],
    [['-O', '1'], '-O/--maxOverallRequests: expected at least one request for each of the 10 connections'],
    [['-r', '0'], '-r/--connectionRate: expected a number, more than 0'],
    [['-R', '-5'], '-R/--overallRate: expected a number, more than 0'],
    [['-D', 'x'], '-D/--reconnectRate: expected a whole number'],
    [['--excludeErrorStats=maybe'], '-x/--excludeErrorStats: expected true or false'],
    [['-b', 'a', '-i', fixture('upload.txt')], '-b/--body and -i/--input each give a body'],
    [['-c'], '-c needs a value'],
    [['--warmup', '[', '-c', '0', ']'], '-W/--warmup']
  ]) {
    const given = /** @type {string[]} */ (argv)
    t.throws(() => autocannon.parseArguments(given[given.length - 1] === '-c' ? ['http://127.0.0.1:1', ...given] : [...given, 'http://127.0.0.1:1']),
      { code: 'AC_OPTIONS', message: literally(/** @type {string} */ (message)) }, given.join(' '))
  }
})

t.test('an unknown flag and a misspelt option are refused, an unknown option is warned of', async t => {
  const server = await serve(t)
  const refused = await cli(['--conections', '3', server.url])
  t.equal(refused.code, 2)
  t.match(refused.stderr, 'autocannon: unknown flag --conections, did you mean --connections?')
  t.equal(server.requests.length, 0)
  await t.rejects(autocannon(/** @type {any} */ ({ url: server.url, conections: 3 })), { code: 'AC_OPTIONS', message: "unknown option 'conections', did you mean 'connections'?" })
  await t.rejects(autocannon(/** @type {any} */ ({ url: server.url, requests: [{ bdy: 'x' }] })), { code: 'AC_OPTIONS', message: "unknown key 'bdy' in requests[0], did you mean 'body'?" })
  t.equal(server.requests.length, 0)
  const warning = new Promise(resolve => process.once('warning', resolve))
  const result = await autocannon(/** @type {any} */ ({ url: server.url, xylophone: 3, connections: 1, amount: 1 }))
  t.match(await warning, { message: "autocannon: unknown option 'xylophone'" })
  t.equal(result['2xx'], 1)
})

t.test('exit codes say how a run went', async t => {
  const failing = await serve(t, (request, response) => { response.statusCode = 500; response.end() })
  const codes = await Promise.all([
    ['-c', '1', '-a', '1', failing.url],
    ['-c', '1', '-a', '1', `http://127.0.0.1:${await closedPort()}`],
    ['-c', '0', failing.url],
    []
  ].map(async argv => (await cli(argv)).code))
  t.strictSame(codes, [0, 1, 2, 2])
})

t.test('SIGINT ends the run with the report so far', WINDOWS, async t => {
  let requests = 0
  /** @type {() => void} */
  let go
  const isLoaded = new Promise(resolve => { go = () => resolve(null) })
  const server = await serve(t, (request, response) => {
    if (++requests === 20) go()
    response.end()
  })
  const running = start(['-c', '1', '-d', '60', server.url])
  await running.says('stderr', '1 connection\n')
  await isLoaded
  running.kill('SIGINT')
  const { code, stderr } = await running.ended
  t.equal(code, 130)
  t.match(stderr, /\n\n.* req\/s · .* · ended after [\d.]+ s of 60 s.*\n\n┌[^]*requests? in [\d.]+s, .* read\n(.+\n)*! Ended by SIGINT, exit code 130.*\n$/)
  t.equal(stderr.match(/ended/gi)?.length, 2, 'the first line says how far it came, the last one by what')
})

t.test('start() runs the command line from a program', async t => {
  const server = await serve(t)
  const script = `require(${JSON.stringify(path.join(__dirname, '../../..'))}).start(['-j', '-c', '1', '-a', '3', '${server.url}'])`
  const { code, stdout } = await new Running(process.execPath, ['-e', script], {}).ended
  t.equal(code, 0)
  t.equal(JSON.parse(stdout)['2xx'], 3)
})

t.test('parseArguments() gives one URL as a string, headers as an object, and debug, as in autocannon 9', async t => {
  const [a, b] = ['http://a.test', 'http://b.test/x']
  t.strictSame(autocannon.parseArguments([a]), { url: a, debug: false })
  t.strictSame(autocannon.parseArguments([a, b, '--debug']), { url: [a, b], debug: true })
  t.strictSame(autocannon.parseArguments(['-H', 'X-A=b', '-H', 'x-b: c', a]).headers, { 'X-A': 'b', 'x-b': 'c' })
  t.strictSame(autocannon.parseArguments(['-H', 'a=1', '-H', 'a=2', '-H', '__proto__=x', a]).headers, Object.fromEntries([['a', ['1', '2']], ['__proto__', 'x']]))
  let warned = 0
  const listener = () => { warned++ }
  process.on('warning', listener)
  const server = await serve(t)
  await autocannon(autocannon.parseArguments(['--debug', '-c', '1', '-a', '1', server.url]))
  await new Promise(resolve => setImmediate(resolve))
  process.off('warning', listener)
  t.equal(warned, 0, 'what it gives is fit for autocannon()')
})

t.test('parseArguments() gives the options of autocannon()', async t => {
  const server = await serve(t)
  const opts = autocannon.parseArguments(['-c', '2', '-a', '4', '-m', 'POST', '-b', 'body', '-H', 'x-a=1', '-T', 'parsed', server.url])
  const result = await autocannon(opts)
  t.match(result, { title: 'parsed', connections: 2, '2xx': 4 })
  t.match(server.requests[0], { method: 'POST', body: 'body' })
  t.strictSame(valuesOf(server.requests[0], 'x-a'), ['1'])
})
