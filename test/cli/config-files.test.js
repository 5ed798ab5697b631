'use strict'

/* eslint-disable no-template-curly-in-string -- what stands for an environment variable */

// Configs as people write them: YAML, what the environment puts in, lines, paths and regular expressions in them.

const t = require('tap')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { loadConfig } = require('../../lib/cli/config/config')
const { DEFINITIONS } = require('../../lib/options/config-schema')
const { BIN, cli } = require('../helpers/processes/cli')

/**
 * @param {import('tap').Test} t
 * @param {Record<string, string>} files
 * @returns {(name: string) => string}
 */
function files (t, files) {
  const dir = t.testdir(files)
  return name => path.join(dir, name)
}

/**
 * @param {string} file
 * @param {Record<string, string>} [env]
 */
const optionsOf = async (file, env) => (await loadConfig(file, [], undefined, env)).options

/**
 * @param {string} file
 * @param {Record<string, string>} [env]
 * @returns {Promise<string[]>} what is wrong with it, without the name of the file
 */
async function problemsOf (file, env) {
  try {
    await loadConfig(file, [], undefined, env)
  } catch (error) {
    return error.problems.map((/** @type {string} */ problem) => problem.replace(`the config '${file}'`, 'the config'))
  }
  throw new Error(`${file} was read`)
}

const SHOP = `# a shop
$schema: ./config.schema.json
url: http://localhost:3000
connections: 20
pause: [500ms, 2s]
headers: &json
  accept: application/json
scenarios:
  - name: browse
    weight: 3
    requests:
      - path: /
        expect: { status: 200, body: /<h1>/i, headers: { content-type: /html/, x-cache: false } }
      - pause: 1s
      - path: /search?q=tea
        headers:
          <<: *json
          x-a: on
        onResponse: ./hooks/search.js
  - name: buy
    pause: hooks/think.mjs
    requests: [{ method: POST, path: /cart, body: '{"id":1}', check: check.js }]
har: no.har
expect:
  headers: { location: /login }
`

t.test('a config is YAML: what it says is what JSON would say', async t => {
  const at = files(t, { 'shop.yaml': SHOP, 'shop.yml': '\ufeffconnections: 3\r\npipelining: 2\r\n', 'shop.YAML': 'connections: 3' })
  const { har, ...options } = await optionsOf(at('shop.yaml'))
  t.equal(har, at('no.har'))
  t.strictSame(options, {
    url: 'http://localhost:3000',
    connections: 20,
    pause: ['500ms', '2s'],
    headers: { accept: 'application/json' },
    scenarios: [
      {
        name: 'browse',
        weight: 3,
        requests: [
          { path: '/', expect: { status: 200, body: /<h1>/i, headers: { 'content-type': /html/, 'x-cache': false } } },
          { pause: '1s' },
          { path: '/search?q=tea', headers: { accept: 'application/json', 'x-a': 'on' }, onResponse: at('hooks/search.js') }
        ]
      },
      { name: 'buy', pause: at('hooks/think.mjs'), requests: [{ method: 'POST', path: '/cart', body: '{"id":1}', check: at('check.js') }] }
    ],
    expect: { headers: { location: '/login' } }
  })
  t.strictSame(await optionsOf(at('shop.yml')), { connections: 3, pipelining: 2 })
  t.strictSame(await optionsOf(at('shop.YAML')), { connections: 3 })
})

t.test('YAML is version 1.2', async t => {
  const at = files(t, { 'a.yaml': 'headers: { a: on, b: no, c: yes, d: 017, e: 2020-01-01, f: 1_000, g: 1:30 }\nstages: 30s:500/s' })
  t.strictSame(await optionsOf(at('a.yaml')), { headers: { a: 'on', b: 'no', c: 'yes', d: 17, e: '2020-01-01', f: '1_000', g: '1:30' }, stages: '30s:500/s' })
})

