'use strict'

// Unchecked values, in every place of a request: it stays one request, and they come back as they were.

const t = require('tap')
const net = require('node:net')
const { once } = require('node:events')
const fc = require('fast-check')
const { dataOfRows } = require('../../lib/templates/data-file')
const { parseTemplate } = require('../../lib/requests/expression')
const { SharedValues } = require('../../lib/templates/shared-values')
const { parseTarget } = require('../../lib/requests/target')
const { compileRequest } = require('../../lib/templates/template')
const { serialize } = require('../../lib/protocols/serialize')
const { serve, valuesOf } = require('../helpers/servers/http-server')

const target = parseTarget('http://localhost/')
const turn = { part: 0, parts: 1 }

/** @param {unknown[]} rows */
const sharedValuesOf = rows => new SharedValues({ sources: [{ name: 'd', pick: 'order', end: 'run', always: false, used: true, turn, seed: 1, ...dataOfRows(rows).rows }], env: { NAME: 'from the environment' }, turn, seed: 1 }, false)

/**
 * @param {Record<string, any>} request
 * @param {import('../../lib/templates/shared-values').SharedValues} sharedValues
 */
const compiled = ({ headers = [], ...request }, sharedValues) => compileRequest({ method: 'POST', path: '/', headers: [...headers, ['X-N', '{{n}}']], body: null, ...request }, target, { encode: serialize, tags: [], sharedValues }, true)

/** What attacks a place that is not its own. */
const ATTACKS = ['\r\n', '\n', '\r', '\0', '\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n', '\r\nX-Injected: 1', '"', '\\', '\\u0022', '"}', '/../', '..', '?', '#', '&', '=', '%', '%0d%0a', '%2f', ' ', '+', ';', '{{d}}', '{{{d}}}', '\u2028', 'é', '😀', '\ud800', '\udc00x', '<script>', '\x1b[2J', '']

const hostile = fc.array(fc.oneof(fc.constantFrom(...ATTACKS), fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 4 }).map(parts => parts.join(''))

/** @param {string} text */
const wellFormed = text => Buffer.from(text).toString()

t.test('whatever a value is, there is exactly one request, and the value comes back', async t => {
  const values = fc.sample(hostile, { seed: 19, numRuns: 200 }).concat(ATTACKS)
  const sharedValues = sharedValuesOf(values)
  const own = sharedValues.own(0, { value: '' })
  const json = compiled({ path: '/a{{d}}b?q={{d}}&r=1', headers: [['Content-Type', 'application/json']], body: '{"text":"<{{d}}>","{{d}}":[{{counter}}],"context":"{{value.of.it}}"}' }, sharedValues)
  const form = compiled({ headers: [['Content-Type', 'application/x-www-form-urlencoded']], body: 'a={{d}}&b={{value.of.it}}' }, sharedValues)
  const raw = compiled({ path: '/{{{d}}}', headers: [['X-Value', 'v{{d}}v']], body: '{{{d}}}' }, sharedValues)
  const chunked = compiled({ headers: [['Transfer-Encoding', 'chunked']], body: '{{d}}' }, sharedValues)
  /** @type {Buffer[]} */
  const sent = []
  /** @type {Array<(request: any) => void>} */
  const expected = []
  for (const [i, value] of values.entries()) {
    own.rows[0] = i
    own.context = { value: { of: { it: value } }, n: 0 }
    const text = wellFormed(value)
    /** @param {any} template */
    const fill = template => {
      own.context.n = sent.length
      return template.fill(own)
    }
    sent.push(fill(json))
    expected.push(request => {
      const url = new URL(request.url.replace(/^\/a|b(?=\?)/g, ''), 'http://localhost/x/')
      t.equal(decodeURIComponent(/^\/a(.*)b\?q=(.*)&r=1$/.exec(request.url)[1]), text)
      t.strictSame([url.searchParams.get('q'), url.searchParams.get('r')], [text, '1'])
      const body = JSON.parse(request.body)
      t.strictSame([body.text, body.context], [`<${text}>`, value].map((one, i) => i === 0 ? one : value))
      t.strictSame(Object.keys(body).sort(), ['text', text, 'context'].filter((one, i, all) => all.indexOf(one) === i).sort())
    }, request => {
      t.strictSame([...new URLSearchParams(request.body)], [['a', text], ['b', text]])
    })
    sent.push(fill(form))
    t.equal(own.refused, null)
    const bytes = fill(raw)
    t.equal(own.refused !== null, /[\r\n\0]/.test(value), 'a line break or a NUL is refused in a header and a raw path')
    // Other control characters are not valid in a header, either: a server refuses them.
    // eslint-disable-next-line no-control-regex
    if (own.refused === null && !/[\x01-\x08\x0b-\x1f\x7f]/.test(text)) {
      sent.push(bytes)
      expected.push(request => {
        t.equal(Buffer.from(valuesOf(request, 'x-value')[0], 'latin1').toString(), `v${text}v`)
        t.equal(request.body, text)
        t.notMatch(request.url, /[^\x21-\x7e]/)
      })
    }
    own.refused = null
    const chunks = fill(chunked)
    t.equal(own.refused, value === '' ? 'the body is empty, and is sent in chunks' : null)
    if (own.refused === null) {
      sent.push(chunks)
      expected.push(request => t.equal(request.body, text))
    }
    own.refused = null
  }
  const server = await serve(t)
  const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.resume()
  // Each one is complete by itself: the server waits for nothing, and finds nothing behind the last one.
  socket.end(Buffer.concat(sent))
  await once(socket, 'close')
  t.equal(server.requests.length, sent.length)
  for (const request of server.requests) {
    const [i] = valuesOf(request, 'x-n')
    t.notOk(request.rawHeaders.some(name => /^x-injected$/i.test(name)))
    expected[Number(i)](request)
  }
})

