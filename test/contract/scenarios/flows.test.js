'use strict'

// Conditions, loops and parallel requests of scenarios as data: what is sent and when, and what is counted.

const { setTimeout: sleep } = require('node:timers/promises')
const t = require('tap')
const autocannon = require('../../..')
const { conserves } = require('../../helpers/results/conservation')
const { serve, closedPort } = require('../../helpers/servers/http-server')
const { fixture, inModesOfUsers, overHttp1, run } = require('../modes')

/**
 * A shop: `/cart` has three items, and `/state` is done each third time that an iteration asks.
 * @param {any} t
 * @param {(request: any, response: any) => unknown} [more]
 */
async function shop (t, more = () => false) {
  /** @type {Map<string, number>} */
  const polls = new Map()
  return serve(t, (request, response) => {
    const { pathname, searchParams } = new URL(String(request.url), 'http://x')
    if (more(request, response)) return
    if (pathname === '/cart') return json(response, { items: [{ id: 1 }, { id: '2/x' }, { id: 9007199254740993n }], empty: [], none: null, name: 'ann' })
    if (pathname === '/state') {
      const id = String(searchParams.get('id'))
      polls.set(id, (polls.get(id) ?? 0) + 1)
      return json(response, { state: Number(polls.get(id)) % 3 === 0 ? 'done' : 'busy' })
    }
    response.statusCode = Number(searchParams.get('status') ?? 200)
    response.end('ok')
  })
}

/** @type {(response: any, value: unknown) => void} */
function json (response, value) {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(value, (key, one) => typeof one === 'bigint' ? `<${one}>` : one).replace(/"<(\d+)>"/g, '$1'))
}

/**
 * @param {Array<{ url?: string, method?: string }>} requests
 * @returns {Record<string, number>} how often each was sent
 */
function countsOf (requests) {
  /** @type {Record<string, number>} */
  const counts = {}
  for (const { url } of requests) counts[String(url)] = (counts[String(url)] ?? 0) + 1
  return counts
}

/** Whole iterations: the last ones may be cut by the amount. @param {any} t @param {Record<string, number>} counts @param {Record<string, number>} each @param {number} started @param {number} completed */
function areEach (t, counts, each, started, completed) {
  for (const [url, n] of Object.entries(each)) {
    t.ok((counts[url] ?? 0) >= n * completed && (counts[url] ?? 0) <= n * started, `${url}: ${counts[url]}, ${n} in each of ${completed} to ${started}`)
  }
  t.strictSame(Object.keys(counts).filter(url => !Object.hasOwn(each, url)), [], 'nothing else is sent')
}

const FLOW = [
  { path: '/cart', capture: { cart: { from: 'json', default: null } } },
  { path: '/cart?2', capture: { items: 'json items', name: 'json name' } },
  {
    forEach: 'items as item', requests: [
      { path: '/item/{{item.id}}?turn={{index}}' },
      { if: 'index == 1', requests: [{ path: '/second' }], else: [{ path: '/other' }] }
    ]
  },
  { repeat: 2, requests: [{ repeat: '1 + 1', requests: [{ path: '/twice/{{index}}' }] }] },
  { parallel: [{ path: '/a' }, { requests: [{ path: '/b1' }, { path: '/b2' }] }, { if: "name == 'bob'", requests: [{ path: '/bob' }], else: [{ path: '/ann' }] }] },
  { if: 'status == 200 and not (items.length < 3)', requests: [{ path: '/end?status=404' }] },
  { if: 'status == 404', requests: [{ path: '/saw' }], else: [{ path: '/never' }] }
].slice(1)

const EACH = {
  '/cart?2': 1, '/item/1?turn=0': 1, '/item/2%2Fx?turn=1': 1, '/item/9007199254740993?turn=2': 1, '/second': 1, '/other': 2, '/twice/0': 2, '/twice/1': 2, '/a': 1, '/b1': 1, '/b2': 1, '/ann': 1, '/end?status=404': 1, '/saw': 1
}

inModesOfUsers(t, 'conditions, loops and parallel requests send what they say', async (t, mode) => {
  const server = await shop(t)
  const result = await mode.run({ url: server.url, amount: 200, requests: FLOW })
  const { started, completed, unfinished, cut } = result.iterations
  t.equal(server.requests.length, 200)
  t.ok(completed > 5)
  t.equal(cut, 0)
  t.equal(started, completed + cut + unfinished)
  areEach(t, countsOf(server.requests), EACH, started, completed)
  conserves(t, result)
})

