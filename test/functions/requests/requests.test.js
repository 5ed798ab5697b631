'use strict'

// The arguments of http.get() and the like, and the request that becomes of them.

const t = require('tap')
const { Requests } = require('../../../lib/functions/requests/requests')
const { KEYS } = require('../../../lib/functions/requests/request-options')
const { parseTarget } = require('../../../lib/requests/target')

const HOME = parseTarget('http://localhost:3000/base?x=1')
const OTHER = parseTarget('https://auth.example/')

/** Steps and bytes are whatever they are made of. */
function requestsOf (more = {}) {
  const made = { steps: [], compiled: [], suspects: [] }
  const requests = new Requests({
    targets: [HOME, OTHER],
    defaults: { method: 'GET', path: null, headers: [['User-Agent', 'test']], body: null },
    retries: 0,
    byRequest: false,
    stepOf (target, request, rules) {
      const step = { target, request, rules }
      made.steps.push(step)
      return step
    },
    compile (target, request) {
      made.compiled.push(request)
      return { target, request, bytes: Buffer.from(request.path), template: null }
    },
    onSuspect (sentence) { made.suspects.push(sentence) },
    ...more
  })
  return { made, requests, get: (where, options) => requests.prepare('GET', where, options, HOME), post: (where, options) => requests.prepare('POST', where, options, HOME) }
}

/** @type {(call: () => unknown) => string} */
function errorOf (call) {
  try {
    call()
    return ''
  } catch (error) {
    return /** @type {Error} */ (error).message
  }
}

const headersOf = ({ request }) => Object.fromEntries(request.headers)

t.test('where it goes', async t => {
  const { get } = requestsOf()
  for (const [where, path, target = HOME] of [
    ['/a', '/a'],
    ['a/b', '/a/b'],
    ['/a?b=1#c', '/a?b=1'],
    ['/a b', '/a%20b'],
    ['/ä', '/%C3%A4'],
    ['//evil.example/x', '//evil.example/x'],
    ['http://localhost:3000/x', '/x'],
    ['HTTP://LOCALHOST:3000/x', '/x'],
    [new URL('http://localhost:3000/y?z=1'), '/y?z=1'],
    ['https://auth.example/userinfo', '/userinfo', OTHER],
    ['https://auth.example:443/', '/', OTHER]
  ]) {
    const asked = get(where)
    t.strictSame([asked.request.path, asked.target], [path, target], String(where))
  }
})

t.test('a request to another origin is refused, whatever it looks like', async t => {
  const { get, made } = requestsOf()
  for (const where of ['https://localhost:3000/', 'http://localhost:3001/', 'http://auth.example/', 'https://evil.example/x', 'https://auth.example.evil/', 'https://auth.example@evil.example/', 'http://localhost:3000@evil.example/', new URL('http://evil.example'), 'ftp://localhost:3000/', 'javascript://x']) {
    t.throws(() => get(where), { name: 'TypeError', message: /is not an origin of this run, so nothing was sent: allow it with --origin .+, or origins: \['.+'\]$/ }, String(where))
  }
  t.equal(made.compiled.length, 0)
})

t.test('what is no path is refused with what it is', async t => {
  const { get } = requestsOf()
  for (const [where, shown] of [[undefined, 'undefined'], [null, 'null'], ['', "''"], [5, '5'], [{}, 'object'], ['http://', "'http://'"]]) t.throws(() => get(where), { name: 'TypeError', message: new RegExp(shown) })
  t.throws(() => get('/', 'name'), /expected an object of options such as \{ headers, query, name \}, got 'name'/)
  t.throws(() => get('/', { heders: {} }), /unknown option 'heders', did you mean 'headers'\?/)
  t.throws(() => get('/', { body: 'a', json: {} }), /body and json each give a body: use one of them/)
})

