'use strict'

const t = require('tap')
const path = require('node:path')
const { compareResults } = require('../..')
const { exampleResult, VERDICTS } = require('../helpers/results/example-result')
const { readResults, readFigures } = require('../../lib/options/results-file')
const { parseJson } = require('../../lib/requests/json')

const result = { requests: { average: 1, total: 1 }, throughput: { average: 1 }, errors: 0, latency: { p50: 1 }, start: '2026-11-21T10:00:00.000Z' }
const raw = { format: 'autocannon-raw-4', totals: {} }
const line = JSON.stringify(result)

t.test('a file has one result or several, in lines or as one document', async t => {
  const runs = [result, { ...result, duration: 11 }, { ...result, duration: 12 }]
  const lines = runs.map(run => JSON.stringify(run))
  const dir = t.testdir({
    one: line + '\n',
    lines: `${lines[0]}\n${lines[1]}\r\n\n${lines[2]}`,
    pretty: JSON.stringify(result, null, 2),
    array: JSON.stringify(runs.slice(0, 2), null, 2),
    twice: `${line}\n${lines[1]}\n${line}`,
    bom: '\ufeff' + line,
    raw: JSON.stringify(raw)
  })
  for (const [name, count] of [['one', 1], ['lines', 3], ['pretty', 1], ['array', 2], ['bom', 1]]) {
    t.strictSame(readFigures(path.join(dir, name)), runs.slice(0, count), name)
  }
  t.throws(() => readFigures(path.join(dir, 'twice')), { message: /^the file .*twice. has the same run twice \(number 1 and 3\), but the comparison needs different runs: give each run once$/ })
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
    ['series', /that is not whole: series\[0\] is 5, expected an object$/],
    ['broken', /^the file '.*broken' is not valid JSON: unexpected "}", line 2, column 14$/],
    ['raw', /^the file '.*raw' has a raw result in it, which has no figures yet: make a result of it with autocannon merge --json$/]
  ]) {
    t.throws(() => readFigures(path.join(dir, name)), { name: 'TypeError', message }, name)
  }
})

t.test('a baseline with a broken histogram, or without a start, is refused before the run', async t => {
  const { latency } = exampleResult({ seconds: 1 })
  for (const [title, changes, message] of [
    ['no start', { start: undefined }, /that is not whole: it has no start$/],
    ['a start that is no date', { start: 'yesterday' }, /: start is 'yesterday', expected a date$/],
    ['a number', { start: 5 }, /: start is 5, expected a date$/],
    ['a broken histogram', { latency: { ...latency, histogram: latency.histogram.slice(0, 40) } }, /: latency\.histogram is '.*', expected a histogram as --json writes it$/],
    ['a histogram of something else', { latency: { ...latency, histogram: 5 } }, /: latency\.histogram is 5, /],
    ['a text for a figure', { latency: { ...latency, p99: '5' } }, /: latency\.p99 is '5', expected a number of at least 0$/],
    ['a negative one', { latency: { ...latency, p99: -5 } }, /: latency\.p99 is -5, /],
    ['no duration of a point', { series: [{ time: 0 }] }, /: it has no series\[0\]\.length$/],
    ['a text in a point', { series: [{ time: 0, length: 1, p99: 'x' }] }, /: series\[0\]\.p99 is 'x', /],
    ['no options', { options: null }, /: options is null, expected an object$/],
    ['a number of requests', { options: { requests: 5 } }, /: options\.requests is 5, expected an array$/],
    ['no request', { options: { requests: [null] } }, /: options\.requests\[0\] is null, expected an object$/],
    ['no requests of a scenario', { options: { scenarios: [{ requests: null }] } }, /: options\.scenarios\[0\]\.requests is null, expected an array$/],
    ['no scenario', { options: { scenarios: [null] } }, /: options\.scenarios\[0\] is null, expected an object$/],
    ['a text for the environment', { environment: 'x' }, /: environment is 'x', expected an object$/],
    ['no verdict', { thresholds: [null] }, /: thresholds\[0\] is null, expected an object$/],
    ['no fates', { fates: null }, /: fates is null, expected an object$/],
    ['status codes of another form', { statusCodeStats: { 200: 5 } }, /: statusCodeStats\.200 is 5, expected an object$/]
  ]) {
    const dir = t.testdir({ file: JSON.stringify({ ...result, ...changes }) })
    t.throws(() => readFigures(path.join(dir, 'file')), { name: 'TypeError', message }, title)
    t.throws(() => compareResults(result, { ...result, ...changes }), { code: 'AC_AGGREGATE', message: /^compareResults: result 0 of new is not whole: / }, title)
  }
  t.equal(readFigures(path.join(t.testdir({ file: JSON.stringify(exampleResult(VERDICTS)) }), 'file')).length, 1)
  t.equal(readFigures(path.join(__dirname, '../fixtures/results/autocannon-9.json')).length, 1, 'a result of autocannon 9 is whole')
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
    t.throws(() => parseJson(text, 'it'), { name: 'TypeError', message: `it is not valid JSON: ${problem}` }, text)
  }
})
