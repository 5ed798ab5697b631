'use strict'

// What people type for something else, and would get a run of which they did not think: each is refused before the first request, with what to type.

const t = require('tap')
const { readFlags } = require('../../lib/cli/args')
const { parseThreshold } = require('../../lib/judge/threshold')
const { OptionsError } = require('../../lib/core/errors')
const { parseData } = require('../../lib/options/requests/data')
const { validate } = require('../../lib/options/validate')

/** @param {Record<string, any>} given */
function problemOf (given) {
  try {
    validate({ url: 'http://127.0.0.1:1', ...given }, option => option.name, [], {})
    return null
  } catch (error) {
    if (!(error instanceof OptionsError)) throw error
    return error.message
  }
}

t.test('--data with the name of a table alone is no body', async t => {
  for (const file of ['users.csv', './data/users.ndjson', 'users.xlsx']) {
    t.throws(() => parseData([file]), { message: `expected NAME=FILE, got '${file}': give its rows a name, as in rows=${file}, send the file as the body by @${file}, or this text by --body` })
  }
  for (const body of ['a=b', 'file=users.csv&x=1', '{"file":"users.csv"}', 'the users.csv', 'x.txt']) t.equal(String(parseData([body]).body), body)
})

t.test('an expression that does not end is refused in a URL as in a path, with its place', async t => {
  const words = "expected something like {{users.email}}, got '{{x' without its }}; write {{'{{'}} for {{ itself"
  t.equal(problemOf({ url: 'http://127.0.0.1:1/a/{{x' }), `url: ${words}`)
  t.equal(problemOf({ requests: [{ path: '/a/{{x' }] }), `requests[0].path: ${words}`)
  t.equal(problemOf({ url: 'http://127.0.0.1:1/a/{{id}}' }), null)
  t.equal(problemOf({ url: 'http://127.0.0.1:1/a/{x' }), null)
})

t.test('a threshold on checks needs a check', async t => {
  const words = "thresholds: 'checks == 0': there is no check that could fail: give one, such as expect, or limit failures"
  t.equal(problemOf({ thresholds: ['checks == 0'] }), words)
  t.equal(problemOf({ thresholds: ['checks == 0'], requests: [{ path: '/' }] }), words)
  for (const given of [{ expect: { status: 200 } }, { check: () => true }, { requests: [{ path: '/', expect: { status: 200 } }] }, { requests: [{ path: '/', onResponse () {} }] }, { verifyBody: () => true }]) {
    t.equal(problemOf({ thresholds: ['checks == 0'], ...given }), null, Object.keys(given)[0])
  }
})

t.test('a share where a number is meant, and several thresholds in one', async t => {
  for (const [given, words] of [
    ['failures < 0.01', 'failures is a number of requests, and there is no part of one: for a share of them, write failure rate < 1%'],
    ['errors <= 0.005', 'errors is a number of requests, and there is no part of one: for a share of them, write error rate <= 0.5%'],
    ['non2xx < 0.1', 'non2xx is a number of requests, and there is no part of one: for a share of them, write non2xx < 10%']
  ]) t.throws(() => parseThreshold(given), { message: `expected something like 'p99 < 50ms', got '${given}': ${words}` })
  for (const fine of ['failures < 1', 'failures == 0', 'failures < 1%', 'rps > 0.5', 'p99 < 0.5ms']) t.ok(parseThreshold(fine), fine)
  t.throws(() => parseThreshold('p99<50ms,errors==0'), { message: "expected one threshold, got 2 in 'p99<50ms,errors==0': give each alone, as in --threshold 'p99<50ms' --threshold 'errors==0'" })
  t.throws(() => parseThreshold('p99<50ms and errors==0'), { message: /--threshold 'p99<50ms' --threshold 'errors==0'$/ })
  t.equal(parseThreshold('a, b: p99 < 50ms').part, 'a, b', 'a name may have a comma')
})

t.test('flags of other tools', async t => {
  for (const [args, words] of [
    [['--out', 'json=x.json'], 'unknown flag --out: a result in a file (k6) is -o x.json'],
    [['--out', 'results'], 'unknown flag --out: a result in a file (k6) is -o FILE, such as -o run.json'],
    [['--out=csv=a/b.csv'], 'unknown flag --out: a result in a file (k6) is -o a/b.csv']
  ]) t.match(readFlags([...args, 'http://127.0.0.1:1'], {}).problems, [words], args.join(' '))
  t.match(problemOf({ user: '100' }) ?? '', /expected user:password, got something without a colon or a user: virtual users \(Locust\) are connections here: -c 100$/)
  t.notMatch(problemOf({ user: 'secret' }), /secret/)
})