inModesOfUsers(t, 'flows and fixed sequences beside each other keep their weights', async (t, mode) => {
  const server = await shop(t)
  const result = await mode.run({
    url: server.url, amount: 120, scenarios: [
      { name: 'flow', weight: 1, requests: [{ repeat: 3, requests: [{ path: '/flow' }] }] },
      { name: 'fixed', weight: 1, requests: [{ path: '/f1' }, { path: '/f2' }] }
    ]
  })
  const { flow, fixed } = result.byScenario
  t.ok(Math.abs(flow.started - fixed.started) <= 2, `${flow.started} and ${fixed.started}`)
  conserves(t, result)
})

inModesOfUsers(t, 'a rate of iterations', async (t, mode) => {
  const server = await shop(t)
  const result = await mode.run({ url: server.url, rate: '80 iterations/s', amount: '40 iterations', connections: 10, requests: FLOW })
  t.match(result.iterations, { started: 40, completed: 40, cut: 0, unfinished: 0 })
  conserves(t, result)
})

overHttp1(t, 'a while loop ends when its condition is false, and is a failed check when it never is', async (t, mode) => {
  const server = await shop(t)
  const data = { ids: { rows: Array.from({ length: 400 }, (_, i) => i), pick: 'once', end: 'run' } }
  const requests = [{ while: "state != 'done'", max: 10, requests: [{ path: '/state?id={{ids}}', capture: { state: 'json state' } }] }, { path: '/end' }]
  const result = await mode.run({ url: server.url, amount: 80, data, requests })
  const counts = countsOf(server.requests)
  for (const [url, n] of Object.entries(counts)) if (url.startsWith('/state')) t.ok(n <= 3, url)
  t.equal(counts['/end'], Object.values(counts).filter(n => n === 3).length || counts['/end'])
  t.equal(result.checks.find(({ name }) => name.startsWith('while'))?.failed, 0)
  conserves(t, result)

  const endless = await mode.run({ url: server.url, amount: 40, requests: [{ while: 'status != 500', max: 3, requests: [{ path: '/again' }] }, { path: '/never' }] })
  const check = endless.checks.find(({ name }) => name === 'while status != 500')
  t.strictSame(check?.reasons, { 'it is still true after 3 turns': endless.iterations.cut })
  t.strictSame(endless.iterations.cutBy, { 'while status != 500': endless.iterations.cut })
  t.ok(endless.iterations.cut >= 10)
  t.equal(countsOf(server.requests)['/never'], undefined)
  conserves(t, endless)
})

overHttp1(t, 'a list that is none aborts the iteration, and an empty one has no turns', async (t, mode) => {
  const server = await shop(t)
  const cases = /** @type {const} */ ([['name', 'a text'], ['none', 'nothing'], ['items[0]', 'an object'], ['items.length', '3']])
  for (const [list, what] of cases) {
    const result = await mode.run({ url: server.url, amount: 20, requests: [{ path: '/cart', capture: { items: 'json items', name: 'json name', none: { from: 'json none', default: null } } }, { forEach: `${list} as one`, requests: [{ path: '/never' }] }] })
    const name = `forEach ${list} as one`
    t.strictSame(result.iterations.cutBy, { [name]: result.iterations.cut })
    t.ok(result.iterations.cut > 0)
    t.strictSame(Object.keys(result.checks.find((/** @type {any} */ one) => one.name === name).reasons), [`expected a list, got ${what}`])
    conserves(t, result)
  }
  const empty = await mode.run({ url: server.url, amount: 20, requests: [{ path: '/cart', capture: { empty: 'json empty' } }, { forEach: 'empty as one', requests: [{ path: '/never' }] }] })
  t.equal(empty.iterations.cut, 0)
  t.ok(empty.iterations.completed >= 19)
  t.equal(countsOf(server.requests)['/never'], undefined)
})

overHttp1(t, 'how often something is repeated has to be a number', async (t, mode) => {
  const server = await shop(t)
  const result = await mode.run({ url: server.url, amount: 20, requests: [{ path: '/cart', capture: { name: 'json name' } }, { repeat: 'name', requests: [{ path: '/never' }] }] })
  t.strictSame(result.iterations.cutBy, { 'repeat name': result.iterations.cut })
  t.strictSame(result.checks.find(({ name }) => name === 'repeat name')?.reasons, { 'expected a whole number from 0 to 1000000, got a text': result.iterations.cut })
  conserves(t, result)
})

