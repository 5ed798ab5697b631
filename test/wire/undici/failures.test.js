'use strict'

const t = require('tap')
const { explain } = require('../../../lib/wire/undici/failures')

t.test('whatever a dispatcher reports as an error becomes one', async t => {
  for (const given of [null, undefined, 'text', 5, {}, { message: 1 }]) t.match(explain(given), { code: 'AC_CLOSED', message: /^the dispatcher reported / })
  const error = Object.assign(new Error('reset'), { code: 'ECONNRESET' })
  t.equal(explain(error), error)
})