t.test('what is wrong with YAML is told with its line and column', async t => {
  const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]', ...Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`)}]`)].join('\n')
  for (const [text, problem] of /** @type {Array<[string, string | RegExp]>} */ ([
    ['connections: 3\nconnections: 4', 'the config is not valid YAML: duplicate key, line 2, column 1'],
    ['requests:\n  - path: /a\n    path: /b', 'the config is not valid YAML: duplicate key, line 3, column 5'],
    ['requests:\n\t- path: /a', 'the config is not valid YAML: a tab is no indentation, use spaces, line 2, column 1'],
    ['url: http://a\n---\nurl: http://b', 'the config is not valid YAML: expected one document, got another one after ---, line 2, column 1'],
    ['title: "x', /^the config is not valid YAML: Missing closing "quote, line 1, column 10$|^the config is not valid YAML: Missing closing "quote, line 1, column \d+$/],
    ['a: [1, 2\nb: 3', /^the config is not valid YAML: Flow sequence .*, line 2, column 1$/],
    ['headers: *none', /^the config is not valid YAML: Unresolved alias.*none/],
    ['title: !js/function "() => 1"', /^the config is not valid YAML: .*js\/function.*, line 1, column \d+$/],
    ['title: !!binary aGk=', "the config is not valid YAML: expected no tags but !!str, !!int, !!float, !!bool, !!null, !!map and !!seq, got 'tag:yaml.org,2002:binary', line 1, column 17"],
    ['? [a]\n: b', 'the config is not valid YAML: a key has to be a text, line 1, column 3'],
    ['%YAML 1.1\n---\njson: no', 'the config is not valid YAML: expected YAML 1.2, got %YAML 1.1'],
    ['requests:\n  - path: {{users.path}}', 'the config is not valid YAML: a key has to be a text; a text that begins with {{ needs quotation marks, line 2, column 12'],
    ['scenarios:\n  - name: a\n     weight: 3', 'the config is not valid YAML: this line is indented deeper than the keys above it: keys of one object begin at the same column, line 3, column 6'],
    ['scenarios:\n  - name: a\n    requests:\n      - path: /\n     weight: 3', 'the config is not valid YAML: keys of one object begin at the same column, and this one begins at another than those above it, line 5, column 6'],
    ['requests:\n    - path: /\n   - path: /a', /^the config is not valid YAML: (keys|entries) of one (object|list) begin at the same column, and this one begins at another than those above it, line 3, column 4$/],
    ['title: one: two', 'the config is not valid YAML: a text with a colon and a space in it needs quotation marks, line 1, column 8'],
    [bomb, 'the config is not valid YAML: expected at most 10000 aliases, nested ones multiplied, got more'],
    [`a: &a [${Array(20_000).fill('x')}]\nb: [${Array(100).fill('*a')}]`, 'the config: expected at most 1 million values, at most 100 levels deep, got more, perhaps by aliases of aliases'],
    ['a: &a [*a]', 'the config: expected at most 1 million values, at most 100 levels deep, got more, perhaps by aliases of aliases'],
    ['- connections: 3', 'the config has to be an object of options, got an array'],
    ['', 'the config has to be an object of options, got null']
  ])) {
    const at = files(t, { 'a.yaml': text })
    const [found, ...more] = await problemsOf(at('a.yaml'))
    if (typeof problem === 'string') t.equal(found, problem)
    else t.match(found, problem)
    t.strictSame(more, [], 'it is told once')
  }
})

t.test('many requests may share what they have in common by one anchor', async t => {
  const at = files(t, { 'a.yaml': `requests:\n  - headers: &h { a: b }\n${'  - headers: *h\n'.repeat(300)}` })
  const { requests } = await optionsOf(at('a.yaml'))
  t.equal(requests.length, 301)
  t.strictSame(requests[300], { headers: { a: 'b' } })
})

t.test('a misspelt key is told with its line and place, wherever it is', async t => {
  const at = files(t, {
    'a.yaml': 'conections: 3\nscenarios:\n  - nme: a\n    requests:\n      - pth: /\n      - expect:\n          bdy: x\n      - pause:\n          exponetial: 1s\nstages:\n  - { duration: 1s, rte: 5 }\nburst: { requests: 5, evry: 1s }\nheaders: { anything: goes }\nexpect: { body: { include: x } }',
    'b.yaml': 'thresholds:\n  - login: p95 < 50ms',
    'map.yaml': 'thresholds: { p99: 50ms }',
    'a.json': '{\n  "requests": [\n    { "pth": "/" }\n  ]\n}',
    'a.js': 'module.exports = { requests: [{ pth: 1 }], scenarios: [{ wieght: 1 }] }'
  })
  t.strictSame(await problemsOf(at('a.yaml')), [
    "the config, line 1: unknown option 'conections', did you mean 'connections'?",
    "the config, line 3: unknown key 'nme' in scenarios[0], did you mean 'name'?",
    "the config, line 5: unknown key 'pth' in scenarios[0].requests[0], did you mean 'path'?",
    "the config, line 7: unknown key 'bdy' in scenarios[0].requests[1].expect, did you mean 'body'?",
    "the config, line 9: unknown key 'exponetial' in scenarios[0].requests[2].pause, did you mean 'exponential'?",
    "the config, line 11: unknown key 'rte' in stages[0], did you mean 'rate'?",
    "the config, line 12: unknown key 'evry' in burst, did you mean 'every'?",
    "the config, line 14: unknown key 'include' in expect.body, did you mean 'includes'?"
  ])
  t.strictSame(await problemsOf(at('b.yaml')), ["the config, line 2: unknown key 'login' in thresholds[0]; in YAML, a text with a colon in it needs quotation marks: 'login: p95 < 100ms'"])
  t.strictSame(await problemsOf(at('map.yaml')), ["the config, line 1: unknown key 'p99' in thresholds; thresholds are a list of texts: thresholds: ['p99 < 50ms']"])
  t.strictSame(await problemsOf(at('a.json')), ["the config, line 3: unknown key 'pth' in requests[0], did you mean 'path'?"])
  t.strictSame(await problemsOf(at('a.js')), ["the config: unknown key 'pth' in requests[0], did you mean 'path'?", "the config: unknown key 'wieght' in scenarios[0], did you mean 'weight'?"])
})

