'use strict'

// The forms of a targets file: which requests each stands for, where its mistakes are, and that what is printed is read again.

const t = require('tap')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const path = require('node:path')
const { ListReader, byOrigin } = require('../../lib/target-files/target-list')
const { parseTargets, readTargets } = require('../../lib/target-files/target-file')
const { targetsOf } = require('../../lib/target-files/target-collector')

const DEFAULTS = { method: 'GET', path: null, headers: [], body: null }

/**
 * @param {import('../../lib/target-files/target-collector').TargetCollector} collector
 * @param {import('../../lib/requests/request').Request} [defaults]
 */
function requestsIn (collector, defaults = DEFAULTS) {
  const list = collector.end()
  const reader = new ListReader(list)
  return Array.from(list.starts, (_, i) => {
    const { method, path, headers, body } = reader.request(i, defaults)
    return { method, to: list.origins[list.shapes[reader.shape].origin].url, path, headers, body: body === null ? null : Buffer.from(body).toString('latin1') }
  })
}

/** @param {string | Buffer} content @param {Parameters<typeof parseTargets>[1]} [where] */
const parse = (content, where) => requestsIn(parseTargets(Buffer.from(content), where))

const GET = { method: 'GET', to: 'http://a', path: '/', headers: [], body: null }
const FORM = ['Content-Type', 'application/x-www-form-urlencoded']

const FILES = {
  'vegeta: method and URL': ['GET http://a/\nHEAD http://a/1?x=%20#part\nPURGE  http://a:80/..//b\t\nGET http://a', [
    GET, { ...GET, method: 'HEAD', path: '/1?x=%20' }, { ...GET, method: 'PURGE', path: '//b' }, GET]],
  'vegeta: headers, one of a name twice, and the next request without an empty line': ['GET http://a/\nX-A: 1\n  x-b :2:3 \nX-A: ü\nPUT http://a/', [
    { ...GET, headers: [['X-A', '1'], ['x-b', '2:3'], ['X-A', 'ü']] }, { ...GET, method: 'PUT' }]],
  'vegeta: comments and empty lines anywhere, CRLF, a byte order mark, no line break at the end': ['\ufeff\r\n# a\r\n\r\nGET http://a/\r\n# b\r\nX-A: 1\r\n\r\n\r\n# c\r\nGET http://a/b\r\nGET http://a/c\r\n#d', [
    { ...GET, headers: [['X-A', '1']] }, { ...GET, path: '/b' }, { ...GET, path: '/c' }]],
  'vegeta: an empty header, and one behind a line that was like the one before': ['GET http://a/1\nGET http://a/2\nX-A:\nGET http://a/3', [
    { ...GET, path: '/1' }, { ...GET, path: '/2', headers: [['X-A', '']] }, { ...GET, path: '/3' }]],
  'vegeta: user and password, which an own header overrides': ['GET http://u:p@a/\nGET http://u:p@a/2\n\nGET http://u:p@a/\nauthorization: own', [
    { ...GET, headers: [['Authorization', 'Basic dTpw']] }, { ...GET, path: '/2', headers: [['Authorization', 'Basic dTpw']] }, { ...GET, headers: [['authorization', 'own']] }]],
  'JSON lines': ['{"method":"get","url":"http://a/"}\n\n# c\n{"url":"http://a/x","body":"AP8=","header":{"A":["1","2"],"B":"3"}}\r\n{"method":null,"url":"http://a","body":"","headers":{}}', [
    GET, { ...GET, path: '/x', headers: [['A', '1'], ['A', '2'], ['B', '3']], body: '\0\xff' }, { ...GET, body: '' }]],
  // eslint-disable-next-line no-template-curly-in-string
  'siege: URLs, data, methods, variables': ['# c\nHOST = a:80\nhttp://a/\na:80/x?y=1\nhttp://$(HOST)/v POST n=${HOST}&b= 2 \n${HOST} HEAD\nhttp://a/ö', [
    GET, { ...GET, path: '/x?y=1' }, { ...GET, method: 'POST', path: '/v', headers: [FORM], body: 'n=a:80&b= 2' }, { ...GET, method: 'HEAD' }, { ...GET, path: '/%C3%B6' }]],
  'siege: a variable in a line that is like the one before but for its path': ['ID = 5\nhttp://a/\nhttp://a/items/$(ID)\nID = 6\nhttp://a/$(ID)?$filter=x\nhttp://a/$(NO)\nhttp://a/1\nHOST = http://abc\n$(HOST)/2\nHOST = a:80\n$(HOST)/3', [
    GET, ...['/items/5', '/6?$filter=x', '/$(NO)', '/1'].map(path => ({ ...GET, path })), { ...GET, to: 'http://abc', path: '/2' }, { ...GET, path: '/3' }]],
  'siege: data with a line separator of Unicode': ['N = x\u2028y\nhttp://a/ POST a\u2028b$(N)', [{ ...GET, method: 'POST', headers: [FORM], body: Buffer.from('a\u2028bx\u2028y').toString('latin1') }]],
  'oha: a URL in each line': ['http://a/1\nhttp://a/2\nhttp://a/3/../4\nhttp://a/5\n', ['/1', '/2', '/4', '/5'].map(path => ({ ...GET, path }))],
  'URLs in the queries of others, and none': ['a:80/x?u=http://b/c\na:80?x=/y\na:80/z\na:80#/b\na:80?x=http://b/y\na:80/x?', ['/x?u=http://b/c', '/?x=/y', '/z', '/', '/?x=http://b/y', '/x?'].map(path => ({ ...GET, path }))],
  'URLs whose first slash is in the query, one like the other': ['a:80?x=http://b/y\na:80?x=http://b/z\nhttp://a?x=/1\nhttp://a?x=/2', ['/?x=http://b/y', '/?x=http://b/z', '/?x=/1', '/?x=/2'].map(path => ({ ...GET, path }))],
  'several servers, in any order': ['http://a/1\nhttps://a/2\nhttp://[::1]:3000/3\nhttp://a/4\nHTTP://A:80/5', [
    { ...GET, path: '/1' }, { ...GET, to: 'https://a', path: '/2' }, { ...GET, to: 'http://[::1]:3000', path: '/3' }, { ...GET, path: '/4' }, { ...GET, path: '/5' }]],
  'paths, of a server that is told elsewhere': ['/1\n/ab/2?a=http://x\nhttp://a/3\n/.well-known/x\n/4', [
    ...['/1', '/ab/2?a=http://x'].map(path => ({ ...GET, to: null, path })), { ...GET, path: '/3' }, ...['/.well-known/x', '/4'].map(path => ({ ...GET, to: null, path }))]]
}

