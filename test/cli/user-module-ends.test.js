'use strict'

// How runs of user modules end: with which exit code, and that they end at all.

const path = require('node:path')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const t = require('tap')
const autocannon = require('../..')
const { cli } = require('../helpers/processes/cli')
const { serve } = require('../helpers/servers/http-server')

const WATCHDOG = path.join(__dirname, '../../lib/cli/process/watchdog')
const FAST = ['-d', '0.5', '-c', '1']

t.test('a teardown that throws is told behind the report, and is exit code 1', async t => {
  const { url } = await serve(t)
  const file = path.join(t.testdir({ 'a.mjs': "export const teardown = () => { throw new Error('the database is away') }\nexport default ({ http }) => http.get('/')\n" }), 'a.mjs')
  const { code, stderr } = await cli(['run', file, ...FAST, '--threshold', 'p95 < 60s', url])
  t.equal(code, 1)
  t.match(stderr, /teardown of .* failed: the database is away, at .*a\.mjs:1:/)
  t.match(stderr, /iterations? completed/, 'the report is there')
})

t.test('a check that fails in setup or teardown fails it, and what is expected of all requests does not', async t => {
  const { url } = await serve(t, (request, response) => { response.writeHead(request.url === '/list' ? 200 : 303).end() })
  const module = (name, code) => `export async function ${name} ({ http, check }) { ${code} }\nexport default ({ http }) => http.get('/list')\n`
  const folder = t.testdir({
    'checked.mjs': module('setup', "check(await http.get('/', { name: 'login' }), { 'has a session': r => r.cookie('sid') })"),
    'expected.mjs': module('setup', "await http.get('/', { expect: { status: 200 } })"),
    'torn.mjs': module('teardown', "check(await http.get('/'), { cleaned: r => r.ok })"),
    'fine.mjs': module('setup', "await http.get('/')")
  })
  const [checked, expected, torn, fine] = await Promise.all(['checked', 'expected', 'torn', 'fine'].map(name =>
    cli(['run', path.join(folder, `${name}.mjs`), ...FAST, '--expect-status', '200', url])))
  t.match(checked, { code: 1, stderr: /^autocannon: setup of '.*' failed: the check 'has a session' of 'login' failed: got undefined$/m })
  t.match(expected, { code: 1, stderr: /^autocannon: setup of '.*' failed: the check 'expect' of 'GET \/' failed: status 303, expected 200$/m })
  t.match(torn, { code: 1, stderr: /teardown of '.*' failed: the check 'cleaned' failed: got false/ })
  t.equal(fine.code, 0, fine.stderr)
})

t.test('a setup that returns what is no data, or lacks an await, says so', async t => {
  const { url } = await serve(t, (request, response) => response.end('{"token":1}'))
  const cases = [
    ["export const setup = ({ http }) => http.get('/')", /^setup of '.*' has to return plain data, which every worker and agent gets, got a response: return its data, as in \(await http\.get\(path\)\)\.json\(\)$/],
    ["export const setup = async ({ http }) => ({ login: await http.get('/') })", /, got a response as 'login': return its data/],
    ["export const setup = async ({ http }) => ({ login: http.get('/') })", /, got a promise as 'login': is an await missing\?$/],
    ["export const setup = async ({ http }) => http.get('/').json()", /^setup of '.*' failed: .*\.json is not a function: is an await missing, as in await http\.get\(path\)\?$/],
    ["export const setup = async ({ http }) => { await http.get('/') }", /reading 'token'\): setup is null, because the export setup returned nothing$/]
  ]
  const folder = t.testdir(Object.fromEntries(cases.map(([code], i) => [`${i}.mjs`, `${code}\nexport default ({ http, setup }) => http.get('/' + setup.token)\n`])))
  for (const [i, [code, message]] of cases.entries()) {
    const run = autocannon({ url, connections: 1, amount: 1, user: path.join(folder, `${i}.mjs`) })
    await t.rejects(run.then(() => {}), { code: 'AC_HOOK', message }, String(code))
  }
})