overHttp1(t, 'a branch that fails ends the iteration, and what the others wait for is counted', async (t, mode) => {
  const server = await shop(t, ({ url, socket }) => url === '/gone' && socket.destroy())
  const requests = [{ parallel: [{ requests: [{ path: '/gone' }, { path: '/never' }] }, { requests: [{ path: '/slow' }, { path: '/slow2' }] }, { repeat: 50, requests: [{ path: '/many' }] }] }, { path: '/never' }]
  const result = await mode.run({ url: server.url, amount: 60, requests })
  t.ok(result.iterations.cut > 3)
  t.equal(result.iterations.completed, 0)
  t.strictSame(Object.keys(result.iterations.cutBy), ['AC_CLOSED'])
  t.equal(countsOf(server.requests)['/never'], undefined)
  conserves(t, result)
})

overHttp1(t, 'a value that is missing aborts the iteration inside of a loop', async (t, mode) => {
  const server = await shop(t)
  const requests = [{ path: '/cart', capture: { items: 'json items' } }, { forEach: 'items as item', requests: [{ path: '/x/{{item.id}}', capture: { missing: 'json no.such' } }, { path: '/never' }] }]
  const result = await mode.run({ url: server.url, amount: 20, requests })
  t.strictSame(result.iterations.cutBy, { 'capture missing': result.iterations.cut })
  t.strictSame(countsOf(server.requests)['/x/2%2Fx'], undefined)
  const value = await mode.run({ url: server.url, amount: 20, requests: [{ path: '/cart', capture: { items: 'json items' } }, { forEach: 'items as item', requests: [{ path: '/y/{{item.no}}' }] }] })
  t.strictSame(value.iterations.cutBy, { value: value.iterations.cut })
  t.ok(value.checks.some(({ name, failed }) => name === 'template' && failed === value.iterations.cut))
  conserves(t, value)
})

t.test('an iteration that is aborted waits for the pauses that the rest would have had', async t => {
  const server = await shop(t, ({ url, socket }) => url === '/gone' && socket.destroy())
  const requests = [{ repeat: 3, requests: [{ path: '/gone' }, { pause: '100ms' }] }, { parallel: [{ requests: [{ path: '/' }, { pause: '200ms' }] }, { path: '/' }] }, { if: 'status == 200', requests: [{ pause: '50s' }, { path: '/' }], else: [{ path: '/', pause: '100ms' }] }]
  const result = await run({ url: server.url, duration: 1.5, requests })
  // 3 × 100 + 200 + 100 ms.
  t.ok(result.iterations.cut >= 1 && result.iterations.cut <= 3, `${result.iterations.cut} iterations`)
  const rate = await run({ url: server.url, duration: 0.5, rate: '50 iterations/s', connections: 2, requests })
  t.ok(rate.iterations.cut > 5, 'not with a rate of iterations')
})

t.test('nor does a branch that fails multiply the load: the pauses of the others are kept', async t => {
  const server = await shop(t)
  const fails = { path: '/list', capture: { none: 'json none' } }
  for (const other of [
    [{ pause: '400ms' }, { path: '/late' }],
    [{ path: '/' }, { repeat: 4, requests: [{ path: '/' }, { pause: '100ms' }] }],
    [{ path: '/', pause: '400ms' }],
    [{ parallel: [{ path: '/' }, { requests: [{ pause: '200ms' }, { path: '/' }, { pause: '200ms' }] }] }]
  ]) {
    const result = await run({ url: server.url, duration: 1, connections: 2, requests: [{ parallel: [fails, { requests: other }] }] })
    t.ok(result.iterations.started >= 2 && result.iterations.started <= 6, `${result.iterations.started} iterations`)
    conserves(t, result)
  }
})

t.test('the status behind parallel requests is that of the last response in any branch', async t => {
  const server = await serve(t, ({ url = '' }, response) => {
    setTimeout(() => {
      response.statusCode = url === '/last' ? 202 : url === '/first' ? 201 : 200
      response.end('{}')
    }, url === '/last' ? 50 : 0)
  })
  const result = await run({
    url: server.url, amount: '1 iterations', requests: [
      { path: '/' }, { parallel: [{ parallel: [{ path: '/last' }, { path: '/first' }] }, { path: '/first' }] },
      { if: 'status == 202', requests: [{ path: '/right' }], else: [{ path: '/stale' }] }
    ]
  })
  conserves(t, result)
  t.match(server.requests.map(({ url }) => url).pop(), '/right')
})

