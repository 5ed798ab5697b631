'use strict'

// Requests that come from elsewhere: multipart forms and HAR files.

const t = require('tap')
const { once } = require('node:events')
const { cli } = require('../../helpers/processes/cli')
const { serve, valuesOf } = require('../../helpers/servers/http-server')
const { conserves } = require('../../helpers/results/conservation')
const { inAllModes, run, fixture, byConnection } = require('../modes')

const UPLOAD = fixture('upload.txt')

/**
 * Reads a multipart body by its boundary (RFC 2046 §5.1.1), with nothing of ours.
 * @param {import('../../helpers/servers/http-server').Got} request
 * @returns {Array<{ head: string, content: string }>}
 */
function partsOf (request) {
  const [type] = valuesOf(request, 'content-type')
  const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(type)?.[1]
  const parts = request.body.split(`--${boundary}`)
  if (parts.shift() !== '' || parts.pop() !== '--\r\n') throw new Error(`not a multipart body: ${request.body}`)
  return parts.map(part => {
    const [head, content] = part.replace(/^\r\n|\r\n$/g, '').split('\r\n\r\n')
    return { head, content }
  })
}

inAllModes(t, 'a form is an object of text and file fields', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({
    url: server.url,
    amount: 4,
    form: {
      text: { type: 'text', value: 'ä value' },
      file: { type: 'file', path: UPLOAD },
      named: { type: 'file', path: UPLOAD, options: { filename: 'my name.bin' } },
      placed: { type: 'file', path: UPLOAD, options: { filepath: 'some/path/my.txt' } },
      typed: { type: 'file', path: UPLOAD, options: { contentType: 'image/x-none' } }
    }
  })
  t.equal(server.requests.length, 4)
  const content = 'the content of a file\n'
  for (const request of server.requests) {
    t.strictSame(partsOf(request), [
      { head: 'Content-Disposition: form-data; name="text"', content: 'ä value' },
      { head: 'Content-Disposition: form-data; name="file"; filename="upload.txt"\r\nContent-Type: text/plain', content },
      { head: 'Content-Disposition: form-data; name="named"; filename="my name.bin"\r\nContent-Type: application/octet-stream', content },
      { head: 'Content-Disposition: form-data; name="placed"; filename="some/path/my.txt"\r\nContent-Type: text/plain', content },
      { head: 'Content-Disposition: form-data; name="typed"; filename="upload.txt"\r\nContent-Type: image/x-none', content }
    ])
    t.strictSame(valuesOf(request, 'content-length'), [String(Buffer.byteLength(request.body))])
  }
  conserves(t, result)
})

t.test('a form may be JSON, or the path of a JSON file', async t => {
  const server = await serve(t)
  await run({ url: server.url, amount: 1, form: ' { "field": { "type": "text", "value": "from JSON" } }' })
  await run({ url: server.url, amount: 1, form: fixture('form.json') })
  t.strictSame(server.requests.map(request => partsOf(request)[0].content), ['from JSON', 'from a file'])
})

t.test('-F/--form takes JSON and the path of a JSON file', async t => {
  const server = await serve(t)
  const codes = await Promise.all([['-F', '{ "field": { "type": "text", "value": "from JSON" } }'], ['--form', fixture('form.json')]]
    .map(async argv => (await cli(['-c', '1', '-a', '1', ...argv, server.url])).code))
  t.strictSame(codes, [0, 0])
  t.strictSame(server.requests.map(request => [request.method, partsOf(request)[0].content]).sort(), [['POST', 'from JSON'], ['POST', 'from a file']])
})

t.test('a form is sent by POST unless a method is given', async t => {
  const server = await serve(t)
  const form = { field: { type: 'text', value: 'x' } }
  await run({ url: server.url, amount: 1, form })
  await run({ url: server.url, amount: 1, form, method: 'PUT' })
  await run({ url: server.url, amount: 2, form, requests: [{ path: '/1' }, { method: 'PATCH' }] })
  t.strictSame(server.requests.map(({ method }) => method), ['POST', 'PUT', 'POST', 'PATCH'])
})

