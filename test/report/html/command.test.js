'use strict'

// The command that repeats a run, read by a shell and by autocannon again.

const t = require('tap')
const { spawnSync } = require('node:child_process')
const { apiOptions } = require('../../../lib/cli/run-values')
const { grammarOf, readFlags } = require('../../../lib/cli/args')
const { describeOptions } = require('../../../lib/options/describe')
const { readGoal } = require('../../../lib/experiments/find/options')
const { FIND } = require('../../../lib/experiments/find/flags')
const { TABLE } = require('../../../lib/options/table')
const { validate } = require('../../../lib/options/validate')
const { commandOf } = require('../../../lib/report/html/command')

/** @param {Record<string, any>} given options of the API */
const described = given => JSON.parse(JSON.stringify(describeOptions(given, validate(given).values)))

/**
 * @param {string} command
 * @returns {string[]} the arguments that a shell makes of it
 */
function argumentsOf (command) {
  const { stdout, stderr } = spawnSync('sh', ['-c', `autocannon () { for one; do printf '%s\\0' "$one"; done; }\n${command}`], { encoding: 'utf8' })
  t.equal(stderr, '')
  return stdout.split('\0').slice(0, -1)
}

/**
 * @param {string} command
 * @returns {Record<string, any>} what a result says of the options of a run by it
 */
function optionsOf (command) {
  const { raw, problems } = readFlags(argumentsOf(command), {})
  t.strictSame(problems, [], command)
  return described(apiOptions(raw, validate(raw).values))
}

const url = ['http://localhost:3000/items']

t.test('the command, read again, gives the options back', async t => {
  for (const given of /** @type {Array<Record<string, any>>} */ ([
    { url },
    { url: ['http://localhost:3000/', 'https://localhost:4000/a?b=c&d=%20$HOME`x`'] },
    { url, connections: 50, pipelining: 4, duration: 1.5, sampleInt: 500, workers: 2, timeout: 3, rate: 0.5 },
    { url, amount: 1_000_000_000_000, maxConnectionRequests: 5, maxOverallRequests: 100, bailout: 3, reconnectRate: 7, connectionRate: 12 },
    { url, overallRate: 100, ignoreCoordinatedOmission: true, excludeErrorStats: true, forever: true, idReplacement: true, byRequest: true },
    { url, socketPath: "/tmp/it's a \"socket\".sock", servername: 'a.example' },
    { url, socketPath: '-x' },
    { url: ['https://localhost:4000/'], tlsMin: 1.2, tlsMax: '1.3', ciphers: 'HIGH:!RC4:TLS_AES_128_GCM_SHA256', alpn: ['http/1.0', 'http/1.1'], tlsSessionReuse: true, insecure: true, compressed: true },
    { url: ['https://localhost:4000/'], alpn: [] },
    { url, method: 'PATCH', headers: { accept: '*/*', 'x-a': ['1', '2'] } },
    { url, thresholds: ['p99 < 50ms', 'rps >= 2000', { threshold: 'error rate < 1%', abortOn: true }] },
    { url, percentiles: [50, 99.9] },
    { url, warmup: { connections: 2, duration: 3 } },
    { url, warmup: { duration: 0.5 } },
    { url, warmup: {} },
    { url, stages: ['30s:500/s', { duration: 60, rate: 0.5, name: 'a peak' }, '0s:1/s', '1500ms:1/s'], arrivals: 'poisson', seed: 5 },
    { url, stages: ['30s:500', '1m:0'] },
    { url, stages: '30s:500', connections: 5 },
    { url, burst: '100/5s', duration: 20 },
    { url, stream: 'sse', streamFor: '5s', events: 100, stall: '2s', idleTimeout: 20 },
    { url: ['ws://localhost:3000/ticker'], receive: true, age: 'json sent.at', ping: '30s', subprotocol: ['a', 'b'] },
    { url, burst: { requests: 3, every: '250ms' } },
    { url, expect: { status: [200, '3xx'], headers: { 'content-type': 'text/html', etag: true }, json: { 'user.id': 42, 'items[0].name': "it's", a: null, b: '42', c: [1, { d: false }] } } }
  ])) {
    const options = described(given)
    const { command, missing } = commandOf(options)
    t.strictSame(optionsOf(command), options, command)
    t.strictSame(missing, [])
  }
})