t.test('a value of the context is what it has itself, as a text', async t => {
  const sharedValues = sharedValuesOf(['x'])
  const template = compiled({ body: '{{value}}' }, sharedValues)
  for (const [value, body] of [['a', 'a'], [1, '1'], [0, '0'], [false, 'false'], [10n, '10'], [{ a: [1] }, '{"a":[1]}'], ['', '']]) {
    const own = sharedValues.own(0, { value, n: 1 })
    t.equal(template.fill(own).toString().split('\r\n\r\n')[1], body)
    t.equal(own.refused, null)
  }
  const cyclic = {}
  cyclic.self = cyclic
  for (const context of [{}, { value: null }, { value: undefined }, { value: () => {} }, { value: Symbol('x') }, { value: cyclic }, Object.create({ value: 'of the prototype' })]) {
    const own = sharedValues.own(0, Object.assign(context, { n: 1 }))
    template.fill(own)
    t.equal(own.refused, '{{value}} has no value: nothing in the context of the iteration gives one')
  }
  for (const text of ['{{constructor}}', '{{__proto__}}', '{{value.constructor.name}}', '{{value.__proto__}}', '{{toString}}']) {
    const own = sharedValues.own(0, { value: {}, n: 1 })
    compiled({ body: text }, sharedValues).fill(own)
    t.match(own.refused, /has no value/, text)
  }
})

t.test('a value that is . or .. is no segment of a path, where it would lead to another one; within one, and in a query, it stands', async t => {
  const sharedValues = sharedValuesOf(['.', '..', '...', 'a.b', '%2e%2e'])
  const own = sharedValues.own(0, { value: '..', n: 1 })
  for (const [path, refused] of [['/users/{{d}}/admin', true], ['/{{d}}', true], ['/a/{{d}}?x=1', true], ['/a/{{value}}', true], ['/a/{{d}}.json', false], ['/a{{d}}/b', false], ['/a?q=/{{d}}', false], ['/{{{d}}}', false]]) {
    for (const [i, value] of ['.', '..', '...', 'a.b', '%2e%2e'].entries()) {
      own.rows[0] = i
      own.refused = null
      const text = compiled({ path }, sharedValues).fill(own).toString('latin1')
      const isRefused = refused && (i < 2 || path.includes('value'))
      t.equal(own.refused, isRefused ? `{{${path.includes('value') ? 'value' : 'd'}}} is ${path.includes('value') ? '..' : value} and a whole segment of a path, which leads to another one` : null, `${path} ${value}`)
      if (!isRefused) t.notMatch(text.split(' ')[1], path.includes('{{{') || path.includes('?q') ? /never/ : /\/\.{1,2}(\/|\?|$)/)
    }
  }
})