t.test('a body in place of the options says which option it is', async t => {
  const { post } = requestsOf()
  for (const [given, words] of [
    ['text', "expected an object of options, got 'text': a body is an option, as in http.post(path, { body: … })"],
    ['password=abc', "expected an object of options, got 'password=***': a body is an option, as in http.post(path, { body: … })"],
    [Buffer.from('a'), 'expected an object of options, got a Uint8Array: a body is an option, as in http.post(path, { body: … })'],
    [new URLSearchParams('a=1'), 'expected an object of options, got a URLSearchParams: a body is an option, as in http.post(path, { form: … })'],
    [[1], 'expected an object of options, got an array: a body is an option, as in http.post(path, { json: … })'],
    [{ user: 'ann', password: 'x' }, "unknown option 'user': an object as the body is JSON with { json: { user } }, or a form with { form: { user } }"]
  ]) t.throws(() => post('/', given), { name: 'TypeError', message: words })
  t.throws(() => post('/', { heders: {} }), /unknown option 'heders', did you mean 'headers'\?/)
})

t.test('bodies', async t => {
  const { post } = requestsOf()
  for (const [options, body, type] of [
    [{}, null, undefined],
    [{ body: 'text' }, 'text', undefined],
    [{ body: Buffer.from([0, 255]) }, Buffer.from([0, 255]), undefined],
    [{ body: null, json: null }, null, undefined],
    [{ json: { a: [1, null] } }, '{"a":[1,null]}', 'application/json'],
    [{ json: 'text' }, '"text"', 'application/json'],
    [{ json: 0 }, '0', 'application/json'],
    [{ form: { a: 'ä b', c: [1, 2], d: undefined, e: null, f: '' } }, 'a=%C3%A4+b&c=1&c=2&f=', 'application/x-www-form-urlencoded'],
    [{ form: 'a=1&b=2' }, 'a=1&b=2', 'application/x-www-form-urlencoded'],
    [{ form: new URLSearchParams([['a', '1'], ['a', '2']]) }, 'a=1&a=2', 'application/x-www-form-urlencoded']
  ]) {
    const asked = post('/', options)
    t.strictSame(asked.request.body, body)
    t.equal(headersOf(asked)['Content-Type'], type)
    t.equal(asked.request.method, 'POST')
  }
  const { request } = post('/', { multipart: { field: 'text', file: { type: 'file', path: __filename } } })
  const [, boundary] = /^multipart\/form-data; boundary=(.+)$/.exec(headersOf({ request })['Content-Type'])
  t.match(request.body.toString(), new RegExp(`^--${boundary}\r\n.*name="field"\r\n\r\ntext\r\n.*filename="requests.test.js".*--${boundary}--`, 's'))
  for (const [options, message] of [
    [{ body: {} }, /^body: expected a string or a Buffer/], [{ json: () => {} }, /^json: expected a value that JSON has/], [{ form: 5 }, /^form: expected an object of names and values, got 5/],
    [{ multipart: 'nowhere.json' }, /^multipart/], [{ multipart: { a: null } }, /^multipart: .*'a'/]
  ]) t.throws(() => post('/', options), { name: 'TypeError', message })
})

t.test('bytes that are changed afterwards are sent as they were', async t => {
  const { post } = requestsOf()
  const body = Buffer.from('before')
  const { request } = post('/', { body })
  body.fill('x')
  t.equal(request.body.toString(), 'before')
})

t.test('query', async t => {
  const { get } = requestsOf()
  for (const [where, query, path] of [['/a', { b: 1, c: ['x y', 'ü'], d: undefined }, '/a?b=1&c=x+y&c=%C3%BC'], ['/a?z=0', { b: '&=' }, '/a?z=0&b=%26%3D'], ['/a', 'b=1', '/a?b=1'], ['/a', new URLSearchParams('q=1'), '/a?q=1'], ['/a', {}, '/a'], ['/a', null, '/a']]) t.equal(get(where, { query }).request.path, path)
  t.throws(() => get('/', { query: 5 }), /query: expected an object/)
})

t.test('headers are added to those of the run and win over all else', async t => {
  const { get, post } = requestsOf()
  t.strictSame(headersOf(get('/', { headers: { 'user-agent': 'mine', 'X-A': '1' } })), { 'user-agent': 'mine', 'X-A': '1' })
  t.strictSame(headersOf(post('/', { json: {}, headers: { 'content-type': 'application/ld+json' } })), { 'User-Agent': 'test', 'content-type': 'application/ld+json' })
  t.strictSame(headersOf(get('/', { auth: 'a:b', headers: { authorization: 'mine' } })).authorization, 'mine')
  for (const headers of [{ 'a b': '1' }, { a: 'x\r\ny: z' }, 5]) t.throws(() => get('/', { headers }), { name: 'TypeError', message: /^headers/ })
})