t.test('what is wrong with a value is told with its line and place', async t => {
  const at = files(t, {
    'a.yaml': 'url: http://127.0.0.1:1\nconnections: 0\nscenarios:\n  - name: a\n    requests: [{ path: / }]\n  - name: b\n    requests:\n      - path: /\n      - path: /\n        pause: soon\n',
    'a.mjs': 'export default { url: "http://127.0.0.1:1", requests: [{ path: "/", pause: "soon" }] }',
    'b.yaml': 'url: http://127.0.0.1:1\nscenarios: [{ requests: [{ path: / }] }]\npipelining: 5\nrequests: [{ path: / }]'
  })
  const { code, stderr } = await cli(['--config', at('a.yaml'), '-d', 'x'])
  t.equal(code, 2)
  t.strictSame(stderr.split('\n').slice(0, 3), [
    "autocannon: -d/--duration: expected seconds or a time such as 1m30s, more than 0 and at most 2,000,000, got 'x'",
    `autocannon: the config '${at('a.yaml')}', line 2: connections: expected a whole number, at least 1 and at most 100,000, got 0`,
    `autocannon: the config '${at('a.yaml')}', line 10: scenarios[1].requests[1].pause: expected a time such as 1s, ['500ms', '2s'] for any in between, { exponential: '1s' } or a function of the context, got 'soon'`
  ])
  t.match((await cli(['--config', at('a.mjs')])).stderr, `autocannon: the config '${at('a.mjs')}': requests[0].pause: expected a time`)
  t.match((await cli(['--config', at('b.yaml'), '-p', '2'])).stderr, /^autocannon: -p\/--pipelining and scenarios: a user waits .*\nautocannon: the config '.*', line 4: requests and scenarios each set the requests: use one of them\n/)
})

t.test('of a key that is like no other it is told which there are, or what the word of another tool is here', async t => {
  const problemsIn = async (/** @type {string} */ text) => problemsOf(files(t, { 'a.yaml': text })('a.yaml'))
  const requests = (/** @type {string} */ key) => problemsIn(`scenarios: [{ name: a, requests: [{ ${key}: 1 }] }]`)
  t.strictSame(await requests('frobnicate'), [`the config, line 1: unknown key 'frobnicate' in scenarios[0].requests[0]; there are ${Object.keys(DEFINITIONS.request.properties).join(', ')}, if, repeat, while, forEach, parallel, ws, send, receive, close`])
  for (const [misspelt, meant] of [['sned', 'send'], ['recieve', 'receive'], ['repet', 'repeat']]) t.strictSame(await requests(misspelt), [`the config, line 1: unknown key '${misspelt}' in scenarios[0].requests[0], did you mean '${meant}'?`])
  for (const [theirs, ours] of [['think', 'pause'], ['get', 'path'], ['post', 'method'], ['extract', 'capture']]) t.strictSame(await requests(theirs), [`the config, line 1: unknown key '${theirs}' in scenarios[0].requests[0], did you mean '${ours}'?`])
  t.strictSame(await problemsIn('scenarios:\n  - name: a\n    flow: []'), ["the config, line 3: unknown key 'flow' in scenarios[0], did you mean 'requests'?"])
  t.strictSame(await problemsIn('scenarios:\n  - name: a\n    data: { a: a.csv }\n    duration: 3'), [
    "the config, line 3: unknown key 'data' in scenarios[0]; it is an option of the run, next to scenarios",
    "the config, line 4: unknown key 'duration' in scenarios[0]; it is an option of the run, next to scenarios"
  ])
  t.strictSame(await problemsIn('data: { a: { path: a.csv } }'), ["the config, line 1: unknown key 'path' in data.a, did you mean 'file'?"])
  t.strictSame(await problemsIn('retries: { count: 3 }'), ["the config, line 1: unknown key 'count' in retries, did you mean 'times'?"])
  t.strictSame(await problemsIn('expect: { statuscode: 200, zebra: 1 }'), [
    "the config, line 1: unknown key 'statuscode' in expect, did you mean 'status'?",
    "the config, line 1: unknown key 'zebra' in expect; there are status, headers, body, json, maxBytes, maxMs, events"
  ])
})

