'use strict'

// What .ci/run does with the test files of a project, and what `npm test` says last.

const t = require('tap')
const { spawn } = require('node:child_process')
const { symlinkSync } = require('node:fs')
const path = require('node:path')
const { cleanEnv } = require('./helpers/processes/cli')
const { judge, worthAgain } = require('../.ci/test')
const { grouped, spread } = require('./run')
const { missing } = require('./helpers/missing')
const { notRun } = require('./helpers/tap-output')

const ROOT = path.join(__dirname, '..')
const PASSES = "require('tap').pass('fine')\n"
const FAILS = "require('tap').fail('broken')\n"
const FAILS_ONCE = `
const { existsSync, writeFileSync } = require('node:fs')
const there = existsSync(__filename + '.seen')
writeFileSync(__filename + '.seen', '')
require('tap').ok(there, 'the second time')
`
const SKIPPED = "require('tap').plan(0, 'no such thing: get one')\n"

const FAILS_IF_CLOSED = `
const { statSync } = require('node:fs')
require('tap').not(statSync('..').mode & 0o777, 0o700)
`

/**
 * @param {any} t
 * @param {Record<string, any>} files of its test folder
 * @param {string[]} command
 * @param {Record<string, any>} [others] beside that
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function inProject (t, files, command, others = {}) {
  const folder = t.testdir({
    'package.json': JSON.stringify({ name: 'project', scripts: { test: `node ${JSON.stringify(path.join(ROOT, 'test/run.js'))}` } }),
    test: files,
    ...others
  })
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'), 'junction')
  const surroundings = cleanEnv()
  delete surroundings.CONTRACT_MODES
  // What npm tells its children is of this project.
  for (const name of Object.keys(surroundings)) if (name.startsWith('npm_')) delete surroundings[name]
  const child = spawn(command[0], command.slice(1), { cwd: folder, env: surroundings, stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout.setEncoding('utf8').on('data', text => { output += text })
    child.once('error', reject)
    child.once('close', code => resolve({ code, output }))
  })
}

t.test('CI runs what failed once more, alone, and its last lines name what is flaky, what failed and how many passed', { skip: process.platform === 'win32' && 'CI runs on Linux' }, async t => {
  const { code, output } = await inProject(t, { 'a.test.js': PASSES, 'b.test.js': FAILS_ONCE, 'c.test.js': FAILS, 'd.test.js': SKIPPED, 'e.test.js': "require('tap').test('never ends', () => process.reallyExit(0))\n" }, [process.execPath, path.join(ROOT, '.ci/test.js')])
  t.equal(code, 1)
  const said = output.replaceAll('\x1b[?25h', '')
  t.match(said, '\nNot run on this machine:\n  no such thing: get one\n    test/d.test.js\n', 'npm test says what was not run')
  t.match(said, /\n✗ test\/c\.test\.js [\d.]+ s\nended with 1\nnot ok 1 - broken\n +---\n/, 'what failed is told')
  t.match(said, /\nflaky: test\/b\.test\.js failed, and passed when it was run alone\nfailed: test\/c\.test\.js\nfailed: test\/e\.test\.js\n3 passed, 2 failed\n$/)
})

t.test('CI runs the files that drop root in a clone that other users can not enter, too', { skip: process.platform === 'win32' && 'CI runs on Linux' }, async t => {
  const { code, output } = await inProject(t, { 'a.test.js': PASSES, servers: { 'http2.test.js': FAILS_IF_CLOSED } }, [process.execPath, path.join(ROOT, '.ci/test.js')])
  t.equal(code, 1)
  t.match(output.replaceAll('\x1b[?25h', ''), /\nfailed: test\/servers\/http2\.test\.js in a closed clone\n2 passed, 1 failed\n$/)
})

t.test('CI runs the hostile suite in a clone without the add-on, too', { skip: process.platform === 'win32' && 'CI runs on Linux' }, async t => {
  const isThere = "require('tap').ok(require('node:fs').existsSync('prebuilds'))\n"
  const { code, output } = await inProject(t, { 'a.test.js': isThere, hostile: { 'b.test.js': isThere } }, [process.execPath, path.join(ROOT, '.ci/test.js')], { prebuilds: { file: '' } })
  t.equal(code, 1)
  t.match(output.replaceAll('\x1b[?25h', ''), /\nfailed: test\/hostile\/b\.test\.js without the add-on\n2 passed, 1 failed\n$/)
})

t.test('the verdict of CI', async t => {
  const files = ['a', 'b', 'c']
  const fine = { passed: true, failed: [] }
  const failed = (/** @type {string[]} */ ...failed) => ({ passed: false, failed })
  const flaky = 'flaky: b failed, and passed when it was run alone'
  t.strictSame(judge(files, fine), { passed: true, lines: ['3 passed, 0 failed'] })
  t.strictSame(judge(files, failed('b'), fine), { passed: true, lines: [flaky, '3 passed, 0 failed'] })
  t.strictSame(judge(files, failed('b', 'c'), failed('c')), { passed: false, lines: [flaky, 'failed: c', '2 passed, 1 failed'] })
  t.strictSame(judge(files, failed()), { passed: false, lines: ['3 passed, 0 failed'] }, 'tap failed without a file that did')
  t.strictSame(judge([], fine), { passed: false, lines: ['0 passed, 0 failed'] }, 'no tests')
  t.ok(worthAgain(failed('b')))
  t.notOk(worthAgain(fine), 'nothing failed')
  t.notOk(worthAgain(failed()), 'tap failed without a file that did')
  t.notOk(worthAgain(failed(...Array.from({ length: 9 }, (_, i) => String(i)))), 'too many to be chance')
})

