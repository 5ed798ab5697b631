'use strict'

// {{…}} in requests: values of their own, from data, the context and chance, put in as their place needs them.

const t = require('tap')
const { writeFileSync } = require('node:fs')
const path = require('node:path')
const { serve, valuesOf } = require('../../helpers/servers/http-server')
const { rawServer, answer } = require('../../helpers/servers/raw-server')
const { conserves } = require('../../helpers/results/conservation')
const { inAllModes, inModesOfUsers, overHttp1, run, byConnection } = require('../modes')

const USERS = { rows: Array.from({ length: 10 }, (_, i) => ({ id: i, name: `name "${i}" / é\n` })) }

inAllModes(t, 'rows of data stand in path, headers and body, in order over all connections', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({
    url: server.url,
    amount: 40,
    data: { users: USERS },
    requests: [
      { path: '/users/{{users.id}}?name={{users.name}}', headers: { 'x-id': 'id {{users.id}}' } },
      { method: 'PUT', path: '/', body: '{"id":{{users.id}},"name":"{{users.name}}"}' }
    ]
  })
  t.equal(server.requests.length, 40)
  const seen = server.requests.map(request => {
    if (request.method === 'PUT') return JSON.parse(request.body)
    const { pathname, searchParams } = new URL(request.url, server.url)
    t.strictSame(valuesOf(request, 'x-id'), [`id ${pathname.slice(7)}`])
    return { id: Number(pathname.slice(7)), name: searchParams.get('name') }
  })
  for (const { id, name } of seen) t.equal(name, USERS.rows[id].name)
  // Each iteration has one row, and all rows have the same number of iterations.
  for (let id = 0; id < 10; id++) t.equal(seen.filter(one => one.id === id).length, 4)
  conserves(t, result)
})

inAllModes(t, 'with pick once each row is sent exactly once, and the run ends', async (t, mode) => {
  const server = await serve(t)
  const file = path.join(t.testdir({}), 'users.csv')
  writeFileSync(file, '\ufeffid,name\r\n' + Array.from({ length: 101 }, (_, i) => `${i},"a ""b"",\r\n${i}"\r\n`).join(''))
  const result = await mode.run({ url: server.url, duration: 60, pipelining: 3, connections: 4, method: 'POST', body: '{{users.id}} {{{users.name}}}', data: { users: { file, pick: 'once' } } })
  t.strictSame(server.requests.map(({ body }) => body).sort(), Array.from({ length: 101 }, (_, i) => `${i} a "b",\r\n${i}`).sort())
  t.equal(result.requests.sent, 101)
  conserves(t, result)
})

inAllModes(t, 'counters, ids and uuids never come twice', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({ url: server.url + '/{{counter}}/{{id}}/{{uuid}}', amount: 60 })
  const parts = server.requests.map(({ url }) => url.slice(1).split('/'))
  t.strictSame(parts.map(([counter]) => Number(counter)).sort((a, b) => a - b).slice(0, 10), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  t.equal(new Set(parts.flat()).size, 180)
  t.ok(parts.every(([, id, uuid]) => /^[\w-]{26}$/.test(id) && /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(uuid)))
  conserves(t, result)
})

inAllModes(t, 'what is random is the same again with the same seed, and a connection may keep its row', async (t, mode) => {
  /** @param {number} seed */
  const sent = async seed => {
    const server = await serve(t)
    await mode.run({ url: server.url, amount: 20, seed, path: '/', requests: [{ path: '/{{users}}/{{random 1 1000000}}/{{pick a b c}}' }], data: { users: { rows: ['u', 'v'], pick: 'connection' } } })
    return byConnection(server.requests).map(requests => requests.map(({ url }) => url)).sort()
  }
  const [first, second] = [await sent(7), await sent(7)]
  t.strictSame(first, second)
  t.notSame(first, await sent(8))
  t.strictSame(first.map(urls => new Set(urls.map(url => url.split('/')[1])).size), [1, 1], 'each connection has a row of its own')
  t.not(first[0][0].split('/')[1], first[1][0].split('/')[1])
})

overHttp1(t, 'expectations are held to the values of their request, whatever is in flight', async (t, mode) => {
  const server = await rawServer(t, (connection, { head }) => {
    const [, id] = /^GET \/(\d)/.exec(head)
    connection.send(answer(`{"id":${id},"name":"n${id === '3' ? 'o' : id}"}`, `X-Id: ${id}\r\n`))
  })
  const rows = Array.from({ length: 8 }, (_, i) => ({ id: i, name: `n${i}` }))
  const result = await mode.run({
    url: server.url,
    amount: 32,
    pipelining: 4,
    data: { users: { rows } },
    requests: [{ path: '/{{users.id}}', expect: { headers: { 'x-id': '{{users.id}}' }, body: { includes: '"id":{{users.id}}' }, json: { id: '{{users.id}}', name: '{{users.name}}' } } }]
  })
  const [{ passed, failed, reasons }] = result.checks
  t.strictSame({ passed, failed, reasons }, { passed: 28, failed: 4, reasons: { 'json name: another value, expected {{users.name}}': 4 } })
  conserves(t, result)
})

