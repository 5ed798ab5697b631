'use strict'

// The module of `autocannon run`: which word it is, and what is wrong with it, in one line.

const path = require('node:path')
const t = require('tap')
const { moduleIn, optionsOf } = require('../../lib/cli/config/user-module')

const MORE = '\u001b[31m'

const folder = t.testdir({
  'null.mjs': 'throw null\n',
  'undefined.mjs': 'throw undefined\n',
  'text.mjs': `throw 'a${MORE}b'\n`,
  'lines.mjs': `throw new Error('a${MORE}b\\nc')\n`,
  'proxy.mjs': `export const options = new Proxy({}, { ownKeys () { throw new Error('a${MORE}b\\nc') } })\nexport default () => {}\n`,
  'getter.mjs': `export const options = { get duration () { throw new Error('a${MORE}b\\nc') } }\nexport default () => {}\n`,
  'inner.mjs': 'export const options = { thresholds: { get x () { throw null } } }\nexport default () => {}\n',
  'headers.mjs': 'export const options = { headers: { get x () { throw null } } }\nexport default () => {}\n',
  'default.mjs': `export default { get options () { throw new Error('a${MORE}b') } }\n`,
  'wrong.mjs': 'export const x = (\n}\n',
  'imports.mjs': "import './wrong.mjs'\nexport default () => {}\n",
  'missing.mjs': "\nimport { nothing } from './headers.mjs'\nexport default () => {}\n",
  'k6-websockets.mjs': "import http from 'k6/http'\nimport { WebSocket } from 'k6/experimental/websockets'\nexport default () => {}\n",
  'early.mjs': "\nexport const items = await http.get('/items')\nexport default () => {}\n",
  'summary.mjs': 'export const handleSummary = () => {}\nexport default () => {}\n',
  'await.mjs': '\nconst x = await\nexport default () => {}\n',
  'scenarios.mjs': "export const options = { scenarios: [{ name: 'a', weight: 3, exec: 'a' }, { name: 'b' }, { name: 'c', requests: [{ path: '/' }] }] }\nexport async function a () {}\n",
  cjs: {
    'package.json': '{ "type": "commonjs" }',
    'import.js': "import fs from 'node:fs'\nexport default () => {}\n",
    'export.js': 'export default () => {}\n',
    'import.cjs': "import fs from 'node:fs'\nexport default () => {}\n",
    'k6.js': "import http from 'k6/http'\nexport default () => {}\n",
    'k6-ws.js': "import ws from 'k6/ws'\nexport default () => {}\n"
  },
  esm: { 'package.json': '{ "type": "module" }', 'await.js': '\nconst x = await\nexport default () => {}\n' }
})

t.test('a module that can not be read is one line', async t => {
  for (const [name, expected] of [
    ['null.mjs', /could not load the module '.*': it threw null$/],
    ['undefined.mjs', /could not load the module '.*': it threw undefined$/],
    ['text.mjs', /could not load the module '.*': ab$/],
    ['lines.mjs', /could not load the module '.*': ab c$/],
    ['proxy.mjs', /^could not read the options of '.*': ab c$/],
    ['getter.mjs', /^could not read the options of '.*': ab c$/],
    ['inner.mjs', /^could not read the options of '.*': it threw null$/],
    ['headers.mjs', /^could not read the options of '.*': it threw null$/],
    ['default.mjs', /^could not read the options of '.*': ab$/],
    ['wrong.mjs', /, line 2$/],
    ['imports.mjs', /, in a module that it imports$/],
    ['missing.mjs', /does not provide an export named 'nothing', line 2$/],
    ['early.mjs', /http is not defined: functions are given it, not the module\. For requests before the load, export async function setup \(\{ http \}\) \{ … \}, at .*early\.mjs:2:\d+$/],
    ['await.mjs', /Unexpected token 'export', line 3$/],
    ['esm/await.js', /Unexpected token 'export', line 3$/],
    ['cjs/k6.js', /is a script of k6, which does not run here: its options work; replace its requests by those of the http that a user function receives \(docs\/user-functions\.md\)$/],
    ['cjs/k6-ws.js', /is a script of k6, which does not run here: .* its WebSockets with ws: const socket = await ws\('\/chat'\), await socket\.request\(message\) \(docs\/user-functions\.md\)$/],
    ['k6-websockets.mjs', / its WebSockets with ws: const socket = await ws\('\/chat'\)/],
    ['nowhere.mjs', /Cannot find module '[^']*nowhere\.mjs'$/]
  ]) {
    const error = await optionsOf(path.join(folder, name)).catch(error => error)
    t.match(error, { code: 'AC_OPTIONS', message: expected }, name)
    t.notMatch(error.message, /[\n\u001b]/) // eslint-disable-line no-control-regex
  }
})

