'use strict'

// User functions read rows of data, as scenarios do.

const path = require('node:path')
const t = require('tap')
const { serve } = require('../../helpers/servers/http-server')
const { conserves } = require('../../helpers/results/conservation')
const { run } = require('../modes')

const rows = [{ email: 'ann@example.org', id: 1 }, { email: 'bob@example.org', id: 2 }, { email: 'cy@example.org', id: 3 }]

t.test('a user function is given the next row of each source in each iteration', async t => {
  const server = await serve(t)
  const user = async (/** @type {any} */ { http, data }) => {
    await http.post(`/${data.users.id}`, { json: { email: data.users.email, city: data.cities } })
  }
  const result = await run({ url: server.url, connections: 1, amount: 4, data: { users: { rows }, cities: { rows: ['Rome', 'Oslo'] } }, user })
  t.strictSame(server.requests.map(({ url, body }) => `${url} ${body}`), [
    '/1 {"email":"ann@example.org","city":"Rome"}',
    '/2 {"email":"bob@example.org","city":"Oslo"}',
    '/3 {"email":"cy@example.org","city":"Rome"}',
    '/1 {"email":"ann@example.org","city":"Oslo"}'
  ])
  conserves(t, result)
})

t.test('each row is used once, over all workers, and parallel requests have the same row', async t => {
  const server = await serve(t)
  const folder = t.testdir({
    'user.mjs': "export default ({ http, data: { users } }) => Promise.all(['/a/', '/b/'].map(place => http.get(place + users.id)))"
  })
  const result = await run({
    url: server.url, connections: 2, workers: 2, duration: 10, data: { users: { rows, pick: 'once' } }, user: path.join(folder, 'user.mjs')
  })
  t.strictSame(server.requests.map(({ url }) => url).sort(), ['/a/1', '/a/2', '/a/3', '/b/1', '/b/2', '/b/3'])
  t.equal(result.iterations.completed, 3)
  conserves(t, result)
})
