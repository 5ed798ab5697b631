'use strict'

// --print-config prints a config that gives the same run: for the example of every flag, and for values made from the option table.

const { spawnSync } = require('node:child_process')
const { readFileSync, writeFileSync } = require('node:fs')
const { join, sep } = require('node:path')
const t = require('tap')
const { readFlags } = require('../../lib/cli/args')
const { validated, withConfig } = require('../../lib/cli/raw-options')
const { printedConfig } = require('../../lib/cli/config/print-config')
const { runValues } = require('../../lib/cli/run-values')
const { readValues } = require('../../lib/options/read')
const { validate } = require('../../lib/options/validate')
const { buildPlan } = require('../../lib/options/plan')
const { TABLE } = require('../../lib/options/table')
const { typeOf } = require('../../lib/options/types')
const { HIDDEN } = require('../../lib/core/secrets')
const { exampleResult } = require('../helpers/results/example-result')

const cli = TABLE.filter(({ where }) => where !== 'api')
const read = (/** @type {string} */ name) => readFileSync(join(__dirname, '../fixtures/tls', name), 'utf8')

process.chdir(t.testdir({
  'body.json': '{"name":"Ann"}',
  'users.csv': 'id,name\n1,Ann\n2,Bob\n',
  'trace.csv': 'TIMESTAMP,ContextTokens,GeneratedTokens\n0,5,1\n1.5,3,2\n',
  'form.json': '{"photo":{"type":"file","path":"body.json"}}',
  'shop.har': JSON.stringify({ log: { entries: ['/', '/cart'].map((path, i) => ({ startedDateTime: new Date(i).toISOString(), request: { method: 'GET', url: `http://localhost:3000${path}`, headers: [] } })) } }),
  'targets.txt': 'GET /\n\nPOST /users\n@body.json\n',
  'main.json': JSON.stringify(exampleResult()),
  'client.pem': read('cert.pem'),
  'client.key': read('key.pem'),
  'ca.pem': read('cert.pem'),
  'bench.yaml': 'url: http://localhost:3000\nconnections: 7\n'
}))
process.env.GITHUB_STEP_SUMMARY = 'summary.md'

/** These stand alone. */
const ALONE = new Set(['version', 'help'])

/** No options of a run: what printed them, and where they came from. */
const NOT_OF_THE_RUN = ['config', 'printConfig']

/**
 * @param {string} line of a shell
 * @returns {string[]}
 */
function wordsOf (line) {
  const { stdout } = spawnSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
  return stdout.split('\0').slice(0, -1)
}

/**
 * @param {any} value
 * @returns {any} the same without what differs from run to run: paths of a config are absolute, boundaries of forms are random
 */
function comparable (value) {
  if (Buffer.isBuffer(value)) return comparable(value.toString('latin1'))
  if (typeof value === 'string') return value.replaceAll(process.cwd() + sep, '').replace(/-{20,}\w+/g, '-')
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || value instanceof RegExp) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, comparable(one)]))
}

/** @param {string[]} argv */
async function readAll (argv) {
  const { raw, command, label, problems } = await withConfig(argv, readFlags(argv, {}))
  const values = Object.fromEntries(Object.entries(validated(raw, label, problems).values).filter(([name]) => !NOT_OF_THE_RUN.includes(name)))
  // Without a seed each run of random arrivals draws its own.
  const plan = buildPlan(readValues({ ...runValues(values), seed: values.seed ?? 1 }).values)
  return { values, plan, command, text: printedConfig(values, raw, command) }
}

/**
 * @param {import('tap').Test} t
 * @param {string[]} argv
 */
async function comesBack (t, argv) {
  const name = argv.join(' ')
  const given = await readAll(argv)
  writeFileSync('again.json', given.text)
  // What is masked is to be filled in by the user.
  if (given.text.includes(HIDDEN)) return t.rejects(readAll(['--config', 'again.json']), { message: HIDDEN, code: 'AC_OPTIONS' }, `${name}: a masked value is refused`)
  const again = await readAll(['--config', 'again.json'])
  t.strictSame(comparable(again), comparable(given), name)
}

t.test('every flag has an example', async t => {
  t.strictSame(cli.filter(({ example }) => example === undefined).map(({ name }) => name), [])
})

