'use strict'

// Redirects, timeouts and checks of single requests of user functions.

const t = require('tap')
const { serve } = require('../../helpers/servers/http-server')
const { conserves } = require('../../helpers/results/conservation')
const { run } = require('../modes')

t.test('a redirect has the headers and the path of its own request, and not those of another one with its name', async t => {
  const server = await serve(t, (request, response) => {
    if (!String(request.url).endsWith('/start')) return response.end('ok')
    response.writeHead(Number(request.headers['x-status']), { location: 'end' }).end()
  })
  /** @type {string[]} */
  const urls = []
  const user = async (/** @type {any} */ { http, iteration }) => {
    const headers = { 'x-status': '307', 'x-id': `post ${iteration}` }
    const { url } = await http.post(`/${iteration}/start`, { name: 'one', headers, body: `body ${iteration}`, redirects: 1 })
    urls.push(url)
    await http.get(`/${iteration}/start`, { name: 'one', headers: { 'x-status': '302', 'x-id': `get ${iteration}` }, redirects: true })
  }
  const result = await run({ url: server.url, connections: 1, amount: 8, user })
  const seen = server.requests.map(({ method, url, rawHeaders, body }) => `${method} ${url} ${rawHeaders[rawHeaders.indexOf('x-id') + 1]} ${body}`)
  t.strictSame(seen, [0, 1].flatMap(n => [
    `POST /${n}/start post ${n} body ${n}`, `POST /${n}/end post ${n} body ${n}`, `GET /${n}/start get ${n} `, `GET /${n}/end get ${n} `
  ]))
  t.strictSame(urls, [`${server.url}/0/end`, `${server.url}/1/end`], 'the URL of the response is where the redirect led')
  t.equal(result.redirects, 4)
  conserves(t, result)
})

t.test('a captured list, a random element of it and a value of HTML are in the context', async t => {
  const page = '{"items":[{"id":1},{"id":2}],"note":"<h1>A &amp; B</h1>"}'
  const server = await serve(t, (request, response) => { response.end(page) })
  /** @type {any[]} */
  const seen = []
  const user = async (/** @type {any} */ { http, context }) => {
    const answer = await http.get('/', { capture: { ids: 'json items[*].id', one: 'json items[*].id pick random', title: 'html h1', all: { from: /"id":(\d)/, all: true } } })
    seen.push({ ...context, last: answer.json('items[-1].id'), count: answer.json('items.length') })
  }
  const result = await run({ url: server.url, connections: 1, amount: 20, seed: 1, user })
  t.equal(seen.length, 20)
  for (const { one, ...rest } of seen) {
    t.strictSame(rest, { ids: [1, 2], title: 'A & B', all: ['1', '2'], last: 2, count: 2 })
    t.ok([1, 2].includes(one))
  }
  t.strictSame([...new Set(seen.map(({ one }) => one))].sort(), [1, 2])
  conserves(t, result)
})

t.test('a request with its own timeout ends with AC_TIMEOUT', async t => {
  const server = await serve(t, (request, response) => { if (request.url !== '/never') response.end('ok') })
  /** @type {string[]} */
  const codes = []
  const user = async (/** @type {any} */ { http }) => {
    await http.get('/never', { timeout: '50ms' }).catch((/** @type {any} */ error) => codes.push(error.code))
    await http.get('/')
  }
  const result = await run({ url: server.url, connections: 1, amount: 4, user })
  t.strictSame(codes, ['AC_TIMEOUT', 'AC_TIMEOUT'])
  t.equal(result.timeouts, 2)
  conserves(t, result)
})

t.test('a text that the check of a request returns is why it failed, and one of a named check is a value', async t => {
  const { url } = await serve(t)
  const user = async (/** @type {any} */ { http, check }) => {
    const response = await http.get('/', { name: 'page', check: () => 'too short' })
    check(response, { 'has text': (/** @type {any} */ r) => r.text(), 'is an error': () => new Error('wrong') })
  }
  const result = await run({ url, connections: 1, duration: 0.2, user })
  const failed = result.checks.flatMap(({ name, reasons }) => Object.keys(reasons).map(reason => `${name}: ${reason}`))
  t.strictSame(failed.sort(), ['check: too short', 'is an error: wrong'])
})

t.test('a redirect to another origin is followed where origins name it, without credentials and cookies of the start', async t => {
  const other = await serve(t)
  const server = await serve(t, (request, response) => response.writeHead(302, { location: `${other.url.replace('127.0.0.1', 'localhost')}/end` }).end())
  /** @type {string[]} */
  const seen = []
  const user = async (/** @type {any} */ { http }) => {
    const { status, url } = await http.get('/', { redirects: true, auth: 'ann:secret' })
    seen.push(`${status} ${new URL(url).pathname}`)
  }
  const opts = { url: server.url, connections: 1, amount: 2, user, cookies: { start: { sid: '1' } } }
  await run({ ...opts, origins: [other.url.replace('127.0.0.1', 'localhost')] })
  t.strictSame(seen, ['200 /end'])
  t.notMatch(other.requests[0].rawHeaders.join().toLowerCase(), /authorization|cookie/)
  await run(opts)
  t.strictSame(seen.slice(1), ['302 /', '302 /'])
  await run({ ...opts, redirectsAnywhere: true })
  t.strictSame(seen.slice(3), ['200 /end'])
})