t.test('the run ends inside of loops, pauses and parallel requests', async t => {
  const server = await serve(t, (request, response) => { if (request.url !== '/hangs') response.end('ok') })
  for (const requests of [
    [{ repeat: 1_000_000, requests: [{ path: '/' }] }],
    [{ path: '/' }, { repeat: 1_000_000, requests: [{ if: 'false', requests: [{ path: '/never' }] }] }],
    [{ path: '/' }, { while: 'true', max: 1_000_000, requests: [{ pause: '10ms' }] }],
    [{ parallel: [{ path: '/' }, { path: '/hangs' }, { repeat: 1_000_000, requests: [{ path: '/' }, { pause: '1ms' }] }] }],
    [{ path: '/' }, { repeat: 10, requests: [{ path: '/' }, { pause: '1000s' }] }]
  ]) {
    const result = await run({ url: server.url, connections: 3, duration: 0.4, requests })
    t.equal(result.iterations.completed, 0)
    t.equal(result.iterations.unfinished, 3, JSON.stringify(requests))
    conserves(t, result)
  }
})

t.test('a flow that sends nothing does not hold the thread', async t => {
  const server = await serve(t)
  const result = await run({ url: server.url, connections: 2, duration: 0.3, requests: [{ if: 'status == 1', requests: [{ path: '/' }] }] })
  t.ok(result.iterations.completed > 10)
  t.equal(server.requests.length, 0)
})

t.test('a dead server ends a run by amount', async t => {
  const result = await run({ url: `http://127.0.0.1:${await closedPort()}`, connections: 2, amount: 10, requests: [{ repeat: 2, requests: [{ path: '/' }] }] })
  t.equal(result.errors, 10)
  conserves(t, result, { neverSent: 10, arrived: 0 })
})

t.test('hooks, checks, expectations, retries, once and data are those of fixed sequences', async t => {
  let failures = 0
  const server = await shop(t, ({ url }, response) => {
    if (url !== '/busy' || failures++ % 2 === 1) return false
    response.statusCode = 503
    response.end()
    return true
  })
  /** @type {string[]} */
  const seen = []
  const result = await run({
    url: server.url,
    connections: 1,
    amount: 36,
    initialContext: { tries: 1 },
    data: { users: { rows: [{ age: '17', tags: ['a'] }, { age: '40', tags: ['b', 'c'] }] } },
    scenarios: [{
      name: 'all',
      requests: [
        { path: '/login', once: true, capture: { token: 'status' } },
        { if: 'users.age >= 18', requests: [{ path: '/adult/{{users.age}}' }], else: [{ path: '/child' }] },
        { forEach: 'users.tags as tag', requests: [{ path: '/tag/{{tag}}', name: 'tag', expect: { status: 200 }, check: (/** @type {any} */ response, /** @type {any} */ context) => { seen.push(`${context.tag} ${context.index} ${response.status}`); return true } }] },
        { path: '/busy', retries: { times: 1, on: [503] } },
        {
          repeat: 'tries',
          requests: [{
            path: '/hook',
            setupRequest: (/** @type {any} */ request, /** @type {any} */ context) => ({ ...request, path: `/hook/${context.token}` }),
            onResponse: (/** @type {number} */ status) => { seen.push(`onResponse ${status}`) }
          }]
        }
      ]
    }]
  })
  const urls = server.requests.map(({ url }) => url)
  t.equal(urls.filter(url => url === '/login').length, 1)
  t.strictSame(urls.slice(0, 12), ['/login', '/child', '/tag/a', '/busy', '/busy', '/hook/200', '/adult/40', '/tag/b', '/tag/c', '/busy', '/busy', '/hook/200'])
  t.strictSame(seen.slice(0, 5), ['a 0 200', 'onResponse 200', 'b 0 200', 'c 1 200', 'onResponse 200'])
  t.ok(result.retries > 2)
  t.equal(result.byRequest.tag.count, result.checks.find(({ name }) => name === 'check')?.passed)
  conserves(t, result)
})