t.test('the example of a flag uses it, and comes back', async t => {
  for (const option of cli) {
    const argv = wordsOf(option.example ?? '')
    t.ok(option.name in readFlags(argv, {}).raw, `${option.name}: the example has it`)
    if (!ALONE.has(option.name)) await comesBack(t, argv)
  }
})

/** Forms of values that no table can know. */
const FORMS = [
  ['--replay', 'trace.csv,speed=2'], ['--replay', 'trace.csv', '--data', 'u=users.csv'], ['--trace'], ['--trace', '10%'], ['--trace=0.5%'], ['--trace=false'], ['--ui'], ['--ui', '8080'], ['--ui=[::1]:8080'], ['--ui=false'], ['--metrics-listen', '0.0.0.0:9464'],
  ['--until', 'p99 +-5%'], ['--rate', '50 iterations/s'], ['--rate', '50 iterations/s', '--cookies'], ['--rate', '500/s'], ['-r', '5/s'], ['--burst', '100 iterations/5s'], ['--burst', '3/500ms'],
  ['--stage', 'peak=30s:500/s', '--stage', '0s:50/s', '--stage', '5s:50/s'], ['--stage', '30s:200'], ['--stage', '30s:200', '-c', '5'], ['--stage', '10s:5iterations/s'],
  ['--pause', '500ms'], ['--pause', '500ms-2s'], ['--every', '5s'], ['-W', '[', ']'], ['-W', '[', '-c', '2', ']'], ['-W', '[', '-d', '500ms', ']'], ['-d', '0.5'], ['-d', '1h'],
  ['-H', 'a=1', '-H', 'a: 2', '-H', 'b:'], ['-b', ''], ['-b', '{"a":1}', '-m', 'POST'], ['--data', 'a=1', '--data', 'b=2'], ['--data', '@body.json'], ['--data', 'u=users.csv', '--data', 'x'],
  ['--json-body', '@body.json'], ['-F', '{"a":{"type":"text","value":"b"}}'], ['-E', ''], ['--expect-status', '2xx'], ['--expect-status', '200', '--expect-status', '3xx'],
  ['--expect-header', 'x-a'], ['--expect-header', 'x-a=1', '--expect-header', 'x-b=/c/'], ['--expect-json', 'a=1', '--expect-json', 'b[0].c="1"'], ['--expect-includes', 'a', '--expect-includes', '/b/'],
  ['--threshold', 'rps >= 100', '--abort-on', 'errors == 0'], ['--percentiles', '99.99,50'], ['--connect-to', '::localhost:1', '--connect-to', 'localhost:3000:[::1]:81'],
  ['--resolve', '*:3000:10.0.0.1,10.0.0.2', '--resolve', 'localhost:3000:[::1]'], ['--local-address', '127.0.0.1', '--local-address', '127.0.0.2'], ['--proxy', 'socks5h://proxy'], ['--alpn', 'none'],
  ['--tls-min', '1.0', '--tls-max', '1.0'], ['-o', 'a.json', '-o', '-.md'], ['--tag', 'a=b', '--tag', 'c=d', '--otlp', 'http://localhost:4318'], ['-S', '@abstract'], ['--insecure'], ['-k'],
  ['--agents', 'all', '--redis', 'rediss://redis'], ['--weights', '4,1', '--agents', '2', '--redis', 'redis://redis'], ['--retries', '0'], ['--redirects', '0'], ['-u', 'ann:password'], ['--proxy', 'http://a:b@proxy'],
  ['-c', '5', '--targets', 'targets.txt', '--pick', 'once'], ['http://localhost:4000'], ['--http', '2'], ['http://localhost:4000', '--']
].map(words => [...words, words.includes('--alpn') || words.some(word => /^--(tls|insecure)|^-k$/.test(word)) ? 'https://localhost:3000' : 'http://localhost:3000'])

t.test('every form of a value comes back', async t => {
  for (const argv of FORMS) await comesBack(t, argv)
})