for (const [name, [content, expected]] of Object.entries(FILES)) {
  t.test(`${name}: is what it says`, async t => {
    t.strictSame(parse(content), expected)
    t.strictSame(parse(content.replace(/\r?\n/g, '\r\n')), expected, 'with CRLF')
  })
}

t.test('body files start at the folder of the targets, are read once, and may hold any bytes', async t => {
  const bytes = Buffer.from([0, 255, 10, 13, 64])
  const dir = t.testdir({ sub: { 'targets.txt': 'POST http://a/\n@body.bin\nPOST http://a/2\nX-A: 1\n@ body.bin\n\nPUT http://a/\n@empty\nPOST http://a/\n@../other', 'body.bin': bytes, empty: '' }, other: 'o', 'urls.txt': 'http://a/ POST <other' })
  const body = bytes.toString('latin1')
  const collector = readTargets(path.join(dir, 'sub/targets.txt'))
  t.equal(collector.writer.files.length, 3)
  t.strictSame(requestsIn(collector), [
    { ...GET, method: 'POST', body }, { ...GET, method: 'POST', path: '/2', headers: [['X-A', '1']], body }, { ...GET, method: 'PUT', body: '' }, { ...GET, method: 'POST', body: 'o' }])
  t.strictSame(requestsIn(readTargets(path.join(dir, 'urls.txt'))), [{ ...GET, method: 'POST', headers: [FORM], body: 'o' }])
})

