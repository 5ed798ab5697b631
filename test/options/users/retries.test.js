'use strict'

const t = require('tap')
const { normalize } = require('../../../lib/options/normalize')
const { parseRetries } = require('../../../lib/options/users/retries')
const { hasUsers } = require('../../../lib/options/users/user-rules')

const STATUSES = ['429', '502', '503', '504']
const CODES = ['AC_CLOSED', 'AC_TRUNCATED', 'AC_TIMEOUT', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET']

t.test('retries are a number, or say what for and how long after', async t => {
  t.strictSame(parseRetries(3), { times: 3, statuses: STATUSES, codes: CODES, pause: null })
  t.strictSame(parseRetries('3'), parseRetries(3))
  t.strictSame(parseRetries({ times: 1 }), parseRetries(1))
  t.strictSame(parseRetries({ times: 2, on: ['5XX', 429, 'AC_CLOSED', 'AC_CHUNK', 'EHOSTUNREACH'], pause: ['10ms', '20ms'] }), { times: 2, statuses: ['5xx', '429'], codes: ['AC_CLOSED', 'AC_CHUNK', 'EHOSTUNREACH'], pause: { from: 10, to: 20 } })
  t.strictSame(parseRetries({ times: 2, on: '503', pause: null }), { times: 2, statuses: ['503'], codes: [], pause: null })
  t.strictSame([parseRetries(0), parseRetries({ times: 0, on: 503 })], [0, 0])
})

t.test('retries make users, none do not', async t => {
  for (const [values, expected] of /** @type {Array<[any, boolean]>} */ ([[{ retries: parseRetries(1) }, true], [{ retries: 0 }, false], [{ requests: [{ retries: 0 }] }, false], [{ requests: [{ retries: parseRetries(2) }] }, true]])) {
    t.equal(hasUsers(values), expected)
  }
})

t.test('a mistake is told with its place', async t => {
  /** @type {any} */
  const rows = [{ name: 'retries', type: 'retries', help: '' }, { name: 'requests', type: 'requests', where: 'api', help: '' }]
  const often = 'expected how often a request is sent again, a whole number from 0 to 1,000, or { times, on, pause }, got'
  const reason = 'expected a status such as 503 or 5xx, or the code of an error such as AC_CLOSED or ECONNRESET, got'
  for (const [given, problem] of /** @type {Array<[Record<string, unknown>, string]>} */ ([
    [{ retries: -1 }, `retries: ${often} -1`],
    [{ retries: 'often' }, `retries: ${often} 'often'`],
    [{ retries: [3] }, `retries: ${often} an array`],
    [{ retries: {} }, `retries.times: ${often} undefined`],
    [{ retries: { times: 1001 } }, `retries.times: ${often} 1001`],
    [{ retries: { times: 1, onn: 503 } }, "retries: unknown key 'onn', did you mean 'on'? There are times, on, pause"],
    [{ retries: { times: 1, on: [] } }, "retries.on: expected statuses and codes such as ['5xx', 429, 'AC_CLOSED'], got none"],
    [{ retries: { times: 1, on: [503, 'AC_CLOSE'] } }, `retries.on[1]: ${reason} 'AC_CLOSE', did you mean 'AC_CLOSED'?`],
    [{ retries: { times: 1, on: 'ECONRESET' } }, `retries.on[0]: ${reason} 'ECONRESET', did you mean 'ECONNRESET'?`],
    [{ retries: { times: 1, on: 'AC_OPTIONS' } }, `retries.on[0]: ${reason} 'AC_OPTIONS'`],
    [{ retries: { times: 1, on: ['503', 'ECONNREFUSED'] } }, "retries.on[1]: expected an outcome of a request that was sent, got 'ECONNREFUSED' (nothing listens at that address): a failed connection is always opened again"],
    [{ retries: { times: 1, on: 'AC_CONNECT_TIMEOUT' } }, "retries.on[0]: expected an outcome of a request that was sent, got 'AC_CONNECT_TIMEOUT' (no connection within the timeout): a failed connection is always opened again"],
    [{ retries: { times: 1, on: 'AC_UNREQUESTED' } }, `retries.on[0]: ${reason} 'AC_UNREQUESTED'`],
    [{ retries: { times: 1, on: [{}] } }, `retries.on[0]: ${reason} an object`],
    [{ retries: { times: 1, on: [5] } }, 'retries.on[0]: expected a status code, a class such as 2xx, or several of them, got 5'],
    [{ retries: { times: 1, pause: 'soon' } }, "retries.pause: expected a time such as 1s, ['500ms', '2s'] for any in between, { exponential: '1s' } or a function of the context, got 'soon'"],
    [{ requests: [{ path: '/' }, { path: '/', retries: { times: 'x' } }] }, `requests[1].retries.times: ${often} 'x'`]
  ])) t.strictSame(normalize(given, ({ name }) => name, rows).problems, [problem])
})
