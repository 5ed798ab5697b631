'use strict'

// What templates and data say is known before the first request: every mistake is one line with its place.

const path = require('node:path')
const t = require('tap')
const { buildPlan } = require('../../../lib/options/plan')
const { split } = require('../../../lib/options/split')
const { readOptions } = require('../../../lib/options/read')
const { validate } = require('../../../lib/options/validate')
const { show } = require('../../../lib/core/foreign-text')
const { problemsIn } = require('../../helpers/options/problems')

const url = 'http://localhost/'
const data = { users: { rows: [{ id: 1, note: 'a\r\nb' }] }, words: { rows: ['x'] } }

const CSV = path.join(t.testdir({ 'semicolons.csv': 'id;name\n1;Ann\n' }), 'semicolons.csv')

const problemsOf = options => problemsIn(() => validate({ url, ...options }))

t.test('a name that nothing provides, and what may not stand in a place', async t => {
  for (const [options, ...expected] of /** @type {Array<[Record<string, any>, ...string[]]>} */ ([
    [{ requests: [{ path: '/{{tokn}}' }], initialContext: { token: '' } }, "requests[0].path: nothing provides {{tokn}}, did you mean 'token'? There are token, id, uuid, counter, now, random, pick, env"],
    [{ url: url + '{{users.nme}}', data }, "url: {{users.nme}}: data.users has no column 'nme'; there are id, note"],
    [{ headers: { a: '{{users}}' }, data }, 'headers a: {{users}}: expected a column as well, such as {{users.id}}, got none; there are id, note'],
    [{ body: '{{users.email}}', data: { users: { rows: [{ 'email;password': 'a' }] } } }, "body: {{users.email}}: data.users has no column 'email'; there are email;password: values are separated by commas"],
    [{ body: '{{note}}', data }, 'body: nothing provides {{note}}, did you mean {{users.note}}? There are users, words, id, uuid, counter, now, random, pick, env'],
    [{ body: '{{words.a}}', data }, 'body: {{words.a}}: a row of data.words is one value: write {{words}}'],
    [{ headers: { a: '{{users.note}}' }, data }, 'headers a: {{users.note}} is in a header, which must have no line break and no NUL, but data.users, row 1, has one'],
    [{ requests: [{ path: '/{{{users.note}}}' }], data }, 'requests[0].path: {{users.note}} is in a path as it is, which must have no line break and no NUL, but data.users, row 1, has one'],
    [{ body: '{{users.note}}', requests: [{ path: '/{{users.note}}' }], data }],
    [{ expect: { json: { id: '{{nobody}}' } } }, 'expect.json.id: nothing provides {{nobody}}; there are id, uuid, counter, now, random, pick, env'],
    [{ scenarios: [{ requests: [{ path: '/' }, { body: '{{x', method: 'POST' }] }] }, "scenarios[0].requests[1].body: expected something like {{users.email}}, got '{{x' without its }}; write {{'{{'}} for {{ itself"],
    [{ requests: [{ path: '/{{token}}' }, { capture: { token: 'json token' } }] }, 'requests[0].path: nothing provides {{token}}; there are id, uuid, counter, now, random, pick, env'],
    [{ requests: [{ capture: { token: 'json token' } }, { path: '/{{token}}' }] }],
    [{ requests: [{ once: true, capture: { token: 'json token' } }, { path: '/{{token}}' }, { path: '/{{token}}' }] }],
    [{ requests: [{ path: '/{{token}}', once: true }, { capture: { token: 'json token' } }] }, 'requests[0].path: nothing provides {{token}}; there are id, uuid, counter, now, random, pick, env'],
    [{ initialContext: { id: 1 }, requests: [{ path: '/{{id}}' }] }, 'requests[0].path: {{id}} has its own meaning, and is in the context, too: rename it there'],
    [{ initialContext: { users: 1 }, data }, 'data and initialContext both have users: rename one of them'],
    [{ headers: { 'Content-Length': '{{words}}' }, data }, 'headers Content-Length: expected no template, because it marks the end of the request; omit it'],
    [{ headers: { 'Content-Length': 5 }, body: '{{words}}', data }, 'headers: a body that is a template has the length of its values: omit the Content-Length'],
    [{ headers: { a: '{{env.AUTOCANNON_NOWHERE}}' } }, "headers a: {{env.AUTOCANNON_NOWHERE}}: the environment has no variable 'AUTOCANNON_NOWHERE'"],
    [{ data: { users: { rows: [1], pick: 'once' } }, warmup: { duration: 1 } }, 'warmup and data.users: a warm-up would use up rows that are used only once; exclude the start with skipFirst'],
    [{ data: { id: { rows: [1] } } }, 'data.id: {{id}} has its own meaning: give the source another name'],
    [{ data: { users: 'users.txt' } }, "data.users: expected the path of a file that ends in .csv, .tsv, .json, .ndjson or .jsonl, got 'users.txt'"],
    [{ data: { users: '-' } }, "data.users: expected the path of a file that ends in .csv, .tsv, .json, .ndjson or .jsonl, got '-'"],
    [{ data: { users: { rows: [1], pik: 'once' } } }, "data.users: unknown key 'pik', did you mean 'pick'? There are file, rows, pick, end, separator"],
    [{ data: { users: { rows: [1], pick: 'one' } } }, "data.users.pick: expected order or random or once or connection, got 'one', did you mean 'once'?"],
    [{ data: { users: { rows: [1], end: 'scenario' } } }, "data.users.end: expected pick: 'once' as well, got none: rows that are used again never end"],
    [{ data: { users: { rows: [1], separator: ';' } } }, 'data.users.separator: expected a file as well, got rows'],
    [{ data: { users: { file: 'a.json', separator: ';' } } }, "data.users.separator: expected a .csv or .tsv file, got 'a.json'"],
    ...[';;', '', 'a', '"', '\n', '§', '\0', 5].map(separator => /** @type {[Record<string, any>, string]} */ ([{ data: { users: { file: CSV, separator } } }, `data.users.separator: expected one character such as ';', '\\t' or '|', got ${show(separator)}`])),
    [{ data: { users: CSV } }, `data.users: the file '${CSV}': the first line has one column 'id;name': is the separator ';'? Then give separator: ';', or ',' if that is one name`],
    [{ data: { users: { file: CSV, separator: ';' } }, body: '{{users.name}}' }],
    [{ data: { users: { file: CSV, separator: ',' } }, body: '{{users.id;name}}' }],
    [{ data: { users: { rows: [1], file: 'a.csv' } } }, 'data.users: expected either a file or rows, got both'],
    [{ data: JSON.parse('{"__proto__":{"rows":[1]}}') }, "data.__proto__: expected a name of letters, digits, - and _, got '__proto__'"]
  ])) t.strictSame(problemsOf(options), expected, expected[0])
})

t.test('a text is no source of data in the API', async t => {
  t.throws(() => readOptions({ url, data: 'a=1' }), { message: "data: expected an object of sources by name, such as { users: 'users.csv' }, got a text: a body is given by body" })
  t.strictSame(readOptions({ url, data: { words: { rows: ['x'], pick: 'once' }, more: { rows: [1] } } }).described.data, { words: { file: '[1 rows]', pick: 'once' }, more: '[1 rows]' })
})

t.test('generators alternate in the rows, and plans without templates have none of them', async t => {
  const { values } = validate({ url, connections: 4, data, body: '{{words}}' })
  const turns = split(buildPlan(values), 2).map(({ sharedValues }) => [sharedValues.turn, ...sharedValues.sources.map(({ turn }) => turn)])
  t.strictSame(turns, [0, 1].map(part => Array(3).fill({ part, parts: 2 })))
  const plan = buildPlan(validate({ url, body: '{"a":{"b":1}}' }).values)
  t.equal(plan.sharedValues, null)
  t.notOk(plan.scenarios[0].steps.some(step => 'templates' in step))
})
