'use strict'

// What --trace takes, on the command line and in the API.

const t = require('tap')
const { readFlags, grammarOf } = require('../../../lib/cli/args')
const { parseArguments } = require('../../../lib/cli/main')
const { VERSUS } = require('../../../lib/experiments/versus/flags')
const { TABLE } = require('../../../lib/options/table')
const { validate } = require('../../../lib/options/validate')
const { parseTrace, shownTrace } = require('../../../lib/options/requests/trace')

t.test('a share is read, and shown as it was given', async t => {
  for (const [given, share, shown] of /** @type {const} */ ([['1%', 0.01, '1%'], ['0.5 %', 0.005, '0.5%'], ['33.333333%', 0.33333333, '33.333333%'], ['100%', 1, '100%'], ['0%', 0, '0%'], [true, 1, '100%'], ['', 1, '100%']])) {
    t.equal(parseTrace(given), share)
    t.equal(shownTrace(share), shown)
    t.equal(parseTrace(shown), share, 'it can be given again')
  }
  for (const off of [false, 'false']) t.equal(parseTrace(off), undefined)
})

t.test('options of parseArguments can be given to autocannon()', async t => {
  const options = parseArguments(['--trace', '1%', 'http://localhost:3000'])
  t.equal(options.trace, '1%')
  t.equal(validate(options).values.trace, 0.01)
})

t.test('what is no share is refused in a sentence', async t => {
  for (const given of ['1', '101%', '-1%', '1e1%', 'half', 1, 0.5, null, {}, [], '1%%', '%']) {
    t.throws(() => parseTrace(given), { name: 'TypeError', message: /^expected a share of the requests such as 1%, up to 100%, or nothing for all of them, got [^\n]+$/ })
  }
  t.throws(() => validate({ url: 'http://localhost', trace: 5 }), { message: 'trace: expected a share of the requests such as 1%, up to 100%, or nothing for all of them, got 5' })
})

t.test('behind --trace a share is its value, and all else is not', async t => {
  const read = (/** @type {string} */ line) => {
    const { raw: { trace, url }, problems } = readFlags(line.split(' '), {})
    return [trace, url, ...problems]
  }
  t.strictSame(read('--trace localhost:3000'), ['', ['localhost:3000']])
  t.strictSame(read('localhost:3000 --trace'), ['', ['localhost:3000']])
  t.strictSame(read('--trace 1% localhost:3000'), ['1%', ['localhost:3000']])
  t.strictSame(read('--trace=0.1% localhost:3000'), ['0.1%', ['localhost:3000']])
  t.strictSame(read('--trace 0.1 localhost:3000'), ['0.1', ['localhost:3000']], 'a number is never a URL, and refused as a share')
  t.strictSame(read('--trace -c 5 localhost:3000'), ['', ['localhost:3000']])
  const versus = readFlags('--trace a:1 b:2'.split(' '), {}, undefined, grammarOf([...TABLE, ...VERSUS], 'two urls')).raw
  t.strictSame([versus.trace, versus.url], ['', ['a:1', 'b:2']])
})
