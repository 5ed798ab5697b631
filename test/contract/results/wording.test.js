'use strict'

// Words that a script written for autocannon 9 may look for: which are the same, and what stands where they are not.

const t = require('tap')
const autocannon = require('../../..')
const { Running, cli } = require('../../helpers/processes/cli')
const { closedPort, serve } = require('../../helpers/servers/http-server')
const { WITH_WORKERS } = require('../modes')

t.test('banner and summary have the lines of autocannon 9', async t => {
  const { url } = await serve(t, (request, response) => {
    response.statusCode = request.url === '/404' ? 404 : 200
    response.end('ok')
  })
  for (const mode of WITH_WORKERS) {
    const { stderr } = await mode.cli(['-a', '6', '-c', '2', '-p', '3', '-w', '1', '-E', 'ok', url])
    t.match(stderr, `Running 6 requests test @ ${url}\n2 connections with 3 pipelining factor\n1 worker`)
    t.match(stderr, /\n\nReq\/Bytes counts sampled once per second\.\n# of samples: 1\n\n6 requests in [\d.]+s, \d+ B read\n/)
  }
  t.match((await cli(['-a', '5', '-c', '1', `${url}/404`])).stderr, '\n0 2xx responses, 5 non 2xx responses\n5 requests in ')
})

t.test('one of a kind is said in the singular', async t => {
  const { url } = await serve(t)
  t.match((await cli(['-a', '1', '-c', '1', url])).stderr, `Running 1 request test @ ${url}\n1 connection\n`)
})

t.test('a warm-up is announced by a line, and its figures are not shown', async t => {
  const { url } = await serve(t)
  const { stderr } = await cli(['-a', '5', '-c', '1', '-W', '[', '-c', '2', '-d', '0.1', ']', url])
  t.match(stderr, `Warming up for 0.1s with 2 connections\nRunning 5 requests test @ ${url}\n1 connection\n`)
  t.equal(stderr.split('# of samples').length, 2)
})

t.test('errors are counted by what went wrong, and a run without an answer has no tables', async t => {
  const { stderr } = await cli(['-a', '3', '-c', '1', `http://127.0.0.1:${await closedPort()}`])
  t.match(stderr, '\n0 requests in ')
  t.match(stderr, '\n3 errors:\n  3 × ECONNREFUSED: ')
  t.notMatch(stderr, '┌')
})

t.test('--debug prints one line for each error, with its code', async t => {
  const { stderr } = await cli(['-a', '2', '-c', '1', '--debug', `http://127.0.0.1:${await closedPort()}`])
  t.equal(stderr.match(/^ECONNREFUSED: connect ECONNREFUSED 127\.0\.0\.1:\d+$/gm)?.length, 2)
})

t.test('what is wrong with an option, a form or a HAR is said by its name, with what was given', async t => {
  const url = 'http://localhost'
  /** @type {Array<[any, RegExp]>} */
  const cases = [
    [{}, /a URL is required/],
    [{ url, connections: 0 }, /^connections: expected a whole number, .* got 0$/],
    [{ url, setupClient: 5 }, /^setupClient: expected a function or the path of a module that exports one, got 5$/],
    [{ url, har: {} }, /^har: this is not a HAR: expected an object with log\.entries/],
    [{ url, form: { a: { type: 'x' } } }, /^form: the field 'a' has the type 'x': expected "text" or "file"$/],
    [{ url, form: 'no.json' }, /^form: .*'no\.json'/]
  ]
  for (const [options, message] of cases) await t.rejects(Promise.resolve(autocannon(options)), { code: 'AC_OPTIONS', message })
})

t.test('expectBody goes with requests, and ignoreCoordinatedOmission without a rate', async t => {
  const { url } = await serve(t, (request, response) => response.end(request.url))
  const result = await autocannon({ url, amount: 4, connections: 1, expectBody: '/a', requests: [{ path: '/a' }, { path: '/b' }], ignoreCoordinatedOmission: true })
  t.match(result, { '2xx': 4, mismatches: 2 })
})

t.test('without workers a result has no number of them', async t => {
  const { url } = await serve(t)
  t.notOk('workers' in JSON.parse(JSON.stringify(await autocannon({ url, amount: 1, connections: 1 }))))
})

t.test('start takes what parseArguments gives, and runs as the command would', async t => {
  const { url } = await serve(t)
  /** @param {string} given @param {...string} args */
  const program = (given, ...args) => new Running(process.execPath, ['-e', `const a = require(${JSON.stringify(require.resolve('../../..'))}); a.start(${given})`, '--', ...args], {}).ended
  const parsed = 'a.parseArguments(process.argv.slice(1))'
  t.match(await program(parsed, '-a', '3', '-c', '1', url), { code: 0, stderr: /^Running 3 requests test @[^]*\n3 requests in / })
  const json = await program(parsed, '-a', '3', '-c', '1', '--json', '--method', 'PUT', url)
  t.equal(JSON.parse(json.stdout).requests.total, 3, json.stderr)
  t.match(await program(`{ ...${parsed}, amount: 2, xylophone: 1, setupClient: client => client.setHeaders({ a: '1' }) }`, '-a', '3', '-c', '1', url), { code: 0, stderr: /unknown option 'xylophone'[^]*\n2 requests in / })
  t.match(await program('{ url: "http://localhost", amuont: 1 }'), { code: 2, stdout: '', stderr: "autocannon: unknown option 'amuont', did you mean 'amount'?\nTry autocannon --help for more.\n" })
  t.match(await program('{ url: "http://localhost", connections: -1 }'), { code: 2, stdout: '', stderr: /^autocannon: connections: expected .*\nTry autocannon --help for more\.\n$/ })
  for (const given of ['', 'undefined', '[]']) t.match(await program(given), { code: 2, stdout: '', stderr: /^autocannon: a URL is required.*\nTry autocannon --help for more\.\n$/ })
  for (const given of ['null', '5']) t.match(await program(given), { code: 2, stderr: /^autocannon: expected an array of arguments or an object of options, got / })
  for (const given of ['{ url: "http://localhost", onPort: true }', '{ url: "http://localhost", config: "x.json" }']) t.match(await program(given), { code: 2, stderr: /^autocannon: (onPort|config): .*\nTry/ })
})

t.test('help of a command that there is not names the nearest', async t => {
  t.match(await cli(['help', 'xyzzyxyzzy']), { code: 2, stdout: '', stderr: /^autocannon: there is no topic, option or command 'xyzzyxyzzy'; the topics are / })
  t.match(await cli(['help', 'compair']), { code: 2, stderr: /^autocannon: there is no topic, option or command 'compair', did you mean 'compare'\?\n/ })
})

t.test('a text in place of options, and no requests, are named as what they are', async t => {
  await t.rejects(autocannon(/** @type {any} */ ('http://localhost:3000')), { code: 'AC_OPTIONS', message: /expected an object of options, got 'http/ })
  await t.rejects(autocannon({ url: 'http://localhost:3000', requests: [] }), { code: 'AC_OPTIONS', message: /at least one request, got an empty one/ })
})

t.test('a hook that throws is named with its place in the file of the user', async t => {
  const { url } = await serve(t)
  const cwd = t.testdir({ 'hook.js': '\n\nmodule.exports = () => { throw new Error("boom") }', 'config.json': '{"requests": [{"setupRequest": "./hook.js"}]}' })
  for (const mode of WITH_WORKERS) {
    const { code, stderr } = await mode.cli(['--config', 'config.json', '-a', '1', '-c', '1', url], { cwd })
    t.equal(code, 1)
    t.match(stderr, /failed: boom, at [^\n]*hook\.js:3:\d+\n/, mode.name)
  }
})

t.test('an exception of a user function is said once, below the report, with its place and without secrets', async t => {
  const { url } = await serve(t)
  const cwd = t.testdir({ 'user.mjs': 'let n = 0\nexport default async ({ http }) => { await http.get("/"); if (++n > 5) throw new Error("boom token=abcdefgh of https://x/?token=zzzzzz") }' })
  const { code, stderr } = await cli(['run', 'user.mjs', '-c', '1', '-d', '60', url], { cwd })
  t.equal(code, 1)
  t.match(stderr, /\n✗ Failed, exit code 1: the function of user 0 failed: boom token=\*\*\* of https:\/\/x\/\?token=\*\*\*, at [^\n]*user\.mjs:2:\d+\n$/)
  t.equal(stderr.split('boom').length, 2)
  const hook = t.testdir({ 'hook.js': 'module.exports = () => { throw new Error("no https://x/?token=zzzzzz") }', 'config.json': '{"requests": [{"setupRequest": "./hook.js"}]}' })
  const failed = await cli(['--config', 'config.json', '-a', '1', '-c', '1', url], { cwd: hook })
  t.notMatch(failed.stderr, /zzzzzz/)
})

t.test('a timeout of the request itself is not told as that of the run', async t => {
  const silent = await serve(t, () => {})
  const result = await autocannon({ url: silent.url, connections: 1, amount: 2, user: async (/** @type {any} */ { http }) => { await http.get('/', { timeout: 0.2 }).catch(() => {}) } })
  const [finding] = result.findings.filter(({ code }) => code === 'no-response')
  t.match(finding.facts, { reason: 'timeout', isOfRequest: true })
  t.match(autocannon.printResult(result), /every request timed out after 0\.\d+ s\. If the server needs longer, raise the timeout of the request/)
})

t.test('parseArguments gives what was said, without defaults and short names', async t => {
  const options = autocannon.parseArguments(['-c', '5', '-l', 'http://localhost'])
  t.equal(options.connections, 5)
  t.notOk('duration' in options || 'c' in options || '_' in options)
})