t.test('the options hold for requests that say nothing themselves', async t => {
  const defaults = { method: 'PATCH', path: null, headers: [['X-A', 'default'], ['x-b', 'default']], body: 'default' }
  t.strictSame(requestsIn(parseTargets(Buffer.from('http://a/\nhttp://a/ POST x')), defaults), [
    { ...GET, method: 'PATCH', headers: defaults.headers, body: 'default' }, { ...GET, method: 'POST', headers: [FORM, ...defaults.headers], body: 'x' }])
  t.strictSame(requestsIn(parseTargets(Buffer.from('GET http://a/\nx-a: own\n\nGET http://a/')), { ...defaults, headers: [...defaults.headers, ['content-type', 'x']] }), [
    { ...GET, headers: [['x-b', 'default'], ['content-type', 'x'], ['x-a', 'own']], body: 'default' }, { ...GET, headers: [...defaults.headers, ['content-type', 'x']], body: 'default' }])
})

t.test('a value of any size is kept whole', async t => {
  const long = '/' + 'x'.repeat(1024 * 1024)
  t.strictSame(parse(`http://a/1\nhttp://a${long}\nhttp://a/2`).map(({ path }) => path), ['/1', long, '/2'])
  t.equal(parse(JSON.stringify({ url: 'http://a/', body: Buffer.alloc(1e6, 7).toString('base64') }))[0].body.length, 1e6)
})

t.test('an array has URLs, methods and URLs, and objects', async t => {
  t.strictSame(requestsIn(targetsOf(['http://a/1', 'POST http://a/2', new URL('http://a/3'), { url: '/4', method: 'put', headers: { A: ['1', '2'] }, body: 'ü' }, { url: new URL('http://a'), body: new Uint8Array([255]), headers: null }])), [
    { ...GET, path: '/1' }, { ...GET, method: 'POST', path: '/2' }, { ...GET, path: '/3' },
    { method: 'PUT', to: null, path: '/4', headers: [['A', '1'], ['A', '2']], body: Buffer.from('ü').toString('latin1') }, { ...GET, body: '\xff' }])
  for (const [entries, words] of /** @type {Array<[unknown[], string]>} */ ([
    [[null], 'entry 0: expected a URL or an object with url, got null'],
    [['http://a/', { url: 1 }], 'entry 1: expected a url such as http://localhost:3000/path, got 1'],
    [[{ url: '/', header: {} }], "entry 0: unknown key 'header', did you mean 'headers'? There are method, url, headers, body"],
    [[{ url: '/', body: 1 }], 'entry 0: expected a string or a Buffer, got 1'],
    [['GET http://a b'], "entry 0: expected a URL, or a method and a URL, got 'GET http://a b'"],
    [[{ url: '/', headers: { a: 'b\r\nc: d' } }], 'entry 0: the value of a has a line break or a NUL in it']
  ])) t.throws(() => targetsOf(entries), { message: words })
})