t.test('auth', async t => {
  const { get } = requestsOf()
  const basic = text => `Basic ${Buffer.from(text).toString('base64')}`
  for (const [auth, expected] of [['a:b:c', basic('a:b:c')], ['a:', basic('a:')], [{ user: 'a', password: 'ü' }, basic('a:ü')], [{ user: 'a' }, basic('a:')], [{ bearer: 't' }, 'Bearer t']]) t.equal(headersOf(get('/', { auth })).Authorization, expected)
  for (const auth of ['secret', {}, 5, null]) t.throws(() => get('/', { auth }), /^auth: expected 'user:password', \{ user, password \} or \{ bearer \}/)
  for (const auth of ['hunter2token', Symbol('hunter2token'), 4711]) t.notMatch(errorOf(() => get('/', { auth })), /hunter2|4711/, 'a secret is not shown')
  t.match(errorOf(() => get('/', { auth: 'hunter2token' })), /got a string without a colon: a token is \{ bearer \}$/)
  t.throws(() => get('/', { auth: { bearer: 'x\r\ny' } }), { name: 'TypeError' }, 'a token can not bring a header of its own')
})

t.test('numbers', async t => {
  const { get } = requestsOf()
  t.match(get('/'), { redirects: null, timeout: null, check: undefined, compressed: false })
  for (const [given, expected] of [[0, 0], [5, 5], [true, 10], [false, 0], [100, 100]]) t.equal(get('/', { redirects: given }).redirects, expected)
  for (const redirects of [-1, 101, 1.5, 'x', NaN, null]) t.throws(() => get('/', { redirects }), /^redirects: expected how many are followed, 0 to 100/)
  for (const [given, expected] of [[1, 1000], [0.05, 50], ['250ms', 250], ['1m', 60_000]]) t.equal(get('/', { timeout: given }).timeout, expected)
  for (const timeout of [0, -1, 'soon', Infinity, NaN, null]) t.throws(() => get('/', { timeout }), /^timeout: expected seconds/)
  t.throws(() => get('/', { retries: -1 }), /^retries/)
  t.throws(() => get('/', { check: 'yes' }), /^check: expected a function of the response/)
  t.match(headersOf(get('/', { compressed: true }))['Accept-Encoding'], /^gzip/)
})

t.test('a request is made once, and never with the options of another', async t => {
  const { get, made } = requestsOf()
  const first = get('/a')
  t.equal(get('/a'), first)
  t.equal(get('/a', { name: 'b' }), get('/a', { name: 'b' }))
  t.equal(get('/a', { name: 'b' }).name, 'b')
  t.equal(get('/a').name, undefined)
  t.equal(made.compiled.length, 2)
  const more = get('/a', { headers: { 'x-a': '1' }, timeout: 1, redirects: 3, check: () => true })
  t.match(more, { timeout: 1000, redirects: 3 })
  t.match(get('/a'), { timeout: null, redirects: null, check: undefined })
  t.notOk(headersOf(get('/a'))['x-a'])
  t.equal(get('/a b').name, undefined)
  get('/a', { name: 'c d' })
  t.equal(get('/a c d').name, undefined, 'a path with a space is no path and a name')
  const options = { name: 'x' }
  get('/m', options)
  options.name = 'y'
  t.equal(get('/m', options).name, 'y')
})

t.test('another home and another method are another request', async t => {
  const { requests } = requestsOf()
  t.equal(requests.prepare('GET', '/a', undefined, OTHER).target, OTHER)
  t.equal(requests.prepare('GET', '/a', undefined, HOME).target, HOME)
  t.equal(requests.prepare('DELETE', '/a', undefined, HOME).request.method, 'DELETE')
  t.equal(requests.prepare('purge', '/a', undefined, HOME).request.method, 'purge')
  t.throws(() => requests.prepare('G T', '/a', undefined, HOME), /expected an HTTP method/)
})