t.test('a single request is its method, path, headers, body and expectations', async t => {
  const given = { url: ['http://localhost:3000/old?x', 'http://localhost:4000'], headers: { accept: 'a', 'x-b': 'b' }, expect: { status: 200, headers: { etag: true } } }
  const options = described({ ...given, requests: [{ method: 'POST', path: '/new?a=1', headers: { Accept: 'c' }, expect: { json: { id: 1 }, headers: { server: 'x' } } }] })
  const { command, hidden, missing } = commandOf(options)
  t.equal(command, "autocannon --connections 10 --pipelining 1 --duration 10 --timeout 10 --header 'x-b: ***' --header 'Accept: ***' --expect-status 200 " +
    "--expect-header 'etag=***' --expect-header 'server=***' --expect-json id=1 --method POST 'http://localhost:3000/new?a=1' 'http://localhost:4000/new?a=1'")
  t.strictSame(hidden, ['the header x-b', 'the header Accept', 'what the header etag is expected to be', 'what the header server is expected to be'])
  t.strictSame(missing, [])
  const { requests, ...read } = optionsOf(command)
  t.equal(requests, undefined)
  t.equal(read.method, 'POST')
  t.strictSame(read.url, ['http://localhost:3000/new?a=1', 'http://localhost:4000/new?a=1'])
})

t.test('what a result does not show is to be filled in, and named', async t => {
  const { command, hidden, missing } = commandOf(described({
    url: 'http://me:secret@localhost:3000/', method: 'POST', body: '{"password":"x"}', expectBody: 'ok', headers: { authorization: 'Bearer x' }, form: undefined
  }))
  t.equal(command, "autocannon --connections 10 --pipelining 1 --duration 10 --timeout 10 --method POST --header 'authorization: ***' --body '***' --expectBody '***' 'http://***@localhost:3000/'")
  t.strictSame(hidden, ['the header authorization', 'body (16 bytes)', 'expectBody (2 bytes)', 'user and password of the URL'])
  t.strictSame(missing, [])
  const form = commandOf(described({ url, form: { field: { type: 'text', value: 'x' } } }))
  t.match(form.command, " --form '***' ")
  t.strictSame(form.hidden, ['form (not shown)'])
})

t.test('what no flag can say is named, and the rest is said', async t => {
  const { command, missing } = commandOf(described({
    url,
    initialContext: { a: 1 },
    setupClient: function prepare () {},
    verifyBody: '/hooks/verify.js',
    check: () => true,
    tlsOptions: { ca: 'x' },
    expect: { maxMs: 500, maxBytes: 10, body: 'x', json: { a: /b/ } },
    requests: [{ path: '/a', name: 'a', setupRequest: function setup () {} }]
  }))
  t.equal(command, 'autocannon --connections 10 --pipelining 1 --duration 10 --timeout 10 http://localhost:3000/a')
  t.strictSame(missing, [
    'name of the request (a)', 'setupRequest of the request (function setup)', 'setupClient (function prepare)', 'initialContext (not shown)', 'verifyBody (/hooks/verify.js)',
    'expect.body (not shown)', 'expect.json a (/b/)', 'expect.maxBytes (10)', 'expect.maxMs (500)', 'check (function check)',
    'tlsOptions (certificates and keys in files: --cert, --key, --ca)'
  ])
  const several = commandOf(described({ url, requests: [{ path: '/a' }, { path: '/b' }, {}] }))
  t.equal(several.command, 'autocannon --connections 10 --pipelining 1 --duration 10 --timeout 10 http://localhost:3000/items')
  t.strictSame(several.missing, ['the 3 requests that take turns'])
  const named = commandOf(described({ url, requests: [{ path: '/a', name: 'a' }], thresholds: ['a: p99 < 1ms', 'a: failures < 1', 'p99 < 50ms'] }))
  t.equal(named.command, "autocannon --connections 10 --pipelining 1 --duration 10 --timeout 10 --threshold 'p99 < 50ms' http://localhost:3000/a")
  t.strictSame(named.missing, ['name of the request (a)', 'the threshold a: p99 < 1ms', 'the threshold a: failures < 1'])
  t.strictSame(commandOf(described({ url, requests: [{ path: 'http://other/x' }] })).missing, ['the path http://other/x of the request'])
})