inModesOfUsers(t, 'forms with templates, and requests to another origin that is named', async (t, mode) => {
  const file = `${t.testdir({ 'photo.bin': Buffer.from([0xff, 0, 0xfe, 13, 10]) })}/photo.bin`
  const [server, other] = [await shop(t), await shop(t)]
  const origin = other.url.replace('127.0.0.1', 'localhost')
  const result = await mode.run({
    url: server.url,
    origins: [origin],
    headers: { authorization: 'secret', cookie: 'a=b', 'x-run': '1' },
    amount: 24,
    initialContext: { user: 'ann & "bob"', count: 7, list: [1, { a: 2 }] },
    requests: [
      { url: `${origin}/auth/{{user}}?q=1` },
      { path: '/form', form: { 'a b': '{{user}}', list: ['1', 'é{{{user}}}'], braces: "{{'{{'}}" } },
      { path: '/upload', multipart: { title: 'by {{user}}', photo: { type: 'file', path: file } } },
      { path: '/put', method: 'PUT', multipart: { plain: 'x' } },
      { path: '/json', json: { by: '{{user}} "{{pick \'a"b\'}}"', '{{user}}': [1, null, { deep: "{{'{{'}}" }], n: '{{{count}}}', list: '{{{list}}}' } },
      { path: '/json-put', method: 'PUT', headers: { 'content-type': 'application/merge-patch+json' }, json: [] }
    ]
  })
  t.equal(other.requests.length, 4)
  t.equal(other.requests[0].url, '/auth/ann%20%26%20%22bob%22?q=1')
  const names = other.requests.flatMap(({ rawHeaders }) => rawHeaders).map(text => text.toLowerCase())
  t.notOk(names.includes('authorization') || names.includes('cookie'))
  t.ok(names.includes('x-run'))
  const of = (/** @type {string} */ url) => server.requests.filter(request => request.url === url)
  t.equal(server.requests.length, 20)
  t.strictSame([...new Set(of('/form').map(({ method, body }) => `${method} ${body}`))], ['POST a+b=ann+%26+%22bob%22&list=1&list=%C3%A9ann & "bob"&braces=%7B%7B'])
  for (const { body, method } of of('/upload')) {
    t.equal(method, 'POST')
    t.match(String(body), /name="title"\r\n\r\nby ann & "bob"\r\n[^]*filename="photo.bin"[^]*--\r\n$/)
  }
  t.match(of('/put')[0].method, 'PUT')
  const typeOf = ({ rawHeaders }) => rawHeaders[rawHeaders.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'content-type') + 1]
  for (const request of of('/json')) {
    const { body, method } = request
    t.strictSame([method, typeOf(request)], ['POST', 'application/json'])
    t.strictSame(JSON.parse(String(body)), { by: 'ann & "bob" "a"b"', 'ann & "bob"': [1, null, { deep: '{{' }], n: 7, list: [1, { a: 2 }] })
  }
  const [put] = of('/json-put')
  t.strictSame([put.method, String(put.body), typeOf(put)], ['PUT', '[]', 'application/merge-patch+json'])
  conserves(t, result, { arrived: 24 })
})

inModesOfUsers(t, 'hooks of scenarios may be async functions, also those of modules', async (t, mode) => {
  const server = await shop(t)
  const hook = mode.hook('async-hooks.js')
  const result = await mode.run({
    url: server.url,
    amount: 40,
    scenarios: [{
      requests: [
        { path: '/first', name: 'first', setupRequest: mode.workers === undefined ? hook.sign : fixture('async-sign.js') },
        { pause: '1ms' },
        { path: '/second', name: 'second', check: mode.workers === undefined ? hook.check : fixture('async-check.js') }
      ]
    }]
  })
  const firsts = server.requests.filter(({ url }) => url === '/signed/first')
  t.ok(firsts.length >= 19)
  t.equal(server.requests.length, 40)
  const check = result.checks.find((/** @type {any} */ { name }) => name === 'check')
  t.ok(check.passed + check.failed >= 18)
  t.strictSame(Object.keys(check.reasons), check.failed === 0 ? [] : ['an odd one: ok'])
  t.equal(result.byRequest.second.failures, check.failed)
  t.equal(result.iterations.cut, 0)
  conserves(t, result)
})