t.test('an ES module that Node.js takes for CommonJS says how it is named', async t => {
  for (const name of ['import.js', 'export.js', 'import.cjs']) {
    await t.rejects(optionsOf(path.join(folder, 'cjs', name)), { message: /, line 1: it is an ES module, so name it \.mjs, or write "type": "module" in its package\.json$/ }, name)
  }
})

t.test('scenarios in the options of a module are its functions, unless they say what they are', async t => {
  const { options } = await optionsOf(path.join(folder, 'scenarios.mjs'))
  const user = path.join(folder, 'scenarios.mjs')
  t.strictSame(options, { scenarios: [{ name: 'a', weight: 3, exec: 'a', user }, { name: 'b', user }, { name: 'c', requests: [{ path: '/' }] }] })
})

t.test('what k6 calls after a run is not called here', async t => {
  const { notes } = await optionsOf(path.join(folder, 'summary.mjs'))
  t.strictSame(notes, [{ option: 'output', sentence: 'the export handleSummary (k6) is not called: -o FILE writes a report' }])
})

t.test('which word is the module', async t => {
  const URL = 'http://localhost/app.js'
  for (const [argv, file] of [
    [['shop.mjs', URL], 'shop.mjs'],
    [['-c', '2', URL, 'shop.mts'], 'shop.mts'],
    [['-n', 'shop.ts', URL], 'shop.ts'],
    [['--dispatcher', 'd.js', 'shop.mjs', URL], 'shop.mjs'],
    [['shop.mjs', '--dispatcher', 'd.js', URL], 'shop.mjs'],
    [['shop.mjs', '--on-port', '/', '--', 'node', 'server.js'], 'shop.mjs']
  ]) {
    const found = moduleIn(argv)
    t.equal(found.file, file)
    t.strictSame(found.argv, argv.filter(arg => arg !== file))
  }
  for (const argv of [[URL], [], ['--on-port', '/', '--', 'node', 'server.js']]) t.throws(() => moduleIn(argv), { code: 'AC_OPTIONS', message: /^run needs the module of a user function, which ends in \.js, \.mjs, \.cjs, \.ts or \.mts/ })
  for (const file of ['shop.yaml', './shop.json']) t.throws(() => moduleIn([file, URL]), { message: `run needs the module of a user function, and '${file}' is a config: autocannon --config ${file}` })
  t.throws(() => moduleIn(['a.mjs', 'b.mjs', URL]), { code: 'AC_OPTIONS', message: "run takes one module, got 'a.mjs' and 'b.mjs': several are users of scenarios in a config (docs/user-functions.md)" })
})

t.test('a module that changes all objects is refused with what it adds, and leaves nothing behind', async t => {
  const folder = t.testdir({
    'adds.mjs': "Object.prototype.path = 'x'\nObject.prototype.domain = null\nexport default () => {}\n",
    'many.cjs': "for (const name of 'abcde') Object.prototype[name] = 1\nmodule.exports = () => {}\n",
    'hidden.mjs': "Object.defineProperty(Object.prototype, 'should', { get () {}, configurable: true })\nexport default () => {}\n"
  })
  await t.rejects(optionsOf(path.join(folder, 'adds.mjs')), /could not load the module '.*': it adds path, domain to Object\.prototype, which every object has then/)
  await t.rejects(optionsOf(path.join(folder, 'many.cjs')), /it adds a, b, c and 2 more to Object\.prototype/)
  await optionsOf(path.join(folder, 'hidden.mjs'))
  delete Object.prototype.should
  for (const name in {}) t.fail(name)
})
