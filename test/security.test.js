'use strict'

// What SECURITY.md promises: no secret in anything that is shown or kept, and nothing of a server at the terminal as it is.
//
// Run first: it takes longer than most.

const t = require('tap')
const { readFileSync } = require('node:fs')
const { inspect } = require('node:util')
const path = require('node:path')
const { Writable } = require('node:stream')
const autocannon = require('..')
const { printedConfig } = require('../lib/cli/config/print-config')
const { formatResult } = require('../lib/report/formats/format')
const { RENDERERS } = require('../lib/parts')
const { validate } = require('../lib/options/validate')
const { agents, launch } = require('./helpers/agents/agent-processes')
const { cli, start } = require('./helpers/processes/cli')
const { hostileIn, CI_COMMANDS, ciCommandsIn } = require('./helpers/hostile-text')
const { serve, valuesOf, closedPort } = require('./helpers/servers/http-server')
const { rawServer } = require('./helpers/servers/raw-server')
const { noRedis, startRedis } = require('./helpers/agents/redis')
const { inAllModes } = require('./contract/modes')

const USER = 'us3rname'
const PASSWORD = 'p4ssw0rd'
const BASIC = Buffer.from(`${USER}:${PASSWORD}`).toString('base64')
const TOKEN = 't0k3n'
const COOKIE = 'c00k13'
const BODY = 'b0dy'
const SECRETS = [USER, PASSWORD, BASIC, TOKEN, COOKIE, BODY]

/** @param {string | number} port */
const secretUrl = port => `http://${USER}:${PASSWORD}@127.0.0.1:${port}/path`
const flags = ['-m', 'POST', '-H', `x-authorization: Bearer ${TOKEN}`, '-H', `Cookie: sid=${COOKIE}`, '-b', BODY]
const options = { method: 'POST', headers: { 'x-authorization': `Bearer ${TOKEN}`, cookie: `sid=${COOKIE}` }, body: BODY }

/**
 * @param {any} t
 * @param {string} text
 * @param {string} what
 */
const hides = (t, text, what) => t.strictSame(SECRETS.filter(secret => text.includes(secret)), [], `${what} has no secret in it`)

/** @param {unknown} value */
const all = value => inspect(value, { depth: Infinity, maxStringLength: Infinity, maxArrayLength: Infinity, showHidden: true })

t.test('the command line shows no secret, whatever happens', async t => {
  const server = await serve(t)
  const raw = await rawServer(t, 'HTTP/1.1 nonsense\r\n\r\n')
  const port = new URL(raw.url).port
  const dead = await closedPort()
  const har = path.join(t.testdir({ 'broken.har': `{"log":${COOKIE}` }), 'broken.har')
  for (const [what, argv, code] of /** @type {Array<[string, string[], number]>} */ ([
    ['a run', ['-a', '2', '-c', '1', '-l', '--renderStatusCodes', ...flags, secretUrl(server.port)], 0],
    ['JSON', ['-a', '2', '-c', '1', '-j', '--debug', ...flags, secretUrl(server.port)], 0],
    ['a warm-up', ['-W', '[ -c 1 -d 0.01 ]', '-a', '2', '-c', '1', '-j', ...flags, secretUrl(server.port)], 0],
    ['several URLs', ['-a', '2', '-c', '2', ...flags, secretUrl(server.port), secretUrl(server.port)], 0],
    ['an unreachable server', ['-a', '2', '-c', '1', '--debug', ...flags, secretUrl(dead)], 1],
    ['a broken server', ['-a', '2', '-c', '1', '--debug', ...flags, secretUrl(port)], 1],
    ['a mismatch', ['-a', '2', '-c', '1', '-E', BODY, ...flags, secretUrl(server.port)], 0],
    ['a wrong port', [...flags, secretUrl(99999)], 2],
    ['a wrong protocol', [...flags, `ftp://${USER}:${PASSWORD}@a`], 2],
    ['a password that was not encoded', [...flags, `http://${USER}:${PASSWORD}/x@a`], 2],
    ['a percent sign in the password', [...flags, `http://${USER}:${PASSWORD}%@a`], 2],
    ['a header without a colon', ['-H', `Authorization Bearer ${TOKEN}`, server.url], 2],
    ['a header without a name', ['-H', `Authorization Bearer ${TOKEN}==`, server.url], 2],
    ['a header of two lines', ['-H', `Authorization: ${TOKEN}\r\nCookie: ${COOKIE}`, server.url], 2],
    ['two bodies', [...flags, '-F', `{"a":{"type":"text","value":"${BODY}"}}`, secretUrl(server.port)], 2],
    ['a form that is no JSON', ['-F', `{"password":${TOKEN}}`, server.url], 2],
    ['a form that ends early', ['-F', `{"password":"${TOKEN}`, server.url], 2],
    ['a HAR file that is no JSON', ['--har', har, server.url], 2],
    ['--on-port', ['-a', '2', '-c', '1', ...flags, `http://${USER}:${PASSWORD}@localhost/path`, '--', 'node', path.join(__dirname, 'fixtures/cli/server.js')], 0]
  ])) {
    const run = await cli(argv)
    t.equal(run.code, code, `${what}: ${run.stderr}`)
    hides(t, run.stdout + run.stderr, what)
  }
  const [request] = server.requests
  t.strictSame([valuesOf(request, 'authorization'), valuesOf(request, 'x-authorization'), valuesOf(request, 'cookie'), request.body],
    [[`Basic ${BASIC}`], [`Bearer ${TOKEN}`], [`sid=${COOKIE}`], BODY], 'but all of them were sent')
})

