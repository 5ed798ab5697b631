'use strict'

// idReplacement: each [<id>] becomes an id that no other has.

const t = require('tap')
const { serve, valuesOf } = require('../../helpers/servers/http-server')
const { rawServer, answer } = require('../../helpers/servers/raw-server')
const { conserves } = require('../../helpers/results/conservation')
const { inAllModes, overHttp1, run } = require('../modes')

inAllModes(t, 'puts ids into body, path and headers, each one unique', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({
    url: server.url,
    connections: 4,
    amount: 40,
    idReplacement: true,
    method: 'POST',
    body: '{"a":"[<id>]","b":"[<id>]"}',
    headers: { 'x-id': 'id [<id>]' },
    requests: [{ path: '/items/[<id>]' }, { path: '/items?id=[<id>]' }]
  })
  t.equal(server.requests.length, 40)
  const ids = server.requests.flatMap(request => {
    const { a, b } = JSON.parse(request.body)
    const [header] = valuesOf(request, 'x-id')
    return [a, b, header.slice('id '.length), request.url.slice('/items/'.length).replace(/^id=/, '')]
  })
  t.equal(new Set(ids).size, 160, 'four ids for each request')
  t.ok(ids.every(id => /^[\w-]{8,}$/.test(id)), ids[0])
  conserves(t, result)
})

overHttp1(t, 'Content-Length is that of the body with its ids', async (t, mode) => {
  const server = await rawServer(t, answer())
  const result = await mode.run({ url: server.url, amount: 10, idReplacement: true, method: 'PUT', body: Buffer.from('é[<id>]é[<id>]é') })
  t.equal(server.requests.length, 10)
  for (const { body } of server.requests) t.match(body.toString(), /^é[\w-]+é[\w-]+é$/)
  t.ok(server.connections.every(({ rest }) => rest.length === 0), 'no byte is left over')
  conserves(t, result)
})

t.test('puts an id into the path of the URL', async t => {
  const server = await serve(t)
  await run({ url: server.url + '/items/[<id>]', amount: 2, idReplacement: true })
  const [one, two] = server.requests.map(({ url }) => url)
  t.match(one, /^\/items\/[\w-]+$/)
  t.not(one, two)
})

t.test('puts ids into what setupRequest returns', async t => {
  const server = await serve(t)
  const setupRequest = (/** @type {any} */ request) => ({ ...request, method: 'POST', path: '/[<id>]', body: '[<id>]' })
  await run({ url: server.url, amount: 3, idReplacement: true, requests: [{ setupRequest }] })
  const ids = server.requests.flatMap(({ url, body }) => [url.slice(1), body])
  t.equal(new Set(ids).size, 6)
  t.ok(ids.every(id => /^[\w-]{8,}$/.test(id)))
})

t.test('puts ids into the requests of a pipeline', async t => {
  const server = await serve(t)
  const result = await run({ url: server.url, amount: 50, pipelining: 10, idReplacement: true, method: 'POST', body: '[<id>]' })
  t.equal(new Set(server.requests.map(({ body }) => body)).size, 50)
  conserves(t, result)
})

t.test('leaves [<id>] alone when it is not asked for', async t => {
  const server = await serve(t)
  await run({ url: server.url, amount: 2, method: 'POST', body: '[<id>]' })
  await run({ url: server.url, amount: 2, method: 'POST', body: '[<id>]', idReplacement: false })
  t.strictSame(server.requests.map(({ body }) => body), new Array(4).fill('[<id>]'))
})

t.test('an [<id>] in a value of data or of an answer is none, wherever the request is made of texts', async t => {
  const data = { u: { rows: ['<[<id>]>'] } }
  const texts = { method: 'POST', path: '/[<id>]/{{u}}', headers: { 'x-a': '{{u}}', 'x-b': '[<id>]' }, body: '{{u}} [<id>]' }
  const asIs = (/** @type {any} */ request) => ({ ...request })
  const makesOne = (/** @type {any} */ request) => ({ ...request, body: 'hook [<id>]' })
  for (const [opts, body] of /** @type {Array<[Record<string, any>, RegExp]>} */ ([
    [{ requests: [texts] }, /^<\[<id>\]> [\w-]{8,}$/],
    [{ requests: [{ ...texts, setupRequest: asIs }] }, /^<\[<id>\]> [\w-]{8,}$/],
    [{ requests: [{ ...texts, setupRequest: asIs, pause: 0.001 }] }, /^<\[<id>\]> [\w-]{8,}$/],
    [{ requests: [texts], redirects: 2, cookies: { start: { a: '1' } } }, /^<\[<id>\]> [\w-]{8,}$/],
    [{ requests: [{ ...texts, setupRequest: makesOne }] }, /^hook [\w-]{8,}$/]
  ])) {
    const server = await serve(t)
    await run({ url: server.url, amount: 2, data, idReplacement: true, ...opts })
    for (const { url, body: got, rawHeaders } of server.requests) {
      t.match(decodeURIComponent(url), /^\/[\w-]{8,}\/<\[<id>\]>$/)
      t.match(got, body)
      t.match(rawHeaders[rawHeaders.findIndex(name => /^x-a$/i.test(name)) + 1], /^<\[<id>\]>$/)
      t.match(rawHeaders[rawHeaders.findIndex(name => /^x-b$/i.test(name)) + 1], /^[\w-]{8,}$/)
    }
  }
})