t.test('a key with dots or brackets in it is told at its own line', async t => {
  const at = files(t, {
    'a.yaml': 'requests:\n  - path: /a\n  - path: /b\n    method: GET\n    "pa.th": /c\n    "a[0]": 1\n    "expect.body": 1\n    expect:\n      json:\n        items[0].id: 1\n        items[1].id: ${NONE}\n',
    'b.json': '{\n"headers": {\n"x.a": "1",\n"x.a.b": "${NONE}"\n} }'
  })
  t.strictSame((await problemsOf(at('a.yaml'))).map(problem => problem.split(/[,:] /)[1]), ['line 5', 'line 6', 'line 7', 'line 11'])
  t.match(await problemsOf(at('b.json')), [/^the config, line 4: headers.x.a.b: /])
})

t.test('a file that can be no config is told with what can be one', async t => {
  const at = files(t, { 'a.pid': '1', folder: {} })
  t.strictSame(await problemsOf(at('a.pid')), ['could not load the config: expected a file that ends in .js, .mjs, .cjs or .ts, a config also in .yaml, .yml or .json'])
  t.strictSame(await problemsOf(at('folder')), ['could not load the config: expected a file, got a folder without an index.js'])
})

t.test('a path that is a URL of another server is told, as no connection is made there', async t => {
  const { readOptions } = require('../../lib/options/read')
  const { warnings } = readOptions({ url: 'http://a.test:80', requests: [{ path: 'http://b.test/x?y' }, { path: 'HTTP://A.test/x' }, { path: '/http://b.test' }, { path: '{{next}}' }, { path: 'http://{{next}}/' }], initialContext: { next: '' } })
  t.strictSame(warnings, ["requests[0].path: 'http://b.test/x?y' is sent to http://a.test, as to a proxy: no connection is made to http://b.test; url in place of path sends it there, with that origin in origins; a run for several servers has them in url or targets"])
})

const SALE = `url: http://127.0.0.1:1
data: { users: { rows: [{ email: a@b.c }] } }
scenarios:
  - name: browse
    requests:
      - path: /items
      - pause: 1s
  - name: buy
    weight: 2
    requests:
      - { path: /login, body: '{{users.email}}', capture: { token: json token } }
      - { path: /me, headers: { authorization: '{{token}}' } }
thresholds: ['scenario buy: completed > 99%']
`

t.test('rules across options are told with file and line, too', async t => {
  for (const [from, to, problem] of [
    ['{{users.email}}', '{{users.mail}}', "line 11: scenarios[1].requests[0].body: {{users.mail}}: data.users has no column 'mail', did you mean 'email'? There are email"],
    ['/items', '/items?t={{token}}', 'line 6: scenarios[0].requests[0].path: nothing provides {{token}}; there are users, id, uuid, counter, now, random, pick, env'],
    ['scenario buy', 'scenario bye', "line 13: thresholds: 'scenario bye: completed > 99%': no scenario has the name 'bye'; there are browse, buy"],
    ['url:', 'pipelining: 10\nurl:', 'line 1: pipelining and scenarios: a user waits for each response before the next request, so pipelining has to be 1 over HTTP/1.1; with --http2 each connection has that many users; for more load use more connections'],
    ['url:', 'rate: 10 iterations/s\nstages: 1s:10iterations/s\nurl:', 'line 1: rate and stages each set the load: use one of them'],
    ['url:', 'rate: 10 iterations/s\npause: 1s\nurl:', 'line 2: pause and a rate of iterations each set when an iteration begins: omit one of them; pauses between the requests of an iteration are fine'],
    ['url:', 'rate: 10\nurl:', 'line 8: scenarios[0].requests[1].pause and a rate of requests each set when a request is sent: omit the pauses, or give a rate of iterations, such as 10 iterations/s'],
    [/url:[^]*pause: 1s/, 'rate: 10\nurl: http://localhost:1\ndata:\n  users: { rows: [{ email: a@b.c }] }\nscenarios:\n  - name: browse\n    requests:\n      - { repeat: 2, requests: [{ path: / }] }', "line 1: rate: scenarios[0].requests has a condition, a loop, parallel requests or a WebSocket, so the rate must be in iterations: use rate '10 iterations/s'"]
  ]) {
    const at = files(t, { 'a.yaml': SALE.replace(from, () => to) })
    t.equal((await cli(['--config', at('a.yaml')])).stderr, `autocannon: the config '${at('a.yaml')}', ${problem}\nTry autocannon --help for more.\n`)
  }
})