t.test('results, events and errors of the API have no secret in them', async t => {
  const server = await serve(t)
  const shown = 'http://***@127.0.0.1'
  for (const [what, more] of /** @type {Array<[string, Record<string, any>]>} */ ([
    ['a result', {}],
    ['a result with workers', { workers: 2 }],
    ['a result of several URLs', { url: [secretUrl(server.port), secretUrl(server.port)] }]
  ])) {
    const result = await autocannon({ url: secretUrl(server.port), ...options, amount: 2, connections: 2, ...more })
    t.equal(result['2xx'], 2)
    hides(t, all(result), what)
    t.ok([result.url].flat().every((/** @type {string} */ url) => url === `${shown}:${server.port}/path`), String(result.url))
  }

  const raws = await Promise.all([1, 2].map(() => autocannon({ url: secretUrl(server.port), ...options, amount: 2, connections: 1, skipAggregateResult: true })))
  hides(t, JSON.stringify(raws), 'a raw result')
  hides(t, all(autocannon.aggregateResult(raws)), 'an aggregated result')
  hides(t, all(autocannon.aggregateResult(raws, { url: secretUrl(server.port) })), 'an aggregated result with a URL of its own')
  hides(t, autocannon.printResult(autocannon.aggregateResult(raws)), 'a printed result')

  /** @type {Error[]} */
  const errors = []
  const refused = autocannon({ url: secretUrl(await closedPort()), ...options, amount: 2, connections: 1 })
  refused.on('reqError', error => errors.push(error))
  hides(t, all(await refused), 'a result with errors')
  t.equal(errors.length, 2)
  hides(t, all(errors), 'reqError')
  const failed = await autocannon({ url: secretUrl(99999), ...options }).catch((/** @type {any} */ error) => error)
  t.equal(failed.code, 'AC_OPTIONS')
  hides(t, all(failed), 'an OptionsError')
})