t.test('a form that can not be read is refused with what is wrong', async t => {
  for (const [form, message] of [
    ['{ "field":', /^form: the form is not valid JSON/],
    ['{ "a": { "type": "text", "value": "1" },\n "a": { "type": "text", "value": "2" } }', /^form: the form has a duplicate key 'a', line 2, column 2$/],
    ['name=ann', /^form: expected JSON or the path of a JSON file, got 'name=ann': a field is written as \{ "name": \{ "type": "text"/],
    ['/no/such/form.json', /^form: could not read the form '\/no\/such\/form\.json': ENOENT/],
    [{ field: { type: 'file', path: '/no/such/file' } }, /^form: could not read the file of field 'field' '\/no\/such\/file': ENOENT/],
    [{ field: { type: 'file' } }, /^form: the file field 'field' has no path/],
    [{ field: { type: 'text' } }, /^form: the text field 'field' has no value/],
    [{ field: { type: 'number', value: 1 } }, /^form: the field 'field' has the type 'number': expected "text" or "file"/],
    [{ field: null }, /^form: the field 'field' has to be an object with a type, got null/],
    [5, /^form: expected an object of fields/]
  ]) await t.rejects(run({ url: 'http://127.0.0.1:1', amount: 1, form }), { code: 'AC_OPTIONS', message })
})

/**
 * @param {...Record<string, any>} requests
 * @returns {Record<string, any>} a parsed HAR
 */
const har = (...requests) => ({ log: { version: '1.2', entries: requests.map(request => ({ request })) } })

inAllModes(t, 'the requests of a HAR are sent in order', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({
    url: server.url,
    amount: 12,
    headers: { 'x-added': 'added', 'x-both': 'ours' },
    har: har(
      { method: 'GET', url: server.url + '/1?a=b', headers: [{ name: 'X-Both', value: 'theirs' }, { name: 'X-Own', value: 'own' }, { name: 'Host', value: 'example.test' }, { name: ':authority', value: 'example.test' }] },
      { method: 'POST', url: server.url + '/2', headers: [{ name: 'Content-Length', value: '999' }], postData: { mimeType: 'text/plain', text: 'täxt' } },
      { method: 'POST', url: server.url + '/3', headers: [], postData: { mimeType: 'application/x-www-form-urlencoded', params: [{ name: 'a', value: 'b c' }, { name: 'd', value: 'e' }] } }
    )
  })
  const connections = byConnection(server.requests)
  t.equal(connections.length, 2)
  for (const requests of connections) {
    t.strictSame(requests.map(({ method, url, body }) => [method, url, body]),
      new Array(2).fill([['GET', '/1?a=b', ''], ['POST', '/2', 'täxt'], ['POST', '/3', 'a=b+c&d=e']]).flat())
    const [one, two] = requests
    t.strictSame(['x-added', 'x-both', 'x-own', 'host'].map(name => valuesOf(one, name)), [['added'], ['ours'], ['own'], [new URL(server.url).host]])
    t.strictSame(valuesOf(two, 'content-length'), ['5'])
  }
  conserves(t, result)
})

t.test('with a HAR method, body, form and requests are ignored', async t => {
  const server = await serve(t)
  await run({
    url: server.url,
    amount: 2,
    method: 'PUT',
    body: 'ignored',
    form: { field: { type: 'text', value: 'ignored' } },
    requests: [{ path: '/ignored', body: 'ignored' }],
    har: har({ method: 'GET', url: server.url + '/har' })
  })
  t.strictSame(server.requests.map(({ method, url, body }) => [method, url, body]), new Array(2).fill(['GET', '/har', '']))
})

inAllModes(t, 'each URL gets the requests to its origin', async (t, mode) => {
  const [one, two] = [await serve(t), await serve(t)]
  const result = await mode.run({
    url: [one.url, two.url],
    amount: 8,
    har: har(...[one, two, one].map(({ url }, i) => ({ method: 'GET', url: `${url}/${i}` })))
  })
  t.strictSame(one.requests.map(({ url }) => url), ['/0', '/2', '/0', '/2'])
  t.strictSame(two.requests.map(({ url }) => url), ['/1', '/1', '/1', '/1'])
  conserves(t, result)
})

/**
 * @param {string} url
 * @param {Array<[ms: number, path: string, page?: string]>} entries
 * @returns {Record<string, any>} a parsed HAR with times and pages
 */
const recording = (url, entries) => ({
  log: {
    version: '1.2',
    pages: [{ id: 'page_1', title: 'Shop' }, { id: 'page_2', title: `${url}/cart?token=s3cret#top` }, { id: 'page_3', title: ' ' }],
    entries: entries.map(([ms, path, pageref]) => ({ startedDateTime: new Date(Date.UTC(2026, 0, 31) + ms).toISOString(), request: { method: 'GET', url: url + path }, pageref }))
  }
})

inAllModes(t, 'a HAR with its pauses is sent in the order of its times, no faster than it was recorded', async (t, mode) => {
  const server = await serve(t)
  const begin = process.hrtime.bigint()
  const result = await mode.run({
    url: server.url,
    amount: 8,
    harPauses: true,
    har: recording(server.url, [[0, '/1'], [300, '/4'], [100, '/2'], [100, '/3']])
  })
  const took = Number(process.hrtime.bigint() - begin) / 1e6
  const [first, second] = byConnection(server.requests).map(requests => requests.map(({ url }) => url))
  // The second connection begins where 0.618 of the recording are over.
  t.strictSame([first, second].sort(), [['/1', '/2', '/3', '/4'], ['/4', '/1', '/2', '/3']])
  t.ok(took >= 290, `${took} ms`)
  t.ok(result.latency.p50 < 100, 'pauses are in no latency')
  t.strictSame(result.errors, 0)
  conserves(t, result)
})

inAllModes(t, 'the pages of a HAR are named requests', async (t, mode) => {
  const server = await serve(t)
  const result = await mode.run({
    url: server.url,
    amount: 10,
    har: recording(server.url, [[0, '/', 'page_1'], [1, '/app.js', 'page_1'], [2, '/cart', 'page_2'], [3, '/ping', 'page_3'], [4, '/none', 'nowhere']]),
    thresholds: ['Shop: requests == 4', 'page_3: requests == 2']
  })
  t.strictSame(Object.entries(result.byRequest).map(([name, { latency }]) => [name, latency.totalCount]), [['Shop', 4], [`${server.url}/cart`, 2], ['page_3', 2]])
  t.ok(result.thresholds.every((/** @type {any} */ { passed, exact }) => passed ?? exact))
  conserves(t, result)
})

t.test('pauses that make no sense are refused in one line', async t => {
  const url = 'http://127.0.0.1:1'
  const har = recording(url, [[0, '/1', 'page_1'], [100, '/2']])
  for (const [options, message] of [
    [{ harPauses: true }, 'harPauses: expected har as well, got none: there is no recording with gaps to keep'],
    [{ har, speed: 2 }, 'speed: expected harPauses as well, got none: there are no recorded gaps that could be shorter or longer'],
    [{ har, harPauses: true, rate: 5 }, 'harPauses and a rate each set when a request is sent: use one of them'],
    [{ har, harPauses: true, stages: ['1s:5/s'] }, 'harPauses and a rate each set when a request is sent: use one of them'],
    [{ har: { log: { entries: [har.log.entries[0], { ...har.log.entries[1], startedDateTime: 'soon' }] } }, harPauses: true }, "harPauses: the HAR's log.entries[1] has no valid startedDateTime: expected a time such as 2026-01-31T12:00:00.250Z, got 'soon'"],
    [{ har: { log: { entries: [{ ...har.log.entries[0], startedDateTime: Symbol('now') }] } }, harPauses: true }, "harPauses: the HAR's log.entries[0] has no valid startedDateTime"],
    [{ har, thresholds: ['Chop: errors == 0'] }, "thresholds: 'Chop: errors == 0': no request has the name 'Chop', did you mean 'Shop'?"]
  ]) await t.rejects(run({ url, ...options }), { code: 'AC_OPTIONS', message }, String(message))
  // Without pauses the times are not needed.
  const server = await serve(t)
  conserves(t, await run({ url: server.url, amount: 2, har: { log: { entries: [{ request: { method: 'GET', url: server.url } }] } } }))
})

t.test('origins of a HAR that are not benchmarked are named in a warning', async t => {
  const server = await serve(t)
  const warned = once(process, 'warning')
  await run({ url: server.url, amount: 2, har: har({ method: 'GET', url: server.url + '/ours' }, { method: 'GET', url: 'https://example.test/theirs' }) })
  const [{ message }] = await warned
  t.match(message, "the HAR's requests to https://example.test are skipped")
  t.strictSame(server.requests.map(({ url }) => url), ['/ours', '/ours'])
})

t.test('a HAR that can not be used is refused with what is wrong', async t => {
  for (const [given, message] of [
    [{}, /^har: this is not a HAR: expected an object with log.entries/],
    [{ log: { entries: 5 } }, /^har: this is not a HAR/],
    [{ log: { entries: [{}] } }, /^har: the HAR's log.entries\[0\] has no valid request/],
    [har({ method: 'GET', url: 'http://127.0.0.1:1/' }, { method: 'GET', url: 'nowhere' }), /^har: the HAR's log.entries\[1\] has no valid request/],
    [har({ method: 'GET', url: 'http://127.0.0.1:1/', headers: [{ name: 'a', value: 'b\nc' }] }), /^har: the HAR's log.entries\[0\].*line break/],
    [har({ method: 'GET', url: 'https://example.test/' }), /^har: no request of the file goes to http:\/\/127.0.0.1:1; it has https:\/\/example.test/],
    [har(), /^har: no request of the file goes to http:\/\/127.0.0.1:1; it has none/]
  ]) await t.rejects(run({ url: 'http://127.0.0.1:1', amount: 1, har: given }), { code: 'AC_OPTIONS', message })
})

t.test('--har takes a file', async t => {
  const server = await serve(t)
  const dir = t.testdir({
    'good.har': JSON.stringify(har({ method: 'GET', url: server.url + '/ours' }, { method: 'GET', url: 'https://example.test/theirs' })),
    'bad.har': '{ "log": '
  })
  const [good, bad, missing] = await Promise.all([
    cli(['--har', `${dir}/good.har`, '-H', 'x-added=added', '-m', 'PUT', '-b', 'ignored', '-c', '1', '-a', '2', server.url]),
    cli(['--har', `${dir}/bad.har`, server.url]),
    cli(['--har', `${dir}/none.har`, server.url])
  ])
  t.equal(good.code, 0)
  t.match(good.stderr, "the HAR's requests to https://example.test are skipped")
  t.strictSame(server.requests.map(request => [request.method, request.url, request.body, ...valuesOf(request, 'x-added')]), new Array(2).fill(['GET', '/ours', '', 'added']))
  t.equal(bad.code, 2)
  t.match(bad.stderr, /autocannon: --har: the file '.*bad\.har' is not valid JSON/)
  t.equal(missing.code, 2)
  t.match(missing.stderr, /autocannon: --har: could not read the file '.*none\.har'/)
})
