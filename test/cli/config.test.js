'use strict'

const t = require('tap')
const path = require('node:path')
const { loadConfig } = require('../../lib/cli/config/config')
const { printedConfig } = require('../../lib/cli/config/print-config')
const { validate } = require('../../lib/options/validate')
const { cli } = require('../helpers/processes/cli')

/** @param {Parameters<typeof loadConfig>} args */
const optionsOf = async (...args) => (await loadConfig(...args)).options

/**
 * @param {string} file
 * @returns {Promise<string[]>}
 */
async function problemsOf (file) {
  try {
    await loadConfig(file)
  } catch (error) {
    return error.problems
  }
  throw new Error(`${file} was read`)
}

t.test('a config is JSON or a module', async t => {
  const dir = t.testdir({
    'a.json': '\ufeff{ "connections": 3, "url": "localhost" }',
    'a.js': 'module.exports = { connections: 3, setupClient () {} }',
    'a.cjs': 'exports.connections = 3',
    'a.mjs': 'export default { connections: 3 }',
    'compiled.js': 'Object.defineProperty(exports, "__esModule", { value: true }); exports.default = { connections: 3 }'
  })
  for (const name of ['a.json', 'a.js', 'a.cjs', 'a.mjs', 'compiled.js']) {
    t.equal((await optionsOf(path.join(dir, name))).connections, 3, name)
  }
  t.type((await optionsOf(path.join(dir, 'a.js'))).setupClient, 'function')
})

t.test('relative paths in it start at its folder', async t => {
  const dir = t.testdir({
    'a.json': JSON.stringify({
      setupClient: './client.js',
      verifyBody: '/abs/verify.js',
      requests: [{ path: '/a', setupRequest: 'setup.js' }, { onResponse: '../response.js' }, {}],
      form: { text: { type: 'text', value: 'x' }, file: { type: 'file', path: 'upload.txt' } },
      har: 'a.har',
      input: 'body.txt',
      ca: ['a.pem', 'b.pem'],
      baseline: 'base.json',
      socketPath: 'server.sock',
      body: './not-a-path',
      title: 'a/b'
    }),
    'b.json': JSON.stringify({ form: 'form.json', ca: 'a.pem' }),
    'abstract.json': JSON.stringify({ socketPath: '@server' }),
    'c.json': JSON.stringify({ form: '{"a":{"type":"text","value":"x"}}' })
  })
  const inside = (/** @type {string} */ name) => path.join(dir, name)
  t.strictSame(await optionsOf(inside('a.json')), {
    setupClient: inside('client.js'),
    verifyBody: path.resolve('/abs/verify.js'),
    requests: [{ path: '/a', setupRequest: inside('setup.js') }, { onResponse: path.join(dir, '../response.js') }, {}],
    form: { text: { type: 'text', value: 'x' }, file: { type: 'file', path: inside('upload.txt') } },
    har: inside('a.har'),
    input: inside('body.txt'),
    ca: [inside('a.pem'), inside('b.pem')],
    baseline: inside('base.json'),
    socketPath: inside('server.sock'),
    body: './not-a-path',
    title: 'a/b'
  })
  t.strictSame(await optionsOf(inside('b.json')), { form: inside('form.json'), ca: inside('a.pem') })
  t.strictSame(await optionsOf(inside('abstract.json')), { socketPath: '@server' }, 'an abstract socket is no file')
  t.strictSame(await optionsOf(inside('c.json')), { form: '{"a":{"type":"text","value":"x"}}' })
})

t.test('says what is wrong with it', async t => {
  const dir = t.testdir({
    'broken.json': '{\n  "connections": 3,\n}',
    'unknown.json': '{ "conections": 3, "treshold": [], "onPort": true, "zzz": 1, "help": true }',
    'array.json': '[1]',
    'broken.js': 'module.exports = {\n  a: 1\n  b: 2\n}',
    'throws.mjs': 'throw new Error("oops\\nmore")',
    'nothing.mjs': 'export const connections = 3',
    'function.js': 'module.exports = () => {}'
  })
  const file = (/** @type {string} */ name) => path.join(dir, name)
  for (const [name, problems] of [
    ['none.json', [/^could not read the config '.*none\.json': ENOENT/]],
    ['none.js', [/^could not load the config '.*none\.js': Cannot find module '.*none\.js'$/]],
    ['broken.json', [/^the file '.*broken\.json' is not valid JSON: unexpected "}", line 3, column 1$/]],
    ['unknown.json', [
      /^the config '.*', line 1: unknown option 'conections', did you mean 'connections'\?$/,
      /^the config '.*', line 1: unknown option 'treshold', did you mean 'thresholds'\?$/,
      /^the config '.*', line 1: unknown option 'zzz'$/,
      /^the config '.*', line 1: 'help' can only be a flag$/,
      /^the config '.*', line 1: expected 'onPort' to be the words of the command to start, such as \["node", "server\.js"\], got true$/
    ]],
    ['array.json', [/^the config '.*' has to be an object of options, got an array$/]],
    ['broken.js', [/^could not load the config '.*broken\.js': Unexpected identifier.*, line 3$/]],
    ['throws.mjs', [/^could not load the config '.*throws\.mjs': oops$/]],
    ['nothing.mjs', [/^the config '.*' has to export an object of options, by module\.exports or as the default$/]],
    ['function.js', [/^the config '.*' has to export an object of options, got a function: a user function is run by autocannon run .*function\.js URL$/]]
  ]) {
    const found = await problemsOf(file(name))
    t.equal(found.length, problems.length, `${name}: ${found.join('; ')}`)
    for (const [i, problem] of problems.entries()) t.match(found[i], problem, name)
  }
})