inModesOfUsers(t, 'setup and teardown of a scenario are sent once, and what setup captures is in each iteration', async (t, mode) => {
  const server = await shop(t)
  const scenarios = [
    { name: 'fixed', setup: [{ path: '/cart', capture: { name: 'json name' } }], requests: [{ path: '/hello/{{name}}' }], teardown: [{ method: 'DELETE', path: '/data/{{name}}' }] },
    { name: 'flow', setup: [{ path: '/cart?2', capture: { items: 'json items' } }, { repeat: 2, requests: [{ path: '/prepare/{{index}}' }] }], requests: [{ forEach: 'items as item', requests: [{ path: '/item/{{item.id}}' }] }] }
  ]
  const result = await mode.run({ url: server.url, amount: 24, connections: 4, scenarios })
  const counts = countsOf(server.requests)
  for (const url of ['/cart', '/cart?2', '/prepare/0', '/prepare/1', '/data/ann']) t.equal(counts[url], 1, url)
  t.equal(server.requests.at(-1)?.method, 'DELETE')
  t.equal(server.requests.length, 24 + 5)
  t.ok(counts['/hello/ann'] > 0)
  t.ok(counts['/item/9007199254740993'] > 0, Object.keys(counts).join())
  t.equal(result.requests.total, 24, 'they are in no figure')
  conserves(t, result, { arrived: 24 })
})

t.test('a setup that fails ends the run before the load, and teardown is sent when it is stopped', async t => {
  const server = await shop(t, ({ url }, response) => {
    if (url !== '/bad') return false
    response.statusCode = 500
    response.end('no')
    return true
  })
  /** @type {(setup: any) => Promise<any>} */
  const failureOf = setup => run({ url: server.url, duration: 5, scenarios: [{ name: 'one', setup, requests: [{ path: '/load' }], teardown: [{ path: '/teardown' }] }] }).then(() => null, (/** @type {any} */ error) => error.message)
  t.match(await failureOf([{ path: '/bad', expect: { status: 200 } }]), /^setup of scenario 'one' failed: the check 'expect' failed: status 500, expected 200/)
  t.match(await failureOf([{ path: '/bad', capture: { token: 'json token' } }, { path: '/never' }]), /^setup of scenario 'one' failed: the check 'capture token'.*status 500/)
  t.match(await failureOf([{ while: 'true', max: 2, requests: [{ path: '/' }] }]), /^setup of scenario 'one' failed: the check 'while true' failed/)
  t.strictSame(Object.keys(countsOf(server.requests)), ['/bad', '/'])
  const instance = autocannon({ url: server.url, duration: 60, connections: 1, scenarios: [{ setup: [{ path: '/setup' }], requests: [{ path: '/load', pause: '10ms' }], teardown: [{ path: '/teardown' }] }] })
  instance.once('response', () => instance.stop())
  await instance
  t.equal(countsOf(server.requests)['/teardown'], 1)
  t.equal(server.requests.at(-1)?.url, '/teardown')
})

t.test('an async hook that fails, and a promise where nothing waits for it', async t => {
  const server = await shop(t)
  /** @type {(requests: any, more?: any) => Promise<any>} */
  const failureOf = (requests, more) => run({ url: server.url, amount: 10, ...more, scenarios: [{ requests }] }).then(() => null, (/** @type {any} */ error) => `${error.code} ${error.message}`)
  t.match(await failureOf([{ path: '/', setupRequest: async () => { throw new Error('no key') } }]), /^AC_HOOK setupRequest of request 0 failed: no key/)
  t.match(await failureOf([{ path: '/', setupRequest: async () => 5 }]), /^AC_HOOK setupRequest of request 0 failed: expected it to return the request/)
  t.match(await failureOf([{ path: '/', check: async () => 5 }]), /^AC_HOOK check of request 0 has to return true, false/)
  t.match(await failureOf([{ path: '/', check: () => Promise.resolve(true) }]), /returned a promise: .* or make it an async function of a request in scenarios/)
  t.match(await failureOf([{ path: '/', check: async () => true }], { rate: 20, amount: undefined, duration: 1 }), /check of request 0 is an async function, and there is a rate of requests/)
  t.match(await run({ url: server.url, amount: 10, requests: [{ path: '/', check: async () => true }] }).catch((/** @type {any} */ error) => error.message), /returned a promise/)
  const result = await run({ url: server.url, amount: 10, scenarios: [{ requests: [{ path: '/', setupRequest: async () => null }, { path: '/never' }] }], duration: 0.2 }).catch((/** @type {any} */ error) => error.message)
  t.match(result, /returned nothing 1000 times in a row/)
  const rejects = await run({ url: server.url, amount: 10, scenarios: [{ requests: [{ path: '/', check: async () => { throw new Error('bad') } }] }] })
  t.strictSame(rejects.checks[0].reasons, { bad: 10 })
  t.equal(rejects.failures, 10)
  conserves(t, rejects)
})