t.test('a path with an id in it fills no memory', async t => {
  const { get, requests } = requestsOf()
  for (let i = 0; i < 2500; i++) get(`/item/${i}`)
  t.ok(requests.kept.of(HOME).size <= 1000)
  for (let i = 0; i < 5000; i++) get('/', { expect: { json: { id: i } } })
  t.ok(requests.steps.kept.of(HOME).size <= 2001)
  for (let i = 0; i < 300; i++) get(`/item/${i}?${'x'.repeat(50_000)}`)
  t.ok(requests.kept.of(HOME).used <= 8 * 1024 * 1024)
  t.ok(requests.kept.of(HOME).size < 100, `${requests.kept.of(HOME).size} of 150 kB each`)
  for (let i = 0; i < 300; i++) get('/', { expect: { body: `${i}${'x'.repeat(50_000)}` } })
  t.ok(requests.steps.kept.of(HOME).used <= 8 * 1024 * 1024)
  const huge = `/${'x'.repeat(5_000_000)}`
  t.not(get(huge), get(huge), 'what takes more than all others together is not kept')
})

t.test('names', async t => {
  const { get } = requestsOf()
  for (const name of ['', ' ', 'x'.repeat(101), 'a\nb', 5, null]) t.throws(() => get('/', { name }), { name: 'TypeError', message: /^name: expected a text of up to 100 printable characters/ })
  for (let i = 0; i < 1000; i++) get('/', { name: `n${i}` })
  t.throws(() => get('/', { name: 'one more' }), /more than 1000 names of requests: name a request by what it does, without ids, got 'one more'/)
  t.equal(get('/', { name: 'n0' }).name, 'n0', 'those that are known are taken on')
  t.equal(get('/other').name, undefined)
})

t.test('counted by request, those without a name have method and path, and they are no reason to refuse a name', async t => {
  const { get } = requestsOf({ byRequest: true })
  t.equal(get('/a?b=1').name, 'GET /a')
  t.equal(get('/a?b=2', { query: { c: 1 } }).name, 'GET /a')
  for (let i = 0; i < 3000; i++) get(`/item/${i}`)
  t.equal(get('/item/x').name, undefined)
  t.equal(get('/', { name: 'checkout' }).name, 'checkout')
})

t.test('requests that are asked the same of their responses share a step, and no others do', async t => {
  const { get } = requestsOf()
  const stepOf = options => get('/', options).step
  t.equal(stepOf(undefined), get('/other').step)
  t.equal(stepOf({ name: 'a' }), get('/other', { name: 'a' }).step)
  const different = [
    {}, { name: 'undefined' }, { name: 'null' }, { name: '["a"]' },
    { expect: { body: /a/ } }, { expect: { body: '/a/' } }, { expect: { body: /a/i } }, { expect: { body: 'a' } },
    { expect: { json: { a: 1 } } }, { expect: { json: { a: '1' } } }, { expect: { json: { a: 1n } } }, { expect: { json: { a: null } } }, { expect: { json: { a: undefined } } }, { expect: { json: { a: NaN } } }, { expect: { json: {} } },
    { expect: { json: { a: /x/ } } }, { expect: { json: { a: '/x/' } } },
    { retries: 1 }, { retries: 2 }, { retries: { times: 2, on: 503 } }, { retries: { times: 2, on: 'ECONNRESET' } }, { retries: { times: 2, pause: 1 } }, { retries: { times: 2, pause: 2 } },
    { capture: { a: 'json a' } }, { capture: { a: 'json b' } }, { capture: { a: /x/ } }, { capture: { a: /x/g } }
  ]
  t.equal(new Set(different.map(stepOf)).size, different.length)
  for (const options of different) t.equal(stepOf(options), stepOf({ ...options }))
  // Functions of the same text that see different variables.
  const makeCapture = n => body => n
  const [one, two] = [makeCapture(1), makeCapture(2)]
  t.not(stepOf({ capture: { a: one } }), stepOf({ capture: { a: two } }))
  t.equal(stepOf({ capture: { a: one } }), stepOf({ capture: { a: one } }))
  t.not(stepOf({ expect: { json: makeCapture(1) } }), stepOf({ expect: { json: makeCapture(1) } }))
})

