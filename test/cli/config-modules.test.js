'use strict'

// Modules as configs run code of the user: what never ends, and what throws, ends the command with one line.

const t = require('tap')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { readConfigFile } = require('../../lib/cli/config-file')

const BIN = path.join(__dirname, '../../bin/autocannon.js')
const NEVER = {
  'promise.mjs': 'export default new Promise(() => {})',
  'await.mjs': 'await new Promise(() => {}); export default {}',
  'common.js': 'module.exports = new Promise(() => {})'
}

t.test('a module that never finishes loading is given up', async t => {
  const folder = t.testdir(NEVER)
  for (const name of Object.keys(NEVER)) {
    await t.rejects(readConfigFile(path.join(folder, name), 10), { code: 'AC_OPTIONS', message: /does not finish loading within 0.01 s/ }, name)
  }
})

t.test('a command that nothing can end any more has no exit code of success', async t => {
  // Node.js ends a process when no timer, socket or file is left to wait for.
  const folder = t.testdir({ ...NEVER, 'unref.js': 'const timeout = setTimeout; global.setTimeout = (...args) => timeout(...args).unref()' })
  for (const command of [[], ['find'], ['versus']]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['-r', path.join(folder, 'unref.js'), BIN, ...command, '--config', path.join(folder, 'promise.mjs')], { encoding: 'utf8', timeout: 60_000 })
    t.equal(status, 1, command.join(' '))
    t.match(stderr, /^autocannon: the command ended without a result: [^\n]*\n$/)
    t.equal(stdout, '')
  }
})

t.test('a module that ends the process is not taken for a run that passed', async t => {
  const folder = t.testdir({
    'exits.js': 'process.exit(0)',
    'hook.js': 'module.exports = { url: "http://127.0.0.1:1", amount: 1, setupClient () { process.exit() } }'
  })
  for (const [file, ...command] of [['exits.js'], ['exits.js', 'find'], ['exits.js', 'versus'], ['hook.js', '--json']]) {
    const argv = [BIN, ...command, '--config', file]
    const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd: folder, encoding: 'utf8', timeout: 60_000 })
    t.strictSame({ status, stdout, stderr }, {
      status: 1,
      stdout: '',
      stderr: 'autocannon: the command ended without a result: a module called process.exit(), or something that it waited for can never come\n'
    }, argv.join(' '))
  }
})

t.test('a module whose values can not be read is refused in one line', async t => {
  const folder = t.testdir({
    'getter.mjs': 'export default { url: "http://127.0.0.1:1", headers: { get x () { throw new Error("deep") } } }',
    'proxy.mjs': 'export default new Proxy({}, { ownKeys () { throw new Error("keys") } })'
  })
  for (const [name, reason] of [['getter.mjs', 'deep'], ['proxy.mjs', 'keys']]) {
    const { status, stderr } = spawnSync(process.execPath, [BIN, '--config', name], { cwd: folder, encoding: 'utf8', timeout: 60_000 })
    t.equal(status, 2)
    t.match(stderr, `could not read the config '${name}': ${reason}`)
    t.notMatch(stderr, /\n {4}at /)
  }
})

t.test('a key that stands twice in JSON is refused, as in YAML', async t => {
  const folder = t.testdir({ 'twice.json': '{ "amount": 4,\n  "url": "http://127.0.0.1:1", "amount": 5 }', 'once.json': '{ "amount": 4 }' })
  await t.rejects(readConfigFile(path.join(folder, 'twice.json')), { code: 'AC_OPTIONS', message: /a key stands there twice, line 2, column \d+/ })
  t.match(await readConfigFile(path.join(folder, 'once.json')), { value: { amount: 4 } })
})

t.test('a default that names another variable is refused: its first brace would end both', async t => {
  const { withEnvironment } = require('../../lib/options/environment')
  const nested = '$' + '{A:-http://127.0.0.1/$' + '{B:-x}}'
  t.match(withEnvironment({ url: nested }, {}).problems, [{ place: '.url', reason: /expected a default without another variable/ }])
  t.strictSame(withEnvironment({ url: '$' + '{A:-http://127.0.0.1}' }, {}), { value: { url: 'http://127.0.0.1' }, problems: [], used: new Set() })
})