t.test('a shell reads it as it is meant, whatever is in it', async t => {
  for (const text of ["'", "a'b'c", '$(touch x)', '`x`', '"', '\\', '!x', '#', '~', '*', 'ä€😀', '; rm -rf x', '&&', '--', '']) {
    const threshold = text
    t.strictSame(argumentsOf(commandOf({ url, thresholds: [threshold] }).command), text.startsWith('-') ? [`--threshold=${text}`, url[0]] : ['--threshold', text, url[0]], text)
  }
})

t.test('a search is repeated by autocannon find', async t => {
  const search = { over: 'rate', from: 100, to: 20_000, precision: 0.005, step: 1, failBelow: 4000, thresholds: ['p99 < 50ms', 'errors == 0'] }
  const { command } = commandOf({ url: 'http://localhost:3000', pipelining: 2 }, search)
  t.equal(command, "autocannon find --from 100/s --to 20000/s --precision 0.5% --step 1s --fail-below 4000/s --threshold 'p99 < 50ms' --threshold 'errors == 0' --pipelining 2 http://localhost:3000")
  const words = argumentsOf(command)
  t.equal(words[0], 'find')
  const { goal } = readGoal(readFlags(words.slice(1), {}, undefined, grammarOf([...TABLE, ...FIND], 'url')).raw)
  t.match(goal, { over: 'rate', from: 100, to: 20_000, precision: 0.005, stepMs: 1000, failBelow: 4000, thresholds: search.thresholds.map(expression => ({ expression })) })
  t.match(commandOf({ url: 'http://localhost:3000' }, { ...search, over: 'connections', from: 1, to: 10, failBelow: undefined }).command, / find --over connections --from 1 --to 10 --precision 0\.5% --step 1s --threshold/)
})

t.test('scenarios, and the thresholds that are about them, are left to a config in so many words', async t => {
  const scenarios = [{ name: 'browse', rate: '5 iterations/s', requests: [{ name: 'home', path: '/', capture: { token: 'json auth.token' } }] }, { name: 'buy', connections: 3, requests: [{ path: '/buy' }] }]
  const { command, missing } = commandOf(described({ url, scenarios, thresholds: ['scenario buy: completed > 99%', 'browse: p95 < 5s', 'home: p95 < 1s', 'iterations: cut == 0', 'p99 < 1s'] }))
  t.notMatch(command, /browse|buy|home|iterations|scenarios/)
  t.match(command, "--threshold 'p99 < 1s'")
  t.strictSame(missing, ['the threshold scenario buy: completed > 99%', 'the threshold browse: p95 < 5s', 'the threshold home: p95 < 1s', 'the threshold iterations: cut == 0', 'the scenarios browse, buy'])
  t.strictSame(commandOf(described({ url, scenarios: [{ requests: [{ path: '/' }] }] })).missing, ['the scenario'])
})

t.test('a server that was started for the run is started again: it listened at a port of its own', async t => {
  const onPort = ['env', 'MODE=fast', 'API_KEY=***', 'node', 'server.js', "it's"]
  const { command, hidden } = commandOf({ url: ['http://127.0.0.1:41009/a?x=1'], connections: 5, onPort })
  t.equal(command, "autocannon --connections 5 --on-port '/a?x=1' -- env MODE=fast 'API_KEY=***' node server.js 'it'\\''s'")
  t.strictSame(hidden, ['the command of the server'])
  t.equal(commandOf({ url: ['http://127.0.0.1:41009'], onPort: ['node', 'a.js'] }).command, 'autocannon --on-port / -- node a.js')
})