t.test('what would only follow from a mistake is not told beside it', async t => {
  for (const [from, to, problem] of [
    ['weight: 2', 'weight: 0', 'line 9: scenarios[1].weight: expected a whole number'],
    ['name: buy', 'name: browse', "line 8: scenarios[1]: scenarios[0] has the name 'browse' as well"],
    ['json token', 'jsn token', 'line 11: scenarios[1].requests[0].capture.token: expected'],
    ['{ rows: [{ email: a@b.c }] }', 'none.csv', 'line 2: data.users']
  ]) {
    const at = files(t, { 'a.yaml': SALE.replace(from, to) })
    const { stderr } = await cli(['--config', at('a.yaml')])
    t.match(stderr, `autocannon: the config '${at('a.yaml')}', ${problem}`)
    t.equal(stderr.split('\n').length, 3, stderr)
  }
})

t.test('the environment stands in texts, and not in keys', async t => {
  const at = files(t, {
    'a.yaml': 'url: http://${HOST:-localhost}:${PORT:-3000}\nconnections: ${N}\ntitle: $${N} ${A}${B:-x}${E:-empty}${E}\nheaders: { "${N}": "Bearer ${TOKEN}" }\nexpect: { maxMs: "${MS:-500}", body: "/${A}/" }\n',
    'a.json': '{ "requests": [{ "path": "/${A}" }] }',
    'a.js': 'module.exports = { title: "${A} ${nothing}" }'
  })
  const env = { HOST: 'example.org', N: '7', A: 'a', E: '', TOKEN: 's3cr3t ${A}' }
  t.strictSame(await optionsOf(at('a.yaml'), env), { url: 'http://example.org:3000', connections: '7', title: '${N} axempty', headers: { '${N}': 'Bearer s3cr3t ${A}' }, expect: { maxMs: '500', body: /a/ } })
  t.strictSame(await optionsOf(at('a.json'), env), { requests: [{ path: '/a' }] })
  t.strictSame(await optionsOf(at('a.js'), env), { title: '${A} ${nothing}' }, 'a module has template literals of its own')
})

t.test('a variable that is not set is an error with its line and place, all of them at once', async t => {
  const at = files(t, { 'a.yaml': 'title: ${A}\nheaders:\n  x-a: ${B} ${B:-}\nrequests:\n  - path: /${C D}\n  - path: /${__proto__}\n  - path: ${' })
  t.strictSame(await problemsOf(at('a.yaml'), {}), [
    'the config, line 1: title: the environment variable A is not set; set it, or give a default as in ${A:-…}',
    'the config, line 3: headers.x-a: the environment variable B is not set; set it, or give a default as in ${B:-…}',
    "the config, line 5: requests[0].path: expected ${NAME} or ${NAME:-default} for an environment variable, got '${C D}'; $${ means the characters ${",
    'the config, line 6: requests[1].path: the environment variable __proto__ is not set; set it, or give a default as in ${__proto__:-…}',
    "the config, line 7: requests[2].path: expected ${NAME} or ${NAME:-default} for an environment variable, got '${'; $${ means the characters ${"
  ])
})

t.test('a default with another variable in it is refused, whatever is set: its first brace would end both', async t => {
  const at = files(t, { 'a.yaml': 'url: ${A:-http://127.0.0.1:1/${B:-x}}\ntitle: ${A:-$${B}}\nheaders: { a: "${A:-${B}}" }' })
  const advice = '; use a JavaScript config with process.env'
  for (const env of [{}, { A: 'http://127.0.0.1:1/' }]) {
    t.strictSame(await problemsOf(at('a.yaml'), env), [
      `the config, line 1: url: expected a default without another variable, got '\${A:-http://127.0.0.1:1/\${B:-x}'${advice}`,
      `the config, line 2: title: expected a default without another variable, got '\${A:-$\${B}'${advice}`,
      `the config, line 3: headers.a: expected a default without another variable, got '\${A:-\${B}'${advice}`
    ])
  }
})

