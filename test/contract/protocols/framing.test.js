'use strict'

// Headers of the user's own that mark the end of a request: none makes a server read one request as two.

const t = require('tap')
const autocannon = require('../../..')
const { serve, valuesOf } = require('../../helpers/servers/http-server')
const { rawServer, answer } = require('../../helpers/servers/raw-server')
const { conserves } = require('../../helpers/results/conservation')

const url = 'http://127.0.0.1:1'
const LENGTH = "the body has 3 bytes, and Content-Length is '1': omit it, it is computed"

/** @type {(opts: Record<string, any>) => Promise<any>} */
const run = opts => autocannon({ connections: 1, amount: 2, timeout: 5, ...opts })

t.test('what is known before the run is refused with its place', async t => {
  const one = { 'content-length': '1' }
  const twice = { 'content-length': ['3', '3'] }
  const post = { method: 'POST', path: '/' }
  const har = { log: { entries: [{ request: { method: 'POST', url: `${url}/`, headers: [], postData: { mimeType: 'text/plain', text: 'abc' } } }] } }
  const data = { words: { rows: ['x'] } }
  for (const [opts, message] of /** @type {Array<[Record<string, any>, string]>} */ ([
    [{ method: 'POST', body: 'abc', headers: one }, `headers: ${LENGTH}`],
    [{ method: 'POST', headers: one }, `headers: ${LENGTH.replace('3', '0')}`],
    [{ method: 'POST', body: 'ä', headers: one }, `headers: ${LENGTH.replace('3', '2')}`],
    [{ method: 'POST', body: Buffer.from('abc'), headers: one }, `headers: ${LENGTH}`],
    [{ method: 'POST', body: 'abc', headers: { 'content-length': '+3' } }, `headers: ${LENGTH.replace("'1'", "'+3'")}`],
    [{ method: 'POST', body: 'abc', headers: twice }, 'headers: expected one Content-Length, got several: omit them, it is computed'],
    [{ method: 'POST', body: 'abc', headers: { 'content-length': '3', 'transfer-encoding': 'chunked' } }, 'headers: Content-Length and Transfer-Encoding each set where the body ends: omit both'],
    [{ method: 'POST', body: 'abc', headers: { 'transfer-encoding': 'gzip' } }, "headers: Transfer-Encoding: expected chunked as its last coding, got 'gzip'"],
    [{ method: 'POST', body: 'abc', headers: { 'transfer-encoding': ['chunked', 'chunked'] } }, "headers: Transfer-Encoding: expected chunked as its last coding, got 'chunked, chunked'"],
    [{ form: { a: { type: 'text', value: 'x' } }, headers: { 'content-length': '3', 'content-type': 'multipart/form-data; boundary=x' } }, 'headers: the body has '],
    [{ requests: [post, { ...post, body: 'abc', headers: one }] }, `requests[1].headers: ${LENGTH}`],
    [{ headers: one, requests: [{ ...post, body: 'x' }, { pause: 1 }, { ...post, body: 'abc' }] }, `requests[2]: headers: ${LENGTH}`],
    [{ scenarios: [{ setup: [{ ...post, body: 'abc', headers: one }], requests: [{ path: '/' }] }] }, `scenarios[0].setup[0].headers: ${LENGTH}`],
    [{ requests: [{ repeat: 2, requests: [{ ...post, form: { a: 'b' }, headers: one }] }] }, `requests[0].requests[0].headers: ${LENGTH}`],
    [{ requests: [{ ...post, multipart: { a: '{{words}}' }, headers: one }], data }, 'headers: a body that is a template has the length of its values: omit the Content-Length'],
    [{ method: 'POST', body: '[<id>]', idReplacement: true, headers: { 'content-length': '6' } }, 'headers: a body with ids has the length of its ids: omit the Content-Length'],
    [{ har, url, headers: one }, `headers: ${LENGTH}`],
    [{ targets: [{ url, method: 'POST', body: 'abc', headers: one }], url: undefined }, `targets: entry 0: headers: ${LENGTH}`],
    [{ targets: [{ url, headers: one }], url: undefined }, 'targets: entry 0: headers: '],
    [{ targets: [{ url }], headers: one, url: undefined }, 'headers: each target has a body of its own: omit Content-Length and Transfer-Encoding']
  ])) {
    const error = await run({ url, ...opts }).then(() => null, error => error)
    t.equal(error?.code, 'AC_OPTIONS', message)
    t.ok(String(error?.message).includes(message), `${error?.message} has ${message}`)
  }
})

t.test('what is right is sent as it was given', async t => {
  const server = await rawServer(t, answer())
  await run({ url: server.url, amount: 1, method: 'POST', body: 'abc', headers: { 'content-length': ' 3' } })
  await run({ url: server.url, amount: 1, method: 'POST', body: 'abc', headers: { 'transfer-encoding': 'gzip, Chunked' } })
  await run({ url: server.url, amount: 1, headers: { 'content-length': 0 } })
  await run({ targets: [{ url: server.url, method: 'POST', body: 'abc', headers: { 'content-length': '3' } }], amount: 1 })
  t.match(server.requests.map(({ head, body }) => `${head}${body}`).join(''),
    /content-length: +3\r\n\r\nabcPOST .*chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\nGET .*content-length: 0\r\n\r\nPOST .*content-length: 3\r\n\r\nabc$/is)
})

t.test('a user function that gives a wrong length gets an error at the call, and nothing is sent', async t => {
  const server = await serve(t)
  for (const headers of [{ 'content-length': '1' }, { 'Content-Length': '3', 'transfer-encoding': 'chunked' }, { 'transfer-encoding': 'identity' }]) {
    const user = async ({ http }) => { await http.post('/x', { body: 'abc', headers }) }
    await t.rejects(run({ url: server.url, user }), { code: 'AC_HOOK', message: /http\.post\(\/x\): headers: .*framing\.test\.js:\d+|http\.post\(.?\/x.?\): headers: / })
  }
  await t.rejects(run({ url: server.url, headers: { 'content-length': '2' }, scenarios: [{ user: async ({ http }) => { await http.post('/x', { json: 1 }) } }] }), { code: 'AC_HOOK' }, 'also those of the run')
  t.equal(server.requests.length, 0)
})

t.test('a setupRequest that gives a wrong length ends the run, in a list and in a flow', async t => {
  const server = await serve(t)
  const setupRequest = request => ({ ...request, body: 'other', headers: { 'content-length': '3' } })
  for (const requests of [
    [{ method: 'POST', path: '/', setupRequest }],
    [{ repeat: 1, requests: [{ method: 'POST', path: '/', setupRequest: async request => setupRequest(request) }] }]
  ]) {
    await t.rejects(run({ url: server.url, requests }), { code: 'AC_HOOK', message: /setupRequest of request .*: headers: the body has 5 bytes, and Content-Length is '3'/ })
  }
  t.equal(server.requests.length, 0)
})

t.test('a Client sets headers and the body one after the other: a length of another body is not sent', async t => {
  const server = await serve(t)
  const result = await run({
    url: server.url,
    method: 'POST',
    setupClient: client => {
      client.setHeaders({ 'content-length': '4' })
      client.setBody('four')
    }
  })
  conserves(t, result)
  t.strictSame(server.requests.map(request => [request.body, ...valuesOf(request, 'content-length')]), [['four', '4'], ['four', '4']])
  await t.rejects(run({ url: server.url, setupClient: client => client.setRequest({ method: 'POST', body: 'abc', headers: { 'content-length': '1' } }) }), { code: 'AC_HOOK', message: /Content-Length is '1'/ })
})