const MISTAKES = {
  '': 'the targets has no request: it is empty',
  '# a\n\n  \n#': 'the targets has no request: there are only empty lines and comments',
  'A=1\n': 'the targets has no request: there are only variables',
  '\xff\xfeG\0': 'the targets is UTF-16: save it as UTF-8',
  'GET http://a/\n\n/b': "line 3 of the targets: expected a method and a URL, such as GET http://localhost:3000/path, as the first request of the file has them, got '/b'",
  'GET http://a/\nhttp://u:p@b/': "line 2 of the targets: expected a method and a URL, such as GET http://localhost:3000/path, as the first request of the file has them, got 'http://***@b/'",
  'GET http://a/\nX-A 1 secret': "line 2 of the targets: expected a header such as Accept: text/html, @ and the file of a body, or the next request, got 'X-A…'",
  'GET http://a/\r\rX: y': "line 1 of the targets: 'http://a/\\r\\rX: y' has a space in it: write %20",
  'GET http://a/\u2028b': "line 1 of the targets: 'http://a/\\u2028b' has a space in it: write %20",
  'http://a/ POST a\rX: y': 'line 1 of the targets: the data has a line break or a NUL in it',
  'GET http://a/\n\nGET http://a/ HTTP/1.1\nA: b': "line 3 of the targets: 'http://a/ HTTP/1.1' has a space in it: write %20",
  'GET http://a/\nGET http://a/b\nGET http://a:99999/\nA: b\n': "line 3 of the targets: 'http://a:99999/' has port 99999: expected 1 to 65535",
  'GET ftp://a/': "line 1 of the targets: 'ftp://a/' has the protocol ftp: expected http or https",
  'GET http://a/\na b: c': "line 2 of the targets: 'a…' is not a header name: letters, digits and !#$%&'*+-.^_`|~ are allowed",
  'GET http://a/\nA: b\rC: d': 'line 2 of the targets: the value of A has a line break or a NUL in it',
  'POST http://a/\n@': 'line 2 of the targets: expected the path of a file, which is the body, got none',
  'POST http://a/\nA: b\n@nowhere/x\n\nGET http://a/': /^line 3 of the targets: could not read the body file '.*nowhere\/x': ENOENT: no such file or directory$/,
  'http://a/\n\nhttp://a/b c': "line 3 of the targets: expected a URL, or a URL, POST and data, got 'http://a/b' and more after it; a space in a URL is written %20",
  'http://a/\nhttp://': "line 2 of the targets: 'http://' is not a URL: expected something like http://localhost:3000/path",
  'http://a/\n::1/x': "line 2 of the targets: '::1/x' is not a URL: write an IPv6 address in brackets, such as http://[::1]/",
  'http://a/\nhttp//127.0.0.1:4001/a': "line 2 of the targets: 'http//127.0.0.1:4001/a' is not a URL: a path begins with /, and a host without http:// has a dot or a port, or is localhost",
  'GET http://a/\n\nGET items': /^line 3 of the targets: 'items' is not a URL: a path begins with \//,
  '{"url":"items?a=1"}': /^line 1 of the targets: 'items\?a=1' is not a URL/,
  'http://a/\n//b/c': "line 2 of the targets: '//b/c' is not a URL: expected something like http://localhost:3000/path",
  'http://a/\0': /^line 1 of the targets: 'http:\/\/a\/.*' is not a URL/,
  'http://a/ POST <nowhere': /^line 1 of the targets: could not read the body file/,
  '{"url":"http://a/"}\n{"url":': 'line 2 of the targets: the object is not valid JSON: it ends too early, line 2, column 8',
  '{"url":"http://a/",\u2028}': 'line 1 of the targets: the object is not valid JSON: unexpected "\u2028", line 1, column 20',
  '{"url":"http://a/"}\nGET http://a/': 'line 2 of the targets: the object is not valid JSON: unexpected "G", line 2, column 1',
  '{"method":"GET"}': 'line 1 of the targets: expected a url such as http://localhost:3000/path, got undefined',
  '{"url":"http://a/","body":"a b"}': 'line 1 of the targets: body: expected base64, got another text; jq makes base64 by @base64',
  '{"url":"http://a/","boddy":"a"}': "line 1 of the targets: unknown key 'boddy', did you mean 'body'? There are method, url, header and body",
  '{"url":"http://a/","header":{"A":["b\\r\\nC: d"]}}': 'line 1 of the targets: the value of A has a line break or a NUL in it',
  '{"url":"http://a/","header":["A"]}': 'line 1 of the targets: header: expected an object of names and lists of values, got an array',
  '{"url":"http://a/","method":"G T"}': "line 1 of the targets: expected an HTTP method such as GET or POST, got 'G T'",
  '[{"url":"http://a/"}]': "line 1 of the targets: this is a JSON array, and a targets file has a JSON object in each line: jq -c '.[]' makes that of it"
}

t.test('a mistake is one sentence that names the line', async t => {
  for (const [content, words] of Object.entries(MISTAKES)) {
    t.throws(() => parseTargets(Buffer.from(content, content.startsWith('\xff') ? 'latin1' : 'utf8')), { message: words }, JSON.stringify(content).replaceAll('\u2028', '\\u2028'))
  }
  t.throws(() => readTargets(t.testdir()), { message: /^could not read the file '.*': EISDIR: illegal operation on a directory, read$/ })
})

t.test('where a body file is looked for is told when it is somewhere else', async t => {
  const dir = t.testdir({ 'targets.txt': 'POST http://a/\n@package.json' })
  t.throws(() => readTargets(path.join(dir, 'targets.txt')), { message: /ENOENT: no such file or directory; paths of body files start at the folder of the targets$/ })
})

