'use strict'

// How test files share a process: one after another, each as a test of its own. `node test/helpers/together.js FILE …`

const Module = require('node:module')
const path = require('node:path')
const files = process.argv.splice(2)
const root = require('tap')

/** What a test file gets for `require('tap')`; its helpers, which outlast it, get the root. */
let current = root

const load = Reflect.get(Module, '_load')
Reflect.set(Module, '_load', (/** @type {string} */ request, /** @type {NodeModule | undefined} */ parent, /** @type {boolean} */ isMain) =>
  request === 'tap' && parent?.filename?.endsWith('.test.js') ? current : load(request, parent, isMain))

for (const file of files) {
  root.test(file, { timeout: Number(process.env.TAP_TIMEOUT) * 1000 / files.length }, async t => {
    current = t
    const [env, cwd] = [{ ...process.env }, process.cwd()]
    t.teardown(() => {
      for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name]
      Object.assign(process.env, env)
      process.chdir(cwd)
    })
    require(path.resolve(file))
  })
}