t.test('every switch and choice comes back, on and off', async t => {
  for (const option of cli.filter(({ name }) => !ALONE.has(name) && !NOT_OF_THE_RUN.includes(name))) {
    const values = typeOf(option).isSwitch ? ['true', 'false'] : option.choices ?? [option.min, option.max].flatMap(bound => bound === undefined ? [] : String(bound))
    const example = wordsOf(option.example)
    for (const value of values) {
      // Of two values the last one counts. What rules across options forbid is no value of the flag.
      const argv = [`--${option.name}=${value}`, ...example.filter(word => word.includes('-') || !typeOf(option).isSwitch)]
      const end = example.indexOf('--')
      const all = end === -1 ? [...example, argv[0]] : [...example.slice(0, end), argv[0], ...example.slice(end)]
      const isValid = await readAll(all).then(() => true, error => { if (error.code !== 'AC_OPTIONS') throw error })
      if (isValid) await comesBack(t, all)
    }
  }
})

/* eslint-disable no-template-curly-in-string -- what a config has in it */
t.test('a text with ${ is printed as one that the environment does not change', async t => {
  process.env.PRINTED = 'of the environment'
  process.env.PRINTED_TOKEN = 'a ${PRINTED} b'
  t.teardown(() => { delete process.env.PRINTED; delete process.env.PRINTED_TOKEN })
  for (const body of ['${PRINTED}', 'a $${PRINTED} b', '${NOT_SET}', '${NOT_SET:-x}', '$${', '${', '$$$${PRINTED}', '{"a":"${PRINTED}"}']) {
    for (const argv of [['-b', body, '-m', 'POST', 'http://localhost:3000'], ['-H', `x-a: ${body}`, 'http://localhost:3000'], ['-F', JSON.stringify({ a: { type: 'text', value: body } }), 'http://localhost:3000'], ['--expect-includes', body, `http://localhost:3000/?a=${body}`], ['--expect-json', `a=${JSON.stringify(body)}`, 'http://localhost:3000']]) {
      await comesBack(t, argv)
    }
  }
  const requests = [{ path: '/', body: 'a $${PRINTED} b', method: 'POST', headers: { 'x-a': '$${PRINTED}' }, expect: { body: '/a${PRINTED:-$}/' } }, { path: '/?a=$$$${X}' }]
  writeFileSync('escaped.json', JSON.stringify({ url: 'http://localhost:3000', requests }))
  await comesBack(t, ['--config', 'escaped.json'])
  t.equal(JSON.parse((await readAll(['--config', 'escaped.json'])).text).requests[0].body, 'a $${PRINTED} b')
  writeFileSync('secret.json', JSON.stringify({ url: 'http://localhost:3000', method: 'POST', body: 'x ${PRINTED_TOKEN} $${PRINTED}' }))
  t.equal(JSON.parse((await readAll(['--config', 'secret.json'])).text).body, 'x ${PRINTED_TOKEN} $${PRINTED}', 'a secret of the environment is a reference')
  await comesBack(t, ['--config', 'secret.json'])
})

/* eslint-enable no-template-curly-in-string */

t.test('a former word of an option is printed as its word', async t => {
  const given = { url: 'http://localhost:3000', cookies: { keep: 'round', start: { a: 'b' } } }
  t.strictSame(JSON.parse(printedConfig(validate(given).values, given)).cookies, { keep: 'iteration', start: { a: HIDDEN } })
})

/** What only a config has: texts of it may be regular expressions, which have to be texts again. */
const CONFIGS = [
  'url: http://localhost:3000\nexpect: { status: [2xx, 304], headers: { content-type: /json/i, x-a: true }, body: { includes: [a, /b/] }, json: { "a.b": /c/, d: 1 }, maxMs: 50 }\n',
  'url: http://localhost:3000\nexpectBody: ok\nretries: { times: 2, on: [5xx, AC_CLOSED], pause: 100ms }\ncookies: { keep: connection }\n',
  `url: http://localhost:3000
data: { user: { file: users.csv, pick: random } }
scenarios:
  - name: browse
    weight: 3
    pause: [1s, 2s]
    requests:
      - { name: home, path: "/{{user.id}}", capture: { item: "json items[0].id" }, expect: { status: 200 } }
      - pause: { exponential: 500ms }
      - { name: item, path: "/items/{{item}}", retries: 1 }
  - { name: buy, every: 5s, requests: [{ method: POST, path: /buy, body: '{"a":1}', headers: { content-type: application/json }, expect: { body: { includes: [/ok/, a] } } }] }
thresholds: ["scenario buy: completed > 99%", { threshold: "failures == 0", abortOn: true }]
`,
  'url: http://localhost:3000\nrequests:\n  - { path: /a, body: x, expect: { json: { ok: true } } }\n  - { method: PUT, path: /b }\n  - pause: 1s\n',
  'url: [http://localhost:3000, http://localhost:3001]\nstages: [{ duration: 10s, rate: 500, name: up }, 5s:500/s]\nburst: null\nheaders: { a: ["1", "2"] }\n',
  'url: http://localhost:3000\nburst: { iterations: 5, every: 1s }\nwarmup: { connections: 1, duration: 2s }\nform: { a: { type: text, value: b } }\n',
  'onPort: [node, server.js]\nurl: http://localhost/users\nsticky: false\ntlsOptions: { servername: a }\ninitialContext: { a: 1 }\n'
]