t.test('hooks see the rows of the iteration, and what they make is no template', async t => {
  const server = await serve(t)
  const seen = []
  await run({
    url: server.url,
    amount: 4,
    data: { users: { rows: [{ id: 1 }, { id: 2 }] }, words: { rows: ['x'] } },
    requests: [{
      path: '/{{users.id}}',
      setupRequest (request, context) {
        seen.push([request.path, { ...context.users }, context.words, Object.getPrototypeOf(context.users)])
        return { ...request, headers: { 'x-a': '{{users.id}}' } }
      }
    }]
  })
  t.strictSame(seen, [1, 2, 1, 2].map(id => [`/${id}`, { id }, 'x', null]))
  t.strictSame(server.requests.map(request => [request.url, ...valuesOf(request, 'x-a')]), [1, 2, 1, 2].map(id => [`/${id}`, '{{users.id}}']))
})

t.test('a value of the context that may not stand in a header is refused, and the run ends when no other comes', async t => {
  const server = await serve(t)
  await t.rejects(run({ url: server.url, amount: 2, initialContext: { token: 'a\r\nb' }, headers: { 'x-token': '{{token}}' } }), { code: 'AC_TEMPLATE', message: 'request 0 could not be sent 1000 times in a row: {{token}} has a line break or a NUL, and is in a header' })
  t.equal(server.requests.length, 0)
  let calls = 0
  const result = await run({
    url: server.url,
    amount: 4,
    initialContext: { token: '' },
    requests: [{ path: '/a', onResponse (status, body, context) { context.token = calls++ % 2 === 0 ? 'fine' : 'a\nb' } }, { path: '/b', headers: { 'x-token': '{{token}}' } }]
  })
  t.strictSame(server.requests.map(({ url }) => url), ['/a', '/b', '/a', '/a'])
  t.strictSame(result.checks.find(({ name }) => name === 'template'), { name: 'template', request: 'GET /b', passed: 0, failed: 1, reasons: { '{{token}} has a line break or a NUL, and is in a header': 1 }, samples: {} })
  conserves(t, result)
})

t.test('a Client edits the request that is sent next: what it writes is no template, all else stays one', async t => {
  const server = await serve(t)
  await run({ url: server.url, amount: 2, method: 'POST', body: '{{users}}', data: { users: { rows: ['u'] } }, setupClient: client => client.setHeaders({ 'x-a': '{{users}}' }) })
  t.strictSame(server.requests.map(request => [request.body, ...valuesOf(request, 'x-a')]), [['u', '{{users}}'], ['u', '{{users}}']])
})

t.test('bytes are sent as they are, and {{ can be written', async t => {
  const server = await serve(t)
  await run({ url: server.url, amount: 2, method: 'POST', requests: [{ body: Buffer.from('{{users}}') }, { body: "{{'{{'}}a}} {{'}}'}}" }] })
  t.strictSame(server.requests.map(({ body }) => body), ['{{users}}', '{{a}} }}'])
})

inAllModes(t, 'each row is sent once where scenarios run side by side, wherever their connections are', async (t, mode) => {
  const server = await serve(t)
  const rows = Array.from({ length: 21 }, (_, i) => i)
  const result = await mode.run({
    url: server.url,
    connections: undefined,
    duration: 60,
    data: { few: { rows, pick: 'once', end: 'scenario' }, many: { rows, pick: 'once', end: 'scenario' } },
    scenarios: [{ name: 'a', connections: 1, requests: [{ path: '/a/{{few}}' }] }, { name: 'b', connections: 3, requests: [{ path: '/b/{{many}}' }] }]
  })
  t.strictSame(server.requests.map(({ url }) => url).sort(), rows.flatMap(row => [`/a/${row}`, `/b/${row}`]).sort())
  t.strictSame([result.iterations.started, result.iterations.completed], [42, 42])
  conserves(t, result)
})

