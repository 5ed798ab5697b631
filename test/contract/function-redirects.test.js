'use strict'

// Redirects, cookies and timeouts of user functions.

const t = require('tap')
const { serve } = require('../helpers/http-server')
const { conserves } = require('../helpers/conservation')
const { run } = require('./modes')

t.test('a redirect has the headers and the path of its own request, and not those of another one with its name', async t => {
  const server = await serve(t, (request, response) => {
    if (!String(request.url).endsWith('/start')) return response.end('ok')
    response.writeHead(Number(request.headers['x-status']), { location: 'end' }).end()
  })
  const user = async (/** @type {any} */ { http, iteration }) => {
    const headers = { 'x-status': '307', 'x-id': `post ${iteration}` }
    await http.post(`/${iteration}/start`, { name: 'one', headers, body: `body ${iteration}`, redirects: 1 })
    await http.get(`/${iteration}/start`, { name: 'one', headers: { 'x-status': '302', 'x-id': `get ${iteration}` }, redirects: true })
  }
  const result = await run({ url: server.url, connections: 1, amount: 8, user })
  const seen = server.requests.map(({ method, url, rawHeaders, body }) => `${method} ${url} ${rawHeaders[rawHeaders.indexOf('x-id') + 1]} ${body}`)
  t.strictSame(seen, [0, 1].flatMap(n => [
    `POST /${n}/start post ${n} body ${n}`, `POST /${n}/end post ${n} body ${n}`, `GET /${n}/start get ${n} `, `GET /${n}/end get ${n} `
  ]))
  t.equal(result.redirects, 4)
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
