'use strict'

// Modules of a plan between machines: which file of an agent runs, and which never does.

const t = require('tap')
const { createHash } = require('node:crypto')
const { mkdirSync, symlinkSync, writeFileSync } = require('node:fs')
const path = require('node:path')
const { decode, encode } = require('../../../lib/run/codec')
const { located, named } = require('../../../lib/run/agents/modules')
const { buildPlan } = require('../../../lib/options/plan')
const { HookError } = require('../../../lib/core/errors')
const { validate } = require('../../../lib/options/validate')

const CODE = 'module.exports = () => true'
const sha256 = (/** @type {string} */ text) => createHash('sha256').update(text).digest('hex')

/** @param {unknown} setupClient */
const planOf = setupClient => /** @type {any} */ ({ hooks: { setupClient }, dispatcher: null, scenarios: [] })
const nameIn = async (/** @type {string} */ dir, /** @type {string} */ file) => /** @type {any} */ (await named(planOf(file), dir)).hooks.setupClient
const locate = async (/** @type {string | null} */ dir, /** @type {unknown} */ module) => /** @type {any} */ (await located(planOf(module), dir)).hooks.setupClient

t.test('every module of a plan is named, wherever it stands, and found again on another machine', async t => {
  const names = ['client.js', 'check.js', 'setup.js', 'response.js', 'capture.js', 'pause.js', 'between.js', 'dispatcher.js', 'verify.js']
  const files = Object.fromEntries(names.map(name => [name, `${CODE} // ${name}`]))
  const root = t.testdir({ here: files, there: { ...files } })
  const [here, there] = [path.join(root, 'here'), path.join(root, 'there')]
  const at = (/** @type {string} */ name) => path.join(here, name)
  const plan = /** @type {any} */ (buildPlan(validate({
    url: 'http://localhost',
    setupClient: at('client.js'),
    check: at('check.js'),
    verifyBody: at('verify.js'),
    dispatcher: at('dispatcher.js'),
    client: 'undici',
    scenarios: [{
      pause: at('pause.js'),
      requests: [{ path: '/', setupRequest: at('setup.js'), onResponse: at('response.js'), check: at('check.js'), capture: { token: at('capture.js') } }, { path: '/2', pause: at('between.js') }]
    }]
  }).values))
  const travelled = await named(plan, here)
  const text = JSON.stringify(encode(travelled))
  t.notOk(text.includes(here), 'no path of this machine')
  for (const name of names) t.ok(text.includes(JSON.stringify({ name, sha256: sha256(files[name]) }).slice(0, -1)), name)
  const arrived = await located(decode(JSON.parse(text)), there)
  t.strictSame(arrived, decode(JSON.parse(JSON.stringify(encode(plan)).replaceAll(JSON.stringify(here).slice(1, -1), JSON.stringify(there).slice(1, -1)))))
})

t.test('a plan without modules is the same, for an agent that runs none', async t => {
  const plan = buildPlan(validate({ url: 'http://localhost' }).values)
  t.strictSame(await located(decode(encode(await named(plan, '/nowhere'))), null), decode(encode(plan)))
})

t.test('a module is named by its path below the folder, as it is found without its ending, through a folder or by a link', async t => {
  const dir = t.testdir({ 'a.js': CODE, deep: { er: { 'index.js': CODE } }, '..data': { 'hook.js': CODE } })
  symlinkSync(path.join('..data', 'hook.js'), path.join(dir, 'hook.js'))
  symlinkSync(dir, `${dir}-link`)
  t.teardown(() => require('node:fs').unlinkSync(`${dir}-link`))
  const hash = sha256(CODE)
  for (const [file, name] of [['a', 'a.js'], ['a.js', 'a.js'], ['deep/er', 'deep/er/index.js'], ['hook.js', 'hook.js'], ['hook', 'hook.js'], ['..data/hook', '..data/hook.js']]) {
    t.strictSame(await nameIn(dir, path.join(dir, file)), { name, sha256: hash }, file)
    t.strictSame(await nameIn(`${dir}-link`, path.join(dir, file)), { name: name === 'hook.js' ? '..data/hook.js' : name, sha256: hash }, `${file}, in a folder that is a link`)
    t.equal(await locate(dir, { name, sha256: hash }), path.join(dir, name))
    t.equal(await locate(`${dir}-link`, { name, sha256: hash }), path.join(dir, name))
  }
})

