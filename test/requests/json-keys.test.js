'use strict'

const t = require('tap')
const { duplicateKeyIn } = require('../../lib/requests/json-keys')

t.test('the second of two equal keys of one object is found', async t => {
  for (const [json, key, at] of /** @type {Array<[string, string, number]>} */ ([
    ['{"a":1,"a":2}', 'a', 7],
    ['{"a":1,"\\u0061" : 2}', 'a', 7],
    ['{"":1, "":2}', '', 7],
    ['{"__proto__":1,"__proto__":2}', '__proto__', 15],
    ['[{"a":1},{"b":[{"c":"}"}],"b"\n:2}]', 'b', 26],
    ['{"a":{"a":"a"},"b":[],"a":"\\\\"}', 'a', 22],
    ['{"\\"":1,"\\\\":2,"\\"":3}', '"', 15]
  ])) t.strictSame(duplicateKeyIn(json), { key, at }, json)
})

t.test('equal keys of several objects, and texts that look like keys, are none', async t => {
  const once = { title: '"a": "a": \\', a: { a: 'b:', b: '{"a":1,"a":2}', A: 1 }, list: [{ a: 1 }, { a: 2 }, 'a', 'a'], '{': '}', '': null }
  for (const json of [JSON.stringify(once), JSON.stringify(once, null, '\t'), '5', '"a"', '[]', '{}']) t.equal(duplicateKeyIn(json), null, json)
})

t.test('JSON of any depth is read', async t => {
  const deep = 100_000
  t.equal(duplicateKeyIn('['.repeat(deep) + ']'.repeat(deep)), null)
  t.strictSame(duplicateKeyIn('{"a":'.repeat(deep) + '{"b":1,"b":2}' + '}'.repeat(deep)), { key: 'b', at: deep * 5 + 7 })
})