/** Names of captured values and of conditions on them are those of secrets; what stands under them says where a value is. */
const FLOWS = String.raw`url: http://localhost:3000
amount: 10 iterations
scenarios:
  - name: buy
    setup: [{ method: POST, path: /login, form: { user: ann }, capture: { token: json token } }]
    teardown: [{ method: DELETE, path: /x, headers: { authorization: "Bearer {{token}}" } }]
    requests:
      - method: POST
        path: /login
        form: { user: "{{token}}", to: ann }
        capture: { session: "json token", sid: { from: cookie sid, default: "" }, csrf_token: '/token=(\w+)/', xsrf_token: { from: '/"token": "(\w+)"/g', pick: random, all: true } }
      - if: token == 'x'
        requests: [{ path: /a }]
        else: [{ path: /b }]
      - while: session != 'x' and index < 3
        max: 3
        requests: [{ path: /c, capture: { tokens: "json items" } }, { pause: 1 }]
      - forEach: tokens as token_of_item
        requests: [{ path: "/d/{{token_of_item}}" }]
      - repeat: 3
        requests: [{ path: /e }]
      - parallel: [{ path: /f, multipart: { a: b } }, { path: /g }]
`

t.test('loops, conditions, parts, set-up and captures named as secrets come back, and nothing of them is hidden', async t => {
  writeFileSync('given.yaml', FLOWS)
  const { text } = await readAll(['--config', 'given.yaml'])
  t.notMatch(text, HIDDEN)
  await comesBack(t, ['--config', 'given.yaml'])
})

t.test('a secret under a captured value is hidden', async t => {
  const capture = { token: { from: 'json token', default: 'abcdef' } }
  writeFileSync('given.yaml', JSON.stringify({ url: 'http://localhost:3000', amount: '1 iterations', requests: [{ path: '/', capture }, { path: '/', method: 'POST', body: '{"capture":{"token":"abcdef"}}' }] }))
  const { text } = await readAll(['--config', 'given.yaml'])
  t.notMatch(text, 'abcdef')
  t.match(JSON.parse(text).requests[0].capture, { token: { from: 'json token', default: HIDDEN } })
})

t.test('a duration that the run of an amount has no use for is not printed', async t => {
  const again = await readAll(['-a', '10', 'http://localhost:3000'])
  t.notOk('duration' in JSON.parse(again.text))
  t.equal(JSON.parse((await readAll(['http://localhost:3000'])).text).duration, 10)
})

t.test('a config comes back', async t => {
  for (const config of CONFIGS) {
    writeFileSync('given.yaml', config)
    await comesBack(t, ['--config', 'given.yaml']).catch(error => t.fail(error.message))
  }
})

t.test('a token that is offered as a subprotocol is not printed, nor in the options of a result', async t => {
  const { printed, described } = typeOf(/** @type {any} */ (TABLE.find(({ name }) => name === 'subprotocol')))
  for (const [given, shown] of [
    [['graphql-transport-ws', 'v12.stomp', 'base64.binary.k8s.io'], ['graphql-transport-ws', 'v12.stomp', 'base64.binary.k8s.io']],
    [['bearer', 'hunter2'], ['bearer', HIDDEN]],
    [['chat', 'eyJhbGciOi.eyJzdWIi.c2ln'], ['chat', HIDDEN]],
    [['base64url.bearer.authorization.k8s.io.aHVudGVyMg'], [HIDDEN]],
    [['0123456789abcdef0123456789abcdef'], [HIDDEN]]
  ]) {
    for (const form of /** @type {any[]} */ ([printed, described])) t.strictSame(form(given), shown)
  }
})