t.test('requests of one server stand in a row, in their order', async t => {
  const list = byOrigin(parseTargets(Buffer.from('http://a/1\nhttp://b/2\n/3\nhttp://a/4\nhttp://b/5\nhttp://a:80/6')).end(), 'http://b/x')
  t.strictSame(list.origins, [{ url: 'http://a', first: 0, count: 3 }, { url: 'http://b', first: 3, count: 3 }])
  const reader = new ListReader(list)
  t.strictSame(Array.from(list.starts, (_, i) => reader.request(i, DEFAULTS).path), ['/1', '/4', '/6', '/2', '/3', '/5'])
})

// What a path has in it that stays as it is.
const paths = fc.stringMatching(/^\/([a-z0-9~_-][a-zA-Z0-9._~!$&()*+,;=:@-]{0,8}\/?){0,4}(\?[a-z0-9=&%/.]{0,10})?$/)
const hosts = fc.constantFrom('http://a', 'https://a', 'http://[::1]:3000', 'http://10.0.0.1:8080', '')
const tokens = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,10}$/)
const values = fc.stringMatching(/^([!-~]([ -~]{0,8}[!-~])?)?$/)
const targets = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PURGE'),
  to: hosts,
  path: paths,
  headers: fc.array(fc.tuple(tokens, values).filter(([name]) => name.toLowerCase() !== 'authorization' && name !== '__proto__'), { maxLength: 3 }),
  body: fc.oneof(fc.constant(null), fc.string().map(text => Buffer.from(text).toString('latin1')))
})

const NOISE = fc.constantFrom('', '# c', '  ', '\t# GET http://x/')

/** How each form is printed: what it can't say is left out. */
const PRINTERS = {
  vegeta: {
    keep: ({ body, ...one }) => ({ ...one, body: null }),
    print: ({ method, to, path, headers }) => [`${method} ${to}${path}`, ...headers.map(([name, value]) => `${name}: ${value}`)]
  },
  json: {
    // An object has its names in an order of its own where they repeat.
    keep: ({ headers, ...one }) => ({ ...one, headers: headers.slice(0, 1) }),
    print: ({ method, to, path, headers, body }) => [JSON.stringify({ method, url: to + path, header: Object.fromEntries(headers.slice(0, 1).map(([name, value]) => [name, [value]])), ...body !== null && { body: Buffer.from(body, 'latin1').toString('base64') } })]
  },
  urls: {
    keep: ({ to, path }) => ({ ...GET, to, path }),
    print: ({ to, path }) => [to + path]
  }
}

t.test('a file that is printed from requests is read as the same requests', async () => {
  for (const { keep, print } of Object.values(PRINTERS)) {
    fc.assert(fc.property(fc.array(fc.tuple(targets, NOISE), { minLength: 1 }), fc.constantFrom('\n', '\r\n'), (list, end) => {
      const content = list.flatMap(([target, noise]) => [...print(target), '', noise]).join(end)
      const expected = list.map(([target]) => ({ ...GET, ...keep(target), to: target.to === '' ? null : target.to }))
      assert.deepStrictEqual(parse(content), expected)
    }), { seed: 18, numRuns: 300 })
  }
})

t.test('whatever stands in a file, it is requests or one sentence', async () => {
  const line = fc.oneof(fc.string(), fc.constantFrom('GET http://a/', '@x', 'A: b', '{"url":"/"}', 'http://a/ POST x', '\0', 'A=b', '$(A)', '\r', '#', '{', '[', 'GET /', '\ufeff'), fc.string({ unit: 'binary' }))
  const any = fc.oneof(fc.array(line, { maxLength: 8 }).map(lines => Buffer.from(lines.join('\n'))), fc.uint8Array({ maxLength: 60 }).map(bytes => Buffer.from(bytes)))
  fc.assert(fc.property(any, content => {
    try {
      requestsIn(parseTargets(content, { folder: '/nowhere' }))
    } catch (error) {
      if (!(error instanceof TypeError) || !/^(line \d+ of )?the targets/.test(error.message) || /[\n\r]/.test(error.message)) throw error
    }
  }), { seed: 18, numRuns: 3000 })
})
