'use strict'

const t = require('tap')
const { isJsonPath, parseJsonPath, placeOf, valueAt } = require('../../lib/requests/json-path')

t.test('a path leads to a value, to the last one, or to all', async t => {
  const json = JSON.parse('{"a":{"b":[{"c":1},{"c":[2,3]}]},"s":"text","-1":"name","*":"star","constructor":null,"x[y]":8,"$":9}')
  for (const [path, expected] of /** @type {Array<[string, unknown]>} */ ([
    ['a.b[0].c', 1], ['a.b.0.c', 1], ['$.a.b[0].c', 1], ['.a.b[0].c', 1], ['a.b[-1].c[-1]', 3], ['a.b[*].c', [1, [2, 3]]], ['a.b[*].c[*]', [2, 3]], ['a.b.length', 2], ['s.length', 4], ['a.b[1].c.length', 2],
    ['-1', 'name'], ['*', 'star'], ['x[y]', 8], ['$', 9], ['a.b[-3].c', undefined], ['a.b[2]', undefined], ['a[*]', undefined], ['a[-1]', undefined], ['s[0]', undefined], ['s[-1]', undefined], ['toString', undefined], ['a.b.push', undefined], ['constructor', null], ['s.length.x', undefined]
  ])) t.strictSame(valueAt(json, parseJsonPath(path)), expected, path)
  t.strictSame(valueAt([[1, 2], [], [3], 4, [[5]]], parseJsonPath('[*][*]')), [1, 2, 3, [5]])
  t.strictSame(valueAt(null, parseJsonPath('a')), undefined)
})

t.test('what is no path is refused', async t => {
  for (const path of ['', 'a..b', 'a.', '..a', '$..a', 'a[0]b', 'a[*]b', '$.']) {
    t.throws(() => parseJsonPath(path), { message: `expected a path into JSON such as user.id, items[0].name or items[*].id, got '${path}'` }, path)
    t.notOk(isJsonPath(path))
  }
  for (const path of ['a[?(@.b)]', 'a.*', 'a[', 'a[1', 'a]', 'a[-0]', 'a[1:2]', "a['b']", '$']) t.notOk(isJsonPath(path), path)
  for (const path of ['a', 'a[0].b[-12].c[*].d.length', '[0]', '[*]', '$[0]', 'a b', 'a-b']) t.ok(isJsonPath(path), path)
})

t.test('two ways to write one path are one place', async t => {
  t.equal(placeOf('a[0].b'), placeOf('$.a.0.b'))
  t.not(placeOf('a[-1]'), placeOf('a.-1'))
  t.not(placeOf('a[*]'), placeOf('a[-1]'))
})