t.test('a setup that does something else for longer than the timeout is no function that never ends', async t => {
  const { url } = await serve(t)
  const setup = "async ({ http }) => { await http.get('/'); await new Promise(resolve => setTimeout(resolve, 1200)) }"
  const user = path.join(t.testdir({ 'a.mjs': `export const setup = ${setup}\nexport default ({ http }) => http.get('/')\n` }), 'a.mjs')
  const lines = []
  const run = autocannon({ url, connections: 1, amount: 1, timeout: 1, user })
  run.on('log', line => lines.push(line))
  await run
  t.strictSame(lines, [])
})

t.test('a setup without a server fails, and does not wait for one', async t => {
  const file = path.join(t.testdir({ 'a.mjs': "export const setup = ({ http }) => http.get('/')\nexport default ({ http }) => http.get('/')\n" }), 'a.mjs')
  const { code, stderr } = await cli(['run', file, ...FAST, 'http://127.0.0.1:1'])
  t.equal(code, 1)
  t.match(stderr, /setup of .* failed: .*ECONNREFUSED/)
})

t.test('exceptions that a run goes on behind fail it, and are counted under one reason each', async t => {
  const { url } = await serve(t)
  const file = path.join(t.testdir({ 'a.mjs': "export default async ({ http, iteration }) => { await http.get('/'); throw new Error('no ' + iteration) }\n" }), 'a.mjs')
  const { code, stdout } = await cli(['run', file, ...FAST, '--keep-going', '--json', url])
  const { iterations, checks } = JSON.parse(stdout)
  t.equal(code, 3)
  t.equal(iterations.completed, 0)
  t.ok(Object.keys(iterations.cutBy).length <= 21)
  t.match(checks, [{ name: 'exception', passed: 0, failed: iterations.cut }])
  t.ok(Object.keys(checks[0].reasons).length <= 51)
})

t.test('what functions print does not come into the result', async t => {
  const { url } = await serve(t)
  const file = path.join(t.testdir({ 'a.mjs': "console.log('loaded')\nexport default async ({ http }) => { console.log('hello'); await http.get('/') }\n" }), 'a.mjs')
  for (const where of [[], ['-w', '2', '-c', '2']]) {
    const { stdout, stderr } = await cli(['run', file, ...FAST, ...where, '--json', url])
    t.ok(JSON.parse(stdout).requests.sent > 0)
    t.match(stderr, /hello/)
    t.match(stderr, /loaded/)
  }
})

t.test('a module that leaves a timer behind ends, also when its options are wrong', async t => {
  const file = path.join(t.testdir({ 'a.mjs': 'setInterval(() => {}, 1000)\nexport const options = { conections: 1 }\nexport default () => {}\n' }), 'a.mjs')
  const { code, stderr } = await cli(['run', file, 'http://127.0.0.1:1'])
  t.equal(code, 2)
  t.match(stderr, /unknown key 'conections', did you mean 'connections'/)
})

t.test('a wrong option of a module is shown with its file and place', async t => {
  const cases = /** @type {Array<[string, RegExp]>} */ ([
    ['{ scenarios: [{ weigth: 1 }] }', /^autocannon: the options of '[^']*a\.mjs': unknown key 'weigth' in scenarios\[0\], did you mean 'weight'\?\n/],
    ['{ scenarios: [{ name: 5 }] }', /^autocannon: the options of '[^']*a\.mjs': scenarios\[0\]\.name: expected a text/],
    ['{ rate: 40 }', /^autocannon: (the user function|-u\/--user) and a rate of requests: a function sends its requests one after another, so the rate is one of iterations, such as rate '40 iterations\/s'\n/],
    ["{ connections: 'x' }", /^autocannon: the options of '[^']*a\.mjs': connections: expected /],
    ["{ scenarios: [{ exec: 'nope' }] }", /^autocannon: exec: the module '[^']*a\.mjs' exports no function 'nope'/]
  ])
  const folder = t.testdir(Object.fromEntries(cases.map(([options], i) => [`${i}a.mjs`, `export const options = ${options}\nexport default () => {}\n`])))
  for (const [i, [, message]] of cases.entries()) {
    const file = path.join(folder, `${i}a.mjs`)
    for (const argv of [['run', file], ['-u', file]]) {
      const { code, stderr } = await cli([...argv, 'http://127.0.0.1:1'])
      t.equal(code, 2)
      t.match(stderr, message)
    }
  }
})