t.test('a duplicate key in JSON is refused as in YAML, with its line, in a file of any size', async t => {
  const refused = {
    '{\n  "amount": 4,\n  "url": "http://a",\n  "amount": 5\n}': "'amount', line 4, column 3",
    '{"requests":[{"path":"/a"},{"path":"/b", "headers": {"a":"1","\\u0061" : "2"}}]}': "'a', line 1, column 62",
    '\ufeff{"title":"\\"a\\": \\\\","title":9007199254740993}': "'title', line 1, column 22",
    [`{"title":"${'x'.repeat(2 ** 20)}",\n"url":1,"url":2}`]: "'url', line 2, column 9"
  }
  for (const [text, place] of Object.entries(refused)) {
    const at = files(t, { 'a.json': text })
    t.strictSame(await problemsOf(at('a.json')), [`the file '${at('a.json')}' has a duplicate key ${place}`], text.slice(0, 80))
  }
  const input = ' {"amount": 4, "amount": 5}'
  const { status, stderr } = spawnSync(process.execPath, [BIN, '--config', '-'], { input, encoding: 'utf8' })
  t.match({ status, stderr }, { status: 2, stderr: "autocannon: the file '-' has a duplicate key 'amount', line 1, column 16\n" })
})

t.test('references to the environment have bounds in time and memory', async t => {
  const { withEnvironment } = require('../../lib/options/environment')
  const long = '$${' + 'x'.repeat(1e6)
  const { value: { notes } } = withEnvironment({ title: long, notes: Array(3000).fill(long) }, {})
  t.equal(new Set(notes).size, 1, 'an alias is no copy')
  t.equal(notes[0].length, 1e6 + 2)
  t.throws(() => withEnvironment({ title: '${A}'.repeat(2000) }, { A: 'x'.repeat(100_000) }), { message: 'expected texts of at most 100 million characters with what the environment has in them, got more' })
  t.throws(() => withEnvironment(Array.from({ length: 200 }, (_, i) => `${i}${long}`), {}), { message: /^expected texts of at most 100 million/ })
  for (const text of ['${a:-', '${a', '${a:-${', '${a b']) {
    const { value, problems } = withEnvironment({ title: text.repeat(200_000) }, {})
    t.equal(typeof value.title, 'string')
    t.match(problems.at(-1).reason, /^expected \$\{NAME\} or \$\{NAME:-default\} for an environment variable/)
    t.ok(problems.length < 10, 'the same reason is told once')
  }
  t.strictSame(withEnvironment({ a: '${A', b: 'x ${A:-b' }, { A: '1' }).problems.map(({ place, reason }) => [place, reason.split(';')[0]]), [
    ['.a', "expected ${NAME} or ${NAME:-default} for an environment variable, got '${A'"],
    ['.b', "expected ${NAME} or ${NAME:-default} for an environment variable, got '${A:-b'"]
  ])
})

t.test('what the environment gives is hidden as what stands in the file', async t => {
  const at = files(t, { 'a.yaml': 'url: http://localhost:3000/?token=${SECRET}\nheaders: { authorization: "Bearer ${SECRET}" }\nconnections: ${N}\n' })
  const { stdout, code } = await cli(['--config', at('a.yaml'), '--print-config'], { env: { ...process.env, SECRET: 's3cr3t', N: '3' } })
  t.equal(code, 0)
  t.notMatch(stdout, 's3cr3t')
  t.match(JSON.parse(stdout), { url: 'http://localhost:3000/?token=${SECRET}', headers: { authorization: '***' }, connections: 3 })
})

t.test('a regular expression that is none is told with its line', async t => {
  const at = files(t, { 'a.yaml': 'expect:\n  headers:\n    a: /(/' })
  t.match(await problemsOf(at('a.yaml')), [/^the config, line 3: expect\.headers\.a: expected a regular expression, got '\/\(\/': Invalid regular expression: /])
})

t.test('YAML comes through a pipe, too', async t => {
  for (const input of ['url: http://localhost:3000\nconnections: 3\n', ' {"url": "http://localhost:3000", "connections": 3}']) {
    const { stdout } = spawnSync(process.execPath, [path.join(__dirname, '../../bin/autocannon.js'), '--config', '-', '--print-config'], { input, encoding: 'utf8' })
    t.match(JSON.parse(stdout), { connections: 3 })
  }
})