inAllModes(t, 'data that is used up ends the run of generators without data as well, wherever they are', async (t, mode) => {
  const data = { rows: { rows: [1, 2, 3], pick: 'once' } }
  const requests = [{ path: '/{{rows}}' }]
  for (const options of [
    { connections: 2, sticky: true, scenarios: [{ name: 'a', requests }, { name: 'b', requests: [{ path: '/' }] }] },
    { connections: undefined, scenarios: [{ name: 'a', connections: 1, requests }, { name: 'b', connections: 3, requests: [{ path: '/' }] }] }
  ]) {
    const server = await serve(t)
    const result = await mode.run({ url: server.url, duration: 10, data, ...options })
    t.ok(result.duration < 9, 'at once')
    t.strictSame(server.requests.map(({ url }) => url).filter(url => url !== '/').sort(), ['/1', '/2', '/3'])
    t.equal(result.byScenario.a.completed, 3)
    conserves(t, result)
  }
})

inAllModes(t, 'data that is used up ends a run at a rate, one by amount, and one of users', async (t, mode) => {
  const once = { rows: { rows: Array.from({ length: 15 }, (_, i) => i), pick: 'once' } }
  const requests = [{ path: '/{{rows}}' }]
  for (const options of [{ rate: 500, duration: 60, requests }, { amount: 50, requests }, { duration: 60, pause: 0.001, requests }]) {
    const server = await serve(t)
    const result = await mode.run({ url: server.url, data: once, ...options })
    t.strictSame(server.requests.map(({ url }) => Number(url.slice(1))).sort((a, b) => a - b), once.rows.rows)
    conserves(t, result)
  }
})

inAllModes(t, 'values within a column of JSON are named by their path, and of a list a random one is picked', async (t, mode) => {
  const server = await serve(t)
  const rows = [{ name: 'a', address: { city: 'Rome', lines: ['x', { no: 7 }] }, tags: ['t0', 't1', 9007199254740993n] }]
  const result = await mode.run({
    url: server.url,
    amount: 40,
    data: { u: { rows } },
    initialContext: { items: [{ id: 1 }, { id: 2 }], words: ['red', 'green'] },
    requests: [{ path: '/{{u.address.city}}/{{u.address.lines[1].no}}/{{items[1].id}}', headers: { 'x-pick': '{{pick words}} {{pick u.tags}} {{pick \'words\'}}' }, method: 'POST', body: '{"a":{{{u.address}}},"i":{{pick items}}}' }]
  })
  for (const request of server.requests) {
    t.equal(request.url, '/Rome/7/2')
    t.match(valuesOf(request, 'x-pick')[0], /^(red|green) (t0|t1|9007199254740993) words$/)
    t.match(request.body, /^\{"a":\{"city":"Rome","lines":\["x",\{"no":7\}\]\},"i":\{"id":[12]\}\}$/)
  }
  t.equal(new Set(server.requests.map(request => valuesOf(request, 'x-pick')[0])).size, 6)
  conserves(t, result)
})

inModesOfUsers(t, 'elements of a captured list', async (t, mode) => {
  const server = await serve(t, (request, response) => { response.end(request.url === '/list' ? '{"items":[{"id":9007199254740993},{"id":2}],"none":[]}' : 'ok') })
  const result = await mode.run({ url: server.url, amount: 16, requests: [{ path: '/list', capture: { items: 'json items' } }, { path: '/{{items[0].id}}', method: 'POST', body: '{{pick items}}' }] })
  const sent = server.requests.filter(({ method }) => method === 'POST')
  t.ok(sent.every(({ url, body }) => url === '/9007199254740993' && ['{"id":9007199254740993}', '{"id":2}'].includes(String(body))))
  t.equal(result.failures, 0)
  conserves(t, result)
  const empty = await mode.run({ url: server.url, amount: 8, requests: [{ path: '/list', capture: { none: 'json none' } }, { path: '/{{pick none}}' }] })
  const { reasons } = empty.checks.find((/** @type {any} */ { name }) => name === 'template')
  t.strictSame(Object.keys(reasons), ['{{pick none}} has nothing to pick from: the value is no list, or an empty one'])
  conserves(t, empty)
})

t.test('a path that leads nowhere is refused before the first request', async t => {
  const rows = [{ name: 'a', address: { city: 'Rome' } }]
  for (const [path, message] of /** @type {Array<[string, RegExp]>} */ ([
    ['/{{u.adress.city}}', /has no column 'adress.city'/], ['/{{u.address.town}}', /row 1 has no value there/], ['/{{u.name.first}}', /row 1 has no value there/], ['/{{pick itmes}}', /nothing provides a list 'itmes' to pick from, did you mean 'items'/], ['/{{items[x].id}}', /expected a path such as items\[0\]\.id/], ['/{{nothing[0]}}', /nothing provides \{\{nothing\[0\]\}\}/]
  ])) await t.rejects(run({ url: 'http://127.0.0.1:1', amount: 1, data: { u: { rows } }, initialContext: { items: [1] }, requests: [{ path }] }), { message }, path)
})