t.test('a misspelt key inside of an option is an error with its place', async t => {
  const dir = t.testdir({
    'a.json': JSON.stringify({
      conections: 3,
      requests: [{ path: '/' }, { pth: '/a', setupReqest: './x.js', expect: { statuses: 200 } }],
      expect: { header: {} },
      form: { upload: { type: 'file', pth: 'x' } },
      warmup: { connection: 1 },
      thresholds: ['p99 < 1s', { threshold: 'p99 < 1s', abort: true }]
    })
  })
  const config = path.join(dir, 'a.json')
  const at = (/** @type {string} */ words) => `the config '${config}', line 1: ${words}`
  t.strictSame(await problemsOf(config), [
    at("unknown option 'conections', did you mean 'connections'?"),
    at("unknown key 'pth' in requests[1], did you mean 'path'?"),
    at("unknown key 'setupReqest' in requests[1], did you mean 'setupRequest'?"),
    at("unknown key 'statuses' in requests[1].expect, did you mean 'status'?"),
    at("unknown key 'header' in expect, did you mean 'headers'?"),
    at("unknown key 'pth' in form.upload, did you mean 'path'?"),
    at("unknown key 'connection' in warmup, did you mean 'connections'?"),
    at("unknown key 'abort' in thresholds[1], did you mean 'abortOn'?")
  ])
  const { code, stderr } = await cli(['--config', config, '--nonsense', 'http://127.0.0.1:1'])
  t.equal(code, 2)
  t.match(stderr, /^autocannon: unknown flag --nonsense\nautocannon: the config '.*', line 1: unknown option 'conections'/, 'with what is wrong with the flags')
})

t.test('a misspelt key of a field in the form of -F is an error', async t => {
  const { code, stderr } = await cli(['-F', '{"a":{"type":"text","value":"x","option":{}}}', 'http://127.0.0.1:1'])
  t.equal(code, 2)
  t.match(stderr, "-F/--form: the field 'a' has an unknown key 'option': expected type, value, path, options")
})

t.test('a config may be named without its ending, and may be the index.js of a folder', async t => {
  const dir = t.testdir({ 'bench.js': 'module.exports = { connections: 3 }', 'plain.json': '{ "connections": 3 }', folder: { 'index.js': 'module.exports = { connections: 3, input: "body.txt" }' } })
  for (const name of ['bench', 'plain', 'folder']) t.equal((await optionsOf(path.join(dir, name))).connections, 3, name)
  t.equal((await optionsOf(path.join(dir, 'folder'))).input, path.join(dir, 'folder/body.txt'), 'paths start at the folder of the file')
})

t.test('- is standard input in a config, too, and no file of its folder', async t => {
  const dir = t.testdir({ 'a.json': '{ "input": "-", "har": "-" }' })
  t.strictSame(await optionsOf(path.join(dir, 'a.json')), { input: '-', har: '-' })
})

t.test('a config with a URL keeps it when --ui has an address', async t => {
  const cwd = t.testdir({ 'c.yaml': 'url: http://localhost:3000\n', 'none.yaml': 'onPort: [node, server.js]\n' })
  const { code, stdout, stderr } = await cli(['--config', 'c.yaml', '--ui', '127.0.0.1:8896', '--print-config'], { cwd })
  t.match({ code, stderr }, { code: 0, stderr: '' })
  t.match(JSON.parse(stdout), { url: 'http://localhost:3000' })
  t.match(await cli(['--config', 'none.yaml', '--ui', '127.0.0.1:8896'], { cwd }), { code: 2, stdout: '', stderr: /^autocannon: --ui 127\.0\.0\.1:8896: the page or the server may be meant: [^\n]*\nTry autocannon --help for more\.\n$/ })
})

