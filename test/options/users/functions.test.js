'use strict'

// The option `user`: a function, its module, or the user and password of -u.

const { writeFileSync, mkdirSync } = require('node:fs')
const path = require('node:path')
const t = require('tap')
const { loadUser, parseFunction, parseUser } = require('../../../lib/options/users/functions')

const never = new Promise(() => {})
const run = async () => {}

t.test('user and password stay what they are, also where they look like a file', async t => {
  for (const credentials of ['a:b', 'ann:', 'ann:p:w', 'ann:top.js', 'a:b.mjs', 'ann:x/y.ts', 'ann:./x.js', 'ann@example.org:c.cjs', ' :x']) t.strictSame(parseUser(credentials), { credentials })
})

t.test('a path is a module', async t => {
  for (const given of ['shop.mjs', 'shop.js', 'a/b.cjs', './shop', '../shop.ts', '/x/shop.mts', 'C:\\x\\shop.mjs', 'c:/x/shop.js', 'file:///x/shop.mjs', './a:b.js', '/a:b.js', 'a/b:c.js']) t.equal(parseUser(given), given)
})

t.test('a function and its module are taken as they are', async t => {
  t.equal(parseUser(run), run)
  const module = { default: run }
  t.equal(parseUser(module), module)
})

t.test('anything else is refused, and no password is shown', async t => {
  for (const [given, message] of [['secret', /^expected user:password, got something without a colon or a user$/], ['100', /virtual users \(Locust\) are connections here: -c 100$/], [':x', /without a colon or a user/], ['', /without a colon/]]) t.throws(() => parseUser(given), { name: 'TypeError', message })
  for (const given of [undefined, null, 5, {}, { default: 5 }, [run], true]) t.throws(() => parseUser(given), { name: 'TypeError', message: /^expected an async function such as \(\{ http \}\) => http\.get\('\/'\), or the path of a module that exports one, got / })
  for (const given of ['a:b', 'secret']) t.throws(() => parseFunction(given), { name: 'TypeError', message: /^expected the path of a module, such as \.\/buy\.mjs, got/ }, 'a scenario has no credentials')
})

t.test('loads', async t => {
  const folder = t.testdir({})
  const file = (name, text) => {
    const place = path.join(folder, name)
    mkdirSync(path.dirname(place), { recursive: true })
    writeFileSync(place, text)
    return place
  }

  t.test('functions and modules in any form', async t => {
    t.strictSame(await loadUser(run, never), { run, setup: null, teardown: null, user: null })
    t.match(await loadUser({ default: run, setup: run }, never), { run, setup: run, teardown: null })
    const text = { 'a.mjs': 'export default async function buy () {}\nexport function setup () {}', 'b.cjs': 'module.exports = async function buy () {}', 'c.cjs': 'exports.default = async function buy () {}; exports.setup = () => {}', 'd.cjs': 'module.exports = async function buy () {}; module.exports.setup = () => {}', 'e.cjs': 'module.exports = { default: async function buy () {}, setup () {} }' }
    for (const [name, code] of Object.entries(text)) {
      const { run, setup, teardown } = await loadUser(file(name, code), never)
      t.strictSame([run.name, typeof setup, teardown], ['buy', name === 'b.cjs' ? 'object' : 'function', null], name)
    }
  })

  t.test('the export that is named', async t => {
    const text = { 'n.mjs': 'export async function buy () {}\nexport function setup () {}', 'n.cjs': 'exports.buy = async function buy () {}; exports.setup = () => {}', 'm.cjs': 'module.exports = () => {}; module.exports.buy = async function buy () {}; module.exports.setup = () => {}' }
    for (const [name, code] of Object.entries(text)) {
      const { run, setup } = await loadUser(file(name, code), never, 'buy')
      t.strictSame([run.name, typeof setup], ['buy', 'function'], name)
      await t.rejects(loadUser(file(name, code), never, 'bu'), { code: 'AC_HOOK', message: /^exec: the module '.*' exports no function 'bu', did you mean 'buy'\?/ })
    }
    t.match(await loadUser({ buy: run }, never, 'buy'), { run })
  })

  t.test('and says in one line what is wrong with a module', async t => {
    for (const [name, code, message] of [
      ['none.mjs', '', /has to export the function of a user as its default, got no exports$/],
      ['named.mjs', 'export const setup = () => {}; export const buy = () => {}; export const look = () => {}', /as its default, got only buy, look, setup: exec names them, as in export const options = \{ scenarios: \[\{ exec: 'buy' \}, \{ exec: 'look' \}\] \}$/],
      ['one.mjs', 'export const buy = () => {}', /got only buy: exec names it, as in export const options = \{ scenarios: \[\{ exec: 'buy' \}\] \}$/],
      ['object.mjs', 'export default { a: 1 }', /as its default, got an object$/],
      ['number.mjs', 'export default 5', /as its default, got 5$/],
      ['names.mjs', 'export const shop = 1, b = 2', /got only b, shop$/],
      ['no-function.mjs', 'export default 5', /has to export the function of a user as its default/],
      ['setup.mjs', 'export default () => {}\nexport const setup = 5', /exports setup, which has to be a function, got 5$/],
      ['syntax.mjs', 'export default async function () {\n  await http.get(\'/\'\n}\n', /could not load the module '.+syntax\.mjs': .+/],
      ['syntax.cjs', 'module.exports = async function () {\n  const x = = 1\n}\n', /could not load the module '.+syntax\.cjs': .+, line 2$/],
      ['throws.mjs', 'throw new Error("at load")', /could not load the module '.+throws\.mjs': at load$/],
      ['missing.mjs', 'import "./nowhere.mjs"', /could not load the module .+Cannot find module/],
      ['data.json', '{}', /is JSON: a module that exports a function is needed/]
    ]) {
      await t.rejects(loadUser(file(name, code), never), { code: 'AC_HOOK', message })
      await loadUser(file(name, code), never).catch(error => t.equal(error.message.split('\n').length, 1))
    }
    await t.rejects(loadUser('./nowhere.mjs', never), { code: 'AC_HOOK', message: /could not load the module '\.\/nowhere\.mjs'/ })
    await t.rejects(loadUser(file('late.mjs', 'await new Promise(() => {})\nexport default () => {}'), Promise.resolve()), { code: 'AC_HOOK', message: /does not finish loading: is there an await in it that never ends\?/ })
  })
})
