'use strict'

// docs/config.schema.json is made from the option table and the schemas of values (UPDATE_GOLDEN=1 writes it anew), and takes what autocannon takes.

require('../helpers/options/no-input')
const { readFileSync, writeFileSync } = require('node:fs')
const path = require('node:path')
const t = require('tap')
const Ajv = require('ajv').default
const { parse } = require('yaml')
const { ROWS, configSchema } = require('../helpers/options/config-schema')
const { withEnvironment } = require('../../lib/options/environment')
const { normalize } = require('../../lib/options/normalize')
const { buildPlan } = require('../../lib/options/plan')
const { validate: validateOptions } = require('../../lib/options/validate')
const { REQUEST_KEYS } = require('../../lib/options/requests/request-fields')
const { FIELDS: SCENARIO } = require('../../lib/options/users/scenarios')
const { configValues } = require('../../lib/options/config-values')
const { schemaOf } = require('../../lib/options/config-schema')
const { FIELD_KEYS } = require('../../lib/requests/multipart')

const FILE = path.join(__dirname, '../../docs/config.schema.json')

const schema = /** @type {any} */ (configSchema())
const validate = new Ajv({ allErrors: true, allowUnionTypes: true, strict: true, strictRequired: false }).compile(schema)

/** @param {unknown} config */
function problemsOf (config) {
  validate(config)
  return (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${Object.values(params).join()}`)
}

t.test('the file is what the table says', async t => {
  const text = JSON.stringify(schema, null, 2) + '\n'
  if (process.env.UPDATE_GOLDEN) writeFileSync(FILE, text)
  else t.equal(readFileSync(FILE, 'utf8'), text, 'UPDATE_GOLDEN=1 node test/options/config-schema.test.js writes it anew')
})

t.test('it has every option that a config may have, with its words and its default, and no other', async t => {
  const rows = ROWS.filter(({ flagOnly }) => !flagOnly)
  t.strictSame(Object.keys(schema.properties).sort(), ['$schema', ...rows.map(({ name }) => name)].sort())
  for (const { name, help, default: fallback } of rows) t.match(schema.properties[name], { description: help, ...fallback !== undefined && { default: fallback } })
  t.equal(schema.additionalProperties, false)
})

t.test('a field of a form has the keys that its reader knows', async t => {
  t.strictSame(Object.keys(schema.definitions.formField.properties).sort(), [...FIELD_KEYS].sort())
})

/** What JSON can say, of all kinds. */
const VALUES = [
  '', ' ', 'some text', 'x'.repeat(200), 0, 1, 5, 1.5, -1, 1e300, true, false, {}, [], [1], ['x'], [null], [{}], [[]], '5', '1.5', '1e3', '2xx, 404', ['2XX', '301,302'], '500/1s', '5 rps', '5 req/s', '50 Iterations / s', '500ms', '1m30s', '5/s', '50 iterations/s', '10%', 'true', 'false', 'GET', '2xx', 200, ['2xx', 404],
  'http://localhost:3000', ['http://localhost', 'https://localhost'], 'a=b', 'a: b', ['a: b', 'c=d'], { a: 'b' }, { a: ['b', 1, true] }, { a: null }, 'a=1', '{"a":1}',
  [{ path: '/' }], [{ pause: '1s' }], [{ path: '/', method: 'POST', body: 'x', name: 'a', headers: { a: 'b' }, pause: [1, 2], capture: { a: 'json b', c: { from: '/x/', default: 1 } }, retries: { times: 3, on: ['5xx', 429, 'AC_CLOSED'], pause: '1s' } }], [{ requests: [{ path: '/' }] }],
  [{ name: 'a', weight: '3', every: 5, pause: { exponential: 1 }, connections: 5, rate: '5/s', stages: ['1s:5/s'], requests: [{ path: '/' }] }], [{ nme: 1, requests: [{}] }],
  '1s-2s', ['1s', '2s'], { exponential: '1s' }, './think.js', { status: 200 }, { status: ['2xx'], headers: { a: true, b: ['x', 5] }, body: { includes: ['a', 'b'] }, json: { 'a.b': [1] }, maxBytes: 5, maxMs: '5' }, { body: 'x' }, { statuses: 5 },
  'p99 < 50ms', ['p99 < 50ms', { threshold: 'errors < 1', abortOn: true }], { threshold: 'errors < 1' }, 'p99 +10%', 'p99 ±2%', '30s:5/s', ['30s:5/s', { duration: '5s', rate: 5, name: 'x' }], [{ duration: 5, connections: 5 }], [{ duration: 5, rate: '50 iterations/s' }], '100/5s', { requests: 5, every: 1 }, { iterations: 5, every: '1s' }, '100 iterations/5s',
  { connections: 1, duration: '3s' }, { connections: 1 }, { a: { type: 'text', value: 'x' } }, { log: { entries: [] } }, { times: 3 }, 'even', 'poisson', 'random', 'pass', '50,99', [50, '99'], { users: { rows: [{ a: 1 }], pick: 'once', end: 'scenario' } }, { users: { rows: [1] } }, 'user:pass', '@socket', ['http://localhost', { url: 'http://localhost' }]
]

t.test('what autocannon takes is valid in an editor', async t => {
  let taken = 0
  for (const row of ROWS.filter(({ name, flagOnly }) => !flagOnly && name !== 'onPort')) {
    for (const value of VALUES) {
      if (normalize({ [row.name]: value }, ({ name }) => name, [row]).problems.length > 0) continue
      // Of a program, requests may have keys of its own.
      if (row.name === 'requests' && configValues({ requests: value }, schemaOf([row]), { folder: '/', hasPatterns: true }).strange.length > 0) continue
      taken++
      t.strictSame(problemsOf({ [row.name]: value }), [], `${row.name}: ${JSON.stringify(value).slice(0, 200)}`)
    }
  }
  t.ok(taken > 300, `${taken} values`)
})

t.test('an environment variable may stand in every text, and for numbers, flags and choices', async t => {
  // eslint-disable-next-line no-template-curly-in-string
  const config = { url: '${URL}', connections: '${N:-5}', duration: '${D}', forever: '${F}', arrivals: '${A}', rate: '${R}', pause: '${P}', stages: ['${S}'], scenarios: [{ weight: '${W}', requests: [{ path: '/${A}', expect: { maxMs: '${M}' } }] }] }
  t.strictSame(problemsOf(config), [])
})

t.test('what autocannon refuses by its kind is marked by an editor', async t => {
  for (const config of [
    { conections: 5 }, { connections: 0 }, { connections: 1.5 }, { connections: 'many' }, { duration: 'x' }, { forever: 'maybe' }, { arrivals: 'odd' }, { requests: [] }, { requests: [{ pth: '/' }] }, { requests: [{ expect: { stat: 1 } }] },
    { requests: [{ pause: {} }] }, { pause: ['1s'] }, { pause: 'soon' }, { scenarios: [{ name: 'a' }] }, { scenarios: [{ weight: 0, requests: [{}] }] }, { scenarios: [{ requests: [{ capture: { a: { frm: 'x' } } }] }] }, { stages: [{ rate: 5 }] },
    { stages: 'x' }, { thresholds: [{ threshhold: 'x' }] }, { data: { users: { file: 'a.csv', pik: 'once' } } }, { data: { users: 'users.txt' } }, { retries: { time: 3 } }, { onPort: true }, { burst: { requests: 5, evry: 5 } }, { expect: { headers: 5 } }, { help: true },
    { rate: '20 users/s' }, { scenarios: [{ rate: '20 users/s', requests: [{}] }] }, { stages: [{ duration: 5, rate: '5 rps/s' }] }, { expect: { status: '20x' } }, { expectStatus: '2xx,20x' }, { retries: { times: 1, on: ['5xy'] } }
  ]) t.not(problemsOf(config).length, 0, JSON.stringify(config))
})

t.test('the words of docs/scenarios.md are those that there are, and its examples can be used', async t => {
  const text = readFileSync(path.join(__dirname, '../../docs/scenarios.md'), 'utf8')
  const [, file] = /\n## A file\n.*?```yaml\n(.*?)```/s.exec(text) ?? []
  t.strictSame(problemsOf(parse(file)), [], 'a file')
  const { value, problems } = withEnvironment(parse(file), {})
  t.strictSame(problems, [])
  const { value: options, strange } = configValues(value, schemaOf(ROWS), { folder: '/', hasPatterns: true })
  t.strictSame(strange, [])
  t.ok(buildPlan(validateOptions(options).values).users)

  const [, sockets] = /\n## WebSockets in scenarios\n.*?```yaml\n(.*?)```/s.exec(text) ?? []
  t.strictSame(problemsOf(parse(sockets)), [], 'WebSockets')
  t.ok(buildPlan(validateOptions({ url: 'http://localhost', ...parse(sockets) }).values).users)

  const tables = text.split('\n## Vocabulary\n')[1].split('\n## ')[0].split('\n\n').filter(part => part.startsWith('| Word'))
  const wraps = [(/** @type {any} */ one) => one, (/** @type {any} */ one) => ({ scenarios: [one] }), (/** @type {any} */ one) => ({ requests: [one, { path: '/' }] })]
  t.equal(tables.length, wraps.length)
  for (const [i, table] of tables.entries()) {
    for (const [, example] of table.matchAll(/^\| `.*? \| .* \| `([^`]*)` \|$/gm)) {
      const config = wraps[i](parse(example))
      t.strictSame(problemsOf(config), [], example)
      const { value } = configValues(config, schemaOf(ROWS), { folder: __dirname, hasPatterns: true })
      t.strictSame(normalize(value, ({ name }) => name).problems, [], example)
    }
  }
  /** @type {(i: number) => string[]} */
  const rows = i => Array.from(tables[i].matchAll(/^\| (`.*?) \|/gm), ([, cell]) => Array.from(cell.matchAll(/`(\w+)`/g), ([, word]) => word)).flat()
  t.strictSame(rows(1).sort(), Object.keys(SCENARIO).sort())
  t.strictSame(REQUEST_KEYS.filter(key => !rows(2).includes(key)), [])
})