t.test('what a machine lacks skips a test with a reason, and fails it in CI only', async t => {
  t.equal(missing('no browser: get one', {}), 'no browser: get one')
  t.throws(() => missing('no browser: get one', { CI: 'true' }), { message: 'no browser: get one. In CI every test has to run' })
})

t.test('each reason is said once, with what it kept from running, and the last line counts all of it', async t => {
  t.equal(notRun([{ file: 'a.test.js', tap: 'TAP version 14\n    ok 1 - fine\nok 1 - all # time=1ms\n1..1\n' }]), 'Not run: nothing')
  t.equal(notRun([
    { file: 'test/a.test.js', tap: 'ok 1 - one # SKIP no terminal: get one\n# Subtest: two\n    ok 1 - no IPv6 # SKIP\nok 2 - two # time=3ms\n1..2\n' },
    { file: 'test/b.test.js', tap: '1..0 # no terminal: get one\n' },
    { file: 'test/c.test.js', tap: 'ok 1 - no reason # SKIP\n    # 6 more modes: npm run test:all\n    # 1 more modes: npm run test:all\n    # 20 more combinations: npm run test:all\n' }
  ]), `Not run on this machine:
  no terminal: get one
    test/a.test.js: one
    test/b.test.js
  no IPv6
    test/a.test.js
  no reason
    test/c.test.js
Not run: 4 files or tests, named above; 7 further modes of contract tests and 20 further combinations of other tests, which npm run test:all runs`)
})

t.test('each contract has as many modes as the last line says, and all of them with --all', { skip: process.platform === 'win32' && 'CI runs on Linux' }, async t => {
  const files = { 'a.test.js': `require(${JSON.stringify(path.join(ROOT, 'test/contract/modes'))}).byOurClient(require('tap'), 'one', async (t, mode) => t.pass(mode.name))\n` }
  const command = [process.execPath, path.join(ROOT, 'test/run.js')]
  const some = await inProject(t, files, command)
  t.match(some.output, /\n1 passed, 0 failed in \d+ s\nNot run: 4 further modes of contract tests, which npm run test:all runs\n$/)
  t.match((await inProject(t, files, [...command, '--all'])).output, /\n1 passed, 0 failed in \d+ s\nNot run: nothing\n$/)
})

t.test('files that begin first and files that run alone say so in a comment with its reason', { skip: process.platform === 'win32' && 'CI runs on Linux' }, async t => {
  const pass = (/** @type {string} */ marker) => `${marker}\n${PASSES}`
  const files = { 'a.test.js': pass('// Run alone: it is tender.'), 'b.test.js': pass('// Run alone:'), 'c.test.js': pass('// Run first: it takes a minute.') }
  const { output } = await inProject(t, files, [process.execPath, path.join(ROOT, 'test/run.js'), '--jobs=1'])
  t.strictSame(Array.from(output.matchAll(/^✓ test\/(.)/gm), ([, name]) => name), ['c', 'b', 'a'])
})

t.test('files that are alike share a process, one after another, and each has its own verdict', { skip: process.platform === 'win32' && 'CI runs on Linux' }, async t => {
  t.strictSame(grouped(['a.test.js', 'hostile/a.test.js', 'hostile/b.test.js', ...[...'abcdefghijk'].map(name => `contract/${name}.test.js`), 'options/a.test.js', 'options/net/a.test.js'].map(name => `test/${name}`)).map(group => group.length), [1, 1, 1, 10, 1, 2])
  const files = {
    'a.test.js': "const t = require('tap')\nt.test('one', async t => { process.env.LEFT = 'behind'; t.pass() })\n",
    'b.test.js': FAILS,
    'c.test.js': SKIPPED,
    'd.test.js': "const t = require('tap')\nt.test('two', async t => t.equal(process.env.LEFT, undefined))\n"
  }
  const { code, output } = await inProject(t, { options: files }, [process.execPath, path.join(ROOT, 'test/run.js')])
  t.equal(code, 1)
  t.strictSame(Array.from(output.matchAll(/^([✓✗]) test\/options\/(.)/gm), ([, mark, name]) => mark + name), ['✓a', '✗b', '✓c', '✓d'])
  t.match(output, /\nended with 1\nnot ok 1 - broken\n/)
  t.match(output, '\n  no such thing: get one\n    test/options/c.test.js\n')
  const ended = await inProject(t, { options: { ...files, 'c.test.js': "require('tap').test('never ends', () => process.reallyExit(0))\n" } }, [process.execPath, path.join(ROOT, 'test/run.js')])
  t.match(ended.output, '\nfailed: test/options/b.test.js\nfailed: test/options/c.test.js\nfailed: test/options/d.test.js\n', 'what has not come to its end has failed')
})

t.test('the files of a folder are spread over the whole', async t => {
  t.strictSame(spread(['a/1', 'a/2', 'a/3', 'a/4', 'b/1', 'b/2', 'c/1']), ['a/1', 'b/1', 'a/2', 'c/1', 'a/3', 'b/2', 'a/4'])
})