t.test('options of k6 that are called otherwise here are named, each in a line', async t => {
  const file = path.join(t.testdir({ 'a.mjs': "export const options = { vus: 2, noCookiesReset: true, batch: 20, rps: 5, insecureSkipTLSVerify: true, noConnectionReuse: true, scenarios: { a: { executor: 'constant-vus' } } }\nexport default () => {}\n" }), 'a.mjs')
  const { code, stderr } = await cli(['run', file, 'http://127.0.0.1:1'])
  t.equal(code, 2)
  for (const words of ["unknown key 'noCookiesReset': .* cookies: { keep: 'connection' }", "unknown key 'batch': .* connectionsPerUser", "unknown key 'rps': .* rate: '50 iterations/s' for user functions", "unknown key 'insecureSkipTLSVerify': .* insecure: true", "unknown key 'noConnectionReuse': .* reconnectRate: 1", 'scenarios: expected a list, got an object of executors \\(k6\\)']) t.match(stderr, new RegExp(`^autocannon: .*${words}`, 'm'))
})

t.test('-u FILE reads the options of its module', async t => {
  const { url } = await serve(t)
  const file = path.join(t.testdir({ 'a.mjs': "export const options = { connections: 3, duration: 0.3, thresholds: ['requests > 1000000'] }\nexport default ({ http }) => http.get('/')\n" }), 'a.mjs')
  const { code, stdout } = await cli(['-u', file, '--json', url])
  t.equal(code, 3, 'its threshold is judged')
  t.equal(JSON.parse(stdout).connections, 3)
})

t.test('how options of k6 are read is shown, unless a flag overrides them', async t => {
  const { url } = await serve(t)
  const file = path.join(t.testdir({ 'a.mjs': "export const options = { vus: 2, thresholds: { http_req_failed: ['rate<0.5'] } }\nexport default ({ http }) => http.get('/')\n" }), 'a.mjs')
  const [read, overridden] = await Promise.all([[], ['-c', '1']].map(flags => cli(['run', file, '-d', '0.5', ...flags, url])))
  t.match(read.stderr, /vus: 2 is read as connections: 2; -c overrides it/)
  t.notMatch(overridden.stderr, 'vus')
  t.match(overridden.stderr, /http_req_failed/)
})

t.test('cookies of user() last, and those of an iteration do not', async t => {
  const { url, requests } = await serve(t, (request, response) => {
    if (request.url !== '/me') response.setHeader('set-cookie', `${request.url === '/login' ? 'sid' : 'seen'}=1; Path=/`)
    response.end()
  })
  const folder = t.testdir({
    'in.mjs': "export const user = ({ http }) => http.get('/login')\nexport default ({ http }) => http.get('/me')\n",
    'out.mjs': "export default async ({ http }) => { await http.get('/me'); await http.get('/shop') }\n"
  })
  await cli(['run', path.join(folder, 'in.mjs'), '-a', '5', '-c', '1', url])
  await cli(['run', path.join(folder, 'out.mjs'), '-a', '4', '-c', '1', url])
  const cookies = requests.filter(({ url }) => url === '/me').map(({ rawHeaders }) => rawHeaders[rawHeaders.findIndex(name => name.toLowerCase() === 'cookie') + 1])
  t.strictSame(cookies.slice(0, 4), ['sid=1', 'sid=1', 'sid=1', 'sid=1'])
  t.notMatch(cookies.slice(4).join(), /seen/)
})

t.test('a thread that is held is ended by the watchdog, and one that waits is not', async t => {
  const run = async code => {
    const child = spawn(process.execPath, ['-e', `const { Watchdog } = require(${JSON.stringify(WATCHDOG)}); const dog = new Watchdog(3000); ${code}`])
    let stderr = ''
    child.stderr.on('data', bytes => { stderr += bytes })
    const [exit, signal] = await once(child, 'close')
    return { exit, signal, stderr }
  }
  t.match(await run('setTimeout(() => { for (;;); }, 1000)'), { signal: 'SIGKILL', stderr: /a user function has held the thread/ })
  t.match(await run('setTimeout(() => dog.end(), 5000)'), { exit: 0, stderr: '' })
})
