'use strict'

// How a hook is found that is given as the path of a module. What hooks do is in test/contract.

const t = require('tap')
const path = require('node:path')
const { pathToFileURL } = require('node:url')
const autocannon = require('../../..')
const { loadHooks } = require('../../../lib/options/requests/hooks')
const { Running } = require('../../helpers/processes/cli')
const { serve, valuesOf } = require('../../helpers/servers/http-server')

const never = new Promise(() => {})

/** @param {string} module */
const load = async module => (await loadHooks({ hooks: { setupClient: module }, scenarios: [] }, never)).hooks.setupClient

const CJS = (/** @type {string} */ name) => `module.exports = () => '${name}'`
const ESM = (/** @type {string} */ name) => `export default () => '${name}'`

t.test('a hook is found as require.resolve finds it, with or without its ending', async t => {
  const dir = t.testdir({
    'commonjs.js': CJS('commonjs'),
    folder: { 'index.js': CJS('folder') },
    packed: { 'package.json': '{ "main": "lib/start.js" }', lib: { 'start.js': CJS('packed') } },
    both: { 'index.js': CJS('the folder') },
    'both.js': CJS('the file'),
    'dotted.hook.js': CJS('dotted'),
    esm: { 'package.json': '{ "type": "module" }', 'hook.js': ESM('esm'), folder: { 'index.js': ESM('esm folder') } },
    'explicit.mjs': ESM('mjs'),
    'explicit.cjs': CJS('cjs')
  })
  for (const [name, expected] of [
    ['commonjs', 'commonjs'], ['commonjs.js', 'commonjs'], ['folder', 'folder'], ['folder/', 'folder'], ['packed', 'packed'], ['both', 'the file'], ['both/', 'the folder'],
    ['dotted.hook', 'dotted'], ['esm/hook', 'esm'], ['esm/folder', 'esm folder'], ['explicit.mjs', 'mjs'], ['explicit.cjs', 'cjs']
  ]) {
    const asked = path.join(dir, name)
    t.equal((await load(asked))?.(/** @type {any} */ (null)), expected, name)
    t.equal((await load(path.relative('.', asked) + (name.endsWith('/') ? '/' : '')))?.(/** @type {any} */ (null)), expected, `${name}, from the working directory`)
  }
})

t.test('what is no module of a hook is refused by the name that was given', async t => {
  const dir = t.testdir({ 'data.json': '{}', empty: {} })
  for (const name of ['missing', 'empty']) {
    await t.rejects(load(path.join(dir, name)), { code: 'AC_HOOK', message: new RegExp(`^setupClient: could not load the module '.*${name}'`) }, name)
  }
  for (const name of ['data', 'data.json']) {
    await t.rejects(load(path.join(dir, name)), { code: 'AC_HOOK', message: `setupClient: the module '${path.join(dir, name)}' is JSON: a module that exports a function is needed` })
  }
})

t.test('.mjs and .cjs are named with their ending, and a file without any is CommonJS', async t => {
  // Not in this process: the loader of the tests finds more than Node.js does.
  const dir = t.testdir({ 'only.mjs': ESM('mjs'), 'only.cjs': CJS('cjs'), plain: CJS('plain') })
  const script = `const { loadHooks } = require(${JSON.stringify(require.resolve('../../../lib/options/requests/hooks'))})
    const load = async name => (await loadHooks({ hooks: { setupClient: ${JSON.stringify(dir)} + '/' + name }, scenarios: [] }, new Promise(() => {}))).hooks.setupClient()
    ;(async () => { for (const name of ['only.mjs', 'only.cjs', 'plain', 'only']) console.log(await load(name).catch(({ code }) => code)) })()`
  const { stdout } = await new Running(process.execPath, ['-e', script], {}).ended
  t.equal(stdout, 'mjs\ncjs\nplain\nAC_HOOK\n')
})

t.test('a hook without its ending works in the same thread and in workers', async t => {
  const server = await serve(t)
  const dir = t.testdir({ 'setup-request.js': "module.exports = request => ({ ...request, headers: { 'x-hook': 'found' } })" })
  for (const workers of [undefined, 2]) {
    const before = server.requests.length
    await autocannon({ url: server.url, workers, connections: 2, amount: 4, requests: [{ setupRequest: path.join(dir, 'setup-request') }] })
    t.strictSame(server.requests.slice(before).flatMap(request => valuesOf(request, 'x-hook')), new Array(4).fill('found'), `workers: ${workers}`)
  }
})

t.test('the path may have any character', async t => {
  const dir = t.testdir({ 'a b#c?d%20é.js': CJS('strange') })
  const asked = path.join(dir, 'a b#c?d%20é')
  t.ok(pathToFileURL(asked).href !== asked)
  t.equal((await load(asked))?.(/** @type {any} */ (null)), 'strange')
})