t.test('--print-config', async t => {
  /** @param {Record<string, any>} raw */
  const printed = raw => printedConfig(validate({ url: 'http://localhost:3000', ...raw }).values, { url: 'http://localhost:3000', ...raw })

  t.test('has every option with its default, and is a config itself', async t => {
    for (const stages of ['10s:5', ['10s:5/s', { duration: 5, rate: 1, name: 'end' }]]) {
      const first = printed({ stages })
      t.equal(printed(JSON.parse(first)), first, 'it can be given again')
    }
    const shown = JSON.parse(printed({ connections: '7', duration: '1m', thresholds: ['p99 < 1s'] }))
    t.match(shown, { url: 'http://localhost:3000', connections: 7, pipelining: 1, duration: 60, method: 'GET', thresholds: ['p99 < 1s'], json: false })
    const dir = t.testdir({ 'again.json': JSON.stringify(shown) })
    t.strictSame(await optionsOf(path.join(dir, 'again.json')), shown)
  })

  t.test('all mistakes of one config are reported at once, sorted by line', async t => {
    const file = path.join(t.testdir({
      'seven.yaml': `url: http://127.0.0.1:1
connections: many
requests:
  - path: /a
    expectt: 1
scenarios:
  - requests:
      - path: /x
        capure: { a: 1 }
        expect: { statu: 200 }
duration: yes
title: \${MISSING_IN_TEST}
timeout: -1
rat: 5
`
    }), 'seven.yaml')
    const { problems } = await loadConfig(file).then(() => ({ problems: [] }), error => error)
    t.strictSame(problems.map((/** @type {string} */ problem) => parseInt(/ line (\d+)/.exec(problem)?.[1] ?? '')), [2, 5, 9, 10, 11, 12, 13, 14], problems.join('\n'))
  })

  t.test('a text with brackets in a flow map is to be quoted', async t => {
    const dir = t.testdir({
      'a.yaml': 'url: http://127.0.0.1:1\nrequests:\n  - capture: { id: $.items[0].id }\n',
      'b.yaml': 'url: http://127.0.0.1:1\nheaders: { a: Bearer {{token}} }\n'
    })
    for (const name of ['a.yaml', 'b.yaml']) await t.rejects(loadConfig(path.join(dir, name)), { message: /a text with a bracket or brace in it needs quotation marks within \{ \} and \[ \]: quote it/ }, name)
  })

  t.test('the engine of Artillery is named', async t => {
    const file = path.join(t.testdir({ 'a.yaml': 'url: ws://127.0.0.1:1\nscenarios:\n  - engine: ws\n    requests: [{ body: hi }]\n' }), 'a.yaml')
    await t.rejects(loadConfig(file), { message: /unknown key 'engine' in scenarios\[0\]; omit the engine \(Artillery\): a WebSocket is \{ ws: \/chat \} in requests, .*docs\/scenarios\.md\), or with a ws:\/\/ URL each request is a message \(docs\/websocket\.md\)/ })
  })

  t.test('a script of k6 is named', async t => {
    const file = path.join(t.testdir({ 'k6.mjs': "import http from 'k6/http'\nexport default function () { http.get('http://x') }\n" }), 'k6.mjs')
    await t.rejects(loadConfig(file), { message: /is a script of k6, which does not run here: .*docs\/scenarios\.md.*docs\/websocket\.md/ })
  })

  t.test('hides secrets wherever they are', async t => {
    const secret = 's3cr3t'
    const text = printed({
      url: [`http://user:${secret}@localhost/a?x=1&access_token=${secret}#f`, `https://${secret}@localhost`],
      headers: ['Authorization: Bearer ' + secret, 'cookie=a=' + secret, 'X-Api-Key: ' + secret, 'x-plain: shown'],
      body: `{"user":"ann","password":"${secret}","deep":[{"clientSecret":"${secret}"}]}`,
      initialContext: { token: secret, name: 'shown' },
      tlsOptions: { key: secret, passphrase: secret, pfx: Buffer.from(secret), servername: 'shown' },
      key: 'package.json',
      requests: [
        { path: `/login?password=${secret}&next=shown`, headers: { authorization: secret, 'proxy-authorization': [secret, secret] } },
        { headers: [`set-cookie: ${secret}`], body: `user=ann&password=${secret}` },
        { headers: new Map([['x-auth-token', secret]]), body: Buffer.from(secret), setupRequest: function login (request) { return request } }
      ],
      form: undefined
    })
    t.notMatch(text, secret)
    t.match(JSON.parse(text), {
      url: ['http://***@localhost/a?x=1&access_token=***#f', 'https://***@localhost'],
      headers: { Authorization: '***', cookie: '***', 'X-Api-Key': '***', 'x-plain': 'shown' },
      body: '{"user":"ann","password":"***","deep":[{"clientSecret":"***"}]}',
      initialContext: { token: '***', name: 'shown' },
      tlsOptions: { key: '***', passphrase: '***', pfx: '***', servername: 'shown' },
      requests: [
        { path: '/login?password=***&next=shown', headers: { authorization: '***', 'proxy-authorization': '***' } },
        { headers: ['set-cookie: ***'], body: 'user=ann&password=***' },
        { headers: { 'x-auth-token': '***' }, body: '[6 bytes]', setupRequest: '[function login]' }
      ]
    })
    const har = { log: { entries: [{ request: { method: 'GET', url: 'http://localhost:3000/', headers: [{ name: 'Cookie', value: secret }, { name: 'x', value: 'shown' }] } }] } }
    t.match(JSON.parse(printed({ har })).har.log.entries[0].request.headers, [{ name: 'Cookie', value: '***' }, { name: 'x', value: 'shown' }])
    t.notMatch(printed({ form: `{"password":{"type":"text","value":"${secret}"}}` }), secret)
    t.notMatch(printed({ form: { password: { type: 'text', value: secret } } }), secret)
  })
})
