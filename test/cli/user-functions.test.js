'use strict'

// User functions through the command line: where a mistake is, what nothing waits for, credentials, and exit codes.

const t = require('tap')
const { start } = require('../helpers/processes/cli')
const { answer, rawServer } = require('../helpers/servers/raw-server')
const { byPath, headerOf } = require('../helpers/user-functions')

const folder = t.testdir({
  'throws.mjs': "export default async function buy ({ http }) {\n  await http.get('/')\n  const x = undefined\n\n  return x.y\n}\n",
  'misuse.mjs': "export default async function buy ({ http }) {\n  await http.get('/')\n  await http.get('/', { quary: {} })\n}\n",
  'unseen.mjs': "export default async function buy ({ http }) {\n  http.get('/', { quary: {} })\n  await http.get('/')\n}\n",
  'promise.mjs': "export default async function buy ({ http }) {\n  const r = http.get('/')\n  if (r.status === 200) await http.get('/more')\n}\n",
  'late.mjs': "export default async function ({ http }) {\n  await http.get('/')\n  setTimeout(() => { http.get('/late') }, 5)\n}\n",
  'branch.mjs': `export default async function ({ http }) {
  const branch = async () => {
    await http.get('/slow')
    await http.get('/never')
  }
  branch()
  await http.post('/reset')
}
`,
  'derived.mjs': `export default async function ({ http }) {
  http.post('/reset').then(response => response.json())
  const late = http.post('/reset').then(response => response.json())
  await http.get('/slow')
  await late.catch(() => {})
}
`,
  'syntax.mjs': "export default async function ({ http }) {\n  await http.get('/'\n}\n",
  'several.mjs': "export const options = { scenarios: [{ name: 'a', weight: 3, exec: 'a' }, { name: 'b', exec: 'b' }] }\nexport const a = ({ http }) => http.get('/a')\nexport const b = ({ http }) => http.get('/b')\n",
  'none.mjs': 'export const shop = 1\n',
  'timers.mjs': "setInterval(() => {}, 1000)\nexport default ({ http }) => http.get('/')\n",
  'whole.mjs': `export async function setup ({ http }) { return { status: (await http.get('/setup')).status } }
export async function user ({ http, user }) { return { number: user.number, status: (await http.get('/user')).status } }
export async function teardown ({ http, setup }) { await http.get('/teardown', { query: setup }) }
export default async function ({ http, setup, user, check }) {
  check(await http.get('/'), { 'set up': setup.status === 200, 'has its own': user.state.number === user.number && user.state.status === 200 })
}
`
})

t.jobs = 3

const OK = answer('{}')
const script = byPath({ '/reset': connection => connection.reset(), '/slow': connection => setTimeout(() => connection.send(OK), 300), '*': OK })

/**
 * In a process of its own: a command with user functions ends it, whatever modules leave behind.
 * @type {(t: any, args: string[]) => Promise<{ server: any, code: number | null, stdout: string, stderr: string }>}
 */
async function run (t, args) {
  const server = await rawServer(t, script)
  return { server, ...await start([...args, server.url], { cwd: folder }).ended }
}

t.test('a mistake ends the run and is named with file and line, in this thread and in workers', async t => {
  for (const workers of [[], ['-w', '2']]) {
    for (const [name, message, place] of [
      ['throws.mjs', /the function of user \d failed: Cannot read properties of undefined \(reading 'y'\)/, /throws\.mjs:5:12/],
      ['misuse.mjs', /http\.get\('\/'\): unknown option 'quary', did you mean 'query'\?/, /misuse\.mjs:3:14/],
      ['promise.mjs', /the function of user \d failed: a promise has no status: is an await missing, as in await http\.get\(path\)\?/, /promise\.mjs:3:9/],
      ['late.mjs', /a user function sent a request after its iteration had ended: is an await missing\?/, /late\.mjs:3:27/],
      ['unseen.mjs', /http\.get\('\/'\): unknown option 'quary', did you mean 'query'\?/, /unseen\.mjs:2:8/]
    ]) {
      const { code, stderr } = await run(t, ['-u', `./${name}`, '-d', '10', '-c', '2', ...workers])
      t.equal(code, 1, name)
      t.match(stderr, message)
      t.match(stderr, place)
    }
  }
})