t.test('the first response that failed a check has no secret in it', async t => {
  const secrets = ['S3CR3T-COOKIE', 'S3CR3T-HEADER', 'S3CR3T-QUERY', 'S3CR3T-BODY', 'S3CR3T-DEEP']
  const headers = { 'set-cookie': ['sid=S3CR3T-COOKIE', 'lang=en'], 'x-api-key': 'S3CR3T-HEADER', location: '/cb?token=S3CR3T-QUERY', 'x-shown': 'plain' }
  const json = JSON.stringify({ shown: 'visible', token: 'S3CR3T-BODY', user: { password: 'S3CR3T-DEEP' } })
  for (const [what, body] of [['JSON', json], ['cut JSON', `${json.slice(0, -1)},"rest":"${'x'.repeat(3000)}"}`], ['a form', 'shown=visible&token=S3CR3T-BODY&password=S3CR3T-DEEP'], ['JSON that ends in a secret', `{"shown":"visible","token":"S3CR3T-BODY${'y'.repeat(3000)}"}`]]) {
    const server = await serve(t, (request, response) => {
      response.writeHead(201, headers)
      response.end(body)
    })
    for (const workers of [undefined, 1]) {
      const result = await autocannon({ url: server.url, amount: 2, connections: 1, workers, expect: { status: 200, json: { token: 'another' } } })
      const [sample] = Object.values(/** @type {any} */ (result).checks[0].samples)
      t.match(sample, { status: 201, body: /visible/ }, what)
      t.ok(JSON.stringify(sample.headers).includes('plain'), what)
      for (const [format, text] of [['the result', all(result)], ...['html', 'md', 'junit', 'json', 'ndjson'].map(format => [format, formatResult(result, format)])]) {
        t.strictSame(secrets.filter(secret => text.includes(secret)), [], `${what}: ${format}`)
      }
    }
  }
})

t.test('the reason for which a check failed has no secret in it, however deep it is in the value', async t => {
  const server = await serve(t, (request, response) => {
    response.writeHead(200, { location: '/cb?token=S3CR3T', 'x-info': 'Bearer S3CR3T99' })
    response.end('{"wrap":{"n":1,"token":"S3CR3T"},"list":[{"password":"S3CR3T"}],"url":"http://u:S3CR3T@h/?api_key=S3CR3T"}')
  })
  for (const expect of [{ json: { wrap: 'x' } }, { json: { wrap: { n: 2 } } }, { json: { list: 'x' } }, { json: { url: 'x' } }, { headers: { location: 'x' } }, { headers: { 'x-info': 'x' } }, { json: { wrap: value => value === 1 } }]) {
    const { checks } = /** @type {any} */ (await autocannon({ url: server.url, amount: 1, connections: 1, expect }))
    t.equal(checks[0].failed, 1)
    t.notMatch(JSON.stringify(checks), 'S3CR3T')
  }
  const { checks } = /** @type {any} */ (await autocannon({ url: server.url, amount: 1, connections: 1, expect: { json: { wrap: 'x' } } }))
  t.strictSame(Object.keys(checks[0].reasons), ['json wrap: {"n":1,"token":"***"}, expected \'x\''])
})