t.test('TypeScript is read where Node.js strips types, and else said in one line', async t => {
  const at = files(t, { 'a.ts': 'const connections: number = 3\nexport default { connections }', 'a.mts': 'export default { connections: 3 as number }', 'a.cts': 'module.exports = { connections: 3 as number }', 'package.json': '{ "type": "module" }' })
  for (const name of ['a.ts', 'a.mts', 'a.cts']) {
    if (/** @type {any} */ (process.features).typescript) t.equal((await optionsOf(at(name))).connections, 3)
    else t.strictSame((await problemsOf(at(name))).map(one => one.replace(at(name), name)), ['could not load the config: this Node.js does not read TypeScript: use Node.js 22.18 or later, or without workers a loader (NODE_OPTIONS=\'--import tsx\'), or write JavaScript or YAML'])
  }
})

t.test('a module that a config names and that cannot be used is told with its line, and is wrong use', async t => {
  const url = 'http://127.0.0.1:1'
  const folder = t.testdir({
    'hook.yaml': `url: ${url}\nrequests:\n  - path: /\n    setupRequest: ./nowhere.js\n`,
    'user.yaml': `url: ${url}\nuser: ./nowhere.mjs\n`,
    'none.yaml': `url: ${url}\nuser: ./none.mjs\n`,
    'none.mjs': 'export const shop = 1\n'
  })
  for (const [name, line, message] of /** @type {Array<[string, number, string]>} */ ([
    ['hook.yaml', 4, "setupRequest of request 0: could not load the module '.*nowhere\\.js': Cannot find module '.*'"],
    ['user.yaml', 2, "user: could not load the module '.*nowhere\\.mjs': Cannot find module '.*'"],
    ['none.yaml', 2, "user: the module '.*none\\.mjs' has to export the function .*"]
  ])) {
    const { code, stderr } = await cli(['--config', path.join(folder, name), '-n'])
    t.equal(code, 2, name)
    t.match(stderr, new RegExp(`^autocannon: the config '.*', line ${line}: ${message}\\n$`), name)
  }
})

t.test('a key in a list of requests that is one of the run, or a word of other tools for a block, has advice that fits its place', async t => {
  const file = files(t, {
    'a.yaml': `url: http://127.0.0.1:1
requests:
  - { path: /, jsn: { a: 1 } }
  - { path: /, capture: { a: { json: items } } }
  - { until: status == 200, requests: [{ path: / }] }
  - { foreach: items as item, requests: [{ path: / }] }
  - { for: items as item, requests: [{ path: / }] }
  - { loop: 3, requests: [{ path: / }] }
  - { else: [{ path: / }] }
  - { requests: [{ path: / }] }
`
  })('a.yaml')
  t.strictSame(await problemsOf(file), [
    "the config, line 3: unknown key 'jsn' in requests[0], did you mean 'json'?",
    "the config, line 4: unknown key 'json' in requests[1].capture.a; a value of a JSON body is captured by its path, as in capture: { name: $.items[0].id }",
    "the config, line 5: unknown key 'until' in requests[2]; a loop is while: \"state != 'done'\", with max and requests: it goes on while that is true",
    "the config, line 6: unknown key 'foreach' in requests[3], did you mean 'forEach'?",
    "the config, line 7: unknown key 'for' in requests[4], did you mean 'forEach'? As in forEach: items as item, with requests",
    "the config, line 8: unknown key 'loop' in requests[5], did you mean 'repeat'? As in repeat: 3, with requests; over a list it is forEach: items as item",
    "the config, line 9: unknown key 'else' in requests[6]; it belongs to a block with if and requests",
    "the config, line 10: unknown key 'requests' in requests[7]; it belongs to a block with if, repeat, while, forEach or parallel"
  ])
})

