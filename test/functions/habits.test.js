'use strict'

// What is said to a function that is written as for k6, Locust or another HTTP client.

const t = require('tap')
const { hintAtLoad, hintFor } = require('../../lib/functions/habits')
const { Iteration } = require('../../lib/functions/iteration')

/**
 * @param {Function} source that throws
 * @param {Record<string, any>} [data]
 */
function hintOf (source, data = {}) {
  try {
    source({ data, pause: undefined })
  } catch (error) {
    return hintFor(error, data)
  }
  throw new Error('it threw nothing')
}

/* eslint-disable no-undef */
t.test('names of k6 say what there is here', async t => {
  for (const [source, hint] of [
    [() => fail('no'), ": use throw new Error('…'), which ends the run, or an assertion of node:assert, which aborts the iteration"],
    [() => exec.vu.idInTest, /^: use user\.number and iteration, which a user function is given/],
    [() => open('users.csv'), /^: read the file with node:fs, or give the run data/],
    [() => new SharedArray('users', () => []), /^: give the run data/],
    [() => new Trend('t'), /no further metrics$/],
    [() => assert(true), ": import it, as in import assert from 'node:assert'"],
    [() => pause(1), ': a user function is given it, as in async ({ pause }) => { … }'],
    [() => unknownName(), '']
  ]) typeof hint === 'string' ? t.equal(hintOf(source), hint) : t.match(hintOf(source), hint)
})

t.test('a promise in place of a response, and parameters in place of one object', async t => {
  const response = Promise.resolve()
  const headers = { headers: {} }
  for (const [source, hint] of [
    [() => response.json(), ': is an await missing, as in await http.get(path)?'],
    [() => headers.headers.get('a'), ': use header(name) of the response'],
    [(http, pause) => pause(1), ': a user function is given one object, as in async ({ http, pause }) => { … }'],
    [(http, { check }) => check, ': a user function is given one object, as in async ({ http, check }) => { … }'],
    [(http, events, done) => done(), ': a user function has no callback, and ends when its promise resolves: async ({ http }) => { await http.get(path) }'],
    [() => (class Shop {})(), ': a user is a function: async ({ http }) => { await http.get(path) }'],
    [http => http('/'), ': a request is await http.get(path), or another method of http'],
    [() => headers.other(), ''],
    [() => headers.other.more, '']
  ]) t.equal(hintOf(source), hint, String(source))
  for (const thrown of [null, undefined, 'http is not a function', new Proxy({}, { getPrototypeOf () { throw new Error('no') } })]) t.equal(hintFor(thrown), '')
})

t.test('a value of setup that returned nothing, and what functions are given at the top of a module', async t => {
  const words = ': setup is null, because the export setup returned nothing'
  const setup = null
  t.equal(hintOf(() => setup.token), words)
  t.equal(hintOf(() => { const { token } = setup; return token }), words)
  t.equal(hintOf(() => { const other = null; return other.token + setup }), '')
  t.match(hintAtLoad(new ReferenceError('http is not defined')), /^: functions are given it, not the module\./)
  t.match(hintAtLoad(new ReferenceError('sleep is not defined')), /^: use await pause/)
  t.equal(hintAtLoad(new ReferenceError('other is not defined')), '')
})

t.test('rows that the run is not given are named, and those that there are', async t => {
  const words = ': data has no users: give the run its rows, as in --data users=users.csv'
  t.equal(hintOf(({ data }) => data.users.email), words)
  t.equal(hintOf(({ data }) => { const { email } = data.users; return email }), words)
  t.equal(hintOf(({ data }) => data.users.email, { user: {}, items: {} }), `${words}; its sources are user, items`)
  t.equal(hintOf(({ data }) => { const found = data.users?.email; return found.email }, { users: {} }), '', 'rows that are there are not the reason')
  t.equal(hintOf(({ data }) => { const found = undefined; return found.name + data.users.email }), '', 'something else is not there')
  t.equal(hintOf(({ data: { users } }) => users.email), words)
  t.equal(hintOf(({ data }) => { const { users } = data; return users.email }), words)
  t.equal(hintOf(({ data }) => data['users'].email), words)
  t.equal(hintOf(({ data }) => data.users[0]), words)
})

t.test('an element of a row, as of the list of all rows, has a hint', async t => {
  const words = ': data.users is the row of this iteration, and not the list of all rows'
  const data = { users: { email: 'a' } }
  t.equal(hintOf(({ data }) => data.users[7 % data.users.length].email, data), words)
  t.equal(hintOf(({ data }) => data.users[0].email, data), words)
  t.equal(hintOf(({ data }) => data.users.address.city, data), '', 'a column that is not there')
})

t.test('rows are named that a helper function reads, also one of another file', async t => {
  const folder = t.testdir({ 'helper.js': "exports.pathOf = data => {\n  return '/' + data.users.email\n}\n" })
  const words = ': data has no users: give the run its rows, as in --data users=users.csv'
  const emailOf = ({ data }) => data.users.email
  t.equal(hintOf(given => emailOf(given)), words)
  t.equal(hintOf(({ data }) => require(`${folder}/helper.js`).pathOf(data)), words)
  const moved = Object.assign(new TypeError("Cannot read properties of undefined (reading 'id')"), { stack: 'TypeError\n    at a (/no/such/file.js:1:2)' })
  for (const stack of [moved.stack, 'TypeError\n    at a (file:///%:1:2)', 'TypeError', undefined, { }]) t.equal(hintFor(Object.assign(moved, { stack })), '')
  t.equal(hintFor(Object.defineProperty(moved, 'stack', { get () { throw new Error('no') } })), '')
})
/* eslint-enable no-undef */

t.test('what a function is given is not http', async t => {
  const given = new Iteration(/** @type {any} */ ({}), 0, {}, undefined)
  const words = /^a user function is given one object, and its requests are those of http: async \(\{ http \}\) => /
  for (const name of ['get', 'post', 'delete', 'request', 'batch', 'del']) t.throws(() => /** @type {any} */ (given)[name]('/'), { name: 'TypeError', message: words })
  t.throws(() => /** @type {any} */ (given).client, { name: 'TypeError', message: words })
})
