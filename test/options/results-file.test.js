'use strict'

const t = require('tap')
const path = require('node:path')
const { readResults, readFigures } = require('../../lib/options/results-file')
const { syntaxProblem } = require('../../lib/options/json')

const result = { requests: { average: 1, total: 1 }, throughput: { average: 1 }, errors: 0, latency: { p50: 1 } }
const raw = { format: 'autocannon-raw-2', totals: {} }
const line = JSON.stringify(result)

t.test('a file has one result or several, in lines or as one document', async t => {
  const dir = t.testdir({
    one: line + '\n',
    lines: `${line}\n${line}\r\n\n${line}`,
    pretty: JSON.stringify(result, null, 2),
    array: JSON.stringify([result, result], null, 2),
    bom: '\ufeff' + line,
    raw: JSON.stringify(raw)
  })
  for (const [name, count] of [['one', 1], ['lines', 3], ['pretty', 1], ['array', 2], ['bom', 1]]) {
    t.strictSame(readFigures(path.join(dir, name)), Array(count).fill(result), name)
  }
  t.strictSame(readResults(path.join(dir, 'raw')), [raw])
})

t.test('says what is wrong with a file', async t => {
  const dir = t.testdir({
    empty: '\n',
    other: '{"a":1}',
    second: `${line}\n{"a":1}`,
    number: '5',
    series: JSON.stringify({ ...result, series: [5] }),
    broken: `${line}\n{"requests": }`,
    raw: JSON.stringify(raw)
  })
  for (const [name, message] of [
    ['none', /^could not read the file '.*none': ENOENT/],
    ['empty', /^the file '.*empty' has no result in it: expected what autocannon --json writes$/],
    ['other', /^the file '.*other' has something else than a result in it: expected what autocannon --json writes$/],
    ['second', /^the file '.*second' has something else than a result in it \(number 2\): /],
    ['number', /something else than a result/],
    ['series', /something else than a result/],
    ['broken', /^the file '.*broken' is not valid JSON: unexpected "}", line 2, column 14$/],
    ['raw', /^the file '.*raw' has a raw result in it, which has no figures yet: make a result of it with autocannon merge --json$/]
  ]) {
    t.throws(() => readFigures(path.join(dir, name)), { name: 'TypeError', message }, name)
  }
})

t.test('broken JSON is told with its line and column', async t => {
  for (const [text, problem] of [
    ['{"a": 1,}', 'unexpected "}", line 1, column 9'],
    ['{\n  "a": 1\n  "b": 2\n}', 'unexpected "\\"", line 3, column 3'],
    ['{\n  "a": "}",\n  "b": }\n}', 'unexpected "}", line 3, column 8'],
    ['{"a": 1', 'it ends too early, line 1, column 8'],
    ['', 'it ends too early, line 1, column 1'],
    ['{a: 1}', 'unexpected "a", line 1, column 2'],
    ['{"a": tru}', 'unexpected "}", line 1, column 10'],
    ['{"a": 1} // why', 'unexpected "/", line 1, column 10']
  ]) {
    try {
      JSON.parse(text)
      t.fail('it is valid')
    } catch (error) {
      t.equal(syntaxProblem('x.json', text, error), `the file 'x.json' is not valid JSON: ${problem}`, text)
    }
  }
})