t.test('options of k6 and Artillery have advice, and a config that is a user function names the command that runs it', async t => {
  const at = files(t, {
    'a.yaml': `url: http://127.0.0.1:1
vus: 3
iterations: 4
stages: [{ target: 5, duration: 3s }, { arrivalRate: 5, duration: 3s }]
thresholds: { http_req_duration: ['p(95)<200'] }
config: { target: 'http://127.0.0.1:1' }
target: http://127.0.0.1:1
rps: 50
throw: true
phases: [{ arrivalRate: 5, duration: 3s }]
`,
    'b.yaml': 'url: http://127.0.0.1:1\nmetrics: {}\noptions: {}\nsetup: []\nteardown: []\ntls: {}\nwebsocket: {}\n',
    'user.mjs': 'export default async () => {}'
  })
  const phases = "of the phases (Artillery), arrivalRate: 5 for 60 s is rate: '5 iterations/s' with duration: 60, and no stages; with rampTo: 50 it is stages: ['0s:5iterations/s', '60s:50iterations/s'] (docs/scenarios.md, the table of Artillery)"
  t.strictSame(await problemsOf(at('a.yaml')), [
    "the config, line 2: unknown option 'vus': virtual users (k6) are connections",
    "the config, line 3: unknown option 'iterations': iterations (k6) are an amount, as in amount: '100 iterations'",
    "the config, line 4: unknown key 'target' in stages[0]; the target of a stage (k6) is connections, as in { duration: 30, connections: 50 }, or a rate, as in { duration: 30, rate: '50 iterations/s' }",
    `the config, line 4: unknown key 'arrivalRate' in stages[1]; ${phases}`,
    "the config, line 5: unknown key 'http_req_duration' in thresholds; thresholds are a list of texts: http_req_duration: ['p(95)<200'] (k6) is 'p95 < 200ms', http_req_failed: ['rate<0.01'] is 'failures < 1%'",
    `the config, line 6: unknown option 'config': options stand at the top, without config around them: its target (Artillery) is url, its payload is data; ${phases}`,
    "the config, line 7: unknown option 'target': the server (Artillery) is url",
    "the config, line 8: unknown option 'rps': a limit of requests per second (k6) is a rate: rate: 50, or rate: '50 iterations/s' for user functions",
    "the config, line 9: unknown option 'throw': an option of k6 that is not needed or has no counterpart here: omit it",
    `the config, line 10: unknown option 'phases': ${phases}`
  ])
  const places = 'belongs to a scenario, next to its requests; in a module of user functions it is an export'
  t.strictSame(await problemsOf(at('b.yaml')), [
    "the config, line 2: unknown option 'metrics': metrics are metricsListen, as in metricsListen: ':9464', or otlp",
    "the config, line 3: unknown option 'options': options are at the top, without options around them",
    `the config, line 4: unknown option 'setup': setup ${places}`,
    `the config, line 5: unknown option 'teardown': teardown ${places}`,
    "the config, line 6: unknown option 'tls': options of TLS are at the top: insecure, ca, tlsMin and others (docs/reference.md)",
    "the config, line 7: unknown option 'websocket': a WebSocket is a ws:// URL, or { ws: /chat } in the requests of a scenario (docs/websocket.md)"
  ])
  t.match(await cli(['--config', at('user.mjs'), 'http://127.0.0.1:1']), { code: 2, stderr: /got a function: a user function is run by autocannon run .*user\.mjs URL\n/ })
})

t.test('a warning about a config is a line of autocannon', async t => {
  const file = files(t, { 'a.yaml': 'url: http://127.0.0.1:1\nduration: 1\nrequests: [{ path: http://b.test/x }]\n' })('a.yaml')
  const { stderr } = await cli(['--config', file, '-n'])
  t.match(stderr, /^autocannon: requests\[0\]\.path: 'http:\/\/b\.test\/x' is sent to/m)
  t.notMatch(stderr, /Warning:|trace-warnings/)
})

t.test('a flow whose setupRequest returns nothing says so at the end', async t => {
  const at = files(t, {
    'a.yaml': 'duration: 1\nscenarios:\n  - requests:\n      - repeat: 2\n        requests: [{ path: /, setupRequest: ./none.js }]\n',
    'none.js': 'module.exports = () => {}'
  })
  const { createServer } = require('node:http')
  const server = createServer((_, response) => response.end())
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(null)))
  t.teardown(() => server.close())
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  t.match(await cli(['--config', at('a.yaml'), '-n', `http://127.0.0.1:${port}`]), {
    code: 1, stderr: /exit code 1: setupRequest returned nothing in [\d,]+ iterations?, which ended there: it returns the request that is sent\.\n/
  })
})

t.test('mistakes in entries of a list, and in blocks, are told together', async t => {
  const file = files(t, {
    'a.yaml': `url: http://127.0.0.1:1
scenarios:
  - requests:
      - parallel: { a: 1 }
      - repeat: 3
        requests:
          - { path: /, pause: soon }
          - { path: / }
          - { path: /, pause: later }
      - { path: /, pause: never }
`
  })('a.yaml')
  const { code, stderr } = await cli(['--config', file])
  t.equal(code, 2)
  t.strictSame([...stderr.matchAll(/line (\d+): (\S+): /g)].map(([, line, place]) => `${line} ${place}`), [
    '4 scenarios[0].requests[0].parallel', '7 scenarios[0].requests[1].requests[0].pause', '9 scenarios[0].requests[1].requests[2].pause', '10 scenarios[0].requests[2].pause'
  ])
})
