'use strict'

// Reconnects are told from connections that users open for parallel requests.

const t = require('tap')
const { reconnects } = require('../../lib/findings/responses')

/** @param {number} opened @param {Record<string, any>} [more] */
const codesOf = (opened, more) => reconnects({ url: 'http://a', connections: 1, connect: { totalCount: opened }, requests: { total: opened }, ...more }).map(({ code }) => code)

t.test('users open further connections for parallel requests', async t => {
  const iterations = { started: 1 }
  t.strictSame(codesOf(6), ['closed-after-each'])
  t.strictSame(codesOf(6, { iterations }), [])
  t.strictSame(codesOf(60, { iterations }), ['closed-after-each'], 'more than those')
  t.strictSame(codesOf(60, { iterations, options: { connectionsPerUser: 100 } }), [])
})
