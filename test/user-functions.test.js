'use strict'

// Each example of docs/user-functions.md runs: those that are a module as a file, and all others within a function.

const { readFileSync, writeFileSync } = require('node:fs')
const http = require('node:http')
const path = require('node:path')
const { once } = require('node:events')
const t = require('tap')
const ts = require('typescript')
const { Running, cli } = require('./helpers/processes/cli')
const { serve } = require('./helpers/servers/http-server')
const { webSocketServer } = require('./helpers/servers/websocket-server')

const PAGE = readFileSync(path.join(__dirname, '../docs/user-functions.md'), 'utf8')

const BIN = path.join(__dirname, '../bin/autocannon.js')

/** The scripts of other tools, and the call of a program, which test/contract has. */
const OTHERS = /^\/\/ k6\n|autocannon\(\{/

/** @type {(language: string) => string[]} */
const snippets = language => Array.from(PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm')), ([, code]) => code).filter(code => !OTHERS.test(code))

/** @param {string} url of a request */
function bodyOf (url) {
  if (url === '/list') return [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]
  return { id: 7, token: 'x', done: true, items: [{ id: 1 }], note: 'thanks' }
}

/** @param {import('node:http').IncomingMessage} request @param {any} response */
function answer (request, response) {
  const url = String(request.url)
  if (url === '/report') return
  if (url === '/v1/chat/completions') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end('data: {"choices":[{"delta":{"content":"Hi"}}]}\n\ndata: [DONE]\n\n')
    return
  }
  const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
  response.writeHead(url === '/login' && isForm ? 303 : 200, { 'content-type': 'application/json', 'set-cookie': 'sid=1' })
  response.end(JSON.stringify(url === '/api/products' ? [{ id: 1 }] : bodyOf(url)))
}

/** @param {Tap.Test} t */
const shop = t => serve(t, answer)

/** The shop, with WebSockets at the same port. @param {Tap.Test} t */
async function chat (t) {
  const server = http.createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { url } = await webSocketServer(t, (socket, message) => {
    const { id } = JSON.parse(String(message))
    if (id === undefined) for (const type of ['news', 'end']) socket.send(JSON.stringify({ type }))
    else socket.send(JSON.stringify({ id, delivered: true }))
  }, { server, port: undefined })
  return { url: url.replace('ws:', 'http:') }
}

const modules = snippets('js').filter(code => code.includes('export '))
const parts = snippets('js').filter(code => !code.includes('export '))

t.ok(modules.length >= 7 && parts.length >= 4)
t.jobs = 2

for (const [i, code] of modules.entries()) {
  t.test(`module ${i + 1} of the page runs: ${/export default .*/.exec(code)?.[0] ?? code.split('\n')[0]}`, { buffered: true }, async t => {
    const { url } = await shop(t)
    const isWhole = code.includes('export default')
    const folder = t.testdir({ 'users.csv': 'email,user\nann@example.org,ann\n' })
    writeFileSync(path.join(folder, 'user.mjs'), isWhole ? code.replaceAll(/'1s', '3s'/g, "'10ms', '20ms'").replaceAll("pause('1s')", "pause('10ms')") : `${code}\nexport default ({ http, data }) => http.get('/' + data.users.user + data.cities)`)
    const data = code.includes('data.users') ? ['--data', 'users=users.csv'] : []
    const { code: exit, stdout, stderr } = await cli(['run', 'user.mjs', url, '-a', '8', '-c', '1', '--json', '--threshold', 'requests > 0', '--inconclusive', 'pass', ...data], { cwd: folder })
    t.equal(exit, 0, `${code}\n${stderr}`)
    const { iterations, failures } = JSON.parse(stdout)
    t.ok(iterations.completed > 0)
    t.strictSame([iterations.cut, failures], [0, 0])
  })
}

for (const [i, code] of parts.entries()) {
  t.test(`part ${i + 1} of the page runs: ${code.split('\n')[0]}`, { buffered: true }, async t => {
    const { url } = await (code.includes('ws(') ? chat : shop)(t)
    const folder = t.testdir({ 'users.csv': 'email,user\nann@example.org,ann\n', 'user.mjs': `const token = 'x'\nexport default async ({ http, ws, data, check, group }) => {\n${code.replace("'1s'", "'50ms'")}\n}\n` })
    const { code: exit, stdout, stderr } = await cli(['run', 'user.mjs', url, '-a', code.includes('ws(') ? '4 iterations' : '8', '-c', '1', '--json', ...code.includes('data.users') ? ['--data', 'users=users.csv'] : []], { cwd: folder })
    t.equal(exit, 0, `${code}\n${stderr}`)
    const { iterations, checks } = JSON.parse(stdout)
    t.ok(iterations.completed > 0)
    t.strictSame([iterations.cut, checks.filter((/** @type {{ failed: number }} */ { failed }) => failed > 0)], [0, []])
  })
}

t.test('the TypeScript of the page has its types', async t => {
  const folder = t.testdir({ node_modules: { autocannon: t.fixture('symlink', path.join(__dirname, '..')) } })
  const file = path.join(folder, 'shop.mts')
  writeFileSync(file, snippets('ts').join('\n'))
  const program = ts.createProgram([file], { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, target: ts.ScriptTarget.ES2023, strict: true, noEmit: true, skipLibCheck: true, types: ['node'], typeRoots: [path.join(__dirname, '../node_modules/@types')] })
  t.strictSame(ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')), [])
})

const [major, minor] = process.versions.node.split('.').map(Number)
const strips = major > 22 || (major === 22 && minor >= 18)

t.test('the TypeScript of the page runs', { skip: strips ? false : 'this Node.js does not read TypeScript: 22.18 does' }, async t => {
  const { url } = await shop(t)
  const folder = t.testdir({ 'shop.ts': snippets('ts').join('\n'), 'package.json': '{"type":"module"}' })
  const { code, stderr } = await cli(['run', 'shop.ts', url, '-a', '8'], { cwd: folder })
  t.equal(code, 0, stderr)
})

t.test('a program that calls start goes on, although a module leaves a timer behind; the command ends', { buffered: true }, async t => {
  const { url } = await shop(t)
  const folder = t.testdir({
    'user.mjs': "setInterval(() => {}, 1000)\nexport default ({ http }) => http.get('/')",
    'program.js': `
const { start } = require(${JSON.stringify(path.join(__dirname, '..'))})
start(['run', 'user.mjs', '-a', '5', '${url}']).then(() => setTimeout(() => { console.log('it goes on'); process.exit(7) }, 1500))`
  })
  const program = await new Running(process.execPath, ['program.js'], { cwd: folder }).ended
  t.match(program, { code: 7, stdout: 'it goes on\n' })
  const command = await new Running(process.execPath, [BIN, 'run', 'user.mjs', '-a', '5', url], { cwd: folder }).ended
  t.equal(command.code, 0, command.stderr)
})

t.test('a function that sends nothing is named', { buffered: true }, async t => {
  const { url } = await shop(t)
  const folder = t.testdir({ 'user.mjs': 'export default async () => {}' })
  const { code, stderr } = await cli(['run', 'user.mjs', url, '-d', '0.3'], { cwd: folder })
  t.equal(code, 1)
  t.match(stderr, /exit code 1: [\d,]+ iterations? ended without a request: a user function sends one as in await http\.get\('\/'\)\. Requests of fetch and other libraries are not measured\.\n$/)
})

t.test('a function that only sends over a WebSocket is told how to wait for messages', { buffered: true }, async t => {
  const { url } = await webSocketServer(t, () => {})
  const folder = t.testdir({
    'sends.mjs': "export default async ({ ws }) => { const socket = await ws('/'); await socket.send('a') }",
    'opens.mjs': "export default async ({ ws }) => { await ws('/') }"
  })
  for (const [file, did] of [['sends.mjs', 'sent [\\d,]+ messages?'], ['opens.mjs', 'opened [\\d,]+ WebSockets?']]) {
    const { stderr } = await cli(['run', file, url.replace('ws:', 'http:'), '-a', '2 iterations'], { cwd: folder })
    t.match(stderr, new RegExp(`iterations ${did} and waited for no message: in a user function, await socket\\.request\\(message\\)`))
  }
})

t.test('a syntax error is shown with its line', { buffered: true }, async t => {
  const folder = t.testdir({
    'esm.mjs': "export default async ({ http }) => {\n  await http.get('/'\n}\n",
    'common.cjs': 'module.exports = async ({ http }) => {\n  const = 1\n}\n',
    'names.mjs': "import { nothing } from 'node:fs'\nexport default () => nothing\n"
  })
  const stderrOf = async (/** @type {string} */ file) => (await cli(['run', file, 'http://127.0.0.1:1'], { cwd: folder })).stderr
  t.match(await stderrOf('esm.mjs'), /^autocannon: could not load the module 'esm\.mjs': missing \) after argument list, line 2\n/)
  t.match(await stderrOf('common.cjs'), /^autocannon: could not load the module 'common\.cjs': Unexpected token '=', line 2\n/)
  t.match(await stderrOf('names.mjs'), /^autocannon: could not load the module 'names\.mjs': .*does not provide an export named 'nothing'/)
})

t.test('html() uses the cheerio of the project of the module, and names it where there is none', { buffered: true }, async t => {
  const { url } = await shop(t)
  const code = "export default async ({ http, log }) => { log((await http.get('/')).html('input').attr('value')) }"
  const cheerio = "exports.load = text => Object.assign(selector => ({ attr: name => [selector, name, 'of', text.length, 'bytes'].join(' ') }), { root: () => [] })"
  const folder = t.testdir({ project: { 'user.mjs': code, node_modules: { cheerio: { 'index.js': cheerio } } } })
  const without = path.join(folder, 'user.mjs')
  writeFileSync(without, code)
  const args = [url, '-a', '1', '-c', '1']
  t.match(await new Running(process.execPath, ['--require', require.resolve('./helpers/processes/without-cheerio'), BIN, 'run', 'user.mjs', ...args], { cwd: folder }).ended, {
    code: 1, stderr: /response\.html\(\) needs the package cheerio, which is not installed: npm install cheerio/
  })
  t.match(await new Running(process.execPath, [BIN, 'run', 'project/user.mjs', ...args], { cwd: folder }).ended, { code: 0, stderr: /^input value of \d+ bytes$/m })
})