t.test('a module that agents could not have is refused by the coordinator', async t => {
  const root = t.testdir({ 'outside.js': CODE, dir: { node_modules: { p: { 'index.js': CODE } } } })
  const dir = path.join(root, 'dir')
  symlinkSync(path.join(root, 'outside.js'), path.join(dir, 'link.js'))
  const shown = (/** @type {string} */ file) => `'${file.length > 60 ? `${file.slice(0, 59)}…` : file}'`
  const outside = (/** @type {string} */ file) => `setupClient: the module ${shown(file)} is not below ${shown(dir)}, the folder of modules: agents find them by their path below their own; name another one with --modules`
  for (const [file, message] of [
    [path.join(root, 'outside.js'), outside(path.join(root, 'outside.js'))],
    [path.join(dir, 'link.js'), outside(path.join(dir, 'link.js'))],
    [path.join(dir, 'missing.js'), `setupClient: there is no module ${shown(path.join(dir, 'missing.js'))}`],
    [path.join(dir, 'node_modules/p'), `setupClient: the module ${shown(path.join(dir, 'node_modules/p'))} is one of node_modules, which agents do not run: require it in your own module`]
  ]) await t.rejects(nameIn(dir, file), { constructor: HookError, code: 'AC_HOOK', message }, file)
  await t.rejects(nameIn(path.join(root, 'none'), path.join(root, 'outside.js')), { code: 'AC_HOOK', message: `modules: there is no folder ${shown(path.join(root, 'none'))}` })
})

t.test('an agent without a folder of modules runs none', async t => {
  const dir = t.testdir({ 'a.js': CODE })
  await t.rejects(locate(null, { name: 'a.js', sha256: sha256(CODE) }), { constructor: HookError, message: 'setupClient: the module \'a.js\' is code, and this agent runs none: start it with --modules DIR, where DIR has the same file' })
  t.ok(dir)
})

t.test('an agent runs no file but that of the name and hash, below its folder', async t => {
  const root = t.testdir({ 'outside.js': CODE, dir: { 'a.js': CODE, folder: { 'index.js': CODE }, node_modules: { p: { 'index.js': CODE } } } })
  const dir = path.join(root, 'dir')
  mkdirSync(path.join(dir, 'later'))
  symlinkSync(path.join(root, 'outside.js'), path.join(dir, 'link.js'))
  symlinkSync(root, path.join(dir, 'up'))
  const hash = sha256(CODE)
  const strange = (/** @type {string} */ name) => `setupClient: the module '${name}' does not name a file of the --modules of an agent`
  const absent = (/** @type {string} */ name) => `setupClient: the module '${name}' is not in the --modules of this agent: copy it there`
  const leaves = (/** @type {string} */ name) => `setupClient: the module '${name}' is a link that leads out of the --modules of this agent: copy the file there`
  for (const [name, message] of [
    ...['../outside.js', '..', '/etc/passwd', path.join(root, 'outside.js'), 'folder/../../outside.js', 'folder/../a.js', '..\\outside.js', 'C:\\a.js', 'c:a.js', '\\\\host\\a.js', 'node_modules/p/index.js', 'folder\\node_modules\\p']
      .map(name => [name, strange(name.length > 60 ? `${name.slice(0, 59)}…` : name)]),
    ['missing.js', absent('missing.js')],
    ['folder', absent('folder')],
    ['.', absent('.')],
    ['a', absent('a')],
    ['link.js', leaves('link.js')],
    ['up/outside.js', leaves('up/outside.js')]
  ]) await t.rejects(locate(dir, { name, sha256: hash }), { constructor: HookError, message }, name)
  for (const other of [sha256('other'), '', hash.toUpperCase(), hash.slice(0, 8)]) {
    await t.rejects(locate(dir, { name: 'a.js', sha256: other }), { message: 'setupClient: the module \'a.js\' differs from that in the --modules of this agent: copy the coordinator\'s file there' }, other)
  }
  writeFileSync(path.join(dir, 'a.js'), `${CODE}\n`)
  await t.rejects(locate(dir, { name: 'a.js', sha256: hash }), HookError, 'changed by a line break')
  await t.rejects(locate(path.join(root, 'none'), { name: 'a.js', sha256: hash }), { message: absent('a.js') })
})

t.test('what a queue has in place of a module is refused, whatever it is', async t => {
  const dir = t.testdir({ 'a.js': CODE })
  const hash = sha256(CODE)
  for (const module of [path.join(dir, 'a.js'), 'a.js', '', true, 5, [], {}, ['a.js', hash], { name: 'a.js' }, { name: ['a.js'], sha256: hash }, { name: 'a.js\0', sha256: hash }, { name: '', sha256: hash }, { sha256: hash },
    new Map([['name', 'a.js']]), () => true]) {
    await t.rejects(locate(dir, module), { constructor: HookError, message: /^setupClient: expected a module by name and hash, got / }, String(module))
  }
  const evil = { hooks: {}, dispatcher: null, scenarios: [{ steps: [{ hooks: {}, called: 'x\n\u001b[2Jforged', captures: { id: { hook: 'a.js' } } }], userScenarios: null }] }
  await t.rejects(located(/** @type {any} */ (evil), dir), { message: 'capture id of request x \\x1b[2Jforged: expected a module by name and hash, got \'a.js\'' })
})