t.test('several functions of a module are scenarios of its options', async t => {
  for (const args of [['run', './several.mjs'], ['-u', './several.mjs', '-w', '2']]) {
    const { code, stdout, stderr } = await run(t, [...args, '-a', '8', '-c', '2', '--json'])
    t.equal(code, 0, stderr)
    t.match(JSON.parse(stdout).byScenario, { a: { completed: 6 }, b: { completed: 2 } })
  }
})

t.test('a request that fails while it is not awaited, or at the end of the run, fails no run', async t => {
  for (const workers of [[], ['-w', '2']]) {
    const { code, stdout, stderr } = await run(t, ['-u', './derived.mjs', '-d', '1', '-c', '2', '--json', ...workers])
    t.equal(code, 0)
    t.notMatch(stderr, /nothing waits for|Unhandled|PromiseRejection/)
    const { iterations, errorCodes } = JSON.parse(stdout)
    t.ok(iterations.completed > 0 && iterations.cut === 0 && errorCodes.ECONNRESET >= 2 * iterations.completed)
  }
})

t.test('a branch of a function that goes on behind its aborted iteration fails no run, and sends nothing', async t => {
  const { code, server, stdout } = await run(t, ['-u', './branch.mjs', '-a', '8', '-c', '2', '--json'])
  t.equal(code, 0)
  const { started, cut, cutBy, unfinished } = JSON.parse(stdout).iterations
  // The last request of the amount may end its connection before the function hears of it.
  t.strictSame({ started, ended: cut + unfinished, cutBy }, { started: 4, ended: 4, cutBy: { ECONNRESET: cut } })
  t.ok(cut >= 2)
  t.notOk(server.requests.some(({ head }) => head.includes('/never')))
})

t.test('a module that can not be used is one line, with the place', async t => {
  for (const [args, expected] of [[['-u', './syntax.mjs'], 2], [['run', './syntax.mjs'], 2]]) {
    const { code, stderr, server } = await run(t, [...args, '-a', '1', '-c', '1'])
    t.equal(code, expected)
    t.match(stderr, /^autocannon: .*could not load the module '\.\/syntax\.mjs': .+, line 2\n/m)
    t.equal(server.requestCount, 0)
  }
  t.match(await run(t, ['-u', './none.mjs', '-a', '1', '-c', '1']), { code: 2, stderr: /has to export the function of a user as its default, got only shop/ })
  t.match(await run(t, ['-u', './nowhere.mjs', '-a', '1', '-c', '1']), { code: 2, stderr: /could not load the module '\.\/nowhere\.mjs'/ })
})

t.test('user and password are basic authorization, whatever the password looks like', async t => {
  for (const credentials of ['ann:secret', 'ann:top.js']) {
    const { code, server } = await run(t, ['-u', credentials, '-a', '1', '-c', '1'])
    t.equal(code, 0)
    t.equal(headerOf(server.requests[0], 'authorization'), `Basic ${Buffer.from(credentials).toString('base64')}`)
  }
})

t.test('setup, user and teardown, with run and with -u, in this thread and in workers', async t => {
  for (const args of [['-u', './whole.mjs'], ['run', './whole.mjs', '-w', '2']]) {
    const { code, server, stdout } = await run(t, [...args, '-a', '8', '-c', '4', '--json'])
    t.equal(code, 0)
    const { checks, iterations } = JSON.parse(stdout)
    t.match(checks, [{ name: 'set up', failed: 0 }, { name: 'has its own', failed: 0 }])
    t.ok(iterations.completed >= 4, `${iterations.completed}`)
    const paths = server.requests.map(({ head }) => head.split(' ')[1])
    t.strictSame([paths[0], paths.at(-1)], ['/setup', '/teardown?status=200'].slice(0, 2), paths.join())
    t.equal(paths.filter(path => path === '/setup').length, 1)
    t.equal(paths.filter(path => path === '/user').length, 4)
  }
})

t.test('the command ends although a module has a timer', async t => {
  const server = await rawServer(t, script)
  const { code } = await start(['-u', './timers.mjs', '-a', '1', '-c', '1', server.url], { cwd: folder }).ended
  t.equal(code, 0)
})