t.test('each option is one of the list', async t => {
  const { post } = requestsOf()
  const given = { headers: {}, body: 'x', query: {}, auth: 'a:b', name: 'n', expect: {}, check: () => true, capture: {}, timeout: 1, redirects: 0, retries: 0, compressed: true }
  t.strictSame([...Object.keys(given), 'json', 'form', 'multipart'].sort(), [...KEYS].sort())
  t.match(post('/', given), { name: 'n', redirects: 0, timeout: 1000, compressed: true })
})

t.test('secrets of a URL are in no message', async t => {
  const { get } = requestsOf()
  for (const where of ['https://ann:hunter2@:x/?token=hunter3', 'https://ann:hunter2@evil.example/?token=hunter3', 'http://[/?token=hunter3']) {
    const message = errorOf(() => get(where))
    t.not(message, '')
    t.notMatch(message, /hunter/, message)
  }
})

t.test('what others call an option is named', async t => {
  const { get, post } = requestsOf()
  for (const [option, hint] of [['params', /'params': .* is query$/], ['tags', /'tags': .* is name$/], ['data', /'data': use body, json or form$/]]) t.match(errorOf(() => get('/', { [option]: {} })), hint)
  for (const body of [{ a: 1 }, [1]]) t.match(errorOf(() => post('/', { body })), /^body: expected a string or a Buffer, got an (object|array): JSON is json/)
})

t.test('credentials and Host of the run go to its own origins alone, those of a request wherever it goes', async t => {
  const { get } = requestsOf({
    targets: [HOME],
    origins: [OTHER],
    defaults: {
      method: 'GET', path: null, body: null, headers: [['Authorization', 'a'], ['cookie', 'b'], ['HOST', 'c'], ['Proxy-Authorization', 'd'], ['x', 'e']]
    }
  })
  t.equal(get('/a').request.headers.length, 5)
  t.same(headersOf(get('https://auth.example/a')), { x: 'e' })
  t.ok(get('https://auth.example/a').sent, 'its bytes are kept')
  t.same(headersOf(get('https://auth.example/a', { headers: { Cookie: 'own' } })), { x: 'e', Cookie: 'own' })
})

t.test('the first path and the first header with the text of a missing value are named', async t => {
  for (const [path, name] of [
    ['/item/undefined'], ['/undefined/reviews'], ['/?t=undefined'], ['/?t=undefined&n=1'], ['/item-undefined'], ['/page/NaN'],
    [`/item/${{}}`, '/item/[object%20Object]'], [`/?q=${Promise.resolve()}`, '/?q=[object%20Promise]']
  ]) {
    const { get, made } = requestsOf()
    get('/item/1')
    get(path)
    get('/other/undefined')
    t.strictSame(made.suspects, [`a user function requests '${name ?? path}': is a value missing?`])
  }
  const { get, made } = requestsOf()
  for (const path of ['/docs/undefined-behavior', '/undefinedness', '/NaNo', '/null', '/item/1?q=object']) get(path)
  get('/', { headers: { accept: 'text/html', authorization: 'Basic abc' } })
  t.strictSame(made.suspects, [])
  get('/', { headers: { accept: 'text/html', authorization: `Bearer ${undefined}` } })
  get('/', { timeout: 1, headers: { 'x-id': `${undefined}` } })
  t.strictSame(made.suspects, ["a user function sends the header 'authorization' with undefined or such in it: is a value missing?"])
})

t.test('a text of JSON that is sent as a JSON string is named once', async t => {
  const { post, made } = requestsOf()
  for (const json of ['text', '{', { a: '{"b":1}' }, ['[1]'], 1, null, '']) post('/', { json })
  t.strictSame(made.suspects, [])
  post('/', { json: '{"a":1}' })
  post('/', { json: '[1]', timeout: 1 })
  t.strictSame(made.suspects, ['a user function gives json a text of JSON, which is sent as a JSON string: give it the value itself, or the text as body'])
})