t.test('cookies and redirects', async t => {
  const server = await serve(t, (request, response) => {
    if (request.url === '/login') response.setHeader('set-cookie', 'sid=1')
    if (request.url === '/old') { response.statusCode = 302; response.setHeader('location', '/new') }
    response.end('ok')
  })
  const result = await run({ url: server.url, connections: 1, amount: 10, cookies: true, redirects: 2, requests: [{ path: '/login' }, { parallel: [{ path: '/a?{{uuid}}' }, { path: '/old' }] }] })
  for (const { url, rawHeaders } of server.requests.slice(1, 4)) t.match(rawHeaders.join(), /cookie,sid=1/i, String(url))
  t.equal(countsOf(server.requests)['/new'], countsOf(server.requests)['/old'])
  t.ok(result.redirects > 1)
  conserves(t, result)
})

t.test('the name of an element is none of a built-in value', async t => {
  const requests = [{ path: '/cart', capture: { items: 'json items' } }, { forEach: 'items as id', requests: [{ path: '/x/{{id}}' }] }]
  await t.rejects(run({ url: 'http://127.0.0.1:1', amount: 1, requests }), { message: /^requests\[1\]\.forEach: expected another name than 'id', such as 'order_id': \{\{id\}\} is a built-in value$/ })
})

inModesOfUsers(t, 'a number of iterations ends the run behind the last loop of each', async (t, mode) => {
  const server = await shop(t)
  const result = await mode.run({ url: server.url, connections: 3, amount: '11 iterations', requests: [{ path: '/cart', capture: { ids: 'json items[*].id' } }, { forEach: 'ids as one', requests: [{ path: '/item/{{one}}' }] }] })
  t.match(result.iterations, { started: 11, completed: 11, unfinished: 0 })
  t.equal(server.requests.length, 44)
  conserves(t, result)
})

inModesOfUsers(t, 'stages of connections, and of iterations, count what was sent in them', async (t, mode) => {
  const server = await shop(t)
  const requests = [{ path: '/cart', capture: { items: 'json items' } }, { forEach: 'items as item', requests: [{ path: '/item' }] }, { parallel: [{ path: '/a', pause: '20ms' }, { path: '/b' }] }]
  for (const stages of [['300ms:2', '300ms:4', '300ms:1'], ['300ms:20iterations/s', '500ms:40iterations/s']]) {
    const result = await mode.run({ url: server.url, stages, connections: undefined, requests })
    t.equal(result.byStage.reduce((sum, { count }) => sum + count, 0), result.requests.total)
    t.ok(result.iterations.started > 0)
    conserves(t, result, { arrived: result.requests.sent + result.resent })
  }
})

t.test('what an async check finds late counts in the stage of its request, once, and is in a run by amount', async t => {
  const server = await serve(t, ({ url }, response) => {
    response.statusCode = url === '/busy' ? 503 : 200
    response.end('ok')
  })
  const late = (/** @type {number} */ ms) => async () => {
    await sleep(ms)
    return false
  }
  const staged = await run({ url: server.url, stages: ['500ms:4', '1s:4'], sampleInt: 100, requests: [{ repeat: 2, requests: [{ path: '/', check: late(450) }] }] })
  t.ok(staged.failures > 0)
  t.equal(staged.byStage.reduce((sum, { failures }) => sum + failures, 0), staged.failures)
  conserves(t, staged)
  const amount = await run({ url: server.url, connections: 2, amount: 4, requests: [{ parallel: [{ path: '/', check: late(50) }, { path: '/', check: late(300) }] }] })
  t.match(amount.checks, [{ name: 'check', failed: 4 }], 'also of its last responses')
  t.match(amount, { failures: 4, iterations: { completed: 2, unfinished: 0 } })
  conserves(t, amount)
  const busy = await run({ url: server.url, connections: 1, amount: 3, requests: [{ repeat: 1, requests: [{ path: '/busy', check: late(5) }] }] })
  t.match(busy, { failures: 3, unexpected: 3 }, 'a failure by its status is one')
  t.equal(busy.firstFailures.length, 3)
  conserves(t, busy)
})
