'use strict'

// How what autocannon() and its like return ends.

const t = require('tap')
const { spawnSync } = require('node:child_process')
const path = require('node:path')

const CALLS = {
  'autocannon, options that are wrong': "require(ROOT)({}, () => { throw new Error('broken') })",
  'autocannon, a result': "require(ROOT)({ url: 'http://127.0.0.1:9', amount: 1, connections: 1 }, () => { throw new Error('broken') })",
  find: "require(ROOT).find({}, () => { throw new Error('broken') })",
  versus: "require(ROOT).versus({}, () => { throw new Error('broken') })"
}

t.test('what a callback throws is one uncaught exception, as of any callback of Node.js', async t => {
  for (const [name, call] of Object.entries(CALLS)) {
    const script = `const ROOT = ${JSON.stringify(path.join(__dirname, '../..'))}
      process.on('uncaughtException', (error, origin) => console.log(origin, error.message))
      ${call}`
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
    t.strictSame([stdout, stderr], ['uncaughtException broken\n', ''], name)
  }
})

t.test('a second argument that is no function rejects, and the options are not read from the URL', async t => {
  const autocannon = require('../..')
  const url = 'http://127.0.0.1:9'
  const calls = /** @type {Record<string, (...args: any[]) => any>} */ ({ autocannon, find: autocannon.find, versus: autocannon.versus })
  for (const [name, call] of Object.entries(calls)) {
    for (const [second, got] of [[{ duration: 1 }, 'an object'], [url, `'${url}'`], [5, '5']]) {
      const message = `the second argument: expected a callback, got ${got}; options are one object: autocannon({ url, … })`
      await t.rejects(call(url, second, {}), { code: 'AC_OPTIONS', message }, `${name}, ${got}`)
    }
  }
  const instance = calls.autocannon(url, {})
  t.strictSame(instance.opts, {})
  await t.rejects(instance)
})

t.test('null in place of a callback leaves a promise', async t => {
  const result = await /** @type {any} */ (require('../..'))({ url: 'http://127.0.0.1:9', amount: 1, connections: 1 }, null)
  t.equal(result.requests.total, 0)
})
