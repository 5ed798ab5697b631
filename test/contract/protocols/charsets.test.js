'use strict'

// Bodies in other charsets than UTF-8: checks and captures read the characters that the server means, and nothing that is no character is sent on.

const t = require('tap')
const zlib = require('node:zlib')
const { serve } = require('../../helpers/servers/http-server')
const { conserves } = require('../../helpers/results/conservation')
const { inModesOfUsers, run } = require('../modes')

/** Content-Type, body. @type {Record<string, [string | null, Buffer]>} */
const BODIES = {
  '/latin1': ['application/json; charset=ISO-8859-1', Buffer.from('{"name":"Jos\xe9"}', 'latin1')],
  '/quoted': ['application/json;Charset="windows-1252"; x=y', Buffer.from('{"name":"Jos\xe9"}', 'latin1')],
  '/utf16': ['text/plain; charset=utf-16', Buffer.from('\ufeff{"name":"José"}', 'utf16le')],
  '/utf16be': ['text/plain; charset=utf-16', Buffer.from('\ufeff{"name":"José"}', 'utf16le').swap16()],
  '/utf8': ['application/json; charset=UTF-8', Buffer.from('{"name":"José"}')],
  '/mark': [null, Buffer.from('\ufeff{"name":"José"}')],
  '/replaced': [null, Buffer.from('{"name":"\ufffd"}')],
  '/unknown': ['application/json; charset=klingon', Buffer.from('{"name":"José"}')],
  '/damaged': [null, Buffer.from('{"name":"Jos\xe9","other":1}', 'latin1')],
  '/mislabelled': ['application/json; charset=utf-8', Buffer.from('{"name":"Jos\xe9","other":1}', 'latin1')]
}

/** @param {any} t */
const serveBodies = t => serve(t, (request, response) => {
  const [type, body] = BODIES[String(request.url)] ?? ['text/plain', Buffer.from('ok')]
  if (type !== null) response.setHeader('Content-Type', type)
  response.end(body)
})

for (const [capture, name] of [['json name', 'JSON'], ['/"name":"([^"]*)"/', 'a pattern']]) {
  inModesOfUsers(t, `${name} is captured by the charset of the response`, async (t, mode) => {
    const server = await serveBodies(t)
    for (const [path, value] of [['/latin1', 'José'], ['/quoted', 'José'], ['/utf16', 'José'], ['/utf16be', 'José'], ['/utf8', 'José'], ['/mark', 'José'], ['/replaced', '\ufffd']]) {
      server.requests.length = 0
      const result = await mode.run({ url: server.url, amount: 4, requests: [{ path, capture: { value: capture } }, { path: '/put/{{value}}' }] })
      t.equal(result.failures, 0, `${path} ${JSON.stringify(result.checks)}`)
      t.strictSame([...new Set(server.requests.map(({ url }) => url))], [path, `/put/${encodeURIComponent(value)}`])
      conserves(t, result)
    }
  })
}

inModesOfUsers(t, 'what has no characters is not sent on, and the reason is told', async (t, mode) => {
  const server = await serveBodies(t)
  for (const [path, reason] of [['/unknown', "AC_CHARSET: the charset 'klingon' of the Content-Type is unknown"], ['/damaged', 'AC_CHARSET: a byte of the body is no character of its charset'], ['/mislabelled', 'AC_CHARSET: a byte of the body is no character of its charset']]) {
    server.requests.length = 0
    const result = await mode.run({ url: server.url, amount: 4, requests: [{ path, capture: { value: 'json name' } }, { path: '/put/{{value}}' }] })
    t.match(result.checks, [{ name: 'capture value', passed: 0, failed: 4, reasons: { [reason]: 4 } }])
    t.ok(server.requests.every(({ url }) => url === path))
    conserves(t, result)
    const withDefault = await mode.run({ url: server.url, amount: 4, requests: [{ path, capture: { value: { from: 'json name', default: 'x' } } }, { path: '/put/{{value}}' }] })
    t.equal(withDefault.failures, 0)
    t.equal(server.requests.at(-1)?.url, '/put/x')
    conserves(t, withDefault)
  }
  const result = await mode.run({ url: server.url, amount: 4, requests: [{ path: '/damaged', capture: { value: 'json other' } }, { path: '/put/{{value}}' }] })
  t.equal(result.failures, 0, 'a value without the damaged byte is fine')
  conserves(t, result)
})

t.test('texts that are expected are compared with the characters', async t => {
  const server = await serveBodies(t)
  for (const expect of [{ body: '{"name":"José"}' }, { body: { includes: 'José' } }, { body: /José/ }, { json: { name: 'José' } }]) {
    for (const path of ['/latin1', '/utf8', '/utf16be']) {
      const result = await run({ url: server.url + path, amount: 2, connections: 1, expect })
      t.match(result.checks, [{ passed: 2, failed: 0 }], `${path} ${JSON.stringify(expect)}`)
    }
  }
  for (const expect of [{ body: 'José' }, { body: { includes: 'Jose' } }, { body: /José/ }, { json: { name: 'José' } }]) {
    const unknown = await run({ url: server.url + '/unknown', amount: 2, connections: 1, expect })
    t.match(unknown.checks, [{ passed: 0, failed: 2, reasons: { "AC_CHARSET: the charset 'klingon' of the Content-Type is unknown": 2 } }])
  }
  const other = await run({ url: server.url + '/latin1', amount: 1, connections: 1, expect: { body: 'Jose' } })
  t.match(other.checks, [{ failed: 1, samples: { 'another body': { body: '{"name":"José"}' } } }], 'the sample has the characters')
  const checked = await run({ url: server.url + '/unknown', amount: 1, connections: 1, check: response => response.body.length > 0 })
  t.match(checked.checks, [{ name: 'check', failed: 1, reasons: { "AC_CHARSET: the charset 'klingon' of the Content-Type is unknown": 1 } }])
})

t.test('hooks that autocannon 9 has get UTF-8, whatever the charset', async t => {
  const server = await serveBodies(t)
  /** @type {string[]} */
  const bodies = []
  await run({ url: server.url, amount: 1, connections: 1, requests: [{ path: '/latin1', onResponse: (_, body) => { bodies.push(body) } }], verifyBody: body => bodies.push(body) > 0 })
  t.strictSame(bodies, ['{"name":"Jos\ufffd"}', '{"name":"Jos\ufffd"}'])
})

t.test('a compressed body that nothing decompresses is told as such', async t => {
  const server = await serve(t, (request, response) => {
    response.setHeader('Content-Encoding', 'gzip')
    response.end(zlib.gzipSync('{"a":1}'))
  })
  const opts = { url: server.url, amount: 2, connections: 1, requests: [{ capture: { a: 'json a' } }, { path: '/{{a}}' }] }
  const result = await run(opts)
  t.match(result.checks, [{ reasons: { 'the body is not JSON, its Content-Encoding is gzip: use compressed (--compressed) to decompress it': 2 } }])
  conserves(t, result)
  const decoded = await run({ ...opts, compressed: true })
  t.equal(decoded.failures, 0)
  t.equal(server.requests.at(-1)?.url, '/1')
})