t.test('values that make a segment . or .. together, with dots of the template or across slashes, are refused', async t => {
  const sharedValues = sharedValuesOf(['x'])
  const reason = 'values make a path segment . or .., which leads to another path'
  for (const [path, context, expected] of /** @type {Array<[string, Record<string, string>, string | null]>} */ ([
    ['/echo/{{a}}{{b}}/admin', { a: '.', b: '.' }, null], ['/echo/{{a}}{{b}}', { a: '', b: '..' }, null], ['/echo/{{a}}{{b}}?x', { a: '.', b: '' }, null], ['/echo/.{{a}}/admin', { a: '.' }, null], ['/echo/{{a}}./x', { a: '' }, null],
    ['/echo/%2e{{a}}/admin', { a: '.' }, null], ['/echo/%2E{{a}}/admin', { a: '' }, null], ['/echo/{{a}}%2e', { a: '.' }, null], ['/echo/%2{{a}}/x', { a: 'e' }, null], ['/echo/%{{a}}./x', { a: '2E' }, null], ['/echo\\.{{a}}/x', { a: '.' }, null],
    ['/echo/{{{a}}}/admin', { a: '..' }, null], ['/echo/{{{a}}}/x', { a: 'b/../..' }, null], ['/echo/{{{a}}}', { a: '%2e%2E/admin' }, null], ['/echo/.{{{a}}}', { a: './admin' }, null], ['/echo/{{{a}}}{{b}}/x', { a: 'c/.', b: '.' }, null], ['/echo/{{{a}}}', { a: '..?x' }, null], ['/echo/{{{a}}}', { a: '..\\x' }, null],
    ['/{{{a}}}/{{b}}', { a: 'c/..', b: 'd' }, null], ['/echo/{{a}}{{b}}{{c}}', { a: '', b: '.', c: '' }, null],
    ['/echo/{{a}}{{b}}/x', { a: '.', b: '..' }, '/echo/.../x'], ['/echo/{{a}}{{b}}/x', { a: '', b: '' }, '/echo//x'], ['/echo/.{{a}}/x', { a: 'git' }, '/echo/.git/x'], ['/echo/%2e{{a}}/x', { a: '%2e' }, '/echo/%2e%252e/x'], ['/echo/{{a}}{{b}}/x', { a: '%2', b: 'e' }, '/echo/%252e/x'],
    ['/echo?p={{a}}{{b}}/x', { a: '/.', b: '.' }, '/echo?p=%2F../x'], ['/echo/{{{a}}}', { a: 'x?p=/../y' }, '/echo/x?p=/../y'], ['/a/../{{a}}/./x', { a: 'b' }, '/a/../b/./x'], ['/{{{a}}}?b={{b}}', { a: '/c/../d', b: 'e' }, '/c/../d?b=e'],
    ['/echo/{{{a}}}/../x', { a: 'b' }, '/echo/b/../x'], ['/echo/{{{a}}}/%2E/../x', { a: 'b/c' }, '/echo/b/c/%2E/../x'], ['/echo/{{{a}}}/..', { a: 'b' }, '/echo/b/..'], ['/echo/{{{a}}}/..?x', { a: '' }, '/echo//..?x'],
    ['/echo/{{{a}}}/../x', { a: '..' }, null], ['/echo/{{{a}}}/..{{b}}', { a: 'c', b: '' }, null], ['/echo/{{{a}}}/{{b}}../x', { a: 'c', b: '' }, null], ['/echo/{{{a}}}../x', { a: 'c/' }, null], ['/echo/{{{a}}}../x', { a: 'c' }, '/echo/c../x']
  ])) {
    const own = sharedValues.own(0, { ...context, n: '1' })
    const text = compiled({ path }, sharedValues).fill(own).toString('latin1').split(' ')[1]
    t.equal(own.refused, expected === null ? reason : null, `${path} ${JSON.stringify(context)}`)
    if (expected !== null) t.equal(text, expected)
  }
})

