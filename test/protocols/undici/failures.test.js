'use strict'

const t = require('tap')
const { runInNewContext } = require('node:vm')
const { codeOf } = require('../../../lib/core/errors')
const { explain } = require('../../../lib/protocols/undici/failures')

t.test('whatever a dispatcher reports as an error becomes one, with what it says', async t => {
  const unlookable = { get message () { throw new Error('no') } }
  for (const [given, message] of /** @type {Array<[unknown, string | RegExp]>} */ ([
    [null, 'the dispatcher reported null instead of an error'],
    [undefined, 'the dispatcher reported undefined instead of an error'],
    [5, 'the dispatcher reported 5 instead of an error'],
    [{ message: 1 }, 'the dispatcher reported { message: 1 } instead of an error'],
    [unlookable, /^the dispatcher reported .* instead of an error$/],
    ['broken', 'broken'],
    [{ message: 'like an error' }, 'like an error']
  ])) {
    const error = explain(given)
    t.match(error, { message })
    // No fault of the server.
    t.equal(codeOf(error), 'Error')
  }
})

t.test('an error stays the same, also one of another realm', async t => {
  const error = Object.assign(new Error('reset'), { code: 'ECONNRESET' })
  t.equal(explain(error), error)
  const foreign = runInNewContext("new TypeError('foreign')")
  t.equal(explain(foreign), foreign)
})