t.test('whatever place a secret is put in, no output has it', async t => {
  const SECRET = 's3cr3t'
  const server = await serve(t, (request, response) => response.end('{"user":{"token":"another"}}'))
  const host = new URL(server.url).host
  const url = server.url
  const har = { log: { entries: [{ request: { method: 'POST', url: `http://user:${SECRET}@${host}/x`, headers: [{ name: 'Authorization', value: SECRET }], cookies: [{ name: 'a', value: SECRET }], postData: { params: [{ name: 'password', value: SECRET }] } } }] } }
  /** @type {string[]} */
  const warnings = []
  process.on('warning', ({ message }) => warnings.push(message))
  for (const [what, options] of /** @type {Array<[string, Record<string, any>]>} */ ([
    ['a URL', { url: `http://user:${SECRET}@${host}/` }],
    ['several URLs', { url: [`http://user:${SECRET}@${host}/`, `http://${SECRET}@${host}/b`], connections: 2, amount: 2, requests: [{}, { path: '/b' }], byRequest: true }],
    ['headers', { headers: { authorization: SECRET, cookie: SECRET, 'x-api-key': SECRET, 'x-auth': SECRET, 'x-a': `Bearer ${SECRET}` } }],
    ['a JSON body', { method: 'POST', body: `{"password":"${SECRET}"}` }],
    ['a body with an id', { method: 'POST', body: `{"id":[<id>],"password":"${SECRET}"}`, idReplacement: true }],
    ['NDJSON', { method: 'POST', body: `{"a":1}\n{"token":"${SECRET}"}\n` }],
    ['a form body', { method: 'POST', body: `a=1&password=${SECRET}` }],
    ['a multipart body', { method: 'POST', body: `--x\r\ncontent-disposition: form-data; name="secret"\r\n\r\n${SECRET}\r\n--x--` }],
    ['a form', { form: { password: { type: 'text', value: SECRET } } }],
    ['a HAR', { har }],
    ['the path of a request', { byRequest: true, requests: [{ path: `http://user:${SECRET}@${host}/x` }, { path: `/b?token=${SECRET}` }] }],
    ['the headers and the body of a request', { requests: [{ method: 'POST', headers: { cookie: SECRET }, body: `{"token":[<id>],"secret":"${SECRET}"}` }] }],
    ['expected headers', { expect: { headers: { 'x-token': SECRET, connection: 'none' } } }],
    ['expected JSON', { expect: { json: { 'user.token': SECRET } } }],
    ['what is expected of a request', { requests: [{ expect: { json: { 'user.token': SECRET }, headers: { 'set-cookie': false } } }] }],
    ['--expect-header and --expect-json', { expectHeader: [`authorization=${SECRET}`], expectJson: [`user.token=${SECRET}`] }],
    ['the body that is expected', { expectBody: SECRET }],
    ['a context', { initialContext: { token: SECRET, deep: { password: SECRET } } }],
    ['TLS options', { tlsOptions: { passphrase: SECRET, servername: 'a' } }]
  ])) {
    const given = { url, amount: 2, connections: 1, ...options }
    const instance = autocannon(given)
    const lines = /** @type {string[]} */ ([])
    autocannon.track(instance, { outputStream: new Writable({ write (chunk, encoding, callback) { lines.push(String(chunk)); callback() } }), renderProgressBar: false })
    const result = await instance
    t.ok(result.requests.total > 0, what)
    const raw = await autocannon({ ...given, skipAggregateResult: true })
    for (const [where, text] of [
      ['the result', all(result)], ['the raw result', all(raw)], ['the progress', lines.join('')], ['the report', autocannon.printResult(result, { renderRequestTable: true })],
      ...Object.keys(RENDERERS).map(format => [format, autocannon.formatResult(result, format)]),
      ['--print-config', what === 'the body that is expected' ? '' : printedConfig(validate(given).values, given)]
    ]) t.notOk(text.includes(SECRET), `${what} in ${where}`)
  }
  await new Promise(resolve => setImmediate(resolve))
  t.notOk(warnings.join().includes(SECRET), 'no warning has it')
})

t.test('nothing of a server reaches the terminal as it is', async t => {
  const evil = '\x1b[31m\x07'
  const server = await rawServer(t, `HTTP/1.1 200 \xe9\r\nSet-Cookie: a=1\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: ${evil.length}\r\n\r\n${evil}`)
  const broken = [`HTTP/1.1 200 ${evil}\r\nContent-Length: 0\r\n\r\n`, `HTTP/1.1 200 OK\r\nX: ${evil}\r\nContent-Length: 0\r\n\r\n`, evil]
  const others = await Promise.all(broken.map(bytes => rawServer(t, bytes)))
  for (const argv of [['-l', '--renderStatusCodes', '--debug', '-E', 'x'], ['-j', '--debug']]) {
    for (const { url } of [server, ...others]) {
      const { stdout, stderr } = await cli([...argv, '-a', '2', '-c', '1', url])
      t.match(stdout + stderr, argv.includes('-j') ? '"requests"' : '2 requests in')
      // eslint-disable-next-line no-control-regex
      t.notMatch(stdout + stderr, /[\x1b\x07]/)
    }
  }
  t.equal(server.requests.length, 4, 'a redirect is not followed')
  t.notOk(server.requests.some(({ head }) => /cookie/i.test(head)), 'a cookie is not kept')
})

