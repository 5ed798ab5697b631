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