t.test('a path has its parts in the order of the template', async t => {
  const sharedValues = sharedValuesOf(['x'])
  const name = fc.constantFrom('a', 'b', 'c')
  const part = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('/', '/s', '/s/', '.', '-', '//', '/..a/', '?', '\\') },
    name.map(name => `{{${name}}}`),
    name.map(name => `{{{${name}}}}`)
  )
  const value = fc.constantFrom('A', 'B', 'x y', 'a/b', '/', '?', '', 'c.', 'é')
  const paths = fc.array(part, { minLength: 1, maxLength: 8 })
  const sent = []
  fc.assert(fc.property(paths, fc.record({ a: value, b: value, c: value }), (parts, context) => {
    const path = ['/p', ...parts].join('')
    const whole = ['/p', ...parts.map(part => {
      const [, braces, name] = /^(\{+)(\w)/.exec(part) ?? []
      if (name === undefined) return part
      const value = context[name]
      return braces === '{{' ? encodeURIComponent(value) : value.replace(/[^!-~]+/g, encodeURIComponent)
    })].join('')
    fc.pre(!whole.split('?')[0].split(/[/\\]/).some(segment => segment === '.' || segment === '..'))
    const own = sharedValues.own(0, { ...context, n: '1' })
    const text = compiled({ path }, sharedValues).fill(own).toString('latin1').split(' ')[1]
    sent.push(text)
    return own.refused === null && text === whole
  }), { seed: 35, numRuns: 2000 })
  t.ok(sent.length >= 2000)

  for (const [path, whole] of [['/x/{{{a}}}/{{b}}', '/x/A/B'], ['/{{{a}}}/{{b}}/{{c}}', '/A/B/C'], ['/{{{a}}}/s/{{b}}/{{{c}}}/{{a}}?q={{b}}', '/A/s/B/C/A?q=B']]) {
    t.equal(compiled({ path }, sharedValues).fill(sharedValues.own(0, { a: 'A', b: 'B', c: 'C', n: '1' })).toString('latin1').split(' ')[1], whole)
  }
})

t.test('a raw path takes what a server has given: a path, or a URL', async t => {
  const sharedValues = sharedValuesOf(['x'])
  const template = compiled({ path: '/{{{next}}}' }, sharedValues)
  for (const [next, path] of [['/a?b=c', '/a?b=c'], ['a/b', '/a/b'], ['http://localhost:3000/a%20b', '/a%20b'], ['https://localhost', '/'], ['//host/a', '//host/a'], ['/a b\u00e9', '/a%20b%C3%A9'], ['', '/'], ['/a?b=c#d?e', '/a?b=c'], ['#a', '/'], ['/a#\u00e9', '/a']]) {
    t.equal(template.fill(sharedValues.own(0, { next, n: 1 })).toString().split(' HTTP/1.1')[0], `POST ${path}`)
  }
})

t.test('what stands between the braces', async t => {
  for (const [text, kinds] of /** @type {Array<[string, unknown[]]>} */ ([
    ['a {{ id }} b', ['a ', 'id', ' b']],
    ['{"n":{{counter}}}', ['{"n":', 'counter', '}']],
    ['{"n":{{{raw}}}}', ['{"n":', '{raw', '}']],
    ["{{'{{'}}id}}", ['literal', 'id}}']],
    ['{{random -5 5}}{{pick "a b" \'c\'}}{{env.NAME}}{{users.first name}}', ['random', 'pick', 'env', 'value']],
    ['}} { {', ['}} { {']]
  ])) t.strictSame(parseTemplate(text).map(part => typeof part === 'string' ? part : part.kind === 'value' && part.raw ? `{${part.text}` : part.kind), kinds, text)
  for (const [text, message] of [
    ['{{}}', "expected a name between {{ and }}, got none; write {{'{{'}} for {{ itself"],
    ['{{users.email}', "expected something like {{users.email}}, got '{{users.email}' without its }}; write {{'{{'}} for {{ itself"],
    ['{{random 5 1}}', "expected two whole numbers, the smaller one first, such as {{random 1 100}}, got 'random 5 1'"],
    ['{{random 1}}', "expected two whole numbers, the smaller one first, such as {{random 1 100}}, got 'random 1'"],
    ['{{pick}}', 'expected what to pick from, such as {{pick red green blue}}, got none'],
    ['{{uuid 4}}', "{{uuid}} takes no arguments, got '4'"],
    ['{{env}}', "expected the name of a variable of the environment, such as {{env.TOKEN}}, got 'env'"]
  ]) t.throws(() => parseTemplate(text), { name: 'TypeError', message }, text)
})