t.test('the words of a hook that fails over an answer do nothing to the terminal', async t => {
  const body = '\x1b]0;X\x07\x9b\u202e\u2028\x7f'
  const server = await rawServer(t, Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`), Buffer.from(body)]))
  const hook = path.join(t.testdir({ 'parse.js': 'module.exports = [{ onResponse: (status, body) => { JSON.parse(body) } }]', 'config.js': 'exports.requests = require("./parse")' }), 'config.js')
  const { code, stderr } = await cli(['-a', '1', '-c', '1', '--no-progress', '--config', hook, server.url])
  t.equal(code, 1)
  t.match(stderr, /Failed, exit code 1: onResponse of request 0 failed: .*\\x1b\]0;X\\x07/)
  t.strictSame(hostileIn(stderr, '\n'), [])
  const error = await autocannon({ url: server.url, amount: 1, connections: 1, setupClient () { throw new Error(body + '\nautocannon: all is well') } }).catch((/** @type {Error} */ error) => error)
  t.strictSame(hostileIn(error.message), [], 'it is one line')
})

t.test('what a check quotes, and names that came from an answer, do nothing to the terminal', async t => {
  const evil = '\x9b31m\u202e\u2028\x7f\x1b[2J'
  const json = JSON.stringify({ name: evil })
  const server = await serve(t, (request, response) => response.end(json))
  const raw = await rawServer(t, Buffer.from('HTTP/1.1 200 OK\r\nX: a\x9b31m\xad\r\nContent-Length: 0\r\n\r\n', 'latin1'))
  for (const [what, options, expected] of /** @type {Array<[string, Record<string, any>, RegExp]>} */ ([
    ['a header', { url: raw.url, expect: { headers: { x: 'fine' } } }, /header x: 'a\\x9b31m\\xad', expected 'fine'/],
    ['JSON', { url: server.url, expect: { json: { name: 'ann' } } }, /json name: '\\x9b31m\\u202e\\u2028\\x7f\\x1b\[2J', expected 'ann'/],
    ['a path', {
      url: server.url,
      byRequest: true,
      setupClient: (/** @type {any} */ client) => client.on('body', (/** @type {Buffer} */ body) => client.setRequests([{ path: '/' + JSON.parse(String(body)).name }]))
    }, /GET \/\\x9b31m\\u202e\\u2028\\x7f\\x1b\[2J/]
  ])) {
    const result = await autocannon({ amount: 2, connections: 1, ...options })
    const text = autocannon.printResult(result, { renderRequestTable: true })
    t.match(text, expected, what)
    t.strictSame(hostileIn(text, '\n'), [], `${what} in the report`)
    t.strictSame(hostileIn(Object.keys(result.byRequest).join('') + result.checks.flatMap((/** @type {any} */ { reasons }) => Object.keys(reasons)).join('')), [], `${what} in the result`)
  }
})

t.test('no text of a server, a hook or a file commands a CI', async t => {
  const words = CI_COMMANDS.replaceAll('\r\n', ' ')
  const head = `HTTP/1.1 200 ::error::X ##vso[a]\r\nX-A: ${words}\r\nContent-Length: `
  const json = JSON.stringify({ name: CI_COMMANDS })
  const lines = `a\n${CI_COMMANDS}\n  ${CI_COMMANDS}`
  const [text, object, broken] = await Promise.all([`${head}${lines.length}\r\n\r\n${lines}`, `${head}${json.length}\r\n\r\n${json}`, `${CI_COMMANDS}\r\n\r\n`].map(bytes => rawServer(t, bytes)))
  const folder = t.testdir({
    'hook.js': `let calls = 0; module.exports = { requests: [{ onResponse: () => { if (++calls > 2) throw new Error(${JSON.stringify(CI_COMMANDS)}) } }] }`,
    'dies.js': `process.stderr.write(${JSON.stringify(lines)}); process.exitCode = 1`,
    '##[error]::error::.json': CI_COMMANDS
  })
  const file = (/** @type {string} */ name) => path.join(folder, name)
  const run = ['-c', '1', '-a', '5', '--verbose', '--debug']
  for (const [what, argv, code, shown] of /** @type {Array<[string, string[], number, RegExp]>} */ ([
    ['a body and a header that were expected to differ', [...run, '--expect-json', 'a=1', '--expect-header', 'x-a=b', '-o', '-.md', text.url], 3, /x23vso/],
    ['the same as JUnit, CSV and HTML', [...run, '--expect-json', 'a=1', '-o', file('out.html'), '-o', file('out.csv'), '--junit', file('out.xml'), text.url], 3, /Failed, exit code 3/],
    ['a value of JSON', [...run, '--expect-json', 'name=ann', object.url], 3, /x23vso/],
    ['--json', [...run, '--json', '--expect-json', 'name=ann', object.url], 3, /u0023vso/],
    ['a response that is none', [...run, broken.url], 1, /AC_STATUS_LINE/],
    ['a hook that throws after responses', ['-c', '1', '-a', '5', '--config', file('hook.js'), text.url], 1, /x23vso/],
    ['the last words of a server', ['-a', '1', '--quiet-server', '--on-port', '/', '--', 'node', file('dies.js')], 1, /x23vso/],
    ['the name and the words of a file', ['--har', file('##[error]::error::.json'), text.url], 2, /x23\[error\]/],
    ['an option', ['::error::X', '##[error]'], 2, /x23\[error\]/]
  ])) {
    const { stdout, stderr, code: ended } = await cli(argv)
    t.equal(ended, code, `${what}: ${stderr}`)
    t.match(stdout + stderr, shown, what)
    t.strictSame(ciCommandsIn(stdout + '\n' + stderr), [], what)
  }
  for (const name of ['out.html', 'out.csv', 'out.xml']) t.strictSame(ciCommandsIn(readFileSync(file(name), 'utf8')), [], name)
})

t.test('what a started server prints is passed on as it is, unless --quiet-server is given', async t => {
  const started = path.join(t.testdir({ 'server.js': "process.stdout.write('::notice::up\\n'); require('node:http').createServer((q, r) => r.end()).listen(0)" }), 'server.js')
  for (const [flags, passed] of /** @type {Array<[string[], boolean]>} */ ([[[], true], [['--quiet-server'], false]])) {
    const { stderr } = await cli(['-a', '2', '-c', '1', ...flags, '--on-port', '/', '--', 'node', started])
    t.equal(stderr.includes('::notice::up'), passed, flags.join())
  }
})

t.test('a header named __proto__ changes no object', async t => {
  const server = await rawServer(t, 'HTTP/1.1 200 OK\r\n__proto__: a\r\n__proto__: b\r\nconstructor: c\r\nContent-Length: 0\r\n\r\n')
  /** @type {any} */
  let seen
  await autocannon({ url: server.url, amount: 1, connections: 1, requests: [{ onResponse: (/** @type {any[]} */ ...[, , , headers]) => { seen = headers } }] })
  t.equal(Object.getPrototypeOf(seen), Object.prototype)
  t.equal(seen.constructor, 'c')
  t.equal(/** @type {any} */ ({}).a, undefined)
})

t.test('SECURITY.md says how to report', async t => {
  const text = readFileSync(path.join(__dirname, '../SECURITY.md'), 'utf8')
  for (const heading of ['What it trusts', 'What it does not trust', 'What is never logged', 'How to report']) t.match(text, `## ${heading}\n`)
})

inAllModes(t, 'a secret that a template or the environment puts into a request is in no output', async (t, mode) => {
  const [PASSWORD, CAPTURED, API] = ['pw-7Qk2/vZ9 xT', 'cap-4mW8sR1pLd', 'api-9dH3/nB6 yC']
  const server = await serve(t, (request, response) => {
    const isLogin = request.url === '/login'
    response.writeHead(isLogin ? 200 : 500).end(isLogin ? JSON.stringify({ token: CAPTURED }) : '{}')
  })
  const requests = [
    { path: '/login', capture: { token: 'json token' } },
    { path: '/reset/{{u.password}}/now?id={{u.id}}' },
    { path: '/raw/{{{u.password}}}', method: 'POST', body: 'password={{u.password}}' },
    { path: '/env/{{env.API_TOKEN}}?x={{env.API_TOKEN}}', headers: { 'x-a': '{{env.API_TOKEN}}' } },
    { path: '/captured/{{token}}{{u.id}}', expect: { json: { token: '{{u.password}}' } } },
    // eslint-disable-next-line no-template-curly-in-string
    { path: '/config/?sig=${API_TOKEN}&token=${API_TOKEN}', headers: { 'x-b': '${API_TOKEN}' } }
  ]
  const folder = t.testdir({
    'users.csv': `id,password\n1,${PASSWORD}\n`,
    // eslint-disable-next-line no-template-curly-in-string
    'run.json': JSON.stringify({ title: 'with ${API_TOKEN}', url: server.url, data: { u: 'users.csv' }, byRequest: true, scenarios: [{ name: 'all', requests }] })
  })
  const outputs = ['html', 'md', 'json', 'ndjson', 'csv'].map(kind => path.join(folder, `out.${kind}`))
  const junit = path.join(folder, 'out.xml')
  const written = outputs.flatMap(file => ['-o', file])
  const env = { API_TOKEN: API }
  const given = ['--config', path.join(folder, 'run.json'), '-c', '1', ...mode.parts > 1 && !mode.onAgents ? ['-w', String(mode.workers), '-c', '2'] : mode.onAgents ? ['-c', '2'] : []]
  const run = await mode.cli([...given, '-a', '40', '--debug', '--verbose', '--threshold', 'p99 < 10s', '--junit', junit, ...written], { env })
  const json = await mode.cli([...given, '-a', '20', '--json'], { env })
  const stopped = await mode.cli([...given, '-d', '0.4', '--threshold', 'POST /raw/{{{u.password}}}: p99 < 10s'], { env })
  t.notMatch([run.code, json.code, stopped.code], [2, 2, 2], run.stderr)
  const printed = await cli([...given, '--print-config'], { env })
  const all = { stdout: run.stdout, stderr: run.stderr, json: json.stdout + json.stderr, other: stopped.stdout + stopped.stderr, printed: printed.stdout, ...Object.fromEntries([...outputs, junit].map(file => [path.basename(file), readFileSync(file, 'utf8')])) }
  for (const secret of [PASSWORD, CAPTURED, API]) {
    for (const [name, text] of Object.entries(all)) {
      for (const form of [secret, encodeURIComponent(secret), secret.replace(' ', '%20'), secret.replace(' ', '+')]) {
        const at = text.indexOf(form)
        t.equal(at, -1, at === -1 ? name : `${name}: ${text.slice(Math.max(0, at - 60), at + 60)}`)
      }
    }
  }
  const result = JSON.parse(json.stdout)
  // eslint-disable-next-line no-template-curly-in-string
  t.equal(result.title, 'with ${API_TOKEN}')
  const shown = new Set([...result.slowest, ...result.firstFailures].map(({ request }) => request))
  // eslint-disable-next-line no-template-curly-in-string
  for (const request of ['GET /reset/{{u.password}}/now?id={{u.id}}', 'GET /captured/{{token}}{{u.id}}', `GET /config/?sig=\${API_TOKEN}&token=${mode.workers === undefined ? '${API_TOKEN}' : '***'}`]) t.ok(shown.has(request), request, { shown: [...shown] })
  t.ok(server.requests.some(({ url }) => url.includes(encodeURIComponent(PASSWORD))), 'all of them were sent')
  // eslint-disable-next-line no-template-curly-in-string
  t.equal(JSON.parse(printed.stdout).title, 'with ${API_TOKEN}')
  // eslint-disable-next-line no-template-curly-in-string
  t.equal(JSON.parse(printed.stdout).scenarios[0].requests[5].path, '/config/?sig=${API_TOKEN}&token=${API_TOKEN}', 'what is printed can be read back')
})

/** Values with a secret name that requests have, and the forms in which an output may have them. */
const GIVEN = { password: 'pw-7Qk2/vZ9 xT', captured: 'cap-4mW8sR1pLd', variable: 'api-9dH3/nB6 yC' }
const FORMS = Object.values(GIVEN).flatMap(value => [value, encodeURIComponent(value), value.replace(' ', '%20'), value.replace(' ', '+')])

/**
 * @param {any} t
 * @returns {Promise<{ file: string, env: Record<string, string>, requests: any[] }>} a config that sends all of them, and what was sent
 */
async function secretRun (t) {
  const server = await serve(t, (request, response) => {
    if (request.url.startsWith('/destroyed')) return request.socket.destroy()
    response.writeHead(request.url === '/login' ? 200 : 500).end(request.url === '/login' ? JSON.stringify({ token: GIVEN.captured }) : '{"a":"b"}')
  })
  const requests = [
    { path: '/login', capture: { token: 'json token' } },
    { path: '/reset/{{u.password}}', method: 'POST', body: '{{u.password}}', headers: { 'x-a': '{{u.password}}' } },
    { path: '/captured/{{token}}', headers: { 'x-b': '{{env.API_TOKEN}}' }, expect: { headers: { 'x-c': '{{u.password}}' }, json: { a: '{{token}}' }, body: { includes: '{{env.API_TOKEN}}' } } },
    { path: '/destroyed/{{u.password}}' },
    // eslint-disable-next-line no-template-curly-in-string
    { path: '/config/${API_TOKEN}', name: 'with ${API_TOKEN}' }
  ]
  // eslint-disable-next-line no-template-curly-in-string
  const shown = { scenarios: [{ name: 'all ${API_TOKEN}', requests }] }
  const config = { url: server.url, data: { u: { rows: [{ password: GIVEN.password }] } }, byRequest: true, ...shown }
  return { file: path.join(t.testdir({ 'run.json': JSON.stringify(config) }), 'run.json'), env: { API_TOKEN: GIVEN.variable }, requests: server.requests }
}

/**
 * @param {any} t
 * @param {Record<string, string>} outputs
 */
function showsNone (t, outputs) {
  for (const [name, text] of Object.entries(outputs)) {
    t.ok(text.length > 0, `${name} has text`)
    for (const form of FORMS) {
      const at = text.indexOf(form)
      t.equal(at, -1, at === -1 ? name : `${name}: ${text.slice(Math.max(0, at - 80), at + 80)}`)
    }
  }
}

t.test('the live page, metrics and errors show no secret that a request has', async t => {
  const { file, env, requests } = await secretRun(t)
  /** @type {string[]} */
  const pushed = []
  const collector = await serve(t, (request, response) => {
    pushed.push(String(request.body))
    response.setHeader('content-type', 'application/json').end('{}')
  })
  const running = start(['--config', file, '-c', '1', '-d', '60', '--debug', '--ui', '127.0.0.1:0', '--metrics-listen', '127.0.0.1:0', '--otlp', collector.url], { env })
  await running.says('stderr', 'metrics are at')
  await running.says('stderr', 'live page of this run:\n')
  const [, link] = /live page of this run:\n(\S+)/.exec(running.stderr) ?? []
  const [, metrics] = /metrics are at (\S+)/.exec(running.stderr) ?? []
  const page = await (await fetch(link)).text()
  const events = fetch(`${link}events`).then(response => response.text())
  let scraped = ''
  while (!scraped.includes('reset') || !requests.some(({ url }) => url.includes(encodeURIComponent(GIVEN.password)))) {
    await new Promise(resolve => setTimeout(resolve, 200))
    scraped = await (await fetch(metrics)).text()
  }
  const report = await (await fetch(`${link}report`)).text()
  running.kill('SIGINT')
  const { stdout, stderr } = await running.ended
  showsNone(t, { page, events: await events, scraped, report, pushed: pushed.join('\n'), stdout: stdout + stderr, stderr })
})

t.test('the log of an agent shows no secret that a request has', { skip: noRedis }, async t => {
  const redis = await startRedis(t)
  const { file, env, requests } = await secretRun(t)
  const both = await agents(t, redis.url, ['one', 'two'])
  const { stdout, stderr } = await launch(t, ['--config', file, '--redis', redis.url, '--agents', '2', '-c', '2', '-a', '20', '--json', '--debug'], { env }).ended
  t.equal(JSON.parse(stdout).agents.length, 2)
  t.ok(requests.some(({ url }) => url.includes(encodeURIComponent(GIVEN.password))), 'all of them were sent')
  showsNone(t, { stdout, stderr, logs: both.map(({ stderr, stdout }) => stderr + stdout).join('') })
})
