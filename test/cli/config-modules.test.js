'use strict'

// Modules as configs run code of the user: what never ends, and what throws, ends the command with one line.

const t = require('tap')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { readConfigFile } = require('../../lib/cli/config/config-file')
const { BIN, cli } = require('../helpers/processes/cli')
const { serve } = require('../helpers/servers/http-server')

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

t.test('a module that ends the process with another code is told as well, with what was measured', async t => {
  const { url } = await serve(t)
  const folder = t.testdir({
    'exits.mjs': 'process.exit(7)',
    // Its first sample is there a second after the first request.
    'late.mjs': 'let begun\nexport default async ({ http }) => { await http.get("/"); begun ??= Date.now(); if (Date.now() - begun > 4000) process.exit(7) }'
  })
  const before = await cli(['run', 'exits.mjs', url], { cwd: folder })
  t.match(before, { code: 1, stdout: '', stderr: /^autocannon: the command ended before it had a result: a module called process\.exit\(7\); throw an error .*\n$/ })
  // Node.js says what an exception was.
  const during = await cli(['run', 'late.mjs', url, '-d', '60', '-c', '1'], { cwd: folder })
  t.equal(during.code, 1)
  t.match(during.stderr, /iterations completed[^]*\nautocannon: the command ended before its run was over: a module called process\.exit\(7\)/)
})

t.test('a module that only a worker thread can not load is a mistake of the user, as without workers', async t => {
  const { url } = await serve(t)
  const folder = t.testdir({
    'main.mjs': 'import { isMainThread } from "node:worker_threads"\nif (!isMainThread) throw new Error("no thread")\nexport default async ({ http }) => { await http.get("/") }'
  })
  for (const argv of [['run', 'main.mjs', url, '-w', '2', '-a', '10'], ['-w', '2', '-a', '10', '--config', 'hook.json']]) {
    require('node:fs').writeFileSync(path.join(folder, 'hook.json'), JSON.stringify({ url, requests: [{ path: '/', setupRequest: './nowhere.js' }] }))
    const { code, stderr } = await cli(argv, { cwd: folder })
    t.match(stderr, /could not load the module/)
    t.equal(code, 2, argv.join(' '))
  }
})

t.test('a module that throws, and one whose values can not be read, is refused in one line', async t => {
  const url = 'url: "http://127.0.0.1:1"'
  const folder = t.testdir({
    'top.mjs': 'export default { get url () { throw new Error("set URL") } }',
    'deep.mjs': `export default { ${url}, headers: { get x () { throw new Error("set X") } } }`,
    'list.mjs': `export default { ${url}, requests: [{ path: "/" }, { get path () { throw null } }] }`,
    'free.mjs': `export default { ${url}, initialContext: { get a () { throw new TypeError("set A") } } }`,
    'keys.mjs': 'export default new Proxy({}, { ownKeys () { throw new Error("a trap") } })',
    'strange.mjs': 'export default { get url () { throw { get message () { throw new Error("a trap") } } } }',
    'revoked.mjs': 'const { proxy, revoke } = Proxy.revocable({}, {})\nrevoke()\nexport default { url: proxy }',
    'null.mjs': 'throw null',
    'number.js': 'throw Object.assign(new Error("x"), { message: 5 })',
    'trap.mjs': 'throw { get message () { throw new Error("a trap") } }'
  })
  for (const [file, words] of Object.entries({
    'top.mjs': "could not read the config 'top.mjs': set URL",
    'deep.mjs': "could not read the config 'deep.mjs': set X",
    'list.mjs': "could not read the config 'list.mjs': it threw null",
    'free.mjs': /set A/,
    'keys.mjs': "could not read the config 'keys.mjs': a trap",
    'strange.mjs': "could not read the config 'strange.mjs': it threw {",
    'revoked.mjs': "could not read the config 'revoked.mjs': Cannot perform 'IsArray' on a proxy that has been revoked",
    'null.mjs': "could not load the config 'null.mjs': it threw null",
    'number.js': "could not load the config 'number.js': Error",
    'trap.mjs': "could not load the config 'trap.mjs': it threw {"
  })) {
    const { code, stdout, stderr } = await cli(['--config', file], { cwd: folder })
    t.strictSame({ code, stdout }, { code: 2, stdout: '' }, file)
    t.match(stderr, /^autocannon: [^\n]+\nTry autocannon --help for more\.\n$/, file)
    t.match(stderr, words, file)
  }
})
